//! What the code of an environment says that rules for other code ask about: which variables are
//! read, which classes inherited from, what resources are given in other places than their own.
//!
//! Gathered by file, by module and for all, so that an edit is followed by a look at the files of
//! one module. Nobody depends on what is gathered: they ask about one name.

use std::collections::{BTreeMap, BTreeSet};

use salsa::Database;

use crate::db::{EnvironmentInput, FileInput, ModuleInput};
use crate::workspace::autoload::{NameKey, module_puppet_files};
use crate::workspace::body::{Name, Resource, ResourceForm, body};
use crate::workspace::resources::{declared_resources, resources_declared_in};
use crate::workspace::{canonical, items, signature};

/// What code says that rules for other code ask about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Mentions {
    /// The variables that are read by their full names.
    variables: BTreeSet<String>,
    /// The classes that are inherited from.
    inherited: BTreeSet<String>,
    /// The attributes, by the type, that resources are given by defaults, overrides and collectors.
    given: BTreeMap<String, BTreeSet<String>>,
}

impl Mentions {
    fn add(&mut self, other: &Mentions) {
        self.variables.extend(other.variables.iter().cloned());
        self.inherited.extend(other.inherited.iter().cloned());
        for (type_, names) in &other.given {
            let given = self.given.entry(type_.clone()).or_default();
            given.extend(names.iter().cloned());
        }
    }

    fn add_given(&mut self, resource: &Resource) {
        let is_own = matches!(
            resource.form,
            ResourceForm::Declaration | ResourceForm::DefaultBody
        );
        if let Some(type_) = resource.type_.as_ref().filter(|_| !is_own) {
            let names = resource.attributes.iter().map(|it| it.name.clone());
            self.given.entry(type_.clone()).or_default().extend(names);
        }
    }

    fn all<'a>(parts: impl IntoIterator<Item = &'a Mentions>) -> Mentions {
        let mut all = Mentions::default();
        parts.into_iter().for_each(|it| all.add(it));
        all
    }
}

/// What a file mentions.
#[salsa::tracked]
pub(super) fn mentions(db: &dyn Database, file: FileInput) -> Mentions {
    let mut found = Mentions::default();
    for item in items(db, file) {
        let body = body(db, *item);
        for reference in &body.references {
            if let Name::Variable(name) = &reference.name
                && name.trim_start_matches("::").contains("::")
            {
                found.variables.insert(canonical(name));
            }
        }
        body.resources.iter().for_each(|it| found.add_given(it));
        found
            .inherited
            .extend(signature(db, *item).inherits.clone());
    }
    found
}

#[salsa::tracked]
fn module_mentions(db: &dyn Database, module: ModuleInput) -> Mentions {
    let files = module_puppet_files(db, module).iter();
    Mentions::all(files.map(|it| mentions(db, *it)))
}

#[salsa::tracked]
fn all_mentions(db: &dyn Database, environment: EnvironmentInput) -> Mentions {
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| mentions(db, *it));
    let modules = environment.modules(db).values();
    Mentions::all(manifests.chain(modules.map(|it| module_mentions(db, *it))))
}

/// Whether some file reads a variable by its full name.
#[salsa::tracked(returns(copy))]
pub(super) fn is_read_by_full_name<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    variable: NameKey<'db>,
) -> bool {
    let all = all_mentions(db, environment);
    all.variables.contains(variable.text(db))
}

/// Whether some class inherits from a class.
#[salsa::tracked(returns(copy))]
pub(super) fn is_inherited<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> bool {
    all_mentions(db, environment)
        .inherited
        .contains(class.text(db))
}

/// The parameters of a defined type that resources may get from other places than their own
/// declaration: from defaults, overrides and collectors anywhere in the environment.
#[salsa::tracked]
pub(super) fn given_elsewhere<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
) -> BTreeSet<String> {
    let given = all_mentions(db, environment).given.get(type_.text(db));
    given.cloned().unwrap_or_default()
}

/// Whether some code of an environment declares a resource of this title.
#[salsa::tracked(returns(copy))]
pub(super) fn is_declared<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
    title: NameKey<'db>,
) -> bool {
    let resource = (type_.text(db).clone(), title.text(db).clone());
    let mut modules = environment.modules(db).values();
    let mut manifests = environment.manifests(db).iter();
    modules.any(|it| resources_declared_in(db, *it).contains(&resource))
        || manifests.any(|it| declared_resources(db, *it).contains(&resource))
}
