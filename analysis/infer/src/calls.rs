//! Calls: resolves the callee, checks the arguments and infers the result.

use std::sync::Arc;

use syntax::TextRange;
use syntax::ast::{AstNode, CallExpr, Expr, HasParameters, Lambda, MethodCall};

use super::arity::ArityRange;
use super::class_names::class_name;
use super::expressions::Element;
use super::functions::{self, Arguments, RubyFunction};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::lambdas::LambdaResult;
use super::operators::alternatives;
use super::overloads::{accepts, accepts_count, accepts_each, accepts_lambda, all_of};
use super::possible_mismatch::is_external_function;
use super::problem::{TypeProblem, TypeProblemKind, ValueTarget};
use super::result_type;
use super::signatures::{Callee, ResolvedOverload, Signatures, callee};
use hir::stand_ins::is_stand_in;
use library::KnownFunction as F;
use library::signatures::FunctionApi;
use types::precise::union;
use types::values::Value;
use types::{Type, display};

pub(super) struct Call {
    pub(super) name: String,
    /// The range for problems of the call as a whole.
    pub(super) range: TextRange,
    /// The arguments; for a method call, the receiver comes first.
    pub(super) arguments: Vec<Inferred>,
    /// The ranges of the arguments.
    pub(super) ranges: Vec<TextRange>,
    /// Whether an array of unknown length is unfolded into the arguments, so that `arguments` is
    /// incomplete.
    pub(super) has_unknown_splat: bool,
    pub(super) lambda: Option<Lambda>,
}

impl Call {
    /// Returns the function, if the analysis knows its name.
    pub(super) fn known(&self) -> Option<F> {
        F::from_name(&self.name)
    }
}

impl<'db> InferenceContext<'db> {
    pub(super) fn call(&mut self, call: &CallExpr, expr: &Expr) -> Inferred {
        let mut first = Vec::new();
        let (name, range) = match call.callee() {
            Some(callee @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_))) => {
                first.push((self.infer_expr(&callee), callee.syntax().text_range()));
                (F::New.name().to_owned(), callee.syntax().text_range())
            }
            _ => match call.name_token() {
                Some(name) => (name.text().to_owned(), name.text_range()),
                None => return Inferred::UNKNOWN,
            },
        };
        let arguments = call.arguments();
        let written = (name == F::Realize.name()).then(|| arguments.clone());
        let call = self.evaluate_arguments(name, range, first, arguments, call.lambda());
        for argument in written.into_iter().flatten() {
            let target =
                ValueTarget::Argument(F::Realize.name().to_owned(), "resources".to_owned());
            if let Some(value) = self.recorded(&argument).cloned() {
                self.resource_references(&target, Some(argument), &value);
            }
        }
        self.infer_call(&call, expr)
    }

    pub(super) fn method_call(&mut self, call: &MethodCall, expr: &Expr) -> Inferred {
        let (Some(receiver), Some(name)) = (call.receiver(), call.name_token()) else {
            self.infer_optional(call.receiver());
            return Inferred::UNKNOWN;
        };
        let first = match eval::splat(&receiver) {
            Some(_) => None,
            None => Some((self.infer_expr(&receiver), receiver.syntax().text_range())),
        };
        let Some(first) = first else {
            self.infer_expr(&receiver);
            return Inferred::UNKNOWN;
        };
        // Objects have methods of their own.
        let is_object = may_be_object(&first.0.type_);
        let range = name.text_range();
        let arguments = call.arguments();
        let name = name.text().to_owned();
        let call = self.evaluate_arguments(name, range, vec![first], arguments, call.lambda());
        if is_object {
            if let Some(lambda) = &call.lambda {
                self.infer_lambda(lambda, None);
            }
            return Inferred::UNKNOWN;
        }
        self.infer_call(&call, expr)
    }

    fn evaluate_arguments(
        &mut self,
        name: String,
        range: TextRange,
        first: Vec<(Inferred, TextRange)>,
        arguments: Vec<Expr>,
        lambda: Option<Lambda>,
    ) -> Call {
        let (mut inferred, mut ranges): (Vec<_>, Vec<_>) = first.into_iter().unzip();
        let mut has_unknown_splat = false;
        for argument in arguments {
            let range = argument.syntax().text_range();
            for element in self.list([argument].into_iter()) {
                match element {
                    Element::One(it) if !has_unknown_splat => {
                        inferred.push(it);
                        ranges.push(range);
                    }
                    Element::One(_) => {}
                    Element::Many(_) => has_unknown_splat = true,
                }
            }
        }
        Call {
            name,
            range,
            arguments: inferred,
            ranges,
            has_unknown_splat,
            lambda,
        }
    }

    /// Infers an evaluated call.
    fn infer_call(&mut self, call: &Call, expr: &Expr) -> Inferred {
        if self.flow.is_unreachable() || call.arguments.iter().any(Inferred::is_never) {
            return Inferred::never();
        }
        self.depends_on_external |= is_external_function(&call.name);
        if let Some(found) = self.infer_exit_function(call) {
            return found;
        }
        let found = callee(self.db, self.environment, &call.name);
        let found = found.filter(|it| match it {
            Callee::Ruby(file, function, _) => {
                !is_stand_in(self.db, self.item, &function.name, *file)
            }
            _ => true,
        });
        let Some(callee) = found else {
            self.infer_lambda_of_unknown_function(call);
            self.check_bolt_call(call);
            self.check_run(call, expr);
            self.check_missing_stdlib(call, expr);
            return self.plan(call).unwrap_or(Inferred::UNKNOWN);
        };
        let file = callee.file(self.db);
        let fits = self.check_against(file, |it| it.check_arguments(call, callee.signatures()));
        let is_other_version = file.is_some_and(|it| self.is_of_other_version(it));
        if fits && is_other_version && matches!(callee, Callee::Ruby(..)) {
            self.check_against(file, |it| it.check_ruby_call(call, &callee, expr));
        }
        if !fits || is_other_version {
            self.infer_lambda_of_unknown_function(call);
            return Inferred::UNKNOWN;
        }
        let known_result = match &callee {
            Callee::Ruby(..) => {
                let fits = self.check_ruby_call(call, &callee, expr);
                (!fits).then_some(Inferred::UNKNOWN)
            }
            Callee::Shipped(function, _) => self.check_shipped_call(&function.name, call, expr),
            Callee::Puppet(..) => None,
        };
        if let Some(found) = known_result {
            return found;
        }
        self.check_ensured_resources(call, expr);
        let declared = self.declared_returns(call, &callee);
        let result = self.infer_result(call, &callee);
        if call.known().is_some_and(F::names_classes) {
            for (argument, range) in call.arguments.iter().zip(&call.ranges) {
                self.declare_classes(argument);
                self.check_computed_classes(argument, *range);
            }
            if let Some(found) = class_references(call) {
                return found;
            }
        }
        let inferred = match result {
            Some(found) => match &declared {
                Some(declared) => found.narrowed(declared),
                None => found,
            },
            None => declared.map_or(Inferred::UNKNOWN, Inferred::of),
        };
        if inferred.is_never() {
            self.flow.mark_unreachable();
        } else {
            self.narrow_arguments(call, callee.signatures(), expr);
        }
        inferred
    }

    /// Checks the arguments of a function written in Ruby. Returns `false` if they do not fit.
    fn check_ruby_call(&mut self, call: &Call, callee: &Callee<'_>, expr: &Expr) -> bool {
        self.check_run(call, expr);
        let function = self.ruby_function(&call.name, callee);
        // The functions that validate are wrappers of those for the 3.x API.
        let is_checked = |it: &RubyFunction<'_>| it.is_3x || it.name.starts_with("validate_");
        if function.is_some_and(|it| is_checked(&it) && it.module == Some("stdlib"))
            && !self.check_stdlib_arguments(call)
        {
            return false;
        }
        if call.known() == Some(F::ValidateLegacy) {
            self.check_validate_legacy(call);
        }
        true
    }

    /// Evaluates a call of a function that Puppet ships, or checks its arguments. Returns the result
    /// if it is known, which includes that the arguments do not fit.
    fn check_shipped_call(&mut self, name: &str, call: &Call, expr: &Expr) -> Option<Inferred> {
        if let Some(found) = self.fold_call(name, call, expr) {
            return Some(found);
        }
        if let Some(known) = F::from_name(name) {
            if !self.check_argument_values(known, call) {
                return Some(Inferred::UNKNOWN);
            }
            self.check_paths(known, call);
            if known == F::InlineEpp && !self.check_inline_template(call) {
                return Some(Inferred::UNKNOWN);
            }
            if matches!(known, F::Epp | F::InlineEpp) {
                self.check_template(known, call, expr);
            }
            if known == F::CreateResources {
                self.check_created_resources(call, expr);
            }
        }
        self.fold_finite_calls(name, call)
    }

    /// Checks the arguments of a function of `stdlib`, as far as all versions agree, although the module is missing.
    fn check_missing_stdlib(&mut self, call: &Call, expr: &Expr) {
        if self.check_stdlib_arguments(call) {
            self.check_ensured_resources(call, expr);
        }
        if call.known() == Some(F::ValidateLegacy) {
            self.check_validate_legacy(call);
        }
    }

    fn infer_lambda_of_unknown_function(&mut self, call: &Call) {
        if let Some(lambda) = &call.lambda {
            self.infer_lambda(lambda, None);
        }
    }

    /// Infers the functions that leave the enclosing scope.
    fn infer_exit_function(&mut self, call: &Call) -> Option<Inferred> {
        let given = || match call.arguments.as_slice() {
            [] if !call.has_unknown_splat => Inferred::of(Type::Undef),
            [only] if !call.has_unknown_splat => only.clone(),
            _ => Inferred::UNKNOWN,
        };
        let most = match call.known()? {
            F::Next | F::Return => 1,
            F::Break => 0,
            _ => usize::MAX,
        };
        if call.arguments.len() > most {
            let kind = TypeProblemKind::ArgumentCount {
                function: call.name.clone(),
                wanted: ArityRange {
                    min: 0,
                    max: Some(most),
                },
                actual: call.arguments.len(),
            };
            self.report(call.range, kind);
        }
        match call.known()? {
            F::Fail => {}
            F::Next => {
                if let Some(exit_scope) = self.exit_scopes.last_mut() {
                    exit_scope.next_values.push(given());
                }
            }
            F::Return => {
                // `return` leaves all enclosing lambdas.
                let outer = self.exit_scopes.iter_mut().rev().find(|it| !it.is_lambda);
                if let Some(exit_scope) = outer {
                    exit_scope.returned_values.push(given());
                }
            }
            F::Break => {
                if let Some(exit_scope) = self.exit_scopes.last_mut() {
                    exit_scope.breaks = true;
                }
            }
            _ => return None,
        }
        self.flow.mark_unreachable();
        Some(Inferred::never())
    }

    // ---- checking of arguments --------------------------------------------------

    /// Reports arguments that no overload accepts, and returns whether the call may succeed.
    fn check_arguments(&mut self, call: &Call, signatures: &Signatures) -> bool {
        if !signatures.checked || signatures.overloads.is_empty() {
            return true;
        }
        let mut overloads = signatures.overloads.iter();
        if overloads.any(|it| accepts(call, it) != Some(false)) {
            self.check_possible_argument_mismatch(call, &signatures.overloads);
            return true;
        }
        self.report_arguments(call, &signatures.overloads);
        false
    }

    pub(super) fn report_arguments(&mut self, call: &Call, overloads: &[ResolvedOverload]) {
        let count = call.arguments.len();
        let function = call.name.clone();
        let by_count: Vec<&ResolvedOverload> = overloads
            .iter()
            .filter(|it| accepts_count(call, it))
            .collect();
        let wanted = overloads
            .iter()
            .map(ResolvedOverload::arity)
            .reduce(ArityRange::join);
        if let Some(wanted) = wanted.filter(|_| by_count.is_empty()) {
            let kind = TypeProblemKind::ArgumentCount {
                function,
                wanted,
                actual: count,
            };
            return self.report(call.range, kind);
        }
        let accepts_lambda = |it: &&&ResolvedOverload| accepts_lambda(call, it) != Some(false);
        let by_block = by_count.iter().filter(accepts_lambda);
        let by_block: Vec<&&ResolvedOverload> = by_block.collect();
        match by_block.as_slice() {
            [] if call.lambda.is_none() => {
                self.report(call.range, TypeProblemKind::MissingBlock { function });
            }
            [] if by_count.iter().all(|it| it.block.is_none()) => {
                self.report(call.range, TypeProblemKind::UnexpectedBlock { function });
            }
            [] => self.report_lambda(call, &by_count),
            [only] => self.report_argument(call, only),
            all => {
                let actual = call.arguments.iter().map(|it| it.type_.clone()).collect();
                let mut overloads: Vec<String> = all
                    .iter()
                    .map(|it| render_overload(&call.name, it))
                    .collect();
                overloads.dedup();
                let kind = TypeProblemKind::NoOverload {
                    function,
                    overloads,
                    actual,
                };
                self.report(call.range, kind);
            }
        }
    }

    /// Reports a lambda whose number of parameters does not match any overload that accepts the
    /// arguments.
    fn report_lambda(&mut self, call: &Call, overloads: &[&ResolvedOverload]) {
        let Some(lambda) = &call.lambda else {
            return;
        };
        let given = |all: &mut dyn Iterator<Item = &&ResolvedOverload>| {
            all.filter_map(|it| it.lambda_arity())
                .reduce(ArityRange::join)
        };
        let accepts_all = |it: &&&ResolvedOverload| all_of(accepts_each(call, it)) != Some(false);
        let fitting = given(&mut overloads.iter().filter(accepts_all));
        if let Some(given) = fitting.or_else(|| given(&mut overloads.iter())) {
            self.check_lambda_arity(lambda, &call.name, given);
        }
    }

    /// Reports the first argument that does not match its parameter.
    fn report_argument(&mut self, call: &Call, overload: &ResolvedOverload) {
        let all = call.arguments.iter().zip(&call.ranges).enumerate();
        for (index, (argument, range)) in all {
            let Some(parameter) = overload.parameter(index) else {
                continue;
            };
            if argument.is_a(&parameter.type_) == Some(false) {
                let function = call.name.clone();
                let name = parameter.name.clone();
                self.check_assignable(*range, argument, &parameter.type_, || {
                    ValueTarget::Argument(function, name)
                });
                return;
            }
        }
    }

    // ---- results ----------------------------------------------------------------

    /// Returns the declared return types of the overloads that may be called. The result of
    /// functions in the Puppet language is inferred from their code instead.
    fn declared_returns(&self, call: &Call, callee: &Callee<'_>) -> Option<Type> {
        if let Callee::Puppet(..) = callee {
            return None;
        }
        let signatures = callee.signatures();
        let mut found = Vec::new();
        for overload in &signatures.overloads {
            let accepts = if signatures.checked {
                accepts(call, overload)
            } else {
                None
            };
            if accepts == Some(false) {
                continue;
            }
            found.push(overload.returns.clone()?);
            if accepts == Some(true) {
                break;
            }
        }
        (!found.is_empty()).then(|| union(found))
    }

    /// Infers the lambda of a call, and returns the result of functions that depend on their
    /// arguments.
    fn infer_result(&mut self, call: &Call, callee: &Callee<'_>) -> Option<Inferred> {
        let arguments = Arguments {
            types: &call.arguments,
            complete: !call.has_unknown_splat,
        };
        let name = self.function_name(callee);
        let function = self.ruby_function(&name, callee);
        let block = self.infer_function_lambda(call, function, &arguments, callee);
        let declared = match callee {
            Callee::Puppet(item, _) => return Some(result_type(self.db, *item).clone()),
            Callee::Shipped(it, _) => *it,
            Callee::Ruby(_, it, _) => &**it,
        };
        let known = F::from_name(&name);
        let is_of_bolt = function.is_some_and(|it| it.module == Some("boltlib"));
        if is_of_bolt && known == Some(F::RunPlan) {
            return self.plan(call);
        }
        if let (Callee::Shipped(..), Some(F::Lookup), Some(block)) = (callee, known, &block) {
            self.check_lookup_block(call, &block.value);
        }
        if !declared.has_value {
            // Puppet discards the results of statement functions.
            return Some(Inferred::of(Type::Undef));
        }
        if matches!(callee, Callee::Shipped(..)) && known == Some(F::Getvar) {
            return self.infer_getvar(call, block.as_ref());
        }
        let taken = call.lambda.as_ref().map(ArityRange::of_lambda);
        let found = functions::result(function?, &arguments, block.as_ref().zip(taken));
        found.or_else(|| callee.signatures().result.clone().map(Inferred::of))
    }

    fn function_name(&self, callee: &Callee<'_>) -> String {
        match callee {
            Callee::Shipped(it, _) => it.name.clone(),
            Callee::Ruby(_, it, _) => it.name.clone(),
            Callee::Puppet(item, _) => item.name(self.db).clone(),
        }
    }

    /// Returns the callee, if it is implemented in Ruby.
    fn ruby_function<'a>(&self, name: &'a str, callee: &Callee<'db>) -> Option<RubyFunction<'a>>
    where
        'db: 'a,
    {
        match callee {
            Callee::Shipped(..) => Some(RubyFunction {
                name,
                module: None,
                is_3x: false,
            }),
            Callee::Ruby(file, it, _) => Some(RubyFunction {
                name,
                module: Some(&**file.module(self.db)?.name(self.db)),
                is_3x: it.api == FunctionApi::Ruby3x,
            }),
            Callee::Puppet(..) => None,
        }
    }

    fn infer_function_lambda(
        &mut self,
        call: &Call,
        function: Option<RubyFunction<'_>>,
        arguments: &Arguments<'_>,
        callee: &Callee<'_>,
    ) -> Option<LambdaResult> {
        let lambda = call.lambda.as_ref()?;
        let Some(function) = function else {
            return Some(self.infer_lambda(lambda, None));
        };
        if function.module.is_none()
            && let Some(given) = lambda_arity(callee, call)
        {
            self.check_lambda_arity(lambda, function.name, given);
        }
        if function.module.is_none() && arguments.complete {
            self.check_given_values(lambda, function, arguments);
        }
        Some(self.infer_ruby_function_lambda(function, lambda, arguments))
    }

    /// Checks the number of parameters of a lambda that depends on the arguments.
    fn check_given_values(
        &mut self,
        lambda: &Lambda,
        function: RubyFunction<'_>,
        arguments: &Arguments<'_>,
    ) {
        let taken = ArityRange::of_lambda(lambda);
        let given = match function.known() {
            Some(F::With) => arguments.types.len(),
            // The lambda takes a slice, or each of its elements.
            Some(F::Slice) => match arguments.types.get(1).map(|it| &it.value) {
                Some(Some(Value::Integer(it))) if taken.single().is_some_and(|it| it != 1) => {
                    usize::try_from(*it).unwrap_or(1)
                }
                _ => return,
            },
            _ => return,
        };
        let is_wrong = match function.known() {
            Some(F::Slice) => !taken.contains(given),
            _ => taken.min > given,
        };
        if is_wrong {
            self.check_lambda_arity(lambda, function.name, ArityRange::exactly(given));
        }
    }

    /// Infers the lambda of a function that is implemented in Ruby.
    fn infer_ruby_function_lambda(
        &mut self,
        function: RubyFunction<'_>,
        lambda: &Lambda,
        arguments: &Arguments<'_>,
    ) -> LambdaResult {
        let shipped = function.known().filter(|_| function.module.is_none());
        let result = if shipped == Some(F::Reduce) {
            self.infer_reduce(lambda, arguments)
        } else {
            let given =
                functions::lambda_arguments(function, arguments, ArityRange::of_lambda(lambda));
            match shipped {
                Some(F::Filter) => self.infer_predicate_lambda(lambda, given.as_deref()),
                _ => self.infer_lambda(lambda, given.as_deref()),
            }
        };
        if result.breaks && !functions::catches_break(function, arguments) {
            // The `break` propagates to the enclosing scope.
            if let Some(exit_scope) = self.exit_scopes.last_mut() {
                exit_scope.breaks = true;
            }
        }
        result
    }

    /// Infers the lambda of a call whose result is already known, to find problems in it.
    pub(super) fn check_lambda(&mut self, call: &Call, name: &str, lambda: &Lambda) {
        let arguments = Arguments {
            types: &call.arguments,
            complete: !call.has_unknown_splat,
        };
        let function = RubyFunction {
            name,
            module: None,
            is_3x: false,
        };
        self.infer_ruby_function_lambda(function, lambda, &arguments);
    }

    /// Reports the initial value of a `reduce` if the lambda does not accept it, and returns the type
    /// that it accepts instead.
    fn check_first_memo(&mut self, lambda: &Lambda, memo: &Inferred) -> Option<Type> {
        let parameter = lambda.parameters().into_iter().next()?;
        let expected = self.types.read(&parameter.type_expr()?)?;
        if parameter.captures_rest() || memo.is_a(&expected) != Some(false) {
            return None;
        }
        let range = parameter.syntax().text_range();
        let name = parameter.name().unwrap_or_default();
        self.check_assignable(range, memo, &expected, || ValueTarget::BlockParameter(name));
        Some(expected)
    }

    /// Reports what fails in the first run of the lambda of a `reduce`, and returns whether anything does.
    fn fails_at_first(&mut self, lambda: &Lambda, given: [Inferred; 2]) -> bool {
        let before = self.problems.len();
        self.infer_lambda(lambda, Some(&given));
        let found = self.problems.split_off(before);
        let fails = |it: &TypeProblem| {
            use TypeProblemKind::{EvaluationError, Mismatch, NoOverload, UnsupportedOperand};
            matches!(
                it.kind,
                EvaluationError { .. }
                    | Mismatch { .. }
                    | NoOverload { .. }
                    | UnsupportedOperand { .. }
            )
        };
        self.problems.extend(found.into_iter().filter(fails));
        self.problems.len() > before
    }

    /// Infers `reduce` as a fixpoint: the result of the lambda is the accumulator of its next run.
    fn infer_reduce(&mut self, lambda: &Lambda, arguments: &Arguments<'_>) -> LambdaResult {
        let Some((mut memo, element)) = functions::reduce_arguments(arguments) else {
            // The initial value may be the result.
            let breaks = self.infer_lambda(lambda, None).breaks;
            return LambdaResult {
                value: Inferred::UNKNOWN,
                breaks,
                params_if_true: None,
            };
        };
        let refused = self.check_first_memo(lambda, &memo);
        let fails =
            refused.is_none() && self.fails_at_first(lambda, [memo.clone(), element.clone()]);
        for round in 0..4 {
            let given = [memo.clone(), element.clone()];
            let result = self.without_reporting(|this| this.infer_lambda(lambda, Some(&given)));
            let next = Inferred::union([memo.clone(), result.value]);
            if next.type_ == memo.type_ {
                break;
            }
            memo = match round {
                0 => next,
                1 | 2 => {
                    // Puppet's generalization of a type may not contain the type itself.
                    let general = types::generalize(&next.type_);
                    Inferred::of(union([general, next.type_]))
                }
                _ => Inferred::UNKNOWN,
            };
        }
        let memo = refused.map_or(Inferred::of(memo.type_), Inferred::of);
        let given = [memo.clone(), element];
        let result = match fails {
            true => self.without_reporting(|this| this.infer_lambda(lambda, Some(&given))),
            false => self.infer_lambda(lambda, Some(&given)),
        };
        LambdaResult {
            value: Inferred::union([memo, result.value]),
            breaks: result.breaks,
            params_if_true: None,
        }
    }
}

/// Checks whether a type certainly includes objects. For an unknown receiver, a method call is
/// assumed to call a function, since objects only occur where types declare them.
fn may_be_object(type_: &Type) -> bool {
    let is_object = |it: &Type| {
        matches!(
            it,
            Type::Object(_) | Type::ObjectExtension(_) | Type::Uri(_)
        )
    };
    alternatives(type_).iter().any(is_object)
}

/// Returns the number of arguments that a function passes to its lambda, over all overloads that
/// may be called.
fn lambda_arity(callee: &Callee<'_>, call: &Call) -> Option<ArityRange> {
    let overloads = callee.signatures().overloads.iter();
    ArityRange::join_all(
        overloads
            .filter(|it| accepts_count(call, it))
            .map(ResolvedOverload::lambda_arity),
    )
}

/// Renders an overload for messages.
fn render_overload(name: &str, overload: &ResolvedOverload) -> String {
    let parameters = overload.parameters.iter().map(|it| {
        let star = match it.arity {
            library::signatures::Arity::Repeated | library::signatures::Arity::RequiredRepeated => {
                "*"
            }
            _ => "",
        };
        format!("{} {star}${}", display(&it.type_), it.name)
    });
    let block = overload.block.iter().map(|_| "&block".to_owned());
    let all: Vec<String> = parameters.chain(block).collect();
    format!("{name}({})", all.join(", "))
}

/// Returns the result of `include`, `require` or `contain`, if the names are known.
fn class_references(call: &Call) -> Option<Inferred> {
    let names: Option<Vec<String>> = call
        .arguments
        .iter()
        .map(|it| class_name(it.value.as_ref()?))
        .collect();
    let names = names.filter(|it| !call.has_unknown_splat && !it.is_empty())?;
    let references = names.iter().map(|it| Type::type_of(Type::class(it)));
    Some(Inferred::of(Type::tuple(
        references.collect::<Vec<_>>(),
        None,
    )))
}

/// Returns the value of a string, if it is known.
pub(super) fn known_string(inferred: &Inferred) -> Option<Arc<str>> {
    match &inferred.value {
        Some(Value::String(it)) => Some(Arc::clone(it)),
        _ => None,
    }
}
