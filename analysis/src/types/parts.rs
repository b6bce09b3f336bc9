//! What the larger types are made of. Each is made by its constructor, which keeps what Puppet's
//! own keeps, and is not changed afterwards.

use std::sync::Arc;

use super::{IntRange, Type};
use crate::values::{Regexp, Value};

/// Which strings a `String` has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StringType {
    /// All.
    Any,
    /// Those with so many characters.
    Sized(IntRange),
    /// The one.
    Value(Arc<str>),
}

impl StringType {
    /// How long the strings may be, in characters.
    pub fn size(&self) -> IntRange {
        match self {
            StringType::Any => IntRange::SIZE,
            StringType::Sized(size) => *size,
            StringType::Value(value) => IntRange::exactly_len(value.chars().count()),
        }
    }

    /// The one string, if it is the type of one.
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
    /// The strings are kept sorted, each once.
    pub fn new(values: impl IntoIterator<Item = Arc<str>>, case_insensitive: bool) -> EnumType {
        let mut values: Vec<Arc<str>> = values.into_iter().collect();
        values.sort();
        values.dedup();
        EnumType {
            values: values.into(),
            case_insensitive,
        }
    }

    /// The strings, sorted. None stands for any string.
    pub fn values(&self) -> &[Arc<str>] {
        &self.values
    }

    /// Whether ASCII case is disregarded.
    pub fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Whether the string is one of them. An Enum without strings has no instance, although it
    /// accepts the type of every string: so it is in Puppet.
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|it| it.eq_ignore_ascii_case(text))
        } else {
            self.values.binary_search_by(|it| (**it).cmp(text)).is_ok()
        }
    }

    /// The shortest and the longest length, in characters; nothing without strings.
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
    /// An array that can only be empty loses its element type.
    pub fn new(element: Type, size: Option<IntRange>) -> ArrayType {
        let empty = size == Some(IntRange::exactly(0));
        ArrayType {
            element: if empty { Type::Unit } else { element },
            size: size.map(IntRange::to_size),
        }
    }

    /// The type of the elements.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// The size as given, if it was.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// The size, any if none was given.
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
    /// A hash that can only be empty loses its key and value types.
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

    /// The type of the keys.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// The type of the values.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// The size as given, if it was.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// The size, any if none was given.
    pub fn size_or_any(&self) -> IntRange {
        self.size.unwrap_or(IntRange::SIZE)
    }

    /// Whether it is the type of `{}`.
    pub fn is_empty_hash(&self) -> bool {
        self.key == Type::Unit
            && self.value == Type::Unit
            && self.size == Some(IntRange::exactly(0))
    }

    /// Whether it is `Hash` without parameters.
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
    /// A tuple; without a size it has just as many elements as types.
    pub fn new(types: impl Into<Arc<[Type]>>, size: Option<IntRange>) -> TupleType {
        TupleType {
            types: types.into(),
            size: size.map(IntRange::to_size),
        }
    }

    /// The types of the elements in order; the last one holds for all further ones.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The size as given, if it was.
    pub fn size(&self) -> Option<IntRange> {
        self.size
    }

    /// How many elements it may have: as many as types, or any number for a bare `Tuple`.
    pub fn size_range(&self) -> IntRange {
        self.size.unwrap_or(if self.types.is_empty() {
            IntRange::SIZE
        } else {
            IntRange::exactly_len(self.types.len())
        })
    }

    /// As [`TupleType::size_range`], but a bare `Tuple` counts as empty: the two differ in Puppet
    /// where an array or collection is asked whether it accepts a tuple.
    pub fn size_counted(&self) -> IntRange {
        self.size.unwrap_or(IntRange::exactly_len(self.types.len()))
    }

    /// The type of the element at an index; nothing without types.
    pub fn at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }

    /// Whether it is `Tuple` without parameters.
    pub fn is_default(&self) -> bool {
        self.types.is_empty() && self.size.is_none()
    }
}

/// How an element of a Struct has its key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StructKey {
    /// It must be there.
    Required,
    /// It may be missing.
    Optional,
}

/// An element of a Struct.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructElement {
    /// The key; never empty where it comes from a Puppet type.
    pub name: Arc<str>,
    /// Whether the key may be missing.
    pub key: StructKey,
    /// The type of the value.
    pub value: Type,
}

impl StructElement {
    /// An element whose key must be there.
    pub fn required(name: impl Into<Arc<str>>, value: Type) -> StructElement {
        StructElement {
            name: name.into(),
            key: StructKey::Required,
            value,
        }
    }

    /// An element whose key may be missing.
    pub fn optional(name: impl Into<Arc<str>>, value: Type) -> StructElement {
        StructElement {
            name: name.into(),
            key: StructKey::Optional,
            value,
        }
    }

    /// The element for a key written as a bare string: it may be missing if the value may be undef.
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

    /// Whether the key may be missing.
    pub fn is_optional(&self) -> bool {
        self.key == StructKey::Optional
    }

    /// The type of the key: that of the one string, optional if the key is.
    pub fn key_type(&self) -> Type {
        let name = Type::string_value(Arc::clone(&self.name));
        match self.key {
            StructKey::Required => name,
            StructKey::Optional => Type::optional(name),
        }
    }
}

/// `Struct[{…}]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructType {
    elements: Arc<[StructElement]>,
}

impl StructType {
    /// A struct with elements in the order of the source.
    pub fn new(elements: impl Into<Arc<[StructElement]>>) -> StructType {
        StructType {
            elements: elements.into(),
        }
    }

    /// The elements. None means a bare `Struct`.
    pub fn elements(&self) -> &[StructElement] {
        &self.elements
    }

    /// The element of a name; the last one if there are several.
    pub fn get(&self, name: &str) -> Option<&StructElement> {
        self.elements.iter().rev().find(|it| &*it.name == name)
    }

    /// How many different names there are.
    pub fn distinct_names(&self) -> usize {
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
    /// A callable; nothing for `params` means that nothing is known about the parameters, nothing
    /// for `block` that it takes none. A return type of `Any` is none.
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

    /// The parameters, with how many of them there may be.
    pub fn params(&self) -> Option<&Arc<TupleType>> {
        self.params.as_ref()
    }

    /// The type of the block: a Callable, or Optional of one.
    pub fn block(&self) -> Option<&Type> {
        self.block.as_ref()
    }

    /// What it returns, if that is known to be less than `Any`.
    pub fn returns(&self) -> Option<&Type> {
        self.returns.as_ref()
    }

    /// Whether it is `Callable` without parameters.
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
    /// A resource type. The case of the type name is kept for display only.
    pub fn new(type_name: Option<Arc<str>>, title: Option<Arc<str>>) -> ResourceType {
        ResourceType { type_name, title }
    }

    /// The name as it was written.
    pub fn type_name(&self) -> Option<&Arc<str>> {
        self.type_name.as_ref()
    }

    /// The title.
    pub fn title(&self) -> Option<&Arc<str>> {
        self.title.as_ref()
    }

    /// Whether both are of the same type of resource.
    pub fn same_type(&self, other: &ResourceType) -> bool {
        match (&self.type_name, &other.type_name) {
            (Some(a), Some(b)) => a.to_lowercase() == b.to_lowercase(),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

/// What a `Runtime` names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuntimeName {
    /// A class of the platform.
    Name(Arc<str>),
    /// A pattern of names and what to put in their place.
    Mapping(Regexp, Arc<str>),
}

/// `Runtime[name, class]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct RuntimeType {
    /// The platform, such as `ruby`.
    pub runtime: Option<Arc<str>>,
    /// The class.
    pub name: Option<RuntimeName>,
}

/// `Init[T, args…]`.
#[derive(Clone, PartialEq, Debug)]
pub struct InitType {
    /// The type that is made.
    pub inner: Type,
    /// The further arguments of its constructor.
    pub args: Arc<[Value]>,
}
