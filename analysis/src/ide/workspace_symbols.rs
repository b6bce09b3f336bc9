//! Definitions of the whole workspace by a part of their names.

use salsa::Database;

use super::definition::of_item;
use super::{SymbolKind, Target, WorkspaceSymbol};
use crate::db::{EnvironmentInput, FileInput};
use crate::workspace::ItemKind;
use crate::workspace::autoload::{RubyKind, all_definitions, ruby_files};
use crate::workspace::outside::{ruby_data_types, ruby_functions, ruby_resource_types};

/// How many are given at most.
const MAX_FOUND: usize = 500;

/// The definitions whose names hold the characters of `query` in their order, the best first.
pub(crate) fn workspace_symbols(
    db: &dyn Database,
    environments: &[EnvironmentInput],
    query: &str,
) -> Vec<WorkspaceSymbol> {
    let query = query.to_lowercase();
    let mut found: Vec<(u32, WorkspaceSymbol)> = Vec::new();
    for environment in environments {
        for ((kind, name), items) in all_definitions(db, *environment) {
            let Some(rank) = rank(name, &query) else {
                continue;
            };
            for item in items {
                let symbol = symbol(
                    name,
                    symbol_kind(*kind),
                    of_item(db, *item),
                    item.file(db),
                    db,
                );
                found.push((rank, symbol));
            }
        }
        for ((kind, name), file) in ruby_files(db, *environment) {
            let Some(rank) = rank(name, &query) else {
                continue;
            };
            let target = ruby_target(db, *kind, name, *file);
            let kind = match kind {
                RubyKind::Function4x | RubyKind::Function3x => SymbolKind::Function,
                RubyKind::ResourceType => SymbolKind::DefinedType,
                RubyKind::DataType => SymbolKind::TypeAlias,
            };
            found.push((rank, symbol(name, kind, target, *file, db)));
        }
    }
    found.sort_by(|a, b| {
        let key = |it: &(u32, WorkspaceSymbol)| (it.0, it.1.name.clone(), it.1.target.file);
        key(a).cmp(&key(b))
    });
    found.dedup_by(|a, b| a.1 == b.1);
    found.truncate(MAX_FOUND);
    found.into_iter().map(|it| it.1).collect()
}

fn symbol(
    name: &str,
    kind: SymbolKind,
    target: Target,
    file: FileInput,
    db: &dyn Database,
) -> WorkspaceSymbol {
    let module = file.module(db);
    WorkspaceSymbol {
        name: name.to_owned(),
        kind,
        target,
        container: module.map(|it| it.name(db).to_string()),
    }
}

/// Where a Ruby file defines what it is found for; its start, if that cannot be read.
fn ruby_target(db: &dyn Database, kind: RubyKind, name: &str, file: FileInput) -> Target {
    let range = match kind {
        RubyKind::Function4x | RubyKind::Function3x => {
            let mut found = ruby_functions(db, file).iter();
            found.find(|it| it.name == name).map(|it| it.name_range)
        }
        RubyKind::ResourceType => {
            let mut found = ruby_resource_types(db, file).iter();
            found.find(|it| it.name == name).map(|it| it.name_range)
        }
        RubyKind::DataType => ruby_data_types(db, file).first().map(|it| it.name_range),
    };
    let range = range.unwrap_or_default();
    Target {
        file: file.id(db),
        range,
        name_range: range,
    }
}

fn symbol_kind(kind: ItemKind) -> SymbolKind {
    match kind {
        ItemKind::Class => SymbolKind::Class,
        ItemKind::Define => SymbolKind::DefinedType,
        ItemKind::Function => SymbolKind::Function,
        ItemKind::Plan => SymbolKind::Plan,
        ItemKind::TypeAlias => SymbolKind::TypeAlias,
        ItemKind::Node | ItemKind::Main => SymbolKind::Node,
    }
}

/// How well a name fits: the name itself, its start, a part of it, its characters in order.
fn rank(name: &str, query: &str) -> Option<u32> {
    if name == query {
        return Some(0);
    }
    if name.starts_with(query) {
        return Some(1);
    }
    if name.contains(query) {
        return Some(2);
    }
    let mut rest = name.chars();
    let in_order = query.chars().all(|wanted| rest.any(|it| it == wanted));
    in_order.then_some(3)
}

#[cfg(test)]
mod tests {
    use crate::ide::fixture::World;

    #[test]
    fn the_best_first() {
        let world = World::new(
            "//- modules/web/manifests/init.pp\nclass web { }\n\
             //- modules/web/manifests/site.pp\ndefine web::site { }\n\
             //- modules/a/manifests/my/web.pp\nclass a::my::web { }\n\
             //- modules/a/lib/puppet/functions/a/wide_belt.rb\n",
        );
        let found = world.analysis().workspace_symbols("web");
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["web", "web::site", "a::my::web", "a::wide_belt"]);
        assert!(world.analysis().workspace_symbols("xyz").is_empty());
    }
}
