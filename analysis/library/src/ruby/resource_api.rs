//! Resource types of the Resource API, which are defined by a hash.

use syntax::TextRange;
use tree_sitter::Node;

use crate::signatures::{Attribute, AttributeKind, Doc, ResourceType};

use super::calls::Call;
use super::evaluate::Reader;
use super::source::children;
use super::value::Value;
use super::{automatic_relations, comments};

/// Returns the type defined by `Puppet::ResourceApi.register_type(name: 'x', …)`.
pub(super) fn register_type<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<ResourceType> {
    let entries = entries(reader, call)?;
    let entry = |name: &str| entries.iter().rfind(|it| it.key == name).map(|it| it.value);
    let name_node = entry("name")?;
    let name = reader.string(name_node)?;
    let mut type_ = ResourceType {
        name: name.to_lowercase(),
        doc: Doc::default(),
        attributes: Vec::new(),
        complete: !reader.source.root().has_error(),
        providers: Vec::new(),
        title_patterns: false,
        autorequires: Vec::new(),
        automatic_relations: Vec::new(),
        refusals: Vec::new(),
        module: None,
        name_range: reader.name_range(name_node),
    };
    let doc = entry("desc").or_else(|| entry("docs"));
    if let Some(Value::Str(text)) = doc.map(|it| reader.value(it)) {
        type_.doc = comments::tagged(&text);
    } else {
        type_.doc = comments::above(reader.source.text(), call.node.start_byte());
    }
    if let Some(patterns) = entry("title_patterns") {
        type_.title_patterns = reader.value(patterns) != Value::Array(Vec::new());
    }
    if let Some(Value::Hash(types)) = entry("autorequires").map(|it| reader.value(it)) {
        let names = types.iter().filter_map(|(key, _)| key.text());
        type_.autorequires = names.map(str::to_lowercase).collect();
    }
    for (name, kind) in automatic_relations::OF_RESOURCE_API {
        if let Some(Value::Hash(types)) = entry(name).map(|it| reader.value(it)) {
            let relations = automatic_relations::of_hash(kind, &types);
            type_.automatic_relations.extend(relations);
        }
    }
    match entry("attributes") {
        Some(node) => attributes(reader, node, &mut type_),
        None => type_.complete = false,
    }
    Some(type_)
}

/// An entry of a hash with a literal key.
struct Entry<'t> {
    key: &'t str,
    key_node: Node<'t>,
    value: Node<'t>,
}

/// Returns the keyword arguments of the call, or the entries of its only argument.
fn entries<'t>(reader: &mut Reader<'t>, call: &Call<'t>) -> Option<Vec<Entry<'t>>> {
    if !call.named.is_empty() {
        return Some(
            call.named
                .iter()
                .filter_map(|(key, value)| entry(reader, *key, *value))
                .collect(),
        );
    }
    let only = *call.arguments.first()?;
    Some(pairs(reader, only)?.0)
}

/// Returns the entries of a hash, either a literal or a constant, and whether the list is complete.
fn pairs<'t>(reader: &mut Reader<'t>, node: Node<'t>) -> Option<(Vec<Entry<'t>>, bool)> {
    let node = match node.kind() {
        "constant" | "scope_resolution" => reader.survey.constant(reader.text(node))?,
        _ => node,
    };
    let node = match Call::of(reader.source, node) {
        Some(call) if call.method == "freeze" => call.receiver?,
        _ => node,
    };
    if node.kind() != "hash" {
        return None;
    }
    let mut all = true;
    let mut entries = Vec::new();
    for pair in children(node) {
        let key = pair.child_by_field_name("key");
        let value = pair.child_by_field_name("value");
        match key.zip(value).and_then(|(k, v)| entry(reader, k, v)) {
            Some(entry) => entries.push(entry),
            None => all &= matches!(pair.kind(), "comment" | "heredoc_body"),
        }
    }
    Some((entries, all))
}

fn entry<'t>(reader: &Reader<'t>, key: Node<'t>, value: Node<'t>) -> Option<Entry<'t>> {
    let text = reader.text(key).trim_matches([':', '\'', '"']);
    let is_plain = matches!(
        key.kind(),
        "hash_key_symbol" | "simple_symbol" | "string" | "delimited_symbol"
    );
    is_plain.then_some(Entry {
        key: text,
        key_node: key,
        value,
    })
}

fn attributes<'t>(reader: &mut Reader<'t>, node: Node<'t>, type_: &mut ResourceType) {
    let Some((entries, all)) = pairs(reader, node) else {
        type_.complete = false;
        return;
    };
    type_.complete &= all;
    for entry in entries {
        let range = reader.name_range(entry.key_node);
        let value = reader.value(entry.value);
        let attribute = attribute(entry.key, &value, range);
        type_.attributes.push(attribute);
    }
}

fn attribute(name: &str, said: &Value<'_>, name_range: TextRange) -> Attribute {
    let behaviour = said.get("behaviour").or_else(|| said.get("behavior"));
    let behaviour = behaviour.and_then(Value::text).unwrap_or_default();
    let type_ = said.get("type").and_then(Value::text);
    let type_ = type_.map(|it| it.trim().to_owned());
    let default = said.get("default").filter(|it| **it != Value::Nil);
    let doc = said.get("desc").or_else(|| said.get("docs"));
    let is_optional = type_.as_deref().is_none_or(|it| it.starts_with("Optional"));
    Attribute {
        name: name.to_owned(),
        kind: match behaviour {
            "namevar" | "parameter" => AttributeKind::Parameter,
            _ => AttributeKind::Property,
        },
        doc: match doc {
            Some(Value::Str(text)) => comments::plain(text),
            _ => Doc::default(),
        },
        values: Vec::new(),
        patterns: Vec::new(),
        closed: false,
        default: default.and_then(Value::to_default),
        namevar: behaviour == "namevar",
        // The Resource API requires parameters only when it creates the resource.
        required: behaviour == "parameter" && !is_optional && default.is_none(),
        read_only: behaviour == "read_only",
        accepts: None,
        required_features: Vec::new(),
        type_,
        name_range,
    }
}

#[cfg(test)]
mod tests {
    use super::super::resource_types;

    #[test]
    fn reads_the_definition_from_the_hash() {
        let text = "
require 'puppet/resource_api'
Puppet::ResourceApi.register_type(
  name: 'Apt_key',
  docs: <<-EOS,
    @summary Keys.

    Manages keys.
  EOS
  features: ['canonicalize'],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Whether.', default: 'present' },
    # a comment
    id: { type: 'Variant[Pattern[/\\A(0x)?[0-9a-f]{8}\\Z/]]', behaviour: :namevar, desc: 'The id.' },
    'content': { type: 'String', behaviour: :parameter },
    :created => { type: 'String', behaviour: :read_only },
    options: { type: 'Optional[Hash]', behaviour: :parameter, default: { 'a' => 1 } },
  },
  autorequires: { file: '$source', Package: 'apt' },
)
";
        let found = resource_types(text);
        let [type_] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(type_.name, "apt_key");
        assert!(type_.complete && !type_.title_patterns);
        assert_eq!(type_.doc.text, "Manages keys.");
        assert_eq!(type_.autorequires, ["file", "package"]);
        let brief: Vec<_> = type_
            .attributes
            .iter()
            .map(|it| {
                let marks = [
                    (it.namevar, "namevar"),
                    (it.required, "required"),
                    (it.read_only, "read_only"),
                ];
                let marks: Vec<_> = marks.iter().filter(|it| it.0).map(|it| it.1).collect();
                let default = it.default.as_deref().unwrap_or("-");
                format!("{} {:?} {} {default}", it.name, it.kind, marks.join("+"))
            })
            .collect();
        assert_eq!(
            brief,
            [
                "ensure Property  present",
                "id Parameter namevar -",
                "content Parameter required -",
                "created Property read_only -",
                "options Parameter  { 'a' => 1 }",
            ]
        );
        assert_eq!(
            type_.attributes[1].type_.as_deref(),
            Some("Variant[Pattern[/\\A(0x)?[0-9a-f]{8}\\Z/]]")
        );
        assert_eq!(&text[type_.attributes[3].name_range], "created");
    }

    #[test]
    fn computed_attributes_make_it_incomplete() {
        let complete = |attributes: &str| {
            let text = format!(
                "Puppet::ResourceApi.register_type({{name: 'x', attributes: {attributes}}})"
            );
            resource_types(&text)
                .first()
                .map(|it| (it.attributes.len(), it.complete))
        };
        assert_eq!(complete("{ a: {} }"), Some((1, true)));
        assert_eq!(complete("{ a: {}, **more }"), Some((1, false)));
        assert_eq!(complete("computed"), Some((0, false)));
        assert_eq!(complete("{ a: {} }.freeze"), Some((1, true)));
    }
}
