//! YAML and JSON documents as trees that keep the range of every value, with the scalars as Ruby's
//! parsers read them.

mod json;
mod scalar;
mod yaml;

pub use json::json;
pub use scalar::{Scalar, plain};
use std::sync::Arc;
use syntax::{TextRange, TextSize};
pub use yaml::{yaml, yaml_with_aliases};

/// The maximum nesting depth of JSON, which is the limit of Ruby's parser.
const MAX_DEPTH: usize = 100;

/// A value and its range.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its range in the file.
    pub range: TextRange,
    /// The value itself.
    pub data: Data,
    /// The content of a string, or of any other scalar in YAML except null.
    text: Option<Arc<str>>,
    /// The number of its YAML anchor, 0 for none.
    pub(crate) anchor: usize,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// A string, number, boolean or null.
    Scalar(Scalar),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file.
    Map(Vec<Entry>),
    /// A YAML alias, with the number of its anchor.
    Alias(usize),
}

/// An entry of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The content of the key.
    pub key: String,
    /// The key as a value.
    pub key_scalar: Scalar,
    /// The range of the key.
    pub key_range: TextRange,
    /// The value.
    pub value: Node,
}

impl Entry {
    /// Returns the name of the key for Hiera, to which Ruby symbols are strings.
    pub fn name(&self) -> &str {
        match &self.key_scalar {
            Scalar::Symbol(name) => name,
            _ => &self.key,
        }
    }
}

impl Node {
    /// Returns the content of a string, or of any other scalar in YAML except null.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Checks whether the value is null.
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Scalar(Scalar::Null))
    }

    /// Checks whether the value is an alias that was not replaced.
    pub fn is_alias(&self) -> bool {
        matches!(self.data, Data::Alias(_))
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

    /// Returns the string, if the value is one.
    pub fn string(&self) -> Option<&str> {
        match &self.data {
            Data::Scalar(Scalar::String(it)) => Some(it),
            _ => None,
        }
    }

    /// Returns the entry of a key, which may also be a Ruby symbol. The last entry wins.
    pub fn find_entry(&self, key: &str) -> Option<&Entry> {
        let mut entries = self.merged_entries()?.into_iter().rev();
        entries.find(|it| it.name() == key)
    }

    /// Returns the value of a key, which may also be a Ruby symbol. The last entry wins.
    pub fn find(&self, key: &str) -> Option<&Node> {
        self.find_entry(key).map(|it| &it.value)
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

    /// Returns the number of nodes, this one included.
    fn size(&self) -> usize {
        1 + match &self.data {
            Data::List(elements) => elements.iter().map(Node::size).sum(),
            Data::Map(entries) => entries.iter().map(|it| it.value.size()).sum(),
            _ => 0,
        }
    }
}

/// A syntax error and its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Where parsing stopped.
    pub range: TextRange,
    /// The reason.
    pub message: String,
}

fn range(start: usize, end: usize) -> TextRange {
    // Files are limited to a size far below this.
    let size = |at: usize| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    TextRange::new(size(start), size(end))
}
