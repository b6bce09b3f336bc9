//! Classes that inherit from themselves.

use super::{Checker, INHERITANCE_CYCLE};
use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, ReferenceName};
use hir::{ItemKind, signature};

pub(super) fn check(checker: &mut Checker<'_>) {
    let (db, item) = (checker.db, checker.item);
    if item.kind(db) != ItemKind::Class {
        return;
    }
    let mut chain = vec![item];
    while let Some(parent) = &signature(db, chain[chain.len() - 1]).inherits {
        let key = NameKey::new(db, parent.clone());
        let Some(next) = find_item(db, checker.environment, ItemKind::Class, key) else {
            return;
        };
        if next == item {
            break;
        }
        if chain.contains(&next) {
            // A cycle further up is reported at the classes in it.
            return;
        }
        chain.push(next);
    }
    if signature(db, chain[chain.len() - 1]).inherits.is_none() {
        return;
    }
    let body = checker.body;
    let inherits = body.references.iter();
    let place = inherits
        .clone()
        .find(|it| matches!(it.name, ReferenceName::Class(_, ClassUse::Inherited)));
    let Some(place) = place else { return };
    let name = item.name(db);
    let message = match chain.len() {
        1 => format!("class `{name}` inherits from itself"),
        _ => format!(
            "class `{name}` inherits from itself through `{}`",
            chain[1].name(db)
        ),
    };
    checker.report(&INHERITANCE_CYCLE, place.range, message);
    for parent in &chain[1..] {
        checker.relate(
            *parent,
            signature(db, *parent).name_range,
            "part of the cycle",
        );
    }
}
