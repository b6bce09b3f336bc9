//! The values of an expression by branch: those of the options of a selector, of the branches of a conditional, and of
//! the assignments of a variable in the branches of a conditional before it.
//!
//! A value that fits as a whole may have a branch whose value never fits: whenever that branch is taken, Puppet refuses
//! it.

use syntax::ast::{AstNode, BinaryExpr, Block, Expr, HasBody, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode};

use super::flow::Origin;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::element_of;
use super::problem::{TypeProblemKind, ValueTarget};
use types::{IntRange, Type};

/// The maximum number of conditionals inside each other whose branches are considered.
const MAX_DEPTH: u32 = 4;

/// The maximum number of statements before a use among which the assignment of a variable is searched.
pub(super) const MAX_STATEMENTS: usize = 64;

impl InferenceContext<'_> {
    /// Returns the values of the branches of an expression; none if it has no branches. Those of `undef` are left out:
    /// it often stands for a value that is required in this case.
    pub(super) fn branch_values(&self, expr: &Expr, whole: &Inferred) -> Vec<(Expr, Inferred)> {
        if whole.value.is_some() || self.is_suppressed() {
            return Vec::new();
        }
        let mut found = Vec::new();
        self.collect_values(expr, &mut found, MAX_DEPTH);
        if found.iter().any(|it| it == expr) {
            return Vec::new();
        }
        let known = found.into_iter().filter_map(|it| {
            let value = self.recorded(&it)?.clone();
            Some((it, value))
        });
        known
            .filter(|(_, value)| {
                // A branch that is never taken does not contribute to the whole.
                !value.is_never()
                    && value.is_a(&Type::Undef) == Some(false)
                    && value.is_a(&whole.type_) == Some(true)
            })
            .collect()
    }

    /// Reports the branches of a value that never match the expected type, and returns whether there are any.
    pub(super) fn check_branches(
        &mut self,
        expr: &Expr,
        value: &Inferred,
        expected: &Type,
        what: &ValueTarget,
    ) -> bool {
        let mut refused: Vec<(Expr, Inferred, Type)> = self
            .branch_values(expr, value)
            .into_iter()
            .filter(|(_, it)| it.is_a(expected) == Some(false))
            .map(|(expr, it)| (expr, it, expected.clone()))
            .collect();
        refused.extend(self.refused_operands(expr, expected));
        for (expr, value, expected) in &refused {
            let kind = TypeProblemKind::Mismatch {
                what: what.clone(),
                expected: expected.clone(),
                actual: value.type_.clone(),
            };
            self.report(expr.syntax().text_range(), kind);
        }
        !refused.is_empty()
    }

    /// Returns the arrays in a sum of arrays that certainly have an element which the expected array does not accept.
    fn refused_operands(&self, expr: &Expr, expected: &Type) -> Vec<(Expr, Inferred, Type)> {
        let Expr::BinaryExpr(sum) = expr else {
            return Vec::new();
        };
        let is_sum = sum
            .operator()
            .is_some_and(|it| it.kind() == SyntaxKind::PLUS);
        let element = element_of(expected).filter(|_| is_sum);
        let Some(element) = element else {
            return Vec::new();
        };
        let list = Type::array(element, Some(IntRange::SIZE));
        // Every array accepts an empty one.
        let filled = Type::array(Type::Any, IntRange::new(Some(1), None));
        let mut found = Vec::new();
        for operand in [sum.lhs(), sum.rhs()].into_iter().flatten() {
            let Some(whole) = self.recorded(&operand) else {
                continue;
            };
            let mut values = self.branch_values(&operand, whole);
            values.push((operand, whole.clone()));
            found.extend(
                values
                    .into_iter()
                    .filter(|(_, it)| {
                        let is_filled = it.is_a(&filled) == Some(true) && !it.is_never();
                        is_filled && it.is_a(&list) == Some(false)
                    })
                    .map(|(expr, it)| (expr, it, list.clone())),
            );
        }
        found
    }

    fn collect_values(&self, expr: &Expr, into: &mut Vec<Expr>, depth: u32) {
        if depth == 0 {
            return;
        }
        let mut values = Vec::new();
        match expr {
            Expr::ParenExpr(it) => values.extend(it.expr()),
            Expr::SelectorExpr(it) => values.extend(it.entries().filter_map(|it| it.value())),
            Expr::VariableExpr(it) => match self.assigned_by_branches(it) {
                Some(assigned) => values = assigned,
                None => return into.push(expr.clone()),
            },
            _ => match branches(expr) {
                Some(blocks) => {
                    values.extend(blocks.iter().filter_map(|it| it.statements().last()))
                }
                None => return into.push(expr.clone()),
            },
        }
        for value in values {
            self.collect_values(&value, into, depth - 1);
        }
    }

    /// Returns the values that the statements right before assign to a variable, if they do so in branches, or if the
    /// assigned value has branches. Only those statements count that certainly run before the use and after which
    /// the use certainly follows, whichever branch is taken.
    fn assigned_by_branches(&self, variable: &VariableExpr) -> Option<Vec<Expr>> {
        let name = variable.name().filter(|it| !it.contains(':'))?;
        let state = self.flow.get(&name)?;
        if state.origin == Origin::Parameter {
            return None;
        }
        let statement = unconditional_statement(variable.syntax())?;
        let before = std::iter::successors(statement.prev_sibling(), SyntaxNode::prev_sibling);
        for sibling in before.take(MAX_STATEMENTS) {
            let Some(expr) = Expr::cast(sibling.clone()) else {
                continue;
            };
            if let Some(value) = assigned_value(&expr, &name) {
                return is_branched(&value).then(|| vec![value]);
            }
            if let Some(blocks) = branches(&expr) {
                let mut values = Vec::new();
                let blocks = blocks.iter();
                blocks.for_each(|it| self.assigned_in(it, &name, &mut values, MAX_DEPTH));
                if !values.is_empty() {
                    return Some(values);
                }
            }
            if self.may_leave(&sibling) {
                return None;
            }
        }
        None
    }

    /// Collects the values that a block assigns to a variable, if it is then left at its end.
    fn assigned_in(&self, block: &Block, name: &str, into: &mut Vec<Expr>, depth: u32) {
        if depth == 0 {
            return;
        }
        let statements: Vec<Expr> = block.statements().collect();
        for statement in statements.iter().rev() {
            if let Some(value) = assigned_value(statement, name) {
                return into.push(value);
            }
            if let Some(blocks) = branches(statement) {
                blocks
                    .iter()
                    .for_each(|it| self.assigned_in(it, name, into, depth - 1));
            }
            if self.may_leave(statement.syntax()) {
                return;
            }
        }
    }

    /// Checks whether an expression contains one that never returns.
    fn may_leave(&self, node: &SyntaxNode) -> bool {
        let mut inner = node.descendants().filter_map(Expr::cast);
        inner.any(|it| self.recorded(&it).is_some_and(Inferred::is_never))
    }
}

/// Returns the blocks of the branches of a conditional; `None` for other expressions.
fn branches(expr: &Expr) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut clause = match expr {
        Expr::CaseExpr(it) => return Some(it.options().filter_map(|it| it.body()).collect()),
        Expr::IfExpr(it) => {
            blocks.extend(it.body());
            it.else_clause()
        }
        Expr::UnlessExpr(it) => {
            blocks.extend(it.body());
            it.else_clause()
        }
        _ => return None,
    };
    while let Some(it) = clause {
        blocks.extend(it.block());
        let elsif = it.elsif();
        blocks.extend(elsif.as_ref().and_then(|it| it.body()));
        clause = elsif.and_then(|it| it.else_clause());
    }
    Some(blocks)
}

fn is_branched(expr: &Expr) -> bool {
    matches!(expr, Expr::SelectorExpr(_)) || branches(expr).is_some()
}

/// Returns the statement of a block that contains a node, if the node is evaluated whenever the statement is.
pub(super) fn unconditional_statement(node: &SyntaxNode) -> Option<SyntaxNode> {
    let mut node = node.clone();
    loop {
        let parent = node.parent()?;
        match parent.kind() {
            SyntaxKind::BLOCK => return Some(node),
            SyntaxKind::SELECTOR_EXPR
            | SyntaxKind::IF_EXPR
            | SyntaxKind::UNLESS_EXPR
            | SyntaxKind::CASE_EXPR
            | SyntaxKind::LAMBDA => return None,
            SyntaxKind::BINARY_EXPR if is_boolean(&parent) => return None,
            _ => node = parent,
        }
    }
}

/// Checks whether a binary expression may leave out the evaluation of its right operand.
fn is_boolean(node: &SyntaxNode) -> bool {
    let binary = BinaryExpr::cast(node.clone());
    let operator = binary.and_then(|it| it.operator());
    operator.is_none_or(|it| matches!(it.kind(), SyntaxKind::AND_KW | SyntaxKind::OR_KW))
}

/// Returns the value that a statement assigns to a variable.
fn assigned_value(statement: &Expr, name: &str) -> Option<Expr> {
    let Expr::Assignment(it) = statement else {
        return None;
    };
    let is_plain = it.operator()?.kind() == SyntaxKind::EQ;
    match it.lhs()? {
        Expr::VariableExpr(target) if is_plain && target.name()? == name => it.rhs(),
        _ => None,
    }
}
