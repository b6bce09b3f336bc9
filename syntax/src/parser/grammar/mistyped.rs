//! Keywords and operators as other languages have them: `elseif`, `&&`, `=` in a condition.

use super::*;
use crate::{Fix, TextRange};

/// Spellings of `elsif`.
const ELSIF: [&str; 4] = ["elseif", "elif", "elsef", "elsf"];

/// A word or operator in place of one that Puppet has.
struct Mistyped {
    range: TextRange,
    instead: &'static str,
}

/// Reports that an opening brace is expected, or what is wrong in the condition before it.
pub(super) fn expected_brace(p: &mut Parser<'_>) {
    match operator(p) {
        Some(it) => report(p, "`{`", &it),
        None => p.expected("`{`"),
    }
}

/// Reports that a closing parenthesis is expected, if an operator of another language is there.
pub(super) fn in_parentheses(p: &mut Parser<'_>) -> bool {
    let found = operator(p).filter(|_| !p.at_repaired_close());
    if let Some(it) = &found {
        report(p, "`)`", it);
    }
    found.is_some()
}

fn operator(p: &Parser<'_>) -> Option<Mistyped> {
    let here = p.range_of(p.at);
    let is_doubled =
        || p.text_of(p.at) == p.text_of(p.at + 1) && p.range_of(p.at + 1).start() == here.end();
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
    Some(Mistyped { range, instead })
}

fn report(p: &mut Parser<'_>, what: &str, mistyped: &Mistyped) {
    let (found, instead) = (&p.text[mistyped.range], mistyped.instead);
    let message = format!("expected {what}, found `{found}`; use `{instead}` instead");
    error(p, message, mistyped);
}

fn error(p: &mut Parser<'_>, message: String, mistyped: &Mistyped) {
    let label = format!("Replace with `{}`", mistyped.instead);
    let fix = Fix::certain(label, mistyped.range, mistyped.instead);
    p.error_with_fix(message, fix);
}

/// Checks whether a misspelled `elsif` follows the block of an `if`, and reports it. Puppet takes it for a string, and fails
/// in the block after it.
pub(super) fn found_elsif(p: &mut Parser<'_>) -> bool {
    let is_elsif = p.repairs && ELSIF.contains(&p.text_of(p.at));
    if is_elsif {
        let (range, instead) = (p.range_of(p.at), "elsif");
        let message = format!("unknown keyword `{}`; use `elsif` instead", p.text_of(p.at));
        error(p, message, &Mistyped { range, instead });
    }
    is_elsif
}
