//! Symbols that are implemented in Ruby rather than in the Puppet language: those of modules and
//! those shipped with Puppet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use salsa::Database;

use super::autoload::{NameKey, RubyKind, fact_files, module_file, ruby_file};
use base::{EnvironmentInput, FileInput, ModuleInput, SettingsInput};
use library::ruby;
use library::signatures::{Attribute, Fact, Function, ResourceType, RubyDataType};
use syntax::validation::PuppetVersion;

/// Returns the functions that a Ruby file defines.
#[salsa::tracked]
pub fn ruby_functions(db: &dyn Database, file: FileInput) -> Vec<Arc<Function>> {
    let text = file.text(db).as_deref().unwrap_or_default();
    ruby::functions(text).into_iter().map(Arc::new).collect()
}

/// Checks whether the only function that a Ruby file defines is known. Puppet refuses a file without a function that has
/// the name of the file.
pub(crate) fn defines_other_function(db: &dyn Database, file: FileInput) -> bool {
    let text = file.text(db).as_deref().unwrap_or_default();
    let calls = ["create_function", "newfunction"].map(|it| text.matches(it).count());
    calls.iter().sum::<usize>() == 1 && ruby_functions(db, file).len() == 1
}

/// Returns the resource types that a Ruby file defines. Ruby modules that they include are resolved
/// in the files that it requires.
#[salsa::tracked]
pub fn ruby_resource_types(db: &dyn Database, file: FileInput) -> Vec<Arc<ResourceType>> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let types = ruby::resource_types_with(text, &required_sources(db, file, text));
    types.into_iter().map(Arc::new).collect()
}

/// Returns the sources of the files that a Ruby file requires, if modules contain them and it
/// includes Ruby modules.
fn required_sources<'db>(db: &'db dyn Database, file: FileInput, text: &str) -> Vec<&'db str> {
    let Some(module) = file.module(db).filter(|_| includes_ruby_modules(text)) else {
        return Vec::new();
    };
    let found = ruby::requires(text).into_iter().filter_map(|required| {
        let file = match required {
            ruby::Required::InLib(path) => resolve_in_lib(db, file, module, &path),
            ruby::Required::FromHere(path) => resolve_relative(db, file, module, &path),
        };
        file?.text(db).as_deref()
    });
    found.collect()
}

/// Checks whether a source has lines such as `include Some::Module`.
fn includes_ruby_modules(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        let words = ["include", "extend"].iter();
        let rest = words.filter_map(|it| line.strip_prefix(it)).next();
        let module = rest.map(|it| it.trim_start_matches([' ', '\t', '(', ':']));
        module.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase()))
    })
}

/// Returns a file in the `lib` folder of the same module, or else of any module.
fn resolve_in_lib(
    db: &dyn Database,
    file: FileInput,
    module: ModuleInput,
    path: &str,
) -> Option<FileInput> {
    let key = NameKey::new(db, format!("lib/{path}.rb"));
    module_file(db, module, key).or_else(|| {
        let environment = file.environment(db)?;
        let mut modules = environment.modules(db).values();
        modules.find_map(|it| module_file(db, *it, key))
    })
}

/// Resolves a path relative to a file of a module.
fn resolve_relative(
    db: &dyn Database,
    file: FileInput,
    module: ModuleInput,
    path: &str,
) -> Option<FileInput> {
    let mut files = module.files(db).iter();
    let here = files.find(|it| *it.1 == file)?.0;
    let mut parts: Vec<&str> = here.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            // Files outside of the module are unknown.
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    let key = NameKey::new(db, format!("{}.rb", parts.join("/")));
    module_file(db, module, key)
}

/// Returns the data types that a Ruby file defines.
#[salsa::tracked]
pub fn ruby_data_types(db: &dyn Database, file: FileInput) -> Vec<RubyDataType> {
    let text = file.text(db).as_deref().unwrap_or_default();
    ruby::data_types(text)
}

/// Returns the facts that a Ruby file defines, and whether the list is complete.
#[salsa::tracked]
pub fn ruby_facts(db: &dyn Database, file: FileInput) -> ruby::FactFile {
    let text = file.text(db).as_deref().unwrap_or_default();
    ruby::facts(text)
}

/// A symbol that is implemented in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RubySymbol<T: 'static> {
    /// A symbol defined in a file of a module.
    Module(FileInput, Arc<T>),
    /// A symbol shipped with Puppet.
    Shipped(&'static T),
}

impl<T> RubySymbol<T> {
    /// Returns the declaration.
    pub fn declared(&self) -> &T {
        match self {
            RubySymbol::Module(_, it) => it,
            RubySymbol::Shipped(it) => it,
        }
    }

    /// Returns the file that defines it, unless it is shipped with Puppet.
    pub fn file(&self) -> Option<FileInput> {
        match self {
            RubySymbol::Module(file, _) => Some(*file),
            RubySymbol::Shipped(_) => None,
        }
    }
}

/// Resolves a function defined in Ruby, with precedence for the 4.x API over the 3.x API. Functions
/// shipped with Puppet come first, since modules cannot redefine them.
pub fn function(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<RubySymbol<Function>> {
    let version = SettingsInput::get(db).version(db);
    if let Some(found) = library::function(name, version) {
        return Some(RubySymbol::Shipped(found));
    }
    let environment = environment?;
    let key = NameKey::new(db, name.to_owned());
    RubyKind::FUNCTIONS.into_iter().find_map(|kind| {
        let file = ruby_file(db, environment, kind, key)?;
        let mut functions = ruby_functions(db, file).iter();
        let found = functions.find(|it| it.name == name)?;
        Some(RubySymbol::Module(file, Arc::clone(found)))
    })
}

/// Resolves a resource type defined in Ruby. Those of modules come first: they are newer than the
/// ones that Puppet used to ship.
pub fn resource_type(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Option<RubySymbol<ResourceType>> {
    let in_module = environment.and_then(|environment| {
        let key = NameKey::new(db, name.to_owned());
        let file = ruby_file(db, environment, RubyKind::ResourceType, key)?;
        let found = resource_type_in(db, file, key).as_ref()?;
        Some(RubySymbol::Module(file, Arc::clone(found)))
    });
    in_module.or_else(|| {
        let version = SettingsInput::get(db).version(db);
        library::resource_type(name, version).map(RubySymbol::Shipped)
    })
}

/// Returns a resource type that a Ruby file defines. For a type that was once part of Puppet, such as
/// those of `cron_core`, what the stub knows of an attribute is more than the Ruby code says.
#[salsa::tracked]
fn resource_type_in<'db>(
    db: &'db dyn Database,
    file: FileInput,
    name: NameKey<'db>,
) -> Option<Arc<ResourceType>> {
    let name = name.text(db);
    let mut types = ruby_resource_types(db, file).iter();
    let found = types.find(|it| it.name == *name)?;
    let module = file.module(db);
    let Some(shipped) = module.and_then(|it| shipped_with_module(db, name, it.name(db))) else {
        return Some(Arc::clone(found));
    };
    let mut merged = ResourceType::clone(found);
    for attribute in &mut merged.attributes {
        let mut known = shipped.attributes.iter();
        let known = known.find(|it| it.name == attribute.name && lists_all_values(it, attribute));
        if let Some(known) = known {
            let name_range = attribute.name_range;
            *attribute = known.clone();
            attribute.name_range = name_range;
        }
    }
    Some(Arc::new(merged))
}

/// Returns what is known of a resource type that comes with the packages of the agent in a module, such as `mount_core`.
pub(crate) fn shipped_with_module(
    db: &dyn Database,
    type_name: &str,
    module: &str,
) -> Option<&'static ResourceType> {
    let shipped = library::resource_type(type_name, SettingsInput::get(db).version(db));
    shipped.filter(|it| it.module.as_deref() == Some(module))
}

/// Returns the providers of a resource type, if they are known: those of a type that Puppet ships or
/// once shipped, and those in the files of the environment, also of a type of a module that does not define any itself.
#[salsa::tracked]
pub fn providers<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    type_: NameKey<'db>,
) -> Option<BTreeSet<String>> {
    let definition = ruby_file(db, environment, RubyKind::ResourceType, type_);
    let type_ = type_.text(db);
    // A later version of Puppet may have more.
    let versions = [PuppetVersion::V7, PuppetVersion::V8].into_iter();
    let shipped = versions.filter_map(|it| library::resource_type(type_, it));
    let mut known: BTreeSet<String> = shipped.flat_map(|it| it.providers.clone()).collect();
    let has_no_provider = |it: FileInput| {
        let text = it.text(db).as_deref().unwrap_or_default();
        let mut calls = ["provide(", "provide :"].into_iter();
        !text.is_empty() && !calls.any(|it| text.contains(it))
    };
    if known.is_empty() && !definition.is_some_and(has_no_provider) {
        return None;
    }
    let folder = format!("lib/puppet/provider/{type_}/");
    for module in environment.modules(db).values() {
        let files = module.files(db).range(folder.clone()..);
        let files = files.take_while(|it| it.0.starts_with(&folder));
        for (path, file) in files {
            let path = path.strip_prefix(&folder).unwrap_or(path);
            known.extend(path.strip_suffix(".rb").map(str::to_owned));
            let text = file.text(db).as_deref().unwrap_or_default();
            known.extend(ruby::provider(text).map(|it| it.1));
        }
    }
    (!known.is_empty()).then_some(known)
}

/// Checks whether an attribute has all values of a later version of it.
fn lists_all_values(known: &Attribute, later: &Attribute) -> bool {
    known.values.is_empty() || later.values.iter().all(|it| known.values.contains(it))
}

/// Returns the facts that modules define, by name: custom facts in Ruby and external facts.
#[salsa::tracked]
pub fn custom_facts(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> BTreeMap<String, (FileInput, Arc<Fact>)> {
    let mut found = BTreeMap::new();
    for file in fact_files(db, environment) {
        for fact in &ruby_facts(db, *file).facts {
            let entry = found.entry(fact.name.to_ascii_lowercase());
            entry.or_insert_with(|| (*file, Arc::new(fact.clone())));
        }
    }
    for (path, file) in external_fact_files(db, environment) {
        for fact in library::external_facts(path, file.text(db).as_deref().unwrap_or_default()) {
            let entry = found.entry(fact.name.to_ascii_lowercase());
            entry.or_insert_with(|| (file, Arc::new(fact)));
        }
    }
    found
}

/// Iterates over the files of modules with external facts.
pub(crate) fn external_fact_files(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> impl Iterator<Item = (&str, FileInput)> {
    const FOLDER: &str = "facts.d/";
    let modules = environment.modules(db).values();
    modules.flat_map(|module| {
        let files = module.files(db).range(FOLDER.to_owned()..);
        let files = files.take_while(|it| it.0.starts_with(FOLDER));
        files.map(|it| (it.0.as_str(), *it.1))
    })
}
