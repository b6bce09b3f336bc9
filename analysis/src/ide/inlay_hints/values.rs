//! Types of variables and parameters, and constant values.

use syntax::ast::{Assignment, AstNode, Attribute, Expr, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::super::hover;
use super::{About, HintKind, Hints};
use crate::eval::assigned_variables;
use crate::infer::{Inference, Inferred};
use crate::shortened;
use crate::types::{display_hover, generalize};
use crate::values::source;

/// How long a type or a value may be, in characters.
const MAX_SHOWN: usize = 40;

impl Hints<'_> {
    /// The hints about what a node assigns or sets.
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

    /// The value behind it, or if it is not constant, the types of the variables.
    fn assignment(&mut self, assignment: &Assignment) {
        let Some(right) = assignment.rhs() else {
            return;
        };
        let is_shown = self.options.values && self.value(&right);
        if !self.options.types || is_shown || is_plain(&right) {
            return;
        }
        for variable in assigned_variables(assignment) {
            let range = variable.text_range();
            let inferred = self.inference.at(range).filter(|it| is_known(it));
            if let Some(inferred) = inferred {
                let label = format!(": {}", type_of(inferred));
                let about = About::Inferred(self.item, Some(variable.text().to_owned()), range);
                self.add(range.end(), HintKind::VariableType, label, about);
            }
        }
    }

    /// The value of an expression that is not plain to see; whether there is one.
    fn value(&mut self, expr: &Expr) -> bool {
        let range = expr.syntax().text_range();
        if is_literal(expr) || matches!(expr, Expr::Assignment(_)) {
            return false;
        }
        let value = self.inference.at(range).and_then(|it| it.value.as_ref());
        let Some(value) = value.and_then(source) else {
            return false;
        };
        // A list of what is plain to see says the same.
        if value == expr.syntax().text().to_string() {
            return false;
        }
        let label = format!("= {}", one_line(&value));
        let about = About::Inferred(self.item, None, range);
        self.add(range.end(), HintKind::Value, label, about);
        true
    }

    /// The type of a parameter of a lambda that declares none.
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
        if let Some(inferred) = self.inference.at(range).filter(|it| is_known(it)) {
            let label = type_of(inferred);
            let about = About::Inferred(self.item, Some(variable.text().to_owned()), range);
            let start = parameter.syntax().text_range().start();
            self.add(start, HintKind::ParameterType, label, about);
        }
    }
}

/// What a pointer on the hint of a type or a value shows.
pub(super) fn tooltip(
    inference: &Inference,
    name: Option<&str>,
    range: TextRange,
) -> Option<String> {
    Some(hover::inferred_page(name, inference.at(range)?))
}

fn is_known(inferred: &Inferred) -> bool {
    !inferred.type_.is_any() && !inferred.is_never()
}

/// The type; of a long one only the general one, as the pointer shows the rest.
fn type_of(inferred: &Inferred) -> String {
    /// How long the exact type may be, in characters.
    const MAX_EXACT: usize = 24;
    let exact = display_hover(&inferred.type_);
    if exact.chars().count() <= MAX_EXACT {
        return exact;
    }
    shortened(&display_hover(&generalize(&inferred.type_)), MAX_SHOWN)
}

fn one_line(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|it| if it.is_control() { ' ' } else { it })
        .take(MAX_SHOWN + 1)
        .collect();
    shortened(&line, MAX_SHOWN)
}

/// Whether the value stands there.
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

/// Whether the type is plain to see.
fn is_plain(expr: &Expr) -> bool {
    let is_collection = matches!(expr, Expr::ArrayExpr(_) | Expr::HashExpr(_));
    let is_text = matches!(expr, Expr::InterpolatedString(_) | Expr::Heredoc(_));
    is_literal(expr) || is_text || is_collection
}
