//! Conditionals: `if`, `unless`, `case` and selectors.
//!
//! Match variables set within a conditional are not visible after it; assigned variables are.

use syntax::ast::{
    Block, CaseExpr, ElseClause, Expr, HasBody, IfExpr, Literal, LiteralKind, SelectorExpr,
    UnlessExpr,
};

use super::control_flow::FlowResult;
use super::expressions::{Evaluator, error, required, splat, without_parens};
use super::unknown::matches;
use super::{Issue, expand_splat, option_matches};
use types::values::{Value, source};

impl Evaluator<'_> {
    /// Runs a function, and then removes the match variables that it has set.
    fn with_local_matches(&mut self, run: impl FnOnce(&mut Self) -> FlowResult) -> FlowResult {
        let mark = self.scope.mark();
        let result = run(self);
        self.scope.reset(mark);
        result
    }

    fn block(&mut self, block: Option<Block>) -> FlowResult {
        self.statements(required(block)?.statements())
    }

    pub(super) fn if_expr(&mut self, expr: &IfExpr) -> FlowResult {
        self.with_local_matches(|this| {
            if this.truth(&required(expr.condition())?)? {
                this.block(expr.body())
            } else {
                this.else_clause(expr.else_clause())
            }
        })
    }

    pub(super) fn unless_expr(&mut self, expr: &UnlessExpr) -> FlowResult {
        self.with_local_matches(|this| {
            if this.truth(&required(expr.condition())?)? {
                this.else_clause(expr.else_clause())
            } else {
                this.block(expr.body())
            }
        })
    }

    fn else_clause(&mut self, clause: Option<ElseClause>) -> FlowResult {
        let Some(clause) = clause else {
            return Ok(Value::Undef);
        };
        match clause.elsif() {
            // As a statement, so that the evaluation can go on if its condition is unknown.
            Some(elsif) => self.statements(std::iter::once(Expr::IfExpr(elsif))),
            None => self.block(clause.block()),
        }
    }

    pub(super) fn case_expr(&mut self, expr: &CaseExpr) -> FlowResult {
        self.with_local_matches(|this| {
            let subject = this.subject(required(expr.subject())?)?;
            let mut default = None;
            for option in expr.options() {
                for value in option.values() {
                    if is_default(&value) {
                        default = Some(option.body());
                    } else if this.option_matches(&subject, &value)? {
                        return this.block(option.body());
                    }
                }
            }
            default.map_or(Ok(Value::Undef), |it| this.block(it))
        })
    }

    pub(super) fn selector(&mut self, expr: &SelectorExpr) -> FlowResult {
        self.with_local_matches(|this| {
            let test = required(expr.subject())?;
            let subject = this.subject(test.clone())?;
            let mut default = None;
            for entry in expr.entries() {
                let option = required(entry.matching())?;
                if is_default(&option) {
                    default = Some(entry.value());
                } else if this.option_matches(&subject, &option)? {
                    return this.expr(&required(entry.value())?);
                }
            }
            match default {
                Some(value) => this.expr(&required(value)?),
                None => {
                    let shown = subject
                        .value
                        .as_ref()
                        .ok()
                        .and_then(source)
                        .map_or_else(|| "the value".to_owned(), |it| format!("`{it}`"));
                    let message = format!("selector has no option for {shown} and no `default`");
                    Err(this.fail_at(error(Issue::UnmatchedSelector, message), &test))
                }
            }
        })
    }

    /// Evaluates the subject of a `case` or selector.
    fn subject(&mut self, expr: Expr) -> FlowResult<Subject> {
        let value = match self.expr(&expr) {
            Err(flow) if flow.unknown_value().is_none() => return Err(flow),
            value => value,
        };
        Ok(Subject { expr, value })
    }

    /// Checks whether a value matches an option. A splat expands to several options.
    fn option_matches(&mut self, subject: &Subject, option: &Expr) -> FlowResult<bool> {
        let options = match splat(option) {
            Some(inner) => {
                let value = self.expr(&required(inner)?)?;
                expand_splat(self.context, &value)?
            }
            None => vec![self.expr(option)?],
        };
        for option in options {
            let matched = match &subject.value {
                Ok(value) => self.run_match(value, &option, option_matches)?.is_truthy(),
                Err(flow) => {
                    let flow = flow.clone();
                    self.decide(&subject.expr, flow, |it| matches(it, &option))?
                }
            };
            if matched {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The subject of a `case` or selector.
struct Subject {
    expr: Expr,
    /// The value, or the outcome if it is unknown.
    value: FlowResult,
}

/// Checks whether an option is the keyword `default`.
fn is_default(option: &Expr) -> bool {
    let literal: Option<Literal> = match without_parens(option.clone()) {
        Some(Expr::Literal(it)) => Some(it),
        _ => None,
    };
    literal.and_then(|it| it.kind()) == Some(LiteralKind::Default)
}
