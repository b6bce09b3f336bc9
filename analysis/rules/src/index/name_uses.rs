//! The names of definitions that the files of an environment contain: in code, strings, data, templates and Ruby. A name
//! in a comment does not count; every other occurrence does, whatever its meaning.
//!
//! The index is built per file and per module, so that an edit only scans one file.

mod scan;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use base::{EnvironmentInput, FileInput, ModuleInput, ModuleOrigin};
use hir::body::{ReferenceName, body};
use hir::{Item, ItemKind, canonical_name, items};
use infer::{ENVIRONMENT_MODULE, hiera_config, layer_keys};
use rustc_hash::FxHashMap;
use salsa::Database;

pub(crate) use scan::{Language, NameUse};
use scan::{Source, scan};

/// A definition by its kind and its name as written.
pub(crate) type WrittenDefinition = (ItemKind, String);

/// The names in a file or a module by the definitions that contain them; `None` for those in other code and in files
/// of other languages.
pub(crate) type UsesByDefinition = FxHashMap<Option<WrittenDefinition>, BTreeSet<NameUse>>;

/// Checks whether a kind of definition has an effect only if other code uses it.
pub(crate) fn needs_use(kind: ItemKind) -> bool {
    use ItemKind::{Class, DefinedType, Function, TypeAlias};
    matches!(kind, Class | DefinedType | Function | TypeAlias)
}

/// Returns the names of the modules that are developed in an environment.
#[salsa::tracked(returns(clone))]
pub(crate) fn own_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> Arc<BTreeSet<String>> {
    let modules = environment.modules(db).iter();
    let own = modules.filter(|it| it.1.origin(db) == ModuleOrigin::Workspace);
    Arc::new(own.map(|it| it.0.clone()).collect())
}

/// Returns the names of definitions of own modules in the files of a module.
#[salsa::tracked]
pub(crate) fn module_uses(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> UsesByDefinition {
    let is_own = module.origin(db) == ModuleOrigin::Workspace;
    let mut found = UsesByDefinition::default();
    for (path, file) in module.files(db).iter() {
        let uses = match Language::of_path(path) {
            Some(Language::Puppet) if is_own => code_uses(db, environment, *file),
            Some(language) => text_uses(db, environment, *file, language),
            None => continue,
        };
        merge(&mut found, uses);
    }
    found
}

/// Returns the names of definitions of own modules in the data files of a module or an environment.
pub(crate) fn data_uses(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> UsesByDefinition {
    let mut found = UsesByDefinition::default();
    for (path, file) in module.files(db).iter() {
        if Language::of_path(path) == Some(Language::Data) {
            let uses = text_uses(db, environment, *file, Language::Data);
            merge(&mut found, uses);
        }
    }
    found
}

/// Adds the names of a part to those of the whole.
pub(crate) fn merge(all: &mut UsesByDefinition, part: &UsesByDefinition) {
    for (definition, uses) in part {
        let known = all.entry(definition.clone()).or_default();
        known.extend(uses.iter().cloned());
    }
}

/// Returns the names in a file, without the definitions that contain them.
#[salsa::tracked]
fn text_uses(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    language: Language,
) -> UsesByDefinition {
    let source = Source {
        text: &source_of(db, file, language),
        language,
        module: module_of(db, file),
    };
    let uses = scan(source, &own_modules(db, environment));
    let uses: BTreeSet<NameUse> = uses.into_iter().map(|it| it.1).collect();
    match uses.is_empty() {
        true => UsesByDefinition::default(),
        false => FxHashMap::from_iter([(None, uses)]),
    }
}

/// Returns the names in a file in the Puppet language by the definitions that contain them.
#[salsa::tracked]
pub(crate) fn code_uses(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
) -> UsesByDefinition {
    let own = own_modules(db, environment);
    let items = items(db, file);
    let mut found = UsesByDefinition::default();
    let source = Source {
        text: &source_of(db, file, Language::Puppet),
        language: Language::Puppet,
        module: module_of(db, file),
    };
    for (offset, name) in scan(source, &own) {
        let definition = definition_at(db, items, offset);
        found.entry(definition).or_default().insert(name);
    }
    for item in items {
        let names = names_of_modules(db, *item, &own);
        if !names.is_empty() {
            found.entry(key_of(db, *item)).or_default().extend(names);
        }
    }
    found
}

fn module_of(db: &dyn Database, file: FileInput) -> &str {
    let module = file.module(db);
    module.map_or("", |it| it.name(db))
}

/// Returns the source of a file, with spaces in place of the comments in the Puppet language, and without those in
/// data.
pub(crate) fn source_of(db: &dyn Database, file: FileInput, language: Language) -> Cow<'_, str> {
    let text = file.text(db).as_deref().unwrap_or_default();
    match language {
        Language::Puppet => Cow::Owned(code_without_comments(db, file)),
        Language::Data => {
            let is_comment = |it: &&str| it.trim_start().starts_with('#');
            let lines = text.split_inclusive('\n');
            lines.filter(|it| !is_comment(it)).collect()
        }
        Language::Ruby => Cow::Borrowed(text),
    }
}

fn code_without_comments(db: &dyn Database, file: FileInput) -> String {
    let root = base::parse(db, file).syntax();
    let tokens = root.descendants_with_tokens();
    let tokens = tokens.filter_map(|it| it.into_token());
    let mut code = String::new();
    for token in tokens {
        match token.kind().is_comment() {
            true => code.push_str(&" ".repeat(token.text().len())),
            false => code.push_str(token.text()),
        }
    }
    code
}

/// Checks whether the workspace contains the data that an environment reads.
pub(crate) fn has_known_data(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let data = environment.modules(db).get(ENVIRONMENT_MODULE).copied();
    data.is_some_and(|it| hiera_config(db, it).is_some() && layer_keys(db, it).is_known())
}

/// Returns the definition that contains an offset of its file, if it needs a use.
fn definition_at(
    db: &dyn Database,
    items: &[Item<'_>],
    offset: usize,
) -> Option<WrittenDefinition> {
    let range = |it: &Item<'_>| {
        let start = usize::from(it.offset(db));
        start..start + usize::from(it.tree(db).text_len())
    };
    let around = items.iter().filter(|it| range(it).contains(&offset));
    let innermost = around.min_by_key(|it| range(it).len())?;
    key_of(db, *innermost)
}

fn key_of(db: &dyn Database, item: Item<'_>) -> Option<WrittenDefinition> {
    let kind = item.kind(db);
    needs_use(kind).then(|| (kind, item.name(db).clone()))
}

/// Returns the own modules whose names an item contains as the name of a definition.
fn names_of_modules(
    db: &dyn Database,
    item: Item<'_>,
    own: &BTreeSet<String>,
) -> BTreeSet<NameUse> {
    let body = body(db, item);
    let references = body.references.iter().filter_map(|it| match &it.name {
        ReferenceName::Class(name, _)
        | ReferenceName::ResourceType(name)
        | ReferenceName::Type(name)
        | ReferenceName::Function(name) => Some(canonical_name(name)),
        ReferenceName::Title(type_, _) => Some(type_.clone()),
        ReferenceName::Variable(_) | ReferenceName::Path(..) => None,
    });
    let types = body.resources.iter().filter_map(|it| it.type_.clone());
    let names = references.chain(types).filter(|it| own.contains(it));
    names.map(NameUse::Name).collect()
}
