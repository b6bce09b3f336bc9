//! How types and values are written in messages.

use crate::infer::{Counts, Inferred};
use crate::shortened;
use crate::types::{Type, display_expanded, display_hover};
use crate::values::{Value, quote};

/// So many characters of a type or value are shown.
const MAX_SHOWN: usize = 100;

/// What is expected: an alias with what it stands for, as long as that is short.
pub(super) fn expected(type_: &Type) -> String {
    let expanded = display_expanded(type_);
    if expanded.chars().count() <= MAX_SHOWN {
        return format!("`{expanded}`");
    }
    format!("`{}`", one_line(&display_hover(type_)))
}

/// What is there: the value, if there is only one and it is a simple one, or else the type.
pub(super) fn actual(type_: &Type) -> String {
    let text = match Inferred::of(type_.clone()).value {
        Some(Value::String(it)) => quote(&it),
        Some(Value::Integer(it)) => it.to_string(),
        Some(Value::Boolean(it)) => it.to_string(),
        Some(Value::Undef) => "undef".to_owned(),
        _ => display_hover(type_),
    };
    format!("`{}`", one_line(&text))
}

/// The start of a text that is too long for a message, or has several lines.
fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let shown = shortened(line, MAX_SHOWN);
    if shown == line && line.len() < text.len() {
        return format!("{line}…");
    }
    shown
}

/// A number of things, in words.
pub(super) fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("one {noun}"),
        many => format!("{many} {noun}s"),
    }
}

/// So many of them at least and at most.
pub(super) fn counts(Counts { least, most }: Counts, noun: &str) -> String {
    match most {
        Some(most) if most == least => count(least, noun),
        Some(most) if least == 0 => format!("at most {}", count(most, noun)),
        Some(most) => format!("{least} to {most} {noun}s"),
        None => format!("at least {}", count(least, noun)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_types() {
        assert_eq!(actual(&Type::string_value("a'b")), r"`'a\'b'`");
        assert_eq!(actual(&Type::integer_value(-3)), "`-3`");
        assert_eq!(actual(&Type::Undef), "`undef`");
        assert_eq!(actual(&Type::enumeration(["a", "b"])), "`String<a,b>`");
        let long = actual(&Type::string_value("x".repeat(300)));
        assert!(long.ends_with("…`") && long.chars().count() < 110, "{long}");
        assert_eq!(one_line("one\ntwo"), "one…");
    }

    #[test]
    fn numbers_of_things() {
        let arguments = |least, most| counts(Counts { least, most }, "argument");
        assert_eq!(arguments(1, Some(1)), "one argument");
        assert_eq!(arguments(0, Some(1)), "at most one argument");
        assert_eq!(arguments(1, Some(3)), "1 to 3 arguments");
        assert_eq!(arguments(2, None), "at least 2 arguments");
        assert_eq!(arguments(0, Some(0)), "no arguments");
    }
}
