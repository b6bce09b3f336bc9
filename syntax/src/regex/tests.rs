use expect_test::expect;

use super::{RegexError, parse};

/// Patterns with the verdict of Ruby 3.1, in the notation of `record_cases.rb`.
const CASES: &str = include_str!("cases.tsv");

fn check(source: &str) -> Result<(), RegexError> {
    parse(source).map(drop)
}

fn decode(notation: &str) -> String {
    let mut parts = notation.split('%');
    let mut pattern = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_at(2);
        let code = u8::from_str_radix(code, 16).expect("two hexadecimal digits follow every %");
        pattern.push(char::from(code));
        pattern.push_str(rest);
    }
    pattern
}

#[test]
fn verdicts_and_group_counts_equal_those_of_ruby() {
    let mut wrong = Vec::new();
    for line in CASES.lines() {
        let (expected, notation) = line.split_once('\t').expect("a verdict and a pattern");
        let pattern = decode(notation);
        let answer = match parse(&pattern) {
            Ok(tree) => format!("ok {}", tree.capture_count()),
            Err(error) => {
                assert!(pattern.is_char_boundary(error.offset), "{notation}");
                assert!(!error.message.ends_with('.'), "{notation}");
                assert!(!error.message.contains('\n'), "{notation}");
                "error".to_owned()
            }
        };
        if answer != expected {
            wrong.push(format!("{notation}: expected {expected}, found {answer}"));
        }
    }
    assert!(CASES.lines().count() > 600);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_have_offsets_and_messages() {
    let shown = |source: &str| check(source).map_err(|error| error.to_string());
    let error = |text: &str| Err(text.to_owned());
    assert_eq!(shown("a(b"), error("unclosed group (at byte 1)"));
    assert_eq!(shown("é)"), error("unmatched `)` (at byte 2)"));
    assert_eq!(shown("[[é]"), error("unclosed character class (at byte 0)"));
    assert_eq!(
        shown("あ\\p{Nope}"),
        error("unknown character property `Nope` (at byte 3)")
    );
    assert_eq!(shown("a|*"), error("nothing to repeat (at byte 2)"));
    assert_eq!(
        shown("(a)\\2"),
        error("no capture group 2: the regular expression has 1 (at byte 3)")
    );
}

#[test]
fn accepts_the_documented_false_negatives() {
    // Ruby rejects these; see the module documentation.
    for source in ["(?i)(?<=ass)é", "(?i)(?<=a\\p{Alpha})", "(?<٣>a)", "{٣}"] {
        assert_eq!(check(source), Ok(()), "{source}");
    }
}

#[test]
fn accepts_the_properties_of_later_rubies() {
    assert_eq!(check("\\p{Kawi}\\P{^age=15.0}"), Ok(()));
}

#[test]
fn names_in_messages_stay_short() {
    let error = check(&format!("\\k<{}>", "\n".repeat(1000))).expect_err("the name is unknown");
    assert!(error.message.len() < 200, "{error}");
}

/// Checks take linear time and a constant amount of stack.
#[test]
fn checks_long_and_deep_patterns_in_linear_time() {
    const N: usize = 100_000;
    const STEPS_PER_BYTE: u64 = 10;
    let around = |open: &str, close: &str, n: usize| open.repeat(n) + &close.repeat(n);
    let named = |n: usize| (0..n).map(|i| format!("(?<g{i}>a\\g<g{i}>?)"));
    let chain = |n: usize| (0..n).map(move |i| format!("(?<g{i}>a\\g<g{}>|b)", (i + 1) % n));
    let patterns = [
        around("(", ")", 4095),
        around("(", ")", 4096),
        around("(", ")", N),
        around("[", "]", N),
        around("(?<=", ")", 4000),
        around("(?:", "){2}", 4000),
        "(?i)".repeat(N),
        "(?#".repeat(N),
        "[[:".repeat(N),
        format!("[{}]", "[:a".repeat(N)),
        "[]".repeat(N),
        "a{".repeat(N),
        "a{1,".repeat(N),
        "a".to_owned() + &"*".repeat(N),
        "a".to_owned() + &"{2,3}".repeat(N),
        "a|".repeat(N),
        "\\p{".repeat(N),
        "\\1".repeat(N),
        format!("\\{}", "1".repeat(N)),
        format!("(?<n>a){}", "\\k<n>".repeat(N)),
        format!("{}{}", "(?<n>a)".repeat(30_000), "\\k<n>".repeat(30_000)),
        format!("(?<n>a){}", "\\g<n>".repeat(N)),
        format!("(?<n>a){}", "(?<=\\g<n>)".repeat(N)),
        named(30_000).collect(),
        chain(30_000).collect::<String>() + "(?<=\\g<g0>)",
        "(?<n".repeat(N),
        "\\u{41 ".repeat(N),
        "\\xe3".repeat(N),
    ];
    for pattern in &patterns {
        let before = crate::counted_steps();
        let verdict = check(pattern);
        let steps = crate::counted_steps() - before;
        let head: String = pattern.chars().take(20).collect();
        assert!(
            steps <= STEPS_PER_BYTE * pattern.len() as u64,
            "{head} takes {steps} steps for {} bytes: {verdict:?}",
            pattern.len()
        );
    }
    assert_eq!(check(&patterns[0]), Ok(()));
    assert!(check(&patterns[1]).is_err());
    assert!(check(&patterns[2]).is_err());
}

#[test]
fn messages() {
    let sources = [
        "\\",
        "[a",
        "[]",
        "[b-a]",
        "[a-\\d]",
        "[\\d-a]",
        "[[:x:]]",
        "\\p{a",
        "\\p{Nope}",
        "a{2,1}",
        "a{100001}",
        "*",
        "(?",
        "(?<",
        "(?_)",
        "(?#",
        "(?i-z)",
        ")",
        "(",
        "(?<1a>a)",
        "(?<>a)",
        "(?<a",
        "\\k<a>",
        "\\k<1a>",
        "\\k<a+>",
        "\\k<-1>",
        "\\k<0>",
        "\\1",
        "(?<a>b)\\1",
        "\\g<a>",
        "(?<a>b)(?<a>c)\\g<a>",
        "\\g<1>",
        "(?(a)b)",
        "(?(1)a|b|c)",
        "(a)(?(<1>b)",
        "(?<=a*)",
        "(?<=(?=a))",
        "(?<!(a))",
        "(?<a>\\g<a>)",
        "(?<a>b\\g<a>)",
        "\\xff",
        "\\xe3a",
        "\\M",
        "\\M-",
        "\\C",
        "\\M-\\M-a",
        "\\M-\\q",
        "\\c",
        "\\777",
        "\\x",
        "\\u12",
        "\\u{}",
        "\\u{110000}",
        "\\ud800",
    ];
    let shown = sources.iter().map(|it| match check(it) {
        Ok(()) => format!("{it}\n    valid\n"),
        Err(error) => format!("{it}\n    {}\n", error.message),
    });
    expect![[r#"
        \
            trailing backslash
        [a
            unclosed character class
        []
            empty character class
        [b-a]
            empty range in character class
        [a-\d]
            character set cannot end a range
        [\d-a]
            character set cannot start a range
        [[:x:]]
            unknown POSIX bracket
        \p{a
            unclosed character property name
        \p{Nope}
            unknown character property `Nope`
        a{2,1}
            invalid repetition: the upper bound is less than the lower bound
        a{100001}
            invalid repetition: expected a count of at most 100000
        *
            nothing to repeat
        (?
            unclosed group
        (?<
            missing group name
        (?_)
            invalid group option: expected `i`, `m` or `x`, which a hyphen turns off, or `a`, `d` or `u`
        (?#
            unclosed comment
        (?i-z)
            invalid group option: expected `i`, `m` or `x`, which a hyphen turns off, or `a`, `d` or `u`
        )
            unmatched `)`
        (
            unclosed group
        (?<1a>a)
            invalid group name: it cannot start with a digit or a hyphen
        (?<>a)
            missing group name
        (?<a
            unclosed group name: missing `>`
        \k<a>
            unknown group `a`
        \k<1a>
            invalid group number: expected only digits
        \k<a+>
            invalid nesting level: expected a number
        \k<-1>
            invalid group number: not enough groups before the reference
        \k<0>
            invalid group number 0: group numbers start at 1
        \1
            no capture group 1: the regular expression has 0
        (?<a>b)\1
            numbered group references are not allowed in a pattern with named groups
        \g<a>
            call of an unknown group
        (?<a>b)(?<a>c)\g<a>
            ambiguous call: several groups have this name
        \g<1>
            no capture group 1: the regular expression has 0
        (?(a)b)
            invalid condition: expected a group number, or a group name in `<>`
        (?(1)a|b|c)
            invalid condition: expected at most two alternatives
        (a)(?(<1>b)
            unclosed condition
        (?<=a*)
            invalid look-behind: it must have a fixed length, except between its outermost alternatives
        (?<=(?=a))
            invalid look-behind: it cannot contain references, look-aheads, `\z`, `\Z`, `\R`, `\X`, conditions, atomic groups or absent groups
        (?<!(a))
            invalid look-behind: a negative look-behind cannot contain capture groups
        (?<a>\g<a>)
            never-ending recursion: the call recurses before it matches a character
        (?<a>b\g<a>)
            never-ending recursion: every match of the called group calls it again
        \xff
            invalid byte escape: not a UTF-8 character
        \xe3a
            invalid byte escape: incomplete UTF-8 character
        \M
            invalid `\M` escape: expected `-`
        \M-
            invalid control or meta escape: expected an ASCII character
        \C
            invalid `\C` escape: expected `-`
        \M-\M-a
            duplicate modifier in escape
        \M-\q
            unexpected escape after a control or meta escape
        \c
            invalid control or meta escape: expected an ASCII character
        \777
            invalid octal escape: expected at most `\377`
        \x
            invalid `\x` escape: expected one or two hexadecimal digits
        \u12
            invalid `\u` escape: expected four hexadecimal digits, or a list in braces
        \u{}
            invalid `\u{…}` escape: expected hexadecimal code points and `}`
        \u{110000}
            invalid `\u` escape: not a Unicode character
        \ud800
            invalid `\u` escape: not a Unicode character
    "#]].assert_eq(&shown.collect::<String>());
}
