//! Functions on strings.
//!
//! The functions that match regular expressions are in [`patterns`], and `strftime` is in [`strftime`].

pub(super) mod patterns;
pub(super) mod strftime;

use super::collections::flatten_into;
use super::elements::Elements;
use super::puppet3_api::convert_arguments;
use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::ruby;
use crate::ruby::format::{FormatError, format};
use types::values::{HashValue, Value, lower_case};

macro_rules! of_text {
    ($name:literal, $change:expr) => {
        (
            $name,
            &[
                ("Callable[Numeric]", |evaluator, call| {
                    each_text(evaluator, call, $change)
                }),
                ("Callable[String]", |evaluator, call| {
                    each_text(evaluator, call, $change)
                }),
                (
                    "Callable[Iterable[Variant[String, Numeric]]]",
                    |evaluator, call| each_text(evaluator, call, $change),
                ),
            ],
        )
    };
}

macro_rules! of_nested_text {
    ($name:literal, $change:expr) => {
        (
            $name,
            &[(
                "Callable[Variant[Numeric, String, Array, Hash]]",
                |evaluator, call| nested(evaluator, call, call.arg(0), $change),
            )],
        )
    };
}

pub(super) const FUNCTIONS: Family = &[
    of_text!("capitalize", capitalize),
    of_text!("camelcase", camelcase),
    of_text!("chomp", |it| Some(chomp(it).to_owned())),
    of_text!("chop", |it| Some(chop(it).to_owned())),
    of_text!("strip", |it| Some(it.trim_matches(is_blank).to_owned())),
    of_text!("lstrip", |it| Some(
        it.trim_start_matches(is_blank).to_owned()
    )),
    of_text!("rstrip", |it| Some(
        it.trim_end_matches(is_blank).to_owned()
    )),
    of_nested_text!("upcase", |it| it.to_uppercase()),
    of_nested_text!("downcase", lower_case),
    ("join", &[("Callable[Array, String, 1, 2]", join)]),
    (
        "shellquote",
        &[("Callable[Any, 0, Optional[Callable]]", shellquote)],
    ),
    (
        "sprintf",
        &[("Callable[Any, 0, Optional[Callable]]", sprintf)],
    ),
];

/// Converts a string; `None` if the result is unknown.
type Change = fn(&str) -> Option<String>;

fn changed(evaluator: &Evaluator<'_>, value: &Value, change: Change) -> FlowResult {
    let Value::String(text) = value else {
        return Ok(value.clone());
    };
    evaluator.budget.spend(text.len() as u64)?;
    match change(text) {
        Some(text) => Ok(Value::from(text)),
        None => Err(ControlFlow::unknown(
            "depends on Ruby's case conversion of unusual letters",
        )),
    }
}

fn each_text(evaluator: &mut Evaluator<'_>, call: &Call<'_>, change: Change) -> FlowResult {
    match call.arg(0) {
        value @ (Value::String(_) | Value::Integer(_) | Value::Float(_)) => {
            changed(evaluator, value, change)
        }
        // Types are iterable, but Ruby finds no elements in them.
        Value::Type(_) => Err(call.error("cannot iterate over a type")),
        _ => {
            let mut items = Vec::new();
            for item in Elements::of(evaluator, call)?.except_tree(call)?.items {
                evaluator.budget.spend(1)?;
                items.push(changed(evaluator, &item, change)?);
            }
            Ok(Value::array(items))
        }
    }
}

/// Converts all strings in a value that only contains strings, numbers, arrays and hashes.
fn nested(
    evaluator: &Evaluator<'_>,
    call: &Call<'_>,
    value: &Value,
    change: fn(&str) -> String,
) -> FlowResult {
    evaluator.budget.spend(1)?;
    let inner = |it: &Value| nested(evaluator, call, it, change);
    Ok(match value {
        Value::Integer(_) | Value::Float(_) => value.clone(),
        Value::String(text) => {
            evaluator.budget.spend(text.len() as u64)?;
            Value::from(change(text))
        }
        Value::Array(items) => Value::array(
            items
                .iter()
                .map(inner)
                .collect::<FlowResult<Vec<Value>>>()?,
        ),
        Value::Hash(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Ok((inner(key)?, inner(value)?)));
            Value::Hash(entries.collect::<FlowResult<HashValue>>()?)
        }
        _ => return Err(call.error("expected only strings and numbers")),
    })
}

/// Converts the first letter to title case, and the others to lower case.
fn capitalize(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return Some(String::new());
    };
    let upper: String = first.to_uppercase().collect();
    let mut out = match first {
        // Letters whose title case differs from their upper case.
        'ß' => "Ss".to_owned(),
        '\u{1c4}'..='\u{1c6}' => "\u{1c5}".to_owned(),
        '\u{1c7}'..='\u{1c9}' => "\u{1c8}".to_owned(),
        '\u{1ca}'..='\u{1cc}' => "\u{1cb}".to_owned(),
        '\u{1f1}'..='\u{1f3}' => "\u{1f2}".to_owned(),
        '\u{10d0}'..='\u{10ff}' => return None,
        _ if upper.chars().count() != 1 => return None,
        _ => upper,
    };
    out.push_str(&lower_case(chars.as_str()));
    Some(out)
}

fn camelcase(text: &str) -> Option<String> {
    text.split('_').map(capitalize).collect()
}

fn chomp(text: &str) -> &str {
    match text.strip_suffix('\n') {
        Some(text) => text.strip_suffix('\r').unwrap_or(text),
        None => text.strip_suffix('\r').unwrap_or(text),
    }
}

fn chop(text: &str) -> &str {
    if let Some(text) = text.strip_suffix("\r\n") {
        return text;
    }
    let mut chars = text.chars();
    chars.next_back();
    chars.as_str()
}

/// Checks whether Ruby strips the character.
fn is_blank(char: char) -> bool {
    matches!(char, '\0' | '\t'..='\r' | ' ')
}

fn join(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let mut items = Vec::new();
    flatten_arrays(evaluator, call.arg(0), &mut items)?;
    let delimiter = call.arg(1).as_str().unwrap_or("");
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        let shown = ruby::to_s(item)
            .ok_or_else(|| ControlFlow::unknown("string representation of an object"))?;
        evaluator
            .budget
            .spend((shown.len() + delimiter.len()) as u64)?;
        if index > 0 {
            text.push_str(delimiter);
        }
        text.push_str(&shown);
    }
    evaluator.string_value(text)
}

/// Flattens nested arrays as Ruby's `join` does: a nested empty array becomes an empty string.
fn flatten_arrays(
    evaluator: &Evaluator<'_>,
    value: &Value,
    out: &mut Vec<Value>,
) -> FlowResult<()> {
    let Value::Array(items) = value else {
        return Ok(());
    };
    evaluator.budget.spend(items.len() as u64)?;
    for item in items.iter() {
        match item {
            Value::Array(inner) if inner.is_empty() => out.push(Value::from("")),
            Value::Array(_) => flatten_arrays(evaluator, item, out)?,
            other => out.push(other.clone()),
        }
    }
    Ok(())
}

fn sprintf(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let args = convert_arguments(evaluator, call)?;
    let Some((Value::String(template), args)) = args.split_first() else {
        return Err(call.error("expected a string as format"));
    };
    let directives = template.bytes().filter(|it| *it == b'%').count();
    evaluator
        .budget
        .spend((template.len() + 50 * directives) as u64)?;
    match format(template, args) {
        Ok(text) => evaluator.string_value(text),
        Err(FormatError::Error(message)) => Err(call.error(message)),
        Err(FormatError::Unknown(reason)) => Err(ControlFlow::unknown(reason)),
    }
}

fn shellquote(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let mut words = Vec::new();
    flatten_into(evaluator, &convert_arguments(evaluator, call)?, &mut words)?;
    let mut quoted = Vec::with_capacity(words.len());
    for word in &words {
        let Value::String(word) = word else {
            return Err(call.error("expected strings"));
        };
        evaluator.budget.spend(1 + word.len() as u64)?;
        quoted.push(
            quote(word).ok_or_else(|| ControlFlow::unknown("Ruby treats the string as bytes"))?,
        );
    }
    evaluator.string_value(quoted.join(" "))
}

/// Quotes a word for the shell, with as little escaping as possible.
fn quote(word: &str) -> Option<String> {
    let is_safe = |it: char| it.is_ascii_alphanumeric() || "@%_+=:,./-".contains(it);
    let is_dangerous = |it: char| "!\"`$\\".contains(it);
    if !word.is_empty() && word.chars().all(is_safe) {
        return Some(word.to_owned());
    }
    if !word.contains(is_dangerous) {
        return Some(std::format!("\"{word}\""));
    }
    if !word.contains('\'') {
        return Some(std::format!("'{word}'"));
    }
    if !word.is_ascii() {
        return None;
    }
    let mut quoted = String::from("\"");
    for char in word.chars() {
        if is_dangerous(char) {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted.push('"');
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_case_and_strips() {
        assert_eq!(capitalize("éCOLE").as_deref(), Some("École"));
        assert_eq!(capitalize("ßa").as_deref(), Some("Ssa"));
        assert_eq!(camelcase("_hello_world_").as_deref(), Some("HelloWorld"));
        assert_eq!(
            (chomp("a\r\n"), chomp("a\n\n"), chomp("a\r")),
            ("a", "a\n", "a")
        );
        assert_eq!((chop("a\r\n"), chop("é"), chop("")), ("a", "", ""));
    }

    #[test]
    fn quotes_words_for_the_shell() {
        let cases = [
            ("a.b", "a.b"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("c\"d", "'c\"d'"),
            ("g!'h", "\"g\\!'h\""),
        ];
        for (word, expected) in cases {
            assert_eq!(quote(word).as_deref(), Some(expected), "{word}");
        }
        assert_eq!(quote("é'!"), None);
    }
}
