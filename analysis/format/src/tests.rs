use expect_test::{Expect, expect};

use super::*;
use fixture::*;

fn formatted(source: &str) -> String {
    let parse = parse(source, MANIFEST);
    let edits = format(&parse, source, MANIFEST).expect("source has no errors");
    apply_edits(source, &edits).expect("edits do not overlap")
}

/// Formats a source and checks that formatting is idempotent.
fn check(source: &str, expected: &Expect) {
    let once = formatted(source);
    expected.assert_eq(&once);
    assert_eq!(formatted(&once), once);
}

#[test]
fn indents_the_content_of_brackets() {
    check(
        "class a(\n$x,\n    String $y = 'a',\n) inherits b{\nif $x{\n notice(1)\n}else{\n      notice(2)\n  }\n}\n",
        &expect![[r#"
            class a(
              $x,
              String $y = 'a',
            ) inherits b {
              if $x {
                notice(1)
              } else {
                notice(2)
              }
            }
        "#]],
    );
}

#[test]
fn aligns_arrows() {
    check(
        "file { '/a':\n  ensure=>file,\n  mode =>   '0644', owner => x,\n  content => {\n    a => 1,\n    'long' => { b => 2, ccc   => 3 },\n  },\n}\n",
        &expect![[r#"
            file { '/a':
              ensure  => file,
              mode => '0644', owner => x,
              content => {
                a      => 1,
                'long' => { b => 2, ccc   => 3 },
              },
            }
        "#]],
    );
}

#[test]
fn indents_attributes_below_a_title_on_a_separate_line() {
    check(
        "file {\n'/a':\nensure => file,\nmode => '1';\n'/b':\n# why\nensure => absent,\n# the last\n}\n",
        &expect![[r#"
            file {
              '/a':
                ensure => file,
                mode   => '1';
              '/b':
                # why
                ensure => absent,
                # the last
            }
        "#]],
    );
}

#[test]
fn shifts_continuation_lines() {
    check(
        "class a {\n    $x = foo('a',\n             'b')\n    File['a']\n    -> File['b']\n    $y = $x\n      + 1\n}\n",
        &expect![[r#"
            class a {
              $x = foo('a',
                       'b')
              File['a']
              -> File['b']
              $y = $x
                + 1
            }
        "#]],
    );
}

#[test]
fn indents_blocks_relative_to_their_owner() {
    check(
        "class a (\n  $x,\n  $y,) inherits b {\n  if $x and\n      $y {\n  $z = 1\n  } elsif $x or\n     $y {\n    }\n  }\n",
        &expect![[r#"
            class a (
              $x,
              $y,) inherits b {
              if $x and
                  $y {
                $z = 1
              } elsif $x or
                 $y {
              }
            }
        "#]],
    );
}

#[test]
fn indents_options() {
    check(
        "case $a {\n'a',\n'b': {\n$x = $y ? {\n'a' => 1,\n    default => 2,\n}\n}\ndefault: { }\n}\n",
        &expect![[r#"
            case $a {
              'a',
              'b': {
                $x = $y ? {
                  'a'     => 1,
                  default => 2,
                }
              }
              default: { }
            }
        "#]],
    );
}

#[test]
fn indents_lambdas_and_nested_hashes() {
    check(
        "$x.each |$k, $v| {\nfile { $k:\n  * => merge($v, {\n'a' => 1,\n}),\n}\n}\n$z = $x.map |$y| { $y }\n  .filter |$y| {\n$y\n}\n",
        &expect![[r#"
            $x.each |$k, $v| {
              file { $k:
                * => merge($v, {
                  'a' => 1,
                }),
              }
            }
            $z = $x.map |$y| { $y }
              .filter |$y| {
                $y
              }
        "#]],
    );
}

#[test]
fn preserves_strings() {
    check(
        "class a {\n$x = 'a\n    b'\n$y = \"a ${ $x }  \n  b\"\n$z = @(END)\n  text,  \n    more\n  | END\nnotice($z)   \n}\n\n\n\n",
        &expect![[r#"
            class a {
              $x = 'a
                b'
              $y = "a ${ $x }  
              b"
              $z = @(END)
              text,  
                more
              | END
              notice($z)
            }
        "#]],
    );
}

#[test]
fn normalizes_tabs_blanks_and_empty_lines() {
    check(
        "\n\nclass a {\n\tnotice(1,2)   # why  \n\n\n\n\t\tnotice( 4 )# so\n}",
        &expect![[r#"
            class a {
              notice(1,2)   # why

              notice( 4 ) # so
            }
        "#]],
    );
}

#[test]
fn preserves_crlf() {
    assert_eq!(
        formatted("class a {\r\n$x = 1  \r\n\r\n\r\n}"),
        "class a {\r\n  $x = 1\r\n\r\n}\r\n"
    );
}

#[test]
fn ignores_templates_and_syntax_errors() {
    for (source, dialect) in [("class a {\n$x =\n}\n", MANIFEST), ("<% $x %>\n", TEMPLATE)] {
        assert!(format(&parse(source, dialect), source, dialect).is_none());
    }
}

#[test]
fn preserves_all_code() {
    // Remove the syntax error.
    let sound = EVERYTHING.replace(" ~> Service[httpd]", "");
    formatted(&sound);
    for source in broken_variants(&sound) {
        let parse = parse(&source, MANIFEST);
        let is_sound = !parse
            .errors()
            .iter()
            .any(|it| it.severity == Severity::Error);
        assert_eq!(
            format(&parse, &source, MANIFEST).is_some(),
            is_sound,
            "{source}"
        );
    }
}

#[test]
fn formats_only_the_lines_of_a_range() {
    let source = "class a {\n$x = 1\n$y = 2\n}\n";
    let parse = parse(source, MANIFEST);
    let range = TextRange::new(17.into(), 18.into());
    let edits = format_range(&parse, source, MANIFEST, range).expect("source has no errors");
    let after = apply_edits(source, &edits).expect("edits do not overlap");
    assert_eq!(after, "class a {\n$x = 1\n  $y = 2\n}\n");
}

/// Returns the source after on-type formatting of a character typed before the cursor.
fn typed(source: &str, typed: char) -> String {
    let (text, offset) = cursor(source);
    let parse = parse(&text, MANIFEST);
    let edits = match typed {
        '\n' => edits_for_new_line(&parse, &text, offset),
        _ => edits_for_closing_brace(&parse, &text, offset),
    };
    apply_edits(&text, &edits.unwrap_or_default()).expect("edits do not overlap")
}

#[test]
fn indents_a_new_line() {
    for (source, expected) in [
        ("class a {\n<^>\n}\n", "class a {\n  \n}\n"),
        ("class a {\n<^>", "class a {\n  "),
        (
            "class a {\n  file { 'a':\n<^>\n  }\n",
            "class a {\n  file { 'a':\n    \n  }\n",
        ),
        ("file {\n  'a':\n<^>\n}\n", "file {\n  'a':\n    \n}\n"),
        (
            "file {\n  'a':\n    ensure => file,\n<^>\n}\n",
            "file {\n  'a':\n    ensure => file,\n    \n}\n",
        ),
        ("$x = [\n<^>", "$x = [\n  "),
        ("class a { }\n    <^>", "class a { }\n"),
        ("$x = 'a\n<^>\n'", "$x = 'a\n\n'"),
        ("$x = foo('a',\n<^>\n)", "$x = foo('a',\n\n)"),
    ] {
        assert_eq!(typed(source, '\n'), expected, "{source}");
    }
}

#[test]
fn aligns_a_closing_brace() {
    for (source, expected) in [
        (
            "class a {\n  if $x {\n    }<^>",
            "class a {\n  if $x {\n  }",
        ),
        ("$x = {\n  }<^>", "$x = {\n}"),
        ("$x = { 'a' => 1\n  }<^>", "$x = { 'a' => 1\n  }"),
        ("notice('\n}<^>')", "notice('\n}')"),
    ] {
        assert_eq!(typed(source, '}'), expected, "{source}");
    }
}
