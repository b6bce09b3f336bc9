//! The declared resources, by file and by module.
//!
//! There is no query for the whole workspace: after an edit, only the files of one module are
//! checked.

use std::collections::BTreeSet;

use salsa::Database;

use super::autoload::module_puppet_files;
use super::body::{ResourceForm, body};
use super::items;
use base::{FileInput, ModuleInput};

/// Returns the part of a title that identifies a resource. Puppet ignores the slashes at the end of
/// the path of a `file`; from `title_patterns` in `type/file.rb`.
pub fn unique_title<'a>(type_: &str, title: &'a str) -> &'a str {
    match title.trim_end_matches('/') {
        path if type_ == "file" && !path.is_empty() => path,
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
