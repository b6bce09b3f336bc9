//! Workspace symbol search: definitions, keys of data and built-in names.

use salsa::Database;

use super::data_files::{KeyPlace, keys_by_name};
use super::goto_definition::item_target;
use super::{NavigationTarget, SymbolKind, SymbolTarget, WorkspaceSymbol};
use base::{EnvironmentInput, FileInput, ModuleOrigin, SettingsInput};
use hir::autoload::{RubyKind, all_definitions, ruby_files};
use hir::ruby_symbols::{ruby_data_types, ruby_functions, ruby_resource_types};
use hir::{Item, ItemKind};
use library::{BuiltInName, declaration};

/// The maximum number of symbols returned.
const MAX_FOUND: usize = 500;
/// The maximum number of built-in names among them.
const MAX_BUILT_IN: usize = 50;
/// The maximum number of keys of data among them.
const MAX_KEYS: usize = 100;
/// The maximum number of places of one key.
const MAX_PLACES: usize = 10;
/// The minimum length of a query that finds keys and built-in names: a shorter one finds nearly all.
const MIN_QUERY: usize = 2;

/// A matching definition.
struct SymbolMatch<'db> {
    /// The quality of the match; lower is better.
    rank: u32,
    name: &'db str,
    file: FileInput,
    definition: MatchedDefinition<'db>,
}

/// The kind of a matching definition.
enum MatchedDefinition<'db> {
    Item(ItemKind, Item<'db>),
    Ruby(RubyKind),
}

/// Returns the definitions whose names contain the characters of each word of `query` in order, best first.
pub(crate) fn workspace_symbols(
    db: &dyn Database,
    environments: &[EnvironmentInput],
    query: &str,
) -> Vec<WorkspaceSymbol> {
    let query = query.to_lowercase();
    let mut all: Vec<SymbolMatch<'_>> = Vec::new();
    for environment in environments {
        for ((kind, name), items) in all_definitions(db, *environment) {
            let Some(rank) = rank(name, &query) else {
                continue;
            };
            all.extend(items.iter().map(|item| SymbolMatch {
                rank,
                name,
                file: item.file(db),
                definition: MatchedDefinition::Item(*kind, *item),
            }));
        }
        for ((kind, name), file) in ruby_files(db, *environment) {
            let Some(rank) = rank(name, &query) else {
                continue;
            };
            all.push(SymbolMatch {
                rank,
                name,
                file: *file,
                definition: MatchedDefinition::Ruby(*kind),
            });
        }
    }
    let (own_keys, foreign_keys) = key_symbols(db, environments, &query);
    let built_in = built_in_symbols(db, &query);
    let others = own_keys.len() + foreign_keys.len() + built_in.len();
    // Locations are looked up only for returned symbols, as that is the expensive part.
    // Names of the project come before those of installed modules.
    let group = |it: &SymbolMatch<'_>| match it.rank {
        0 => 0,
        SUBSEQUENCE => 3,
        _ => 1 + u32::from(!is_own(db, it.file)),
    };
    all.sort_by_cached_key(|it| (group(it), it.rank, it.name, it.file.id(db)));
    let first_foreign = all.partition_point(|it| group(it) < 2);
    let mut own_keys = Some(own_keys);
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    for (index, symbol) in all.iter().map(|it| symbol(db, it)).enumerate() {
        if index == first_foreign {
            found.extend(own_keys.take().into_iter().flatten());
        }
        if found.last() != Some(&symbol) {
            found.push(symbol);
        }
        if found.len() + others >= MAX_FOUND {
            break;
        }
    }
    found.extend(own_keys.into_iter().flatten());
    found.extend(foreign_keys);
    found.extend(built_in);
    found
}

/// Checks whether a file belongs to the project, not to an installed module.
fn is_own(db: &dyn Database, file: FileInput) -> bool {
    let module = file.module(db);
    module.is_none_or(|it| it.origin(db) == ModuleOrigin::Workspace)
}

/// Returns the keys of data that contain `query`, best first: those of the project, and those of installed modules.
fn key_symbols(
    db: &dyn Database,
    environments: &[EnvironmentInput],
    query: &str,
) -> (Vec<WorkspaceSymbol>, Vec<WorkspaceSymbol>) {
    if query.chars().count() < MIN_QUERY {
        return Default::default();
    }
    let mut ranked: Vec<(u32, Vec<KeyPlace<'_>>)> = Vec::new();
    for environment in environments {
        let rank = |name: &str| rank(&name.to_lowercase(), query).filter(|it| *it < SUBSEQUENCE);
        let keys = keys_by_name(db, *environment, |it| rank(it).is_some()).into_iter();
        ranked.extend(keys.filter_map(|(name, places)| Some((rank(name)?, places))));
    }
    ranked.sort_by_key(|it| it.0);
    let places = ranked
        .into_iter()
        .flat_map(|it| it.1.into_iter().take(MAX_PLACES));
    let symbol = |it: KeyPlace<'_>| WorkspaceSymbol {
        name: it.name.to_owned(),
        kind: SymbolKind::Key,
        target: SymbolTarget::Workspace(NavigationTarget {
            file: it.file.id(db),
            range: it.range,
            name_range: it.range,
        }),
        container: Some(it.shown_path()),
    };
    let (own, foreign): (Vec<_>, Vec<_>) =
        places.take(MAX_KEYS).partition(|it| is_own(db, it.file));
    let symbols = |places: Vec<KeyPlace<'_>>| places.into_iter().map(symbol).collect();
    (symbols(own), symbols(foreign))
}

/// Returns the built-in names that contain `query`, best first.
fn built_in_symbols(db: &dyn Database, query: &str) -> Vec<WorkspaceSymbol> {
    if query.chars().count() < MIN_QUERY {
        return Vec::new();
    }
    let version = SettingsInput::get(db).version(db);
    let functions = library::functions(version).map(|it| {
        (
            &it.name,
            SymbolKind::Function,
            BuiltInName::Function(&it.name),
        )
    });
    let types = library::resource_types(version).map(|it| {
        (
            &it.name,
            SymbolKind::DefinedType,
            BuiltInName::ResourceType(&it.name),
        )
    });
    let data_types = library::data_types().map(|it| {
        (
            &it.name,
            SymbolKind::TypeAlias,
            BuiltInName::DataType(&it.name),
        )
    });
    let variables = library::variables().map(|it| {
        (
            &it.name,
            SymbolKind::Variable,
            BuiltInName::Variable(&it.name),
        )
    });
    let all = functions.chain(types).chain(data_types).chain(variables);
    let ranked = all.filter_map(|it| Some((rank(&it.0.to_lowercase(), query)?, it)));
    let mut ranked: Vec<_> = ranked.filter(|it| it.0 < SUBSEQUENCE).collect();
    ranked.sort_by_key(|it| (it.0, it.1.0));
    let best = ranked.into_iter().take(MAX_BUILT_IN);
    let symbols = best.filter_map(|(_, (name, kind, built_in))| {
        Some(WorkspaceSymbol {
            name: name.clone(),
            kind,
            target: SymbolTarget::BuiltIn(declaration(built_in)?),
            container: Some("built-in".to_owned()),
        })
    });
    symbols.collect()
}

fn symbol(db: &dyn Database, found: &SymbolMatch<'_>) -> WorkspaceSymbol {
    let (kind, target) = match found.definition {
        MatchedDefinition::Item(kind, item) => (symbol_kind(kind), item_target(db, item)),
        MatchedDefinition::Ruby(kind) => {
            let target = ruby_target(db, kind, found.name, found.file);
            let kind = match kind {
                RubyKind::Function4x | RubyKind::Function3x => SymbolKind::Function,
                RubyKind::ResourceType => SymbolKind::DefinedType,
                RubyKind::DataType => SymbolKind::TypeAlias,
            };
            (kind, target)
        }
    };
    let module = found.file.module(db);
    WorkspaceSymbol {
        name: found.name.to_owned(),
        kind,
        target: SymbolTarget::Workspace(target),
        container: module.map(|it| it.name(db).to_string()),
    }
}

/// Returns the location of a definition in a Ruby file; the start of the file if it cannot be
/// parsed.
fn ruby_target(db: &dyn Database, kind: RubyKind, name: &str, file: FileInput) -> NavigationTarget {
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
    NavigationTarget {
        file: file.id(db),
        range,
        name_range: range,
    }
}

fn symbol_kind(kind: ItemKind) -> SymbolKind {
    match kind {
        ItemKind::Class => SymbolKind::Class,
        ItemKind::DefinedType => SymbolKind::DefinedType,
        ItemKind::Function => SymbolKind::Function,
        ItemKind::Plan => SymbolKind::Plan,
        ItemKind::TypeAlias => SymbolKind::TypeAlias,
        ItemKind::Node | ItemKind::Main => SymbolKind::Node,
    }
}

/// The rank of a name that contains the characters of the query only in order.
const SUBSEQUENCE: u32 = 4;

/// Ranks a match by the worst word of the query.
fn rank(name: &str, query: &str) -> Option<u32> {
    match query.trim().contains(' ') {
        true => {
            let ranks = query.split_whitespace().map(|it| rank_of_word(name, it));
            ranks.collect::<Option<Vec<u32>>>()?.into_iter().max()
        }
        false => rank_of_word(name, query.trim()),
    }
}

/// Ranks a match: exact, the last segments, prefix, substring, characters in order.
fn rank_of_word(name: &str, query: &str) -> Option<u32> {
    if name == query {
        return Some(0);
    }
    if name
        .strip_suffix(query)
        .is_some_and(|it| it.ends_with("::"))
    {
        return Some(1);
    }
    if name.starts_with(query) {
        return Some(2);
    }
    if name.contains(query) {
        return Some(3);
    }
    let mut rest = name.chars();
    let in_order = query.chars().all(|wanted| rest.any(|it| it == wanted));
    in_order.then_some(SUBSEQUENCE)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn sorted_by_rank() {
        let fixture = Fixture::new(
            "//- modules/web/manifests/init.pp\nclass web { }\n\
             //- modules/web/manifests/site.pp\ndefine web::site { }\n\
             //- modules/a/manifests/my/web.pp\nclass a::my::web { }\n\
             //- modules/a/lib/puppet/functions/a/wide_belt.rb\n",
        );
        let found = fixture.analysis().workspace_symbols("web");
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["web", "a::my::web", "web::site", "a::wide_belt"]);
        assert!(fixture.analysis().workspace_symbols("xyz").is_empty());
        let found = fixture.analysis().workspace_symbols("web my ");
        let names: Vec<_> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a::my::web"]);
    }

    #[test]
    fn built_in_names_are_last() {
        let fixture = Fixture::new("//- modules/my/functions/split.pp\nfunction my::split() { }\n");
        let found = fixture.analysis().workspace_symbols("split");
        let names: Vec<_> = found
            .iter()
            .map(|it| (it.name.as_str(), it.container.as_deref()))
            .collect();
        assert_eq!(
            names,
            [("my::split", Some("my")), ("split", Some("built-in"))]
        );
        assert!(fixture.analysis().workspace_symbols("z").is_empty());
    }
}
