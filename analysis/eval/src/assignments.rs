//! Variable assignment.

use syntax::SyntaxKind;
use syntax::ast::{Assignment, Expr};

use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::{Evaluator, error, required, unknown};
use super::unknown::Unknown;
use super::{EvalFailure, Issue};
use types::Type;
use types::values::Value;

/// The target of an assignment.
enum Target {
    /// The name of a variable.
    Variable(String),
    /// A list of targets, which may be nested.
    List(Vec<Target>),
}

impl Target {
    /// Returns the key of the target in a hash that is assigned to a list: the name, or an array of
    /// names.
    fn key(&self) -> Value {
        match self {
            Target::Variable(name) => Value::from(name.as_str()),
            Target::List(targets) => Value::array(targets.iter().map(Target::key).collect()),
        }
    }
}

/// The maximum nesting depth of lists of variables.
const MAX_DEPTH: u32 = 32;

fn target(expr: Option<Expr>, depth: u32) -> FlowResult<Target> {
    match required(expr)? {
        Expr::VariableExpr(it) => Ok(Target::Variable(required(it.name())?)),
        Expr::ArrayExpr(_) if depth >= MAX_DEPTH => {
            unknown("list of variables is nested too deeply")
        }
        Expr::ArrayExpr(list) => {
            let targets = list.elements().map(|it| target(Some(it), depth + 1));
            Ok(Target::List(targets.collect::<FlowResult<Vec<_>>>()?))
        }
        _ => unknown("invalid assignment target"),
    }
}

impl Evaluator<'_> {
    pub(super) fn assignment(&mut self, assignment: &Assignment, expr: &Expr) -> FlowResult {
        if required(assignment.operator())?.kind() != SyntaxKind::EQ {
            return unknown("operator that Puppet no longer supports");
        }
        let target = target(assignment.lhs(), 0)?;
        let rhs = required(assignment.rhs())?;
        let value = match self.statements(std::iter::once(rhs)) {
            Err(ControlFlow::UnknownValue(why)) => {
                self.assign_unknown(&target, why.clone());
                return Err(ControlFlow::UnknownValue(why));
            }
            value => value?,
        };
        self.assign(&target, &value)
            .map_err(|failure| self.fail_at(failure, expr))?;
        Ok(value)
    }

    fn assign(&mut self, target: &Target, value: &Value) -> Result<(), EvalFailure> {
        match target {
            Target::Variable(name) => self.assign_variable(name, value),
            Target::List(targets) => self.assign_list(targets, value),
        }
    }

    fn assign_variable(&mut self, name: &str, value: &Value) -> Result<(), EvalFailure> {
        if name.contains("::") {
            return Err(EvalFailure::unknown("assigns a variable of another scope"));
        }
        if self.is_top_scope
            && self.scope.is_outermost()
            && self.scope.get_outermost(name).is_none()
        {
            self.environment.check_top_scope_assignment(name)?;
        }
        if matches!(name, "facts" | "trusted") {
            let message = format!("cannot assign reserved variable `${name}`");
            return Err(error(Issue::RuntimeError, message));
        }
        if self.scope.set(name, value.clone()) {
            Ok(())
        } else {
            let message = format!("cannot reassign variable `${name}`");
            Err(error(Issue::IllegalReassignment, message))
        }
    }

    /// Assigns the elements of an array by position, or the values of a hash by name.
    fn assign_unknown(&mut self, target: &Target, why: Unknown) {
        match target {
            Target::Variable(name) => self.scope.set_unknown(name, why),
            Target::List(targets) => targets
                .iter()
                .for_each(|it| self.assign_unknown(it, why.clone())),
        }
    }

    fn assign_list(&mut self, targets: &[Target], value: &Value) -> Result<(), EvalFailure> {
        let values = match value {
            Value::Hash(entries) => {
                for target in targets {
                    let key = target.key();
                    let Some(value) = entries.get(&key) else {
                        let message = "the hash lacks a key for one of the variables";
                        return Err(error(Issue::MissingMultiAssignmentKey, message));
                    };
                    self.assign(target, value)?;
                }
                return Ok(());
            }
            Value::Type(Type::Class(_)) => {
                return Err(EvalFailure::unknown("depends on the variables of a class"));
            }
            Value::Array(values) => values.to_vec(),
            value => vec![value.clone()],
        };
        if values.len() != targets.len() {
            let message = format!(
                "cannot assign {} values to {} variables",
                values.len(),
                targets.len()
            );
            return Err(error(Issue::IllegalMultiAssignmentSize, message));
        }
        let mut pairs = targets.iter().zip(&values);
        pairs.try_for_each(|(target, value)| self.assign(target, value))
    }
}
