//! Token modifiers that depend on name resolution.

use salsa::Database;
use syntax::TextRange;

use crate::{SemanticKind, SemanticToken};
use base::db::FileInput;
use hir::body::body;
use hir::outside::Outside;
use hir::resolve::{Definition, resolve};
use hir::variables::VariableSource;
use hir::{Item, items};
use library::signatures::Doc;

/// The modifiers of a resolved name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// The range in the tree of the item.
    range: TextRange,
    /// Whether the symbol is built into Puppet.
    is_shipped: bool,
    /// Whether the symbol is set by Puppet and thus read-only.
    is_set: bool,
    /// Whether the symbol is deprecated.
    is_deprecated: bool,
}

/// Returns the names of an item that have modifiers, in source order.
#[salsa::tracked]
pub(super) fn marks<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<Mark> {
    let references = body(db, item).references.iter();
    let mut found: Vec<Mark> = references
        .filter_map(|it| mark(db, it.range, &resolve(db, item, it).ok()?))
        .collect();
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    found
}

fn mark(db: &dyn Database, range: TextRange, definition: &Definition<'_>) -> Option<Mark> {
    let deprecated = |doc: &Doc| doc.tags("deprecated").next().is_some();
    let (is_shipped, is_set, is_deprecated) = match definition {
        Definition::Item(item) => (false, false, deprecated(&item.doc(db))),
        Definition::Function(found) => (
            matches!(found, Outside::Shipped(_)),
            false,
            deprecated(&found.declared().doc),
        ),
        Definition::ResourceType(found) => (
            matches!(found, Outside::Shipped(_)),
            false,
            deprecated(&found.declared().doc),
        ),
        Definition::DataType(_) => (true, false, false),
        Definition::Variable(VariableSource::BuiltIn(_)) => (true, true, false),
        Definition::Variable(VariableSource::Fact(fact)) => (true, true, fact.modern.is_some()),
        Definition::Variable(VariableSource::CustomFact(..)) => (false, true, false),
        _ => return None,
    };
    let any = is_shipped || is_set || is_deprecated;
    any.then_some(Mark {
        range,
        is_shipped,
        is_set,
        is_deprecated,
    })
}

/// Adds the modifiers of resolved names to the tokens of a file.
pub(super) fn add(db: &dyn Database, file: FileInput, tokens: &mut [SemanticToken]) {
    for item in items(db, file) {
        for mark in marks(db, *item) {
            let range = item.in_file(db, mark.range);
            let first = tokens.partition_point(|it| it.range.start() < range.start());
            let inside = tokens.iter_mut().skip(first);
            let inside = inside.take_while(|it| it.range.end() <= range.end());
            for token in inside.filter(|it| is_name(it.kind)) {
                token.modifiers.default_library |= mark.is_shipped;
                token.modifiers.readonly |= mark.is_set;
                token.modifiers.deprecated |= mark.is_deprecated;
            }
        }
    }
}

fn is_name(kind: SemanticKind) -> bool {
    matches!(
        kind,
        SemanticKind::Type
            | SemanticKind::Class
            | SemanticKind::Parameter
            | SemanticKind::Variable
            | SemanticKind::Function
            | SemanticKind::Method
    )
}
