//! Moves the arrow of a relationship to the line of its right operand.

use syntax::SyntaxKind;

use crate::spaced_tokens::SpacedToken;

/// Moves each `->` and `~>` at the end of a line after the comments that follow it, so that it
/// starts the line of its right operand.
pub(crate) fn move_arrows(tokens: &mut [SpacedToken]) {
    for arrow in 1..tokens.len() {
        let is_arrow = matches!(
            tokens[arrow].kind(),
            SyntaxKind::IN_EDGE | SyntaxKind::IN_EDGE_SUB
        );
        if !is_arrow || tokens[arrow].has_significant_gap {
            continue;
        }
        let comments = tokens[arrow + 1..].iter();
        let comments = comments.take_while(|it| it.kind().is_comment()).count();
        let operand = arrow + 1 + comments;
        if operand == tokens.len() {
            continue;
        }
        // Comments may precede the operand on its line.
        let Some(right) = (arrow + 1..=operand).rfind(|it| tokens[*it].starts_line) else {
            continue;
        };
        // A heredoc ends before the arrow, which must not move across its text.
        let follows_heredoc =
            tokens[arrow - 1].has_significant_gap && tokens[arrow - 1].token.text().ends_with('\n');
        if tokens[operand].has_significant_gap || follows_heredoc {
            continue;
        }
        // A comment before the arrow ends with its line.
        if tokens[arrow].starts_line {
            tokens[arrow + 1].starts_line = true;
        }
        tokens[right].starts_line = false;
        tokens[arrow].starts_line = true;
        tokens[arrow].is_moved = true;
        tokens[arrow..right].rotate_left(1);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::check;

    #[test]
    fn moves_an_arrow_between_comments() {
        check(
            "A['a'] # first\n-> # why\nB['b']\n\nA['a']\n~> # why\n# because\nB['b']\n",
            &expect![[r#"
                A['a'] # first
                # why
                -> B['b']

                A['a']
                # why
                # because
                ~> B['b']
            "#]],
        );
        check(
            "A['a'] ->\n  /* why */ B['b']\n",
            &expect![[r#"
                A['a']
                -> /* why */ B['b']
            "#]],
        );
    }
}
