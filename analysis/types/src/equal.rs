//! Structural equality of types as in Puppet, with a matching hash: variants and patterns are sets,
//! aliases are compared by name, resource types ignore case.
//!
//! Puppet's hashes and `uniq` use this equality. The `==` of the language is [`super::equivalent`].

use std::hash::{Hash, Hasher};

use super::{FloatRange, ObjectExtension, ObjectType, ResourceType, Type, TypeSetType};

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Integer(a), Type::Integer(b)) => a == b,
            (Type::Float(a), Type::Float(b)) => a == b,
            (Type::Boolean(a), Type::Boolean(b)) => a == b,
            (Type::String(a), Type::String(b)) => a == b,
            (Type::Enum(a), Type::Enum(b)) => a == b,
            (Type::Pattern(a), Type::Pattern(b)) => same_set(a, b),
            (Type::Regexp(a), Type::Regexp(b)) => a == b,
            (Type::Collection(a), Type::Collection(b)) => a == b,
            (Type::Array(a), Type::Array(b)) => a == b,
            (Type::Tuple(a), Type::Tuple(b)) => a == b,
            (Type::Hash(a), Type::Hash(b)) => a == b,
            (Type::Struct(a), Type::Struct(b)) => a == b,
            (Type::Variant(a), Type::Variant(b)) => same_set(a, b),
            (Type::Optional(a), Type::Optional(b))
            | (Type::NotUndef(a), Type::NotUndef(b))
            | (Type::Type(a), Type::Type(b))
            | (Type::Iterable(a), Type::Iterable(b))
            | (Type::Iterator(a), Type::Iterator(b)) => a == b,
            (Type::Sensitive(a), Type::Sensitive(b)) => a == b,
            (Type::Callable(a), Type::Callable(b)) => a == b,
            (Type::Class(a), Type::Class(b)) => a == b,
            (Type::Resource(a), Type::Resource(b)) => a == b,
            (Type::Uri(a), Type::Uri(b)) => same_parts(a.as_deref(), b.as_deref()),
            (Type::SemVer(a), Type::SemVer(b)) => a == b,
            (Type::Timespan(a), Type::Timespan(b)) | (Type::Timestamp(a), Type::Timestamp(b)) => {
                a == b
            }
            (Type::Runtime(a), Type::Runtime(b)) => a == b,
            (Type::Init(a), Type::Init(b)) => a == b,
            (Type::Object(a), Type::Object(b)) => a == b,
            (Type::ObjectExtension(a), Type::ObjectExtension(b)) => a == b,
            (Type::TypeSet(a), Type::TypeSet(b)) => a == b,
            (Type::Alias(a), Type::Alias(b)) => a.name() == b.name() && a.stamp() == b.stamp(),
            (Type::Recursion(a), Type::Recursion(b)) | (Type::Reference(a), Type::Reference(b)) => {
                a == b
            }
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

impl Eq for Type {}

/// Set equality of lists without duplicates.
fn same_set<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().all(|it| b.contains(it))
}

type Parts<'a> = Option<&'a [(std::sync::Arc<str>, crate::values::Value)]>;

fn same_parts(a: Parts<'_>, b: Parts<'_>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => same_set(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

impl Hash for Type {
    /// Sets contribute only their length, because their order is irrelevant to equality.
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Type::Integer(it) => it.hash(state),
            Type::Float(it) => it.hash(state),
            Type::Boolean(it) => it.hash(state),
            Type::String(it) => it.hash(state),
            Type::Enum(it) => it.hash(state),
            Type::Pattern(it) => it.len().hash(state),
            Type::Regexp(it) => it.hash(state),
            Type::Collection(it) => it.hash(state),
            Type::Array(it) => it.hash(state),
            Type::Tuple(it) => it.hash(state),
            Type::Hash(it) => it.hash(state),
            Type::Struct(it) => it.hash(state),
            Type::Variant(it) => it.len().hash(state),
            Type::Optional(it)
            | Type::NotUndef(it)
            | Type::Type(it)
            | Type::Iterable(it)
            | Type::Iterator(it) => it.hash(state),
            Type::Sensitive(it) => it.hash(state),
            Type::Class(it) => it.hash(state),
            Type::Resource(it) => it.title().hash(state),
            Type::Timespan(it) | Type::Timestamp(it) => it.hash(state),
            Type::Alias(it) => it.name().hash(state),
            Type::Recursion(it) | Type::Reference(it) => it.hash(state),
            _ => {}
        }
    }
}

impl PartialEq for ResourceType {
    fn eq(&self, other: &ResourceType) -> bool {
        self.same_type(other) && self.title() == other.title()
    }
}

impl Eq for ResourceType {}
impl Eq for FloatRange {}

impl Hash for FloatRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The addition normalizes -0.0 to 0.0, which are equal.
        let bits = |end: Option<f64>| end.map(|it| (it + 0.0).to_bits());
        bits(self.min()).hash(state);
        bits(self.max()).hash(state);
    }
}

impl PartialEq for ObjectType {
    fn eq(&self, other: &ObjectType) -> bool {
        std::ptr::eq(self, other)
            || self.name == other.name
                && self.parent == other.parent
                && self.type_parameters == other.type_parameters
                && self.attributes == other.attributes
                && self.functions == other.functions
                && self.equality == other.equality
                && self.equality_ignores_type == other.equality_ignores_type
                && self.checks == other.checks
    }
}

impl PartialEq for ObjectExtension {
    fn eq(&self, other: &ObjectExtension) -> bool {
        self.base == other.base && self.parameters == other.parameters
    }
}

impl PartialEq for TypeSetType {
    fn eq(&self, other: &TypeSetType) -> bool {
        self.name == other.name
            && self.name_authority == other.name_authority
            && self.version == other.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_sets() {
        let ab = Type::variant([Type::INTEGER, Type::STRING]);
        let ba = Type::variant([Type::STRING, Type::INTEGER]);
        assert_eq!(ab, ba);
        assert_ne!(
            ab,
            Type::variant([Type::INTEGER, Type::STRING, Type::Undef])
        );
    }

    #[test]
    fn resource_types_ignore_case() {
        assert_eq!(
            Type::resource("File", Some("/a")),
            Type::resource("file", Some("/a"))
        );
        assert_ne!(
            Type::resource("File", Some("/a")),
            Type::resource("File", Some("/A"))
        );
        assert_ne!(Type::resource("File", None), Type::any_resource());
    }

    #[test]
    fn types_of_different_kinds_differ() {
        assert_ne!(Type::Undef, Type::Any);
        assert_ne!(Type::INTEGER, Type::FLOAT);
        assert_ne!(
            Type::any_array(),
            Type::array(Type::Any, Some(super::super::IntRange::SIZE))
        );
    }
}
