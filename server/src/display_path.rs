//! Formats paths for messages.

use std::path::Path;

/// Formats a path for display: relative to the current directory if it is inside it.
pub(crate) fn display_path(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    let current = std::env::current_dir().ok();
    let relative = current.and_then(|it| path.strip_prefix(it).ok().map(Path::to_owned));
    match relative.as_deref().unwrap_or(path) {
        here if here.as_os_str().is_empty() => ".".to_owned(),
        path => escaped(&path.display().to_string()),
    }
}

/// Checks whether a character makes the following text run in another direction, so that it looks like other text.
pub(crate) fn reverses_text(it: char) -> bool {
    matches!(it, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Escapes control characters other than line breaks and tabs, which may control a terminal, and those that reverse the
/// order of text.
pub(crate) fn escaped(text: &str) -> String {
    let is_harmless =
        |it: char| matches!(it, '\n' | '\t') || !it.is_control() && !reverses_text(it);
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        match is_harmless(it) {
            true => escaped.push(it),
            false => escaped.extend(it.escape_unicode()),
        }
    }
    escaped
}
