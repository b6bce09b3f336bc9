//! Completes module paths of templates and files.

use super::{Candidate, Candidates, CompletionKind, score};
use hir::body::PathKind;

/// Adds the files of all modules; those of this module score higher.
pub(super) fn paths(acc: &mut Candidates<'_, '_>, kind: PathKind) {
    let (db, cursor) = (acc.cursor.db, acc.cursor);
    let Some(environment) = cursor.environment else {
        return;
    };
    let (folder, prefix) = match kind {
        PathKind::Template | PathKind::Epp => ("templates/", ""),
        PathKind::File => ("files/", ""),
        PathKind::Source => ("files/", "puppet:///modules/"),
    };
    for (name, module) in environment.modules(db).iter() {
        let is_ours = cursor.file.module(db) == Some(*module);
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
            let quote = if acc.context.in_string { "" } else { "'" };
            let candidate = Candidate::new(CompletionKind::File, full.clone())
                .insert(format!("{quote}{full}{quote}"));
            acc.add(candidate.score(if is_ours { score::SAME_MODULE } else { 0 }));
        }
    }
}
