//! Completes titles of declared resources in resource references, and titles of new resources.

use std::collections::BTreeSet;

use base::FileInput;
use hir::autoload::module_puppet_files;
use hir::canonical_name;
use library::KnownFunction;
use salsa::Database;
use syntax::SyntaxKind;
use syntax::ast::{AstNode, CallExpr, Expr};

use rustc_hash::FxHashMap;

use super::nearest_titles::nearest_titles;
use super::origin::{Origin, Origins};
use super::variables::variables;
use super::{Candidate, Candidates, CompletionKind, group};
use hir::declared_resources::{declared_resources, resources_declared_in};

/// Adds what can be the title of a new resource: `default`, unless it is one of several titles, and variables.
pub(super) fn new_titles(acc: &mut Candidates<'_, '_>) {
    let mut around = acc.cursor.token.parent_ancestors();
    if around
        .nth(1)
        .is_none_or(|it| it.kind() != SyntaxKind::ARRAY)
    {
        acc.add(Candidate::new(CompletionKind::Keyword, "default"));
    }
    variables(acc, None, true);
}

/// Adds the titles of a type: those of this file first, then those of its module and the main
/// manifests, then all others.
pub(super) fn titles(acc: &mut Candidates<'_, '_>, type_: &str) {
    let (db, cursor) = (acc.cursor.db, acc.cursor);
    let origins = Origins::new(cursor);
    add(
        acc,
        type_,
        declared_resources(db, cursor.file),
        Origin::File,
    );
    add(acc, type_, ensured_resources(db, cursor.file), Origin::File);
    if let Some(module) = cursor.file.module(db) {
        add(
            acc,
            type_,
            resources_declared_in(db, module),
            Origin::Module,
        );
        for file in module_puppet_files(db, module) {
            add(acc, type_, ensured_resources(db, *file), Origin::Module);
        }
    }
    let Some(environment) = cursor.environment else {
        return;
    };
    for file in environment.manifests(db).iter() {
        add(
            acc,
            type_,
            declared_resources(db, *file),
            origins.of_file(*file),
        );
    }
    let modules = environment.modules(db).values();
    let mut modules: Vec<_> = modules.map(|it| (origins.of_module(*it), *it)).collect();
    modules.sort_by_key(|it| it.0);
    for (origin, module) in modules {
        add(acc, type_, resources_declared_in(db, module), origin);
    }
}

/// Returns the resources with literal titles that functions of stdlib declare in a file, by type and title.
#[salsa::tracked]
fn ensured_resources(db: &dyn Database, file: FileInput) -> BTreeSet<(String, String)> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let root = text
        .contains("ensure_")
        .then(|| base::parse(db, file).syntax());
    let calls = root.into_iter().flat_map(|it| it.descendants());
    let calls = calls.filter_map(CallExpr::cast);
    calls.flat_map(|it| ensured_by(&it)).collect()
}

fn ensured_by(call: &CallExpr) -> Vec<(String, String)> {
    let Some((name, arguments)) = Expr::CallExpr(call.clone()).named_call() else {
        return Vec::new();
    };
    let (type_, titles) = match KnownFunction::from_name(&canonical_name(name.text())) {
        Some(KnownFunction::EnsurePackages) => ("package".to_owned(), arguments.first()),
        Some(KnownFunction::EnsureResource | KnownFunction::EnsureResources) => {
            let Some(type_) = arguments.first().and_then(Expr::plain_text) else {
                return Vec::new();
            };
            (canonical_name(&type_), arguments.get(1))
        }
        _ => return Vec::new(),
    };
    let titles: Vec<String> = match titles {
        Some(Expr::ArrayExpr(it)) => it.elements().filter_map(|it| it.plain_text()).collect(),
        Some(Expr::HashExpr(it)) => {
            let keys = it.entries().filter_map(|it| it.key()?.plain_text());
            keys.collect()
        }
        Some(it) => it.plain_text().into_iter().collect(),
        None => Vec::new(),
    };
    titles.into_iter().map(|it| (type_.clone(), it)).collect()
}

fn add(
    acc: &mut Candidates<'_, '_>,
    type_: &str,
    all: &BTreeSet<(String, String)>,
    origin: Origin,
) {
    let first = (type_.to_owned(), String::new());
    let nearest = match origin {
        Origin::File => nearest_titles(acc.cursor),
        _ => FxHashMap::default(),
    };
    for resource in all.range(first..).take_while(|it| it.0 == type_) {
        let title = &resource.1;
        let candidate = acc
            .string(CompletionKind::Title, title)
            .grouped_by(origin)
            .weight(nearest.get(resource).copied().unwrap_or(1.0));
        // A resource has no relationship to itself.
        acc.add(match acc.siblings.contains(title) {
            true => candidate.group(group::UNLIKELY),
            false => candidate,
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{is_offered, offered};

    #[test]
    fn titles_of_resources_that_functions_declare() {
        for (call, type_) in [
            ("stdlib::ensure_packages(['dkms', 'x'])", "Package"),
            ("ensure_packages({ 'dkms' => { } })", "Package"),
            ("ensure_resource('user', 'dkms', { })", "User"),
            ("ensure_resources('user', { 'dkms' => { } })", "User"),
        ] {
            let code = format!("{call}\n$a = {type_}['<^>']");
            assert_eq!(offered(&code, 1), "dkms", "{call}");
        }
    }

    #[test]
    fn titles_in_queries_of_collectors() {
        let files = "class a($x) {\n  file { ['/a', '/b']: }\n  ";
        for query in [
            "File <| title == <^> |>",
            "File <| title == <^>",
            "File <| title != <^> |>",
            "File <<| title == <^> |>>",
            "File <| tag == 'x' and title == <^> |>",
            "File <| (title == <^> or tag == 'x') |>",
        ] {
            let code = format!("{files}{query}\n}}");
            assert_eq!(offered(&code, 2), "/b as '/b', /a as '/a'", "{query}");
            assert!(is_offered(&code, "$x"), "{query}");
        }
        let quoted = format!("{files}File <| title == '<^>' |>\n}}");
        assert_eq!(offered(&quoted, 2), "/b, /a");
        for other in [
            "File <| tag == <^> |>",
            "Exec <| title == <^> |>",
            "if $x == <^> { }",
        ] {
            let code = format!("{files}{other}\n}}");
            assert!(!is_offered(&code, "/a as '/a'"), "{other}");
        }
    }
}
