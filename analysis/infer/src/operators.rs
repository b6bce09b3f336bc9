//! The result types of operators, as pure functions of the operand types. `None` means that Puppet
//! fails for all values.
//!
//! The rules are those of Puppet's evaluator (`evaluator_impl.rb`), which `eval::arithmetic`
//! implements for values.

use syntax::SyntaxKind;

use super::time_operators::{time_types, timed};
use types::precise::{MAX_ALTERNATIVES, collection_size, union};
use types::{FloatRange, HashType, IntRange, TimeRange, TupleType, Type, UriConstraints};

/// Splits a type into its alternatives, resolving type aliases and `Optional`.
pub(super) fn alternatives(type_: &Type) -> Vec<Type> {
    let mut found = Vec::new();
    collect(type_, &mut found, 8);
    found
}

fn collect(type_: &Type, into: &mut Vec<Type>, depth: u32) {
    match type_ {
        _ if depth == 0 => into.push(Type::Any),
        Type::Variant(all) => all.iter().for_each(|it| collect(it, into, depth - 1)),
        Type::Optional(inner) => {
            into.push(Type::Undef);
            if let Some(inner) = inner {
                collect(inner, into, depth - 1);
            }
        }
        Type::Alias(alias) => collect(&alias.resolved(), into, depth - 1),
        Type::NotUndef(Some(inner)) => {
            let mut inside = Vec::new();
            collect(inner, &mut inside, depth - 1);
            inside.retain(|it| !matches!(it, Type::Undef));
            for it in inside {
                into.push(match it {
                    Type::Any => Type::NotUndef(None),
                    it => it,
                });
            }
        }
        Type::Scalar => {
            into.extend([Type::ScalarData, Type::Regexp(None)]);
            into.extend(time_types());
            into.extend([Type::sem_ver(Vec::new()), Type::SemVerRange]);
        }
        Type::ScalarData => into.extend([Type::STRING, Type::INTEGER, Type::FLOAT, Type::BOOLEAN]),
        Type::Numeric => into.extend([Type::INTEGER, Type::FLOAT]),
        _ => into.push(type_.clone()),
    }
}

/// Returns the union of many types without comparing each pair of them.
pub(super) fn union_of_many(types: impl IntoIterator<Item = Type>) -> Type {
    let mut joined: Vec<Type> = Vec::new();
    for type_ in types {
        if joined.last() == Some(&type_) {
            continue;
        }
        joined.push(type_);
        if joined.len() >= 4 * MAX_ALTERNATIVES {
            let so_far = union(std::mem::take(&mut joined));
            joined.push(so_far);
        }
    }
    union(joined)
}

/// Applies an operation to each alternative; `None` if it fails for all of them.
fn each(type_: &Type, operation: impl Fn(&Type) -> Option<Type>) -> Option<Type> {
    let all = alternatives(type_);
    let results: Vec<Type> = all.iter().filter_map(operation).collect();
    (!results.is_empty() || all.is_empty()).then(|| union(results))
}

/// Returns the type of the array that `*` unfolds a value to.
pub(super) fn splat_type(type_: &Type) -> Type {
    each(type_, |it| {
        Some(match it {
            Type::Array(_) | Type::Tuple(_) => it.clone(),
            Type::Undef => Type::empty_array(),
            Type::Type(Some(of)) if matches!(**of, Type::Resource(_) | Type::Class(_)) => {
                Type::tuple([it.clone()], None)
            }
            Type::Hash(hash) => Type::array(pair(hash), hash.size()),
            Type::Struct(_) => Type::array(Type::any_array(), None),
            Type::Any | Type::NotUndef(None) | Type::Collection(_) => Type::any_array(),
            Type::Iterator(inner) | Type::Iterable(inner) => {
                let inner = inner.as_ref().map_or(Type::Any, |it| (**it).clone());
                match it {
                    Type::Iterator(_) => Type::array(inner, None),
                    _ => Type::any_array(),
                }
            }
            Type::Object(_) | Type::ObjectExtension(_) | Type::Type(_) | Type::Init(_) => {
                Type::any_array()
            }
            other => Type::tuple([other.clone()], None),
        })
    })
    .unwrap_or_else(Type::any_array)
}

/// Returns the type of the key-value pairs of a hash.
pub(super) fn pair(hash: &HashType) -> Type {
    Type::tuple([hash.key().clone(), hash.value().clone()], None)
}

/// Returns the size of a collection or the length of a string.
pub(super) fn size_of(type_: &Type) -> IntRange {
    let sizes = alternatives(type_).into_iter().map(|it| match &it {
        Type::String(it) => it.size(),
        Type::Enum(it) => it.lengths().unwrap_or(IntRange::SIZE),
        it => collection_size(it).map_or(IntRange::SIZE, IntRange::to_size),
    });
    sizes.reduce(IntRange::hull).unwrap_or(IntRange::SIZE)
}

/// Returns the element type of an array; `None` for other types.
pub(super) fn element_of(type_: &Type) -> Option<Type> {
    let all = alternatives(type_);
    let found = all.iter().map(|it| match it {
        Type::Array(it) => Some(it.element().clone()),
        // An unparameterized `Tuple` does not constrain its elements.
        Type::Tuple(it) if it.types().is_empty() => Some(Type::Any),
        Type::Tuple(it) => Some(union_of_many(it.types().iter().cloned())),
        _ => None,
    });
    let found: Option<Vec<Type>> = found.collect();
    found.map(union)
}

/// Unary minus; `is_strict` is whether Puppet fails instead of converting strings to numbers.
pub(super) fn negated(type_: &Type, is_strict: bool) -> Option<Type> {
    each(type_, |it| match it {
        Type::Integer(range) => {
            let negate = |it: Option<i64>| it.and_then(i64::checked_neg);
            Some(integer(negate(range.max()), negate(range.min())))
        }
        Type::Float(range) => {
            let negate = |it: Option<f64>| it.map(|it| -it);
            let range = FloatRange::new(negate(range.max()), negate(range.min()));
            Some(range.map_or(Type::FLOAT, Type::Float))
        }
        Type::Timespan(_) => Some(Type::Timespan(TimeRange::ALL)),
        _ if is_word(it) => None,
        _ if is_string(it) => (!is_strict).then_some(Type::Numeric),
        Type::Any | Type::NotUndef(None) => Some(Type::Any),
        Type::Init(_) | Type::Iterable(_) => Some(Type::Any),
        _ => None,
    })
}

fn integer(min: Option<i64>, max: Option<i64>) -> Type {
    Type::integer(min, max).unwrap_or(Type::INTEGER)
}

/// Checks for string types. Puppet converts strings that look like numbers in arithmetic.
pub(super) fn is_string(type_: &Type) -> bool {
    matches!(type_, Type::String(_) | Type::Enum(_) | Type::Pattern(_))
}

/// Checks whether a type may contain values of any kind that the operator accepts.
fn is_of_unknown_kind(type_: &Type) -> bool {
    matches!(
        type_,
        Type::Any
            | Type::Unit
            | Type::NotUndef(None)
            | Type::Init(_)
            | Type::Iterable(_)
            | Type::Collection(_)
            | Type::Object(_)
            | Type::ObjectExtension(_)
            | Type::Recursion(_)
            | Type::Iterator(_)
            | Type::Binary
    )
}

/// Arithmetic, shift and collection operators; `is_strict` is whether Puppet fails instead of
/// converting strings to numbers.
pub(super) fn arithmetic(
    operator: SyntaxKind,
    left: &Type,
    right: &Type,
    is_strict: bool,
) -> Option<Type> {
    let (left, right) = (alternatives(left), alternatives(right));
    if left.len() * right.len() > 256 {
        return Some(Type::Any);
    }
    let mut results = Vec::new();
    for a in &left {
        for b in &right {
            results.extend(one(operator, a, b, is_strict));
        }
    }
    let nothing_at_all = left.is_empty() || right.is_empty();
    (!results.is_empty() || nothing_at_all).then(|| union(results))
}

fn one(operator: SyntaxKind, left: &Type, right: &Type, is_strict: bool) -> Option<Type> {
    use SyntaxKind::*;
    if is_of_unknown_kind(left) {
        return Some(Type::Any);
    }
    if let Some(result) = timed(operator, left, right, is_of_unknown_kind(right)) {
        return result;
    }
    match (operator, left) {
        (SHL, Type::Array(_) | Type::Tuple(_)) => Some(appended(left, right)),
        (PLUS, Type::Array(_) | Type::Tuple(_)) => Some(concatenated(left, right)),
        (MINUS, Type::Array(_) | Type::Tuple(_)) => Some(deleted(left)),
        (PLUS, Type::Hash(_) | Type::Struct(_)) => merged(left, right),
        (MINUS, Type::Hash(_) | Type::Struct(_)) => Some(Type::hash(
            hash_parts(left).0,
            hash_parts(left).1,
            Some(IntRange::between(
                0,
                size_of(left).max().unwrap_or(i64::MAX),
            )),
        )),
        (PLUS, Type::Uri(_)) => Some(Type::Uri(None::<UriConstraints>)),
        _ if is_strict && (is_string(left) || is_string(right)) => None,
        _ => numeric(operator, left, right),
    }
}

fn numeric(operator: SyntaxKind, left: &Type, right: &Type) -> Option<Type> {
    use SyntaxKind::*;
    if is_of_unknown_kind(right) {
        return numeric(operator, left, &Type::INTEGER).map(|_| Type::Numeric);
    }
    match (left, right) {
        (Type::Integer(a), Type::Integer(b)) => integers(operator, *a, *b),
        (Type::Float(_), Type::Integer(_) | Type::Float(_))
        | (Type::Integer(_), Type::Float(_)) => match operator {
            PLUS | MINUS | STAR | SLASH | PERCENT => Some(Type::FLOAT),
            _ => None,
        },
        (a, b) if is_word(a) || is_word(b) => None,
        (a, b) if is_string(a) && (is_string(b) || is_number(b)) => text_number(operator),
        (a, b) if is_number(a) && is_string(b) => text_number(operator),
        _ => None,
    }
}

/// Checks for strings that are certainly no numbers.
fn is_word(type_: &Type) -> bool {
    let is_word = |it: &str| !it.contains(|it: char| it.is_ascii_digit());
    match type_ {
        Type::String(it) => it.value().is_some_and(|it| is_word(it)),
        Type::Enum(it) => it.values().iter().all(|it| is_word(it)),
        _ => false,
    }
}

/// Checks whether all values of a type are strings or numbers.
pub(super) fn is_string_or_number(type_: &Type) -> bool {
    let all = alternatives(type_);
    !all.is_empty() && all.iter().all(|it| is_string(it) || is_number(it))
}

fn is_number(type_: &Type) -> bool {
    matches!(type_, Type::Integer(_) | Type::Float(_))
}

fn text_number(operator: SyntaxKind) -> Option<Type> {
    Some(match operator {
        SyntaxKind::SHL | SyntaxKind::SHR => Type::INTEGER,
        _ => Type::Numeric,
    })
}

/// Returns the result type of an integer operation. Puppet fails on results that exceed 64 bits, so
/// these are excluded.
fn integers(operator: SyntaxKind, a: IntRange, b: IntRange) -> Option<Type> {
    use SyntaxKind::*;
    let (a1, a2) = bounds(a);
    let (b1, b2) = bounds(b);
    let hull = |all: [i128; 4]| {
        let low = all.iter().min().copied();
        let high = all.iter().max().copied();
        range(low, high)
    };
    match operator {
        PLUS => range(Some(a1 + b1), Some(a2 + b2)),
        MINUS => range(Some(a1 - b2), Some(a2 - b1)),
        STAR => hull([a1 * b1, a1 * b2, a2 * b1, a2 * b2]),
        SLASH => {
            if b.single() == Some(0) {
                return None;
            }
            quotient((a1, a2), (b1, b2))
        }
        PERCENT => {
            if b.single() == Some(0) {
                return None;
            }
            // The remainder has the sign of the divisor.
            range(Some((b1 + 1).min(0)), Some((b2 - 1).max(0)))
        }
        SHL | SHR => {
            let same_sign = a1 >= 0;
            Some(if same_sign {
                integer(Some(0), None)
            } else {
                Type::INTEGER
            })
        }
        _ => None,
    }
}

/// Integer division, which rounds down. Zero is excluded as a divisor because Puppet fails.
fn quotient((a1, a2): (i128, i128), (b1, b2): (i128, i128)) -> Option<Type> {
    let mut results = Vec::new();
    for (low, high) in [(b1, b2.min(-1)), (b1.max(1), b2)] {
        if low > high {
            continue;
        }
        for a in [a1, a2] {
            for b in [low, high] {
                results.push(div_floor(a, b));
            }
        }
    }
    range(results.iter().min().copied(), results.iter().max().copied())
}

fn div_floor(a: i128, b: i128) -> i128 {
    let exact = a % b == 0;
    a / b - i128::from(!exact && (a < 0) != (b < 0))
}

fn bounds(range: IntRange) -> (i128, i128) {
    let min = range.min().unwrap_or(i64::MIN);
    let max = range.max().unwrap_or(i64::MAX);
    (i128::from(min), i128::from(max))
}

/// Returns the type of the integers in a range; `None` if none of them fits into 64 bits. The
/// limits of 64 bits become open ends, as no user writes them.
fn range(low: Option<i128>, high: Option<i128>) -> Option<Type> {
    let (low, high) = (low?, high?);
    let (min, max) = (i128::from(i64::MIN), i128::from(i64::MAX));
    if low > max || high < min {
        return None;
    }
    let low = i64::try_from(low.max(min))
        .ok()
        .filter(|it| *it != i64::MIN);
    let high = i64::try_from(high.min(max))
        .ok()
        .filter(|it| *it != i64::MAX);
    Some(integer(low, high))
}

// ---- collections -----------------------------------------------------------------

fn appended(list: &Type, element: &Type) -> Type {
    match list {
        Type::Tuple(it) if is_exact(it) => {
            let all = it.types().iter().cloned().chain([element.clone()]);
            tuple(all.collect())
        }
        list => {
            let elements = element_of(list).unwrap_or(Type::Any);
            let size = size_of(list).plus(IntRange::exactly(1));
            Type::array(union([elements, element.clone()]), Some(size))
        }
    }
}

/// The maximum number of element types in a tuple.
const MAX_TUPLE: usize = 64;

fn tuple(types: Vec<Type>) -> Type {
    if types.is_empty() {
        return Type::empty_array();
    }
    if types.len() <= MAX_TUPLE {
        return Type::tuple(types, None);
    }
    let size = IntRange::exactly_len(types.len());
    Type::array(union_of_many(types), Some(size))
}

fn is_exact(tuple: &TupleType) -> bool {
    tuple.size().is_none()
}

/// Concatenates an array with another array, the pairs of a hash, or a single value.
fn concatenated(left: &Type, right: &Type) -> Type {
    let right = match right {
        Type::Array(_) | Type::Tuple(_) => right.clone(),
        Type::Hash(it) => Type::array(pair(it), it.size()),
        Type::Struct(_) => Type::array(Type::any_array(), Some(size_of(right))),
        // The right operand may be an array or a single element.
        it if is_of_unknown_kind(it) || matches!(it, Type::Iterator(_)) => {
            let least = size_of(left).min().unwrap_or(0);
            return Type::array(Type::Any, Some(IntRange::at_least(least)));
        }
        other => Type::tuple([other.clone()], None),
    };
    if is_empty(left) {
        return right;
    }
    if is_empty(&right) {
        return left.clone();
    }
    match (left, &right) {
        (Type::Tuple(a), Type::Tuple(b)) if is_exact(a) && is_exact(b) => {
            tuple(a.types().iter().chain(b.types()).cloned().collect())
        }
        _ => {
            let elements = [left, &right].map(|it| element_of(it).unwrap_or(Type::Any));
            let size = size_of(left).plus(size_of(&right));
            Type::array(union(elements), Some(size))
        }
    }
}

fn is_empty(type_: &Type) -> bool {
    size_of(type_).max() == Some(0)
}

fn deleted(list: &Type) -> Type {
    let most = size_of(list).max().unwrap_or(i64::MAX);
    let elements = element_of(list).unwrap_or(Type::Any);
    Type::array(elements, Some(IntRange::between(0, most)))
}

/// Returns the key and value types of a hash.
pub(super) fn hash_parts(type_: &Type) -> (Type, Type) {
    match type_ {
        Type::Hash(it) => (it.key().clone(), it.value().clone()),
        Type::Struct(it) => {
            let keys = it
                .elements()
                .iter()
                .map(|it| Type::string_value(it.name.clone()));
            let values = it.elements().iter().map(|it| it.value.clone());
            (union_of_many(keys), union_of_many(values))
        }
        _ => (Type::Any, Type::Any),
    }
}

/// Merges two hashes, with precedence for the right one; `None` if the right operand cannot be
/// converted to a hash.
pub(super) fn merged(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        (Type::Struct(a), Type::Struct(b)) => {
            let mut all = a.elements().to_vec();
            for element in b.elements() {
                let before = all.iter_mut().find(|it| it.name == element.name);
                match before {
                    Some(it) if element.is_optional() => {
                        it.value = union([it.value.clone(), element.value.clone()]);
                    }
                    Some(it) => *it = element.clone(),
                    None => all.push(element.clone()),
                }
            }
            Some(Type::structure(all))
        }
        (_, Type::Hash(_) | Type::Struct(_)) => {
            if is_empty(right) {
                return Some(left.clone());
            }
            if is_empty(left) {
                return Some(right.clone());
            }
            let (a, b) = (hash_parts(left), hash_parts(right));
            let (left, right) = (size_of(left), size_of(right));
            let least = left.min().unwrap_or(0).max(right.min().unwrap_or(0));
            let size = IntRange::new(Some(least), left.plus(right).max());
            Some(Type::hash(union([a.0, b.0]), union([a.1, b.1]), size))
        }
        // Puppet tries to convert the array to a hash.
        (_, Type::Array(_) | Type::Tuple(_)) => Some(Type::any_hash()),
        (_, it) if is_of_unknown_kind(it) || matches!(it, Type::Iterator(_)) => {
            Some(Type::any_hash())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::reader::{BuiltInTypes, read};

    fn ty(text: &str) -> Type {
        read(text, &BuiltInTypes).expect("it is a type")
    }

    fn check(operator: SyntaxKind, left: &str, right: &str, expected: &str) {
        let found = arithmetic(operator, &ty(left), &ty(right), true);
        let found = found.map_or("error".to_owned(), |it| it.to_string());
        assert_eq!(found, expected, "{left} {operator:?} {right}");
    }

    #[test]
    fn arithmetic_computes_ranges() {
        use SyntaxKind::*;
        check(PLUS, "Integer[1, 2]", "Integer[10, 20]", "Integer[11, 22]");
        check(
            MINUS,
            "Integer[1, 2]",
            "Integer[10, 20]",
            "Integer[-19, -8]",
        );
        check(STAR, "Integer[-2, 3]", "Integer[4, 5]", "Integer[-10, 15]");
        check(SLASH, "Integer[7, 9]", "Integer[2, 3]", "Integer[2, 4]");
        check(SLASH, "Integer[-7, 7]", "Integer[-2, 2]", "Integer[-7, 7]");
        check(SLASH, "Integer", "Integer[0, 0]", "error");
        check(PERCENT, "Integer", "Integer[10, 10]", "Integer[0, 9]");
        check(PLUS, "Integer[1]", "Integer[1]", "Integer[2]");
        check(PLUS, "Integer", "Float", "Float");
        check(PLUS, "Boolean", "Integer", "error");
        check(PLUS, "Integer", "String", "error");
        check(
            PLUS,
            "Variant[Boolean, Integer[1, 1]]",
            "Integer[1, 1]",
            "Integer[2, 2]",
        );
    }

    #[test]
    fn collections_are_concatenated() {
        use SyntaxKind::*;
        check(
            PLUS,
            "Tuple[String, Integer]",
            "Tuple[Float]",
            "Tuple[String, Integer, Float]",
        );
        check(
            PLUS,
            "Array[String, 1, 2]",
            "Array[Integer, 3, 4]",
            "Array[Variant[String, Integer], 4, 6]",
        );
        check(
            SHL,
            "Array[String]",
            "Integer",
            "Array[Variant[String, Integer], 1]",
        );
        check(
            PLUS,
            "Struct[{a => String}]",
            "Struct[{b => Integer}]",
            "Struct[{'a' => String, 'b' => Integer}]",
        );
        check(PLUS, "Hash[String, String]", "Integer", "error");
    }
}
