//! Items that several files define under the same name.

use super::{Checker, DUPLICATE_DEFINITION};
use hir::autoload::{NameKey, definitions_of};
use hir::{ItemKind, signature};

pub(super) fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    let kind = item.kind(db);
    let noun = match kind {
        ItemKind::Class => "class",
        ItemKind::DefinedType => "defined type",
        ItemKind::Function => "function",
        ItemKind::Plan => "plan",
        ItemKind::TypeAlias => "type alias",
        ItemKind::Node | ItemKind::Main => return,
    };
    let key = NameKey::new(db, item.name(db).clone());
    let all = definitions_of(db, checker.environment, kind, key).iter();
    // The checks of a single file report duplicates within it.
    let others: Vec<_> = all.filter(|it| it.file(db) != item.file(db)).collect();
    let Some(other) = others.first() else { return };
    let message = format!(
        "duplicate definition: {noun} `{}` is also defined in another file",
        item.name(db)
    );
    checker.report(
        &DUPLICATE_DEFINITION,
        signature(db, item).name_range,
        message,
    );
    checker.relate(
        **other,
        signature(db, **other).name_range,
        "also defined here",
    );
}
