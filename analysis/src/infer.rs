//! The types and values of expressions, as far as they are certain.
//!
//! One walk through an item, in the order in which Puppet would run it, with what is known of the
//! variables at each point ([`flow`]). The walk is over the item's own tree, and its results are
//! relative to it, so that an edit elsewhere changes nothing here. What other items say is asked of
//! queries that return little: the type of one variable, the signature of one function.
//!
//! Everything here is sound: a type has every value that the expression can have when Puppet runs
//! the code, and where nothing is certain it is `Any`. So a problem is only found where no value
//! can fit. Nothing in here may know of files, offsets in them, or how a problem is worded for a
//! user; that is the business of [`crate::rules`].

mod access;
mod attributes;
mod blocks;
mod calls;
mod cases;
mod chosen;
mod conditions;
mod constants;
mod counts;
mod expressions;
mod flow;
mod functions;
mod getvar;
mod groups;
mod header;
mod inferred;
mod narrowing;
mod operators;
mod parameters;
mod part;
mod partial;
mod passages;
mod plans;
mod problem;
mod resources;
mod signatures;
mod strings;
mod subsets;
mod templates;
mod texts;
mod told;
mod type_names;
mod variables;
mod walker;

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{AstNode, ParameterList};
use syntax::{SyntaxNode, TextRange};

pub(crate) use chosen::{call_at, chosen_forms, chosen_parameters};
pub(crate) use counts::Counts;
pub(crate) use inferred::Inferred;
pub(crate) use problem::{Problem, ProblemKind, Target, Template};
pub(crate) use signatures::{Form, all_signatures, signatures_of};
pub(crate) use strings::texts as known_texts;
pub(crate) use templates::template_parameters;
pub(crate) use type_names::WorkspaceTypes;

use crate::types::Type;
use crate::types::precise::union;
use crate::workspace::Item;
use crate::workspace::autoload::NameKey;
use part::Part;
use walker::Walker;

/// After so many rounds of a cycle, what still changes is not known.
const MAX_ROUNDS: u32 = 8;

/// What is known of an item's code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Inference {
    /// The expressions, parameters and assigned variables that are reached, in the order of the
    /// text, the outer before the inner.
    pub(crate) claims: Vec<Claim>,
    /// What is wrong, in the order of the text.
    pub(crate) problems: Vec<Problem>,
    /// The variables of the item's own scope, as they are when it has run.
    variables: FxHashMap<String, Inferred>,
    /// What a function or plan gives.
    result: Option<Inferred>,
}

impl Inference {
    /// What is known of a place.
    pub(crate) fn at(&self, range: TextRange) -> Option<&Inferred> {
        let key = (range.start(), std::cmp::Reverse(range.end()));
        let order = |it: &Claim| (it.range.start(), std::cmp::Reverse(it.range.end()));
        let first = self.claims.partition_point(|it| order(it) < key);
        let claim = self.claims.get(first)?;
        (claim.range == range).then_some(&claim.inferred)
    }
}

/// What is known of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Claim {
    /// The place, in the tree of the item.
    pub(crate) range: TextRange,
    /// What stands there.
    pub(crate) subject: Subject,
    /// What is known of its value.
    pub(crate) inferred: Inferred,
}

/// What a [`Claim`] is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Subject {
    /// An expression.
    Expression,
    /// A parameter, at its name.
    Parameter,
    /// A variable that is assigned here.
    Assigned,
}

/// What is known of an item's code.
///
/// All of it is kept: salsa would take a value that it has dropped for one whose computation
/// panicked, as this may be part of a cycle.
#[salsa::tracked(
    cycle_initial = |_, _, _| Inference::default(),
    cycle_fn = |_, cycle, before, after, _| settle(cycle, before, after),
)]
pub(crate) fn infer<'db>(db: &'db dyn Database, item: Item<'db>) -> Inference {
    Walker::new(db, item).run()
}

/// What is known of code that is, but for what is just being written, that of an item. The tree is
/// that of the item alone; nothing is kept.
pub(crate) fn infer_tree<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    tree: SyntaxNode,
) -> Inference {
    Walker::over(db, item, tree, Part::default()).run()
}

/// The same for one expression and what it rests on: of the rest nothing is known. `text` is that
/// of the tree.
pub(crate) fn infer_part<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    tree: SyntaxNode,
    text: &str,
    at: TextRange,
) -> Inference {
    let part = Part::around(&tree, text, at);
    Walker::over(db, item, tree, part).run()
}

/// Code that asks for itself: what is known grows from round to round, until it stays the same or
/// takes too long to.
fn settle(cycle: &salsa::Cycle<'_>, before: &Inference, after: Inference) -> Inference {
    if cycle.iteration() < MAX_ROUNDS {
        return after;
    }
    let stable = |name: &String, it: &Inferred| before.variables.get(name) == Some(it);
    let variables = after.variables.iter().map(|(name, it)| {
        let kept = stable(name, it).then(|| it.clone());
        (name.clone(), kept.unwrap_or(Inferred::UNKNOWN))
    });
    Inference {
        variables: variables.collect(),
        result: after.result.as_ref().map(|it| {
            let same = before.result.as_ref() == Some(it);
            if same { it.clone() } else { Inferred::UNKNOWN }
        }),
        ..after
    }
}

/// What is known of a variable of an item's own scope when the item has run. It changes less often
/// than the code does.
#[salsa::tracked(
    cycle_initial = |_, _, _, _| Inferred::never(),
    cycle_fn = |_, cycle, before, after, _, _| grown(cycle, before, after),
)]
pub(crate) fn variable_type<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    name: NameKey<'db>,
) -> Inferred {
    let found = infer(db, item).variables.get(name.text(db));
    found.cloned().unwrap_or_else(Inferred::never)
}

/// What is known of the result of a function or plan.
#[salsa::tracked(
    cycle_initial = |_, _, _| Inferred::never(),
    cycle_fn = |_, cycle, before, after, _| grown(cycle, before, after),
)]
pub(crate) fn result_type<'db>(db: &'db dyn Database, item: Item<'db>) -> Inferred {
    let found = infer(db, item).result.clone();
    found.unwrap_or_else(Inferred::never)
}

/// The next step of a cycle: it has what the step before had. From the second one on, constants
/// are widened, so that counting up ends.
fn grown(cycle: &salsa::Cycle<'_>, before: &Inferred, after: Inferred) -> Inferred {
    if *before == after {
        return after;
    }
    match cycle.iteration() {
        it if it >= MAX_ROUNDS => Inferred::UNKNOWN,
        it if it >= 2 => Inferred::of(union([
            crate::types::generalize(&before.type_),
            crate::types::generalize(&after.type_),
            before.type_.clone(),
            after.type_,
        ])),
        _ => Inferred::union([before.clone(), after]),
    }
}

/// The parameters of a class, defined type, function or plan with their types: `Any` where none is
/// declared or it is not known.
#[salsa::tracked]
pub(crate) fn declared_parameters<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
) -> Vec<(String, Type)> {
    let types = WorkspaceTypes::new(db, item.file(db).environment(db));
    let root = SyntaxNode::new_root(item.header(db).clone());
    let list = root.children().filter_map(ParameterList::cast);
    let parameters = list.flat_map(|it| it.parameters());
    parameters
        .filter_map(|it| {
            let type_ = it.type_expr().and_then(|it| types.read(&it));
            Some((it.name()?, type_.unwrap_or(Type::Any)))
        })
        .collect()
}

#[cfg(test)]
mod revealed;
