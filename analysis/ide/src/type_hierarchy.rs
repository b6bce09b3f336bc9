//! Type hierarchy: inheritance of classes, and subset relations between type aliases.

use salsa::Database;
use syntax::TextSize;
use syntax::ast::{AstNode, Definition, Expr};

use super::call_hierarchy::{HierarchyItem, hierarchy_item};
use super::search::symbol_uses;
use super::symbol::{OccurrenceKind, Symbol, symbol_at};
use base::FileInput;
use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName};
use hir::{Item, ItemKind, canonical_name, signature};

/// Returns the class or type alias at an offset.
pub(crate) fn prepare_type_hierarchy(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<HierarchyItem> {
    item_at(db, file, offset).map(|it| hierarchy_item(db, it))
}

fn item_at(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Item<'_>> {
    match symbol_at(db, file, offset)?.symbol {
        Symbol::Item(item) => {
            let kinds = [ItemKind::Class, ItemKind::TypeAlias];
            kinds.contains(&item.kind(db)).then_some(item)
        }
        _ => None,
    }
}

/// Returns the parent of the class at an offset, or the aliases that are supertypes of the alias.
pub(crate) fn supertypes(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<HierarchyItem> {
    let Some(item) = item_at(db, file, offset) else {
        return Vec::new();
    };
    let found = match item.kind(db) {
        ItemKind::Class => parent(db, item).into_iter().collect(),
        _ => {
            let mut found: Vec<_> = aliased_types(db, item).alias_of.into_iter().collect();
            let users = alias_users(db, file, item).into_iter();
            found.extend(users.filter(|it| aliased_types(db, *it).members.contains(&item)));
            found
        }
    };
    to_hierarchy_items(db, found)
}

/// Returns the classes that inherit from the class at an offset, or the aliases that are subtypes of
/// the alias.
pub(crate) fn subtypes(db: &dyn Database, file: FileInput, offset: TextSize) -> Vec<HierarchyItem> {
    let Some(item) = item_at(db, file, offset) else {
        return Vec::new();
    };
    let found = match item.kind(db) {
        ItemKind::Class => subclasses(db, file, item),
        _ => {
            let mut found = aliased_types(db, item).members;
            let users = alias_users(db, file, item).into_iter();
            found.extend(users.filter(|it| aliased_types(db, *it).alias_of == Some(item)));
            found
        }
    };
    to_hierarchy_items(db, found)
}

fn to_hierarchy_items(db: &dyn Database, mut found: Vec<Item<'_>>) -> Vec<HierarchyItem> {
    found.sort_by(|a, b| a.name(db).cmp(b.name(db)));
    found.dedup();
    found.into_iter().map(|it| hierarchy_item(db, it)).collect()
}

pub(super) fn parent<'db>(db: &'db dyn Database, class: Item<'db>) -> Option<Item<'db>> {
    let name = signature(db, class).inherits.clone()?;
    let environment = class.file(db).environment(db)?;
    find_item(db, environment, ItemKind::Class, NameKey::new(db, name))
}

/// Returns the classes that directly inherit from a class.
pub(super) fn subclasses<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    class: Item<'db>,
) -> Vec<Item<'db>> {
    let uses = symbol_uses(db, origin, &Symbol::Item(class)).into_iter();
    let inherits = uses.filter(|it| {
        matches!(it.occurrence.kind, OccurrenceKind::Reference(it)
            if matches!(it.name, ReferenceName::Class(_, ClassUse::Inherited)))
    });
    inherits.map(|it| it.item).collect()
}

/// Returns the aliases that refer to an alias.
fn alias_users<'db>(db: &'db dyn Database, origin: FileInput, alias: Item<'db>) -> Vec<Item<'db>> {
    let uses = symbol_uses(db, origin, &Symbol::Item(alias)).into_iter();
    let items = uses.map(|it| it.item);
    items
        .filter(|it| it.kind(db) == ItemKind::TypeAlias && *it != alias)
        .collect()
}

/// The aliases in the definition of a type alias.
struct AliasedTypes<'db> {
    /// `type A = B`.
    alias_of: Option<Item<'db>>,
    /// `type A = Variant[B, C]`.
    members: Vec<Item<'db>>,
}

fn aliased_types<'db>(db: &'db dyn Database, alias: Item<'db>) -> AliasedTypes<'db> {
    let mut found = AliasedTypes {
        alias_of: None,
        members: Vec::new(),
    };
    let type_ = match Definition::cast(alias.syntax(db)) {
        Some(Definition::TypeAlias(it)) => it.type_expr(),
        _ => None,
    };
    let named = |expr: &Expr| match expr {
        Expr::QualifiedReference(it) => {
            let environment = alias.file(db).environment(db)?;
            let key = NameKey::new(db, canonical_name(&it.text()));
            find_item(db, environment, ItemKind::TypeAlias, key)
        }
        _ => None,
    };
    match type_ {
        Some(Expr::AccessExpr(access)) => {
            let is_variant = matches!(access.base(), Some(Expr::QualifiedReference(it))
                if matches!(canonical_name(&it.text()).as_str(), "variant" | "optional"));
            if is_variant {
                found.members = access.keys().iter().filter_map(named).collect();
            }
        }
        Some(type_) => found.alias_of = named(&type_),
        None => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn related_types(code: &str) -> (Vec<String>, Vec<String>) {
        let fixture = Fixture::new(&format!(
            "//- modules/a/types/port.pp\ntype A::Port = Variant[A::Low, Integer]\n\
             //- modules/a/types/low.pp\ntype A::Low = Integer\n\
             //- modules/a/types/same.pp\ntype A::Same = A::Low\n\
             //- modules/a/manifests/base.pp\nclass a::base {{ }}\n\
             //- modules/a/manifests/heir.pp\nclass a::heir inherits a::base {{ }}\n\
             //- manifests/site.pp\n{code}"
        ));
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        let item = analysis
            .prepare_type_hierarchy(file, offset)
            .expect("class or type alias");
        let (file, offset) = (item.target.file, item.target.name_range.start());
        let names = |it: Vec<super::HierarchyItem>| it.into_iter().map(|it| it.name).collect();
        (
            names(analysis.supertypes(file, offset)),
            names(analysis.subtypes(file, offset)),
        )
    }

    #[test]
    fn finds_supertypes_and_subtypes() {
        let of = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            related_types("include a::he<^>ir"),
            (of(&["a::base"]), of(&[]))
        );
        assert_eq!(
            related_types("include a::ba<^>se"),
            (of(&[]), of(&["a::heir"]))
        );
        let low = related_types("notice(A::L<^>ow)");
        assert_eq!(low, (of(&["A::Port"]), of(&["A::Same"])));
        let port = related_types("notice(A::P<^>ort)");
        assert_eq!(port, (of(&[]), of(&["A::Low"])));
    }
}
