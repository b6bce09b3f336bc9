//! A sound subtype test, without Puppet's leniency.

use std::sync::Arc;

use super::MAX_DEPTH;
use crate::assign::is_scalar_data;
use crate::values::Regexp;
use crate::{
    Alias, ArrayType, EnumType, HashType, IntRange, StringType, StructType, TupleType, Type,
};

/// Checks whether `sub` is certainly a subtype of `sup`.
pub fn within(sub: &Type, sup: &Type) -> bool {
    Test {
        assumed: Vec::new(),
        depth: 0,
    }
    .within(sub, sup)
}

struct Test {
    /// The tests in progress. They may be assumed to hold (coinduction), because values are finite.
    assumed: Vec<(Type, Arc<Alias>)>,
    depth: u32,
}

impl Test {
    fn within(&mut self, sub: &Type, sup: &Type) -> bool {
        if self.depth >= MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        let answer = self.test(sub, sup);
        self.depth -= 1;
        answer
    }

    fn test(&mut self, sub: &Type, sup: &Type) -> bool {
        if matches!(sup, Type::Any | Type::Unit) || sub == sup {
            return true;
        }
        match (sub, sup) {
            (Type::Unit, sup) => self.within(&Type::Any, sup),
            (Type::Variant(types), sup) => types.iter().all(|it| self.within(it, sup)),
            (Type::Optional(inner), sup) => {
                self.within(&Type::Undef, sup)
                    && inner.as_ref().is_none_or(|inner| self.within(inner, sup))
            }
            (sub, Type::Alias(alias)) => self.within_alias(sub, alias),
            (Type::Alias(alias), sup) => self.within(&alias.resolved(), sup),
            (Type::Boolean(None), Type::Variant(types)) => {
                let has = |it| types.contains(&Type::Boolean(Some(it)));
                has(true) && has(false) || types.iter().any(|it| self.within(sub, it))
            }
            (sub, Type::Variant(types)) => {
                types.iter().any(|it| self.within(sub, it))
                    || super::parts(sub)
                        .is_some_and(|parts| parts.iter().all(|it| self.within(it, sup)))
            }
            (sub, Type::Optional(inner)) => {
                matches!(sub, Type::Undef)
                    || inner.as_ref().is_some_and(|inner| self.within(sub, inner))
            }
            (sub, Type::NotUndef(inner)) => {
                !super::may_be_undef(sub)
                    && inner.as_ref().is_none_or(|inner| match sub {
                        Type::NotUndef(Some(sub)) if sub == inner => true,
                        sub => self.within(sub, inner),
                    })
            }
            (Type::NotUndef(Some(inner)), sup) => self.within(inner, sup),
            (sub, sup) => self.plain(sub, sup),
        }
    }

    fn within_alias(&mut self, sub: &Type, alias: &Arc<Alias>) -> bool {
        if !alias.is_recursive() {
            return self.within(sub, &alias.resolved());
        }
        if self
            .assumed
            .iter()
            .any(|(it, of)| it == sub && of.name() == alias.name())
        {
            return true;
        }
        self.assumed.push((sub.clone(), Arc::clone(alias)));
        let answer = self.within(sub, &alias.resolved());
        if !answer {
            self.assumed.pop();
        }
        answer
    }

    /// Returns the cases in which neither side consists of alternatives.
    fn plain(&mut self, sub: &Type, sup: &Type) -> bool {
        match (sub, sup) {
            (Type::Integer(a), Type::Integer(b)) => b.covers(*a),
            (Type::Float(a), Type::Float(b)) => b.covers(*a),
            (Type::Boolean(_), Type::Boolean(b)) => b.is_none(),
            (Type::Timespan(a), Type::Timespan(b)) | (Type::Timestamp(a), Type::Timestamp(b)) => {
                b.covers(a)
            }
            (Type::Integer(_) | Type::Float(_), Type::Numeric) => true,
            (sub, Type::ScalarData) => is_scalar_data(sub),
            (sub, Type::Scalar) => is_scalar(sub),
            (Type::Regexp(_), Type::Regexp(b)) => b.is_none(),
            (Type::SemVer(_), Type::SemVer(b)) => b.is_empty(),
            (Type::Type(_), Type::Type(None)) => true,
            (Type::Iterator(_), Type::Iterator(None)) => true,
            (Type::Uri(_), Type::Uri(None)) => true,
            (Type::Sensitive(a), Type::Sensitive(b)) => self.within(a, b),
            (Type::Object(_) | Type::ObjectExtension(_), Type::Object(_)) => {
                crate::assignable(sup, sub)
            }
            (sub, Type::Iterable(None)) => matches!(
                sub,
                Type::String(_)
                    | Type::Enum(_)
                    | Type::Pattern(_)
                    | Type::Array(_)
                    | Type::Tuple(_)
                    | Type::Hash(_)
                    | Type::Struct(_)
                    | Type::Collection(_)
                    | Type::Iterator(_)
            ),
            (sub, Type::String(sup)) => in_string(sub, sup),
            (sub, Type::Enum(sup)) => in_enum(sub, sup),
            (sub, Type::Pattern(sup)) => in_pattern(sub, sup),
            (sub, Type::Collection(size)) => {
                collection_size(sub).is_some_and(|it| size.unwrap_or(IntRange::SIZE).covers(it))
            }
            (sub, Type::Array(sup)) => self.in_array(sub, sup),
            (sub, Type::Tuple(sup)) => self.in_tuple(sub, sup),
            (sub, Type::Hash(sup)) => self.in_hash(sub, sup),
            (Type::Struct(sub), Type::Struct(sup)) => self.in_struct(sub, sup),
            _ => false,
        }
    }

    fn in_array(&mut self, sub: &Type, sup: &ArrayType) -> bool {
        let Some(size) = collection_size(sub) else {
            return false;
        };
        if !sup.size_or_any().covers(size) {
            return false;
        }
        match sub {
            Type::Array(_) if size.max() == Some(0) => true,
            Type::Array(sub) => self.within(sub.element(), sup.element()),
            Type::Tuple(sub) if sub.types().is_empty() => {
                size.max() == Some(0) || self.within(&Type::Any, sup.element())
            }
            Type::Tuple(sub) => {
                let used = used(sub, size);
                sub.types()[..used]
                    .iter()
                    .all(|it| self.within(it, sup.element()))
            }
            _ => false,
        }
    }

    fn in_tuple(&mut self, sub: &Type, sup: &TupleType) -> bool {
        let Some(size) = collection_size(sub) else {
            return false;
        };
        if !sup.size_range().covers(size) {
            return false;
        }
        if sup.types().is_empty() {
            return matches!(sub, Type::Array(_) | Type::Tuple(_));
        }
        let longest = size
            .max()
            .and_then(|it| usize::try_from(it).ok())
            .unwrap_or(usize::MAX);
        match sub {
            Type::Array(sub) => sup.types()[..sup.types().len().min(longest)]
                .iter()
                .all(|it| self.within(sub.element(), it)),
            Type::Tuple(sub) => {
                let positions = sub.types().len().max(sup.types().len()).min(longest);
                (0..positions).all(|index| {
                    let ty = sub.at(index).unwrap_or(&Type::Any);
                    sup.at(index).is_none_or(|sup| self.within(ty, sup))
                })
            }
            _ => false,
        }
    }

    fn in_hash(&mut self, sub: &Type, sup: &HashType) -> bool {
        let Some(size) = collection_size(sub) else {
            return false;
        };
        if !sup.size_or_any().covers(size) {
            return false;
        }
        match sub {
            Type::Hash(_) if size.max() == Some(0) => true,
            Type::Hash(sub) => {
                self.within(sub.key(), sup.key()) && self.within(sub.value(), sup.value())
            }
            Type::Struct(sub) => sub.elements().iter().all(|it| {
                let key = Type::string_value(Arc::clone(&it.name));
                self.within(&key, sup.key()) && self.within(&it.value, sup.value())
            }),
            _ => false,
        }
    }

    fn in_struct(&mut self, sub: &StructType, sup: &StructType) -> bool {
        let known = sub.elements().iter().all(|it| sup.get(&it.name).is_some());
        known
            && sup
                .elements()
                .iter()
                .all(|wanted| match sub.get(&wanted.name) {
                    None => wanted.is_optional(),
                    Some(found) => {
                        (wanted.is_optional() || !found.is_optional())
                            && self.within(&found.value, &wanted.value)
                    }
                })
    }
}

/// Returns the number of tuple types that can apply to an element, given the range of sizes.
fn used(tuple: &TupleType, size: IntRange) -> usize {
    let longest = size
        .max()
        .and_then(|it| usize::try_from(it).ok())
        .unwrap_or(usize::MAX);
    tuple.types().len().min(longest)
}

/// Returns the size range of the values of a collection type; `None` for other types.
pub fn collection_size(ty: &Type) -> Option<IntRange> {
    Some(match ty {
        Type::Collection(size) => size.unwrap_or(IntRange::SIZE),
        Type::Array(it) => it.size_or_any(),
        Type::Hash(it) => it.size_or_any(),
        Type::Tuple(it) => it.size_range(),
        Type::Struct(it) => {
            let required = it.elements().iter().filter(|it| !it.is_optional()).count();
            IntRange::exactly_len(required).hull(IntRange::exactly_len(it.elements().len()))
        }
        _ => return None,
    })
}

fn is_scalar(ty: &Type) -> bool {
    is_scalar_data(ty)
        || matches!(
            ty,
            Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
}

fn in_string(sub: &Type, sup: &StringType) -> bool {
    match (sub, sup) {
        (Type::String(_) | Type::Enum(_) | Type::Pattern(_), StringType::Any) => true,
        (Type::String(sub), StringType::Sized(size)) => size.covers(sub.size()),
        (Type::Enum(sub), StringType::Sized(size)) => {
            sub.lengths().is_none_or(|it| size.covers(it))
        }
        (Type::Pattern(_), StringType::Sized(size)) => size.covers(IntRange::SIZE),
        (Type::Enum(sub), StringType::Value(text)) => {
            !sub.case_insensitive() && sub.values().iter().all(|it| it == text)
        }
        _ => false,
    }
}

fn in_enum(sub: &Type, sup: &EnumType) -> bool {
    match sub {
        Type::String(StringType::Value(text)) => sup.contains(text),
        Type::Enum(sub) => {
            (sup.case_insensitive() || !sub.case_insensitive())
                && sub.values().iter().all(|text| sup.contains(text))
        }
        _ => false,
    }
}

fn in_pattern(sub: &Type, sup: &[Regexp]) -> bool {
    let matched = |text: &Arc<str>| sup.iter().any(|it| it.is_match(text).unwrap_or(false));
    match sub {
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) if sup.is_empty() => true,
        Type::String(StringType::Value(text)) => matched(text),
        Type::Enum(sub) => !sub.case_insensitive() && sub.values().iter().all(matched),
        Type::Pattern(sub) => !sub.is_empty() && sub.iter().all(|it| sup.contains(it)),
        _ => false,
    }
}
