//! The keys of Hiera data.

use std::collections::BTreeSet;

use hiera::{DataFormat, Layer};
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
                found.extend(keys.filter(|it| belongs_to(it, &layer)));
            }
        }
    }
    found
}

/// Checks whether Puppet looks a key up in the data of a layer: modules have keys of their own only.
fn belongs_to(key: &str, layer: &Layer) -> bool {
    match layer {
        Layer::Environment => true,
        Layer::Module(name) => {
            let rest = key.strip_prefix(&**name);
            rest.is_some_and(|it| it.starts_with("::"))
        }
    }
}

/// Returns the root keys of a data file, without the options of Hiera.
#[salsa::tracked]
fn root_keys(db: &dyn Database, file: FileInput, format: DataFormat) -> Vec<String> {
    let data = data_file(db, file, format);
    let keys = data.entries().iter().map(|it| it.name().to_owned());
    keys.filter(|it| !matches!(it.as_str(), "lookup_options" | "<<"))
        .collect()
}
