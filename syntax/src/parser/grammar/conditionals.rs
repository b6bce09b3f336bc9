//! `if`, `unless`, `case` and selectors.

use super::*;

/// `if a { … } elsif b { … } else { … }`. The marker starts at `if` or `elsif`.
pub(super) fn if_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    condition(p);
    blocks::block(p);
    match p.current() {
        ELSIF_KW => {
            let clause = p.start();
            p.deeper(|p| Some(if_expr(p)));
            clause.complete(p, ELSE_CLAUSE);
        }
        ELSE_KW if p.nth(1) == IF_KW => {
            let clause = p.start();
            p.bump();
            foreign_operators::expected_brace(p);
            p.deeper(|p| Some(if_expr(p)));
            clause.complete(p, ELSE_CLAUSE);
        }
        ELSE_KW => else_clause(p),
        NAME if foreign_keywords::is_elsif(p) => {
            p.expected_instead(p.range_of(p.at), "elsif");
            let clause = p.start();
            p.deeper(|p| Some(if_expr(p)));
            clause.complete(p, ELSE_CLAUSE);
        }
        _ => {}
    }
    whole.complete(p, IF_EXPR)
}

/// Parses a condition. During repair, a brace starts the block unless it starts a hash.
fn condition(p: &mut Parser<'_>) {
    let is_hash = p.nth(2) == FAT_ARROW || p.nth(1) == R_BRACE;
    if p.repairs && p.at(L_BRACE) && !is_hash {
        p.expected("a condition");
    } else {
        expressions::expect_expression(p, "a condition");
    }
}

fn else_clause(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    blocks::block(p);
    clause.complete(p, ELSE_CLAUSE);
}

pub(super) fn unless_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    condition(p);
    blocks::block(p);
    if p.at(ELSE_KW) {
        else_clause(p);
    }
    whole.complete(p, UNLESS_EXPR)
}

pub(super) fn case_expr(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    expressions::expect_expression(p, "an expression after `case`");
    if !p.at(L_BRACE) {
        p.expected("`{`");
        return whole.complete(p, CASE_EXPR);
    }
    let open = p.open();
    if p.at(R_BRACE) {
        p.expected("a case option");
    }
    while !p.at_list_end(R_BRACE) {
        if !expressions::at_start(p) {
            p.expected("a case option or `}`");
            if p.is_outer_close() {
                break;
            }
            p.skip();
            continue;
        }
        case_option(p);
    }
    p.close(open, R_BRACE);
    whole.complete(p, CASE_EXPR)
}

/// `a, b: { … }`.
fn case_option(p: &mut Parser<'_>) {
    let option = p.start();
    let before = p.at;
    let mut links = 0;
    loop {
        expressions::expect_expression(p, "an expression");
        if !p.eat(COMMA) || !p.chain(&mut links) {
            break;
        }
    }
    p.expect(COLON);
    blocks::block(p);
    if p.at == before {
        p.skip();
    }
    option.complete(p, CASE_OPTION);
}

/// `a ? b => c` and `a ? { … }`.
pub(super) fn selector(p: &mut Parser<'_>, left: CompletedMarker) -> CompletedMarker {
    let whole = left.precede(p);
    p.bump();
    if !p.at(SELECTOR_BRACE) {
        if !selector_entry(p) {
            p.expected("a selector option");
        }
        return whole.complete(p, SELECTOR_EXPR);
    }
    selector_options(p);
    whole.complete(p, SELECTOR_EXPR)
}

/// Checks whether the options of a selector follow a variable without `?`: during repair, if the value of an assignment
/// or entry is followed by `{ a =>`.
pub(super) fn lacks_question(p: &Parser<'_>) -> bool {
    if !p.repairs || !p.at(L_BRACE) || p.nth(2) != FAT_ARROW {
        return false;
    }
    let mut brackets = 0;
    let mut before = p.kinds[..p.at].iter().rev().skip_while(|it| {
        brackets += match it {
            R_BRACK => 1,
            L_BRACK => -1,
            _ => 0,
        };
        brackets > 0 || **it == L_BRACK
    });
    before.next() == Some(&VARIABLE) && matches!(before.next(), Some(EQ | FAT_ARROW))
}

/// `a { b => c }`, which lacks the `?`.
pub(super) fn selector_without_question(
    p: &mut Parser<'_>,
    left: CompletedMarker,
) -> CompletedMarker {
    p.expected_mark("?", "");
    let whole = left.precede(p);
    selector_options(p);
    whole.complete(p, SELECTOR_EXPR)
}

/// `{ a => b, … }`.
fn selector_options(p: &mut Parser<'_>) {
    let open = p.open();
    if p.at(R_BRACE) {
        p.expected("a selector option");
    }
    while !p.at_list_end(R_BRACE) {
        let before = p.at;
        if !selector_entry(p) {
            p.expected("a selector option or `}`");
        }
        if p.at_list_end(R_BRACE) || p.eat(COMMA) {
            continue;
        }
        p.expected_in_brackets("`,` or `}`");
        if p.is_outer_close() || p.starts_block_or_definition() {
            break;
        }
        if p.at == before {
            p.skip();
        }
    }
    p.close(open, R_BRACE);
}

fn selector_entry(p: &mut Parser<'_>) -> bool {
    let entry = p.start();
    if expressions::expression(p).is_none() {
        entry.abandon(p);
        return false;
    }
    if p.expect(FAT_ARROW) {
        expressions::expect_expression(p, "an expression after `=>`");
    }
    entry.complete(p, SELECTOR_ENTRY);
    true
}
