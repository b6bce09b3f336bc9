//! Whether values in data fit types.

use types::Type;
use types::is_instance;
use types::mismatch::{Mismatch, Problem, Step, mismatches};
use types::precise::intersection;

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
