//! The syntax of interpolation in data and in `hiera.yaml`: `%{variable}`, `%{lookup('key')}`.

use std::ops::Range;

/// An interpolation and its range in the string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interpolation<'a> {
    /// The range with `%{` and `}`.
    pub range: Range<usize>,
    /// The content.
    pub expression: Expression<'a>,
}

/// The content of an interpolation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expression<'a> {
    /// `%{}`, which is removed.
    Empty,
    /// A variable, with a path into its value.
    Variable(&'a str),
    /// A method such as `lookup`, with its argument.
    Method(&'a str, &'a str),
}

/// A method of interpolation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// `lookup` or `hiera`.
    Lookup,
    /// `alias`.
    Alias,
    /// `literal`.
    Literal,
    /// `scope`.
    Scope,
}

impl Method {
    /// The names of all methods.
    pub const NAMES: [&str; 5] = ["alias", "hiera", "literal", "lookup", "scope"];

    /// Returns the usual name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lookup => "lookup",
            Method::Alias => "alias",
            Method::Literal => "literal",
            Method::Scope => "scope",
        }
    }

    /// Returns the method with a name.
    pub fn of_name(name: &str) -> Option<Method> {
        Some(match name {
            "lookup" | "hiera" => Method::Lookup,
            "alias" => Method::Alias,
            "literal" => Method::Literal,
            "scope" => Method::Scope,
            _ => return None,
        })
    }
}

/// Iterates over the interpolations in a string.
pub fn interpolations(text: &str) -> impl Iterator<Item = Interpolation<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find("%{")?;
        let end = start + text[start..].find('}')? + 1;
        from = end;
        Some(Interpolation {
            range: start..end,
            expression: expression(&text[start + 2..end - 1]),
        })
    })
}

fn expression(content: &str) -> Expression<'_> {
    let content = content.trim_matches(is_stripped);
    match content {
        "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'" => Expression::Empty,
        _ => match method(content) {
            Some((name, argument)) => Expression::Method(name, argument),
            None => Expression::Variable(content),
        },
    }
}

/// Returns the characters that Ruby's `strip` removes.
fn is_stripped(it: char) -> bool {
    it == '\0' || it.is_ascii_whitespace() || it == '\u{b}'
}

/// Splits `name("argument")` or `name('argument')`.
fn method(content: &str) -> Option<(&str, &str)> {
    let (name, rest) = content.split_once('(')?;
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let inside = rest.strip_suffix(')')?;
    let argument = quoted(inside, '"').or_else(|| quoted(inside, '\''))?;
    is_name.then_some((name, argument))
}

fn quoted(text: &str, quote: char) -> Option<&str> {
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inside.is_empty() && !inside.contains(quote)).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_interpolations() {
        let all = |text| -> Vec<Expression<'_>> {
            interpolations(text).map(|it| it.expression).collect()
        };
        assert_eq!(
            all("a %{x.y} %{ lookup('k') }%{}%{lookup(k)}%{open"),
            [
                Expression::Variable("x.y"),
                Expression::Method("lookup", "k"),
                Expression::Empty,
                Expression::Variable("lookup(k)"),
            ]
        );
    }
}
