//! Functions on strings.

use super::collections::product;
use super::{Arguments, array, hash, joined_size, of_each, text, without_minimum};
use crate::inferred::Inferred;
use crate::lambdas::LambdaResult;
use crate::operators::{alternatives, element_of, hash_parts, size_of};
use library::KnownFunction as F;
use types::precise::{intersection, within};
use types::values::Value;
use types::{IntRange, Type};

pub(super) fn lambda_arguments(function: F) -> Option<Vec<Inferred>> {
    (function == F::Scanf).then(|| vec![Inferred::of(Type::any_array())])
}

/// Returns the type of a function's result.
pub(super) fn result(
    function: F,
    arguments: &Arguments<'_>,
    block: Option<&LambdaResult>,
) -> Option<Inferred> {
    let first = arguments.types.first()?;
    if let (F::Scanf, Some(block)) = (function, block) {
        return Some(block.value.clone());
    }
    let found = match function {
        // Some letters become two.
        F::Upcase | F::Downcase => changed(&first.type_, longer, true)?,
        F::Capitalize => changed(&first.type_, longer, false)?,
        F::Camelcase => changed(&first.type_, |_| IntRange::SIZE, false)?,
        F::Strip | F::Lstrip | F::Rstrip => changed(&first.type_, without_minimum, false)?,
        // A line break may be two characters.
        F::Chomp | F::Chop => changed(&first.type_, |size| without_end(size, 2), false)?,
        F::Regsubst => substituted(&first.type_)?,
        F::Match => matched(&first.type_)?,
        F::Join => joined(arguments)?,
        F::Sprintf => formatted(first)?,
        F::Scanf if arguments.all()?.len() == 2 => Type::any_array(),
        _ => return None,
    };
    Some(Inferred::of(found))
}

pub(super) fn longer(size: IntRange) -> IntRange {
    IntRange::at_least(size.min().unwrap_or(0))
}

/// Returns the size range with up to `most` characters removed.
fn without_end(size: IntRange, most: i64) -> IntRange {
    let least = (size.min().unwrap_or(0) - most).max(0);
    IntRange::new(Some(least), size.max()).unwrap_or(IntRange::SIZE)
}

/// Infers functions that change strings and return numbers as they are; for an array, they apply to
/// each element, and with `deep` to all nested values.
fn changed(type_: &Type, size: fn(IntRange) -> IntRange, deep: bool) -> Option<Type> {
    changed_to(type_, size, deep, 8)
}

fn changed_to(
    type_: &Type,
    size: fn(IntRange) -> IntRange,
    deep: bool,
    depth: u32,
) -> Option<Type> {
    of_each(type_, |it| {
        Some(match &it {
            _ if depth == 0 => return None,
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(text(size(size_of(&it)))),
            Type::Integer(_) | Type::Float(_) | Type::Numeric => Some(it),
            Type::Array(_) | Type::Tuple(_) if deep || depth == 8 => {
                let element = element_of(&it)?;
                Some(if size_of(&it).max() == Some(0) {
                    Type::empty_array()
                } else {
                    let element = changed_to(&element, size, deep, depth - 1)?;
                    array(element, size_of(&it))
                })
            }
            Type::Hash(_) | Type::Struct(_) if deep => {
                let (key, value) = hash_parts(&it);
                Some(if size_of(&it).max() == Some(0) {
                    Type::empty_hash()
                } else {
                    // Different keys may become equal.
                    hash(
                        changed_to(&key, size, deep, depth - 1)?,
                        changed_to(&value, size, deep, depth - 1)?,
                        joined_size(size_of(&it)),
                    )
                })
            }
            Type::Undef | Type::Boolean(_) | Type::Default | Type::Regexp(_) => None,
            _ => return None,
        })
    })
}

/// Infers `regsubst` on a string or an array of strings.
fn substituted(type_: &Type) -> Option<Type> {
    of_each(type_, |it| {
        Some(match &it {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Some(Type::STRING),
            Type::Array(_) | Type::Tuple(_) if within(&element_of(&it)?, &Type::STRING) => {
                Some(array(Type::STRING, size_of(&it)))
            }
            Type::Undef | Type::Boolean(_) | Type::Integer(_) | Type::Float(_) => None,
            _ => return None,
        })
    })
}

/// Infers `match`: the match and its capture groups, or undef.
fn matched(type_: &Type) -> Option<Type> {
    let found = array(Type::optional(Type::STRING), IntRange::NOT_EMPTY);
    let found = Type::optional(found);
    of_each(type_, |it| {
        Some(Some(match &it {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => found.clone(),
            Type::Array(_) | Type::Tuple(_) => array(found.clone(), size_of(&it)),
            other if intersection(other, &Type::any_array()).is_none() => found.clone(),
            _ => return None,
        }))
    })
}

/// Infers `sprintf` with a constant format: the minimum length of the string.
fn formatted(format: &Inferred) -> Option<Type> {
    let Some(Value::String(format)) = &format.value else {
        return None;
    };
    let least = literal_length(format)?;
    Some(text(IntRange::at_least(least)))
}

/// Returns the number of literal characters in a format string.
fn literal_length(format: &str) -> Option<i64> {
    let mut count = 0;
    let mut rest = format.chars().peekable();
    while let Some(it) = rest.next() {
        if it != '%' || rest.next_if_eq(&'%').is_some() {
            count += 1;
            continue;
        }
        loop {
            match rest.next()? {
                '0'..='9' | '-' | '+' | ' ' | '#' | '.' | '*' | '$' => {}
                '<' => while rest.next()? != '>' {},
                '{' => {
                    while rest.next()? != '}' {}
                    break;
                }
                // A percent sign in another form.
                '%' | '\n' | '\0' => break,
                it if it.is_ascii_alphabetic() => break,
                _ => return None,
            }
        }
    }
    Some(count)
}

/// Infers `join`: the length of the string, if the elements are strings.
fn joined(arguments: &Arguments<'_>) -> Option<Type> {
    let (list, delimiter) = match arguments.all()? {
        [list] => (&list.type_, IntRange::exactly(0)),
        [list, delimiter] => (&list.type_, text_size(&delimiter.type_)),
        _ => return None,
    };
    let sizes = alternatives(list).into_iter().filter_map(|it| match &it {
        Type::Array(_) | Type::Tuple(_) => Some(size_of_joined(&it, delimiter)),
        _ => None,
    });
    let sizes: Vec<IntRange> = sizes.collect();
    Some(text(sizes.into_iter().reduce(IntRange::hull)?))
}

fn size_of_joined(list: &Type, delimiter: IntRange) -> IntRange {
    let count = size_of(list);
    let element = element_of(list).map_or(IntRange::SIZE, |it| text_size(&it));
    let fewer = |it: i64| (it - 1).max(0);
    let between = IntRange::new(
        Some(fewer(count.min().unwrap_or(0))),
        count.max().map(fewer),
    );
    // Nested arrays are joined too: an empty one counts as an empty string.
    product(element, count).plus(product(delimiter, between.unwrap_or(IntRange::SIZE)))
}

fn text_size(type_: &Type) -> IntRange {
    let sizes = alternatives(type_).into_iter().map(|it| match &it {
        Type::String(_) | Type::Enum(_) => size_of(&it),
        Type::Undef => IntRange::exactly(0),
        Type::Integer(_) | Type::Boolean(_) | Type::Float(_) => IntRange::at_least(1),
        _ => IntRange::SIZE,
    });
    sizes.reduce(IntRange::hull).unwrap_or(IntRange::SIZE)
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;
    use super::literal_length;

    #[test]
    fn strings_are_transformed() {
        check(&[
            ("Enum['A', 'B'] $a", "$a.downcase", "String<a,b>"),
            ("String[2, 4] $a", "$a.upcase", "String[2]"),
            ("String[2, 4] $a", "$a.strip", "String[0, 4]"),
            ("String[4, 5] $a", "chop($a)", "String[2, 5]"),
            (
                "Variant[String[1], Integer] $a",
                "$a.capitalize",
                "Variant[String[1], Integer]",
            ),
            ("Array[String[1], 2] $a", "$a.upcase", "Array[String[1], 2]"),
            (
                "Hash[String, Array[String[1]]] $a",
                "$a.upcase",
                "Hash[String, Array[String[1]]]",
            ),
            ("Optional[String] $a", "$a.upcase", "String"),
            ("String $a", "regsubst($a, 'x', 'y')", "String"),
            (
                "Array[String, 2] $a",
                "regsubst($a, 'x', 'y')",
                "Array[String, 2]",
            ),
            ("Any $a", "regsubst($a, 'x', 'y')", "Any"),
            (
                "Enum['ab', 'ac'] $a",
                "$a.regsubst('^a', 'x')",
                "String<xb,xc>",
            ),
            (
                "String $a",
                "$a.match(/x(y)/)",
                "Optional[Array[Optional[String], 1]]",
            ),
            (
                "Array[String, 1] $a",
                "$a.match(/x(y)/)",
                "Array[Optional[Array[Optional[String], 1]], 1]",
            ),
            ("Array[String[2], 2] $a", "$a.join(', ')", "String[6]"),
            ("Array[String] $a", "join($a, ',')", "String"),
            ("Any $a", "sprintf('%s-%05d: %%', $a, 1)", "String[4]"),
            ("Any $a, String $b", "sprintf($b, $a)", "String"),
            ("String $a", "split($a, ',')", "Array[String]"),
            (
                "Enum['a,b', 'c'] $a",
                "split($a, ',')",
                "Variant[Tuple[String<a>, String<b>], Tuple[String<c>]]",
            ),
        ]);
    }

    #[test]
    fn formats_have_literal_characters() {
        assert_eq!(literal_length("a%sb"), Some(2));
        assert_eq!(literal_length("%-10.3f|%<x>d|%{y}!"), Some(3));
        assert_eq!(literal_length("%"), None);
    }
}
