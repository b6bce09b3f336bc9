//! Functions that match regular expressions: `match`, `split` and `regsubst`.

use std::sync::Arc;

use syntax::validation::PuppetVersion;

use crate::EvalFailure;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::functions::collections::flatten_into;
use crate::functions::{Call, Family};
use types::Type;
use types::values::{HashValue, Regexp, Value};

pub(in crate::functions) const FUNCTIONS: Family = &[
    (
        "match",
        &[
            ("Callable[String, Any]", match_),
            ("Callable[Array[String], Any]", match_),
        ],
    ),
    (
        "split",
        &[
            ("Callable[String, String]", split),
            ("Callable[String, Regexp]", split),
            ("Callable[String, Type[Regexp]]", split),
            ("Callable[Sensitive[String], String]", split),
            ("Callable[Sensitive[String], Regexp]", split),
            ("Callable[Sensitive[String], Type[Regexp]]", split),
        ],
    ),
    (
        "regsubst",
        &[
            (
                "Callable[Variant[Array[Variant[String, Sensitive[String]]], \
                 Sensitive[Array[Variant[String, Sensitive[String]]]], String, Sensitive[String]], String, Variant[String, Hash[String, String]], \
                 Optional[Pattern[/^[GEIM]*$/]], Enum['E', 'N', 'S', 'U'], 3, 5]",
                regsubst_string,
            ),
            (
                "Callable[Variant[Array[Variant[String, Sensitive[String]]], \
                 Sensitive[Array[Variant[String, Sensitive[String]]]], String, Sensitive[String]], Variant[Regexp, Type[Regexp]], Variant[String, Hash[String, String]], \
                 Pattern[/^G?$/], 3, 4]",
                regsubst_regexp,
            ),
        ],
    ),
];

fn too_slow() -> ControlFlow {
    ControlFlow::unknown("regular expression takes too long")
}

/// The ranges of the match and its groups; `None` for a group that did not participate.
type Groups = Vec<Option<(usize, usize)>>;

/// Searches for a match at or after an offset.
fn search(regexp: &Regexp, text: &str, from: usize) -> FlowResult<Option<Groups>> {
    let compiled = regexp.compiled(text).map_err(EvalFailure::from)?;
    let found = compiled
        .captures_from_pos(text, from)
        .map_err(|_| too_slow())?;
    Ok(found.map(|found| {
        found
            .iter()
            .map(|group| group.map(|it| (it.start(), it.end())))
            .collect()
    }))
}

// ---- match --------------------------------------------------------------------------

fn match_(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let pattern = call.arg(1);
    match call.arg(0) {
        Value::Array(texts) => {
            let texts = texts.iter().filter_map(Value::as_str);
            let found = texts.map(|it| matched(evaluator, call, it, pattern));
            Ok(Value::array(found.collect::<FlowResult<Vec<Value>>>()?))
        }
        text => matched(evaluator, call, text.as_str().unwrap_or_default(), pattern),
    }
}

/// Returns the match and its groups, or `undef`.
fn matched(evaluator: &Evaluator<'_>, call: &Call<'_>, text: &str, pattern: &Value) -> FlowResult {
    evaluator.budget.spend(1 + text.len() as u64)?;
    match pattern {
        Value::String(source) => captured(text, &Regexp::new(source)),
        Value::Regexp(regexp) => captured(text, regexp),
        Value::Type(ty) => matched_by_type(evaluator, call, text, ty),
        Value::Array(patterns) => {
            let mut flat = Vec::new();
            flatten_into(evaluator, patterns, &mut flat)?;
            first_match(&flat, |it| matched(evaluator, call, text, it))
        }
        _ => Err(call.error("expected a regular expression")),
    }
}

fn matched_by_type(
    evaluator: &Evaluator<'_>,
    call: &Call<'_>,
    text: &str,
    ty: &Type,
) -> FlowResult {
    evaluator.budget.spend(1)?;
    match ty {
        Type::Alias(alias) => matched_by_type(evaluator, call, text, &alias.resolved()),
        Type::Variant(types) => first_match(types, |it| matched_by_type(evaluator, call, text, it)),
        Type::Regexp(Some(regexp)) => captured(text, regexp),
        Type::Pattern(patterns) => first_match(patterns, |it| captured(text, it)),
        _ => Err(call.error("the type of the pattern contains no regular expression")),
    }
}

fn first_match<T>(patterns: &[T], run: impl Fn(&T) -> FlowResult) -> FlowResult {
    for pattern in patterns {
        let found = run(pattern)?;
        if !found.is_undef() {
            return Ok(found);
        }
    }
    Ok(Value::Undef)
}

fn captured(text: &str, regexp: &Regexp) -> FlowResult {
    let found = regexp.captures(text).map_err(EvalFailure::from)?;
    let group = |it: Option<Arc<str>>| it.map_or(Value::Undef, Value::String);
    Ok(match found {
        Some(found) => Value::array(found.groups.into_iter().map(group).collect()),
        None => Value::Undef,
    })
}

// ---- split --------------------------------------------------------------------------

/// Converts an argument to a regular expression.
fn regexp_of(value: &Value) -> FlowResult<Regexp> {
    match value {
        Value::String(source) => Ok(Regexp::new(source)),
        Value::Regexp(regexp) => Ok(regexp.clone()),
        Value::Type(ty) => match ty.resolved() {
            Type::Regexp(Some(regexp)) => Ok(regexp),
            Type::Regexp(None) => Ok(Regexp::new("")),
            _ => Err(ControlFlow::unknown("unknown regular expression")),
        },
        _ => Err(ControlFlow::unknown("unknown regular expression")),
    }
}

fn split(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let regexp = regexp_of(call.arg(1))?;
    match call.arg(0) {
        Value::Sensitive(_) if evaluator.context.version == PuppetVersion::V7 => {
            Err(call.error("expected a string, found a `Sensitive` value"))
        }
        Value::Sensitive(inner) => {
            let text = inner.as_str().unwrap_or_default();
            let parts = split_text(evaluator, text, &regexp)?;
            Ok(Value::Sensitive(Arc::new(parts)))
        }
        text => split_text(evaluator, text.as_str().unwrap_or_default(), &regexp),
    }
}

/// Splits as Ruby does: groups become elements, and trailing empty elements are dropped.
pub(in crate::functions) fn split_text(
    evaluator: &Evaluator<'_>,
    text: &str,
    regexp: &Regexp,
) -> FlowResult {
    evaluator.budget.spend(text.len() as u64)?;
    regexp.check().map_err(EvalFailure::from)?;
    let mut parts: Vec<&str> = Vec::new();
    let (mut begin, mut start, mut last_was_empty) = (0, 0, false);
    while let Some(groups) = search_within(regexp, text, start)? {
        evaluator.budget.spend(1)?;
        let Some(&Some((from, to))) = groups.first() else {
            break;
        };
        if from == to && from == start {
            if !last_was_empty {
                start += text[start..].chars().next().map_or(1, char::len_utf8);
                last_was_empty = true;
                continue;
            }
            let end = begin + text[begin..].chars().next().map_or(0, char::len_utf8);
            parts.push(&text[begin..end]);
            begin = start;
        } else {
            parts.push(&text[begin..from]);
            begin = to;
            start = to;
        }
        last_was_empty = false;
        parts.extend(groups[1..].iter().flatten().map(|&(a, b)| &text[a..b]));
    }
    if begin < text.len() {
        parts.push(&text[begin..]);
    }
    while parts.last().is_some_and(|it| it.is_empty()) {
        parts.pop();
    }
    Ok(Value::array(parts.into_iter().map(Value::from).collect()))
}

fn search_within(regexp: &Regexp, text: &str, from: usize) -> FlowResult<Option<Groups>> {
    if text.is_empty() || from > text.len() {
        return Ok(None);
    }
    search(regexp, text, from)
}

// ---- regsubst -----------------------------------------------------------------------

fn regsubst_string(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let source = call.arg(1).as_str().unwrap_or_default();
    let flags = call.arg(3).as_str().unwrap_or_default();
    let plain = Regexp::new(source);
    let has = |flag: char, option: &'static str| if flags.contains(flag) { option } else { "" };
    let options = [has('E', "x"), has('I', "i"), has('M', "m")].concat();
    if call.arg(4).as_str() == Some("N") && !source.is_ascii() {
        return Err(ControlFlow::unknown("regular expression on bytes"));
    }
    let regexp = if options.is_empty() {
        plain
    } else {
        if plain.check().is_err() && options.contains('x') {
            return Err(ControlFlow::unknown("extended regular expression"));
        }
        plain.check().map_err(EvalFailure::from)?;
        // The pattern may end with a comment.
        let end = if options.contains('x') { "\n" } else { "" };
        Regexp::new(&format!("(?{options}:{source}{end})"))
    };
    substitute(evaluator, call, &regexp, flags.contains('G'))
}

fn regsubst_regexp(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let regexp = regexp_of(call.arg(1))?;
    let all = call.arg(3).as_str() == Some("G");
    substitute(evaluator, call, &regexp, all)
}

fn substitute(
    evaluator: &Evaluator<'_>,
    call: &Call<'_>,
    regexp: &Regexp,
    all: bool,
) -> FlowResult {
    regexp.check().map_err(EvalFailure::from)?;
    let run = Substitution {
        evaluator,
        call,
        regexp,
        all,
        replacement: call.arg(2),
    };
    run.on(call.arg(0), false)
}

struct Substitution<'a> {
    evaluator: &'a Evaluator<'a>,
    call: &'a Call<'a>,
    regexp: &'a Regexp,
    all: bool,
    replacement: &'a Value,
}

impl Substitution<'_> {
    /// Substitutes in a string, in the strings of an array, and since Puppet 8 in `Sensitive`
    /// values.
    fn on(&self, target: &Value, is_inner: bool) -> FlowResult {
        let newer = self.evaluator.context.version != PuppetVersion::V7;
        match target {
            Value::String(text) => self.in_text(text),
            Value::Array(items) if !is_inner => {
                let items = items.iter().map(|it| self.on(it, true));
                Ok(Value::array(items.collect::<FlowResult<Vec<Value>>>()?))
            }
            Value::Sensitive(inner) if newer => match &**inner {
                Value::Array(_) if !is_inner => self.on(inner, false),
                Value::String(text) => Ok(Value::Sensitive(Arc::new(self.in_text(text)?))),
                _ => Err(self.call.error("expected strings")),
            },
            _ => Err(self.call.error("expected strings")),
        }
    }

    fn in_text(&self, text: &str) -> FlowResult {
        self.evaluator.budget.spend(1 + text.len() as u64)?;
        let mut out = String::new();
        let (mut copied, mut from) = (0, 0);
        while from <= text.len() {
            let Some(groups) = search(self.regexp, text, from)? else {
                break;
            };
            let Some(&Some((start, end))) = groups.first() else {
                break;
            };
            let before = out.len();
            out.push_str(&text[copied..start]);
            self.replace(text, &groups, &mut out)?;
            self.evaluator
                .budget
                .spend((1 + out.len() - before) as u64)?;
            copied = end;
            if !self.all {
                break;
            }
            from = end;
            if start == end {
                let next = text[end..].chars().next().map_or(1, char::len_utf8);
                from = end + next;
                copied = from.min(text.len());
                out.push_str(&text[end..copied]);
            }
        }
        out.push_str(&text[copied..]);
        self.evaluator.string_value(out)
    }

    /// Returns the index of a named group.
    fn group_number(&self, text: &str, name: &str) -> FlowResult<usize> {
        let compiled = self.regexp.compiled(text).map_err(EvalFailure::from)?;
        let found = compiled.capture_names().position(|it| it == Some(name));
        found.ok_or_else(|| {
            self.call
                .error("the regular expression has no group with this name")
        })
    }

    fn replace(
        &self,
        text: &str,
        groups: &[Option<(usize, usize)>],
        out: &mut String,
    ) -> FlowResult<()> {
        match self.replacement {
            Value::Hash(table) => {
                let whole = groups.first().copied().flatten();
                let found = whole.map_or("", |(start, end)| &text[start..end]);
                out.push_str(lookup(table, found));
                Ok(())
            }
            template => {
                let named = |name: &str| self.group_number(text, name);
                let compiled = self.regexp.compiled(text).map_err(EvalFailure::from)?;
                // If the groups are named, numbers do not refer to them.
                let has_names = compiled.capture_names().any(|it| it.is_some());
                expand(
                    template.as_str().unwrap_or_default(),
                    &RegexMatch {
                        text,
                        groups,
                        has_names,
                        named: &named,
                    },
                    out,
                )
            }
        }
    }
}

fn lookup<'a>(table: &'a HashValue, found: &str) -> &'a str {
    table.get_str(found).and_then(Value::as_str).unwrap_or("")
}

/// A match, for expanding a replacement.
struct RegexMatch<'a> {
    text: &'a str,
    groups: &'a [Option<(usize, usize)>],
    /// Whether the groups are named: then numbers do not refer to them.
    has_names: bool,
    /// Returns the index of a named group.
    named: &'a dyn Fn(&str) -> FlowResult<usize>,
}

/// Expands a replacement: `\1`, `\0`, `\&` and `\k<name>` to groups, `` \` `` and `\'` to the parts
/// before and after the match.
fn expand(template: &str, found: &RegexMatch<'_>, out: &mut String) -> FlowResult<()> {
    let &RegexMatch { text, groups, .. } = found;
    let (start, end) = groups.first().copied().flatten().unwrap_or((0, 0));
    let mut chars = template.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next() {
            Some('1'..='9') if found.has_names => {}
            Some(digit @ '0'..='9') => {
                let number = digit.to_digit(10).unwrap_or(0) as usize;
                if let Some((start, end)) = groups.get(number).copied().flatten() {
                    out.push_str(&text[start..end]);
                }
            }
            Some('&') => out.push_str(&text[start..end]),
            Some('`') => out.push_str(&text[..start]),
            Some('\'') => out.push_str(&text[end..]),
            Some('\\') => out.push('\\'),
            Some('k') if chars.as_str().starts_with('<') => {
                let Some((name, rest)) = chars.as_str()[1..].split_once('>') else {
                    return Err(ControlFlow::runtime(
                        "unclosed group name in the replacement",
                    ));
                };
                if let Some((start, end)) = groups.get((found.named)(name)?).copied().flatten() {
                    out.push_str(&text[start..end]);
                }
                chars = rest.chars();
            }
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expands_replacements() {
        let mut out = String::new();
        let groups = [Some((1, 2)), Some((1, 2)), None];
        let template = r"[\0|\1|\2|\3|\&|\`|\'|\\|\x|\k|\k<n>]\";
        let found = RegexMatch {
            text: "abc",
            groups: &groups,
            has_names: false,
            named: &|_| Ok(1),
        };
        assert_eq!(expand(template, &found, &mut out), Ok(()));
        assert_eq!(out, r"[b|b|||b|a|c|\|\x|\k|b]\");
    }
}
