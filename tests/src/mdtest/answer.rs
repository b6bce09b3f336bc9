//! The answers of Pupil and of Puppet to a block, in a common form.

use analysis::eval::TypedValue;
use analysis::values::HashValue;
use analysis::{EvalSettings, Evaluation};
use serde_json::Value as Json;
use syntax::Severity;
use syntax::validation::PuppetVersion;

use super::block::{ParsedBlock, Subject};
use super::document::Block;
use crate::verdict::{Position, ReportedDiagnostic, Source, Verdict};

/// Stands for the issue code of an error that lacks one.
pub(super) const NO_CODE: &str = "no code";

/// The answers to a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answers {
    /// One per statement.
    Statements(Vec<Answer>),
    /// The errors and warnings of the whole block.
    Whole(Vec<ReportedProblem>),
}

/// The answer to a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A value.
    Value {
        /// Its source form, if it has one.
        value: Option<String>,
        /// Its detailed type, in the notation of the documents.
        type_: String,
        /// Its reduced type.
        reduced: String,
        /// Its generalized type.
        generalized: String,
    },
    /// An error.
    Failure(ReportedProblem),
    /// An unknown value, with the reason.
    Unknown(String),
}

/// An error or a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedProblem {
    /// The issue code of Puppet.
    pub code: String,
    /// The line of the block, counted from 1.
    pub line: Option<usize>,
    /// The message.
    pub message: String,
    /// Whether it is an error.
    pub is_error: bool,
    /// Whether the parser stops there.
    pub ends_parsing: bool,
}

/// Returns the answers of Pupil.
pub fn pupil_answers(block: &Block, parsed: &ParsedBlock) -> Answers {
    match &parsed.subject {
        Subject::Statements(statements) => {
            let answers = statements
                .iter()
                .map(|it| evaluated(&it.source, block.version));
            Answers::Statements(answers.collect())
        }
        Subject::Whole(source, _) => Answers::Whole(checked(source, block.version)),
    }
}

fn evaluated(source: &str, version: PuppetVersion) -> Answer {
    let settings = EvalSettings {
        version,
        facts: Some(HashValue::from_iter([])),
    };
    match analysis::evaluate(source, settings) {
        Evaluation::Value(TypedValue {
            value,
            type_reduced,
            type_generalized,
            type_exact,
            ..
        }) => Answer::Value {
            value,
            type_: notation(&type_exact),
            reduced: notation(&type_reduced),
            generalized: notation(&type_generalized),
        },
        Evaluation::Error(failure) => Answer::Failure(ReportedProblem {
            code: failure.code.unwrap_or(NO_CODE).to_owned(),
            line: failure.at.map(|it| Position::of(source, it).line as usize),
            message: failure.message,
            is_error: true,
            ends_parsing: false,
        }),
        Evaluation::Unknown(why) => Answer::Unknown(why),
    }
}

fn checked(source: &Source, version: PuppetVersion) -> Vec<ReportedProblem> {
    let verdict = Verdict::of(source, version);
    let found = |it: &ReportedDiagnostic| ReportedProblem {
        code: it.code().to_owned(),
        line: it.line().map(|it| it as usize),
        message: it.diagnostic.message.clone(),
        is_error: it.diagnostic.severity == Severity::Error,
        ends_parsing: false,
    };
    let all = verdict.errors.iter().chain(&verdict.warnings);
    all.map(found).collect()
}

/// Converts an answer of `tests/oracle/eval`.
pub(super) fn of_eval(json: &Json) -> Answer {
    let text = |key: &str| json[key].as_str().unwrap_or_default();
    if json["ok"] == Json::Bool(true) {
        Answer::Value {
            value: json["value"].as_str().map(str::to_owned),
            type_: notation(text("type_exact")),
            reduced: notation(text("type_reduced")),
            generalized: notation(text("type_generalized")),
        }
    } else {
        Answer::Failure(found(json, text("error"), false))
    }
}

/// Converts an answer of `tests/oracle/parse`.
pub(super) fn of_parse(json: &Json) -> Vec<ReportedProblem> {
    let ends = json["stage"] == "parse";
    let list = |key: &str| json[key].as_array().cloned().unwrap_or_default();
    let read = |it: &Json| found(it, it["message"].as_str().unwrap_or_default(), ends);
    let errors = list("errors");
    let warnings = list("warnings");
    errors.iter().chain(&warnings).map(read).collect()
}

fn found(json: &Json, message: &str, ends_parsing: bool) -> ReportedProblem {
    ReportedProblem {
        code: json["code"].as_str().unwrap_or(NO_CODE).to_owned(),
        line: json["line"]
            .as_u64()
            .and_then(|it| usize::try_from(it).ok()),
        message: message.to_owned(),
        is_error: json["severity"].as_str().is_none_or(|it| it == "error"),
        ends_parsing,
    }
}

/// Writes a type with its known strings as in the specification: `String<a,b>` for `String['a']`
/// and `Enum['a', 'b']`. A string that is not a simple word keeps its quotes.
fn notation(exact: &str) -> String {
    let mut out = String::new();
    let mut rest = exact;
    while let Some(at) = rest.find(['S', 'E', '\'', '/']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let is_name = out.ends_with(|it: char| it.is_alphanumeric() || it == '_' || it == ':');
        match string_set(rest).filter(|_| !is_name) {
            Some((set, used)) => {
                out.push_str(&set);
                rest = &rest[used..];
            }
            None => {
                let used = quoted(rest).unwrap_or(1);
                out.push_str(&rest[..used]);
                rest = &rest[used..];
            }
        }
    }
    out + rest
}

/// Parses a set of strings at the start of a type; returns its notation and its length in bytes.
fn string_set(text: &str) -> Option<(String, usize)> {
    let list = text
        .strip_prefix("String[")
        .or_else(|| text.strip_prefix("Enum["))?;
    let mut words = Vec::new();
    let mut rest = list;
    loop {
        let used = quoted(rest).filter(|_| rest.starts_with('\''))?;
        words.push(word(&rest[..used]));
        rest = &rest[used..];
        match rest.strip_prefix(", ") {
            Some(tail) => rest = tail,
            None => break,
        }
    }
    let rest = rest.strip_prefix(']')?;
    Some((
        format!("String<{}>", words.join(",")),
        text.len() - rest.len(),
    ))
}

/// Removes the quotes of a string if it is a simple word.
fn word(quoted: &str) -> &str {
    let simple = |it: char| it.is_alphanumeric() || "_-./".contains(it);
    let inner = quoted.trim_matches('\'');
    if !inner.is_empty() && inner.chars().all(simple) {
        inner
    } else {
        quoted
    }
}

/// Returns the length of the string or regular expression at the start.
fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|it| "'/".contains(*it))?;
    let mut escaped = false;
    for (at, it) in text.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if it == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_sets_use_the_notation_of_the_specification() {
        for (exact, shown) in [
            ("String['a']", "String<a>"),
            (
                "Array[Enum['a', 'b c'], 2, 2]",
                "Array[String<a,'b c'>, 2, 2]",
            ),
            ("String[1, 2]", "String[1, 2]"),
            ("Enum", "Enum"),
            ("Enum['a', true]", "Enum['a', true]"),
            ("Struct[{'a' => String['x']}]", "Struct[{'a' => String<x>}]"),
            (r"String['it\'s']", r"String<'it\'s'>"),
            ("My::String['a']", "My::String['a']"),
            ("Pattern[/String['a']/]", "Pattern[/String['a']/]"),
            (
                "Runtime['ruby', 'String[\\'a\\']']",
                "Runtime['ruby', 'String[\\'a\\']']",
            ),
        ] {
            assert_eq!(notation(exact), shown);
        }
    }
}
