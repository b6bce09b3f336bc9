//! Comma-separated lists: arguments, elements, keys and hash entries.
//!
//! Adjacent pairs without braces form one hash. Whether a comma belongs to it is known only after
//! the next item, so a place for the end of the hash is reserved before each comma.

use super::*;
use crate::parser::event::Place;

/// The kind of items that a list allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Items {
    /// Arguments of a call: assignments and pairs.
    Arguments,
    /// Elements of an array: also the words `type` and `function`.
    Elements,
    /// Keys of an access: assignments, relationships and resources only in pairs.
    Keys,
}

/// Parses a list up to but excluding `close`. `trailing` allows a trailing comma.
pub(super) fn list(p: &mut Parser<'_>, items: Items, close: SyntaxKind, trailing: bool) {
    let mut hash: Option<Marker> = None;
    let mut end_of_hash: Option<Place> = None;
    while !p.at_list_end(close) {
        let before = p.at;
        let outer = p.start();
        let item = item(p, items);
        match (item, &hash) {
            (Item::Pair, None) => hash = Some(outer),
            (Item::Pair, Some(_)) => outer.abandon(p),
            (_, _) => {
                outer.abandon(p);
                if let (Some(marker), Some(place)) = (hash.take(), end_of_hash.take()) {
                    marker.complete_at(p, place, UNBRACED_HASH);
                }
            }
        }
        if item == Item::Nothing {
            p.expected(expected_item(items));
        }
        if p.at_list_end(close) {
            break;
        }
        if hash.is_some() {
            end_of_hash = Some(p.place());
        }
        if p.at(COMMA) {
            if !trailing && p.nth(1) == close {
                let at = p.at + 1;
                p.bump();
                let item = expected_item(items);
                let found = p.text_of(at);
                p.error_at(at, format!("expected {item} after `,`, found `{found}`"));
                break;
            }
            p.bump();
            continue;
        }
        if !recover(p, before, close) {
            break;
        }
    }
    if let Some(marker) = hash {
        match end_of_hash {
            // The last comma follows the last pair.
            Some(place) if p.last_is_comma_or_place() => {
                marker.complete_at(p, place, UNBRACED_HASH)
            }
            _ => marker.complete(p, UNBRACED_HASH),
        };
    }
}

/// Recovers from a missing comma after an item. Returns whether to continue with another item.
fn recover(p: &mut Parser<'_>, before: usize, close: SyntaxKind) -> bool {
    p.expected_in_brackets(match close {
        R_PAREN => "`,` or `)`",
        R_BRACK => "`,` or `]`",
        _ => "`,`",
    });
    if p.is_outer_close() || p.starts_block_or_definition() || p.at(SEMICOLON) {
        return false;
    }
    if p.at == before {
        p.skip();
    }
    true
}

fn expected_item(items: Items) -> &'static str {
    match items {
        Items::Arguments => "an argument",
        Items::Elements => "an element",
        Items::Keys => "an expression",
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Single,
    Pair,
    Nothing,
}

fn item(p: &mut Parser<'_>, items: Items) -> Item {
    let (first, is_word) = match keyword_word(p) {
        Some(word) => (word, true),
        None => match expressions::assignment(p) {
            Some(first) => (first, false),
            None => return Item::Nothing,
        },
    };
    if p.at(FAT_ARROW) {
        let entry = first.precede(p);
        p.bump();
        entry_value(p);
        entry.complete(p, HASH_ENTRY);
        return Item::Pair;
    }
    let allowed = match items {
        Items::Arguments => !is_word,
        Items::Elements => true,
        Items::Keys => !is_word && expressions::is_expression(first.kind),
    };
    if !allowed {
        p.expected("`=>`");
    }
    Item::Single
}

/// `type` or `function` as a plain word, if it does not start a definition or call.
fn keyword_word(p: &mut Parser<'_>) -> Option<CompletedMarker> {
    let is_word = match p.current() {
        TYPE_KW => !matches!(p.nth(1), CLASSREF | L_PAREN),
        FUNCTION_KW => !matches!(
            p.nth(1),
            NAME | WORD | CLASSREF | CLASS_KW | SINGLE_QUOTED | DOUBLE_QUOTED
        ),
        _ => false,
    };
    is_word.then(|| {
        let word = p.start();
        p.bump();
        word.complete(p, KEYWORD_WORD)
    })
}

fn entry_value(p: &mut Parser<'_>) {
    if keyword_word(p).is_none() && expressions::assignment(p).is_none() {
        p.expected("an expression after `=>`");
    }
}

/// Parses the entries of a hash and the brace that closes the token `open`.
pub(super) fn hash_entries(p: &mut Parser<'_>, open: usize) {
    while !p.at_list_end(R_BRACE) {
        let before = p.at;
        let entry = p.start();
        if keyword_word(p).is_none() && expressions::assignment(p).is_none() {
            entry.abandon(p);
            p.expected("a key or `}`");
        } else {
            if p.expect(FAT_ARROW) {
                entry_value(p);
            }
            entry.complete(p, HASH_ENTRY);
        }
        if p.at_list_end(R_BRACE) || p.eat(COMMA) {
            continue;
        }
        p.expected_in_brackets("`,` or `}`");
        if p.is_outer_close() || p.starts_block_or_definition() || p.at(SEMICOLON) {
            break;
        }
        if p.at == before {
            p.skip();
        }
    }
    p.close(open, R_BRACE);
}
