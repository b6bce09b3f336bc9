//! Computes the indentation of the lines inside the tags of a template.
//!
//! The statements of a tag are in the column of the first one, or one level deeper than a tag whose first line ends
//! after its start. So are parameters; the `|` after them and the end of a tag are in the column of the tag. Lines that
//! continue an expression are one level deeper than its first line.

use syntax::SyntaxKind;

use crate::brackets::Brackets;
use crate::columns::{self, LEVEL};
use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, width};
use crate::spaces::is_of_template;
use crate::{FormatOptions, alignment};

/// The columns that determine those of the lines of a tag.
#[derive(Clone, Copy, Default)]
struct Tag {
    /// The column of the tag.
    column: usize,
    /// The column of its statements.
    statements: usize,
    /// The column of the parameters of the template.
    parameters: Option<usize>,
}

/// Returns the column of each line of code, by line number. `blanks` are the blanks before each token.
pub(crate) fn columns(
    tokens: &[SpacedToken],
    brackets: &Brackets,
    lines: &Lines<'_>,
    blanks: &[usize],
) -> Vec<usize> {
    use SyntaxKind::*;
    let numbers = lines.numbers();
    // No plugin of puppet-lint checks templates.
    let options = FormatOptions {
        indent_continuations: true,
        ..FormatOptions::default()
    };
    let mut found = columns::columns(tokens, brackets, lines, &options);
    let mut tag = Tag::default();
    // The column after the last token.
    let mut end = 0;
    // The last line of the tag with a bracket that another tag closes, and the number of these lines.
    let mut unclosed: (Option<usize>, usize) = (None, 0);
    for (index, spaced) in tokens.iter().enumerate() {
        if lines.starts(index) {
            let column = &mut found[numbers[index]];
            *column = match (spaced.kind(), tag.parameters) {
                (EPP_CLOSE | EPP_EXPR_CLOSE, _) => tag.column,
                (PIPE, _) if is_of_template(spaced) => tag.column,
                // The levels start with that of the `|`.
                (_, Some(parameters)) => parameters + column.saturating_sub(LEVEL),
                (_, None) => tag.statements + *column + LEVEL * unclosed.1,
            };
            end = *column;
        } else {
            end += blanks[index];
        }
        match spaced.kind() {
            EPP_OPEN | EPP_EXPR_OPEN => {
                tag = self::tag(tokens, lines, index, end, blanks);
                unclosed = (None, 0);
            }
            PIPE if is_of_template(spaced) => {
                tag.parameters = match tag.parameters {
                    None => Some(match lines.starts((index + 1).min(tokens.len() - 1)) {
                        true => tag.column + LEVEL,
                        false => end + 1 + blanks.get(index + 1).copied().unwrap_or_default(),
                    }),
                    Some(_) => None,
                };
            }
            _ if brackets.is_opener(index) && brackets.closer_of(index).is_none() => {
                let line = numbers[index];
                if unclosed.0.replace(line) != Some(line) {
                    unclosed.1 += 1;
                }
            }
            _ => {}
        }
        let text = spaced.token.text();
        end = match text.rfind('\n') {
            Some(at) => width(&text[at + 1..]),
            None => end + width(text),
        };
        if alignment::is_output(spaced) {
            tag = Tag::default();
        }
    }
    found
}

/// Returns the columns of the tag that starts with a token in a column.
fn tag(
    tokens: &[SpacedToken],
    lines: &Lines<'_>,
    open: usize,
    column: usize,
    blanks: &[usize],
) -> Tag {
    let first = (open + 1).min(tokens.len() - 1);
    let statements = match lines.starts(first) {
        true => column + LEVEL,
        false => column + width(tokens[open].token.text()) + blanks[first],
    };
    Tag {
        column,
        statements,
        parameters: None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use fixture::{TEMPLATE, parse};

    use crate::tests::formatted_as;
    use crate::{FormatOptions, layout_changes};

    #[test]
    fn formats_the_code_of_templates() {
        let source = "<%- |String   $a,\n      $b| -%>\n  a  <%=$a%> <%#  c  %>\n<% if($a==1){ -%>\n  b   \n<% }else{%>\n\n<%= $b.map |$x|{ $x+1 } -%>\n<% } -%>\n";
        let options = FormatOptions::default();
        let once = formatted_as(source, TEMPLATE, &options);
        expect![[r#"
            <%- |String $a,
                 $b| -%>
              a  <%= $a %> <%#  c  %>
            <% if ($a == 1) { -%>
              b   
            <% } else { %>

            <%= $b.map |$x| { $x + 1 } -%>
            <% } -%>
        "#]]
        .assert_eq(&once);
        assert_eq!(formatted_as(&once, TEMPLATE, &options), once);
    }

    #[test]
    fn formats_the_lines_of_tags() {
        let options = FormatOptions::default();
        for (source, expected) in [
            (
                "a <% $h = { 'a' => 1,\n  'bcd' => 2 } %>\n",
                "a <% $h = {\n       'a'   => 1,\n       'bcd' => 2\n     } %>\n",
            ),
            (
                "<%\n     $q = 1   \n\n\n\n\t\t$r = [1,\n2]\n     # why\n\n   %>\n  b\n",
                "<%\n  $q = 1\n\n  $r = [\n    1,\n    2\n  ]\n  # why\n%>\n  b\n",
            ),
            (
                "<% if $a {\n$b = 1\n-%>\n c\n  <% }\nelse {\n   $d = 2 } -%>\n",
                "<% if $a {\n     $b = 1\n-%>\n c\n  <% } else {\n       $d = 2\n     } -%>\n",
            ),
            (
                "<%-|\n   String $a,\n String $b,\n  |-%>\n",
                "<%- |\n  String $a,\n  String $b,\n| -%>\n",
            ),
            (
                "<%= $a.map |$x| {\n$x } -%> <%= foo(\n$b) %>\n",
                "<%= $a.map |$x| {\n      $x\n    } -%> <%= foo(\n                $b\n              ) %>\n",
            ),
            (
                "<%\n$x =\nif $a {\n1\n}\n$y = $b\n.c\n%>\n<%= $d +\n$e\n%>\n",
                "<%\n  $x =\n    if $a {\n      1\n    }\n  $y = $b\n    .c\n%>\n<%= $d +\n      $e\n%>\n",
            ),
            (
                "<% $x = \"a\n  b\" %>\n  <%# c\n d %>\n",
                "<% $x = \"a\n  b\" %>\n  <%# c\n d %>\n",
            ),
        ] {
            let once = formatted_as(source, TEMPLATE, &options);
            assert_eq!(once, expected);
            assert_eq!(formatted_as(&once, TEMPLATE, &options), once);
        }
    }

    #[test]
    fn keeps_the_alignment_of_template_parameters() {
        for source in [
            "<%- | String                $a,\n      Array[String]         $b,\n      Hash[String, Integer] $c = {},\n      Integer               $d\n| -%>\n<%= $a %>\n",
            "<%- |\n  String         $a,\n  Array[String]  $b  = [],\n  Integer        $cc = 1,\n| -%>\n",
            "<%# Why. -%>\n<%- |String  $a,\n     Integer $b| -%>\n",
            "<%# Why. -%>  <%- | String  $a,\n                    Integer $b | -%>\n",
            "a\n<% $x   = 1\n   $yyy = 2 -%>\n",
        ] {
            let parse = parse(source, TEMPLATE);
            let changes = layout_changes(&parse, source, TEMPLATE, &FormatOptions::default());
            let changes = changes.expect("source has no errors");
            let changes: Vec<&str> = changes.iter().map(|it| &source[it.range]).collect();
            assert_eq!(changes, [""; 0], "{source}");
        }
        let source =
            "<%-|  Array[ String ]   $a,\n       Integer          $b,\n       String   $c | -%>\n";
        let options = FormatOptions::default();
        let once = formatted_as(source, TEMPLATE, &options);
        expect![[r#"
            <%- | Array[String]     $a,
                  Integer           $b,
                  String $c | -%>
        "#]]
        .assert_eq(&once);
        assert_eq!(formatted_as(&once, TEMPLATE, &options), once);
    }
}
