//! Functions on strings.

use super::{Arguments, array, hash, joined_size, of_each, text, without_minimum};
use crate::inferred::Inferred;
use crate::operators::{element_of, hash_parts, size_of};
use types::precise::{intersection, within};
use types::values::Value;
use types::{IntRange, Type};

/// Returns the type of a function's result.
pub(super) fn result(function: &str, arguments: &Arguments<'_>) -> Option<Inferred> {
    let first = arguments.types.first()?;
    let found = match function {
        // Some letters become two.
        "upcase" | "downcase" => changed(&first.type_, longer, true)?,
        "capitalize" => changed(&first.type_, longer, false)?,
        "camelcase" => changed(&first.type_, |_| IntRange::SIZE, false)?,
        "strip" | "lstrip" | "rstrip" => changed(&first.type_, without_minimum, false)?,
        // A line break may be two characters.
        "chomp" | "chop" => changed(&first.type_, |size| without_end(size, 2), false)?,
        "regsubst" => substituted(&first.type_)?,
        "match" => matched(&first.type_)?,
        "sprintf" => formatted(first)?,
        "md5" => text(IntRange::exactly(32)),
        "sha1" => text(IntRange::exactly(40)),
        "sha256" => text(IntRange::exactly(64)),
        "scanf" if arguments.all()?.len() == 2 => Type::any_array(),
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
            ("Any $a", "sprintf('%s-%05d: %%', $a, 1)", "String[4]"),
            ("Any $a, String $b", "sprintf($b, $a)", "String"),
            ("Any $a", "sha256($a)", "String[64, 64]"),
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
