//! Ranges of integers, floats and times. Both bounds are inclusive.

use std::sync::Arc;

use crate::values::Nanos;

/// A range of integers. A bound of `None` is unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntRange {
    min: Option<i64>,
    max: Option<i64>,
}

impl IntRange {
    /// Every integer.
    pub const ALL: IntRange = IntRange {
        min: None,
        max: None,
    };
    /// Every size: zero or more.
    pub const SIZE: IntRange = IntRange {
        min: Some(0),
        max: None,
    };
    /// Every size except zero.
    pub const NOT_EMPTY: IntRange = IntRange {
        min: Some(1),
        max: None,
    };

    /// Creates a range; returns `None` if it would be empty.
    pub fn new(min: Option<i64>, max: Option<i64>) -> Option<IntRange> {
        match (min, max) {
            (Some(min), Some(max)) if min > max => None,
            _ => Some(IntRange { min, max }),
        }
    }

    /// Returns the range that contains a single number.
    pub fn exactly(value: i64) -> IntRange {
        IntRange {
            min: Some(value),
            max: Some(value),
        }
    }

    /// Returns the range that contains a single size.
    pub fn exactly_len(len: usize) -> IntRange {
        IntRange::exactly(i64::try_from(len).unwrap_or(i64::MAX))
    }

    /// Returns the range from `min` upwards.
    pub fn at_least(min: i64) -> IntRange {
        IntRange {
            min: Some(min),
            max: None,
        }
    }

    /// Returns the range between two bounds, given in any order.
    pub fn between(min: i64, max: i64) -> IntRange {
        IntRange {
            min: Some(min.min(max)),
            max: Some(min.max(max)),
        }
    }

    /// Returns the lower bound.
    pub fn min(self) -> Option<i64> {
        self.min
    }

    /// Returns the upper bound.
    pub fn max(self) -> Option<i64> {
        self.max
    }

    /// Checks whether both bounds are missing.
    pub fn is_unbounded(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Checks whether both bounds are present.
    pub fn is_finite(self) -> bool {
        self.min.is_some() && self.max.is_some()
    }

    /// Returns the number in the range, if there is exactly one.
    pub fn single(self) -> Option<i64> {
        self.min.filter(|_| self.min == self.max)
    }

    /// Returns the number of integers in the range; `None` if it is unbounded or does not fit a
    /// `u64`.
    pub fn count(self) -> Option<u64> {
        let span = i128::from(self.max?) - i128::from(self.min?) + 1;
        u64::try_from(span).ok()
    }

    /// Checks whether the range contains the number.
    pub fn contains(self, value: i64) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }

    /// Checks whether the range contains the size.
    pub fn contains_len(self, len: usize) -> bool {
        self.contains(i64::try_from(len).unwrap_or(i64::MAX))
    }

    /// Checks whether `other` is a subrange.
    pub fn covers(self, other: IntRange) -> bool {
        let below = self
            .min
            .is_none_or(|min| other.min.is_some_and(|it| min <= it));
        let above = self
            .max
            .is_none_or(|max| other.max.is_some_and(|it| it <= max));
        below && above
    }

    /// Clamps the range to sizes: negative bounds become zero.
    pub fn to_size(self) -> IntRange {
        if self.min.is_some_and(|min| min >= 0) {
            return self;
        }
        IntRange {
            min: Some(0),
            max: self.max.map(|max| max.max(0)),
        }
    }

    /// Returns the range of the sums of a number of each range, saturating.
    #[must_use]
    pub fn plus(self, other: IntRange) -> IntRange {
        let sum = |a: Option<i64>, b: Option<i64>| Some(a?.saturating_add(b?));
        IntRange {
            min: sum(self.min, other.min),
            max: sum(self.max, other.max),
        }
    }

    /// Returns the smallest range that contains both ranges.
    pub fn hull(self, other: IntRange) -> IntRange {
        IntRange {
            min: self.min.zip(other.min).map(|(a, b)| a.min(b)),
            max: self.max.zip(other.max).map(|(a, b)| a.max(b)),
        }
    }

    /// Returns the intersection, if it is not empty.
    pub fn intersection(self, other: IntRange) -> Option<IntRange> {
        let min = later(self.min, other.min, i64::max);
        let max = later(self.max, other.max, i64::min);
        IntRange::new(min, max)
    }

    /// Returns the difference of the two ranges if it is a single range; `None` if it is empty or
    /// has a gap.
    pub fn without(self, other: IntRange) -> Option<IntRange> {
        let below = other.min.and_then(|it| it.checked_sub(1));
        let above = other.max.and_then(|it| it.checked_add(1));
        let below = below.and_then(|it| IntRange::new(None, Some(it))?.intersection(self));
        let above = above.and_then(|it| IntRange::new(Some(it), None)?.intersection(self));
        match (below, above) {
            (Some(only), None) | (None, Some(only)) => Some(only),
            _ => None,
        }
    }

    /// Returns the union of the two ranges if they overlap or are adjacent.
    pub fn merge(self, other: IntRange) -> Option<IntRange> {
        let follows = |a: IntRange, b: IntRange| {
            a.max
                .zip(b.min)
                .is_some_and(|(end, start)| end.checked_add(1) == Some(start))
        };
        let touch =
            self.intersection(other).is_some() || follows(self, other) || follows(other, self);
        touch.then(|| self.hull(other))
    }
}

/// Combines two bounds with `pick`; a missing bound is ignored.
fn later<T>(a: Option<T>, b: Option<T>, pick: fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(pick(a, b)),
        (a, b) => a.or(b),
    }
}

/// A range of floats. A bound of `None` is unbounded; bounds are never NaN or infinite.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatRange {
    min: Option<f64>,
    max: Option<f64>,
}

impl FloatRange {
    /// Every float.
    pub const ALL: FloatRange = FloatRange {
        min: None,
        max: None,
    };

    /// Creates a range; returns `None` if it would be empty. Bounds that are not finite count as
    /// unbounded.
    pub fn new(min: Option<f64>, max: Option<f64>) -> Option<FloatRange> {
        let (min, max) = (
            min.filter(|it| it.is_finite()),
            max.filter(|it| it.is_finite()),
        );
        match (min, max) {
            (Some(min), Some(max)) if min > max => None,
            _ => Some(FloatRange { min, max }),
        }
    }

    /// Returns the range that contains a single number.
    pub fn exactly(value: f64) -> FloatRange {
        FloatRange {
            min: Some(value),
            max: Some(value),
        }
    }

    /// Returns the lower bound.
    pub fn min(self) -> Option<f64> {
        self.min
    }

    /// Returns the upper bound.
    pub fn max(self) -> Option<f64> {
        self.max
    }

    /// Checks whether both bounds are missing.
    pub fn is_unbounded(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Returns the number in the range, if there is exactly one.
    pub fn single(self) -> Option<f64> {
        self.min.filter(|_| self.min == self.max)
    }

    /// Checks whether the range contains the number.
    pub fn contains(self, value: f64) -> bool {
        self.min.is_none_or(|min| min <= value) && self.max.is_none_or(|max| value <= max)
    }

    /// Checks whether `other` is a subrange.
    pub fn covers(self, other: FloatRange) -> bool {
        let below = self
            .min
            .is_none_or(|min| other.min.is_some_and(|it| min <= it));
        let above = self
            .max
            .is_none_or(|max| other.max.is_some_and(|it| it <= max));
        below && above
    }

    /// Returns the smallest range that contains both ranges.
    pub fn hull(self, other: FloatRange) -> FloatRange {
        FloatRange {
            min: self
                .min
                .zip(other.min)
                .map(|(a, b)| if b < a { b } else { a }),
            max: self
                .max
                .zip(other.max)
                .map(|(a, b)| if b > a { b } else { a }),
        }
    }

    /// Returns the intersection, if it is not empty.
    pub fn intersection(self, other: FloatRange) -> Option<FloatRange> {
        let min = later(self.min, other.min, f64::max);
        let max = later(self.max, other.max, f64::min);
        FloatRange::new(min, max)
    }

    /// Returns the union of the two ranges if they overlap.
    pub fn merge(self, other: FloatRange) -> Option<FloatRange> {
        self.intersection(other).map(|_| self.hull(other))
    }
}

/// A range of timespans or timestamps. A bound of `None` is unbounded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TimeRange(Option<Arc<(Option<Nanos>, Option<Nanos>)>>);

impl TimeRange {
    /// Every time.
    pub const ALL: TimeRange = TimeRange(None);

    /// Creates a range; returns `None` if it would be empty.
    pub fn new(min: Option<Nanos>, max: Option<Nanos>) -> Option<TimeRange> {
        match (min, max) {
            (None, None) => Some(TimeRange(None)),
            (Some(min), Some(max)) if min > max => None,
            ends => Some(TimeRange(Some(Arc::new(ends)))),
        }
    }

    /// Returns the range that contains a single time.
    pub fn exactly(value: Nanos) -> TimeRange {
        TimeRange(Some(Arc::new((Some(value), Some(value)))))
    }

    /// Returns the lower bound.
    pub fn min(&self) -> Option<Nanos> {
        self.0.as_ref()?.0
    }

    /// Returns the upper bound.
    pub fn max(&self) -> Option<Nanos> {
        self.0.as_ref()?.1
    }

    /// Checks whether both bounds are missing.
    pub fn is_unbounded(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the time in the range, if there is exactly one.
    pub fn single(&self) -> Option<Nanos> {
        self.min().filter(|_| self.min() == self.max())
    }

    /// Checks whether the range contains the time.
    pub fn contains(&self, value: Nanos) -> bool {
        self.min().is_none_or(|min| min <= value) && self.max().is_none_or(|max| value <= max)
    }

    /// Checks whether `other` is a subrange.
    pub fn covers(&self, other: &TimeRange) -> bool {
        let below = self
            .min()
            .is_none_or(|min| other.min().is_some_and(|it| min <= it));
        let above = self
            .max()
            .is_none_or(|max| other.max().is_some_and(|it| it <= max));
        below && above
    }

    /// Returns the intersection, if it is not empty.
    pub fn intersection(&self, other: &TimeRange) -> Option<TimeRange> {
        let min = later(self.min(), other.min(), Nanos::max);
        let max = later(self.max(), other.max(), Nanos::min);
        TimeRange::new(min, max)
    }

    /// Returns the smallest range that contains both ranges.
    pub fn hull(&self, other: &TimeRange) -> TimeRange {
        let min = self.min().zip(other.min()).map(|(a, b)| a.min(b));
        let max = self.max().zip(other.max()).map(|(a, b)| a.max(b));
        TimeRange::new(min, max).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(min: impl Into<Option<i64>>, max: impl Into<Option<i64>>) -> IntRange {
        IntRange::new(min.into(), max.into()).expect("a valid range")
    }

    #[test]
    fn covers_compares_both_bounds() {
        assert!(range(1, 10).covers(range(2, 3)));
        assert!(range(1, None).covers(range(2, None)));
        assert!(!range(1, 10).covers(range(0, 5)));
        assert!(!range(1, 10).covers(range(5, None)));
        assert!(IntRange::ALL.covers(IntRange::ALL));
    }

    #[test]
    fn rejects_empty_ranges() {
        assert_eq!(IntRange::new(Some(5), Some(1)), None);
        assert_eq!(FloatRange::new(Some(5.0), Some(1.0)), None);
    }

    #[test]
    fn to_size_clamps_to_zero() {
        assert_eq!(range(-5, 3).to_size(), range(0, 3));
        assert_eq!(range(-5, -3).to_size(), range(0, 0));
        assert_eq!(IntRange::ALL.to_size(), IntRange::SIZE);
        assert_eq!(range(2, 3).to_size(), range(2, 3));
    }

    #[test]
    fn merges_adjacent_ranges() {
        assert_eq!(range(1, 2).merge(range(3, 4)), Some(range(1, 4)));
        assert_eq!(range(1, 2).merge(range(4, 5)), None);
        assert_eq!(range(4, None).merge(range(None, 5)), Some(IntRange::ALL));
        assert_eq!(
            range(None, i64::MAX).merge(range(1, 2)),
            Some(range(None, i64::MAX))
        );
    }

    #[test]
    fn count_does_not_overflow() {
        assert_eq!(range(i64::MIN, i64::MAX).count(), None);
        assert_eq!(range(0, i64::MAX).count(), Some(1 << 63));
        assert_eq!(range(1, None).count(), None);
    }
}
