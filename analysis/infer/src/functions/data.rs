//! `lookup`: its result has the requested type, from any data source.

use super::Arguments;
use crate::inferred::Inferred;
use library::KnownFunction as F;
use types::Type;
use types::precise::union;
use types::values::Value;

/// Returns the type of a function's result.
pub(super) fn result(function: F, arguments: &Arguments<'_>) -> Option<Inferred> {
    if function != F::Lookup {
        return None;
    }
    let type_ = match arguments.all()? {
        [only] => of_options(only)?,
        [_, second, ..] => match &second.value {
            Some(Value::Type(it)) => it.clone(),
            Some(Value::Hash(_)) => of_options(second)?,
            Some(_) => return None,
            None => of_type(&second.type_).or_else(|| of_options(second))?,
        },
        [] => return None,
    };
    Some(Inferred::of(type_))
}

/// Returns the type that a value of this type represents, or a supertype of it.
fn of_type(type_: &Type) -> Option<Type> {
    match type_ {
        Type::Type(Some(inner)) => Some((**inner).clone()),
        _ => None,
    }
}

/// Returns the `value_type` of an options hash.
fn of_options(options: &Inferred) -> Option<Type> {
    if let Some(Value::Hash(options)) = &options.value {
        return match options.get(&Value::from("value_type"))? {
            Value::Type(it) => Some(it.clone()),
            _ => None,
        };
    }
    let Type::Struct(options) = &options.type_ else {
        return None;
    };
    let asked = options.get("value_type").filter(|it| !it.is_optional())?;
    of_type(&asked.value).map(|it| union([it]))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn lookup_returns_the_requested_type() {
        check(&[
            ("", "lookup('a')", "Any"),
            ("", "lookup('a', Integer[1])", "Integer[1]"),
            (
                "",
                "lookup('a', Array[String], 'unique', [])",
                "Array[String]",
            ),
            ("", "lookup('a', undef, undef, 'x')", "Any"),
            (
                "",
                "lookup('a', { value_type => Boolean, default_value => true })",
                "Boolean",
            ),
            (
                "Any $d",
                "lookup('a', { value_type => Boolean, default_value => $d })",
                "Boolean",
            ),
            (
                "Any $d",
                "lookup({ name => 'a', value_type => String, default_value => $d })",
                "String",
            ),
            ("Type[Integer] $t", "lookup('a', $t)", "Integer"),
        ]);
    }
}
