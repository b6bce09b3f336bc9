//! Code lenses: the number of references and declarations above definitions.

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::ReferenceLocation;
use super::call_hierarchy::is_call;
use super::references::reference_location;
use super::search::symbol_uses;
use super::symbol::{AccessKind, Symbol, symbol_at};
use base::FileInput;
use hir::{ItemKind, items, signature};

/// A count above a definition. It is resolved only when the client displays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// The range of the name of the definition.
    pub range: TextRange,
    /// The kind of count.
    pub kind: CodeLensKind,
}

/// The kind of a [`CodeLens`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodeLensKind {
    /// References to the name.
    References,
    /// Declarations of the class, or of resources of the defined type.
    Declarations,
}

/// Returns the lenses of a file, in source order.
pub(crate) fn code_lenses(db: &dyn Database, file: FileInput) -> Vec<CodeLens> {
    let mut found = Vec::new();
    for item in items(db, file) {
        let kind = item.kind(db);
        if matches!(kind, ItemKind::Main | ItemKind::Node) {
            continue;
        }
        let range = item.in_file(db, signature(db, *item).name_range);
        let mut add = |kind| found.push(CodeLens { range, kind });
        add(CodeLensKind::References);
        if matches!(kind, ItemKind::Class | ItemKind::DefinedType) {
            add(CodeLensKind::Declarations);
        }
    }
    found
}

/// Returns the references counted by the code lens at the name of a definition.
pub(crate) fn code_lens_references(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    kind: CodeLensKind,
) -> Option<Vec<ReferenceLocation>> {
    let symbol = symbol_at(db, file, offset)?.symbol;
    if !matches!(symbol, Symbol::Item(_)) {
        return None;
    }
    let found = symbol_uses(db, file, &symbol).into_iter();
    let found = found.filter(|it| match kind {
        CodeLensKind::References => it.access() != AccessKind::Declaration,
        CodeLensKind::Declarations => is_call(&it.occurrence.kind),
    });
    Some(found.map(|it| reference_location(db, &it)).collect())
}

#[cfg(test)]
mod tests {
    use super::CodeLensKind;
    use crate::fixture::Fixture;
    use base::FileId;

    #[test]
    fn counts_references_and_declarations() {
        let fixture = Fixture::new(
            "//- modules/a/manifests/init.pp\nclass a { }\n\
             //- manifests/site.pp\ninclude a\nClass['a'] -> Class['b']\n",
        );
        let analysis = fixture.analysis();
        let lenses = analysis.code_lenses(FileId(0));
        let counts = lenses.iter().map(|it| {
            let counted = analysis.code_lens_references(FileId(0), it.range.start(), it.kind);
            (it.kind, counted.expect("the definition exists").len())
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(
            counts,
            [
                (CodeLensKind::References, 2),
                (CodeLensKind::Declarations, 1)
            ]
        );
        assert!(analysis.code_lenses(FileId(1)).is_empty());
    }
}
