//! Documentation comments that empty lines separate from their definition.

use super::{AstNode, Definition, starts_line};
use crate::{SyntaxKind, SyntaxToken, TextRange};

/// The tags with which documentation is recognized.
const TAGS: [&str; 8] = [
    "@api", "@example", "@note", "@option", "@param", "@return", "@since", "@summary",
];

/// A documentation comment that Puppet Strings does not read, because of empty lines below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetachedDocumentation {
    /// The text without `#` and one space, of all lines above the lowest empty line.
    pub text: String,
    /// The whitespace with the empty lines, from bottom to top.
    pub gaps: Vec<TextRange>,
    /// Whether there is a comment directly above the definition.
    pub has_attached: bool,
}

/// The lines of a comment without empty lines, from bottom to top.
#[derive(Default)]
struct Paragraph {
    lines: Vec<String>,
    /// The whitespace with the empty lines below it.
    gap: Option<TextRange>,
}

/// Returns the documentation that empty lines separate from its definition. Other comments, such as a license, have
/// neither tags, nor parameters as in RDoc, nor the title of the definition.
pub fn detached_documentation(definition: &Definition) -> Option<DetachedDocumentation> {
    let paragraphs = paragraphs_above(definition);
    let has_attached = paragraphs.first().is_some_and(|it| it.gap.is_none());
    let is_documentation = |it: &Paragraph| {
        let mut lines = it.lines.iter().map(|it| it.trim());
        let is_titled = |line: &str| !has_attached && is_title(line, definition);
        lines.any(|it| describes(it) || is_titled(it))
    };
    let is_detached = |it: &Paragraph| it.gap.is_some() && is_documentation(it);
    let top = paragraphs.iter().rposition(is_detached)?;
    let detached = paragraphs[..=top].iter().filter(|it| it.gap.is_some());
    let gaps = detached.clone().filter_map(|it| it.gap).collect();
    let mut lines: Vec<&str> = detached
        .flat_map(|it| it.lines.iter())
        .map(String::as_str)
        .collect();
    lines.reverse();
    Some(DetachedDocumentation {
        text: lines.join("\n"),
        gaps,
        has_attached,
    })
}

/// Returns the comments above a definition without code between them, from bottom to top.
fn paragraphs_above(definition: &Definition) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut gap = None;
    let first = definition.syntax().first_token();
    let before = first.and_then(|it| it.prev_token());
    for token in std::iter::successors(before, SyntaxToken::prev_token) {
        match token.kind() {
            SyntaxKind::WHITESPACE => {
                if token.text().matches('\n').count() > 1 {
                    gap = Some(token.text_range());
                }
            }
            SyntaxKind::LINE_COMMENT if starts_line(&token) => {
                if gap.is_some() || paragraphs.is_empty() {
                    let lines = Vec::new();
                    paragraphs.push(Paragraph {
                        lines,
                        gap: gap.take(),
                    });
                }
                let text = token.text().trim_start_matches('#');
                let text = text.strip_prefix(' ').unwrap_or(text).trim_end();
                if let Some(paragraph) = paragraphs.last_mut() {
                    paragraph.lines.push(text.to_owned());
                }
            }
            _ => break,
        }
    }
    paragraphs
}

/// Checks whether a line of a comment starts a tag of Puppet Strings, or describes a parameter as in RDoc: `[*name*]`.
fn describes(line: &str) -> bool {
    let is_tag = |tag: &&str| {
        let rest = line.strip_prefix(*tag);
        rest.is_some_and(|it| !it.starts_with(|it: char| it.is_alphanumeric()))
    };
    let entry = line.trim_start_matches([' ', '*', '-']);
    TAGS.iter().any(is_tag) || entry.starts_with("[*") && entry.contains("*]")
}

/// Checks whether a line of a comment names the definition as its title: `Class: example`.
fn is_title(line: &str, definition: &Definition) -> bool {
    const KINDS: [&str; 5] = ["class", "define", "definition", "function", "type"];
    let Some(name) = definition.name().map(|it| it.text()) else {
        return false;
    };
    let line = line.trim_matches(['=', ' ']);
    let words: Vec<&str> = line.split([' ', ':']).collect();
    let kind = words.first().copied().unwrap_or_default();
    let is_kind = KINDS.iter().any(|it| kind.eq_ignore_ascii_case(it));
    is_kind && line.split_whitespace().last() == Some(name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    /// Returns the text of the detached documentation, and the number of gaps.
    fn detached(code: &str) -> Option<(String, usize)> {
        let root = crate::parse(code, Dialect::default()).syntax();
        let definitions = Definition::all_in(&root);
        let found = detached_documentation(definitions.first()?)?;
        Some((found.text, found.gaps.len()))
    }

    #[test]
    fn finds_documentation_above_empty_lines() {
        let found = |text: &str, gaps| Some((text.to_owned(), gaps));
        assert_eq!(detached("# @param a\n\nclass m { }"), found("@param a", 1));
        let code = "# License\n\n# The m.\n# @param a\n\n# More\n\n\nclass m { }";
        assert_eq!(detached(code), found("The m.\n@param a\nMore", 2));
        let code = "# [*a*]\n#   text\n\n# More\nclass m { }";
        assert_eq!(detached(code), found("[*a*]\n  text", 1));
        let code = "# == Class: m\n\nclass m { }";
        assert_eq!(detached(code), found("== Class: m", 1));
    }

    #[test]
    fn ignores_other_comments() {
        for code in [
            "# Copyright\n\nclass m { }",
            "# == Class: n\n\nclass m { }",
            "# @param a\nclass m { }",
            "# @param a\n\n$x = 1\nclass m { }",
            "# == Class: m\n\n# The m\nclass m { }",
            "$x = 1 # @param a\n\nclass m { }",
        ] {
            assert_eq!(detached(code), None, "{code}");
        }
    }
}
