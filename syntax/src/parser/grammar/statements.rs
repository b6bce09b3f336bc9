//! Statements, including calls without parentheses.

use super::*;
use crate::ast::is_statement_function;
use crate::{Edit, Fix};

/// Statements up to but excluding `close`, or up to the end of the file.
pub(super) fn until(p: &mut Parser<'_>, close: SyntaxKind) {
    let mut first = true;
    let mut lists = Vec::new();
    let mut name = None;
    loop {
        if close == EOF && p.at_repaired_close() && !p.at_end() {
            // The bracket was not opened here: the top level never ends early.
            let at = p.at;
            p.brackets.close_one(at);
            continue;
        }
        if p.at_list_end(close) {
            break;
        }
        if p.at(SEMICOLON) && !first {
            p.bump();
            if p.at_list_end(close) || p.at(SEMICOLON) {
                p.expected("a statement after `;`");
            }
            continue;
        }
        if !expressions::at_start(p) {
            if close != EOF && p.is_outer_close() && !p.at(R_BRACE) {
                break;
            }
            p.meet_here(std::mem::take(&mut lists));
            unexpected(p);
            name = None;
            continue;
        }
        let start = p.at;
        if let Some(error) = statement(p, close, name) {
            lists.push(error);
        }
        let is_name = p.at == start + 1 && p.kinds.get(start) == Some(&NAME);
        name = is_name.then_some(start);
        first = false;
    }
    p.meet_here(lists);
}

fn unexpected(p: &mut Parser<'_>) {
    let message = match p.current() {
        R_BRACE | R_PAREN | R_BRACK => format!("unmatched {}", p.found()),
        _ => format!("expected a statement, found {}", p.found()),
    };
    p.error_at_token(message);
    p.skip();
}

/// One statement. A name that may be called without parentheses takes the next statement as its
/// arguments. Returns the index of the error for a list of arguments without such a name, which Puppet
/// reports only at the end of the block. `name` is the token of the previous statement if that is a name.
///
/// From `factory.rb`, `transform_calls`.
fn statement(p: &mut Parser<'_>, close: SyntaxKind, name: Option<usize>) -> Option<usize> {
    let at = p.at;
    if foreign_keywords::is_case(p) {
        p.expected_instead(p.range_of(p.at), "case");
        conditionals::case_expr(p);
        return None;
    }
    let Some(first) = expressions::assignment(p) else {
        unexpected(p);
        return None;
    };
    if p.at(COMMA) {
        return illegal_list(p, at, name);
    }
    let is_call = first.kind == QUALIFIED_NAME && is_statement_function(p.text_of(at));
    let separated = usize::from(p.at(SEMICOLON));
    if !is_call || p.at_list_end(close) || !expressions::starts(p.nth(separated)) {
        return None;
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
    None
}

/// `a, b` without a function that takes these arguments. The list starts at the token `start`, perhaps after the `name`
/// of a function that needs parentheses.
///
/// From `parser_support.rb`, `transform_calls`.
fn illegal_list(p: &mut Parser<'_>, start: usize, name: Option<usize>) -> Option<usize> {
    let (error, line) = (p.errors.len(), p.last_error_line);
    p.error_here(match name {
        Some(it) => format!("`{}` cannot be called without parentheses", p.text_of(it)),
        None => "unexpected `,`: expected a function name before an argument list".to_owned(),
    });
    let is_reported = p.errors.len() > error;
    let mut links = 0;
    while p.eat(COMMA) && p.chain(&mut links) {
        if expressions::assignment(p).is_none() {
            // Puppet finds the missing expression first.
            p.errors.truncate(error);
            p.last_error_line = line;
            p.expected("an expression after `,`");
            return None;
        }
    }
    let fix = name.and_then(|it| add_parentheses(p, it, start));
    if let Some(reported) = p.errors.get_mut(error) {
        reported.diagnostic.fixes.extend(fix);
    }
    is_reported.then_some(error)
}

/// Returns a fix that encloses the arguments from the token `start` to the current one, if they begin on the line of
/// the name of the function.
fn add_parentheses(p: &Parser<'_>, name: usize, start: usize) -> Option<Fix> {
    let before = TextRange::new(p.range_of(name).end(), p.range_of(start).start());
    let is_blank = p.text[before].bytes().all(|it| matches!(it, b' ' | b'\t'));
    let end = TextRange::empty(p.range_of(p.at.checked_sub(1)?).end());
    let mut fix = Fix::certain("Add parentheses", before, "(");
    fix.edits.push(Edit {
        range: end,
        text: ")".to_owned(),
    });
    is_blank.then_some(fix)
}
