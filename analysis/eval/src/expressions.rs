//! Evaluation of expressions.
//!
//! The [`Evaluator`] follows Puppet's evaluator, including the order of evaluation, which
//! determines the first error. Variables, functions and types of the surrounding code are provided
//! by an [`Environment`]. A [`ControlFlow`] propagates errors, unknown results and jumps.

use std::borrow::Cow;

use syntax::ast::{
    self, AccessExpr, AstNode, BinaryExpr, Expr, HashEntry, Literal, LiteralKind, Number, UnaryExpr,
};
use syntax::{SyntaxKind, SyntaxNode};

use super::budget::Budget;
use super::closures::Closure;
use super::control_flow::{ControlFlow, FlowResult};
use super::error_position::error_position;
use super::functions::{BuiltInFunctions, FunctionDefinitions};
use super::leaving::Leaving;
use super::rendered::Rendered;
use super::scope::{Binding, Scope};
use super::unknown::{PartlyKnown, Unknown, equals, is_instance, truth};
use super::{
    ArithmeticOperator, Blame, ComparisonOperator, Context, EvalError, EvalFailure, EvalResult,
    Issue, Match, access, arithmetic, comparison, contains, expand_splat, match_operator, negate,
};
use types::Type;
use types::reader::{self, TypeNames};
use types::values::{Regexp, Value};

/// The code and state around the evaluated code. By default, only built-in functions are known.
pub trait Environment {
    /// Returns the value of a variable that the evaluated code does not assign. `name` is written
    /// as in the code, without the dollar sign; `at` is the node that refers to it.
    ///
    /// # Errors
    ///
    /// If Puppet does not know the variable, or its value is unknown.
    fn variable(&self, at: &SyntaxNode, name: &str) -> EvalResult;

    /// Returns the value of a match variable (`$0`, `$1`, …) that the evaluated code does not set.
    ///
    /// # Errors
    ///
    /// If the value is unknown.
    fn match_variable(&self, _at: &SyntaxNode, _number: usize) -> EvalResult {
        Err(EvalFailure::unknown("the last match is unknown"))
    }

    /// Checks whether a variable may be assigned in top scope, where it may collide with a fact.
    ///
    /// # Errors
    ///
    /// If it may not be assigned, or if that is unknown.
    fn check_top_scope_assignment(&self, _name: &str) -> EvalResult<()> {
        Ok(())
    }

    /// Runs before each statement, so that a long evaluation can be cancelled by unwinding.
    fn on_step(&self) {}

    /// Returns the functions written in Puppet.
    fn functions(&self) -> &dyn FunctionDefinitions {
        &BuiltInFunctions
    }

    /// Returns the unqualified name of a variable of the evaluated code that is written with the name of its
    /// class.
    fn own_variable<'n>(&self, _name: &'n str) -> Option<&'n str> {
        None
    }

    /// Runs before a type is accessed at a node. An attribute of a resource can only be read if it is declared.
    fn on_type_access(&self, _at: &SyntaxNode, _value: &Value) {}

    /// Evaluates an expression that adds to the catalog.
    ///
    /// # Errors
    ///
    /// If the expression fails, or its value is unknown.
    fn declare(&self, _evaluator: &mut Evaluator<'_>, _expr: &Expr) -> FlowResult {
        unknown("depends on the catalog")
    }

    /// Calls a function that depends on more than its arguments; `None` if the name is not that of
    /// one.
    fn call(
        &self,
        _evaluator: &mut Evaluator<'_>,
        _name: &str,
        _args: &[Value],
        _block: Option<&Closure>,
    ) -> Option<FlowResult> {
        None
    }

    /// Returns a type that contains all values that an expression of the evaluated code can have, if one is known.
    fn type_of(&self, _expr: &Expr) -> Option<Type> {
        None
    }

    /// Calls a function with unknown arguments, and returns its value if it does not depend on them. Otherwise, the call
    /// only has the effects that do not depend on them.
    ///
    /// # Errors
    ///
    /// If Puppet raises an error whatever the unknown arguments are.
    fn call_partly(
        &self,
        _evaluator: &mut Evaluator<'_>,
        _name: &str,
        _args: &[PartlyKnown],
    ) -> FlowResult<Option<PartlyKnown>> {
        Ok(None)
    }

    /// Recovers from a statement whose outcome is unknown; `None` if the evaluation ends there.
    fn recover(
        &self,
        _evaluator: &mut Evaluator<'_>,
        _statement: &Expr,
        _why: Cow<'static, str>,
    ) -> Option<FlowResult<()>> {
        None
    }

    /// Returns the failure of a call to a function that is neither built-in nor one of
    /// [`Environment::functions`].
    fn unknown_function(&self, name: &str) -> EvalFailure {
        EvalFailure::unknown(format!("calls the function `{name}`"))
    }

    /// Returns the named types.
    fn types(&self) -> &dyn TypeNames;

    /// Returns the failure of a reference to a type that [`Environment::types`] lacks.
    fn unknown_type(&self, name: &str) -> EvalFailure {
        EvalFailure::unknown(format!("unknown data type `{name}`"))
    }
}

/// Fails with an unknown result.
pub(super) fn unknown<T>(reason: &'static str) -> FlowResult<T> {
    Err(EvalFailure::unknown(reason).into())
}

/// Returns a part of the syntax tree that is only missing after a syntax error.
pub(super) fn required<T>(part: Option<T>) -> FlowResult<T> {
    part.map_or_else(|| unknown("incomplete code"), Ok)
}

/// Puppet's evaluator for one scope.
pub struct Evaluator<'a> {
    pub(super) context: &'a Context,
    pub(super) environment: &'a dyn Environment,
    pub(super) budget: &'a Budget,
    pub(super) scope: Scope,
    /// Whether the outermost layer of the scope is top scope.
    pub(super) is_top_scope: bool,
    /// The current call, for functions that depend on their call site.
    pub(super) call_site: Option<SyntaxNode>,
    /// The text of the template that is being evaluated.
    pub(super) rendered: Option<Rendered>,
    /// How far the code before may have left.
    pub(super) leaving: Option<Leaving>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator with an empty scope, which is top scope or another one.
    pub fn new(
        context: &'a Context,
        environment: &'a dyn Environment,
        budget: &'a Budget,
        is_top_scope: bool,
    ) -> Evaluator<'a> {
        Evaluator {
            context,
            environment,
            budget,
            scope: Scope::default(),
            is_top_scope,
            call_site: None,
            rendered: None,
            leaving: None,
        }
    }

    /// Replaces the scope.
    #[must_use]
    pub fn with_scope(self, scope: Scope) -> Evaluator<'a> {
        Evaluator { scope, ..self }
    }

    /// Returns the scope with the assigned variables and matches.
    pub fn into_scope(self) -> Scope {
        self.scope
    }

    /// Returns the scope with the variables assigned and matches made so far.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the scope, to set variables.
    pub fn scope_mut(&mut self) -> &mut Scope {
        &mut self.scope
    }

    /// Returns the call that is being evaluated.
    pub fn call_site(&self) -> Option<&SyntaxNode> {
        self.call_site.as_ref()
    }

    /// Evaluates statements in order, and returns the value of the last one, or `undef`.
    ///
    /// # Errors
    ///
    /// See [`ControlFlow`].
    pub fn statements(&mut self, statements: impl Iterator<Item = Expr>) -> FlowResult {
        let mut last = Ok(Value::Undef);
        for statement in statements {
            self.environment.on_step();
            let outcome = match self.leaving {
                Some(_) => Err(ControlFlow::unknown("the code before may leave")),
                None => self.expr(&statement),
            };
            last = match outcome {
                Err(flow) => Err(self.recovered(&statement, flow)?),
                value => value,
            };
        }
        last
    }

    /// Returns [`ControlFlow::UnknownValue`] if the evaluation can go on after a statement.
    pub(super) fn recovered(
        &mut self,
        statement: &Expr,
        flow: ControlFlow,
    ) -> FlowResult<ControlFlow> {
        let environment = self.environment;
        match flow {
            ControlFlow::UnknownValue(_) => Ok(flow),
            ControlFlow::Failure {
                failure: EvalFailure::Unknown(why),
                at,
            } => {
                let recovery = environment.recover(self, statement, why.clone().into_reason());
                match recovery {
                    Some(outcome) => {
                        outcome?;
                        self.leaving = self.leaving.max(Leaving::of(statement.syntax()));
                        Ok(ControlFlow::UnknownValue(why))
                    }
                    None => Err(ControlFlow::Failure {
                        failure: EvalFailure::Unknown(why),
                        at,
                    }),
                }
            }
            flow => Err(flow),
        }
    }

    /// Evaluates an expression.
    ///
    /// # Errors
    ///
    /// See [`ControlFlow`].
    pub fn expr(&mut self, expr: &Expr) -> FlowResult {
        self.budget.spend(1)?;
        let budget = self.budget;
        let outcome = budget.recurse(|| self.eval_expr(expr));
        outcome.map_err(|flow| match flow {
            // Effects of the expression may be missing.
            ControlFlow::UnknownValue(why) if !keeps_unknown_value(expr) => {
                self.with_known(expr, EvalFailure::Unknown(why).into())
            }
            flow => self.with_known(expr, flow),
        })
    }

    /// Replaces what is known about the unknown part of an expression by what is known about the whole.
    fn with_known(&self, expr: &Expr, flow: ControlFlow) -> ControlFlow {
        match expr {
            Expr::ArrayExpr(_)
            | Expr::HashExpr(_)
            | Expr::UnbracedHash(_)
            | Expr::ParenExpr(_)
            | Expr::Assignment(_)
            | Expr::AccessExpr(_)
            | Expr::VariableExpr(_) => flow,
            Expr::BinaryExpr(it)
                if it
                    .operator()
                    .is_some_and(|it| it.kind() == SyntaxKind::PLUS) =>
            {
                flow
            }
            Expr::InterpolatedString(_) | Expr::Heredoc(_) => {
                flow.map_unknown(|it| match it.text() {
                    Some(_) => it,
                    None => it.with_type(Type::STRING),
                })
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => flow.map_unknown(|it| {
                let ty = || self.environment.type_of(expr);
                match it.is_partly_known() {
                    true => it,
                    false => ty().map_or(it.clone(), |ty| it.with_type(ty)),
                }
            }),
            _ => flow.without_known(),
        }
    }

    /// Decides a question about an expression with an unknown value from its type. Its other effects are certain then.
    ///
    /// # Errors
    ///
    /// The given outcome if the type does not decide it.
    pub(super) fn decide(
        &mut self,
        expr: &Expr,
        flow: ControlFlow,
        question: impl Fn(&Type) -> Option<bool>,
    ) -> FlowResult<bool> {
        let Some(unknown) = flow.unknown_value() else {
            return Err(flow);
        };
        match self.answer(expr, unknown, question) {
            Some(answer) => {
                self.recovered(expr, flow)?;
                Ok(answer)
            }
            None => Err(flow),
        }
    }

    /// Answers a question about an expression with an unknown value from its type.
    pub(super) fn answer(
        &self,
        expr: &Expr,
        unknown: &Unknown,
        question: impl Fn(&Type) -> Option<bool>,
    ) -> Option<bool> {
        let of_value = unknown.known_type().as_ref().and_then(&question);
        of_value.or_else(|| question(&self.environment.type_of(expr)?))
    }

    /// Evaluates an expression in Boolean context.
    pub(super) fn truth(&mut self, expr: &Expr) -> FlowResult<bool> {
        match self.expr(expr) {
            Ok(value) => Ok(value.is_truthy()),
            Err(flow) => self.decide(expr, flow, truth),
        }
    }

    fn eval_expr(&mut self, expr: &Expr) -> FlowResult {
        match expr {
            Expr::Literal(it) => literal(it),
            Expr::QualifiedName(it) => Ok(Value::from(it.text())),
            Expr::KeywordWord(it) => Ok(Value::from(it.text())),
            Expr::QualifiedReference(it) => {
                let ty = self.named_type(expr)?;
                match ty {
                    Type::Reference(_) => {
                        let failure = self.environment.unknown_type(&it.text());
                        Err(self.fail_at(failure, expr))
                    }
                    ty => self.charge_value(Value::Type(ty)),
                }
            }
            Expr::VariableExpr(it) => self.variable(it.syntax(), &it.name().unwrap_or_default()),
            Expr::StringLiteral(it) => self.string_value(it.value()),
            Expr::InterpolatedString(it) => self.interpolated(it.segments()),
            Expr::Heredoc(it) => self.heredoc(it),
            Expr::ArrayExpr(it) => {
                let items = self.list_elements(it.elements())?;
                let items = Unknown::known_elements(items).map_err(EvalFailure::Unknown)?;
                self.charge_value(Value::array(items))
            }
            Expr::HashExpr(it) => self.hash(it.entries()),
            Expr::UnbracedHash(it) => self.hash(it.entries()),
            Expr::BinaryExpr(it) => self.binary(it, expr),
            Expr::UnaryExpr(it) => self.unary(it, expr),
            Expr::ParenExpr(it) => self.expr(&required(it.expr())?),
            Expr::Assignment(it) => self.assignment(it, expr),
            Expr::AccessExpr(it) => self.access(it, expr),
            Expr::CallExpr(it) => self.call(it, expr),
            Expr::MethodCall(it) => self.method_call(it, expr),
            Expr::IfExpr(it) => self.if_expr(it),
            Expr::UnlessExpr(it) => self.unless_expr(it),
            Expr::CaseExpr(it) => self.case_expr(it),
            Expr::SelectorExpr(it) => self.selector(it),
            // Definitions are evaluated before all other code.
            Expr::ClassDefinition(_)
            | Expr::DefineDefinition(_)
            | Expr::FunctionDefinition(_)
            | Expr::TypeAlias(_) => Ok(Value::Undef),
            Expr::RenderString(it) => self.render_text(&it.value()),
            Expr::RenderExpr(it) => self.render_value(it),
            Expr::PlanDefinition(_) | Expr::ApplyExpr(_) => unknown("part of a plan"),
            Expr::ReservedWord(_) => unknown("reserved word"),
            Expr::TypeMapping(_) | Expr::TypeDefinition(_) => unknown("defines a type"),
            Expr::NodeDefinition(_)
            | Expr::Relationship(_)
            | Expr::VirtualExpr(_)
            | Expr::ResourceExpr(_)
            | Expr::ResourceDefaults(_)
            | Expr::ResourceOverride(_)
            | Expr::UntitledResource(_)
            | Expr::CollectExpr(_) => {
                let environment = self.environment;
                environment.declare(self, expr)
            }
        }
    }

    // ---- errors ------------------------------------------------------------------

    pub(super) fn fail_at(&self, failure: EvalFailure, expr: &Expr) -> ControlFlow {
        ControlFlow::Failure {
            failure,
            at: Some(error_position(expr)),
        }
    }

    /// Adds the position of the operand to blame to the failure of an operation on `expr`.
    fn locate_failure<T>(
        &self,
        outcome: EvalResult<T>,
        expr: &Expr,
        left: &Expr,
        right: &[Expr],
    ) -> FlowResult<T> {
        outcome.map_err(|failure| {
            let at = match &failure {
                EvalFailure::Unknown(_) => None,
                EvalFailure::Error(error) => match error.blame {
                    Blame::Whole => Some(error_position(expr)),
                    Blame::Left => Some(error_position(left)),
                    Blame::Right => right.first().map(error_position),
                    Blame::Key(index) => right.get(index).map(error_position),
                },
            };
            ControlFlow::Failure { failure, at }
        })
    }

    /// Charges the size of a new value to the budget.
    pub(super) fn charge_value(&self, value: Value) -> FlowResult {
        self.budget.spend(value.weight())?;
        Ok(self.context.within_limits(value)?)
    }

    pub(super) fn string_value(&self, text: String) -> FlowResult {
        self.charge_value(Value::from(text))
    }

    // ---- names -------------------------------------------------------------------

    fn named_type(&self, expr: &Expr) -> FlowResult<Type> {
        reader::read_expression(expr, self.environment.types())
            .map_err(|refused| self.fail_at(refused.into(), expr))
    }

    /// Returns the value of a variable; `at` is the node that refers to it.
    pub(super) fn variable(&self, at: &SyntaxNode, name: &str) -> FlowResult {
        let outcome = if name.bytes().all(|it| it.is_ascii_digit()) {
            let number = name.parse().unwrap_or(usize::MAX);
            let found = self.scope.match_variable(number);
            found.map_or_else(|| self.environment.match_variable(at, number), Ok)
        } else {
            let is_qualified = name.contains("::");
            let own = is_qualified.then(|| self.environment.own_variable(name));
            let found = match (own.flatten(), name.strip_prefix("::")) {
                (Some(own), _) => self.scope.get_outermost(own),
                (None, Some(top)) if self.is_top_scope => self.scope.get_outermost(top),
                (None, Some(_)) => None,
                (None, None) => self.scope.get(name),
            };
            match found {
                Some(Binding::Value(value)) => Ok(value.clone()),
                Some(Binding::Unknown(why)) => Err(EvalFailure::Unknown(why.clone())),
                Some(Binding::Pending) => {
                    return Err(ControlFlow::UnboundParameter(name.to_owned()));
                }
                None => self.environment.variable(at, name),
            }
        };
        outcome.map_err(|failure| ControlFlow::Failure {
            failure,
            at: Some(at.text_range().start()),
        })
    }

    // ---- collections -------------------------------------------------------------

    /// Evaluates the elements of a list, and expands splats. If the environment recovers from unknown outcomes, elements
    /// may be unknown.
    pub(super) fn list_elements(
        &mut self,
        items: impl IntoIterator<Item = Expr>,
    ) -> FlowResult<Vec<PartlyKnown>> {
        let mut values = Vec::new();
        for item in items {
            match splat(&item) {
                Some(inner) => {
                    self.budget.spend(1)?;
                    let value = self.expr(&required(inner)?)?;
                    values.extend(expand_splat(self.context, &value)?.into_iter().map(Ok));
                    self.budget.spend(value.weight())?;
                }
                None => values.push(self.partly_known(&item)?),
            }
        }
        Ok(values)
    }

    /// Evaluates an expression whose value may be unknown if the environment recovers from that.
    fn partly_known(&mut self, expr: &Expr) -> FlowResult<PartlyKnown> {
        match self.expr(expr) {
            Ok(value) => Ok(Ok(value)),
            Err(flow) => match self.recovered(expr, flow)? {
                ControlFlow::UnknownValue(unknown) => Ok(Err(unknown)),
                flow => Err(flow),
            },
        }
    }

    fn hash(&mut self, entries: impl Iterator<Item = HashEntry>) -> FlowResult {
        let mut pairs = Vec::new();
        for entry in entries {
            let key = self.expr(&required(entry.key())?)?;
            let value = self.partly_known(&required(entry.value())?)?;
            pairs.push((key, value));
        }
        let pairs = Unknown::known_entries(pairs).map_err(EvalFailure::Unknown)?;
        self.charge_value(Value::Hash(pairs))
    }

    fn access(&mut self, access_expr: &AccessExpr, expr: &Expr) -> FlowResult {
        let base = required(access_expr.base())?;
        let left = self.expr(&base);
        let keys = access_expr.keys();
        if keys.is_empty() {
            return unknown("incomplete code");
        }
        let left = match (left, &*keys) {
            (Err(flow), [key]) => return self.access_partly(flow, key),
            (left, _) => left.map_err(ControlFlow::without_known)?,
        };
        let is_class = matches!(left, Value::Type(Type::Class(_)));
        let mut values = Vec::with_capacity(keys.len());
        for key in &keys {
            values.push(match key {
                // `Class` accepts the names of unknown types.
                Expr::QualifiedReference(_) if is_class => Value::Type(self.named_type(key)?),
                key => self.expr(key).map_err(ControlFlow::without_known)?,
            });
        }
        if matches!(left, Value::Type(_)) {
            self.environment.on_type_access(base.syntax(), &left);
        }
        let value =
            self.locate_failure(access(self.context, &left, &values), expr, &base, &keys)?;
        self.charge_value(value)
    }

    // ---- operators ---------------------------------------------------------------

    fn unary(&mut self, unary: &UnaryExpr, expr: &Expr) -> FlowResult {
        let operand = required(unary.expr())?;
        let operator = required(unary.operator())?.kind();
        if operator == SyntaxKind::BANG {
            return Ok(Value::Boolean(!self.truth(&operand)?));
        }
        let value = self.expr(&operand)?;
        match operator {
            SyntaxKind::MINUS => {
                let outcome = negate(self.context, &value);
                self.locate_failure(outcome, expr, &operand, &[])
            }
            _ => {
                let items = expand_splat(self.context, &value)?;
                self.charge_value(Value::array(items))
            }
        }
    }

    fn binary(&mut self, binary: &BinaryExpr, expr: &Expr) -> FlowResult {
        use SyntaxKind::*;
        let operator = required(binary.operator())?.kind();
        let (lhs, rhs) = (required(binary.lhs())?, required(binary.rhs())?);
        if matches!(operator, AND_KW | OR_KW) {
            let decides = operator == OR_KW;
            let holds = match self.truth(&lhs)? == decides {
                true => decides,
                false => self.truth(&rhs)?,
            };
            return Ok(Value::Boolean(holds));
        }
        let left = match self.expr(&lhs) {
            Err(flow) if operator == PLUS => return self.sum_of_unknown(flow, &rhs),
            Err(flow) => return self.comparison_of_unknown(operator, (&lhs, flow), &rhs),
            left => left?,
        };
        let right = match self.expr(&rhs) {
            Err(flow) if matches!(operator, EQ_EQ | NOT_EQ) => {
                let is_equal = self.decide(&rhs, flow, |it| equals(it, &left))?;
                return Ok(Value::Boolean(is_equal == (operator == EQ_EQ)));
            }
            Err(flow) if operator == PLUS => return self.sum_with_unknown(&Ok(left), flow),
            right => right?,
        };
        if left.weight().saturating_add(right.weight()) > self.context.limits.weight {
            return unknown("value is too large");
        }
        let context = self.context;
        let outcome = match operator {
            IN_KW => self.run_match(&left, &right, contains),
            MATCH => self.run_match(&left, &right, match_operator),
            NOT_MATCH => self
                .run_match(&left, &right, match_operator)
                .map(|it| Value::Boolean(!it.is_truthy())),
            _ => match (comparison_operator(operator), arithmetic_operator(operator)) {
                (Some(operator), _) => comparison(operator, &left, &right).map(Value::Boolean),
                (None, Some(operator)) => arithmetic(context, operator, &left, &right),
                (None, None) => Err(EvalFailure::unknown("incomplete code")),
            },
        };
        let value = self.locate_failure(outcome, expr, &lhs, &[rhs])?;
        self.charge_value(value)
    }

    /// Compares an unknown left operand, if its type decides the outcome.
    fn comparison_of_unknown(
        &mut self,
        operator: SyntaxKind,
        (lhs, flow): (&Expr, ControlFlow),
        rhs: &Expr,
    ) -> FlowResult {
        use SyntaxKind::{EQ_EQ, MATCH, NOT_EQ, NOT_MATCH};
        if flow.unknown_value().is_none() || !matches!(operator, EQ_EQ | MATCH | NOT_EQ | NOT_MATCH)
        {
            return Err(flow);
        }
        let right = self.expr(rhs)?;
        let holds = self.decide(lhs, flow, |it| match (operator, &right) {
            (EQ_EQ | NOT_EQ, right) => equals(it, right),
            (_, Value::Type(right)) => is_instance(it, right),
            _ => None,
        })?;
        Ok(Value::Boolean(holds == matches!(operator, EQ_EQ | MATCH)))
    }

    /// Runs a match, which may set the match variables.
    pub(super) fn run_match(
        &mut self,
        left: &Value,
        right: &Value,
        operation: fn(&Value, &Value) -> EvalResult<Match>,
    ) -> EvalResult {
        self.budget.spend(100 + left.weight() + right.weight())?;
        let found = operation(left, right)?;
        if let Some(captures) = found.captures {
            self.scope.push_match(captures);
        }
        Ok(Value::Boolean(found.matched))
    }
}

/// Checks whether all effects of an expression have happened although its value is unknown.
fn keeps_unknown_value(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::IfExpr(_)
            | Expr::UnlessExpr(_)
            | Expr::CaseExpr(_)
            | Expr::Assignment(_)
            | Expr::ParenExpr(_)
            | Expr::CallExpr(_)
            | Expr::MethodCall(_)
    )
}

/// Returns the operand if the expression is a splat, even in parentheses. The operand is `None`
/// after a syntax error.
pub fn splat(expr: &Expr) -> Option<Option<Expr>> {
    match without_parens(expr.clone()) {
        Some(Expr::UnaryExpr(it)) => {
            let is_splat = it
                .operator()
                .is_some_and(|it| it.kind() == SyntaxKind::STAR);
            is_splat.then(|| it.expr())
        }
        _ => None,
    }
}

/// Strips all enclosing parentheses.
pub(super) fn without_parens(expr: Expr) -> Option<Expr> {
    let mut at = expr;
    while let Expr::ParenExpr(it) = &at {
        at = it.expr()?;
    }
    Some(at)
}

/// Evaluates a literal that is a single token.
fn literal(literal: &Literal) -> FlowResult {
    Ok(match required(literal.kind())? {
        LiteralKind::Number(text) => match ast::Number::parse(&text) {
            Some(Number::Integer { value, .. }) => match i64::try_from(value) {
                Ok(value) => Value::Integer(value),
                Err(_) => return unknown("integer does not fit in 64 bits"),
            },
            Some(Number::Float(value)) if value.is_finite() => Value::Float(value),
            _ => return unknown("invalid number"),
        },
        LiteralKind::Boolean(value) => Value::Boolean(value),
        LiteralKind::Undef => Value::Undef,
        LiteralKind::Default => Value::Default,
        LiteralKind::Regex(source) => {
            let regexp = Regexp::new(&source);
            // Puppet compiles the regular expression when it parses the file.
            if regexp.check().is_err() {
                return unknown("unsupported regular expression");
            }
            Value::Regexp(regexp)
        }
    })
}

/// Returns the comparison operator that a token stands for.
pub fn comparison_operator(kind: SyntaxKind) -> Option<ComparisonOperator> {
    Some(match kind {
        SyntaxKind::EQ_EQ => ComparisonOperator::Equal,
        SyntaxKind::NOT_EQ => ComparisonOperator::NotEqual,
        SyntaxKind::LT => ComparisonOperator::Less,
        SyntaxKind::LT_EQ => ComparisonOperator::LessOrEqual,
        SyntaxKind::GT => ComparisonOperator::Greater,
        SyntaxKind::GT_EQ => ComparisonOperator::GreaterOrEqual,
        _ => return None,
    })
}

/// Returns the arithmetic operator that a token stands for.
pub fn arithmetic_operator(kind: SyntaxKind) -> Option<ArithmeticOperator> {
    Some(match kind {
        SyntaxKind::PLUS => ArithmeticOperator::Add,
        SyntaxKind::MINUS => ArithmeticOperator::Subtract,
        SyntaxKind::STAR => ArithmeticOperator::Multiply,
        SyntaxKind::SLASH => ArithmeticOperator::Divide,
        SyntaxKind::PERCENT => ArithmeticOperator::Modulo,
        SyntaxKind::SHL => ArithmeticOperator::ShiftLeft,
        SyntaxKind::SHR => ArithmeticOperator::ShiftRight,
        _ => return None,
    })
}

/// Creates an error without a position.
pub(super) fn error(issue: Issue, message: impl Into<String>) -> EvalFailure {
    EvalError::new(issue, message).into()
}
