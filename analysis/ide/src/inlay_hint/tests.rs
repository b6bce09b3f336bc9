use expect_test::{Expect, expect};

use super::super::fixture::*;
use super::*;
use base::FileId;

const MODULE: &str = "\
//- modules/web/functions/join.pp
# @param list The strings to join
# @param separator The text between elements
function web::join(Array[String] $list, String $separator, Boolean $last = false) >> String { '' }
//- modules/web/functions/on.pp
function web::on(Boolean $enable) { $enable }
";

const ALL: HintOptions = HintOptions {
    types: true,
    lambda_types: true,
    values: true,
    attribute_values: true,
    arguments: true,
    closing_braces: true,
    overridden_keys: true,
    end_lines: 3,
};

/// Renders the source with the hints inserted.
fn render(source: &str, options: HintOptions) -> String {
    let fixture = Fixture::new(&format!("{MODULE}//- manifests/site.pp\n{source}"));
    let range = TextRange::up_to(TextSize::of(source));
    let mut text = source.to_owned();
    for hint in fixture
        .analysis()
        .inlay_hints(FileId(2), range, options)
        .iter()
        .rev()
    {
        let label = format!("«{}»", hint.label);
        text.insert_str(usize::from(hint.offset), &label);
    }
    text
}

fn check(source: &str, expected: &Expect) {
    expected.assert_eq(&render(source, ALL));
}

#[test]
fn types_and_values() {
    check(
        "class a(Integer $p, Array[Integer] $l) {\n\
         \x20 $plain = 'x'\n\
         \x20 $port = 8000 + 80\n\
         \x20 $next = $p + 1\n\
         \x20 $same = $p\n\
         \x20 $text = \"on ${p}\"\n\
         \x20 [$first, $second] = [$p, 'b']\n\
         \x20 $l.each |$i, Integer $n| { notice($i) }\n\
         \x20 file { '/x': mode => \"0${port}\", owner => 'root' }\n\
         \x20 $u = unknown()\n\
         }",
        &expect![[r#"
            class a(Integer $p, Array[Integer] $l) {
              $plain = 'x'
              $port = 8000 + 80«= 8080»
              $next«: Integer» = $p + 1
              $same«: Integer» = $p
              $text = "on ${p}"
              [$first, $second] = [$p, 'b']
              $l.each |«Integer[0]»$i, Integer $n| { notice($i) }
              file { '/x': mode => "0${port}"«= '08080'», owner => 'root' }
              $u = unknown()
            }«class a»"#]],
    );
}

#[test]
fn arguments() {
    check(
        "class a(Array[String] $list) {\n\
         \x20 $a = web::join($list, ',', true)\n\
         \x20 $b = $list.web::join(',')\n\
         \x20 web::on(true)\n\
         \x20 web::on($list.empty)\n\
         \x20 notice('a', 'b')\n\
         \x20 web::join(*$list)\n\
         \x20 web::join(1)\n\
         }",
        &expect![[r#"
            class a(Array[String] $list) {
              $a = web::join($list, «separator:»',', «last:»true)«= ''»
              $b = $list.web::join(',')«= ''»
              web::on(true)
              web::on($list.empty)
              notice('a', 'b')
              web::join(*$list)
              web::join(1)
            }«class a»"#]],
    );
}

#[test]
fn ends() {
    check(
        "class a {\n  if $x {\n    file { '/x':\n      mode => '1',\n      owner => b,\n    }\n  }\n\
         \x20 case $x {\n    1: { }\n    2: { }\n    3: { }\n  } # case\n}\n\
         node b, /c/ {\n\n\n\n}\nclass short {\n}\n\
         $x.each |$y| {\n\n\n\n}\nif $x { } else {\n\n\n\n}\n",
        &expect![[r#"
            class a {
              if $x {
                file { '/x':
                  mode => '1',
                  owner => b,
                }«file '/x'»
              }«if $x»
              case $x {
                1: { }
                2: { }
                3: { }
              } # case
            }«class a»
            node b, /c/ {



            }«node b, /c/»
            class short {
            }
            $x.each |$y| {



            }«.each»
            if $x { } else {



            }
        "#]],
    );
}

#[test]
fn each_kind_can_be_disabled() {
    let source = "$a = 1 + 1\nclass a(Array[String] $p) {\n\
                  $b = $p.size\n$p.each |$c| { f($c) }\n\
                  file { '/x': mode => \"0${a}\" }\n\
                  $d = web::join($p, ',', true)\n}\n";
    let none = HintOptions {
        types: false,
        lambda_types: false,
        values: false,
        attribute_values: false,
        arguments: false,
        closing_braces: false,
        overridden_keys: false,
        end_lines: 3,
    };
    assert_eq!(render(source, none), source);
    let only = |enable: fn(&mut HintOptions)| {
        let mut options = none;
        enable(&mut options);
        let text = render(source, options);
        let labels = text
            .split('«')
            .skip(1)
            .filter_map(|it| it.split('»').next());
        labels.collect::<Vec<_>>().join(" ")
    };
    let lines = [
        only(|it| it.types = true),
        only(|it| it.lambda_types = true),
        only(|it| it.values = true),
        only(|it| it.attribute_values = true),
        only(|it| it.arguments = true),
        only(|it| it.closing_braces = true),
    ];
    expect![[r#"
        : Integer : Integer[0] : String
        String
        = 2 = ''
        = '02'
        separator: last:
        class a"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn values_do_not_repeat_literals() {
    check(
        "$a = ['x', 'y']\n$b = { 'k' => [1] }\n$c = -1\n$d = \"x\"\n$e = File['/a']\n\
         $f = 1 ? { 1 => 'one', default => 'more' }\n$g = pick(undef, 'x')\n$h = ($c)\n\
         $i = @(END)\n text\n | END\n$j = \"${d}\\n\"\n$k = ['a', 'b'].join(',')\n\
         $l = \"${i}${i}${i}${i}${i}${i}${i}${i}${i}${i}\"\n",
        &expect![[r#"
            $a = ['x', 'y']
            $b = { 'k' => [1] }
            $c = -1
            $d = "x"
            $e = File['/a']
            $f = 1 ? { 1 => 'one', default => 'more' }
            $g = pick(undef, 'x')
            $h = ($c)«= -1»
            $i = @(END)
             text
             | END
            $j = "${d}\n"«= "x\n"»
            $k = ['a', 'b'].join(',')«= 'a,b'»
            $l = "${i}${i}${i}${i}${i}${i}${i}${i}${i}${i}"
        "#]],
    );
}

#[test]
fn types_are_widened_until_they_fit() {
    check(
        "class a(Boolean $on, String $s, Hash[String, Hash[String, Array[Integer]]] $h) {\n\
         \x20 $one = $on ? { true => 1, default => 2 }\n\
         \x20 $two = $on ? { true => 'alpha', default => 'beta' }\n\
         \x20 $long = $on ? { true => '/usr/share/alpha', default => '/usr/local/share/beta' }\n\
         \x20 $pair = $h.map |$k, $v| { [$k, $v] }\n\
         \x20 $same = $h\n\
         \x20 $is = $s == 'a'\n\
         \x20 $not = !$on\n\
         \x20 $number = Integer($s)\n}",
        &expect![[r#"
            class a(Boolean $on, String $s, Hash[String, Hash[String, Array[Integer]]] $h) {
              $one«: Integer[1, 2]» = $on ? { true => 1, default => 2 }
              $two«: Enum['alpha', 'beta']» = $on ? { true => 'alpha', default => 'beta' }
              $long«: String[1]» = $on ? { true => '/usr/share/alpha', default => '/usr/local/share/beta' }
              $pair«: Array[Array]» = $h.map |«String»$k, «Hash[String, Array[Integer]]»$v| { [$k, $v] }
              $same«: Hash[String, Hash]» = $h
              $is = $s == 'a'
              $not = !$on
              $number = Integer($s)
            }«class a»"#]],
    );
}

#[test]
fn tooltips() {
    let source = "class a(Array[String] $list) {\n  $a = web::join($list, ',', true)\n\n\n}\n";
    let fixture = Fixture::new(&format!("{MODULE}//- manifests/site.pp\n{source}"));
    let analysis = fixture.analysis();
    let range = TextRange::up_to(TextSize::of(source));
    let hints = analysis.inlay_hints(FileId(2), range, ALL);
    let shown = hints.iter().map(|it| {
        let tooltip = analysis.hint_tooltip(FileId(2), it.offset, it.kind, ALL);
        format!("{}\n{}\n", it.label, tooltip.unwrap_or_default())
    });
    expect![[r#"
        separator:
        ```puppet
        String $separator
        ```

        The text between elements

        ---

        *function `web::join`*
        last:
        ```puppet
        Boolean $last = false
        ```

        ---

        *function `web::join`*
        = ''
        ```puppet
        String = ''
        ```
        class a
        ```puppet
        class a(Array[String] $list)
        ```
    "#]]
    .assert_eq(&shown.collect::<String>());
}

#[test]
fn hints_of_any_file_are_in_bounds_and_sorted() {
    for source in broken_variants(EVERYTHING).step_by(5) {
        let fixture = Fixture::new(&format!("//- manifests/site.pp\n{source}"));
        let range = TextRange::up_to(TextSize::of(source.as_str()));
        let hints = fixture.analysis().inlay_hints(FileId(0), range, ALL);
        assert!(hints.is_sorted_by_key(|it| it.offset));
        for hint in hints {
            assert!(source.is_char_boundary(usize::from(hint.offset)));
            assert!(!hint.label.is_empty());
        }
    }
}

#[test]
fn nearby_literals_are_not_repeated() {
    check(
        "class web {\n  $user = 'dco'\n  $path = \"/home/${user}\"\n  file { '/x': owner => $user, target => $path }\n}",
        &expect![[r#"
            class web {
              $user = 'dco'
              $path = "/home/${user}"«= '/home/dco'»
              file { '/x': owner => $user, target => $path«= '/home/dco'» }
            }«class web»"#]],
    );
}
