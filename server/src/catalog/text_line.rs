//! Text on one line of a terminal.

use crate::display_path;

/// The maximum number of characters of a value. Longer ones are cut.
const MAX_VALUE: usize = 120;

/// Replaces control characters, which could change the terminal, and those that reverse the order of text.
pub(super) fn one_line(text: &str) -> String {
    let is_safe = |it: char| !it.is_control() && !display_path::reverses_text(it);
    if text.chars().all(is_safe) {
        return text.to_owned();
    }
    let escaped = |it: char| match is_safe(it) {
        true => it.to_string(),
        false => it.escape_default().to_string(),
    };
    text.chars().map(escaped).collect()
}

/// Cuts a long value, and says how long it is.
pub(super) fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_VALUE {
        return text.to_owned();
    }
    let start: String = text.chars().take(MAX_VALUE - 20).collect();
    format!("{start}… ({length} characters)")
}

/// Returns a number of things.
pub(super) fn plural(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}
