//! Related information about types: the variables that a type comes from.

use std::cmp::Reverse;
use std::iter::successors;

use hir::body::{Binding, ReferenceName, ScopeId};
use infer::TypeProblem;
use syntax::ast::{Assignment, AstNode, VariableExpr};
use syntax::{Severity, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::rule::Rule;
use crate::wording::actual;

/// The number of variables of an expression that are considered, and the number of those that are
/// shown.
const MAX_VARIABLES: usize = 20;
const MAX_SHOWN: usize = 3;

impl Checker<'_> {
    /// Reports a problem of type inference with the variables that explain it, and with the default
    /// severity of its rule.
    pub(crate) fn report_problem(
        &mut self,
        rule: &'static Rule,
        problem: &TypeProblem,
        message: String,
    ) {
        self.report_problem_as(rule, rule.severity, problem, message);
    }

    /// Reports a problem of type inference with the variables that explain it.
    pub(crate) fn report_problem_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        problem: &TypeProblem,
        message: String,
    ) {
        self.report_as(rule, severity, problem.range, message);
        for reason in &problem.related {
            let message = format!("`${}` is {}", reason.variable, actual(&reason.type_));
            self.relate(self.item, reason.range, message);
        }
    }

    /// Adds the variables in an expression to the last diagnostic, as [`Self::report_problem`] does:
    /// the place where each is assigned, and its inferred type in the expression.
    pub(crate) fn relate_variables(&mut self, expr: &SyntaxNode) {
        let mut shown: Vec<TextRange> = Vec::new();
        let variables = expr.descendants().filter_map(VariableExpr::cast);
        for variable in variables.take(MAX_VARIABLES) {
            let Some(assigned_at) = self.assignment_of(&variable) else {
                continue;
            };
            let (name, type_) = (variable.name(), self.type_of(&variable.into()));
            if let (Some(name), Some(type_)) = (name, type_)
                && shown.len() < MAX_SHOWN
                && !shown.contains(&assigned_at)
            {
                shown.push(assigned_at);
                let message = format!("`${name}` is {}", actual(&type_.type_));
                self.relate(self.item, assigned_at, message);
            }
        }
    }

    /// Returns the range of the assignment or parameter that a variable refers to: one that always
    /// runs before, else the first in the branches closest to the reference.
    fn assignment_of(&self, variable: &VariableExpr) -> Option<TextRange> {
        let body = self.body;
        let range = variable.syntax().text_range();
        let mut references = body.references.iter();
        let reference = references.find(|it| it.range == range)?;
        let ReferenceName::Variable(name) = &reference.name else {
            return None;
        };
        // A variable is not assigned yet in its own value.
        let around = variable.syntax().ancestors().filter_map(Assignment::cast);
        let targets: Vec<_> = around.filter_map(|it| it.lhs()).collect();
        let is_target = |binding: TextRange| {
            let mut targets = targets.iter().map(|it| it.syntax().text_range());
            targets.any(|it| it.contains_range(binding))
        };
        let of_scope = |scope: ScopeId| -> Vec<&Binding> {
            let bindings = body.scopes[scope].bindings.iter();
            let known = bindings.filter(|it| {
                it.name == *name && it.range.end() <= range.start() && !is_target(it.range)
            });
            known.collect()
        };
        let scopes = body.scopes_from(reference.scope);
        let bindings = scopes.map(of_scope).find(|it| !it.is_empty())?;
        let always = |it: &&&Binding| body.is_within(reference.branch, it.branch);
        if let Some(last) = bindings.iter().rfind(always) {
            return Some(last.range);
        }
        let shared_branches = |it: &&&Binding| {
            let branches = successors(Some(it.branch), |it| body.branches[*it].parent);
            let shared = branches.filter(|it| body.is_within(reference.branch, *it));
            Reverse(shared.count())
        };
        bindings
            .iter()
            .min_by_key(shared_branches)
            .map(|it| it.range)
    }
}
