//! How often an environment uses which names, so that what is common comes first.
//!
//! Gathered by file, by module and for all but the module and the file that are written in: an edit
//! changes what its file uses, and nothing that is large.

use std::collections::BTreeMap;

use salsa::Database;
use syntax::ast::{AccessExpr, AstNode};

use crate::db::{EnvironmentInput, FileInput, ModuleInput};
use crate::workspace::autoload::module_puppet_files;
use crate::workspace::body::{Body, ClassUse, Name, ResourceForm, body};
use crate::workspace::items;

/// What is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Used {
    /// A function.
    Function,
    /// A class that is declared.
    Class,
    /// A resource type or defined type that is declared.
    Resource,
    /// An attribute, as `type attribute`.
    Attribute,
    /// A data type, or a resource type in a reference, in lower case.
    Type,
    /// A key of a fact, as the keys that lead to it with a blank between.
    Fact,
}

/// How often names are used.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Usage {
    counts: BTreeMap<Used, BTreeMap<String, u32>>,
}

impl Usage {
    /// How often a name is used.
    pub(super) fn of(&self, what: Used, name: &str) -> u32 {
        let names = self.counts.get(&what);
        names.and_then(|it| it.get(name)).copied().unwrap_or(0)
    }

    fn add(&mut self, what: Used, name: &str, times: u32) {
        let names = self.counts.entry(what).or_default();
        match names.get_mut(name) {
            Some(count) => *count += times,
            None => drop(names.insert(name.to_owned(), times)),
        }
    }

    fn all<'a>(parts: impl IntoIterator<Item = &'a Usage>) -> Usage {
        let mut all = Usage::default();
        for (what, names) in parts.into_iter().flat_map(|it| &it.counts) {
            for (name, times) in names {
                all.add(*what, name, *times);
            }
        }
        all
    }

    fn add_body(&mut self, body: &Body) {
        for reference in &body.references {
            match &reference.name {
                Name::Function(name) => self.add(Used::Function, name, 1),
                Name::Class(name, ClassUse::Declared | ClassUse::Inherited) => {
                    self.add(Used::Class, name, 1);
                }
                Name::Type(name) => self.add(Used::Type, &name.to_ascii_lowercase(), 1),
                // What is read by the name of a fact is one, more often than not.
                Name::Variable(name) if is_global(name) => {
                    self.add(Used::Fact, name.trim_start_matches("::"), 1);
                }
                _ => {}
            }
        }
        for resource in &body.resources {
            let Some(type_) = &resource.type_ else {
                continue;
            };
            if resource.form == ResourceForm::Declaration {
                self.add(Used::Resource, type_, 1);
            }
            for attribute in &resource.attributes {
                let key = attribute_key(type_, &attribute.name);
                self.add(Used::Attribute, &key, 1);
            }
        }
    }
}

/// Whether a variable is one of the top scope by its name.
fn is_global(name: &str) -> bool {
    let plain = name.strip_prefix("::");
    plain.is_some_and(|it| !it.contains("::"))
}

/// What an attribute is counted under.
pub(super) fn attribute_key(type_: &str, attribute: &str) -> String {
    format!("{type_} {attribute}")
}

/// What a file uses.
#[salsa::tracked]
pub(super) fn usage(db: &dyn Database, file: FileInput) -> Usage {
    let mut found = Usage::default();
    let text = file.text(db).as_deref().unwrap_or_default();
    let has_facts = text.contains("facts[");
    for item in items(db, file) {
        found.add_body(body(db, *item));
        if has_facts {
            let tree = item.syntax(db);
            let accesses = tree.descendants().filter_map(AccessExpr::cast);
            for path in accesses.filter_map(|it| super::keys::fact_path(&it)) {
                found.add(Used::Fact, &path.join(" "), 1);
            }
        }
    }
    found
}

/// What a module uses.
#[salsa::tracked]
pub(super) fn module_usage(db: &dyn Database, module: ModuleInput) -> Usage {
    let files = module_puppet_files(db, module).iter();
    Usage::all(files.map(|it| usage(db, *it)))
}

/// What the modules of an environment use, but for one.
#[salsa::tracked]
pub(super) fn usage_of_others(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> Usage {
    let modules = environment.modules(db).values();
    let others = modules.filter(|it| Some(**it) != module);
    Usage::all(others.map(|it| module_usage(db, *it)))
}

/// What the other files of a module use; what the main manifests of an environment do for a file
/// that is in no module.
#[salsa::tracked]
pub(super) fn usage_around(db: &dyn Database, file: FileInput) -> Usage {
    let files = match (file.module(db), file.environment(db)) {
        (Some(module), _) => module_puppet_files(db, module).as_slice(),
        (None, Some(environment)) => &environment.manifests(db)[..],
        (None, None) => &[],
    };
    let others = files.iter().filter(|it| **it != file);
    Usage::all(others.map(|it| usage(db, *it)))
}
