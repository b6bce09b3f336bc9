//! Calls: resolves the callee, checks the arguments and infers the result.

use std::sync::Arc;

use syntax::TextRange;
use syntax::ast::{AstNode, CallExpr, Expr, HasParameters, Lambda, MethodCall};

use super::blocks::BlockResult;
use super::counts::Counts;
use super::expressions::Element;
use super::functions::{self, Arguments, Called};
use super::inferred::Inferred;
use super::operators::alternatives;
use super::partial::gives_outside;
use super::problem::{ProblemKind, Target};
use super::result_type;
use super::signatures::{Callee, Form, Signatures, callee};
use super::walker::Walker;
use hir::autoload::NameKey;
use hir::canonical;
use hir::classes::evaluated_with;
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
    pub(super) unfolds: bool,
    pub(super) lambda: Option<Lambda>,
}

impl<'db> Walker<'db> {
    pub(super) fn call(&mut self, call: &CallExpr, expr: &Expr) -> Inferred {
        let mut first = Vec::new();
        let (name, range) = match call.callee() {
            Some(callee @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_))) => {
                first.push((self.expr(&callee), callee.syntax().text_range()));
                ("new".to_owned(), callee.syntax().text_range())
            }
            _ => match call.name_token() {
                Some(name) => (name.text().to_owned(), name.text_range()),
                None => return Inferred::UNKNOWN,
            },
        };
        let arguments = call.arguments();
        let call = self.evaluated(name, range, first, arguments, call.lambda());
        self.called(&call, expr)
    }

    pub(super) fn method_call(&mut self, call: &MethodCall, expr: &Expr) -> Inferred {
        let (Some(receiver), Some(name)) = (call.receiver(), call.name_token()) else {
            self.inner(call.receiver());
            return Inferred::UNKNOWN;
        };
        let first = match eval::splat(&receiver) {
            Some(_) => None,
            None => Some((self.expr(&receiver), receiver.syntax().text_range())),
        };
        let Some(first) = first else {
            self.expr(&receiver);
            return Inferred::UNKNOWN;
        };
        // Objects have methods of their own.
        let is_object = may_be_object(&first.0.type_);
        let range = name.text_range();
        let arguments = call.arguments();
        let name = name.text().to_owned();
        let call = self.evaluated(name, range, vec![first], arguments, call.lambda());
        if is_object {
            if let Some(lambda) = &call.lambda {
                self.run_block(lambda, None);
            }
            return Inferred::UNKNOWN;
        }
        self.called(&call, expr)
    }

    fn evaluated(
        &mut self,
        name: String,
        range: TextRange,
        first: Vec<(Inferred, TextRange)>,
        arguments: Vec<Expr>,
        lambda: Option<Lambda>,
    ) -> Call {
        let (mut inferred, mut ranges): (Vec<_>, Vec<_>) = first.into_iter().unzip();
        let mut unfolds = false;
        for argument in arguments {
            let range = argument.syntax().text_range();
            for element in self.list([argument].into_iter()) {
                match element {
                    Element::One(it) if !unfolds => {
                        inferred.push(it);
                        ranges.push(range);
                    }
                    Element::One(_) => {}
                    Element::Many(_) => unfolds = true,
                }
            }
        }
        Call {
            name,
            range,
            arguments: inferred,
            ranges,
            unfolds,
            lambda,
        }
    }

    /// Infers an evaluated call.
    fn called(&mut self, call: &Call, expr: &Expr) -> Inferred {
        if self.flow.is_dead() || call.arguments.iter().any(Inferred::is_never) {
            return Inferred::never();
        }
        self.outside |= gives_outside(&call.name);
        if let Some(found) = self.jump(call) {
            return found;
        }
        let Some(callee) = callee(self.db, self.environment, &call.name) else {
            self.block_of_unknown(call);
            return self.plan(call).unwrap_or(Inferred::UNKNOWN);
        };
        if !self.check(call, callee.signatures()) {
            self.block_of_unknown(call);
            return Inferred::UNKNOWN;
        }
        if let Callee::Shipped(function, _) = &callee {
            if let Some(found) = self.constant_call(&function.name, call, expr) {
                return found;
            }
            if !self.check_texts(&function.name, call) {
                return Inferred::UNKNOWN;
            }
            if matches!(function.name.as_str(), "epp" | "inline_epp") {
                self.check_template(&function.name, call, expr);
            }
            if let Some(found) = self.calls_with_few(&function.name, call) {
                return found;
            }
        }
        let declared = self.declared_returns(call, &callee);
        let result = self.special(call, &callee);
        if matches!(call.name.as_str(), "include" | "contain" | "require") {
            for argument in &call.arguments {
                self.declare_classes(argument);
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
            self.flow.die();
        }
        inferred
    }

    /// Marks classes as evaluated, if their names are known.
    pub(super) fn declare_classes(&mut self, names: &Inferred) {
        let Some(environment) = self.environment else {
            return;
        };
        let names = match &names.value {
            Some(Value::Array(items)) => items.iter().filter_map(class_name).collect(),
            Some(value) => class_name(value).into_iter().collect(),
            None => Vec::new(),
        };
        for name in names {
            let key = NameKey::new(self.db, name);
            for class in evaluated_with(self.db, environment, key) {
                self.flow.declare_class(class);
            }
        }
    }

    fn block_of_unknown(&mut self, call: &Call) {
        if let Some(lambda) = &call.lambda {
            self.run_block(lambda, None);
        }
    }

    /// Infers the functions that leave the enclosing scope.
    fn jump(&mut self, call: &Call) -> Option<Inferred> {
        let given = || match call.arguments.as_slice() {
            [] if !call.unfolds => Inferred::of(Type::Undef),
            [only] if !call.unfolds => only.clone(),
            _ => Inferred::UNKNOWN,
        };
        match call.name.as_str() {
            "fail" => {}
            "next" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.results.push(given());
                }
            }
            "return" => {
                // `return` leaves all enclosing lambdas.
                let outer = self.frames.iter_mut().rev().find(|it| !it.is_block);
                if let Some(frame) = outer {
                    frame.returned.push(given());
                }
            }
            "break" => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.breaks = true;
                }
            }
            _ => return None,
        }
        self.flow.die();
        Some(Inferred::never())
    }

    // ---- checking of arguments --------------------------------------------------

    /// Reports arguments that no overload accepts, and returns whether the call may succeed.
    fn check(&mut self, call: &Call, signatures: &Signatures) -> bool {
        if !signatures.checked || signatures.forms.is_empty() {
            return true;
        }
        let mut forms = signatures.forms.iter();
        if forms.any(|it| takes(call, it) != Some(false)) {
            self.arguments_may_not_fit(call, &signatures.forms);
            return true;
        }
        self.report_arguments(call, &signatures.forms);
        false
    }

    fn report_arguments(&mut self, call: &Call, forms: &[Form]) {
        let count = call.arguments.len();
        let function = call.name.clone();
        let by_count: Vec<&Form> = forms.iter().filter(|it| takes_count(call, it)).collect();
        let wanted = forms.iter().map(Form::arity).reduce(Counts::join);
        if let Some(wanted) = wanted.filter(|_| by_count.is_empty()) {
            let kind = ProblemKind::ArgumentCount {
                function,
                wanted,
                actual: count,
            };
            return self.report(call.range, kind);
        }
        let takes_block = |it: &&&Form| takes_block(call, it) != Some(false);
        let by_block = by_count.iter().filter(takes_block);
        let by_block: Vec<&&Form> = by_block.collect();
        match by_block.as_slice() {
            [] if call.lambda.is_none() => {
                self.report(call.range, ProblemKind::MissingBlock { function });
            }
            [] if by_count.iter().all(|it| it.block.is_none()) => {
                self.report(call.range, ProblemKind::UnexpectedBlock { function });
            }
            [] => self.report_block(call, &by_count),
            [only] => self.report_argument(call, only),
            all => {
                let actual = call.arguments.iter().map(|it| it.type_.clone()).collect();
                let mut forms: Vec<String> = all.iter().map(|it| shown(&call.name, it)).collect();
                forms.dedup();
                let kind = ProblemKind::NoOverload {
                    function,
                    forms,
                    actual,
                };
                self.report(call.range, kind);
            }
        }
    }

    /// Reports a lambda whose number of parameters does not match any overload that accepts the
    /// arguments.
    fn report_block(&mut self, call: &Call, forms: &[&Form]) {
        let Some(lambda) = &call.lambda else {
            return;
        };
        let given = |all: &mut dyn Iterator<Item = &&Form>| {
            all.filter_map(|it| it.given_to_block())
                .reduce(Counts::join)
        };
        let takes_all = |it: &&&Form| all_so(takes_each(call, it)) != Some(false);
        let fitting = given(&mut forms.iter().filter(takes_all));
        if let Some(given) = fitting.or_else(|| given(&mut forms.iter())) {
            self.check_block(lambda, &call.name, given);
        }
    }

    /// Reports the first argument that does not match its parameter.
    fn report_argument(&mut self, call: &Call, form: &Form) {
        let all = call.arguments.iter().zip(&call.ranges).enumerate();
        for (index, (argument, range)) in all {
            let Some(parameter) = form.parameter(index) else {
                continue;
            };
            if argument.is_a(&parameter.type_) == Some(false) {
                let function = call.name.clone();
                let name = parameter.name.clone();
                self.must_fit(*range, argument, &parameter.type_, || {
                    Target::Argument(function, name)
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
        for form in &signatures.forms {
            let takes = if signatures.checked {
                takes(call, form)
            } else {
                None
            };
            if takes == Some(false) {
                continue;
            }
            found.push(form.returns.clone()?);
            if takes == Some(true) {
                break;
            }
        }
        (!found.is_empty()).then(|| union(found))
    }

    /// Runs the lambda of a call, and returns the result of functions that depend on their
    /// arguments.
    fn special(&mut self, call: &Call, callee: &Callee<'_>) -> Option<Inferred> {
        let arguments = Arguments {
            types: &call.arguments,
            complete: !call.unfolds,
        };
        let name = self.function_name(callee);
        let called = self.called_function(&name, callee);
        let block = self.run_function_block(call, called, &arguments, callee);
        let function = match callee {
            Callee::Puppet(item, _) => return Some(result_type(self.db, *item).clone()),
            Callee::Shipped(it, _) => *it,
            Callee::Ruby(_, it, _) => &**it,
        };
        if called.is_some_and(|it| it.module == Some("boltlib")) && name == "run_plan" {
            return self.plan(call);
        }
        if !function.has_value {
            // Puppet discards the results of statement functions.
            return Some(Inferred::of(Type::Undef));
        }
        if matches!(callee, Callee::Shipped(..)) && name == "getvar" {
            return self.get_variable(call, block.as_ref());
        }
        let taken = call.lambda.as_ref().map(Counts::taken_by);
        functions::result(called?, &arguments, block.as_ref().zip(taken))
    }

    fn function_name(&self, callee: &Callee<'_>) -> String {
        match callee {
            Callee::Shipped(it, _) => it.name.clone(),
            Callee::Ruby(_, it, _) => it.name.clone(),
            Callee::Puppet(item, _) => item.name(self.db).clone(),
        }
    }

    /// Returns the callee, if it is shipped with Puppet or defined in Ruby.
    fn called_function<'a>(&self, name: &'a str, callee: &Callee<'db>) -> Option<Called<'a>>
    where
        'db: 'a,
    {
        match callee {
            Callee::Shipped(..) => Some(Called {
                name,
                module: None,
                is_old: false,
            }),
            Callee::Ruby(file, it, _) => Some(Called {
                name,
                module: Some(&**file.module(self.db)?.name(self.db)),
                is_old: it.api == FunctionApi::Ruby3x,
            }),
            Callee::Puppet(..) => None,
        }
    }

    fn run_function_block(
        &mut self,
        call: &Call,
        called: Option<Called<'_>>,
        arguments: &Arguments<'_>,
        callee: &Callee<'_>,
    ) -> Option<BlockResult> {
        let lambda = call.lambda.as_ref()?;
        let Some(called) = called else {
            return Some(self.run_block(lambda, None));
        };
        if called.module.is_none()
            && let Some(given) = given_to_block(callee, call)
        {
            self.check_block(lambda, called.name, given);
        }
        Some(self.run_block_of(called, lambda, arguments))
    }

    /// Runs the lambda of a function that is shipped with Puppet or defined in Ruby.
    fn run_block_of(
        &mut self,
        called: Called<'_>,
        lambda: &Lambda,
        arguments: &Arguments<'_>,
    ) -> BlockResult {
        let result = if called.module.is_none() && called.name == "reduce" {
            self.reduce(lambda, arguments)
        } else {
            let given = functions::block_arguments(called, arguments, Counts::taken_by(lambda));
            match (called.module, called.name) {
                (None, "filter") => self.run_condition(lambda, given.as_deref()),
                _ => self.run_block(lambda, given.as_deref()),
            }
        };
        if result.breaks && !functions::catches_break(called, arguments) {
            // The `break` propagates to the enclosing scope.
            if let Some(frame) = self.frames.last_mut() {
                frame.breaks = true;
            }
        }
        result
    }

    /// Infers the lambda of a call whose result is already known, to find problems in it.
    pub(super) fn look_through(&mut self, call: &Call, name: &str, lambda: &Lambda) {
        let arguments = Arguments {
            types: &call.arguments,
            complete: !call.unfolds,
        };
        let called = Called {
            name,
            module: None,
            is_old: false,
        };
        self.run_block_of(called, lambda, &arguments);
    }

    /// Infers `reduce` as a fixpoint: the result of the lambda is the accumulator of its next run.
    fn reduce(&mut self, lambda: &Lambda, arguments: &Arguments<'_>) -> BlockResult {
        let Some((mut memo, element)) = functions::reduced(arguments) else {
            // The initial value may be the result.
            let breaks = self.run_block(lambda, None).breaks;
            return BlockResult {
                value: Inferred::UNKNOWN,
                breaks,
                held: None,
            };
        };
        for round in 0..4 {
            let given = [memo.clone(), element.clone()];
            let result = self.quietly(|this| this.run_block(lambda, Some(&given)));
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
        let memo = Inferred::of(memo.type_);
        let given = [memo.clone(), element];
        let result = self.run_block(lambda, Some(&given));
        BlockResult {
            value: Inferred::union([memo, result.value]),
            breaks: result.breaks,
            held: None,
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

/// Checks whether an overload accepts the arguments and the lambda of a call; `None` if it depends
/// on the values.
pub(super) fn takes(call: &Call, form: &Form) -> Option<bool> {
    if !takes_count(call, form) {
        return Some(false);
    }
    let all_are_known = (!call.unfolds).then_some(true);
    let parts = [all_are_known, takes_block(call, form)].into_iter();
    all_so(parts.chain(takes_each(call, form)))
}

fn takes_count(call: &Call, form: &Form) -> bool {
    let Counts { least, most } = form.arity();
    let count = call.arguments.len();
    most.is_none_or(|it| count <= it) && (call.unfolds || count >= least)
}

fn takes_block(call: &Call, form: &Form) -> Option<bool> {
    match (&form.block, &call.lambda) {
        (None, lambda) => Some(lambda.is_none()),
        (Some((_, optional)), None) => Some(*optional),
        (Some(_), Some(lambda)) => {
            let given = form.given_to_block();
            if given.is_some_and(|it| !it.overlaps(Counts::taken_by(lambda))) {
                return Some(false);
            }
            // Declared types of lambda parameters may not match.
            let mut parameters = lambda.parameters().into_iter();
            parameters
                .all(|it| it.type_expr().is_none())
                .then_some(true)
        }
    }
}

/// Checks each argument against an overload.
fn takes_each(call: &Call, form: &Form) -> impl Iterator<Item = Option<bool>> {
    let all = call.arguments.iter().enumerate();
    all.map(|(index, argument)| argument.is_a(&form.parameter(index)?.type_))
}

/// Three-valued conjunction.
fn all_so(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return part,
            None => all = None,
        }
    }
    all
}

/// Returns the number of arguments that a function passes to its lambda, over all overloads that
/// may be called.
fn given_to_block(callee: &Callee<'_>, call: &Call) -> Option<Counts> {
    let forms = callee.signatures().forms.iter();
    Counts::of_one(
        forms
            .filter(|it| takes_count(call, it))
            .map(Form::given_to_block),
    )
}

/// Renders an overload for messages.
fn shown(name: &str, form: &Form) -> String {
    let parameters = form.parameters.iter().map(|it| {
        let star = match it.arity {
            library::signatures::Arity::Repeated | library::signatures::Arity::RequiredRepeated => {
                "*"
            }
            _ => "",
        };
        format!("{} {star}${}", display(&it.type_), it.name)
    });
    let block = form.block.iter().map(|_| "&block".to_owned());
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
    let names = names.filter(|it| !call.unfolds && !it.is_empty())?;
    let references = names.iter().map(|it| Type::type_of(Type::class(it)));
    Some(Inferred::of(Type::tuple(
        references.collect::<Vec<_>>(),
        None,
    )))
}

/// Returns the class that a value names, in canonical form.
fn class_name(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(canonical(name)),
        Value::Type(Type::Class(Some(name))) => Some(canonical(name)),
        _ => None,
    }
}

/// Returns the value of a string, if it is known.
pub(super) fn text(inferred: &Inferred) -> Option<Arc<str>> {
    match &inferred.value {
        Some(Value::String(it)) => Some(Arc::clone(it)),
        _ => None,
    }
}
