//! Interpolated strings, and the output of templates.

use syntax::ast::{AstNode, Expr, HasBody, Heredoc, Interpolation, RenderExpr, Segment};

use super::TypedRangeKind;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::{alternatives, size_of};
use types::values::{self, Value};
use types::{IntRange, StringType, Type};

/// The maximum number of possible values tracked for a string.
const MAX_STRINGS: usize = 64;

/// Builds the type of a string from those of its parts.
struct StringBuilder {
    /// All possible values, as long as they are few.
    values: Option<Vec<String>>,
    size: IntRange,
}

impl InferenceContext<'_> {
    pub(super) fn interpolated(&mut self, segments: Vec<Segment>) -> Inferred {
        let mut text = StringBuilder {
            values: Some(vec![String::new()]),
            size: IntRange::exactly(0),
        };
        for segment in segments {
            match segment {
                Segment::Text(it) => text.push(&[it]),
                Segment::Interpolation(it) => {
                    let value = self.interpolation(&it);
                    text.interpolate(&value);
                }
            }
        }
        text.inferred()
    }

    fn interpolation(&mut self, interpolation: &Interpolation) -> Inferred {
        match interpolation.expr() {
            // A bare name in an interpolation is a variable.
            Some(Expr::QualifiedName(it)) => {
                let range = it.syntax().text_range();
                let found = self.variable(&it.text(), range);
                self.record(range, TypedRangeKind::Expression, &found);
                found
            }
            expr => self.infer_optional(expr),
        }
    }

    pub(super) fn heredoc(&mut self, heredoc: &Heredoc) -> Inferred {
        let body = self.heredocs().body(heredoc).cloned();
        match body {
            Some(body) => self.interpolated(heredoc.segments_of(&body)),
            None => Inferred::of(Type::STRING),
        }
    }

    pub(super) fn render(&mut self, render: &RenderExpr) -> Inferred {
        match render.body() {
            Some(body) => self.infer_block(Some(body)),
            None => self.infer_optional(render.expr()),
        };
        Inferred::of(Type::Undef)
    }
}

impl StringBuilder {
    fn push(&mut self, texts: &[String]) {
        let sizes = texts
            .iter()
            .map(|it| IntRange::exactly_len(it.chars().count()));
        if let Some(size) = sizes.reduce(IntRange::hull) {
            self.size = self.size.plus(size);
        }
        let Some(all) = self.values.take() else {
            return;
        };
        let bytes: usize = all.iter().chain(texts).map(String::len).sum();
        if all.len() * texts.len() <= MAX_STRINGS && bytes <= 100_000 {
            let joined = all
                .iter()
                .flat_map(|a| texts.iter().map(move |b| format!("{a}{b}")));
            self.values = Some(joined.collect());
        }
    }

    fn interpolate(&mut self, value: &Inferred) {
        if let Some(texts) = finite_strings(value) {
            return self.push(&texts);
        }
        self.values = None;
        let sizes = alternatives(&value.type_).into_iter().map(|it| match &it {
            Type::String(_) | Type::Enum(_) => size_of(&it),
            Type::Undef => IntRange::exactly(0),
            Type::Integer(_) | Type::Boolean(_) => IntRange::at_least(1),
            _ => IntRange::SIZE,
        });
        self.size = self
            .size
            .plus(sizes.reduce(IntRange::hull).unwrap_or(IntRange::SIZE));
    }

    fn inferred(self) -> Inferred {
        match self.values {
            Some(mut all) if all.len() == 1 => {
                Inferred::value(Value::from(all.pop().unwrap_or_default()))
            }
            Some(all) => Inferred::of(Type::enumeration(all)),
            None if self.size.min() == Some(0) && self.size.max().is_none() => {
                Inferred::of(Type::STRING)
            }
            None => Inferred::of(Type::string_sized(self.size)),
        }
    }
}

/// Returns all possible strings of a value, if they are few.
pub fn finite_strings(value: &Inferred) -> Option<Vec<String>> {
    if let Some(value) = &value.value {
        return values::interpolated(value).map(|it| vec![it.to_string()]);
    }
    let mut found = Vec::new();
    for it in alternatives(&value.type_) {
        match &it {
            Type::Enum(it) if !it.case_insensitive() => {
                found.extend(it.values().iter().map(ToString::to_string));
            }
            Type::String(StringType::Value(it)) => found.push(it.to_string()),
            Type::Undef => found.push(String::new()),
            Type::Boolean(Some(it)) => found.push(it.to_string()),
            Type::Boolean(None) => found.extend(["true".to_owned(), "false".to_owned()]),
            Type::Integer(it) => found.push(it.single()?.to_string()),
            _ => return None,
        }
        if found.len() > MAX_STRINGS {
            return None;
        }
    }
    found.sort();
    found.dedup();
    (!found.is_empty()).then_some(found)
}
