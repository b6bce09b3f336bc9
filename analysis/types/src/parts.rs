//! The payloads of the parameterized types. Their constructors maintain the invariants of Puppet's
//! own; the values are immutable afterwards.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{IntRange, Type};
use crate::values::{Regexp, Value};

/// The strings that a `String` accepts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringType {
    /// Every string.
    Any,
    /// The strings with a length in the range.
    Sized(IntRange),
    /// A single string.
    Value(Arc<str>),
}

impl StringType {
    /// Returns the range of the lengths, in characters.
    pub fn size(&self) -> IntRange {
        match self {
            StringType::Any => IntRange::SIZE,
            StringType::Sized(size) => *size,
            StringType::Value(value) => IntRange::exactly_len(value.chars().count()),
        }
    }

    /// Returns the string of a literal type.
    pub fn value(&self) -> Option<&Arc<str>> {
        match self {
            StringType::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// `Enum[…]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumType {
    values: Arc<[Arc<str>]>,
    case_insensitive: bool,
}

impl EnumType {
    /// Creates an `Enum`; the strings are sorted and deduplicated.
    pub fn new(values: impl IntoIterator<Item = Arc<str>>, case_insensitive: bool) -> EnumType {
        let mut values: Vec<Arc<str>> = values.into_iter().collect();
        values.sort();
        values.dedup();
        EnumType {
            values: values.into(),
            case_insensitive,
        }
    }

    /// Returns the strings, sorted. An empty list accepts the type of every string.
    pub fn values(&self) -> &[Arc<str>] {
        &self.values
    }

    /// Checks whether ASCII case is ignored.
    pub fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Checks whether the set contains the string. As in Puppet, an `Enum` without strings has no
    /// instances although every string type is assignable to it.
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|it| it.eq_ignore_ascii_case(text))
        } else {
            self.values.binary_search_by(|it| (**it).cmp(text)).is_ok()
        }
    }

    /// Returns the range of the lengths, in characters; `None` without strings.
    pub fn lengths(&self) -> Option<IntRange> {
        let lengths = self
            .values
            .iter()
            .map(|it| IntRange::exactly_len(it.chars().count()));
        lengths.reduce(IntRange::hull)
    }
}

/// `Array[T, from, to]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    element: Type,
    size: Option<IntRange>,
}

impl ArrayType {
    /// Creates an `Array`; drops the element type if only the empty array has the size.
    pub fn new(element: Type, size: Option<IntRange>) -> ArrayType {
        let empty = size == Some(IntRange::exactly(0));
        ArrayType {
            element: if empty { Type::Unit } else { element },
            size: size.map(IntRange::to_size),
        }
    }

    /// Returns the element type.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// Returns the explicit size.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// Returns the size, or [`IntRange::SIZE`] if it is not explicit.
    pub fn size_or_any(&self) -> IntRange {
        self.size.unwrap_or(IntRange::SIZE)
    }
}

/// `Hash[K, V, from, to]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HashType {
    key: Type,
    value: Type,
    size: Option<IntRange>,
}

impl HashType {
    /// Creates a `Hash`; drops the key and value types if only the empty hash has the size.
    pub fn new(key: Type, value: Type, size: Option<IntRange>) -> HashType {
        let empty = size == Some(IntRange::exactly(0));
        let (key, value) = if empty {
            (Type::Unit, Type::Unit)
        } else {
            (key, value)
        };
        HashType {
            key,
            value,
            size: size.map(IntRange::to_size),
        }
    }

    /// Returns the key type.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// Returns the value type.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// Returns the explicit size.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// Returns the size, or [`IntRange::SIZE`] if it is not explicit.
    pub fn size_or_any(&self) -> IntRange {
        self.size.unwrap_or(IntRange::SIZE)
    }

    /// Checks whether this is the type of `{}`.
    pub fn is_empty_hash(&self) -> bool {
        self.key == Type::Unit
            && self.value == Type::Unit
            && self.size == Some(IntRange::exactly(0))
    }

    /// Checks whether this is `Hash` without parameters.
    pub fn is_default(&self) -> bool {
        self.key.is_any() && self.value.is_any() && self.size.is_none()
    }
}

/// `Tuple[T…, from, to]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TupleType {
    types: Arc<[Type]>,
    size: Option<IntRange>,
}

impl TupleType {
    /// Creates a `Tuple`; without a size it has exactly one element per type.
    pub fn new(types: impl Into<Arc<[Type]>>, size: Option<IntRange>) -> TupleType {
        TupleType {
            types: types.into(),
            size: size.map(IntRange::to_size),
        }
    }

    /// Returns the element types in order; the last one applies to all further elements.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Returns the explicit size.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// Returns the range of the number of elements: one per type, or any number for a bare `Tuple`.
    pub fn size_range(&self) -> IntRange {
        self.size.unwrap_or(if self.types.is_empty() {
            IntRange::SIZE
        } else {
            IntRange::exactly_len(self.types.len())
        })
    }

    /// Like [`TupleType::size_range`], but a bare `Tuple` counts as empty. Puppet differs in this
    /// way when it assigns a tuple to an array or collection.
    pub fn size_counted(&self) -> IntRange {
        self.size.unwrap_or(IntRange::exactly_len(self.types.len()))
    }

    /// Returns the element type at an index; `None` without types.
    pub fn at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }

    /// Checks whether this is `Tuple` without parameters.
    pub fn is_default(&self) -> bool {
        self.types.is_empty() && self.size.is_none()
    }
}

/// Whether the key of a `Struct` element is required.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StructKey {
    /// The key must be present.
    Required,
    /// The key may be missing.
    Optional,
}

/// An element of a `Struct`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructElement {
    /// The key; never empty if it originates from a Puppet type.
    pub name: Arc<str>,
    /// Whether the key is required or optional.
    pub key: StructKey,
    /// The value type.
    pub value: Type,
}

impl StructElement {
    /// Returns an element with a required key.
    pub fn required(name: impl Into<Arc<str>>, value: Type) -> StructElement {
        StructElement {
            name: name.into(),
            key: StructKey::Required,
            value,
        }
    }

    /// Returns an element with an optional key.
    pub fn optional(name: impl Into<Arc<str>>, value: Type) -> StructElement {
        StructElement {
            name: name.into(),
            key: StructKey::Optional,
            value,
        }
    }

    /// Returns an element whose key is a bare string: it is optional if `undef` is assignable to
    /// the value type.
    pub fn named(name: impl Into<Arc<str>>, value: Type) -> StructElement {
        let optional = super::assignable(&value, &Type::Undef);
        let key = if optional {
            StructKey::Optional
        } else {
            StructKey::Required
        };
        StructElement {
            name: name.into(),
            key,
            value,
        }
    }

    /// Checks whether the key is optional.
    pub fn is_optional(&self) -> bool {
        self.key == StructKey::Optional
    }

    /// Returns the key type: a literal string type, wrapped in `Optional` for an optional key.
    pub fn key_type(&self) -> Type {
        let name = Type::string_value(Arc::clone(&self.name));
        match self.key {
            StructKey::Required => name,
            StructKey::Optional => Type::optional(name),
        }
    }
}

/// `Struct[{…}]`.
#[derive(Clone, Debug)]
pub struct StructType {
    elements: Arc<[StructElement]>,
    /// The last element of each name, once many elements are looked up.
    by_name: Arc<OnceLock<FxHashMap<Arc<str>, usize>>>,
}

impl PartialEq for StructType {
    fn eq(&self, other: &StructType) -> bool {
        Arc::ptr_eq(&self.elements, &other.elements) || self.elements == other.elements
    }
}

impl Eq for StructType {}

impl Hash for StructType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.elements.hash(state);
    }
}

/// The number of elements from which they are looked up in an index.
const MANY_ELEMENTS: usize = 16;

impl StructType {
    /// Creates a `Struct`; the elements are in source order.
    pub fn new(elements: impl Into<Arc<[StructElement]>>) -> StructType {
        StructType {
            elements: elements.into(),
            by_name: Arc::default(),
        }
    }

    /// Returns the elements; empty for a bare `Struct`.
    pub fn elements(&self) -> &[StructElement] {
        &self.elements
    }

    /// Looks up an element by name; the last of duplicates wins.
    pub fn get(&self, name: &str) -> Option<&StructElement> {
        if self.elements.len() < MANY_ELEMENTS {
            return self.elements.iter().rev().find(|it| &*it.name == name);
        }
        self.elements.get(*self.index().get(name)?)
    }

    fn index(&self) -> &FxHashMap<Arc<str>, usize> {
        self.by_name.get_or_init(|| {
            let elements = self.elements.iter().enumerate();
            elements
                .map(|(index, it)| (Arc::clone(&it.name), index))
                .collect()
        })
    }

    /// Returns the number of distinct names.
    pub fn distinct_names(&self) -> usize {
        if self.elements.len() >= MANY_ELEMENTS {
            return self.index().len();
        }
        let first = |(index, element): &(usize, &StructElement)| {
            !self.elements[..*index]
                .iter()
                .any(|it| it.name == element.name)
        };
        self.elements.iter().enumerate().filter(first).count()
    }
}

/// `Callable[…]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CallableType {
    params: Option<Arc<TupleType>>,
    block: Option<Type>,
    returns: Option<Type>,
}

impl CallableType {
    /// Creates a `Callable`. `None` for `params` means that the parameters are unknown, `None` for
    /// `block` that no block is accepted. A return type of `Any` is dropped.
    pub fn new(
        params: Option<Arc<TupleType>>,
        block: Option<Type>,
        returns: Option<Type>,
    ) -> CallableType {
        CallableType {
            params,
            block,
            returns: returns.filter(|it| !it.is_any()),
        }
    }

    /// Returns the parameter types, with the range of the number of arguments.
    pub fn params(&self) -> Option<&Arc<TupleType>> {
        self.params.as_ref()
    }

    /// Returns the block type: a `Callable`, or an `Optional` of one.
    pub fn block(&self) -> Option<&Type> {
        self.block.as_ref()
    }

    /// Returns the return type, if it is narrower than `Any`.
    pub fn returns(&self) -> Option<&Type> {
        self.returns.as_ref()
    }

    /// Checks whether this is `Callable` without parameters.
    pub fn is_default(&self) -> bool {
        self.params.is_none() && self.block.is_none() && self.returns.is_none()
    }
}

/// `Resource[type, title]`.
#[derive(Clone, Debug)]
pub struct ResourceType {
    type_name: Option<Arc<str>>,
    title: Option<Arc<str>>,
}

impl ResourceType {
    /// Creates a resource type. The case of the type name is kept for display only.
    pub fn new(type_name: Option<Arc<str>>, title: Option<Arc<str>>) -> ResourceType {
        ResourceType { type_name, title }
    }

    /// Returns the type name as written.
    pub fn type_name(&self) -> Option<&Arc<str>> {
        self.type_name.as_ref()
    }

    /// Returns the title.
    pub fn title(&self) -> Option<&Arc<str>> {
        self.title.as_ref()
    }

    /// Checks whether both have the same resource type, ignoring the title.
    pub fn same_type(&self, other: &ResourceType) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(a), Some(b)) => a.to_lowercase() == b.to_lowercase(),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

/// The class name of a `Runtime`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuntimeName {
    /// A class of the runtime.
    Name(Arc<str>),
    /// A pattern of class names with its replacement.
    Mapping(Regexp, Arc<str>),
}

/// `Runtime[name, class]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RuntimeType {
    /// The runtime, such as `ruby`.
    pub runtime: Option<Arc<str>>,
    /// The class name.
    pub name: Option<RuntimeName>,
}

/// `Init[T, args…]`.
#[derive(Clone, PartialEq, Debug)]
pub struct InitType {
    /// The type to instantiate.
    pub inner: Type,
    /// The additional arguments of its constructor.
    pub args: Arc<[Value]>,
}
