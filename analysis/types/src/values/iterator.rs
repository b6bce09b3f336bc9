//! Iterators: the results of `step`, `reverse_each` and `tree_each` without a block.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Array, HashValue, Value};
use crate::{IntRange, Type, infer_detailed};

/// A lazy iterator.
///
/// Puppet consumes an iterator while iterating. Code can observe this only by iterating over the
/// same iterator a second time, which is not supported: [`IteratorValue::take`] returns the
/// elements only once.
#[derive(Clone, Debug)]
pub struct IteratorValue {
    kind: IteratorKind,
    element: Option<Type>,
    items: Items,
    /// Whether Puppet raises an error after the last element.
    breaks_off: bool,
    /// Whether the elements were consumed; shared by all clones.
    taken: Arc<AtomicBool>,
}

/// The kind of an iterator, which Puppet's functions distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IteratorKind {
    /// The elements of a collection.
    Plain,
    /// The entries of a hash: a block with two parameters receives key and value.
    Entries,
    /// Every n-th element of another iterator.
    Steps,
    /// A range of integers with a constant step.
    Range,
    /// The nodes of a tree, depth first.
    TreeByDepth,
    /// The nodes of a tree, breadth first.
    TreeByBreadth,
}

#[derive(Clone, Debug)]
enum Items {
    List(Array),
    /// The numbers from `from` to `to`, or backwards if the step is negative.
    Numbers {
        from: i64,
        to: i64,
        step: i128,
    },
}

impl IteratorValue {
    /// Creates an iterator over an array, hash, string, number or type, as `reverse_each` and
    /// `step` do. Returns `None` if the value is not iterable.
    pub fn over(value: &Value) -> Option<IteratorValue> {
        Some(match value {
            Value::Iterator(it) => it.clone(),
            Value::Array(items) if items.is_empty() => IteratorValue::list(Type::Unit, vec![]),
            Value::Array(items) => {
                let element = Type::variant(items.iter().map(infer_detailed));
                IteratorValue::new(IteratorKind::Plain, element, items.clone())
            }
            Value::Hash(entries) => IteratorValue::entries(entries),
            Value::String(text) => {
                let chars = text.chars().map(|it| Value::from(it.to_string())).collect();
                IteratorValue::list(Type::string_sized(IntRange::exactly(1)), chars)
            }
            Value::Integer(0) => IteratorValue::list(Type::Unit, vec![]),
            Value::Integer(end) if *end > 0 => IteratorValue::numbers(0, end - 1, 1)?,
            Value::Type(ty) => match ty.resolved() {
                Type::Integer(range) => IteratorValue::numbers(range.min()?, range.max()?, 1)?,
                Type::Enum(it) => {
                    let values = it.values().iter().cloned().map(Value::String).collect();
                    IteratorValue::list(Type::Enum(Arc::clone(&it)), values)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Creates an iterator of a kind over the elements, with the given element type.
    pub fn new(kind: IteratorKind, element: Type, items: impl Into<Array>) -> IteratorValue {
        IteratorValue {
            kind,
            element: Some(element),
            items: Items::List(items.into()),
            breaks_off: false,
            taken: Arc::default(),
        }
    }

    fn list(element: Type, items: Vec<Value>) -> IteratorValue {
        IteratorValue::new(IteratorKind::Plain, element, items)
    }

    fn numbers(from: i64, to: i64, step: i128) -> Option<IteratorValue> {
        Some(IteratorValue {
            kind: IteratorKind::Range,
            element: Some(Type::integer(Some(from), Some(to))?),
            items: Items::Numbers { from, to, step },
            breaks_off: false,
            taken: Arc::default(),
        })
    }

    fn entries(entries: &HashValue) -> IteratorValue {
        let pair = |key, value| Type::tuple(vec![key, value], Some(IntRange::exactly(2)));
        let element = if entries.is_empty() {
            pair(Type::Unit, Type::Unit)
        } else {
            let keys = Type::variant(entries.keys().map(infer_detailed));
            let values = Type::variant(entries.values().map(infer_detailed));
            pair(keys, values)
        };
        IteratorValue::new(IteratorKind::Entries, element, entries.to_pairs())
    }

    /// Marks the iterator as raising an error after the last element.
    pub fn breaking_off(self) -> IteratorValue {
        IteratorValue {
            breaks_off: true,
            ..self
        }
    }

    /// Checks whether Puppet raises an error after the last element.
    pub fn breaks_off(&self) -> bool {
        self.breaks_off
    }

    /// Returns the kind.
    pub fn kind(&self) -> IteratorKind {
        self.kind
    }

    /// Checks whether this iterates over the nodes of a tree. Puppet supports few operations on
    /// such an iterator.
    pub fn is_tree(&self) -> bool {
        matches!(
            self.kind,
            IteratorKind::TreeByDepth | IteratorKind::TreeByBreadth
        )
    }

    /// Returns the declared element type, if there is one.
    pub fn element_type(&self) -> Option<Type> {
        self.element.clone()
    }

    /// Returns the number of elements.
    pub fn count(&self) -> u64 {
        match &self.items {
            Items::List(items) => items.len() as u64,
            Items::Numbers { from, to, step } => {
                let distance = (i128::from(*to) - i128::from(*from)).unsigned_abs();
                let steps = distance / step.unsigned_abs().max(1);
                u64::try_from(steps).unwrap_or(u64::MAX).saturating_add(1)
            }
        }
    }

    /// Returns the element at an index.
    fn get(&self, index: u64) -> Option<Value> {
        match &self.items {
            Items::List(items) => items.get(usize::try_from(index).ok()?).cloned(),
            Items::Numbers { .. } if index >= self.count() => None,
            Items::Numbers { from, to, step } => {
                let first = if *step < 0 { to } else { from };
                let number = i128::from(*first) + i128::from(index) * step;
                i64::try_from(number).ok().map(Value::Integer)
            }
        }
    }

    /// Returns the elements in order, without consuming them.
    pub fn iter(&self) -> impl Iterator<Item = Value> + use<> {
        let this = self.clone();
        (0..).map_while(move |index| this.get(index))
    }

    /// Consumes the iterator and returns its elements; `None` if it was consumed before. The caller
    /// handles [`IteratorValue::breaks_off`].
    pub fn take(&self) -> Option<impl Iterator<Item = Value> + use<>> {
        (!self.taken.swap(true, Ordering::Relaxed)).then(|| self.iter())
    }

    /// Returns an iterator over the same elements in reverse, and consumes this one.
    ///
    /// Returns `None` if this one was consumed before.
    pub fn reversed(&self) -> Option<IteratorValue> {
        if self.breaks_off {
            return None;
        }
        if let Items::Numbers { from, to, step } = self.items {
            drop(self.take()?);
            return IteratorValue::numbers(from, to, -step);
        }
        let mut items: Vec<Value> = self.take()?.collect();
        items.reverse();
        let element = self.element.clone().unwrap_or(Type::Any);
        Some(IteratorValue::list(element, items))
    }

    /// Returns an iterator over every n-th element, starting with the first, and consumes this one.
    ///
    /// Returns `None` if this one was consumed before, and for a reversed range with a step larger
    /// than the range, where Puppet raises an error.
    pub fn stepped(&self, step: i64) -> Option<IteratorValue> {
        if self.breaks_off {
            return None;
        }
        if step <= 1 && !self.is_tree() {
            return Some(self.clone());
        }
        if let Items::Numbers {
            from,
            to,
            step: own,
        } = self.items
        {
            drop(self.take()?);
            let step = own.saturating_mul(i128::from(step));
            let rest = (i128::from(to) - i128::from(from)) % step;
            // Puppet uses a remainder with the sign of the step, and so moves the lower bound too
            // far.
            return if step < 0 && rest != 0 {
                let from = i128::from(from) - (rest + step);
                IteratorValue::numbers(i64::try_from(from).ok()?, to, step)
            } else if step < 0 {
                IteratorValue::numbers(from, to, step)
            } else {
                IteratorValue::numbers(from, to - i64::try_from(rest).ok()?, step)
            };
        }
        let step = usize::try_from(step.max(1)).unwrap_or(usize::MAX);
        let items: Vec<Value> = self.take()?.step_by(step).collect();
        let element = self.element.clone().unwrap_or(Type::Any);
        Some(IteratorValue::new(IteratorKind::Steps, element, items))
    }

    /// Checks whether both are the same iterator.
    pub fn is_same(&self, other: &IteratorValue) -> bool {
        Arc::ptr_eq(&self.taken, &other.taken)
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        match &self.items {
            Items::List(items) => items.weight(),
            Items::Numbers { .. } => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display;

    fn list(it: Option<IteratorValue>) -> Option<Vec<Value>> {
        Some(it?.take()?.collect())
    }

    #[test]
    fn iterates_like_puppet() {
        let over = |value: Value| list(IteratorValue::over(&value));
        assert_eq!(
            over(Value::from(3)),
            Some(vec![0.into(), 1.into(), 2.into()])
        );
        assert_eq!(over(Value::from("ab")), Some(vec!["a".into(), "b".into()]));
        assert_eq!(over(Value::from(-1)), None);
        assert_eq!(over(Value::from(Type::INTEGER)), None);
    }

    #[test]
    fn ranges_support_steps_and_reversal() {
        let range = |to| IteratorValue::over(&Type::integer(Some(0), Some(to))?.into());
        let stepped = range(9).and_then(|it| it.stepped(4));
        let element = stepped.as_ref().and_then(IteratorValue::element_type);
        assert_eq!(
            element.map(|it| display(&it)).as_deref(),
            Some("Integer[0, 8]")
        );
        let back = stepped.and_then(|it| it.reversed());
        assert_eq!(list(back), Some(vec![8.into(), 4.into(), 0.into()]));
        let back = range(9).and_then(|it| it.reversed()?.stepped(4));
        assert_eq!(list(back), Some(vec![9.into(), 5.into()]));
        let huge = range(i64::MAX).and_then(|it| it.stepped(i64::MAX)?.stepped(i64::MAX));
        assert_eq!(list(huge), Some(vec![0.into()]));
    }

    #[test]
    fn elements_are_taken_once() {
        let it = IteratorValue::over(&Value::from("ab"));
        let again = it.clone();
        assert!(list(it).is_some());
        assert_eq!(list(again), None);
    }
}
