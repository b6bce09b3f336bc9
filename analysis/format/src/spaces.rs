//! Blanks between the tokens of a line.

use syntax::SyntaxKind::{self, *};

use crate::spaced_tokens::{SpacedToken, width};

/// Returns the number of blanks between two tokens of a line.
pub(crate) fn between(before: &SpacedToken, spaced: &SpacedToken, text: &str) -> usize {
    let old = if before.token.text_range().end() == spaced.gap.start() {
        &text[spaced.gap]
    } else {
        " "
    };
    let old = if old.contains('\n') { 1 } else { width(old) };
    let (left, right) = (before.kind(), spaced.kind());
    if left.is_comment() || right.is_comment() {
        return beside_comment(left, right, old);
    }
    if is_template_tag(left) || is_template_tag(right) {
        return 1;
    }
    if let Some(blanks) = before_punctuation(before, spaced, old) {
        return blanks;
    }
    if let Some(blanks) = after_punctuation(before, spaced, old) {
        return blanks;
    }
    if is_operator(before) || is_operator(spaced) {
        return 1;
    }
    old.min(1)
}

fn beside_comment(left: SyntaxKind, right: SyntaxKind, old: usize) -> usize {
    match (left, right) {
        // The style guide wants a single blank after a brace.
        (L_BRACE | SELECTOR_BRACE, LINE_COMMENT) => 1,
        // It wants none after a bracket.
        (L_BRACK | LIST_START, _) => old,
        _ => old.max(1),
    }
}

/// Returns the blanks before a token that determines them.
fn before_punctuation(before: &SpacedToken, spaced: &SpacedToken, old: usize) -> Option<usize> {
    let left = before.kind();
    let opens = matches!(left, L_PAREN | WS_L_PAREN | L_BRACK | LIST_START);
    Some(match spaced.kind() {
        // `:;` would be hard to see.
        SEMICOLON if left == COLON => old.min(1),
        COMMA | SEMICOLON | R_PAREN | R_BRACK => 0,
        // `1.a` would be a malformed number.
        DOT => usize::from(left == NUMBER && old > 0),
        COLON => usize::from(left == COLON),
        R_BRACE => usize::from(!matches!(left, L_BRACE | SELECTOR_BRACE)),
        L_BRACE if left == COLON => return None,
        L_BRACE | SELECTOR_BRACE => usize::from(!opens),
        PIPE if is_of_template(spaced) => old.min(1),
        PIPE if is_parameters(spaced) => pipe(before, spaced),
        // An index follows its value directly; a list after a value needs the blank.
        L_BRACK if !is_array(spaced) => 0,
        L_BRACK | LIST_START if opens => 0,
        LIST_START if is_prefix(before) => old.min(1),
        LIST_START => 1,
        L_BRACK if is_prefix(before) || left == R_BRACK => 0,
        L_BRACK => usize::from(is_operator(before) || matches!(left, COMMA | COLON | L_BRACE)),
        L_PAREN | WS_L_PAREN => before_paren(before, spaced, old),
        R_COLLECT | RR_COLLECT => match left {
            L_COLLECT | LL_COLLECT => old.min(1),
            _ => 1,
        },
        _ => return None,
    })
}

/// Returns the blanks after a token that determines them.
fn after_punctuation(before: &SpacedToken, spaced: &SpacedToken, old: usize) -> Option<usize> {
    Some(match before.kind() {
        _ if is_prefix(before) => 0,
        L_PAREN | WS_L_PAREN | L_BRACK | LIST_START => 0,
        DOT => 0,
        PIPE if is_of_template(before) => old.min(1),
        PIPE if is_parameters(before) => pipe(before, spaced),
        // Authors align the blocks of short options.
        COLON if before.parent_kind() == Some(CASE_OPTION) => old.max(1),
        COLON => 1,
        COMMA | SEMICOLON | L_BRACE | SELECTOR_BRACE | R_BRACE | R_PAREN | R_BRACK => 1,
        L_COLLECT | LL_COLLECT => 1,
        _ => return None,
    })
}

/// Returns the blanks before a parenthesis.
fn before_paren(before: &SpacedToken, spaced: &SpacedToken, old: usize) -> usize {
    let opens = matches!(before.kind(), L_PAREN | WS_L_PAREN | L_BRACK | LIST_START);
    match spaced.parent_kind() {
        _ if opens || is_prefix(before) => 0,
        Some(ARGUMENT_LIST) => 0,
        Some(PARAMETER_LIST) => {
            let definition = spaced.token.parent().and_then(|it| it.parent());
            match definition.map(|it| it.kind()) {
                Some(CLASS_DEFINITION | DEFINE_DEFINITION) => 1,
                _ => old.min(1),
            }
        }
        _ => 1,
    }
}

/// Returns the blanks beside the `|` of parameters: none inside.
fn pipe(before: &SpacedToken, spaced: &SpacedToken) -> usize {
    let is_inside = before
        .token
        .parent_ancestors()
        .any(|it| Some(&it) == list(spaced).as_ref())
        || list(before).is_some_and(|list| spaced.token.parent_ancestors().any(|it| it == list));
    usize::from(!is_inside)
}

fn list(spaced: &SpacedToken) -> Option<syntax::SyntaxNode> {
    let list = spaced.token.parent();
    list.filter(|it| spaced.kind() == PIPE && it.kind() == PARAMETER_LIST)
}

fn is_parameters(spaced: &SpacedToken) -> bool {
    list(spaced).is_some()
}

/// Checks whether a token is a `|` around the parameters of a template. Puppet's documentation puts a blank inside.
pub(crate) fn is_of_template(spaced: &SpacedToken) -> bool {
    let owner = list(spaced).and_then(|it| it.parent());
    owner.is_some_and(|it| it.kind() == EPP_PARAMETERS)
}

fn is_array(spaced: &SpacedToken) -> bool {
    spaced.parent_kind() == Some(ARRAY)
}

pub(crate) fn is_template_tag(kind: SyntaxKind) -> bool {
    matches!(kind, EPP_OPEN | EPP_CLOSE | EPP_EXPR_OPEN | EPP_EXPR_CLOSE)
}

/// Checks whether a token is an operator before its only operand.
fn is_prefix(spaced: &SpacedToken) -> bool {
    match spaced.kind() {
        BANG | AT | AT_AT => true,
        MINUS | STAR => matches!(spaced.parent_kind(), Some(UNARY_EXPR | PARAMETER)),
        _ => false,
    }
}

/// Checks whether a token has a blank on either side.
pub(crate) fn is_operator(spaced: &SpacedToken) -> bool {
    let kind = spaced.kind();
    match kind {
        EQ | PLUS_EQ | MINUS_EQ | EQ_EQ | NOT_EQ | MATCH | NOT_MATCH | GT_EQ | GT | LT_EQ | LT
        | FAT_ARROW | PLUS_ARROW | SHL | SHR | L_COLLECT | LL_COLLECT | PLUS | SLASH | PERCENT
        | QUESTION | IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB => true,
        MINUS | STAR => spaced.parent_kind() == Some(BINARY_EXPR),
        AND_KW | OR_KW | IN_KW | IF_KW | ELSIF_KW | ELSE_KW | UNLESS_KW | CASE_KW => true,
        _ => false,
    }
}
