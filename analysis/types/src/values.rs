//! Puppet's values: the results of expressions, with Puppet's notions of equality, order,
//! truthiness, hash keys and string conversion.
//!
//! This module consists of plain data and pure functions. Values depend on types (a type is a
//! value) and on nothing above them: no expressions, functions, names or files. Values that need a
//! catalog are not represented: a reference to a resource is a type.
//!
//! As in Puppet, there are three equalities. `==` of [`Value`] is the equality of hash keys (`1`
//! differs from `1.0`, strings are compared with case); [`equals`] is the `==` of the language
//! (numbers by value, strings without ASCII case); [`same`] is used for deleting from arrays
//! (numbers by value, strings with case).

mod collection;
mod compare;
mod iterator;
mod number;
mod object;
mod regexp;
mod semver;
mod semver_range;
mod strptime;
mod text;
mod time;
mod time_parse;
mod uri;
mod zone;

use std::sync::Arc;

use crate::Type;

pub use collection::{Array, HashValue};
pub use compare::{NotComparable, compare, equals, includes, matches, same};
pub use iterator::{IteratorKind, IteratorValue};
pub use number::{Number, float_text, to_number};
pub use object::ObjectValue;
pub use regexp::{Captures, Regexp, RegexpError};
pub use semver::Version;
pub use semver_range::{VersionRange, merge_type_ranges, ranges_cover};
pub use strptime::read_timestamp;
pub use text::{
    binary_text, double_quote, interpolated, lower_case, quote, quote_readable, source,
    type_argument,
};
pub use time::{Nanos, civil, ratio, timespan_text, timestamp_text};
pub use time_parse::{days_before, parse_timespan, parse_timestamp};
pub use uri::Uri;
pub use zone::{UnknownZone, Zone, zone};

/// A Puppet value. Cloning is cheap: large parts are shared.
#[derive(Clone, Debug)]
pub enum Value {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// A 64-bit integer.
    Integer(i64),
    /// A float; never NaN or infinite if it originates from Puppet code.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A regular expression.
    Regexp(Regexp),
    /// An array.
    Array(Array),
    /// A hash, in insertion order.
    Hash(HashValue),
    /// A type.
    Type(Type),
    /// A value to be kept secret.
    Sensitive(Arc<Value>),
    /// A byte string.
    Binary(Arc<[u8]>),
    /// A duration.
    Timespan(Nanos),
    /// A point in time, relative to the epoch.
    Timestamp(Nanos),
    /// A semantic version.
    SemVer(Arc<Version>),
    /// A range of semantic versions.
    SemVerRange(VersionRange),
    /// A URI.
    Uri(Arc<Uri>),
    /// An instance of an object type: an `Error`, a `Deferred`, or of a type defined in Puppet.
    Object(ObjectValue),
    /// A lazy iterator, such as the result of `step`.
    Iterator(IteratorValue),
}

impl Value {
    /// Creates an array.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Array::new(items))
    }

    /// Creates a hash; among equal keys, the last value wins at the position of the first.
    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(entries.into_iter().collect())
    }

    /// Checks whether the value is true in a condition: everything except `undef` and `false`.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Checks whether the value is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// Returns the value of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value of an integer.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the value of a type.
    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Value::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns the nesting depth: 1 for a value without elements.
    pub fn depth(&self) -> u32 {
        match self {
            Value::Array(it) => it.depth(),
            Value::Hash(it) => it.depth(),
            Value::Sensitive(it) => it.depth().saturating_add(1),
            Value::Object(it) => it.depth(),
            _ => 1,
        }
    }

    /// Returns the size of the value for limits: the number of values and bytes of strings, with
    /// shared parts counted once per occurrence. Not a measure of memory.
    pub fn weight(&self) -> u64 {
        match self {
            Value::String(it) => 1 + it.len() as u64,
            Value::Binary(it) => 1 + it.len() as u64,
            Value::Array(it) => it.weight(),
            Value::Hash(it) => it.weight(),
            Value::Sensitive(it) => it.weight().saturating_add(1),
            Value::Object(it) => it.weight(),
            Value::Iterator(it) => it.weight(),
            Value::Type(it) => crate::weight(it),
            _ => 1,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(text.into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Integer(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Float(number)
    }
}

impl From<bool> for Value {
    fn from(it: bool) -> Value {
        Value::Boolean(it)
    }
}

impl From<Type> for Value {
    fn from(ty: Type) -> Value {
        Value::Type(ty)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::array(items)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        match number {
            Number::Integer(it) => Value::Integer(it),
            Number::Float(it) => Value::Float(it),
        }
    }
}
