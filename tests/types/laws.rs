//! The laws of the lattice, for random types and values.
//!
//! Puppet's own type calculator violates some of them (`assignable` is not transitive, the common
//! type drops `undef`); those are not tested for it. `PROPTEST_CASES` is the number of cases.

use analysis::types::precise::{difference, intersection, union, within};
use analysis::types::reader::{BuiltInTypes, read};
use analysis::types::{
    EnumType, FloatRange, IntRange, StructElement, Type, common_type, data, display_exact,
    generalize, infer, infer_detailed, is_assignable, is_instance, normalize, rich_data,
};
use analysis::values::{Nanos, Regexp, Value, Version};
use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a"),
        Just("b"),
        Just("ab"),
        Just("A"),
        Just("c1"),
        Just("")
    ]
    .prop_map(str::to_owned)
}

fn range() -> impl Strategy<Value = IntRange> {
    (
        proptest::option::of(-3i64..6),
        proptest::option::of(-3i64..6),
    )
        .prop_map(|ends| match ends {
            (Some(a), Some(b)) => IntRange::between(a, b),
            (a, b) => IntRange::new(a, b).unwrap_or(IntRange::ALL),
        })
}

fn size() -> impl Strategy<Value = Option<IntRange>> {
    proptest::option::weighted(
        0.4,
        (0i64..3, 0i64..3).prop_map(|(a, b)| IntRange::between(a, b)),
    )
}

fn pattern() -> impl Strategy<Value = Regexp> {
    prop_oneof![
        Just("a"),
        Just("^a"),
        Just("b$"),
        Just(r"\d"),
        Just("[a-z]+")
    ]
    .prop_map(Regexp::new)
}

fn leaf_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        prop_oneof![
            Just(Type::Any),
            Just(Type::Undef),
            Just(Type::Default),
            Just(Type::Scalar),
            Just(Type::ScalarData),
            Just(Type::Numeric),
            Just(Type::INTEGER),
            Just(Type::FLOAT),
            Just(Type::STRING),
            Just(Type::BOOLEAN),
            Just(Type::Type(None)),
            Just(Type::Binary),
            Just(Type::Optional(None)),
            Just(Type::NotUndef(None)),
            Just(Type::Iterable(None)),
            Just(data()),
            Just(rich_data()),
        ],
        range().prop_map(Type::Integer),
        (-2i64..3, -2i64..3).prop_map(|(a, b)| {
            let (min, max) = (a.min(b) as f64 / 2.0, a.max(b) as f64 / 2.0);
            Type::Float(FloatRange::new(Some(min), Some(max)).expect("in order"))
        }),
        any::<bool>().prop_map(|it| Type::Boolean(Some(it))),
        (0i64..3, 0i64..3).prop_map(|(a, b)| Type::string_sized(IntRange::between(a, b))),
        text().prop_map(Type::string_value),
        (vec(text(), 1..4), prop::bool::weighted(0.2)).prop_map(|(texts, any_case)| {
            let texts = texts.into_iter().map(Into::into);
            Type::Enum(Arc::new(EnumType::new(texts, any_case)))
        }),
        vec(pattern(), 1..3).prop_map(Type::pattern),
        size().prop_map(Type::Collection),
        pattern().prop_map(|it| Type::Regexp(Some(it))),
    ]
}

fn a_type() -> impl Strategy<Value = Type> {
    leaf_type().prop_recursive(3, 24, 3, |inner| {
        let element = (text(), 0..3u8, inner.clone());
        let structure = vec(element, 1..3).prop_map(|elements| {
            let mut made: Vec<StructElement> = Vec::new();
            for (name, key, value) in elements {
                if !name.is_empty() && !made.iter().any(|it| *it.name == *name) {
                    made.push(match key {
                        0 => StructElement::named(name, value),
                        1 => StructElement::optional(name, value),
                        _ => StructElement::required(name, value),
                    });
                }
            }
            Type::structure(made)
        });
        prop_oneof![
            (inner.clone(), size()).prop_map(|(it, size)| Type::array(it, size)),
            (vec(inner.clone(), 1..4), size()).prop_map(|(types, size)| Type::tuple(types, size)),
            (inner.clone(), inner.clone(), size()).prop_map(|(k, v, size)| Type::hash(k, v, size)),
            (inner.clone(), size()).prop_map(|(v, size)| Type::hash(Type::STRING, v, size)),
            structure,
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(Type::not_undef),
            vec(inner.clone(), 1..4).prop_map(Type::variant),
            inner.clone().prop_map(Type::type_of),
            inner.prop_map(|it| Type::sensitive(&it)),
        ]
    })
}

fn leaf_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Undef),
        Just(Value::Default),
        any::<bool>().prop_map(Value::Boolean),
        (-4i64..7).prop_map(Value::Integer),
        (-4i64..5).prop_map(|it| Value::Float(it as f64 / 2.0)),
        text().prop_map(Value::from),
        text().prop_map(Value::from),
        pattern().prop_map(Value::Regexp),
        leaf_type().prop_map(Value::Type),
        (0i64..3).prop_map(|it| Value::Timespan(Nanos::from_seconds(it))),
        Just(Value::SemVer(Arc::new(Version::new(1, 2, 3)))),
        Just(Value::Binary(Arc::from(*b"x"))),
    ]
}

fn a_value() -> impl Strategy<Value = Value> {
    leaf_value().prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::array),
            vec((text().prop_map(Value::from), inner.clone()), 0..3).prop_map(Value::hash),
            vec((leaf_value(), inner.clone()), 0..2).prop_map(Value::hash),
            inner.prop_map(|it| Value::Sensitive(Arc::new(it))),
        ]
    })
}

/// A type, and a value that often is an instance of it, because the type is partly made from the
/// value's.
fn type_and_value() -> impl Strategy<Value = (Type, Value)> {
    (a_type(), a_value(), 0..6u8).prop_map(|(ty, value, how)| {
        let own = infer_detailed(&value);
        let ty = match how {
            0 | 1 => ty,
            2 => Type::variant([ty, own]),
            3 => Type::optional(generalize(&own)),
            4 => infer(&value),
            _ => common_type(&own, &ty),
        };
        (ty, value)
    })
}

fn is(ty: &Type, value: &Value) -> bool {
    is_instance(ty, value).expect("a decidable type")
}

fn shown(ty: &Type) -> String {
    display_exact(ty)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn within_is_reflexive(ty in a_type()) {
        prop_assert!(within(&ty, &ty), "{}", shown(&ty));
        prop_assert!(within(&ty, &Type::Any));
    }

    #[test]
    fn within_implies_inclusion_of_values((a, value) in type_and_value(), b in a_type()) {
        if is(&a, &value) && within(&a, &b) {
            prop_assert!(is(&b, &value), "{} within {}: {value:?}", shown(&a), shown(&b));
        }
    }

    #[test]
    fn within_is_transitive(a in a_type(), b in a_type(), c in a_type()) {
        let b = union([a.clone(), b]);
        let c = union([b.clone(), c]);
        if within(&a, &b) && within(&b, &c) {
            prop_assert!(within(&a, &c), "{} {} {}", shown(&a), shown(&b), shown(&c));
        }
    }

    #[test]
    fn value_is_instance_of_its_type(value in a_value()) {
        // The content of a Sensitive has its reduced type, which drops undef.
        if shown(&infer_detailed(&value)).contains("Sensitive") {
            return Ok(());
        }
        prop_assert!(is(&infer_detailed(&value), &value), "{value:?}");
    }

    #[test]
    fn union_contains_both_types((a, value) in type_and_value(), b in a_type()) {
        let both = union([a.clone(), b.clone()]);
        if is(&a, &value) || is(&b, &value) {
            prop_assert!(is(&both, &value), "{} {}: {}", shown(&a), shown(&b), shown(&both));
        }
        let swapped = union([b.clone(), a.clone()]);
        prop_assert_eq!(is(&both, &value), is(&swapped, &value));
    }

    #[test]
    fn intersection_contains_common_values((a, value) in type_and_value(), b in a_type()) {
        for (x, y) in [(&a, &b), (&b, &a)] {
            if is(x, &value) && is(y, &value) {
                let both = intersection(x, y);
                prop_assert!(
                    both.as_ref().is_some_and(|it| is(it, &value)),
                    "{} {}: {both:?}: {value:?}", shown(x), shown(y)
                );
            }
        }
    }

    #[test]
    fn difference_contains_remaining_values((a, value) in type_and_value(), b in a_type()) {
        if is(&a, &value) && !is(&b, &value) {
            let left = difference(&a, &b);
            prop_assert!(
                left.as_ref().is_some_and(|it| is(it, &value)),
                "{} without {}: {left:?}: {value:?}", shown(&a), shown(&b)
            );
        }
    }

    #[test]
    fn normalization_preserves_values((ty, value) in type_and_value()) {
        // Puppet reduces these two to undef.
        if shown(&ty).contains("Optional[NotUndef") {
            return Ok(());
        }
        let normal = normalize(&ty);
        if is(&ty, &value) {
            prop_assert!(is(&normal, &value), "{} {}", shown(&ty), shown(&normal));
        }
    }

    #[test]
    fn common_type_contains_the_wider_type((a, value) in type_and_value(), b in a_type()) {
        // If one accepts the other, the join is that one.
        if is_assignable(&a, &b) == Some(true) && !matches!(b, Type::Undef | Type::Unit) {
            let joined = common_type(&a, &b);
            let undef = matches!(a, Type::Undef | Type::Unit);
            prop_assert!(undef || is(&joined, &value) || !is(&a, &value));
        }
    }

    #[test]
    fn printed_types_parse(ty in a_type()) {
        let text = shown(&ty);
        // Parsing generalizes the content of a Sensitive.
        if text.contains("Sensitive[") {
            return Ok(());
        }
        let again = read(&text, &BuiltInTypes);
        prop_assert_eq!(again.map(|it| shown(&it)), Ok(text));
    }
}
