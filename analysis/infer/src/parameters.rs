//! Declared types of parameters and results.

use syntax::ast::{AstNode, Block, Definition, Expr, HasBody, Parameter};

use super::flow::{Origin, VariableState};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::{TypeProblem, TypeProblemKind, ValueTarget};
use super::{TypedRangeKind, checks_leniently};
use eval::Issue;
use hir::body::{ReferenceName, body};
use hir::{ItemKind, canonical_name};
use types::precise::intersection;
use types::values::Value;
use types::{IntRange, Type, accepted_by_parameter};

impl InferenceContext<'_> {
    /// Infers the parameters of a definition or template, which have their declared types.
    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        self.implicit_parameters();
        let tests_for_deferred = self.tests_for_deferred();
        for parameter in parameters {
            let declared = self.accepted(parameter, tests_for_deferred);
            let (default, default_origin) =
                self.with_origin(|this| this.default(parameter, &declared));
            let mut origin = Origin::Parameter;
            let type_ = if parameter.captures_rest() {
                rest_parameter_type(&declared)
            } else if default.is_some_and(|it| it.is_a(&Type::Undef) == Some(false))
                && self.takes_default_for_undef()
            {
                // That it is not undef may be up to other code, unless the declared type rejects undef.
                let takes_undef = types::is_instance(&declared, &Value::Undef) != Some(false);
                if default_origin == Origin::External && takes_undef {
                    origin = default_origin;
                }
                intersection(&declared, &Type::not_undef(Type::Any)).unwrap_or(declared)
            } else {
                declared
            };
            self.parameter(parameter, Inferred::of(type_), origin);
        }
    }

    /// Infers the default of a parameter, and checks it against the declared type.
    fn default(&mut self, parameter: &Parameter, declared: &Type) -> Option<Inferred> {
        let default = parameter.default()?;
        let value = self.infer_expr(&default);
        let name = parameter.name().unwrap_or_default();
        let range = default.syntax().text_range();
        self.check_assignable(range, &value, declared, || ValueTarget::Default(name));
        Some(value)
    }

    /// Checks whether a parameter that is passed `undef` takes its default: it does in classes and
    /// defined types, but not in functions.
    fn takes_default_for_undef(&self) -> bool {
        self.item.kind(self.db).is_declarable()
    }

    /// Sets the variables that Puppet provides in every class and defined type.
    fn implicit_parameters(&mut self) {
        let kind = self.item.kind(self.db);
        if kind.is_declarable() {
            let title = match kind {
                ItemKind::Class => Inferred::value(self.item.name(self.db).as_str().into()),
                // `create_resources` takes the title from the keys of a hash.
                _ => Inferred::of(Type::ScalarData),
            };
            let name = match kind {
                ItemKind::Class => title.clone(),
                // It may be set as an attribute, to any value.
                _ => Inferred::UNKNOWN,
            };
            for (variable, value) in [("title", title), ("name", name)] {
                self.flow.set(variable, VariableState::external(value));
            }
            if let Some(module) = self.item.module_name(self.db) {
                let value = Inferred::value(module.into());
                self.flow.set("module_name", VariableState::external(value));
            }
        }
    }

    /// Returns the type of the values that a parameter of the item accepts.
    fn accepted(&mut self, parameter: &Parameter, tests_for_deferred: bool) -> Type {
        let declared = self.declared(parameter);
        if !checks_leniently(self.db, self.item) {
            return declared;
        }
        let accepted = accepted_by_parameter(&declared);
        match tests_for_deferred {
            true => Type::variant([accepted, Type::deferred()]),
            false => accepted,
        }
    }

    /// Checks whether the item tests for `Deferred` values, which every parameter of a class or defined
    /// type accepts: Puppet checks what they evaluate to.
    fn tests_for_deferred(&self) -> bool {
        let references = &body(self.db, self.item).references;
        self.takes_default_for_undef()
            && references.iter().any(
                |it| matches!(&it.name, ReferenceName::Type(name) if canonical_name(name) == "deferred"),
            )
    }

    /// Returns the declared type of a parameter; `Any` if it is missing or cannot be read.
    pub(super) fn declared(&mut self, parameter: &Parameter) -> Type {
        let Some(expr) = parameter.type_expr() else {
            return Type::Any;
        };
        self.check_type(&expr);
        self.types.read(&expr).unwrap_or(Type::Any)
    }

    /// Reports types that do not accept their parameters. Puppet also evaluates the type of a
    /// parameter, but resolves it by separate rules, so that nothing else is reported.
    fn check_type(&mut self, expr: &Expr) {
        let before = self.problems.len();
        self.infer_expr(expr);
        let found = self.problems.split_off(before);
        let is_invalid = |it: &TypeProblem| {
            matches!(
                it.kind,
                TypeProblemKind::InvalidType { .. }
                    | TypeProblemKind::EvaluationError {
                        issue: Issue::MatchNotRegexp,
                        ..
                    }
            )
        };
        self.problems.extend(found.into_iter().filter(is_invalid));
    }

    /// Assigns a parameter.
    pub(super) fn parameter(&mut self, parameter: &Parameter, inferred: Inferred, origin: Origin) {
        let (Some(name), Some(token)) = (parameter.name(), parameter.variable()) else {
            return;
        };
        let range = token.text_range();
        self.record(range, TypedRangeKind::Parameter, &inferred);
        let origin = match self.is_in_lambda() && self.depends_on_external {
            true => Origin::External,
            false => origin,
        };
        self.bind(&name, inferred, origin, range);
    }

    /// Reports a value that never matches the expected type.
    pub(super) fn check_assignable(
        &mut self,
        range: syntax::TextRange,
        value: &Inferred,
        expected: &Type,
        what: impl FnOnce() -> ValueTarget,
    ) {
        if value.is_never() {
            return;
        }
        match value.is_a(expected) {
            Some(true) => return,
            Some(false) => {}
            None => {
                let what = what();
                let expr = self.node_at(range).and_then(Expr::cast);
                let expr = expr.filter(|it| it.syntax().text_range() == range);
                if expr.is_none_or(|it| !self.check_branches(&it, value, expected, &what)) {
                    self.check_possible_mismatch(range, value, expected, || what);
                }
                return;
            }
        }
        let kind = TypeProblemKind::Mismatch {
            what: what(),
            expected: expected.clone(),
            actual: value.type_.clone(),
        };
        self.report(range, kind);
    }

    /// Checks the last statements of a function against its return type.
    pub(super) fn check_last_statement(&mut self) {
        let root = self.root.clone();
        let Some(Definition::FunctionDefinition(function)) = Definition::cast(root) else {
            return;
        };
        if let Some(expr) = function.return_type().and_then(|it| it.type_expr()) {
            self.check_type(&expr);
        }
        let last = function.body().and_then(|it| it.statements().last());
        let mut all = Vec::new();
        if let Some(last) = last {
            result_expressions(&last, &mut all);
        }
        for expr in all {
            if let Some(value) = self.recorded(&expr).cloned() {
                self.check_result(expr.syntax().text_range(), &value);
            }
        }
    }

    /// Checks a returned value against the return type of the function.
    pub(super) fn check_result(&mut self, range: syntax::TextRange, value: &Inferred) {
        let root = self.root.clone();
        let Some(Definition::FunctionDefinition(function)) = Definition::cast(root) else {
            return;
        };
        let expr = function.return_type().and_then(|it| it.type_expr());
        if let Some(declared) = expr.and_then(|it| self.types.read(&it)) {
            let name = self.item.name(self.db).clone();
            self.check_assignable(range, value, &declared, || ValueTarget::Result(name));
        }
    }

    /// Returns the result of a function: the computed type, narrowed to the declared one.
    pub(super) fn declared_result(&mut self, computed: Inferred) -> Inferred {
        let root = self.root.clone();
        let Some(Definition::FunctionDefinition(function)) = Definition::cast(root) else {
            return computed;
        };
        let expr = function.return_type().and_then(|it| it.type_expr());
        let Some(declared) = expr.as_ref().and_then(|it| self.types.read(it)) else {
            return computed;
        };
        let narrowed = computed.narrowed(&declared);
        if narrowed.is_never() {
            return Inferred::of(declared);
        }
        narrowed
    }
}

/// Collects the expressions whose values a statement can have.
fn result_expressions(expr: &Expr, into: &mut Vec<Expr>) {
    let last = |block: Option<Block>| block.and_then(|it| it.statements().last());
    match expr {
        Expr::IfExpr(it) => {
            last(it.body())
                .iter()
                .for_each(|it| result_expressions(it, into));
            if let Some(otherwise) = it.else_clause() {
                match otherwise.elsif() {
                    Some(elsif) => {
                        base::with_growing_stack(|| result_expressions(&Expr::IfExpr(elsif), into))
                    }
                    None => last(otherwise.block())
                        .iter()
                        .for_each(|it| result_expressions(it, into)),
                }
            }
        }
        Expr::CaseExpr(it) => {
            for option in it.options() {
                last(option.body())
                    .iter()
                    .for_each(|it| result_expressions(it, into));
            }
        }
        other => into.push(other.clone()),
    }
}

/// Returns the type of a parameter that captures the rest.
pub(super) fn rest_parameter_type(declared: &Type) -> Type {
    match declared {
        Type::Array(_) => declared.clone(),
        other => Type::array(other.clone(), Some(IntRange::SIZE)),
    }
}
