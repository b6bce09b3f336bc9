//! Error recovery for operators at the end of a line, after which the next statement follows: `$a =`, `if $b and`.

use super::*;
use crate::TextRange;

/// Checks whether the operand of the token before is missing: during repair, if the next line starts a statement or
/// entry, and is not indented further. Returns `true` once, as the parser then reads that statement.
pub(super) fn found(p: &mut Parser<'_>) -> bool {
    let is_missing = p.repairs && p.missing_operand != Some(p.at) && is_missing(p);
    if is_missing {
        p.missing_operand = Some(p.at);
    }
    is_missing
}

fn is_missing(p: &Parser<'_>) -> bool {
    let Some(operator) = p.at.checked_sub(1) else {
        return false;
    };
    let is_interrupted = match p.kinds[operator] {
        FAT_ARROW => p.nth(1) == FAT_ARROW || starts_statement(p),
        // Resources after arrows are often on the next line.
        IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB => false,
        kind => takes_operand(kind) && starts_statement(p),
    };
    if !is_interrupted {
        return false;
    }
    let before = p.range_of(operator);
    let here = p.range_of(p.at).start();
    p.text[TextRange::new(before.end(), here)].contains('\n')
        && p.column(here) <= p.indent(before.start())
}

/// Checks whether an expression follows this token.
fn takes_operand(kind: SyntaxKind) -> bool {
    let is_keyword = matches!(kind, IF_KW | ELSIF_KW | UNLESS_KW | CASE_KW);
    let is_assignment = matches!(kind, EQ | PLUS_EQ | MINUS_EQ);
    is_keyword || is_assignment || kind == BANG || expressions::is_binary_operator(kind)
}

/// Checks whether these tokens are more likely the start of a statement than an operand.
fn starts_statement(p: &Parser<'_>) -> bool {
    match p.current() {
        IF_KW | UNLESS_KW | CASE_KW => true,
        CLASS_KW | DEFINE_KW | NODE_KW | FUNCTION_KW => true,
        VARIABLE => p.nth(1) == EQ,
        NAME => p.nth(1) == L_BRACE || calls_without_parentheses(p),
        _ => false,
    }
}

/// Checks whether a name is followed by an argument on the same line.
fn calls_without_parentheses(p: &Parser<'_>) -> bool {
    let is_argument = matches!(
        p.nth(1),
        NAME | CLASSREF | SINGLE_QUOTED | DOUBLE_QUOTED | STRING_OPEN | VARIABLE
    );
    let between = TextRange::new(p.range_of(p.at).end(), p.range_of(p.at + 1).start());
    is_argument && !p.text[between].contains('\n')
}
