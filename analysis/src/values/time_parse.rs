//! Times from text, in the formats that Puppet tries unless it is told one.

use super::Nanos;

/// Nanoseconds in a second.
const SECOND: i128 = 1_000_000_000;

/// Text that could be a time to Puppet, in a way that is not known here: with the name of a time
/// zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownZone;

/// A span of time from text: `days-hours:minutes:seconds.fraction` or a shorter form of it.
///
/// A minute and a second alone are no span to Puppet, a minute, a second and a fraction are.
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
        // The first part of all may be larger than what fits below the next.
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

/// A number of at most so many digits; without a limit, of as many as any practical time has.
fn digits(text: &str, max: Option<usize>) -> Option<i128> {
    /// Longer numbers of days or seconds are not taken.
    const MAX: usize = 18;
    let valid = !text.is_empty()
        && text.len() <= max.unwrap_or(MAX)
        && text.bytes().all(|it| it.is_ascii_digit());
    if valid { text.parse().ok() } else { None }
}

/// A point in time from text: a date, with a time of day after `T` or a blank, with a fraction, and
/// with a zone after it. `Ok(None)` if the text is none.
///
/// # Errors
///
/// If it ends in something that may be the name of a time zone.
pub fn parse_timestamp(text: &str) -> Result<Option<Nanos>, UnknownZone> {
    let mut reader = Reader { rest: text };
    let Some(date) = reader.date() else {
        return Ok(None);
    };
    let before_time = reader.rest;
    let time = match reader.time() {
        Some(time) => time,
        None => {
            reader.rest = before_time;
            0
        }
    };
    let zone = reader.rest.trim_start();
    if zone.is_empty() && reader.rest.is_empty() {
        return Ok(Some(Nanos::new(date + time)));
    }
    match offset(zone) {
        Some(offset) => Ok(Some(Nanos::new(date + time - offset))),
        None if zone.starts_with(|it: char| it.is_ascii_alphabetic() || "+-".contains(it)) => {
            Err(UnknownZone)
        }
        None => Ok(None),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// One to `max` digits.
    fn number(&mut self, max: usize) -> Option<i128> {
        let end = self
            .rest
            .bytes()
            .take(max)
            .take_while(u8::is_ascii_digit)
            .count();
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        number.parse().ok()
    }

    fn eat(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// `year-month-day`, as nanoseconds since the epoch.
    fn date(&mut self) -> Option<i128> {
        let year = self.number(9)?;
        self.eat("-")?;
        let month = self.number(2).filter(|it| (1..=12).contains(it))?;
        self.eat("-")?;
        let day = self.number(2).filter(|it| (1..=31).contains(it))?;
        // The days that a month lacks are the first ones of the next.
        Some((days_before(year, month) + day - 1) * 86_400 * SECOND)
    }

    /// `Thour:minute:second.fraction`, as nanoseconds.
    fn time(&mut self) -> Option<i128> {
        match self.eat("T") {
            Some(()) => {}
            None if self.rest.starts_with(char::is_whitespace) => {
                self.rest = self.rest.trim_start();
            }
            None => return None,
        }
        let hour = self.number(2).filter(|it| *it < 24)?;
        self.eat(":")?;
        let minute = self.number(2).filter(|it| *it < 60)?;
        self.eat(":")?;
        let second = self.number(2).filter(|it| *it < 60)?;
        let mut nanos = ((hour * 60 + minute) * 60 + second) * SECOND;
        if self.rest.starts_with('.') {
            self.eat(".")?;
            let before = self.rest.len();
            let fraction = self.number(9)?;
            let length = u32::try_from(before - self.rest.len()).ok()?;
            nanos += fraction * 10i128.pow(9 - length);
            // Further digits are below a nanosecond.
            self.rest = self.rest.trim_start_matches(|it: char| it.is_ascii_digit());
        }
        Some(nanos)
    }
}

/// The days from the epoch to the first of a month.
fn days_before(year: i128, month: i128) -> i128 {
    // Years that begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (153 * month + 2) / 5 - 719_468
}

/// How far the zone is ahead of UTC, in nanoseconds.
fn offset(zone: &str) -> Option<i128> {
    if ["UTC", "GMT", "Z"]
        .iter()
        .any(|it| zone.eq_ignore_ascii_case(it))
    {
        return Some(0);
    }
    let (sign, rest) = match zone.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, zone.strip_prefix('+')?),
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if rest.len() == 4 && rest.is_ascii() => rest.split_at(2),
        None => return None,
    };
    if hours.len() != 2 || minutes.len() != 2 {
        return None;
    }
    let minutes = digits(hours, Some(2))? * 60 + digits(minutes, Some(2))?;
    Some(sign * minutes * 60 * SECOND)
}

#[cfg(test)]
mod tests {
    use super::super::{timespan_text, timestamp_text};
    use super::*;

    #[test]
    fn spans_are_read_in_puppets_formats() {
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
    fn points_in_time_are_read_in_puppets_formats() {
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
        assert_eq!(read("2020-01-02 CET"), Err(UnknownZone));
    }
}
