//! Runs the checks of the rules that are on, and collects their diagnostics.

use base::suggest::with_limit;
use base::{Diagnostic, FileInput};
use hir::resolve::resolve;
use hir::{Item, is_site, items};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{self, AstNode};
use syntax::{Severity, SyntaxKind, WalkEvent};

use crate::checker::{Checker, FileChecker, ItemFinding};
use crate::compiled::own_problems;
use crate::enabled_checks::{EnabledChecks, enabled_checks};
use crate::rules::MISSING_MODULE;

/// Checks whether nodes of a kind are the root of an item.
fn is_item(kind: SyntaxKind) -> bool {
    use SyntaxKind::{TYPE_DEFINITION, TYPE_MAPPING};
    ast::Definition::can_cast(kind) && !matches!(kind, TYPE_MAPPING | TYPE_DEFINITION)
}

/// Returns the diagnostics of an item without those of [`node_findings`], sorted by range and code.
// Some checks read the diagnostics of other items, whose checks may read those of this one: then none explains the other.
#[salsa::tracked(cycle_result = |_, _, _| Vec::new())]
pub fn item_findings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<ItemFinding<'db>> {
    let Some(environment) = item.file(db).environment(db) else {
        return Vec::new();
    };
    let mut checker = Checker::new(db, item, environment);
    with_limit(|| run(&mut checker, enabled_checks(db, environment)));
    checker.finish()
}

/// Returns the diagnostics of an item as a part of the catalogs of nodes, sorted by range and code. They depend on those
/// of the other items.
#[salsa::tracked]
pub fn node_findings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<ItemFinding<'db>> {
    let environment = item.file(db).environment(db);
    let Some(environment) = environment.filter(|it| is_site(db, *it)) else {
        return Vec::new();
    };
    let mut checker = Checker::new(db, item, environment);
    let checks = &enabled_checks(db, environment).in_nodes;
    with_limit(|| checks.iter().for_each(|check| check(&mut checker)));
    checker.finish()
}

fn run(checker: &mut Checker<'_>, enabled: &EnabledChecks) {
    for check in &enabled.items {
        check(checker);
    }
    let root = checker.root();
    let mut walk = root.preorder();
    while let Some(event) = walk.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        // A definition in a definition is an item of its own.
        if is_item(node.kind()) && node != root {
            walk.skip_subtree();
            continue;
        }
        for check in enabled.nodes.get(&node.kind()).into_iter().flatten() {
            check(checker, &node);
        }
    }
    for reference in &checker.body.references {
        let resolution = resolve(checker.db, checker.item, reference);
        let limit = match reference {
            it if checker.depends_on_other_version(it, &resolution) => Severity::Hint,
            // The catalog compiles.
            it if it.deferred => Severity::Warning,
            _ => Severity::Error,
        };
        checker.check_at_most(limit, |it| {
            for check in &enabled.references {
                check(it, reference, &resolution);
            }
        });
    }
    for problem in checker.problems() {
        let limit = match (problem.is_uncertain, problem.is_default) {
            (true, _) => Severity::Hint,
            (false, true) => Severity::Warning,
            (false, false) => Severity::Error,
        };
        checker.check_at_most(limit, |it| {
            for check in &enabled.problems {
                check(it, problem);
            }
        });
    }
    check_compiled(checker, enabled);
    for check in &enabled.last {
        check(checker);
    }
}

fn check_compiled(checker: &mut Checker<'_>, enabled: &EnabledChecks) {
    if enabled.compiled.is_empty() {
        return;
    }
    checker.finish_code();
    for problem in own_problems(checker).iter() {
        for check in &enabled.compiled {
            check(checker, problem);
        }
    }
}

/// Returns the diagnostics of all items in a file, in no particular order. Each missing module is
/// reported once per file.
pub fn file_findings<'db>(
    db: &'db dyn Database,
    file: FileInput,
) -> Vec<(Item<'db>, &'db ItemFinding<'db>)> {
    let mut modules = FxHashSet::default();
    let mut found = Vec::new();
    for item in items(db, file) {
        for finding in item_findings(db, *item)
            .iter()
            .chain(node_findings(db, *item))
        {
            if finding.code == MISSING_MODULE.code && !modules.insert(&finding.message) {
                continue;
            }
            found.push((*item, finding));
        }
    }
    found
}

/// Returns the diagnostics of the rules that examine a file as a whole, in no particular order.
pub fn whole_file_findings(db: &dyn Database, file: FileInput) -> Vec<Diagnostic> {
    let Some(environment) = file.environment(db) else {
        return Vec::new();
    };
    let checks = &enabled_checks(db, environment).files;
    if checks.is_empty() {
        return Vec::new();
    }
    let mut checker = FileChecker::new(db, file);
    with_limit(|| checks.iter().for_each(|check| check(&mut checker)));
    checker.finish()
}
