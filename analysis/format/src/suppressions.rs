//! Keeps suppression comments on the line of the code that they concern.

use syntax::SyntaxKind;

use crate::brackets::Brackets;
use crate::lines::Lines;
use crate::spaced_tokens::SpacedToken;

/// Moves each suppression comment after closing brackets that the layout puts on a line of their own before them, so
/// that it stays on the line of the last element.
pub(crate) fn move_comments(tokens: &mut [SpacedToken]) {
    let comments = (0..tokens.len()).filter(|it| tokens[*it].is_suppression());
    let comments: Vec<usize> = comments.collect();
    if comments.is_empty() {
        return;
    }
    let brackets = Brackets::new(tokens);
    let lines = Lines::formatted(tokens, &brackets);
    let moved = |comment: usize| Some((first_moved_closer(tokens, &lines, comment)?, comment));
    let moved: Vec<(usize, usize)> = comments.into_iter().filter_map(moved).collect();
    for (closer, comment) in moved {
        tokens[closer].starts_line = true;
        tokens[closer..=comment].rotate_right(1);
    }
}

/// Returns the first of the closing brackets before a comment that starts a line in the layout only.
fn first_moved_closer(tokens: &[SpacedToken], lines: &Lines<'_>, comment: usize) -> Option<usize> {
    use SyntaxKind::{COMMA, R_BRACE, R_BRACK, R_PAREN, SEMICOLON};
    let ends_list = |it: &usize| {
        let spaced = &tokens[*it];
        let kind = spaced.kind();
        let is_end = matches!(kind, R_BRACE | R_BRACK | R_PAREN | COMMA | SEMICOLON);
        is_end && !spaced.starts_line && !spaced.has_significant_gap
    };
    let ends = (0..comment).rev().take_while(ends_list);
    ends.filter(|it| lines.starts(*it)).last()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::{check, formatted};

    #[test]
    fn keeps_suppression_comments_at_the_last_element() {
        check(
            "$o = [\n  'x ${o}'] # lint:ignore:single_quote_string_with_variables\nfile { '/x': ensure => file,\n  mode => '644' } # pupil: ignore[file-mode]\n\n$p = [{ 'a' => 1,\n  'b' => 2 }, ] # lint:ignore:x\n$q = [\n  { 'a' => 1,\n  'b' => 2 } ] # lint:ignore:y",
            &expect![[r#"
                $o = [
                  'x ${o}', # lint:ignore:single_quote_string_with_variables
                ]
                file { '/x':
                  ensure => file,
                  mode   => '644', # pupil: ignore[file-mode]
                }

                $p = [{
                  'a' => 1,
                  'b' => 2, # lint:ignore:x
                },]
                $q = [
                  {
                    'a' => 1,
                    'b' => 2, # lint:ignore:y
                  },
                ]
            "#]],
        );
    }

    #[test]
    fn leaves_other_comments_in_place() {
        for (source, expected) in [
            ("$o = [\n  'x'] # o\n", "$o = [\n  'x',\n] # o\n"),
            (
                "$o = [\n  'x',\n] # lint:ignore:x\n",
                "$o = [\n  'x',\n] # lint:ignore:x\n",
            ),
            (
                "$o = ['x'] # lint:ignore:x\n",
                "$o = ['x'] # lint:ignore:x\n",
            ),
            (
                "if $x { f()\n  g() } else { # lint:ignore:x\n}\n",
                "if $x {\n  f()\n  g()\n} else { # lint:ignore:x\n}\n",
            ),
        ] {
            assert_eq!(formatted(source), expected);
        }
    }
}
