//! Arrays, hashes and iterators.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Value;
use crate::types::{IntRange, Type, infer_detailed};

/// An array. It knows how deep and how large it is, so that limits cost nothing.
#[derive(Clone, Debug)]
pub struct Array(Arc<ArrayData>);

#[derive(Debug)]
struct ArrayData {
    items: Vec<Value>,
    depth: u32,
    weight: u64,
}

impl Array {
    /// An array of these.
    pub fn new(items: Vec<Value>) -> Array {
        let (depth, weight) = measure(items.iter());
        Array(Arc::new(ArrayData {
            items,
            depth,
            weight,
        }))
    }

    /// How deep it is nested, at least 1.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        self.0.weight
    }
}

fn measure<'a>(parts: impl Iterator<Item = &'a Value>) -> (u32, u64) {
    let (mut depth, mut weight) = (0, 1u64);
    for part in parts {
        depth = depth.max(part.depth());
        weight = weight.saturating_add(part.weight());
    }
    (depth.saturating_add(1), weight)
}

impl Deref for Array {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.items
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Array {
        Array::new(items)
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Array {
        Array::new(items.into_iter().collect())
    }
}

type Entries = IndexMap<Value, Value, FxBuildHasher>;

/// A hash, in order of insertion.
#[derive(Clone, Debug)]
pub struct HashValue(Arc<HashData>);

#[derive(Debug)]
struct HashData {
    entries: Entries,
    depth: u32,
    weight: u64,
}

impl HashValue {
    fn new(entries: Entries) -> HashValue {
        let (depth, weight) = measure(entries.iter().flat_map(|(key, value)| [key, value]));
        HashValue(Arc::new(HashData {
            entries,
            depth,
            weight,
        }))
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.0.entries.get(key)
    }

    /// The value of a key that is a string.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.get(&Value::from(key))
    }

    /// Whether there is such a key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.0.entries.contains_key(key)
    }

    /// The entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.0.entries.iter()
    }

    /// The keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.entries.keys()
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.entries.values()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// How deep it is nested, at least 1.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        self.0.weight
    }

    /// The entries as an array of pairs.
    pub fn to_pairs(&self) -> Vec<Value> {
        self.iter()
            .map(|(key, value)| Value::array(vec![key.clone(), value.clone()]))
            .collect()
    }

    /// This hash with the entries of another one over it.
    pub fn merged(&self, other: &HashValue) -> HashValue {
        let mut entries = self.0.entries.clone();
        entries.extend(
            other
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        HashValue::new(entries)
    }

    /// This hash without the given keys.
    pub fn without<'a>(&self, keys: impl IntoIterator<Item = &'a Value>) -> HashValue {
        let mut entries = self.0.entries.clone();
        for key in keys {
            entries.shift_remove(key);
        }
        HashValue::new(entries)
    }
}

impl FromIterator<(Value, Value)> for HashValue {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> HashValue {
        HashValue::new(entries.into_iter().collect())
    }
}

/// What is iterated over lazily. Puppet consumes an iterator as it goes; nothing in Puppet code can
/// observe that except by iterating twice over one iterator, which the evaluator must not answer.
#[derive(Clone, Debug)]
pub struct IteratorValue {
    element: Option<Type>,
    items: Items,
}

#[derive(Clone, Debug)]
enum Items {
    List(Array),
    /// From the first number, so many of them, each `step` on from the one before.
    Numbers {
        first: i64,
        count: u64,
        step: i64,
    },
}

impl IteratorValue {
    /// An iterator over what an array, a hash, a string, a number or a type iterates over: what
    /// `reverse_each` and `step` start from. Nothing if the value cannot be iterated over.
    pub fn over(value: &Value) -> Option<IteratorValue> {
        Some(match value {
            Value::Iterator(it) => it.clone(),
            Value::Array(items) if items.is_empty() => IteratorValue::list(Type::Unit, vec![]),
            Value::Array(items) => {
                let element = Type::variant(items.iter().map(infer_detailed));
                IteratorValue {
                    element: Some(element),
                    items: Items::List(items.clone()),
                }
            }
            Value::Hash(entries) => IteratorValue::pairs(entries),
            Value::String(text) => {
                let chars = text.chars().map(|it| Value::from(it.to_string())).collect();
                IteratorValue::list(Type::string_sized(IntRange::exactly(1)), chars)
            }
            Value::Integer(0) => IteratorValue::list(Type::Unit, vec![]),
            Value::Integer(end) if *end > 0 => IteratorValue::numbers(0, end - 1)?,
            Value::Type(ty) => match ty.resolved() {
                Type::Integer(range) => IteratorValue::numbers(range.min()?, range.max()?)?,
                Type::Enum(it) => {
                    let values = it.values().iter().cloned().map(Value::String).collect();
                    IteratorValue::list(Type::Enum(Arc::clone(&it)), values)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn list(element: Type, items: Vec<Value>) -> IteratorValue {
        IteratorValue {
            element: Some(element),
            items: Items::List(Array::new(items)),
        }
    }

    fn numbers(from: i64, to: i64) -> Option<IteratorValue> {
        let count = IntRange::new(Some(from), Some(to))?.count()?;
        Some(IteratorValue {
            element: Some(Type::integer(Some(from), Some(to))?),
            items: Items::Numbers {
                first: from,
                count,
                step: 1,
            },
        })
    }

    fn pairs(entries: &HashValue) -> IteratorValue {
        let pair = |key, value| Type::tuple(vec![key, value], Some(IntRange::exactly(2)));
        let element = if entries.is_empty() {
            pair(Type::Unit, Type::Unit)
        } else {
            let keys = Type::variant(entries.keys().map(infer_detailed));
            let values = Type::variant(entries.values().map(infer_detailed));
            pair(keys, values)
        };
        IteratorValue::list(element, entries.to_pairs())
    }

    /// An iterator with these elements.
    pub fn new(element: Option<Type>, items: Vec<Value>) -> IteratorValue {
        IteratorValue {
            element,
            items: Items::List(Array::new(items)),
        }
    }

    /// The type of the elements as the iterator says it, if it says one.
    pub fn element_type(&self) -> Option<Type> {
        self.element.clone()
    }

    /// How many elements there are.
    pub fn count(&self) -> u64 {
        match &self.items {
            Items::List(items) => items.len() as u64,
            Items::Numbers { count, .. } => *count,
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        match &self.items {
            Items::List(items) => Box::new(items.iter().cloned()),
            Items::Numbers { first, count, step } => Box::new((0..*count).map(move |index| {
                let offset = i128::from(index) * i128::from(*step);
                let number = i64::try_from(i128::from(*first) + offset);
                Value::Integer(number.unwrap_or(i64::MAX))
            })),
        }
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        match &self.items {
            Items::List(items) => items.weight(),
            Items::Numbers { .. } => 1,
        }
    }
}

impl PartialEq for Value {
    /// The equality of hash keys.
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) | (Value::Default, Value::Default) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Regexp(a), Value::Regexp(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => Arc::ptr_eq(&a.0, &b.0) || a[..] == b[..],
            (Value::Hash(a), Value::Hash(b)) => {
                let found = |(key, value): (&Value, &Value)| b.get(key) == Some(value);
                Arc::ptr_eq(&a.0, &b.0) || a.len() == b.len() && a.iter().all(found)
            }
            (Value::Type(a), Value::Type(b)) => a == b,
            (Value::Sensitive(a), Value::Sensitive(b)) => a == b,
            (Value::Binary(a), Value::Binary(b)) => a == b,
            (Value::Timespan(a), Value::Timespan(b))
            | (Value::Timestamp(a), Value::Timestamp(b)) => a == b,
            (Value::SemVer(a), Value::SemVer(b)) => a == b,
            (Value::SemVerRange(a), Value::SemVerRange(b)) => a == b,
            (Value::Uri(a), Value::Uri(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Iterator(a), Value::Iterator(b)) => match (&a.items, &b.items) {
                (Items::List(a), Items::List(b)) => Arc::ptr_eq(&a.0, &b.0),
                _ => false,
            },
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Boolean(it) => it.hash(state),
            Value::Integer(it) => it.hash(state),
            // Zero is one key, whatever its sign.
            Value::Float(it) => (if *it == 0.0 { 0.0 } else { *it }).to_bits().hash(state),
            Value::String(it) => it.hash(state),
            Value::Regexp(it) => it.hash(state),
            Value::Array(it) => it.hash(state),
            Value::Hash(it) => it.len().hash(state),
            Value::Type(it) => it.hash(state),
            Value::Sensitive(it) => it.hash(state),
            Value::Binary(it) => it.hash(state),
            Value::Timespan(it) | Value::Timestamp(it) => it.hash(state),
            Value::SemVer(it) => it.hash(state),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_strict() {
        let hash: HashValue = [
            (Value::from(1), Value::from("integer")),
            (Value::from(1.0), Value::from("float")),
            (Value::from("A"), Value::from("upper")),
            (Value::from("a"), Value::from("lower")),
        ]
        .into_iter()
        .collect();
        assert_eq!(hash.len(), 4);
        assert_eq!(hash.get_str("A"), Some(&Value::from("upper")));
        let pair = Value::array(vec![Value::from(1), Value::from("x")]);
        let nested: HashValue = [(pair.clone(), Value::Undef)].into_iter().collect();
        assert!(nested.contains_key(&pair));
    }

    #[test]
    fn merging_keeps_the_order_of_the_left() {
        let entry = |key: &str, value: i64| (Value::from(key), Value::from(value));
        let left: HashValue = [entry("a", 1), entry("b", 2)].into_iter().collect();
        let right: HashValue = [entry("c", 3), entry("a", 9)].into_iter().collect();
        let merged = left.merged(&right);
        let keys: Vec<&str> = merged.keys().filter_map(Value::as_str).collect();
        assert_eq!(keys, ["a", "b", "c"]);
        assert_eq!(merged.get_str("a"), Some(&Value::from(9)));
    }

    #[test]
    fn depth_and_weight_are_known() {
        let inner = Value::array(vec![Value::from(1)]);
        let outer = Value::array(vec![inner.clone(), inner]);
        assert_eq!(outer.depth(), 3);
        assert_eq!(outer.weight(), 5);
    }

    #[test]
    fn iterating_yields_what_puppet_iterates() {
        let list =
            |value: Value| IteratorValue::over(&value).map(|it| it.iter().collect::<Vec<_>>());
        assert_eq!(
            list(Value::from(3)),
            Some(vec![0.into(), 1.into(), 2.into()])
        );
        assert_eq!(list(Value::from("ab")), Some(vec!["a".into(), "b".into()]));
        assert_eq!(list(Value::from(-1)), None);
        assert_eq!(list(Value::from(Type::INTEGER)), None);
    }
}
