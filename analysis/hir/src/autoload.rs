//! Puppet's autoload rules: the files in which a name is looked up.
//!
//! Each query has as few dependencies as possible: a new file in a module reruns the lookups of
//! files in that module, and their unchanged results stop the invalidation (backdating).

use std::collections::BTreeMap;

use salsa::Database;

use super::item::{Item, ItemKind, items};
use base::{EnvironmentInput, FileInput, ModuleInput};

/// An interned name or path that is looked up, in canonical form.
#[salsa::interned(debug)]
pub struct NameKey<'db> {
    pub text: String,
}

/// Returns a module of an environment.
#[salsa::tracked(returns(copy))]
pub fn module<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    name: NameKey<'db>,
) -> Option<ModuleInput> {
    environment.modules(db).get(name.text(db)).copied()
}

/// Returns a file of a module by its relative path.
#[salsa::tracked(returns(copy))]
pub fn module_file<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    path: NameKey<'db>,
) -> Option<FileInput> {
    module.files(db).get(path.text(db)).copied()
}

/// Checks whether a module has a folder, which may only contain what is absent; the path has no trailing slash.
#[salsa::tracked(returns(copy))]
pub(crate) fn module_has_folder<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    path: NameKey<'db>,
) -> bool {
    let folder = format!("{}/", path.text(db));
    let mut following = module.files(db).range(folder.clone()..);
    let has_file = following.next().is_some_and(|it| it.0.starts_with(&folder));
    has_file || module.absent(db).iter().any(|it| it.starts_with(&folder))
}

/// Returns the definition in the Puppet language that the autoloader finds.
#[salsa::tracked(returns(copy))]
pub fn find_item<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: NameKey<'db>,
) -> Option<Item<'db>> {
    in_main_manifest(db, environment, kind, name.text(db))
        .or_else(|| in_module(db, environment, kind, name.text(db)))
}

fn in_main_manifest<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> Option<Item<'db>> {
    let single = environment.single_file(db);
    let mut files = environment.manifests(db).iter().copied().chain(single);
    files.find_map(|file| item_of_file(db, file, kind, name))
}

/// Returns a definition in the files of a module that the autoloader reads for its name.
fn in_module<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> Option<Item<'db>> {
    let mut files = candidate_files(db, environment, kind, name);
    files.find_map(|it| item_of_file(db, it, kind, name))
}

/// Iterates over the files of a module that the autoloader reads for a name, in its order.
fn candidate_files<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> impl Iterator<Item = FileInput> + use<'db> {
    let (first, rest) = name.split_once("::").unwrap_or((name, ""));
    let module = module(db, environment, NameKey::new(db, first.to_owned()));
    let paths = module.map_or_else(Vec::new, |_| candidate_paths(kind, rest));
    let paths = paths.into_iter();
    paths.filter_map(move |it| module_file(db, module?, NameKey::new(db, it)))
}

/// Checks whether a file that the autoloader would read for a name exists but is unreadable or has
/// syntax errors, so that its definitions are unknown.
pub(crate) fn is_in_unparsable_file(
    db: &dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> bool {
    let mut files = candidate_files(db, environment, kind, name);
    files.any(|it| it.text(db).is_none() || has_syntax_errors(db, it))
}

/// Returns the files with syntax errors that the autoloader would read for a name.
pub fn broken_files(
    db: &dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> impl Iterator<Item = FileInput> {
    let files = candidate_files(db, environment, kind, name);
    files.filter(move |it| has_syntax_errors(db, *it))
}

fn has_syntax_errors(db: &dyn Database, file: FileInput) -> bool {
    let mut errors = base::parse(db, file).errors().iter();
    errors.any(|it| it.severity == syntax::Severity::Error)
}

/// Returns the paths of the files in a module that may define a name; `rest` is the name without
/// the module. The file named after the definition comes first.
pub fn candidate_paths(kind: ItemKind, rest: &str) -> Vec<String> {
    let path = path_of(rest);
    match kind {
        ItemKind::Class | ItemKind::DefinedType => manifests(rest),
        // A function or a type alias never has the name of its module alone.
        ItemKind::Function if rest.is_empty() => Vec::new(),
        ItemKind::Function => vec![format!("functions/{path}.pp")],
        ItemKind::Plan => vec![format!("plans/{path}.pp")],
        // Puppet also looks for a resource type of the name.
        ItemKind::TypeAlias if rest.is_empty() => manifests(rest),
        ItemKind::TypeAlias => {
            let own = format!("types/{path}.pp");
            [own].into_iter().chain(manifests(rest)).collect()
        }
        ItemKind::Node | ItemKind::Main => Vec::new(),
    }
}

/// Returns the path of a definition below its folder, without the extension.
fn path_of(rest: &str) -> String {
    if rest.is_empty() {
        "init".to_owned()
    } else {
        rest.replace("::", "/")
    }
}

/// Returns the paths of the manifests that may define a name. Puppet reads a file for each prefix of
/// the name, since it may define everything in that namespace.
fn manifests(rest: &str) -> Vec<String> {
    let mut found = vec![format!("manifests/{}.pp", path_of(rest))];
    let mut part = rest;
    while let Some((outer, _)) = part.rsplit_once("::") {
        found.push(format!("manifests/{}.pp", outer.replace("::", "/")));
        part = outer;
    }
    if !rest.is_empty() {
        found.push("manifests/init.pp".to_owned());
    }
    found
}

/// Returns the path of the file of a definition in its module, if Puppet never loads the definition from there:
///
/// * The folder is that of another kind of definition, and the file has none of that kind.
/// * The path contains uppercase letters.
/// * The definition is a type alias in the file of another one.
///
/// Other definitions at wrong places are reported by the checks of a single file, or may be found
/// after others.
pub(crate) fn never_loaded_path(db: &dyn Database, item: Item<'_>) -> Option<String> {
    let file = item.file(db);
    let module = file.module(db)?;
    let place = file.spec(db).place.as_ref()?;
    let (folder, rest) = place.path.split_once('/')?;
    let all = || items(db, file).iter().map(|it| it.kind(db));
    let is_never = match (item.kind(db), folder) {
        (ItemKind::Function, "functions") => {
            *item.name(db) == **module.name(db) || rest.contains(|it: char| it.is_ascii_uppercase())
        }
        (ItemKind::Function, "manifests") => {
            rest != "init.pp" && !all().any(ItemKind::is_declarable)
        }
        (ItemKind::Function, "types" | "plans") => all().all(|it| it == ItemKind::Function),
        (ItemKind::TypeAlias, "types") => !is_well_placed(db, item),
        (it, "functions" | "types" | "plans") if it.is_declarable() => {
            all().all(ItemKind::is_declarable)
        }
        (it, "manifests") if it.is_declarable() => {
            rest.contains(|it: char| it.is_ascii_uppercase())
        }
        _ => false,
    };
    is_never.then(|| place.path.clone())
}

/// Checks whether Puppet's autoloader finds a definition in its file, or the file is always read.
pub fn is_well_placed(db: &dyn Database, item: Item<'_>) -> bool {
    let file = item.file(db);
    let (Some(module), Some(place)) = (file.module(db), file.spec(db).place.as_ref()) else {
        return true;
    };
    let (first, rest) = item
        .name(db)
        .split_once("::")
        .unwrap_or((item.name(db), ""));
    first == &**module.name(db) && candidate_paths(item.kind(db), rest).contains(&place.path)
}

/// Checks whether a definition is in the file of its module that is named after it.
pub fn is_in_file_of_its_name(db: &dyn Database, item: Item<'_>) -> bool {
    let file = item.file(db);
    let name = item.name(db);
    let (first, rest) = name.split_once("::").unwrap_or((name, ""));
    let module = file.module(db).filter(|it| first == &**it.name(db));
    let path = candidate_paths(item.kind(db), rest).into_iter().next();
    let found = module.zip(path);
    found
        .is_some_and(|(module, path)| module_file(db, module, NameKey::new(db, path)) == Some(file))
}

/// Checks whether the file that the autoloader reads for a function has other definitions or code,
/// which the checks of a single file report.
pub(crate) fn is_in_wrong_file(
    db: &dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: &str,
) -> bool {
    if kind != ItemKind::Function {
        return false;
    }
    let file = candidate_files(db, environment, kind, name).next();
    let inner = format!("{name}::");
    let is_wrong = |it: &Item<'_>| {
        let own = it.name(db);
        it.kind(db) == ItemKind::Main || own != name && !own.starts_with(&inner)
    };
    file.is_some_and(|it| items(db, it).iter().any(is_wrong))
}

pub(crate) fn item_of_file<'db>(
    db: &'db dyn Database,
    file: FileInput,
    kind: ItemKind,
    name: &str,
) -> Option<Item<'db>> {
    let mut found = items(db, file).iter();
    found
        .find(|it| it.kind(db) == kind && it.name(db) == name)
        .copied()
}

/// Returns all definitions of an environment by kind and name, regardless of whether the autoloader
/// finds them, in order of precedence. Used by completion, and to distinguish misplaced from
/// missing definitions.
#[salsa::tracked]
pub fn all_definitions<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
) -> BTreeMap<(ItemKind, String), Vec<Item<'db>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let loose = environment.manifests(db).iter();
    let loose = loose.flat_map(|it| definitions(db, *it));
    let modules = environment.modules(db).values();
    let of_modules = modules.flat_map(|it| module_definitions(db, *it)).copied();
    for item in loose.chain(of_modules) {
        let key = (item.kind(db), item.name(db).clone());
        found.entry(key).or_default().push(item);
    }
    found
}

/// Returns the definitions of a kind by name; of duplicates, the one that takes precedence.
pub fn definitions_of_kind(
    db: &dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
) -> impl Iterator<Item = (&str, Item<'_>)> {
    let all = all_definitions(db, environment).range((kind, String::new())..);
    let all = all.take_while(move |it| it.0.0 == kind);
    all.filter_map(|((_, name), items)| Some((name.as_str(), *items.first()?)))
}

/// Returns the named definitions of a file. Nodes and top-level code are excluded, since they come
/// and go while code is being typed.
fn definitions<'db>(db: &'db dyn Database, file: FileInput) -> impl Iterator<Item = Item<'db>> {
    let all = items(db, file).iter().copied();
    all.filter(|it| !matches!(it.kind(db), ItemKind::Main | ItemKind::Node))
}

/// Returns the definitions in the files of a module. An edit in one module does not require a check
/// of each file in the others.
#[salsa::tracked]
fn module_definitions<'db>(db: &'db dyn Database, module: ModuleInput) -> Vec<Item<'db>> {
    let files = module_puppet_files(db, module).iter();
    files.flat_map(|it| definitions(db, *it)).collect()
}

/// Returns all definitions of a name.
#[salsa::tracked]
pub fn definitions_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: ItemKind,
    name: NameKey<'db>,
) -> Vec<Item<'db>> {
    let key = (kind, name.text(db).clone());
    let all = all_definitions(db, environment).get(&key);
    all.cloned().unwrap_or_default()
}

/// Returns the files of an environment in the Puppet language, those of the main manifest first.
#[salsa::tracked]
pub fn puppet_files(db: &dyn Database, environment: EnvironmentInput) -> Vec<FileInput> {
    let modules = environment.modules(db).values();
    let of_modules = modules.flat_map(|it| module_puppet_files(db, *it));
    let manifests = environment.manifests(db).iter();
    manifests.chain(of_modules).copied().collect()
}

/// Returns the files below `templates/` of a module, with their paths.
pub fn template_files(
    db: &dyn Database,
    module: ModuleInput,
) -> impl Iterator<Item = (&String, FileInput)> {
    let files = module.files(db).range(TEMPLATES.to_owned()..);
    let files = files.take_while(|it| it.0.starts_with(TEMPLATES));
    files.map(|it| (it.0, *it.1))
}

/// The folder of a module that contains its templates.
const TEMPLATES: &str = "templates/";

/// Returns the files of a module in the Puppet language.
#[salsa::tracked]
pub fn module_puppet_files(db: &dyn Database, module: ModuleInput) -> Vec<FileInput> {
    let files = module.files(db).iter().filter(|it| is_puppet(it.0));
    files.map(|it| *it.1).collect()
}

fn is_puppet(path: &str) -> bool {
    const FOLDERS: [&str; 4] = ["manifests/", "functions/", "types/", "plans/"];
    path.ends_with(".pp") && FOLDERS.iter().any(|it| path.starts_with(it))
}

/// The kind of a symbol that a file defines in Ruby, according to its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RubyKind {
    /// A function that uses the Puppet 4.x API.
    Function4x,
    /// A function that uses the Puppet 3.x API.
    Function3x,
    ResourceType,
    DataType,
}

impl RubyKind {
    /// The kinds that are functions, in the order of Puppet's lookup.
    pub const FUNCTIONS: [RubyKind; 2] = [RubyKind::Function4x, RubyKind::Function3x];
}

/// Returns the Ruby files of an environment by the names that they define.
#[salsa::tracked]
pub fn ruby_files(
    db: &dyn Database,
    environment: EnvironmentInput,
) -> BTreeMap<(RubyKind, String), FileInput> {
    let mut found = BTreeMap::new();
    for module in environment.modules(db).values() {
        for (path, file) in module.files(db).range("lib/".to_owned()..) {
            let Some(rest) = path.strip_prefix("lib/").filter(|it| it.ends_with(".rb")) else {
                continue;
            };
            if let Some(key) = ruby_key(rest.trim_end_matches(".rb")) {
                found.entry(key).or_insert(*file);
            }
        }
    }
    found
}

fn ruby_key(path: &str) -> Option<(RubyKind, String)> {
    const FOLDERS: [(&str, RubyKind); 4] = [
        ("puppet/functions/", RubyKind::Function4x),
        ("puppet/parser/functions/", RubyKind::Function3x),
        ("puppet/type/", RubyKind::ResourceType),
        ("puppet/datatypes/", RubyKind::DataType),
    ];
    let mut folders = FOLDERS.iter();
    folders.find_map(|(folder, kind)| {
        let name = path.strip_prefix(folder)?;
        // Files in subfolders of a resource type are parts of its implementation.
        let nested = matches!(kind, RubyKind::ResourceType | RubyKind::Function3x);
        (!nested || !name.contains('/')).then(|| (*kind, name.replace('/', "::")))
    })
}

/// Returns the Ruby file that defines a name.
#[salsa::tracked(returns(copy))]
pub fn ruby_file<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    kind: RubyKind,
    name: NameKey<'db>,
) -> Option<FileInput> {
    let key = (kind, name.text(db).clone());
    ruby_files(db, environment).get(&key).copied()
}

/// Returns the Ruby files that define facts.
#[salsa::tracked]
pub(crate) fn fact_files(db: &dyn Database, environment: EnvironmentInput) -> Vec<FileInput> {
    let mut found = Vec::new();
    for module in environment.modules(db).values() {
        let files = module.files(db).range("lib/facter/".to_owned()..);
        let files = files.take_while(|it| it.0.starts_with("lib/facter/"));
        found.extend(files.filter(|it| it.0.ends_with(".rb")).map(|it| *it.1));
    }
    found
}
