//! Keeps the comments at the ends of consecutive lines in one column, if the source aligns them.

use syntax::SyntaxKind;

use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};

/// A comment at the end of a line of code.
struct TrailingComment {
    token: usize,
    /// The number of its line.
    line: usize,
    /// The column in the source.
    old: usize,
    /// The number of blanks before it in the source.
    old_blanks: usize,
    /// The column after the code of its line in the layout.
    end: usize,
}

/// Adjusts the blanks before the comments that the source aligns. `columns` are the columns of the lines, and `commas`
/// the tokens after which a comma is added.
pub(crate) fn align(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    columns: &[usize],
    commas: &[usize],
    blanks: &mut [usize],
) {
    let comments = comments(tokens, text, lines, columns, commas, blanks);
    let is_aligned =
        |a: &TrailingComment, b: &TrailingComment| a.line + 1 == b.line && a.old == b.old;
    for run in comments.chunk_by(is_aligned) {
        if run.len() < 2 || run.iter().all(|it| it.old_blanks == 1) {
            continue;
        }
        let end = run.iter().map(|it| it.end).max().unwrap_or_default();
        let least = run.iter().map(|it| it.old_blanks.max(1)).min();
        for comment in run {
            blanks[comment.token] = end + least.unwrap_or(1) - comment.end;
        }
    }
}

fn comments(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    columns: &[usize],
    commas: &[usize],
    blanks: &[usize],
) -> Vec<TrailingComment> {
    let mut found = Vec::new();
    let numbers = lines.numbers();
    // The column after the last token of the current line; `None` after a string that spans lines.
    let mut end = Some(0);
    for (index, spaced) in tokens.iter().enumerate() {
        let line = numbers[index];
        let start = match lines.starts(index) {
            true => Some(columns[line]),
            false => end.map(|it| it + blanks[index]),
        };
        let content = spaced.token.text();
        let comma = usize::from(commas.binary_search(&index).is_ok());
        let is_line = !content.contains('\n') && !spaced.has_significant_gap;
        if let Some(end) = end.filter(|_| is_trailing(tokens, lines, index)) {
            let (old, old_blanks) = source_column(spaced, text);
            found.push(TrailingComment {
                token: index,
                line,
                old,
                old_blanks,
                end,
            });
        }
        end = start
            .filter(|_| is_line)
            .map(|it| it + width(content) + comma);
    }
    found
}

/// Checks whether a token is a comment after code on its line. After a brace or bracket, the style guide determines the
/// blanks.
fn is_trailing(tokens: &[SpacedToken], lines: &Lines<'_>, index: usize) -> bool {
    use SyntaxKind::{L_BRACE, L_BRACK, LINE_COMMENT, LIST_START, SELECTOR_BRACE};
    let spaced = &tokens[index];
    let is_comment = spaced.kind() == LINE_COMMENT && !spaced.has_significant_gap;
    let before = index.checked_sub(1).map(|it| tokens[it].kind());
    let opens = matches!(
        before,
        Some(L_BRACE | L_BRACK | LIST_START | SELECTOR_BRACE)
    );
    is_comment && !lines.starts(index) && !opens
}

/// Returns the column of a token in the source, and the number of blanks before it.
fn source_column(spaced: &SpacedToken, text: &str) -> (usize, usize) {
    let before = &text[..usize::from(spaced.token.text_range().start())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (width(line), width(&text[spaced.gap]))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::tests::check;

    #[test]
    fn keeps_aligned_comments_in_one_column() {
        check(
            "class a (\n  $x = [1,2],    # x\n  $yy = 'a',     # yy\n  $z = ''        # z\n) {\n  $a = 1 # a\n  $bbb = 1    # b\n  if $a {    # c\n    f($x)    # d\n  }\n}\n",
            &expect![[r#"
                class a (
                  $x = [1, 2],    # x
                  $yy = 'a',      # yy
                  $z = '',        # z
                ) {
                  $a = 1 # a
                  $bbb = 1    # b
                  if $a { # c
                    f($x)    # d
                  }
                }
            "#]],
        );
    }
}
