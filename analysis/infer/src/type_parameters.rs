//! Parameters of data types whose values are unknown, but not their types.

use super::combinations::combinations;
use super::inferred::Inferred;
use super::operators::{alternatives, element_of};
use eval::{Blame, Context, EvalError, EvalFailure};
use types::Type;
use types::values::{Regexp, Value};

/// The maximum number of combinations of parameters that are tried.
const MAX_COMBINATIONS: usize = 64;

/// Returns the error of parameters of a kind that a data type never accepts; `None` if there may be
/// values that it accepts. Whether a type accepts a parameter depends on its kind, not on its value, in
/// all types that are checked.
pub(super) fn refused_parameters(
    context: &Context,
    type_: &Type,
    keys: &[Inferred],
) -> Option<EvalError> {
    if !depends_on_kinds(type_) {
        return None;
    }
    let choices: Vec<Vec<Value>> = keys.iter().map(samples).collect();
    let lists = combinations(&choices, MAX_COMBINATIONS)?;
    let base = Value::Type(type_.clone());
    let mut first = None;
    for list in lists {
        match eval::access(context, &base, &list) {
            Err(EvalFailure::Error(error)) if matches!(error.blame, Blame::Key(_)) => {
                first.get_or_insert(error);
            }
            _ => return None,
        }
    }
    first
}

/// Checks whether a type accepts or refuses all parameters of a kind. Others parse strings or need the
/// length of an array.
fn depends_on_kinds(type_: &Type) -> bool {
    matches!(
        type_,
        Type::Array(_)
            | Type::Boolean(_)
            | Type::Collection(_)
            | Type::Enum(_)
            | Type::Float(_)
            | Type::Hash(_)
            | Type::Integer(_)
            | Type::NotUndef(_)
            | Type::Optional(_)
            | Type::Pattern(_)
            | Type::Regexp(_)
            | Type::Sensitive(_)
            | Type::String(_)
            | Type::Struct(_)
            | Type::Tuple(_)
            | Type::Type(_)
            | Type::Variant(_)
    )
}

/// Returns a value of each kind that a parameter may have. An array, which Puppet flattens, may contain
/// values of any kind.
fn samples(key: &Inferred) -> Vec<Value> {
    if let Some(value) = &key.value {
        return vec![value.clone()];
    }
    if let Some(element) = element_of(&key.type_).filter(|it| !it.is_never()) {
        return samples(&Inferred::of(element));
    }
    let all = alternatives(&key.type_).into_iter().map(|it| {
        Some(match it {
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Value::from("a"),
            Type::Integer(_) => Value::Integer(1),
            Type::Float(_) => Value::Float(1.0),
            Type::Boolean(_) => Value::Boolean(true),
            Type::Undef => Value::Undef,
            Type::Default => Value::Default,
            Type::Regexp(_) => Value::Regexp(Regexp::new("a")),
            Type::Hash(_) | Type::Struct(_) => Value::hash([]),
            Type::Type(_) => Value::Type(Type::Any),
            _ => return None,
        })
    });
    let all: Option<Vec<Value>> = all.collect();
    all.filter(|it| !it.is_empty()).unwrap_or_else(|| {
        vec![
            Value::Integer(1),
            Value::Type(Type::Any),
            Value::from("a"),
            Value::Boolean(true),
            Value::Default,
            Value::Undef,
            Value::hash([]),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::reader::{BuiltInTypes, read};

    fn refuses(type_: &str, keys: &[&str]) -> bool {
        let read = |it: &str| read(it, &BuiltInTypes).expect("it is a type");
        let keys: Vec<_> = keys.iter().map(|it| Inferred::of(read(it))).collect();
        refused_parameters(&Context::default(), &read(type_), &keys).is_some()
    }

    #[test]
    fn kinds_of_parameters_are_checked() {
        assert!(refuses("Integer", &["String"]));
        assert!(refuses("Integer", &["Integer", "Variant[String, Float]"]));
        assert!(refuses("Array", &["String"]));
        assert!(refuses("Enum", &["Integer"]));
        assert!(refuses("Integer", &["Any", "String"]));
        assert!(!refuses("Integer", &["Any"]));
        assert!(!refuses("Variant", &["Array"]));
        assert!(!refuses("Integer", &["Variant[String, Integer]"]));
        assert!(!refuses("Enum", &["String", "Boolean"]));
        assert!(refuses("Enum", &["Array[Integer]"]));
        assert!(!refuses("Enum", &["Array[Variant[Integer, String]]"]));
        assert!(!refuses("Variant", &["Type"]));
        // Whether a range is empty depends on the values.
        assert!(!refuses("Integer", &["Integer", "Integer"]));
        assert!(!refuses("Timespan", &["String"]));
    }
}
