//! The keys of Hiera data.

use std::collections::BTreeSet;

use hiera::{DataFormat, LOOKUP_OPTIONS};
use infer::{data_file, layer_files};
use salsa::Database;

use base::{EnvironmentInput, FileInput};

/// Returns the root keys of all data files of an environment that a level can read.
pub(super) fn hiera_keys(db: &dyn Database, environment: EnvironmentInput) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for module in environment.modules(db).values() {
        let layer = rules::data::layer_of(db, *module);
        for (file, place) in layer_files(db, *module).iter() {
            if let Some(level) = place.levels.first() {
                let keys = root_keys(db, *file, level.format);
                let keys = keys.iter().map(String::as_str);
                found.extend(keys.filter(|it| layer.may_have(it)));
            }
        }
    }
    found
}

/// Returns the root keys of a data file, without the options of Hiera.
#[salsa::tracked]
fn root_keys(db: &dyn Database, file: FileInput, format: DataFormat) -> Vec<String> {
    let data = data_file(db, file, format);
    let keys = data.entries().iter().map(|it| it.name().to_owned());
    keys.filter(|it| !matches!(it.as_str(), LOOKUP_OPTIONS | "<<"))
        .collect()
}
