//! Narrowing: the constraints that conditions put on variables, on parts of them, and on their
//! sizes.

pub(super) mod predicates;

use syntax::SyntaxKind;
use syntax::ast::Expr;

use super::flow::{PathSegment, VariableState};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::time_operators::time_types;
use hir::ruby_symbols::{self, RubySymbol};
use hir::variables::{VariableSource, resolve_external_variable};
use library::KnownFunction as F;
use predicates::{OrderPredicate, ValueBounds};
use types::precise::intersection;
use types::values::Value;
use types::{IntRange, Type, is_resolved};

/// A variable or a part of one, which conditions can narrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NarrowingTarget {
    /// The flow-state key of the variable.
    pub(super) name: String,
    /// The path to the part.
    pub(super) path: Vec<PathSegment>,
    /// Whether a step into undef evaluates to undef, where `[]` would fail.
    pub(super) undef_propagates: bool,
}

/// A call of a function by its name, with the receiver as its first argument.
struct NamedCall {
    function: F,
    arguments: Vec<Expr>,
}

impl InferenceContext<'_> {
    // ---- assumptions ------------------------------------------------------------

    /// Narrows by assuming that an expression is true or false.
    pub(super) fn assume_truth(&mut self, expr: &Expr, holds: bool) {
        match expr {
            Expr::Assignment(it) => {
                if let Some(target @ Expr::VariableExpr(_)) = it.lhs() {
                    self.narrow_variable(&target, |it| predicates::filter_by_truth(it, holds));
                }
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => {
                self.narrow(expr, |it| predicates::filter_by_truth(it, holds));
                self.assume_call(expr, holds);
            }
            _ => self.narrow(expr, |it| predicates::filter_by_truth(it, holds)),
        }
    }

    /// Narrows by assuming the result of a comparison.
    pub(super) fn assume_compared(
        &mut self,
        operator: SyntaxKind,
        lhs: &Expr,
        rhs: &Expr,
        holds: bool,
    ) {
        use SyntaxKind::{EQ_EQ, GT, GT_EQ, IN_KW, LT, LT_EQ, MATCH, NOT_EQ, NOT_MATCH};
        match operator {
            MATCH => self.assume_match(lhs, rhs, holds),
            NOT_MATCH => self.assume_match(lhs, rhs, !holds),
            EQ_EQ => self.assume_equal(lhs, rhs, holds),
            NOT_EQ => self.assume_equal(lhs, rhs, !holds),
            LT | LT_EQ | GT | GT_EQ => self.assume_order(operator, lhs, rhs, holds),
            IN_KW => {
                let member_values = predicates::member_values(&self.recorded_or_infer(rhs));
                self.narrow(lhs, |it| {
                    predicates::filter_by_bounds(it, &member_values, holds)
                });
            }
            _ => {}
        }
    }

    fn assume_match(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let right = self.recorded_or_infer(rhs);
        match &right.value {
            Some(Value::Type(type_)) if is_resolved(type_) => {
                self.narrow(lhs, |it| predicates::filter_by_type(it, type_, holds));
            }
            Some(Value::SemVerRange(_)) => {
                let set = predicates::matching_values(&right);
                self.narrow(lhs, |it| predicates::filter_by_bounds(it, &set, holds));
            }
            Some(Value::Regexp(_) | Value::String(_)) => {
                let regexp = match &right.value {
                    Some(Value::Regexp(it)) => Some(it.clone()),
                    Some(Value::String(it)) => Some(types::values::Regexp::new(it)),
                    _ => None,
                };
                let pattern = Type::pattern(regexp);
                // Puppet fails if the value is not a string.
                self.narrow(lhs, |it| {
                    let text = intersection(it, &Type::STRING)?;
                    predicates::filter_by_type(&text, &pattern, holds)
                });
            }
            _ if right.is_a(&Type::variant([Type::Regexp(None), Type::STRING])) == Some(true) => {
                self.narrow(lhs, |it| intersection(it, &Type::STRING));
            }
            _ => {}
        }
    }

    fn assume_equal(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let (left, right) = (self.recorded_or_infer(lhs), self.recorded_or_infer(rhs));
        let equal = predicates::equal_values(&right);
        self.narrow(lhs, |it| predicates::filter_by_bounds(it, &equal, holds));
        let equal = predicates::equal_values(&left);
        self.narrow(rhs, |it| predicates::filter_by_bounds(it, &equal, holds));
    }

    fn assume_order(&mut self, operator: SyntaxKind, lhs: &Expr, rhs: &Expr, holds: bool) {
        use SyntaxKind::{GT_EQ, LT, LT_EQ};
        let (left, right) = (self.recorded_or_infer(lhs), self.recorded_or_infer(rhs));
        let types = Type::Type(None);
        if !holds && intersection(&left.type_, &types).is_some() {
            // Types are only partially ordered: of two types, neither may be a subtype of the
            // other.
            return;
        }
        let is_less = matches!(operator, LT | LT_EQ) == holds;
        let or_equal = matches!(operator, LT_EQ | GT_EQ) == holds;
        let order = OrderPredicate {
            is_less,
            or_equal,
            is_right_operand: false,
        };
        self.narrow(lhs, |it| {
            predicates::filter_by_order(it, order, &right.type_)
        });
        let order = OrderPredicate {
            is_less: !is_less,
            or_equal,
            is_right_operand: true,
        };
        self.narrow(rhs, |it| {
            predicates::filter_by_order(it, order, &left.type_)
        });
    }

    // ---- calls -------------------------------------------------------------------

    /// Narrows by the result of a predicate function.
    fn assume_call(&mut self, call: &Expr, holds: bool) {
        let Some(named_call) = named_call(call) else {
            return;
        };
        match (named_call.function, named_call.arguments.as_slice()) {
            (F::Empty, [only]) if self.is_ruby(F::Empty) => {
                self.narrow(only, |it| predicates::filter_by_emptiness(it, holds));
            }
            (F::Defined, [Expr::StringLiteral(it)]) if self.is_shipped(F::Defined) => {
                if let Some(name) = it.value().strip_prefix('$').filter(|_| holds) {
                    self.assume_assigned(name);
                }
            }
            (F::IsA, [value, type_]) if self.is_ruby(F::IsA) => {
                if let Some(Value::Type(type_)) = self.recorded_or_infer(type_).value
                    && is_resolved(&type_)
                {
                    self.narrow(value, |it| predicates::filter_by_type(it, &type_, holds));
                }
            }
            (function, [only]) => {
                if let Some(set) = tested_type(function)
                    && self.is_ruby(function)
                {
                    self.narrow(only, |it| predicates::filter_by_bounds(it, &set, holds));
                }
            }
            _ => {}
        }
    }

    /// Assumes that a variable is assigned, regardless of the branches taken.
    fn assume_assigned(&mut self, name: &str) {
        let key = self.variable_key(name);
        let Some(variable) = self.flow.get(&key).filter(|it| it.maybe_unassigned) else {
            return;
        };
        let is_external =
            match resolve_external_variable(self.db, self.environment, self.item, name) {
                Ok(VariableSource::Bindings(item, _)) => item != self.item,
                Ok(_) => true,
                Err(_) => false,
            };
        if !is_external {
            let variable = VariableState {
                maybe_unassigned: false,
                ..variable.clone()
            };
            self.flow.set(&key, variable);
        }
    }

    /// Narrows by the fact that a call has returned, and returns its result, narrowed if it
    /// accesses a part of a variable.
    pub(super) fn after_call(&mut self, call: &Expr, found: Inferred) -> Inferred {
        if self.flow.is_unreachable() || found.is_never() {
            return found;
        }
        let Some(named_call) = named_call(call) else {
            return found;
        };
        match (named_call.function, named_call.arguments.as_slice()) {
            (F::AssertType, [type_, value])
                if !has_lambda(call) && self.is_shipped(F::AssertType) =>
            {
                if let Some(Value::Type(type_)) = self.recorded_or_infer(type_).value
                    && is_resolved(&type_)
                {
                    self.narrow(value, |it| intersection(it, &type_));
                }
            }
            (F::Dig | F::Get, _) => {
                if let Some(target) = self.narrowing_target(call)
                    && let Some(part) = self.flow.get(&target.name)
                    && let Some(part) = part.part(&target.path)
                {
                    return found.narrowed(part);
                }
            }
            (
                function @ (F::ValidateArray
                | F::ValidateBool
                | F::ValidateHash
                | F::ValidateLegacy
                | F::ValidateRe
                | F::ValidateString),
                arguments,
            ) if self.is_ruby(function) => self.narrow_validated(function, arguments),
            _ => {}
        }
        found
    }

    /// Checks whether a name resolves to a function shipped with Puppet.
    fn is_shipped(&self, function: F) -> bool {
        let found = ruby_symbols::function(self.db, self.environment, function.name());
        matches!(found, Some(RubySymbol::Shipped(_)))
    }

    /// Checks whether a name resolves to a function shipped with Puppet or defined by a module in
    /// Ruby, such as those of stdlib.
    fn is_ruby(&self, function: F) -> bool {
        ruby_symbols::function(self.db, self.environment, function.name()).is_some()
    }

    // ---- targets -----------------------------------------------------------------

    /// Returns the variable or part that an expression refers to, if all keys are constants.
    pub(super) fn narrowing_target(&self, expr: &Expr) -> Option<NarrowingTarget> {
        match expr {
            Expr::ParenExpr(it) => self.narrowing_target(&it.expr()?),
            Expr::VariableExpr(it) => Some(NarrowingTarget {
                name: self.variable_key(&it.name()?),
                path: Vec::new(),
                undef_propagates: false,
            }),
            Expr::AccessExpr(it) => {
                let keys = it.keys();
                let [key] = keys.as_slice() else {
                    return None;
                };
                let mut target = self.narrowing_target(&it.base()?)?;
                target.path.push(self.path_segment(key)?);
                Some(target)
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => {
                let named_call = named_call(expr)?;
                let (first, keys) = named_call.arguments.split_first()?;
                let is_step = matches!(named_call.function, F::Dig | F::Get);
                if !is_step || !self.is_shipped(named_call.function) || has_lambda(expr) {
                    return None;
                }
                let mut target = self.narrowing_target(first)?;
                target.undef_propagates = true;
                match (named_call.function, keys) {
                    (F::Dig, keys) => {
                        for key in keys {
                            target.path.push(self.path_segment(key)?);
                        }
                    }
                    (_, [path]) => {
                        let path = self.recorded(path)?.value.as_ref()?.as_str()?.to_owned();
                        target.path.extend(path_segments(&path)?);
                    }
                    _ => return None,
                }
                Some(target)
            }
            _ => None,
        }
    }

    fn path_segment(&self, key: &Expr) -> Option<PathSegment> {
        match &self.recorded(key)?.value {
            Some(Value::String(text)) => Some(PathSegment::Name(text.to_string())),
            Some(Value::Integer(index)) => Some(PathSegment::Index(*index)),
            _ => None,
        }
    }

    /// Returns the argument of a call of `length` or `size`.
    fn size_argument(&self, expr: &Expr) -> Option<Expr> {
        let expr = match expr {
            Expr::ParenExpr(it) => return self.size_argument(&it.expr()?),
            expr => named_call(expr)?,
        };
        let is_size = matches!(expr.function, F::Length | F::Size) && self.is_ruby(expr.function);
        match expr.arguments.as_slice() {
            [only] if is_size => Some(only.clone()),
            _ => None,
        }
    }

    // ---- narrowing ---------------------------------------------------------------

    /// Narrows the variable or part that an expression refers to, or whose size it is.
    pub(super) fn narrow(&mut self, expr: &Expr, how: impl FnOnce(&Type) -> Option<Type>) {
        if self.flow.is_unreachable() {
            return;
        }
        let known = self.recorded_or_infer(expr);
        if known.value.is_some() {
            return;
        }
        let known = predicates::bounded(&known.type_);
        let Some(type_) = how(&known) else {
            return self.flow.mark_unreachable();
        };
        if type_ != known {
            self.set_narrowed(expr, type_);
        }
    }

    /// Narrows a variable that the condition itself assigns.
    fn narrow_variable(&mut self, target: &Expr, how: impl FnOnce(&Type) -> Option<Type>) {
        let Some(target) = self.narrowing_target(target) else {
            return;
        };
        let Some(known) = self.flow.get(&target.name).map(|it| it.inferred.clone()) else {
            return;
        };
        match how(&known.type_) {
            Some(type_) => self.set_narrowed_target(target, type_),
            None => self.flow.mark_unreachable(),
        }
    }

    /// Sets the narrowed type of an expression.
    pub(super) fn set_narrowed(&mut self, expr: &Expr, type_: Type) {
        if let Some(target) = self.narrowing_target(expr) {
            return self.set_narrowed_target(target, type_);
        }
        if let Type::Integer(size) = type_
            && let Some(argument) = self.size_argument(expr)
        {
            match size.intersection(IntRange::SIZE) {
                Some(size) => self.narrow(&argument, |it| predicates::filter_by_size(it, size)),
                None => self.flow.mark_unreachable(),
            }
        }
    }

    fn set_narrowed_target(&mut self, target: NarrowingTarget, type_: Type) {
        let Some(before) = self.flow.get(&target.name).cloned() else {
            return;
        };
        let NarrowingTarget {
            path,
            undef_propagates,
            name,
        } = target;
        let may_be_undef = |it: &Type| intersection(it, &Type::Undef).is_some();
        if !before.is_local && may_be_undef(&before.inferred.type_) && may_be_undef(&type_) {
            // It may be a variable of a class that is evaluated later.
            return;
        }
        let mut after = before.clone();
        if path.is_empty() {
            // The narrowed type already covers the case that the variable is unassigned.
            after.maybe_unassigned = false;
            if before.inferred.value.is_none() || before.maybe_unassigned {
                after.inferred = Inferred::of(type_);
            }
        } else {
            if before.inferred.value.is_none() && !before.maybe_unassigned {
                let whole = &before.inferred.type_;
                match predicates::filter_by_part(whole, &path, &type_, undef_propagates) {
                    Some(narrowed) if narrowed == *whole => {}
                    Some(narrowed) => after.inferred = Inferred::of(narrowed),
                    None => return self.flow.mark_unreachable(),
                }
            }
            after.set_part(path, type_);
        }
        self.flow.set(&name, after);
    }
}

/// Returns the name and arguments of a call, with the receiver first.
fn named_call(call: &Expr) -> Option<NamedCall> {
    let (name, arguments) = call.named_call()?;
    let is_plain = arguments.iter().all(|it| eval::splat(it).is_none());
    let function = F::from_name(name.text()).filter(|_| is_plain)?;
    Some(NamedCall {
        function,
        arguments,
    })
}

fn has_lambda(call: &Expr) -> bool {
    match call {
        Expr::CallExpr(it) => it.lambda().is_some(),
        Expr::MethodCall(it) => it.lambda().is_some(),
        _ => false,
    }
}

/// Parses a path in the syntax of `get`; `None` if it contains quotes.
fn path_segments(path: &str) -> Option<Vec<PathSegment>> {
    if path.is_empty() || path.contains(['\'', '"']) {
        return None;
    }
    let key = |it: &str| match it.parse() {
        Ok(index) => PathSegment::Index(index),
        Err(_) => PathSegment::Name(it.to_owned()),
    };
    Some(path.split('.').map(key).collect())
}

/// Returns the set of values that a predicate function of stdlib, such as `is_integer`, tests for.
fn tested_type(function: F) -> Option<ValueBounds> {
    // These functions accept strings that look like numbers.
    let or_texts = |numbers: Type, others: &[Type]| {
        let all = [numbers.clone(), Type::STRING].into_iter();
        ValueBounds {
            upper: Some(Type::variant(all.chain(others.iter().cloned()))),
            lower: Some(numbers),
        }
    };
    Some(match function {
        F::IsArray => ValueBounds::exactly(Type::any_array()),
        F::IsHash => ValueBounds::exactly(Type::any_hash()),
        F::IsBool => ValueBounds::exactly(Type::BOOLEAN),
        F::IsString => ValueBounds::at_most(Type::optional(Type::STRING)),
        F::IsInteger => or_texts(Type::INTEGER, &[]),
        F::IsFloat => or_texts(Type::FLOAT, &[]),
        F::IsNumeric => or_texts(Type::Numeric, &time_types()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
