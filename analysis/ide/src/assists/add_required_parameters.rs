//! Adds the missing required parameters of a resource, with sample values of their types.

use syntax::TextRange;
use syntax::ast::{AstNode, Block, ResourceBody};

use super::{AssistContext, AssistKind, Assists};
use crate::completion::is_set_by_data;
use hir::body::{Resource, ResourceForm, body};
use hir::resolve::{Definition, class, resource_type};
use hir::{Item, canonical_name, signature};
use infer::{WorkspaceTypes, declared_parameters};
use library::signatures;
use rules::{attributes_insertion, sample};
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
    let (known, unknown): (Vec<_>, Vec<_>) = missing.into_iter().partition(|it| it.1.is_some());
    let kind = AssistKind::QuickFix;
    if known.is_empty() {
        let reason = "the type of a parameter has no sample value";
        return acc.add_disabled("add-required", title(&unknown), kind, reason);
    }
    let added = known
        .iter()
        .map(|(name, value)| Some((name.as_str(), value.as_deref()?)));
    let added: Vec<_> = added.flatten().collect();
    if let Some(edit) = attributes_insertion(&node, &added) {
        acc.add("add-required", title(&known), kind, || vec![edit]);
    }
}

/// The number of parameters that a title names.
const MAX_NAMED: usize = 3;

fn title(parameters: &[MissingParameter]) -> String {
    let names: Vec<_> = parameters.iter().map(|it| format!("`{}`", it.0)).collect();
    match names.as_slice() {
        [only] => format!("Add the missing parameter {only}"),
        [first, second, third, _, ..] => {
            let more = names.len() - MAX_NAMED;
            format!("Add the missing parameters {first}, {second}, {third} and {more} more")
        }
        _ => format!("Add the missing parameters {}", names.join(", ")),
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

/// A missing required parameter, with a sample value if its type has one.
type MissingParameter = (String, Option<String>);

/// Returns the missing required parameters in the order of their declaration.
fn missing_parameters(cx: &AssistContext<'_>, resource: &Resource) -> Vec<MissingParameter> {
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

fn parameters(cx: &AssistContext<'_>, item: Item<'_>) -> Vec<MissingParameter> {
    let types = declared_parameters(cx.db, item);
    let value = |name: &str| {
        let type_ = types.iter().find(|it| it.0 == name);
        type_.and_then(|it| sample(&it.1))
    };
    let all = signature(cx.db, item).parameters.iter();
    let required = all.filter(|it| it.is_required() && !is_set_by_data(cx.db, item, &it.name));
    required
        .map(|it| (it.name.clone(), value(&it.name)))
        .collect()
}

fn attributes(cx: &AssistContext<'_>, type_: &signatures::ResourceType) -> Vec<MissingParameter> {
    let types = WorkspaceTypes::as_offered(cx.db, cx.file.environment(cx.db));
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

#[cfg(test)]
mod tests {
    use crate::assists::test_support::{applied_with, offered};

    const OTHERS: &str = "modules/m/manifests/d.pp\ndefine m::d(Enum['a', 'b'] $kind, Integer[3] $port, $free = 1) { }\n//- modules/m/manifests/c.pp\nclass m::c(Boolean $on) { }\n//- modules/m/manifests/e.pp\ndefine m::e(Callable $x) { }\n//- modules/m/manifests/f.pp\ndefine m::f($a, String $b, Pattern[/^\\d+\\.\\d+/] $version) { }\n";

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
        // A parameter whose type has no sample value is left to the user.
        assert_eq!(
            applied("m::f { 'x<^>':\n  a => 2,\n}\n"),
            "m::f { 'x':\n  a => 2,\n  b => '',\n}\n"
        );
        let source = "m::e { 'x<^>': }\n";
        assert!(applied(source).contains("no sample value"));
        assert_eq!(offered("m::d<^> { 'x': }\n", OTHERS).len(), 0);
    }
}
