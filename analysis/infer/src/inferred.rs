//! Inferred types: the type of an expression, with its value if it is a constant.

use std::sync::LazyLock;

use types::precise::{intersection, union, within};
use types::values::Value;
use types::{Type, infer_detailed, weight};

/// The maximum weight of constants that are tracked; see [`Value::weight`].
const MAX_WEIGHT: u64 = 20_000;

/// The maximum weight of the type of a variable; see [`weight`].
const MAX_TYPE_WEIGHT: u64 = 20_000;

/// The inferred type of an expression, with its value if it is a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Inferred {
    /// A type that contains all possible values of the expression: `Any` if nothing is known, and a
    /// `Variant` without types (never) if control does not reach its end.
    pub type_: Type,
    /// The value, if there is only one.
    pub value: Option<Value>,
}

impl Inferred {
    /// An unknown value.
    pub(crate) const UNKNOWN: Inferred = Inferred {
        type_: Type::Any,
        value: None,
    };

    /// A value of this type.
    pub fn of(type_: Type) -> Inferred {
        let value = match &type_ {
            Type::Undef => Some(Value::Undef),
            Type::Default => Some(Value::Default),
            Type::Boolean(Some(it)) => Some(Value::Boolean(*it)),
            Type::Integer(it) => it.single().map(Value::Integer),
            Type::String(it) => it.value().map(|it| Value::String(it.clone())),
            Type::Enum(it) if !it.case_insensitive() => match it.values() {
                [only] => Some(Value::String(only.clone())),
                _ => None,
            },
            Type::Regexp(Some(it)) => Some(Value::Regexp(it.clone())),
            _ => None,
        };
        Inferred { type_, value }
    }

    /// A constant.
    pub fn value(value: Value) -> Inferred {
        let type_ = infer_detailed(&value);
        let value = (value.weight() <= MAX_WEIGHT).then_some(value);
        Inferred { type_, value }
    }

    /// Returns the inferred type of an expression whose evaluation never completes.
    pub fn never() -> Inferred {
        Inferred::of(Type::variant([]))
    }

    /// Returns the type of a variable. A type beyond the limit loses its parts: variables share the
    /// parts of others, and types are traversed as trees, which may be exponentially larger than the
    /// source.
    pub(crate) fn bounded(self) -> Inferred {
        if weight(&self.type_) <= MAX_TYPE_WEIGHT {
            return self;
        }
        let type_ = match &self.type_ {
            Type::Tuple(it) => Type::array(Type::Any, Some(it.size_range())),
            Type::Array(it) => Type::array(Type::Any, it.size()),
            Type::Struct(_) | Type::Hash(_) => Type::hash(Type::Any, Type::Any, None),
            _ => Type::Any,
        };
        Inferred { type_, value: None }
    }

    /// Checks whether there is no possible value.
    pub fn is_never(&self) -> bool {
        self.type_.is_never()
    }

    /// Returns the truthiness, if it is certain.
    pub(crate) fn truth(&self) -> Option<bool> {
        if let Some(value) = &self.value {
            return Some(value.is_truthy());
        }
        truth(&self.type_)
    }

    /// Returns the union of several inferred types.
    pub fn union(all: impl IntoIterator<Item = Inferred>) -> Inferred {
        let mut all = all.into_iter().filter(|it| !it.is_never());
        let Some(first) = all.next() else {
            return Inferred::never();
        };
        let mut value = first.value;
        let mut types = vec![first.type_];
        for it in all {
            if value != it.value || is_float(it.value.as_ref()) {
                value = None;
            }
            if types.last() != Some(&it.type_) {
                types.push(it.type_);
            }
        }
        let type_ = match <[Type; 1]>::try_from(types) {
            Ok([only]) => only,
            Err(types) => union(types),
        };
        Inferred { type_, value }
    }

    /// Narrows to a second type.
    pub(crate) fn narrowed(&self, to: &Type) -> Inferred {
        if within(&self.type_, to) {
            return self.clone();
        }
        match intersection(&self.type_, to) {
            Some(type_) => match self.value {
                Some(_) => Inferred {
                    type_,
                    value: self.value.clone(),
                },
                None => Inferred::of(type_),
            },
            None => Inferred::never(),
        }
    }

    /// Checks for an instance of a type; `None` if it depends on the value.
    pub fn is_a(&self, type_: &Type) -> Option<bool> {
        if let Some(value) = &self.value {
            return types::is_instance(type_, value);
        }
        if within(&self.type_, type_) {
            return Some(true);
        }
        match intersection(&self.type_, type_) {
            None => Some(false),
            Some(_) => None,
        }
    }
}

/// `0.0` and `-0.0` are equal, but not identical.
fn is_float(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Float(_)))
}

/// The type of the falsy values.
pub(super) static FALSY: LazyLock<Type> =
    LazyLock::new(|| Type::optional(Type::Boolean(Some(false))));

/// Returns the truthiness of the values of a type, if it is certain.
pub(crate) fn truth(type_: &Type) -> Option<bool> {
    if within(type_, &FALSY) {
        return Some(false);
    }
    intersection(type_, &FALSY).is_none().then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_types_lose_their_parts() {
        let pair = |it: Type| Type::tuple([it.clone(), it], None);
        let small = Inferred::of(pair(Type::INTEGER));
        assert_eq!(small.clone().bounded(), small);
        let immense = (0..60).fold(Type::INTEGER, |it, _| pair(it));
        let expected = Type::array(Type::Any, Some(types::IntRange::exactly_len(2)));
        assert_eq!(Inferred::of(immense).bounded().type_, expected);
    }

    #[test]
    fn truth_of_types() {
        assert_eq!(truth(&Type::STRING), Some(true));
        assert_eq!(truth(&Type::Undef), Some(false));
        assert_eq!(truth(&Type::BOOLEAN), None);
        assert_eq!(truth(&Type::Any), None);
        assert_eq!(truth(&Type::optional(Type::INTEGER)), None);
    }

    #[test]
    fn unions_keep_distinct_alternatives() {
        let both = Inferred::union([Inferred::value("a".into()), Inferred::value("b".into())]);
        assert_eq!(both.type_, Type::enumeration(["a", "b"]));
        assert_eq!(both.value, None);
        let same = Inferred::union([Inferred::value(1.into()), Inferred::value(1.into())]);
        assert_eq!(same.value, Some(Value::Integer(1)));
        assert!(Inferred::union([]).is_never());
    }
}
