use std::time::{Duration, Instant};

use super::{check, group_count};

/// Patterns with the verdict of Ruby 3.1, in the notation of `record_cases.rb`.
const CASES: &str = include_str!("cases.tsv");

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
        let answer = match check(&pattern) {
            Ok(()) => format!("ok {}", group_count(&pattern)),
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
fn checks_long_and_deep_patterns_quickly() {
    const N: usize = 100_000;
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
        let start = Instant::now();
        let verdict = check(pattern);
        let head: String = pattern.chars().take(20).collect();
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{head} took {:?}: {verdict:?}",
            start.elapsed()
        );
    }
    assert_eq!(check(&patterns[0]), Ok(()));
    assert!(check(&patterns[1]).is_err());
    assert!(check(&patterns[2]).is_err());
}
