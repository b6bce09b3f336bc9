//! Resolves names to definitions, or to the reason why they are not found.

use std::collections::BTreeSet;
use std::sync::Arc;

use salsa::Database;

use super::autoload::{
    NameKey, RubyKind, all_definitions, definitions_of_kind, find_item, is_in_unparsable_file,
    is_in_wrong_file, module, module_file, module_has_folder, never_loaded_path, ruby_file,
    ruby_files,
};
use super::body::{PathKind, Reference, ReferenceName};
use super::item::{Item, ItemKind, canonical_name, items};
use super::other_versions::has_required_versions;
use super::ruby_symbols::{self, RubySymbol};
use super::variables::{VariableSource, resolve_variable};
use base::{
    Dependencies, EnvironmentInput, FileInput, ModuleInput, ModuleOrigin, ModulepathKind,
    SettingsInput,
};
use library::products;
use library::signatures::{Function, ResourceType};
use types::reader::is_data_type;

/// The definition that a name resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition<'db> {
    /// A class, defined type, function, plan or type alias in the Puppet language.
    Item(Item<'db>),
    Variable(VariableSource<'db>),
    /// A function defined in Ruby.
    Function(RubySymbol<Function>),
    /// A resource type defined in Ruby.
    ResourceType(RubySymbol<ResourceType>),
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
pub enum ResolveError {
    /// It is certainly not defined.
    NotDefined,
    /// It is defined, but not in a file that Puppet's autoloader reads.
    Misplaced,
    /// It is only defined in a file of its module, with this path, that Puppet never reads to find it.
    NeverLoaded(String),
    /// The module that would define it is declared, but not installed.
    MissingModule(String),
    /// The module that would define it is neither installed nor declared.
    UndeclaredModule(String),
    /// It may be defined outside of the workspace: by a missing module, by an external node
    /// classifier, by a custom fact of a host.
    MaybeExternal,
    /// Too little is known.
    Unknown,
}

impl ResolveError {
    /// Describes why a name is unknown, if that is not obvious.
    #[must_use]
    pub fn explanation(&self) -> Option<String> {
        match self {
            ResolveError::UndeclaredModule(module) => Some(format!(
                "module `{module}` is neither installed nor declared"
            )),
            ResolveError::NeverLoaded(path) => Some(format!(
                "`{path}` defines it, but Puppet does not autoload it from there"
            )),
            _ => None,
        }
    }

    /// Converts the reason why a class is not found to the reason why its member is not.
    pub(super) fn for_member(self) -> ResolveError {
        match self {
            ResolveError::NotDefined
            | ResolveError::MissingModule(_)
            | ResolveError::UndeclaredModule(_) => self,
            _ => ResolveError::Unknown,
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
) -> Result<Definition<'db>, ResolveError> {
    let environment = item.file(db).environment(db);
    match &reference.name {
        ReferenceName::Variable(name) => {
            let found = resolve_variable(db, environment, item, reference, name);
            found.map(Definition::Variable)
        }
        ReferenceName::Class(name, _) => find(db, environment, ItemKind::Class, name)
            .or_else(|why| in_same_file(db, item, ItemKind::Class, name, why)),
        ReferenceName::ResourceType(name) => resource_type(db, environment, name)
            .or_else(|why| in_same_file(db, item, ItemKind::DefinedType, name, why)),
        ReferenceName::Type(name) => type_name(db, environment, name),
        ReferenceName::Function(name) => function(db, environment, name)
            .or_else(|why| in_same_file(db, item, ItemKind::Function, name, why)),
        ReferenceName::Title(..) => Err(ResolveError::Unknown),
        ReferenceName::Path(kind, path) => file(db, environment, *kind, path),
    }
}

/// Finds a definition in the file of an item, if the file is outside of modules: users apply such files by themselves.
fn in_same_file<'db>(
    db: &'db dyn Database,
    item: Item<'db>,
    kind: ItemKind,
    name: &str,
    why: ResolveError,
) -> Result<Definition<'db>, ResolveError> {
    let file = item.file(db);
    if file.module(db).is_some() {
        return Err(why);
    }
    let mut own = items(db, file).iter();
    let is_meant = |it: &&Item<'_>| it.kind(db) == kind && canonical_name(it.name(db)) == name;
    own.find(is_meant)
        .map_or(Err(why), |it| Ok(Definition::Item(*it)))
}

/// Resolves a class.
pub fn class<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, ResolveError> {
    find(db, environment, ItemKind::Class, &canonical_name(name))
}

/// The class with the settings of the server, which each catalog has without a definition.
const SETTINGS: &str = "settings";

fn find<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    kind: ItemKind,
    name: &str,
) -> Result<Definition<'db>, ResolveError> {
    let environment = environment.ok_or(ResolveError::Unknown)?;
    if let Some(item) = find_item(db, environment, kind, NameKey::new(db, name.to_owned())) {
        return Ok(Definition::Item(item));
    }
    if kind == ItemKind::Class && name == SETTINGS {
        return Err(ResolveError::Unknown);
    }
    if is_in_unparsable_file(db, environment, kind, name) {
        return Err(ResolveError::Unknown);
    }
    if let Some(found) = all_definitions(db, environment).get(&(kind, name.to_owned())) {
        let paths: Option<Vec<_>> = found.iter().map(|it| never_loaded_path(db, *it)).collect();
        let first = paths.and_then(|it| it.into_iter().next());
        return Err(first.map_or(ResolveError::Misplaced, ResolveError::NeverLoaded));
    }
    if is_in_wrong_file(db, environment, kind, name) {
        return Err(ResolveError::Misplaced);
    }
    Err(reason_not_defined(db, environment, name))
}

/// Returns the reason why `name` is not found: its module may be missing.
pub(crate) fn reason_not_defined(
    db: &dyn Database,
    environment: EnvironmentInput,
    name: &str,
) -> ResolveError {
    let first = name.split("::").next().unwrap_or_default();
    if let Some(module) = module(db, environment, NameKey::new(db, first.to_owned())) {
        match may_be_in_absent_file(db, module, name) {
            true => ResolveError::Unknown,
            false => ResolveError::NotDefined,
        }
    } else if missing_modules(db, environment).contains(first) {
        ResolveError::MissingModule(first.to_owned())
    } else if environment.modulepath(db) == ModulepathKind::Unknown {
        ResolveError::Unknown
    } else {
        ResolveError::UndeclaredModule(first.to_owned())
    }
}

/// Checks whether a file of a module that is absent here may define a name.
fn may_be_in_absent_file(db: &dyn Database, module: ModuleInput, name: &str) -> bool {
    if module.absent(db).is_empty() {
        return false;
    }
    let parts: Vec<&str> = name.split("::").skip(1).collect();
    // The autoloader also looks in the files of the enclosing names.
    let files = (0..=parts.len()).map(|count| match parts[..count].join("/") {
        it if it.is_empty() => "init".to_owned(),
        it => it,
    });
    let files: Vec<String> = files.collect();
    ["manifests", "functions", "types", "plans"]
        .iter()
        .flat_map(|folder| files.iter().map(move |it| format!("{folder}/{it}.pp")))
        .any(|it| is_absent(db, module, &it))
        || module
            .absent(db)
            .iter()
            .any(|it| it == "lib" || it.starts_with("lib/"))
}

/// Checks whether a file of a module exists elsewhere, but not here.
fn is_absent(db: &dyn Database, module: ModuleInput, path: &str) -> bool {
    module.absent(db).iter().any(|it| {
        let inside = path.strip_prefix(&**it);
        inside.is_some_and(|it| it.is_empty() || it.starts_with('/'))
    })
}

/// Returns the modules that the project declares, and the direct and indirect dependencies of its
/// modules, as far as they were not found.
#[salsa::tracked]
pub fn missing_modules(db: &dyn Database, environment: EnvironmentInput) -> Arc<BTreeSet<String>> {
    let modules = environment.modules(db).values();
    let own = modules.filter(|it| it.origin(db) == ModuleOrigin::Workspace);
    let mut missing = BTreeSet::clone(environment.missing(db));
    for module in own {
        let dependencies = dependencies_of(db, environment, *module);
        missing.extend(dependencies.missing.iter().cloned());
    }
    Arc::new(missing)
}

/// Checks whether all modules that the code of a module may use are installed in the required
/// versions: those that the project declares, and its dependencies, directly and indirectly.
pub fn has_all_modules(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> bool {
    has_required_versions(db, environment, module)
        && has_all_modules_in_any_version(db, environment, module)
}

/// Checks whether all modules that the code of a module may use are installed, see [`has_all_modules`], if only in other
/// versions.
pub fn has_all_modules_in_any_version(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> bool {
    let is_installed = |it| dependencies_of(db, environment, it).missing.is_empty();
    environment.missing(db).is_empty()
        && has_known_dependencies(db, environment, module)
        && module.is_none_or(is_installed)
}

/// Checks whether the modules that the code of a module needs are known: from its metadata, or from
/// the project.
pub fn has_known_dependencies(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
) -> bool {
    match environment.modulepath(db) {
        ModulepathKind::Unknown => false,
        ModulepathKind::OfDependencies => {
            module.is_some_and(|it| it.files(db).contains_key("metadata.json"))
        }
        ModulepathKind::OfEnvironment => true,
    }
}

/// Checks whether Puppet certainly does not find a name that is not found here for a reason: the code that uses it belongs
/// to an environment of which all modules are known.
pub fn is_certainly_unknown(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: Option<ModuleInput>,
    why: &ResolveError,
) -> bool {
    let is_closed = || {
        environment.modulepath(db) == ModulepathKind::OfEnvironment
            && has_all_modules(db, environment, module)
    };
    match why {
        ResolveError::NotDefined | ResolveError::NeverLoaded(_) => true,
        ResolveError::UndeclaredModule(name) => {
            !products::is_module_of_enterprise(name) && is_closed()
        }
        ResolveError::MaybeExternal => is_closed(),
        ResolveError::Misplaced | ResolveError::MissingModule(_) | ResolveError::Unknown => false,
    }
}

/// Returns the direct and indirect dependencies of a module.
#[salsa::tracked]
pub fn dependencies_of(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: ModuleInput,
) -> Dependencies {
    let modules = environment.modules(db);
    base::dependencies(module.dependencies(db).iter(), |name| {
        modules.get(name).map(|it| &**it.dependencies(db))
    })
}

/// Resolves a defined type or a resource type.
pub fn resource_type<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, ResolveError> {
    if let Some(found) = ruby_symbols::resource_type(db, environment, name) {
        return Ok(Definition::ResourceType(found));
    }
    let missing = match find(db, environment, ItemKind::DefinedType, name) {
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
        None => Err(reason_for_name(environment, name, missing)),
    }
}

/// Adjusts the reason why a name is not found: an unqualified one may come from any module,
/// including unknown ones.
fn reason_for_name(
    environment: Option<EnvironmentInput>,
    name: &str,
    missing: ResolveError,
) -> ResolveError {
    match missing {
        ResolveError::Misplaced | ResolveError::NeverLoaded(_) => missing,
        _ if environment.is_some() && !name.contains("::") => ResolveError::MaybeExternal,
        missing => missing,
    }
}

/// Resolves a data type.
pub fn type_name<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, ResolveError> {
    if is_data_type(name) {
        return Ok(Definition::DataType(name.to_owned()));
    }
    let name = canonical_name(name);
    let missing = match find(db, environment, ItemKind::TypeAlias, &name) {
        Err(missing) => missing,
        found => return found,
    };
    let file = environment
        .and_then(|it| ruby_file(db, it, RubyKind::DataType, NameKey::new(db, name.clone())));
    if let Some(file) = file {
        return Ok(Definition::RubyDataType(file, name));
    }
    // Otherwise, the name is a resource type, as in the reference `Foo::Bar['x']`.
    let found = resource_type(db, environment, &name);
    match missing {
        ResolveError::NeverLoaded(_) => found.map_err(|_| missing),
        _ => found,
    }
}

pub fn function<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    name: &str,
) -> Result<Definition<'db>, ResolveError> {
    if let Some(found) = ruby_symbols::function(db, environment, name) {
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
        Some(file) if ruby_symbols::defines_other_function(db, file) => {
            Err(ResolveError::NotDefined)
        }
        Some(file) => Ok(Definition::Unreadable(file)),
        None => Err(reason_for_name(environment, name, missing)),
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

/// Checks whether a path certainly leads to no file: its module lacks it, or it names no module. Puppet
/// reads absolute paths on the machine that compiles.
pub fn is_missing_path(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    kind: PathKind,
    path: &str,
) -> bool {
    let is_bare = !path.is_empty() && !path.contains(['/', '\\', ':']) && kind != PathKind::Source;
    is_bare || file(db, environment, kind, path) == Err(ResolveError::NotDefined)
}

/// Resolves a path of a template or a file, which starts with the name of a module.
///
/// # Errors
///
/// If it is not found, with the reason.
pub fn file<'db>(
    db: &'db dyn Database,
    environment: Option<EnvironmentInput>,
    kind: PathKind,
    path: &str,
) -> Result<Definition<'db>, ResolveError> {
    let environment = environment.ok_or(ResolveError::Unknown)?;
    let Some((first, rest)) = path.split_once('/').filter(|it| !it.0.is_empty()) else {
        return Err(ResolveError::Unknown);
    };
    let Some(module) = module(db, environment, NameKey::new(db, first.to_owned())) else {
        return Err(reason_not_defined(db, environment, first));
    };
    let folder = match kind {
        PathKind::Template | PathKind::Epp => "templates",
        PathKind::File | PathKind::Source => "files",
    };
    let Some(rest) = plain_path(rest) else {
        return Err(ResolveError::Unknown);
    };
    // Without a name, a source is the whole folder.
    let path = match rest.is_empty() {
        true => folder.to_owned(),
        false => format!("{folder}/{rest}"),
    };
    let key = NameKey::new(db, path);
    // `epp` adds the extension to every name that lacks it; `template` and `file` do not.
    let wanted = match kind {
        PathKind::Epp if !rest.ends_with(".epp") => {
            NameKey::new(db, format!("{folder}/{rest}.epp"))
        }
        _ => key,
    };
    if let Some(file) = module_file(db, module, wanted) {
        return Ok(Definition::File(file));
    }
    if kind == PathKind::Source && module_has_folder(db, module, key) {
        return Ok(Definition::Folder);
    }
    match is_absent(db, module, wanted.text(db)) {
        true => Err(ResolveError::Unknown),
        false => Err(ResolveError::NotDefined),
    }
}

/// Returns a path without empty segments and `.`, which the file system ignores; `None` if it leaves
/// a folder.
fn plain_path(path: &str) -> Option<String> {
    let segments = path.split('/').filter(|it| !matches!(*it, "" | "."));
    let segments: Vec<&str> = segments.collect();
    (!segments.contains(&"..")).then(|| segments.join("/"))
}
