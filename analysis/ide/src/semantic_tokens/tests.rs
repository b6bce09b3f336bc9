use super::*;
use crate::fixture::*;
use expect_test::{Expect, expect};
use syntax::Dialect;

fn render(source: &str, tokens: &[SemanticToken]) -> String {
    let line = |it: &SemanticToken| {
        let mut line = format!("{} {:?}", visible_text(source, it.range), it.kind);
        if it.modifiers.declaration {
            line += " declaration";
        }
        if it.modifiers.documentation {
            line += " documentation";
        }
        line + "\n"
    };
    tokens.iter().map(line).collect()
}

fn check_as(source: &str, dialect: Dialect, expected: &Expect) {
    let tokens = tokens_of_tree(&parse(source, dialect).syntax(), None);
    expected.assert_eq(&render(source, &tokens));
}

fn check(source: &str, expected: &Expect) {
    check_as(source, MANIFEST, expected);
}

#[test]
fn marks_definitions_and_documentation() {
    check(
        "# not this\n\n# Docs\n# more\nclass a::b(Integer $x) inherits a::c { $y = $x }\n\
         $z = 1 # no doc\nfunction f() >> Foo::Bar { }\n",
        &expect![[r##"
            # not this Comment
            # Docs Comment documentation
            # more Comment documentation
            class Keyword
            a Namespace
            b Class declaration
            Integer Type
            $x Parameter declaration
            inherits Keyword
            a Namespace
            c Class
            $y Variable declaration
            = Operator
            $x Parameter
            $z Variable declaration
            = Operator
            1 Number
            # no doc Comment
            function Keyword
            f Function declaration
            >> Operator
            Foo Namespace
            Bar Type
        "##]],
    );
}

#[test]
fn limits_parameters_to_their_definition() {
    check(
        "class a($x) { [$x].each |$n| { $n; $m = 1 }; $n; class b { $x } }\n$x",
        &expect![[r#"
            class Keyword
            a Class declaration
            $x Parameter declaration
            $x Parameter
            each Method
            $n Parameter declaration
            $n Parameter
            $m Variable declaration
            = Operator
            1 Number
            $n Variable
            class Keyword
            b Class declaration
            $x Variable
            $x Variable
        "#]],
    );
}

#[test]
fn classifies_names_by_position() {
    check(
        "include a, '::b::c'\nclass { 'd': require => Class['e', f] }\n\
         a::vhost { x: unless => present }\nf::g(y)\n$h = { k => v, 'q' => 1, type => z }\n$a.type\ntype(1)\n\
         File <| title == w |>",
        &expect![[r#"
            include Function
            a Class
            ' String
            b Namespace
            c Class
            ' String
            class Keyword
            ' String
            d Class
            ' String
            require Property
            => Operator
            Class Type
            ' String
            e Class
            ' String
            f Class
            a Namespace
            vhost Type
            x String
            unless Property
            => Operator
            present String
            f Namespace
            g Function
            y String
            $h Variable declaration
            = Operator
            k Property
            => Operator
            v String
            'q' String
            => Operator
            1 Number
            type Property
            => Operator
            z String
            $a Variable
            type Method
            type Function
            1 Number
            File Type
            <| Operator
            title Property
            == Operator
            w String
            |> Operator
        "#]],
    );
}

#[test]
fn splits_strings_at_escapes() {
    check(
        r#"["a\n\q\u{e9}é ${x['k\'']} $y\$", 'a\\\'b\n', /a\/b/, "${b}"]"#,
        &expect![[r#"
            " String
            a String
            \n EscapeSequence
            \q String
            \u{e9} EscapeSequence
            é  String
            x Variable
            'k String
            \' EscapeSequence
            ' String
              String
            $y Variable
            \$ EscapeSequence
            " String
            'a String
            \\ EscapeSequence
            \' EscapeSequence
            b\n' String
            /a\/b/ Regexp
            " String
            b Variable
            " String
        "#]],
    );
}

#[test]
fn splits_multi_line_tokens() {
    check(
        "$a = 'x\r\n  y\n\nz'\n/* c\n d */",
        &expect![[r#"
            $a Variable declaration
            = Operator
            'x String
              y String
            z' String
            /* c Comment
             d */ Comment
        "#]],
    );
}

#[test]
fn marks_heredocs() {
    check(
        "f(@(\"A\"/t), @(B))\n  a\\t\\n${x}\n  | A\n  b\\t $x\n  |- B\n$c = 1\n",
        &expect![[r#"
            f Function
            @("A"/t) Keyword
            @(B) Keyword
            a String
            \t EscapeSequence
            \n String
            x Variable
            | Operator
            A Keyword
            b\t $x String
            | Operator
            - Operator
            B Keyword
            $c Variable declaration
            = Operator
            1 Number
        "#]],
    );
}

#[test]
fn ignores_template_text() {
    check_as(
        "<%- | $n | -%>\nclass x {\n<%# a\nb %><%= $n.upcase %>é<% if $m { -%>\n<% } %>",
        TEMPLATE,
        &expect![[r##"
            $n Parameter declaration
            <%# a Comment
            b %> Comment
            $n Parameter
            upcase Method
            if Keyword
            $m Variable
        "##]],
    );
}

#[test]
fn marks_plans() {
    check_as(
        "plan a::b($t) { apply($t) { } }",
        PLAN,
        &expect![[r#"
            plan Keyword
            a Namespace
            b Function declaration
            $t Parameter declaration
            apply Keyword
            $t Parameter
        "#]],
    );
}

#[test]
fn tokens_are_sorted_single_lines_in_broken_sources() {
    for source in broken_variants(EVERYTHING) {
        let root = parse(&source, MANIFEST).syntax();
        let tokens = tokens_of_tree(&root, None);
        for it in &tokens {
            let text = source.get(std::ops::Range::<usize>::from(it.range));
            assert!(text.is_some_and(|it| !it.is_empty() && !it.contains(['\r', '\n'])));
        }
        let in_order = |it: &[SemanticToken]| it[0].range.end() <= it[1].range.start();
        assert!(tokens.windows(2).all(in_order));
    }
}

#[test]
fn range_request_is_a_subset_of_the_whole() {
    let root = parse(EVERYTHING, MANIFEST).syntax();
    let all = tokens_of_tree(&root, None);
    let size = u32::from(root.text_range().end());
    for start in (0..size).step_by(13) {
        for length in [0, 1, 20, 300] {
            let range = TextRange::new(start.into(), (start + length).min(size).into());
            let expected: Vec<_> = all
                .iter()
                .filter(|it| it.range.intersect(range).is_some())
                .cloned()
                .collect();
            assert_eq!(tokens_of_tree(&root, Some(range)), expected);
        }
    }
}

#[test]
fn adds_modifiers_of_resolved_names() {
    let source = "$a = $facts['x']\nnotice($::osfamily, $osfamily, $a, size($color))\n\
                  old { 'x': }\nfile { 'x': }\nclass b { $osfamily = 1 notice($osfamily) }\n\
                  $c = String\n";
    let fixture = Fixture::new(&format!(
        "//- modules/m/lib/facter/color.rb\nFacter.add(:color) {{ setcode {{ 'red' }} }}\n\
         //- modules/old/manifests/init.pp\n# @deprecated use another one\ndefine old {{ }}\n\
         //- manifests/site.pp\n{source}"
    ));
    let tokens = fixture.analysis().semantic_tokens(base::FileId(2), None);
    let mut lines = Vec::new();
    for it in tokens {
        let names = [
            (it.modifiers.default_library, "library"),
            (it.modifiers.readonly, "readonly"),
            (it.modifiers.deprecated, "deprecated"),
        ];
        let names: Vec<_> = names.iter().filter(|it| it.0).map(|it| it.1).collect();
        if !names.is_empty() {
            lines.push(format!(
                "{} {}",
                visible_text(source, it.range),
                names.join(" ")
            ));
        }
    }
    expect![[r#"
        $facts library readonly
        notice library
        $::osfamily library readonly deprecated
        $osfamily library readonly deprecated
        size library
        $color readonly
        old deprecated
        file library
        notice library
        String library"#]]
    .assert_eq(&lines.join("\n"));
}
