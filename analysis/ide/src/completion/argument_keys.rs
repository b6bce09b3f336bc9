//! Completes the keys of hashes that calls take apart: parameters of templates, and attributes of the
//! resources that a function creates.

use syntax::ast::{AstNode, CallExpr, Expr, HashEntry, HashExpr, UnbracedHash};
use syntax::{SyntaxKind, SyntaxNode};

use super::resource::{AttributeOwner, ResourceContext, attribute_info};
use super::values::existing_keys;
use crate::bolt::{Task, find_task};
use crate::hover::passed_type;
use crate::readable_type::readable_type;

use super::{Candidate, Candidates, CompletionKind, DocumentedKind, score};
use base::FileInput;
use hir::autoload::{NameKey, find_item};
use hir::body::{ReferenceName, body};
use hir::variables::{is_open_template, resolve_external_variable};
use hir::{Item, ItemKind, canonical_name, items, resolve, signature};
use infer::template_parameters;
use library::{KnownFunction, NamedEntity};
use salsa::Database;

/// A hash in the arguments of a call.
struct ArgumentHash {
    function: KnownFunction,
    /// The first argument, if it is a literal.
    first: String,
    /// The index of the argument.
    index: usize,
    /// Whether the hash is the value of an entry of the argument.
    is_nested: bool,
}

/// Adds the keys that the called function looks for.
pub(super) fn argument_keys(acc: &mut Candidates<'_, '_>) {
    let Some(hash) = argument_hash(acc) else {
        return;
    };
    use KnownFunction::{CreateResources, EnsureResource, EnsureResources, RunPlan, RunTask};
    match (hash.function, hash.index, hash.is_nested) {
        (CreateResources | EnsureResources, 1, true)
        | (CreateResources | EnsureResource | EnsureResources, 2, false) => {
            attributes(acc, &hash.first);
        }
        (function, 1, false) if function.names() == Some(NamedEntity::EppTemplate) => {
            parameters(acc, &hash.first);
        }
        (RunTask, 2.., false) => task_parameters(acc, &hash.first),
        (RunPlan, 1.., false) => plan_parameters(acc, &hash.first),
        _ => {}
    }
}

/// Adds the keys of a hash without braces that starts at the cursor: an argument of `run_task` or `run_plan`.
pub(super) fn unbraced_keys(acc: &mut Candidates<'_, '_>) {
    let mut around = acc.cursor.token.parent_ancestors();
    let Some(argument) = around.find(|it| {
        let parent = it.parent();
        parent.is_some_and(|it| it.kind() == SyntaxKind::ARGUMENT_LIST)
    }) else {
        return;
    };
    let Some(hash) = hash_argument(argument.clone(), false) else {
        return;
    };
    let first = match hash.function {
        KnownFunction::RunTask if hash.index >= 2 => task_parameters,
        KnownFunction::RunPlan if hash.index >= 1 => plan_parameters,
        _ => return,
    };
    if argument.text_range() == acc.cursor.token.text_range()
        || argument.first_token().as_ref() == Some(&acc.cursor.token)
    {
        first(acc, &hash.first);
    }
}

/// Returns the keys of the hashes without braces in the arguments of the call at the cursor.
fn keys_in_arguments(acc: &Candidates<'_, '_>) -> Vec<String> {
    let mut around = acc.cursor.token.parent_ancestors();
    let list = around.find(|it| it.kind() == SyntaxKind::ARGUMENT_LIST);
    let hashes = list.iter().flat_map(SyntaxNode::children);
    let hashes = hashes.filter(|it| UnbracedHash::can_cast(it.kind()));
    let entries = hashes.flat_map(|it| it.children().collect::<Vec<_>>());
    let entries = entries.filter(|it| !acc.cursor.is_within(it));
    let keys = entries.filter_map(|it| HashEntry::cast(it)?.key()?.plain_text());
    keys.collect()
}

fn argument_hash(acc: &Candidates<'_, '_>) -> Option<ArgumentHash> {
    let mut hashes = acc.cursor.token.parent_ancestors();
    let is_hash =
        |it: &SyntaxNode| HashExpr::can_cast(it.kind()) || UnbracedHash::can_cast(it.kind());
    let inner = hashes.find(is_hash)?;
    let parent = inner.parent()?;
    let (argument, is_nested) = match parent.kind() {
        SyntaxKind::HASH_ENTRY => (parent.parent()?, true),
        _ => (inner, false),
    };
    hash_argument(argument, is_nested)
}

fn hash_argument(argument: SyntaxNode, is_nested: bool) -> Option<ArgumentHash> {
    let list = argument.parent()?;
    let call = CallExpr::cast(list.parent()?)?;
    let arguments: Vec<SyntaxNode> = list
        .children()
        .filter(|it| Expr::can_cast(it.kind()))
        .collect();
    let first = arguments.first().cloned().and_then(Expr::cast)?;
    Some(ArgumentHash {
        function: KnownFunction::from_name(&canonical_name(call.name_token()?.text()))?,
        first: first.plain_text()?,
        index: arguments.iter().position(|it| *it == argument)?,
        is_nested,
    })
}

fn attributes(acc: &mut Candidates<'_, '_>, type_: &str) {
    let resource = ResourceContext {
        type_: canonical_name(type_),
        ..ResourceContext::default()
    };
    let (db, environment) = (acc.cursor.db, acc.cursor.environment);
    let Some(owner) = AttributeOwner::of(db, environment, &resource) else {
        return;
    };
    let metaparameters = library::metaparameters().iter();
    let metaparameters = metaparameters.map(|it| (attribute_info(it), 0));
    let own = owner.attributes(db).into_iter();
    let own = own.map(|it| (it, score::SAME_SCOPE));
    for (attribute, points) in own.chain(metaparameters) {
        let required = attribute.required && !attribute.namevar;
        let points = points + if required { score::TYPE_MATCH } else { 0 };
        let key = format!("{} {}", resource.type_, attribute.name);
        let documented = (DocumentedKind::Attribute, key);
        add(
            acc,
            &attribute.name,
            points,
            attribute.type_,
            Some(documented),
        );
    }
}

fn parameters(acc: &mut Candidates<'_, '_>, path: &str) {
    let (db, environment) = (acc.cursor.db, acc.cursor.environment);
    let Some(template) = resolve::epp_template(db, environment, path) else {
        return;
    };
    let Some(all) = template_parameters(db, template).as_ref() else {
        return variables_of_template(acc, template);
    };
    for it in all {
        let type_ = types::display_hover(it.type_());
        let points = if it.has_default() {
            0
        } else {
            score::TYPE_MATCH
        };
        add(acc, &it.name, points, Some(type_), None);
    }
}

/// Adds the variables that a template without a parameter list reads and does not define.
fn variables_of_template(acc: &mut Candidates<'_, '_>, template: FileInput) {
    let db = acc.cursor.db;
    let Some(item) = items(db, template)
        .iter()
        .find(|it| is_open_template(db, **it))
    else {
        return;
    };
    for name in free_variables(db, *item) {
        let type_ = passed_type(db, *item, name);
        let type_ = type_.and_then(|it| readable_type(&it.type_, 80));
        add(acc, name, score::TYPE_MATCH, type_, None);
    }
}

/// Returns the variables of a template that it neither assigns nor finds in top scope, in source order.
fn free_variables<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<&'db str> {
    let body = body(db, item);
    let environment = item.file(db).environment(db);
    let mut found = Vec::new();
    for reference in &body.references {
        let ReferenceName::Variable(name) = &reference.name else {
            continue;
        };
        let is_bound = || {
            let mut scopes = body.scopes_from(reference.scope);
            scopes.any(|it| body.scopes[it].binds(name))
        };
        if !name.contains("::")
            && !found.contains(&name.as_str())
            && !is_bound()
            && resolve_external_variable(db, environment, item, name).is_err()
        {
            found.push(name.as_str());
        }
    }
    found
}

fn task_parameters(acc: &mut Candidates<'_, '_>, task: &str) {
    let Some(environment) = acc.cursor.environment else {
        return;
    };
    let task = find_task(acc.cursor.db, environment, task);
    for it in task.iter().flat_map(Task::parameters) {
        let points = if it.is_required { score::TYPE_MATCH } else { 0 };
        let key = task.iter().map(|task| format!("{} {}", task.name, it.name));
        let documented = key.map(|it| (DocumentedKind::TaskParameter, it)).next();
        add(acc, &it.name, points, it.type_, documented);
    }
}

fn plan_parameters(acc: &mut Candidates<'_, '_>, plan: &str) {
    let db = acc.cursor.db;
    let key = NameKey::new(db, canonical_name(plan));
    let environment = acc.cursor.environment;
    let Some(plan) = environment.and_then(|it| find_item(db, it, ItemKind::Plan, key)) else {
        return;
    };
    for it in &signature(db, plan).parameters {
        let points = if it.is_required() {
            score::TYPE_MATCH
        } else {
            0
        };
        add(acc, &it.name, points, it.type_.clone(), None);
    }
}

fn add(
    acc: &mut Candidates<'_, '_>,
    name: &str,
    points: i64,
    type_: Option<String>,
    documented: Option<(DocumentedKind, String)>,
) {
    let mut existing = existing_keys(acc.cursor);
    existing.extend(keys_in_arguments(acc));
    if existing.iter().any(|it| it == name) {
        return;
    }
    let mut candidate = Candidate::new(CompletionKind::Key, name)
        .detail(type_.map(|it| base::truncated(&it, 80)))
        .insert(acc.hash_key(name, &format!("'{name}'")));
    if let Some((kind, key)) = documented {
        candidate = candidate.documentation_key(kind, key);
    }
    acc.add(candidate.score(score::TYPE_MATCH + points));
}
