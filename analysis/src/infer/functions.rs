//! What functions give whose results depend on their arguments in ways that a signature cannot
//! say: the type of the elements that `map` yields, the Struct that `merge` makes.
//!
//! A family of functions a file, pure functions of the arguments' types. Nothing as an answer means
//! that the signature says all. Every rule is that of the function's Ruby source, and only as far as
//! that says it with certainty.

mod collections;
mod conversion;
mod iteration;
mod lookup;
mod navigation;
mod numbers;
mod stdlib;
mod strings;
#[cfg(test)]
mod testing;

use super::blocks::BlockResult;
use super::counts::Counts;
use super::inferred::Inferred;
use super::operators::alternatives;
use crate::types::precise::union;
use crate::types::{IntRange, Type};

/// The function that a call leads to.
#[derive(Clone, Copy)]
pub(super) struct Called<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// The module that defines it; nothing for those that Puppet ships.
    pub(super) module: Option<&'a str>,
    /// Whether it is written for the interface of Puppet 3.
    pub(super) is_old: bool,
}

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    /// What is known of each.
    pub(super) types: &'a [Inferred],
    /// Whether those are all.
    pub(super) complete: bool,
}

impl<'a> Arguments<'a> {
    /// The type of an argument.
    fn type_(&self, index: usize) -> Option<&'a Type> {
        self.types.get(index).map(|it| &it.type_)
    }

    /// All arguments, if those are all.
    fn all(&self) -> Option<&'a [Inferred]> {
        self.complete.then_some(self.types)
    }
}

/// An array with so many elements.
fn array(element: Type, size: IntRange) -> Type {
    Type::array(element, Some(size).filter(|it| *it != IntRange::SIZE))
}

/// A hash with so many entries.
fn hash(key: Type, value: Type, size: IntRange) -> Type {
    Type::hash(key, value, Some(size).filter(|it| *it != IntRange::SIZE))
}

/// A text with so many characters.
fn text(size: IntRange) -> Type {
    match size == IntRange::SIZE {
        true => Type::STRING,
        false => Type::string_sized(size),
    }
}

/// What a function makes of the alternatives of an argument. `one` says what it makes of each:
/// `Some(None)` where it refuses it, and nothing where that is not known. Then, or if it refuses
/// all, nothing comes out.
fn of_each(type_: &Type, one: impl Fn(Type) -> Option<Option<Type>>) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        found.extend(one(it)?);
    }
    (!found.is_empty()).then(|| union(found))
}

/// The size of what is made of so many: as many or fewer, but not nothing of something.
fn joined_size(size: IntRange) -> IntRange {
    let some = i64::from(size.min().unwrap_or(0) > 0);
    IntRange::new(Some(some), size.max()).unwrap_or(IntRange::SIZE)
}

/// From nothing to as much.
fn shortened(size: IntRange) -> IntRange {
    IntRange::new(Some(0), size.max()).unwrap_or(IntRange::SIZE)
}

/// What a block is given; nothing if that is not known.
pub(super) fn block_arguments(
    called: Called<'_>,
    arguments: &Arguments<'_>,
    taken: Counts,
) -> Option<Vec<Inferred>> {
    if called.module.is_some() {
        return None;
    }
    iteration::block_arguments(called.name, arguments, taken)
        .or_else(|| collections::block_arguments(called.name, arguments))
        .or_else(|| conversion::block_arguments(called.name, arguments))
}

/// What the block of `reduce` is given the first time: what is carried along, and an element.
pub(super) fn reduced(arguments: &Arguments<'_>) -> Option<(Inferred, Inferred)> {
    iteration::reduced(arguments)
}

/// Whether `break` in the block of a function ends that function's iteration, and nothing around
/// it.
pub(super) fn catches_break(called: Called<'_>, arguments: &Arguments<'_>) -> bool {
    called.module.is_none() && iteration::catches_break(called.name, arguments)
}

/// What `get` gives for these arguments.
pub(super) fn navigated(all: &[Inferred], block: Option<&BlockResult>) -> Option<Inferred> {
    let arguments = Arguments {
        types: all,
        complete: true,
    };
    navigation::result("get", &arguments, block)
}

/// What a function gives.
pub(super) fn result(
    called: Called<'_>,
    arguments: &Arguments<'_>,
    block: Option<(&BlockResult, Counts)>,
) -> Option<Inferred> {
    let name = called.name;
    match called.module {
        Some("stdlib") if block.is_none() => stdlib::result(called, arguments),
        Some(_) => None,
        None => iteration::result(name, arguments, block)
            .or_else(|| collections::result(name, arguments, block.map(|it| it.0)))
            .or_else(|| navigation::result(name, arguments, block.map(|it| it.0)))
            .or_else(|| strings::result(name, arguments))
            .or_else(|| numbers::result(name, arguments))
            .or_else(|| lookup::result(name, arguments))
            .or_else(|| conversion::result(name, arguments, block.map(|it| it.0))),
    }
}
