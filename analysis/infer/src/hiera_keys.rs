//! The root keys in the data of a workspace, and whether data certainly lacks a key.

use std::sync::Arc;

use base::{EnvironmentInput, FileInput, ModuleInput, ModulepathKind};
use hiera::{DataExtent, DataFormat, Layer, LevelFile, LookupKey};
use hir::autoload::NameKey;
use hir::is_site;
use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;

use crate::hiera_lookup::{
    file_keys, has_environment_data, hiera_config, layer_files, layer_module,
};

/// Whether data has a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyPresence {
    /// A file has the key, for some nodes or for all.
    Present,
    /// No file of the environment and of the module of the key has it.
    Absent,
    /// No file has it, but some levels have no files here, which may be elsewhere.
    AbsentHere,
    /// Data that is not part of the workspace may have it.
    Unknown,
}

/// The root keys in the data of a module or an environment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerKeys {
    /// The files that have a key, sorted by path.
    files: FxHashMap<Arc<str>, Vec<FileInput>>,
    /// How much of the data the workspace has.
    extent: DataExtent,
}

impl LayerKeys {
    /// Returns the files that have a key, sorted by path.
    pub fn files_with(&self, key: &str) -> &[FileInput] {
        self.files.get(key).map_or(&[], Vec::as_slice)
    }

    /// Iterates over the keys, in no particular order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|it| &**it)
    }

    /// Checks whether each path without variables has its file, and all data is in files.
    pub fn is_known(&self) -> bool {
        self.extent != DataExtent::Unknown
    }

    /// Checks whether the workspace contains all data.
    pub fn is_complete(&self) -> bool {
        self.extent == DataExtent::Whole
    }
}

/// Returns the data files of a module or an environment, sorted by path.
///
/// A query of its own, because keys change more often than files.
#[salsa::tracked(returns(clone))]
fn files_by_path(db: &dyn Database, module: ModuleInput) -> Arc<[(FileInput, DataFormat)]> {
    let files = layer_files(db, module);
    let mut files: Vec<_> = files.iter().collect();
    files.sort_by(|a, b| a.1.path.cmp(&b.1.path));
    let formats = files
        .into_iter()
        .filter_map(|(file, place)| Some((*file, place.levels.first()?.format)));
    formats.collect()
}

/// Returns the root keys in the data of a module or an environment.
#[salsa::tracked(returns(clone))]
pub fn layer_keys(db: &dyn Database, module: ModuleInput) -> Arc<LayerKeys> {
    let files = files_by_path(db, module);
    Arc::new(keys_of(db, &files, extent(db, module)))
}

/// Returns the root keys in the data of an environment that only plans read.
#[salsa::tracked(returns(clone))]
pub fn plan_keys(db: &dyn Database, environment: EnvironmentInput) -> Arc<LayerKeys> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Arc::default();
    };
    let Some(Ok(config)) = hiera_config(db, own) else {
        return Arc::default();
    };
    let files = own.files(db);
    let found = config.plan_files(files.keys().map(String::as_str));
    let found = found.into_iter();
    let found: Vec<_> = found
        .filter_map(|(path, format)| Some((*files.get(&*path)?, format)))
        .collect();
    Arc::new(keys_of(db, &found, extent(db, own)))
}

fn keys_of(db: &dyn Database, files: &[(FileInput, DataFormat)], extent: DataExtent) -> LayerKeys {
    let mut keys = LayerKeys {
        extent,
        ..LayerKeys::default()
    };
    for (file, format) in files {
        match file_keys(db, *file, *format) {
            Some(found) => {
                for key in found.iter() {
                    keys.files.entry(Arc::clone(key)).or_default().push(*file);
                }
            }
            None => keys.extent = DataExtent::Unknown,
        }
    }
    keys
}

/// Returns the files of a module or an environment that all nodes read.
#[salsa::tracked(returns(clone))]
pub fn unconditional_files(db: &dyn Database, module: ModuleInput) -> Arc<[FileInput]> {
    let files = layer_files(db, module);
    let files = files.iter().filter(|(_, place)| {
        let mut levels = place.levels.iter();
        levels.any(LevelFile::is_unconditional)
    });
    let mut found: Vec<_> = files.map(|it| (Arc::clone(&it.1.path), *it.0)).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into_iter().map(|it| it.1).collect()
}

/// Returns the root keys in the files that all nodes read, with these files, sorted by path.
#[salsa::tracked(returns(clone))]
fn unconditional_keys(
    db: &dyn Database,
    module: ModuleInput,
) -> Arc<FxHashMap<Arc<str>, Vec<FileInput>>> {
    let of_all = unconditional_files(db, module);
    let of_all: FxHashSet<FileInput> = of_all.iter().copied().collect();
    let files = files_by_path(db, module);
    let files = files.iter().filter(|it| of_all.contains(&it.0));
    let files: Vec<(FileInput, DataFormat)> = files.copied().collect();
    Arc::new(keys_of(db, &files, DataExtent::Whole).files)
}

/// Returns the files of a module or an environment that all nodes read and that have a key, sorted by path.
pub fn unconditional_files_with(
    db: &dyn Database,
    module: ModuleInput,
    key: &str,
) -> Arc<[FileInput]> {
    unconditional_with(db, module, NameKey::new(db, key.to_owned()))
}

/// A query for each key, so that other keys may change.
#[salsa::tracked(returns(clone))]
fn unconditional_with<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    key: NameKey<'db>,
) -> Arc<[FileInput]> {
    let keys = unconditional_keys(db, module);
    let files = keys.get(key.text(db).as_str());
    files.map_or(&[][..], Vec::as_slice).into()
}

/// Checks whether the workspace has all data of an environment.
pub fn has_whole_data(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let own = layer_module(db, environment, &Layer::Environment);
    let own = own.filter(|it| hiera_config(db, *it).is_some());
    own.is_some_and(|it| layer_keys(db, it).extent == DataExtent::Whole)
}

/// Checks whether an environment has main manifests, but not the configuration of its data.
pub fn has_data_elsewhere(db: &dyn Database, environment: EnvironmentInput) -> bool {
    is_site(db, environment) && !has_config(db, environment)
}

/// Checks whether an environment has a `hiera.yaml`.
fn has_config(db: &dyn Database, environment: EnvironmentInput) -> bool {
    let own = layer_module(db, environment, &Layer::Environment);
    own.is_some_and(|it| hiera_config(db, it).is_some())
}

/// Returns how much of the data of a module or an environment is in the workspace.
fn extent(db: &dyn Database, module: ModuleInput) -> DataExtent {
    let files = module.files(db);
    let ruby = format!("lib/puppet/functions/{}/data.rb", module.name(db));
    // Functions that were data providers before Hiera 5.
    if files.contains_key("functions/data.pp") || files.contains_key(&ruby) {
        return DataExtent::Unknown;
    }
    match hiera_config(db, module) {
        None => DataExtent::Whole,
        Some(Err(_)) => DataExtent::Unknown,
        Some(Ok(config)) => {
            let in_module = !has_environment_data(db, module);
            config.extent(in_module, files.keys().map(String::as_str))
        }
    }
}

/// Returns whether the data of an environment has the root of a key.
///
/// An environment without `hiera.yaml` is one for modules, whose users have the data.
pub fn key_presence(db: &dyn Database, environment: EnvironmentInput, key: &str) -> KeyPresence {
    presence_of(db, environment, NameKey::new(db, key.to_owned()))
}

/// A query for each key, so that other keys may change.
#[salsa::tracked(returns(copy))]
fn presence_of<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    key: NameKey<'db>,
) -> KeyPresence {
    let Some(key) = LookupKey::parse(key.text(db)) else {
        return KeyPresence::Unknown;
    };
    let own = layer_module(db, environment, &Layer::Environment);
    let Some(own) = own.filter(|it| hiera_config(db, *it).is_some()) else {
        return KeyPresence::Unknown;
    };
    let mut layers = vec![own];
    let mut extent = DataExtent::Whole;
    if let Some(name) = key.module() {
        let layer = Layer::Module(name.into());
        match layer_module(db, environment, &layer) {
            Some(_) if environment.other_versions(db).contains(None, name) => {
                extent = DataExtent::Unknown;
            }
            Some(module) => layers.push(module),
            None if environment.modules(db).get(name) == Some(&own) => {}
            None if is_certainly_missing(db, environment, name) => {}
            None => extent = DataExtent::Unknown,
        }
    }
    for layer in layers {
        let keys = layer_keys(db, layer);
        if !keys.files_with(&key.root).is_empty() {
            return KeyPresence::Present;
        }
        extent = extent.min(keys.extent);
    }
    match extent {
        DataExtent::Whole => KeyPresence::Absent,
        DataExtent::Found => KeyPresence::AbsentHere,
        DataExtent::Unknown => KeyPresence::Unknown,
    }
}

/// Checks whether data that is not part of the workspace, but that `hiera.yaml` names, may have a key.
pub fn may_be_in_absent_data(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    has_config(db, environment) && key_presence(db, environment, key) == KeyPresence::Unknown
}

/// Checks whether data that all nodes read has a key: that of the environment, or of the module that the key names.
pub fn is_in_data_of_all_nodes(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> bool {
    let module = key.split("::").next().unwrap_or_default();
    let layers = [Layer::Environment, Layer::Module(module.into())];
    let layers = layers
        .iter()
        .filter_map(|it| layer_module(db, environment, it));
    let mut files = layers.map(|it| unconditional_files_with(db, it, key));
    files.any(|it| !it.is_empty())
}

/// Checks whether a module that an environment lacks does not exist.
pub fn is_certainly_missing(
    db: &dyn Database,
    environment: EnvironmentInput,
    module: &str,
) -> bool {
    environment.modulepath(db) == ModulepathKind::OfEnvironment
        && !environment.missing(db).contains(module)
}
