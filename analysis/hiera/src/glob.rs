//! Globs as Ruby's `Pathname.glob` matches them.

use globset::{GlobBuilder, GlobMatcher};

use crate::paths::starting_with;

/// Returns the paths that a glob matches, out of sorted ones. Hidden files only match a dot in the pattern.
pub(crate) fn matching<'a, P: AsRef<str>>(pattern: &str, sorted: &'a [P]) -> Vec<&'a str> {
    let Some(matcher) = compile(pattern) else {
        return Vec::new();
    };
    let names_hidden = pattern.split('/').any(|it| it.starts_with('.'));
    let literal = pattern.find(['*', '?', '[', '{', '\\']);
    let paths = starting_with(sorted, &pattern[..literal.unwrap_or(pattern.len())]).iter();
    paths
        .map(AsRef::as_ref)
        .filter(|it| matcher.is_match(it))
        .filter(|it| names_hidden || !it.split('/').any(|part| part.starts_with('.')))
        .collect()
}

fn compile(pattern: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(pattern)
        .literal_separator(true)
        .backslash_escape(true)
        .build();
    Some(glob.ok()?.compile_matcher())
}
