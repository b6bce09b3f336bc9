//! Puppet's values: what an expression can evaluate to, with Puppet's notions of equality, order,
//! truth, keys and text.
//!
//! Pure data and pure functions. Values know types (a type is a value) and nothing above them:
//! neither expressions nor functions, names or files. Values that need the catalog do not exist
//! here: a reference to a resource is a type.
//!
//! There are three equalities, as in Puppet. [`Value`]'s own `==` is that of hash keys (`1` is not
//! `1.0`, case counts); [`equals`] is the `==` of the language (numbers by value, strings without
//! regard to ASCII case); [`same`] is what deleting from an array goes by (numbers by value, case
//! counts).

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

use crate::types::{self, Type};

pub use collection::{Array, HashValue};
pub use compare::{NotComparable, compare, equals, includes, matches, same};
pub use iterator::{IteratorKind, IteratorValue};
pub use number::{Number, float_text, to_number};
pub use object::ObjectValue;
pub use regexp::{Captures, Regexp, RegexpError};
pub use semver::Version;
pub use semver_range::{VersionRange, merge_type_ranges, ranges_cover};
pub use strptime::read_timestamp;
pub(crate) use text::double_quote;
pub use text::{
    binary_text, interpolated, lower_case, quote, quote_readable, source, type_argument,
};
pub use time::{Nanos, timespan_text, timestamp_text};
pub(crate) use time::{civil, ratio};
pub(crate) use time_parse::days_before;
pub use time_parse::{parse_timespan, parse_timestamp};
pub use uri::Uri;
pub use zone::{UnknownZone, Zone, zone};

/// A value. Cloning is cheap: everything large is shared.
#[derive(Clone, Debug)]
pub enum Value {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// A float; never NaN or infinite where it comes from Puppet code.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A regular expression.
    Regexp(Regexp),
    /// An array.
    Array(Array),
    /// A hash, in order of insertion.
    Hash(HashValue),
    /// A type.
    Type(Type),
    /// A value that is not to be shown.
    Sensitive(Arc<Value>),
    /// Bytes.
    Binary(Arc<[u8]>),
    /// A span of time.
    Timespan(Nanos),
    /// A point in time, since the epoch.
    Timestamp(Nanos),
    /// A version.
    SemVer(Arc<Version>),
    /// A range of versions.
    SemVerRange(VersionRange),
    /// A URI.
    Uri(Arc<Uri>),
    /// An instance of an object type: an `Error`, a `Deferred`, or of a type defined in Puppet.
    Object(ObjectValue),
    /// What a lazy function such as `step` gives.
    Iterator(IteratorValue),
}

impl Value {
    /// An array.
    pub fn array(items: Vec<Value>) -> Value {
        Value::Array(Array::new(items))
    }

    /// A hash; of equal keys the last value counts, in the place of the first.
    pub fn hash(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        Value::Hash(entries.into_iter().collect())
    }

    /// Whether a condition takes it as true: everything but `undef` and `false`.
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Undef | Value::Boolean(false))
    }

    /// Whether it is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// The type, if it is one.
    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Value::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// How deep it is nested: 1 for a value without parts.
    pub fn depth(&self) -> u32 {
        match self {
            Value::Array(it) => it.depth(),
            Value::Hash(it) => it.depth(),
            Value::Sensitive(it) => it.depth().saturating_add(1),
            Value::Object(it) => it.depth(),
            _ => 1,
        }
    }

    /// How much it is, in values and bytes of text together, counting shared parts as often as
    /// they occur. A measure for limits, not of memory.
    pub fn weight(&self) -> u64 {
        match self {
            Value::String(it) => 1 + it.len() as u64,
            Value::Binary(it) => 1 + it.len() as u64,
            Value::Array(it) => it.weight(),
            Value::Hash(it) => it.weight(),
            Value::Sensitive(it) => it.weight().saturating_add(1),
            Value::Object(it) => it.weight(),
            Value::Iterator(it) => it.weight(),
            Value::Type(it) => types::weight(it),
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
