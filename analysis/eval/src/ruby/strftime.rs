//! `Time#strftime`.

use std::fmt;

use strftime::Time;
use types::values::{self, Nanos};

/// The maximum length of a formatted time, in bytes.
const MAX_LENGTH: usize = 64 * 1024;

/// Formats a point in time as Ruby does. `offset` is the number of seconds east of UTC; `None` is
/// UTC itself.
///
/// # Errors
///
/// The reason why the result is unknown.
pub(crate) fn strftime(
    time: Nanos,
    offset: Option<i64>,
    format: &str,
) -> Result<String, &'static str> {
    let time = LocalTime::new(time, offset).ok_or("unsupported year")?;
    let mut out = Limited(String::new());
    strftime::fmt::strftime(&time, format, &mut out).map_err(|_| "unsupported time format")?;
    Ok(out.0)
}

/// A string of a limited length.
struct Limited(String);

impl fmt::Write for Limited {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_LENGTH {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// A point in time in the calendar of a time zone.
struct LocalTime {
    seconds: i64,
    nanos: u32,
    year: i32,
    month: u8,
    day: u8,
    day_of_week: u8,
    day_of_year: u16,
    second_of_day: u32,
    offset: Option<i32>,
}

impl LocalTime {
    /// Returns `None` if the time is too far away for the fields.
    fn new(time: Nanos, offset: Option<i64>) -> Option<LocalTime> {
        let seconds = time.whole_seconds()?;
        let local = i128::from(seconds) + i128::from(offset.unwrap_or(0));
        let days = local.div_euclid(86_400);
        let (year, month, day) = values::civil(days);
        Some(LocalTime {
            seconds,
            nanos: time.get().rem_euclid(1_000_000_000).try_into().ok()?,
            year: year.try_into().ok()?,
            month: month.try_into().ok()?,
            day: day.try_into().ok()?,
            day_of_week: (days + 4).rem_euclid(7).try_into().ok()?,
            day_of_year: (days - values::days_before(year, 1) + 1).try_into().ok()?,
            second_of_day: local.rem_euclid(86_400).try_into().ok()?,
            offset: offset.map(i32::try_from).transpose().ok()?,
        })
    }
}

impl Time for LocalTime {
    fn year(&self) -> i32 {
        self.year
    }

    fn month(&self) -> u8 {
        self.month
    }

    fn day(&self) -> u8 {
        self.day
    }

    fn hour(&self) -> u8 {
        (self.second_of_day / 3600) as u8
    }

    fn minute(&self) -> u8 {
        (self.second_of_day / 60 % 60) as u8
    }

    fn second(&self) -> u8 {
        (self.second_of_day % 60) as u8
    }

    fn nanoseconds(&self) -> u32 {
        self.nanos
    }

    fn day_of_week(&self) -> u8 {
        self.day_of_week
    }

    fn day_of_year(&self) -> u16 {
        self.day_of_year
    }

    fn to_int(&self) -> i64 {
        self.seconds
    }

    fn is_utc(&self) -> bool {
        self.offset.is_none()
    }

    fn utc_offset(&self) -> i32 {
        self.offset.unwrap_or(0)
    }

    fn time_zone(&self) -> &str {
        if self.is_utc() { "UTC" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_times_as_ruby_does() {
        // 2021-01-03 04:05:06.07 UTC, a Sunday.
        let time = Nanos::new(1_609_646_706_070_000_000);
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
            ("%Q %Ey", None, "%Q 21"),
            ("%12F|%^10x|%_8z", None, "  2021-01-03|  01/03/21|    +000"),
        ];
        for (format, offset, expected) in cases {
            assert_eq!(
                strftime(time, offset, format),
                Ok(expected.to_owned()),
                "{format}"
            );
        }
        let first_year = Nanos::from_seconds(-62_300_000_000);
        assert_eq!(
            strftime(first_year, None, "%F %C"),
            Ok("-0005-10-17 -1".to_owned())
        );
    }

    #[test]
    fn limits_the_length() {
        let format = |format| strftime(Nanos::new(0), None, format);
        assert!(format("%100000000Y").is_err());
        assert!(format(&"%9999Y".repeat(1000)).is_err());
    }
}
