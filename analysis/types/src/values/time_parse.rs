//! Parses times in Puppet's default formats.

use super::Nanos;
use super::strptime::read_timestamp;
use super::zone::UnknownZone;

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// Parses a timespan: `days-hours:minutes:seconds.fraction` or a shorter form of it.
///
/// Like Puppet, accepts minutes and seconds only together with a fraction.
pub fn parse_timespan(text: &str) -> Option<Nanos> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (days, rest) = match unsigned.split_once('-') {
        Some((days, rest)) => (Some(digits(days, None)?), rest),
        None => (None, unsigned),
    };
    let (rest, fraction) = match rest.split_once('.') {
        Some((rest, fraction)) => (rest, Some(fraction)),
        None => (rest, None),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let number = |index: usize| {
        // The leading component may exceed the range of its unit.
        let total = index == 0 && days.is_none();
        digits(parts.get(index)?, if total { None } else { Some(2) })
    };
    let seconds = match (days, parts.len(), fraction) {
        (_, 3, _) => {
            let days = days.unwrap_or(0);
            ((days.checked_mul(24)? + number(0)?) * 60 + number(1)?) * 60 + number(2)?
        }
        (Some(days), 2, None) => ((days.checked_mul(24)? + number(0)?) * 60 + number(1)?) * 60,
        (None, 2, Some(_)) => number(0)? * 60 + number(1)?,
        (None, 1, _) => number(0)?,
        _ => return None,
    };
    let nanos = match fraction {
        Some(text) => {
            let number = digits(text, Some(9))?;
            number * 10i128.pow(9 - u32::try_from(text.len()).ok()?)
        }
        None => 0,
    };
    let total = seconds.checked_mul(SECOND)? + nanos;
    Some(Nanos::new(if text.starts_with('-') {
        -total
    } else {
        total
    }))
}

/// Parses a number of at most `max` digits.
fn digits(text: &str, max: Option<usize>) -> Option<i128> {
    /// The default maximum number of digits of days or seconds.
    const MAX: usize = 18;
    let valid = !text.is_empty()
        && text.len() <= max.unwrap_or(MAX)
        && text.bytes().all(|it| it.is_ascii_digit());
    if valid { text.parse().ok() } else { None }
}

/// Parses a timestamp: a date, optionally followed by `T` or a space and a time with an optional
/// fraction, and by a time zone. Returns `Ok(None)` if the string does not match.
///
/// # Errors
///
/// If it ends in an unsupported name that may be a time zone.
pub fn parse_timestamp(text: &str) -> Result<Option<Nanos>, UnknownZone> {
    read_timestamp(text, None, true, None)
}

/// Returns the days from the epoch to the first of a month.
pub fn days_before(year: i128, month: i128) -> i128 {
    // Years start in March, so that the leap day is the last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (153 * month + 2) / 5 - 719_468
}

#[cfg(test)]
mod tests {
    use super::super::{timespan_text, timestamp_text};
    use super::*;

    #[test]
    fn parses_timespans_in_puppets_formats() {
        let read = |text| parse_timespan(text).map(timespan_text);
        assert_eq!(read("1-2:3:4.5").as_deref(), Some("1-02:03:04.5"));
        assert_eq!(read("1:2:3").as_deref(), Some("0-01:02:03.0"));
        assert_eq!(read("1:2.25").as_deref(), Some("0-00:01:02.25"));
        assert_eq!(read("100").as_deref(), Some("0-00:01:40.0"));
        assert_eq!(read("1-2:3").as_deref(), Some("1-02:03:00.0"));
        assert_eq!(read("-5").as_deref(), Some("-0-00:00:05.0"));
        for text in ["00:01", "-1:2", " 5", "", "1:2:345", "1-2", "5.", "1-2:3.5"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn parses_timestamps_in_puppets_formats() {
        let read = |text| parse_timestamp(text).map(|it| it.map(timestamp_text));
        let cases = [
            ("2020-01-02", "2020-01-02T00:00:00.000000000 UTC"),
            ("2020-1-2", "2020-01-02T00:00:00.000000000 UTC"),
            ("2020-02-30", "2020-03-01T00:00:00.000000000 UTC"),
            (
                "2020-01-02 03:04:05 +0200",
                "2020-01-02T01:04:05.000000000 UTC",
            ),
            (
                "2020-01-02T03:04:05.5 UTC",
                "2020-01-02T03:04:05.500000000 UTC",
            ),
            ("1969-12-31T23:59:59", "1969-12-31T23:59:59.000000000 UTC"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), Ok(Some(expected.to_owned())), "{text}");
        }
        assert_eq!(read("2020-13-02"), Ok(None));
        assert_eq!(read("x"), Ok(None));
        assert_eq!(
            read("2020-01-02 CET"),
            Ok(Some("2020-01-01T23:00:00.000000000 UTC".to_owned()))
        );
        assert_eq!(read("2020-01-02 Jerusalem"), Err(UnknownZone));
    }
}
