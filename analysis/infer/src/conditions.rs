//! Conditions: their values, and the branches in which they are true and false.
//!
//! A condition is inferred once. The result is its value and two branches, which hold the state if
//! the condition is true and if it is false. The narrowing of the operands of comparisons is in
//! [`super::narrowing`].

use syntax::ast::{
    AstNode, BinaryExpr, Block, ElseClause, Expr, HasBody, IfExpr, LiteralKind, UnlessExpr,
    VariableExpr,
};
use syntax::{SyntaxKind, TextRange};

use super::comparisons::{OrderResult, is_of_other_kind, never_contains, never_equal, ordered};
use super::flow::{Branch, Checkpoint};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::TypeProblemKind;
use super::{TypedRangeKind, match_variables};
use eval::ComparisonOperator;
use library::KnownFunction;
use types::values::Value;
use types::{Type, is_resolved, is_resolved_value};

/// A condition that has been inferred.
pub(super) struct Condition {
    pub(super) inferred: Inferred,
    /// The branch in which it is true.
    pub(super) if_true: Branch,
    /// The branch in which it is false.
    pub(super) if_false: Branch,
    /// Whether its evaluation fails, because a variable that it reads has no value.
    fails: bool,
}

impl Condition {
    /// A condition whose evaluation never completes.
    fn never() -> Condition {
        Condition {
            inferred: Inferred::never(),
            if_true: Branch::unreachable(),
            if_false: Branch::unreachable(),
            fails: false,
        }
    }

    fn negated(self) -> Condition {
        let inferred = match self.inferred.truth() {
            _ if self.inferred.is_never() => self.inferred,
            Some(it) => Inferred::value((!it).into()),
            None => Inferred::of(Type::BOOLEAN),
        };
        Condition {
            inferred,
            if_true: self.if_false,
            if_false: self.if_true,
            fails: self.fails,
        }
    }

    /// Returns the branch in which the condition evaluates to `when`, and the other one.
    pub(super) fn branches(self, when: bool) -> (Branch, Branch) {
        if when {
            (self.if_true, self.if_false)
        } else {
            (self.if_false, self.if_true)
        }
    }
}

/// The result of an operator.
struct OperatorResult {
    inferred: Inferred,
    /// The match variables if it matched, if the operator may have changed them.
    match_variables: Option<super::flow::MatchVariables>,
}

impl From<Inferred> for OperatorResult {
    fn from(inferred: Inferred) -> OperatorResult {
        OperatorResult {
            inferred,
            match_variables: None,
        }
    }
}

impl InferenceContext<'_> {
    // ---- branches of conditions --------------------------------------------------

    /// Infers an operator with a boolean result where only its value is used.
    pub(super) fn infer_boolean(&mut self, expr: &Expr) -> Inferred {
        let condition = self.infer_operator_condition(expr);
        self.flow.join(vec![condition.if_true, condition.if_false]);
        condition.inferred
    }

    /// Infers a condition. Effects of its evaluation that occur in both cases are in the flow
    /// afterwards; the two branches begin there.
    pub(super) fn infer_condition(&mut self, expr: &Expr) -> Condition {
        if self.flow.is_unreachable() {
            return Condition::never();
        }
        let is_operator = matches!(expr, Expr::ParenExpr(_)) || is_boolean_operation(expr);
        if !is_operator || self.count_step() {
            return self.condition_from_value(expr);
        }
        let condition = base::with_growing_stack(|| self.infer_operator_condition(expr));
        self.record(
            expr.syntax().text_range(),
            TypedRangeKind::Expression,
            &condition.inferred,
        );
        condition
    }

    /// Continues in the branch in which a condition that has just been inferred is true.
    pub(super) fn assume(&mut self, condition: &Expr) {
        let branch = match condition {
            // A call is not inferred a second time, because nested lambdas would take exponential
            // time.
            Expr::CallExpr(_) | Expr::MethodCall(_) => return self.assume_truth(condition, true),
            _ => {
                self.without_reporting(|this| this.infer_condition(condition))
                    .if_true
            }
        };
        self.flow.apply_branch(branch);
    }

    fn infer_operator_condition(&mut self, expr: &Expr) -> Condition {
        match expr {
            Expr::ParenExpr(it) => match it.expr() {
                Some(inner) => self.infer_condition(&inner),
                None => self.unconstrained(Inferred::UNKNOWN),
            },
            Expr::UnaryExpr(it) => match it.expr() {
                Some(inner) => self.infer_condition(&inner).negated(),
                None => self.unconstrained(Inferred::UNKNOWN),
            },
            Expr::BinaryExpr(it) => match it.operator().map(|it| it.kind()) {
                Some(kind @ (SyntaxKind::AND_KW | SyntaxKind::OR_KW)) => self.infer_chain(it, kind),
                _ => self.infer_comparison(it),
            },
            _ => self.condition_from_value(expr),
        }
    }

    /// Returns a condition that narrows nothing.
    fn unconstrained(&mut self, inferred: Inferred) -> Condition {
        let start = self.flow.checkpoint();
        let mut branch = |when: bool| {
            if inferred.truth() == Some(!when) {
                self.flow.mark_unreachable();
            }
            self.flow.rollback(&start)
        };
        let (if_true, if_false) = (branch(true), branch(false));
        Condition {
            inferred,
            if_true,
            if_false,
            fails: false,
        }
    }

    /// Infers a value of any type used as a condition.
    fn condition_from_value(&mut self, expr: &Expr) -> Condition {
        let inferred = self.infer_expr(expr);
        if self.flow.is_unreachable() {
            return Condition::never();
        }
        let start = self.flow.checkpoint();
        let mut branch = |holds: bool| {
            match inferred.truth() {
                Some(it) if it != holds => self.flow.mark_unreachable(),
                Some(_) => {}
                None => self.assume_truth(expr, holds),
            }
            self.flow.rollback(&start)
        };
        let (if_true, if_false) = (branch(true), branch(false));
        Condition {
            fails: inferred.is_never(),
            inferred,
            if_true,
            if_false,
        }
    }

    /// Infers a comparison or match.
    fn infer_comparison(&mut self, binary: &BinaryExpr) -> Condition {
        let (Some(operator), Some(lhs), Some(rhs)) =
            (binary.operator(), binary.lhs(), binary.rhs())
        else {
            self.infer_optional(binary.lhs());
            self.infer_optional(binary.rhs());
            return self.unconstrained(Inferred::UNKNOWN);
        };
        let left = self.infer_expr(&lhs);
        let right = self.infer_expr(&rhs);
        if self.flow.is_unreachable() {
            return Condition::never();
        }
        let kind = operator.kind();
        let result = self.operator_result(kind, &left, &right, operator.text_range());
        if self.flow.is_unreachable() {
            return Condition::never();
        }
        let truth = result.inferred.truth();
        let start = self.flow.checkpoint();
        let mut branch = |holds: bool| {
            match truth {
                Some(it) if it != holds => self.flow.mark_unreachable(),
                Some(_) => {}
                None => self.assume_compared(kind, &lhs, &rhs, holds),
            }
            if holds != (kind == SyntaxKind::NOT_MATCH)
                && let Some(match_variables) = &result.match_variables
            {
                self.flow.set_match_variables(match_variables.clone());
            }
            self.flow.rollback(&start)
        };
        let (if_true, if_false) = (branch(true), branch(false));
        let inferred = match (if_true.is_unreachable(), if_false.is_unreachable()) {
            // Puppet has failed here; inference continues, to report problems in the following
            // code.
            (true, true) => {
                return Condition {
                    fails: left.is_never() || right.is_never(),
                    ..self.unconstrained(Inferred::UNKNOWN)
                };
            }
            (true, false) => {
                self.check_membership(kind, &left, &right, (&lhs, &rhs), operator.text_range());
                Inferred::value(false.into())
            }
            (false, true) if truth.is_none() => Inferred::value(true.into()),
            _ => result.inferred,
        };
        Condition {
            fails: left.is_never() || right.is_never(),
            inferred,
            if_true,
            if_false,
        }
    }

    /// Reports an `in` that is always false.
    fn check_membership(
        &mut self,
        kind: SyntaxKind,
        left: &Inferred,
        right: &Inferred,
        operands: (&Expr, &Expr),
        range: TextRange,
    ) {
        let is_literal = |it: &Expr| {
            !it.syntax()
                .descendants()
                .any(|it| VariableExpr::can_cast(it.kind()))
        };
        let is_constant = |it: &Expr| !is_literal(it) && self.is_intentionally_constant(it);
        if kind != SyntaxKind::IN_KW
            || (is_constant(operands.0) || is_constant(operands.1))
                && !is_of_other_kind(&right.type_, &left.type_)
        {
            return;
        }
        let kind = TypeProblemKind::NeverIn {
            value: left.type_.clone(),
            container: right.type_.clone(),
        };
        self.report(range, kind);
    }

    // ---- and, or -----------------------------------------------------------------

    /// Infers `and` and `or`: an operand is only evaluated if the ones before it do not decide the
    /// result. A chain of the same operator is flattened, so that it takes linear time.
    fn infer_chain(&mut self, binary: &BinaryExpr, kind: SyntaxKind) -> Condition {
        let and = kind == SyntaxKind::AND_KW;
        let (operands, ranges) = flatten_chain(binary, kind);
        // The points after the operands, and the branches in which one of them decides the result.
        let mut checkpoints = Vec::new();
        let mut decided = Vec::new();
        let mut so_far = Inferred::value(and.into());
        let mut goes_through = false;
        let mut fails = false;
        for (index, operand) in operands.iter().enumerate() {
            let condition = match operand {
                Some(operand) => self.infer_condition(operand),
                None => self.unconstrained(Inferred::UNKNOWN),
            };
            fails |= index == 0 && condition.fails;
            so_far = chain_value(and, &so_far, &condition);
            if index > 0
                && let Some(range) = ranges.get(index - 1).filter(|_| index < operands.len() - 1)
            {
                self.record(*range, TypedRangeKind::Expression, &so_far);
            }
            checkpoints.push(self.flow.checkpoint());
            let (goes_on, ends) = condition.branches(and);
            decided.push(ends);
            goes_through = !goes_on.is_unreachable();
            if !goes_through {
                for range in ranges.iter().skip(index.max(1) - 1) {
                    self.record(*range, TypedRangeKind::Expression, &so_far);
                }
                break;
            }
            self.flow.apply_branch(goes_on);
        }
        let (through, ends) = self.rewind_chain(&checkpoints, decided);
        let through = if goes_through {
            through
        } else {
            Branch::unreachable()
        };
        if through.is_unreachable() && ends.is_unreachable() {
            self.flow.mark_unreachable();
            return Condition::never();
        }
        let (if_true, if_false) = if and {
            (through, ends)
        } else {
            (ends, through)
        };
        Condition {
            inferred: so_far,
            if_true,
            if_false,
            fails,
        }
    }

    /// Returns from the end of a chain to the point after its first operand, with the branches from
    /// there in which no operand decides the result, and in which one does.
    fn rewind_chain(
        &mut self,
        checkpoints: &[Checkpoint],
        decided: Vec<Branch>,
    ) -> (Branch, Branch) {
        let mut steps = Vec::new();
        let mut ends: Option<Branch> = None;
        for (checkpoint, here) in checkpoints.iter().zip(decided).rev() {
            let step = self.flow.rollback(checkpoint);
            ends = Some(match ends {
                None => here,
                Some(later) => {
                    self.flow.apply_branch(step.clone());
                    self.flow.apply_branch(later);
                    let later = self.flow.rollback(checkpoint);
                    self.flow.join(vec![here, later]);
                    self.flow.rollback(checkpoint)
                }
            });
            steps.push(step);
        }
        let (Some(first), Some(ends)) = (checkpoints.first(), ends) else {
            return (Branch::unreachable(), Branch::unreachable());
        };
        for step in steps.into_iter().rev() {
            self.flow.apply_branch(step);
        }
        (self.flow.rollback(first), ends)
    }

    // ---- results of operators ---------------------------------------------------

    fn operator_result(
        &mut self,
        kind: SyntaxKind,
        left: &Inferred,
        right: &Inferred,
        range: TextRange,
    ) -> OperatorResult {
        use SyntaxKind::{EQ_EQ, IN_KW, MATCH, NOT_EQ, NOT_MATCH};
        let (left_type, right_type) = (&left.type_, &right.type_);
        if let (Some(left), Some(right)) = (&left.value, &right.value) {
            if matches!(kind, MATCH | NOT_MATCH | IN_KW) {
                if let Some(found) = self.constant_match(kind, left, right, range) {
                    return found;
                }
            } else if let Some(operator) = eval::comparison_operator(kind) {
                if matches!(kind, EQ_EQ | NOT_EQ) && are_of_different_kinds(left, right) {
                    let kind = TypeProblemKind::NeverEqual {
                        left: left_type.clone(),
                        right: right_type.clone(),
                    };
                    self.report(range, kind);
                }
                let result = eval::comparison(operator, left, right).map(Value::Boolean);
                return self.evaluation_result(result, range).into();
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
                let kind = TypeProblemKind::NeverEqual {
                    left: left.type_.clone(),
                    right: right.type_.clone(),
                };
                self.report(range, kind);
                return Inferred::value((operator == NotEqual).into());
            }
            return Inferred::of(Type::BOOLEAN);
        }
        match ordered(operator, &left.type_, &right.type_) {
            OrderResult::Known(it) => Inferred::value(it.into()),
            OrderResult::Undetermined => Inferred::of(Type::BOOLEAN),
            OrderResult::Fails => {
                let text = operator.to_string();
                self.result_or_error(None, range, &text, left.clone(), Some(right.clone()))
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
    ) -> OperatorResult {
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
            return self.result_or_error(None, range, text, left, right).into();
        }
        let never_patterns = Type::variant([
            Type::Undef,
            Type::BOOLEAN,
            Type::Numeric,
            Type::any_array(),
            Type::any_hash(),
        ]);
        if right.is_a(&never_patterns) == Some(true) && !right.is_never() {
            let text = if positive { "=~" } else { "!~" };
            let (left, right) = (left.clone(), Some(right.clone()));
            return self.result_or_error(None, range, text, left, right).into();
        }
        OperatorResult {
            inferred: Inferred::of(Type::BOOLEAN),
            match_variables: (is_pattern != Some(false))
                .then(|| match_variables::of_pattern(right)),
        }
    }

    /// Evaluates a match of two constants, and sets the match variables.
    fn constant_match(
        &mut self,
        kind: SyntaxKind,
        left: &Value,
        right: &Value,
        range: TextRange,
    ) -> Option<OperatorResult> {
        if !is_resolved_value(left) || !is_resolved_value(right) {
            return None;
        }
        let result = match kind {
            SyntaxKind::IN_KW => eval::contains(left, right),
            _ => eval::match_operator(left, right),
        };
        let found = match result {
            Ok(found) => found,
            Err(halt) => return Some(self.evaluation_result(Err(halt), range).into()),
        };
        let match_variables = found.captures.map(|it| match_variables::of_captures(&it));
        let matched = found.matched == (kind != SyntaxKind::NOT_MATCH);
        Some(OperatorResult {
            inferred: Inferred::value(matched.into()),
            match_variables: match_variables.map(Some),
        })
    }

    // ---- if and unless -----------------------------------------------------------

    pub(super) fn if_expr(&mut self, expr: &IfExpr) -> Inferred {
        self.infer_branches(expr.condition(), true, expr.body(), expr.else_clause())
    }

    pub(super) fn unless_expr(&mut self, expr: &UnlessExpr) -> Inferred {
        self.infer_branches(expr.condition(), false, expr.body(), expr.else_clause())
    }

    fn infer_branches(
        &mut self,
        condition: Option<Expr>,
        when: bool,
        body: Option<Block>,
        otherwise: Option<ElseClause>,
    ) -> Inferred {
        let match_variables = self.flow.match_variables().clone();
        let tested = match &condition {
            Some(condition) => self.infer_condition(condition),
            None => self.unconstrained(Inferred::UNKNOWN),
        };
        if self.flow.is_unreachable() {
            return Inferred::never();
        }
        if let (Some(value), Some(condition)) = (tested.inferred.truth(), &condition)
            && !self.is_intentionally_constant(condition)
        {
            let range = condition.syntax().text_range();
            let never = if value == when {
                otherwise.as_ref().and_then(ElseClause::block)
            } else {
                body.clone()
            };
            let guards = never.is_some_and(|it| only_fails(&it))
                || (value && when && completes_chain(condition));
            self.report(range, TypeProblemKind::ConstantCondition { value, guards });
        }
        let start = self.flow.checkpoint();
        // Puppet evaluates no branch if the condition fails.
        let fails = tested.fails;
        let (taken, other) = tested.branches(when);
        self.flow.apply_branch(taken);
        let first = self.reporting_unless(fails, |this| this.infer_branch(body));
        let taken = self.flow.rollback(&start);
        self.flow.apply_branch(other);
        let second = self.reporting_unless(fails, |this| this.else_clause(otherwise));
        let other = self.flow.rollback(&start);
        let results = [(&taken, first), (&other, second)];
        let reachable = results.into_iter().filter(|it| !it.0.is_unreachable());
        let result = Inferred::union(reachable.map(|it| it.1));
        self.flow.join(vec![taken, other]);
        // Match variables of the condition are not visible after the `if`.
        self.flow.set_match_variables(match_variables);
        result
    }

    fn else_clause(&mut self, clause: Option<ElseClause>) -> Inferred {
        let Some(clause) = clause else {
            return match self.flow.is_unreachable() {
                true => Inferred::never(),
                false => Inferred::of(Type::Undef),
            };
        };
        match clause.elsif() {
            Some(elsif) if self.flow.is_unreachable() => {
                self.infer_branch(elsif.body());
                self.else_clause(elsif.else_clause())
            }
            Some(elsif) => self.infer_expr(&Expr::IfExpr(elsif)),
            None => self.infer_branch(clause.block()),
        }
    }

    /// Infers a branch. An unreachable branch that only calls `fail` is not reported, since that is
    /// its purpose.
    fn infer_branch(&mut self, block: Option<Block>) -> Inferred {
        if !self.flow.is_unreachable() {
            return self.infer_block(block);
        }
        self.infer_block(block.filter(|it| !only_fails(it)));
        Inferred::never()
    }

    /// Checks whether an expression may be constant on purpose: it is a literal, or depends on a
    /// variable that is used as a flag.
    pub(super) fn is_intentionally_constant(&self, expr: &Expr) -> bool {
        if let Expr::ParenExpr(it) = expr {
            return it
                .expr()
                .is_none_or(|it| self.is_intentionally_constant(&it));
        }
        if let Expr::UnaryExpr(it) = expr {
            return it
                .expr()
                .is_none_or(|it| self.is_intentionally_constant(&it));
        }
        if let Expr::Literal(it) = expr {
            // Every number is true, also 0.
            return !matches!(it.kind(), Some(LiteralKind::Number(_)));
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

/// Checks whether a condition is that of an `elsif` after conditions on the same variables: of a chain
/// that spells out every value, the last condition is always true.
fn completes_chain(condition: &Expr) -> bool {
    let tested = variables(condition);
    let conditional = condition.syntax().parent();
    let earlier = std::iter::successors(conditional, |it| {
        let clause = it.parent().and_then(ElseClause::cast)?;
        clause.syntax().parent()
    });
    let mut earlier = earlier.skip(1).filter_map(IfExpr::cast);
    earlier.any(|it| {
        let condition = it.condition();
        condition.is_some_and(|it| variables(&it).iter().any(|it| tested.contains(it)))
    })
}

fn variables(expr: &Expr) -> Vec<String> {
    let variables = expr.syntax().descendants().filter_map(VariableExpr::cast);
    variables.filter_map(|it| it.name()).collect()
}

/// Checks whether a block only calls `fail`.
pub fn only_fails(block: &Block) -> bool {
    let mut statements = block.statements();
    let first = statements.next();
    let name = match &first {
        Some(Expr::CallExpr(it)) => it.name_token(),
        _ => None,
    };
    let known = name.and_then(|it| KnownFunction::from_name(it.text()));
    known == Some(KnownFunction::Fail) && statements.next().is_none()
}

/// Checks whether an expression is `!` or a binary operator with a boolean result.
pub(super) fn is_boolean_operation(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryExpr(it) => it
            .operator()
            .is_some_and(|it| it.kind() == SyntaxKind::BANG),
        Expr::BinaryExpr(it) => it
            .operator()
            .is_some_and(|it| is_boolean_operator(it.kind())),
        _ => false,
    }
}

/// Checks whether an operator has a boolean result and can narrow its operands.
pub(super) fn is_boolean_operator(kind: SyntaxKind) -> bool {
    use SyntaxKind::{AND_KW, IN_KW, MATCH, NOT_MATCH, OR_KW};
    matches!(kind, AND_KW | OR_KW | MATCH | NOT_MATCH | IN_KW)
        || eval::comparison_operator(kind).is_some()
}

/// Returns the operands of a chain of the same operator, and the ranges of its first two, three …
/// operands.
fn flatten_chain(binary: &BinaryExpr, kind: SyntaxKind) -> (Vec<Option<Expr>>, Vec<TextRange>) {
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
fn chain_value(and: bool, before: &Inferred, condition: &Condition) -> Inferred {
    let goes_on = if and {
        &condition.if_true
    } else {
        &condition.if_false
    };
    let ends = if and {
        &condition.if_false
    } else {
        &condition.if_true
    };
    match before.truth() {
        _ if condition.inferred.is_never() && before.truth() == Some(and) => Inferred::never(),
        // The preceding operands never decide the result.
        Some(it) if it == and => match (goes_on.is_unreachable(), ends.is_unreachable()) {
            (true, false) => Inferred::value((!and).into()),
            (false, true) => Inferred::value(and.into()),
            _ => Inferred::of(Type::BOOLEAN),
        },
        Some(_) => before.clone(),
        None if goes_on.is_unreachable() => Inferred::value((!and).into()),
        None => Inferred::of(Type::BOOLEAN),
    }
}

/// Checks whether two values are a string, a number and a Boolean in any combination, which are never equal.
fn are_of_different_kinds(left: &Value, right: &Value) -> bool {
    let kind = |it: &Value| match it {
        Value::Boolean(_) => Some(0),
        Value::Integer(_) | Value::Float(_) => Some(1),
        Value::String(_) => Some(2),
        _ => None,
    };
    matches!((kind(left), kind(right)), (Some(left), Some(right)) if left != right)
}

/// Infers `in`.
fn contains(value: &Inferred, container: &Inferred) -> OperatorResult {
    let empty = Type::variant([
        Type::empty_array(),
        Type::empty_hash(),
        Type::Undef,
        Type::BOOLEAN,
        Type::Numeric,
        Type::Default,
    ]);
    let never =
        container.is_a(&empty) == Some(true) || never_contains(&container.type_, &value.type_);
    if never && !container.is_never() {
        return Inferred::value(false.into()).into();
    }
    OperatorResult {
        inferred: Inferred::of(Type::BOOLEAN),
        match_variables: match_variables::of_membership(value, container),
    }
}
