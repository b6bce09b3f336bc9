//! Hints for types of variables and parameters, and for known values.

use syntax::ast::{Assignment, AstNode, Attribute, Expr, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::super::hover;
use super::{HintCollector, HintKind, HintSubject};
use base::truncated;
use infer::{InferenceResult, Inferred};
use syntax::ast::assigned_variables;
use types::values::source;
use types::{display_hover, generalize};

/// The maximum length of a type or value, in characters.
const MAX_LENGTH: usize = 40;

impl HintCollector<'_> {
    /// Adds the hints of an assignment, attribute or lambda parameter.
    pub(super) fn values(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::ASSIGNMENT => {
                if let Some(it) = Assignment::cast(node.clone()) {
                    self.assignment(&it);
                }
            }
            SyntaxKind::ATTRIBUTE if self.options.values => {
                let value = Attribute::cast(node.clone()).and_then(|it| it.value());
                if let Some(value) = value {
                    self.value(&value);
                }
            }
            SyntaxKind::PARAMETER if self.options.types => {
                if let Some(it) = Parameter::cast(node.clone()) {
                    self.parameter(&it);
                }
            }
            _ => {}
        }
    }

    /// Adds the known value or, without one, the types of the assigned variables.
    fn assignment(&mut self, assignment: &Assignment) {
        let Some(right) = assignment.rhs() else {
            return;
        };
        let is_shown = self.options.values && self.value(&right);
        if !self.options.types || is_shown || has_evident_type(&right) {
            return;
        }
        for variable in assigned_variables(assignment) {
            let range = variable.text_range();
            let inferred = self.inference.at(range).filter(|it| is_informative(it));
            if let Some(inferred) = inferred {
                let label = format!(": {}", render_type(inferred));
                let subject =
                    HintSubject::Inferred(self.item, Some(variable.text().to_owned()), range);
                self.add(range.end(), HintKind::VariableType, label, subject);
            }
        }
    }

    /// Adds the known value of an expression unless it is a literal. Returns whether it was added.
    fn value(&mut self, expr: &Expr) -> bool {
        let range = expr.syntax().text_range();
        if is_literal(expr) || matches!(expr, Expr::Assignment(_)) {
            return false;
        }
        let value = self.inference.at(range).and_then(|it| it.value.as_ref());
        let Some(value) = value.and_then(source) else {
            return false;
        };
        // The hint would repeat the source.
        if value == expr.syntax().text().to_string() {
            return false;
        }
        let label = format!("= {}", one_line(&value));
        let subject = HintSubject::Inferred(self.item, None, range);
        self.add(range.end(), HintKind::Value, label, subject);
        true
    }

    /// Adds the type of an untyped lambda parameter.
    fn parameter(&mut self, parameter: &Parameter) {
        let list = parameter.syntax().parent();
        let is_of_lambda = list
            .and_then(|it| it.parent())
            .is_some_and(|it| it.kind() == SyntaxKind::LAMBDA);
        let Some(variable) = parameter.variable().filter(|_| is_of_lambda) else {
            return;
        };
        if parameter.type_expr().is_some() {
            return;
        }
        let range = variable.text_range();
        if let Some(inferred) = self.inference.at(range).filter(|it| is_informative(it)) {
            let label = render_type(inferred);
            let subject = HintSubject::Inferred(self.item, Some(variable.text().to_owned()), range);
            let start = parameter.syntax().text_range().start();
            self.add(start, HintKind::ParameterType, label, subject);
        }
    }
}

/// Returns the tooltip of a type or value.
pub(super) fn tooltip(
    inference: &InferenceResult,
    name: Option<&str>,
    range: TextRange,
) -> Option<String> {
    Some(hover::render_inferred(name, inference.at(range)?))
}

fn is_informative(inferred: &Inferred) -> bool {
    !inferred.type_.is_any() && !inferred.is_never()
}

/// Renders a type; generalizes it if it is long, as the tooltip shows the exact one.
fn render_type(inferred: &Inferred) -> String {
    /// The maximum length of an exact type, in characters.
    const MAX_EXACT: usize = 24;
    let exact = display_hover(&inferred.type_);
    if exact.chars().count() <= MAX_EXACT {
        return exact;
    }
    truncated(&display_hover(&generalize(&inferred.type_)), MAX_LENGTH)
}

fn one_line(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .take(MAX_LENGTH + 1)
        .collect();
    truncated(&line, MAX_LENGTH)
}

fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Literal(_)
            | Expr::QualifiedName(_)
            | Expr::QualifiedReference(_)
            | Expr::StringLiteral(_)
            | Expr::KeywordWord(_)
    )
}

/// Checks whether the type is evident from the syntax.
fn has_evident_type(expr: &Expr) -> bool {
    let is_collection = matches!(expr, Expr::ArrayExpr(_) | Expr::HashExpr(_));
    let is_text = matches!(expr, Expr::InterpolatedString(_) | Expr::Heredoc(_));
    is_literal(expr) || is_text || is_collection
}
