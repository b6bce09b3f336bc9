//! Completes values of the expected type: strings of an Enum, booleans, keys of a Struct.

use syntax::SyntaxNode;
use syntax::ast::{AstNode, HashEntry, HashExpr, UnbracedHash};

use super::super::cursor::CursorContext;
use super::expected::{ExpectedValue, alternatives, literal_text};
use super::{Candidate, Candidates, CompletionKind, score};
use types::{StringType, Type, display_hover};

/// Adds the values of the expected type.
pub(super) fn values(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let quoted = acc.context.in_string;
    let mut strings: Vec<String> = expected.values.clone();
    let mut words: Vec<&str> = Vec::new();
    for type_ in expected.type_.iter().flat_map(alternatives) {
        match type_ {
            Type::Enum(it) => strings.extend(it.values().iter().map(|it| it.to_string())),
            Type::String(StringType::Value(it)) => strings.push(it.to_string()),
            Type::Boolean(it) => match it {
                Some(true) => words.push("true"),
                Some(false) => words.push("false"),
                None => words.extend(["true", "false"]),
            },
            Type::Undef => words.push("undef"),
            Type::Default => words.push("default"),
            _ => {}
        }
    }
    for (text, order) in strings.iter().zip(0..) {
        let written = match quoted || is_bare_word(text) {
            true => text.clone(),
            false => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        };
        let candidate = Candidate::new(CompletionKind::Value, text.clone()).insert(written);
        acc.add(candidate.score(score::EXACT - order));
    }
    if quoted {
        return;
    }
    for (word, order) in words.into_iter().zip(0..) {
        let points = if word == "undef" {
            score::SAME_SCOPE
        } else {
            score::TYPE_MATCH
        };
        let candidate = Candidate::new(CompletionKind::Value, word);
        acc.add(candidate.score(points - order));
    }
    for word in ["true", "false", "undef"] {
        acc.add(Candidate::new(CompletionKind::Keyword, word));
    }
}

/// Checks whether a string can be written as a bare word.
fn is_bare_word(text: &str) -> bool {
    let mut letters = text.chars();
    let is_name = letters.next().is_some_and(|it| it.is_ascii_lowercase())
        && letters.all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    let is_keyword = syntax::SyntaxKind::from_keyword(text, true).is_some();
    is_name && !is_keyword
}

/// Returns the other keys of the hash at the cursor.
fn existing_keys(cursor: &CursorContext<'_>) -> Vec<String> {
    let is_hash =
        |it: &SyntaxNode| HashExpr::can_cast(it.kind()) || UnbracedHash::can_cast(it.kind());
    let hash = cursor.token.parent_ancestors().find(is_hash);
    let entries = hash.iter().flat_map(SyntaxNode::children);
    let entries = entries
        .filter(|it| !cursor.is_within(it))
        .filter_map(HashEntry::cast);
    entries.filter_map(|it| literal_text(&it.key()?)).collect()
}

/// Adds the missing keys of the expected Struct.
pub(super) fn struct_keys(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let existing = existing_keys(acc.cursor);
    for type_ in expected.type_.iter().flat_map(alternatives) {
        let Type::Struct(type_) = type_ else { continue };
        for (element, order) in type_.elements().iter().zip(0..) {
            let name = element.name.to_string();
            if existing.contains(&name) {
                continue;
            }
            let required = if element.is_optional() {
                0
            } else {
                score::SAME_SCOPE
            };
            let quote = if acc.context.in_string { "" } else { "'" };
            let candidate = Candidate::new(CompletionKind::Key, name.clone())
                .detail(Some(base::truncated(&display_hover(&element.value), 80)))
                .insert(format!("{quote}{name}{quote}"));
            acc.add(candidate.score(score::TYPE_MATCH + required - order));
        }
    }
}
