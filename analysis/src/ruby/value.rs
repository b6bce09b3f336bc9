//! A Ruby value, as far as it can be read.

use tree_sitter::Node;

/// A value, parts of which may be unknown.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value<'t> {
    /// Only running the file would tell.
    Unknown,
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction.
    Int(i64),
    /// A number with a fraction, as it is written.
    Float(String),
    /// A string.
    Str(String),
    /// A symbol.
    Sym(String),
    /// A regular expression, its options written into its source.
    Regex(String),
    /// An array.
    Array(Vec<Value<'t>>),
    /// A hash, in order.
    Hash(Vec<(Value<'t>, Value<'t>)>),
    /// A constant that is not defined here, by its full name.
    Constant(String),
    /// A block that was handed to a method.
    Block(Node<'t>),
}

impl<'t> Value<'t> {
    /// The text of a string or symbol.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Str(it) | Value::Sym(it) => Some(it),
            _ => None,
        }
    }

    /// What `to_s` makes of what has one obvious text.
    pub(super) fn to_text(&self) -> Option<String> {
        match self {
            Value::Str(it) | Value::Sym(it) | Value::Float(it) => Some(it.clone()),
            Value::Int(it) => Some(it.to_string()),
            Value::Bool(it) => Some(it.to_string()),
            _ => None,
        }
    }

    /// The elements; that of a single value is itself, as `Array(x)` and `[x].flatten` have it.
    pub(super) fn elements(self) -> Vec<Value<'t>> {
        match self {
            Value::Array(elements) => elements,
            Value::Nil => Vec::new(),
            single => vec![single],
        }
    }

    /// What a hash has for a key that is a string or symbol.
    pub(super) fn get(&self, key: &str) -> Option<&Value<'t>> {
        let Value::Hash(entries) = self else {
            return None;
        };
        let found = entries.iter().rfind(|(it, _)| it.text() == Some(key));
        found.map(|(_, value)| value)
    }

    /// Whether no part of it is unknown.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Value::Unknown => false,
            Value::Array(elements) => elements.iter().all(Value::is_known),
            Value::Hash(entries) => entries.iter().all(|(k, v)| k.is_known() && v.is_known()),
            _ => true,
        }
    }

    /// How much it holds.
    pub(super) fn weight(&self) -> usize {
        match self {
            Value::Array(elements) => 1 + elements.iter().map(Value::weight).sum::<usize>(),
            Value::Hash(entries) => {
                let weights = entries.iter().map(|(k, v)| k.weight() + v.weight());
                1 + weights.sum::<usize>()
            }
            Value::Str(it) | Value::Sym(it) | Value::Regex(it) => 1 + it.len() / 16,
            _ => 1,
        }
    }

    /// As Puppet source; the text itself if it is a string or symbol and stands alone.
    pub(super) fn to_default(&self) -> Option<String> {
        match self.text() {
            Some(text) => Some(text.to_owned()),
            None => self.to_puppet(),
        }
    }

    /// As Puppet source.
    pub(super) fn to_puppet(&self) -> Option<String> {
        Some(match self {
            Value::Nil => "undef".to_owned(),
            Value::Bool(_) | Value::Int(_) | Value::Float(_) => self.to_text()?,
            Value::Str(it) | Value::Sym(it) => {
                format!("'{}'", it.replace('\\', "\\\\").replace('\'', "\\'"))
            }
            Value::Array(elements) => {
                let parts: Option<Vec<_>> = elements.iter().map(Value::to_puppet).collect();
                format!("[{}]", parts?.join(", "))
            }
            Value::Hash(entries) if entries.is_empty() => "{}".to_owned(),
            Value::Hash(entries) => {
                let pair = |(k, v): &(Value<'_>, Value<'_>)| {
                    Some(format!("{} => {}", k.to_puppet()?, v.to_puppet()?))
                };
                let parts: Option<Vec<_>> = entries.iter().map(pair).collect();
                format!("{{ {} }}", parts?.join(", "))
            }
            Value::Unknown | Value::Regex(_) | Value::Constant(_) | Value::Block(_) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_puppet_does() {
        let hash = Value::Hash(vec![(
            Value::Sym("a".to_owned()),
            Value::Array(vec![Value::Str("it's \\".to_owned()), Value::Nil]),
        )]);
        assert_eq!(
            hash.to_puppet().as_deref(),
            Some(r"{ 'a' => ['it\'s \\', undef] }")
        );
        assert_eq!(
            Value::Sym("a".to_owned()).to_default().as_deref(),
            Some("a")
        );
        assert_eq!(Value::Array(vec![Value::Unknown]).to_puppet(), None);
    }
}
