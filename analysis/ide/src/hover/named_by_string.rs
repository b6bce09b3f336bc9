//! Hovers of strings that name a resource that is declared elsewhere, or a parameter.

use base::{FileInput, truncated};
use hir::resolve::Definition;
use hir::{Item, signature};
use salsa::Database;
use syntax::ast::{AstNode, Attribute, Expr};
use syntax::{SyntaxNode, TextRange, TextSize};

use super::content::{HoverContent, MAX_SIGNATURE};
use super::inferred::MAX_ATTRIBUTES;
use super::{bolt, passed, render};
use crate::Hover;
use crate::bolt::RunnableName;
use crate::goto_definition::{DeclaredTitle, declared_titles};
use crate::markdown::one_line;
use crate::symbol::{ExternalKind, Symbol, symbol_at};

/// Returns the hover of a string that names a resource or a parameter.
pub(super) fn hover(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    node: &SyntaxNode,
) -> Option<(TextRange, HoverContent)> {
    let text = Expr::cast(node.clone())?.plain_text()?;
    let found = symbol_at(db, file, offset)?;
    let content = match &found.symbol {
        Symbol::Title(type_, title) => {
            let declared = declared_titles(db, found.item?, type_, title);
            let is_here = |it: &DeclaredTitle<'_>| {
                Some(it.item) == found.item && it.item.in_file(db, it.title.range) == found.range
            };
            let elsewhere = declared.iter().find(|it| !is_here(it));
            declaration(db, elsewhere.filter(|_| !declared.iter().any(is_here))?)
        }
        Symbol::Variable {
            item,
            scope: 0,
            name,
        } => match parameter_range(db, *item, name) {
            Some(range) => render::parameter(db, *item, name, range),
            None => passed::hover(db, &found.symbol)?,
        },
        Symbol::File(named) => bolt::named_file(db, file, &text, *named)?,
        Symbol::External {
            kind: ExternalKind::TaskParameter,
            file: Some(metadata),
            name,
        } => bolt::task_parameter(db, *metadata, name)?,
        _ => return None,
    };
    Some((found.range, content))
}

/// Returns the hover of the plan or task that a step of a plan in YAML names.
pub(super) fn runnable(
    db: &dyn Database,
    file: FileInput,
    found: &RunnableName<'_>,
) -> Option<Hover> {
    let content = match found.symbol {
        Symbol::Item(plan) => render::definition(db, &Definition::Item(plan), None, &[])?,
        Symbol::File(named) => bolt::named_file(db, file, &found.name, named)?,
        _ => return None,
    };
    Some(content.into_hover(found.range))
}

fn parameter_range(db: &dyn Database, item: Item<'_>, name: &str) -> Option<TextRange> {
    if let Some(parameter) = signature(db, item).parameter(name) {
        return Some(parameter.range);
    }
    let of_template = hir::body::body(db, item).template_parameters.as_ref()?;
    let parameter = of_template.iter().find(|it| it.name == name)?;
    Some(parameter.range)
}

/// Renders the declaration of a resource, with its first attributes.
fn declaration(db: &dyn Database, declared: &DeclaredTitle<'_>) -> HoverContent {
    let (item, resource) = (declared.item, declared.resource);
    let type_ = resource.type_.as_deref().unwrap_or_default();
    let root = item.syntax(db);
    let title = syntax::text_at(&root, declared.title.range).unwrap_or_default();
    let attributes = attributes(&root, resource.range);
    let mut lines = vec![format!("{type_} {{ {title}:")];
    let shown = attributes.iter().take(MAX_ATTRIBUTES);
    lines.extend(shown.map(|it| format!("  {},", truncated(it, MAX_SIGNATURE))));
    if attributes.len() > MAX_ATTRIBUTES {
        lines.push("  # …".to_owned());
    }
    lines.push("}".to_owned());
    let content = HoverContent::of_lines(lines);
    render::of_scope(content, db, item, declared.title.range)
}

/// Returns the attributes of the resource at a range, each on one line.
fn attributes(root: &SyntaxNode, resource: TextRange) -> Vec<String> {
    let body = root.covering_element(resource);
    let body = body.as_node().cloned().or_else(|| body.parent());
    let attributes = body.into_iter().flat_map(|it| it.children());
    let attributes = attributes.filter_map(Attribute::cast);
    let lines = attributes.map(|it| one_line(&it.syntax().text().to_string()));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn hover(code: &str) -> String {
        let fixture = Fixture::new(&format!(
            "//- modules/web/manifests/init.pp\n{code}\n\
             //- modules/web/templates/a.epp\n<%- | Integer $port | -%>\n<%= $port %>\n"
        ));
        let (file, offset) = fixture.cursor();
        let found = fixture.analysis().hover(file, offset);
        found.map_or_else(String::new, |it| it.to_markdown(|_| None))
    }

    #[test]
    fn shows_the_declaration_of_a_resource() {
        let declared = "service { 'avahi': ensure => running, enable => true }";
        let found = hover(&format!(
            "class web {{ {declared} Service['av<^>ahi'] -> Class['b'] }}"
        ));
        let expected = "service { 'avahi':\n  ensure => running,\n  enable => true,\n}";
        assert!(found.contains(expected), "{found}");
        assert!(found.contains("class `web`"), "{found}");
        assert_eq!(hover("class web { Service['o<^>ther'] -> Class['b'] }"), "");
    }

    #[test]
    fn shows_parameters_of_templates() {
        let found = hover("class web { epp('web/a.epp', { 'po<^>rt' => 1 }) }");
        assert!(found.contains("Integer $port"), "{found}");
    }
}
