//! Whether a value is an instance of a type by Puppet's rules.

use std::sync::Arc;

use super::assign::Passed;
use super::guard::{BOTH, Guard, Identity, Question};
use super::init::Accepted;
use super::{Alias, InitType, IntRange, StringType, StructType, TupleType, Type, infer, rich_data};
use crate::values::Value;

/// Checks whether the value is an instance of the type.
///
/// Returns `None` if this cannot be decided: a regular expression is not supported, or the nesting
/// exceeds the limits.
pub fn is_instance(ty: &Type, value: &Value) -> Option<bool> {
    let question = Question::default();
    let answer = question.instance(ty, value, None);
    question.certain(answer)
}

/// Like [`is_instance`], but treats an undecidable answer as `false`.
pub fn instance(ty: &Type, value: &Value) -> bool {
    is_instance(ty, value).unwrap_or(false)
}

impl Question {
    /// Checks whether the value is an instance of the type.
    pub(super) fn instance(&self, ty: &Type, value: &Value, guard: Passed<'_>) -> bool {
        self.deeper(false, || self.instance_by_kind(ty, value, guard))
    }

    fn instance_by_kind(&self, ty: &Type, value: &Value, guard: Passed<'_>) -> bool {
        match (ty, value) {
            (Type::Any | Type::Unit, _) => true,
            (Type::Undef, it) => matches!(it, Value::Undef),
            (Type::Default, it) => matches!(it, Value::Default),
            (Type::Scalar, it) => is_scalar(it),
            (Type::ScalarData, it) => matches!(
                it,
                Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_)
            ),
            (Type::Numeric, it) => matches!(it, Value::Integer(_) | Value::Float(_)),
            (Type::Integer(range), Value::Integer(it)) => range.contains(*it),
            (Type::Float(range), Value::Float(it)) => range.contains(*it),
            (Type::Boolean(only), Value::Boolean(it)) => only.is_none_or(|only| only == *it),
            (Type::String(strings), Value::String(it)) => match strings {
                StringType::Any => true,
                StringType::Sized(size) => size.contains_len(it.chars().count()),
                StringType::Value(value) => value == it,
            },
            (Type::Enum(set), Value::String(it)) => set.contains(it),
            (Type::Pattern(patterns), Value::String(it)) => {
                patterns.is_empty() || self.any_matches(patterns, it)
            }
            (Type::Regexp(only), Value::Regexp(it)) => only.as_ref().is_none_or(|only| only == it),
            (Type::Collection(size), Value::Array(it)) => fits(*size, it.len()),
            (Type::Collection(size), Value::Hash(it)) => fits(*size, it.len()),
            (Type::Array(array), Value::Array(items)) => {
                items
                    .iter()
                    .all(|it| self.instance(array.element(), it, guard))
                    && fits(array.size(), items.len())
            }
            (Type::Tuple(tuple), Value::Array(items)) => self.in_tuple(tuple, items, guard),
            (Type::Hash(hash), Value::Hash(entries)) => {
                entries
                    .keys()
                    .all(|it| self.instance(hash.key(), it, guard))
                    && entries
                        .values()
                        .all(|it| self.instance(hash.value(), it, guard))
                    && fits(hash.size(), entries.len())
            }
            (Type::Struct(structure), Value::Hash(entries)) => {
                self.in_struct(structure, entries, guard)
            }
            (Type::Variant(types), it) => types.iter().any(|ty| self.instance(ty, it, guard)),
            (Type::Optional(inner), it) => {
                matches!(it, Value::Undef)
                    || inner
                        .as_ref()
                        .is_some_and(|ty| self.instance(ty, it, guard))
            }
            (Type::NotUndef(inner), it) => {
                !matches!(it, Value::Undef)
                    && inner.as_ref().is_none_or(|ty| self.instance(ty, it, guard))
            }
            (Type::Type(inner), Value::Type(it)) => inner
                .as_ref()
                .is_none_or(|ty| self.assignable(ty, it, guard)),
            (Type::Iterable(element), it) => self.in_iterable(ty, element.as_deref(), it, guard),
            (Type::Iterator(element), Value::Iterator(it)) => {
                let found = it.element_type().unwrap_or(Type::Any);
                element
                    .as_ref()
                    .is_none_or(|ty| self.assignable(ty, &found, guard))
            }
            (Type::Sensitive(inner), Value::Sensitive(it)) => self.instance(inner, it, guard),
            (Type::Binary, Value::Binary(_)) | (Type::SemVerRange, Value::SemVerRange(_)) => true,
            (Type::SemVer(ranges), Value::SemVer(it)) => {
                ranges.is_empty() || ranges.iter().any(|range| range.includes(it))
            }
            (Type::Timespan(range), Value::Timespan(it))
            | (Type::Timestamp(range), Value::Timestamp(it)) => range.contains(*it),
            (Type::Uri(constraints), Value::Uri(it)) => constraints.as_ref().is_none_or(|all| {
                all.iter()
                    .all(|(part, pattern)| self.matches(&it.part(part), pattern))
            }),
            (Type::Object(_) | Type::ObjectExtension(_), _) => self.in_object(ty, value, guard),
            (Type::TypeSet(_), Value::Type(it)) => matches!(it, Type::TypeSet(_)),
            (Type::Alias(alias), it) => self.really_in_alias(alias, it, guard) == Verdict::Yes,
            (Type::Init(init), it) => {
                self.really_in_init(init.as_deref(), it, guard) == Verdict::Yes
            }
            _ => false,
        }
    }

    fn in_tuple(&self, tuple: &TupleType, items: &[Value], guard: Passed<'_>) -> bool {
        let sized = match tuple.size() {
            Some(size) => size.contains_len(items.len()),
            None => tuple.types().is_empty() || tuple.types().len() == items.len(),
        };
        let fits = |(index, it): (usize, &Value)| {
            tuple
                .at(index)
                .is_none_or(|ty| self.instance(ty, it, guard))
        };
        sized && items.iter().enumerate().all(fits)
    }

    fn in_struct(
        &self,
        structure: &StructType,
        entries: &crate::values::HashValue,
        guard: Passed<'_>,
    ) -> bool {
        let mut matched = 0;
        let all = structure.elements().iter().all(|element| {
            match entries.get(&Value::String(Arc::clone(&element.name))) {
                None => element.is_optional(),
                Some(value) => {
                    matched += 1;
                    self.instance(&element.value, value, guard)
                }
            }
        });
        all && matched == entries.len()
    }

    fn in_iterable(
        &self,
        ty: &Type,
        element: Option<&Type>,
        value: &Value,
        guard: Passed<'_>,
    ) -> bool {
        if element.is_some_and(|element| !self.assignable(element, &Type::Any, guard)) {
            return self.assignable(ty, &infer(value), guard);
        }
        match value {
            Value::Iterator(_) | Value::String(_) | Value::Hash(_) | Value::Array(_) => true,
            Value::Integer(it) => *it >= 0,
            Value::Type(it) => match it.resolved() {
                Type::Enum(_) => true,
                Type::Integer(range) => range.is_finite(),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the verdict for a type; only aliases and `Init` may return [`Verdict::Open`].
    fn really_instance(&self, ty: &Type, value: &Value, guard: Passed<'_>) -> Verdict {
        self.deeper(Verdict::No, || match ty {
            Type::Variant(types) => {
                let mut best = Verdict::No;
                for ty in types.iter() {
                    best = best.max(self.really_instance(ty, value, guard));
                    if best == Verdict::Yes {
                        break;
                    }
                }
                best
            }
            Type::Alias(alias) => self.really_in_alias(alias, value, guard),
            Type::Init(init) => self.really_in_init(init.as_deref(), value, guard),
            ty => Verdict::from(self.instance(ty, value, guard)),
        })
    }

    fn really_in_alias(&self, alias: &Arc<Alias>, value: &Value, guard: Passed<'_>) -> Verdict {
        if !alias.is_recursive() {
            return self.really_instance(&alias.resolved(), value, guard);
        }
        let fresh = Guard::default();
        let guard = guard.unwrap_or(&fresh);
        guard.with_that(Identity::of(value), |_| {
            guard.with_this(Identity::Alias(Arc::clone(alias.name())), |state| {
                self.doubt_recursion(alias, Guard::this_recurs(state));
                if state == BOTH {
                    return Verdict::Open;
                }
                self.really_instance(&alias.resolved(), value, Some(guard))
            })
        })
    }

    fn really_in_init(&self, init: Option<&InitType>, value: &Value, guard: Passed<'_>) -> Verdict {
        let Some(init) = init else {
            return self.really_instance(&rich_data(), value, None);
        };
        // Puppet raises an error for types that cannot be instantiated.
        let Some(accepted) = Accepted::of(init) else {
            self.doubt();
            return Verdict::No;
        };
        let own = self.really_instance(&init.inner, value, guard);
        if own == Verdict::Yes {
            return own;
        }
        let mut verdict = own.max(self.really_instance(&accepted.single, value, guard));
        if let Some(lists) = accepted.lists.filter(|_| verdict != Verdict::Yes) {
            let mut listed = self.really_instance(&lists, value, guard);
            if listed == Verdict::No && accepted.one_will_do {
                let alone = Value::array(vec![value.clone()]);
                listed = self.really_instance(&lists, &alone, guard);
            }
            verdict = verdict.max(listed);
        }
        verdict
    }
}

/// Whether a value is an instance, ordered by strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    No,
    /// Undecided because of recursion.
    Open,
    Yes,
}

impl From<bool> for Verdict {
    fn from(yes: bool) -> Verdict {
        if yes { Verdict::Yes } else { Verdict::No }
    }
}

fn fits(size: Option<IntRange>, len: usize) -> bool {
    size.is_none_or(|size| size.contains_len(len))
}

fn is_scalar(value: &Value) -> bool {
    matches!(
        value,
        Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Regexp(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Timespan(_)
            | Value::Timestamp(_)
    )
}
