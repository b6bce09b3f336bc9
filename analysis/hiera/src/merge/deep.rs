//! The recursive merge of the Ruby library `deep_merge`, which Hiera uses.
//!
//! The library changes arrays in place, also such that two places share. The
//! effect is not obvious, so that the values are shared here in the same way.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use types::values::Value;

use super::DeepOptions;
use crate::failure::LookupFailure;

type Result<T> = std::result::Result<T, LookupFailure>;

/// A value as an object of Ruby.
#[derive(Clone)]
enum Object {
    Array(Rc<RefCell<Vec<Object>>>),
    Hash(Rc<RefCell<IndexMap<Value, Object, FxBuildHasher>>>),
    Scalar(Value),
}

/// Merges `source` into `target`.
pub(super) fn merge(source: &Value, target: &Value, options: &DeepOptions) -> Result<Value> {
    if let Some(prefix) = &options.knockout_prefix
        && prefix.contains(|it: char| "\\^$.|?*+()[]{}".contains(it))
    {
        return Err(LookupFailure::Unknown(
            "the knockout prefix is a regular expression".to_owned(),
        ));
    }
    let merged = Merger { options }.merge(&Object::new(source), Object::new(target))?;
    Ok(merged.value())
}

impl Object {
    fn new(value: &Value) -> Object {
        match value {
            Value::Array(items) => {
                let items = items.iter().map(Object::new).collect();
                Object::Array(Rc::new(RefCell::new(items)))
            }
            Value::Hash(map) => {
                let entries = map.iter();
                let entries = entries.map(|(key, value)| (key.clone(), Object::new(value)));
                Object::Hash(Rc::new(RefCell::new(entries.collect())))
            }
            it => Object::Scalar(it.clone()),
        }
    }

    fn value(&self) -> Value {
        match self {
            Object::Array(items) => {
                Value::array(items.borrow().iter().map(Object::value).collect())
            }
            Object::Hash(map) => Value::hash(
                map.borrow()
                    .iter()
                    .map(|(key, value)| (key.clone(), value.value())),
            ),
            Object::Scalar(it) => it.clone(),
        }
    }

    /// Returns a copy that shares its elements, as `dup` returns.
    fn dup(&self) -> Object {
        match self {
            Object::Array(items) => Object::Array(Rc::new(RefCell::new(items.borrow().clone()))),
            Object::Hash(map) => Object::Hash(Rc::new(RefCell::new(map.borrow().clone()))),
            it => it.clone(),
        }
    }

    fn is_truthy(&self) -> bool {
        match self {
            Object::Scalar(it) => it.is_truthy(),
            _ => true,
        }
    }

    fn is_hash(&self) -> bool {
        matches!(self, Object::Hash(_))
    }
}

struct Merger<'a> {
    options: &'a DeepOptions,
}

impl Merger<'_> {
    fn merge(&self, source: &Object, target: Object) -> Result<Object> {
        if matches!(source, Object::Scalar(Value::Undef)) {
            return Ok(target);
        }
        if !target.is_truthy() {
            return Ok(source.clone());
        }
        match source {
            Object::Hash(source_map) => {
                let Object::Hash(target_map) = &target else {
                    return self.overwrite_with_hash(source, target);
                };
                let entries: Vec<(Value, Object)> = source_map
                    .borrow()
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                for (key, value) in entries {
                    let existing = target_map.borrow().get(&key).cloned();
                    let existing = existing.filter(Object::is_truthy);
                    let into = existing.unwrap_or_else(|| value.dup());
                    let merged = self.merge(&value, into)?;
                    target_map.borrow_mut().insert(key, merged);
                }
                Ok(target)
            }
            Object::Array(source_items) => self.merge_array(source, source_items, target),
            Object::Scalar(_) => Ok(self.overwrite(source)),
        }
    }

    /// A hash replaces anything else, once for each of its keys.
    fn overwrite_with_hash(&self, source: &Object, target: Object) -> Result<Object> {
        let Object::Hash(entries) = source else {
            return Ok(target);
        };
        if entries.borrow().is_empty() {
            return Ok(target);
        }
        // From the second key on, the target is the source itself.
        let replaced = self.overwrite(source);
        let keys: Vec<Value> = entries.borrow().keys().skip(1).cloned().collect();
        for key in keys {
            let value = entries.borrow().get(&key).cloned();
            let Some(value) = value else { continue };
            let into = match value.is_truthy() {
                true => value.clone(),
                false => value.dup(),
            };
            let merged = self.merge(&value, into)?;
            entries.borrow_mut().insert(key, merged);
        }
        Ok(replaced)
    }

    fn merge_array(
        &self,
        source: &Object,
        items: &Rc<RefCell<Vec<Object>>>,
        target: Object,
    ) -> Result<Object> {
        let mut target = target;
        if let Some(prefix) = &self.options.knockout_prefix {
            let naked = Value::from(prefix.as_str());
            let is_naked = |it: &Object| it.value() == naked;
            if items.borrow().iter().any(is_naked) {
                target = cleared(target);
                items.borrow_mut().retain(|it| !is_naked(it));
            }
        }
        let Object::Array(target_items) = &target else {
            return Ok(self.overwrite(source));
        };
        if let Some(prefix) = &self.options.knockout_prefix {
            knock_out(items, target_items, prefix);
        }
        let all_hashes = |it: &Rc<RefCell<Vec<Object>>>| it.borrow().iter().all(Object::is_hash);
        let merged =
            if self.options.merge_hash_arrays && all_hashes(items) && all_hashes(target_items) {
                self.merge_hashes(items, target_items)?
            } else {
                union(&target_items.borrow(), &items.borrow())
            };
        let merged = match self.options.sort_merged_arrays {
            true => sorted(merged)?,
            false => merged,
        };
        Ok(Object::Array(Rc::new(RefCell::new(merged))))
    }

    fn merge_hashes(
        &self,
        source: &Rc<RefCell<Vec<Object>>>,
        target: &Rc<RefCell<Vec<Object>>>,
    ) -> Result<Vec<Object>> {
        let targets = target.borrow().clone();
        let sources = source.borrow().clone();
        let mut list = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            let empty = Object::Hash(Rc::default());
            let source = sources.get(index).unwrap_or(&empty);
            list.push(self.merge(source, target.clone())?);
        }
        list.extend(sources.into_iter().skip(targets.len()));
        Ok(list)
    }

    /// `overwrite_unmergeables`
    fn overwrite(&self, source: &Object) -> Object {
        let Some(prefix) = &self.options.knockout_prefix else {
            return source.clone();
        };
        match source {
            Object::Scalar(Value::String(text)) if without_prefix(text, prefix) != **text => {
                Object::Scalar(Value::from(""))
            }
            // The elements go from the array itself, so that it equals what is left of it.
            Object::Array(items) => {
                items.borrow_mut().retain(|it| match it {
                    Object::Scalar(Value::String(text)) => without_prefix(text, prefix) == **text,
                    _ => true,
                });
                source.clone()
            }
            _ => source.clone(),
        }
    }
}

/// `clear_or_nil`
fn cleared(object: Object) -> Object {
    match &object {
        Object::Array(items) => items.borrow_mut().clear(),
        Object::Hash(map) => map.borrow_mut().clear(),
        Object::Scalar(Value::String(_)) => return Object::Scalar(Value::from("")),
        Object::Scalar(_) => return Object::Scalar(Value::Undef),
    }
    object
}

/// Removes the prefix at the start of each line.
fn without_prefix(text: &str, prefix: &str) -> String {
    if prefix.is_empty() {
        return text.to_owned();
    }
    let lines = text.split('\n');
    let lines = lines.map(|it| it.strip_prefix(prefix).unwrap_or(it));
    lines.collect::<Vec<_>>().join("\n")
}

/// Removes the elements with the prefix from `source`, and what they name from `target`. Both may be
/// the same array, which `delete_if` of Ruby then walks while it shrinks.
fn knock_out(source: &Rc<RefCell<Vec<Object>>>, target: &Rc<RefCell<Vec<Object>>>, prefix: &str) {
    let mut read = 0;
    let mut written = 0;
    loop {
        let Some(item) = source.borrow().get(read).cloned() else {
            break;
        };
        if let Some((plain, full)) = knocked_out(&item, prefix) {
            target
                .borrow_mut()
                .retain(|it| !is_scalar(it, &plain) && !is_scalar(it, &full));
        } else {
            if read != written && written < source.borrow().len() {
                source.borrow_mut()[written] = item;
            }
            written += 1;
        }
        read += 1;
    }
    let mut source = source.borrow_mut();
    let length = source.len();
    let tail_start = read.min(length);
    let tail: Vec<Object> = source.drain(tail_start..).collect();
    source.truncate(written.min(length));
    source.extend(tail);
}

/// Returns the string without the prefix, and the whole one.
fn knocked_out(item: &Object, prefix: &str) -> Option<(String, String)> {
    let Object::Scalar(Value::String(text)) = item else {
        return None;
    };
    let plain = without_prefix(text, prefix);
    (plain != **text).then(|| (plain, text.to_string()))
}

fn is_scalar(object: &Object, text: &str) -> bool {
    matches!(object, Object::Scalar(Value::String(it)) if **it == *text)
}

/// `|` of arrays.
fn union(first: &[Object], second: &[Object]) -> Vec<Object> {
    let mut seen: IndexMap<Value, Object, FxBuildHasher> = IndexMap::default();
    for item in first.iter().chain(second) {
        seen.entry(item.value()).or_insert_with(|| item.clone());
    }
    seen.into_values().collect()
}

fn sorted(items: Vec<Object>) -> Result<Vec<Object>> {
    let mut items: Vec<(Value, Object)> = items.into_iter().map(|it| (it.value(), it)).collect();
    let mut is_comparable = true;
    items.sort_by(|a, b| {
        compare(&a.0, &b.0).unwrap_or_else(|| {
            is_comparable = false;
            Ordering::Equal
        })
    });
    match is_comparable {
        true => Ok(items.into_iter().map(|it| it.1).collect()),
        false => Err(LookupFailure::Error(
            "comparison of values failed".to_owned(),
        )),
    }
}

/// `<=>`
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => {
            number(a).partial_cmp(&number(b))
        }
        (Value::Array(first), Value::Array(second)) => {
            for (a, b) in first.iter().zip(second.iter()) {
                match compare(a, b)? {
                    Ordering::Equal => {}
                    order => return Some(order),
                }
            }
            Some(first.len().cmp(&second.len()))
        }
        _ => (a == b).then_some(Ordering::Equal),
    }
}

fn number(value: &Value) -> f64 {
    match value {
        Value::Integer(it) => *it as f64,
        Value::Float(it) => *it,
        _ => f64::NAN,
    }
}
