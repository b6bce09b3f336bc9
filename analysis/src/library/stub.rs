//! What all stubs have in common: their tags and reserved names.

use syntax::ast::{AstNode, Expr, LiteralKind, SourceFile};
use syntax::validation::PuppetVersion;
use syntax::{Dialect, SyntaxNode};

use super::sources::Source;
use crate::declared::Doc;

/// The tree of a stub.
pub(super) fn tree(source: &Source) -> SourceFile {
    syntax::parse(source.text, Dialect::default()).tree()
}

/// The documentation above a node.
pub(super) fn documentation(node: &impl AstNode) -> Doc {
    let comment = syntax::ast::documentation(node);
    comment.map_or_else(Doc::default, |it| Doc::parse(&it))
}

/// A name without the underscore that keeps it apart from a reserved one.
pub(super) fn name(written: &str) -> String {
    written.strip_suffix('_').unwrap_or(written).to_owned()
}

/// The source of an expression as it is shown: on one line, without comments.
pub(super) fn source(expression: &Expr) -> String {
    one_line(expression.syntax())
}

fn one_line(node: &SyntaxNode) -> String {
    let mut text = String::new();
    let tokens = node.descendants_with_tokens();
    for token in tokens.filter_map(|it| it.into_token()) {
        if token.kind().is_comment() {
            continue;
        }
        if !token.kind().is_trivia() {
            text.push_str(token.text());
        } else if !text.is_empty() && !text.ends_with([' ', '[', '{', '(']) {
            text.push(' ');
        }
    }
    // What a line break leaves before a closing bracket.
    for close in [']', '}', ')'] {
        for before in [", ", " "] {
            text = text.replace(&format!("{before}{close}"), &close.to_string());
        }
    }
    text.trim_end().to_owned()
}

/// The text of a string without interpolation.
pub(super) fn string(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(it) => Some(it.value()),
        Expr::QualifiedName(it) => Some(it.text()),
        Expr::KeywordWord(it) => Some(it.text()),
        _ => None,
    }
}

/// The source of a regular expression without its slashes.
pub(super) fn regex(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Literal(it) => match it.kind()? {
            LiteralKind::Regex(source) => Some(source),
            _ => None,
        },
        _ => None,
    }
}

/// Takes a tag that has no text out of a documentation: whether it was there.
pub(super) fn take_mark(doc: &mut Doc, tag: &str) -> bool {
    take(doc, tag).is_some()
}

/// Takes a tag out of a documentation: its text.
pub(super) fn take(doc: &mut Doc, tag: &str) -> Option<String> {
    let at = doc.tags.iter().position(|it| it.tag == tag)?;
    Some(doc.tags.remove(at).text)
}

/// Takes a tag whose text is a list out of a documentation.
pub(super) fn take_list(doc: &mut Doc, tag: &str) -> Vec<String> {
    let words = take(doc, tag).unwrap_or_default();
    let words = words.split([',', ' ', '\n']).filter(|it| !it.is_empty());
    words.map(str::to_owned).collect()
}

/// Whether what is documented so exists in a release.
pub(super) fn exists_in(doc: &Doc, version: PuppetVersion) -> bool {
    let release = match version {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    };
    let since = doc.tags("since").filter_map(|it| major(&it.text)).max();
    let until = doc.tags("until").filter_map(|it| major(&it.text)).min();
    since.is_none_or(|it| it <= release) && until.is_none_or(|it| release <= it)
}

fn major(version: &str) -> Option<u32> {
    let digits = version.split(|c: char| !c.is_ascii_digit());
    digits.into_iter().find(|it| !it.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_told_by_their_tags() {
        let exists = |comment: &str, version| exists_in(&Doc::parse(comment), version);
        assert!(exists("Text", PuppetVersion::V7));
        assert!(exists("@since 5.5", PuppetVersion::V7));
        assert!(!exists("@since 8.2", PuppetVersion::V7));
        assert!(exists("@since 8.2", PuppetVersion::V8));
        assert!(!exists("@until 7", PuppetVersion::V8));
    }

    #[test]
    fn types_are_shown_on_one_line() {
        let parse = syntax::parse(
            "Struct[{\n  # A\n  'a' => [ 1,\n  2 ],\n}]",
            Dialect::default(),
        );
        let found = parse.tree().statements().next();
        assert_eq!(
            found.as_ref().map(source).as_deref(),
            Some("Struct[{'a' => [1, 2]}]")
        );
    }
}
