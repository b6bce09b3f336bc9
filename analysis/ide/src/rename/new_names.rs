//! Locates names in their written forms and validates new names.

use syntax::{TextRange, TextSize};

use super::{RenameError, refuse};

/// Reserved words.
const RESERVED_WORDS: [&str; 22] = [
    "and", "apply", "attr", "case", "class", "default", "define", "else", "elsif", "false",
    "function", "if", "in", "inherits", "node", "or", "plan", "private", "true", "type", "undef",
    "unless",
];

/// Variables that Puppet sets in all scopes or reserves for itself. Other built-in variables can be
/// shadowed.
const RESERVED_VARIABLES: [&str; 6] = [
    "caller_module_name",
    "facts",
    "module_name",
    "server_facts",
    "settings",
    "trusted",
];

/// Returns the range of the name within its written form, without quotes, a dollar sign, `@`, a
/// leading `::` and the path after a dot. Unless `is_full`, the range covers only the part after the
/// last `::`. Returns `None` if the name is not `old`.
pub(super) fn name_range(text: &str, is_full: bool, old: &str) -> Option<TextRange> {
    let mut start = 0;
    let mut end = text.len();
    for quote in ['\'', '"'] {
        if text.len() >= 2 && text.starts_with(quote) && text.ends_with(quote) {
            (start, end) = (1, end - 1);
            break;
        }
    }
    start += text[start..end].len() - text[start..end].trim_start_matches('@').len();
    for prefix in ["$", "::"] {
        if text[start..end].starts_with(prefix) {
            start += prefix.len();
        }
    }
    if let Some(dot) = text[start..end].find('.') {
        end = start + dot;
    }
    if !is_full && let Some(colons) = text[start..end].rfind("::") {
        start += colons + 2;
    }
    let is_old = match is_full {
        true => text[start..end].eq_ignore_ascii_case(old),
        false => text[start..end] == *old,
    };
    let offset = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
    is_old.then(|| TextRange::new(offset(start), offset(end)))
}

fn is_word(name: &str, first: impl Fn(char) -> bool) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(first) && chars.all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Validates a new variable name and strips its dollar sign.
pub(super) fn variable(name: &str) -> Result<&str, RenameError> {
    let name = name.trim();
    let name = name.strip_prefix('$').unwrap_or(name);
    if !is_word(name, |it| it.is_ascii_lowercase() || it == '_') {
        return refuse(format!("invalid variable name `{name}`"));
    }
    if RESERVED_WORDS.contains(&name) {
        return refuse(format!("`{name}` is a reserved word"));
    }
    if RESERVED_VARIABLES.contains(&name) {
        return refuse(format!("`${name}` is set by Puppet"));
    }
    Ok(name)
}

/// Validates a new qualified name of a definition and strips a leading `::`.
pub(super) fn definition(name: &str) -> Result<&str, RenameError> {
    let name = name.trim();
    let name = name.strip_prefix("::").unwrap_or(name);
    let is_valid = name
        .split("::")
        .all(|it| is_word(it, |it| it.is_ascii_lowercase()) && it == it.to_ascii_lowercase());
    if !is_valid {
        return refuse(format!(
            "invalid name `{name}`: each part must be a lowercase word that begins with a letter"
        ));
    }
    if RESERVED_WORDS.contains(&name) {
        return refuse(format!("`{name}` is a reserved word"));
    }
    Ok(name)
}

/// Validates a new qualified name of a type alias and strips a leading `::`.
pub(super) fn type_alias(name: &str) -> Result<&str, RenameError> {
    let name = name.trim();
    let name = name.strip_prefix("::").unwrap_or(name);
    if !name
        .split("::")
        .all(|it| is_word(it, |it| it.is_ascii_uppercase()))
    {
        return refuse(format!(
            "invalid type name `{name}`: each part must begin with an uppercase letter"
        ));
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_in_its_written_form() {
        let of = |text, is_full, old| name_range(text, is_full, old).map(|it| &text[it]);
        assert_eq!(of("$a::b", false, "b"), Some("b"));
        assert_eq!(of("'$b'", false, "b"), Some("b"));
        assert_eq!(of("\"a::b.c\"", false, "b"), Some("b"));
        assert_eq!(of("b", false, "b"), Some("b"));
        assert_eq!(of("'::a::b'", true, "a::b"), Some("a::b"));
        assert_eq!(of("A::B", true, "a::b"), Some("A::B"));
        assert_eq!(of("'@@a::b'", true, "a::b"), Some("a::b"));
        assert_eq!(of("\"a\\u{62}\"", false, "ab"), None);
        assert_eq!(of("'", false, "b"), None);
        assert_eq!(of("", true, "b"), None);
    }

    #[test]
    fn validates_new_names() {
        assert_eq!(variable("$a_B1"), Ok("a_B1"));
        for bad in ["", "$", "1a", "A", "a-b", "a::b", "ä", "if", "facts"] {
            assert!(variable(bad).is_err(), "{bad}");
        }
        assert_eq!(definition("::a::b_1"), Ok("a::b_1"));
        for bad in ["", "a::", "::", "A", "a::_b", "a b", "class", "a::bC"] {
            assert!(definition(bad).is_err(), "{bad}");
        }
        assert_eq!(type_alias("A::BcD"), Ok("A::BcD"));
        assert!(type_alias("A::b").is_err());
    }
}
