//! Trailing commas of lists: missing ones if the closing bracket starts a line, and needless ones of arrays, hashes and
//! parameters on one line.

use syntax::SyntaxKind::*;
use syntax::TextRange;

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

/// Removes the commas before the closing brackets of arrays, hashes and parameters on one line. They become a part of
/// the gaps before the brackets.
pub(crate) fn remove_needless(tokens: &mut Vec<SpacedToken>) {
    let commas = (1..tokens.len()).filter(|it| is_before_closer(tokens, *it - 1));
    let closers: Vec<usize> = commas.collect();
    if closers.is_empty() {
        return;
    }
    let brackets = Brackets::new(tokens);
    let lines = Lines::formatted(tokens, &brackets);
    // The number of line breaks up to each token.
    let breaks = tokens.iter().enumerate().scan(0, |sum, (index, spaced)| {
        let breaks_line = lines.starts(index) || spaced.token.text().contains('\n');
        *sum += usize::from(breaks_line);
        Some(*sum)
    });
    let breaks: Vec<usize> = breaks.collect();
    let is_on_one_line = |closer: &usize| {
        let opener = brackets.opener_of(*closer).unwrap_or(*closer);
        breaks[opener] == breaks[*closer]
    };
    let closers: Vec<usize> = closers.into_iter().filter(is_on_one_line).collect();
    for closer in &closers {
        let start = tokens[closer - 1].gap.start();
        tokens[*closer].gap = TextRange::new(start, tokens[*closer].gap.end());
    }
    let mut commas = closers.iter().map(|it| it - 1).peekable();
    tokens.retain(|it| commas.next_if_eq(&it.position).is_none());
    for (position, spaced) in tokens.iter_mut().enumerate() {
        spaced.position = position;
    }
}

/// Checks whether a token is a comma that the closing bracket of an array, hash or parameter list follows on the same
/// line.
fn is_before_closer(tokens: &[SpacedToken], comma: usize) -> bool {
    let (comma, closer) = (&tokens[comma], &tokens[comma + 1]);
    let is_list = matches!(closer.parent_kind(), Some(ARRAY | HASH | PARAMETER_LIST));
    let is_closer = is_list && matches!(closer.kind(), R_BRACK | R_BRACE | R_PAREN);
    let is_on_line = !comma.starts_line && !closer.starts_line;
    comma.kind() == COMMA && is_closer && is_on_line && !closer.has_significant_gap
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

#[cfg(test)]
mod tests {
    use crate::tests::formatted;

    #[test]
    fn removes_commas_on_one_line() {
        for (source, expected) in [
            ("$x = ['a',]\n", "$x = ['a']\n"),
            ("$x = [['a', ], ]\n", "$x = [['a']]\n"),
            ("$x = { 'a' => ['b',] , }\n", "$x = { 'a' => ['b'] }\n"),
            ("$x = ['a',\n  'b',]\n", "$x = [\n  'a',\n  'b',\n]\n"),
            ("class a ($x, $y = 1, ) {}\n", "class a ($x, $y = 1) {}\n"),
            (
                "class a (\n  $x, $y = 1,) {}\n",
                "class a (\n  $x, $y = 1,\n) {}\n",
            ),
            ("$x = ['a', /* b */ ]\n", "$x = ['a', /* b */ ]\n"),
            (
                "file { '/a': ensure => file, }\n",
                "file { '/a': ensure => file, }\n",
            ),
        ] {
            assert_eq!(formatted(source), expected);
        }
    }
}
