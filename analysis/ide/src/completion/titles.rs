//! Completes titles of declared resources in resource references, and titles of new resources.

use std::collections::BTreeSet;

use syntax::SyntaxKind;

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
    if let Some(module) = cursor.file.module(db) {
        add(
            acc,
            type_,
            resources_declared_in(db, module),
            Origin::Module,
        );
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

fn add(
    acc: &mut Candidates<'_, '_>,
    type_: &str,
    all: &BTreeSet<(String, String)>,
    origin: Origin,
) {
    let first = (type_.to_owned(), String::new());
    for (_, title) in all.range(first..).take_while(|it| it.0 == type_) {
        let candidate = acc.string(CompletionKind::Title, title);
        let candidate = candidate.grouped_by(origin);
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
            assert_eq!(offered(&code, 2), "/a as '/a', /b as '/b'", "{query}");
            assert!(is_offered(&code, "$x"), "{query}");
        }
        let quoted = format!("{files}File <| title == '<^>' |>\n}}");
        assert_eq!(offered(&quoted, 2), "/a, /b");
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
