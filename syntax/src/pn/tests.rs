//! Tests of the PN notation. Its agreement with Puppet is tested with recordings, in the `tests`
//! crate.

use expect_test::{Expect, expect};

use super::to_pn;
use crate::{Dialect, parse};

fn check_in(dialect: Dialect, text: &str, expected: &Expect) {
    expected.assert_eq(&to_pn(&parse(text, dialect).tree()));
}

fn check(text: &str, expected: &Expect) {
    check_in(Dialect::default(), text, expected);
}

#[test]
fn an_empty_file_is_nop() {
    check("# nothing", &expect!["(nop)"]);
}

#[test]
fn nested_classes_have_qualified_names() {
    check(
        "class a (Integer $x = 1, *$y) inherits b { class c { } }",
        &expect![[
            r#"(class {:name "a" :parent "b" :params {:x {:type (qr "Integer") :value 1} :y {:splat true}} :body [(class {:name "a::c"})]})"#
        ]],
    );
}

#[test]
fn statement_calls_are_invoked_and_other_calls_have_a_value() {
    check(
        "include a, b\n$x = f(1) |$y| { $y }\n$x.g",
        &expect![[
            r#"(block (invoke {:functor (qn "include") :args [(qn "a") (qn "b")]}) (= (var "x") (call {:functor (qn "f") :args [1] :block (lambda {:params {:y {}} :body [(var "y")]})})) (call-method {:functor (. (var "x") (qn "g")) :args []}))"#
        ]],
    );
}

#[test]
fn resources_have_forms_and_operations() {
    check(
        "@@file { 'a': mode => 1, * => $x }\nFile['a'] { tag +> 'b' }\nFile <| |>",
        &expect![[
            r#"(block (resource {:type (qn "file") :bodies [{:title "a" :ops [(=> "mode" 1) (splat-hash (var "x"))]}] :form "exported"}) (resource-override {:resources (access (qr "File") "a") :ops [(+> "tag" "b")]}) (collect {:type (qr "File") :query (virtual-query)}))"#
        ]],
    );
}

#[test]
fn a_resource_without_title_is_a_name_and_a_hash() {
    check(
        "file { mode => 1 }",
        &expect![[r#"(block (qn "file") (hash (=> "mode" 1)))"#]],
    );
}

#[test]
fn numbers_keep_their_radix_except_after_a_minus() {
    check(
        "[0x1F, 017, 1.50, -0x1F, 1e20]",
        &expect!["(array (int {:radix 16 :value 31}) (int {:radix 8 :value 15}) 1.5 -31 1.0e+20)"],
    );
}

#[test]
fn strings_escape_control_characters() {
    check(
        "$x = 'a\"\\\\\tb\u{1}é\r\n'",
        &expect![[r#"(= (var "x") "a\"\\\tb\o001é\r\n")"#]],
    );
}

#[test]
fn interpolations_are_concatenated() {
    check(
        "\"a${b}${c[0]}\"\n@(\"A\":json)\n$d\nA\n",
        &expect![[
            r#"(block (concat "a" (str (var "b")) (str (access (var "c") 0))) (heredoc {:syntax "json" :text (concat (str (var "d")) "\n")}))"#
        ]],
    );
}

#[test]
fn a_non_ascii_regex_has_options() {
    check(
        "[/a/, /é/, /\\p{Alpha}/]",
        &expect![[r#"(array (regexp "a") (regexp "(?-imx:é)") (regexp "(?-imx:\\p{Alpha})"))"#]],
    );
}

#[test]
fn missing_parts_are_nop() {
    check("$x = ", &expect![[r#"(= (var "x") (nop))"#]]);
}

#[test]
fn templates_render_text_and_values() {
    let dialect = Dialect {
        epp: true,
        tasks: false,
    };
    check_in(
        dialect,
        "<%- | $x | -%>\na <%= $x %>",
        &expect![[
            r#"(lambda {:params {:x {}} :body [(epp (render-s "a ") (render (var "x")))]})"#
        ]],
    );
}
