//! Compares `pupil.toml` with its schema: unknown keys, unknown rules and values of another kind.

use std::borrow::Cow;
use std::ops::Range;

use analysis::base::suggest::{hint, similar};
use analysis::rules;
use ignore::gitignore::GitignoreBuilder;
use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::ignore_files::MAX_PATTERNS;
use crate::issue_codes;
use crate::rule_selection::is_group;

/// The maximum number of mistakes that are shown.
const MAX_SHOWN: usize = 20;

/// The maximum length of a name in a message, in characters.
const MAX_NAME: usize = 60;

/// A mistake in the file.
#[derive(Debug)]
pub(super) struct Mistake {
    /// The range in bytes.
    pub(super) range: Range<usize>,
    pub(super) message: String,
}

/// Returns the mistakes in a file, in source order. The last one shown has the number of those that are not.
pub(super) fn mistakes(table: &DeTable<'_>, schema: &Value) -> Vec<Mistake> {
    let mut validator = Validator {
        root: schema,
        found: Vec::new(),
    };
    validator.check_table(table, schema, "");
    let mut found = validator.found;
    found.sort_by_key(|it| it.range.start);
    let hidden = found.len().saturating_sub(MAX_SHOWN);
    found.truncate(MAX_SHOWN);
    let mistakes = found.into_iter().map(Found::into_mistake);
    let mut mistakes: Vec<Mistake> = mistakes.collect();
    if let Some(last) = mistakes.last_mut().filter(|_| hidden > 0) {
        let s = if hidden == 1 { "" } else { "s" };
        last.message += &format!("; {hidden} more mistake{s} not shown");
    }
    mistakes
}

/// A mistake whose message is not rendered yet: a suggestion takes time.
struct Found<'a> {
    range: Range<usize>,
    kind: FoundKind<'a>,
}

enum FoundKind<'a> {
    /// A setting that is none of those of its table.
    Setting(String, &'a Map<String, Value>),
    Rule(String),
    /// The path of a value, and what is expected.
    Value(String, String),
    /// Why a pattern is invalid.
    Pattern(String),
}

impl Found<'_> {
    fn into_mistake(self) -> Mistake {
        let message = match self.kind {
            FoundKind::Setting(name, known) => {
                let near = similar(&name, known.keys().map(String::as_str));
                unknown("setting", &name, near)
            }
            FoundKind::Rule(name) => {
                let codes = rules::all().map(|it| it.code);
                let codes = codes.chain(issue_codes::all().map(|it| it.code));
                unknown("rule", &name, similar(&name, codes))
            }
            FoundKind::Value(path, expected) => {
                format!("invalid value for `{path}`: expected {expected}")
            }
            FoundKind::Pattern(error) => format!("invalid pattern: {error}"),
        };
        Mistake {
            range: self.range,
            message,
        }
    }
}

struct Validator<'a> {
    root: &'a Value,
    found: Vec<Found<'a>>,
}

impl<'a> Validator<'a> {
    /// Checks a table; `path` is the name of the table, or empty for the file.
    fn check_table(&mut self, table: &DeTable<'_>, schema: &'a Value, path: &str) {
        let known = schema.get("properties").and_then(Value::as_object);
        let Some(known) = known else { return };
        for (key, value) in table {
            let name: &str = key.get_ref();
            let path = match path {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            };
            match known.get(name) {
                Some(schema) => self.check_value(value, schema, &path),
                None if schema.get("additionalProperties") != Some(&Value::Bool(false)) => {
                    self.check_code(key);
                    self.check_value(value, &schema["additionalProperties"], &path);
                }
                None => {
                    self.report(key, FoundKind::Setting(name.to_owned(), known));
                }
            }
        }
    }

    fn check_value(&mut self, value: &Spanned<DeValue<'_>>, schema: &'a Value, path: &str) {
        let schema = self.resolved(schema);
        match value.get_ref() {
            DeValue::Table(table) if schema.get("properties").is_some() => {
                self.check_table(table, schema, path);
            }
            value_here => match expected(schema, value_here) {
                Some(expected) => self.report(value, FoundKind::Value(path.to_owned(), expected)),
                None if path.ends_with(".exclude") => self.check_patterns(value_here),
                None => {}
            },
        }
    }

    /// Reports a key of `[rules]` unless it names a rule, a group or an issue code of Puppet.
    fn check_code(&mut self, key: &Spanned<Cow<'_, str>>) {
        let name: &str = key.get_ref();
        let is_known = rules::rule(name).is_some() || is_group(name);
        if is_known || issue_codes::all().any(|it| it.code == name) {
            return;
        }
        self.report(key, FoundKind::Rule(name.to_owned()));
    }

    /// Reports invalid patterns in a list. Git skips those of its own files.
    fn check_patterns(&mut self, list: &DeValue<'_>) {
        let DeValue::Array(patterns) = list else {
            return;
        };
        for pattern in patterns.iter().take(MAX_PATTERNS) {
            let mut builder = GitignoreBuilder::new("");
            // Git reads an open bracket too, but the pattern never matches.
            builder.allow_unclosed_class(false);
            if let DeValue::String(text) = pattern.get_ref()
                && let Err(error) = builder.add_line(None, text)
            {
                self.report(pattern, FoundKind::Pattern(error.to_string()));
            }
        }
    }

    /// Follows a reference, and takes the first of several schemas: the others are for `null`, which
    /// TOML does not have.
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        let schema = schema.pointer("/anyOf/0").unwrap_or(schema);
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|it| it.strip_prefix('#'));
        name.and_then(|it| self.root.pointer(it)).unwrap_or(schema)
    }

    fn report<T>(&mut self, at: &Spanned<T>, kind: FoundKind<'a>) {
        let range = at.span();
        self.found.push(Found { range, kind });
    }
}

fn unknown(kind: &str, name: &str, near: Option<&str>) -> String {
    let name = analysis::truncated(name, MAX_NAME);
    format!("unknown {kind} `{name}`{}", hint(near))
}

/// Returns a description of the values that a schema accepts, or `None` if it accepts `value`.
fn expected(schema: &Value, value: &DeValue<'_>) -> Option<String> {
    if let Some(options) = schema.get("oneOf").and_then(Value::as_array) {
        let options: Vec<&str> = options
            .iter()
            .filter_map(|it| it["const"].as_str())
            .collect();
        let is_one = matches!(value, DeValue::String(it) if options.contains(&&**it));
        return (!is_one).then(|| any_of(&options));
    }
    let kind = &schema["type"];
    let kind = kind.get(0).unwrap_or(kind).as_str()?;
    let is_string = |it: &Spanned<DeValue<'_>>| matches!(it.get_ref(), DeValue::String(_));
    let (is_accepted, expected) = match (kind, value) {
        ("boolean", value) => (
            matches!(value, DeValue::Boolean(_)),
            "`true` or `false`".to_owned(),
        ),
        ("integer", DeValue::Integer(number)) => {
            let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
            let is_natural = number.is_some_and(|it| u32::try_from(it).is_ok());
            (is_natural, "a whole number of 0 or more".to_owned())
        }
        ("integer", _) => (false, "a whole number".to_owned()),
        ("string", value) => (matches!(value, DeValue::String(_)), "a string".to_owned()),
        ("array", DeValue::Array(items)) => {
            (items.iter().all(is_string), "a list of strings".to_owned())
        }
        ("array", _) => (false, "a list of strings".to_owned()),
        ("object", _) => (false, "a table".to_owned()),
        _ => return None,
    };
    (!is_accepted).then_some(expected)
}

/// Renders a list of options: `` `a`, `b` or `c` ``.
fn any_of(options: &[&str]) -> String {
    let quoted: Vec<String> = options.iter().map(|it| format!("`{it}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
