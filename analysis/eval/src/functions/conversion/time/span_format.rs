//! Formats of time spans, for both parsing and formatting.

use super::super::scalar::escaped;
use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use types::values::{Nanos, Regexp};

/// Nanoseconds in a second.
const SECOND: u128 = 1_000_000_000;

/// A format such as `%D-%H:%M:%S`.
pub(in crate::functions) struct SpanFormat {
    segments: Vec<Segment>,
}

enum Segment {
    Literal(String),
    Field(Field),
}

struct Field {
    unit: Unit,
    /// The padding character, if any.
    pad: Option<char>,
    width: Option<usize>,
    /// Whether it contains the whole rest of the span, because it is the largest unit.
    total: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

impl Unit {
    fn of(letter: char) -> Option<Unit> {
        Some(match letter {
            'D' => Unit::Day,
            'H' => Unit::Hour,
            'M' => Unit::Minute,
            'S' => Unit::Second,
            'L' => Unit::Millisecond,
            'N' => Unit::Nanosecond,
            _ => return None,
        })
    }

    /// Returns the default width.
    fn width(self) -> usize {
        match self {
            Unit::Day => 1,
            Unit::Hour | Unit::Minute | Unit::Second => 2,
            Unit::Millisecond => 3,
            Unit::Nanosecond => 9,
        }
    }

    fn nanos(self) -> u128 {
        match self {
            Unit::Day => 86_400 * SECOND,
            Unit::Hour => 3600 * SECOND,
            Unit::Minute => 60 * SECOND,
            Unit::Second => SECOND,
            Unit::Millisecond => 1_000_000,
            Unit::Nanosecond => 1,
        }
    }

    fn is_fraction(self) -> bool {
        self < Unit::Second
    }
}

impl SpanFormat {
    /// Parses a format.
    pub(in crate::functions) fn new(text: &str) -> FlowResult<SpanFormat> {
        let refused = || conversion_error("invalid format of a `Timespan`");
        let mut segments = Vec::new();
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            if char == '%' {
                directive(&mut segments, &mut chars).ok_or_else(refused)?;
            } else {
                literal(&mut segments, char);
            }
        }
        let fields = segments.iter_mut().filter_map(|it| match it {
            Segment::Field(field) => Some(field),
            Segment::Literal(_) => None,
        });
        let mut fields: Vec<&mut Field> = fields.collect();
        let highest = fields.iter().map(|it| it.unit).max();
        if let Some(first) = fields.iter_mut().find(|it| Some(it.unit) == highest) {
            first.total = true;
        }
        Ok(SpanFormat { segments })
    }

    /// Parses a time span; `None` if the string does not match the format.
    pub(in crate::functions) fn parse(&self, text: &str) -> FlowResult<Option<Nanos>> {
        let mut pattern = String::from(r"\A-?");
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => pattern += &format!("({})", escaped(literal)),
                Segment::Field(field) => pattern += &field.pattern(),
            }
        }
        pattern += r"\z";
        let found = Regexp::new(&pattern).captures(text);
        let found = found.map_err(|_| ControlFlow::unknown("unsupported format"))?;
        let Some(captures) = found else {
            return Ok(None);
        };
        let mut total = 0i128;
        for (segment, group) in self.segments.iter().zip(captures.groups.iter().skip(1)) {
            let (Segment::Field(field), Some(group)) = (segment, group) else {
                continue;
            };
            let digits = group.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
            if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
                return Ok(None);
            }
            let Some(nanos) = field.nanos(digits)? else {
                return Ok(None);
            };
            total += nanos;
        }
        Ok(Some(Nanos::new(if text.starts_with('-') {
            -total
        } else {
            total
        })))
    }

    /// Formats a time span.
    pub(in crate::functions) fn format(&self, span: Nanos) -> FlowResult<String> {
        /// Wider fields are not supported.
        const WIDEST: usize = 10_000;
        let total = span.get().unsigned_abs();
        let mut out = String::from(if span.get() < 0 { "-" } else { "" });
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => out.push_str(literal),
                Segment::Field(field) if field.width.is_some_and(|it| it > WIDEST) => {
                    return Err(ControlFlow::unknown("value is too large"));
                }
                Segment::Field(field) => out.push_str(&field.text(total)),
            }
        }
        Ok(out)
    }
}

fn literal(segments: &mut Vec<Segment>, char: char) {
    if let Some(Segment::Literal(text)) = segments.last_mut() {
        text.push(char);
    } else {
        segments.push(Segment::Literal(char.into()));
    }
}

/// Parses a directive after `%`.
fn directive(segments: &mut Vec<Segment>, chars: &mut std::str::Chars<'_>) -> Option<()> {
    let mut field = Field {
        unit: Unit::Day,
        pad: Some('0'),
        width: None,
        total: false,
    };
    let mut first = true;
    loop {
        let char = chars.next()?;
        match char {
            '%' => {
                literal(segments, '%');
                return Some(());
            }
            '-' if first => field.pad = None,
            '_' if first => field.pad = Some(' '),
            '0' if first => field.pad = Some('0'),
            '0'..='9' => {
                let digit = usize::try_from(char.to_digit(10)?).ok()?;
                let width = field.width.unwrap_or(0).saturating_mul(10);
                field.width = Some(width.saturating_add(digit));
            }
            letter => {
                field.unit = Unit::of(letter)?;
                segments.push(Segment::Field(field));
                return Some(());
            }
        }
        first = false;
    }
}

impl Field {
    /// Returns a regular expression that matches the digits.
    fn pattern(&self) -> String {
        let usual = self.unit.width();
        match (self.width, self.pad) {
            (None, Some(' ')) if self.total => r"\s*([0-9]+)".to_owned(),
            (None, Some(' ')) => format!(r"([0-9\s]{{1,{usual}}})"),
            (None, _) if self.total => "([0-9]+)".to_owned(),
            (None, _) => format!("([0-9]{{1,{usual}}})"),
            (Some(width), None) => format!("([0-9]{{1,{width}}})"),
            (Some(width), Some('0')) => format!("([0-9]{{{width}}})"),
            (Some(width), Some(_)) => format!(r"([0-9\s]{{{width}}})"),
        }
    }

    /// Converts the digits to nanoseconds; `None` for a fraction that is the largest unit.
    fn nanos(&self, digits: &str) -> FlowResult<Option<i128>> {
        /// Longer numbers exceed all time spans.
        const LONGEST: usize = 20;
        if self.unit.is_fraction() && self.total {
            return Ok(None);
        }
        if digits.len() > LONGEST {
            return Err(super::beyond_bounds());
        }
        let number: i128 = digits.parse().map_err(|_| super::beyond_bounds())?;
        let scale = if self.unit.is_fraction() {
            10i128.pow(u32::try_from(9usize.saturating_sub(digits.len())).unwrap_or(0))
        } else {
            i128::try_from(self.unit.nanos()).unwrap_or(1)
        };
        Ok(Some(number * scale))
    }

    fn text(&self, span: u128) -> String {
        let width = self.width.unwrap_or(self.unit.width());
        let mut number = match self.unit {
            Unit::Nanosecond if width < 9 => {
                let digits = u32::try_from(width).unwrap_or(0);
                let cut = span / 10u128.pow(9 - digits);
                if self.total {
                    cut
                } else {
                    cut % 10u128.pow(digits)
                }
            }
            unit => {
                let all = span / unit.nanos();
                match unit {
                    _ if self.total => all,
                    Unit::Day => all,
                    Unit::Hour => all % 24,
                    Unit::Minute | Unit::Second => all % 60,
                    Unit::Millisecond => all % 1000,
                    Unit::Nanosecond => all % SECOND,
                }
            }
        };
        if self.unit.is_fraction() {
            if !self.total && self.pad != Some('0') {
                while number != 0 && number.is_multiple_of(10) {
                    number /= 10;
                }
            }
            return match self.pad {
                None => number.to_string(),
                Some(_) => format!("{number:<width$}"),
            };
        }
        match self.pad {
            None => number.to_string(),
            Some('0') => format!("{number:0>width$}"),
            Some(_) => format!("{number:>width$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_time_spans() {
        let span = Nanos::new(93_784_050_000_000);
        let text = |format| SpanFormat::new(format).and_then(|it| it.format(span));
        let cases = [
            ("%H:%M:%S", "26:03:04"),
            ("%D days, %_5H|%-M|%L|%N", "1 days,     2|3|50 |50000000 "),
            ("%3N %%", "93784050 %"),
            ("%S.%-N", "93784.5"),
        ];
        for (format, expected) in cases {
            assert_eq!(text(format), Ok(expected.to_owned()), "{format}");
        }
        for format in ["%", "%q", "%--S", "%5-S"] {
            assert!(text(format).is_err(), "{format}");
        }
    }
}
