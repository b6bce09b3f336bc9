//! Statements in braces.

use super::*;

/// `{ … }`. If other tokens precede the opening brace, they are skipped. If it is missing, the statements are parsed up to
/// the unmatched closing brace.
pub(super) fn block(p: &mut Parser<'_>) {
    let block = p.start();
    if !p.at(L_BRACE) {
        foreign_operators::expected_brace(p);
        skip_to_brace(p);
    }
    if p.at(L_BRACE) {
        let open = p.open();
        statements::until(p, R_BRACE);
        p.close(open, R_BRACE);
        block.complete(p, BLOCK);
        return;
    }
    if !p.next_extra_is(R_BRACE) {
        return block.abandon(p);
    }
    p.use_next_extra();
    statements::until(p, R_BRACE);
    p.eat(R_BRACE);
    block.complete(p, BLOCK);
}

/// Skips the tokens of this line before an opening brace, if there is one.
fn skip_to_brace(p: &mut Parser<'_>) {
    if let Some(brace) = brace_in_line(p) {
        p.skip_until(brace);
    }
}

/// Returns the next opening brace that is in this line and outside of other brackets.
fn brace_in_line(p: &Parser<'_>) -> Option<usize> {
    let mut open = 0usize;
    for at in p.line_of(p.at) {
        match p.kinds[at] {
            _ if p.brackets.closes_before(at) => return None,
            L_BRACE if open == 0 => return Some(at),
            kind if is_opening(kind) => open += 1,
            R_BRACE => return None,
            // The condition may lack the opening one.
            R_PAREN | R_BRACK => open = open.saturating_sub(1),
            COMMA if open == 0 => return None,
            SEMICOLON | EPP_TEXT | EPP_EXPR_OPEN => return None,
            _ => {}
        }
    }
    None
}
