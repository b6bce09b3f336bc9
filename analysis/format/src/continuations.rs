//! Finds the lines that continue an expression.
//!
//! A line that starts inside of a statement, an element of a list or the header of a block, but not inside of a bracket
//! in it, continues it. Lines that start with a closing bracket or the arrow of a relationship do not, nor do the
//! operands of a condition in parentheses whose first one has a line of its own.

use rustc_hash::FxHashSet;
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::lines::Lines;
use crate::spaced_tokens::SpacedToken;
use crate::spaces::is_of_template;

/// Returns the lines from the first one that continues an expression up to its end, as ranges of line numbers.
pub(crate) fn continued_lines(tokens: &[SpacedToken], lines: &Lines<'_>) -> Vec<(usize, usize)> {
    let numbers = lines.numbers();
    let mut found = Vec::new();
    // The expressions whose first continuation is found.
    let mut known: FxHashSet<TextRange> = FxHashSet::default();
    // The first of the lines before the current one that contain only comments.
    let mut comments: Option<usize> = None;
    for (index, spaced) in tokens.iter().enumerate() {
        if !lines.starts(index) {
            comments = comments.filter(|_| spaced.kind().is_comment());
            continue;
        }
        if spaced.kind().is_comment() {
            comments = comments.or(Some(numbers[index]));
            continue;
        }
        let first = comments.take().unwrap_or(numbers[index]);
        let Some(expression) = continued(tokens, lines, index) else {
            continue;
        };
        if known.insert(expression) {
            let last = index_at(tokens, expression.end()).saturating_sub(1);
            found.push((first, numbers[last.max(index)] + 1));
        }
    }
    found
}

/// Returns the range of the expression or header that a token at the start of a line continues.
pub(crate) fn continued(
    tokens: &[SpacedToken],
    lines: &Lines<'_>,
    index: usize,
) -> Option<TextRange> {
    let spaced = &tokens[index];
    if starts_otherwise(spaced) {
        return None;
    }
    let start = spaced.token.text_range().start();
    for node in spaced.token.parent_ancestors() {
        let header = header(&node).filter(|it| it.start() < start && start < it.end());
        if header.is_some() {
            return header;
        }
        if is_unit(&node) {
            let range = node.text_range();
            let in_parentheses = node.parent().map(|it| it.kind()) == Some(SyntaxKind::PAREN_EXPR);
            let is_aligned = in_parentheses && lines.starts(index_at(tokens, range.start()));
            return Some(range).filter(|it| it.start() < start && !is_aligned);
        }
    }
    None
}

/// Returns the index of the first token at or after an offset.
fn index_at(tokens: &[SpacedToken], offset: TextSize) -> usize {
    tokens.partition_point(|it| it.token.text_range().start() < offset)
}

/// Checks whether a token never continues an expression at the start of a line.
fn starts_otherwise(spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match spaced.kind() {
        R_BRACE | R_PAREN | R_BRACK | R_COLLECT | RR_COLLECT => true,
        COMMA | SEMICOLON | COLON | ELSE_KW | ELSIF_KW => true,
        IN_EDGE | IN_EDGE_SUB | OUT_EDGE | OUT_EDGE_SUB => true,
        EPP_CLOSE | EPP_EXPR_CLOSE => true,
        PIPE => is_of_template(spaced),
        L_BRACE => spaced.parent_kind() != Some(HASH),
        _ => spaced.has_significant_gap || spaced.is_in_heredoc,
    }
}

/// Returns the range of the part of a node before its block or options.
fn header(node: &SyntaxNode) -> Option<TextRange> {
    use SyntaxKind::*;
    let has_header = matches!(
        node.kind(),
        IF_EXPR
            | UNLESS_EXPR
            | CASE_EXPR
            | CLASS_DEFINITION
            | DEFINE_DEFINITION
            | PLAN_DEFINITION
            | FUNCTION_DEFINITION
            | NODE_DEFINITION
    );
    let is_body = |it: &NodeOrToken<SyntaxNode, _>| matches!(it.kind(), BLOCK | L_BRACE);
    let mut children = node.children_with_tokens().filter(|_| has_header);
    let body = children.find(is_body)?;
    Some(TextRange::new(
        node.text_range().start(),
        body.text_range().start(),
    ))
}

/// Checks whether a node is a statement, an element of a list or the like: its first line has the indentation of its
/// surroundings.
fn is_unit(node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let Some(parent) = node.parent() else {
        return false;
    };
    let kind = node.kind();
    match parent.kind() {
        SOURCE_FILE | TEMPLATE | BLOCK | RELATIONSHIP => kind != RELATIONSHIP,
        ARRAY | HASH | UNBRACED_HASH | ACCESS_KEYS | COLLECT_QUERY | PAREN_EXPR => true,
        RESOURCE_BODY | PARAMETER_LIST | CASE_OPTION | RENDER_EXPR => true,
        SELECTOR_EXPR => kind == SELECTOR_ENTRY,
        ARGUMENT_LIST => {
            let first = parent.first_token().map(|it| it.kind());
            matches!(first, Some(L_PAREN | WS_L_PAREN))
        }
        _ => matches!(kind, ATTRIBUTE | ATTRIBUTE_SPLAT),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::FormatOptions;
    use crate::tests::check_with;

    fn check(source: &str, expected: &Expect) {
        let options = FormatOptions {
            indent_continuations: true,
            ..FormatOptions::default()
        };
        check_with(source, &options, expected);
    }

    #[test]
    fn indents_the_lines_of_expressions() {
        check(
            "$r = $list\n.filter |$x| { $x > 1 }\n# why\n.map |$x| {\n$x + 1\n}\n.join(',')\n$sum = 1 +\n2 +\n3\n$a =\n  $b +\n  $c\ninclude foo,\n        bar\nfunction f(\n  $x,\n) >>\nInteger {\n  $x\n}\nfile { '/a':\n  mode => $a ?\n  {\n    b => $c +\n    $d,\n  },\n  path => $e +\n  $f,\n}\n",
            &expect![[r#"
                $r = $list
                  .filter |$x| { $x > 1 }
                  # why
                  .map |$x| {
                    $x + 1
                  }
                  .join(',')
                $sum = 1 +
                  2 +
                  3
                $a =
                  $b +
                  $c
                include foo,
                  bar
                function f(
                  $x,
                ) >>
                  Integer {
                  $x
                }
                file { '/a':
                  mode => $a ? {
                    b => $c +
                      $d,
                  },
                  path => $e +
                    $f,
                }
            "#]],
        );
    }

    #[test]
    fn indents_conditions() {
        check(
            "if $a == 1\nand (\n$b or\n$c\n) or\n!$d {\n  notice(1)\n} elsif $e or\n$f {\n} else {\n  unless $a and\n  $b {\n  }\n}\ncase $a +\n$b {\n  'a',\n  'b': {}\n}\n",
            &expect![[r#"
                if $a == 1
                  and (
                    $b or
                    $c
                  ) or
                  !$d {
                  notice(1)
                } elsif $e or
                  $f {
                } else {
                  unless $a and
                    $b {
                  }
                }
                case $a +
                  $b {
                  'a',
                  'b': {}
                }
            "#]],
        );
    }

    #[test]
    fn leaves_lists_and_relationships_alone() {
        check(
            "$x = foo(\n  $a,\n  $b\n) + {\n  c => 1,\n}\nFile['a']\n-> File['b']\n~> $x.map |$y| {\n  $y\n}\nclass a (\n  Integer $b = 1,\n  $c = [\n    1,\n  ],\n) inherits d {\n}\nnode 'a',\n'b' {\n}\n",
            &expect![[r#"
                $x = foo(
                  $a,
                  $b
                ) + {
                  c => 1,
                }
                File['a']
                -> File['b']
                ~> $x.map |$y| {
                  $y
                }
                class a (
                  Integer $b = 1,
                  $c = [
                    1,
                  ],
                ) inherits d {
                }
                node 'a',
                  'b' {
                }
            "#]],
        );
    }
}
