//! Completes titles of declared resources in resource references.

use std::collections::BTreeSet;

use super::{Candidate, Collector, CompletionKind, score};
use hir::resources::{declared_resources, resources_declared_in};

/// Adds the titles of a type: those of this file first, then those of its module and the main
/// manifests, then all others.
pub(super) fn titles(into: &mut Collector<'_, '_>, type_: &str) {
    let (db, site) = (into.site.db, into.site);
    add(into, type_, declared_resources(db, site.file), score::NEAR);
    let own = site.file.module(db);
    if let Some(module) = own {
        add(
            into,
            type_,
            resources_declared_in(db, module),
            score::MODULE,
        );
    }
    let Some(environment) = site.environment else {
        return;
    };
    for file in environment.manifests(db).iter() {
        add(into, type_, declared_resources(db, *file), score::MODULE);
    }
    for module in environment.modules(db).values() {
        if Some(*module) != own {
            add(into, type_, resources_declared_in(db, *module), 0);
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
