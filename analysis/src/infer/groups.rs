//! The match variables `$0`, `$1` …: what is known of them by the regular expression that matched.
//!
//! A match that fails leaves them as they were; `!~` sets them as `=~` does.

use std::rc::Rc;

use super::flow::Groups;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::ProblemKind;
use super::walker::Walker;
use crate::types::precise::{intersection, union};
use crate::types::{IntRange, Type};
use crate::values::{Captures, Value};
use syntax::TextRange;
use syntax::regex::{self, GroupShape};

impl Walker<'_> {
    /// The value of `$0`, `$1` …
    pub(super) fn group(&mut self, name: &str, at: TextRange) -> Inferred {
        let Some(groups) = self.flow.groups().clone() else {
            return Inferred::of(Type::optional(Type::STRING));
        };
        let number: Option<usize> = name.parse().ok();
        if let Some(found) = number.and_then(|it| groups.get(it)) {
            return found.clone();
        }
        if let (Some(number), Some(count)) = (number, groups.len().checked_sub(1)) {
            self.report(at, ProblemKind::NoGroup { number, count });
        }
        Inferred::of(Type::Undef)
    }
}

/// What a match has captured.
pub(super) fn known(captures: &Captures) -> Rc<[Inferred]> {
    let groups = captures.groups.iter().map(|it| match it {
        Some(text) => Inferred::value(Value::String(text.clone())),
        None => Inferred::of(Type::Undef),
    });
    groups.collect()
}

/// What a match captures of a regular expression, or of a string that is one.
pub(super) fn of_pattern(pattern: &Inferred) -> Groups {
    let shapes = match pattern.value.as_ref()? {
        Value::Regexp(it) => regex::groups(it.source()),
        Value::String(it) => regex::groups(it),
        _ => return None,
    };
    (!shapes.is_empty()).then(|| shapes.iter().map(of_shape).collect())
}

fn of_shape(shape: &GroupShape) -> Inferred {
    let end = |it: u64| i64::try_from(it).ok();
    let type_ = match &shape.texts {
        Some(texts) => Type::enumeration(texts.iter().cloned()),
        None => {
            let max = shape.max.and_then(end);
            let size = IntRange::new(Some(end(shape.min).unwrap_or(0)), max);
            match size {
                Some(size) if size != IntRange::SIZE => Type::string_sized(size),
                _ => Type::STRING,
            }
        }
    };
    let single = shape.texts.as_deref().and_then(|it| match it {
        [only] => Some(only.clone()),
        _ => None,
    });
    match (shape.always, single) {
        (true, Some(only)) => Inferred::value(Value::from(only)),
        (true, None) => Inferred::of(type_),
        (false, _) => Inferred::of(Type::optional(type_)),
    }
}

/// What `value in container` captures if it is so; nothing if that is no match.
pub(super) fn of_membership(value: &Inferred, container: &Inferred) -> Option<Groups> {
    match value.is_a(&Type::Regexp(None)) {
        Some(true) => return Some(of_pattern(value)),
        None => return Some(None),
        Some(false) => {}
    }
    // Strings are matched by the regular expressions in the list.
    let may_match = intersection(&value.type_, &Type::STRING).is_some() && has_patterns(container);
    may_match.then_some(None)
}

/// Whether regular expressions may be among the elements of a container.
fn has_patterns(container: &Inferred) -> bool {
    match &container.value {
        Some(Value::Array(items)) => items.iter().any(|it| matches!(it, Value::Regexp(_))),
        Some(Value::Hash(entries)) => entries.keys().any(|it| matches!(it, Value::Regexp(_))),
        Some(_) => false,
        None => {
            let all = alternatives(&container.type_);
            all.iter().any(may_have_pattern)
        }
    }
}

/// Whether an element of a list or a key of a hash may be a regular expression.
fn may_have_pattern(type_: &Type) -> bool {
    let element = match type_ {
        Type::Array(it) => it.element().clone(),
        Type::Tuple(it) => union(it.types().iter().cloned()),
        Type::Hash(it) => it.key().clone(),
        Type::Struct(_) => return false,
        // It may be a list or a hash where little is known.
        other => {
            let some = Some(IntRange::NOT_EMPTY);
            let list = Type::array(Type::Regexp(None), some);
            let hash = Type::hash(Type::Regexp(None), Type::Any, some);
            let may_be = |it: &Type| intersection(other, it).is_some();
            return may_be(&list) || may_be(&hash);
        }
    };
    intersection(&element, &Type::Regexp(None)).is_some()
}

/// What an option captures if it matches.
pub(super) enum Captured {
    /// It is no match.
    Nothing,
    /// This.
    Groups(Groups),
    /// Something, perhaps also where not all of it matches.
    Anything,
}

/// What an option of a case or selector captures if it matches.
pub(super) fn of_option(option: &Inferred) -> Captured {
    match &option.value {
        Some(Value::Regexp(_)) => Captured::Groups(of_pattern(option)),
        Some(value) if has_pattern(value) => Captured::Anything,
        Some(_) => Captured::Nothing,
        None => {
            let collections =
                Type::variant([Type::any_array(), Type::any_hash(), Type::Regexp(None)]);
            match intersection(&option.type_, &collections) {
                Some(_) => Captured::Anything,
                None => Captured::Nothing,
            }
        }
    }
}

fn has_pattern(value: &Value) -> bool {
    match value {
        Value::Regexp(_) => true,
        Value::Array(items) => items.iter().any(has_pattern),
        Value::Hash(entries) => entries.values().any(has_pattern),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
