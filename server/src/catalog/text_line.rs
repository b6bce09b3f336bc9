//! Text on one line of a terminal.

/// The maximum number of characters of a value. Longer ones are cut.
const MAX_VALUE: usize = 120;

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
