//! Resolution of variables in Puppet's scopes.
//!
//! An unqualified name is looked up in the enclosing lambdas, in the class, defined type, node,
//! function or plan, in the parents of a class, then in node scope and top scope. In functions and
//! plans, only their own scope and top scope are visible.

use rustc_hash::FxHashSet;
use salsa::Database;
use std::borrow::Cow;
use std::collections::BTreeSet;
use syntax::TextRange;

use super::autoload::{NameKey, find_item};
use super::body::{Body, Reference, body, is_incomplete};
use super::item::{Item, ItemKind, items, signature};
use super::resolve::ResolveError;
use super::ruby_symbols;
use base::EnvironmentInput;
use library::BuiltInVariable;
use library::signatures::Fact;

/// The definition of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableSource<'db> {
    /// The parameters and assignments of an item that define the variable.
    Bindings(Item<'db>, Bindings),
    /// A variable set by Puppet.
    BuiltIn(&'static BuiltInVariable),
    /// A core fact of Facter.
    Fact(Cow<'static, Fact>),
    /// A custom fact of a module.
    CustomFact(base::FileInput, std::sync::Arc<Fact>),
    /// A match variable: `$0`, `$1` …
    Match,
}

/// The bindings of a variable in an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bindings {
    /// The bindings in a scope of the item that contains the reference.
    InScope(Vec<TextRange>),
    /// The variable in the scope of another item. The ranges are omitted because each edit of
    /// that item changes them, and rules do not need them.
    OfItem(String),
}

impl Bindings {
    /// Returns the ranges of the names in the tree of the item, including the dollar sign.
    pub fn ranges(&self, db: &dyn Database, item: Item<'_>) -> Vec<TextRange> {
        match self {
            Bindings::InScope(ranges) => ranges.clone(),
            Bindings::OfItem(name) => {
                let found = body(db, item).own_bindings(name).map(|it| it.range);
                found.collect()
            }
        }
    }
}

/// Resolves a reference to a variable.
///
/// # Errors
///
/// If the variable is not found, with the reason.
pub(crate) fn resolve_variable<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    item: Item<'db>,
    reference: &Reference,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    match resolve_qualified(db, environment, name) {
        Some(found) => found,
        None => resolve_unqualified(db, environment, item, reference, name),
    }
}

fn resolve_unqualified<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    item: Item<'db>,
    reference: &Reference,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    let own = body(db, item);
    for scope in own.scopes_from(reference.scope) {
        let found = own.scopes[scope].bindings_of(name);
        let ranges: Vec<_> = found.map(|it| it.range).collect();
        if !ranges.is_empty() {
            return Ok(VariableSource::Bindings(item, Bindings::InScope(ranges)));
        }
    }
    resolve_unqualified_external(db, environment, item, name)
}

/// Resolves a variable outside of the scopes of the item.
///
/// # Errors
///
/// If the variable is not found, with the reason.
pub fn resolve_external_variable<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    item: Item<'db>,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    match resolve_qualified(db, environment, name) {
        Some(found) => found,
        None => resolve_unqualified_external(db, environment, item, name),
    }
}

/// Resolves a variable with a qualified name or a match variable; `None` for any other name.
pub fn resolve_qualified<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<Result<VariableSource<'db>, ResolveError>> {
    if !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit()) {
        return Some(Ok(VariableSource::Match));
    }
    if let Some(top) = name.strip_prefix("::").filter(|it| !it.contains("::")) {
        return Some(resolve_in_top_scope(db, environment, top));
    }
    let name = name.strip_prefix("::").unwrap_or(name);
    let (class, variable) = name.rsplit_once("::")?;
    Some(resolve_in_class(db, environment, class, variable))
}

fn resolve_unqualified_external<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    item: Item<'db>,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    if let Some(found) = library::variable(name) {
        return Ok(VariableSource::BuiltIn(found));
    }
    if item.kind(db) == ItemKind::Class {
        match lookup_inherited(db, environment, item, name) {
            InheritedLookup::Found(found) => return Ok(found),
            InheritedLookup::Unknown => return Err(ResolveError::Unknown),
            InheritedLookup::NotFound => {}
        }
    }
    // Metaparameters are variables if they are set on the resource.
    let is_resource = item.kind(db).is_declarable();
    if is_resource && library::metaparameter(name).is_some() {
        return Err(ResolveError::Unknown);
    }
    match resolve_in_top_scope(db, environment, name) {
        Err(_) if let Some(found) = resolve_in_top_scope_of_file(db, item, name) => Ok(found),
        Err(_) if is_open_template(db, item) || is_incomplete(db, item) => {
            Err(ResolveError::Unknown)
        }
        other => other,
    }
}

/// Checks whether an item is a template without a parameter list, which may get any variables. One with a parameter
/// list sees only top scope, from `epp_evaluator.rb`.
pub fn is_open_template(db: &dyn Database, item: Item<'_>) -> bool {
    item.kind(db) == ItemKind::Main
        && item.file(db).spec(db).dialect.epp
        && body(db, item).template_parameters.is_none()
}

enum InheritedLookup<'db> {
    Found(VariableSource<'db>),
    /// A parent class is unknown, so it may define any variable.
    Unknown,
    NotFound,
}

/// The number of ancestors of a class in which variables are looked up.
const MAX_ANCESTORS: usize = 200;

fn lookup_inherited<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    class: Item<'db>,
    name: &str,
) -> InheritedLookup<'db> {
    let mut seen = FxHashSet::default();
    let mut at = class;
    while let Some(parent) = &signature(db, at).inherits {
        let key = NameKey::new(db, parent.clone());
        let found = environment.and_then(|it| find_item(db, it, ItemKind::Class, key));
        let Some(parent) = found else {
            return InheritedLookup::Unknown;
        };
        if !seen.insert(parent) {
            break;
        }
        if seen.len() > MAX_ANCESTORS {
            return InheritedLookup::Unknown;
        }
        if let Some(found) = resolve_in_own_scope(db, parent, name) {
            return InheritedLookup::Found(found);
        }
        if own_variables(db, parent).incomplete {
            return InheritedLookup::Unknown;
        }
        at = parent;
    }
    InheritedLookup::NotFound
}

fn resolve_in_class<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    class: &str,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    if class == "settings" {
        let found = library::variable(&format!("settings::{name}"));
        // There are hundreds of settings, and modules may define more.
        return found
            .map(VariableSource::BuiltIn)
            .ok_or(ResolveError::Unknown);
    }
    let environment = environment.ok_or(ResolveError::Unknown)?;
    let class = class.to_ascii_lowercase();
    let Some(item) = find_item(
        db,
        environment,
        ItemKind::Class,
        NameKey::new(db, class.clone()),
    ) else {
        return Err(super::resolve::reason_not_defined(db, environment, &class).for_member());
    };
    if let Some(found) = resolve_in_own_scope(db, item, name) {
        return Ok(found);
    }
    if let Some(found) = library::variable(name)
        && matches!(
            name,
            "title" | "name" | "module_name" | "caller_module_name"
        )
    {
        return Ok(VariableSource::BuiltIn(found));
    }
    match lookup_inherited(db, Some(environment), item, name) {
        InheritedLookup::Found(found) => Ok(found),
        InheritedLookup::Unknown => Err(ResolveError::Unknown),
        InheritedLookup::NotFound if own_variables(db, item).incomplete => {
            Err(ResolveError::Unknown)
        }
        InheritedLookup::NotFound => Err(ResolveError::NotDefined),
    }
}

fn resolve_in_top_scope<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<VariableSource<'db>, ResolveError> {
    if let Some(found) = library::variable(name) {
        return Ok(VariableSource::BuiltIn(found));
    }
    let fact = library::fact(name).map(Cow::Borrowed);
    if let Some(fact) = fact.or_else(|| library::legacy_fact(name)) {
        return Ok(VariableSource::Fact(fact));
    }
    let environment = environment.ok_or(ResolveError::Unknown)?;
    if let Some((file, fact)) = ruby_symbols::custom_facts(db, environment).get(name) {
        return Ok(VariableSource::CustomFact(*file, fact.clone()));
    }
    for file in environment.manifests(db).iter() {
        for item in items(db, *file) {
            if matches!(item.kind(db), ItemKind::Main | ItemKind::Node)
                && let Some(found) = resolve_in_own_scope(db, *item, name)
            {
                return Ok(found);
            }
        }
    }
    Err(ResolveError::MaybeExternal)
}

/// Resolves a variable of the top-level code around an item: the file may be applied by itself.
fn resolve_in_top_scope_of_file<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    name: &str,
) -> Option<VariableSource<'db>> {
    let items = items(db, item.file(db)).iter();
    let mut others = items.filter(|it| it.kind(db) == ItemKind::Main && **it != item);
    others.find_map(|it| resolve_in_own_scope(db, *it, name))
}

/// The names visible to others in the own scope of an item. They change less often than the body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnVariables {
    pub names: BTreeSet<String>,
    /// Whether there may be further names.
    pub incomplete: bool,
}

/// Returns the variables of an item's own scope.
#[salsa::tracked]
pub fn own_variables<'db>(db: &'db dyn Database, item: Item<'db>) -> OwnVariables {
    let body = body(db, item);
    OwnVariables {
        names: own_names(body),
        incomplete: body.incomplete,
    }
}

fn own_names(body: &Body) -> BTreeSet<String> {
    let own = body.scopes.first().into_iter();
    own.flat_map(|it| &it.bindings)
        .map(|it| it.name.clone())
        .collect()
}

/// Resolves a variable of an item's own scope. Depends only on the names, not on the bindings.
fn resolve_in_own_scope<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    name: &str,
) -> Option<VariableSource<'db>> {
    let names = &own_variables(db, item).names;
    names
        .contains(name)
        .then(|| VariableSource::Bindings(item, Bindings::OfItem(name.to_owned())))
}
