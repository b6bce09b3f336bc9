//! Renders types, values and counts for messages.

use crate::fixes::capitalized;
use base::truncated;
use infer::{ArityRange, Inferred};
use types::mismatch::{Mismatch, Problem, Step};
use types::values::{Value, float_text, quote};
use types::{IntRange, ObjectType, Type, display_expanded, display_written_start};

/// The maximum length of a type or value in a message, in characters.
const MAX_SHOWN: usize = 100;

/// A length in bytes that exceeds it, whatever the characters are.
const MAX_BYTES: usize = 4 * MAX_SHOWN + 4;

/// Renders an expected type. Aliases are expanded as long as the result is short.
pub(crate) fn expected(type_: &Type) -> String {
    if let Type::Alias(alias) = type_
        && alias.resolved() == ObjectType::any()
    {
        // Its definition is Ruby code.
        return format!("`{}`", alias.name());
    }
    let expanded = display_expanded(type_);
    if expanded.chars().count() <= MAX_SHOWN {
        return format!("`{expanded}`");
    }
    format!("`{}`", one_line(&display_written_start(type_, MAX_BYTES)))
}

/// Renders an actual type: as the value if it is known and simple, else as the type.
pub(crate) fn actual(type_: &Type) -> String {
    if let Some(value) = only_value(type_) {
        return format!("`{value}`");
    }
    let text = match Inferred::of(type_.clone()).value {
        Some(Value::String(it)) => quote(&it),
        Some(Value::Integer(it)) => it.to_string(),
        Some(Value::Boolean(it)) => it.to_string(),
        Some(Value::Undef) => "undef".to_owned(),
        _ => display_written_start(type_, MAX_BYTES),
    };
    format!("`{}`", one_line(&text))
}

/// Returns the source of an empty array or hash, or of a float, if the type has no other value.
fn only_value(type_: &Type) -> Option<String> {
    let none = IntRange::exactly(0);
    match type_ {
        Type::Array(it) if it.size() == Some(none) => Some("[]".to_owned()),
        Type::Hash(it) if it.size() == Some(none) => Some("{}".to_owned()),
        Type::Float(it) if it.min() == it.max() => it.min().map(float_text),
        _ => None,
    }
}

/// Truncates a string that is too long for a message or has several lines.
fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let shown = truncated(line, MAX_SHOWN);
    if shown == line && line.len() < text.len() {
        return format!("{line}…");
    }
    shown
}

/// Renders a resource reference, such as `File['/etc/motd']`.
pub(crate) fn reference(type_: &str, title: &str) -> String {
    format!("{}[{}]", capitalized(type_), quote(title))
}

/// Renders a count with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    }
}

/// Renders a range of counts with its noun.
pub(crate) fn counts(
    ArityRange {
        min: least,
        max: most,
    }: ArityRange,
    noun: &str,
) -> String {
    match most {
        Some(most) if most == least => count(least, noun),
        Some(most) if least == 0 => format!("at most {}", count(most, noun)),
        Some(most) => format!("{least} to {most} {noun}s"),
        None => format!("at least {}", count(least, noun)),
    }
}

/// Describes the mismatch of a part of a value, to follow the subject of the message, or after the
/// first mismatch, another one: ", element 1, expects `Integer`, found `String`".
pub(crate) fn mismatch_of_part(mismatch: &Mismatch, is_first: bool) -> String {
    let path: Vec<String> = mismatch.path.iter().map(step).collect();
    let (path, problem) = (path.join(", "), part_problem(&mismatch.problem));
    match (path.as_str(), is_first) {
        ("", true) => format!(" {problem}"),
        ("", false) => format!(" and {problem}"),
        (path, true) => format!(", {path}, {problem}"),
        (path, false) => format!(", and {path} {problem}"),
    }
}

fn step(step: &Step) -> String {
    match step {
        Step::Index(index) => format!("element {index}"),
        Step::Entry(key) => format!("entry `{key}`"),
        Step::KeyOf(key) => format!("key `{key}`"),
        Step::Return => "return value".to_owned(),
        Step::Block => "block".to_owned(),
    }
}

fn part_problem(problem: &Problem) -> String {
    match problem {
        Problem::Type {
            expected: wanted,
            actual: given,
        } => {
            let mut types: Vec<String> = Vec::new();
            for name in wanted.iter().map(expected) {
                if !types.contains(&name) {
                    types.push(name);
                }
            }
            let wanted = match types.as_slice() {
                [] => "no value".to_owned(),
                all => all.join(" or "),
            };
            format!("expects {wanted}, found {}", actual(given))
        }
        Problem::Size { expected, actual } => {
            format!("expects {}, found {}", size(*expected), size(*actual))
        }
        Problem::Missing(key) => format!("is missing key `{key}`"),
        Problem::Unknown(key) => format!("has unknown key `{key}`"),
        Problem::Unresolved(name) => format!("expects unknown type `{name}`"),
    }
}

fn size(size: IntRange) -> String {
    let length = |it: i64| usize::try_from(it).unwrap_or(0);
    let least = size.min().map_or(0, length);
    match size.max().map(length) {
        None if least == 0 => "any number of elements".to_owned(),
        most => counts(
            ArityRange {
                min: least,
                max: most,
            },
            "element",
        ),
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
        assert_eq!(actual(&Type::enumeration(["a", "b"])), "`Enum['a', 'b']`");
        let long = actual(&Type::string_value("x".repeat(300)));
        assert!(long.ends_with("…`") && long.chars().count() < 110, "{long}");
        assert_eq!(one_line("one\ntwo"), "one…");
    }

    #[test]
    fn numbers_of_things() {
        let arguments = |least, most| {
            counts(
                ArityRange {
                    min: least,
                    max: most,
                },
                "argument",
            )
        };
        assert_eq!(arguments(1, Some(1)), "1 argument");
        assert_eq!(arguments(0, Some(1)), "at most 1 argument");
        assert_eq!(arguments(1, Some(3)), "1 to 3 arguments");
        assert_eq!(arguments(2, None), "at least 2 arguments");
        assert_eq!(arguments(0, Some(0)), "no arguments");
    }
}
