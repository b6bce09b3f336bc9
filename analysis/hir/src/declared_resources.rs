//! The declared resources, by file and by module.
//!
//! For the whole workspace there are only hashes: after an edit, only the files of one module are
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use salsa::Database;

use super::autoload::{NameKey, module_puppet_files};
use super::body::{ResourceForm, body};
use super::{canonical_name, items};
use base::{EnvironmentInput, FileInput, ModuleInput};

/// Returns the part of a title that identifies a resource. Puppet ignores the slashes at the end of
/// the path of a `file`; from `title_patterns` in `type/file.rb`.
pub fn unique_title<'a>(type_: &str, title: &'a str) -> &'a str {
    match title.trim_end_matches('/') {
        path if type_.eq_ignore_ascii_case("file") && !path.is_empty() => path,
        _ => title,
    }
}

/// Returns the resources that a file declares, by type and title.
#[salsa::tracked]
pub fn declared_resources(db: &dyn Database, file: FileInput) -> BTreeSet<(String, String)> {
    let all = items(db, file).iter();
    let resources = all.flat_map(|it| &body(db, *it).resources);
    let declared = resources.filter(|it| it.form == ResourceForm::Declaration);
    let titles = declared.filter_map(|it| Some((it.type_.as_ref()?, &it.titles)));
    let each = titles.flat_map(|(type_, titles)| {
        let titles = titles.iter();
        titles.map(|it| (type_.clone(), it.text.clone()))
    });
    each.collect()
}

/// Returns the resources that a module declares, by type and title.
#[salsa::tracked]
pub fn resources_declared_in(db: &dyn Database, module: ModuleInput) -> BTreeSet<(String, String)> {
    let files = module_puppet_files(db, module).iter();
    let all = files.flat_map(|it| declared_resources(db, *it).iter());
    all.cloned().collect()
}

/// Checks whether any code of an environment declares a resource, given by its type and its literal title.
pub fn is_declared_in_environment(
    db: &dyn Database,
    environment: EnvironmentInput,
    resource: &(String, String),
) -> bool {
    declared_in_environment(db, environment).contains(&hash_of(resource))
}

/// Returns the hashes of the resources that the code of an environment declares.
#[salsa::tracked]
fn declared_in_environment(db: &dyn Database, environment: EnvironmentInput) -> FxHashSet<u64> {
    let modules = environment.modules(db).values();
    let modules = modules.flat_map(|it| hashes_of_declared(db, *it)).copied();
    let manifests = environment.manifests(db).iter();
    let of_manifests = manifests.flat_map(|it| declared_resources(db, *it));
    modules.chain(of_manifests.map(hash_of)).collect()
}

#[salsa::tracked]
fn hashes_of_declared(db: &dyn Database, module: ModuleInput) -> Vec<u64> {
    let resources = resources_declared_in(db, module).iter();
    resources.map(hash_of).collect()
}

fn hash_of(resource: &(String, String)) -> u64 {
    let mut hasher = FxHasher::default();
    resource.hash(&mut hasher);
    hasher.finish()
}

/// Names of parameters by class.
type ClassArguments = BTreeMap<String, BTreeSet<String>>;

/// The name that stands for all parameters, which a hash may set.
pub const ANY_PARAMETER: &str = "*";

/// Returns the parameters that declarations with the literal name of a class set anywhere in an environment. Contains
/// [`ANY_PARAMETER`] for hashes.
#[salsa::tracked]
pub fn class_arguments<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: NameKey<'db>,
) -> BTreeSet<String> {
    let all = all_class_arguments(db, environment).get(class.text(db));
    all.cloned().unwrap_or_default()
}

#[salsa::tracked]
fn all_class_arguments(db: &dyn Database, environment: EnvironmentInput) -> ClassArguments {
    let modules = environment.modules(db).values();
    let modules = modules.map(|it| class_arguments_in_module(db, *it));
    let manifests = environment.manifests(db).iter();
    let manifests = manifests.map(|it| class_arguments_in_file(db, *it));
    let mut all = ClassArguments::default();
    for arguments in modules.chain(manifests) {
        add_arguments(&mut all, arguments);
    }
    all
}

fn add_arguments(all: &mut ClassArguments, more: &ClassArguments) {
    for (class, names) in more {
        let known = all.entry(class.clone()).or_default();
        known.extend(names.iter().cloned());
    }
}

#[salsa::tracked]
fn class_arguments_in_module(db: &dyn Database, module: ModuleInput) -> ClassArguments {
    let mut all = ClassArguments::default();
    for file in module_puppet_files(db, module) {
        add_arguments(&mut all, class_arguments_in_file(db, *file));
    }
    all
}

#[salsa::tracked]
fn class_arguments_in_file(db: &dyn Database, file: FileInput) -> ClassArguments {
    let mut all = ClassArguments::default();
    let resources = items(db, file)
        .iter()
        .flat_map(|it| &body(db, *it).resources);
    let is_class = |it: Option<&str>| it == Some("class");
    let declarations = resources
        .filter(|it| it.form == ResourceForm::Declaration && is_class(it.type_.as_deref()));
    for declaration in declarations {
        let names = declaration.attributes.iter().map(|it| &it.name);
        let names = names.chain(&declaration.default_attributes).cloned();
        let any = declaration.splat.then(|| ANY_PARAMETER.to_owned());
        let names: BTreeSet<String> = names.chain(any).collect();
        for title in &declaration.titles {
            let known = all.entry(canonical_name(&title.text)).or_default();
            known.extend(names.iter().cloned());
        }
    }
    all
}
