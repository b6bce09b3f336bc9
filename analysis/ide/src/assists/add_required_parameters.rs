//! Adds the missing required parameters of a resource, with sample values of their types.

use syntax::ast::{AstNode, Block, ResourceBody};
use syntax::{Edit, TextRange};

use super::{AssistContext, AssistKind, Assists};
use hir::body::{Resource, ResourceForm, body};
use hir::resolve::{Definition, class, resource_type};
use hir::{Item, canonical_name, signature};
use infer::{WorkspaceTypes, declared_parameters};
use library::signatures;
use rules::{attribute_insertion, sample};
use types::values::quote;

pub(super) fn offer(cx: &AssistContext<'_>, acc: &mut Assists<'_>) {
    let Some(node) = cx.enclosing::<ResourceBody>() else {
        return;
    };
    // A cursor inside a lambda in the resource body does not mean the resource.
    let range = node.syntax().text_range();
    let block = cx.enclosing::<Block>();
    let is_near = block.is_none_or(|it| !range.contains_range(it.syntax().text_range()));
    let Some(resource) = resource_at(cx, range).filter(|_| is_near) else {
        return;
    };
    let missing = missing_parameters(cx, resource);
    if missing.is_empty() {
        return;
    }
    let names: Vec<_> = missing.iter().map(|it| format!("`{}`", it.0)).collect();
    let title = match names.as_slice() {
        [only] => format!("Add the missing parameter {only}"),
        _ => format!("Add the missing parameters {}", names.join(", ")),
    };
    let values = missing.into_iter();
    let values: Option<Vec<_>> = values.map(|it| Some((it.0, it.1?))).collect();
    let kind = AssistKind::QuickFix;
    match values.map(|it| insertions(&node, &it)) {
        Some(Some(edits)) => acc.add("add-required", title, kind, || edits),
        Some(None) => {}
        None => acc.add_disabled(
            "add-required",
            title,
            kind,
            "the type of a parameter has no sample value",
        ),
    }
}

/// Returns the plain resource declaration at a range.
fn resource_at<'db>(cx: &AssistContext<'db>, range: TextRange) -> Option<&'db Resource> {
    let item = cx.item_at(range)?;
    let here = range - item.offset(cx.db);
    let mut resources = body(cx.db, item).resources.iter();
    let found = resources.find(|it| it.range == here)?;
    let is_plain = found.form == ResourceForm::Declaration && !found.splat;
    is_plain.then_some(found)
}

/// Returns the missing required parameters, each with a matching sample value if its type has one.
fn missing_parameters(
    cx: &AssistContext<'_>,
    resource: &Resource,
) -> Vec<(String, Option<String>)> {
    let environment = cx.file.environment(cx.db);
    let Some(type_) = resource.type_.as_deref() else {
        return Vec::new();
    };
    let definition = match (type_, resource.titles.as_slice()) {
        ("class", [only]) if resource.has_only_literal_titles => {
            class(cx.db, environment, &canonical_name(&only.text))
        }
        ("class", _) => return Vec::new(),
        _ => resource_type(cx.db, environment, type_),
    };
    let mut found = match definition {
        Ok(Definition::Item(item)) => parameters(cx, item),
        Ok(Definition::ResourceType(it)) => attributes(cx, it.declared()),
        _ => Vec::new(),
    };
    found.retain(|(name, _)| {
        let given = resource.attributes.iter().any(|it| it.name == *name);
        !given && !resource.default_attributes.contains(name)
    });
    found
}

fn parameters(cx: &AssistContext<'_>, item: Item<'_>) -> Vec<(String, Option<String>)> {
    let types = declared_parameters(cx.db, item);
    let value = |name: &str| {
        let type_ = types.iter().find(|it| it.0 == name);
        type_.and_then(|it| sample(&it.1))
    };
    let all = signature(cx.db, item).parameters.iter();
    let required = all.filter(|it| it.is_required());
    required
        .map(|it| (it.name.clone(), value(&it.name)))
        .collect()
}

fn attributes(
    cx: &AssistContext<'_>,
    type_: &signatures::ResourceType,
) -> Vec<(String, Option<String>)> {
    let types = WorkspaceTypes::new(cx.db, cx.file.environment(cx.db));
    let value = |it: &signatures::Attribute| {
        let listed = it.values.first().map(|it| quote(it));
        let declared = it.type_.as_deref();
        let typed = || sample(&types.read_text(declared?)?);
        listed.or_else(typed)
    };
    let required = type_
        .attributes
        .iter()
        .filter(|it| it.required && !it.namevar);
    required.map(|it| (it.name.clone(), value(it))).collect()
}

/// Returns the edits that append attributes to the existing ones.
fn insertions(body: &ResourceBody, values: &[(String, String)]) -> Option<Vec<Edit>> {
    if body.operations().next().is_some() {
        let each = values.iter();
        return each
            .map(|(name, value)| attribute_insertion(body, name, value))
            .collect();
    }
    let (first, rest) = values.split_first()?;
    let rest = rest
        .iter()
        .map(|(name, value)| format!(", {name} => {value}"));
    let text = first.1.clone() + &rest.collect::<String>();
    Some(vec![attribute_insertion(body, &first.0, &text)?])
}

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{applied_with, offered};

    const OTHERS: &str = "modules/m/manifests/d.pp\ndefine m::d(Enum['a', 'b'] $kind, Integer[3] $port, $free = 1) { }\n//- modules/m/manifests/c.pp\nclass m::c(Boolean $on) { }\n//- modules/m/manifests/e.pp\ndefine m::e(Callable $x) { }\n";

    fn applied(source: &str) -> String {
        applied_with("add-required", source, OTHERS)
    }

    #[test]
    fn adds_missing_required_parameters() {
        assert_eq!(
            applied("m::d { 'x<^>':\n  free => 2,\n}\n"),
            "m::d { 'x':\n  free => 2,\n  kind => 'a',\n  port => 1024,\n}\n"
        );
        assert_eq!(
            applied("m::d { 'x<^>': }\n"),
            "m::d { 'x': kind => 'a', port => 1024 }\n"
        );
        assert_eq!(
            applied("m::d { 'x': fr<^>ee => 2 }\n"),
            "m::d { 'x': free => 2, kind => 'a', port => 1024 }\n"
        );
        assert_eq!(
            applied("class { 'm::c'<^>: }\n"),
            "class { 'm::c': on => false }\n"
        );
    }

    #[test]
    fn is_not_offered_for_complete_resources() {
        assert_eq!(applied("m::d { 'x<^>': port => 3, kind => 'b' }\n"), "none");
        assert_eq!(applied("m::d { 'x<^>': * => $y }\n"), "none");
        assert_eq!(applied("class { ['m::c', 'm']<^>: }\n"), "none");
        let source = "m::e { 'x<^>': }\n";
        assert!(applied(source).contains("no sample value"));
        assert_eq!(offered("m::d<^> { 'x': }\n", OTHERS).len(), 0);
    }
}
