//! Hints for types of variables and parameters, and for known values.

use rustc_hash::FxHashSet;
use syntax::ast::{Assignment, AstNode, Attribute, Expr, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::super::hover;
use super::super::literals::{is_literal, is_simple_literal, literals_in};
use super::super::readable_type::readable_type;
use super::{HintCollector, HintKind, HintSubject};
use infer::InferenceResult;
use syntax::ast::assigned_variables;
use types::values::source;

/// The maximum length of a value, in characters. Longer ones are not shown.
const MAX_VALUE_LENGTH: usize = 40;
/// The maximum length of a type, in characters. Longer ones are widened.
const MAX_TYPE_LENGTH: usize = 36;

impl HintCollector<'_> {
    /// Adds the hints of an assignment, attribute or lambda parameter.
    pub(super) fn values(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::ASSIGNMENT => {
                if let Some(it) = Assignment::cast(node.clone()) {
                    self.assignment(&it);
                }
            }
            SyntaxKind::ATTRIBUTE if self.options.attribute_values => {
                let value = Attribute::cast(node.clone()).and_then(|it| it.value());
                if let Some(value) = value {
                    self.value(&value);
                }
            }
            SyntaxKind::PARAMETER if self.options.lambda_types => {
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
            if let Some(type_) = self.type_at(range) {
                let label = format!(": {type_}");
                let subject =
                    HintSubject::Inferred(self.item, Some(variable.text().to_owned()), range);
                self.add(range.end(), HintKind::VariableType, label, subject);
            }
        }
    }

    /// Adds the known value of an expression, unless the expression contains it as a literal, or is a variable that is
    /// assigned a literal nearby. Returns whether it was added.
    fn value(&mut self, expr: &Expr) -> bool {
        let range = expr.syntax().text_range();
        let is_evident = match expr {
            Expr::VariableExpr(it) => {
                let name = it.name();
                name.is_some_and(|it| self.literal_variables.contains(&it))
            }
            _ => is_literal(expr) || matches!(expr, Expr::Assignment(_)),
        };
        if is_evident {
            return false;
        }
        let value_at = |range| source(self.inference.at(range)?.value.as_ref()?);
        let Some(value) = value_at(range) else {
            return false;
        };
        let is_readable = value.chars().count() <= MAX_VALUE_LENGTH && !value.contains(is_control);
        let is_repeated =
            || literals_in(expr).any(|it| value_at(it.text_range()).as_ref() == Some(&value));
        if !is_readable || is_repeated() {
            return false;
        }
        let label = format!("= {value}");
        let subject = HintSubject::Inferred(self.item, None, range);
        self.add(range.end(), HintKind::Value, label, subject);
        true
    }

    /// Renders the type of a variable, widened until it fits. Returns `None` if it is unknown, or
    /// less exact than the value, which is shown or in the code.
    fn type_at(&self, range: TextRange) -> Option<String> {
        let inferred = self.inference.at(range)?;
        if self.options.values && inferred.value.is_some() {
            return None;
        }
        readable_type(&inferred.type_, MAX_TYPE_LENGTH)
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
        if let Some(label) = self.type_at(range) {
            let subject = HintSubject::Inferred(self.item, Some(variable.text().to_owned()), range);
            let start = parameter.syntax().text_range().start();
            self.add(start, HintKind::ParameterType, label, subject);
        }
    }
}

/// Returns the variables that are assigned literals in a tree.
pub(super) fn literal_variables(root: &SyntaxNode) -> FxHashSet<String> {
    let assignments = root.descendants().filter_map(Assignment::cast);
    let with_literal = assignments.filter(|it| it.rhs().is_some_and(|it| is_literal(&it)));
    let variables = with_literal.filter_map(|it| match it.lhs()? {
        Expr::VariableExpr(it) => it.name(),
        _ => None,
    });
    variables.collect()
}

/// Returns the tooltip of a type or value.
pub(super) fn tooltip(
    inference: &InferenceResult,
    name: Option<&str>,
    range: TextRange,
) -> Option<String> {
    Some(hover::render_inferred(name, inference.at(range)?))
}

fn is_control(c: char) -> bool {
    c.is_control()
}

/// Checks whether the type is evident from the syntax: a literal, a collection, a conversion, or an
/// operator whose results have only one type.
fn has_evident_type(expr: &Expr) -> bool {
    match expr {
        Expr::ArrayExpr(_) | Expr::HashExpr(_) | Expr::InterpolatedString(_) | Expr::Heredoc(_) => {
            true
        }
        Expr::CallExpr(it) => matches!(it.callee(), Some(Expr::QualifiedReference(_))),
        Expr::BinaryExpr(it) => it.operator().is_some_and(|it| is_condition(it.kind())),
        Expr::UnaryExpr(it) => it
            .operator()
            .is_some_and(|it| it.kind() == SyntaxKind::BANG),
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| has_evident_type(&it)),
        _ => is_simple_literal(expr),
    }
}

/// Checks whether the results of an operator are always Boolean.
fn is_condition(operator: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        operator,
        EQ_EQ | NOT_EQ | LT | GT | LT_EQ | GT_EQ | MATCH | NOT_MATCH | IN_KW | AND_KW | OR_KW
    )
}
