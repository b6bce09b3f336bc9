//! Completes titles of declared resources in resource references, and titles of new resources.

use std::collections::BTreeSet;

use super::variables::variables;
use super::{Candidate, Candidates, CompletionKind, score};
use hir::declared_resources::{declared_resources, resources_declared_in};

/// Adds what can be the title of a new resource: `default` and variables.
pub(super) fn new_titles(acc: &mut Candidates<'_, '_>) {
    acc.add(Candidate::new(CompletionKind::Keyword, "default"));
    variables(acc, None, true);
}

/// Adds the titles of a type: those of this file first, then those of its module and the main
/// manifests, then all others.
pub(super) fn titles(acc: &mut Candidates<'_, '_>, type_: &str) {
    let (db, cursor) = (acc.cursor.db, acc.cursor);
    add(
        acc,
        type_,
        declared_resources(db, cursor.file),
        5 * score::SAME_SCOPE,
    );
    let own = cursor.file.module(db);
    if let Some(module) = own {
        add(
            acc,
            type_,
            resources_declared_in(db, module),
            score::SAME_MODULE,
        );
    }
    let Some(environment) = cursor.environment else {
        return;
    };
    for file in environment.manifests(db).iter() {
        add(
            acc,
            type_,
            declared_resources(db, *file),
            score::SAME_MODULE,
        );
    }
    for module in environment.modules(db).values() {
        if Some(*module) != own {
            add(acc, type_, resources_declared_in(db, *module), 0);
        }
    }
}

fn add(acc: &mut Candidates<'_, '_>, type_: &str, all: &BTreeSet<(String, String)>, points: i64) {
    let first = (type_.to_owned(), String::new());
    for (_, title) in all.range(first..).take_while(|it| it.0 == type_) {
        let candidate = acc.string(CompletionKind::Title, title);
        acc.add(candidate.score(points));
    }
}
