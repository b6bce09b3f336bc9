//! Misspellings.

/// Misspells a name, depending only on the name and the number; `None` if the name is too short.
pub(super) fn misspell(name: &str, number: usize) -> Option<String> {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() < 4 || !name.is_ascii() {
        return None;
    }
    // Neither the first nor the last letter, which are rarely misspelled.
    let places: Vec<usize> = (1..chars.len() - 2)
        .filter(|&at| chars[at].is_ascii_lowercase() && chars[at + 1].is_ascii_lowercase())
        .filter(|&at| chars[at] != chars[at + 1])
        .collect();
    let at = *places.get(number % places.len().max(1))?;
    let mut chars = chars;
    match (number / 7) % 3 {
        0 => chars.swap(at, at + 1),
        1 => chars.insert(at, chars[at]),
        _ => {
            chars.remove(at);
        }
    }
    Some(chars.into_iter().collect())
}

/// Misspells the last segment of a qualified name or a path.
pub(super) fn misspell_last_segment(name: &str, separator: &str, number: usize) -> Option<String> {
    let start = name.rfind(separator)? + separator.len();
    let misspelled = misspell(&name[start..], number)?;
    Some(format!("{}{misspelled}", &name[..start]))
}
