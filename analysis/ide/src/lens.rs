//! Code lenses: the number of references and declarations above definitions.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::UsePlace;
use super::call_hierarchy::calls;
use super::references::place;
use super::search::uses;
use super::symbol::{Access, Symbol, symbol_at};
use base::db::FileInput;
use hir::{ItemKind, items, signature};

/// A count above a definition. It is resolved only when the client displays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The range of the name of the definition.
    pub range: TextRange,
    /// The kind of count.
    pub kind: LensKind,
}

/// The kind of a [`Lens`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LensKind {
    /// References to the name.
    References,
    /// Declarations of the class, or of resources of the defined type.
    Declared,
}

/// Returns the lenses of a file, in source order.
pub(crate) fn lenses(db: &dyn Database, file: FileInput) -> Vec<Lens> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let kind = item.kind(db);
        if matches!(kind, ItemKind::Main | ItemKind::Node) {
            continue;
        }
        let range = item.in_file(db, signature(db, *item).name_range);
        let mut add = |kind| found.push(Lens { range, kind });
        add(LensKind::References);
        if matches!(kind, ItemKind::Class | ItemKind::Define) {
            add(LensKind::Declared);
        }
    }
    found
}

/// Returns the places counted by the lens at the name of a definition.
pub(crate) fn counted(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    kind: LensKind,
) -> Option<Vec<UsePlace>> {
    let symbol = symbol_at(db, file, offset)?.symbol;
    if !matches!(symbol, Symbol::Item(_)) {
        return None;
    }
    let found = uses(db, file, &symbol).into_iter();
    let found = found.filter(|it| match kind {
        LensKind::References => it.access() != Access::Declaration,
        LensKind::Declared => calls(&it.occurrence.what),
    });
    Some(found.map(|it| place(db, &it)).collect())
}

#[cfg(test)]
mod tests {
    use super::LensKind;
    use crate::fixture::World;
    use base::FileId;

    #[test]
    fn counts_references_and_declarations() {
        let world = World::new(
            "//- modules/a/manifests/init.pp\nclass a { }\n\
             //- manifests/site.pp\ninclude a\nClass['a'] -> Class['b']\n",
        );
        let analysis = world.analysis();
        let lenses = analysis.lenses(FileId(0));
        let counts = lenses.iter().map(|it| {
            let counted = analysis.lens_places(FileId(0), it.range.start(), it.kind);
            (it.kind, counted.expect("the definition exists").len())
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [(LensKind::References, 2), (LensKind::Declared, 1)]);
        assert!(analysis.lenses(FileId(1)).is_empty());
    }
}
