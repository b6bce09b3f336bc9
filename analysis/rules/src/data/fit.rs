//! Whether values in data fit types.

use hiera::merge::MergeStrategy;
use types::Type;
use types::is_instance;
use types::mismatch::{Mismatch, Problem, Step, mismatches};
use types::precise::intersection;
use types::values::Value;

use super::values::PartialValue;

/// Checks whether a value certainly is not of a type.
pub(crate) fn is_wrong(wanted: &Type, given: &PartialValue) -> bool {
    match &given.value {
        Some(value) => is_instance(wanted, value) == Some(false),
        None => {
            intersection(wanted, &given.type_).is_none()
                || !certain_mismatches(wanted, &given.type_).is_empty()
        }
    }
}

/// Returns the mismatches between types that have no value in common. Values that interpolation completes may
/// match.
pub(crate) fn certain_mismatches(wanted: &Type, given: &Type) -> Vec<Mismatch> {
    let mut found = mismatches(wanted, given);
    found.retain(|it| match &it.problem {
        Problem::Type { expected, actual } => {
            expected.iter().all(|it| intersection(it, actual).is_none())
        }
        _ => true,
    });
    found
}

/// Checks whether a list has an element that does not fit.
pub(crate) fn has_wrong_element(wanted: &Type, given: &PartialValue) -> bool {
    let found = certain_mismatches(wanted, &given.type_);
    let mut found = found.iter().map(|it| (it.path.first(), &it.problem));
    found.any(|it| matches!(it, (Some(Step::Index(_)), Problem::Type { .. })))
}

/// Checks whether a value is wrong whatever other values add to it.
pub(crate) fn is_of_wrong_kind(wanted: &Type, given: &PartialValue) -> bool {
    let merged = match &given.type_ {
        Type::Hash(_) | Type::Struct(_) => Type::hash(Type::Any, Type::Any, None),
        Type::Array(_) | Type::Tuple(_) => Type::array(Type::Any, None),
        _ => return is_wrong(wanted, given),
    };
    intersection(wanted, &merged).is_none()
}

/// Checks for an array.
pub(crate) fn is_list(given: &PartialValue) -> bool {
    matches!(given.type_, Type::Array(_) | Type::Tuple(_))
}

/// Checks whether a value is wrong as a whole, whatever it is merged with.
pub(crate) fn is_wrong_after_merge(
    wanted: &Type,
    given: &PartialValue,
    merge: &MergeStrategy,
) -> bool {
    match (merge, &given.value) {
        // A value other than a list is one element.
        (MergeStrategy::Unique, Some(value)) if !is_list(given) => {
            let list = PartialValue::of_value(Value::array(vec![value.clone()]));
            is_wrong(wanted, &list)
                && !certain_mismatches(wanted, &list.type_)
                    .iter()
                    .all(|it| matches!(it.problem, Problem::Size { .. }))
        }
        (MergeStrategy::Hash, Some(value)) => {
            !matches!(value, Value::Hash(_)) && is_wrong(wanted, given)
        }
        // The value of the highest level applies if the others are of another kind.
        (MergeStrategy::Deep(_), Some(Value::Array(_))) => {
            intersection(wanted, &Type::array(Type::Any, None)).is_none()
        }
        (MergeStrategy::Deep(_), Some(value)) => {
            !matches!(value, Value::Hash(_)) && is_wrong(wanted, given)
        }
        _ => false,
    }
}
