//! The number of arguments or parameters, as a range.

use syntax::ast::{HasParameters, Lambda};

use types::Type;

/// A range of argument counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// The minimum.
    pub least: usize,
    /// The maximum; `None` if it is unlimited.
    pub most: Option<usize>,
}

impl Counts {
    /// Returns the number of arguments that a lambda accepts.
    pub(super) fn taken_by(lambda: &Lambda) -> Counts {
        let parameters = lambda.parameters();
        let rest = parameters.iter().any(|it| it.captures_rest());
        let required = parameters
            .iter()
            .filter(|it| it.default().is_none() && !it.captures_rest());
        Counts {
            least: required.count(),
            most: (!rest).then_some(parameters.len()),
        }
    }

    /// Returns the number of arguments passed to a lambda of this type; `None` if it is unknown.
    pub(super) fn given_to(block: &Type) -> Option<Counts> {
        match block {
            Type::Callable(it) => {
                let size = it.params()?.size_range();
                Some(Counts {
                    least: usize::try_from(size.min().unwrap_or(0)).ok()?,
                    most: size.max().and_then(|it| usize::try_from(it).ok()),
                })
            }
            Type::Optional(Some(inner)) => Counts::given_to(inner),
            Type::Variant(all) => Counts::of_one(all.iter().map(Counts::given_to)),
            _ => None,
        }
    }

    /// Joins several counts; `None` if one of them is unknown or there are none.
    pub(super) fn of_one(all: impl Iterator<Item = Option<Counts>>) -> Option<Counts> {
        all.reduce(|a, b| Some(a?.join(b?))).flatten()
    }

    /// Returns the smallest range that contains both.
    pub(super) fn join(self, other: Counts) -> Counts {
        Counts {
            least: self.least.min(other.least),
            most: self.most.zip(other.most).map(|(a, b)| a.max(b)),
        }
    }

    pub(super) fn contains(self, count: usize) -> bool {
        self.least <= count && self.most.is_none_or(|most| count <= most)
    }

    /// Checks whether the ranges have a common count.
    pub(super) fn overlaps(self, other: Counts) -> bool {
        self.most.is_none_or(|most| other.least <= most)
            && other.most.is_none_or(|most| self.least <= most)
    }

    /// Returns the count, if there is only one.
    pub(super) fn single(self) -> Option<usize> {
        self.most.filter(|it| *it == self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::reader::{BuiltInTypes, read};

    fn counts(least: usize, most: Option<usize>) -> Counts {
        Counts { least, most }
    }

    fn given(text: &str) -> Option<Counts> {
        Counts::given_to(&read(text, &BuiltInTypes).expect("it is a type"))
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
