//! Durations and timestamps, in nanoseconds.

use std::fmt;

/// A number of nanoseconds: a duration, or a point in time relative to the epoch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos {
    // Split in two, because the alignment of an i128 would enlarge every value by 16 bytes.
    high: i64,
    low: u64,
}

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

impl Nanos {
    /// Creates a duration from nanoseconds.
    pub const fn new(nanos: i128) -> Nanos {
        Nanos {
            high: (nanos >> 64) as i64,
            low: nanos as u64,
        }
    }

    /// Returns the number of nanoseconds.
    pub const fn get(self) -> i128 {
        ((self.high as i128) << 64) | self.low as i128
    }

    /// Creates a duration from seconds.
    pub fn from_seconds(seconds: i64) -> Nanos {
        Nanos::new(i128::from(seconds) * SECOND)
    }

    /// Creates a duration from seconds, truncated to nanoseconds; `None` if it is out of range.
    pub fn from_float(seconds: f64) -> Option<Nanos> {
        let nanos = (seconds * 1e9).trunc();
        (nanos.abs() < 1e37).then(|| Nanos::new(nanos as i128))
    }

    /// Returns the seconds, rounded down; `None` if they do not fit in 64 bits.
    pub fn whole_seconds(self) -> Option<i64> {
        i64::try_from(self.get().div_euclid(SECOND)).ok()
    }

    /// Returns the seconds, with a fraction.
    pub fn seconds(self) -> f64 {
        ratio(self.get(), SECOND)
    }
}

/// Divides with correct rounding for numbers of any practical size.
pub fn ratio(numerator: i128, denominator: i128) -> f64 {
    if denominator == 0 {
        return numerator as f64 / 0.0;
    }
    let whole = numerator / denominator;
    let rest = numerator % denominator;
    let exact = 1i128 << 53;
    if numerator.abs() < exact && denominator.abs() < exact {
        return numerator as f64 / denominator as f64;
    }
    // Convert to a decimal string, which the standard library rounds correctly.
    let mut digits = format!(
        "{}{}.",
        if (numerator < 0) != (denominator < 0) {
            "-"
        } else {
            ""
        },
        whole.unsigned_abs()
    );
    let (mut rest, denominator) = (rest.unsigned_abs(), denominator.unsigned_abs());
    for _ in 0..40 {
        let Some(tenfold) = rest.checked_mul(10) else {
            break;
        };
        digits.push(char::from(
            b'0' + u8::try_from(tenfold / denominator).unwrap_or(9),
        ));
        rest = tenfold % denominator;
        if rest == 0 {
            break;
        }
    }
    digits.push('0');
    digits.parse().unwrap_or(f64::NAN)
}

impl fmt::Debug for Nanos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ns", self.get())
    }
}

/// Formats a timespan as Puppet does: `1-02:03:04.5`, with a sign if it is negative.
///
/// The fraction is Puppet's: the number of nanoseconds without trailing zeros, so that `.5` may
/// mean half a second or five nanoseconds.
pub fn timespan_text(span: Nanos) -> String {
    let total = span.get().unsigned_abs();
    let sign = if span.get() < 0 { "-" } else { "" };
    let seconds = total / SECOND.unsigned_abs();
    let nanos = total % SECOND.unsigned_abs();
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, seconds) = (seconds / 60 % 60, seconds % 60);
    let digits = nanos.to_string();
    let fraction = match digits.trim_end_matches('0') {
        "" => "0",
        fraction => fraction,
    };
    format!("{sign}{days}-{hours:02}:{minutes:02}:{seconds:02}.{fraction}")
}

/// Formats a timestamp as Puppet does: `2020-01-02T03:04:05.678000000 UTC`.
pub fn timestamp_text(time: Nanos) -> String {
    let seconds = time.get().div_euclid(SECOND);
    let nanos = time.get().rem_euclid(SECOND);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let year = if year < 0 {
        format!("-{:04}", -year)
    } else {
        format!("{year:04}")
    };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09} UTC")
}

/// Converts days since the epoch to year, month and day of the proleptic Gregorian calendar.
pub fn civil(days: i128) -> (i128, i128, i128) {
    // Years start in March, in cycles of 400.
    const CYCLE: i128 = 146_097;
    let shifted = days + 719_468;
    let (cycle, day) = (shifted.div_euclid(CYCLE), shifted.rem_euclid(CYCLE));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year + cycle * 400 + i128::from(month <= 2);
    (year, month, day_of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_keep_their_sign_and_order() {
        for number in [0, 1, -1, i128::from(i64::MAX) * 4, -(1i128 << 100)] {
            assert_eq!(Nanos::new(number).get(), number);
        }
        assert!(Nanos::new(-1) < Nanos::new(0));
        assert!(Nanos::new(-2) < Nanos::new(-1));
        assert_eq!(Nanos::new(-1).whole_seconds(), Some(-1));
    }

    #[test]
    fn formats_timespans_with_days() {
        let span = |nanos| timespan_text(Nanos::new(nanos));
        assert_eq!(span(93_784 * SECOND), "1-02:03:04.0");
        assert_eq!(span(2_500_000_000), "0-00:00:02.5");
        assert_eq!(span(5), "0-00:00:00.5");
        assert_eq!(span(500), "0-00:00:00.5");
        assert_eq!(span(-SECOND), "-0-00:00:01.0");
    }

    #[test]
    fn formats_timestamps_in_utc() {
        let time = |nanos| timestamp_text(Nanos::new(nanos));
        assert_eq!(time(0), "1970-01-01T00:00:00.000000000 UTC");
        assert_eq!(
            time(1_577_934_245_678_000_000),
            "2020-01-02T03:04:05.678000000 UTC"
        );
        assert_eq!(
            time(951_782_400 * SECOND),
            "2000-02-29T00:00:00.000000000 UTC"
        );
        assert_eq!(time(-SECOND), "1969-12-31T23:59:59.000000000 UTC");
    }

    #[test]
    fn rounds_quotients_once() {
        assert_eq!(ratio(1, 3), 1.0 / 3.0);
        assert_eq!(ratio(-3_000_000_000, SECOND), -3.0);
        assert_eq!(
            Nanos::new(1_577_934_245_678_000_000).seconds(),
            1577934245.678
        );
    }
}
