//! Arithmetic with `Timespan` and `Timestamp`.
//!
//! From `evaluator_impl.rb`, `time_span.rb` and `timestamp.rb`.

use syntax::SyntaxKind;
use types::precise::union;
use types::{TimeRange, Type};

/// The kinds of operands that operators of times distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    Number,
    Timespan,
    Timestamp,
}

/// Returns the types, besides numbers, that are comparable with numbers.
pub(super) fn time_types() -> [Type; 2] {
    [
        Type::Timespan(TimeRange::ALL),
        Type::Timestamp(TimeRange::ALL),
    ]
}

/// Returns the result of an operator if an operand is a time, and `None` for other operands; the inner
/// `None` is a failure. The right operand may be of an unknown kind.
pub(super) fn timed(
    operator: SyntaxKind,
    left: &Type,
    right: &Type,
    is_unknown: bool,
) -> Option<Option<Type>> {
    let is_time = |it: &Type| matches!(it, Type::Timespan(_) | Type::Timestamp(_));
    let left_operand = operand(left)?;
    if !is_time(left) && !is_time(right) {
        return None;
    }
    let right = match operand(right) {
        Some(it) => vec![it],
        None if is_unknown => vec![Operand::Number, Operand::Timespan, Operand::Timestamp],
        None => return Some(Some(Type::Any)),
    };
    let results = right.into_iter();
    let results: Vec<_> = results
        .filter_map(|it| result(operator, left_operand, it))
        .collect();
    Some((!results.is_empty()).then(|| union(results)))
}

fn operand(type_: &Type) -> Option<Operand> {
    match type_ {
        Type::Integer(_) | Type::Float(_) | Type::Numeric => Some(Operand::Number),
        Type::Timespan(_) => Some(Operand::Timespan),
        Type::Timestamp(_) => Some(Operand::Timestamp),
        _ => None,
    }
}

fn result(operator: SyntaxKind, left: Operand, right: Operand) -> Option<Type> {
    use Operand::{Number, Timespan, Timestamp};
    use SyntaxKind::{MINUS, PERCENT, PLUS, SLASH, STAR};
    let [timespan, timestamp] = time_types();
    match (operator, left, right) {
        (PLUS, Timestamp, Timestamp) => None,
        (PLUS, Timestamp, _) | (PLUS, _, Timestamp) => Some(timestamp),
        (MINUS, Timestamp, Timestamp) => Some(timespan),
        (MINUS, Timestamp, _) => Some(timestamp),
        (PLUS | MINUS, Timespan, Number | Timespan)
        | (PLUS | MINUS | STAR, Number, Timespan)
        | (STAR | SLASH, Timespan, Number) => Some(timespan),
        (SLASH, Timespan, Timespan) => Some(Type::FLOAT),
        (PERCENT, Timespan, Number) => Some(Type::INTEGER),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::reader::{BuiltInTypes, read};

    fn check(operator: SyntaxKind, left: &str, right: &str, expected: &str) {
        let ty = |text| read(text, &BuiltInTypes).expect("it is a type");
        let (left_type, right_type) = (ty(left), ty(right));
        let is_unknown = right_type == Type::Any;
        let found = timed(operator, &left_type, &right_type, is_unknown).expect("it is a time");
        let found = found.map_or("error".to_owned(), |it| it.to_string());
        assert_eq!(found, expected, "{left} {operator:?} {right}");
    }

    #[test]
    fn times_are_added_and_scaled() {
        use SyntaxKind::*;
        assert_eq!(timed(PLUS, &Type::INTEGER, &Type::FLOAT, false), None);
        check(PLUS, "Timestamp", "Integer", "Timestamp");
        check(PLUS, "Float", "Timestamp", "Timestamp");
        check(MINUS, "Timestamp", "Timestamp", "Timespan");
        check(MINUS, "Timestamp", "Timespan", "Timestamp");
        check(PLUS, "Timespan", "Timestamp", "Timestamp");
        check(MINUS, "Integer", "Timespan", "Timespan");
        check(STAR, "Timespan", "Float", "Timespan");
        check(SLASH, "Timespan", "Timespan", "Float");
        check(PERCENT, "Timespan", "Integer", "Integer");
        check(SLASH, "Timespan", "Any", "Variant[Timespan, Float]");
        check(PLUS, "Timestamp", "String", "Any");
    }

    #[test]
    fn times_are_not_multiplied() {
        use SyntaxKind::*;
        check(STAR, "Timestamp", "Integer", "error");
        check(SLASH, "Timestamp", "Any", "error");
        check(PLUS, "Timestamp", "Timestamp", "error");
        check(MINUS, "Timespan", "Timestamp", "error");
        check(MINUS, "Integer", "Timestamp", "error");
        check(STAR, "Timespan", "Timespan", "error");
        check(SLASH, "Integer", "Timespan", "error");
    }
}
