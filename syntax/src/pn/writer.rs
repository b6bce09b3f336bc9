//! The notation: calls, lists, maps and literals.

use std::fmt::Write;

/// A PN expression.
#[derive(Clone, Debug)]
pub(super) enum Pn {
    /// `(name a b)`.
    Call(String, Vec<Pn>),
    /// `[a b]`.
    List(Vec<Pn>),
    /// `{:key a}`.
    Map(Vec<(String, Pn)>),
    /// A string in double quotes.
    Text(String),
    /// A number, `true`, `false` or `nil`, as it is printed.
    Plain(String),
}

impl Pn {
    pub(super) fn text(text: impl Into<String>) -> Pn {
        Pn::Text(text.into())
    }

    pub(super) fn plain(text: impl Into<String>) -> Pn {
        Pn::Plain(text.into())
    }

    pub(super) fn write(&self, out: &mut String) {
        match self {
            Pn::Call(name, elements) => {
                out.push('(');
                out.push_str(name);
                for element in elements {
                    out.push(' ');
                    element.write(out);
                }
                out.push(')');
            }
            Pn::List(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Pn::Map(entries) => {
                out.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    let separator = if index > 0 { " :" } else { ":" };
                    out.push_str(separator);
                    out.push_str(key);
                    out.push(' ');
                    value.write(out);
                }
                out.push('}');
            }
            Pn::Text(text) => quote(text, out),
            Pn::Plain(text) => out.push_str(text),
        }
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\o{:03o}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
