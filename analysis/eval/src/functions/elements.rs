//! What functions iterate over.

use super::Call;
use crate::expressions::Evaluator;
use crate::stop::{Evaluated, Stop};
use syntax::validation::PuppetVersion;
use types::values::{IteratorKind, IteratorValue, Value};

/// The elements of a value, and what Puppet's functions go by when they iterate over them.
pub(super) struct Elements {
    pub(super) items: Box<dyn Iterator<Item = Value>>,
    /// Whether it is a hash itself, and no iterator over one.
    pub(super) is_hash: bool,
    /// Whether the elements are entries: pairs of key and value.
    pub(super) are_entries: bool,
    /// Whether Ruby's own iterating functions end at a `break` here.
    pub(super) catch_breaks: bool,
    /// Whether Puppet fails after the last one.
    pub(super) break_off: bool,
    /// Whether they are the nodes of a tree.
    is_tree: bool,
}

impl Elements {
    /// The elements of the first argument, which can be iterated over. An iterator is consumed.
    pub(super) fn of(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Evaluated<Elements> {
        Elements::of_value(evaluator, call, call.arg(0))
    }

    fn of_value(evaluator: &Evaluator<'_>, call: &Call<'_>, value: &Value) -> Evaluated<Elements> {
        match value {
            Value::Array(items) => {
                let items = items.clone();
                let count = items.len();
                Ok(Elements::plain((0..count).map(move |at| items[at].clone())))
            }
            Value::Hash(entries) => {
                evaluator.budget.spend(entries.len() as u64)?;
                Ok(Elements {
                    is_hash: true,
                    are_entries: true,
                    ..Elements::plain(entries.to_pairs().into_iter())
                })
            }
            other => {
                evaluator.budget.spend(other.weight())?;
                match IteratorValue::over(other) {
                    Some(iterator) => Elements::of_iterator(&iterator),
                    None => Err(call.error("this cannot be iterated over")),
                }
            }
        }
    }

    fn plain(items: impl Iterator<Item = Value> + 'static) -> Elements {
        Elements {
            items: Box::new(items),
            is_hash: false,
            are_entries: false,
            catch_breaks: false,
            break_off: false,
            is_tree: false,
        }
    }

    fn of_iterator(iterator: &IteratorValue) -> Evaluated<Elements> {
        let Some(items) = iterator.take() else {
            return Err(Stop::unknown("an iterator is used twice"));
        };
        let kind = iterator.kind();
        Ok(Elements {
            are_entries: kind == IteratorKind::Entries,
            catch_breaks: matches!(kind, IteratorKind::Range | IteratorKind::Steps),
            break_off: iterator.breaks_off(),
            is_tree: iterator.is_tree(),
            ..Elements::plain(items)
        })
    }

    /// Puppet's iterators over trees lack most functions.
    pub(super) fn not_of_a_tree(self, call: &Call<'_>) -> Evaluated<Elements> {
        if self.is_tree {
            return Err(call.error("this cannot be done with what tree_each gives"));
        }
        Ok(self)
    }

    /// The same, if Puppet can do that: Puppet 8 cannot number the nodes of a tree.
    pub(super) fn for_blocks_of(
        self,
        parameters: usize,
        evaluator: &Evaluator<'_>,
    ) -> Evaluated<Elements> {
        if self.is_tree && parameters == 2 && evaluator.context.version != PuppetVersion::V7 {
            return Err(Stop::unknown("it depends on the release of Puppet"));
        }
        Ok(self)
    }
}
