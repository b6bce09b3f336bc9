//! Constructs of EPP templates.

use super::*;

/// `| … |` at the start of a template.
pub(super) fn parameters(p: &mut Parser<'_>) {
    if p.at(PIPE) {
        let whole = p.start();
        definitions::piped_parameters(p, PARAMETER_LIST);
        whole.complete(p, EPP_PARAMETERS);
    }
}

/// Text between two tags with code: one node, even if comments split it into several tokens.
pub(super) fn text(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    while p.at(EPP_TEXT) && !p.is_behind_tag() {
        p.bump();
    }
    whole.complete(p, RENDER_STRING)
}

impl Parser<'_> {
    /// Checks whether a tag with code precedes this token directly.
    fn is_behind_tag(&self) -> bool {
        let (Some(&last), Some(&this)) = (self.tokens.get(self.at - 1), self.tokens.get(self.at))
        else {
            return false;
        };
        self.lexed.tokens[last as usize..this as usize]
            .iter()
            .any(|it| it.kind == EPP_OPEN)
    }
}

/// `<%= a %>` or `<%= { … } %>`.
pub(super) fn expression(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    let open = p.at;
    p.bump();
    if p.at(L_BRACE) && !starts_hash(p) {
        blocks::block(p);
    } else {
        expressions::expect_expression(p, "an expression");
    }
    if !p.eat(EPP_EXPR_CLOSE) {
        p.unclosed(open, EPP_EXPR_CLOSE);
        skip_tag(p);
    }
    whole.complete(p, RENDER_EXPR)
}

/// Checks whether the brace here opens a hash and not a block.
fn starts_hash(p: &Parser<'_>) -> bool {
    p.nth(1) == R_BRACE || p.nth(2) == FAT_ARROW
}

fn skip_tag(p: &mut Parser<'_>) {
    let error = p.start();
    while !p.at_end() && !matches!(p.current(), EPP_EXPR_CLOSE | EPP_TEXT | EPP_EXPR_OPEN) {
        p.bump();
    }
    error.complete(p, ERROR);
    p.eat(EPP_EXPR_CLOSE);
}
