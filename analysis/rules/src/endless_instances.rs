//! Defined types that declare instances of themselves, directly or through others, under no condition.

use base::EnvironmentInput;
use hir::body::{ReferenceName, ResourceForm, body};
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name};
use library::KnownFunction;
use salsa::Database;
use syntax::TextRange;
use syntax::ast::{AstNode, VirtualExpr};

use crate::failing_code::is_inside;

/// The outermost scope and branch of a body.
const BODY: usize = 0;

/// A declaration that leads back to the defined type with it.
pub(crate) struct EndlessInstance {
    /// The range of the type.
    pub(crate) range: TextRange,
    /// The other defined type whose instances declare those of the first one.
    pub(crate) through: Option<String>,
}

/// Returns the first declaration in a defined type with which its instances have no end.
pub(crate) fn endless_instance(
    db: &dyn Database,
    environment: EnvironmentInput,
    item: Item<'_>,
) -> Option<EndlessInstance> {
    let own = canonical_name(item.name(db));
    let mut declared = unconditional_types(db, item).into_iter();
    declared.find_map(|(name, range)| {
        let is_direct = name == own;
        let is_endless = is_direct || leads_to(db, environment, &name, &own);
        is_endless.then(|| EndlessInstance {
            range,
            through: (!is_direct).then_some(name),
        })
    })
}

/// Checks whether each instance of a defined type declares one of another, directly or through others.
fn leads_to(db: &dyn Database, environment: EnvironmentInput, from: &str, wanted: &str) -> bool {
    let mut seen = vec![from.to_owned()];
    let mut next = 0;
    while let Some(name) = seen.get(next) {
        next += 1;
        let found = resolve::resource_type(db, Some(environment), name);
        let Ok(Definition::Item(item)) = found else {
            continue;
        };
        for (declared, _) in unconditional_types(db, item) {
            if declared == wanted {
                return true;
            }
            if !seen.contains(&declared) {
                seen.push(declared);
            }
        }
    }
    false
}

/// Returns the types of the resources that each instance of a defined type declares, with the ranges of the types.
fn unconditional_types(db: &dyn Database, item: Item<'_>) -> Vec<(String, TextRange)> {
    let body = body(db, item);
    let mut references = body.references.iter();
    let may_return = references.any(|it| match &it.name {
        ReferenceName::Function(name) => {
            KnownFunction::from_name(name) == Some(KnownFunction::Return)
        }
        _ => false,
    });
    if item.kind(db) != ItemKind::DefinedType || may_return {
        return Vec::new();
    }
    let root = item.syntax(db);
    let declared = body.resources.iter().filter(|it| {
        let is_conditional = it.guarded || it.branch != BODY || it.scope != BODY;
        it.form == ResourceForm::Declaration
            && !is_conditional
            && !is_inside(&root, it.type_range, VirtualExpr::can_cast)
    });
    let types = declared.filter_map(|it| Some((it.type_.clone()?, it.type_range)));
    types.collect()
}
