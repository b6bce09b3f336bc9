//! Data files: the values of their root keys.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use syntax::TextRange;
use types::values::Value;

use crate::document::{self, Data, Entry, Node, Scalar, Unreadable};

/// The format of a data file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFormat {
    /// YAML, also with encrypted values.
    Yaml,
    /// JSON.
    Json,
}

impl DataFormat {
    /// Returns the format of a file with this name; `None` if it is not a data file.
    pub fn of_path(path: &str) -> Option<DataFormat> {
        match path.rsplit_once('.')?.1 {
            "yaml" | "yml" | "eyaml" => Some(DataFormat::Yaml),
            "json" => Some(DataFormat::Json),
            _ => None,
        }
    }
}

/// A data file.
#[derive(Clone, PartialEq, Debug)]
pub struct DataFile {
    /// The tree with ranges; `None` for an empty file.
    pub root: Option<Node>,
    /// The values by root key, or the reason why a lookup in this file fails.
    pub values: Result<RootValues, DataError>,
}

/// The values of a data file by root key.
pub type RootValues = IndexMap<Arc<str>, RootValue, FxBuildHasher>;

/// The value of a root key.
#[derive(Clone, PartialEq, Debug)]
pub enum RootValue {
    /// A value that Puppet supports.
    Value(Value),
    /// A value that contains something that Puppet rejects, with its description.
    Rejected(&'static str),
    /// A value that contains something that Pupil does not support, with its description.
    Unsupported(&'static str),
}

/// The description of a [rejected](RootValue::Rejected) symbol such as `:name`.
pub const RUBY_SYMBOL: &str = "a Ruby symbol";

/// The reason why lookups in a data file fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataError {
    /// Its range in the file.
    pub range: TextRange,
    /// The kind of mistake.
    pub kind: DataErrorKind,
}

/// The kind of mistake that makes a data file invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataErrorKind {
    /// A syntax error, with the message of the parser.
    Syntax(String),
    /// A value that Ruby refuses to load, with its description.
    Refused(&'static str),
    /// The root is not a hash.
    NotAHash,
    /// An alias inside of the value that it refers to.
    Cycle,
}

impl DataFile {
    /// Parses a data file.
    pub fn parse(text: &str, format: DataFormat) -> DataFile {
        let parsed = match format {
            DataFormat::Yaml => document::yaml(text),
            DataFormat::Json => document::json(text),
        };
        match parsed {
            Ok(root) => {
                let values = root_values(root.as_ref());
                DataFile { root, values }
            }
            Err(error) => DataFile::unreadable(error),
        }
    }

    fn unreadable(error: Unreadable) -> DataFile {
        DataFile {
            root: None,
            values: Err(DataError {
                range: error.range,
                kind: DataErrorKind::Syntax(error.message),
            }),
        }
    }

    /// Returns the entries of the root hash.
    pub fn entries(&self) -> &[Entry] {
        let root = self.root.as_ref().and_then(Node::entries);
        root.unwrap_or_default()
    }
}

/// Checks whether a string contains a value that `eyaml` has encrypted.
pub fn is_encrypted(text: &str) -> bool {
    text.find("ENC[").is_some_and(|it| text[it..].contains(']'))
}

fn root_values(root: Option<&Node>) -> Result<RootValues, DataError> {
    let Some(root) = root else {
        return Ok(RootValues::default());
    };
    let mut converter = Converter::new(root);
    // An empty file and `false` are accepted with a warning.
    if matches!(
        root.data,
        Data::Scalar(Scalar::Null | Scalar::Boolean(false))
    ) {
        return Ok(RootValues::default());
    }
    let Some(entries) = root.entries() else {
        let kind = match &root.data {
            Data::Scalar(Scalar::Refused(what)) => DataErrorKind::Refused(what),
            _ => DataErrorKind::NotAHash,
        };
        return Err(DataError {
            range: root.range,
            kind,
        });
    };
    let mut values = RootValues::default();
    for entry in entries {
        if entry.key == "<<" {
            converter.merge_root(&entry.value, &mut values)?;
            continue;
        }
        let value = converter.root_value(&entry.value)?;
        match &entry.key_scalar {
            Scalar::String(name) | Scalar::Symbol(name) => {
                values.insert(Arc::clone(name), value);
            }
            Scalar::Refused(what) => {
                return Err(DataError {
                    range: entry.key_range,
                    kind: DataErrorKind::Refused(what),
                });
            }
            _ => {}
        }
    }
    Ok(values)
}

/// Why a node has no value.
enum NoValue {
    /// The whole file cannot be loaded.
    File(DataError),
    /// The value of the root key is not supported.
    Unsupported(&'static str),
    /// Puppet rejects the value of the root key.
    Rejected(&'static str),
}

/// Converts nodes to values. Nodes with anchors are converted once, so that aliases share their values.
struct Converter<'a> {
    anchored: FxHashMap<usize, &'a Node>,
    values: FxHashMap<usize, Value>,
    /// The anchors of the nodes that are being converted.
    open: Vec<usize>,
}

impl<'a> Converter<'a> {
    fn new(root: &'a Node) -> Converter<'a> {
        let mut anchored = FxHashMap::default();
        collect_anchors(root, &mut anchored);
        Converter {
            anchored,
            values: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    fn root_value(&mut self, node: &'a Node) -> Result<RootValue, DataError> {
        match self.value(node) {
            Ok(value) => Ok(RootValue::Value(value)),
            Err(NoValue::Unsupported(what)) => Ok(RootValue::Unsupported(what)),
            Err(NoValue::Rejected(what)) => Ok(RootValue::Rejected(what)),
            Err(NoValue::File(error)) => Err(error),
        }
    }

    /// Adds the keys of a merge key in the root hash.
    fn merge_root(&mut self, node: &'a Node, values: &mut RootValues) -> Result<(), DataError> {
        let merged = match self.root_value(node)? {
            RootValue::Value(Value::Hash(merged)) => vec![merged],
            RootValue::Value(Value::Array(items)) => {
                let maps = items.iter().rev().filter_map(|it| match it {
                    Value::Hash(map) => Some(map.clone()),
                    _ => None,
                });
                maps.collect()
            }
            _ => return Ok(()),
        };
        for map in merged {
            for (key, value) in map.iter() {
                if let Value::String(name) = key {
                    values.insert(Arc::clone(name), RootValue::Value(value.clone()));
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, node: &'a Node) -> Result<Value, NoValue> {
        if node.anchor == 0 {
            return self.content(node);
        }
        if self.open.contains(&node.anchor) {
            return Err(cycle(node));
        }
        self.open.push(node.anchor);
        let value = self.content(node);
        self.open.pop();
        if let Ok(value) = &value {
            self.values.insert(node.anchor, value.clone());
        }
        value
    }

    fn content(&mut self, node: &'a Node) -> Result<Value, NoValue> {
        match &node.data {
            Data::Scalar(scalar) => scalar_value(scalar, node.range),
            Data::List(items) => {
                let items = items.iter().map(|it| self.value(it));
                Ok(Value::array(items.collect::<Result<_, _>>()?))
            }
            Data::Map(entries) => self.map(entries),
            Data::Alias(anchor) => {
                if let Some(value) = self.values.get(anchor) {
                    return Ok(value.clone());
                }
                match self.anchored.get(anchor).copied() {
                    Some(target) => self.value(target),
                    None => Err(cycle(node)),
                }
            }
        }
    }

    fn map(&mut self, entries: &'a [Entry]) -> Result<Value, NoValue> {
        let mut map: IndexMap<Value, Value, FxBuildHasher> = IndexMap::default();
        for entry in entries {
            let value = self.value(&entry.value)?;
            if entry.key == "<<" && matches!(entry.key_scalar, Scalar::String(_)) {
                match merged(&value) {
                    Some(merged) => map.extend(merged),
                    None => {
                        map.insert(Value::from("<<"), value);
                    }
                }
                continue;
            }
            map.insert(key_value(entry)?, value);
        }
        Ok(Value::hash(map))
    }
}

/// Returns the entries that a merge key adds; `None` if its value is not a hash.
fn merged(value: &Value) -> Option<Vec<(Value, Value)>> {
    let pairs = |map: &types::values::HashValue| -> Vec<(Value, Value)> {
        map.iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    match value {
        Value::Hash(map) => Some(pairs(map)),
        Value::Array(maps) => {
            let mut all = Vec::new();
            for map in maps.iter().rev() {
                let Value::Hash(map) = map else {
                    return None;
                };
                all.extend(pairs(map));
            }
            Some(all)
        }
        _ => None,
    }
}

fn key_value(entry: &Entry) -> Result<Value, NoValue> {
    match &entry.key_scalar {
        Scalar::Symbol(name) => Ok(Value::String(Arc::clone(name))),
        Scalar::Null | Scalar::Boolean(_) => Err(NoValue::Rejected(
            "a key that is neither a string nor a number",
        )),
        scalar => scalar_value(scalar, entry.key_range),
    }
}

fn scalar_value(scalar: &Scalar, range: TextRange) -> Result<Value, NoValue> {
    Ok(match scalar {
        Scalar::Null => Value::Undef,
        Scalar::Boolean(it) => Value::Boolean(*it),
        Scalar::Integer(it) => Value::Integer(*it),
        Scalar::Float(it) => Value::Float(*it),
        Scalar::String(it) => Value::String(Arc::clone(it)),
        Scalar::Symbol(name) if &**name == "default" => Value::Default,
        Scalar::Symbol(_) => return Err(NoValue::Rejected(RUBY_SYMBOL)),
        Scalar::LargeInteger { .. } => {
            return Err(NoValue::Unsupported("an integer of more than 64 bits"));
        }
        Scalar::Unsupported(what) => return Err(NoValue::Unsupported(what)),
        Scalar::Refused(what) => {
            return Err(NoValue::File(DataError {
                range,
                kind: DataErrorKind::Refused(what),
            }));
        }
    })
}

fn cycle(node: &Node) -> NoValue {
    NoValue::File(DataError {
        range: node.range,
        kind: DataErrorKind::Cycle,
    })
}

fn collect_anchors<'a>(node: &'a Node, found: &mut FxHashMap<usize, &'a Node>) {
    if node.anchor != 0 {
        found.insert(node.anchor, node);
    }
    match &node.data {
        Data::List(items) => items.iter().for_each(|it| collect_anchors(it, found)),
        Data::Map(entries) => entries
            .iter()
            .for_each(|it| collect_anchors(&it.value, found)),
        Data::Scalar(_) | Data::Alias(_) => {}
    }
}
