//! Arrays and hashes.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Value;

/// An array. It caches its depth and weight, so that limits are cheap to check.
#[derive(Clone, Debug)]
pub struct Array(Arc<ArrayData>);

#[derive(Debug)]
struct ArrayData {
    items: Vec<Value>,
    depth: u32,
    weight: u64,
}

impl Array {
    /// Creates an array.
    pub fn new(items: Vec<Value>) -> Array {
        let (depth, weight) = measure(items.iter());
        Array(Arc::new(ArrayData {
            items,
            depth,
            weight,
        }))
    }

    /// Returns the nesting depth, at least 1.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        self.0.weight
    }

    /// Checks whether other values may be the same object.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Checks whether another array is the same object, not only equal.
    pub fn is_same_object(&self, other: &Array) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
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

/// A hash, in insertion order. It caches its depth and weight.
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

    /// Looks up a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.0.entries.get(key)
    }

    /// Looks up a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        self.get(&Value::from(key))
    }

    /// Checks whether the hash contains the key.
    pub fn contains_key(&self, key: &Value) -> bool {
        self.0.entries.contains_key(key)
    }

    /// Returns the entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.0.entries.iter()
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.entries.keys()
    }

    /// Returns the values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.0.entries.values()
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Checks whether the hash is empty.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// Returns the nesting depth, at least 1.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        self.0.weight
    }

    /// Returns the entries as an array of key-value pairs.
    pub fn to_pairs(&self) -> Vec<Value> {
        self.iter()
            .map(|(key, value)| Value::array(vec![key.clone(), value.clone()]))
            .collect()
    }

    /// Merges two hashes; the entries of `other` take precedence.
    pub fn merged(&self, other: &HashValue) -> HashValue {
        let mut entries = self.0.entries.clone();
        entries.extend(
            other
                .iter()
                .map(|(key, value)| (key.clone(), value.clone())),
        );
        HashValue::new(entries)
    }

    /// Returns the hash without the given keys.
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

impl PartialEq for Value {
    /// The equality of hash keys, which is stricter than `==` in Puppet.
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
            (Value::Iterator(a), Value::Iterator(b)) => a.is_same(b),
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
            // Both zeros are the same key.
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
    fn keys_are_compared_strictly() {
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
    fn merging_keeps_the_order_of_the_left_side() {
        let entry = |key: &str, value: i64| (Value::from(key), Value::from(value));
        let left: HashValue = [entry("a", 1), entry("b", 2)].into_iter().collect();
        let right: HashValue = [entry("c", 3), entry("a", 9)].into_iter().collect();
        let merged = left.merged(&right);
        let keys: Vec<&str> = merged.keys().filter_map(Value::as_str).collect();
        assert_eq!(keys, ["a", "b", "c"]);
        assert_eq!(merged.get_str("a"), Some(&Value::from(9)));
    }

    #[test]
    fn computes_depth_and_weight() {
        let inner = Value::array(vec![Value::from(1)]);
        let outer = Value::array(vec![inner.clone(), inner]);
        assert_eq!(outer.depth(), 3);
        assert_eq!(outer.weight(), 5);
    }
}
