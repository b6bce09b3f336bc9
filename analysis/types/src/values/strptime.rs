//! Parses timestamps with formats, as Ruby's date library does.

use super::Nanos;
use super::time_parse::days_before;
use super::zone::{UnknownZone, zone};

/// Puppet's default formats.
const WITH_ZONE: [&str; 5] = [
    "%FT%T.%N %Z",
    "%FT%T %Z",
    "%F %T.%N %Z",
    "%F %T %Z",
    "%F %Z",
];
/// Puppet's default formats if the time zone is a separate argument.
const WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = [
    "sunday",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
];

/// The components parsed so far.
#[derive(Clone, Default)]
struct Parsed {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    nanos: i64,
    /// Hours to add to a 12-hour clock.
    half: Option<i64>,
    /// The offset of the time zone, if one was parsed; the inner `None` is an unknown abbreviation.
    zone: Option<Option<i64>>,
}

/// Parses a timestamp with one or several formats, by default those of Puppet. If `listed` is set,
/// formats that do not match are skipped. Returns `None` if the string does not match.
///
/// # Errors
///
/// If Ruby may support a time zone name or directive that is not supported here.
pub fn read_timestamp(
    text: &str,
    formats: Option<&[&str]>,
    listed: bool,
    timezone: Option<&str>,
) -> Result<Option<Nanos>, UnknownZone> {
    let usual: Vec<&str> = match timezone {
        Some(_) => WITHOUT_ZONE.to_vec(),
        None => [WITH_ZONE, WITHOUT_ZONE].concat(),
    };
    for format in formats.unwrap_or(&usual) {
        let mut reader = Reader {
            rest: text,
            parsed: Parsed::default(),
        };
        let fits = reader.read(format, 0)?.is_some() && reader.rest.is_empty();
        if fits && (timezone.is_none() || reader.parsed.zone.is_none()) {
            return reader.parsed.time(timezone);
        }
        if !listed {
            return Ok(None);
        }
    }
    Ok(None)
}

impl Parsed {
    fn time(&self, timezone: Option<&str>) -> Result<Option<Nanos>, UnknownZone> {
        let offset = match (timezone, self.zone) {
            (Some(name), _) if name.eq_ignore_ascii_case("current") => return Err(UnknownZone),
            (Some(name), _) => zone(name)?.and_then(|it| it.offset),
            (None, Some(offset)) => offset,
            (None, None) => Some(0),
        };
        let (Some(offset), Some(year)) = (offset, self.year) else {
            return Ok(None);
        };
        let mut hour = self.hour.unwrap_or(0);
        if let Some(half) = self.half {
            hour = hour % 12 + half;
        }
        let (minute, second) = (self.minute.unwrap_or(0), self.second.unwrap_or(0));
        if hour == 24 && (minute > 0 || second > 0) {
            return Ok(None);
        }
        let days = days_before(year.into(), self.month.unwrap_or(1).into());
        let days = days + i128::from(self.day.unwrap_or(1)) - 1;
        let seconds = days * 86_400 + i128::from((hour * 60 + minute) * 60 + second - offset);
        Ok(Some(Nanos::new(
            seconds * 1_000_000_000 + i128::from(self.nanos),
        )))
    }
}

struct Reader<'a> {
    rest: &'a str,
    parsed: Parsed,
}

type Step = Result<Option<()>, UnknownZone>;

impl Reader<'_> {
    /// Parses with a format; `None` if the input does not match.
    fn read(&mut self, format: &str, depth: u32) -> Step {
        let mut chars = format.chars();
        while let Some(char) = chars.next() {
            let step = match char {
                '%' => {
                    let Some(mut letter) = chars.next() else {
                        return Err(UnknownZone);
                    };
                    while letter == ':' {
                        letter = chars.next().ok_or(UnknownZone)?;
                        if !matches!(letter, ':' | 'z') {
                            return Err(UnknownZone);
                        }
                    }
                    self.directive(letter, chars.as_str(), depth)?
                }
                ' ' | '\t'..='\r' => {
                    self.blanks();
                    Some(())
                }
                literal => self.eat(literal),
            };
            if step.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn blanks(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|it| matches!(it, ' ' | '\t'..='\r'));
    }

    fn eat(&mut self, char: char) -> Option<()> {
        self.rest = self.rest.strip_prefix(char)?;
        Some(())
    }

    /// Parses a number of up to `digits` digits within bounds.
    fn number(&mut self, digits: usize, min: i64, max: i64) -> Option<i64> {
        let end = self.rest.bytes().take(digits);
        let end = end.take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(end);
        let number = number.parse().ok()?;
        self.rest = rest;
        (min..=max).contains(&number).then_some(number)
    }

    /// Parses a number of two digits, the first of which may be a space.
    fn padded(&mut self, min: i64, max: i64) -> Option<i64> {
        let digits = if self.eat(' ').is_some() { 1 } else { 2 };
        self.number(digits, min, max)
    }

    /// Parses a name, in full or its first three letters, and returns its index.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (index, name) in (0i64..).zip(names) {
            for name in [name, &name[..3]] {
                let start = self.rest.get(..name.len());
                if start.is_some_and(|it| it.eq_ignore_ascii_case(name)) {
                    self.rest = &self.rest[name.len()..];
                    return Some(index);
                }
            }
        }
        None
    }

    fn directive(&mut self, letter: char, after: &str, depth: u32) -> Step {
        let parts = match letter {
            'F' => "%Y-%m-%d",
            'T' | 'X' => "%H:%M:%S",
            'R' => "%H:%M",
            'D' | 'x' => "%m/%d/%y",
            'c' => "%a %b %e %H:%M:%S %Y",
            'r' => "%I:%M:%S %p",
            'v' => "%e-%b-%Y",
            '+' => "%a %b %e %H:%M:%S %Z %Y",
            'n' | 't' => " ",
            letter => return self.simple(letter, after),
        };
        // The nested format does not see that digits follow.
        if starts_with_number(after) && matches!(letter, 'c' | 'v' | '+') {
            return Err(UnknownZone);
        }
        if depth > 2 {
            return Err(UnknownZone);
        }
        self.read(parts, depth + 1)
    }

    fn simple(&mut self, letter: char, after: &str) -> Step {
        /// The maximum number of digits of a year.
        const LONGEST: usize = 9;
        let (found, part) = match letter {
            'Y' => {
                if self.rest.starts_with(['-', '+']) {
                    return Err(UnknownZone);
                }
                let digits = if starts_with_number(after) {
                    4
                } else {
                    LONGEST
                };
                let found = self.number(digits, 0, i64::MAX);
                if found.is_some() && digits == LONGEST && starts_with_digit(self.rest) {
                    return Err(UnknownZone);
                }
                (found, &mut self.parsed.year)
            }
            'y' => {
                let found = self.number(2, 0, 99);
                let century = |it: i64| if it >= 69 { 1900 } else { 2000 };
                (found.map(|it| it + century(it)), &mut self.parsed.year)
            }
            'm' => (self.number(2, 1, 12), &mut self.parsed.month),
            'B' | 'b' | 'h' => (self.name(&MONTHS).map(|it| it + 1), &mut self.parsed.month),
            'd' | 'e' => (self.padded(1, 31), &mut self.parsed.day),
            'H' | 'k' => (self.padded(0, 24), &mut self.parsed.hour),
            'I' | 'l' => (self.padded(1, 12), &mut self.parsed.hour),
            'M' => (self.number(2, 0, 59), &mut self.parsed.minute),
            'S' => (self.number(2, 0, 60), &mut self.parsed.second),
            'p' | 'P' => (self.half(), &mut self.parsed.half),
            'A' | 'a' => return Ok(self.name(&DAYS).map(drop)),
            'L' | 'N' => return self.fraction(if letter == 'L' { 3 } else { 9 }, after),
            'Z' | 'z' => {
                let Some(zone) = zone(self.rest)? else {
                    return Ok(None);
                };
                self.rest = self.rest.get(zone.len..).unwrap_or_default();
                self.parsed.zone = Some(zone.offset);
                return Ok(Some(()));
            }
            'j' => return Ok(self.number(3, 1, 366).map(drop)),
            'u' => return Ok(self.number(1, 1, 7).map(drop)),
            'w' => return Ok(self.number(1, 0, 6).map(drop)),
            '%' => return Ok(self.eat('%')),
            _ => return Err(UnknownZone),
        };
        if found.is_some() {
            *part = found;
        }
        Ok(found.map(drop))
    }

    fn half(&mut self) -> Option<i64> {
        let lower = self.rest.to_ascii_lowercase();
        for (name, hours) in [("a.m.", 0), ("am", 0), ("p.m.", 12), ("pm", 12)] {
            let word_goes_on = lower
                .strip_prefix(name)
                .is_some_and(|it| it.starts_with(|it: char| it.is_alphanumeric() || it == '_'));
            if lower.starts_with(name) && !word_goes_on {
                self.rest = &self.rest[name.len()..];
                return Some(hours);
            }
        }
        None
    }

    /// Parses a fraction of a second: all digits, or up to `digits` if the format continues with
    /// digits.
    fn fraction(&mut self, digits: usize, after: &str) -> Step {
        if self.rest.starts_with(['-', '+']) {
            return Err(UnknownZone);
        }
        let limit = if starts_with_number(after) {
            digits
        } else {
            usize::MAX
        };
        let end = self.rest.bytes().take(limit);
        let end = end.take_while(u8::is_ascii_digit).count();
        if end == 0 {
            return Ok(None);
        }
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        // Truncate to nanoseconds.
        let nanos = format!("{:0<9}", &digits[..end.min(9)]);
        self.parsed.nanos = nanos.parse().map_err(|_| UnknownZone)?;
        Ok(Some(()))
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit())
}

/// Checks whether the format continues with digits.
fn starts_with_number(format: &str) -> bool {
    const NUMERIC: &str = "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy0123456789";
    match format.strip_prefix('%') {
        Some(rest) => rest
            .trim_start_matches(['E', 'O'])
            .starts_with(|it| NUMERIC.contains(it)),
        None => starts_with_digit(format),
    }
}

#[cfg(test)]
mod tests {
    use super::super::timestamp_text;
    use super::*;

    #[test]
    fn parses_timestamps_with_formats() {
        let read = |text, format| {
            let time = read_timestamp(text, Some(&[format]), false, None);
            time.map(|it| it.map(|it| timestamp_text(it).replace("000000000 ", "")))
        };
        let cases = [
            ("20200102", "%Y%m%d", "2020-01-02T00:00:00.UTC"),
            ("Thu Jan  2 03:04:05 2020", "%c", "2020-01-02T03:04:05.UTC"),
            ("1/2/69 12 PM", "%m/%d/%y %I %p", "1969-01-02T12:00:00.UTC"),
            ("2020-02-30 24:00:00", "%F %T", "2020-03-02T00:00:00.UTC"),
            ("2020-01-02 CEST", "%F %Z", "2020-01-01T22:00:00.UTC"),
        ];
        for (text, format, expected) in cases {
            assert_eq!(read(text, format), Ok(Some(expected.to_owned())), "{text}");
        }
        for (text, format) in [
            ("2020", "%m"),
            ("2020-01-02x", "%F"),
            ("03:04", "%R"),
            ("", "%F"),
        ] {
            assert_eq!(read(text, format), Ok(None), "{text}");
        }
        assert!(read("5 1", "%U %u").is_err());
    }
}
