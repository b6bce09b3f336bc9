//! Error recovery for operators of other languages that Puppet spells differently: `&&`, `||`, `=` in a condition, `else if`.

use super::*;
use crate::TextRange;

/// An operator or keyword in place of one that Puppet has.
struct Foreign {
    range: TextRange,
    instead: &'static str,
}

/// Reports that the opening brace of a block is expected, or the operator that ends the condition before it.
pub(super) fn expected_brace(p: &mut Parser<'_>) {
    match find(p) {
        Some(it) => p.expected_instead(it.range, it.instead),
        None => p.expected("`{`"),
    }
}

/// Reports an operator of another language in parentheses. Returns whether there is one.
pub(super) fn found_in_parentheses(p: &mut Parser<'_>) -> bool {
    let found = find(p).filter(|_| !p.at_repaired_close());
    if let Some(it) = &found {
        p.expected_instead(it.range, it.instead);
    }
    found.is_some()
}

fn find(p: &Parser<'_>) -> Option<Foreign> {
    let here = p.range_of(p.at);
    let is_doubled = || {
        let next = p.at + 1;
        p.text_of(p.at) == p.text_of(next) && p.range_of(next).start() == here.end()
    };
    let (start, end, instead) = match p.text_of(p.at) {
        "&" if is_doubled() => (p.at, p.at + 1, "and"),
        "|" if is_doubled() => (p.at, p.at + 1, "or"),
        "=" => (p.at, p.at, "=="),
        "if" if p.at.checked_sub(1).is_some_and(|it| p.kinds[it] == ELSE_KW) => {
            (p.at - 1, p.at, "elsif")
        }
        _ => return None,
    };
    let range = p.range_of(start).cover(p.range_of(end));
    Some(Foreign { range, instead })
}
