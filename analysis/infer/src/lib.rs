//! Type inference: flow-sensitive types and constant values of the expressions of an item.
//!
//! Inference walks an item in evaluation order and tracks the state of the variables at each point
//! ([`flow`]). It works on the item's own syntax tree and its results are relative to that tree, so
//! an edit elsewhere in the file does not invalidate them. Other items are only reached through
//! queries with small results: the type of one variable, the signature of one function.
//!
//! Inference is sound: an inferred type contains every value that the expression can have at run
//! time, and an unknown expression has the type `Any`. A definite problem is therefore only
//! reported if no value can fit. This module knows neither files nor file offsets nor the wording
//! of diagnostics; those belong to [`rules`].

mod access;
mod argument_narrowing;
mod argument_values;
mod arity;
mod attribute_sets;
mod attributes;
mod bolt_functions;
mod branch_values;
mod calls;
mod case_options;
mod class_names;
mod combinations;
mod comparisons;
mod conditions;
mod constant_folding;
mod conversion_options;
mod declared_sets;
mod default_values;
mod destructuring;
mod expressions;
mod external_variables;
mod flow;
mod functions;
mod getvar;
mod hash_attributes;
mod hiera_keys;
mod hiera_lookup;
mod inference_context;
mod inferred;
mod inferred_types;
mod lambdas;
mod match_variables;
mod narrowing;
mod needed_parameters;
mod operators;
mod overloads;
mod parameters;
mod paths;
mod plans;
mod possible_mismatch;
mod problem;
mod purged_types;
mod resources;
mod runnables;
mod signatures;
mod strings;
mod tasks;
mod templates;
mod time_operators;
mod type_parameters;
mod variables;
mod workspace_types;

use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::{AstNode, ParameterList};
use syntax::{SyntaxNode, TextRange};

pub use argument_values::{refused_by_validation, refused_tag};
pub use arity::ArityRange;
pub use attribute_sets::exclusive_attributes;
pub use attributes::refused_value;
pub use bolt_functions::bolt_signatures;
pub use conditions::only_fails;
pub use hiera_keys::{
    KeyPresence, LayerKeys, has_data_elsewhere, has_whole_data, is_certainly_missing,
    is_in_data_of_all_nodes, key_presence, layer_keys, may_be_in_absent_data, plan_keys,
    unconditional_files, unconditional_files_with,
};
pub use hiera_lookup::{
    AllLookupOptions, CodeVariables, ENVIRONMENT_MODULE, InvalidData, LayerFile, LayerFiles,
    NodeVariables, WorkspaceData, all_lookup_options, convert_data, data_file,
    has_environment_data, hiera_config, layer_files, layer_module,
};
pub use inferred::Inferred;
pub use inferred_types::{InferredType, inferred_at, inferred_types};
pub use needed_parameters::needed_parameters;
pub use overloads::{call_at, candidate_overloads, candidate_parameters};
pub use problem::{
    AttributeOwner, RunnableKind, Template, TypeProblem, TypeProblemKind, ValueTarget,
};
pub use runnables::{Runnable, yaml_plan_file};
pub use signatures::{
    ResolvedOverload, Signatures, all_signatures, refused_arguments, signatures_of,
};
pub use strings::finite_strings;
pub use tasks::{PARAMETER_TYPE, task_names};
pub use templates::template_parameters;
pub use workspace_types::{WorkspaceTypes, type_alias_error};

use hir::autoload::NameKey;
use hir::{Item, ItemKind};
use inference_context::InferenceContext;
use types::precise::union;
use types::{Type, accepted_by_parameter};

/// The number of fixpoint iterations after which a result that still changes becomes unknown.
const MAX_ROUNDS: u32 = 8;

/// The result of inferring an item.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InferenceResult {
    /// The typed ranges that are reached, ordered by position, outer before inner.
    pub(crate) typed_ranges: Vec<TypedRange>,
    /// The problems found, ordered by position.
    pub problems: Vec<TypeProblem>,
    /// The variables of the item's own scope, in their state at its end.
    variables: FxHashMap<String, Inferred>,
    /// The result of a function or plan.
    result: Option<Inferred>,
}

impl InferenceResult {
    /// Returns the inferred type of the expression, parameter or assigned variable with exactly
    /// this range.
    pub fn at(&self, range: TextRange) -> Option<&Inferred> {
        let key = (range.start(), std::cmp::Reverse(range.end()));
        let order = |it: &TypedRange| (it.range.start(), std::cmp::Reverse(it.range.end()));
        let first = self.typed_ranges.partition_point(|it| order(it) < key);
        let typed_range = self.typed_ranges.get(first)?;
        (typed_range.range == range).then_some(&typed_range.inferred)
    }
}

/// A range of the item's tree with its inferred type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypedRange {
    /// Relative to the item's tree.
    pub range: TextRange,
    pub kind: TypedRangeKind,
    pub inferred: Inferred,
}

/// The kind of node that has an inferred type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TypedRangeKind {
    Expression,
    /// A parameter; the range is that of its name.
    Parameter,
    /// A variable that is assigned; the range is that of its name.
    Assigned,
}

/// Infers the types of an item.
///
/// The query has no LRU limit: it can be part of a cycle, and salsa would treat an evicted value as
/// one whose computation panicked.
#[salsa::tracked(
    cycle_initial = |_, _, _| InferenceResult::default(),
    cycle_fn = |_, cycle, before, after, _| recover_inference(cycle, before, after),
)]
pub fn infer_item<'db>(db: &'db dyn Database, item: Item<'db>) -> InferenceResult {
    InferenceContext::new(db, item).run()
}

/// Infers a modified tree of an item, such as one completed at the cursor, without memoizing the
/// result. The root of `tree` is the item's node.
pub fn infer_tree<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    tree: SyntaxNode,
) -> InferenceResult {
    InferenceContext::for_tree(db, item, tree).run()
}

/// Cycle recovery for [`infer_item`]: iterates to a fixpoint, and gives up on values that still
/// change after [`MAX_ROUNDS`].
fn recover_inference(
    cycle: &salsa::Cycle<'_>,
    before: &InferenceResult,
    after: InferenceResult,
) -> InferenceResult {
    if cycle.iteration() < MAX_ROUNDS {
        return after;
    }
    let stable = |name: &String, it: &Inferred| before.variables.get(name) == Some(it);
    let variables = after.variables.iter().map(|(name, it)| {
        let kept = stable(name, it).then(|| it.clone());
        (name.clone(), kept.unwrap_or(Inferred::UNKNOWN))
    });
    InferenceResult {
        variables: variables.collect(),
        result: after.result.as_ref().map(|it| {
            let same = before.result.as_ref() == Some(it);
            if same { it.clone() } else { Inferred::UNKNOWN }
        }),
        ..after
    }
}

/// Returns the type of a variable in an item's own scope at the end of the item. It changes less
/// often than the code, so queries that depend on it are rarely invalidated.
#[salsa::tracked(
    cycle_initial = |_, _, _, _| Inferred::never(),
    cycle_fn = |_, cycle, before, after, _, _| widen_cycle_result(cycle, before, after),
)]
pub fn variable_type<'db>(db: &'db dyn Database, item: Item<'db>, name: NameKey<'db>) -> Inferred {
    let found = infer_item(db, item).variables.get(name.text(db));
    found.cloned().unwrap_or_else(Inferred::never)
}

/// Returns the type of the result of a function or plan.
#[salsa::tracked(
    cycle_initial = |_, _, _| Inferred::never(),
    cycle_fn = |_, cycle, before, after, _| widen_cycle_result(cycle, before, after),
)]
pub fn result_type<'db>(db: &'db dyn Database, item: Item<'db>) -> Inferred {
    let found = infer_item(db, item).result.clone();
    found.unwrap_or_else(Inferred::never)
}

/// One step of a fixpoint iteration: joins the previous result with the new one. Constants are
/// widened from the second step on, so that counting loops terminate.
fn widen_cycle_result(cycle: &salsa::Cycle<'_>, before: &Inferred, after: Inferred) -> Inferred {
    if *before == after {
        return after;
    }
    match cycle.iteration() {
        it if it >= MAX_ROUNDS => Inferred::UNKNOWN,
        it if it >= 2 => Inferred::of(union([
            types::generalize(&before.type_),
            types::generalize(&after.type_),
            before.type_.clone(),
            after.type_,
        ])),
        _ => Inferred::union([before.clone(), after]),
    }
}

/// Returns the parameters of a class, defined type, function or plan with their declared types:
/// `Any` if a type is missing or cannot be read.
#[salsa::tracked]
pub fn declared_parameters<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<(String, Type)> {
    let types = WorkspaceTypes::in_file(db, item.file(db));
    let root = SyntaxNode::new_root(item.header(db).clone());
    let list = root.children().filter_map(ParameterList::cast);
    let parameters = list.flat_map(|it| it.parameters());
    let is_lenient = checks_leniently(db, item);
    parameters
        .filter_map(|it| {
            let type_ = it.type_expr().and_then(|it| types.read(&it));
            let type_ = match is_lenient {
                true => type_.as_ref().map(accepted_by_parameter),
                false => type_,
            };
            Some((it.name()?, type_.unwrap_or(Type::Any)))
        })
        .collect()
}

/// Checks whether Puppet checks the parameters of an item by [`accepted_by_parameter`]. The parameters of
/// a main program are those of a template.
fn checks_leniently(db: &dyn Database, item: Item<'_>) -> bool {
    matches!(
        item.kind(db),
        ItemKind::Class | ItemKind::DefinedType | ItemKind::Main
    )
}

#[cfg(test)]
mod test_support;
