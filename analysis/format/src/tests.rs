use expect_test::{Expect, expect};

use syntax::apply_edits;

use super::*;
use crate::spaced_tokens::spaced_tokens;
use fixture::*;

pub(crate) fn formatted(source: &str) -> String {
    formatted_as(source, MANIFEST, &FormatOptions::default())
}

pub(crate) fn formatted_as(source: &str, dialect: Dialect, options: &FormatOptions) -> String {
    let parse = parse(source, dialect);
    let edits = format(&parse, source, dialect, options).expect("source has no errors");
    apply_edits(source, &edits).expect("edits do not overlap")
}

/// Formats a source and checks that formatting is idempotent.
pub(crate) fn check(source: &str, expected: &Expect) {
    check_with(source, &FormatOptions::default(), expected);
}

/// Like [`check`], with other options.
pub(crate) fn check_with(source: &str, options: &FormatOptions, expected: &Expect) {
    let once = formatted_as(source, MANIFEST, options);
    expected.assert_eq(&once);
    assert_eq!(formatted_as(&once, MANIFEST, options), once);
}

#[test]
fn indents_the_content_of_brackets() {
    check(
        "class a(\n$x,\n    String $y = 'a',\n) inherits b{\nif $x{\n notice(1)\n}else{\n      notice(2)\n  }\n}\n",
        &expect![[r#"
            class a (
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
              mode    => '0644',
              owner   => x,
              content => {
                a      => 1,
                'long' => { b => 2, ccc => 3 },
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
              $x = foo(
                'a',
                'b'
              )
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
              $y,
            ) inherits b {
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
              default: {}
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
              notice(1, 2)   # why

              notice(4) # so
            }
        "#]],
    );
}

#[test]
fn preserves_crlf() {
    assert_eq!(
        formatted("class a {\r\n$x = [1  ,\r\n\r\n\r\n2]\r\n}"),
        "class a {\r\n  $x = [\r\n    1,\r\n\r\n    2,\r\n  ]\r\n}\r\n"
    );
    assert_eq!(
        formatted("class a { # a  \r\n#\r\n}\r\n# b\r\n"),
        "class a { # a\r\n  #\r\n}\r\n# b\r\n"
    );
}

#[test]
fn ignores_syntax_errors() {
    let options = FormatOptions::default();
    for (source, dialect) in [
        ("class a {\n$x =\n}\n", MANIFEST),
        ("<% if $x { %>\n", TEMPLATE),
    ] {
        assert!(format(&parse(source, dialect), source, dialect, &options).is_none());
    }
}

#[test]
fn preserves_all_code() {
    // Remove the syntax error.
    let options = FormatOptions::default();
    let sound = EVERYTHING.replace(" ~> Service[httpd]", "");
    formatted(&sound);
    for source in broken_variants(&sound) {
        let parse = parse(&source, MANIFEST);
        let is_sound = !parse
            .errors()
            .iter()
            .any(|it| it.severity == syntax::Severity::Error);
        assert_eq!(
            format(&parse, &source, MANIFEST, &options).is_some(),
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
    let edits = format_range(&parse, source, MANIFEST, &FormatOptions::default(), range)
        .expect("source has no errors");
    let after = apply_edits(source, &edits).expect("edits do not overlap");
    assert_eq!(after, "class a {\n$x = 1\n  $y = 2\n}\n");
}

#[test]
fn sets_blanks() {
    check(
        "class   x( String $a=1 ) inherits   y{\n  if($x==1 and !( $y )){$h2={a =>[ 1 , 2 ],b=>{}}}else{ }\n  file {'/x':ensure => file}\n  $z = $h[ 'a' ] .each | $k,$v |{ notice ( -1+$k ) }\n  A['b']->B<|tag=='x'|>\n}\n",
        &expect![[r#"
            class x (String $a = 1) inherits y {
              if ($x == 1 and !($y)) { $h2 = { a => [1, 2], b => {} } } else {}
              file { '/x': ensure => file }
              $z = $h['a'].each |$k, $v| { notice(-1 + $k) }
              A['b'] -> B <| tag == 'x' |>
            }
        "#]],
    );
}

#[test]
fn joins_lines_that_belong_together() {
    check(
        "class a\n(\n  $x\n)\n  inherits b\n{\n  if $x\n  {\n    $y =\n      {\n        'a' =>\n          1,\n      }\n  }\n  else\n  {\n    $z =\n      2\n  }\n  case $x {\n    'a':\n    {\n      $v = 1\n    }\n    # why\n    default: # so\n    {\n    }\n  }\n}\n",
        &expect![[r#"
            class a (
              $x,
            ) inherits b {
              if $x {
                $y = {
                  'a' => 1,
                }
              } else {
                $z =
                  2
              }
              case $x {
                'a': {
                  $v = 1
                }
                # why
                default: # so
                {
                }
              }
            }
        "#]],
    );
}

#[test]
fn keeps_semicolons_on_their_lines() {
    check(
        "file {\ndefault:\nmode => '0600',\n;\n'/a':\n# all defaults\n;\n'/c':\n;\n'/b':\nmode => ['0644']\n  ;\n}\n",
        &expect![[r#"
            file {
              default:
                mode => '0600',
              ;
              '/a':
                # all defaults
              ;
              '/c':
              ;
              '/b':
                mode => ['0644']
              ;
            }
        "#]],
    );
}

#[test]
fn joins_separators_and_arrows_to_what_they_follow() {
    check(
        "class a (\n  $x\n  = 1\n  , $y\n) {\n  file { 'a'\n    :\n    mode\n      => $x[\n  'b'\n]\n  ;\n  'b': }\n  $z =\n\n    $x\n}\n",
        &expect![[r#"
            class a (
              $x = 1,
              $y,
            ) {
              file { 'a':
                mode => $x['b']
                ;
                'b':
              }
              $z =
                $x
            }
        "#]],
    );
}

#[test]
fn keeps_brackets_around_texts_on_several_lines() {
    for source in [
        "warning('a\nb')\n",
        "foo($a, \"b\n${c}\nd\", 'e')\n",
        "$a = join(['b', \"c\nd\"], ',')\n",
        "$a = split(inline_template(\"<%=\n  @b\n%>\"), ',')\n",
        "exec { '/a':\n  command => join(['b', \"c\nd\"]),\n}\n",
        "warning(\n  'a\nb'\n)\n",
    ] {
        assert_eq!(formatted(source), source);
    }
}

#[test]
fn breaks_lines_around_brackets() {
    check(
        "$a = { 'a' => 1,\n       'b' => 2 }\n$b = foo($x, 'a',\n         ['b',\n          'c'])\nfile { ['/a',\n        '/b']: ensure => file,\n  mode => '0644' }\nif ($a or\n    $b) { notice(1)\n}\nfoo($x, { a => 1,\n  b => 2, })\nwarning('a\nb')\n",
        &expect![[r#"
            $a = {
              'a' => 1,
              'b' => 2,
            }
            $b = foo(
              $x, 'a',
              [
                'b',
                'c',
              ]
            )
            file { [
                '/a',
                '/b',
              ]:
                ensure => file,
                mode   => '0644',
            }
            if (
              $a or
              $b
            ) {
              notice(1)
            }
            foo($x, {
              a => 1,
              b => 2,
            })
            warning('a
            b')
        "#]],
    );
}

#[test]
fn indents_brackets_that_open_on_one_line() {
    check(
        "file { [\n'/a',\n'/b',\n]:\nensure => file,\n}\nf({\na => 1,\n}\n)\nclass x (\nArray[Variant[\nA,\nB,\n]] $y,\nOptional[Variant[\nA,\nB\n]\n] $z,\n) {\nfile { 'a':\nensure => file;\n# c\n'b':\nensure => absent;\n# d\n}\n$v = $a +\n$b\n}\n",
        &expect![[r#"
            file { [
                '/a',
                '/b',
              ]:
                ensure => file,
            }
            f({
                a => 1,
              }
            )
            class x (
              Array[Variant[
                A,
                B,
              ]] $y,
              Optional[Variant[
                  A,
                  B
                ]
              ] $z,
            ) {
              file { 'a':
                ensure => file;
                # c
                'b':
                  ensure => absent;
                # d
              }
              $v = $a +
              $b
            }
        "#]],
    );
}

#[test]
fn moves_the_arrows_of_relationships() {
    check(
        "class a {\n  A['a'] ->\n    B['b'] ~> # why\n  # because\n  C['c']\n    -> D['d']\n  file { 'a': } ->\n\n  file { 'b': }\n}\n",
        &expect![[r#"
            class a {
              A['a']
              -> B['b'] # why
              # because
              ~> C['c']
              -> D['d']
              file { 'a': }
              -> file { 'b': }
            }
        "#]],
    );
}

#[test]
fn adds_trailing_commas() {
    check(
        "class a (\n  $x\n) {\n  file { 'a':\n    mode => '0644' # why\n  }\n  File {\n    owner => 'a'\n  }\n  $y = [\n    'a'\n    # c\n  ]\n  file { 'b':\n    content => @(END)\n      text\n      | END\n  }\n  file { 'c':\n    mode => 'a';\n  }\n  foo(\n    'a'\n  )\n  file { 'd':\n  }\n  $z = $y ? {\n    default => 1\n  }\n}\n",
        &expect![[r#"
            class a (
              $x,
            ) {
              file { 'a':
                mode => '0644', # why
              }
              File {
                owner => 'a',
              }
              $y = [
                'a',
                # c
              ]
              file { 'b':
                content => @(END),
                  text
                  | END
              }
              file { 'c':
                mode => 'a';
              }
              foo(
                'a'
              )
              file { 'd':
              }
              $z = $y ? {
                default => 1,
              }
            }
        "#]],
    );
    let source = "$x = [\n  'a'\n]\n";
    let options = FormatOptions {
        trailing_commas: false,
        ..FormatOptions::default()
    };
    assert_eq!(formatted_as(source, MANIFEST, &options), source);
}

#[test]
fn keeps_the_alignment_of_authors() {
    check(
        "class a (\n  String         $x     = 'a',\n  Array[String,1]  $yyyyyy  = [ 'a' ],\n  Integer        $zz    = 1,\n) {\n  $a    = 1\n  $long = foo( 1 )\n  $c   = 3\n  case $a {\n    1:       { $b = 1 }\n    default: { $b = 2 }\n  }\n}\n",
        &expect![[r#"
            class a (
              String         $x     = 'a',
              Array[String, 1] $yyyyyy = ['a'],
              Integer        $zz    = 1,
            ) {
              $a    = 1
              $long = foo(1)
              $c    = 3
              case $a {
                1:       { $b = 1 }
                default: { $b = 2 }
              }
            }
        "#]],
    );
}

#[test]
fn never_breaks_a_line_before_the_text_of_a_heredoc() {
    check(
        "$x = foo(@(A), { 'a' => 1,\n  text\n  | A\n  'b' => 2 })\n$y = [@(B), 'c',\n  text\n  | B\n  'd']\n",
        &expect![[r#"
            $x = foo(@(A), { 'a' => 1,
              text
              | A
              'b' => 2,
            })
            $y = [
              @(B), 'c',
              text
              | B
              'd',
            ]
        "#]],
    );
}

#[test]
fn separates_the_bodies_of_a_resource_on_several_lines() {
    check(
        "file { '/a': ensure => file; '/b': ensure => absent,\n  mode => '0644' }\n\
         file { '/c': ; '/d': ensure => file }\n\
         file {\n  '/c': ;\n  '/e': mode => '1', owner => a; '/f': # why\n  ensure => file;\n}\n\
         file { default:\n  mode => '0644'; ['/g']: ; }\n\
         notify { 'a': message => 'x\ny'; 'b': }\n",
        &expect![[r#"
            file {
              '/a': ensure => file;
              '/b':
                ensure => absent,
                mode   => '0644',
            }
            file { '/c': ; '/d': ensure => file }
            file {
              '/c': ;
              '/e': mode => '1', owner => a;
              '/f': # why
                ensure => file;
            }
            file { default:
              mode => '0644';
              ['/g']: ;
            }
            notify {
              'a': message => 'x
            y';
              'b':
            }
        "#]],
    );
}

#[test]
fn names_the_kinds_of_changes() {
    let source = "\n\nclass a( ) {  \n\n\tfile {'a':\n    mode=>  1,\n    owner => 2\n  }\n  A['a'] ->\n   B[ 'b' ]\n  $x   = { 'a'   => 1}\n}";
    let parse = parse(source, MANIFEST);
    let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
    let changes = changes.expect("source has no errors");
    let lines: Vec<String> = changes
        .iter()
        .map(|it| format!("{:?} {:?} -> {:?}", it.kind, &source[it.range], it.text))
        .collect();
    expect![[r#"
        EmptyLines "\n\n" -> ""
        Header "" -> " "
        Blanks " " -> ""
        TrailingBlanks "  " -> ""
        EmptyLines "\n\n" -> "\n"
        Tab "\t" -> "  "
        Brace "" -> " "
        ArrowAlignment "" -> "  "
        AfterArrow "  " -> " "
        TrailingComma "" -> ","
        RelationshipArrow " ->\n   " -> "\n  -> "
        Bracket " " -> ""
        Bracket " " -> ""
        Blanks "   " -> " "
        HashAlignment "   " -> " "
        Brace "" -> " "
        EndOfFile "" -> "\n""#]]
    .assert_eq(&lines.join("\n"));
    for change in &changes {
        let alone = apply_edits(source, &[change.edit()]).expect("a valid edit");
        assert_eq!(formatted(&alone), formatted(source), "{change:?}");
    }
}

#[test]
fn on_type_formatting_agrees_with_the_whole() {
    for indent_continuations in [false, true] {
        assert_on_type_formatting_agrees(&FormatOptions {
            indent_continuations,
            ..FormatOptions::default()
        });
    }
}

fn assert_on_type_formatting_agrees(options: &FormatOptions) {
    let sound = EVERYTHING.replace(" ~> Service[httpd]", "");
    let source = format!("{sound}file {{\n'a':\nmode => '1',\n;\n'b':\n# why\n;\n}}\n$x =\n$a\n");
    let source = match options.indent_continuations {
        false => source,
        true => format!("{source}+ $b\n.foo |$c| {{\n$c +\n$d\n}}\nif (\n$a or\n$b\n) {{\n}}\n"),
    };
    let source = formatted_as(&source, MANIFEST, options);
    let parsed = parse(&source, MANIFEST);
    let tokens = spaced_tokens(&parsed.syntax());
    let lines = tokens
        .iter()
        .filter(|it| it.starts_line && !it.has_significant_gap);
    for spaced in lines {
        let range = spaced.token.text_range();
        let before = &source[..usize::from(range.start())];
        let line = before.rfind('\n').map_or(0, |it| it + 1);
        if spaced.kind() == SyntaxKind::R_BRACE {
            let edits = edits_for_closing_brace(&parsed, &source, range.end());
            assert_eq!(edits, Some(Vec::new()), "{before}");
        } else if spaced.kind() == SyntaxKind::SEMICOLON {
            let edits = edits_for_semicolon(&parsed, &source, range.end());
            assert_eq!(edits, Some(Vec::new()), "{before}");
        } else if !matches!(spaced.kind(), SyntaxKind::R_PAREN | SyntaxKind::R_BRACK) {
            let text = format!("{}\n{}", &source[..line], &source[line..]);
            let parsed = parse(&text, MANIFEST);
            let edits = edits_for_new_line(
                &parsed,
                &text,
                TextSize::of(&source[..line]),
                options.indent_continuations,
            );
            let column = edits.map(|it| it.first().map_or(0, |it| it.text.len()));
            assert_eq!(column, Some(before.len() - line), "{before}");
        }
    }
}

#[test]
fn never_formats_a_part_of_a_moved_arrow() {
    let source = "A['a'] ->\n# why\n   B['b']\n";
    let parse = parse(source, MANIFEST);
    for end in 0..source.len() {
        let range = TextRange::up_to(TextSize::try_from(end).expect("a short source"));
        let options = FormatOptions::default();
        let edits = format_range(&parse, source, MANIFEST, &options, range);
        let after = apply_edits(source, &edits.expect("source has no errors"));
        assert_eq!(after.as_deref(), Some("A['a']\n# why\n-> B['b']\n"));
    }
}

/// Returns the source after on-type formatting of a character typed before the cursor.
fn typed(source: &str, typed: char) -> String {
    let (text, offset) = cursor(source);
    let parse = parse(&text, MANIFEST);
    let edits = match typed {
        '\n' => edits_for_new_line(&parse, &text, offset, false),
        ';' => edits_for_semicolon(&parse, &text, offset),
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
        (
            "class a {\n  $x = @(END)\n    one\n    <^>\n}\n",
            "class a {\n  $x = @(END)\n    one\n    \n}\n",
        ),
        ("$x = foo('a',\n<^>\n)", "$x = foo('a',\n  \n)"),
        ("$x =\n<^>", "$x =\n  "),
        (
            "file { [\n    'a',\n<^>\n  ]:\n}",
            "file { [\n    'a',\n    \n  ]:\n}",
        ),
    ] {
        assert_eq!(typed(source, '\n'), expected, "{source}");
    }
}

#[test]
fn aligns_a_semicolon_with_the_titles() {
    for (source, expected) in [
        (
            "file {\n  'a':\n    mode => 1,\n    ;<^>\n}",
            "file {\n  'a':\n    mode => 1,\n  ;\n}",
        ),
        (
            "file { 'a':\n  mode => 1,\n;<^>\n}",
            "file { 'a':\n  mode => 1,\n  ;\n}",
        ),
        (
            "class a {\n  file {\n    'a':\n      # why\n      ;<^>",
            "class a {\n  file {\n    'a':\n      # why\n    ;",
        ),
        (
            "file {\n  'a':\n    mode => 1;<^>\n}",
            "file {\n  'a':\n    mode => 1;\n}",
        ),
        ("$x = 'a\n ;<^>\n'", "$x = 'a\n ;\n'"),
    ] {
        assert_eq!(typed(source, ';'), expected, "{source}");
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
        ("$x = { 'a' => 1\n  }<^>", "$x = { 'a' => 1\n}"),
        ("notice('\n}<^>')", "notice('\n}')"),
        ("$x = @(END)\n  {\n      }<^>", "$x = @(END)\n  {\n      }"),
    ] {
        assert_eq!(typed(source, '}'), expected, "{source}");
    }
}
