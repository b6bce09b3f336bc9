//! The variables of a class that one branch forgets, although it assigns others that all branches assign.

use std::collections::{BTreeMap, BTreeSet};

use hir::{Item, ItemKind, signature};
use salsa::Database;
use syntax::ast::{
    Assignment, AstNode, Block, CaseExpr, Expr, HasBody, IfExpr, assigned_variables,
};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

/// How many other variables a branch assigns as all others do, so that it is certainly meant to assign all of them.
const MIN_SHARED: usize = 2;

/// Returns the variables of a class that exactly one branch does not assign, with the place of that branch. All other
/// branches always assign it, except for those that fail, and code outside of them never does.
#[salsa::tracked(returns(ref))]
pub(crate) fn forgotten_variables<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> BTreeMap<String, TextRange> {
    let mut found = BTreeMap::new();
    if item.kind(db) != ItemKind::Class || signature(db, item).inherits.is_some() {
        return found;
    }
    let root = item.syntax(db);
    let all = assigned_in(&root);
    for node in root.descendants() {
        let branches = branches(&node);
        let live: Vec<Branch> = branches.iter().filter_map(Branch::of).collect();
        if live.len() < 2 {
            continue;
        }
        let range = node.text_range();
        let is_only_here = |name: &str| {
            let mut assigned = all.iter().filter(|it| it.0 == name);
            assigned.all(|it| range.contains_range(it.1))
        };
        for (name, place) in forgotten_in(&live) {
            let is_parameter = signature(db, item).parameter(name).is_some();
            if !is_parameter && is_only_here(name) {
                found.insert(name.to_owned(), place);
            }
        }
    }
    found
}

/// A branch with code that may run to its end.
struct Branch {
    /// The variables that its statements assign.
    always: BTreeSet<String>,
    /// The variables that code in it assigns.
    perhaps: BTreeSet<String>,
    place: TextRange,
}

impl Branch {
    fn of(block: &Block) -> Option<Branch> {
        if block.statements().any(|it| may_leave(&it)) {
            return None;
        }
        let assignments = block.statements().filter_map(|it| match it {
            Expr::Assignment(it) => Some(it),
            _ => None,
        });
        let perhaps: BTreeSet<String> = assigned_in(block.syntax())
            .into_iter()
            .map(|it| it.0)
            .collect();
        (!perhaps.is_empty()).then(|| Branch {
            always: assignments
                .flat_map(|it| names(&it))
                .map(|it| it.0)
                .collect(),
            perhaps,
            place: place(block),
        })
    }
}

/// Returns the variables that exactly one branch lacks.
fn forgotten_in(live: &[Branch]) -> Vec<(&str, TextRange)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in live.iter().flat_map(|it| &it.always) {
        *counts.entry(name).or_default() += 1;
    }
    let in_all: BTreeSet<&str> = counts
        .iter()
        .filter(|it| *it.1 == live.len())
        .map(|it| *it.0)
        .collect();
    if in_all.len() < MIN_SHARED {
        return Vec::new();
    }
    let nearly = counts.iter().filter(|it| *it.1 + 1 == live.len());
    let lacking = nearly.filter_map(|(name, _)| {
        let branch = live.iter().find(|it| !it.always.contains(*name))?;
        (!branch.perhaps.contains(*name)).then_some((*name, branch.place))
    });
    lacking.collect()
}

/// Returns the branches of a `case`, or of an `if` with its `elsif`s and its `else`.
fn branches(node: &SyntaxNode) -> Vec<Block> {
    if let Some(case) = CaseExpr::cast(node.clone()) {
        return case.options().filter_map(|it| it.body()).collect();
    }
    let is_chain = node
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::ELSE_CLAUSE);
    let mut at = IfExpr::cast(node.clone()).filter(|_| !is_chain);
    let mut blocks = Vec::new();
    while let Some(expr) = at {
        blocks.extend(expr.body());
        let rest = expr.else_clause();
        blocks.extend(rest.as_ref().and_then(|it| it.block()));
        at = rest.and_then(|it| it.elsif());
    }
    blocks
}

/// Checks whether a statement is a call: the function may leave the class.
fn may_leave(statement: &Expr) -> bool {
    matches!(statement, Expr::CallExpr(_) | Expr::MethodCall(_))
}

fn assigned_in(node: &SyntaxNode) -> Vec<(String, TextRange)> {
    let assignments = node.descendants().filter_map(Assignment::cast);
    assignments.flat_map(|it| names(&it)).collect()
}

fn names(assignment: &Assignment) -> Vec<(String, TextRange)> {
    let tokens = assigned_variables(assignment).into_iter();
    tokens
        .map(|it| {
            (
                it.text().trim_start_matches('$').to_owned(),
                it.text_range(),
            )
        })
        .collect()
}

/// Returns the start of a branch up to its brace.
fn place(block: &Block) -> TextRange {
    let end = block.l_brace().map(|it| it.text_range().end());
    let around = block.syntax().parent();
    let start = around.filter(|it| it.kind() == SyntaxKind::CASE_OPTION);
    let own = block.syntax().text_range();
    let start = start.map_or(own.start(), |it| it.text_range().start());
    TextRange::new(start, end.unwrap_or(own.end()))
}
