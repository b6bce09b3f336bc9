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

/// Reads a call of `autorequire` or its likes.
pub(super) fn of_call<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<AutomaticRelation> {
    let kind = match call.method {
        "autorequire" => AutomaticRelationKind::Require,
        "autosubscribe" => AutomaticRelationKind::Subscribe,
        "autobefore" => AutomaticRelationKind::Before,
        "autonotify" => AutomaticRelationKind::Notify,
        _ => return None,
    };
    let type_name = reader.string(*call.arguments.first()?)?.to_lowercase();
    Some(AutomaticRelation {
        kind,
        type_name,
        titles: titles(reader, call),
    })
}

/// Reads the titles that a block returns; `None` if it computes them.
fn titles<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Vec<RelatedTitle>> {
    let statements = children(call.body()?);
    let statements: Vec<_> = statements
        .into_iter()
        .filter(|it| it.kind() != "comment")
        .collect();
    let &[only] = statements.as_slice() else {
        return None;
    };
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
                },
            ]
        );
    }
}
