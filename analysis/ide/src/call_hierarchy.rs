//! Call hierarchy of functions, plans, classes and defined types. Including a class or declaring a
//! resource counts as a call.

use std::collections::BTreeMap;

use salsa::Database;
use syntax::{TextRange, TextSize};

use super::goto_definition::item_target;
use super::search::{module_path, symbol_uses};
use super::symbol::{
    ExternalKind, ImplicitNameKind, OccurrenceKind, Symbol, declarations, occurrences,
    resolve_occurrence, ruby_symbol_at, symbol_at,
};
use super::{NavigationTarget, SymbolKind};
use base::FileInput;
use hir::body::{ClassUse, ReferenceName};
use hir::{Item, ItemKind};

/// A node of a call or type hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchyItem {
    /// Its name.
    pub name: String,
    /// The kind of symbol.
    pub kind: SymbolKind,
    /// The location. The start of its name identifies the node in later requests.
    pub target: NavigationTarget,
    /// The module that contains it.
    pub container: Option<String>,
}

/// A caller or callee, with the call sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchyCall {
    /// The caller or callee.
    pub item: HierarchyItem,
    /// The ranges of the call sites in the caller.
    pub ranges: Vec<TextRange>,
}

/// Returns the callable symbol at an offset.
pub(crate) fn prepare_call_hierarchy(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<HierarchyItem> {
    let found = symbol_at(db, file, offset)?;
    callable_item(db, &found.symbol)
}

fn callable_item(db: &dyn Database, symbol: &Symbol<'_>) -> Option<HierarchyItem> {
    match symbol {
        Symbol::Item(item) if item.kind(db) != ItemKind::TypeAlias => {
            Some(hierarchy_item(db, *item))
        }
        Symbol::External {
            kind: kind @ (ExternalKind::Function | ExternalKind::ResourceType),
            file: Some(file),
            name,
        } => Some(HierarchyItem {
            name: name.clone(),
            kind: match kind {
                ExternalKind::Function => SymbolKind::Function,
                _ => SymbolKind::DefinedType,
            },
            target: declarations(db, None, symbol).into_iter().next()?,
            container: module_name(db, *file),
        }),
        _ => None,
    }
}

fn module_name(db: &dyn Database, file: FileInput) -> Option<String> {
    file.module(db).map(|it| it.name(db).to_string())
}

/// Converts an item to a node of a hierarchy.
pub(super) fn hierarchy_item(db: &dyn Database, item: Item<'_>) -> HierarchyItem {
    let target = item_target(db, item);
    let file = item.file(db);
    let written = file
        .text(db)
        .as_ref()
        .and_then(|it| it.get(std::ops::Range::from(target.name_range)))
        .unwrap_or_default();
    let (kind, name) = match item.kind(db) {
        ItemKind::Class => (SymbolKind::Class, item.name(db).clone()),
        ItemKind::DefinedType => (SymbolKind::DefinedType, item.name(db).clone()),
        ItemKind::Function => (SymbolKind::Function, item.name(db).clone()),
        ItemKind::Plan => (SymbolKind::Plan, item.name(db).clone()),
        ItemKind::TypeAlias => (SymbolKind::TypeAlias, written.to_owned()),
        ItemKind::Node => (SymbolKind::Node, item.name(db).clone()),
        ItemKind::Main => {
            let path = module_path(db, file).map(|it| it.1);
            (SymbolKind::Node, path.unwrap_or_else(|| "main".to_owned()))
        }
    };
    HierarchyItem {
        name,
        kind,
        target,
        container: module_name(db, file),
    }
}

/// Checks whether an occurrence calls, includes or declares its symbol, as opposed to only
/// referring to it.
pub(super) fn is_call(kind: &OccurrenceKind<'_>) -> bool {
    match kind {
        OccurrenceKind::Reference(it) => match &it.name {
            ReferenceName::Function(_) | ReferenceName::ResourceType(_) => true,
            ReferenceName::Class(_, used) => *used != ClassUse::Referenced,
            _ => false,
        },
        OccurrenceKind::Implicit(it) => matches!(
            it.kind,
            ImplicitNameKind::Plan(_) | ImplicitNameKind::Class(_)
        ),
        _ => false,
    }
}

/// Returns the callers of the symbol at an offset, grouped by file.
pub(crate) fn incoming_calls(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<HierarchyCall> {
    let Some(symbol) = callable_at(db, file, offset) else {
        return Vec::new();
    };
    let mut found: Vec<(Item<'_>, Vec<TextRange>)> = Vec::new();
    let uses = symbol_uses(db, file, &symbol).into_iter();
    for it in uses.filter(|it| is_call(&it.occurrence.kind)) {
        let range = it.range(db);
        match found.iter_mut().find(|known| known.0 == it.item) {
            Some(known) => known.1.push(range),
            None => found.push((it.item, vec![range])),
        }
    }
    let calls = found.into_iter().map(|(item, ranges)| HierarchyCall {
        item: hierarchy_item(db, item),
        ranges,
    });
    calls.collect()
}

/// Returns the symbol at an offset; in a Ruby file, the symbol defined there.
fn callable_at(db: &dyn Database, file: FileInput, offset: TextSize) -> Option<Symbol<'_>> {
    // Check for Ruby first: parsed as Puppet code, a Ruby file would yield bogus names.
    ruby_symbol_at(db, file, offset).or_else(|| Some(symbol_at(db, file, offset)?.symbol))
}

/// Returns the callees of the symbol at an offset, in source order.
pub(crate) fn outgoing_calls(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Vec<HierarchyCall> {
    let Some(Symbol::Item(item)) = callable_at(db, file, offset) else {
        return Vec::new();
    };
    let mut names = occurrences(db, item);
    names.sort_by_key(|it| it.range.start());
    let mut order = BTreeMap::new();
    let mut found: Vec<HierarchyCall> = Vec::new();
    for it in names.iter().filter(|it| is_call(&it.kind)) {
        let Some(symbol) = resolve_occurrence(db, item, &it.kind) else {
            continue;
        };
        let Some(called) = callable_item(db, &symbol) else {
            continue;
        };
        let key = (called.target.file, called.target.name_range.start());
        let index = *order.entry(key).or_insert(found.len());
        if index == found.len() {
            found.push(HierarchyCall {
                item: called,
                ranges: Vec::new(),
            });
        }
        found[index].ranges.push(item.in_file(db, it.range));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::HierarchyCall;
    use crate::fixture::Fixture;

    const MODULE: &str = "
//- modules/a/manifests/init.pp
class a { include a::b, a::b notice(a::f(1)) a::d { 'x': } Class['a::b'] -> A::D['x'] }
//- modules/a/manifests/b.pp
class a::b { }
//- modules/a/manifests/d.pp
define a::d { notice(a::f(2), a::r(1)) }
//- modules/a/functions/f.pp
function a::f($x) { $x }
//- modules/a/lib/puppet/functions/a/r.rb
Puppet::Functions.create_function(:'a::r') { dispatch(:r) { param 'Any', :x } }
//- manifests/site.pp
";

    fn shown(calls: Vec<HierarchyCall>) -> Vec<String> {
        let calls = calls.into_iter();
        let calls = calls.map(|it| format!("{} {}", it.item.name, it.ranges.len()));
        calls.collect()
    }

    fn calls(code: &str) -> (Vec<String>, Vec<String>) {
        let fixture = Fixture::new(&format!("{MODULE}{code}"));
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        let item = analysis
            .prepare_call_hierarchy(file, offset)
            .expect("callable symbol");
        let (file, offset) = (item.target.file, item.target.name_range.start());
        let incoming = analysis.incoming_calls(file, offset);
        (
            shown(incoming),
            shown(analysis.outgoing_calls(file, offset)),
        )
    }

    #[test]
    fn finds_callers_and_callees() {
        let of = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let (incoming, outgoing) = calls("include <^>a");
        assert_eq!(incoming, of(&["main 1"]));
        assert_eq!(outgoing, of(&["a::b 2", "a::f 1", "a::d 1"]));
        assert_eq!(calls("include a::<^>b").0, of(&["a 2", "main 1"]));
        assert_eq!(
            calls("notice(a::<^>f(1))").0,
            of(&["a 1", "a::d 1", "main 1"])
        );
        assert_eq!(calls("a::<^>d { 'q': }").1, of(&["a::f 1", "a::r 1"]));
        assert_eq!(calls("notice(a::<^>r(1))").0, of(&["a::d 1", "main 1"]));
    }
}
