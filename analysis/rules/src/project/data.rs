//! JSON and YAML parsers that keep the range of every value, for project files.

use granit_parser::{Event, Parser, ScalarStyle, Span};
use jsonc_parser::ast::{self, ObjectPropName};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use rustc_hash::FxHashMap;
use syntax::{TextRange, TextSize};

/// The maximum nesting depth, which is the limit of Ruby's JSON parser.
const MAX_DEPTH: usize = 100;

/// A value and its range.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its range in the file.
    pub range: TextRange,
    /// The value itself.
    pub data: Data,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Data {
    /// `null`, or nothing in YAML.
    Null,
    /// A string. In YAML, also any plain scalar other than null.
    Text(String),
    /// A number, `true` or `false` in JSON.
    Other,
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file.
    Map(Vec<Entry>),
    /// A YAML alias, which is not resolved.
    Unknown,
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The range of the key.
    pub key_range: TextRange,
    /// The value.
    pub value: Node,
}

impl Node {
    /// Returns the string, if the value is one.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(it) => Some(it),
            _ => None,
        }
    }

    /// Returns the entries, if the value is a map.
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.data {
            Data::Map(it) => Some(it),
            _ => None,
        }
    }

    /// Returns the elements, if the value is a list.
    pub fn elements(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(it) => Some(it),
            _ => None,
        }
    }

    /// Returns the value of a key. The last entry wins, as in Ruby.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let mut entries = self.entries()?.iter().rev();
        entries.find(|it| it.key == key).map(|it| &it.value)
    }

    /// Returns the entries with those of merge keys (`<<`), which come first.
    pub fn merged_entries(&self) -> Option<Vec<&Entry>> {
        let entries = self.entries()?;
        let merges = entries.iter().filter(|it| it.key == "<<");
        let merged = merges.flat_map(|it| match &it.value.data {
            Data::List(maps) => maps.iter().collect(),
            _ => vec![&it.value],
        });
        let merged = merged.filter_map(Node::entries).flatten();
        Some(
            merged
                .chain(entries.iter().filter(|it| it.key != "<<"))
                .collect(),
        )
    }

    /// The number of nodes, this one included.
    fn size(&self) -> usize {
        1 + match &self.data {
            Data::List(elements) => elements.iter().map(Node::size).sum(),
            Data::Map(entries) => entries.iter().map(|it| it.value.size()).sum(),
            _ => 0,
        }
    }
}

/// A syntax error and its range.
pub struct Unreadable {
    /// Where parsing stopped.
    pub range: TextRange,
    /// The reason.
    pub message: String,
}

/// Parses JSON. Comments are allowed, as in Ruby.
pub fn json(text: &str) -> Result<Option<Node>, Unreadable> {
    if let Some(at) = too_deep(text) {
        return Err(Unreadable {
            range: range(at, at + 1),
            message: format!("nested more than {MAX_DEPTH} levels deep"),
        });
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    match parsed {
        Ok(parsed) => Ok(parsed.value.map(|it| of_json(&it))),
        Err(error) => {
            let place = error.range();
            let message = error.kind().to_string();
            Err(Unreadable {
                range: range(place.start, place.end),
                message: message.trim_end_matches('.').to_lowercase(),
            })
        }
    }
}

/// Returns the offset of the first bracket that exceeds the maximum nesting depth. Brackets in strings
/// do not count.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

fn of_json(value: &ast::Value<'_>) -> Node {
    let place = value.range();
    let data = match value {
        ast::Value::NullKeyword(_) => Data::Null,
        ast::Value::StringLit(it) => Data::Text(it.value.to_string()),
        ast::Value::NumberLit(_) | ast::Value::BooleanLit(_) => Data::Other,
        ast::Value::Array(it) => Data::List(it.elements.iter().map(of_json).collect()),
        ast::Value::Object(it) => Data::Map(it.properties.iter().map(of_property).collect()),
    };
    Node {
        range: range(place.start, place.end),
        data,
    }
}

fn of_property(property: &ast::ObjectProp<'_>) -> Entry {
    let (key, place) = match &property.name {
        ObjectPropName::String(it) => (it.value.to_string(), it.range),
        ObjectPropName::Word(it) => (it.value.to_owned(), it.range),
    };
    Entry {
        key,
        key_range: range(place.start, place.end),
        value: of_json(&property.value),
    }
}

/// The maximum number of nodes that the aliases of a YAML file may expand to.
const MAX_ALIAS_NODES: usize = 10_000;

/// Parses the first document of a YAML file and leaves aliases unresolved. Returns `None` if there is
/// none.
pub fn yaml(text: &str) -> Result<Option<Node>, Unreadable> {
    parse_yaml(text, None)
}

/// Parses the first document of a YAML file and replaces each alias by a copy of what it refers to, up to
/// a limit. Returns `None` if there is none.
pub fn yaml_with_aliases(text: &str) -> Result<Option<Node>, Unreadable> {
    parse_yaml(text, Some(Anchors::default()))
}

/// The anchored nodes of a YAML file, and the number of nodes that aliases have copied so far.
#[derive(Default)]
struct Anchors {
    nodes: FxHashMap<usize, Node>,
    copied: usize,
}

impl Anchors {
    /// Returns a copy of an anchored node, unless the aliases of the file expand to too many nodes.
    fn expand(&mut self, anchor: usize) -> Option<Data> {
        let Some(node) = self.nodes.get(&anchor) else {
            // An alias inside of the node that it refers to.
            return Some(Data::Unknown);
        };
        self.copied += node.size();
        (self.copied <= MAX_ALIAS_NODES).then(|| node.data.clone())
    }
}

fn parse_yaml(text: &str, mut anchors: Option<Anchors>) -> Result<Option<Node>, Unreadable> {
    let mut open: Vec<Open> = Vec::new();
    // The anchors of the open collections, 0 for none.
    let mut opened: Vec<usize> = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = error.marker().byte_offset().unwrap_or(text.len());
            let at = at.min(text.len());
            Unreadable {
                range: range(at, (at + 1).min(text.len())),
                message: error.info().to_owned(),
            }
        })?;
        let place = place(&span);
        let (done, anchor) = match event {
            Event::SequenceStart(_, anchor, _) => {
                opened.push(anchor);
                open.push(Open::List(place, Vec::new()));
                (None, 0)
            }
            Event::MappingStart(_, anchor, _) => {
                opened.push(anchor);
                open.push(Open::Map(place, Vec::new(), None));
                (None, 0)
            }
            Event::SequenceEnd | Event::MappingEnd => (
                open.pop().map(Open::close),
                opened.pop().unwrap_or_default(),
            ),
            Event::Scalar(value, style, anchor, _) => (Some(scalar(&value, style, place)), anchor),
            Event::Alias(anchor) => {
                let data = match &mut anchors {
                    Some(anchors) => anchors.expand(anchor).ok_or_else(|| Unreadable {
                        range: place,
                        message: format!("aliases expand to more than {MAX_ALIAS_NODES} nodes"),
                    })?,
                    None => Data::Unknown,
                };
                (Some(Node { range: place, data }), 0)
            }
            Event::DocumentEnd => break,
            _ => (None, 0),
        };
        if open.len() > MAX_DEPTH {
            return Err(Unreadable {
                range: place,
                message: format!("nested more than {MAX_DEPTH} levels deep"),
            });
        }
        if let Some(node) = done {
            if let Some(anchors) = anchors.as_mut().filter(|_| anchor != 0) {
                anchors.nodes.insert(anchor, node.clone());
            }
            match open.last_mut() {
                Some(around) => around.add(node),
                None => return Ok(Some(node)),
            }
        }
    }
    Ok(None)
}

fn scalar(value: &str, style: ScalarStyle, range: TextRange) -> Node {
    let is_null = style == ScalarStyle::Plain && matches!(value, "" | "~" | "null");
    let data = match is_null {
        true => Data::Null,
        false => Data::Text(value.to_owned()),
    };
    Node { range, data }
}

/// A list or map that is still being parsed.
enum Open {
    List(TextRange, Vec<Node>),
    /// A map with its entries, and a key whose value comes next.
    Map(TextRange, Vec<Entry>, Option<Node>),
}

impl Open {
    fn add(&mut self, node: Node) {
        match self {
            Open::List(_, elements) => elements.push(node),
            Open::Map(_, entries, key) => match key.take() {
                None => *key = Some(node),
                Some(key) => entries.push(Entry {
                    key: key.text().unwrap_or_default().to_owned(),
                    key_range: key.range,
                    value: node,
                }),
            },
        }
    }

    fn close(self) -> Node {
        match self {
            Open::List(range, elements) => Node {
                range: elements.iter().fold(range, |all, it| all.cover(it.range)),
                data: Data::List(elements),
            },
            Open::Map(range, entries, _) => Node {
                range: entries
                    .iter()
                    .fold(range, |all, it| all.cover(it.value.range)),
                data: Data::Map(entries),
            },
        }
    }
}

fn place(span: &Span) -> TextRange {
    let bytes = span.byte_range().unwrap_or_default();
    range(bytes.start, bytes.end.max(bytes.start))
}

fn range(start: usize, end: usize) -> TextRange {
    // Files are limited to a size far below this.
    let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    TextRange::new(size(start), size(end))
}
