//! Tests of the messages, locations and fixes of the static checks. Their agreement with Puppet is
//! tested with recordings, in the `tests` crate.

use expect_test::{Expect, expect};

use super::{ModulePlace, PuppetVersion, ValidationContext, validate};
use crate::{Diagnostic, Dialect, Severity, Stage, apply_edits, parse};

fn diagnostics(text: &str, context: &ValidationContext) -> Vec<Diagnostic> {
    let dialect = Dialect {
        epp: text.contains("%>"),
        tasks: context.tasks,
    };
    let parse = parse(text, dialect);
    assert_eq!(parse.errors(), [], "{text}");
    validate(&parse.tree(), context)
}

/// Renders each diagnostic on a line: the code, the underlined text and the message; then the
/// related information.
fn render(text: &str, found: &[Diagnostic]) -> String {
    let mut out = String::new();
    for it in found {
        let source = &text[it.range];
        out.push_str(&format!("{} {source:?}\n    {}\n", it.code, it.message));
        for related in &it.related {
            let source = &text[related.range];
            out.push_str(&format!("    {}: {source:?}\n", related.message));
        }
    }
    out
}

fn check_in(context: &ValidationContext, texts: &[&str], expected: &Expect) {
    let shown = texts.iter().map(|it| render(it, &diagnostics(it, context)));
    expected.assert_eq(&shown.collect::<String>());
}

fn check(texts: &[&str], expected: &Expect) {
    check_in(&ValidationContext::default(), texts, expected);
}

fn in_module(path: &str) -> ValidationContext {
    ValidationContext {
        place: Some(ModulePlace {
            module_names: vec!["apache".to_owned(), "Httpd".to_owned()],
            path: path.to_owned(),
        }),
        ..ValidationContext::default()
    }
}

/// Returns the codes of the problems of a file of the module `apache` in the folder `httpd`.
fn codes_in(path: &str, text: &str) -> Vec<&'static str> {
    let found = diagnostics(text, &in_module(path));
    found.iter().map(|it| it.code.0).collect()
}

#[test]
fn a_file_of_a_module_determines_the_names_of_its_definitions() {
    let wrong = ["ILLEGAL_DEFINITION_LOCATION"];
    assert!(codes_in("manifests/init.pp", "class apache { }").is_empty());
    assert_eq!(codes_in("manifests/init.pp", "class nginx { }"), wrong);
    assert!(codes_in("manifests/mod/ssl.pp", "class apache::mod::ssl { }").is_empty());
    assert_eq!(
        codes_in("manifests/mod/ssl.pp", "class apache::mod { }"),
        wrong
    );
    assert!(codes_in("functions/f.pp", "function apache::f() { }").is_empty());
    assert_eq!(
        codes_in("functions/f.pp", "function apache::g() { }"),
        wrong
    );
    let inner = "class apache::a { class b { } }";
    assert!(codes_in("manifests/a.pp", inner).is_empty());
}

#[test]
fn a_module_may_go_by_the_name_of_its_folder() {
    assert!(codes_in("manifests/init.pp", "class httpd { }").is_empty());
    assert!(codes_in("manifests/vhost.pp", "define httpd::vhost { }").is_empty());
}

#[test]
fn definitions_belong_in_folders_that_are_autoloaded() {
    let found = codes_in("examples/init.pp", "class apache { }");
    assert_eq!(found, ["ILLEGAL_DEFINITION_LOCATION"]);
    assert!(codes_in("examples/init.rb", "class apache { }").is_empty());
}

#[test]
fn a_file_of_a_module_contains_only_definitions() {
    let found = codes_in(
        "manifests/init.pp",
        "class apache { }\ninclude apache\nnode a { }",
    );
    assert_eq!(found, ["ILLEGAL_TOP_CONSTRUCT_LOCATION"; 2]);
    let context = ValidationContext::default();
    assert!(diagnostics("include apache\nnode a { }", &context).is_empty());
}

#[test]
fn location_messages_state_the_expected_name() {
    check_in(
        &in_module("manifests/mod/ssl.pp"),
        &["class a { }", "include b"],
        &expect![[r#"
            ILLEGAL_DEFINITION_LOCATION "class a { }"
                `a` cannot be autoloaded from this file: expected `apache::mod::ssl` or `apache::mod::ssl::…`
            ILLEGAL_TOP_CONSTRUCT_LOCATION "include b"
                only definitions are allowed at the top level of a module's manifest
        "#]],
    );
    check_in(
        &in_module("lib/a.pp"),
        &["class a { }"],
        &expect![[r#"
            ILLEGAL_DEFINITION_LOCATION "class a { }"
                `a` cannot be autoloaded from this file: expected a file in `manifests`, `functions`, `types` or `plans`
        "#]],
    );
}

#[test]
fn definition_messages() {
    check(
        &[
            "class a-b { }",
            "class any { }",
            "define a { function b() { } }",
            "if $x { class a { } }",
            "class a { function b() { } }",
            "type ::Foo = Integer",
            "type A[B] = C",
            "type Runtime[ruby, 'A'] = [B]",
            "type Runtime[ruby, [/a/, 'b']] = C",
            "type A { }",
            "type A = [B]",
            "node a inherits b { }",
            "node \"a${b}\" { }",
            "node 'a b' { }",
            "define plan { }",
        ],
        &expect![[r#"
            ILLEGAL_DEFINITION_NAME "class a-b { }"
                invalid definition name `a-b`: each segment must start with a lowercase letter and contain only letters, digits and `_`
            RESERVED_TYPE_NAME "class any { }"
                cannot define `any`: it is a built-in data type
            NOT_ABSOLUTE_TOP_LEVEL "function b() { }"
                functions, plans and type aliases may only appear at top level
            NOT_TOP_LEVEL "class a { }"
                definitions may only appear at top level or inside a class
            NOT_ABSOLUTE_TOP_LEVEL "function b() { }"
                functions, plans and type aliases may only appear at top level
            ILLEGAL_DEFINITION_NAME "type ::Foo = Integer"
                invalid type name `::Foo`: each segment must start with an uppercase letter, without a leading `::`
            UNSUPPORTED_EXPRESSION "type A[B] = C"
                only `Runtime[…]` can be mapped to a type: a type alias cannot have parameters
            ILLEGAL_TYPE_MAPPING "type Runtime[ruby, 'A'] = [B]"
                invalid type mapping: expected a type
            ILLEGAL_TYPE_MAPPING "type Runtime[ruby, [/a/, 'b']] = C"
                invalid type mapping: expected a pattern and its replacement, `[/…/, '…']`
            UNSUPPORTED_EXPRESSION "type A { }"
                `type` with a body is not supported: a type alias needs `=`
            ILLEGAL_EXPRESSION "[B]"
                expected a data type
            ILLEGAL_NODE_INHERITANCE "b"
                node inheritance is not supported
            ILLEGAL_HOSTNAME_INTERPOLATION "b"
                interpolation is not allowed in a node name
            ILLEGAL_HOSTNAME_CHARS "'a b'"
                invalid character ` ` in node name: only letters, digits, `-`, `_` and `.` are allowed
            FUTURE_RESERVED_WORD "define plan { }"
                `plan` is a future reserved word
        "#]],
    );
}

#[test]
fn parameter_messages() {
    check(
        &[
            "class a (*$x) { }",
            "f() |*$x, $y| { }",
            "define a ($x, $x) { }",
            "class a ($name) { }",
            "class a ($before) { }",
            "class a (Integer[$x] $y) { }",
            "class a ($1) { }",
            "class a ($X) { }",
            "class a ($x = ($y = 1)) { }",
        ],
        &expect![[r#"
            CAPTURES_REST_NOT_SUPPORTED "*$x"
                `*$x` is not allowed here: only functions and blocks can capture the rest of the arguments
            CAPTURES_REST_NOT_LAST "*$x"
                `*$x` captures the rest of the arguments and must be the last parameter
            DUPLICATE_PARAMETER "$x"
                duplicate parameter `$x`
                first declared here: "$x"
            RESERVED_PARAMETER "$name"
                cannot declare parameter `$name`: it is set by Puppet
            RESERVED_PARAMETER "$before"
                cannot declare parameter `$before` without a default value: it is a metaparameter
            ILLEGAL_NONLITERAL_PARAMETER_TYPE "Integer[$x] $y"
                type of parameter `$y` must be a literal type
            ILLEGAL_NUMERIC_PARAMETER "$1"
                invalid parameter name `$1`: numeric variables are reserved for capture groups
            ILLEGAL_PARAM_NAME "$1"
                invalid parameter name `$1`: it must start with a lowercase letter or `_`, without `::`
            ILLEGAL_PARAM_NAME "$X"
                invalid parameter name `$X`: it must start with a lowercase letter or `_`, without `::`
            ILLEGAL_ASSIGNMENT_CONTEXT "$y = 1"
                assignment is not allowed in the default value of a parameter
        "#]],
    );
}

#[test]
fn variable_and_assignment_messages() {
    check(
        &[
            "notice($01)",
            "notice($A::b)",
            "notice($)",
            "notice(\"${true}\")",
            "$x[0] = 1",
            "1 = 2",
            "$0 = 1",
            "$a::b = 1",
            "$a += 1",
            "$a = class b { }",
            "$a = File <| |>",
        ],
        &expect![[r#"
            ILLEGAL_NUMERIC_VAR_NAME "$01"
                invalid variable name `$01`: expected a decimal number without leading zeros
            ILLEGAL_VAR_NAME "$A::b"
                invalid variable name `$A::b`: each segment must start with a lowercase letter, only the last may start with `_`
            ILLEGAL_VAR_NAME "$"
                missing variable name after `$`
            ILLEGAL_VAR_NAME "true"
                cannot interpolate `${true}`: write `true` as text
            ILLEGAL_INDEXED_ASSIGNMENT "$x[0]"
                cannot assign to an element: arrays and hashes are immutable
            ILLEGAL_ASSIGNMENT "1"
                cannot assign to this expression: expected a variable
            ILLEGAL_NUMERIC_ASSIGNMENT "$0"
                cannot assign to `$0`: it is reserved for capture groups
            CROSS_SCOPE_ASSIGNMENT "$a::b"
                cannot assign to `$a::b`: it belongs to another scope
            APPENDS_DELETES_NO_LONGER_SUPPORTED "$a += 1"
                operator `+=` is no longer supported: variables cannot be reassigned
            NOT_RVALUE "class b { }"
                definition does not produce a value
            NOT_TOP_LEVEL "class b { }"
                definitions may only appear at top level or inside a class
            NOT_RVALUE "File <| |>"
                collector does not produce a value
        "#]],
    );
}

#[test]
fn expression_messages() {
    check(
        &[
            "$x(1)",
            "$x = { a => 1, 'b' => 2, \"a\" => 3 }",
            "$x = 9223372036854775808",
            "$x = 1e999",
            "notice(attr)",
            "case $x { default: { } default: { } }",
            "$x = $y ? { default => 1, default => 2 }",
            "1\nnotice(2)",
            "class a { 1 }",
        ],
        &expect![[r#"
            ILLEGAL_EXPRESSION "$x"
                cannot call this expression: expected a function or type name
            DUPLICATE_KEY "\"a\" => 3"
                duplicate key `"a"` in hash
                first used here: "a => 1"
            NUMERIC_OVERFLOW "9223372036854775808"
                integer does not fit in 64 bits
            NUMERIC_OVERFLOW "1e999"
                float is too large
            RESERVED_WORD "attr"
                `attr` is a reserved word and must be quoted
            DUPLICATE_DEFAULT "default"
                duplicate `default`
                first `default` here: "default"
            DUPLICATE_DEFAULT "default"
                duplicate `default`
                first `default` here: "default"
            IDEM_EXPRESSION_NOT_LAST "1"
                statement has no effect
            IDEM_NOT_ALLOWED_LAST "1"
                statement has no effect: its value is not used
        "#]],
    );
}

#[test]
fn resource_messages() {
    check(
        &[
            "file { mode => '1' }",
            "@class { 'a': }",
            "@File { mode => '1' }",
            "file { 'a': mode +> '1' }",
            "file { 'a': * => $x, * => $y }",
            "$x <| |>",
            "File <| a > 1 |>",
        ],
        &expect![[r#"
            RESOURCE_WITHOUT_TITLE "file { mode => '1' }"
                missing resource title; did you mean `file { 'title': … }`?
            CLASS_NOT_VIRTUALIZABLE "@class { 'a': }"
                classes cannot be virtual or exported
            NOT_VIRTUALIZEABLE "@File { mode => '1' }"
                resource defaults and overrides cannot be virtual or exported
            ILLEGAL_ATTRIBUTE_APPEND "mode +> '1'"
                `+>` is only allowed in a resource override or collector
            MULTIPLE_ATTRIBUTES_UNFOLD "* => $y"
                duplicate `* =>` in resource
                first used here: "* => $x"
            ILLEGAL_EXPRESSION "$x"
                expected a resource type before the collector
            ILLEGAL_QUERY_EXPRESSION "a > 1"
                invalid query: expected `==` or `!=`, combined with `and` or `or`
        "#]],
    );
}

#[test]
fn embedded_code_messages() {
    check(
        &[
            "$x = @(A:json)\n{\nA\n",
            "$x = @(A:base64)\nx\nA\n",
            "$x = @(A:pp)\n$x =\nA\n",
            "$x = @(A:epp)\n<%= $x\nA\n",
            "$x = @(A:json)\n// a comment\n[1, /* 2 */ 3]\nA\n",
        ],
        &expect![[r#"
            ILLEGAL_JSON "{\nA\n"
                invalid JSON: EOF while parsing an object at line 2 column 0
            ILLEGAL_BASE64 "x\nA\n"
                invalid Base64
            ILLEGAL_PP "$x =\nA\n"
                invalid Puppet code: expected an expression after `=`, found end of file
            ILLEGAL_EPP "<%= $x\nA\n"
                invalid EPP template: unclosed `<%=`
        "#]],
    );
    check(
        &["text<%- ($a) -%>x"],
        &expect![[r#"
            ILLEGAL_EPP_PARAMETERS "text<%- ($a)"
                template parameters must come before any text
        "#]],
    );
}

#[test]
fn plan_messages() {
    let context = ValidationContext {
        tasks: true,
        ..ValidationContext::default()
    };
    check_in(
        &context,
        &[
            "class a { }",
            "define a { }",
            "plan a() { file { 'b': } }",
            "plan a() { File { mode => '1' } }",
            "plan a() { File <| |> }",
            "plan a() { A['a'] -> B['b'] }",
            "plan a() { apply($x) { File <<| |>> } }",
            "plan a() { apply($x) { apply($y) { } } }",
            "plan a() { apply($x) { file { 'b': } } }",
        ],
        &expect![[r#"
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "class a { }"
                cannot define a class in a plan
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "define a { }"
                cannot define a defined type in a plan
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "file { 'b': }"
                cannot use a resource in a plan outside of `apply`
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "File { mode => '1' }"
                cannot use resource defaults in a plan outside of `apply`
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "File <| |>"
                cannot use a collector in a plan outside of `apply`
            EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING "A['a'] -> B['b']"
                cannot use a relationship in a plan outside of `apply`
            EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING "File <<| |>>"
                cannot collect exported resources in a plan
            EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING "apply($y) { }"
                cannot use `apply` inside `apply`
        "#]],
    );
}

#[test]
fn import_messages() {
    check(
        &[
            "class a { }\ndefine A { }",
            "class a { }\ndefine a { }",
            "node a { }\nnode 'A' { }",
            "function f() { }\nfunction f() { }",
            "type Integer = String",
            "type File = String",
            "type Runtime[ruby] = A",
        ],
        &expect![[r#"
            ILLEGAL_DEFINITION_NAME "define A { }"
                invalid definition name `A`: each segment must start with a lowercase letter and contain only letters, digits and `_`
            DUPLICATE_DEFINITION "define a { }"
                duplicate definition of defined type `a`
                first defined here: "class a { }"
            DUPLICATE_DEFINITION "'A'"
                duplicate definition of node `a`
                first defined here: "a"
            DUPLICATE_DEFINITION "function f() { }"
                duplicate definition of function `f`
                first defined here: "function f() { }"
            DUPLICATE_DEFINITION "type Integer = String"
                cannot redefine built-in type `integer`
            DUPLICATE_DEFINITION "type File = String"
                cannot redefine built-in type `file`
            ILLEGAL_TYPE_MAPPING "Runtime[ruby]"
                `Runtime` expects 2 parameters, found 1
        "#]],
    );
}

#[test]
fn import_problems_are_reported_only_for_valid_files() {
    let stages = |text| {
        let found = diagnostics(text, &ValidationContext::default());
        found.iter().map(|it| it.stage).collect::<Vec<_>>()
    };
    let twice = "class a { }\nclass a { }\n";
    assert_eq!(stages(twice), [Stage::Import]);
    assert_eq!(
        stages(&format!("{twice}class b-c {{ }}")),
        [Stage::Validate]
    );
}

#[test]
fn duplicate_keys_are_a_warning_in_puppet_7() {
    let severity = |version, text| {
        let context = ValidationContext {
            version,
            ..ValidationContext::default()
        };
        let found = diagnostics(text, &context);
        found.iter().map(|it| it.severity).collect::<Vec<_>>()
    };
    let strings = "$x = { 'a' => 1, 'a' => 2 }";
    assert_eq!(severity(PuppetVersion::V7, strings), [Severity::Warning]);
    assert_eq!(severity(PuppetVersion::V8, strings), [Severity::Error]);
    let types = "$x = { Integer[1] => 1, Integer[1] => 2 }";
    assert_eq!(severity(PuppetVersion::V7, types), []);
    assert_eq!(severity(PuppetVersion::V8, types), [Severity::Error]);
}

#[test]
fn long_keys_are_not_quoted_in_messages() {
    let key = "a".repeat(100);
    let text = format!("notice({{ {key} => 1, {key} => 2 }})");
    let found = diagnostics(&text, &ValidationContext::default());
    assert_eq!(found[0].message, "duplicate key in hash");
}

#[test]
fn anchors_are_the_positions_that_puppet_reports() {
    let anchor = |text| {
        let found = diagnostics(text, &ValidationContext::default());
        found[0].anchor.map(u32::from)
    };
    assert_eq!(anchor("$x = { a => 1, a => 2 }"), Some(17));
    assert_eq!(anchor("$a += 1"), Some(3));
    assert_eq!(anchor("type Integer = String"), None);
}

#[test]
fn fixes_apply_to_the_source() {
    let fixed = |text: &str| {
        let found = diagnostics(text, &ValidationContext::default());
        let fixes = found[0].fixes.iter().map(|it| {
            let result = apply_edits(text, &it.edits).expect("the edits are valid");
            format!("{:?} {}: {result}\n", it.applicability, it.label)
        });
        fixes.collect::<String>()
    };
    let texts = [
        "$x = { a => 1, a => 1 }",
        "$x = { a => 1, a => 2 }",
        "case $x { default: { } default: { } }",
        "$x = $y ? { default => 1, default => 2 }",
        "file { 'a': mode +> '1' }",
        "@class { 'a': }",
        "@@File { mode => '1' }",
        "notice(attr)",
    ];
    let shown: String = texts.into_iter().map(fixed).collect();
    expect![[r#"
        Safe Remove the duplicate entry: $x = { a => 1 }
        Suggested Remove the first entry: $x = { a => 2 }
        Suggested Remove this entry: $x = { a => 1 }
        Suggested Remove the duplicate `default`: case $x { default: { } }
        Suggested Remove the duplicate `default`: $x = $y ? { default => 1 }
        Suggested Replace with `=>`: file { 'a': mode => '1' }
        Suggested Remove `@`: class { 'a': }
        Suggested Remove `@@`: File { mode => '1' }
        Suggested Put quotes around `attr`: notice('attr')
    "#]]
    .assert_eq(&shown);
}
