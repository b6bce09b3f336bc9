//! Lambdas of calls: their parameters and their results.

use syntax::ast::{AstNode, HasBody, HasParameters, Lambda, Parameter};

use super::arity::ArityRange;
use super::flow::Origin;
use super::inference_context::{ExitScope, InferenceContext};
use super::inferred::Inferred;
use super::problem::{TypeProblemKind, ValueTarget};
use types::{IntRange, Type};

/// The result of a lambda.
#[derive(Clone, Debug)]
pub(super) struct LambdaResult {
    /// Its value; never if control does not reach its end.
    pub(super) value: Inferred,
    /// Whether it may end the iteration with `break`.
    pub(super) breaks: bool,
    /// The types of the parameters if the value is true, for a lambda that is a condition; empty if it never is true.
    pub(super) params_if_true: Option<Vec<Type>>,
}

impl InferenceContext<'_> {
    /// Infers a lambda with arguments of these types; `None` if they are unknown.
    pub(super) fn infer_lambda(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
    ) -> LambdaResult {
        self.infer_lambda_as(lambda, arguments, false)
    }

    /// Infers a lambda whose value is used as a condition.
    pub(super) fn infer_predicate_lambda(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
    ) -> LambdaResult {
        self.infer_lambda_as(lambda, arguments, true)
    }

    fn infer_lambda_as(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
        is_condition: bool,
    ) -> LambdaResult {
        let parameters = lambda.parameters();
        let start = self.flow.checkpoint();
        self.exit_scopes.push(ExitScope {
            is_lambda: true,
            ..ExitScope::default()
        });
        for (index, parameter) in parameters.iter().enumerate() {
            let given = match arguments {
                Some(all) if parameter.captures_rest() => Some(captured(all, index)),
                Some(all) => Some(all.get(index).cloned()).flatten(),
                None => Some(Inferred::UNKNOWN),
            };
            self.lambda_parameter(parameter, given);
        }
        let last = self.infer_block(lambda.body());
        let ended = self.flow.is_unreachable();
        let exit_scope = self.exit_scopes.pop().unwrap_or_default();
        let params_if_true = if is_condition && !ended && exit_scope.next_values.is_empty() {
            self.params_if_true(lambda, &parameters)
        } else {
            None
        };
        self.flow.rollback(&start);
        let last = if ended { Inferred::never() } else { last };
        LambdaResult {
            value: Inferred::union(exit_scope.next_values.into_iter().chain([last])),
            breaks: exit_scope.breaks,
            params_if_true,
        }
    }

    /// Returns the parameter types narrowed by the assumption that the last expression of a lambda
    /// is true.
    fn params_if_true(&mut self, lambda: &Lambda, parameters: &[Parameter]) -> Option<Vec<Type>> {
        if parameters.iter().any(Parameter::captures_rest) {
            return None;
        }
        let last = lambda.body()?.statements().last()?;
        self.assume(&last);
        let dead = self.flow.is_unreachable();
        let types = parameters.iter().map(|it| {
            let known = self.flow.get(&it.name()?)?;
            Some(match dead {
                true => Type::variant([]),
                false => known.inferred.type_.clone(),
            })
        });
        types.collect()
    }

    /// Infers a lambda parameter; `given` is `None` if it takes its default.
    fn lambda_parameter(&mut self, parameter: &Parameter, given: Option<Inferred>) {
        let declared = self.declared(parameter);
        let declared = if parameter.captures_rest() {
            super::parameters::rest_parameter_type(&declared)
        } else {
            declared
        };
        // Puppet does not evaluate the default of a parameter that has a value.
        let is_given = given.as_ref().is_some_and(|it| *it != Inferred::UNKNOWN);
        let default = parameter.default().map(|it| match is_given {
            true => self.without_reporting(|this| this.infer_expr(&it)),
            false => self.infer_expr(&it),
        });
        let value = match (given, default) {
            (Some(given), _) => {
                let name = parameter.name().unwrap_or_default();
                let range = parameter.syntax().text_range();
                self.check_assignable(range, &given, &declared, || {
                    ValueTarget::BlockParameter(name)
                });
                given
            }
            (None, Some(default)) => default,
            (None, None) => Inferred::UNKNOWN,
        };
        let narrowed = value.narrowed(&declared);
        let value = if narrowed.is_never() && !value.is_never() {
            Inferred::of(declared)
        } else {
            narrowed
        };
        self.parameter(parameter, value, Origin::Parameter);
    }

    /// Reports a lambda whose number of parameters can never match.
    pub(super) fn check_lambda_arity(
        &mut self,
        lambda: &Lambda,
        function: &str,
        given: ArityRange,
    ) {
        if given.overlaps(ArityRange::of_lambda(lambda)) {
            return;
        }
        let list = lambda.parameter_list();
        let range = list.map_or(lambda.syntax().text_range(), |it| it.syntax().text_range());
        let kind = TypeProblemKind::BlockArity {
            function: function.to_owned(),
            given,
            actual: lambda.parameters().len(),
        };
        self.report(range, kind);
    }
}

/// Returns the type of the parameter that captures the rest.
fn captured(all: &[Inferred], from: usize) -> Inferred {
    let rest = all.get(from..).unwrap_or_default();
    if rest.is_empty() {
        return Inferred::of(Type::array(Type::Any, Some(IntRange::between(0, 0))));
    }
    Inferred::of(Type::tuple(
        rest.iter().map(|it| it.type_.clone()).collect::<Vec<_>>(),
        None,
    ))
}
