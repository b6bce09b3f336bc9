//! Types with attributes: `Object[{…}]`, the built-in `Error` and `Deferred`, and type sets.

mod from_hash;

use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;

use super::assign::Passed;
use super::guard::Question;
use super::{CallableType, StringType, TupleType, Type, data, generalize, infer};
use crate::values::{ObjectValue, Regexp, Value};

/// `Object[{…}]`.
#[derive(Debug, Default)]
pub struct ObjectType {
    /// The name, if the type has one.
    pub name: Option<Arc<str>>,
    /// The parent type: an object type or an alias of one.
    pub parent: Option<Type>,
    /// The type parameters; `undef` is accepted in addition to the type of each.
    pub type_parameters: IndexMap<Arc<str>, Attribute>,
    /// The attributes declared by this type, without inherited ones.
    pub attributes: IndexMap<Arc<str>, Attribute>,
    /// The functions declared by this type, each a `Callable`.
    pub functions: IndexMap<Arc<str>, Attribute>,
    /// The attributes compared for equality, if `equality` is specified.
    pub equality: Option<Vec<Arc<str>>>,
    /// Whether equality ignores the type (`equality_include_type => false`).
    pub equality_ignores_type: bool,
    /// The `checks`, which Puppet stores but does not use.
    pub checks: Option<Value>,
}

/// An attribute, a type parameter or a function of an object type.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The type.
    pub ty: Type,
    /// The default value.
    pub value: Option<Value>,
    /// The kind.
    pub kind: AttributeKind,
    /// Whether the member must not be overridden.
    pub is_final: bool,
    /// Whether the member overrides an inherited one.
    pub is_override: bool,
}

/// A member of an object that can be accessed with a method call.
#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    /// An attribute.
    Attribute(Attribute),
    /// A function; Puppet provides no body for it.
    Function,
}

/// The kind of an [`Attribute`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AttributeKind {
    /// An ordinary attribute.
    #[default]
    Normal,
    /// A constant shared by all instances.
    Constant,
    /// Computed from other attributes.
    Derived,
    /// Optional, with a default of `undef`.
    GivenOrDerived,
    /// A reference to another object.
    Reference,
}

impl AttributeKind {
    /// Returns the Puppet keyword; `None` for ordinary attributes.
    pub fn keyword(self) -> Option<&'static str> {
        match self {
            AttributeKind::Normal => None,
            AttributeKind::Constant => Some("constant"),
            AttributeKind::Derived => Some("derived"),
            AttributeKind::GivenOrDerived => Some("given_or_derived"),
            AttributeKind::Reference => Some("reference"),
        }
    }
}

impl Attribute {
    /// Returns an ordinary attribute that is required.
    pub fn required(ty: Type) -> Attribute {
        let kind = AttributeKind::Normal;
        Attribute {
            ty,
            value: None,
            kind,
            is_final: false,
            is_override: false,
        }
    }

    /// Returns an ordinary attribute with a default.
    pub fn with_default(ty: Type, value: Value) -> Attribute {
        Attribute {
            value: Some(value),
            ..Attribute::required(ty)
        }
    }

    /// Checks whether the value is passed to the constructor.
    pub fn is_given(&self) -> bool {
        !matches!(self.kind, AttributeKind::Constant | AttributeKind::Derived)
    }

    /// Checks whether the attribute is a constant whose type is implied by its value.
    pub(super) fn is_plain_constant(&self) -> bool {
        self.kind == AttributeKind::Constant
            && self
                .value
                .as_ref()
                .is_some_and(|it| generalize(&infer(it)) == self.ty)
    }
}

impl ObjectType {
    /// `Object` without parameters, the supertype of all object types.
    pub fn any() -> Type {
        static ANY: LazyLock<Arc<ObjectType>> = LazyLock::new(Arc::default);
        Type::Object(Arc::clone(&ANY))
    }

    /// Returns the built-in type `Error`.
    pub fn error() -> &'static Arc<ObjectType> {
        static ERROR: LazyLock<Arc<ObjectType>> = LazyLock::new(|| Arc::new(error_type()));
        &ERROR
    }

    /// Returns the built-in type `Deferred`.
    pub fn deferred() -> &'static Arc<ObjectType> {
        static DEFERRED: LazyLock<Arc<ObjectType>> = LazyLock::new(|| Arc::new(deferred_type()));
        &DEFERRED
    }

    /// Checks whether the type is `Object` without parameters.
    pub fn is_any(&self) -> bool {
        *self == ObjectType::default()
    }

    /// Returns the name, or `Object` for an anonymous type.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or("Object")
    }

    /// Returns the same type under the name of its alias.
    pub(super) fn named(&self, name: &Arc<str>) -> ObjectType {
        ObjectType {
            name: Some(Arc::clone(name)),
            parent: self.parent.clone(),
            type_parameters: self.type_parameters.clone(),
            attributes: self.attributes.clone(),
            functions: self.functions.clone(),
            equality: self.equality.clone(),
            equality_ignores_type: self.equality_ignores_type,
            checks: self.checks.clone(),
        }
    }

    /// Returns the parent type, with aliases resolved.
    pub fn parent_object(&self) -> Option<Arc<ObjectType>> {
        match self.parent.as_ref()?.resolved() {
            Type::Object(parent) => Some(parent),
            _ => None,
        }
    }

    /// Returns all attributes, inherited ones first.
    pub fn all_attributes(&self) -> IndexMap<Arc<str>, Attribute> {
        self.collect(&|it| &it.attributes, 0)
    }

    /// Returns all functions, inherited ones first.
    pub fn all_functions(&self) -> IndexMap<Arc<str>, Attribute> {
        self.collect(&|it| &it.functions, 0)
    }

    /// Returns all type parameters, inherited ones first.
    pub fn all_type_parameters(&self) -> IndexMap<Arc<str>, Attribute> {
        self.collect(&|it| &it.type_parameters, 0)
    }

    /// Looks up an attribute or function by name, including inherited ones.
    pub fn member(&self, name: &str) -> Option<Member> {
        let attribute = self.all_attributes().shift_remove(name);
        let function = || {
            let known = self.all_functions().contains_key(name);
            known.then_some(Member::Function)
        };
        attribute.map(Member::Attribute).or_else(function)
    }

    /// Returns the names of the attributes compared for equality, including inherited ones.
    pub fn equality_names(&self) -> Vec<Arc<str>> {
        let mut names = match self.parent_object() {
            Some(parent) => parent.equality_names(),
            None => Vec::new(),
        };
        match &self.equality {
            Some(own) => names.extend(own.iter().cloned()),
            None => {
                let own = self.attributes.iter().filter(|(_, it)| it.is_given());
                names.extend(own.map(|(name, _)| Arc::clone(name)));
            }
        }
        names
    }

    fn collect(
        &self,
        of: &dyn Fn(&ObjectType) -> &IndexMap<Arc<str>, Attribute>,
        depth: u32,
    ) -> IndexMap<Arc<str>, Attribute> {
        /// Limits the length of the inheritance chain.
        const MAX_PARENTS: u32 = 64;
        let mut all = match self.parent_object() {
            Some(parent) if depth < MAX_PARENTS => parent.collect(of, depth + 1),
            _ => IndexMap::new(),
        };
        all.extend(
            of(self)
                .iter()
                .map(|(name, it)| (Arc::clone(name), it.clone())),
        );
        all
    }
}

/// An object type with arguments for its type parameters.
#[derive(Debug)]
pub struct ObjectExtension {
    /// The object type without the arguments.
    pub base: Arc<ObjectType>,
    /// The arguments, by parameter name.
    pub parameters: Vec<(Arc<str>, Value)>,
}

impl ObjectExtension {
    /// Returns the type of an object, parameterized with the values of the attributes named by its
    /// type parameters.
    pub(super) fn of_instance(object: &ObjectValue) -> Type {
        let base = object.object_type();
        let names = base.all_type_parameters();
        if names.is_empty() {
            return Type::Object(Arc::clone(base));
        }
        let value = |name: &Arc<str>| object.get(name).cloned().unwrap_or(Value::Undef);
        let parameters = names
            .keys()
            .map(|name| (Arc::clone(name), value(name)))
            .filter(|(_, value)| !matches!(value, Value::Default))
            .collect();
        let base = Arc::clone(base);
        Type::ObjectExtension(Arc::new(ObjectExtension { base, parameters }))
    }

    /// Returns the arguments in the order of the parameters, as in source: `default` for omitted
    /// ones, with trailing ones dropped.
    pub(super) fn positional(&self) -> Vec<Value> {
        let named = |name: &Arc<str>| self.parameters.iter().find(|(it, _)| it == name);
        let mut values: Vec<Value> = self
            .base
            .all_type_parameters()
            .keys()
            .map(|name| named(name).map_or(Value::Default, |(_, value)| value.clone()))
            .collect();
        while matches!(values.last(), Some(Value::Default)) {
            values.pop();
        }
        values
    }
}

/// `TypeSet[{…}]`.
#[derive(Debug, Default)]
pub struct TypeSetType {
    /// The name.
    pub name: Option<Arc<str>>,
    /// The authority that the name belongs to.
    pub name_authority: Option<Arc<str>>,
    /// The version.
    pub version: Option<Arc<str>>,
    /// The types, by name.
    pub types: IndexMap<Arc<str>, Type>,
}

impl Question {
    pub(super) fn object_accepts(
        &self,
        to: &Arc<ObjectType>,
        from: &Type,
        guard: Passed<'_>,
    ) -> bool {
        self.deeper(false, || match from {
            Type::Object(from) => {
                to.is_any()
                    || to == from
                    || from.parent.as_ref().is_some_and(|parent| {
                        self.assignable(&Type::Object(Arc::clone(to)), parent, guard)
                    })
            }
            Type::ObjectExtension(from) => {
                let base = Type::Object(Arc::clone(&from.base));
                self.object_accepts(to, &base, guard)
            }
            _ => false,
        })
    }

    pub(super) fn extension_accepts(
        &self,
        to: &ObjectExtension,
        from: &Type,
        guard: Passed<'_>,
    ) -> bool {
        match from {
            Type::ObjectExtension(from) => {
                let base = Type::Object(Arc::clone(&from.base));
                self.object_accepts(&to.base, &base, guard)
                    && self.constraints_accept(&to.parameters, &from.parameters)
            }
            _ => false,
        }
    }

    /// Checks whether the value is an instance of an object type, with or without type parameters.
    pub(super) fn in_object(&self, ty: &Type, value: &Value, guard: Passed<'_>) -> bool {
        match (ty, value) {
            (Type::ObjectExtension(to), Value::Object(object)) => {
                let base = Type::Object(Arc::clone(object.object_type()));
                self.object_accepts(&to.base, &base, guard)
                    && to.parameters.iter().all(|(name, pattern)| {
                        object.get(name).is_some_and(|it| self.matches(it, pattern))
                    })
            }
            (Type::Object(to), Value::Object(object)) => {
                let base = Type::Object(Arc::clone(object.object_type()));
                self.object_accepts(to, &base, guard)
            }
            // In Puppet, types are objects as well.
            (Type::Object(to), Value::Type(_)) => to.is_any(),
            _ => false,
        }
    }
}

fn non_empty() -> Type {
    Type::String(StringType::Sized(super::IntRange::NOT_EMPTY))
}

fn error_type() -> ObjectType {
    let filter = Type::variant([
        Type::STRING,
        Type::Regexp(None),
        Type::type_of(Type::enumeration::<Arc<str>>([])),
        Type::type_of(Type::pattern([])),
        Type::type_of(Type::NotUndef(None)),
        Type::type_of(Type::Undef),
    ]);
    let text = || Attribute::with_default(Type::optional(non_empty()), Value::Undef);
    let details = Type::optional(Type::hash(non_empty(), data(), None));
    let message = CallableType::new(
        Some(Arc::new(TupleType::new(
            [],
            Some(super::IntRange::exactly(0)),
        ))),
        None,
        Some(non_empty()),
    );
    ObjectType {
        name: Some("Error".into()),
        type_parameters: IndexMap::from([
            ("kind".into(), Attribute::required(filter.clone())),
            ("issue_code".into(), Attribute::required(filter)),
        ]),
        attributes: IndexMap::from([
            ("msg".into(), Attribute::required(non_empty())),
            ("kind".into(), text()),
            (
                "details".into(),
                Attribute::with_default(details, Value::Undef),
            ),
            ("issue_code".into(), text()),
        ]),
        functions: IndexMap::from([(
            "message".into(),
            Attribute::required(Type::Callable(Arc::new(message))),
        )]),
        ..ObjectType::default()
    }
}

fn deferred_type() -> ObjectType {
    let name = Regexp::new(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z");
    let arguments = Type::optional(Type::any_array());
    ObjectType {
        name: Some("Deferred".into()),
        attributes: IndexMap::from([
            ("name".into(), Attribute::required(Type::pattern([name]))),
            (
                "arguments".into(),
                Attribute::with_default(arguments, Value::Undef),
            ),
        ]),
        ..ObjectType::default()
    }
}
