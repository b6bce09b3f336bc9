//! Indents the heredocs with a margin: their `|` is one level deeper than the line of the tag. A `|` in the column of
//! that line stays there, as editors indent new lines of text this way.
//!
//! The lines move with the `|`, so that the value stays the same. Puppet removes the blanks before the `|` from the
//! lines that start with exactly these, and leaves the others as they are.

use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, HeredocBody};
use syntax::{Edit, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::columns::LEVEL;
use crate::lines::Lines;
use crate::spaced_tokens::SpacedToken;

/// Returns the edit that indents each heredoc, by the index of the first token of its text. `columns` are the columns
/// of the lines.
pub(crate) fn indented(
    tokens: &[SpacedToken],
    text: &str,
    lines: &Lines<'_>,
    columns: &[usize],
) -> FxHashMap<usize, Edit> {
    let mut found = FxHashMap::default();
    let numbers = lines.numbers();
    let mut was_in_heredoc = false;
    // The number of tags on the current line.
    let mut tags = 0;
    for (index, spaced) in tokens.iter().enumerate() {
        let starts_text = spaced.is_in_heredoc && !was_in_heredoc;
        // Several tags share the lines below them.
        if starts_text && tags == 1 {
            let column = columns[numbers[index]] + LEVEL;
            let edit = outermost_body(spaced).and_then(|it| moved(&it, text, column));
            found.extend(edit.map(|it| (index, it)));
        }
        if lines.starts(index) {
            tags = 0;
        }
        tags += usize::from(spaced.kind() == SyntaxKind::HEREDOC_START);
        was_in_heredoc = spaced.is_in_heredoc;
    }
    found
}

/// Returns the body of a heredoc that is not in a string.
fn outermost_body(first: &SpacedToken) -> Option<HeredocBody> {
    let is_string = |it: &SyntaxNode| {
        matches!(
            it.kind(),
            SyntaxKind::HEREDOC_BODY | SyntaxKind::INTERPOLATED_STRING
        )
    };
    let mut strings = first.token.parent_ancestors().filter(is_string);
    let body = strings.next().and_then(HeredocBody::cast);
    body.filter(|_| strings.next().is_none())
}

/// Returns the edit that moves a heredoc to a column, unless that is impossible without a change of its value, or would
/// leave a line where it is.
fn moved(body: &HeredocBody, text: &str, column: usize) -> Option<Edit> {
    let end_line = body.end_line().filter(|_| !contains_code_lines(body))?;
    let end = end_line.text();
    let (margin, _) = end.split_once('|')?;
    if !margin.chars().all(|it| matches!(it, ' ' | '\t')) {
        return None;
    }
    let wanted = " ".repeat(column);
    if margin == &wanted[LEVEL..] {
        return None;
    }
    let start = body.syntax().text_range().start();
    let range = TextRange::new(start, end_line.text_range().start());
    let mut moved = String::new();
    for line in text[range].split_inclusive('\n') {
        // Without a margin, an empty line needs no blanks.
        let is_kept = margin.is_empty() && line.trim_end_matches(['\r', '\n']).is_empty();
        match line.strip_prefix(margin).filter(|_| !is_kept) {
            Some(rest) => moved.extend([&wanted, rest]),
            // The line stays, or Puppet would remove its blanks.
            None if !line.trim().is_empty() || line.starts_with(&wanted) => return None,
            None => moved.push_str(line),
        }
    }
    moved.push_str(&wanted);
    Some(Edit {
        range: TextRange::new(start, range.end() + TextSize::of(margin)),
        text: moved,
    })
}

/// Checks whether the interpolated code of a heredoc spans lines. Their indentation is not that of text.
fn contains_code_lines(body: &HeredocBody) -> bool {
    use SyntaxKind::{HEREDOC_BODY, HEREDOC_END, HEREDOC_MARGIN, HEREDOC_TEXT};
    let mut elements = body.syntax().descendants_with_tokens().skip(1);
    elements.any(|it| match it {
        syntax::NodeOrToken::Node(it) => it.kind() == HEREDOC_BODY,
        syntax::NodeOrToken::Token(it) => {
            let is_text = matches!(it.kind(), HEREDOC_TEXT | HEREDOC_MARGIN | HEREDOC_END);
            !is_text && it.text().contains('\n')
        }
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use fixture::{MANIFEST, parse};
    use syntax::ast::{AstNode, Heredoc, Segment};

    use crate::tests::{check, formatted};

    /// Returns the values of the heredocs.
    fn values(source: &str) -> Vec<String> {
        let tree = parse(source, MANIFEST).syntax();
        let heredocs = tree.descendants().filter_map(Heredoc::cast);
        let text = |it: &Segment| match it {
            Segment::Text(it) => it.clone(),
            Segment::Interpolation(it) => it.syntax().text().to_string(),
        };
        heredocs
            .map(|it| it.segments().iter().map(text).collect())
            .collect()
    }

    /// Checks that formatting keeps the values of heredocs.
    fn assert_kept(source: &str) {
        assert_eq!(values(&formatted(source)), values(source), "{source}");
    }

    #[test]
    fn indents_heredocs_with_a_margin() {
        let source = "file { '/a':\n  content => @(A),\n{\n  \"a\": 1\n\n}\n|- A\n  mode => '0644',\n}\n$x = @(\"B\"/L)\nx ${y}\n\n  z\n| B\n";
        check(
            source,
            &expect![[r#"
                file { '/a':
                  content => @(A),
                    {
                      "a": 1

                    }
                    |- A
                  mode    => '0644',
                }
                $x = @("B"/L)
                x ${y}

                  z
                | B
            "#]],
        );
        assert_kept(source);
    }

    #[test]
    fn indents_heredocs_in_brackets_and_below_titles() {
        check(
            "notify { 'a': message => @(A),\n  x\n  | A\n}\nfile {\n  '/a':\n    content => @(A)\n| A\n}\n$x = [\n  foo(@(A)),\n  x\n  | A\n]\n",
            &expect![[r#"
                notify { 'a': message => @(A),
                  x
                  | A
                }
                file {
                  '/a':
                    content => @(A),
                      | A
                }
                $x = [
                  foo(@(A)),
                  x
                  | A
                ]
            "#]],
        );
    }

    #[test]
    fn keeps_lines_in_the_margin() {
        for source in [
            "$x = @(A)\n    a\n\t\n \n    \n    | A\n",
            "$x = @(A)\r\n    a\r\n\r\n    | A\r\n",
            "$x = @(A)\r\n a\r\n\r\n | A\r\n",
        ] {
            assert_ne!(formatted(source), source);
            assert_kept(source);
            assert_eq!(formatted(&formatted(source)), formatted(source));
        }
    }

    #[test]
    fn leaves_other_heredocs_alone() {
        for source in [
            // Without a margin.
            "$x = @(A)\n    a\n    A\n",
            "$x = @(A)\n    a\n    - A\n",
            // A line that would lose its blanks.
            "$x = @(A)\n   a\n    b\n    | A\n",
            "$x = @(A)\n\ta\n    b\n\t| A\n",
            "$x = @(A)\n      a\n      \n     b\n      | A\n",
            // A line that would stay.
            "$x = @(A)\n    a\n b\n\tc\n    | A\n",
            "$x = @(A)\n\t\ta\n\tb\n\t\t| A\n",
            // Two on a line.
            "$x = [@(A), @(B)]\n    a\n    | A\n    b\n    | B\n",
            // Code on several lines.
            "$x = @(\"A\")\n    ${[\n    1]}\n    | A\n",
            "$x = \"${foo(@(A))}\n    a\n    | A\n\"\n",
            // Code before the margin.
            "$x = @(A)\n    a\n  b | A\n",
        ] {
            assert_eq!(formatted(source), source);
        }
    }
}
