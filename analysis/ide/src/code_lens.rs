//! Code lenses: the number of references above definitions, and of the levels of Hiera above keys and
//! parameters.

use salsa::Database;
use syntax::TextRange;

use super::ReferenceLocation;
use super::data_files::{FileKind, file_kind, key_lenses, parameter_lenses};
use super::references::reference_location;
use super::search::symbol_uses;
use super::symbol::{AccessKind, Symbol};
use base::FileInput;
use hir::{ItemKind, items, signature};

/// The subject of a [`CodeLens`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LensSubject {
    /// The references to a definition.
    References,
    /// The data files that have a key.
    Levels {
        /// The number of levels.
        levels: usize,
        /// The number of files.
        files: usize,
    },
}

/// References that are shown above a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// The range of the name.
    pub range: TextRange,
    /// The subject.
    pub subject: LensSubject,
    /// The references, without the declaration; at least one. Of many data files, only the highest.
    pub references: Vec<ReferenceLocation>,
}

/// Returns the lenses of a file, in source order. Definitions without references have none.
pub(crate) fn code_lenses(db: &dyn Database, file: FileInput) -> Vec<CodeLens> {
    match file_kind(db, file) {
        FileKind::Code => {}
        FileKind::Data => return key_lenses(db, file),
        FileKind::Config => return Vec::new(),
    }
    let items = items(db, file).iter();
    let definitions = items.filter(|it| !matches!(it.kind(db), ItemKind::Main | ItemKind::Node));
    let lenses = definitions.map(|item| {
        let uses = symbol_uses(db, file, &Symbol::Item(*item)).into_iter();
        let references = uses.filter(|it| it.access() != AccessKind::Declaration);
        CodeLens {
            range: item.in_file(db, signature(db, *item).name_range),
            subject: LensSubject::References,
            references: references.map(|it| reference_location(db, &it)).collect(),
        }
    });
    let mut lenses: Vec<CodeLens> = lenses.filter(|it| !it.references.is_empty()).collect();
    lenses.extend(parameter_lenses(db, file));
    lenses.sort_by_key(|it| it.range.start());
    lenses
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;
    use base::FileId;

    #[test]
    fn counts_references() {
        let fixture = Fixture::new(
            "//- modules/a/manifests/init.pp\nclass a { }\n\
             //- modules/a/manifests/unused.pp\nclass a::unused { }\n\
             //- manifests/site.pp\ninclude a\nClass['a'] -> Class['b']\n",
        );
        let analysis = fixture.analysis();
        let counts = |file| {
            let lenses = analysis.code_lenses(FileId(file)).into_iter();
            lenses.map(|it| it.references.len()).collect::<Vec<_>>()
        };
        assert_eq!(counts(0), [2]);
        assert!(counts(1).is_empty(), "no reference, no lens");
        assert!(counts(2).is_empty(), "top-level code has no name");
    }
}
