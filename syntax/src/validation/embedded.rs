//! Checks of heredocs that declare a syntax: `@(END:json)`.
//!
//! Only heredocs without interpolation are checked. From `syntax_checkers/*.rb`.

use super::checker::Checker;
use super::{ValidationContext, validate};
use crate::model::{Kind, Node};
use crate::{Diagnostic, Dialect, Severity, parse};

impl Checker<'_> {
    pub(super) fn heredoc(&mut self, syntax: &str, text: &Node) {
        let Kind::String(value) = &text.kind else {
            return;
        };
        let problem = match checker_for(syntax) {
            Some("json") => json(value).map(|it| ("ILLEGAL_JSON", format!("invalid JSON: {it}"))),
            Some("base64") => {
                (!is_base64(value)).then(|| ("ILLEGAL_BASE64", "invalid Base64".to_owned()))
            }
            Some("pp") => {
                puppet(value, false).map(|it| ("ILLEGAL_PP", format!("invalid Puppet code: {it}")))
            }
            Some("epp") => {
                puppet(value, true).map(|it| ("ILLEGAL_EPP", format!("invalid EPP template: {it}")))
            }
            _ => None,
        };
        if let Some((code, message)) = problem {
            self.error(code, text, message);
        }
    }
}

/// Returns the first known name among `a+b+c`, `b+c`, `c`. Puppet code and templates do not have a
/// `+` form.
fn checker_for(syntax: &str) -> Option<&'static str> {
    match syntax.rsplit('+').next()? {
        "json" => Some("json"),
        "base64" => Some("base64"),
        "pp" if syntax == "pp" => Some("pp"),
        "epp" if syntax == "epp" => Some("epp"),
        _ => None,
    }
}

/// Returns the syntax error of JSON, in which Ruby also allows comments.
fn json(text: &str) -> Option<String> {
    let text = without_comments(text);
    serde_json::from_str::<serde::de::IgnoredAny>(&text)
        .err()
        .map(|it| it.to_string())
}

/// Replaces comments by spaces.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut in_string = false;
    let mut is_unclosed = false;
    while let Some(c) = rest.chars().next() {
        let comment = match (in_string, rest) {
            (false, it) if it.starts_with("/*") && !is_unclosed => {
                let end = it[2..].find("*/");
                is_unclosed = end.is_none();
                end.map(|it| it + 4)
            }
            (false, it) if it.starts_with("//") => Some(it.find('\n').unwrap_or(it.len())),
            _ => None,
        };
        if let Some(length) = comment {
            out.push(' ');
            rest = &rest[length..];
            continue;
        }
        let mut length = c.len_utf8();
        if c == '"' {
            in_string = !in_string;
        } else if in_string && c == '\\' {
            length += rest[1..].chars().next().map_or(0, char::len_utf8);
        }
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Checks whether this is strict Base64 with padding, except for whitespace and question marks,
/// which Puppet drops.
fn is_base64(text: &str) -> bool {
    let bytes: Vec<u8> = text
        .chars()
        .filter(|&c| !matches!(c, '\r' | '\n' | '?') && !crate::ast::is_blank(c))
        .map(|c| u8::try_from(c).unwrap_or(0))
        .collect();
    let body = bytes
        .iter()
        .rposition(|&b| b != b'=')
        .map_or(0, |it| it + 1);
    let padding = bytes.len() - body;
    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    bytes.len().is_multiple_of(4)
        && padding <= 2
        && bytes[..body].iter().all(is_letter)
        && unused_bits(&bytes[..body]) == 0
}

/// Returns the unused bits of the last letter, which must be zero.
fn unused_bits(letters: &[u8]) -> u8 {
    let value = |b: u8| match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    match (letters.len() % 4, letters.last()) {
        (2, Some(&last)) => value(last) & 0b1111,
        (3, Some(&last)) => value(last) & 0b11,
        _ => 0,
    }
}

/// Returns the first error of embedded Puppet code.
fn puppet(text: &str, epp: bool) -> Option<String> {
    let parse = parse(text, Dialect { epp, tasks: false });
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    if let Some(error) = parse.errors().iter().find(is_error) {
        return Some(error.message.clone());
    }
    // The recursion ends, as a nested heredoc is shorter than the enclosing one.
    let found = validate(&parse.tree(), &ValidationContext::default());
    found
        .iter()
        .filter(|it| it.stage == crate::Stage::Validate)
        .find(is_error)
        .map(|it| it.message.clone())
}
