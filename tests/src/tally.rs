//! Counts how often two sides agree.

use std::fmt;

/// A ratio of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of agreements.
    pub good: usize,
    /// The number of comparisons.
    pub all: usize,
}

impl Tally {
    /// Adds a comparison.
    pub fn add(&mut self, good: bool) {
        self.good += usize::from(good);
        self.all += 1;
    }

    /// Checks whether the ratio is at least `percent`; never for no comparisons.
    pub fn reaches(&self, percent: f64) -> bool {
        self.all > 0 && self.percent() >= percent
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    fn percent(&self) -> f64 {
        100.0 * self.good as f64 / self.all.max(1) as f64
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} ({:.2}%)", self.good, self.all, self.percent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_tally_does_not_reach_any_percentage() {
        let mut tally = Tally::default();
        assert!(!tally.reaches(0.0));
        tally.add(true);
        tally.add(false);
        assert!(tally.reaches(50.0) && !tally.reaches(50.1));
        assert_eq!(tally.to_string(), "1 of 2 (50.00%)");
    }
}
