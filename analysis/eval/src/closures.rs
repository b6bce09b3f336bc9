//! Lambdas and functions written in Puppet: parameters, scopes and results.
//!
//! Follows Puppet's `closure.rb`. A lambda runs in its enclosing scope, with a layer for its
//! parameters and variables. It cannot outlive the call, so the enclosing scope is always the
//! current one. A function has access to its parameters and to top scope.

use std::cell::OnceCell;
use std::sync::Arc;

use syntax::TextSize;
use syntax::ast::{
    AstNode, Block, Expr, FunctionDefinition, HasBody, HasParameters, Lambda, Parameter,
};

use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::{Evaluator, error, required};
use super::leaving::Leaving;
use super::unknown::PartlyKnown;
use super::{EvalFailure, Issue};
use types::values::Value;
use types::{CallableType, IntRange, TupleType, Type};

/// The parameters and the body of a lambda or function.
#[derive(Debug)]
pub struct Closure {
    /// The name in messages.
    name: String,
    parameters: Vec<ClosureParameter>,
    body: Option<Block>,
    returns: Option<Expr>,
    signature: OnceCell<Arc<CallableType>>,
}

#[derive(Debug)]
struct ClosureParameter {
    name: String,
    node: Parameter,
}

/// The type of a parameter, and the number of arguments it accepts.
struct AcceptedArguments {
    ty: Type,
    count: IntRange,
}

impl Closure {
    /// Creates the closure of a lambda.
    pub(super) fn of_lambda(lambda: &Lambda) -> Closure {
        let returns = lambda.return_type().and_then(|it| it.type_expr());
        Closure::new("the block", lambda, lambda.body(), returns)
    }

    /// Creates the closure of a function definition.
    pub fn of_function(name: &str, function: &FunctionDefinition) -> Closure {
        let returns = function.return_type().and_then(|it| it.type_expr());
        Closure::new(&format!("`{name}`"), function, function.body(), returns)
    }

    fn new(
        name: &str,
        node: &impl HasParameters,
        body: Option<Block>,
        returns: Option<Expr>,
    ) -> Closure {
        let parameters = node.parameters().into_iter().map(|node| ClosureParameter {
            name: node.name().unwrap_or_default(),
            node,
        });
        Closure {
            name: name.to_owned(),
            parameters: parameters.collect(),
            body,
            returns,
            signature: OnceCell::new(),
        }
    }

    /// Returns the code.
    pub fn body(&self) -> Option<&Block> {
        self.body.as_ref()
    }

    /// Returns the number of arguments; `None` if it is not fixed.
    pub(super) fn arity(&self) -> Option<usize> {
        let is_required =
            |it: &ClosureParameter| !it.node.captures_rest() && it.node.default().is_none();
        self.parameters
            .iter()
            .all(is_required)
            .then_some(self.parameters.len())
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.parameters.iter().map(|it| it.name.clone())
    }
}

impl Evaluator<'_> {
    /// Returns the type of a closure. It is evaluated once, in the scope of the first call.
    pub(super) fn signature(&mut self, closure: &Closure) -> FlowResult<Arc<CallableType>> {
        if let Some(known) = closure.signature.get() {
            return Ok(Arc::clone(known));
        }
        let mut types = Vec::new();
        let mut count = IntRange::exactly_len(0);
        let mut optional = false;
        for parameter in &closure.parameters {
            let accepted = self.accepted_arguments(&parameter.node)?;
            let is_optional = accepted.count.min() == Some(0);
            if optional && !is_optional {
                return Err(required_after_optional(parameter));
            }
            optional |= is_optional;
            types.push(accepted.ty);
            count = count.plus(accepted.count);
        }
        let returns = match &closure.returns {
            Some(expr) => Some(self.type_value(expr)?),
            None => None,
        };
        let Type::Tuple(params) = Type::tuple(types, Some(count)) else {
            return Err(ControlFlow::unknown("parameters are unknown"));
        };
        let signature = Arc::new(CallableType::new(Some(params), None, returns));
        Ok(Arc::clone(closure.signature.get_or_init(|| signature)))
    }

    /// Returns the type of the arguments that a parameter accepts. The type of a captures-rest
    /// parameter may be an `Array`, whose element type and size apply.
    fn accepted_arguments(&mut self, parameter: &Parameter) -> FlowResult<AcceptedArguments> {
        let ty = match parameter.type_expr() {
            Some(expr) => self.type_value(&expr)?,
            None => Type::Any,
        };
        Ok(match (&ty, parameter.captures_rest()) {
            (Type::Array(array), true) => AcceptedArguments {
                ty: array.element().clone(),
                count: array.size_or_any(),
            },
            (_, true) => AcceptedArguments {
                ty,
                count: IntRange::at_least(0),
            },
            (_, false) if parameter.default().is_some() => AcceptedArguments {
                ty,
                count: IntRange::between(0, 1),
            },
            _ => AcceptedArguments {
                ty,
                count: IntRange::exactly_len(1),
            },
        })
    }

    fn type_value(&mut self, expr: &Expr) -> FlowResult<Type> {
        match self.expr(expr)? {
            Value::Type(ty) => Ok(ty),
            _ => Err(ControlFlow::unknown("expected a type")),
        }
    }

    /// Runs a lambda in the current scope.
    pub(super) fn run_closure(&mut self, closure: &Closure, args: Vec<Value>) -> FlowResult {
        self.budget.spend(5)?;
        let budget = self.budget;
        budget.call(|| self.run_lambda(closure, args))
    }

    fn run_lambda(&mut self, closure: &Closure, args: Vec<Value>) -> FlowResult {
        let bound = self.bind_arguments(closure, args)?;
        let signature = self.signature(closure)?;
        self.check_arguments(closure, &signature, &bound)?;
        let result = self.run_bound(closure, bound.into_iter().map(Ok).collect())?;
        check_result(closure, &signature, &result)?;
        Ok(result)
    }

    /// Runs a lambda, of whose arguments some are unknown, in the current scope. There is an argument for each parameter.
    pub(super) fn run_partly(&mut self, closure: &Closure, args: Vec<PartlyKnown>) -> FlowResult {
        self.budget.spend(5)?;
        let signature = self.signature(closure)?;
        let types = signature.params().map(|it| it.types()).unwrap_or_default();
        for (ty, value) in types.iter().zip(&args) {
            if let Ok(value) = value
                && let Type::Tuple(params) = Type::tuple([ty.clone()], None)
            {
                check_types(&closure.name, &params, std::slice::from_ref(value))?;
            }
        }
        let budget = self.budget;
        budget.call(|| self.run_bound(closure, args))
    }

    /// Runs the body of a lambda with its arguments.
    fn run_bound(&mut self, closure: &Closure, args: Vec<PartlyKnown>) -> FlowResult {
        let mark = self.scope.mark();
        self.scope.push_locals();
        for (parameter, value) in closure.parameters.iter().zip(args) {
            match value {
                Ok(value) => {
                    self.scope.set(&parameter.name, value);
                }
                Err(unknown) => self.scope.set_unknown(&parameter.name, unknown),
            }
        }
        let body = required(closure.body.as_ref());
        let result = body.and_then(|body| self.statements(body.statements()));
        self.scope.reset(mark);
        let left = self.leaving.take();
        self.leaving = left.filter(|it| *it == Leaving::Definition);
        match result {
            Err(ControlFlow::Next(value)) => Ok(value),
            // The code after the block may not run.
            Err(ControlFlow::UnknownValue(unknown)) if left > Some(Leaving::Block) => {
                Err(EvalFailure::Unknown(unknown).into())
            }
            other => other,
        }
    }

    /// Runs a function written in Puppet.
    ///
    /// # Errors
    ///
    /// See [`ControlFlow`].
    pub fn run_function(
        &mut self,
        function: &Closure,
        args: Vec<Value>,
        block: Option<&Closure>,
    ) -> FlowResult {
        if !self.is_top_scope {
            return Err(ControlFlow::unknown("calls a function written in Puppet"));
        }
        let inner = self.scope.suspend_inner();
        let result = self.run_in_global_scope(function, args, block);
        self.scope.resume_inner(inner);
        match result {
            Err(ControlFlow::Return(value)) => Ok(value),
            other => other,
        }
    }

    fn run_in_global_scope(
        &mut self,
        function: &Closure,
        args: Vec<Value>,
        block: Option<&Closure>,
    ) -> FlowResult {
        let signature = self.signature(function)?;
        let name = &function.name;
        if block.is_some() {
            return Err(ControlFlow::runtime(format!(
                "{name} does not accept a block"
            )));
        }
        if let Some(params) = signature.params() {
            check_types(name, params, &args)?;
        }
        self.run_closure(function, args)
    }

    /// Binds the arguments to the parameters.
    fn bind_arguments(&mut self, closure: &Closure, args: Vec<Value>) -> FlowResult<Vec<Value>> {
        let mark = self.scope.mark();
        self.scope.push_parameters(closure.names());
        let result = self.bind_in_order(closure, args);
        self.scope.reset(mark);
        result.map_err(|flow| match flow {
            ControlFlow::UnboundParameter(other) => ControlFlow::runtime(format!(
                "{}: the default value of a parameter refers to the later parameter `${other}`",
                closure.name
            )),
            other => other,
        })
    }

    fn bind_in_order(&mut self, closure: &Closure, args: Vec<Value>) -> FlowResult<Vec<Value>> {
        let mut bound = Vec::with_capacity(closure.parameters.len());
        let mut args = args.into_iter();
        for parameter in &closure.parameters {
            let value = if parameter.node.captures_rest() {
                self.bind_rest(parameter, args.by_ref().collect())?
            } else {
                match args.next() {
                    Some(given) => given,
                    None => self
                        .eval_default(parameter)?
                        .ok_or_else(|| missing_parameter(parameter))?,
                }
            };
            self.scope.set_parameter(&parameter.name, value.clone());
            bound.push(value);
        }
        Ok(bound)
    }

    /// Binds the remaining arguments to a captures-rest parameter.
    fn bind_rest(&mut self, parameter: &ClosureParameter, given: Vec<Value>) -> FlowResult {
        let is_left_out = matches!(given.as_slice(), [] | [Value::Undef]);
        if is_left_out && let Some(value) = self.eval_default(parameter)? {
            return Ok(match value {
                value @ Value::Array(_) => value,
                value => Value::array(vec![value]),
            });
        }
        Ok(Value::array(given))
    }

    /// Evaluates the default value of a parameter. Match variables set by it are not visible
    /// afterwards.
    fn eval_default(&mut self, parameter: &ClosureParameter) -> FlowResult<Option<Value>> {
        let Some(default) = parameter.node.default() else {
            return Ok(None);
        };
        let mark = self.scope.mark();
        let value = self.expr(&default);
        self.scope.reset(mark);
        value.map(Some)
    }

    fn check_arguments(
        &mut self,
        closure: &Closure,
        signature: &CallableType,
        bound: &[Value],
    ) -> FlowResult<()> {
        let Some(params) = signature.params() else {
            return Ok(());
        };
        let mut args = Vec::with_capacity(bound.len());
        for (parameter, value) in closure.parameters.iter().zip(bound) {
            match value {
                Value::Array(rest) if parameter.node.captures_rest() => {
                    args.extend(rest.iter().cloned());
                }
                value => args.push(value.clone()),
            }
        }
        check_types(&closure.name, params, &args)
    }
}

/// Returns Puppet's error if the arguments do not match the parameters.
fn check_types(name: &str, params: &Arc<TupleType>, args: &[Value]) -> FlowResult<()> {
    let params = Type::Tuple(Arc::clone(params));
    let args = Value::array(args.to_vec());
    match types::is_instance(&params, &args) {
        Some(true) => Ok(()),
        Some(false) => {
            let actual = types::infer_detailed(&args);
            Err(ControlFlow::runtime(types::mismatch::describe_arguments(
                name, &params, &actual,
            )))
        }
        None => Err(ControlFlow::unknown(
            "cannot decide whether the arguments match",
        )),
    }
}

fn check_result(closure: &Closure, signature: &CallableType, result: &Value) -> FlowResult<()> {
    let Some(returns) = signature.returns() else {
        return Ok(());
    };
    match types::is_instance(returns, result) {
        Some(true) => Ok(()),
        Some(false) => {
            let actual = types::infer_detailed(result);
            let subject = format!("the result of {}", closure.name);
            Err(ControlFlow::runtime(types::mismatch::describe(
                &subject, returns, &actual,
            )))
        }
        None => Err(ControlFlow::unknown(
            "cannot decide whether the result matches",
        )),
    }
}

/// Returns the position at which Puppet reports errors about a parameter: its name.
fn parameter_position(parameter: &Parameter) -> TextSize {
    let range = parameter.variable().map(|it| it.text_range());
    range
        .unwrap_or_else(|| parameter.syntax().text_range())
        .start()
}

/// Puppet raises this error when it infers the type of the closure: at the first call.
fn required_after_optional(parameter: &ClosureParameter) -> ControlFlow {
    let message = format!(
        "required parameter `${}` after an optional parameter",
        parameter.name
    );
    ControlFlow::Failure {
        failure: error(Issue::RequiredParameterAfterOptional, message),
        at: Some(parameter_position(&parameter.node)),
    }
}

fn missing_parameter(parameter: &ClosureParameter) -> ControlFlow {
    let message = format!("missing required parameter `${}`", parameter.name);
    ControlFlow::Failure {
        failure: error(Issue::MissingRequiredParameter, message),
        at: Some(parameter_position(&parameter.node)),
    }
}
