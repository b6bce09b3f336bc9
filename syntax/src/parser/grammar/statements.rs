//! Statements, and calls of functions without parentheses.

use super::*;
use crate::ast::is_statement_function;

/// Statements up to `close` (which is left), or the end.
pub(super) fn until(p: &mut Parser<'_>, close: SyntaxKind) {
    let mut first = true;
    while !p.at_list_end(close) {
        if p.at(SEMICOLON) && !first {
            p.bump();
            if p.at_list_end(close) || p.at(SEMICOLON) {
                p.expected("a statement behind `;`");
            }
            continue;
        }
        if !expressions::at_start(p) {
            if close != EOF && p.is_outer_close() && !p.at(R_BRACE) {
                return;
            }
            unexpected(p);
            continue;
        }
        statement(p, close);
        first = false;
    }
}

fn unexpected(p: &mut Parser<'_>) {
    let message = match p.current() {
        R_BRACE | R_PAREN | R_BRACK => format!("this {} closes nothing", p.found()),
        _ => format!("{} cannot start a statement", p.found()),
    };
    p.error_here(message);
    p.skip();
}

/// One statement. A name that may be called without parentheses takes the next statement as its
/// arguments.
///
/// From `factory.rb`, `transform_calls`.
fn statement(p: &mut Parser<'_>, close: SyntaxKind) {
    let at = p.at;
    let Some(first) = expressions::assignment(p) else {
        return unexpected(p);
    };
    if p.at(COMMA) {
        return illegal_list(p);
    }
    let is_call = first.kind == QUALIFIED_NAME && is_statement_function(p.text_of(at));
    let separated = usize::from(p.at(SEMICOLON));
    if !is_call || p.at_list_end(close) || !expressions::starts(p.nth(separated)) {
        return;
    }
    let call = first.precede(p);
    p.eat(SEMICOLON);
    let arguments = p.start();
    let mut links = 0;
    loop {
        if expressions::assignment(p).is_none() {
            p.expected("an argument");
            break;
        }
        if !p.eat(COMMA) || !p.chain(&mut links) {
            break;
        }
    }
    arguments.complete(p, ARGUMENT_LIST);
    call.complete(p, CALL_EXPR);
}

/// `a, b` where nothing takes arguments.
fn illegal_list(p: &mut Parser<'_>) {
    p.error_here("a list of arguments needs the name of a function before it".to_owned());
    let mut links = 0;
    while p.eat(COMMA) && p.chain(&mut links) {
        if expressions::assignment(p).is_none() {
            return p.expected("an expression behind `,`");
        }
    }
}
