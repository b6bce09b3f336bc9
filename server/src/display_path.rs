//! Formats paths and other text for a terminal.

use std::path::Path;

/// Formats a path for messages, on one line: relative to the current directory if it is inside it.
pub(crate) fn display_path(path: &Path) -> String {
    one_line(&relative_path(path))
}

/// Returns a path as text for programs: relative to the current directory if it is inside it.
pub(crate) fn relative_path(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    let current = std::env::current_dir().ok();
    let relative = current.and_then(|it| path.strip_prefix(it).ok().map(Path::to_owned));
    match relative.as_deref().unwrap_or(path) {
        here if here.as_os_str().is_empty() => ".".to_owned(),
        path => path.display().to_string(),
    }
}

/// Checks whether a character makes the following text run in another direction, so that it looks like other text.
fn reverses_text(it: char) -> bool {
    matches!(it, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Checks whether a character may control a terminal, end the line, or reverse the order of text.
fn is_control(it: char) -> bool {
    it.is_control() || matches!(it, '\u{2028}' | '\u{2029}') || reverses_text(it)
}

/// Escapes control characters, line breaks among them, so that the text stays on its line.
pub(crate) fn one_line(text: &str) -> String {
    escape(text, is_control)
}

/// Escapes control characters other than line breaks and tabs.
pub(crate) fn escaped(text: &str) -> String {
    escape(text, |it| !matches!(it, '\n' | '\t') && is_control(it))
}

fn escape(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        match is_escaped(it) {
            true => escaped.extend(it.escape_default()),
            false => escaped.push(it),
        }
    }
    escaped
}

/// Replaces the control characters that a rendered excerpt still has, each by one character, so that markers below it stay
/// in their columns.
pub(crate) fn without_controls(rendered: String) -> String {
    let is_left = |it: char| matches!(it, '\u{7F}'..='\u{9F}') || is_control(it) && !it.is_ascii();
    match rendered.contains(is_left) {
        true => rendered.replace(is_left, "\u{FFFD}"),
        false => rendered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let controls = ('\0'..'\u{20}').chain('\u{7F}'..='\u{9F}');
        let controls = controls.chain('\u{2028}'..='\u{202E}');
        for it in controls.chain('\u{2066}'..='\u{2069}') {
            let text = format!("a{it}b");
            let one_line = one_line(&text);
            assert!(one_line.chars().all(|it| !is_control(it)), "{text:?}");
            assert!(one_line.starts_with("a\\") && one_line.ends_with('b'));
            match it {
                '\n' | '\t' => assert_eq!(escaped(&text), text),
                _ => assert_eq!(escaped(&text), one_line),
            }
        }
        assert_eq!(one_line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(one_line("bücher \u{1F4DA}"), "bücher \u{1F4DA}");
    }

    #[test]
    fn excerpts_keep_their_columns_and_colors() {
        let rendered = "\u{1b}[1m1\u{1b}[0m | a\u{9b}b\u{2028}\n  | ^^^".to_owned();
        assert_eq!(
            without_controls(rendered),
            "\u{1b}[1m1\u{1b}[0m | a\u{FFFD}b\u{FFFD}\n  | ^^^"
        );
    }
}
