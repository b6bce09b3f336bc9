//! Completes module paths of templates and files.

use super::{Candidate, Collector, CompletionKind, score};
use hir::body::PathKind;

/// Adds the files of all modules; those of this module score higher.
pub(super) fn paths(into: &mut Collector<'_, '_>, kind: PathKind) {
    let (db, site) = (into.site.db, into.site);
    let Some(environment) = site.environment else {
        return;
    };
    let (folder, prefix) = match kind {
        PathKind::Template | PathKind::Epp => ("templates/", ""),
        PathKind::File => ("files/", ""),
        PathKind::Source => ("files/", "puppet:///modules/"),
    };
    for (name, module) in environment.modules(db).iter() {
        let is_ours = site.file.module(db) == Some(*module);
        let files = module.files(db).range(folder.to_owned()..);
        let files = files.take_while(|it| it.0.starts_with(folder));
        for (path, _) in files {
            let is_epp = path.ends_with(".epp");
            let fits = match kind {
                PathKind::Epp => is_epp,
                PathKind::Template => !is_epp,
                PathKind::File | PathKind::Source => true,
            };
            if !fits {
                continue;
            }
            let rest = &path[folder.len()..];
            let full = format!("{prefix}{name}/{rest}");
            let quote = if into.spot.in_string { "" } else { "'" };
            let found = Candidate::new(CompletionKind::File, full.clone())
                .insert(format!("{quote}{full}{quote}"));
            into.add(found.score(if is_ours { score::MODULE } else { 0 }));
        }
    }
}
