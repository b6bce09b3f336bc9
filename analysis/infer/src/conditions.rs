//! Conditions: their values, and the branches in which they are true and false.
//!
//! A condition is inferred once. The result is its value and two branches, which hold the state if
//! the condition is true and if it is false. The narrowing of the operands of comparisons is in
//! [`super::narrowing`].

use syntax::ast::{
    AstNode, BinaryExpr, Block, ElseClause, Expr, HasBody, IfExpr, Literal, UnlessExpr,
};
use syntax::{SyntaxKind, TextRange};

use super::flow::{Branch, Mark};
use super::inferred::Inferred;
use super::operators::alternatives;
use super::problem::ProblemKind;
use super::walker::Walker;
use super::{Subject, groups};
use eval::ComparisonOperator;
use types::values::Value;
use types::{IntRange, Type, is_resolved, is_resolved_value};

/// A condition that has been inferred.
pub(super) struct Parted {
    pub(super) inferred: Inferred,
    /// The branch in which it is true.
    pub(super) yes: Branch,
    /// The branch in which it is false.
    pub(super) no: Branch,
}

impl Parted {
    /// A condition whose evaluation never completes.
    fn never() -> Parted {
        Parted {
            inferred: Inferred::never(),
            yes: Branch::dead(),
            no: Branch::dead(),
        }
    }

    fn negated(self) -> Parted {
        let inferred = match self.inferred.truth() {
            _ if self.inferred.is_never() => self.inferred,
            Some(it) => Inferred::value((!it).into()),
            None => Inferred::of(Type::BOOLEAN),
        };
        Parted {
            inferred,
            yes: self.no,
            no: self.yes,
        }
    }

    /// Returns the branch in which the condition evaluates to `when`, and the other one.
    pub(super) fn branches(self, when: bool) -> (Branch, Branch) {
        if when {
            (self.yes, self.no)
        } else {
            (self.no, self.yes)
        }
    }
}

/// The result of an operator.
struct Outcome {
    inferred: Inferred,
    /// The match variables if it matched, if the operator may have changed them.
    captured: Option<super::flow::Groups>,
}

impl From<Inferred> for Outcome {
    fn from(inferred: Inferred) -> Outcome {
        Outcome {
            inferred,
            captured: None,
        }
    }
}

impl Walker<'_> {
    // ---- branches of conditions --------------------------------------------------

    /// Infers an operator with a boolean result where only its value is used.
    pub(super) fn truth_value(&mut self, expr: &Expr) -> Inferred {
        let parted = self.parted_here(expr);
        self.flow.join(vec![parted.yes, parted.no]);
        parted.inferred
    }

    /// Infers a condition. Effects of its evaluation that occur in both cases are in the flow
    /// afterwards; the two branches begin there.
    pub(super) fn parted(&mut self, expr: &Expr) -> Parted {
        if self.flow.is_dead() {
            return Parted::never();
        }
        let is_operator = match expr {
            Expr::ParenExpr(_) => true,
            Expr::UnaryExpr(it) => it
                .operator()
                .is_some_and(|it| it.kind() == SyntaxKind::BANG),
            Expr::BinaryExpr(it) => it.operator().is_some_and(|it| gives_truth(it.kind())),
            _ => false,
        };
        if !is_operator || self.step() {
            return self.by_its_truth(expr);
        }
        let parted = base::deep(|| self.parted_here(expr));
        self.note(
            expr.syntax().text_range(),
            Subject::Expression,
            &parted.inferred,
        );
        parted
    }

    /// Continues in the branch in which a condition that has just been inferred is true.
    pub(super) fn assume(&mut self, condition: &Expr) {
        let branch = match condition {
            // A call is not inferred a second time, because nested lambdas would take exponential
            // time.
            Expr::CallExpr(_) | Expr::MethodCall(_) => return self.assume_truth(condition, true),
            _ => self.quietly(|this| this.parted(condition)).yes,
        };
        self.flow.enter(branch);
    }

    fn parted_here(&mut self, expr: &Expr) -> Parted {
        match expr {
            Expr::ParenExpr(it) => match it.expr() {
                Some(inner) => self.parted(&inner),
                None => self.open(Inferred::UNKNOWN),
            },
            Expr::UnaryExpr(it) => match it.expr() {
                Some(inner) => self.parted(&inner).negated(),
                None => self.open(Inferred::UNKNOWN),
            },
            Expr::BinaryExpr(it) => match it.operator().map(|it| it.kind()) {
                Some(kind @ (SyntaxKind::AND_KW | SyntaxKind::OR_KW)) => self.chain(it, kind),
                _ => self.compared(it),
            },
            _ => self.by_its_truth(expr),
        }
    }

    /// Returns a condition that narrows nothing.
    fn open(&mut self, inferred: Inferred) -> Parted {
        let start = self.flow.mark();
        let mut branch = |when: bool| {
            if inferred.truth() == Some(!when) {
                self.flow.die();
            }
            self.flow.take_back(&start)
        };
        let (yes, no) = (branch(true), branch(false));
        Parted { inferred, yes, no }
    }

    /// Infers a value of any type used as a condition.
    fn by_its_truth(&mut self, expr: &Expr) -> Parted {
        let inferred = self.expr(expr);
        if self.flow.is_dead() {
            return Parted::never();
        }
        let start = self.flow.mark();
        let mut branch = |holds: bool| {
            match inferred.truth() {
                Some(it) if it != holds => self.flow.die(),
                Some(_) => {}
                None => self.assume_truth(expr, holds),
            }
            self.flow.take_back(&start)
        };
        let (yes, no) = (branch(true), branch(false));
        Parted { inferred, yes, no }
    }

    /// Infers a comparison or match.
    fn compared(&mut self, binary: &BinaryExpr) -> Parted {
        let (Some(operator), Some(lhs), Some(rhs)) =
            (binary.operator(), binary.lhs(), binary.rhs())
        else {
            self.inner(binary.lhs());
            self.inner(binary.rhs());
            return self.open(Inferred::UNKNOWN);
        };
        let left = self.expr(&lhs);
        let right = self.expr(&rhs);
        if self.flow.is_dead() {
            return Parted::never();
        }
        let kind = operator.kind();
        let outcome = self.compare(kind, &left, &right, operator.text_range());
        if self.flow.is_dead() {
            return Parted::never();
        }
        let truth = outcome.inferred.truth();
        let start = self.flow.mark();
        let mut branch = |holds: bool| {
            match truth {
                Some(it) if it != holds => self.flow.die(),
                Some(_) => {}
                None => self.assume_compared(kind, &lhs, &rhs, holds),
            }
            if holds != (kind == SyntaxKind::NOT_MATCH)
                && let Some(captured) = &outcome.captured
            {
                self.flow.set_groups(captured.clone());
            }
            self.flow.take_back(&start)
        };
        let (yes, no) = (branch(true), branch(false));
        let inferred = match (yes.is_dead(), no.is_dead()) {
            // Puppet has failed here; inference continues, to report problems in the following
            // code.
            (true, true) => return self.open(Inferred::UNKNOWN),
            (true, false) if truth.is_none() => Inferred::value(false.into()),
            (false, true) if truth.is_none() => Inferred::value(true.into()),
            _ => outcome.inferred,
        };
        Parted { inferred, yes, no }
    }

    // ---- and, or -----------------------------------------------------------------

    /// Infers `and` and `or`: an operand is only evaluated if the ones before it do not decide the
    /// result. A chain of the same operator is flattened, so that it takes linear time.
    fn chain(&mut self, binary: &BinaryExpr, kind: SyntaxKind) -> Parted {
        let and = kind == SyntaxKind::AND_KW;
        let (operands, ranges) = chained(binary, kind);
        // The points after the operands, and the branches in which one of them decides the result.
        let mut marks = Vec::new();
        let mut decided = Vec::new();
        let mut so_far = Inferred::value(and.into());
        let mut goes_through = false;
        for (index, operand) in operands.iter().enumerate() {
            let parted = match operand {
                Some(operand) => self.parted(operand),
                None => self.open(Inferred::UNKNOWN),
            };
            so_far = chained_value(and, &so_far, &parted);
            if index > 0
                && let Some(range) = ranges.get(index - 1).filter(|_| index < operands.len() - 1)
            {
                self.note(*range, Subject::Expression, &so_far);
            }
            marks.push(self.flow.mark());
            let (goes_on, ends) = parted.branches(and);
            decided.push(ends);
            goes_through = !goes_on.is_dead();
            if !goes_through {
                for range in ranges.iter().skip(index.max(1) - 1) {
                    self.note(*range, Subject::Expression, &so_far);
                }
                break;
            }
            self.flow.enter(goes_on);
        }
        let (through, ends) = self.back_to_first(&marks, decided);
        let through = if goes_through {
            through
        } else {
            Branch::dead()
        };
        if through.is_dead() && ends.is_dead() {
            self.flow.die();
            return Parted::never();
        }
        let (yes, no) = if and {
            (through, ends)
        } else {
            (ends, through)
        };
        Parted {
            inferred: so_far,
            yes,
            no,
        }
    }

    /// Returns from the end of a chain to the point after its first operand, with the branches from
    /// there in which no operand decides the result, and in which one does.
    fn back_to_first(&mut self, marks: &[Mark], decided: Vec<Branch>) -> (Branch, Branch) {
        let mut steps = Vec::new();
        let mut ends: Option<Branch> = None;
        for (mark, here) in marks.iter().zip(decided).rev() {
            let step = self.flow.take_back(mark);
            ends = Some(match ends {
                None => here,
                Some(later) => {
                    self.flow.enter(step.clone());
                    self.flow.enter(later);
                    let later = self.flow.take_back(mark);
                    self.flow.join(vec![here, later]);
                    self.flow.take_back(mark)
                }
            });
            steps.push(step);
        }
        let (Some(first), Some(ends)) = (marks.first(), ends) else {
            return (Branch::dead(), Branch::dead());
        };
        for step in steps.into_iter().rev() {
            self.flow.enter(step);
        }
        (self.flow.take_back(first), ends)
    }

    // ---- results of operators ---------------------------------------------------

    fn compare(
        &mut self,
        kind: SyntaxKind,
        left: &Inferred,
        right: &Inferred,
        range: TextRange,
    ) -> Outcome {
        use SyntaxKind::{IN_KW, MATCH, NOT_MATCH};
        if let (Some(left), Some(right)) = (&left.value, &right.value) {
            if matches!(kind, MATCH | NOT_MATCH | IN_KW) {
                if let Some(found) = self.constant_match(kind, left, right, range) {
                    return found;
                }
            } else if let Some(operator) = eval::comparison_operator(kind) {
                let outcome = eval::comparison(operator, left, right).map(Value::Boolean);
                return self.constant(outcome, range).into();
            }
        }
        match kind {
            MATCH | NOT_MATCH => self.matching(kind == MATCH, left, right, range),
            IN_KW => contains(left, right),
            kind => match eval::comparison_operator(kind) {
                Some(operator) => self.comparison(operator, left, right, range).into(),
                None => Inferred::UNKNOWN.into(),
            },
        }
    }

    fn comparison(
        &mut self,
        operator: ComparisonOperator,
        left: &Inferred,
        right: &Inferred,
        range: TextRange,
    ) -> Inferred {
        use ComparisonOperator::{Equal, NotEqual};
        if matches!(operator, Equal | NotEqual) {
            if never_equal(&left.type_, &right.type_) {
                let kind = ProblemKind::NeverEqual {
                    left: left.type_.clone(),
                    right: right.type_.clone(),
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
                self.operation(None, range, &text, left.clone(), Some(right.clone()))
            }
        }
    }

    /// Infers `=~` and `!~`.
    fn matching(
        &mut self,
        positive: bool,
        left: &Inferred,
        right: &Inferred,
        range: TextRange,
    ) -> Outcome {
        if let Some(Value::Type(type_)) = &right.value {
            if is_resolved(type_)
                && let Some(found) = left.is_a(type_)
            {
                return Inferred::value((found == positive).into()).into();
            }
            return Inferred::of(Type::BOOLEAN).into();
        }
        if !self.check_regexp(None, range, right) {
            return Inferred::UNKNOWN.into();
        }
        let is_pattern = right.is_a(&Type::variant([Type::Regexp(None), Type::STRING]));
        if is_pattern == Some(true) && left.is_a(&Type::STRING) == Some(false) {
            let text = if positive { "=~" } else { "!~" };
            let (left, right) = (left.clone(), Some(right.clone()));
            return self.operation(None, range, text, left, right).into();
        }
        Outcome {
            inferred: Inferred::of(Type::BOOLEAN),
            captured: (is_pattern != Some(false)).then(|| groups::of_pattern(right)),
        }
    }

    /// Evaluates a match of two constants, and sets the match variables.
    fn constant_match(
        &mut self,
        kind: SyntaxKind,
        left: &Value,
        right: &Value,
        range: TextRange,
    ) -> Option<Outcome> {
        if !is_resolved_value(left) || !is_resolved_value(right) {
            return None;
        }
        let outcome = match kind {
            SyntaxKind::IN_KW => eval::contains(left, right),
            _ => eval::match_operator(left, right),
        };
        let found = match outcome {
            Ok(found) => found,
            Err(halt) => return Some(self.constant(Err(halt), range).into()),
        };
        let captured = found.captures.map(|it| groups::known(&it));
        let matched = found.matched == (kind != SyntaxKind::NOT_MATCH);
        Some(Outcome {
            inferred: Inferred::value(matched.into()),
            captured: captured.map(Some),
        })
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
        let parted = match &condition {
            Some(condition) => self.parted(condition),
            None => self.open(Inferred::UNKNOWN),
        };
        if self.flow.is_dead() {
            return Inferred::never();
        }
        if let (Some(value), Some(condition)) = (parted.inferred.truth(), &condition)
            && !self.is_deliberate(condition)
        {
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
        let (taken, other) = parted.branches(when);
        self.flow.enter(taken);
        let first = self.branch(body);
        let taken = self.flow.take_back(&start);
        self.flow.enter(other);
        let second = self.else_clause(otherwise);
        let other = self.flow.take_back(&start);
        let results = [(&taken, first), (&other, second)];
        let alive = results.into_iter().filter(|it| !it.0.is_dead());
        let result = Inferred::union(alive.map(|it| it.1));
        self.flow.join(vec![taken, other]);
        // Match variables of the condition are not visible after the `if`.
        self.flow.set_groups(groups);
        result
    }

    fn else_clause(&mut self, clause: Option<ElseClause>) -> Inferred {
        let Some(clause) = clause else {
            return match self.flow.is_dead() {
                true => Inferred::never(),
                false => Inferred::of(Type::Undef),
            };
        };
        match clause.elsif() {
            Some(elsif) if self.flow.is_dead() => {
                self.branch(elsif.body());
                self.else_clause(elsif.else_clause())
            }
            Some(elsif) => self.expr(&Expr::IfExpr(elsif)),
            None => self.branch(clause.block()),
        }
    }

    /// Infers a branch. An unreachable branch that only calls `fail` is not reported, since that is
    /// its purpose.
    fn branch(&mut self, block: Option<Block>) -> Inferred {
        if !self.flow.is_dead() {
            return self.block(block);
        }
        self.block(block.filter(|it| !only_fails(it)));
        Inferred::never()
    }

    /// Checks whether an expression may be constant on purpose: it is a literal, or depends on a
    /// variable that is used as a flag.
    pub(super) fn is_deliberate(&self, expr: &Expr) -> bool {
        if let Expr::ParenExpr(it) = expr {
            return it.expr().is_none_or(|it| self.is_deliberate(&it));
        }
        if let Expr::UnaryExpr(it) = expr {
            return it.expr().is_none_or(|it| self.is_deliberate(&it));
        }
        if Literal::can_cast(expr.syntax().kind()) {
            return true;
        }
        let mut variables = expr.syntax().descendants().filter_map(Expr::cast);
        variables.any(|it| match it {
            Expr::VariableExpr(it) => it.name().is_some_and(|name| {
                let known = self.flow.get(&self.variable_key(&name));
                known.is_some_and(|it| it.is_flag)
            }),
            _ => false,
        })
    }
}

/// Checks whether a block only calls `fail`.
fn only_fails(block: &Block) -> bool {
    let mut statements = block.statements();
    let first = statements.next();
    let fails = match &first {
        Some(Expr::CallExpr(it)) => it.name_token().is_some_and(|it| it.text() == "fail"),
        _ => false,
    };
    fails && statements.next().is_none()
}

/// Checks whether an operator has a boolean result and can narrow its operands.
pub(super) fn gives_truth(kind: SyntaxKind) -> bool {
    use SyntaxKind::{AND_KW, IN_KW, MATCH, NOT_MATCH, OR_KW};
    matches!(kind, AND_KW | OR_KW | MATCH | NOT_MATCH | IN_KW)
        || eval::comparison_operator(kind).is_some()
}

/// Returns the operands of a chain of the same operator, and the ranges of its first two, three …
/// operands.
fn chained(binary: &BinaryExpr, kind: SyntaxKind) -> (Vec<Option<Expr>>, Vec<TextRange>) {
    let mut operands = vec![binary.rhs()];
    let mut ranges = vec![binary.syntax().text_range()];
    let mut left = binary.lhs();
    loop {
        match left {
            Some(Expr::BinaryExpr(it)) if it.operator().is_some_and(|it| it.kind() == kind) => {
                operands.push(it.rhs());
                ranges.push(it.syntax().text_range());
                left = it.lhs();
            }
            other => {
                operands.push(other);
                break;
            }
        }
    }
    operands.reverse();
    ranges.reverse();
    (operands, ranges)
}

/// Returns the value of a chain extended by one operand.
fn chained_value(and: bool, before: &Inferred, parted: &Parted) -> Inferred {
    let goes_on = if and { &parted.yes } else { &parted.no };
    let ends = if and { &parted.no } else { &parted.yes };
    match before.truth() {
        _ if parted.inferred.is_never() && before.truth() == Some(and) => Inferred::never(),
        // The preceding operands never decide the result.
        Some(it) if it == and => match (goes_on.is_dead(), ends.is_dead()) {
            (true, false) => Inferred::value((!and).into()),
            (false, true) => Inferred::value(and.into()),
            _ => Inferred::of(Type::BOOLEAN),
        },
        Some(_) => before.clone(),
        None if goes_on.is_dead() => Inferred::value((!and).into()),
        None => Inferred::of(Type::BOOLEAN),
    }
}

/// Infers `in`.
fn contains(value: &Inferred, container: &Inferred) -> Outcome {
    let empty = Type::variant([
        Type::empty_array(),
        Type::empty_hash(),
        Type::Undef,
        Type::BOOLEAN,
        Type::Numeric,
        Type::Default,
    ]);
    if container.is_a(&empty) == Some(true) && !container.is_never() {
        return Inferred::value(false.into()).into();
    }
    Outcome {
        inferred: Inferred::of(Type::BOOLEAN),
        captured: groups::of_membership(value, container),
    }
}

/// Checks whether values of two types are never equal, because they are of different kinds.
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
            .position(|kind| types::precise::within(it, kind))
    };
    match (kind(left), kind(right)) {
        (Some(a), Some(b)) if a != b => true,
        _ => {
            // Finite sets of strings, compared case-insensitively.
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
        Type::String(it) => it.value().map(|it| vec![it.to_ascii_lowercase()]),
        Type::Enum(it) => Some(
            it.values()
                .iter()
                .map(|it| it.to_ascii_lowercase())
                .collect(),
        ),
        _ => None,
    }
}

enum Order {
    Known(bool),
    Open,
    Fails,
}

/// Infers a comparison by order.
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
        Type::BOOLEAN,
        Type::any_array(),
        Type::any_hash(),
        Type::Regexp(None),
    ]);
    let within = |it: &Type, of: &Type| types::precise::within(it, of) && !it.is_never();
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

/// The maximum number of pairs of alternatives that are compared.
const MAX_PAIRS: usize = 64;
