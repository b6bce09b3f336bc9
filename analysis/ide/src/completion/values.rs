//! Completes values of the expected type: strings of an Enum, booleans, keys of a Struct.

use syntax::SyntaxNode;
use syntax::ast::{AstNode, HashEntry, HashExpr, UnbracedHash};

use super::super::cursor::Site;
use super::expected::{Expected, alternatives, text_of};
use super::{Candidate, Collector, CompletionKind, score};
use types::{StringType, Type, display_hover};

/// Adds the values of the expected type.
pub(super) fn values(into: &mut Collector<'_, '_>, expected: &Expected) {
    let quoted = into.spot.in_string;
    let mut texts: Vec<String> = expected.values.clone();
    let mut words: Vec<&str> = Vec::new();
    for type_ in expected.type_.iter().flat_map(alternatives) {
        match type_ {
            Type::Enum(it) => texts.extend(it.values().iter().map(|it| it.to_string())),
            Type::String(StringType::Value(it)) => texts.push(it.to_string()),
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
    for (text, order) in texts.iter().zip(0..) {
        let written = match quoted || is_plain(text) {
            true => text.clone(),
            false => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        };
        let found = Candidate::new(CompletionKind::Value, text.clone()).insert(written);
        into.add(found.score(score::CERTAIN - order));
    }
    if quoted {
        return;
    }
    for (word, order) in words.into_iter().zip(0..) {
        let points = if word == "undef" {
            score::NEAR
        } else {
            score::FITS
        };
        let found = Candidate::new(CompletionKind::Value, word);
        into.add(found.score(points - order));
    }
    for word in ["true", "false", "undef"] {
        into.add(Candidate::new(CompletionKind::Keyword, word));
    }
}

/// Checks whether a string can be written as a bare word.
fn is_plain(text: &str) -> bool {
    let mut letters = text.chars();
    let is_name = letters.next().is_some_and(|it| it.is_ascii_lowercase())
        && letters.all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    let is_keyword = syntax::SyntaxKind::from_keyword(text, true).is_some();
    is_name && !is_keyword
}

/// Returns the other keys of the hash at the cursor.
fn given_keys(site: &Site<'_>) -> Vec<String> {
    let is_hash =
        |it: &SyntaxNode| HashExpr::can_cast(it.kind()) || UnbracedHash::can_cast(it.kind());
    let around = site.token.parent_ancestors().find(is_hash);
    let entries = around.iter().flat_map(SyntaxNode::children);
    let entries = entries
        .filter(|it| !site.is_in(it))
        .filter_map(HashEntry::cast);
    entries.filter_map(|it| text_of(&it.key()?)).collect()
}

/// Adds the missing keys of the expected Struct.
pub(super) fn struct_keys(into: &mut Collector<'_, '_>, expected: &Expected) {
    let given = given_keys(into.site);
    for type_ in expected.type_.iter().flat_map(alternatives) {
        let Type::Struct(type_) = type_ else { continue };
        for (element, order) in type_.elements().iter().zip(0..) {
            let name = element.name.to_string();
            if given.contains(&name) {
                continue;
            }
            let required = if element.is_optional() {
                0
            } else {
                score::NEAR
            };
            let quote = if into.spot.in_string { "" } else { "'" };
            let found = Candidate::new(CompletionKind::Key, name.clone())
                .detail(Some(base::shortened(&display_hover(&element.value), 80)))
                .insert(format!("{quote}{name}{quote}"));
            into.add(found.score(score::FITS + required - order));
        }
    }
}
