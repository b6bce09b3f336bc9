//! Numbers, lists and suggestions in messages.

/// Returns a number with its noun, in the plural unless it is 1.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{s}")
}

/// Returns what to append to a message about an unknown name, if another one is similar to it.
pub(crate) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |it| format!("; did you mean `{it}`?"))
}

/// Joins a list with commas and "and".
pub(crate) fn list(mut items: Vec<String>) -> String {
    match items.pop() {
        Some(last) if !items.is_empty() => format!("{} and {last}", items.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}
