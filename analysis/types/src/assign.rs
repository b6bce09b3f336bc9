//! Assignability: whether a type is a subtype of another one by Puppet's rules.
//!
//! As in Puppet, the rules come in two layers. The outer layer decomposes the *right* side
//! (aliases, variants, optionals); the inner layer has one rule per kind of type on the *left*
//! side.

use std::sync::Arc;

use super::guard::{BOTH, Guard, Identity, Question};
use super::{
    Alias, ArrayType, CallableType, EnumType, HashType, IntRange, RuntimeName, RuntimeType,
    StringType, StructType, TupleType, Type, rich_data,
};
use crate::values::{self, Regexp, Value};

/// Checks whether a value of type `from` is accepted where `to` is expected.
///
/// Returns `None` if this cannot be decided: a regular expression is not supported, or the types
/// are nested beyond the limits.
pub fn is_assignable(to: &Type, from: &Type) -> Option<bool> {
    let question = Question::default();
    let answer = question.assignable(to, from, None);
    question.certain(answer)
}

/// Like [`is_assignable`], but treats an undecidable answer as `false`.
pub fn assignable(to: &Type, from: &Type) -> bool {
    is_assignable(to, from).unwrap_or(false)
}

/// The `==` of types in the language: equal, or mutually assignable.
///
/// Returns `None` if this cannot be decided.
pub fn equivalent(a: &Type, b: &Type) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    Some(is_assignable(b, a)? && is_assignable(a, b)?)
}

/// The guard as Puppet passes it on: `None` until a recursive alias is encountered.
pub(super) type Passed<'a> = Option<&'a Guard>;

impl Question {
    /// Checks whether `from` is assignable to `to`, both of any kind.
    pub(super) fn assignable(&self, to: &Type, from: &Type, guard: Passed<'_>) -> bool {
        self.deeper(false, || match to {
            Type::Unit => true,
            Type::Alias(alias) if alias.is_recursive() => {
                let fresh = Guard::default();
                let guard = guard.unwrap_or(&fresh);
                guard.with_this(Identity::Alias(Arc::clone(alias.name())), |state| {
                    state == BOTH || self.outer(to, from, Some(guard))
                })
            }
            Type::Variant(types) => match from {
                Type::Undef if types.is_empty() => false,
                Type::Variant(_) if types.is_empty() => true,
                Type::Variant(others) => {
                    !others.is_empty() && others.iter().all(|it| self.outer(to, it, guard))
                }
                _ => self.outer(to, from, guard),
            },
            _ => self.outer(to, from, guard),
        })
    }

    /// The layer that decomposes the right side.
    fn outer(&self, to: &Type, from: &Type, guard: Passed<'_>) -> bool {
        match from {
            Type::Unit => true,
            Type::Alias(alias) if alias.is_recursive() => {
                let fresh = Guard::default();
                let guard = guard.unwrap_or(&fresh);
                guard.add_that(Identity::Alias(Arc::clone(alias.name()))) == BOTH
                    || self.assignable(to, &alias.resolved(), Some(guard))
            }
            Type::Alias(alias) => self.assignable(to, &alias.resolved(), guard),
            Type::Variant(types) => match to {
                Type::Any => true,
                Type::NotUndef(_) if types.is_empty() => self.inner(to, from, guard),
                _ => !types.is_empty() && types.iter().all(|it| self.assignable(to, it, guard)),
            },
            Type::Optional(inner) => {
                self.accepts_undef(to)
                    && inner
                        .as_ref()
                        .is_none_or(|inner| self.assignable(to, inner, None))
            }
            Type::NotUndef(Some(inner)) if !self.accepts_undef(inner) => {
                self.assignable(to, inner, guard)
            }
            _ => self.inner(to, from, guard),
        }
    }

    /// Checks whether `undef` is assignable to the type.
    pub(super) fn accepts_undef(&self, ty: &Type) -> bool {
        self.assignable(ty, &Type::Undef, None)
    }

    /// The layer with the rules for the left side. Here `from` is never an alias or an `Optional`,
    /// and a `Variant` only if it is empty.
    fn inner(&self, to: &Type, from: &Type, guard: Passed<'_>) -> bool {
        match (to, from) {
            (Type::Any | Type::Unit, _) => true,
            (Type::Undef, from) => matches!(from, Type::Undef),
            (Type::Default, from) => matches!(from, Type::Default),
            (Type::Binary, from) => matches!(from, Type::Binary),
            (Type::SemVerRange, from) => matches!(from, Type::SemVerRange),
            (Type::Scalar, from) => is_scalar(from),
            (Type::ScalarData, from) => is_scalar_data(from),
            (Type::Numeric, from) => {
                matches!(from, Type::Numeric | Type::Integer(_) | Type::Float(_))
            }
            (Type::Integer(a), Type::Integer(b)) => a.covers(*b),
            (Type::Float(a), Type::Float(b)) => a.covers(*b),
            (Type::Boolean(a), Type::Boolean(b)) => a.is_none() || a == b,
            (Type::Timespan(a), Type::Timespan(b)) | (Type::Timestamp(a), Type::Timestamp(b)) => {
                a.covers(b)
            }
            (Type::SemVer(a), Type::SemVer(b)) => {
                // Puppet fails to compare ranges that consist of several parts.
                if !a.is_empty() && a.iter().chain(b.iter()).any(|it| it.begin().is_none()) {
                    self.doubt();
                }
                values::ranges_cover(a, b)
            }
            (Type::Regexp(a), Type::Regexp(b)) => a.is_none() || a == b,
            (Type::String(a), _) => string_accepts(a, from),
            (Type::Enum(a), _) => enum_accepts(a, to, from),
            (Type::Pattern(a), _) => self.pattern_accepts(a, to, from),
            (Type::Collection(size), _) => collection_accepts(*size, from),
            (Type::Array(a), _) => self.array_accepts(a, from, guard),
            (Type::Tuple(a), _) => self.tuple_accepts(a, to, from, guard),
            (Type::Hash(a), _) => self.hash_accepts(a, from, guard),
            (Type::Struct(a), _) => self.struct_accepts(a, from, guard),
            (Type::Variant(types), _) => types.iter().any(|it| self.assignable(it, from, guard)),
            (Type::Optional(inner), _) => {
                matches!(from, Type::Undef)
                    || inner
                        .as_ref()
                        .is_none_or(|inner| self.assignable(inner, from, guard))
            }
            (Type::NotUndef(inner), _) => {
                !self.assignable(from, &Type::Undef, guard)
                    && inner
                        .as_ref()
                        .is_none_or(|inner| self.assignable(inner, from, guard))
            }
            (Type::Type(a), Type::Type(b)) => match (a, b) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(a), Some(b)) => self.assignable(a, b, guard),
            },
            (Type::Iterable(a), _) => self.iterable_accepts(a.as_deref(), from, guard),
            (Type::Iterator(a), Type::Iterator(b)) => a
                .as_ref()
                .is_none_or(|a| self.accepts_maybe(a, b.as_deref(), guard)),
            (Type::Callable(a), Type::Callable(b)) => self.callable_accepts(a, b, guard),
            (Type::CatalogEntry, from) => {
                matches!(
                    from,
                    Type::CatalogEntry | Type::Class(_) | Type::Resource(_)
                )
            }
            (Type::Class(a), Type::Class(b)) => a.is_none() || a == b,
            (Type::Resource(a), Type::Resource(b)) => {
                a.type_name().is_none()
                    || a.same_type(b) && (a.title().is_none() || a.title() == b.title())
            }
            (Type::Sensitive(a), Type::Sensitive(b)) => self.assignable(a, b, guard),
            (Type::Uri(a), Type::Uri(b)) => {
                let given = b.as_deref().unwrap_or_default();
                a.as_ref().is_none_or(|a| self.constraints_accept(a, given))
            }
            (Type::Runtime(a), Type::Runtime(b)) => runtime_accepts(a, b),
            (Type::Init(a), _) => self.init_accepts(a.as_deref(), from, guard),
            (Type::Object(a), _) => self.object_accepts(a, from, guard),
            (Type::ObjectExtension(a), _) => self.extension_accepts(a, from, guard),
            (Type::TypeSet(a), Type::TypeSet(_)) => a.is_none() || to == from,
            (Type::Alias(alias), _) => self.assignable(&alias.resolved(), from, guard),
            (Type::Reference(a), Type::Reference(b)) => a == b,
            _ => false,
        }
    }

    /// Checks whether `to` accepts an element type that may be missing, as in a bare `Iterator`.
    fn accepts_maybe(&self, to: &Type, from: Option<&Type>, guard: Passed<'_>) -> bool {
        match (to, from) {
            (_, Some(from)) => self.assignable(to, from, guard),
            (Type::Unit | Type::Optional(None), None) => true,
            (Type::Variant(types), None) => {
                types.iter().any(|it| self.accepts_maybe(it, None, guard))
            }
            (Type::Optional(Some(inner)), None) => self.accepts_maybe(inner, None, guard),
            (Type::Alias(alias), None) if !alias.is_recursive() => {
                self.accepts_maybe(&alias.resolved(), None, guard)
            }
            (_, None) => false,
        }
    }

    fn pattern_accepts(&self, patterns: &[Regexp], to: &Type, from: &Type) -> bool {
        match from {
            Type::String(text) => match text.value() {
                None => patterns.is_empty(),
                Some(text) => patterns.is_empty() || self.any_matches(patterns, text),
            },
            Type::Enum(it) if it.values().is_empty() => patterns.is_empty(),
            Type::Enum(it) => {
                patterns.is_empty()
                    || it
                        .values()
                        .iter()
                        .all(|text| self.any_matches(patterns, text))
            }
            Type::Pattern(_) => patterns.is_empty() || to == from,
            _ => false,
        }
    }

    /// Checks whether one of the patterns matches anywhere in the string.
    pub(super) fn any_matches(&self, patterns: &[Regexp], text: &str) -> bool {
        patterns.iter().any(|pattern| {
            pattern.is_match(text).unwrap_or_else(|_| {
                self.doubt();
                false
            })
        })
    }

    fn array_accepts(&self, to: &ArrayType, from: &Type, guard: Passed<'_>) -> bool {
        match from {
            Type::Tuple(from) => {
                to.size_or_any().covers(from.size_counted())
                    && from
                        .types()
                        .iter()
                        .all(|it| self.assignable(to.element(), it, guard))
            }
            Type::Array(from) => {
                to.size_or_any().covers(from.size_or_any())
                    && self.assignable(to.element(), from.element(), guard)
            }
            _ => false,
        }
    }

    fn tuple_accepts(&self, to: &TupleType, whole: &Type, from: &Type, guard: Passed<'_>) -> bool {
        if whole == from {
            return true;
        }
        let accepts =
            |index, it: &Type| to.at(index).is_none_or(|to| self.assignable(to, it, guard));
        match from {
            Type::Tuple(from) => {
                let size = to.size_range();
                if !size.covers(from.size_range()) {
                    return false;
                }
                if !to.types().is_empty() && from.types().is_empty() {
                    return size.min() == Some(0);
                }
                from.types()
                    .iter()
                    .enumerate()
                    .all(|(index, it)| accepts(index, it))
            }
            Type::Array(from) => {
                let size = from.size_or_any();
                let longest = size.max().and_then(|it| usize::try_from(it).ok());
                let count = longest.unwrap_or(usize::MAX).min(to.types().len());
                to.size_range().covers(size)
                    && (0..count).all(|index| accepts(index, from.element()))
            }
            _ => false,
        }
    }

    fn hash_accepts(&self, to: &HashType, from: &Type, guard: Passed<'_>) -> bool {
        match from {
            Type::Hash(from) => {
                if from.is_empty_hash() && to.size().is_none_or(|it| it.min() == Some(0)) {
                    return true;
                }
                self.assignable(to.key(), from.key(), guard)
                    && self.assignable(to.value(), from.value(), guard)
                    && to.size_or_any().covers(from.size_or_any())
            }
            Type::Struct(from) => {
                to.size_or_any().contains_len(from.elements().len())
                    && from.elements().iter().all(|it| {
                        let name = Value::from(&*it.name);
                        self.instance(to.key(), &name, guard)
                            && self.assignable(to.value(), &it.value, guard)
                    })
            }
            _ => false,
        }
    }

    fn struct_accepts(&self, to: &StructType, from: &Type, guard: Passed<'_>) -> bool {
        match from {
            Type::Struct(from) => {
                let mut matched = 0;
                let all = to.elements().iter().all(|to| match from.get(&to.name) {
                    None => to.is_optional(),
                    Some(from) => {
                        matched += 1;
                        (to.is_optional() || !from.is_optional())
                            && self.assignable(&to.value, &from.value, guard)
                    }
                });
                all && matched == from.distinct_names()
            }
            Type::Hash(from) => self.struct_accepts_hash(to, from, guard),
            _ => false,
        }
    }

    /// A struct accepts a hash leniently: it checks that the keys are strings, that the size is in
    /// range and that the value type fits the required elements.
    fn struct_accepts_hash(&self, to: &StructType, from: &HashType, guard: Passed<'_>) -> bool {
        let required = || to.elements().iter().filter(|it| !it.is_optional());
        let fits = required().all(|it| {
            self.assignable(&it.value, from.value(), guard)
                && self.assignable(&Type::STRING, from.key(), None)
        });
        let size = IntRange::exactly_len(required().count())
            .hull(IntRange::exactly_len(to.elements().len()));
        fits && size.covers(from.size_or_any())
    }

    fn iterable_accepts(&self, element: Option<&Type>, from: &Type, guard: Passed<'_>) -> bool {
        match element {
            Some(element) if !self.assignable(element, &Type::Any, guard) => {
                // Puppet fails when it looks up the element type of an object without parameters.
                if matches!(from, Type::Object(_)) {
                    self.doubt();
                }
                let found = super::iterable::element(from).flatten();
                found.is_some_and(|found| self.assignable(element, &found, guard))
            }
            _ => super::iterable(from),
        }
    }

    fn callable_accepts(&self, to: &CallableType, from: &CallableType, guard: Passed<'_>) -> bool {
        let returned = from.returns().unwrap_or(&Type::Any);
        if to
            .returns()
            .is_some_and(|to| !self.assignable(to, returned, guard))
        {
            return false;
        }
        let Some(params) = to.params() else {
            return true;
        };
        // The right side is called with the arguments of the left side, so parameters and blocks
        // are contravariant.
        let Some(theirs) = from.params() else {
            return false;
        };
        let (ours, theirs) = (
            Type::Tuple(Arc::clone(params)),
            Type::Tuple(Arc::clone(theirs)),
        );
        self.assignable(&theirs, &ours, guard)
            && self.assignable(
                from.block().unwrap_or(&Type::Undef),
                to.block().unwrap_or(&Type::Undef),
                guard,
            )
    }

    /// Checks whether named constraints (of a URI, or arguments of type parameters) accept others.
    pub(super) fn constraints_accept(
        &self,
        to: &[(Arc<str>, Value)],
        from: &[(Arc<str>, Value)],
    ) -> bool {
        to.iter().all(|(name, to)| {
            let Some((_, from)) = from.iter().find(|(it, _)| it == name) else {
                return false;
            };
            self.matches(from, to)
                || matches!((to, from), (Value::Type(to), Value::Type(from))
                    if self.assignable(to, from, None))
        })
    }

    /// Checks whether the value matches the pattern, as in a `case` option.
    pub(super) fn matches(&self, value: &Value, pattern: &Value) -> bool {
        values::matches(value, pattern).unwrap_or_else(|| {
            self.doubt();
            false
        })
    }

    fn init_accepts(&self, to: Option<&super::InitType>, from: &Type, guard: Passed<'_>) -> bool {
        match (to, from) {
            (None, Type::Init(_)) => true,
            (None, _) => self.assignable(&rich_data(), from, guard),
            (Some(to), Type::Init(from)) => from
                .as_ref()
                .is_some_and(|from| self.assignable(&to.inner, &from.inner, guard)),
            (Some(to), _) => {
                self.assignable(&to.inner, from, guard) || self.constructors_accept(to, from, guard)
            }
        }
    }
}

/// Checks whether the type is a subtype of `Scalar`.
fn is_scalar(ty: &Type) -> bool {
    is_scalar_data(ty)
        || matches!(
            ty,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
}

/// Checks whether the type is a subtype of `ScalarData`.
pub(crate) fn is_scalar_data(ty: &Type) -> bool {
    matches!(
        ty,
        Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Pattern(_)
    )
}

fn string_accepts(to: &StringType, from: &Type) -> bool {
    match (to, from) {
        (StringType::Any, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) => true,
        (StringType::Sized(size), Type::String(from)) => size.covers(from.size()),
        (StringType::Sized(size), Type::Enum(from)) => {
            size.covers(from.lengths().unwrap_or(IntRange::SIZE))
        }
        (StringType::Sized(size), Type::Pattern(_)) => size.covers(IntRange::SIZE),
        (StringType::Value(_), Type::String(from)) => to == from,
        // Puppet does not compare the strings.
        (StringType::Value(_), Type::Enum(from)) => {
            from.values().len() == 1 && !from.case_insensitive()
        }
        _ => false,
    }
}

fn enum_accepts(to: &EnumType, whole: &Type, from: &Type) -> bool {
    if whole == from {
        return true;
    }
    match from {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) if to.values().is_empty() => true,
        Type::String(from) => from.value().is_some_and(|text| to.contains(text)),
        Type::Enum(from) => {
            !from.values().is_empty()
                && (to.case_insensitive() || !from.case_insensitive())
                && from.values().iter().all(|text| to.contains(text))
        }
        _ => false,
    }
}

fn collection_accepts(size: Option<IntRange>, from: &Type) -> bool {
    let size = size.unwrap_or(IntRange::SIZE);
    match from {
        Type::Collection(from) => size.covers(from.unwrap_or(IntRange::SIZE)),
        Type::Array(from) => size.covers(from.size_or_any()),
        Type::Hash(from) => size.covers(from.size_or_any()),
        Type::Tuple(from) => size.covers(from.size_counted()),
        Type::Struct(from) => size.contains_len(from.elements().len()),
        _ => false,
    }
}

/// Classes are compared by name; the inheritance between them is not known.
fn runtime_accepts(to: &RuntimeType, from: &RuntimeType) -> bool {
    let platform = to.runtime.is_none() || to.runtime == from.runtime;
    let name = match (&to.name, &from.name) {
        (None, _) => true,
        (Some(RuntimeName::Name(a)), Some(RuntimeName::Name(b))) => a == b,
        (a, b) => a == b,
    };
    platform && name
}

/// Resolves the alias and calls `body`, or returns `otherwise` if the alias refers to itself first.
pub(super) fn guarded<R>(
    alias: &Arc<Alias>,
    guard: Passed<'_>,
    otherwise: R,
    body: impl FnOnce(&Type, Passed<'_>) -> R,
) -> R {
    if !alias.is_recursive() {
        return body(&alias.resolved(), guard);
    }
    let fresh = Guard::default();
    let guard = guard.unwrap_or(&fresh);
    guard.with_this(Identity::Alias(Arc::clone(alias.name())), |state| {
        if Guard::this_recurs(state) {
            otherwise
        } else {
            body(&alias.resolved(), Some(guard))
        }
    })
}
