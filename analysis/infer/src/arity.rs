//! The number of arguments or parameters that a function or lambda accepts, as a range.

use syntax::ast::{HasParameters, Lambda};

use types::Type;

/// A range of argument counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArityRange {
    /// The minimum.
    pub min: usize,
    /// The maximum; `None` if it is unlimited.
    pub max: Option<usize>,
}

impl ArityRange {
    /// Returns the range of a single count.
    pub(super) fn exactly(count: usize) -> ArityRange {
        ArityRange {
            min: count,
            max: Some(count),
        }
    }

    /// Returns the number of arguments that a lambda accepts.
    pub(super) fn of_lambda(lambda: &Lambda) -> ArityRange {
        let parameters = lambda.parameters();
        let rest = parameters.iter().any(|it| it.captures_rest());
        let required = parameters
            .iter()
            .filter(|it| it.default().is_none() && !it.captures_rest());
        ArityRange {
            min: required.count(),
            max: (!rest).then_some(parameters.len()),
        }
    }

    /// Returns the number of arguments passed to a lambda of this type; `None` if it is unknown.
    pub(super) fn of_callable(block: &Type) -> Option<ArityRange> {
        match block {
            Type::Callable(it) => {
                let size = it.params()?.size_range();
                Some(ArityRange {
                    min: usize::try_from(size.min().unwrap_or(0)).ok()?,
                    max: size.max().and_then(|it| usize::try_from(it).ok()),
                })
            }
            Type::Optional(Some(inner)) => ArityRange::of_callable(inner),
            Type::Variant(all) => ArityRange::join_all(all.iter().map(ArityRange::of_callable)),
            _ => None,
        }
    }

    /// Joins several counts; `None` if one of them is unknown or there are none.
    pub(super) fn join_all(all: impl Iterator<Item = Option<ArityRange>>) -> Option<ArityRange> {
        all.reduce(|a, b| Some(a?.join(b?))).flatten()
    }

    /// Returns the smallest range that contains both.
    pub(super) fn join(self, other: ArityRange) -> ArityRange {
        ArityRange {
            min: self.min.min(other.min),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    pub(super) fn contains(self, count: usize) -> bool {
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }

    /// Checks whether the ranges have a common count.
    pub(super) fn overlaps(self, other: ArityRange) -> bool {
        self.max.is_none_or(|max| other.min <= max) && other.max.is_none_or(|max| self.min <= max)
    }

    /// Returns the count, if there is only one.
    pub(super) fn single(self) -> Option<usize> {
        self.max.filter(|it| *it == self.min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::reader::{BuiltInTypes, read};

    fn counts(min: usize, max: Option<usize>) -> ArityRange {
        ArityRange { min, max }
    }

    fn given(text: &str) -> Option<ArityRange> {
        ArityRange::of_callable(&read(text, &BuiltInTypes).expect("it is a type"))
    }

    #[test]
    fn callable_types_determine_lambda_arguments() {
        assert_eq!(given("Callable[2, 2]"), Some(counts(2, Some(2))));
        assert_eq!(given("Optional[Callable[1, 1]]"), Some(counts(1, Some(1))));
        let either = given("Variant[Callable[1, 1], Callable[2, default]]");
        assert_eq!(either, Some(counts(1, None)));
        assert_eq!(given("Variant[Callable[1, 1], Callable]"), None);
    }

    #[test]
    fn counts_are_compared() {
        let some = counts(1, Some(2));
        assert!(some.contains(2) && !some.contains(0) && !some.contains(3));
        assert!(some.overlaps(counts(2, None)) && counts(2, None).overlaps(some));
        assert!(!some.overlaps(counts(3, None)) && !counts(3, None).overlaps(some));
        assert_eq!(
            (some.single(), counts(2, Some(2)).single()),
            (None, Some(2))
        );
    }
}
