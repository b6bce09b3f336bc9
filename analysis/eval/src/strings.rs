//! String interpolation and heredocs.

use syntax::ast::{AstNode, Expr, Heredoc, Interpolation, Segment};

use super::control_flow::FlowResult;
use super::expressions::{Evaluator, required, unknown};
use types::values;

impl Evaluator<'_> {
    /// Evaluates an interpolated string.
    pub(super) fn interpolated(&mut self, segments: Vec<Segment>) -> FlowResult {
        let mut text = String::new();
        for segment in segments {
            match segment {
                Segment::Text(it) => text.push_str(&it),
                Segment::Interpolation(it) => {
                    let value = self.interpolation(&it)?;
                    match values::interpolated(&value) {
                        Some(it) => text.push_str(&it),
                        None => return unknown("value without a fixed string representation"),
                    }
                }
            }
            self.budget.spend(1)?;
            if text.len() as u64 > self.context.limits.weight {
                return unknown("value is too large");
            }
        }
        self.string_value(text)
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

/// Checks whether Puppet checks the result of a heredoc with this syntax tag. Any part of a
/// compound syntax such as `data+json` may select the checker.
fn has_checker(syntax: &str) -> bool {
    let parts = syntax.split('+');
    parts
        .into_iter()
        .any(|it| matches!(it, "json" | "base64" | "pp" | "epp" | "puppet"))
}
