//! Resolves names to definitions, or to the reason why they are not found.

use salsa::Database;

use super::autoload::{
    NameKey, RubyKind, all_definitions, definitions_of_kind, find_item, is_in_damaged_file, module,
    module_file, module_has_folder, ruby_file, ruby_files,
};
use super::body::{Name, PathKind, Reference};
use super::item::{Item, ItemKind, canonical};
use super::outside::{self, Outside};
use super::variables::{VariableSource, variable_source};
use base::db::{EnvironmentInput, FileInput, SettingsInput};
use library::signatures::{Function, ResourceType};
use types::reader::is_data_type;

/// The definition that a name resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition<'db> {
    /// A class, defined type, function, plan or type alias in the Puppet language.
    Item(Item<'db>),
    Variable(VariableSource<'db>),
    /// A function defined in Ruby.
    Function(Outside<Function>),
    /// A resource type defined in Ruby.
    ResourceType(Outside<ResourceType>),
    /// A built-in data type.
    DataType(String),
    /// A data type defined in Ruby.
    RubyDataType(FileInput, String),
    File(FileInput),
    Folder,
    /// A file that defines the name but cannot be parsed.
    Unreadable(FileInput),
}

/// The reason why a name is not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It is certainly not defined.
    Nowhere,
    /// It is defined, but not in a file that Puppet's autoloader reads.
    Elsewhere,
    /// The module that would define it is not found.
    Module(String),
    /// It may be defined outside of the workspace: by a missing module, by an external node
    /// classifier, by a custom fact of a host.
    MaybeOutside,
    /// Too little is known.
    Unknown,
}

impl Missing {
    /// Returns the reason for a member of a class that was not found.
    pub(super) fn unless_found(self) -> Missing {
        match self {
            Missing::Nowhere | Missing::Module(_) => self,
            _ => Missing::Unknown,
        }
    }
}

/// Resolves a reference in an item.
///
/// # Errors
///
/// If it is not found, with the reason.
pub fn resolve<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    reference: &Reference,
) -> Result<Definition<'db>, Missing> {
    let environment = item.file(db).environment(db);
    match &reference.name {
        Name::Variable(name) => {
            let found = variable_source(db, environment, item, reference, name);
            found.map(Definition::Variable)
        }
        Name::Class(name, _) => find(db, environment, ItemKind::Class, name),
        Name::ResourceType(name) => resource_type(db, environment, name),
        Name::Type(name) => type_name(db, environment, name),
        Name::Function(name) => function(db, environment, name),
        Name::Title(..) => Err(Missing::Unknown),
        Name::Path(kind, path) => file(db, environment, *kind, path),
    }
}

/// Resolves a class.
pub fn class<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, Missing> {
    find(db, environment, ItemKind::Class, &canonical(name))
}

fn find<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    kind: ItemKind,
    name: &str,
) -> Result<Definition<'db>, Missing> {
    let environment = environment.ok_or(Missing::Unknown)?;
    if let Some(item) = find_item(db, environment, kind, NameKey::new(db, name.to_owned())) {
        return Ok(Definition::Item(item));
    }
    if is_in_damaged_file(db, environment, kind, name) {
        return Err(Missing::Unknown);
    }
    if all_definitions(db, environment).contains_key(&(kind, name.to_owned())) {
        return Err(Missing::Elsewhere);
    }
    Err(missing_in(db, environment, name))
}

/// Returns the reason why `name` is not found: its module may be missing.
pub(crate) fn missing_in(db: &dyn Database, environment: EnvironmentInput, name: &str) -> Missing {
    let first = name.split("::").next().unwrap_or_default();
    if module(db, environment, NameKey::new(db, first.to_owned())).is_some() {
        Missing::Nowhere
    } else if environment.complete(db) {
        Missing::Module(first.to_owned())
    } else {
        Missing::Unknown
    }
}

/// Resolves a defined type or a resource type.
pub fn resource_type<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, Missing> {
    if let Some(found) = outside::resource_type(db, environment, name) {
        return Ok(Definition::ResourceType(found));
    }
    let missing = match find(db, environment, ItemKind::Define, name) {
        Err(missing) => missing,
        found => return found,
    };
    let file = environment.and_then(|it| {
        ruby_file(
            db,
            it,
            RubyKind::ResourceType,
            NameKey::new(db, name.to_owned()),
        )
    });
    match file {
        Some(file) => Ok(Definition::Unreadable(file)),
        None => Err(unless_qualified(environment, name, missing)),
    }
}

/// An unqualified name may come from any module, including unknown ones.
fn unless_qualified(
    environment: Option<EnvironmentInput>,
    name: &str,
    missing: Missing,
) -> Missing {
    match missing {
        Missing::Elsewhere => missing,
        _ if environment.is_some() && !name.contains("::") => Missing::MaybeOutside,
        missing => missing,
    }
}

/// Resolves a data type.
pub fn type_name<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, Missing> {
    if is_data_type(name) {
        return Ok(Definition::DataType(name.to_owned()));
    }
    let name = canonical(name);
    if let Ok(found) = find(db, environment, ItemKind::TypeAlias, &name) {
        return Ok(found);
    }
    let file = environment
        .and_then(|it| ruby_file(db, it, RubyKind::DataType, NameKey::new(db, name.clone())));
    if let Some(file) = file {
        return Ok(Definition::RubyDataType(file, name));
    }
    // Otherwise, the name is a resource type, as in the reference `Foo::Bar['x']`.
    resource_type(db, environment, &name)
}

pub fn function<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, Missing> {
    if let Some(found) = outside::function(db, environment, name) {
        return Ok(Definition::Function(found));
    }
    let missing = match find(db, environment, ItemKind::Function, name) {
        Err(missing) => missing,
        found => return found,
    };
    let key = NameKey::new(db, name.to_owned());
    let file = environment.and_then(|environment| {
        let mut kinds = RubyKind::FUNCTIONS.into_iter();
        kinds.find_map(|it| ruby_file(db, environment, it, key))
    });
    match file {
        Some(file) => Ok(Definition::Unreadable(file)),
        None => Err(unless_qualified(environment, name, missing)),
    }
}

/// Returns the names of all functions with the files that define them, once per file; `None` for
/// functions shipped with Puppet.
pub fn all_functions(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
) -> impl Iterator<Item = (&str, Option<FileInput>)> {
    let defined = environment.into_iter();
    let defined = defined.flat_map(|it| definitions_of_kind(db, it, ItemKind::Function));
    let defined = defined.map(|(name, item)| (name, Some(item.file(db))));
    let in_ruby = environment.into_iter().flat_map(|it| ruby_files(db, it));
    let in_ruby = in_ruby.filter(|it| RubyKind::FUNCTIONS.contains(&it.0.0));
    let in_ruby = in_ruby.map(|((_, name), file)| (name.as_str(), Some(*file)));
    let shipped = library::functions(SettingsInput::get(db).version(db));
    let shipped = shipped.map(|it| (it.name.as_str(), None));
    defined.chain(in_ruby).chain(shipped)
}

/// Resolves a template path in the form that `epp` accepts.
pub fn epp_template(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    path: &str,
) -> Option<FileInput> {
    match file(db, environment, PathKind::Epp, path) {
        Ok(Definition::File(file)) => Some(file),
        _ => None,
    }
}

fn file<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    kind: PathKind,
    path: &str,
) -> Result<Definition<'db>, Missing> {
    let environment = environment.ok_or(Missing::Unknown)?;
    let Some((first, rest)) = path.split_once('/').filter(|it| !it.0.is_empty()) else {
        return Err(Missing::Unknown);
    };
    let Some(module) = module(db, environment, NameKey::new(db, first.to_owned())) else {
        return Err(missing_in(db, environment, first));
    };
    let folder = match kind {
        PathKind::Template | PathKind::Epp => "templates",
        PathKind::File | PathKind::Source => "files",
    };
    let rest = rest.trim_end_matches('/');
    let key = NameKey::new(db, format!("{folder}/{rest}"));
    if let Some(file) = module_file(db, module, key) {
        return Ok(Definition::File(file));
    }
    if kind == PathKind::Source && module_has_folder(db, module, key) {
        return Ok(Definition::Folder);
    }
    Err(Missing::Nowhere)
}
