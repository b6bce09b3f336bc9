//! The elements of iterable values.

use super::Call;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use syntax::validation::PuppetVersion;
use types::values::{IteratorKind, IteratorValue, Value};

/// The elements of a value, and the properties that functions depend on when they iterate over it.
pub(super) struct Elements {
    pub(super) items: Box<dyn Iterator<Item = Value>>,
    /// Whether the value is a hash, rather than an iterator over one.
    pub(super) is_hash: bool,
    /// Whether the elements are pairs of key and value.
    pub(super) are_entries: bool,
    /// Whether `break` ends the iterating functions of Ruby.
    pub(super) catch_breaks: bool,
    /// Whether Puppet fails after the last element.
    pub(super) fails_at_end: bool,
    /// Whether the elements are nodes of a tree.
    is_tree: bool,
}

impl Elements {
    /// Returns the elements of the first argument, which must be iterable. An iterator is consumed.
    pub(super) fn of(evaluator: &Evaluator<'_>, call: &Call<'_>) -> FlowResult<Elements> {
        Elements::of_value(evaluator, call, call.arg(0))
    }

    fn of_value(evaluator: &Evaluator<'_>, call: &Call<'_>, value: &Value) -> FlowResult<Elements> {
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
                    None => Err(call.error("the argument is not iterable")),
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
            fails_at_end: false,
            is_tree: false,
        }
    }

    fn of_iterator(iterator: &IteratorValue) -> FlowResult<Elements> {
        let Some(items) = iterator.take() else {
            return Err(ControlFlow::unknown("iterator is used twice"));
        };
        let kind = iterator.kind();
        Ok(Elements {
            are_entries: kind == IteratorKind::Entries,
            catch_breaks: matches!(kind, IteratorKind::Range | IteratorKind::Steps),
            fails_at_end: iterator.breaks_off(),
            is_tree: iterator.is_tree(),
            ..Elements::plain(items)
        })
    }

    /// Fails for an iterator over a tree, for functions that do not support it.
    pub(super) fn except_tree(self, call: &Call<'_>) -> FlowResult<Elements> {
        if self.is_tree {
            return Err(call.error("the result of `tree_each` is not supported"));
        }
        Ok(self)
    }

    /// Fails for a tree if a block with this number of parameters depends on the release: Puppet 8
    /// cannot number the nodes of a tree.
    pub(super) fn for_block_with(
        self,
        parameters: usize,
        evaluator: &Evaluator<'_>,
    ) -> FlowResult<Elements> {
        if self.is_tree && parameters == 2 && evaluator.context.version != PuppetVersion::V7 {
            return Err(ControlFlow::unknown("depends on the version of Puppet"));
        }
        Ok(self)
    }
}
