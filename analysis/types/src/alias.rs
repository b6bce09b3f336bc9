//! Type aliases, including the built-in ones.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

use super::{ObjectType, Regexp, StructElement, StructType, Type};

/// A type alias. Two aliases are equal if their names and stamps are.
#[derive(Debug)]
pub struct Alias {
    name: Arc<str>,
    body: Type,
    recursive: bool,
    /// Whether another alias in the body refers to this one.
    mutual: bool,
    /// Distinguishes definitions of the same name at different times.
    stamp: u64,
    /// The unfolded body, cached for built-in aliases.
    unfolded: Option<OnceLock<Type>>,
}

impl Alias {
    /// Creates an alias. In `body`, [`Type::Recursion`] with the same name refers to the alias
    /// itself.
    pub fn new(name: impl Into<Arc<str>>, body: Type) -> Alias {
        let name = name.into();
        let recursive = mentions(&body, &name);
        let mutual = recursive && mentions_through_alias(&body, &name);
        Alias {
            name,
            body,
            recursive,
            mutual,
            stamp: 0,
            unfolded: None,
        }
    }

    /// Sets the stamp; see [`Self::stamp`].
    pub(super) fn stamped(self, stamp: u64) -> Alias {
        Alias { stamp, ..self }
    }

    /// Returns the stamp, which distinguishes definitions of the same name at different times.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Returns a built-in alias. It lives as long as the program, so that it is unfolded only once.
    fn built_in(name: &str, body: Type) -> Type {
        let alias = Alias {
            unfolded: Some(OnceLock::new()),
            ..Alias::new(name, body)
        };
        Type::Alias(Arc::new(alias))
    }

    /// Returns the name.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Checks whether the alias occurs in its own body.
    pub fn is_recursive(&self) -> bool {
        self.recursive
    }

    /// Checks whether another alias in the body refers to this one. The answers of Puppet about such types depend on the
    /// one that it has resolved first.
    pub(super) fn is_mutually_recursive(&self) -> bool {
        self.mutual
    }

    /// Returns the body, in which [`Type::Recursion`] refers to the alias itself.
    pub(super) fn body(&self) -> &Type {
        &self.body
    }

    /// Returns the aliased type, unfolded once if the alias is recursive.
    pub fn resolved(self: &Arc<Self>) -> Type {
        if !self.recursive {
            return self.body.clone();
        }
        let unfold = || put_back(&self.body, self);
        match &self.unfolded {
            Some(once) => once.get_or_init(unfold).clone(),
            None => unfold(),
        }
    }
}

/// Checks whether the type refers to the alias with this name.
pub(super) fn mentions(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Recursion(it) => **it == *name,
        Type::Alias(alias) => *alias.name != *name && mentions(&alias.body, name),
        _ => {
            let mut found = false;
            each_child(ty, &mut |child| found = found || mentions(child, name));
            found
        }
    }
}

/// Checks whether an alias in the type refers to the alias with this name.
fn mentions_through_alias(ty: &Type, name: &str) -> bool {
    if matches!(ty, Type::Alias(_)) {
        return mentions(ty, name);
    }
    let mut found = false;
    each_child(ty, &mut |child| {
        found = found || mentions_through_alias(child, name)
    });
    found
}

/// Replaces every reference to the alias with the alias.
fn put_back(ty: &Type, alias: &Arc<Alias>) -> Type {
    match ty {
        Type::Recursion(name) if *name == alias.name => Type::Alias(Arc::clone(alias)),
        Type::Alias(inner) if inner.name == alias.name || !mentions(ty, &alias.name) => ty.clone(),
        Type::Alias(inner) => Type::Alias(Arc::new(Alias {
            name: Arc::clone(&inner.name),
            body: put_back(&inner.body, alias),
            recursive: true,
            mutual: true,
            stamp: inner.stamp,
            unfolded: None,
        })),
        _ => map_children(ty, &mut |child| put_back(child, alias)),
    }
}

/// Visits the direct components of a type.
pub(super) fn each_child(ty: &Type, visit: &mut dyn FnMut(&Type)) {
    match ty {
        Type::Array(it) => visit(it.element()),
        Type::Hash(it) => {
            visit(it.key());
            visit(it.value());
        }
        Type::Tuple(it) => it.types().iter().for_each(visit),
        Type::Struct(it) => it
            .elements()
            .iter()
            .for_each(|element| visit(&element.value)),
        Type::Variant(types) => types.iter().for_each(visit),
        Type::Optional(Some(it))
        | Type::NotUndef(Some(it))
        | Type::Type(Some(it))
        | Type::Iterable(Some(it))
        | Type::Iterator(Some(it))
        | Type::Sensitive(it) => visit(it),
        Type::Callable(it) => {
            if let Some(params) = it.params() {
                params.types().iter().for_each(&mut *visit);
            }
            it.block().into_iter().chain(it.returns()).for_each(visit);
        }
        Type::Init(Some(it)) => visit(&it.inner),
        _ => {}
    }
}

/// Replaces the direct components of a type.
pub(super) fn map_children(ty: &Type, map: &mut dyn FnMut(&Type) -> Type) -> Type {
    match ty {
        Type::Array(it) => {
            let element = map(it.element());
            Type::array(element, it.size())
        }
        Type::Hash(it) => {
            let (key, value) = (map(it.key()), map(it.value()));
            Type::hash(key, value, it.size())
        }
        Type::Tuple(it) => {
            let types: Vec<Type> = it.types().iter().map(map).collect();
            Type::tuple(types, it.size())
        }
        Type::Struct(it) => {
            let element = |it: &StructElement| StructElement {
                name: Arc::clone(&it.name),
                key: it.key,
                value: map(&it.value),
            };
            let elements: Vec<StructElement> = it.elements().iter().map(element).collect();
            Type::Struct(Arc::new(StructType::new(elements)))
        }
        Type::Variant(types) => Type::Variant(types.iter().map(map).collect()),
        Type::Optional(Some(it)) => Type::optional(map(it)),
        Type::NotUndef(Some(it)) => Type::not_undef(map(it)),
        Type::Type(Some(it)) => Type::type_of(map(it)),
        Type::Iterable(Some(it)) => Type::iterable_of(map(it)),
        Type::Iterator(Some(it)) => Type::iterator_of(map(it)),
        Type::Sensitive(it) => Type::Sensitive(Arc::new(map(it))),
        Type::Callable(it) => {
            let params = it.params().map(|params| {
                let types: Vec<Type> = params.types().iter().map(&mut *map).collect();
                Arc::new(super::TupleType::new(types, params.size()))
            });
            let block = it.block().map(&mut *map);
            let returns = it.returns().map(map);
            Type::Callable(Arc::new(super::CallableType::new(params, block, returns)))
        }
        Type::Init(Some(it)) => Type::Init(Some(Arc::new(super::InitType {
            inner: map(&it.inner),
            args: Arc::clone(&it.args),
        }))),
        _ => ty.clone(),
    }
}

static DATA: LazyLock<Type> = LazyLock::new(|| {
    let data = || Type::Recursion("Data".into());
    let body = [
        Type::ScalarData,
        Type::Undef,
        Type::hash(Type::STRING, data(), None),
        Type::array(data(), None),
    ];
    Alias::built_in("Data", Type::variant(body))
});

static RICH_DATA_KEY: LazyLock<Type> =
    LazyLock::new(|| Alias::built_in("RichDataKey", Type::variant([Type::STRING, Type::Numeric])));

static RICH_DATA: LazyLock<Type> = LazyLock::new(|| {
    let rich = || Type::Recursion("RichData".into());
    let body = [
        Type::Scalar,
        Type::SemVerRange,
        Type::Binary,
        Type::Sensitive(Arc::new(Type::Any)),
        Type::Type(None),
        Type::TypeSet(None),
        Type::Uri(None),
        super::ObjectType::any(),
        Type::Undef,
        Type::Default,
        Type::hash(rich_data_key(), rich(), None),
        Type::array(rich(), None),
    ];
    Alias::built_in("RichData", Type::variant(body))
});

/// Returns the alias `Data`.
pub fn data() -> Type {
    DATA.clone()
}

/// Returns the alias `RichDataKey`.
pub fn rich_data_key() -> Type {
    RICH_DATA_KEY.clone()
}

/// Returns the alias `RichData`.
pub fn rich_data() -> Type {
    RICH_DATA.clone()
}

/// The built-in aliases, by their names in lower case.
pub(super) static BUILT_IN: LazyLock<HashMap<&'static str, Type>> = LazyLock::new(|| {
    HashMap::from([
        ("data", data()),
        ("richdata", rich_data()),
        ("richdatakey", rich_data_key()),
        (
            "puppet::lookupkey",
            Alias::built_in("Puppet::LookupKey", rich_data_key()),
        ),
        (
            "puppet::lookupvalue",
            Alias::built_in("Puppet::LookupValue", rich_data()),
        ),
        // An object whose methods are Ruby code.
        (
            "puppet::lookupcontext",
            Alias::built_in("Puppet::LookupContext", ObjectType::any()),
        ),
        // Ruby's `URI.regexp` matches every string with a scheme: all that follows in it is optional.
        (
            "pcore::uri",
            pattern("Pcore::URI", r"[a-zA-Z][\-+.a-zA-Z\d]*:"),
        ),
        (
            "pcore::simpletypename",
            pattern("Pcore::SimpleTypeName", r"\A[A-Z]\w*\z"),
        ),
        (
            "pcore::membername",
            pattern("Pcore::MemberName", r"\A[a-z_]\w*\z"),
        ),
        ("pcore::typename", pattern("Pcore::TypeName", TYPE_NAME)),
        ("pcore::qref", pattern("Pcore::QRef", TYPE_NAME)),
    ])
});

/// The pattern of qualified type names.
const TYPE_NAME: &str = r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z";

/// Returns a built-in alias of a `Pattern`. From `pcore.rb`.
fn pattern(name: &str, regexp: &str) -> Type {
    Alias::built_in(name, Type::pattern([Regexp::new(regexp)]))
}

/// Checks whether the alias is built in; such aliases are never expanded for display.
pub(super) fn is_built_in(name: &str) -> bool {
    matches!(
        name,
        "Data"
            | "RichData"
            | "RichDataKey"
            | "Pcore::MemberName"
            | "Pcore::QRef"
            | "Pcore::SimpleTypeName"
            | "Pcore::TypeName"
            | "Pcore::URI"
            | "Puppet::LookupContext"
            | "Puppet::LookupKey"
            | "Puppet::LookupValue"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Value;
    use crate::{display, is_instance};

    #[test]
    fn unfolding_replaces_recursion_with_the_alias() {
        let body = Type::array(
            Type::variant([Type::INTEGER, Type::Recursion("Tree".into())]),
            None,
        );
        let tree = Arc::new(Alias::new("Tree", body));
        assert!(tree.is_recursive());
        assert_eq!(display(&tree.resolved()), "Array[Variant[Integer, Tree]]");
        let Type::Array(array) = tree.resolved() else {
            panic!("an array")
        };
        let Type::Variant(types) = array.element() else {
            panic!("a variant")
        };
        assert!(matches!(&types[1], Type::Alias(inner) if Arc::ptr_eq(inner, &tree)));
    }

    #[test]
    fn mutually_recursive_aliases_unfold_to_each_other() {
        let inner = Alias::new("B", Type::array(Type::Recursion("A".into()), None));
        assert!(!inner.is_recursive());
        let outer = Arc::new(Alias::new(
            "A",
            Type::array(Type::Alias(Arc::new(inner)), None),
        ));
        let Type::Array(array) = outer.resolved() else {
            panic!("an array")
        };
        let Type::Alias(b) = array.element() else {
            panic!("an alias")
        };
        assert!(b.is_recursive());
        assert_eq!(display(&b.resolved()), "Array[A]");
    }

    #[test]
    fn answers_that_depend_on_the_order_of_resolution_are_uncertain() {
        let inner = Alias::new("B", Type::array(Type::Recursion("A".into()), None));
        let body = Type::variant([Type::INTEGER, Type::Alias(Arc::new(inner))]);
        let outer = Type::Alias(Arc::new(Alias::new("A", body)));
        let array = |it: Value| Value::array(vec![it]);
        let text = || Value::from("x");
        assert_eq!(is_instance(&outer, &Value::Integer(1)), Some(true));
        assert_eq!(is_instance(&outer, &text()), Some(false));
        assert_eq!(is_instance(&outer, &array(text())), None);
        let data = array(array(text()));
        assert_eq!(is_instance(&super::data(), &data), Some(true));
    }

    #[test]
    fn uris_have_a_scheme() {
        let uri = BUILT_IN.get("pcore::uri").expect("a built-in alias");
        for (text, expected) in [
            ("a:", true),
            ("see http://a b", true),
            ("1:", false),
            ("a", false),
        ] {
            assert_eq!(
                is_instance(uri, &Value::from(text)),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn data_matches_puppet() {
        let text = display(&data().resolved());
        assert_eq!(
            text,
            "Variant[ScalarData, Undef, Hash[String, Data], Array[Data]]"
        );
    }
}
