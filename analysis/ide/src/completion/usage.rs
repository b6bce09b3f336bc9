//! Usage counts of names in an environment, to rank common names higher.
//!
//! Counted per file, per module, and for everything outside the current module or file. An edit
//! then invalidates only the counts of its file, not the large sums.

use std::collections::BTreeMap;

use salsa::Database;
use syntax::ast::{AccessExpr, AstNode};

use base::db::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::body::{Body, ClassUse, Name, ResourceForm, body};
use hir::items;

/// The kind of a used name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Used {
    /// A function.
    Function,
    /// A declared class.
    Class,
    /// The type of a declared resource.
    Resource,
    /// An attribute, as `type attribute`.
    Attribute,
    /// A data type, or the type in a resource reference, in lower case.
    Type,
    /// A fact, as its keys separated by spaces.
    Fact,
}

/// The usage counts of names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Usage {
    counts: BTreeMap<Used, BTreeMap<String, u32>>,
}

impl Usage {
    /// Returns the usage count of a name.
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
                // Top-scope variables are mostly facts.
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

/// Checks whether a name refers to top scope (`::x`).
fn is_global(name: &str) -> bool {
    let plain = name.strip_prefix("::");
    plain.is_some_and(|it| !it.contains("::"))
}

/// Returns the key that an attribute is counted under.
pub(super) fn attribute_key(type_: &str, attribute: &str) -> String {
    format!("{type_} {attribute}")
}

/// Counts the names used in a file.
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

/// Counts the names used in a module.
#[salsa::tracked]
pub(super) fn module_usage(db: &dyn Database, module: ModuleInput) -> Usage {
    let files = module_puppet_files(db, module).iter();
    Usage::all(files.map(|it| usage(db, *it)))
}

/// Counts the names used in all modules of an environment except one.
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

/// Counts the names used in the other files of the module or, for a file outside of modules, in the
/// other main manifests.
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
