//! Ruby values, as far as they can be evaluated.

use tree_sitter::Node;

/// A value, which may contain unknown parts.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value<'t> {
    /// The value is only known at run time.
    Unknown,
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float, as written.
    Float(String),
    /// A string.
    Str(String),
    /// A symbol.
    Sym(String),
    /// The source of a regular expression, including its options.
    Regex(String),
    /// An array.
    Array(Vec<Value<'t>>),
    /// A hash, in insertion order.
    Hash(Vec<(Value<'t>, Value<'t>)>),
    /// A constant that is not defined in this file, by its qualified name.
    Constant(String),
    /// A block passed to a method.
    Block(Node<'t>),
}

impl<'t> Value<'t> {
    /// Returns the value of a string or symbol.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Str(it) | Value::Sym(it) => Some(it),
            _ => None,
        }
    }

    /// Returns the result of `to_s` for simple values.
    pub(super) fn to_text(&self) -> Option<String> {
        match self {
            Value::Str(it) | Value::Sym(it) | Value::Float(it) => Some(it.clone()),
            Value::Int(it) => Some(it.to_string()),
            Value::Bool(it) => Some(it.to_string()),
            _ => None,
        }
    }

    /// Returns the elements of an array; a single value counts as one element, as in `Array(x)` and
    /// `[x].flatten`.
    pub(super) fn elements(self) -> Vec<Value<'t>> {
        match self {
            Value::Array(elements) => elements,
            Value::Nil => Vec::new(),
            single => vec![single],
        }
    }

    /// Looks up a string or symbol key of a hash.
    pub(super) fn get(&self, key: &str) -> Option<&Value<'t>> {
        let Value::Hash(entries) = self else {
            return None;
        };
        let found = entries.iter().rfind(|(it, _)| it.text() == Some(key));
        found.map(|(_, value)| value)
    }

    /// Checks whether the value contains no unknown parts.
    pub(super) fn is_known(&self) -> bool {
        match self {
            Value::Unknown => false,
            Value::Array(elements) => elements.iter().all(Value::is_known),
            Value::Hash(entries) => entries.iter().all(|(k, v)| k.is_known() && v.is_known()),
            _ => true,
        }
    }

    /// Returns the size of the value, for limits.
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

    /// Formats the value as Puppet source; a top-level string or symbol is returned as it is.
    pub(super) fn to_default(&self) -> Option<String> {
        match self.text() {
            Some(text) => Some(text.to_owned()),
            None => self.to_puppet(),
        }
    }

    /// Formats the value as Puppet source.
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
    fn formats_values_as_puppet_source() {
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
