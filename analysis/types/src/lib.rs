//! Puppet's type lattice: every type of the language with its parameters, and the type algebra as
//! the real Puppet computes it.
//!
//! This module consists of plain data and pure functions: no database, no files, no evaluation.
//! Types may contain values (the arguments of `Init`, the constraints of `URI`) and values may be
//! types, so this module and [`crate::values`] depend on each other. Neither may depend on names,
//! files or syntax trees, except for the [`reader`], which parses a type from a tree.
//!
//! Where Puppet's own algebra is odd, it is followed to the letter (the join of `Undef` and `T` is
//! `T`; one-value strings accept any one-value `Enum`), because the results must agree with
//! Puppet's. The sound operations that flow analysis needs are separate, in [`precise`].
//!
//! Recursive aliases contain no cycle: inside the body of an alias, a [`Type::Recursion`] refers to
//! the alias, and unfolding replaces it with the alias. Types are therefore plain trees that can be
//! dropped, compared and sent between threads.
#![warn(missing_docs)]

mod alias;
mod assign;
mod callable;
mod common;
mod data_types;
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
pub mod oracle_queries;
mod parameter;
mod parts;
pub mod precise;
mod range;
pub mod reader;
mod resolved;
pub mod special;
pub mod values;
mod weight;

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::values::{Regexp, Value, VersionRange};

pub use alias::{Alias, data, rich_data, rich_data_key};
pub use assign::{assignable, equivalent, is_assignable};
pub use callable::{CallableError, callable, is_block_type};
pub use common::common_type;
pub use data_types::{DATA_TYPES, spelled_data_type};
pub use display::{
    capitalize_segments, display, display_exact, display_expanded, display_hover, display_readable,
    display_written, display_written_start,
};
pub use generalize::generalize;
pub use infer::{infer, infer_detailed};
pub use init::{Accepted, constructors};
pub use instance::{instance, is_instance};
pub use iterable::{iterable, iterable_type};
pub use normalize::normalize;
pub use object::{Attribute, AttributeKind, Member, ObjectExtension, ObjectType, TypeSetType};
pub use parameter::accepted_by_parameter;
pub use parts::{
    ArrayType, CallableType, EnumType, HashType, InitType, ResourceType, RuntimeName, RuntimeType,
    StringType, StructElement, StructKey, StructType, TupleType,
};
pub use range::{FloatRange, IntRange, TimeRange};
pub use resolved::{is_resolved, is_resolved_value};
pub use special::Refused;
pub use weight::weight;

/// The constraints on the components of a URI, by component name.
pub type UriConstraints = Arc<[(Arc<str>, Value)]>;

/// A Puppet data type. Cloning is cheap: large parts are shared.
///
/// Prefer the constructor functions to the variants where both exist: they maintain the invariants
/// of Puppet's own constructors (sorted enums, flat variants, empty arrays without an element
/// type).
#[derive(Clone, Debug)]
pub enum Type {
    /// `Any`: every value.
    Any,
    /// `Unit`: the element type of an empty collection. It has no syntax; it accepts every type and
    /// is accepted by every type.
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
    /// `Boolean`, or the literal type of one boolean.
    Boolean(Option<bool>),
    /// `String`, restricted by length or by value.
    String(StringType),
    /// `Enum[…]`: a set of strings.
    Enum(Arc<EnumType>),
    /// `Pattern[…]`: the strings that match at least one of the regular expressions; every string
    /// if the list is empty.
    Pattern(Arc<[Regexp]>),
    /// `Regexp`, or the literal type of one regular expression.
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
    /// `Variant[T…]`; uninhabited without types.
    Variant(Arc<[Type]>),
    /// `Type[T]`: the subtypes of `T`, as values.
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
    /// `Resource[type, title]`: the type of a resource and, within `Type[…]`, of a reference to it.
    Resource(Arc<ResourceType>),
    /// `Sensitive[T]`; `T` is always generalized.
    Sensitive(Arc<Type>),
    /// `Binary`.
    Binary,
    /// `URI[…]` with constraints on its components.
    Uri(Option<UriConstraints>),
    /// `SemVer[…]`: the versions within one of the ranges; every version if the list is empty.
    SemVer(Arc<[VersionRange]>),
    /// `SemVerRange`.
    SemVerRange,
    /// `Timespan[from, to]`.
    Timespan(TimeRange),
    /// `Timestamp[from, to]`.
    Timestamp(TimeRange),
    /// `Runtime[name, class]`.
    Runtime(Arc<RuntimeType>),
    /// `Init[T, args…]`: the values that `T.new` accepts.
    Init(Option<Arc<InitType>>),
    /// `Object[{…}]`, `Error`, `Deferred` and other types with attributes.
    Object(Arc<ObjectType>),
    /// An object type with values for its type parameters, such as `Error['kind']`.
    ObjectExtension(Arc<ObjectExtension>),
    /// `TypeSet[{…}]`.
    TypeSet(Option<Arc<TypeSetType>>),
    /// A type alias: its name and its body.
    Alias(Arc<Alias>),
    /// A reference to the enclosing alias of this name. Occurs only in the body of that alias.
    Recursion(Arc<str>),
    /// `TypeReference['…']`: an unresolved type name with its parameters.
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

    /// `Integer[min, max]`; `None` is unbounded.
    ///
    /// Returns `None` if the range is empty, which Puppet rejects.
    pub fn integer(min: Option<i64>, max: Option<i64>) -> Option<Type> {
        IntRange::new(min, max).map(Type::Integer)
    }

    /// Returns the literal type of one string.
    pub fn string_value(value: impl Into<Arc<str>>) -> Type {
        Type::String(StringType::Value(value.into()))
    }

    /// `String[from, to]`; negative lengths are clamped to zero.
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

    /// `Enum[…, true]`, which ignores ASCII case.
    pub fn enumeration_any_case<S: Into<Arc<str>>>(values: impl IntoIterator<Item = S>) -> Type {
        Type::Enum(Arc::new(EnumType::new(
            values.into_iter().map(Into::into),
            true,
        )))
    }

    /// `Array[element, size]`. If only the empty array has the size, the element type is dropped.
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

    /// `Hash[key, value, size]`. If only the empty hash has the size, the key and value types are
    /// dropped.
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

    /// `Tuple[types…]`, with an optional size.
    pub fn tuple(types: impl Into<Arc<[Type]>>, size: Option<IntRange>) -> Type {
        Type::Tuple(Arc::new(TupleType::new(types, size)))
    }

    /// `Struct[{…}]`.
    pub fn structure(elements: impl Into<Arc<[StructElement]>>) -> Type {
        Type::Struct(Arc::new(StructType::new(elements)))
    }

    /// `Deferred`, the type of calls that the agent evaluates.
    pub fn deferred() -> Type {
        Type::Object(Arc::clone(ObjectType::deferred()))
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

    /// `Variant[…]` as Puppet builds it: nested variants are flattened, equal types are
    /// deduplicated, and a single type is returned as it is.
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

    /// `Sensitive[inner]` with a generalized `inner`, so that the type does not reveal the value.
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

    /// `Pattern[…]` without duplicates.
    pub fn pattern(patterns: impl IntoIterator<Item = Regexp>) -> Type {
        let mut unique = Distinct::default();
        patterns.into_iter().for_each(|it| unique.add(it));
        Type::Pattern(unique.found.into())
    }

    /// `SemVer[…]`; adjacent and overlapping ranges are merged.
    pub fn sem_ver(ranges: Vec<VersionRange>) -> Type {
        Type::SemVer(crate::values::merge_type_ranges(ranges).into())
    }

    /// `Runtime`.
    pub fn any_runtime() -> Type {
        Type::Runtime(Arc::new(RuntimeType::default()))
    }

    /// Returns the type with all outer aliases resolved.
    pub fn resolved(&self) -> Type {
        let mut ty = self.clone();
        while let Type::Alias(alias) = &ty {
            ty = alias.resolved();
        }
        ty
    }

    /// Checks whether the type is the bottom type: a `Variant` without types.
    pub fn is_never(&self) -> bool {
        matches!(self, Type::Variant(it) if it.is_empty())
    }

    /// Checks whether the type is `Any`.
    pub fn is_any(&self) -> bool {
        matches!(self, Type::Any)
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&display(self))
    }
}

/// Collects distinct items in order of insertion.
struct Distinct<T> {
    found: Vec<T>,
    /// Mirrors `found` once it has grown beyond `FEW` items.
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
    /// Up to this length a linear search is faster than hashing.
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
