//! Branches whose conditions are unknown: what they declare is in the catalog, but not certain.

use eval::Evaluator;
use syntax::ast::{AstNode, Block, CaseExpr, ElseClause, Expr, HasBody};

use crate::data::{Gap, Resource, ResourceKey};
use crate::state::{Compiler, OpenStatement, ScopeId};

/// The limit of rounds in which branches and instances of defined types declare others.
const MAX_ROUNDS: usize = 30;

/// The maximum number of statements and instances evaluated in all rounds. A function or defined type that uses itself
/// twice doubles the number in each round.
const MAX_EVALUATED: usize = 20_000;

/// The limit of characters of a condition.
const MAX_LENGTH: usize = 60;

impl Compiler<'_> {
    /// Checks whether the code that is being evaluated may not run.
    pub(crate) fn is_open(&self) -> bool {
        self.condition.borrow().is_some()
    }

    /// Records under which condition a resource is declared.
    pub(crate) fn set_certainty(&self, resource: &mut Resource) {
        resource.condition.clone_from(&self.condition.borrow());
        resource.is_certain = resource.condition.is_none();
    }

    /// Keeps the branches of a statement with an unknown condition for later. Returns `false` for other statements.
    pub(crate) fn postpone(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        statement: &Expr,
        why: &str,
    ) -> bool {
        if !has_branches(statement) {
            return false;
        }
        let range = statement.syntax().text_range();
        let condition = Gap {
            place: self.place(scope, range),
            why: why.to_owned(),
        };
        let mut state = self.state.borrow_mut();
        if !state.effects.catalog.conditions.contains(&condition) {
            state.effects.catalog.conditions.push(condition);
        }
        state.open_statements.push(OpenStatement {
            scope,
            variables: evaluator.scope().clone(),
            statement: statement.clone(),
            outer: self.condition.borrow().clone(),
            range,
            why: why.to_owned(),
        });
        true
    }

    /// Evaluates the branches with unknown conditions, and the instances of defined types that are not certain.
    pub(crate) fn evaluate_open(&self) {
        let errors = self.state.borrow().errors.len();
        let mut evaluated = 0;
        for _ in 0..MAX_ROUNDS {
            let (statements, instances) = {
                let mut state = self.state.borrow_mut();
                evaluated += state.open_statements.len()
                    + state.effects.uncertain_instances.len()
                    + state.pending.len();
                if evaluated > MAX_EVALUATED {
                    break;
                }
                let statements = std::mem::take(&mut state.open_statements);
                let mut instances = std::mem::take(&mut state.effects.uncertain_instances);
                instances.extend(state.pending.drain(..));
                (statements, instances)
            };
            if statements.is_empty() && instances.is_empty() {
                break;
            }
            for statement in statements {
                self.evaluate_branches(statement);
            }
            for (key, scope) in instances {
                self.evaluate_uncertain(&key, scope);
            }
            self.evaluate_collectors();
        }
        *self.condition.borrow_mut() = None;
        self.state.borrow_mut().errors.truncate(errors);
        self.record_rest();
    }

    fn evaluate_branches(&self, statement: OpenStatement) {
        for branch in branches(&statement.statement).unwrap_or_default() {
            let condition = match &statement.outer {
                Some(outer) if !outer.is_empty() => format!("{outer} and {}", branch.condition),
                _ => branch.condition,
            };
            *self.condition.borrow_mut() = Some(condition.into());
            let variables = statement.variables.clone();
            let statements = branch.statements.into_iter();
            let outcome = self.evaluate(statement.scope, variables, statements);
            // Code that fails is not part of a catalog.
            let is_unknown = outcome.is_err_and(|it| it.unknown_value().is_some());
            if is_unknown {
                self.add_gap(
                    statement.scope,
                    Some(statement.range),
                    statement.why.clone(),
                );
            }
        }
    }

    fn evaluate_uncertain(&self, key: &ResourceKey, scope: ScopeId) {
        let condition = {
            let state = self.state.borrow();
            let resource = state.effects.catalog.resources.get(key);
            resource.and_then(|it| it.condition.clone())
        };
        *self.condition.borrow_mut() = Some(condition.unwrap_or_default());
        let outcome = self.evaluate_instance(key, scope);
        if let Err(flow) = outcome
            && let Some(why) = flow.unknown_value().cloned()
        {
            self.add_gap(scope, None, why);
        }
    }

    /// Records what was not evaluated within the limit of rounds.
    fn record_rest(&self) {
        let rest = std::mem::take(&mut self.state.borrow_mut().open_statements);
        for it in rest {
            self.add_gap(it.scope, Some(it.range), it.why);
        }
        let (instances, pending) = {
            let mut state = self.state.borrow_mut();
            let instances = std::mem::take(&mut state.effects.uncertain_instances);
            (instances, std::mem::take(&mut state.pending))
        };
        for (_, scope) in instances.into_iter().chain(pending) {
            self.add_gap(scope, None, "conditions are nested too deeply");
        }
    }
}

/// A branch, with the condition under which it runs.
struct OpenBranch {
    condition: String,
    statements: Vec<Expr>,
}

/// Checks whether a statement has branches that may run if its condition is unknown.
fn has_branches(statement: &Expr) -> bool {
    match statement {
        Expr::IfExpr(it) => it.condition().is_some(),
        Expr::UnlessExpr(it) => it.condition().is_some(),
        Expr::CaseExpr(it) => it.subject().is_some(),
        _ => false,
    }
}

/// Returns the branches of a statement that may run if its condition is unknown; `None` for a statement without
/// condition.
fn branches(statement: &Expr) -> Option<Vec<OpenBranch>> {
    match statement {
        Expr::IfExpr(it) => {
            let condition = source(&it.condition()?);
            let otherwise = alternative(&condition, it.else_clause(), false);
            let body = branch(condition, it.body());
            Some([Some(body), otherwise].into_iter().flatten().collect())
        }
        Expr::UnlessExpr(it) => {
            let condition = source(&it.condition()?);
            let otherwise = alternative(&condition, it.else_clause(), true);
            let body = branch(negated(&condition), it.body());
            Some([Some(body), otherwise].into_iter().flatten().collect())
        }
        Expr::CaseExpr(it) => options(it),
        _ => None,
    }
}

fn branch(condition: String, block: Option<Block>) -> OpenBranch {
    let statements = block
        .into_iter()
        .flat_map(|it| it.statements().collect::<Vec<_>>());
    OpenBranch {
        condition,
        statements: statements.collect(),
    }
}

/// Returns the branch of `else` or `elsif`.
fn alternative(condition: &str, clause: Option<ElseClause>, is_unless: bool) -> Option<OpenBranch> {
    let clause = clause?;
    let condition = match is_unless {
        true => condition.to_owned(),
        false => negated(condition),
    };
    Some(match clause.elsif() {
        Some(elsif) => OpenBranch {
            condition,
            statements: vec![Expr::IfExpr(elsif)],
        },
        None => branch(condition, clause.block()),
    })
}

fn options(expr: &CaseExpr) -> Option<Vec<OpenBranch>> {
    let subject = source(&expr.subject()?);
    let options = expr.options().map(|option| {
        let values = option.values().map(|it| source(&it));
        let values: Vec<String> = values.collect();
        let condition = format!("{subject} matches {}", values.join(" or "));
        branch(condition, option.body())
    });
    Some(options.collect())
}

fn negated(condition: &str) -> String {
    format!("!({condition})")
}

/// Returns the source of an expression in a line.
fn source(expr: &Expr) -> String {
    let text = expr.syntax().text().to_string();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
