//! Strings with interpolation.

use super::*;

pub(super) fn interpolated(p: &mut Parser<'_>) -> CompletedMarker {
    let whole = p.start();
    p.bump();
    // Whitespace before a token is outside of the string: the lexer reports a missing quote.
    while !p.at_end() && !p.at(STRING_CLOSE) && p.is_adjacent() {
        segment(p);
    }
    if p.is_adjacent() {
        p.eat(STRING_CLOSE);
    }
    whole.complete(p, INTERPOLATED_STRING)
}

/// Text or an interpolation.
pub(super) fn segment(p: &mut Parser<'_>) {
    match p.current() {
        STRING_TEXT | HEREDOC_TEXT | HEREDOC_MARGIN | HEREDOC_END => p.bump(),
        VARIABLE => {
            let whole = p.start();
            expressions::word(p, VARIABLE_EXPR);
            whole.complete(p, INTERPOLATION);
        }
        INTERPOLATION_OPEN => interpolation(p),
        _ => p.skip(),
    }
}

/// `${ … }`.
fn interpolation(p: &mut Parser<'_>) {
    let whole = p.start();
    p.bump();
    if is_after_unclosed(p) || p.deeper(expressions::assignment).is_none() {
        p.expected("an expression");
    }
    if !p.eat(INTERPOLATION_CLOSE) && !is_end_of_text(p) {
        p.expected("`}`");
        skip_rest(p);
    }
    whole.complete(p, INTERPOLATION);
}

/// Checks whether the end of the text closes an interpolation, which Puppet accepts in a heredoc.
fn is_end_of_text(p: &Parser<'_>) -> bool {
    p.at_end() || p.at(HEREDOC_END) || is_after_unclosed(p)
}

/// Checks whether the current token is the first one after a string without a closing quote.
fn is_after_unclosed(p: &Parser<'_>) -> bool {
    let start = |at: usize| u32::from(p.range_of(at).start());
    let before = p.at.saturating_sub(1);
    let end = p.lexed.unclosed_end;
    end.is_some_and(|it| start(before) < it && it <= start(p.at))
}

fn skip_rest(p: &mut Parser<'_>) {
    let error = p.start();
    let ends = |kind| {
        matches!(
            kind,
            INTERPOLATION_CLOSE | HEREDOC_END | HEREDOC_TEXT | STRING_CLOSE | STRING_TEXT
        )
    };
    while !p.at_end() && !ends(p.current()) {
        p.skip_balanced();
    }
    error.complete(p, ERROR);
    p.eat(INTERPOLATION_CLOSE);
}
