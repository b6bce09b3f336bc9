//! Defined types that declare instances of themselves, and functions that call themselves, directly or through others,
//! under no condition.

use base::EnvironmentInput;
use hir::body::{Body, ReferenceName, ResourceForm, body};
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name};
use indexmap::IndexSet;
use library::KnownFunction;
use salsa::Database;
use syntax::TextRange;
use syntax::ast::{AstNode, Parameter, VirtualExpr};

use crate::compiled::failing_code::is_inside;

/// The outermost scope and branch of a body.
const BODY: usize = 0;

/// A declaration or call that leads back to the definition with it.
pub(crate) struct EndlessInstance {
    /// The range of the type or function.
    pub(crate) range: TextRange,
    /// The other definition whose code declares or calls the first one.
    pub(crate) through: Option<String>,
}

/// The maximum number of definitions that are followed from one.
const MAX_DEFINITIONS: usize = 100;

/// Returns the first declaration in a defined type with which its instances have no end, or the first call in a function
/// with which its calls have none.
pub(crate) fn endless_instance(
    db: &dyn Database,
    environment: EnvironmentInput,
    item: Item<'_>,
) -> Option<EndlessInstance> {
    let own = canonical_name(item.name(db));
    let kind = item.kind(db);
    let mut used = unconditional_uses(db, item).iter();
    used.find_map(|(name, range)| {
        let is_direct = *name == own;
        let is_endless = is_direct || leads_to(db, environment, (kind, name), &own);
        is_endless.then(|| EndlessInstance {
            range: *range,
            through: (!is_direct).then(|| name.clone()),
        })
    })
}

/// Checks whether each instance of a defined type declares one of another, or each call of a function calls another,
/// directly or through others.
fn leads_to(
    db: &dyn Database,
    environment: EnvironmentInput,
    (kind, from): (ItemKind, &str),
    wanted: &str,
) -> bool {
    let mut seen = IndexSet::from([from.to_owned()]);
    let mut next = 0;
    while let Some(name) = seen.get_index(next).filter(|_| next < MAX_DEFINITIONS) {
        next += 1;
        let found = match kind {
            ItemKind::Function => resolve::function(db, Some(environment), name),
            _ => resolve::resource_type(db, Some(environment), name),
        };
        let Ok(Definition::Item(item)) = found else {
            continue;
        };
        for (used, _) in unconditional_uses(db, item) {
            if used == wanted {
                return true;
            }
            seen.insert(used.clone());
        }
    }
    false
}

/// Returns the types that each instance of a defined type declares, or the functions that each call of a function calls,
/// with their ranges.
#[salsa::tracked]
fn unconditional_uses<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<(String, TextRange)> {
    match item.kind(db) {
        ItemKind::DefinedType => unconditional_types(db, item),
        ItemKind::Function => unconditional_calls(db, item),
        _ => Vec::new(),
    }
}

/// Returns the functions that each call of a function calls, with the ranges of their names.
fn unconditional_calls(db: &dyn Database, item: Item<'_>) -> Vec<(String, TextRange)> {
    use KnownFunction::{Break, Next, Return};
    let body = body(db, item);
    if calls_any(body, &[Break, Next, Return]) {
        return Vec::new();
    }
    let root = item.syntax(db);
    let certain = body.references.iter().filter(|it| {
        is_unconditional(it.guarded, it.branch, it.scope)
            && !is_inside(&root, it.range, Parameter::can_cast)
    });
    let calls = certain.filter_map(|it| match &it.name {
        ReferenceName::Function(name) => Some((name.clone(), it.range)),
        _ => None,
    });
    calls.collect()
}

/// Returns the types of the resources that each instance of a defined type declares, with the ranges of the types.
fn unconditional_types(db: &dyn Database, item: Item<'_>) -> Vec<(String, TextRange)> {
    let body = body(db, item);
    if calls_any(body, &[KnownFunction::Return]) {
        return Vec::new();
    }
    let root = item.syntax(db);
    let declared = body.resources.iter().filter(|it| {
        it.form == ResourceForm::Declaration
            && is_unconditional(it.guarded, it.branch, it.scope)
            && !is_inside(&root, it.type_range, VirtualExpr::can_cast)
    });
    let types = declared.filter_map(|it| Some((it.type_.clone()?, it.type_range)));
    types.collect()
}

/// Checks whether a body calls any of the functions, under whatever condition.
fn calls_any(body: &Body, functions: &[KnownFunction]) -> bool {
    body.references.iter().any(|it| match &it.name {
        ReferenceName::Function(name) => {
            KnownFunction::from_name(name).is_some_and(|it| functions.contains(&it))
        }
        _ => false,
    })
}

/// Checks whether code of a body always runs.
fn is_unconditional(is_guarded: bool, branch: usize, scope: usize) -> bool {
    !is_guarded && branch == BODY && scope == BODY
}

#[cfg(test)]
mod tests {
    use crate::rules::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_functions_that_call_themselves_under_no_condition() {
        let check = |body: &str| {
            let code = format!(
                "//- modules/m/functions/f.pp\nfunction m::f($x) {{ {body} }}\n\
                 //- modules/m/functions/g.pp\nfunction m::g($x) {{ m::f($x) }}\n"
            );
            let mut found = reported(&FAILING_CLASS, &code);
            found.sort();
            found
        };
        assert_eq!(
            check("1 + m::f($x - 1)"),
            ["`m::f`: infinite recursion: `m::f` calls itself"]
        );
        assert_eq!(
            check("$y = m::g($x) $y"),
            [
                "`m::f`: infinite recursion: `m::g` calls itself through `m::f`",
                "`m::g`: infinite recursion: `m::f` calls itself through `m::g`",
            ]
        );
        for ends in [
            "if $x > 0 { m::f($x - 1) }",
            "if $x == 0 { return(0) } m::f($x - 1)",
            "if $x == 0 { next(0) } m::f($x - 1)",
            "$x == 0 or m::f($x - 1)",
            "$x > 0 and m::f($x - 1)",
            "$x ? { 0 => 1, default => m::f($x - 1) }",
            "case $x { 0: { 1 } default: { m::f($x - 1) } }",
            "$x.map |$it| { m::f($it) }",
            "m::h($x)",
        ] {
            assert_eq!(check(ends), [""; 0], "{ends}");
        }
    }
}
