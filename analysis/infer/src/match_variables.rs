//! The match variables `$0`, `$1` …: their types according to the regular expression that matched.
//!
//! A failed match leaves them unchanged; `!~` sets them like `=~`.

use std::rc::Rc;

use super::flow::MatchVariables;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::TypeProblemKind;
use hir::{ItemKind, NodeMatcher, matchers_of};
use syntax::ast::{AstNode, NodeDefinition};
use syntax::regex::{self, GroupShape};
use syntax::{SyntaxNode, TextRange};
use types::precise::{intersection, union};
use types::values::{Captures, Regexp, Value};
use types::{IntRange, Type};

impl InferenceContext<'_> {
    /// Sets the match variables at the start of a definition. It sees no match of the code that uses it, except for a
    /// class that top-scope code includes where it has matched something. A node sees the match of its name, and a
    /// template may be evaluated anywhere.
    pub(super) fn set_first_matches(&mut self) {
        let matches = match self.item.kind(self.db) {
            ItemKind::Main => return,
            ItemKind::Node => of_node(&self.item.syntax(self.db)),
            _ => Some(Rc::clone(&self.unmatched)),
        };
        self.flow.set_match_variables(matches);
    }

    /// Infers a match variable.
    pub(super) fn match_variable(&mut self, name: &str, at: TextRange) -> Inferred {
        let Some(known) = self.flow.match_variables().clone() else {
            return Inferred::of(Type::optional(Type::STRING));
        };
        let number: Option<usize> = name.parse().ok();
        if Rc::ptr_eq(&known, &self.unmatched) {
            if let Some(number) = number {
                self.report(at, TypeProblemKind::NothingMatched { number });
            }
            return Inferred::of(Type::optional(Type::STRING));
        }
        if let Some(found) = number.and_then(|it| known.get(it)) {
            return found.clone();
        }
        if let (Some(number), Some(count)) = (number, known.len().checked_sub(1)) {
            self.report(at, TypeProblemKind::UnknownCaptureGroup { number, count });
        }
        Inferred::of(Type::Undef)
    }
}

/// Returns the match variables after a match of constants.
pub(super) fn of_captures(captures: &Captures) -> Rc<[Inferred]> {
    let groups = captures.groups.iter().map(|it| match it {
        Some(text) => Inferred::value(Value::String(text.clone())),
        None => Inferred::of(Type::Undef),
    });
    groups.collect()
}

/// Returns the match variables after a match of a regular expression, or of a string used as one.
pub(super) fn of_pattern(pattern: &Inferred) -> MatchVariables {
    let shapes = match pattern.value.as_ref()? {
        Value::Regexp(it) => regex::groups(it.source()),
        Value::String(it) => regex::groups(it),
        _ => return None,
    };
    (!shapes.is_empty()).then(|| shapes.iter().map(of_shape).collect())
}

/// Returns the match variables in the definition of nodes whose names match a regular expression.
fn of_node(syntax: &SyntaxNode) -> MatchVariables {
    let definition = NodeDefinition::cast(syntax.clone())?;
    let mut matchers = matchers_of(&definition);
    match (matchers.next()?, matchers.next()) {
        (NodeMatcher::Regex(source), None) => {
            of_pattern(&Inferred::value(Value::Regexp(Regexp::new(&source))))
        }
        _ => None,
    }
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

/// Returns the match variables if `value in container` is true; `None` if it does not set them.
pub(super) fn of_membership(value: &Inferred, container: &Inferred) -> Option<MatchVariables> {
    match value.is_a(&Type::Regexp(None)) {
        Some(true) => return Some(of_pattern(value)),
        None => return Some(None),
        Some(false) => {}
    }
    // Strings are matched against the regular expressions in the container.
    let may_match = intersection(&value.type_, &Type::STRING).is_some() && has_patterns(container);
    may_match.then_some(None)
}

/// Checks whether a container may contain regular expressions.
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

/// Checks whether an element of an array or a key of a hash may be a regular expression.
fn may_have_pattern(type_: &Type) -> bool {
    let element = match type_ {
        Type::Array(it) => it.element().clone(),
        Type::Tuple(it) => union(it.types().iter().cloned()),
        Type::Hash(it) => it.key().clone(),
        Type::Struct(_) => return false,
        // An unknown type may be an array or a hash.
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

/// The effect of an option on the match variables if it matches.
pub(super) enum CaptureEffect {
    /// It does not set them.
    None,
    /// It sets them to these.
    Known(MatchVariables),
    /// It may set them, perhaps even if it does not match as a whole.
    Unknown,
}

/// Returns the effect of an option of a case or selector on the match variables.
pub(super) fn of_option(option: &Inferred) -> CaptureEffect {
    match &option.value {
        Some(Value::Regexp(_)) => CaptureEffect::Known(of_pattern(option)),
        Some(value) if has_pattern(value) => CaptureEffect::Unknown,
        Some(_) => CaptureEffect::None,
        None => {
            let collections =
                Type::variant([Type::any_array(), Type::any_hash(), Type::Regexp(None)]);
            match intersection(&option.type_, &collections) {
                Some(_) => CaptureEffect::Unknown,
                None => CaptureEffect::None,
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
