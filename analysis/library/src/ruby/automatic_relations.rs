//! Dependencies that resource types add by themselves: `autorequire(:file) { self[:path] }`.

use tree_sitter::Node;

use crate::signatures::{AutomaticRelation, AutomaticRelationKind, RelatedTitle};

use super::calls::Call;
use super::evaluate::Reader;
use super::source::children;
use super::value::Value;

/// The entries of a type of the Resource API.
pub(super) const OF_RESOURCE_API: [(&str, AutomaticRelationKind); 4] = [
    ("autorequires", AutomaticRelationKind::Require),
    ("autosubscribes", AutomaticRelationKind::Subscribe),
    ("autobefores", AutomaticRelationKind::Before),
    ("autonotifies", AutomaticRelationKind::Notify),
];

/// Reads a call of `autorequire` or its likes. A block that distinguishes providers is one relation for each branch.
pub(super) fn of_call<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Vec<AutomaticRelation> {
    let kind = match call.method {
        "autorequire" => AutomaticRelationKind::Require,
        "autosubscribe" => AutomaticRelationKind::Subscribe,
        "autobefore" => AutomaticRelationKind::Before,
        "autonotify" => AutomaticRelationKind::Notify,
        _ => return Vec::new(),
    };
    let first = call.arguments.first();
    let Some(type_name) = first.and_then(|it| reader.string(*it)) else {
        return Vec::new();
    };
    let relation = |providers, titles| AutomaticRelation {
        kind,
        type_name: type_name.to_lowercase(),
        titles,
        providers,
    };
    let only = call.body().and_then(only_statement);
    let branches = only.and_then(|it| by_provider(reader, it));
    match branches {
        Some(branches) => branches
            .into_iter()
            .map(|(providers, titles)| relation(providers, Some(titles)))
            .collect(),
        None => vec![relation(Vec::new(), only.and_then(|it| titles(reader, it)))],
    }
}

fn only_statement(body: Node<'_>) -> Option<Node<'_>> {
    let statements = children(body);
    let mut statements = statements.into_iter().filter(|it| it.kind() != "comment");
    let only = statements.next()?;
    statements.next().is_none().then_some(only)
}

/// Reads the providers and the titles of each branch of `case value(:provider)`. Providers are the only attribute whose
/// values are symbols in every type.
fn by_provider<'t>(
    reader: &mut Reader<'t>,
    node: Node<'t>,
) -> Option<Vec<(Vec<String>, Vec<RelatedTitle>)>> {
    let subject = node.child_by_field_name("value")?;
    if node.kind() != "case" || !PROVIDER.contains(&reader.text(subject)) {
        return None;
    }
    let mut branches = Vec::new();
    for branch in children(node) {
        match branch.kind() {
            "when" => {
                let body = only_statement(branch.child_by_field_name("body")?)?;
                branches.push((symbols(reader, branch)?, titles(reader, body)?));
            }
            "else" => {
                let others = titles(reader, only_statement(branch)?)?;
                others.is_empty().then_some(())?;
            }
            _ => {}
        }
    }
    Some(branches)
}

/// The expressions that return the provider.
const PROVIDER: [&str; 2] = ["value(:provider)", "self[:provider]"];

/// Reads the symbols of a `when`.
fn symbols<'t>(reader: &mut Reader<'t>, branch: Node<'t>) -> Option<Vec<String>> {
    let mut cursor = branch.walk();
    let patterns = branch.children_by_field_name("pattern", &mut cursor);
    let names = patterns.map(|it| Some(reader.text(it).strip_prefix(':')?.to_owned()));
    names.collect()
}

/// Reads the titles that an expression returns; `None` if it computes them.
fn titles<'t>(reader: &mut Reader<'t>, only: Node<'t>) -> Option<Vec<RelatedTitle>> {
    match only.kind() {
        "array" => children(only)
            .into_iter()
            .map(|it| title(reader, it))
            .collect(),
        _ => Some(vec![title(reader, only)?]),
    }
}

/// Reads the entries of a type of the Resource API: `{ file: '$source', package: 'apt' }`.
pub(super) fn of_hash<'t>(
    kind: AutomaticRelationKind,
    types: &'t [(Value<'t>, Value<'t>)],
) -> impl Iterator<Item = AutomaticRelation> + 't {
    types.iter().filter_map(move |(key, value)| {
        let titles = match value {
            Value::Array(items) => items.iter().map(Value::text).collect::<Option<Vec<_>>>()?,
            value => vec![value.text()?],
        };
        let titles = titles.into_iter().map(|it| match it.strip_prefix('$') {
            Some(attribute) => RelatedTitle::Attribute(attribute.to_owned()),
            None => RelatedTitle::Literal(it.to_owned()),
        });
        Some(AutomaticRelation {
            kind,
            type_name: key.text()?.to_lowercase(),
            titles: Some(titles.collect()),
            providers: Vec::new(),
        })
    })
}

/// Reads a title: a literal, or `self[:attribute]`.
fn title<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<RelatedTitle> {
    if node.kind() != "element_reference" {
        return reader.string(node).map(RelatedTitle::Literal);
    }
    let object = node.child_by_field_name("object")?;
    let attribute = *children(node).get(1)?;
    if object.kind() != "self" {
        return None;
    }
    reader.string(attribute).map(RelatedTitle::Attribute)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruby::resource_types;

    #[test]
    fn reads_literals_and_attributes() {
        let types = resource_types(
            "Puppet::Type.newtype(:x) do
              autorequire(:Anchor) { ['a::end', 'b'] }
              autonotify(:service) { 's' }
              autorequire(:file) do
                # The source.
                [self[:source], '/a']
              end
              autobefore(:file) { compute }
            end",
        );
        let relation = |kind, type_name: &str, titles| AutomaticRelation {
            kind,
            type_name: type_name.to_owned(),
            titles: Some(titles),
            providers: Vec::new(),
        };
        let literal = |it: &str| RelatedTitle::Literal(it.to_owned());
        let source = RelatedTitle::Attribute("source".to_owned());
        assert_eq!(
            types[0].automatic_relations,
            [
                relation(
                    AutomaticRelationKind::Require,
                    "anchor",
                    vec![literal("a::end"), literal("b")]
                ),
                relation(AutomaticRelationKind::Notify, "service", vec![literal("s")]),
                relation(
                    AutomaticRelationKind::Require,
                    "file",
                    vec![source, literal("/a")]
                ),
                AutomaticRelation {
                    kind: AutomaticRelationKind::Before,
                    type_name: "file".to_owned(),
                    titles: None,
                    providers: Vec::new(),
                },
            ]
        );
    }

    #[test]
    fn reads_branches_for_providers() {
        let relations = |branches: &str| {
            let source = format!(
                "Puppet::Type.newtype(:x) do
                  autorequire(:package) do
                    case value(:provider)
                    {branches}
                    end
                  end
                end"
            );
            let found = resource_types(&source)[0].automatic_relations.clone();
            let parts = found.into_iter().map(|it| (it.providers, it.titles));
            parts.collect::<Vec<_>>()
        };
        let literal = |it: &str| RelatedTitle::Literal(it.to_owned());
        let both = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(
            relations("when :a, :b\n ['x', 'y']\n else\n []"),
            [(both, Some(vec![literal("x"), literal("y")]))]
        );
        for computed in [
            "when 'a'\n ['x']",
            "when :a\n compute",
            "when :a\n ['x']\n else\n ['y']",
        ] {
            assert_eq!(relations(computed), [(Vec::new(), None)], "{computed}");
        }
    }
}
