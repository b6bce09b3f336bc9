//! Unknown values: why they are unknown, and what is known about them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use types::Type;
use types::precise::{intersection, within};
use types::values::{HashValue, Value};

/// A value, or why it is unknown.
pub type PartlyKnown = Result<Value, Unknown>;

/// A value that is unknown. It dereferences to the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    why: Cow<'static, str>,
    known: Option<Arc<Known>>,
}

/// The known part of an unknown value.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// A type that contains the value.
    Type(Type),
    /// The elements of an array.
    Elements(Vec<PartlyKnown>),
    /// The entries of a hash with known keys.
    Entries(Vec<(Value, PartlyKnown)>),
    /// The start and the end of a string.
    Text { start: String, end: String },
}

/// The type of the values that are false in Boolean context.
static FALSY: LazyLock<Type> = LazyLock::new(|| Type::optional(Type::Boolean(Some(false))));

impl Unknown {
    /// Creates an unknown value of any type.
    pub fn new(why: impl Into<Cow<'static, str>>) -> Unknown {
        Unknown {
            why: why.into(),
            known: None,
        }
    }

    /// Returns the elements if all are known, or else an array with unknown elements.
    ///
    /// # Errors
    ///
    /// The array, if an element is unknown.
    pub(crate) fn known_elements(elements: Vec<PartlyKnown>) -> Result<Vec<Value>, Unknown> {
        match elements.iter().find_map(|it| it.as_ref().err()) {
            Some(first) => Err(Unknown {
                why: first.why.clone(),
                known: Some(Arc::new(Known::Elements(elements))),
            }),
            None => Ok(elements.into_iter().flatten().collect()),
        }
    }

    /// Returns the hash if all entries are known, or else one with unknown values.
    ///
    /// # Errors
    ///
    /// The hash, if a value is unknown.
    pub fn known_entries(entries: Vec<(Value, PartlyKnown)>) -> Result<HashValue, Unknown> {
        match entries.iter().find_map(|it| it.1.as_ref().err()) {
            Some(first) => Err(Unknown {
                why: first.why.clone(),
                known: Some(Arc::new(Known::Entries(entries))),
            }),
            None => {
                let entries = entries.into_iter();
                Ok(entries.filter_map(|it| Some((it.0, it.1.ok()?))).collect())
            }
        }
    }

    /// Returns the reason.
    pub fn into_reason(self) -> Cow<'static, str> {
        self.why
    }

    /// Forgets what is known.
    pub(crate) fn without_known(self) -> Unknown {
        Unknown::new(self.why)
    }

    /// Sets a type that contains the value.
    #[must_use]
    pub(crate) fn with_type(self, ty: Type) -> Unknown {
        Unknown {
            known: Some(Arc::new(Known::Type(ty))),
            ..self
        }
    }

    /// Sets the start and the end of a string.
    #[must_use]
    pub(crate) fn with_text(self, start: String, end: String) -> Unknown {
        Unknown {
            known: Some(Arc::new(Known::Text { start, end })),
            ..self
        }
    }

    /// Checks whether the value is an array or a hash of which some elements are known.
    pub(crate) fn is_collection(&self) -> bool {
        self.elements().is_some() || self.entries().is_some()
    }

    /// Checks whether anything is known about the value.
    pub(crate) fn is_partly_known(&self) -> bool {
        self.known.is_some()
    }

    /// Checks whether the value is a hash; `None` if that is unknown.
    pub(crate) fn is_hash(&self) -> Option<bool> {
        is_instance(&self.known_type()?, &Type::any_hash())
    }

    /// Returns a type that contains the value, if one is known.
    pub fn known_type(&self) -> Option<Type> {
        Some(match &**self.known.as_ref()? {
            Known::Type(ty) => ty.clone(),
            Known::Text { .. } => Type::STRING,
            Known::Elements(_) => Type::any_array(),
            Known::Entries(_) => Type::any_hash(),
        })
    }

    /// Returns the elements of an array of which some are unknown.
    pub fn elements(&self) -> Option<&[PartlyKnown]> {
        match &**self.known.as_ref()? {
            Known::Elements(all) => Some(all),
            _ => None,
        }
    }

    /// Returns the start and the end of a string, which may be empty; `None` if the value may be no string.
    pub fn text(&self) -> Option<(&str, &str)> {
        match &**self.known.as_ref()? {
            Known::Text { start, end } => Some((start, end)),
            _ => None,
        }
    }

    /// Returns the entries of a hash of which some values are unknown.
    pub fn entries(&self) -> Option<&[(Value, PartlyKnown)]> {
        match &**self.known.as_ref()? {
            Known::Entries(all) => Some(all),
            _ => None,
        }
    }

    /// Returns the known elements of an array of which some are unknown, and those of the arrays in it.
    pub fn known_values(&self) -> Vec<Value> {
        let elements = self.elements().unwrap_or_default().iter();
        elements
            .flat_map(|it| match it {
                Ok(value) => vec![value.clone()],
                Err(unknown) => unknown.known_values(),
            })
            .collect()
    }
}

impl Deref for Unknown {
    type Target = str;

    fn deref(&self) -> &str {
        &self.why
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for Unknown {
    fn from(why: T) -> Unknown {
        Unknown::new(why)
    }
}

impl From<Unknown> for String {
    fn from(unknown: Unknown) -> String {
        unknown.why.into_owned()
    }
}

/// Returns the truthiness of the values of a type, if it is certain.
pub(crate) fn truth(ty: &Type) -> Option<bool> {
    is_instance(ty, &FALSY).map(|it| !it)
}

/// Checks whether the values of a type match an option of a `case` or selector; `None` if that is unknown.
pub(crate) fn matches(ty: &Type, option: &Value) -> Option<bool> {
    match option {
        Value::Type(option) => is_instance(ty, option),
        // Of other kinds of values, none equals a string or matches a regular expression.
        Value::String(_) | Value::Regexp(_) => {
            let is_plain = within(ty, &PLAIN);
            is_plain.then_some(false)
        }
        option => equals(ty, option),
    }
}

/// Values that neither equal a string nor match a regular expression.
static PLAIN: LazyLock<Type> = LazyLock::new(|| {
    Type::variant([
        Type::Undef,
        Type::BOOLEAN,
        Type::Numeric,
        Type::any_array(),
        Type::any_hash(),
    ])
});

/// Checks whether the values of a type equal a value; `None` if that is unknown.
pub(crate) fn equals(ty: &Type, value: &Value) -> Option<bool> {
    match value {
        Value::Undef => is_instance(ty, &Type::Undef),
        Value::Boolean(value) => is_instance(ty, &Type::Boolean(Some(*value))),
        _ => None,
    }
}

/// Checks whether the values of a type are instances of another one; `None` if that is unknown.
pub(crate) fn is_instance(ty: &Type, other: &Type) -> Option<bool> {
    // Code without a value is unreachable or fails.
    if ty.is_never() {
        return None;
    }
    if within(ty, other) {
        return Some(true);
    }
    intersection(ty, other).is_none().then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_decide_conditions() {
        assert_eq!(truth(&Type::STRING), Some(true));
        assert_eq!(truth(&Type::Undef), Some(false));
        assert_eq!(truth(&Type::Boolean(Some(false))), Some(false));
        assert_eq!(truth(&Type::optional(Type::STRING)), None);
        assert_eq!(truth(&Type::BOOLEAN), None);
        assert_eq!(truth(&Type::Any), None);
    }

    #[test]
    fn types_decide_comparisons() {
        assert_eq!(equals(&Type::STRING, &Value::Undef), Some(false));
        assert_eq!(equals(&Type::Undef, &Value::Undef), Some(true));
        assert_eq!(equals(&Type::STRING, &"a".into()), None);
        assert_eq!(equals(&Type::Any, &Value::Undef), None);
        assert_eq!(matches(&Type::STRING, &Type::STRING.into()), Some(true));
        assert_eq!(matches(&Type::STRING, &Type::INTEGER.into()), Some(false));
        assert_eq!(matches(&Type::Numeric, &Type::INTEGER.into()), None);
        assert_eq!(matches(&Type::STRING, &"a".into()), None);
        assert_eq!(matches(&Type::BOOLEAN, &"a".into()), Some(false));
    }

    #[test]
    fn lists_keep_their_known_elements() {
        let inner = Unknown::known_elements(vec![Ok("b".into()), Err("why".into())]);
        let inner = inner.expect_err("an element is unknown");
        let outer = Unknown::known_elements(vec![Ok("a".into()), Err(inner)]);
        let outer = outer.expect_err("an element is unknown");
        assert_eq!(outer.known_values(), ["a".into(), "b".into()]);
        assert_eq!(&*outer, "why");
    }
}
