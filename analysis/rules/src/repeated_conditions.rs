//! Conditions of a chain of `if` and `elsif`, and operands of `and` and `or`, that are repeated.

use infer::{TypeProblem, TypeProblemKind};
use library::KnownFunction;
use syntax::ast::{AstNode, BinaryExpr, Expr, IfExpr};
use syntax::{SyntaxKind, SyntaxNode, TextRange, text_at};

use crate::checker::Checker;
use crate::rule::Rule;

/// The maximum number of conditions or operands that are compared.
const MAX_COMPARED: usize = 64;

/// A part of a condition: its code without trivia, with the strings of comparisons in lower case, and its range.
type Part = (String, TextRange);

/// Reports repeated conditions and operands of an `if` or an operator as diagnostics of a rule.
pub(crate) fn check(checker: &mut Checker<'_>, rule: &'static Rule, node: &SyntaxNode) {
    match Expr::cast(node.clone()) {
        Some(Expr::IfExpr(it)) if !is_elsif(&it) => check_chain(checker, rule, it),
        Some(Expr::BinaryExpr(it)) => check_operands(checker, rule, &it),
        _ => {}
    }
}

fn is_elsif(condition: &IfExpr) -> bool {
    let parent = condition.syntax().parent();
    parent.is_some_and(|it| it.kind() == SyntaxKind::ELSE_CLAUSE)
}

/// Reports a condition that is false, because all of its alternatives were tested before.
fn check_chain(checker: &mut Checker<'_>, rule: &'static Rule, first: IfExpr) {
    let mut tested: Vec<Part> = Vec::new();
    let next = |it: &IfExpr| it.else_clause().and_then(|it| it.elsif());
    if next(&first).is_none() {
        return;
    }
    for branch in std::iter::successors(Some(first), next).take(MAX_COMPARED) {
        let Some(condition) = branch.condition() else {
            continue;
        };
        let range = condition.syntax().text_range();
        let parts = operands(&condition, SyntaxKind::OR_KW);
        let parts: Vec<_> = parts.iter().map(part).collect();
        let earlier = |it: &Option<Part>| {
            let (code, _) = it.as_ref()?;
            Some(tested.iter().find(|it| it.0 == *code)?.1)
        };
        let all: Option<Vec<TextRange>> = parts.iter().map(earlier).collect();
        if let Some(first) = all.and_then(|it| it.first().copied())
            && !is_reported(checker, range)
        {
            let message = "condition is always false: an earlier branch has the same condition";
            checker.report(rule, range, message.to_owned());
            checker.relate(checker.item, first, "the same condition");
        }
        tested.extend(parts.into_iter().flatten());
    }
}

/// Reports an operand of a chain of `and` or `or` that precedes in the same chain.
fn check_operands(checker: &mut Checker<'_>, rule: &'static Rule, binary: &BinaryExpr) {
    let operator = |it: &BinaryExpr| it.operator().map(|it| it.kind());
    let Some(kind @ (SyntaxKind::AND_KW | SyntaxKind::OR_KW)) = operator(binary) else {
        return;
    };
    let parent = binary.syntax().parent().and_then(BinaryExpr::cast);
    if parent.is_some_and(|it| operator(&it) == Some(kind)) {
        return;
    }
    let mut seen: Vec<Part> = Vec::new();
    for operand in operands(&Expr::BinaryExpr(binary.clone()), kind) {
        let Some((code, range)) = part(&operand) else {
            continue;
        };
        match seen.iter().find(|it| it.0 == code) {
            Some((_, first)) if !is_reported(checker, range) => {
                let name = if kind == SyntaxKind::AND_KW {
                    "and"
                } else {
                    "or"
                };
                let first = *first;
                let root = checker.root();
                let [first_code, code] = [first, range].map(|it| text_at(&root, it));
                let lower = |it: &Option<String>| it.as_ref().map(|it| it.to_lowercase());
                let ignores_case = first_code != code && lower(&first_code) == lower(&code);
                let end = match ignores_case {
                    true => ": the comparison ignores case",
                    false => "",
                };
                let message = format!("repeated operand of `{name}`{end}");
                checker.report(rule, range, message);
                checker.relate(checker.item, first, "first operand");
            }
            Some(_) => {}
            None => seen.push((code, range)),
        }
    }
}

/// Checks whether another diagnostic about conditions covers a range.
fn is_reported(checker: &Checker<'_>, range: TextRange) -> bool {
    let is_condition = |it: &TypeProblem| {
        use TypeProblemKind::{ConstantCondition, NeverEqual, NeverIn};
        matches!(
            it.kind,
            ConstantCondition { .. } | NeverEqual { .. } | NeverIn { .. }
        )
    };
    let problems = checker.problems();
    problems
        .iter()
        .any(|it| is_condition(it) && range.contains_range(it.range))
}

/// Returns the operands of a chain of one operator.
fn operands(expr: &Expr, kind: SyntaxKind) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut open = vec![expr.clone()];
    while let Some(it) = open.pop() {
        match without_parentheses(it) {
            Expr::BinaryExpr(it)
                if it.operator().is_some_and(|it| it.kind() == kind)
                    && found.len() + open.len() < MAX_COMPARED =>
            {
                open.extend(it.rhs());
                open.extend(it.lhs());
            }
            other => found.push(other),
        }
    }
    found
}

fn without_parentheses(expr: Expr) -> Expr {
    match &expr {
        Expr::ParenExpr(it) => it.expr().map_or(expr, without_parentheses),
        _ => expr,
    }
}

/// Returns the code of an expression that has the same value when it is evaluated again.
fn part(expr: &Expr) -> Option<Part> {
    let node = expr.syntax();
    let is_constant = matches!(expr, Expr::Literal(_) | Expr::StringLiteral(_));
    (!is_constant && node.descendants().all(|it| is_repeatable(&it)))
        .then(|| (comparable_code(expr), node.text_range()))
}

/// Returns the code of an expression. The comparison of strings ignores case.
fn comparable_code(expr: &Expr) -> String {
    let of_side = |it: Expr| match it.plain_text() {
        Some(text) => format!("'{}'", text.to_lowercase()),
        None => code(it.syntax()),
    };
    match expr {
        Expr::BinaryExpr(it) => match (it.lhs(), it.operator(), it.rhs()) {
            (Some(left), Some(operator), Some(right))
                if matches!(operator.kind(), SyntaxKind::EQ_EQ | SyntaxKind::NOT_EQ) =>
            {
                let (left, right) = (of_side(left), of_side(right));
                format!("{left} {} {right}", operator.text())
            }
            _ => code(expr.syntax()),
        },
        _ => code(expr.syntax()),
    }
}

fn is_repeatable(node: &SyntaxNode) -> bool {
    let is_known = |name: &str| {
        let known = KnownFunction::from_name(name);
        eval::is_evaluable(name) || known == Some(KnownFunction::Defined)
    };
    match Expr::cast(node.clone()) {
        Some(Expr::CallExpr(it)) => it.name_token().is_none_or(|it| is_known(it.text())),
        Some(Expr::MethodCall(it)) => it.name_token().is_some_and(|it| is_known(it.text())),
        // Each match sets them anew.
        Some(Expr::VariableExpr(it)) => it
            .name()
            .is_some_and(|it| !it.bytes().all(|it| it.is_ascii_digit())),
        Some(Expr::Assignment(_) | Expr::ResourceExpr(_) | Expr::Heredoc(_)) => false,
        _ => true,
    }
}

/// Returns the code without trivia.
fn code(node: &SyntaxNode) -> String {
    let tokens = node.descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    let tokens: Vec<String> = tokens
        .filter(|it| !it.kind().is_trivia())
        .map(|it| it.text().to_owned())
        .collect();
    tokens.join(" ")
}
