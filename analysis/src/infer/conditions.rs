//! Conditions: what they come to, and what is known of variables when they hold or do not.

use syntax::SyntaxKind;
use syntax::TextRange;
use syntax::ast::{AstNode, Block, ElseClause, Expr, HasBody, IfExpr, UnlessExpr};

use super::flow::{Key, Variable};
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::ProblemKind;
use super::walker::Walker;
use crate::eval::{self, ComparisonOperator};
use crate::types::precise::{difference, intersection, union};
use crate::types::{IntRange, Type};
use crate::values::{Value, lower_case};

impl Walker<'_> {
    // ---- what conditions come to -------------------------------------------------

    /// `and` and `or`: the right side only runs if the left one leaves it open.
    pub(super) fn logical(&mut self, and: bool, lhs: &Expr, rhs: &Expr) -> Inferred {
        let left = self.expr(lhs);
        if self.flow.is_dead() {
            return Inferred::never();
        }
        if left.truth() == Some(!and) {
            return Inferred::value((!and).into());
        }
        let start = self.flow.mark();
        self.assume(lhs, and);
        let right = self.expr(rhs);
        let decided_right = self.flow.take_back(&start);
        let right_dead = decided_right.is_dead();
        if left.truth() == Some(and) {
            self.flow.join(vec![decided_right]);
            return match right.truth() {
                _ if right_dead => Inferred::never(),
                Some(it) => Inferred::value(it.into()),
                None => Inferred::of(Type::BOOLEAN),
            };
        }
        self.assume(lhs, !and);
        let decided_left = self.flow.take_back(&start);
        self.flow.join(vec![decided_left, decided_right]);
        if right_dead || right.truth() == Some(!and) {
            return Inferred::value((!and).into());
        }
        Inferred::of(Type::BOOLEAN)
    }

    pub(super) fn comparison(
        &mut self,
        operator: ComparisonOperator,
        left: Inferred,
        right: Inferred,
        range: TextRange,
    ) -> Inferred {
        use ComparisonOperator::{Equal, NotEqual};
        if matches!(operator, Equal | NotEqual) {
            if never_equal(&left.type_, &right.type_) {
                let kind = ProblemKind::NeverEqual {
                    left: left.type_,
                    right: right.type_,
                };
                self.report(range, kind);
                return Inferred::value((operator == NotEqual).into());
            }
            return Inferred::of(Type::BOOLEAN);
        }
        match ordered(operator, &left.type_, &right.type_) {
            Order::Known(it) => Inferred::value(it.into()),
            Order::Open => Inferred::of(Type::BOOLEAN),
            Order::Fails => {
                let text = operator.to_string();
                self.operation(None, range, &text, left, Some(right))
            }
        }
    }

    pub(super) fn contains(&mut self, _value: Inferred, container: Inferred) -> Inferred {
        self.flow.set_groups(None);
        if super::operators::size_of(&container.type_).max() == Some(0) {
            return Inferred::value(false.into());
        }
        Inferred::of(Type::BOOLEAN)
    }

    /// `=~` and `!~`.
    pub(super) fn matching(
        &mut self,
        positive: bool,
        left: Inferred,
        right: Inferred,
        range: TextRange,
    ) -> Inferred {
        if let Some(Value::Type(type_)) = &right.value {
            if self.is_resolved(type_)
                && let Some(found) = left.is_a(type_)
            {
                return Inferred::value((found == positive).into());
            }
            return Inferred::of(Type::BOOLEAN);
        }
        self.flow.set_groups(None);
        if !self.check_regexp(None, range, &right) {
            return Inferred::UNKNOWN;
        }
        let is_regexp = right.is_a(&Type::Regexp(None)) == Some(true);
        if is_regexp && left.is_a(&Type::STRING) == Some(false) {
            let text = if positive { "=~" } else { "!~" };
            return self.operation(None, range, text, left, Some(right));
        }
        Inferred::of(Type::BOOLEAN)
    }

    /// A match of two known values, with what it captures.
    pub(super) fn constant_match(
        &mut self,
        kind: SyntaxKind,
        left: &Value,
        right: &Value,
        range: TextRange,
    ) -> Option<Inferred> {
        if let Value::Type(type_) = right
            && !self.is_resolved(type_)
        {
            return None;
        }
        let outcome = match kind {
            SyntaxKind::IN_KW => eval::contains(left, right),
            _ => eval::match_operator(left, right),
        };
        let found = match outcome {
            Ok(found) => found,
            Err(halt) => return Some(self.constant(Err(halt), range)),
        };
        if let Some(captures) = found.captures {
            let groups = captures.groups.iter().map(|it| match it {
                Some(text) => Inferred::value(Value::String(text.clone())),
                None => Inferred::of(Type::Undef),
            });
            self.flow.set_groups(Some(groups.collect()));
        }
        let matched = found.matched == (kind != SyntaxKind::NOT_MATCH);
        Some(Inferred::value(matched.into()))
    }

    /// Whether all names in a type are known.
    fn is_resolved(&self, type_: &Type) -> bool {
        !crate::types::display_expanded(type_).contains("TypeReference[")
    }

    // ---- if and unless -----------------------------------------------------------

    pub(super) fn if_expr(&mut self, expr: &IfExpr) -> Inferred {
        self.branches(expr.condition(), true, expr.body(), expr.else_clause())
    }

    pub(super) fn unless_expr(&mut self, expr: &UnlessExpr) -> Inferred {
        self.branches(expr.condition(), false, expr.body(), expr.else_clause())
    }

    fn branches(
        &mut self,
        condition: Option<Expr>,
        when: bool,
        body: Option<Block>,
        otherwise: Option<ElseClause>,
    ) -> Inferred {
        let groups = self.flow.groups().clone();
        let inferred = self.inner(condition.clone());
        if self.flow.is_dead() {
            return Inferred::never();
        }
        if let (Some(value), Some(condition)) = (inferred.truth(), &condition) {
            let range = condition.syntax().text_range();
            let never = if value == when {
                otherwise.as_ref().and_then(ElseClause::block)
            } else {
                body.clone()
            };
            let guards = never.is_some_and(|it| only_fails(&it));
            self.report(range, ProblemKind::ConstantCondition { value, guards });
        }
        let start = self.flow.mark();
        self.hold(condition.as_ref(), &inferred, when);
        let first = self.block(body);
        let taken = self.flow.take_back(&start);
        self.hold(condition.as_ref(), &inferred, !when);
        let second = self.else_clause(otherwise);
        let other = self.flow.take_back(&start);
        let results = [(&taken, first), (&other, second)];
        let alive = results.into_iter().filter(|it| !it.0.is_dead());
        let result = Inferred::union(alive.map(|it| it.1));
        self.flow.join(vec![taken, other]);
        self.flow.set_groups(groups);
        result
    }

    fn else_clause(&mut self, clause: Option<ElseClause>) -> Inferred {
        let Some(clause) = clause else {
            return Inferred::of(Type::Undef);
        };
        match clause.elsif() {
            Some(elsif) => self.expr(&Expr::IfExpr(elsif)),
            None => self.block(clause.block()),
        }
    }

    /// Goes on where a condition holds, or where it does not.
    fn hold(&mut self, condition: Option<&Expr>, inferred: &Inferred, holds: bool) {
        if inferred.truth() == Some(!holds) {
            return self.flow.die();
        }
        if let Some(condition) = condition {
            self.assume(condition, holds);
        }
    }

    // ---- what conditions say -----------------------------------------------------

    /// Takes a condition as true, or as false, for what comes.
    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        if self.flow.is_dead() || self.step() {
            return;
        }
        crate::deep(|| self.assume_here(condition, holds));
    }

    fn assume_here(&mut self, condition: &Expr, holds: bool) {
        match condition {
            Expr::ParenExpr(it) => {
                if let Some(inner) = it.expr() {
                    self.assume(&inner, holds);
                }
            }
            Expr::UnaryExpr(it) => {
                let is_not = it
                    .operator()
                    .is_some_and(|it| it.kind() == SyntaxKind::BANG);
                if let (true, Some(inner)) = (is_not, it.expr()) {
                    self.assume(&inner, !holds);
                }
            }
            Expr::BinaryExpr(it) => {
                if let (Some(operator), Some(lhs), Some(rhs)) = (it.operator(), it.lhs(), it.rhs())
                {
                    self.assume_binary(operator.kind(), &lhs, &rhs, holds);
                }
            }
            Expr::VariableExpr(_) | Expr::AccessExpr(_) => {
                self.narrow(condition, |it| by_truth(it, holds));
            }
            Expr::CallExpr(_) | Expr::MethodCall(_) => self.assume_call(condition, holds),
            _ => {}
        }
    }

    fn assume_binary(&mut self, operator: SyntaxKind, lhs: &Expr, rhs: &Expr, holds: bool) {
        use SyntaxKind::*;
        match operator {
            AND_KW if holds => {
                self.assume(lhs, true);
                self.assume(rhs, true);
            }
            OR_KW if !holds => {
                self.assume(lhs, false);
                self.assume(rhs, false);
            }
            AND_KW | OR_KW => {
                let start = self.flow.mark();
                self.assume(lhs, holds);
                let first = self.flow.take_back(&start);
                self.assume(lhs, !holds);
                self.assume(rhs, holds);
                let second = self.flow.take_back(&start);
                self.flow.join(vec![first, second]);
            }
            MATCH => self.assume_match(lhs, rhs, holds),
            NOT_MATCH => self.assume_match(lhs, rhs, !holds),
            EQ_EQ => self.assume_equal(lhs, rhs, holds),
            NOT_EQ => self.assume_equal(lhs, rhs, !holds),
            LT | LT_EQ | GT | GT_EQ => self.assume_order(operator, lhs, rhs, holds),
            IN_KW => self.assume_in(lhs, rhs, holds),
            _ => {}
        }
    }

    fn assume_match(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let right = self.known(rhs);
        match &right.value {
            Some(Value::Type(type_)) if self.is_resolved(type_) => {
                let type_ = type_.clone();
                self.narrow(lhs, |it| by_type(it, &type_, holds));
            }
            Some(Value::Regexp(regexp)) => {
                let regexp = regexp.clone();
                // A value that is no string is an error.
                let pattern = Type::pattern([regexp]);
                self.narrow(lhs, |it| {
                    let text = intersection(it, &Type::STRING)?;
                    by_type(&text, &pattern, holds)
                });
            }
            _ => {}
        }
    }

    fn assume_equal(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let (left, right) = (self.known(lhs), self.known(rhs));
        if let Some(value) = &right.value {
            self.narrow(lhs, |it| by_value(it, value, holds));
        }
        if let Some(value) = &left.value {
            self.narrow(rhs, |it| by_value(it, value, holds));
        }
    }

    fn assume_order(&mut self, operator: SyntaxKind, lhs: &Expr, rhs: &Expr, holds: bool) {
        use SyntaxKind::*;
        let (left, right) = (self.known(lhs), self.known(rhs));
        let (below, above) = match (operator, holds) {
            (LT, true) | (GT_EQ, false) => ((-1, true), (1, false)),
            (LT_EQ, true) | (GT, false) => ((0, true), (0, false)),
            (GT, true) | (LT_EQ, false) => ((1, false), (-1, true)),
            _ => ((0, false), (0, true)),
        };
        if let Type::Integer(range) = right.type_ {
            self.narrow(lhs, |it| Some(bounded(it, range, below)));
        }
        if let Type::Integer(range) = left.type_ {
            self.narrow(rhs, |it| Some(bounded(it, range, above)));
        }
    }

    fn assume_in(&mut self, lhs: &Expr, rhs: &Expr, holds: bool) {
        let right = self.known(rhs);
        let Some(Value::Array(items)) = &right.value else {
            return;
        };
        // Only what all strings say: a regular expression or type among them means more.
        let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
        let Some(texts) = texts else {
            return;
        };
        let any = Type::enumeration_any_case(texts.iter().map(|it| lower_case(it)));
        self.narrow(lhs, |it| by_membership(it, &any, holds));
    }

    /// Calls that ask about their argument.
    fn assume_call(&mut self, call: &Expr, holds: bool) {
        let (name, argument) = match call {
            Expr::CallExpr(it) => match (it.name_token(), it.arguments().as_slice()) {
                (Some(name), [only]) => (name.text().to_owned(), only.clone()),
                _ => return,
            },
            Expr::MethodCall(it) => match (it.name_token(), it.receiver()) {
                (Some(name), Some(receiver)) if it.arguments().is_empty() => {
                    (name.text().to_owned(), receiver)
                }
                _ => return,
            },
            _ => return,
        };
        if name == "empty" {
            self.narrow(&argument, |it| by_emptiness(it, holds));
        }
    }

    /// Narrows what an expression is, if it is a variable or a part of one.
    pub(super) fn narrow(&mut self, expr: &Expr, how: impl FnOnce(&Type) -> Option<Type>) {
        let Some((name, path)) = self.place(expr) else {
            return;
        };
        let known = self.known(expr);
        let Some(type_) = how(&known.type_) else {
            return self.flow.die();
        };
        if type_ == known.type_ {
            return;
        }
        self.set_part(&name, path, known, type_);
    }

    fn set_part(&mut self, name: &str, path: Vec<Key>, known: Inferred, type_: Type) {
        let Some(before) = self.flow.get(name).cloned() else {
            return;
        };
        let after = if path.is_empty() {
            let inferred = match known.value {
                Some(_) => Inferred { type_, ..known },
                None => Inferred::of(type_),
            };
            // It has been read as that: whether it was assigned is part of what it is now.
            let maybe_unassigned = false;
            Variable {
                inferred,
                maybe_unassigned,
                ..before
            }
        } else {
            let mut parts = before.parts.clone();
            parts.retain(|it| it.0 != path);
            parts.push((path, type_));
            Variable { parts, ..before }
        };
        self.flow.set(name, after);
    }
}

/// Whether a block does nothing but fail.
fn only_fails(block: &Block) -> bool {
    let mut statements = block.statements();
    let first = statements.next();
    let fails = match &first {
        Some(Expr::CallExpr(it)) => it.name_token().is_some_and(|it| it.text() == "fail"),
        _ => false,
    };
    fails && statements.next().is_none()
}

/// A type where it is one of some strings, or none of them.
fn by_membership(type_: &Type, texts: &Type, holds: bool) -> Option<Type> {
    let kept: Vec<Type> = alternatives(type_)
        .into_iter()
        .filter_map(|it| match it {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => by_type(&it, texts, holds),
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) if holds => None,
            other => Some(other),
        })
        .collect();
    (!kept.is_empty()).then(|| union(kept))
}

/// A type where it is true as a condition, or false.
fn by_truth(type_: &Type, holds: bool) -> Option<Type> {
    let falsy = Type::variant([Type::Undef, Type::Boolean(Some(false))]);
    if holds {
        difference(type_, &falsy)
    } else {
        intersection(type_, &falsy)
    }
}

/// A type where it is one of another type, or is not.
pub(super) fn by_type(type_: &Type, other: &Type, holds: bool) -> Option<Type> {
    if holds {
        intersection(type_, other)
    } else {
        difference(type_, other)
    }
}

/// A type where it is equal to a value, or is not. Puppet does not tell strings apart by case, and
/// numbers not by their kind.
pub(super) fn by_value(type_: &Type, value: &Value, holds: bool) -> Option<Type> {
    match equal_to(value) {
        Some(equal) => by_type(type_, &equal, holds),
        None => Some(type_.clone()),
    }
}

/// The type of what is equal to a value, and of nothing else; nothing if there is none.
fn equal_to(value: &Value) -> Option<Type> {
    Some(match value {
        Value::Undef => Type::Undef,
        Value::Default => Type::Default,
        Value::Boolean(it) => Type::Boolean(Some(*it)),
        Value::String(it) => Type::enumeration_any_case([lower_case(it)]),
        Value::Integer(it) => {
            #[expect(clippy::cast_precision_loss, reason = "it is compared as a float")]
            let float = *it as f64;
            let float = crate::types::FloatRange::new(Some(float), Some(float))?;
            Type::variant([Type::integer_value(*it), Type::Float(float)])
        }
        _ => return None,
    })
}

fn by_emptiness(type_: &Type, holds: bool) -> Option<Type> {
    let none = Type::variant([
        Type::empty_array(),
        Type::empty_hash(),
        Type::string_value(""),
        Type::Undef,
        Type::Binary,
        Type::Numeric,
    ]);
    if holds {
        intersection(type_, &none)
    } else {
        let surely_empty = Type::variant([
            Type::empty_array(),
            Type::empty_hash(),
            Type::string_value(""),
            Type::Undef,
        ]);
        difference(type_, &surely_empty)
    }
}

/// The integers of a type that are within a bound given by a range: so much off its end, below
/// (`true`) or above.
fn bounded(type_: &Type, range: IntRange, (offset, below): (i64, bool)) -> Type {
    let limit = |end: Option<i64>| end.and_then(|it| it.checked_add(offset));
    let bound = if below {
        limit(range.max()).and_then(|it| IntRange::new(None, Some(it)))
    } else {
        limit(range.min()).and_then(|it| IntRange::new(Some(it), None))
    };
    let (Some(bound), Type::Integer(own)) = (bound, type_) else {
        return type_.clone();
    };
    own.intersection(bound).map_or(type_.clone(), Type::Integer)
}

/// Whether values of two types are never equal: their kinds are different ones.
pub(super) fn never_equal(left: &Type, right: &Type) -> bool {
    let kinds = [
        Type::Undef,
        Type::Default,
        Type::BOOLEAN,
        Type::Numeric,
        Type::STRING,
        Type::any_array(),
        Type::any_hash(),
    ];
    let kind = |it: &Type| {
        kinds
            .iter()
            .position(|kind| crate::types::precise::within(it, kind))
    };
    match (kind(left), kind(right)) {
        (Some(a), Some(b)) if a != b => true,
        _ => {
            // Finite sets of strings, without regard to case.
            let (a, b) = (texts(left), texts(right));
            match (a, b) {
                (Some(a), Some(b)) => !a.iter().any(|it| b.contains(it)),
                _ => false,
            }
        }
    }
}

fn texts(type_: &Type) -> Option<Vec<String>> {
    match type_ {
        Type::String(it) => it.value().map(|it| vec![lower_case(it)]),
        Type::Enum(it) => Some(it.values().iter().map(|it| lower_case(it)).collect()),
        _ => None,
    }
}

enum Order {
    Known(bool),
    Open,
    Fails,
}

/// What a comparison by order gives.
fn ordered(operator: ComparisonOperator, left: &Type, right: &Type) -> Order {
    use ComparisonOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    if let (Type::Integer(a), Type::Integer(b)) = (left, right) {
        let ends = |it: &IntRange| (it.min().unwrap_or(i64::MIN), it.max().unwrap_or(i64::MAX));
        let ((a1, a2), (b1, b2)) = (ends(a), ends(b));
        let (always, never) = match operator {
            Less => (a2 < b1, a1 >= b2),
            LessOrEqual => (a2 <= b1, a1 > b2),
            Greater => (a1 > b2, a2 <= b1),
            GreaterOrEqual => (a1 >= b2, a2 < b1),
            _ => (false, false),
        };
        return match (always, never) {
            (true, _) => Order::Known(true),
            (_, true) => Order::Known(false),
            _ => Order::Open,
        };
    }
    let unordered = Type::variant([
        Type::Undef,
        Type::Default,
        Type::BOOLEAN,
        Type::any_array(),
        Type::any_hash(),
        Type::Regexp(None),
    ]);
    let within = |it: &Type, of: &Type| crate::types::precise::within(it, of) && !is_empty(it);
    let mixed = (within(left, &Type::STRING) && within(right, &Type::Numeric))
        || (within(left, &Type::Numeric) && within(right, &Type::STRING));
    let plain = Type::variant([Type::STRING, Type::Numeric]);
    if within(left, &unordered) || (within(left, &plain) && within(right, &unordered)) || mixed {
        return Order::Fails;
    }
    let (all_left, all_right) = (alternatives(left), alternatives(right));
    let pairs = all_left.len() * all_right.len();
    if !(2..=MAX_PAIRS).contains(&pairs) {
        return Order::Open;
    }
    let mut all = all_left
        .iter()
        .flat_map(|a| all_right.iter().map(move |b| (a, b)));
    if all.all(|(a, b)| matches!(ordered(operator, a, b), Order::Fails)) {
        return Order::Fails;
    }
    Order::Open
}

/// So many pairs of alternatives are compared.
const MAX_PAIRS: usize = 64;

fn is_empty(type_: &Type) -> bool {
    matches!(type_, Type::Variant(it) if it.is_empty())
}
