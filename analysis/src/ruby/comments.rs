//! Comments above a definition, and documentation in strings.

use crate::declared::Doc;

use super::literals::without_hanging_margin;

/// The documentation in the comment that ends on the line above `at`, or with one empty line
/// between.
pub(super) fn above(text: &str, at: usize) -> Doc {
    let Some(before) = text.get(..at) else {
        return Doc::default();
    };
    // What stands on the same line is no comment.
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

/// Comments to Ruby, editors and linters.
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

/// Documentation in a string, with its tags.
pub(super) fn tagged(text: &str) -> Doc {
    Doc::parse(&without_hanging_margin(text))
}

/// Documentation in a string that is Markdown and nothing else.
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
    fn the_comment_above_is_found() {
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
