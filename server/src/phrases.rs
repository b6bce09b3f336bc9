//! Numbers, lists and suggestions in messages.

/// Returns a number with its noun, in the plural unless it is 1.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Joins a list with commas and "and".
pub(crate) fn list(mut items: Vec<String>) -> String {
    match items.pop() {
        Some(last) if !items.is_empty() => format!("{} and {last}", items.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}
