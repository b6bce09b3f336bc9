//! Go to type definition.

use salsa::Database;
use syntax::ast::AstNode;
use syntax::{TextRange, TextSize};

use super::symbol::{
    OccurrenceKind, Symbol, SymbolAt, declarations, occurrences, resolve_occurrence, symbol_at,
    types_of_variable,
};
use super::{NavigationTarget, NavigationTargets};
use base::FileInput;
use hir::body::{ReferenceName, ScopeId, body};
use hir::resolve::{Definition, resource_type};
use hir::{Item, ItemKind, signature};

/// Returns the definitions of the types that the symbol at an offset is declared with: the data type
/// of a parameter, the return type of a function, the resource type of a resource.
pub(crate) fn goto_type_definition(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<NavigationTargets> {
    let found = symbol_at(db, file, offset)?;
    let targets = targets(db, &found);
    (!targets.is_empty()).then_some(NavigationTargets {
        range: found.range,
        targets,
        built_in: None,
    })
}

fn targets(db: &dyn Database, found: &SymbolAt<'_>) -> Vec<NavigationTarget> {
    match &found.symbol {
        Symbol::Variable {
            item,
            scope: 0,
            name,
        } => {
            let templates = body(db, *item).template_parameters.iter().flatten();
            let parameters = signature(db, *item).parameters.iter().chain(templates);
            let mut same = parameters.filter(|it| it.name == *name);
            let Some(parameter) = same.next() else {
                return named_types(db, (*item, 0, name));
            };
            let before = TextRange::new(parameter.range.start(), parameter.name_range.start());
            types_in(db, *item, before)
        }
        Symbol::Variable { item, scope, name } => named_types(db, (*item, *scope, name)),
        Symbol::Item(item) if item.kind(db) == ItemKind::Function => {
            let signature = signature(db, *item);
            let parameters = signature.parameters.iter().map(|it| it.range.end());
            let start = parameters.chain([signature.name_range.end()]).max();
            let root = item.syntax(db);
            let block = root
                .children()
                .find(|it| it.kind() == syntax::SyntaxKind::BLOCK);
            let end = block.map(|it| it.text_range().start());
            match start.zip(end) {
                Some((start, end)) if start <= end => {
                    types_in(db, *item, TextRange::new(start, end))
                }
                _ => Vec::new(),
            }
        }
        // A type is its own type definition.
        Symbol::Item(item) if item.kind(db) != ItemKind::Plan => {
            declarations(db, found.item, &found.symbol)
        }
        Symbol::Title(type_, _) => {
            let environment = found.item.and_then(|it| it.file(db).environment(db));
            let type_ = resource_type(db, environment, type_);
            type_.map_or_else(
                |_| Vec::new(),
                |it: Definition<'_>| super::goto_definition::definition_targets(db, &it),
            )
        }
        _ => Vec::new(),
    }
}

/// Returns the definitions of the types that are written for a variable.
fn named_types(db: &dyn Database, variable: (Item<'_>, ScopeId, &str)) -> Vec<NavigationTarget> {
    let mut found = Vec::new();
    for (item, type_) in types_of_variable(db, variable) {
        for target in types_in(db, item, type_.syntax().text_range()) {
            if !found.contains(&target) {
                found.push(target);
            }
        }
    }
    found
}

/// Returns the definitions of the types named in a range of an item.
pub(super) fn types_in(
    db: &dyn Database,
    item: Item<'_>,
    range: TextRange,
) -> Vec<NavigationTarget> {
    let mut found = Vec::new();
    for it in occurrences(db, item) {
        let is_type = matches!(it.kind, OccurrenceKind::Reference(it) if matches!(it.name, ReferenceName::Type(_)));
        if is_type
            && range.contains_range(it.range)
            && let Some(symbol) = resolve_occurrence(db, item, &it.kind)
        {
            for target in declarations(db, Some(item), &symbol) {
                if !found.contains(&target) {
                    found.push(target);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn leads_to(code: &str) -> String {
        let fixture = Fixture::new(&format!(
            "//- modules/a/types/port.pp\ntype A::Port = Integer\n\
             //- modules/a/manifests/site.pp\ndefine a::site(A::Port $port) {{ notice($port) }}\n\
             //- modules/a/functions/f.pp\nfunction a::f(Integer $x) >> A::Port {{ 1 }}\n\
             //- manifests/site.pp\n{code}"
        ));
        let (file, offset) = fixture.cursor();
        fixture.targets(fixture.analysis().goto_type_definition(file, offset))
    }

    #[test]
    fn finds_types_of_parameters_results_and_resources() {
        let port = "modules/a/types/port.pp `A::Port`";
        assert_eq!(leads_to("a::site { 'x': po<^>rt => 1 }"), port);
        assert_eq!(leads_to("notice(a::<^>f(1))"), port);
        let site = "modules/a/manifests/site.pp `a::site`";
        assert_eq!(leads_to("a::site { '<^>x': port => 1 }"), site);
        assert_eq!(leads_to("$<^>x = 1"), "");
        assert_eq!(leads_to("[1].each |A::Port $v| { notice($<^>v) }"), port);
        assert_eq!(
            leads_to("[1].each |A::Port $v| { $w = $v notice($<^>w) }"),
            port
        );
        assert_eq!(leads_to("$a = $b $b = $<^>a"), "");
        assert_eq!(leads_to("[1].each |$v| { notice($<^>v) }"), "");
    }
}
