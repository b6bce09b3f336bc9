//! String interpolation and heredocs.

use std::sync::Arc;

use syntax::ast::{AstNode, Expr, Heredoc, Interpolation, Segment};

use super::control_flow::FlowResult;
use super::expressions::{Evaluator, required, unknown};
use super::unknown::Unknown;
use types::values;

impl Evaluator<'_> {
    /// Evaluates an interpolated string.
    pub(super) fn interpolated(&mut self, segments: Vec<Segment>) -> FlowResult {
        let mut text = String::new();
        for (index, segment) in segments.iter().enumerate() {
            match segment {
                Segment::Text(it) => text.push_str(it),
                Segment::Interpolation(it) => match self.interpolated_text(it) {
                    Ok(it) => text.push_str(&it),
                    Err(flow) => {
                        let rest = segments.get(index + 1..).unwrap_or_default();
                        return Err(flow.map_unknown(|it| partly_known_text(it, text, rest)));
                    }
                },
            }
            self.budget.spend(1)?;
            if text.len() as u64 > self.context.limits.weight {
                return unknown("value is too large");
            }
        }
        self.string_value(text)
    }

    fn interpolated_text(&mut self, interpolation: &Interpolation) -> FlowResult<Arc<str>> {
        let value = self.interpolation(interpolation)?;
        let text = values::interpolated(&value);
        text.map_or_else(
            || unknown("value without a fixed string representation"),
            Ok,
        )
    }

    fn interpolation(&mut self, interpolation: &Interpolation) -> FlowResult {
        match required(interpolation.expr())? {
            // A bare name in an interpolation is a variable.
            Expr::QualifiedName(it) => self.variable(it.syntax(), &it.text()),
            expr => self.expr(&expr),
        }
    }

    /// Evaluates a heredoc.
    pub(super) fn heredoc(&mut self, heredoc: &Heredoc) -> FlowResult {
        let tag = required(heredoc.tag())?;
        let segments = heredoc.segments_of(&required(heredoc.body())?);
        let is_literal = matches!(segments.as_slice(), [] | [Segment::Text(_)]);
        if !is_literal && has_checker(&tag.syntax) {
            return unknown("heredoc with a syntax check");
        }
        self.interpolated(segments)
    }
}

/// Returns a string of its known start, an unknown value and the rest of the segments.
fn partly_known_text(unknown: Unknown, text: String, rest: &[Segment]) -> Unknown {
    let (start, inner_end) = match unknown.text() {
        Some((start, end)) => (text + start, end.to_owned()),
        None => (text, String::new()),
    };
    let end = match rest.last() {
        Some(Segment::Text(end)) => end.clone(),
        Some(Segment::Interpolation(_)) => String::new(),
        None => inner_end,
    };
    unknown.with_text(start, end)
}

/// Checks whether Puppet checks the result of a heredoc with this syntax tag. Any part of a
/// compound syntax such as `data+json` may select the checker.
fn has_checker(syntax: &str) -> bool {
    let parts = syntax.split('+');
    parts
        .into_iter()
        .any(|it| matches!(it, "json" | "base64" | "pp" | "epp" | "puppet"))
}
