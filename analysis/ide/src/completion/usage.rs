//! Usage counts of names in an environment, to rank common names higher.
//!
//! Counted per file, per module, and for everything outside the current module or file. An edit
//! then invalidates only the counts of its file, not the large sums.

use std::collections::{BTreeMap, BTreeSet};

use library::{KnownFunction, NamedEntity};
use salsa::Database;
use syntax::SyntaxNode;
use syntax::ast::{AccessExpr, AstNode, CallExpr, Expr};

use base::{EnvironmentInput, FileInput, ModuleInput};
use hir::autoload::module_puppet_files;
use hir::body::{Body, ClassUse, ReferenceName, ResourceForm, body};
use hir::items;

use super::counted_modules::counted_modules;

/// The kind of a used name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum UsageKind {
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
    /// A variable of the top scope, which is mostly a fact.
    TopScopeVariable,
    /// A key of data that is looked up.
    DataKey,
}

/// The usage counts of names.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct UsageCounts {
    counts: BTreeMap<UsageKind, BTreeMap<String, u32>>,
}

impl UsageCounts {
    /// Returns the usage count of a name.
    pub(super) fn count(&self, kind: UsageKind, name: &str) -> u32 {
        let names = self.counts.get(&kind);
        names.and_then(|it| it.get(name)).copied().unwrap_or(0)
    }

    /// Returns the keys that follow a path of keys of a fact.
    pub(super) fn fact_keys<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a str> {
        let start = match path {
            "" => String::new(),
            path => format!("{path} "),
        };
        let facts = self.counts.get(&UsageKind::Fact).into_iter().flatten();
        let keys = facts.filter_map(move |it| it.0.strip_prefix(&start));
        keys.filter(|it| !it.contains(' '))
    }

    /// Returns the keys of data that are looked up.
    pub(super) fn data_keys(&self) -> impl Iterator<Item = &str> {
        let keys = self.counts.get(&UsageKind::DataKey).into_iter().flatten();
        keys.map(|it| it.0.as_str())
    }

    fn add(&mut self, kind: UsageKind, name: &str, times: u32) {
        let names = self.counts.entry(kind).or_default();
        match names.get_mut(name) {
            Some(count) => *count += times,
            None => drop(names.insert(name.to_owned(), times)),
        }
    }

    fn sum<'a>(parts: impl IntoIterator<Item = &'a UsageCounts>) -> UsageCounts {
        let mut all = UsageCounts::default();
        for (kind, names) in parts.into_iter().flat_map(|it| &it.counts) {
            for (name, times) in names {
                all.add(*kind, name, *times);
            }
        }
        all
    }

    fn add_body(&mut self, body: &Body) {
        for reference in &body.references {
            match &reference.name {
                ReferenceName::Function(name) => self.add(UsageKind::Function, name, 1),
                ReferenceName::Class(name, ClassUse::Declared | ClassUse::Inherited) => {
                    self.add(UsageKind::Class, name, 1);
                }
                ReferenceName::Type(name) => {
                    self.add(UsageKind::Type, &name.to_ascii_lowercase(), 1)
                }
                ReferenceName::Variable(name) if is_top_scope(name) => {
                    let name = name.trim_start_matches("::");
                    self.add(UsageKind::Fact, name, 1);
                    self.add(UsageKind::TopScopeVariable, name, 1);
                }
                _ => {}
            }
        }
        for resource in &body.resources {
            let Some(type_) = &resource.type_ else {
                continue;
            };
            if resource.form == ResourceForm::Declaration {
                self.add(UsageKind::Resource, type_, 1);
            }
            for attribute in &resource.attributes {
                let key = attribute_key(type_, &attribute.name);
                self.add(UsageKind::Attribute, &key, 1);
            }
        }
    }
}

/// Checks whether a name refers to top scope (`::x`).
fn is_top_scope(name: &str) -> bool {
    let plain = name.strip_prefix("::");
    plain.is_some_and(|it| !it.contains("::"))
}

/// Returns the key that an attribute is counted under.
pub(super) fn attribute_key(type_: &str, attribute: &str) -> String {
    format!("{type_} {attribute}")
}

/// Counts the names used in a file.
#[salsa::tracked]
pub(super) fn file_usage(db: &dyn Database, file: FileInput) -> UsageCounts {
    let mut found = UsageCounts::default();
    let text = file.text(db).as_deref().unwrap_or_default();
    let has_facts = text.contains("facts[");
    let looks_up = |it: &&KnownFunction| it.names() == Some(NamedEntity::DataKey);
    let mut lookups = KnownFunction::ALL.iter().filter(looks_up);
    let has_lookups = lookups.any(|it| text.contains(it.name()));
    for item in items(db, file) {
        found.add_body(body(db, *item));
        if has_lookups {
            let calls = item.syntax(db).descendants();
            for key in calls.filter_map(|it| looked_up(&it)) {
                found.add(UsageKind::DataKey, &key, 1);
            }
        }
        if has_facts {
            let tree = item.syntax(db);
            let accesses = tree.descendants().filter_map(AccessExpr::cast);
            for path in accesses.filter_map(|it| super::keys::fact_path(&it)) {
                found.add(UsageKind::Fact, &path.join(" "), 1);
            }
        }
    }
    found
}

/// Returns the literal key of data that a call looks up.
fn looked_up(node: &SyntaxNode) -> Option<String> {
    let (name, arguments) = CallExpr::cast(node.clone())
        .map(Expr::CallExpr)?
        .named_call()?;
    let names = KnownFunction::from_name(name.text()).and_then(KnownFunction::names);
    let is_key = names == Some(NamedEntity::DataKey);
    let key = arguments.first().filter(|_| is_key)?.plain_text()?;
    Some(key).filter(|it| !it.is_empty())
}

/// Returns the classes that the code of an environment declares.
pub(crate) fn declared_classes(db: &dyn Database, environment: EnvironmentInput) -> BTreeSet<&str> {
    let manifests = environment.manifests(db).iter();
    let mut all = vec![usage_in_other_modules(db, environment, None)];
    all.extend(manifests.map(|it| file_usage(db, *it)));
    let classes = all
        .into_iter()
        .filter_map(|it| it.counts.get(&UsageKind::Class));
    classes
        .flat_map(|it| it.keys().map(String::as_str))
        .collect()
}

/// Counts the names used in a module.
#[salsa::tracked]
pub(super) fn module_usage(db: &dyn Database, module: ModuleInput) -> UsageCounts {
    let files = module_puppet_files(db, module).iter();
    UsageCounts::sum(files.map(|it| file_usage(db, *it)))
}

/// Counts the names used in the other modules of an environment.
#[salsa::tracked]
pub(super) fn usage_in_other_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> UsageCounts {
    let others = counted_modules(db, environment, module).into_iter();
    UsageCounts::sum(others.map(|it| module_usage(db, it)))
}

/// Returns how often the code around a file reads a fact, or a part of one, by its path of keys.
pub(crate) fn fact_uses(db: &dyn Database, file: FileInput, path: &[&str]) -> u32 {
    let path = path.join(" ");
    let others = file
        .environment(db)
        .map(|it| usage_in_other_modules(db, it, file.module(db)));
    let siblings = usage_in_sibling_files(db, file);
    let counts = others.into_iter().chain([siblings]);
    counts.map(|it| it.count(UsageKind::Fact, &path)).sum()
}

/// Counts the names used in the other files of the module or, for a file outside of modules, in the
/// other main manifests.
#[salsa::tracked]
pub(super) fn usage_in_sibling_files(db: &dyn Database, file: FileInput) -> UsageCounts {
    let files = match (file.module(db), file.environment(db)) {
        (Some(module), _) => module_puppet_files(db, module).as_slice(),
        (None, Some(environment)) => &environment.manifests(db)[..],
        (None, None) => &[],
    };
    let others = files.iter().filter(|it| **it != file);
    UsageCounts::sum(others.map(|it| file_usage(db, *it)))
}
