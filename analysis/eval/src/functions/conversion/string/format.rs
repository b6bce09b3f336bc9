//! Formats, and their selection by type.

use std::sync::Arc;

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::functions::format_spec::FormatSpec;
use types::values::{HashValue, Value};
use types::{ObjectType, Type};

/// A format: flags, width, precision and letter, with the options for nested values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Format {
    /// The flags, width and precision as in Ruby.
    pub(super) spec: FormatSpec,
    pub(super) letter: char,
    /// The opening bracket.
    pub(super) delimiter: Option<char>,
    pub(super) separator: Option<Arc<str>>,
    pub(super) separator2: Option<Arc<str>>,
    /// The formats of nested values.
    pub(super) inner: Option<Formats>,
}

impl Format {
    /// Creates a format that consists only of a letter.
    pub(super) fn plain(letter: char) -> Format {
        Format {
            spec: FormatSpec::default(),
            letter,
            delimiter: None,
            separator: None,
            separator2: None,
            inner: None,
        }
    }

    /// Checks whether the format has neither flags, width nor precision.
    pub(super) fn is_plain(&self) -> bool {
        self.spec == FormatSpec::default() && self.delimiter.is_none()
    }

    fn parse(text: &str) -> FlowResult<Format> {
        if text.chars().any(|it| ('\t'..='\r').contains(&it)) {
            // Puppet searches all lines for a format.
            return Err(ControlFlow::unknown("format with several lines"));
        }
        let refused =
            || conversion_error(format!("invalid format `{}`", types::values::quote(text)));
        let rest = text.strip_prefix('%').ok_or_else(refused)?;
        let is_flag = |it: char| " [+#0{<(|-".contains(it);
        let end = rest.find(|it| !is_flag(it)).unwrap_or(rest.len());
        let (flags, rest) = rest.split_at(end);
        let mut format = Format::plain('s');
        let once = |seen: &mut bool| !std::mem::replace(seen, true);
        for flag in flags.chars() {
            let spec = &mut format.spec;
            let fresh = match flag {
                '-' => once(&mut spec.left),
                '+' => once(&mut spec.plus),
                ' ' => once(&mut spec.space),
                '#' => once(&mut spec.alternative),
                '0' => once(&mut spec.zero),
                bracket => format.delimiter.replace(bracket).is_none(),
            };
            if !fresh {
                return Err(refused());
            }
        }
        let digits = |it: &str| it.find(|it: char| !it.is_ascii_digit()).unwrap_or(it.len());
        let (width, rest) = rest.split_at(digits(rest));
        format.spec.width = number(width);
        let rest = match rest.strip_prefix('.') {
            Some(rest) => {
                let (precision, rest) = rest.split_at(digits(rest));
                format.spec.precision = Some(number(precision).ok_or_else(refused)?);
                rest
            }
            None => rest,
        };
        let mut letters = rest.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii_alphabetic() => format.letter = letter,
            _ => return Err(refused()),
        }
        Ok(format)
    }

    fn of_value(value: &Value) -> FlowResult<Format> {
        match value {
            Value::String(text) => Format::parse(text),
            Value::Hash(entries) => {
                let text = entries.get_str("format").and_then(Value::as_str);
                let text = text.ok_or_else(|| conversion_error("missing format"))?;
                let mut format = Format::parse(text)?;
                let string = |name| match entries.get_str(name) {
                    Some(Value::String(text)) => Some(Arc::clone(text)),
                    _ => None,
                };
                format.separator = string("separator");
                format.separator2 = string("separator2");
                if let Some(Value::Hash(inner)) = entries.get_str("string_formats") {
                    format.inner = Some(Formats::read(inner)?);
                }
                Ok(format)
            }
            _ => Err(conversion_error("expected a string or a hash as format")),
        }
    }

    /// Overrides this format with another one.
    fn overridden_by(&self, other: &Format) -> Format {
        let inner = match (&self.inner, &other.inner) {
            (Some(lower), Some(higher)) => Some(lower.overridden_by(higher)),
            (lower, higher) => lower.clone().or_else(|| higher.clone()),
        };
        Format {
            separator: other.separator.clone().or_else(|| self.separator.clone()),
            separator2: other.separator2.clone().or_else(|| self.separator2.clone()),
            inner,
            ..other.clone()
        }
    }

    /// Returns the brackets around the elements.
    pub(super) fn brackets(
        &self,
        usual: (&'static str, &'static str),
    ) -> (&'static str, &'static str) {
        match self.delimiter {
            Some('[') => ("[", "]"),
            Some('{') => ("{", "}"),
            Some('(') => ("(", ")"),
            Some('<') => ("<", ">"),
            Some(_) => ("|", "|"),
            None if self.spec.space => ("", ""),
            None => usual,
        }
    }
}

/// Parses a number, and clamps it to a maximum that no string reaches.
fn number(digits: &str) -> Option<usize> {
    if digits.is_empty() {
        return None;
    }
    Some(digits.parse().unwrap_or(usize::MAX / 4).min(usize::MAX / 4))
}

/// Formats by type. The first type that accepts the value applies.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Formats(Vec<(Type, Format)>);

impl Default for Formats {
    fn default() -> Formats {
        let inner = Formats(vec![(Type::Any, Format::plain('p'))]);
        let container = |letter, separator: &str, separator2: &str| Format {
            separator: Some(separator.into()),
            separator2: Some(separator2.into()),
            inner: Some(inner.clone()),
            ..Format::plain(letter)
        };
        Formats(vec![
            (ObjectType::any(), Format::plain('p')),
            (Type::FLOAT, Format::plain('f')),
            (Type::Numeric, Format::plain('d')),
            (Type::any_array(), container('a', ", ", ", ")),
            (Type::any_hash(), container('h', ", ", " => ")),
            (Type::Binary, Format::plain('B')),
            (Type::Any, Format::plain('s')),
        ])
    }
}

impl Formats {
    /// Returns the default formats of nested values.
    pub(super) fn nested() -> Formats {
        Formats(vec![(Type::Any, Format::plain('p'))])
    }

    /// Overrides the default formats with a format for the type of one value.
    pub(super) fn of_value(ty: &Type, text: &str) -> FlowResult<Formats> {
        let key = [Type::any_array(), Type::any_hash()]
            .into_iter()
            .find(|it| types::assignable(it, ty))
            .unwrap_or_else(|| ty.clone());
        let given = Formats(vec![(key, Format::parse(text)?)]);
        Ok(Formats::default().overridden_by(&given))
    }

    /// Overrides the default formats with formats by type.
    pub(super) fn of_map(map: &HashValue) -> FlowResult<Formats> {
        Ok(Formats::default().overridden_by(&Formats::read(map)?))
    }

    fn read(map: &HashValue) -> FlowResult<Formats> {
        /// Limits the quadratic number of comparisons.
        const MAX: usize = 100;
        if map.len() > MAX {
            return Err(ControlFlow::unknown("too many formats"));
        }
        let entry = |(key, value): (&Value, &Value)| match key {
            Value::Type(ty) => Ok((ty.clone(), Format::of_value(value)?)),
            _ => Err(conversion_error("expected a type as key of a format")),
        };
        map.iter()
            .map(entry)
            .collect::<FlowResult<_>>()
            .map(Formats)
    }

    /// Overrides these formats with others. A more general type also overrides its subtypes.
    fn overridden_by(&self, higher: &Formats) -> Formats {
        let dropped = |lower: &Type| {
            let mut keys = higher.0.iter().map(|it| &it.0);
            keys.any(|it| it != lower && types::assignable(it, lower))
        };
        let mut merged: Vec<(Type, Format)> = Vec::new();
        for (key, lower) in self.0.iter().filter(|it| !dropped(&it.0)) {
            let format = match higher.0.iter().find(|it| it.0 == *key) {
                Some((_, higher)) => lower.overridden_by(higher),
                None => lower.clone(),
            };
            merged.push((key.clone(), format));
        }
        for (key, format) in &higher.0 {
            if !merged.iter().any(|it| it.0 == *key) {
                merged.push((key.clone(), format.clone()));
            }
        }
        Formats(sorted(merged))
    }

    /// Returns the format for a type.
    pub(super) fn find(&self, ty: &Type) -> Format {
        let found = self.0.iter().find(|(key, _)| types::assignable(key, ty));
        found.map_or_else(|| Format::plain('s'), |it| it.1.clone())
    }
}

/// Sorts specific types before general ones. The comparison is not an order, so the result depends
/// on the algorithm: the merge sort that Ruby uses on Linux.
fn sorted(mut formats: Vec<(Type, Format)>) -> Vec<(Type, Format)> {
    if formats.len() < 2 {
        return formats;
    }
    let right = sorted(formats.split_off(formats.len() / 2));
    let mut left = sorted(formats).into_iter().peekable();
    let mut right = right.into_iter().peekable();
    let mut merged = Vec::new();
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        if is_after(&a.0, &b.0) {
            merged.extend(right.next());
        } else {
            merged.extend(left.next());
        }
    }
    merged.extend(left);
    merged.extend(right);
    merged
}

fn is_after(a: &Type, b: &Type) -> bool {
    if a == b {
        return false;
    }
    match (types::assignable(b, a), types::assignable(a, b)) {
        (true, false) => false,
        (false, true) => true,
        _ => match (rank(a), rank(b)) {
            (Some(a), Some(b)) => a > b,
            _ => types::display_expanded(a) > types::display_expanded(b),
        },
    }
}

fn rank(ty: &Type) -> Option<u8> {
    Some(match ty {
        Type::Struct(_) => 1,
        Type::Hash(_) => 2,
        Type::Tuple(_) => 3,
        Type::Array(_) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_formats() {
        let format = Format::parse("%-#(10.3a").expect("a format");
        assert!(format.spec.left && format.spec.alternative);
        assert_eq!(
            (format.spec.width, format.spec.precision),
            (Some(10), Some(3))
        );
        assert_eq!(format.brackets(("[", "]")), ("(", ")"));
        for text in ["", "%", "d", "%dd", "%--d", "%[(a", "%.d", "%1$d", "%é"] {
            assert!(Format::parse(text).is_err(), "{text}");
        }
    }
}
