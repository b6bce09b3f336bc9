//! Completes module paths of templates and files.

use super::origin::Origins;
use super::{Candidate, Candidates, CompletionKind};
use hir::body::PathKind;

/// Adds the files of all modules; those of this module first.
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
    let origins = Origins::new(cursor);
    for (name, module) in environment.modules(db).iter() {
        let origin = origins.of_module(*module);
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
            acc.add(candidate.grouped_by(origin));
        }
    }
}
