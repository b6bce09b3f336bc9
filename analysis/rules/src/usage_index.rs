//! The usage index of an environment: the variables that are read by their qualified names, the
//! classes that are inherited from, and the attributes that are set outside of the declaration of a
//! resource.
//!
//! The index is built per file, per module and per environment, so that an edit only recomputes the
//! files of one module. Rules query single names rather than the whole index, so that an unrelated
//! change does not invalidate them.

use std::collections::{BTreeMap, BTreeSet};

use salsa::Database;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::{NameKey, module_puppet_files};
use hir::body::{ReferenceName, Resource, ResourceForm, body};
use hir::declared_resources::{declared_resources, resources_declared_in, unique_title};
use hir::{ItemKind, canonical_name, items, signature};

/// The names used in a file, a module or an environment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct UsageIndex {
    /// The variables that are read by their qualified names.
    variables: BTreeSet<String>,
    /// The classes that are inherited from.
    inherited: BTreeSet<String>,
    /// The functions that are called, and whether a call may be in a loop.
    calls: BTreeMap<String, bool>,
    /// The attributes that defaults, overrides and collectors set, by resource type.
    attributes: BTreeMap<String, BTreeSet<String>>,
}

impl UsageIndex {
    fn add(&mut self, other: &UsageIndex) {
        self.variables.extend(other.variables.iter().cloned());
        self.inherited.extend(other.inherited.iter().cloned());
        for (function, in_loop) in &other.calls {
            *self.calls.entry(function.clone()).or_default() |= in_loop;
        }
        for (type_, names) in &other.attributes {
            let attributes = self.attributes.entry(type_.clone()).or_default();
            attributes.extend(names.iter().cloned());
        }
    }

    fn add_attributes(&mut self, resource: &Resource) {
        let is_own = matches!(
            resource.form,
            ResourceForm::Declaration | ResourceForm::DefaultBody
        );
        if let Some(type_) = resource.type_.as_ref().filter(|_| !is_own) {
            let names = resource.attributes.iter().map(|it| it.name.clone());
            // A hash may set any attribute.
            let names = names.chain(resource.splat.then(|| "*".to_owned()));
            self.attributes
                .entry(type_.clone())
                .or_default()
                .extend(names);
        }
    }

    fn all<'a>(parts: impl IntoIterator<Item = &'a UsageIndex>) -> UsageIndex {
        let mut all = UsageIndex::default();
        parts.into_iter().for_each(|it| all.add(it));
        all
    }
}

/// Returns the usage index of a file.
#[salsa::tracked]
pub(crate) fn file_usage_index(db: &dyn Database, file: FileInput) -> UsageIndex {
    let mut found = UsageIndex::default();
    for item in items(db, file) {
        let body = body(db, *item);
        for reference in &body.references {
            if let ReferenceName::Variable(name) = &reference.name
                && name.trim_start_matches("::").contains("::")
            {
                found.variables.insert(canonical_name(name));
            }
            if let ReferenceName::Function(name) = &reference.name {
                // The caller of a function or of a template may be in a loop itself.
                let is_plain = matches!(item.kind(db), ItemKind::Class | ItemKind::DefinedType);
                let in_loop = reference.scope != 0 || !is_plain;
                *found.calls.entry(canonical_name(name)).or_default() |= in_loop;
            }
        }
        body.resources
            .iter()
            .for_each(|it| found.add_attributes(it));
        found
            .inherited
            .extend(signature(db, *item).inherits.clone());
    }
    found
}

#[salsa::tracked]
fn module_usage_index(db: &dyn Database, module: ModuleInput) -> UsageIndex {
    let files = module_puppet_files(db, module).iter();
    UsageIndex::all(files.map(|it| file_usage_index(db, *it)))
}

#[salsa::tracked]
fn environment_usage_index(db: &dyn Database, environment: EnvironmentInput) -> UsageIndex {
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| file_usage_index(db, *it));
    let modules = environment.modules(db).values();
    UsageIndex::all(manifests.chain(modules.map(|it| module_usage_index(db, *it))))
}

/// Checks whether any file reads a variable by its qualified name.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_read_by_full_name<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    variable: NameKey<'db>,
) -> bool {
    let all = environment_usage_index(db, environment);
    all.variables.contains(variable.text(db))
}

/// Where the functions of modules are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FunctionCalls {
    /// Only in classes and defined types, outside of lambdas.
    OutsideOfLoops,
    /// Nowhere, or possibly in a loop.
    Other,
}

/// Returns where a function is called.
#[salsa::tracked(returns(copy))]
pub(crate) fn calls_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    function: NameKey<'db>,
) -> FunctionCalls {
    let index = environment_usage_index(db, environment);
    match index.calls.get(function.text(db)) {
        Some(false) => FunctionCalls::OutsideOfLoops,
        _ => FunctionCalls::Other,
    }
}

/// Checks whether any class inherits from the given class.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_inherited<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> bool {
    environment_usage_index(db, environment)
        .inherited
        .contains(class.text(db))
}

/// Returns the parameters of a defined type that resource defaults, overrides and collectors set
/// anywhere in the environment.
#[salsa::tracked]
pub(crate) fn attributes_set_elsewhere<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
) -> BTreeSet<String> {
    let attributes = environment_usage_index(db, environment)
        .attributes
        .get(type_.text(db));
    attributes.cloned().unwrap_or_default()
}

/// Checks whether any code of the environment declares a resource with this title.
#[salsa::tracked(returns(copy))]
pub(crate) fn is_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let title = unique_title(type_.text(db), title.text(db));
    let directory = format!("{title}/");
    let same = unique_title(type_.text(db), &directory) == title;
    let titles = [Some(title.to_owned()), same.then_some(directory)];
    titles.into_iter().flatten().any(|title| {
        let resource = (type_.text(db).clone(), title);
        let mut modules = environment.modules(db).values();
        let mut manifests = environment.manifests(db).iter();
        modules.any(|it| resources_declared_in(db, *it).contains(&resource))
            || manifests.any(|it| declared_resources(db, *it).contains(&resource))
    })
}
