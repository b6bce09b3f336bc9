//! Functions that run their block for each element of something.

use super::Arguments;
use crate::infer::blocks::BlockResult;
use crate::infer::inferred::Inferred;
use crate::infer::operators::{alternatives, hash_parts, pair, size_of, union_of_many};
use crate::types::precise::{intersection, union};
use crate::types::{IntRange, Type};

pub(super) fn block_arguments(
    function: &str,
    arguments: &Arguments<'_>,
    parameters: usize,
) -> Option<Vec<Inferred>> {
    let first = arguments.type_(0)?;
    let one = |type_: Type| Some(vec![Inferred::of(type_)]);
    match function {
        "each" | "map" | "filter" | "any" | "all" | "index" | "flat_map" | "group_by"
        | "partition" => elements(first, parameters),
        "tree_each" => None,
        "with" => Some(arguments.all()?.to_vec()),
        "then" => one(without_undef(first)),
        "tap" => one(first.clone()),
        "lest" => Some(Vec::new()),
        "sort" => {
            let element = element(first)?;
            Some(vec![Inferred::of(element.clone()), Inferred::of(element)])
        }
        "slice" => None,
        _ => None,
    }
}

/// What an element is that iteration yields.
pub(super) fn element(type_: &Type) -> Option<Type> {
    let all = alternatives(type_);
    let found: Option<Vec<Type>> = all.iter().map(element_of_one).collect();
    found.map(union)
}

fn element_of_one(type_: &Type) -> Option<Type> {
    Some(match type_ {
        Type::Array(it) => it.element().clone(),
        Type::Tuple(it) => union_of_many(it.types().iter().cloned()),
        Type::Hash(it) => pair(it),
        Type::Struct(_) => {
            let (key, value) = hash_parts(type_);
            Type::tuple([key, value], None)
        }
        Type::String(_) | Type::Enum(_) => Type::string_sized(IntRange::exactly(1)),
        Type::Integer(it) => Type::integer(Some(0), it.max().map(|it| it.max(1) - 1))?,
        Type::Iterator(Some(inner)) => (**inner).clone(),
        _ => return None,
    })
}

/// What a block is given for each element: with two parameters, an index or key as well.
fn elements(type_: &Type, parameters: usize) -> Option<Vec<Inferred>> {
    match parameters {
        1 => Some(vec![Inferred::of(element(type_)?)]),
        2 => {
            let (mut keys, mut values) = (Vec::new(), Vec::new());
            for it in alternatives(type_) {
                let (key, value) = key_and_value(&it)?;
                keys.push(key);
                values.push(value);
            }
            Some(vec![Inferred::of(union(keys)), Inferred::of(union(values))])
        }
        _ => None,
    }
}

fn key_and_value(type_: &Type) -> Option<(Type, Type)> {
    Some(match type_ {
        Type::Hash(_) | Type::Struct(_) => hash_parts(type_),
        Type::Array(_) | Type::Tuple(_) => {
            let last = size_of(type_).max().map(|it| it.max(1) - 1);
            (Type::integer(Some(0), last)?, element_of_one(type_)?)
        }
        Type::String(_) | Type::Enum(_) | Type::Integer(_) | Type::Iterator(_) => {
            (Type::integer(Some(0), None)?, element_of_one(type_)?)
        }
        _ => return None,
    })
}

fn without_undef(type_: &Type) -> Type {
    intersection(type_, &Type::not_undef(Type::Any)).unwrap_or_else(|| Type::variant([]))
}

/// What the block of `reduce` is given the first time: what is carried along, and an element.
pub(super) fn reduced(arguments: &Arguments<'_>) -> Option<(Inferred, Inferred)> {
    let element = Inferred::of(element(arguments.type_(0)?)?);
    let start = match arguments.all()? {
        [_] => element.clone(),
        [_, start] => start.clone(),
        _ => return None,
    };
    Some((start, element))
}

/// What a function gives.
pub(super) fn result(
    function: &str,
    arguments: &Arguments<'_>,
    block: Option<&BlockResult>,
) -> Option<Inferred> {
    let first = arguments.type_(0)?;
    let given = block.map(|it| it.value.type_.clone());
    let may_stop = block.is_some_and(|it| it.breaks);
    let found = match (function, given) {
        ("each", _) => first.clone(),
        ("map", Some(given)) => {
            let size = if may_stop {
                shortened(size_of_iteration(first))
            } else {
                size_of_iteration(first)
            };
            if size.max() == Some(0) {
                Type::empty_array()
            } else if matches!(&given, Type::Variant(it) if it.is_empty()) {
                Type::array(Type::Any, Some(IntRange::between(0, 0)))
            } else {
                Type::array(given, Some(size))
            }
        }
        ("filter", Some(_)) => filtered(first)?,
        ("any" | "all", _) => Type::BOOLEAN,
        ("with", Some(given)) => given,
        ("then", Some(given)) => {
            let undef = intersection(first, &Type::Undef).map(|_| Type::Undef);
            union([given].into_iter().chain(undef))
        }
        ("lest", Some(given)) => {
            if intersection(first, &Type::Undef).is_none() {
                first.clone()
            } else {
                union([without_undef(first), given])
            }
        }
        ("tap", Some(_)) => first.clone(),
        ("reduce", Some(given)) => {
            let empty = size_of_iteration(first).min() == Some(0);
            let undef = (empty && arguments.types.len() == 1).then_some(Type::Undef);
            union([given].into_iter().chain(undef))
        }
        _ => return None,
    };
    Some(Inferred::of(found))
}

fn shortened(size: IntRange) -> IntRange {
    IntRange::new(Some(0), size.max()).unwrap_or(IntRange::SIZE)
}

/// How often something is iterated over.
fn size_of_iteration(type_: &Type) -> IntRange {
    let sizes = alternatives(type_).into_iter().map(|it| match &it {
        Type::Integer(range) => {
            let end = |it: Option<i64>| it.map(|it| it.max(0));
            IntRange::new(end(range.min()).or(Some(0)), end(range.max())).unwrap_or(IntRange::SIZE)
        }
        it => size_of(it),
    });
    sizes.reduce(IntRange::hull).unwrap_or(IntRange::SIZE)
}

fn filtered(type_: &Type) -> Option<Type> {
    let all = alternatives(type_).into_iter().map(|it| {
        let size = shortened(size_of_iteration(&it));
        Some(match &it {
            Type::Hash(_) | Type::Struct(_) => {
                let (key, value) = hash_parts(&it);
                Type::hash(key, value, Some(size))
            }
            other => Type::array(element_of_one(other)?, Some(size)),
        })
    });
    let all: Option<Vec<Type>> = all.collect();
    all.map(union)
}
