//! Completes values of the expected type: strings of an Enum, booleans, keys of a Struct.

use syntax::SyntaxNode;
use syntax::ast::{AstNode, HashEntry, HashExpr, UnbracedHash};

use super::super::cursor::CursorContext;
use super::expected::{ExpectedValue, alternatives};
use super::{Candidate, Candidates, CompletionKind, score};
use types::{StringType, Type, display_hover};

/// Adds the values of the expected type.
pub(super) fn values(acc: &mut Candidates<'_, '_>, expected: &ExpectedValue) {
    let quoted = acc.context.in_string;
    let mut strings: Vec<String> = Vec::new();
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
    // By convention, the values of resource attributes are bare words, and all other strings are quoted.
    for (text, order) in expected.values.iter().zip(0..) {
        let is_boolean = matches!(text.as_str(), "true" | "false");
        let is_bare = is_boolean || is_bare_word(text);
        add_string(acc, text.clone(), is_bare, score::EXACT - order);
    }
    for (text, order) in strings.into_iter().zip(0..) {
        add_string(acc, text, false, score::EXACT - order);
    }
    if expected.is_option && !quoted {
        let candidate = Candidate::new(CompletionKind::Keyword, "default");
        acc.add(candidate.score(2 * score::SAME_SCOPE));
    }
    for (text, order) in expected.common.iter().zip(0..) {
        // Less than the values of a type, which are all that there are.
        let points = score::EXACT - (20 + order) * score::SAME_SCOPE;
        add_string(acc, (*text).to_owned(), false, points);
    }
    used_strings(acc);
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

/// Adds the strings that the workspace has in the same context and, in quotes, those near the cursor.
pub(super) fn used_strings(acc: &mut Candidates<'_, '_>) {
    let mut strings: Vec<String> = acc.model.strings().into_iter().map(str::to_owned).collect();
    if acc.context.in_string {
        strings.extend(acc.model.nearby_strings.keys().cloned());
    }
    // Keywords are counted with the bare words.
    strings.retain(|it| syntax::SyntaxKind::from_keyword(it, true).is_none());
    for text in strings {
        let is_bare = is_bare_word(&text);
        add_string(acc, text, is_bare, 0);
    }
}

fn add_string(acc: &mut Candidates<'_, '_>, text: String, is_bare: bool, points: i64) {
    let written = match acc.context.in_string || is_bare {
        true => text.clone(),
        false => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
    };
    let candidate = Candidate::new(CompletionKind::Value, text).insert(written);
    acc.add(candidate.score(points));
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
pub(super) fn existing_keys(cursor: &CursorContext<'_>) -> Vec<String> {
    let is_hash =
        |it: &SyntaxNode| HashExpr::can_cast(it.kind()) || UnbracedHash::can_cast(it.kind());
    let hash = cursor.token.parent_ancestors().find(is_hash);
    let entries = hash.iter().flat_map(SyntaxNode::children);
    let entries = entries
        .filter(|it| !cursor.is_within(it))
        .filter_map(HashEntry::cast);
    entries.filter_map(|it| it.key()?.plain_text()).collect()
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
