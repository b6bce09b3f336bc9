//! The keys of Hiera data in modules.

use std::collections::BTreeSet;

use salsa::Database;

use crate::rename::hiera_keys::is_data_file;
use base::{EnvironmentInput, FileInput};
use rules::project::data;

/// Returns the root keys of all data files of an environment.
pub(super) fn hiera_keys(db: &dyn Database, environment: EnvironmentInput) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for module in environment.modules(db).values() {
        let files = module.files(db).iter();
        for (path, file) in files.filter(|it| is_data_file(it.0)) {
            let is_json = path.ends_with(".json");
            found.extend(root_keys(db, *file, is_json).iter().map(String::as_str));
        }
    }
    found
}

/// Returns the root keys of a data file, without the options of Hiera.
#[salsa::tracked]
fn root_keys(db: &dyn Database, file: FileInput, is_json: bool) -> Vec<String> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let root = match is_json {
        true => data::json(text),
        false => data::yaml(text),
    };
    let root = root.ok().flatten();
    let entries = root.iter().flat_map(|it| it.entries().unwrap_or_default());
    let keys = entries.map(|it| it.key.clone());
    keys.filter(|it| it != "lookup_options").collect()
}
