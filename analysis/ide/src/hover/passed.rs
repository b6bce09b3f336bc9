//! Hovers of the variables of EPP templates without a parameter list: what the calls of `epp` pass.

use hir::Item;
use infer::{Inferred, infer_item};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::ast::{AstNode, HashEntry};

use super::content::{HoverContent, one_line};
use super::{inferred, render};
use crate::search::SymbolUse;
use crate::symbol::Symbol;
use crate::symbol::open_templates::keys_in_calls;

/// The maximum number of calls that a hover shows.
const MAX_CALLS: usize = 3;

/// Returns the hover of a variable of a template without a parameter list.
pub(super) fn hover(db: &dyn Database, symbol: &Symbol<'_>) -> Option<HoverContent> {
    let Symbol::Variable { item, name, .. } = symbol else {
        return None;
    };
    let keys = keys_in_calls(db, *item, name);
    if keys.is_empty() {
        return None;
    }
    let type_ = passed(db, &keys).filter(|it| !it.type_.is_any());
    let variable = format!("${name}");
    let mut content = match &type_ {
        Some(it) => inferred::content(Some(&variable), it),
        None => HoverContent::new(variable),
    };
    let mut entries: Vec<String> = Vec::new();
    for key in &keys {
        let written = entry(db, key).map(|it| one_line(&it.syntax().text().to_string()));
        entries.extend(written.filter(|it| !entries.contains(it)));
    }
    let shown: Vec<String> = entries
        .iter()
        .take(MAX_CALLS)
        .map(|it| format!("`{it}`"))
        .collect();
    let more = if entries.len() > MAX_CALLS {
        ", …"
    } else {
        ""
    };
    content.here = format!("Passed: {}{more}", shown.join(", "));
    let mut seen = FxHashSet::default();
    let first_of_each = keys.iter().filter(|it| seen.insert(it.item));
    for key in first_of_each.take(MAX_CALLS) {
        content = render::of_scope(content, db, key.item, key.occurrence.range);
    }
    Some(content)
}

/// Returns the type of the values that calls pass; `None` if that of one is unknown.
pub(crate) fn passed_type(db: &dyn Database, item: Item<'_>, name: &str) -> Option<Inferred> {
    passed(db, &keys_in_calls(db, item, name))
}

fn passed(db: &dyn Database, keys: &[SymbolUse<'_>]) -> Option<Inferred> {
    let value = |key: &SymbolUse<'_>| {
        let value = entry(db, key)?.value()?.syntax().text_range();
        infer_item(db, key.item).at(value).cloned()
    };
    let all: Option<Vec<Inferred>> = keys.iter().map(value).collect();
    all.filter(|it| !it.is_empty()).map(Inferred::union)
}

/// Returns the entry of a hash that a key belongs to.
fn entry(db: &dyn Database, key: &SymbolUse<'_>) -> Option<HashEntry> {
    let root = key.item.syntax(db);
    let element = root.covering_element(key.occurrence.range);
    element.ancestors().find_map(HashEntry::cast)
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(code: &str, template: &str) -> String {
        let fixture = Fixture::new(&format!(
            "//- modules/web/manifests/init.pp\n{code}\n//- modules/web/templates/a.epp\n{template}\n"
        ));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    #[test]
    fn shows_the_values_that_calls_pass() {
        let code = "class web (Integer $p) { epp('web/a', { 'port' => $p, host => 'x' }) }";
        let found = hover(code, "<%= $po<^>rt %>");
        assert_eq!(
            found,
            "```puppet\nInteger $port\n```\n\nPassed: `'port' => $p`\n\n---\n\n*class `web`*"
        );
        let found = hover(code, "<%= $ho<^>st %>");
        assert!(found.contains("String $host = 'x'"), "{found}");
        let found = hover(&code.replace("port", "po<^>rt"), "<%= $port %>");
        assert!(found.contains("Integer $port"), "{found}");
        assert_eq!(hover(code, "<%= $no<^>pe %>"), "");
    }

    #[test]
    fn shows_the_type_of_all_calls() {
        let code = "class web (Integer $p, String $q) { $a = [epp('web/a.epp', { 'port' => $p }), \
                    epp('web/a.epp', { 'port' => $q })] }";
        let found = hover(code, "<%= $po<^>rt %>");
        assert!(found.contains("Variant[Integer, String] $port"), "{found}");
        assert!(found.contains("`'port' => $p`, `'port' => $q`"), "{found}");
    }
}
