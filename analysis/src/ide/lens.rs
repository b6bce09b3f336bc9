//! What stands above definitions: how often they are used, and by how many a class is included.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::UsePlace;
use super::call_hierarchy::calls;
use super::references::place;
use super::search::uses;
use super::symbol::{Access, Symbol, symbol_at};
use crate::db::FileInput;
use crate::workspace::{ItemKind, items, signature};

/// A count above a definition. What it counts is only looked for when it is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The name of the definition.
    pub range: TextRange,
    /// What is counted.
    pub kind: LensKind,
}

/// What a [`Lens`] counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LensKind {
    /// Where the name is used.
    References,
    /// What includes or declares a class, or declares resources of a defined type.
    Declared,
}

/// The counts of a file, in the order of its text.
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

/// What the lens of the definition whose name is at an offset counts.
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
    use crate::FileId;
    use crate::ide::fixture::World;

    #[test]
    fn what_is_used_and_included() {
        let world = World::new(
            "//- modules/a/manifests/init.pp\nclass a { }\n\
             //- manifests/site.pp\ninclude a\nClass['a'] -> Class['b']\n",
        );
        let analysis = world.analysis();
        let lenses = analysis.lenses(FileId(0));
        let counts = lenses.iter().map(|it| {
            let counted = analysis.lens_places(FileId(0), it.range.start(), it.kind);
            (it.kind, counted.expect("it is there").len())
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [(LensKind::References, 2), (LensKind::Declared, 1)]);
        assert!(analysis.lenses(FileId(1)).is_empty());
    }
}
