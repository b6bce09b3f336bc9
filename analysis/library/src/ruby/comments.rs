//! Documentation in comments above definitions and in strings.

use crate::signatures::Doc;

use super::literals::without_hanging_margin;

/// Parses the comment that ends on the line above `at`, with at most one blank line between them.
pub(super) fn above(text: &str, at: usize) -> Doc {
    let Some(before) = text.get(..at) else {
        return Doc::default();
    };
    // Skip the rest of the line itself.
    let end = before.rfind('\n').map_or(0, |it| it + 1);
    let mut lines = before[..end].lines().rev().map(str::trim).peekable();
    lines.next_if(|it| it.is_empty());
    let mut found = Vec::new();
    while let Some(line) = lines.next_if(|it| it.starts_with('#')) {
        found.push(line);
    }
    found.reverse();
    let lines: Vec<_> = found
        .into_iter()
        .filter(|it| !is_directive(it))
        .map(|it| {
            let it = it.trim_start_matches('#');
            it.strip_prefix(' ').unwrap_or(it)
        })
        .collect();
    Doc::parse(&lines.join("\n"))
}

/// Checks whether the comment is addressed to Ruby, an editor or a linter.
fn is_directive(line: &str) -> bool {
    let line = line.trim_start_matches('#').trim_start();
    let is_magic = [
        "frozen_string_literal:",
        "encoding:",
        "coding:",
        "-*-",
        "vim:",
    ];
    let is_file_name = line.ends_with(".rb") && !line.contains(char::is_whitespace);
    is_file_name
        || line.starts_with('!')
        || line.starts_with("rubocop:")
        || is_magic.iter().any(|it| line.starts_with(it))
}

/// Parses documentation in a string, with tags.
pub(super) fn tagged(text: &str) -> Doc {
    Doc::parse(&without_hanging_margin(text))
}

/// Converts documentation in a string without tags.
pub(super) fn plain(text: &str) -> Doc {
    Doc {
        text: without_hanging_margin(text),
        tags: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> String {
        above(text, text.find("here").expect("the test has it")).text
    }

    #[test]
    fn finds_the_comment_above() {
        assert_eq!(doc("# one\n# two\nhere"), "one\ntwo");
        assert_eq!(doc("x\n  # one\n\n  here"), "one");
        assert_eq!(doc("# far\n\n\nhere"), "");
        assert_eq!(doc("# no\nx here"), "no");
        assert_eq!(doc("# x.rb\n# one\nhere"), "one");
        assert_eq!(doc("here"), "");
        assert_eq!(
            doc("#!/usr/bin/ruby\n# frozen_string_literal: true\n# one\nhere"),
            "one"
        );
    }
}
