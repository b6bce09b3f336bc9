//! Completes tags of documentation comments, and the parameters after `@param`.

use syntax::ast::{AstNode, Definition, Parameter};
use syntax::{SyntaxKind, TextRange, TextSize};

use super::super::cursor::CursorContext;
use super::{Candidate, Candidates, CompletionKind, score};

/// The tags of Puppet Strings, common ones first.
const TAGS: [&str; 12] = [
    "summary", "param", "example", "return", "note", "api", "see", "since", "author", "option",
    "overload", "raise",
];

/// The kind of word that a comment expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommentWord {
    /// The name of a tag, after `@`.
    Tag,
    /// The name of a parameter.
    Parameter,
}

/// Returns what a comment expects at the cursor, and the range of the word before it.
pub(super) fn comment_word(cursor: &CursorContext<'_>) -> Option<(CommentWord, TextRange)> {
    let start = cursor.token.text_range().start();
    let before = cursor
        .text
        .get(usize::from(start)..usize::from(cursor.offset))?;
    let line = before.strip_prefix('#')?.trim_start();
    let tag = line.strip_prefix('@')?;
    let (word, typed) = match tag.strip_prefix("param ") {
        Some(name) => (CommentWord::Parameter, name.trim_start()),
        None => (CommentWord::Tag, tag),
    };
    let is_word = typed
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let start = cursor.offset - TextSize::of(typed);
    is_word.then(|| (word, TextRange::new(start, cursor.offset)))
}

/// Adds the tags or the parameters of the definition after the comment.
pub(super) fn comment_words(acc: &mut Candidates<'_, '_>, word: CommentWord) {
    let names: Vec<String> = match word {
        CommentWord::Tag => TAGS.map(str::to_owned).to_vec(),
        CommentWord::Parameter => undocumented_parameters(acc.cursor),
    };
    let kind = match word {
        CommentWord::Tag => CompletionKind::Keyword,
        CommentWord::Parameter => CompletionKind::Parameter,
    };
    for (name, order) in names.into_iter().zip(0..) {
        acc.add(Candidate::new(kind, name).score((20 - order).max(0) * score::SAME_SCOPE));
    }
}

/// Returns the parameters of the next definition that the comment does not describe yet.
fn undocumented_parameters(cursor: &CursorContext<'_>) -> Vec<String> {
    let mut definitions = cursor.root.descendants().filter_map(Definition::cast);
    let Some(next) = definitions.find(|it| it.syntax().text_range().start() >= cursor.offset)
    else {
        return Vec::new();
    };
    let comment = preceding_comment(cursor.text, cursor.offset);
    let described: Vec<&str> = comment
        .filter_map(|it| {
            it.trim_start_matches('#')
                .trim_start()
                .strip_prefix("@param")
        })
        .flat_map(str::split_whitespace)
        .collect();
    let list = next.syntax().children();
    let list = list.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    let parameters = list
        .flat_map(|it| it.children())
        .filter_map(Parameter::cast);
    let names = parameters.filter_map(|it| it.name());
    names
        .filter(|it| !described.contains(&it.as_str()))
        .collect()
}

/// Returns the lines of the comment before the line of the cursor.
fn preceding_comment(text: &str, offset: TextSize) -> impl Iterator<Item = &str> {
    let before = text[..usize::from(offset)].lines().rev().skip(1);
    before
        .map(str::trim_start)
        .take_while(|it| it.starts_with('#'))
}
