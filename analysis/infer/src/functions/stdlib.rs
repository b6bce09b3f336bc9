//! Functions of the `stdlib` module, as far as all its versions agree.
//!
//! Most use the Puppet 3.x function API, which passes `undef` as an empty string and may convert
//! values that are not plain data. Results that contain parts of such arguments are therefore
//! unknown.

use super::collections::with_fewer;
use super::strings::longer;
use super::{Arguments, array, hash, joined_size, of_each, text, without_minimum};
use crate::inferred::Inferred;
use crate::operators::{alternatives, element_of, hash_parts, merged, size_of};
use library::KnownFunction as F;
use types::precise::{difference, intersection, union, within};
use types::{IntRange, Type};

/// Returns the type of a function's result.
pub(super) fn result(function: F, is_3x: bool, arguments: &Arguments<'_>) -> Option<Inferred> {
    if let Some(found) = fixed_result(function) {
        return Some(Inferred::of(found));
    }
    if is_3x {
        let found = result_for_arguments(function, arguments);
        return found.or_else(|| default_result(function).map(Inferred::of));
    }
    match (function, arguments.all()?) {
        (F::Merge, [first, rest @ ..]) => infer_merge(first, rest).map(Inferred::of),
        _ => None,
    }
}

/// Infers a 3.x function from its arguments.
fn result_for_arguments(function: F, arguments: &Arguments<'_>) -> Option<Inferred> {
    let all = arguments.all()?;
    let found = match (function, all) {
        (F::Pick, all) => return infer_pick(all, None),
        (F::PickDefault, [rest @ .., default]) => return infer_pick(rest, Some(default)),
        (F::Merge, [first, rest @ ..]) if all.iter().all(|it| is_data(&it.type_, 8)) => {
            infer_merge(first, rest)?
        }
        (F::Concat, [first, rest @ ..]) => concatenated(&first.type_, rest)?,
        (F::Union, all) => infer_union(all)?,
        (F::Difference | F::Intersection, [first, _]) => with_fewer(&data(&first.type_)?)?,
        (F::Delete, [first, _]) | (F::DeleteValues, [first, _]) => infer_delete(&first.type_)?,
        (F::DeleteUndefValues, [first]) => without_undef(&first.type_)?,
        (F::Any2array, [only]) => array_of(&only.type_)?,
        (F::Prefix | F::Suffix, [first, ..]) => infer_prefix(&first.type_)?,
        (F::JoinKeysToValues, [_, _]) => Type::array(Type::STRING, None),
        (F::Bool2str, [_]) => Type::enumeration(["true", "false"]),
        (F::Bool2str, [_, yes, no]) => {
            let both = [&yes.type_, &no.type_];
            if !both.iter().all(|it| within(it, &Type::STRING)) {
                return None;
            }
            union(both.into_iter().cloned())
        }
        (F::Swapcase | F::Regexpescape | F::Uriescape, [only]) => {
            changed_strings(&only.type_, longer)?
        }
        (F::Squeeze, [only] | [only, _]) => changed_strings(&only.type_, without_minimum)?,
        (F::Reverse | F::Shuffle, [only]) => reordered(&only.type_)?,
        (F::FqdnRotate, [first, ..]) => reordered(&first.type_)?,
        (F::Grep | F::Reject, [list, _]) => with_fewer(&data(&list.type_)?)?,
        (F::ValuesAt, [list, _]) => Type::array(element_of(&data(&list.type_)?)?, None),
        _ => return None,
    };
    Some(Inferred::of(found))
}

/// Returns the result type of a 3.x function for unknown arguments.
fn default_result(function: F) -> Option<Type> {
    Some(match function {
        F::Any2array
        | F::Concat
        | F::Union
        | F::Difference
        | F::Intersection
        | F::ValuesAt
        | F::Grep => Type::any_array(),
        F::FqdnRotate
        | F::Reverse
        | F::Shuffle
        | F::Swapcase
        | F::Regexpescape
        | F::Uriescape
        | F::Squeeze => Type::variant([Type::any_array(), Type::STRING]),
        F::Prefix | F::Suffix => Type::variant([
            Type::array(Type::STRING, None),
            Type::hash(Type::STRING, Type::Any, None),
        ]),
        F::Delete => Type::variant([Type::any_array(), Type::any_hash(), Type::STRING]),
        F::DeleteUndefValues => Type::variant([Type::any_array(), Type::any_hash()]),
        F::DeleteValues | F::Merge => Type::any_hash(),
        F::Bool2str => Type::STRING,
        F::Pick => Type::not_undef(Type::Any),
        _ => return None,
    })
}

/// Returns the result type of functions whose result does not depend on their arguments.
fn fixed_result(function: F) -> Option<Type> {
    Some(match function {
        F::HasKey
        | F::Member
        | F::Str2bool
        | F::Num2bool
        | F::Any2bool
        | F::IsA
        | F::OsVersionGte
        | F::HasInterfaceWith
        | F::IsArray
        | F::IsBool
        | F::IsFloat
        | F::IsHash
        | F::IsInteger
        | F::IsString => Type::BOOLEAN,
        F::Bool2num => Type::Integer(IntRange::between(0, 1)),
        F::Count => Type::Integer(IntRange::SIZE),
        F::Basename | F::Dirname => Type::STRING,
        F::Base64
        | F::ConvertBase
        | F::ShellEscape
        | F::ShellJoin
        | F::ToJson
        | F::ToYaml
        | F::ToJsonPretty
        | F::SprintfHash
        | F::SeededRandString
        | F::FqdnRandString
        | F::StdlibToJson
        | F::StdlibToJsonPretty
        | F::StdlibToYaml
        | F::StdlibShellEscape => Type::STRING,
        F::ShellSplit => Type::array(Type::STRING, None),
        F::Range => Type::array(Type::variant([Type::INTEGER, Type::STRING]), None),
        F::EncloseIpv6 => Type::array(Type::STRING, None),
        F::StdlibNestedValues | F::Zip => Type::any_array(),
        F::Hash | F::DeepMerge => Type::any_hash(),
        F::TypeOf => Type::Type(None),
        _ => return None,
    })
}

/// Returns the type of a value after a round trip through a 3.x function, if it is certainly plain
/// data. `undef` is only preserved inside of collections.
fn data(type_: &Type) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        match it {
            Type::Undef => found.push(Type::string_value("")),
            it if is_data(&it, 8) => found.push(it),
            _ => return None,
        }
    }
    Some(union(found))
}

fn is_data(type_: &Type, depth: u32) -> bool {
    depth > 0
        && alternatives(type_).iter().all(|it| match it {
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) | Type::Unit => true,
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => true,
            Type::Array(_) | Type::Tuple(_) => {
                element_of(it).is_some_and(|it| is_data(&it, depth - 1))
            }
            Type::Hash(_) | Type::Struct(_) => {
                let (key, value) = hash_parts(it);
                is_data(&key, depth - 1) && is_data(&value, depth - 1)
            }
            _ => false,
        })
}

/// Infers `pick`: the first argument that is neither `undef` nor an empty string.
fn infer_pick(all: &[Inferred], default: Option<&Inferred>) -> Option<Inferred> {
    let nothing = Type::variant([Type::Undef, Type::string_value("")]);
    let mut found = Vec::new();
    for it in all {
        let Some(kept) = difference(&it.type_, &nothing) else {
            continue;
        };
        let sure = intersection(&it.type_, &nothing).is_none();
        match data(&kept) {
            Some(kept) => {
                let kept = match default {
                    None => union(alternatives(&kept).into_iter().map(not_empty)),
                    Some(_) => kept,
                };
                let value = it.value.clone().filter(|_| sure);
                found.push(Inferred { type_: kept, value });
            }
            None => {
                return Some(Inferred::of(match default {
                    None => Type::not_undef(Type::Any),
                    Some(_) => Type::Any,
                }));
            }
        }
        if sure {
            return Some(Inferred::union(found));
        }
    }
    if let Some(default) = default {
        found.push(match data(&default.type_) {
            Some(type_) if type_ == default.type_ => default.clone(),
            Some(type_) => Inferred::of(type_),
            None => Inferred::UNKNOWN,
        });
    }
    Some(Inferred::union(found))
}

/// Narrows to non-empty strings.
fn not_empty(type_: Type) -> Type {
    match &type_ {
        Type::String(it) if it.value().is_none() => {
            let size = size_of(&type_).intersection(IntRange::NOT_EMPTY);
            size.map_or_else(|| type_.clone(), text)
        }
        _ => type_,
    }
}

/// Infers `merge`.
fn infer_merge(first: &Inferred, rest: &[Inferred]) -> Option<Type> {
    let mut so_far = hash_or_nothing(&first.type_)?;
    for it in rest {
        so_far = merge_alternatives(&so_far, &hash_or_nothing(&it.type_)?)?;
    }
    Some(so_far)
}

/// Merges each alternative of one hash type with each of another.
fn merge_alternatives(left: &Type, right: &Type) -> Option<Type> {
    let (left, right) = (alternatives(left), alternatives(right));
    let pairs = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| merged(a, b)));
    pairs.collect::<Option<Vec<Type>>>().map(union)
}

/// Returns the hashes that `merge` accepts; empty strings and undef count as empty hashes.
fn hash_or_nothing(type_: &Type) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(type_) {
        match it {
            Type::Hash(_) | Type::Struct(_) => found.push(it),
            Type::Undef | Type::String(_) | Type::Enum(_) => found.push(Type::empty_hash()),
            _ => return None,
        }
    }
    Some(union(found))
}

fn concatenated(first: &Type, rest: &[Inferred]) -> Option<Type> {
    let first = arrays(first)?;
    let mut elements = vec![element_of(&first)?];
    let mut size = size_of(&first);
    for it in rest {
        let sizes = alternatives(&data(&it.type_)?)
            .into_iter()
            .map(|it| match &it {
                Type::Array(_) | Type::Tuple(_) => {
                    elements.extend(element_of(&it));
                    size_of(&it)
                }
                _ => {
                    elements.push(it);
                    IntRange::exactly(1)
                }
            });
        size = size.plus(sizes.reduce(IntRange::hull)?);
    }
    Some(list(elements, size))
}

/// Returns an array of these elements; the element types of empty arrays are ignored.
fn list(elements: Vec<Type>, size: IntRange) -> Type {
    let elements = elements.into_iter().filter(|it| !matches!(it, Type::Unit));
    match size.max() {
        Some(0) => Type::empty_array(),
        _ => array(union(elements), size),
    }
}

/// Returns the alternatives that are arrays: `stdlib` rejects all others.
fn arrays(type_: &Type) -> Option<Type> {
    let lists = alternatives(&data(type_)?).into_iter();
    let lists: Vec<Type> = lists
        .filter(|it| matches!(it, Type::Array(_) | Type::Tuple(_)))
        .collect();
    (!lists.is_empty()).then(|| union(lists))
}

fn infer_union(all: &[Inferred]) -> Option<Type> {
    let mut elements = Vec::new();
    let mut size = IntRange::exactly(0);
    for it in all {
        let it = arrays(&it.type_)?;
        elements.push(element_of(&it)?);
        size = size.plus(size_of(&it));
    }
    // Common elements occur only once.
    Some(list(elements, joined_size(size)))
}

/// Infers functions that remove elements of a collection.
fn infer_delete(type_: &Type) -> Option<Type> {
    of_each(&data(type_)?, |it| {
        let size = without_minimum(size_of(&it));
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => Some(with_fewer(&it)?),
            Type::Hash(_) | Type::Struct(_) => {
                let (key, value) = hash_parts(&it);
                Some(hash(key, value, size))
            }
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(text(size)),
            _ => None,
        })
    })
}

fn without_undef(type_: &Type) -> Option<Type> {
    let without = |it: &Type| difference(it, &Type::Undef);
    of_each(&data(type_)?, |it| {
        let size = without_minimum(size_of(&it));
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => {
                let element = without(&element_of(&it)?);
                Some(element.map_or_else(Type::empty_array, |it| array(it, size)))
            }
            Type::Hash(_) | Type::Struct(_) => {
                let (key, value) = hash_parts(&it);
                let value = without(&value);
                Some(value.map_or_else(Type::empty_hash, |value| hash(key, value, size)))
            }
            _ => None,
        })
    })
}

/// Infers `any2array` of one argument.
fn array_of(type_: &Type) -> Option<Type> {
    let mut found = Vec::new();
    for it in alternatives(&data(type_)?) {
        // The versions disagree about an empty string.
        let may_be_empty = intersection(&it, &Type::string_value("")).is_some();
        match &it {
            Type::Array(_) | Type::Tuple(_) => found.push(it),
            // Alternating keys and values.
            Type::Hash(_) | Type::Struct(_) => {
                let (key, value) = hash_parts(&it);
                let size = size_of(&it);
                let twice = IntRange::new(
                    size.min().and_then(|it| it.checked_mul(2)),
                    size.max().and_then(|it| it.checked_mul(2)),
                );
                found.push(match size.max() {
                    Some(0) => Type::empty_array(),
                    _ => array(union([key, value]), twice?),
                });
            }
            _ if may_be_empty => {
                found.extend([Type::empty_array(), Type::tuple([it], None)]);
            }
            _ => found.push(Type::tuple([it], None)),
        }
    }
    Some(union(found))
}

/// Infers `prefix` and `suffix`: an array of strings, or a hash with string keys.
fn infer_prefix(type_: &Type) -> Option<Type> {
    of_each(&data(type_)?, |it| {
        let size = size_of(&it);
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => Some(array(Type::STRING, size)),
            Type::Hash(_) | Type::Struct(_) => {
                let values = hash_parts(&it).1;
                Some(hash(Type::STRING, values, joined_size(size)))
            }
            _ => None,
        })
    })
}

/// Infers functions that change a string, or the strings in an array.
fn changed_strings(type_: &Type, size: fn(IntRange) -> IntRange) -> Option<Type> {
    let one = |it: &Type| match it {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => text(size(size_of(it))),
        other => other.clone(),
    };
    of_each(&data(type_)?, |it| {
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => {
                let elements = alternatives(&element_of(&it)?);
                let elements = union(elements.iter().map(one));
                Some(array(elements, size_of(&it)))
            }
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(one(&it)),
            _ => None,
        })
    })
}

/// Infers functions that reorder elements or characters.
fn reordered(type_: &Type) -> Option<Type> {
    of_each(&data(type_)?, |it| {
        Some(match &it {
            Type::Array(_) | Type::Tuple(_) => Some(array(element_of(&it)?, size_of(&it))),
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(text(size_of(&it))),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{inferred, inferred_with};

    /// Returns a module with this name that defines functions of the 3.x API.
    fn module(name: &str, functions: &[&str], options: &str) -> String {
        let file = |it: &&str| {
            format!(
                "//- modules/{name}/lib/puppet/parser/functions/{it}.rb\n\
                 module Puppet::Parser::Functions\n\
                 newfunction(:{it}, {options}) do |args|\nend\nend\n"
            )
        };
        functions.iter().map(file).collect()
    }

    #[test]
    fn results_follow_from_arguments() {
        let functions = [
            "pick",
            "pick_default",
            "concat",
            "union",
            "difference",
            "delete",
            "delete_undef_values",
            "any2array",
            "prefix",
            "bool2str",
            "str2bool",
            "swapcase",
            "reverse",
            "deep_merge",
            "has_key",
            "values_at",
            "merge",
        ];
        let files = module("stdlib", &functions, ":type => :rvalue");
        let cases = [
            ("Optional[String] $a", "pick($a, 'x')", "String[1]"),
            (
                "Optional[Integer] $a, Integer[1, 2] $b",
                "pick($a, $b, 'c')",
                "Integer",
            ),
            ("Any $a", "pick($a, 'x')", "NotUndef"),
            ("Any $a", "any2array($a)", "Array"),
            (
                "Array $a",
                "prefix(*$a)",
                "Variant[Array[String], Hash[String, Any]]",
            ),
            ("Optional[String] $a", "pick_default($a, undef)", "String"),
            (
                "Array[String] $a, Integer $b",
                "concat($a, $b, [true])",
                "Array[Variant[String, Integer, Boolean[true]], 2]",
            ),
            ("Array[Regexp] $a", "concat($a, [1])", "Array"),
            (
                "Array[String, 1] $a",
                "union($a, [1])",
                "Array[Variant[String, Integer[1, 1]], 1]",
            ),
            (
                "Array[String, 1, 4] $a",
                "difference($a, ['x'])",
                "Array[String, 0, 4]",
            ),
            (
                "Hash[String, Integer, 1] $a",
                "delete($a, 'x')",
                "Hash[String, Integer]",
            ),
            (
                "Array[Optional[String], 1] $a",
                "delete_undef_values($a)",
                "Array[String]",
            ),
            (
                "Variant[Array[Integer], Integer] $a",
                "any2array($a)",
                "Array[Integer]",
            ),
            (
                "Optional[String[1]] $a",
                "any2array($a)",
                "Variant[Array[0, 0], Tuple[String]]",
            ),
            (
                "Array[Integer, 2] $a",
                "prefix($a, 'x')",
                "Array[String, 2]",
            ),
            ("Boolean $a", "bool2str($a)", "String<false,true>"),
            ("Boolean $a", "bool2str($a, 'on', 'off')", "String<off,on>"),
            ("Any $a", "str2bool($a)", "Boolean"),
            ("Array[String[2]] $a", "swapcase($a)", "Array[String[2]]"),
            (
                "Tuple[Integer, String] $a",
                "reverse($a)",
                "Array[Variant[Integer, String], 2, 2]",
            ),
            ("Hash $a", "deep_merge($a, {})", "Hash"),
            ("Hash $a", "has_key($a, 'x')", "Boolean"),
            ("Array[Integer] $a", "values_at($a, 1)", "Array[Integer]"),
            (
                "Struct[{a => Integer}] $a",
                "merge($a, { b => 1 })",
                "Struct[{'a' => Integer, 'b' => Integer[1, 1]}]",
            ),
        ];
        let mut wrong = Vec::new();
        for (parameters, expression, expected) in cases {
            let found = inferred_with(&files, parameters, expression);
            if found != expected {
                wrong.push(format!("({parameters}) {expression}: {found}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn functions_of_other_modules_are_unknown() {
        let files = module("other", &["str2bool"], ":type => :rvalue");
        assert_eq!(inferred_with(&files, "Any $a", "str2bool($a)"), "Any");
        let files = module("other", &["tell"], ":type => :statement");
        assert_eq!(inferred_with(&files, "Any $a", "tell($a)"), "Undef");
        assert_eq!(inferred("Any $a", "str2bool($a)"), "Any");
    }
}
