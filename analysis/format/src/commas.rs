//! Commas: missing trailing ones if the closing bracket starts a line, needless ones of arrays, hashes and parameters on
//! one line and of attributes before a `;`, and those on a line after a comment.

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

/// Moves each comma that starts a line after a comment to the end of the code before the comment.
pub(crate) fn move_before_comments(tokens: &mut [SpacedToken]) {
    for comma in 1..tokens.len() {
        let is_comma = tokens[comma].kind() == COMMA && tokens[comma].starts_line;
        let follows_comment = tokens[comma - 1].kind() == LINE_COMMENT;
        if !is_comma || !follows_comment || tokens[comma].has_significant_gap {
            continue;
        }
        let comments = tokens[..comma].iter().rev();
        let comments = comments.take_while(|it| it.kind().is_comment()).count();
        let first = comma - comments;
        let can_follow = |it: &SpacedToken| !it.is_in_heredoc && !it.ends_line();
        if first
            .checked_sub(1)
            .is_some_and(|it| can_follow(&tokens[it]))
        {
            tokens[comma].starts_line = false;
            tokens[first..=comma].rotate_right(1);
        }
    }
}

/// Removes the commas before the closing brackets of arrays, hashes and parameters on one line, and those before a `;`.
/// They become a part of the gaps after them.
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

/// Checks whether a token is a comma that the closing bracket of an array, hash or parameter list, or the `;` of a body
/// follows on the same line.
fn is_before_closer(tokens: &[SpacedToken], comma: usize) -> bool {
    let (comma, closer) = (&tokens[comma], &tokens[comma + 1]);
    let is_closer = match (closer.parent_kind(), closer.kind()) {
        (Some(ARRAY | HASH | PARAMETER_LIST), R_BRACK | R_BRACE | R_PAREN) => true,
        (parent, SEMICOLON) => parent == Some(RESOURCE_EXPR),
        _ => false,
    };
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
            (
                "file { '/a': ensure => file,; '/b': ensure => file , ; }\n",
                "file { '/a': ensure => file; '/b': ensure => file; }\n",
            ),
            (
                "file {\n  '/a':\n    ensure => file,;\n  '/b':\n    ensure => file,\n    ;\n}\n",
                "file {\n  '/a':\n    ensure => file;\n  '/b':\n    ensure => file,\n  ;\n}\n",
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

    #[test]
    fn moves_commas_before_comments() {
        for (source, expected) in [
            (
                "$s = $a ? {\n  'x' => 1 # one\n  , default => 2\n}\n",
                "$s = $a ? {\n  'x'     => 1, # one\n  default => 2,\n}\n",
            ),
            (
                "$x = [\n  'a' # one  \n  # two  \n  , # three\n  'b'\n]\n",
                "$x = [\n  'a', # one\n  # two\n  # three\n  'b',\n]\n",
            ),
            (
                "class a (\n  $b # one\n  , $c # two\n) {}\n",
                "class a (\n  $b, # one\n  $c, # two\n) {}\n",
            ),
        ] {
            assert_eq!(formatted(source), expected);
        }
    }
}
