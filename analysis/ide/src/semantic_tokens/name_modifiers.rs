//! Token modifiers that depend on name resolution.

use salsa::Database;
use syntax::TextRange;

use crate::{SemanticKind, SemanticToken};
use base::FileInput;
use hir::body::body;
use hir::resolve::{Definition, resolve};
use hir::ruby_symbols::RubySymbol;
use hir::variables::VariableSource;
use hir::{Item, items};
use library::signatures::Doc;

/// The modifiers of a resolved name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NameModifiers {
    /// The range in the tree of the item.
    range: TextRange,
    /// Whether the symbol is built into Puppet.
    is_built_in: bool,
    /// Whether the symbol is set by Puppet and thus read-only.
    is_read_only: bool,
    /// Whether the symbol is deprecated.
    is_deprecated: bool,
}

/// Returns the names of an item that have modifiers, in source order.
#[salsa::tracked]
pub(super) fn name_modifiers<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<NameModifiers> {
    let references = body(db, item).references.iter();
    let mut found: Vec<NameModifiers> = references
        .filter_map(|it| modifiers_of(db, it.range, &resolve(db, item, it).ok()?))
        .collect();
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    found
}

fn modifiers_of(
    db: &dyn Database,
    range: TextRange,
    definition: &Definition<'_>,
) -> Option<NameModifiers> {
    let deprecated = |doc: &Doc| doc.tags("deprecated").next().is_some();
    let (is_built_in, is_read_only, is_deprecated) = match definition {
        Definition::Item(item) => (false, false, deprecated(&item.doc(db))),
        Definition::Function(found) => (
            matches!(found, RubySymbol::Shipped(_)),
            false,
            deprecated(&found.declared().doc),
        ),
        Definition::ResourceType(found) => (
            matches!(found, RubySymbol::Shipped(_)),
            false,
            deprecated(&found.declared().doc),
        ),
        Definition::DataType(_) => (true, false, false),
        Definition::Variable(VariableSource::BuiltIn(_)) => (true, true, false),
        Definition::Variable(VariableSource::Fact(fact)) => (true, true, fact.modern.is_some()),
        Definition::Variable(VariableSource::CustomFact(..)) => (false, true, false),
        _ => return None,
    };
    let any = is_built_in || is_read_only || is_deprecated;
    any.then_some(NameModifiers {
        range,
        is_built_in,
        is_read_only,
        is_deprecated,
    })
}

/// Adds the modifiers of resolved names to the tokens of a file.
pub(super) fn add(db: &dyn Database, file: FileInput, tokens: &mut [SemanticToken]) {
    for item in items(db, file) {
        for modifiers in name_modifiers(db, *item) {
            let range = item.in_file(db, modifiers.range);
            let first = tokens.partition_point(|it| it.range.start() < range.start());
            let inside = tokens.iter_mut().skip(first);
            let inside = inside.take_while(|it| it.range.end() <= range.end());
            for token in inside.filter(|it| is_name(it.kind)) {
                token.modifiers.default_library |= modifiers.is_built_in;
                token.modifiers.readonly |= modifiers.is_read_only;
                token.modifiers.deprecated |= modifiers.is_deprecated;
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
