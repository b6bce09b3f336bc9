//! Code lenses: the number of references above definitions, of resources above classes, and of the levels of Hiera
//! above keys and parameters.

use salsa::Database;
use syntax::TextRange;

use super::ReferenceLocation;
use super::data_files::{FileKind, data_uses, file_kind, key_lenses, parameter_lenses};
use super::references::reference_location;
use super::search::symbol_uses;
use super::symbol::{AccessKind, Symbol};
use base::FileInput;
use catalog::{ClassSize, ResourceCount, large_class_counts, size_of_class};
use hir::autoload::NameKey;
use hir::{Item, ItemKind, canonical_name, items, signature};

/// The subject of a [`CodeLens`].
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// The resources that a class adds to a catalog, by platform; at least one.
    Resources(Vec<ResourceCount>),
    /// The class with a name, whose resources have to be counted in the background.
    LargeClass(String),
}

/// References that are shown above a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// The range of the name.
    pub range: TextRange,
    /// The subject.
    pub subject: LensSubject,
    /// The references, without the declaration. Of many data files, only the highest.
    pub references: Vec<ReferenceLocation>,
}

/// Returns the lenses of a file, in source order. Definitions without references have none.
pub(crate) fn code_lenses(db: &dyn Database, file: FileInput) -> Vec<CodeLens> {
    match file_kind(db, file) {
        FileKind::Code => {}
        FileKind::Data => return key_lenses(db, file),
        FileKind::Config | FileKind::Erb => return Vec::new(),
    }
    let items = items(db, file).iter();
    let definitions = items
        .clone()
        .filter(|it| !matches!(it.kind(db), ItemKind::Main | ItemKind::Node));
    let lenses = definitions.map(|item| {
        let uses = symbol_uses(db, file, &Symbol::Item(*item)).into_iter();
        let references = uses.filter(|it| it.access() != AccessKind::Declaration);
        let in_data = file.environment(db).into_iter();
        let in_data = in_data.flat_map(|it| data_uses(db, it, &Symbol::Item(*item)));
        let references = references.map(|it| reference_location(db, &it));
        CodeLens {
            range: item.in_file(db, signature(db, *item).name_range),
            subject: LensSubject::References,
            references: references
                .chain(in_data.map(|it| it.location(db)))
                .collect(),
        }
    });
    let mut lenses: Vec<CodeLens> = lenses.filter(|it| !it.references.is_empty()).collect();
    lenses.extend(items.clone().filter_map(|it| resource_lens(db, file, *it)));
    lenses.extend(parameter_lenses(db, file));
    lenses.sort_by_key(|it| it.range.start());
    lenses
}

/// Returns the lens of the resources of a class. A class without resources has none.
fn resource_lens(db: &dyn Database, file: FileInput, item: Item<'_>) -> Option<CodeLens> {
    let environment = file.environment(db)?;
    if item.kind(db) != ItemKind::Class {
        return None;
    }
    let name = NameKey::new(db, canonical_name(item.name(db)));
    let subject = match size_of_class(db, environment, name) {
        ClassSize::Counted(counts) => {
            let has_any = counts.iter().any(|it| it.count > 0);
            has_any.then(|| LensSubject::Resources(counts.clone()))?
        }
        ClassSize::Large => LensSubject::LargeClass(item.name(db).to_string()),
    };
    Some(CodeLens {
        range: item.in_file(db, signature(db, item).name_range),
        subject,
        references: Vec::new(),
    })
}

/// Counts the resources of a class that takes long to compile.
pub(crate) fn count_large_class(
    db: &dyn Database,
    file: FileInput,
    class: &str,
) -> Vec<ResourceCount> {
    let name = NameKey::new(db, canonical_name(class));
    let counts = |it| large_class_counts(db, it, name).clone();
    file.environment(db).map_or_else(Vec::new, counts)
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
