//! Globs as Ruby's `Pathname.glob` matches them.

use globset::{GlobBuilder, GlobMatcher};

/// Returns the paths that a glob matches, sorted. Hidden files only match a dot in the pattern.
pub(crate) fn matching<'a>(pattern: &str, paths: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let Some(matcher) = compile(pattern) else {
        return Vec::new();
    };
    let names_hidden = pattern.split('/').any(|it| it.starts_with('.'));
    let mut found: Vec<&str> = paths
        .filter(|it| matcher.is_match(it))
        .filter(|it| names_hidden || !it.split('/').any(|part| part.starts_with('.')))
        .collect();
    found.sort_unstable();
    found
}

fn compile(pattern: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(pattern)
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    Some(glob.ok()?.compile_matcher())
}
