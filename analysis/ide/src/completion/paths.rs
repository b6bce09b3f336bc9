//! Completes module paths of templates and files.

use std::collections::BTreeMap;

use base::FileInput;

use super::origin::Origins;
use super::{Candidate, Candidates, CompletionKind};
use hir::body::PathKind;

/// The start of the URL of a file in a module.
pub(super) const SOURCE_PREFIX: &str = "puppet:///modules/";

/// Adds the files of all modules; those of this module first.
pub(super) fn paths(acc: &mut Candidates<'_, '_>, kind: PathKind) {
    let (db, cursor) = (acc.cursor.db, acc.cursor);
    let Some(environment) = cursor.environment else {
        return;
    };
    let prefix = match kind {
        PathKind::Source => SOURCE_PREFIX,
        PathKind::Template | PathKind::Epp | PathKind::File => "",
    };
    let origins = Origins::new(cursor);
    for (name, module) in environment.modules(db).iter() {
        let origin = origins.of_module(*module);
        for rest in paths_in(module.files(db), kind) {
            let full = format!("{prefix}{name}/{rest}");
            let quote = if acc.context.in_string { "" } else { "'" };
            let candidate = Candidate::new(CompletionKind::File, full.clone())
                .insert(format!("{quote}{full}{quote}"));
            acc.add(candidate.grouped_by(origin));
        }
    }
}

/// Adds the files of this module, after its name.
pub(super) fn own_paths(acc: &mut Candidates<'_, '_>, kind: PathKind) {
    let (db, cursor) = (acc.cursor.db, acc.cursor);
    let Some(module) = cursor.file.module(db) else {
        return;
    };
    for rest in paths_in(module.files(db), kind) {
        acc.add(Candidate::new(CompletionKind::File, format!("/{rest}")));
    }
}

/// Returns the paths of the files of a kind in a module, without their directory.
fn paths_in(files: &BTreeMap<String, FileInput>, kind: PathKind) -> impl Iterator<Item = &str> {
    let folder = match kind {
        PathKind::Template | PathKind::Epp => "templates/",
        PathKind::File | PathKind::Source => "files/",
    };
    let files = files.range(folder.to_owned()..);
    let paths = files.map_while(move |it| it.0.strip_prefix(folder));
    paths.filter(move |path| {
        let is_epp = path.ends_with(".epp");
        match kind {
            PathKind::Epp => is_epp,
            PathKind::Template => !is_epp,
            PathKind::File | PathKind::Source => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::offered_in;

    #[test]
    fn files_of_the_own_module() {
        let files = "//- modules/web/templates/a/b.epp\n//- modules/web/templates/c.erb\n\
                     //- modules/web/files/d.txt\n";
        for (value, expected) in [
            ("epp(\"${module_name}/<^>\")", "/a/b.epp"),
            ("epp(\"${module_name}/a<^>\")", "/a/b.epp"),
            ("template(\"${module_name}<^>\")", "/c.erb"),
            ("file(\"${module_name}/d<^>\")", "/d.txt"),
            ("epp(\"x${module_name}/<^>\")", ""),
        ] {
            let code = format!("class web {{ $x = {value} }}\n{files}");
            let found = offered_in("modules/web/manifests/init.pp", &code, 9);
            let found: Vec<&str> = found.split(", ").filter(|it| *it != "/site.epp").collect();
            assert_eq!(found.join(", "), expected, "{value}");
        }
        let code =
            "class web { file { '/x': source => \"puppet:///modules/${module_name}/<^>\" } }\n";
        let found = offered_in(
            "modules/web/manifests/init.pp",
            &format!("{code}{files}"),
            9,
        );
        assert!(found.contains("/d.txt"), "{found}");
    }
}
