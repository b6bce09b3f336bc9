//! What functions give whose results depend on their arguments in ways that a signature cannot
//! say: the type of the elements that `map` yields, the Struct that `merge` makes.
//!
//! A family of functions a file, pure functions of the arguments' types. Nothing as an answer means
//! that the signature says all.

mod collections;
mod iteration;

use super::blocks::BlockResult;
use super::inferred::Inferred;
use crate::types::Type;

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    /// What is known of each.
    pub(super) types: &'a [Inferred],
    /// Whether those are all.
    pub(super) complete: bool,
}

impl Arguments<'_> {
    /// The type of an argument.
    fn type_(&self, index: usize) -> Option<&Type> {
        self.types.get(index).map(|it| &it.type_)
    }

    /// All arguments, if those are all.
    fn all(&self) -> Option<&[Inferred]> {
        self.complete.then_some(self.types)
    }
}

/// What a block is given that has so many parameters; nothing if that is not known.
pub(super) fn block_arguments(
    function: &str,
    arguments: &Arguments<'_>,
    parameters: usize,
) -> Option<Vec<Inferred>> {
    iteration::block_arguments(function, arguments, parameters)
}

/// What the block of `reduce` is given the first time: what is carried along, and an element.
pub(super) fn reduced(arguments: &Arguments<'_>) -> Option<(Inferred, Inferred)> {
    iteration::reduced(arguments)
}

/// What a function gives.
pub(super) fn result(
    function: &str,
    arguments: &Arguments<'_>,
    block: Option<&BlockResult>,
) -> Option<Inferred> {
    iteration::result(function, arguments, block)
        .or_else(|| collections::result(function, arguments, block))
}
