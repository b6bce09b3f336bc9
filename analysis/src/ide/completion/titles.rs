//! The titles of resources that code declares, for references.

use std::collections::BTreeSet;

use salsa::Database;

use super::{Candidate, Collector, CompletionKind, score};
use crate::db::{FileInput, ModuleInput};
use crate::workspace::autoload::module_puppet_files;
use crate::workspace::body::{ResourceForm, body};
use crate::workspace::items;

/// The titles of a type: those of this file first, then those of its module and the main manifest,
/// then those of all others.
pub(super) fn titles(into: &mut Collector<'_, '_>, type_: &str) {
    let (db, site) = (into.site.db, into.site);
    add(into, type_, declared(db, site.file), score::NEAR);
    let own = site.file.module(db);
    if let Some(module) = own {
        add(into, type_, declared_in(db, module), score::MODULE);
    }
    let Some(environment) = site.environment else {
        return;
    };
    for file in environment.manifests(db).iter() {
        add(into, type_, declared(db, *file), score::MODULE);
    }
    for module in environment.modules(db).values() {
        if Some(*module) != own {
            add(into, type_, declared_in(db, *module), 0);
        }
    }
}

fn add(into: &mut Collector<'_, '_>, type_: &str, all: &BTreeSet<(String, String)>, points: i64) {
    let first = (type_.to_owned(), String::new());
    for (_, title) in all.range(first..).take_while(|it| it.0 == type_) {
        let found = Candidate::new(CompletionKind::Title, title.clone());
        let found = match into.spot.in_string {
            true => found,
            false => {
                let quoted = title.replace('\\', "\\\\").replace('\'', "\\'");
                found.insert(format!("'{quoted}'"))
            }
        };
        into.add(found.score(points));
    }
}

/// The resources that a file declares, by type and title.
#[salsa::tracked]
fn declared(db: &dyn Database, file: FileInput) -> BTreeSet<(String, String)> {
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

/// The same for a module.
#[salsa::tracked]
fn declared_in(db: &dyn Database, module: ModuleInput) -> BTreeSet<(String, String)> {
    let files = module_puppet_files(db, module).iter();
    let all = files.flat_map(|it| declared(db, *it).iter());
    all.cloned().collect()
}
