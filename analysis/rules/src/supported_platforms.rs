//! The platforms that a module supports according to its `metadata.json`.

use std::collections::BTreeSet;

use base::ModuleInput;
use catalog::{ClassProblems, ProblemKind, problems_on_system, sample_systems};
use hiera::document::{self, Node};
use hir::autoload::NameKey;
use salsa::Database;
use syntax::ast::{AstNode, Expr, SelectorExpr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::compiled::problem::located;
use crate::index::class_users::{DefinitionKey, definition_key, users_of};

/// Returns the names of the operating systems that the metadata of a module lists.
#[salsa::tracked]
fn supported_systems(db: &dyn Database, module: ModuleInput) -> BTreeSet<String> {
    let metadata = module.files(db).get("metadata.json");
    let text = metadata.and_then(|it| it.text(db).as_deref());
    let root = text.and_then(|it| document::json(it).ok().flatten());
    let systems = root
        .as_ref()
        .and_then(|it| it.get("operatingsystem_support"));
    let systems = systems.and_then(Node::elements).unwrap_or_default().iter();
    let names = systems.filter_map(|it| it.get("operatingsystem")?.text());
    names.map(str::to_owned).collect()
}

/// Returns the name of an operating system that the module supports and on which no option of a selector matches. Only
/// finds those of the sample nodes, and selectors that are evaluated on any release of them.
pub(crate) fn uncovered_system(checker: &Checker<'_>, selector: &SelectorExpr) -> Option<String> {
    let subject = selector.subject()?;
    if !is_platform(checker, &subject) || !is_for_platforms(checker, selector.syntax()) {
        return None;
    }
    let (db, item) = (checker.db, checker.item);
    let module = item.file(db).module(db)?;
    let key = definition_key(db, item)?;
    let supported = supported_systems(db, module);
    let mut systems = sample_systems(db).filter(|it| supported.contains(*it));
    let subject = subject.syntax().text_range();
    let uncovered = systems
        .find(|it| fails_at(checker, &key, it, subject) && is_used_on(checker, module, &key, it));
    uncovered.map(str::to_owned)
}

/// Checks whether the compilation of the item fails at a range on a system.
fn fails_at(checker: &Checker<'_>, key: &DefinitionKey, system: &str, range: TextRange) -> bool {
    let found = problems_on(checker, key, system);
    found.problems.iter().any(|it| {
        let place = it.blamed_place().and_then(|it| located(checker.db, it));
        let is_here =
            place.is_some_and(|(item, at)| item == checker.item && at.start() == range.start());
        is_here && matches!(it.kind, ProblemKind::Failure(_))
    })
}

/// Checks whether other code of the module uses a definition on a system, or none does at all.
fn is_used_on(
    checker: &Checker<'_>,
    module: ModuleInput,
    used: &DefinitionKey,
    system: &str,
) -> bool {
    let users = users_of(checker.db, module, NameKey::new(checker.db, used.1.clone()));
    let is_user =
        |user: &DefinitionKey| problems_on(checker, user, system).includes(used.0, &used.1);
    users.is_empty() || users.iter().any(is_user)
}

fn problems_on<'db>(
    checker: &Checker<'db>,
    (kind, name): &DefinitionKey,
    system: &str,
) -> &'db ClassProblems {
    let db = checker.db;
    let key = |it: &str| NameKey::new(db, it.to_owned());
    problems_on_system(db, checker.environment, *kind, key(name), key(system))
}

/// Checks whether all conditions around code depend on the name of the platform only, or on parameters with literal
/// default values.
fn is_for_platforms(checker: &Checker<'_>, node: &SyntaxNode) -> bool {
    let root = checker.root();
    let mut around = node.ancestors().skip(1).take_while(|it| *it != root);
    around.all(|it| match it.kind() {
        SyntaxKind::LAMBDA => false,
        _ => conditions(&it).iter().all(|it| is_known(checker, it)),
    })
}

/// Returns the expressions that decide whether the parts of a statement are evaluated.
fn conditions(node: &SyntaxNode) -> Vec<Expr> {
    let condition = match Expr::cast(node.clone()) {
        Some(Expr::IfExpr(it)) => it.condition(),
        Some(Expr::UnlessExpr(it)) => it.condition(),
        Some(Expr::BinaryExpr(it)) => it.lhs(),
        Some(Expr::CaseExpr(it)) => {
            let options = it.options().flat_map(|it| it.values());
            return it.subject().into_iter().chain(options).collect();
        }
        Some(Expr::SelectorExpr(it)) => {
            let options = it.entries().filter_map(|it| it.matching());
            return it.subject().into_iter().chain(options).collect();
        }
        _ => None,
    };
    condition.into_iter().collect()
}

/// Checks whether a condition is the same on each release of a platform.
fn is_known(checker: &Checker<'_>, condition: &Expr) -> bool {
    is_platform(checker, condition)
        || match condition {
            Expr::VariableExpr(it) => {
                let name = it.name();
                let mut parameters = checker.parameter_types().into_iter();
                let parameter = parameters.find(|it| it.name() == name);
                parameter
                    .and_then(|it| it.default())
                    .is_some_and(|it| is_scalar_literal(&it))
            }
            Expr::BinaryExpr(it) => {
                let operands = [it.lhs(), it.rhs()];
                operands
                    .iter()
                    .all(|it| it.as_ref().is_some_and(|it| is_known(checker, it)))
            }
            Expr::UnaryExpr(it) => it.expr().is_some_and(|it| is_known(checker, &it)),
            Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_known(checker, &it)),
            Expr::ArrayExpr(it) => it.elements().all(|it| is_known(checker, &it)),
            _ => is_scalar_literal(condition),
        }
}

/// Checks whether an expression reads the name of the platform, which is the same for all of its releases.
fn is_platform(checker: &Checker<'_>, expr: &Expr) -> bool {
    let path = checker.fact_path(expr).map(|it| it.join("."));
    path.is_some_and(|it| !library::common_fact_values(&it).is_empty())
}

fn is_scalar_literal(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Literal(_) | Expr::StringLiteral(_) | Expr::QualifiedName(_)
    )
}
