use super::*;
use crate::parse;

const CODE: &str = "# Head
class a (
  Integer $x = 1,
) inherits b {
  $v = [1, 2, { 'k' => /r/ }]
  include c, d
  notice 'x', 'y'; notice('z')
  if $x > 1 and $v =~ Array {
    $w = \"a${x}b${v[0].map |$i| { $i / 2 }}\" # comment
    file { '/x': ensure => file, mode => '0644', }
    File <| title == 'x' |> -> Service['y']
  } elsif $x { fail } else {
    $u = @(END)
      text ${x}
      | END
    warning($u)
  }
  case $x {
    1, 2: { $r = (1 + 2) * 3 }
    default: { $r = $x ? { 1 => 'a', default => undef } }
  }
  $v.each |$k, $e| {
    a::b { \"t${k}\":
      p => -1,
      *  => $e,
    }
  }
  /* more */ $last = $v[0][1]
}
$top = 5 / 2
notice $top
";

/// The insertions.
const TYPED: [&str; 24] = [
    "x",
    "1",
    " ",
    "\n",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "'",
    "\"",
    "$",
    ":",
    "::",
    ",",
    ";",
    "#",
    "/",
    "=",
    "=>",
    "if $a { b }",
    "$q = 1\n",
    "@(END)\n",
];

/// Checks that an incremental parse equals a full parse. Returns whether it needed only a part of
/// the file; `None` if the edit leaves errors.
fn check(before: &str, text: &str) -> Option<bool> {
    let whole = parse(text, Dialect::default());
    let old = parse(before, Dialect::default());
    assert_eq!(
        old.reparse(before, text, Dialect::default()),
        whole,
        "{text}"
    );
    let near = old.reparse_near(before, text, Dialect::default());
    if near.errors().is_empty() {
        assert_eq!(near, whole, "{text}");
    }
    let edited = Edited::between(before, text).expect("the sources are short");
    let is_sound = old.errors().is_empty() && whole.errors().is_empty();
    is_sound.then(|| old.reparse_around(&edited, Errors::None).is_some())
}

#[test]
fn every_edit_equals_a_full_parse() {
    let (mut all, mut parts) = (0, 0);
    for (at, letter) in CODE.char_indices() {
        let behind = at + letter.len_utf8();
        let mut texts: Vec<String> = TYPED
            .iter()
            .map(|it| format!("{}{it}{}", &CODE[..at], &CODE[at..]))
            .collect();
        for length in [0, 1, 7, 40] {
            let end = CODE.floor_char_boundary((behind + length).min(CODE.len()));
            texts.push(format!("{}{}", &CODE[..at], &CODE[end..]));
        }
        for text in texts {
            let is_part = check(CODE, &text);
            all += usize::from(is_part.is_some());
            parts += usize::from(is_part == Some(true));
        }
    }
    assert!(parts * 10 > all * 9, "{parts} of {all}");
}

#[test]
fn the_edit_of_a_word_reparses_a_part() {
    for (from, to) in [
        ("$i / 2", "$index / 2"),
        ("'0644'", "'0600'"),
        ("$r = (1 + 2)", "$r = (1 + 25)"),
        ("$last", "$latest"),
        ("5 / 2", "5 / 23"),
    ] {
        assert_eq!(check(CODE, &CODE.replace(from, to)), Some(true), "{from}");
    }
}

#[test]
fn edits_with_distant_effects_equal_a_full_parse() {
    for (before, text) in [
        // The next statement becomes the argument of a call.
        ("foo\n'x'\n$a = 1", "notice\n'x'\n$a = 1"),
        (
            "$a = 1\n[2].each |$x| { }\n$b = 2",
            "$a = b\n[2].each |$x| { }\n$b = 2",
        ),
        // A later slash ends the regular expression.
        (
            "$a = [1]\n$b = 'c/d'\n$e = 2",
            "$a = /1]\n$b = 'c/d'\n$e = 2",
        ),
        ("if a { b }\n$c = 1", "if a { b #}\n$c = 1"),
        ("$a = 1\n$b = 2", "$a = 1 #\n$b = 2"),
        ("$a = 1\n$b = 2", "$a = 1 #$b = 2"),
        ("", "$a"),
        ("$a", ""),
    ] {
        check(before, text);
    }
}

#[test]
fn errors_near_the_cursor_keep_the_other_statements() {
    for (from, to) in [
        ("'z')\n", "'z')\n  $q = $x[word\n"),
        ("'z')\n", "'z')\n  include(word, \n"),
        ("'z')\n", "'z')\n  file { '/x': ensure => word\n"),
        ("{ $i / 2 }", "{ $i.with(word, }"),
        ("$r = (1 + 2) * 3", "$r = [(1 + 2) * 3"),
        ("$top = 5 / 2", "$top = { word => 5"),
        ("/* more */", "each($v) | word,"),
        ("if $x >", "iwordf $x >"),
        ("p => -1,", "p -1,"),
        ("mode => '0644'", "mode '0644'"),
        ("Array {", "Array word {"),
    ] {
        let text = CODE.replace(from, to);
        let tree = parse(CODE, Dialect::default());
        let near = tree.reparse_near(CODE, &text, Dialect::default());
        assert_eq!(near.syntax().text().to_string(), text);
        let statements = |it: &Parse| it.syntax().children().count();
        assert_eq!(statements(&near), statements(&tree), "{text}");
        assert!(
            !near.errors().is_empty() && !parse(&text, Dialect::default()).errors().is_empty(),
            "{text}"
        );
    }
}
