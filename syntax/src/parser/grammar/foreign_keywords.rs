//! Error recovery for keywords of other languages that Puppet spells differently.
//!
//! To Puppet they are names, so they are only considered in a file with an error.

use super::*;

/// Checks for `else if` as other languages write it, after the block of an `if`.
pub(super) fn is_elsif(p: &Parser<'_>) -> bool {
    p.repairs && p.at(NAME) && matches!(p.text_of(p.at), "elseif" | "elif")
}

/// Checks for `switch` before the control expression of a `case`.
pub(super) fn is_case(p: &Parser<'_>) -> bool {
    p.repairs
        && p.at(NAME)
        && p.text_of(p.at) == "switch"
        && matches!(p.nth(1), VARIABLE | L_PAREN | WS_L_PAREN)
}
