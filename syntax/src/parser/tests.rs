//! Tests of error messages and error recovery. The agreement with the real Puppet is tested with
//! recordings, in the `tests` crate.

use expect_test::{Expect, expect};

use crate::ast::{AstNode, Definition, HasName};
use crate::{Dialect, SyntaxNode, parse};

/// Renders each error on a line: the underlined text, the message, and the related information.
fn errors(text: &str, expected: &Expect) {
    let parse = parse(text, Dialect::default());
    assert_eq!(parse.syntax().text().to_string(), text);
    let mut out = String::new();
    for error in parse.errors() {
        out.push_str(&format!("{:?} {}\n", &text[error.range], error.message));
        for related in &error.related {
            out.push_str(&format!(
                "    {:?} {}\n",
                &text[related.range], related.message
            ));
        }
    }
    expected.assert_eq(&out);
}

fn messages(text: &str) -> Vec<String> {
    let parse = parse(text, Dialect::default());
    assert_eq!(parse.syntax().text().to_string(), text);
    let errors = parse.errors().iter();
    errors.map(|it| it.message.clone()).collect()
}

/// Applies the first fix of each error.
fn fixed(text: &str) -> String {
    let parse = parse(text, Dialect::default());
    let fixes = parse.errors().iter().filter_map(|it| it.fixes.first());
    crate::apply_edits(text, fixes.flat_map(|it| &it.edits)).expect("the fixes do not overlap")
}

/// Returns the names of all classes in the tree.
fn classes(root: &SyntaxNode) -> Vec<String> {
    root.descendants()
        .filter_map(Definition::cast)
        .filter_map(|it| match it {
            Definition::ClassDefinition(it) => it.name().map(|it| it.text()),
            _ => None,
        })
        .collect()
}

#[test]
fn finds_an_unclosed_brace_by_indentation() {
    errors(
        "class a {\n  if $x {\n    notice('a')\n}\nclass b {\n}\n",
        &expect![[r#"
            ")" unclosed `{`: missing `}`
                "{" `{` opened here
        "#]],
    );
}

#[test]
fn finds_an_unmatched_brace_by_indentation() {
    errors(
        "class a {\n  notice('a')\n  }\n}\nclass b {\n}\n",
        &expect![[r#"
            "}" unmatched `}`
        "#]],
    );
}

#[test]
fn an_unclosed_string_ends_with_its_line() {
    errors(
        "class a {\n  $s = \"never closed\n  $t = 'x'\n}\nclass b { }\n",
        &expect![[r#"
            "\"" unclosed string: missing `"`
        "#]],
    );
}

#[test]
fn an_unclosed_string_does_not_swap_code_and_strings_after_it() {
    // The rest of the file has strings over several lines, and an apostrophe in a comment.
    let after = "\n  }\n\n  exec { \"unzip ${b}\":\n    command => \"it's \\\"a\\\"\\n\n  b\",\n  }\n  # isn't\n}\n";
    for unclosed in [
        "\"a ${b} c",
        "\"a ${b",
        "\"\\$a['${b}",
        "'a",
        "'a\"b",
        "$x =~ /a",
    ] {
        let text = format!("class a {{\n  if $x {{\n    $u = {unclosed}{after}");
        let parse = parse(&text, Dialect::default());
        let lines = parse.errors().iter().map(|it| {
            let before = &text[..usize::from(it.range.start())];
            before.matches('\n').count() + 1
        });
        assert_eq!(lines.collect::<Vec<_>>(), [3], "{unclosed}");
        assert_eq!(parse.syntax().text().to_string(), text);
    }
}

#[test]
fn an_operand_is_missing_if_a_statement_follows() {
    errors(
        "class a {\n  $x =\n  if $a and\n  case $b {\n    1: { }\n  }\n  unless !\n  include foo\n  package { 'a':\n    ensure =>\n    name => 'b',\n  }\n}\n",
        &expect![[r#"
            "=" expected an expression after `=`, found `if`
            "d" expected an expression after `and`, found `case`
            "!" expected an expression after `!`, found `include`
            ">" expected an expression after `=>`, found `name`
        "#]],
    );
    // Arrows and operands that are indented further continue on the next line.
    errors(
        "package { 'a': } ->\nservice { 'b': }\n$x = $y and\n  if $a { 1 }\n$z = )\n",
        &expect![[r#"
            ")" expected an expression after `=`, found `)`
        "#]],
    );
}

#[test]
fn attributes_end_where_a_brace_is_missing() {
    errors(
        "class a {\n  b {\n    'c': d => 1;\n    'e':\n  }\n\n  f {\n    'g': h => 1;\n    'i': \n\n  package { 'j':\n    ensure => present,\n\n  service { 'k': }\n}\n",
        &expect![[r#"
            ":" unclosed `{`: missing `}`
                "{" `{` opened here
            "," unclosed `{`: missing `}`
                "{" `{` opened here
        "#]],
    );
}

#[test]
fn an_unclosed_interpolation_ends_with_its_string() {
    errors(
        "notify { \"hello ${x\": }\nclass c { }\n",
        &expect![[r#"
            "\"" expected `}`, found end of string
        "#]],
    );
}

#[test]
fn a_missing_comma_is_related_to_the_open_bracket() {
    errors(
        "file { '/x':\n  ensure => file\n  mode => '0644',\n}\n$y = [1 2]\n",
        &expect![[r#"
            "e" expected `,`, found `mode`
            "2" expected `,` or `]`, found `2`
                "[" `[` opened here
        "#]],
    );
}

#[test]
fn reports_one_error_per_line() {
    errors(
        "$x = ) ) )\n$y = 1\n",
        &expect![[r#"
            ")" expected an expression after `=`, found `)`
        "#]],
    );
}

#[test]
fn definitions_survive_errors_around_them() {
    let damaged = [
        "class a { $x = [1, 2 }\nclass b { }\nclass c { }\n",
        "class a { file { 'x' ensure => } }\nclass b { }\nclass c { }\n",
        "class a (\n  $x,\n{\n  notice($x)\n}\nclass b { }\nclass c { }\n",
        "class a {\n  $s = 'oops\n}\nclass b { }\nclass c { }\n",
        "class a\n  notice(1)\n}\nclass b { }\nclass c { }\n",
        "class a { case $x { } }\nclass b { if { } }\nclass c { }\n",
    ];
    for text in damaged {
        let parse = parse(text, Dialect::default());
        assert!(!parse.errors().is_empty(), "{text}");
        assert_eq!(classes(&parse.syntax()), ["a", "b", "c"], "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error_but_not_a_crash() {
    for (open, close) in [
        ("[", "]"),
        ("(", ")"),
        ("{ a => ", "}"),
        ("if $x { ", "}"),
        ("!", ""),
        ("$x = ", ""),
    ] {
        let text = format!("$y = {}1{}", open.repeat(20_000), close.repeat(20_000));
        let parse = parse(&text, Dialect::default());
        assert_eq!(u32::from(parse.syntax().text().len()) as usize, text.len());
        assert!(!parse.errors().is_empty());
    }
    let chain = format!("$y = 1{}", " + 1".repeat(20_000));
    assert!(!parse(&chain, Dialect::default()).errors().is_empty());
}

/// Renders the first error of each source.
fn check_messages(texts: &[&str], dialect: Dialect, expected: &Expect) {
    let mut out = String::new();
    for text in texts {
        let parse = parse(text, dialect);
        let error = parse.errors().first().expect("the source has an error");
        out.push_str(&format!("{text:?}\n    {}\n", error.message));
        for related in &error.related {
            out.push_str(&format!("    {}\n", related.message));
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn messages_about_definitions() {
    check_messages(
        &[
            "class { 'a'",
            "class 'a' { }",
            "class class { }",
            "class a inherits { }",
            "class a",
            "define { }",
            "function () { }",
            "function f() >> { }",
            "node { }",
            "node a. { }",
            "node a inherits { }",
            "type = A",
            "type A = ",
            "type A B",
            "type A inherits { }",
            "define a (x) { }",
            "define a (Integer) { }",
            "define a ($x = ) { }",
            "define a ($x $y) { }",
            "f() |$x $y| { }",
        ],
        Dialect::default(),
        &expect![[r#"
            "class { 'a'"
                expected `:` after the resource title, found end of file
            "class 'a' { }"
                expected an unquoted name, found `'a'`
            "class class { }"
                expected a class name, found keyword `class`
            "class a inherits { }"
                expected a class name after `inherits`, found `{`
            "class a"
                expected `{`, found end of file
            "define { }"
                expected a defined type name, found `{`
            "function () { }"
                expected a function name, found `(`
            "function f() >> { }"
                expected a return type after `>>`, found `{`
            "node { }"
                expected a node name, found `{`
            "node a. { }"
                expected a name after `.`, found `{`
            "node a inherits { }"
                expected a node name after `inherits`, found `{`
            "type = A"
                expected a type name, found `=`
            "type A = "
                expected a data type, found end of file
            "type A B"
                expected `=`, found `B`
            "type A inherits { }"
                expected a type name after `inherits`, found `{`
            "define a (x) { }"
                expected a parameter, found `x`
            "define a (Integer) { }"
                expected a variable, found `)`
            "define a ($x = ) { }"
                expected a default value, found `)`
            "define a ($x $y) { }"
                expected `,` or `)`, found `$y`
                `(` opened here
            "f() |$x $y| { }"
                expected `,` or `|`, found `$y`
                `|` opened here
        "#]],
    );
}

#[test]
fn messages_about_expressions() {
    check_messages(
        &[
            "$x = ",
            "$x = 1 +",
            "$x = !",
            "$x = ()",
            "$x[]",
            "$x = [1 2]",
            "$x = { a => }",
            "$x = { a }",
            "$x = { a => 1 b => 2 }",
            "$x = f(1 2)",
            "$x = f(1",
            "$x.f(1,)",
            "$x.",
            "if )",
            "if $x 1",
            "case )",
            "case $x { }",
            "case $x { 1 { } }",
            "$x ? { }",
            "$x ? { 1 => }",
            "$x ? { 1 2 }",
            "\"${}\"",
            "\"${a b}\"",
            "include a,",
            "f 'a', 'b'",
            "a, b",
            "a, ",
            "; a",
            "a;;",
            "}",
            "=> 1",
            "$x = a \"bc\" =>",
        ],
        Dialect::default(),
        &expect![[r#"
            "$x = "
                expected an expression after `=`, found end of file
            "$x = 1 +"
                expected an expression after `+`, found end of file
            "$x = !"
                expected an expression after `!`, found end of file
            "$x = ()"
                expected an expression after `(`, found `)`
            "$x[]"
                expected an expression, found `]`
            "$x = [1 2]"
                expected `,` or `]`, found `2`
                `[` opened here
            "$x = { a => }"
                expected an expression after `=>`, found `}`
            "$x = { a }"
                expected `=>`, found `}`
            "$x = { a => 1 b => 2 }"
                expected `,` or `}`, found `b`
                `{` opened here
            "$x = f(1 2)"
                expected `,` or `)`, found `2`
                `(` opened here
            "$x = f(1"
                unclosed `(`: missing `)`
                `(` opened here
            "$x.f(1,)"
                expected an argument after `,`, found `)`
            "$x."
                expected a function name after `.`, found end of file
            "if )"
                expected a condition, found `)`
            "if $x 1"
                expected `{`, found `1`
            "case )"
                expected an expression after `case`, found `)`
            "case $x { }"
                expected a case option, found `}`
            "case $x { 1 { } }"
                expected `:`, found `{`
            "$x ? { }"
                expected a selector option, found `}`
            "$x ? { 1 => }"
                expected an expression after `=>`, found `}`
            "$x ? { 1 2 }"
                expected `=>`, found `2`
            "\"${}\""
                expected an expression, found `}`
            "\"${a b}\""
                expected `}`, found `b`
            "include a,"
                expected an argument, found end of file
            "f 'a', 'b'"
                `f` cannot be called without parentheses
            "a, b"
                unexpected `,`: expected a function name before an argument list
            "a, "
                expected an expression after `,`, found end of file
            "; a"
                expected a statement, found `;`
            "a;;"
                expected a statement after `;`, found `;`
            "}"
                unmatched `}`
            "=> 1"
                expected a statement, found `=>`
            "$x = a \"bc\" =>"
                expected a statement, found `=>`
        "#]],
    );
}

#[test]
fn messages_about_resources() {
    check_messages(
        &[
            "class { }",
            "file { 'a' mode => 1 }",
            "file { 'a': mode => }",
            "file { 'a': mode 1 }",
            "file { 'a': mode => 1 owner => 2 }",
            "file { mode +> 1 }",
            "file { 'a': mode => 1",
            "$x { mode => 1 }",
            "@",
            "@1",
            "@@1",
            "File['a'] -> ",
            "File <| a",
        ],
        Dialect::default(),
        &expect![[r#"
            "class { }"
                expected a class name, found `}`
            "file { 'a' mode => 1 }"
                expected `:` after the resource title, found `mode`
            "file { 'a': mode => }"
                expected an expression after `=>`, found `}`
            "file { 'a': mode 1 }"
                expected `=>`, found `1`
            "file { 'a': mode => 1 owner => 2 }"
                expected `,`, found `owner`
            "file { mode +> 1 }"
                `+>` is only allowed in a resource override or collector
            "file { 'a': mode => 1"
                unclosed `{`: missing `}`
                `{` opened here
            "$x { mode => 1 }"
                expression is not a valid resource, resource default or override
            "@"
                expected a resource after `@`, found end of file
            "@1"
                only resources can be virtual
            "@@1"
                only resources can be exported
            "File['a'] -> "
                expected a resource after `->`, found end of file
            "File <| a"
                unclosed `<|`: missing `|>`
                `<|` opened here
        "#]],
    );
}

#[test]
fn messages_about_plans_and_templates() {
    let tasks = Dialect {
        epp: false,
        tasks: true,
    };
    let texts = ["plan { }", "plan a { apply }", "plan a { apply() { } }"];
    check_messages(
        &texts,
        tasks,
        &expect![[r#"
            "plan { }"
                expected a plan name, found `{`
            "plan a { apply }"
                expected `(`, found `}`
            "plan a { apply() { } }"
                `apply` expects at least 1 argument, found 0
        "#]],
    );
    let epp = Dialect {
        epp: true,
        tasks: false,
    };
    let texts = ["<%= %>", "<%= $x", "<% if $x { %> a", "<%= $x $y %>"];
    check_messages(
        &texts,
        epp,
        &expect![[r#"
            "<%= %>"
                expected an expression, found `%>`
            "<%= $x"
                unclosed `<%=`
            "<% if $x { %> a"
                unclosed `{`: missing `}`
            "<%= $x $y %>"
                expected `%>`, found `$y`
                `<%=` opened here
        "#]],
    );
}

#[test]
fn finds_unclosed_and_unmatched_braces_of_templates() {
    let epp = Dialect {
        epp: true,
        tasks: false,
    };
    let texts = [
        // Tags without indentation.
        "<% if $a { -%>\n  x\n<% } else { -%>\ny\n<% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\nz\n",
        "<% if $a { -%>\nx\n<% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\n",
        // A tag that is indented, and ends outside.
        "<% if $a { -%>\nx\n  <% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\n<% $b = 1 %>\n",
        "<% if $a { -%>\nx\n<% } -%>\n<% } -%>\ny <%= $b %>\n",
    ];
    check_messages(
        &texts,
        epp,
        &expect![[r#"
            "<% if $a { -%>\n  x\n<% } else { -%>\ny\n<% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\nz\n"
                unclosed `{`: missing `}`
            "<% if $a { -%>\nx\n<% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\n"
                unclosed `{`: missing `}`
            "<% if $a { -%>\nx\n  <% $l.each |$x| { -%>\n<%= $x %>\n<% } -%>\n<% $b = 1 %>\n"
                unclosed `{`: missing `}`
                `{` opened here
            "<% if $a { -%>\nx\n<% } -%>\n<% } -%>\ny <%= $b %>\n"
                unmatched `}`
        "#]],
    );
}

#[test]
fn the_first_error_has_the_position_that_puppet_reports() {
    let anchor = |text| {
        let parse = parse(text, Dialect::default());
        parse.errors()[0].anchor.map(u32::from)
    };
    // An unclosed brace is reported at its start, but has no position in Puppet.
    assert_eq!(anchor("class a {"), None);
    assert_eq!(anchor("$x = )"), Some(5));
    assert_eq!(anchor("\"a${}\""), Some(5));
    assert_eq!(anchor("\"a${b} c"), Some(6));
}

#[test]
fn a_mistyped_arrow_is_one_error() {
    let after = ",\n  owner => 'root',\n  group => 'root',\n}\nnotice(1)\n";
    for (attribute, found) in [
        ("ensure = file", "="),
        ("ensure -> file", "->"),
        ("ensure: file", ":"),
        ("ensure == file", "=="),
        ("ensure file", "file"),
    ] {
        let text = format!("file {{ '/x':\n  {attribute}{after}");
        let found = format!("expected `=>`, found `{found}`");
        assert_eq!(messages(&text), [found], "{text}");
    }
    let text = "file { '/x':\n  ensure = file,\n}\n";
    assert_eq!(fixed(text), "file { '/x':\n  ensure => file,\n}\n");
}

#[test]
fn attributes_follow_what_is_none() {
    let after = "\n  owner => 'root',\n  group => 'root',\n}\nnotice(1)\n";
    for (attribute, message) in [
        ("mode => '1',,", "expected an attribute, found `,`"),
        ("mode => '1' '2',", "expected `,`, `;` or `}`, found `'2'`"),
        (
            "require => Package ['b'],",
            "expected `,`, `;` or `}`, found `[`",
        ),
        ("mode => '1';", "expected `,` between attributes, found `;`"),
    ] {
        let text = format!("file {{ '/x':\n  {attribute}{after}");
        assert_eq!(messages(&text), [message], "{text}");
    }
    // A title follows the comma in place of a semicolon.
    let text = "file { '/x':\n  mode => '1',\n  '/y':\n  mode => '2',\n}\n";
    assert_eq!(messages(text).len(), 1);
    assert_eq!(
        fixed("file { '/x':\n  a => 1;\n  b => 2,\n}\n"),
        "file { '/x':\n  a => 1,\n  b => 2,\n}\n"
    );
}

#[test]
fn operators_of_other_languages_are_named() {
    for (condition, message) in [
        ("$x && $y", "expected `and`, found `&&`"),
        ("$x || $y", "expected `or`, found `||`"),
        ("($x && $y)", "expected `and`, found `&&`"),
        ("$x = 'present'", "expected `==`, found `=`"),
    ] {
        for keyword in ["if", "unless"] {
            let text = format!(
                "class a {{\n  {keyword} {condition} {{\n    $z = 1\n    notice($z)\n  }}\n}}\n"
            );
            assert_eq!(messages(&text), [message], "{text}");
        }
    }
    assert_eq!(fixed("if $x && $y { }"), "if $x and $y { }");
    assert_eq!(fixed("if $x = 1 { }"), "if $x == 1 { }");
}

#[test]
fn a_misspelled_elsif_is_named() {
    let chain = |keyword: &str| {
        format!("if $a {{\n  $z = 1\n}} {keyword} $b {{\n  $z = 2\n}} else {{\n  $z = 3\n}}\n")
    };
    assert_eq!(
        messages(&chain("elseif")),
        ["expected `elsif`, found `elseif`"]
    );
    assert_eq!(messages(&chain("elif")), ["expected `elsif`, found `elif`"]);
    assert_eq!(
        messages(&chain("else if")),
        ["expected `elsif`, found `else if`"]
    );
    for keyword in ["elseif", "elif", "else if"] {
        assert_eq!(fixed(&chain(keyword)), chain("elsif"));
    }
}

#[test]
fn blocks_without_condition_or_parameters_are_one_error() {
    let chain = "if $a {\n  notice(1)\n} elsif {\n  notice(2)\n}\n";
    assert_eq!(messages(chain), ["expected a condition, found `{`"]);
    for call in ["$a.each", "$a.then", "$b = $a.map", "$a.reduce(1)"] {
        let code = format!("class c {{\n  {call} {{\n    notice(1)\n  }}\n}}\n");
        assert_eq!(
            messages(&code),
            ["expected the parameters of the block, found `{`"],
            "{call}"
        );
    }
    assert_eq!(messages("if { 'a' => 1 } { notice(1) }"), [""; 0]);
}

#[test]
fn a_missing_opening_bracket_is_one_error() {
    let resource =
        "class a {\n  package 'x':\n    ensure => present,\n    source => 'y',\n  }\n}\n";
    assert_eq!(
        messages(resource),
        ["expected `{` after the resource type, found `'x'`"]
    );
    let titled = resource.replace("'x'", "\"x${y}\"");
    assert_eq!(messages(&titled).len(), 1);
    let class = "class a\n  $x = 1,\n  String $y = 'a',\n) {\n  notice($x)\n}\n";
    assert_eq!(
        messages(class),
        ["expected `(` before the parameters, found `$x`"]
    );
    let option = "case $x {\n  'a':\n    notice(1)\n  }\n  default: { }\n}\n";
    assert_eq!(messages(option), ["expected `{`, found `notice`"]);
}

#[test]
fn a_condition_ends_before_its_block() {
    let text =
        "class a {\n  if !defined(Class['b'] {\n    $x = 1\n    $y = 2\n  }\n}\nclass c { }\n";
    assert_eq!(messages(text), ["unclosed `(`: missing `)`"]);
}

#[test]
fn an_unclosed_string_is_the_only_error_in_its_line() {
    let text = "$a = ['b', 'c, 'd']\n$e = 1\n";
    assert_eq!(messages(text), ["unclosed string: missing `'`"]);
}

#[test]
fn a_condition_ends_at_the_block_that_follows_its_parentheses() {
    for (text, line) in [
        (
            "if (a($x) and b($y) {\n  $z = f(1)\n}\nfile { 'a':\n  mode => '1',\n}\n",
            1,
        ),
        ("if f($x and !$y {\n  notice('a')\n}\n", 1),
        (
            "if $x {\n  notice(1)\n} elsif (1 in [1, 2] {\n  notice(2)\n}\n",
            3,
        ),
        ("unless ($x\n  and (1 in [1]) {\n  notice(1)\n}\n", 2),
        ("case f($x {\n  1: { }\n  default: { }\n}\n", 1),
    ] {
        assert_eq!(error_lines(text), [line], "{text}");
    }
    // The brace belongs to the condition.
    let lambda = "if f($x.any |$y| {\n  $y > 1\n} {\n  notice(1)\n}\n";
    assert!(error_lines(lambda).iter().all(|it| *it > 1));
}

#[test]
fn switch_is_replaced_by_case() {
    let options = "{\n  'a': { $y = 1 }\n  default: { $y = 2 }\n}\n";
    for subject in ["$x", "($x)", "f($x)"] {
        let text = format!("switch {subject} {options}");
        let is_call = subject == "f($x)";
        assert_eq!(
            messages(&text) == ["expected `case`, found `switch`"],
            !is_call,
            "{text}"
        );
    }
    // Here, the words are names rather than misspelled keywords.
    for text in ["if $x { }\nelseif(1)\n", "switch { 'a': }", "switch($x)"] {
        assert_eq!(messages(text), [""; 0], "{text}");
    }
}

#[test]
fn the_question_mark_before_options_may_be_missing() {
    for text in [
        "$a = $b {\n  'x'     => 1,\n  default => 2,\n}\n$c = 1\n",
        "$a = $facts['os']['name'] {\n  'x'     => 1,\n  default => 2,\n}\n",
        "file { 'a':\n  ensure => $b {\n    true    => 'file',\n    default => absent,\n  },\n}\n",
    ] {
        assert_eq!(messages(text), ["expected `?`, found `{`"], "{text}");
    }
    let text = "case $a {\n  'x' => 1,\n}\n";
    let parse = parse(text, Dialect::default());
    assert!(parse.errors().iter().all(|it| !it.message.contains('?')));
}

/// Returns the lines of the errors, from 1.
fn error_lines(text: &str) -> Vec<usize> {
    let parse = parse(text, Dialect::default());
    let starts = parse
        .errors()
        .iter()
        .map(|it| usize::from(it.range.start()));
    let mut lines: Vec<usize> = starts
        .map(|it| text[..it].matches('\n').count() + 1)
        .collect();
    lines.sort_unstable();
    lines
}

#[test]
fn fixes_calls_without_parentheses() {
    let cases = [
        ("old_stmt 'b', 'c'\n", "old_stmt('b', 'c')\n"),
        ("x::f ['a'], { b => 1 } # c", "x::f(['a'], { b => 1 }) # c"),
        (
            "class a {\n  f $a, $b\n  notice('x')\n}",
            "class a {\n  f($a, $b)\n  notice('x')\n}",
        ),
        ("f $a,\n  $b\n", "f($a,\n  $b)\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(fixed(text), expected);
        assert_eq!(messages(expected), [""; 0]);
    }
    for text in ["f\n'a', 'b'", "f; 'a', 'b'", "f 'a',", "'a', 'b'"] {
        assert_eq!(fixed(text), text);
    }
}
