//! `strftime`: formats times as Ruby does.

use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::functions::conversion::SpanFormat;
use crate::functions::{Call, Family};
use types::values::{self, Nanos, Value};

pub(in crate::functions) const FUNCTIONS: Family = &[(
    "strftime",
    &[
        ("Callable[Timespan, String]", timespan),
        ("Callable[Timestamp, String, String, 2, 3]", timestamp),
        ("Callable[String, String, 1, 2]", now),
    ],
)];

fn timespan(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    match (call.arg(0), call.arg(1)) {
        (Value::Timespan(span), Value::String(format)) => {
            SpanFormat::new(format)?.format(*span).map(Value::from)
        }
        _ => Err(call.error("expected a `Timespan` and a format")),
    }
}

fn now(_: &mut Evaluator<'_>, _: &Call<'_>) -> FlowResult {
    Err(ControlFlow::unknown("reads the clock"))
}

fn timestamp(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let (Value::Timestamp(time), Value::String(format)) = (call.arg(0), call.arg(1)) else {
        return Err(call.error("expected a `Timestamp` and a format"));
    };
    let offset = match call.arg(2).as_str().filter(|it| !it.is_empty()) {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("current") => {
            return Err(ControlFlow::unknown("depends on the time zone of the host"));
        }
        Some(name) => {
            let zone =
                values::zone(name).map_err(|_| ControlFlow::unknown("unsupported time zone"))?;
            let offset = zone.and_then(|it| it.offset);
            Some(offset.ok_or_else(|| call.error("unknown time zone"))?)
        }
    };
    // Ruby rejects offsets of a day or more, and Puppet truncates seconds.
    if offset.is_some_and(|it| it.unsigned_abs() >= 86_400 || it % 60 != 0) {
        return Err(ControlFlow::unknown("unsupported time zone"));
    }
    let local_time = LocalTime::new(*time, offset)?;
    local_time.text(format, 0).map(Value::from)
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// A point in time in the calendar of a time zone.
struct LocalTime {
    seconds: i128,
    nanos: i128,
    year: i128,
    month: i128,
    day: i128,
    /// Of the day.
    second: i128,
    /// Since Sunday.
    weekday: i128,
    /// Since the start of the year.
    year_day: i128,
    /// The offset from UTC in seconds; `None` for UTC itself.
    offset: Option<i64>,
}

/// The flags and the width of a directive.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// `-`, `_` or `0`.
    padding: Option<char>,
    upper: bool,
    change: bool,
    colons: usize,
    width: Option<usize>,
}

impl Flags {
    fn is_none(&self) -> bool {
        let plain = self.padding.is_none() && self.width.is_none() && self.colons == 0;
        plain && !self.upper && !self.change
    }
}

impl LocalTime {
    fn new(time: Nanos, offset: Option<i64>) -> FlowResult<LocalTime> {
        let seconds = time.get().div_euclid(1_000_000_000);
        let local = seconds + i128::from(offset.unwrap_or(0));
        let days = local.div_euclid(86_400);
        let (year, month, day) = values::civil(days);
        if !(0..=9999).contains(&year) {
            return Err(ControlFlow::unknown("year does not have four digits"));
        }
        Ok(LocalTime {
            seconds,
            nanos: time.get().rem_euclid(1_000_000_000),
            year,
            month,
            day,
            second: local.rem_euclid(86_400),
            weekday: (days + 4).rem_euclid(7),
            year_day: days - values::days_before(year, 1),
            offset,
        })
    }

    fn text(&self, format: &str, depth: u32) -> FlowResult<String> {
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(char) = chars.next() {
            if char != '%' {
                out.push(char);
                continue;
            }
            let mut flags = Flags::default();
            let letter = loop {
                let Some(char) = chars.next() else {
                    return Err(ControlFlow::unknown("incomplete format directive"));
                };
                match char {
                    '-' | '_' if flags.width.is_none() => flags.padding = Some(char),
                    '0' if flags.width.is_none() => flags.padding = Some('0'),
                    '^' => flags.upper = true,
                    '#' => flags.change = true,
                    ':' => flags.colons += 1,
                    '0'..='9' => {
                        let digit = usize::try_from(char.to_digit(10).unwrap_or(0)).unwrap_or(0);
                        let width = flags.width.unwrap_or(0) * 10 + digit;
                        /// Wider fields are not supported.
                        const WIDEST: usize = 1_000;
                        if width > WIDEST {
                            return Err(ControlFlow::unknown("value is too large"));
                        }
                        flags.width = Some(width);
                    }
                    letter => break letter,
                }
            };
            let letter = match (letter, flags.is_none()) {
                ('E' | 'O', true) => {
                    let other = if letter == 'E' {
                        "cCxXyY"
                    } else {
                        "deHkIlmMSuUVwWy"
                    };
                    match chars.clone().next().filter(|it| other.contains(*it)) {
                        // Another calendar or other digits, which do not differ here.
                        Some(modified) => {
                            chars.next();
                            modified
                        }
                        None => {
                            out.extend(['%', letter]);
                            continue;
                        }
                    }
                }
                _ => letter,
            };
            if flags.colons > 0 && letter != 'z' {
                return Err(ControlFlow::unknown(
                    "colon before a directive other than `%z`",
                ));
            }
            out.push_str(&self.directive(letter, flags, depth)?);
        }
        Ok(out)
    }

    fn directive(&self, letter: char, flags: Flags, depth: u32) -> FlowResult<String> {
        let (hour, minute) = (self.second / 3600, self.second / 60 % 60);
        let half_hour = (hour + 11) % 12 + 1;
        let number = |value, width, pad| Ok(flags.number(value, width, pad));
        let name = |names: &[&str], index: i128, len: Option<usize>| {
            let name = usize::try_from(index).ok().and_then(|it| names.get(it));
            let name = name.copied().unwrap_or_default();
            flags.name(&name[..len.unwrap_or(name.len())], true)
        };
        match letter {
            'Y' => number(self.year, 4, '0'),
            'C' => number(self.year / 100, 2, '0'),
            'y' => number(self.year % 100, 2, '0'),
            'm' => number(self.month, 2, '0'),
            'd' => number(self.day, 2, '0'),
            'e' => number(self.day, 2, ' '),
            'j' => number(self.year_day + 1, 3, '0'),
            'H' => number(hour, 2, '0'),
            'k' => number(hour, 2, ' '),
            'I' => number(half_hour, 2, '0'),
            'l' => number(half_hour, 2, ' '),
            'M' => number(minute, 2, '0'),
            'S' => number(self.second % 60, 2, '0'),
            's' => number(self.seconds, 1, '0'),
            'u' => number((self.weekday + 6) % 7 + 1, 1, '0'),
            'w' => number(self.weekday, 1, '0'),
            'U' => number((self.year_day + 7 - self.weekday) / 7, 2, '0'),
            'W' => number((self.year_day + 7 - (self.weekday + 6) % 7) / 7, 2, '0'),
            'G' => number(self.iso_week().0, 4, '0'),
            'g' => number(self.iso_week().0 % 100, 2, '0'),
            'V' => number(self.iso_week().1, 2, '0'),
            'A' => Ok(name(&DAYS, self.weekday, None)),
            'a' => Ok(name(&DAYS, self.weekday, Some(3))),
            'B' => Ok(name(&MONTHS, self.month - 1, None)),
            'b' | 'h' => Ok(name(&MONTHS, self.month - 1, Some(3))),
            'p' if flags.change && !flags.upper => {
                Ok(flags.name(if hour < 12 { "am" } else { "pm" }, false))
            }
            'p' => Ok(flags.name(if hour < 12 { "AM" } else { "PM" }, false)),
            'P' => Ok(flags.name(if hour < 12 { "am" } else { "pm" }, true)),
            'L' => Ok(self.fraction(flags.width.unwrap_or(3))),
            'N' => Ok(self.fraction(flags.width.unwrap_or(9))),
            'z' => self.zone(flags),
            'Z' => {
                let name = if self.offset.is_none() { "UTC" } else { "" };
                if flags.change {
                    return Err(ControlFlow::unknown("time zone name in another case"));
                }
                Ok(flags.name(name, false))
            }
            'n' => Ok(flags.name("\n", false)),
            't' => Ok(flags.name("\t", false)),
            '%' => Ok(flags.name("%", false)),
            letter => self.combined(letter, flags, depth),
        }
    }

    /// Formats a directive that stands for several others.
    fn combined(&self, letter: char, flags: Flags, depth: u32) -> FlowResult<String> {
        let parts = match letter {
            'c' => "%a %b %e %H:%M:%S %Y",
            'D' | 'x' => "%m/%d/%y",
            'F' => "%Y-%m-%d",
            'T' | 'X' => "%H:%M:%S",
            'R' => "%H:%M",
            'r' => "%I:%M:%S %p",
            'v' => "%e-%^b-%4Y",
            // Unknown directives are literal text.
            letter if flags.is_none() => return Ok(format!("%{letter}")),
            _ => return Err(ControlFlow::unknown("unsupported format directive")),
        };
        let plain = flags.width.is_none() && flags.padding.is_none();
        if depth > 0 || !plain || flags.change {
            return Err(ControlFlow::unknown("flags on a combined format directive"));
        }
        let text = self.text(parts, depth + 1)?;
        Ok(if flags.upper {
            text.to_ascii_uppercase()
        } else {
            text
        })
    }

    /// Returns a number of digits of the fraction, truncated.
    fn fraction(&self, digits: usize) -> String {
        let digits = if digits == 0 { 9 } else { digits };
        let all = format!("{:09}", self.nanos);
        all.chars()
            .chain(std::iter::repeat('0'))
            .take(digits)
            .collect()
    }

    fn zone(&self, flags: Flags) -> FlowResult<String> {
        if flags.width.is_some() || flags.padding.is_some() {
            return Err(ControlFlow::unknown("width of a time zone"));
        }
        let offset = self.offset.unwrap_or(0);
        let sign = if offset < 0 { '-' } else { '+' };
        let minutes = offset.unsigned_abs() / 60;
        let (hours, minutes) = (minutes / 60, minutes % 60);
        match flags.colons {
            0 => Ok(format!("{sign}{hours:02}{minutes:02}")),
            1 => Ok(format!("{sign}{hours:02}:{minutes:02}")),
            2 => Ok(format!("{sign}{hours:02}:{minutes:02}:00")),
            _ => Err(ControlFlow::unknown("time zone with more than two colons")),
        }
    }

    /// Returns the year and week of ISO 8601.
    fn iso_week(&self) -> (i128, i128) {
        let monday_based = (self.weekday + 6) % 7;
        let week = (self.year_day - monday_based + 10) / 7;
        let weeks_in = |year: i128| {
            let first = (values::days_before(year, 1) + 3).rem_euclid(7);
            let leap = values::days_before(year + 1, 1) - values::days_before(year, 1) == 366;
            // With weeks starting on Monday, a year has 53 weeks if it starts on a Thursday, or a
            // leap year if it starts on a Wednesday.
            if first == 3 || leap && first == 2 {
                53
            } else {
                52
            }
        };
        if week < 1 {
            (self.year - 1, weeks_in(self.year - 1))
        } else if week > weeks_in(self.year) {
            (self.year + 1, 1)
        } else {
            (self.year, week)
        }
    }
}

impl Flags {
    fn number(&self, value: i128, width: usize, pad: char) -> String {
        let width = self.width.filter(|it| *it > 0).unwrap_or(width);
        let zeros = match self.padding {
            Some('-') => return value.to_string(),
            Some('_') => false,
            Some(_) => true,
            None => pad == '0',
        };
        if zeros {
            format!("{value:0width$}")
        } else {
            format!("{value:width$}")
        }
    }

    fn name(&self, name: &str, changes: bool) -> String {
        let text = if self.upper || self.change && changes {
            name.to_ascii_uppercase()
        } else {
            name.to_owned()
        };
        let missing = self.width.unwrap_or(0).saturating_sub(text.len());
        let fill = match self.padding {
            Some('-') => "",
            Some('0') => "0",
            _ => " ",
        };
        format!("{}{text}", fill.repeat(missing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_times_as_ruby() {
        // 2021-01-03 04:05:06.07 UTC, a Sunday.
        let time = Nanos::new(1_609_646_706_070_000_000);
        let text =
            |format: &str, offset| LocalTime::new(time, offset).and_then(|it| it.text(format, 0));
        let cases = [
            ("%F %T.%3N", None, "2021-01-03 04:05:06.070"),
            ("%c", None, "Sun Jan  3 04:05:06 2021"),
            (
                "%-d.%-m.%y %_H|%10A|%^a|%#p",
                None,
                "3.1.21  4|    Sunday|SUN|am",
            ),
            ("%G-W%V-%u %U %W %j", None, "2020-W53-7 01 00 003"),
            ("%H:%M %z %:z [%Z]", Some(-16_200), "23:35 -0430 -04:30 []"),
            ("%s %Z %%", None, "1609646706 UTC %"),
        ];
        for (format, offset, expected) in cases {
            assert_eq!(text(format, offset), Ok(expected.to_owned()), "{format}");
        }
        assert_eq!(text("%Q %Ey", None), Ok("%Q 21".to_owned()));
    }
}
