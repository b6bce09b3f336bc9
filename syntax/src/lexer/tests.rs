//! Tests of the lexer modes.

use expect_test::{Expect, expect};

use super::{Before, Lexed, lex, lex_part};
use crate::{Dialect, SyntaxKind};

const EPP: Dialect = Dialect {
    epp: true,
    tasks: false,
};

/// Renders all tokens but whitespace, one per line, with the bodies of heredocs indented.
fn render(text: &str, lexed: &Lexed, indent: usize, out: &mut String) {
    let mut bodies = lexed.bodies.iter();
    for (index, token) in lexed.tokens.iter().enumerate() {
        let token_text = &text[token.start as usize..lexed.token_end(index) as usize];
        match token.kind {
            SyntaxKind::WHITESPACE => {}
            SyntaxKind::HEREDOC_BODY => {
                out.push_str(&format!("{:indent$}HEREDOC_BODY\n", ""));
                let body = bodies.next().expect("each body token has a body");
                render(text, body, indent + 2, out);
            }
            kind => out.push_str(&format!("{:indent$}{kind:?} {token_text:?}\n", "")),
        }
    }
    for error in &lexed.errors {
        out.push_str(&format!(
            "{:indent$}error: {}\n",
            "", error.diagnostic.message
        ));
    }
}

fn check_in(dialect: Dialect, text: &str, expected: &Expect) {
    let mut out = String::new();
    render(text, &lex(text, dialect), 0, &mut out);
    expected.assert_eq(&out);
}

fn check(text: &str, expected: &Expect) {
    check_in(Dialect::default(), text, expected);
}

fn kinds(text: &str) -> Vec<SyntaxKind> {
    let tokens = lex(text, Dialect::default()).tokens;
    let kinds = tokens.iter().map(|it| it.kind);
    kinds.filter(|it| !it.is_trivia()).collect()
}

#[test]
fn a_slash_after_an_operand_is_a_division() {
    for operand in [
        "$x", "1", "a", "A", "'a'", "\"a\"", "\"${a}\"", "f()", "$x[0]", "true",
    ] {
        let found = kinds(&format!("{operand} / 2 / 3"));
        assert!(!found.contains(&SyntaxKind::REGEX), "{operand}");
        assert!(found.contains(&SyntaxKind::SLASH), "{operand}");
    }
}

#[test]
fn a_slash_elsewhere_starts_a_regex() {
    for before in [
        "", "=~", "(", "[", ",", "=>", "{", "}", ":", "in", "node", "undef",
    ] {
        let found = kinds(&format!("{before} /a\\/b/"));
        assert_eq!(found.last(), Some(&SyntaxKind::REGEX), "{before}");
    }
}

#[test]
fn a_slash_without_an_end_is_a_division() {
    check(
        "$x =~ /a\\/",
        &expect![[r#"
            VARIABLE "$x"
            MATCH "=~"
            SLASH "/"
            NAME "a"
            UNKNOWN "\\"
            SLASH "/"
        "#]],
    );
}

#[test]
fn a_regex_may_extend_over_lines() {
    check(
        "[/a\nb/, 1]",
        &expect![[r#"
            LIST_START "["
            REGEX "/a\nb/"
            COMMA ","
            NUMBER "1"
            R_BRACK "]"
        "#]],
    );
}

#[test]
fn a_bracket_after_a_blank_starts_a_list() {
    check(
        "$a[1] $a [2]\n[3]",
        &expect![[r#"
            VARIABLE "$a"
            L_BRACK "["
            NUMBER "1"
            R_BRACK "]"
            VARIABLE "$a"
            LIST_START "["
            NUMBER "2"
            R_BRACK "]"
            LIST_START "["
            NUMBER "3"
            R_BRACK "]"
        "#]],
    );
}

#[test]
fn a_brace_after_a_question_mark_starts_a_selector() {
    check(
        "$a ? { 1 => {} }",
        &expect![[r#"
            VARIABLE "$a"
            QUESTION "?"
            SELECTOR_BRACE "{"
            NUMBER "1"
            FAT_ARROW "=>"
            L_BRACE "{"
            R_BRACE "}"
            R_BRACE "}"
        "#]],
    );
}

#[test]
fn a_parenthesis_at_the_start_of_a_line_is_not_a_call() {
    check(
        "f(1)\n  (2) (3)",
        &expect![[r#"
            NAME "f"
            L_PAREN "("
            NUMBER "1"
            R_PAREN ")"
            WS_L_PAREN "("
            NUMBER "2"
            R_PAREN ")"
            L_PAREN "("
            NUMBER "3"
            R_PAREN ")"
        "#]],
    );
}

#[test]
fn a_hyphen_may_be_part_of_a_word() {
    check(
        "foo-bar a-1 $a-1 b- _x",
        &expect![[r#"
            WORD "foo-bar"
            WORD "a-1"
            VARIABLE "$a"
            MINUS "-"
            NUMBER "1"
            NAME "b"
            MINUS "-"
            WORD "_x"
        "#]],
    );
}

#[test]
fn plan_and_apply_are_keywords_in_plans_only() {
    let kinds = |tasks| {
        let dialect = Dialect { epp: false, tasks };
        let tokens = lex("plan apply", dialect).tokens;
        tokens.iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    use SyntaxKind::*;
    assert_eq!(kinds(false), [NAME, WHITESPACE, NAME]);
    assert_eq!(kinds(true), [PLAN_KW, WHITESPACE, APPLY_KW]);
}

#[test]
fn a_lone_word_in_an_interpolation_is_a_variable() {
    check(
        "\"${a} ${a[0]} ${a.b} ${a()} ${if}\"",
        &expect![[r#"
            STRING_OPEN "\""
            INTERPOLATION_OPEN "${"
            VARIABLE "a"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT " "
            INTERPOLATION_OPEN "${"
            VARIABLE "a"
            L_BRACK "["
            NUMBER "0"
            R_BRACK "]"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT " "
            INTERPOLATION_OPEN "${"
            VARIABLE "a"
            DOT "."
            NAME "b"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT " "
            INTERPOLATION_OPEN "${"
            NAME "a"
            L_PAREN "("
            R_PAREN ")"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT " "
            INTERPOLATION_OPEN "${"
            VARIABLE "if"
            INTERPOLATION_CLOSE "}"
            STRING_CLOSE "\""
        "#]],
    );
}

#[test]
fn strings_nest_in_interpolations() {
    check(
        "\"a${f(\"b${c}d\")}e\"",
        &expect![[r#"
            STRING_OPEN "\""
            STRING_TEXT "a"
            INTERPOLATION_OPEN "${"
            NAME "f"
            L_PAREN "("
            STRING_OPEN "\""
            STRING_TEXT "b"
            INTERPOLATION_OPEN "${"
            VARIABLE "c"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT "d"
            STRING_CLOSE "\""
            R_PAREN ")"
            INTERPOLATION_CLOSE "}"
            STRING_TEXT "e"
            STRING_CLOSE "\""
        "#]],
    );
}

#[test]
fn braces_nest_in_interpolations() {
    check(
        "\"${ {a => {}} }\"",
        &expect![[r#"
            STRING_OPEN "\""
            INTERPOLATION_OPEN "${"
            L_BRACE "{"
            NAME "a"
            FAT_ARROW "=>"
            L_BRACE "{"
            R_BRACE "}"
            R_BRACE "}"
            INTERPOLATION_CLOSE "}"
            STRING_CLOSE "\""
        "#]],
    );
}

#[test]
fn variables_in_strings_end_before_a_trailing_colon() {
    check(
        "\"$a::b:: $ $1x \\$c\"",
        &expect![[r#"
            STRING_OPEN "\""
            VARIABLE "$a::b"
            STRING_TEXT ":: $ "
            VARIABLE "$1x"
            STRING_TEXT " \\$c"
            STRING_CLOSE "\""
        "#]],
    );
}

#[test]
fn a_quote_may_be_the_only_character_of_a_string() {
    check(
        "''' 'a\\'b' ''",
        &expect![[r#"
            SINGLE_QUOTED "'''"
            SINGLE_QUOTED "'a\\'b'"
            SINGLE_QUOTED "''"
        "#]],
    );
}

#[test]
fn heredoc_bodies_follow_their_line_in_order() {
    check(
        "f(@(A), @(\"B\"))\n  a\n  | A\nb${c}\nB\n1",
        &expect![[r#"
            NAME "f"
            L_PAREN "("
            HEREDOC_START "@(A)"
            COMMA ","
            HEREDOC_START "@(\"B\")"
            R_PAREN ")"
            HEREDOC_BODY
              HEREDOC_MARGIN "  "
              HEREDOC_TEXT "a\n"
              HEREDOC_END "  | A\n"
            HEREDOC_BODY
              HEREDOC_TEXT "b"
              INTERPOLATION_OPEN "${"
              VARIABLE "c"
              INTERPOLATION_CLOSE "}"
              HEREDOC_TEXT "\n"
              HEREDOC_END "B\n"
            NUMBER "1"
        "#]],
    );
}

#[test]
fn a_heredoc_may_start_in_an_interpolation() {
    check(
        "\"${@(A)}\"\na\nA\n",
        &expect![[r#"
            STRING_OPEN "\""
            INTERPOLATION_OPEN "${"
            HEREDOC_START "@(A)"
            INTERPOLATION_CLOSE "}"
            STRING_CLOSE "\""
            HEREDOC_BODY
              HEREDOC_TEXT "a\n"
              HEREDOC_END "A\n"
        "#]],
    );
}

#[test]
fn a_heredoc_in_the_text_of_another_is_an_error() {
    check(
        "@(\"A\")\n${@(B)\nb\nB\n}\nA\n",
        &expect![[r#"
            HEREDOC_START "@(\"A\")"
            HEREDOC_BODY
              INTERPOLATION_OPEN "${"
              HEREDOC_START "@(B)"
              HEREDOC_BODY
                HEREDOC_TEXT "b\n"
                HEREDOC_END "B\n"
              INTERPOLATION_CLOSE "}"
              HEREDOC_TEXT "\n"
              HEREDOC_END "A\n"
              error: heredoc is not allowed inside the text of another heredoc
            error: heredoc is not allowed inside the text of another heredoc
        "#]],
    );
}

#[test]
fn heredoc_errors() {
    check(
        "@(A\n",
        &expect![[r#"
            UNKNOWN "@("
            CLASSREF "A"
            error: unclosed `@(`
        "#]],
    );
    check(
        "@(A)",
        &expect![[r#"
            HEREDOC_START "@(A)"
            error: heredoc without any following lines of text
        "#]],
    );
    check(
        "@(A)\na\n",
        &expect![[r#"
            HEREDOC_START "@(A)"
            NAME "a"
            error: unclosed heredoc: missing end tag `A`
        "#]],
    );
    check(
        "@(/x)\n",
        &expect![[r#"
            HEREDOC_START "@(/x)"
            error: invalid heredoc tag: expected `@(TAG:syntax/escapes)`
        "#]],
    );
    check(
        "@( )\n",
        &expect![[r#"
            HEREDOC_START "@( )"
            error: empty heredoc tag
        "#]],
    );
    check(
        "@(A/nx)\nA\n",
        &expect![[r#"
            HEREDOC_START "@(A/nx)"
            HEREDOC_BODY
              HEREDOC_END "A\n"
            error: unknown heredoc escape `x`: expected `t`, `r`, `n`, `s`, `u`, `L` or `$`
        "#]],
    );
    check(
        "@(A/nn)\nA\n",
        &expect![[r#"
            HEREDOC_START "@(A/nn)"
            HEREDOC_BODY
              HEREDOC_END "A\n"
            error: duplicate heredoc escape `n`
        "#]],
    );
}

#[test]
fn template_text_tags_and_comments() {
    check_in(
        EPP,
        "a <%= $x %> b <%% c <%# d %> e <% if $y { -%>\nf<% } %>",
        &expect![[r#"
            EPP_TEXT "a "
            EPP_EXPR_OPEN "<%="
            VARIABLE "$x"
            EPP_EXPR_CLOSE "%>"
            EPP_TEXT " b <%%"
            EPP_TEXT " c "
            EPP_COMMENT "<%# d %>"
            EPP_TEXT " e "
            EPP_OPEN "<%"
            IF_KW "if"
            VARIABLE "$y"
            L_BRACE "{"
            EPP_CLOSE "-%>"
            EPP_TRIMMED "\n"
            EPP_TEXT "f"
            EPP_OPEN "<%"
            R_BRACE "}"
            EPP_CLOSE "%>"
        "#]],
    );
}

#[test]
fn template_tags_trim_blanks() {
    check_in(
        EPP,
        "a\n  <%- 1 -%>  \nb <%- # c\n%>",
        &expect![[r##"
            EPP_TEXT "a\n"
            EPP_TRIMMED "  "
            EPP_OPEN "<%-"
            NUMBER "1"
            EPP_CLOSE "-%>"
            EPP_TRIMMED "  \n"
            EPP_TEXT "b"
            EPP_TRIMMED " "
            EPP_OPEN "<%-"
            LINE_COMMENT "# c"
            EPP_CLOSE "%>"
        "##]],
    );
}

#[test]
fn template_tags_trim_blanks_before_comments() {
    check_in(
        EPP,
        "a\n  <%# b -%>\n\t<%# c %> <%- 1 -%>\nd <%# e %><%#- f %>g <%# h %>i <%- 2 %>",
        &expect![[r##"
            EPP_TEXT "a\n"
            EPP_TRIMMED "  "
            EPP_COMMENT "<%# b -%>"
            EPP_TRIMMED "\n"
            EPP_TRIMMED "\t"
            EPP_COMMENT "<%# c %>"
            EPP_TRIMMED " "
            EPP_OPEN "<%-"
            NUMBER "1"
            EPP_CLOSE "-%>"
            EPP_TRIMMED "\n"
            EPP_TEXT "d"
            EPP_TRIMMED " "
            EPP_COMMENT "<%# e %>"
            EPP_COMMENT "<%#- f %>"
            EPP_TEXT "g "
            EPP_COMMENT "<%# h %>"
            EPP_TEXT "i"
            EPP_TRIMMED " "
            EPP_OPEN "<%-"
            NUMBER "2"
            EPP_CLOSE "%>"
        "##]],
    );
}

#[test]
fn comments_end_before_the_line_break() {
    check(
        "# a\rb\r\n#\r\n# c\r",
        &expect![[r##"
            LINE_COMMENT "# a\rb"
            LINE_COMMENT "#"
            LINE_COMMENT "# c"
        "##]],
    );
}

#[test]
fn tag_ends_are_operators_outside_of_templates() {
    check(
        "1 %> 2 -%> 3",
        &expect![[r#"
            NUMBER "1"
            PERCENT "%"
            GT ">"
            NUMBER "2"
            MINUS "-"
            PERCENT "%"
            GT ">"
            NUMBER "3"
        "#]],
    );
}

#[test]
fn template_errors() {
    check_in(
        EPP,
        "a <%= $x",
        &expect![[r#"
            EPP_TEXT "a "
            EPP_EXPR_OPEN "<%="
            VARIABLE "$x"
            error: unclosed `<%=`
        "#]],
    );
    check_in(
        EPP,
        "a <%",
        &expect![[r#"
            EPP_TEXT "a "
            EPP_OPEN "<%"
            error: unclosed `<%`
        "#]],
    );
    check_in(
        EPP,
        "a <%# b",
        &expect![[r#"
            EPP_COMMENT "a "
            EPP_COMMENT "<%# b"
            error: unclosed comment
        "#]],
    );
}

#[test]
fn malformed_tokens() {
    check(
        "08 0xg 1ex 1_0",
        &expect![[r#"
            NUMBER "08"
            NUMBER "0xg"
            NUMBER "1ex"
            NUMBER "1_0"
            error: invalid octal number `08`
            error: invalid hexadecimal number `0xg`
            error: invalid decimal number `1ex`
            error: invalid number `1_0`
        "#]],
    );
    check(
        "A::b ::A::b a:: $ §",
        &expect![[r#"
            CLASSREF "A"
            NAME "::b"
            CLASSREF "::A"
            NAME "::b"
            NAME "a"
            UNKNOWN "::"
            VARIABLE "$"
            UNKNOWN "§"
            error: invalid type name: expected an uppercase letter after `::`
            error: invalid fully qualified type name: expected an uppercase letter after `::`
            error: expected a name after `::`
        "#]],
    );
    check(
        "a::1_b ::2",
        &expect![[r#"
            NAME "a"
            UNKNOWN "::1_b"
            UNKNOWN "::2"
            error: invalid name: expected a letter after `::`
            error: invalid name: expected a letter after `::`
        "#]],
    );
    check(
        "\u{feff}1",
        &expect![[r#"
            NUMBER "1"
            error: byte order mark (UTF-8: EF BB BF) is not allowed
        "#]],
    );
    check(
        "'a",
        &expect![[r#"
            SINGLE_QUOTED "'a"
            error: unclosed string: missing `'`
        "#]],
    );
    check(
        "\"a",
        &expect![[r#"
            DOUBLE_QUOTED "\"a"
            error: unclosed string: missing `"`
        "#]],
    );
    check(
        "/* a",
        &expect![[r#"
            BLOCK_COMMENT "/* a"
            error: unclosed comment
        "#]],
    );
    check(
        "\"\\q \\u12 \\u{110000}\"",
        &expect![[r#"
            DOUBLE_QUOTED "\"\\q \\u12 \\u{110000}\""
            error: unrecognized escape sequence `\q`
            error: invalid `\u` escape: expected four hexadecimal digits, or one to six in braces
            error: invalid `\u` escape: not a Unicode character
        "#]],
    );
    check(
        "[/(/]",
        &expect![[r#"
            LIST_START "["
            REGEX "/(/"
            R_BRACK "]"
            error: invalid regular expression: unclosed group
        "#]],
    );
}

#[test]
fn a_part_of_a_file_has_the_same_tokens() {
    let text = "$a = 1\n$b = 2 / 3\n";
    let part = |text, after, at| {
        let before = Before {
            at,
            after,
            line_start: at,
        };
        lex_part(text, before, Dialect::default())
    };
    let tail = part(text, Some(SyntaxKind::NUMBER), 7).expect("the part is valid");
    let whole = lex(text, Dialect::default());
    assert!(whole.tokens.ends_with(&tail.tokens));
    // An unclosed string, and a slash that later text may turn into a regular expression.
    assert!(part("$a = 'x", None, 0).is_none());
    assert!(part("$a = [/ 1]", None, 0).is_none());
}

#[test]
fn a_merge_conflict_is_one_error_and_its_first_version_counts() {
    check(
        "a\n<<<<<<< HEAD\nb\n||||||| base\nc\n=======\nd\n>>>>>>> x y\ne\n",
        &expect![[r#"
            NAME "a"
            CONFLICT "<<<<<<< HEAD"
            NAME "b"
            CONFLICT "||||||| base\nc\n=======\nd\n>>>>>>> x y"
            NAME "e"
            error: unresolved merge conflict
        "#]],
    );
    check(
        "<<<<<<<\na\n>>>>>>>\n=======\n <<<<<<<\n",
        &expect![[r#"
            CONFLICT "<<<<<<<"
            NAME "a"
            CONFLICT ">>>>>>>"
            CONFLICT "======="
            SHL "<<"
            SHL "<<"
            SHL "<<"
            LT "<"
            error: unresolved merge conflict
            error: unresolved merge conflict
            error: unresolved merge conflict
        "#]],
    );
    check(
        "a ========b\n=======>\n",
        &expect![[r#"
        NAME "a"
        EQ_EQ "=="
        EQ_EQ "=="
        EQ_EQ "=="
        EQ_EQ "=="
        NAME "b"
        EQ_EQ "=="
        EQ_EQ "=="
        EQ_EQ "=="
        FAT_ARROW "=>"
    "#]],
    );
}
