//! Puppet's type lattice: every type of the language with all its parameters, and the algebra on
//! them as the real Puppet computes it.
//!
//! Pure data and pure functions: no database, no files, no evaluation. Types may hold values (the
//! arguments of `Init`, the constraints of `URI`) and values may be types, so this room and
//! [`crate::values`] know each other; neither may know names, files or syntax trees, except the
//! [`reader`], which reads a type from a tree that holds nothing but a type.
//!
//! Where Puppet's own algebra is odd, it is followed to the letter (`Undef ∪ T` is `T`, one-value
//! strings accept any one-value Enum), because whatever Puppet computes must come out the same.
//! What control flow needs beyond it and must be sound lives apart, in [`precise`].
//!
//! Recursive aliases hold no cycle: inside the body of an alias, a [`Type::Recursion`] stands for
//! it, and unfolding puts the alias back in. So types are plain trees that can be dropped, compared
//! and sent between threads.

mod alias;
mod assign;
mod callable;
mod common;
pub mod definitions;
mod display;
mod equal;
mod generalize;
mod guard;
mod infer;
mod init;
mod instance;
mod iterable;
pub mod mismatch;
mod normalize;
mod object;
mod parts;
pub mod precise;
pub mod questions;
mod range;
pub mod reader;
mod resolved;
pub(crate) mod special;
mod weight;

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::values::{Regexp, Value, VersionRange};

pub use alias::{Alias, data, rich_data, rich_data_key};
pub use assign::{assignable, equivalent, is_assignable};
pub use callable::{CallableError, callable, is_block_type};
pub use common::common_type;
pub use display::{
    capitalize_segments, display, display_exact, display_expanded, display_hover, display_readable,
    display_written,
};
pub use generalize::generalize;
pub use infer::{infer, infer_detailed};
pub(crate) use init::{Accepted, constructors};
pub use instance::{instance, is_instance};
pub use iterable::{iterable, iterable_type};
pub use normalize::normalize;
pub use object::{Attribute, AttributeKind, Member, ObjectExtension, ObjectType, TypeSetType};
pub use parts::{
    ArrayType, CallableType, EnumType, HashType, InitType, ResourceType, RuntimeName, RuntimeType,
    StringType, StructElement, StructKey, StructType, TupleType,
};
pub use range::{FloatRange, IntRange, TimeRange};
pub use resolved::{is_resolved, is_resolved_value};
pub use special::Refused;
pub use weight::weight;

/// What the parts of a URI must match, by the name of the part.
pub type UriConstraints = Arc<[(Arc<str>, Value)]>;

/// A type. Cloning is cheap: everything large is shared.
///
/// Build one with the constructors rather than from the variants where there is a constructor: they
/// keep what Puppet's own constructors promise (sorted enums, flat variants, empty arrays without
/// an element type).
#[derive(Clone, Debug)]
pub enum Type {
    /// `Any`: every value.
    Any,
    /// `Unit`: the element type of an empty collection. It has no syntax; it accepts everything
    /// and everything accepts it.
    Unit,
    /// `Undef`.
    Undef,
    /// `Default`.
    Default,
    /// `Scalar`.
    Scalar,
    /// `ScalarData`.
    ScalarData,
    /// `Numeric`.
    Numeric,
    /// `Integer[from, to]`.
    Integer(IntRange),
    /// `Float[from, to]`.
    Float(FloatRange),
    /// `Boolean`, or the type of one boolean.
    Boolean(Option<bool>),
    /// `String`, by length or by content.
    String(StringType),
    /// `Enum[…]`: one of a set of strings.
    Enum(Arc<EnumType>),
    /// `Pattern[…]`: strings that one of the regular expressions matches; all strings if there is
    /// none.
    Pattern(Arc<[Regexp]>),
    /// `Regexp`, or the type of one regular expression.
    Regexp(Option<Regexp>),
    /// `Collection[from, to]`: arrays and hashes by size.
    Collection(Option<IntRange>),
    /// `Array[T, from, to]`.
    Array(Arc<ArrayType>),
    /// `Tuple[T…, from, to]`.
    Tuple(Arc<TupleType>),
    /// `Hash[K, V, from, to]`.
    Hash(Arc<HashType>),
    /// `Struct[{…}]`.
    Struct(Arc<StructType>),
    /// `Optional[T]`.
    Optional(Option<Arc<Type>>),
    /// `NotUndef[T]`.
    NotUndef(Option<Arc<Type>>),
    /// `Variant[T…]`; without types it has no instance.
    Variant(Arc<[Type]>),
    /// `Type[T]`: the types that `T` accepts, as values.
    Type(Option<Arc<Type>>),
    /// `Iterable[T]`.
    Iterable(Option<Arc<Type>>),
    /// `Iterator[T]`.
    Iterator(Option<Arc<Type>>),
    /// `Callable[…]`.
    Callable(Arc<CallableType>),
    /// `CatalogEntry`.
    CatalogEntry,
    /// `Class[name]`; the name is in lower case, without leading colons.
    Class(Option<Arc<str>>),
    /// `Resource[type, title]`, as a type of the resource and, with `Type[…]` around it, as the
    /// type of a reference to it.
    Resource(Arc<ResourceType>),
    /// `Sensitive[T]`; `T` is always general.
    Sensitive(Arc<Type>),
    /// `Binary`.
    Binary,
    /// `URI[…]` with the constraints on its parts, a part name each.
    Uri(Option<UriConstraints>),
    /// `SemVer[…]`: versions within one of the ranges; all versions if there is none.
    SemVer(Arc<[VersionRange]>),
    /// `SemVerRange`.
    SemVerRange,
    /// `Timespan[from, to]`.
    Timespan(TimeRange),
    /// `Timestamp[from, to]`.
    Timestamp(TimeRange),
    /// `Runtime[name, class]`.
    Runtime(Arc<RuntimeType>),
    /// `Init[T, args…]`: what `T.new` accepts.
    Init(Option<Arc<InitType>>),
    /// `Object[{…}]`, `Error`, `Deferred` and other types with attributes.
    Object(Arc<ObjectType>),
    /// An object type with values for its type parameters, such as `Error['kind']`.
    ObjectExtension(Arc<ObjectExtension>),
    /// `TypeSet[{…}]`.
    TypeSet(Option<Arc<TypeSetType>>),
    /// A type alias by name, with what it stands for.
    Alias(Arc<Alias>),
    /// Within the body of the alias of this name: that alias. Never outside of it.
    Recursion(Arc<str>),
    /// `TypeReference['…']`: a name that nothing is known by, with its parameters.
    Reference(Arc<str>),
}

impl Type {
    /// `Integer`.
    pub const INTEGER: Type = Type::Integer(IntRange::ALL);
    /// `Float`.
    pub const FLOAT: Type = Type::Float(FloatRange::ALL);
    /// `String`.
    pub const STRING: Type = Type::String(StringType::Any);
    /// `Boolean`.
    pub const BOOLEAN: Type = Type::Boolean(None);

    /// `Integer[value, value]`.
    pub fn integer_value(value: i64) -> Type {
        Type::Integer(IntRange::exactly(value))
    }

    /// `Integer[min, max]`, unbounded where nothing is given.
    ///
    /// Nothing if the range is empty, which Puppet refuses.
    pub fn integer(min: Option<i64>, max: Option<i64>) -> Option<Type> {
        IntRange::new(min, max).map(Type::Integer)
    }

    /// The type of the one string.
    pub fn string_value(value: impl Into<Arc<str>>) -> Type {
        Type::String(StringType::Value(value.into()))
    }

    /// `String[from, to]`; a length below zero counts as zero.
    pub fn string_sized(size: IntRange) -> Type {
        Type::String(StringType::Sized(size.to_size()))
    }

    /// `Enum[…]`, case-sensitive.
    pub fn enumeration<S: Into<Arc<str>>>(values: impl IntoIterator<Item = S>) -> Type {
        Type::Enum(Arc::new(EnumType::new(
            values.into_iter().map(Into::into),
            false,
        )))
    }

    /// `Enum[…, true]`, whose strings are compared without regard to ASCII case.
    pub fn enumeration_any_case<S: Into<Arc<str>>>(values: impl IntoIterator<Item = S>) -> Type {
        Type::Enum(Arc::new(EnumType::new(
            values.into_iter().map(Into::into),
            true,
        )))
    }

    /// `Array[element]`, with its size if given. The array that can only be empty has no element
    /// type.
    pub fn array(element: Type, size: Option<IntRange>) -> Type {
        Type::Array(Arc::new(ArrayType::new(element, size)))
    }

    /// `Array`, which is `Array[Any]`.
    pub fn any_array() -> Type {
        Type::array(Type::Any, None)
    }

    /// `Array[0, 0]`: the type of `[]`.
    pub fn empty_array() -> Type {
        Type::array(Type::Unit, Some(IntRange::exactly(0)))
    }

    /// `Hash[key, value]`, with its size if given. The hash that can only be empty has neither key
    /// nor value type.
    pub fn hash(key: Type, value: Type, size: Option<IntRange>) -> Type {
        Type::Hash(Arc::new(HashType::new(key, value, size)))
    }

    /// `Hash`, which is `Hash[Any, Any]`.
    pub fn any_hash() -> Type {
        Type::hash(Type::Any, Type::Any, None)
    }

    /// `Hash[0, 0]`: the type of `{}`.
    pub fn empty_hash() -> Type {
        Type::hash(Type::Unit, Type::Unit, Some(IntRange::exactly(0)))
    }

    /// `Tuple[types…]`, with its size if given.
    pub fn tuple(types: impl Into<Arc<[Type]>>, size: Option<IntRange>) -> Type {
        Type::Tuple(Arc::new(TupleType::new(types, size)))
    }

    /// `Struct[{…}]`.
    pub fn structure(elements: impl Into<Arc<[StructElement]>>) -> Type {
        Type::Struct(Arc::new(StructType::new(elements)))
    }

    /// `Optional[inner]`.
    pub fn optional(inner: Type) -> Type {
        Type::Optional(Some(Arc::new(inner)))
    }

    /// `NotUndef[inner]`; `NotUndef[Any]` is `NotUndef`.
    pub fn not_undef(inner: Type) -> Type {
        match inner {
            Type::Any => Type::NotUndef(None),
            inner => Type::NotUndef(Some(Arc::new(inner))),
        }
    }

    /// `Variant[…]` as Puppet makes it: variants directly inside become part of it, equal types
    /// are kept once, and a single type needs no variant.
    pub fn variant(types: impl IntoIterator<Item = Type>) -> Type {
        let mut flat = Distinct::default();
        for ty in types {
            match ty {
                Type::Variant(inner) => inner.iter().cloned().for_each(|it| flat.add(it)),
                ty => flat.add(ty),
            }
        }
        match <[Type; 1]>::try_from(flat.found) {
            Ok([only]) => only,
            Err(flat) => Type::Variant(flat.into()),
        }
    }

    /// `Type[inner]`.
    pub fn type_of(inner: Type) -> Type {
        Type::Type(Some(Arc::new(inner)))
    }

    /// `Iterable[inner]`.
    pub fn iterable_of(inner: Type) -> Type {
        Type::Iterable(Some(Arc::new(inner)))
    }

    /// `Iterator[inner]`.
    pub fn iterator_of(inner: Type) -> Type {
        Type::Iterator(Some(Arc::new(inner)))
    }

    /// `Sensitive[inner]`: what is inside is made general, so that nothing leaks.
    pub fn sensitive(inner: &Type) -> Type {
        Type::Sensitive(Arc::new(generalize(inner)))
    }

    /// `Class[name]`; leading colons are dropped.
    pub fn class(name: &str) -> Type {
        Type::Class(Some(name.strip_prefix("::").unwrap_or(name).into()))
    }

    /// `Resource[type_name, title]`.
    pub fn resource(type_name: &str, title: Option<&str>) -> Type {
        Type::Resource(Arc::new(ResourceType::new(
            Some(type_name.into()),
            title.map(Into::into),
        )))
    }

    /// `Resource`.
    pub fn any_resource() -> Type {
        Type::Resource(Arc::new(ResourceType::new(None, None)))
    }

    /// `Callable`.
    pub fn any_callable() -> Type {
        Type::Callable(Arc::new(CallableType::default()))
    }

    /// `Pattern`: a pattern is kept once.
    pub fn pattern(patterns: impl IntoIterator<Item = Regexp>) -> Type {
        let mut unique = Distinct::default();
        patterns.into_iter().for_each(|it| unique.add(it));
        Type::Pattern(unique.found.into())
    }

    /// `SemVer[…]`: ranges that touch or overlap are merged.
    pub fn sem_ver(ranges: Vec<VersionRange>) -> Type {
        Type::SemVer(crate::values::merge_type_ranges(ranges).into())
    }

    /// `Runtime`.
    pub fn any_runtime() -> Type {
        Type::Runtime(Arc::new(RuntimeType::default()))
    }

    /// The type itself, or what it stands for if it is an alias.
    pub fn resolved(&self) -> Type {
        let mut ty = self.clone();
        while let Type::Alias(alias) = &ty {
            ty = alias.resolved();
        }
        ty
    }

    /// Whether it has no value at all: a `Variant` without types.
    pub fn is_never(&self) -> bool {
        matches!(self, Type::Variant(it) if it.is_empty())
    }

    /// Whether it is `Any` itself.
    pub fn is_any(&self) -> bool {
        matches!(self, Type::Any)
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&display(self))
    }
}

/// Collects what is not there yet, in the order in which it comes.
struct Distinct<T> {
    found: Vec<T>,
    /// The same, once it is much.
    seen: FxHashSet<T>,
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Distinct {
            found: Vec::new(),
            seen: FxHashSet::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Distinct<T> {
    /// Up to so many it is quicker to look at each than to hash.
    const FEW: usize = 16;

    fn add(&mut self, item: T) {
        if self.found.len() == Self::FEW && self.seen.is_empty() {
            self.seen.extend(self.found.iter().cloned());
        }
        let is_new = if self.found.len() < Self::FEW {
            !self.found.contains(&item)
        } else {
            self.seen.insert(item.clone())
        };
        if is_new {
            self.found.push(item);
        }
    }
}
