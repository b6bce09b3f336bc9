//! Narrowing: the constraints that conditions put on variables, on parts of them, and on their
//! sizes.

use syntax::SyntaxKind;
use syntax::ast::Expr;

use super::flow::{Key, Variable};
use super::inferred::Inferred;
use super::operators::times;
use super::subsets::{self, ByOrder, Set};
use super::walker::Walker;
use hir::outside::{self, Outside};
use hir::variables::{VariableSource, variable_beyond};
use types::precise::intersection;
use types::values::Value;
use types::{IntRange, Type, is_resolved};

/// A variable or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// The flow-state key of the variable.
    pub(super) name: String,
    /// The path to the part.
    pub(super) path: Vec<Key>,
    /// Whether a step into undef evaluates to undef, where `[]` would fail.
    pub(super) lenient: bool,
}

/// A call in a condition, with the receiver as its first argument.
struct Asked {
    name: String,
    arguments: Vec<Expr>,
}

impl Walker<'_> {
    // ---- assumptions ------------------------------------------------------------

    /// Narrows by assuming that an expression is true or false.
    pub(super) fn assume_truth(&mut self, expr: &Expr, holds: bool) {
        match expr {
            Expr::Assignment(it) => {
                if let Some(target @ Expr::VariableExpr(_)) = it.lhs() {
                    self.narrow_variable(&target, |it| subsets::by_truth(it, holds));
                }
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => {
                self.narrow(expr, |it| subsets::by_truth(it, holds));
                self.assume_call(expr, holds);
            }
            _ => self.narrow(expr, |it| subsets::by_truth(it, holds)),
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
                let members = subsets::members(&self.known(rhs));
                self.narrow(lhs, |it| subsets::by_set(it, &members, holds));
            }
            _ => {}
        }
    }

    fn assume_match(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let right = self.known(rhs);
        match &right.value {
            Some(Value::Type(type_)) if is_resolved(type_) => {
                self.narrow(lhs, |it| subsets::by_type(it, type_, holds));
            }
            Some(Value::SemVerRange(_)) => {
                let set = subsets::matching(&right);
                self.narrow(lhs, |it| subsets::by_set(it, &set, holds));
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
                    subsets::by_type(&text, &pattern, holds)
                });
            }
            _ if right.is_a(&Type::variant([Type::Regexp(None), Type::STRING])) == Some(true) => {
                self.narrow(lhs, |it| intersection(it, &Type::STRING));
            }
            _ => {}
        }
    }

    fn assume_equal(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let (left, right) = (self.known(lhs), self.known(rhs));
        let equal = subsets::equal_to(&right);
        self.narrow(lhs, |it| subsets::by_set(it, &equal, holds));
        let equal = subsets::equal_to(&left);
        self.narrow(rhs, |it| subsets::by_set(it, &equal, holds));
    }

    fn assume_order(&mut self, operator: SyntaxKind, lhs: &Expr, rhs: &Expr, holds: bool) {
        use SyntaxKind::{GT_EQ, LT, LT_EQ};
        let (left, right) = (self.known(lhs), self.known(rhs));
        let types = Type::Type(None);
        if !holds && intersection(&left.type_, &types).is_some() {
            // Types are only partially ordered: of two types, neither may be a subtype of the
            // other.
            return;
        }
        let below = matches!(operator, LT | LT_EQ) == holds;
        let or_equal = matches!(operator, LT_EQ | GT_EQ) == holds;
        let order = ByOrder {
            below,
            or_equal,
            on_the_right: false,
        };
        self.narrow(lhs, |it| subsets::by_order(it, order, &right.type_));
        let order = ByOrder {
            below: !below,
            or_equal,
            on_the_right: true,
        };
        self.narrow(rhs, |it| subsets::by_order(it, order, &left.type_));
    }

    // ---- calls -------------------------------------------------------------------

    /// Narrows by the result of a predicate function.
    fn assume_call(&mut self, call: &Expr, holds: bool) {
        let Some(asked) = asked(call) else {
            return;
        };
        match (asked.name.as_str(), asked.arguments.as_slice()) {
            ("empty", [only]) if self.is_ruby("empty") => {
                self.narrow(only, |it| subsets::by_emptiness(it, holds));
            }
            ("defined", [Expr::StringLiteral(it)]) if self.is_shipped("defined") => {
                if let Some(name) = it.value().strip_prefix('$').filter(|_| holds) {
                    self.assume_assigned(name);
                }
            }
            ("is_a", [value, type_]) if self.is_ruby("is_a") => {
                if let Some(Value::Type(type_)) = self.known(type_).value
                    && is_resolved(&type_)
                {
                    self.narrow(value, |it| subsets::by_type(it, &type_, holds));
                }
            }
            (name, [only]) => {
                if let Some(set) = kind_asked_for(name)
                    && self.is_ruby(name)
                {
                    self.narrow(only, |it| subsets::by_set(it, &set, holds));
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
        let elsewhere = match variable_beyond(self.db, self.environment, self.item, name) {
            Ok(VariableSource::Bindings(item, _)) => item != self.item,
            Ok(_) => true,
            Err(_) => false,
        };
        if !elsewhere {
            let variable = Variable {
                maybe_unassigned: false,
                ..variable.clone()
            };
            self.flow.set(&key, variable);
        }
    }

    /// Narrows by the fact that a call has returned, and returns its result, narrowed if it
    /// accesses a part of a variable.
    pub(super) fn after_call(&mut self, call: &Expr, found: Inferred) -> Inferred {
        if self.flow.is_dead() || found.is_never() {
            return found;
        }
        let Some(asked) = asked(call) else {
            return found;
        };
        match (asked.name.as_str(), asked.arguments.as_slice()) {
            ("assert_type", [type_, value])
                if !has_lambda(call) && self.is_shipped("assert_type") =>
            {
                if let Some(Value::Type(type_)) = self.known(type_).value
                    && is_resolved(&type_)
                {
                    self.narrow(value, |it| intersection(it, &type_));
                }
            }
            ("dig" | "get", _) => {
                if let Some(place) = self.place_of(call)
                    && let Some(part) = self.flow.get(&place.name)
                    && let Some(part) = part.part(&place.path)
                {
                    return found.narrowed(part);
                }
            }
            _ => {}
        }
        found
    }

    /// Checks whether a name resolves to a function shipped with Puppet.
    fn is_shipped(&self, name: &str) -> bool {
        let found = outside::function(self.db, self.environment, name);
        matches!(found, Some(Outside::Shipped(_)))
    }

    /// Checks whether a name resolves to a function shipped with Puppet or defined by a module in
    /// Ruby, such as those of stdlib.
    fn is_ruby(&self, name: &str) -> bool {
        outside::function(self.db, self.environment, name).is_some()
    }

    // ---- places ------------------------------------------------------------------

    /// Returns the place that an expression refers to, if all keys are constants.
    pub(super) fn place_of(&self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::ParenExpr(it) => self.place_of(&it.expr()?),
            Expr::VariableExpr(it) => Some(Place {
                name: self.variable_key(&it.name()?),
                path: Vec::new(),
                lenient: false,
            }),
            Expr::AccessExpr(it) => {
                let keys = it.keys();
                let [key] = keys.as_slice() else {
                    return None;
                };
                let mut place = self.place_of(&it.base()?)?;
                place.path.push(self.key(key)?);
                Some(place)
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => {
                let asked = asked(expr)?;
                let (first, keys) = asked.arguments.split_first()?;
                let is_step = matches!(asked.name.as_str(), "dig" | "get");
                if !is_step || !self.is_shipped(&asked.name) || has_lambda(expr) {
                    return None;
                }
                let mut place = self.place_of(first)?;
                place.lenient = true;
                match (asked.name.as_str(), keys) {
                    ("dig", keys) => {
                        for key in keys {
                            place.path.push(self.key(key)?);
                        }
                    }
                    (_, [path]) => {
                        let path = self.noted(path)?.value.as_ref()?.as_str()?.to_owned();
                        place.path.extend(navigated(&path)?);
                    }
                    _ => return None,
                }
                Some(place)
            }
            _ => None,
        }
    }

    fn key(&self, key: &Expr) -> Option<Key> {
        match &self.noted(key)?.value {
            Some(Value::String(text)) => Some(Key::Name(text.to_string())),
            Some(Value::Integer(index)) => Some(Key::Index(*index)),
            _ => None,
        }
    }

    /// Returns the argument of a call of `length` or `size`.
    fn sized(&self, expr: &Expr) -> Option<Expr> {
        let expr = match expr {
            Expr::ParenExpr(it) => return self.sized(&it.expr()?),
            expr => asked(expr)?,
        };
        let is_size = matches!(expr.name.as_str(), "length" | "size") && self.is_ruby(&expr.name);
        match expr.arguments.as_slice() {
            [only] if is_size => Some(only.clone()),
            _ => None,
        }
    }

    // ---- narrowing ---------------------------------------------------------------

    /// Narrows the place that an expression refers to, or whose size it is.
    pub(super) fn narrow(&mut self, expr: &Expr, how: impl FnOnce(&Type) -> Option<Type>) {
        if self.flow.is_dead() {
            return;
        }
        let known = self.known(expr);
        if known.value.is_some() {
            return;
        }
        let known = subsets::bounded(&known.type_);
        let Some(type_) = how(&known) else {
            return self.flow.die();
        };
        if type_ != known {
            self.restrict(expr, type_);
        }
    }

    /// Narrows a variable that the condition itself assigns.
    fn narrow_variable(&mut self, target: &Expr, how: impl FnOnce(&Type) -> Option<Type>) {
        let Some(place) = self.place_of(target) else {
            return;
        };
        let Some(known) = self.flow.get(&place.name).map(|it| it.inferred.clone()) else {
            return;
        };
        match how(&known.type_) {
            Some(type_) => self.restrict_place(place, type_),
            None => self.flow.die(),
        }
    }

    /// Sets the narrowed type of an expression.
    pub(super) fn restrict(&mut self, expr: &Expr, type_: Type) {
        if let Some(place) = self.place_of(expr) {
            return self.restrict_place(place, type_);
        }
        if let Type::Integer(size) = type_
            && let Some(argument) = self.sized(expr)
        {
            match size.intersection(IntRange::SIZE) {
                Some(size) => self.narrow(&argument, |it| subsets::by_size(it, size)),
                None => self.flow.die(),
            }
        }
    }

    fn restrict_place(&mut self, place: Place, type_: Type) {
        let Some(before) = self.flow.get(&place.name).cloned() else {
            return;
        };
        let Place {
            path,
            lenient,
            name,
        } = place;
        let may_be_undef = |it: &Type| intersection(it, &Type::Undef).is_some();
        if !before.own && may_be_undef(&before.inferred.type_) && may_be_undef(&type_) {
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
                match subsets::by_part(whole, &path, &type_, lenient) {
                    Some(narrowed) if narrowed == *whole => {}
                    Some(narrowed) => after.inferred = Inferred::of(narrowed),
                    None => return self.flow.die(),
                }
            }
            after.set_part(path, type_);
        }
        self.flow.set(&name, after);
    }
}

/// Returns the name and arguments of a call, with the receiver first.
fn asked(call: &Expr) -> Option<Asked> {
    let (name, arguments) = match call {
        Expr::CallExpr(it) => (it.name_token()?, it.arguments()),
        Expr::MethodCall(it) => {
            let all = [it.receiver()?].into_iter().chain(it.arguments());
            (it.name_token()?, all.collect())
        }
        _ => return None,
    };
    let is_plain = arguments.iter().all(|it| eval::splat(it).is_none());
    is_plain.then(|| Asked {
        name: name.text().to_owned(),
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
fn navigated(path: &str) -> Option<Vec<Key>> {
    if path.is_empty() || path.contains(['\'', '"']) {
        return None;
    }
    let key = |it: &str| match it.parse() {
        Ok(index) => Key::Index(index),
        Err(_) => Key::Name(it.to_owned()),
    };
    Some(path.split('.').map(key).collect())
}

/// Returns the type that a predicate function of stdlib, such as `is_integer`, tests for.
fn kind_asked_for(function: &str) -> Option<Set> {
    // These functions accept strings that look like numbers.
    let or_texts = |numbers: Type, others: &[Type]| {
        let all = [numbers.clone(), Type::STRING].into_iter();
        Set {
            within: Some(Type::variant(all.chain(others.iter().cloned()))),
            has: Some(numbers),
        }
    };
    Some(match function {
        "is_array" => Set::exactly(Type::any_array()),
        "is_hash" => Set::exactly(Type::any_hash()),
        "is_bool" => Set::exactly(Type::BOOLEAN),
        "is_string" => Set::at_most(Type::optional(Type::STRING)),
        "is_integer" => or_texts(Type::INTEGER, &[]),
        "is_float" => or_texts(Type::FLOAT, &[]),
        "is_numeric" => or_texts(Type::Numeric, &times()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
