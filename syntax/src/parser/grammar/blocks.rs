//! Statements in braces.

use super::*;

/// `{ … }`. If the opening brace is missing, the statements are parsed up to the unmatched closing
/// brace.
pub(super) fn block(p: &mut Parser<'_>) {
    let block = p.start();
    if p.at(L_BRACE) {
        let open = p.open();
        statements::until(p, R_BRACE);
        p.close(open, R_BRACE);
        block.complete(p, BLOCK);
        return;
    }
    p.expected("`{`");
    let Some(extra) = block_without_brace(p) else {
        return block.abandon(p);
    };
    p.brackets.use_extra(extra);
    statements::until(p, R_BRACE);
    p.eat(R_BRACE);
    block.complete(p, BLOCK);
}

/// Returns the next unmatched closing bracket if it is a brace.
fn block_without_brace(p: &Parser<'_>) -> Option<usize> {
    let extra = p.brackets.next_extra(p.at)?;
    (p.kinds.get(extra) == Some(&R_BRACE)).then_some(extra)
}
