//! Overload resolution: the overloads that accept the arguments of a call.

use salsa::Database;
use syntax::ast::{AstNode, Expr, HasParameters};
use syntax::{SyntaxNode, TextRange};

use super::arity::ArityRange;
use super::calls::Call;
use super::infer_item;
use super::signatures::{ResolvedOverload, ResolvedParameter, callee};
use hir::Item;

/// Checks whether an overload accepts the arguments and the lambda of a call; `None` if it depends
/// on the values.
pub(super) fn accepts(call: &Call, overload: &ResolvedOverload) -> Option<bool> {
    if !accepts_count(call, overload) {
        return Some(false);
    }
    let all_are_known = (!call.has_unknown_splat).then_some(true);
    let parts = [all_are_known, accepts_lambda(call, overload)].into_iter();
    all_of(parts.chain(accepts_each(call, overload)))
}

pub(super) fn accepts_count(call: &Call, overload: &ResolvedOverload) -> bool {
    let ArityRange { min, max } = overload.arity();
    let count = call.arguments.len();
    max.is_none_or(|it| count <= it) && (call.has_unknown_splat || count >= min)
}

pub(super) fn accepts_lambda(call: &Call, overload: &ResolvedOverload) -> Option<bool> {
    match (&overload.block, &call.lambda) {
        (None, lambda) => Some(lambda.is_none()),
        (Some((_, optional)), None) => Some(*optional),
        (Some(_), Some(lambda)) => {
            let given = overload.lambda_arity();
            if given.is_some_and(|it| !it.overlaps(ArityRange::of_lambda(lambda))) {
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
pub(super) fn accepts_each(
    call: &Call,
    overload: &ResolvedOverload,
) -> impl Iterator<Item = Option<bool>> {
    let all = call.arguments.iter().enumerate();
    all.map(|(index, argument)| argument.is_a(&overload.parameter(index)?.type_))
}

/// Three-valued conjunction.
pub(super) fn all_of(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
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

/// Returns the overloads that a call may lead to, by their positions in the declaration: those that
/// may accept the arguments, up to the first that certainly does. `None` if this is unknown. The
/// call is a node of the item's own tree.
pub fn candidate_overloads(db: &dyn Database, item: Item<'_>, call: &Expr) -> Option<Vec<usize>> {
    let overloads = candidates(db, item, call)?;
    Some(overloads.into_iter().map(|it| it.0).collect())
}

/// Returns the parameters that an argument of a call may bind to, one of each of the
/// [`candidate_overloads`]; the receiver of a method call is argument 0. `None` if this is unknown,
/// or one of the overloads has no such parameter.
pub fn candidate_parameters(
    db: &dyn Database,
    item: Item<'_>,
    call: &Expr,
) -> Option<CandidateParameters> {
    let overloads = candidates(db, item, call)?;
    Some(CandidateParameters(
        overloads.into_iter().map(|it| it.1).collect(),
    ))
}

/// The overloads whose parameters the arguments of a call may bind to.
pub struct CandidateParameters(Vec<ResolvedOverload>);

impl CandidateParameters {
    /// Returns the parameter that an argument binds to, if it has the same name in all overloads.
    pub fn of(&self, argument: usize) -> Option<&ResolvedParameter> {
        let mut found = self.0.iter().map(|it| it.parameter(argument));
        let first = found.next()??;
        found
            .all(|it| it.is_some_and(|it| it.name == first.name && it.arity == first.arity))
            .then_some(first)
    }

    /// Checks whether all overloads accept at most one argument.
    pub fn are_single(&self) -> bool {
        self.0.iter().all(|it| it.parameters.len() <= 1)
    }
}

/// Returns the overloads that a call may lead to, with their positions.
fn candidates(
    db: &dyn Database,
    item: Item<'_>,
    call: &Expr,
) -> Option<Vec<(usize, ResolvedOverload)>> {
    let call = read(db, item, call)?;
    let callee = callee(db, item.file(db).environment(db), &call.name)?;
    let signatures = callee.signatures();
    if !signatures.checked {
        return None;
    }
    let mut found = Vec::new();
    for (index, overload) in signatures.overloads.iter().enumerate() {
        let accepts = accepts(&call, overload);
        if accepts != Some(false) {
            found.push((index, overload.clone()));
        }
        if accepts == Some(true) {
            break;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Returns the call at a range of an item's tree.
pub fn call_at(db: &dyn Database, item: Item<'_>, range: TextRange) -> Option<Expr> {
    let root = item.syntax(db);
    if !root.text_range().contains_range(range) {
        return None;
    }
    let node: SyntaxNode = match root.covering_element(range) {
        syntax::NodeOrToken::Node(it) => it,
        syntax::NodeOrToken::Token(it) => it.parent()?,
    };
    let expr = Expr::cast(node).filter(|it| it.syntax().text_range() == range)?;
    matches!(expr, Expr::CallExpr(_) | Expr::MethodCall(_)).then_some(expr)
}

/// Returns the call with the inferred types of its arguments.
fn read(db: &dyn Database, item: Item<'_>, call: &Expr) -> Option<Call> {
    let (name, first, arguments, lambda) = match call {
        Expr::CallExpr(it) => (it.name_token()?, None, it.arguments(), it.lambda()),
        Expr::MethodCall(it) => {
            let receiver = Some(it.receiver()?);
            (it.name_token()?, receiver, it.arguments(), it.lambda())
        }
        _ => return None,
    };
    let all: Vec<Expr> = first.into_iter().chain(arguments).collect();
    if all.iter().any(|it| eval::splat(it).is_some()) {
        return None;
    }
    let inference = infer_item(db, item);
    let ranges: Vec<TextRange> = all.iter().map(|it| it.syntax().text_range()).collect();
    let arguments: Option<Vec<_>> = ranges.iter().map(|it| inference.at(*it).cloned()).collect();
    Some(Call {
        name: name.text().to_owned(),
        range: name.text_range(),
        arguments: arguments?,
        ranges,
        has_unknown_splat: false,
        lambda,
    })
}
