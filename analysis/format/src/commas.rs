//! Trailing commas of lists whose closing bracket starts a line.

use syntax::SyntaxKind::*;

use crate::brackets::Brackets;
use crate::lines::Lines;
use crate::spaced_tokens::SpacedToken;

/// Returns the tokens after which a trailing comma is missing, in order.
pub(crate) fn missing(
    tokens: &[SpacedToken],
    brackets: &Brackets,
    lines: &Lines<'_>,
) -> Vec<usize> {
    let pairs = brackets.pairs();
    let lists = pairs.filter(|(opener, closer)| lines.starts(*closer) && is_list(&tokens[*opener]));
    let mut found: Vec<usize> = lists
        .filter_map(|(opener, closer)| last_of(tokens, opener, closer))
        .collect();
    found.sort_unstable();
    found
}

/// Checks whether a bracket surrounds a list that may end with a comma.
fn is_list(opener: &SpacedToken) -> bool {
    let is_brace = matches!(opener.kind(), L_BRACE | SELECTOR_BRACE);
    match opener.parent_kind() {
        Some(ARRAY | HASH) => true,
        Some(PARAMETER_LIST) => opener.kind() != PIPE,
        Some(RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR) => is_brace,
        Some(SELECTOR_EXPR) => is_brace,
        _ => false,
    }
}

/// Returns the last token of a list, unless the list is empty or ends with a separator.
fn last_of(tokens: &[SpacedToken], opener: usize, closer: usize) -> Option<usize> {
    let is_code = |it: &usize| !tokens[*it].kind().is_comment() && !tokens[*it].is_in_heredoc;
    let last = (opener + 1..closer).rev().find(is_code)?;
    (!matches!(tokens[last].kind(), COMMA | SEMICOLON | COLON)).then_some(last)
}
