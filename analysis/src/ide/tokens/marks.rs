//! What names lead to, as far as it is shown by the colour of a token.

use salsa::Database;
use syntax::TextRange;

use crate::db::FileInput;
use crate::declared::Doc;
use crate::ide::{SemanticKind, SemanticToken};
use crate::workspace::body::body;
use crate::workspace::outside::Outside;
use crate::workspace::resolve::{Definition, resolve};
use crate::workspace::variables::VariableSource;
use crate::workspace::{Item, items};

/// What is to be known of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// Where it stands.
    range: TextRange,
    /// Whether Puppet itself ships what it leads to.
    is_shipped: bool,
    /// Whether Puppet sets it, so that nobody can.
    is_set: bool,
    /// Whether it should not be used any more.
    is_deprecated: bool,
}

/// The names of an item of which anything is to be known, in the order of its tree.
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

/// Adds to the tokens of a file what is known of the names that they are parts of.
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
