//! Generalization: removes ranges, sizes and string values from a type.

use std::sync::Arc;

use super::{CallableType, InitType, IntRange, StructElement, StructType, TupleType, Type};

/// Generalizes a type as Puppet does.
pub fn generalize(ty: &Type) -> Type {
    let inner = |inner: &Arc<Type>| Arc::new(generalize(inner));
    match ty {
        Type::Integer(_) => Type::INTEGER,
        Type::Float(_) => Type::FLOAT,
        Type::Boolean(_) => Type::BOOLEAN,
        Type::String(_) => Type::STRING,
        // Puppet keeps the lengths of the strings.
        Type::Enum(it) => match it.lengths() {
            None => Type::STRING,
            Some(lengths) => Type::string_sized(lengths),
        },
        Type::Collection(_) => Type::Collection(None),
        Type::Array(it) => Type::array(generalize(it.element()), None),
        Type::Hash(it) if it.is_empty_hash() => ty.clone(),
        Type::Hash(it) => Type::hash(generalize(it.key()), generalize(it.value()), None),
        Type::Tuple(it) => {
            let types: Vec<Type> = it.types().iter().map(generalize).collect();
            Type::tuple(types, it.size())
        }
        Type::Struct(it) => {
            let element = |it: &StructElement| StructElement {
                name: Arc::clone(&it.name),
                key: it.key,
                value: generalize(&it.value),
            };
            let elements: Vec<StructElement> = it.elements().iter().map(element).collect();
            Type::Struct(Arc::new(StructType::new(elements)))
        }
        Type::Variant(types) => variant(ty, types),
        Type::Optional(Some(it)) => Type::Optional(Some(inner(it))),
        Type::NotUndef(Some(it)) => Type::not_undef(generalize(it)),
        Type::Type(Some(it)) => Type::Type(Some(inner(it))),
        Type::Iterable(Some(it)) => Type::Iterable(Some(inner(it))),
        Type::Iterator(Some(it)) => Type::Iterator(Some(inner(it))),
        // Puppet generalizes the inner type twice if it changes, which is observable.
        Type::Sensitive(it) => match generalize(it) {
            same if same == **it => ty.clone(),
            general => Type::sensitive(&general),
        },
        Type::Callable(it) => callable(it),
        Type::Init(Some(it)) => Type::Init(Some(Arc::new(InitType {
            inner: generalize(&it.inner),
            args: Arc::clone(&it.args),
        }))),
        Type::Timespan(_) => Type::Timespan(super::TimeRange::ALL),
        Type::Timestamp(_) => Type::Timestamp(super::TimeRange::ALL),
        Type::Uri(_) => Type::Uri(None),
        Type::ObjectExtension(it) => Type::Object(Arc::clone(&it.base)),
        _ => ty.clone(),
    }
}

fn variant(ty: &Type, types: &[Type]) -> Type {
    let general: Vec<Type> = types.iter().map(generalize).collect();
    if general == types {
        ty.clone()
    } else {
        Type::variant(general)
    }
}

fn callable(ty: &CallableType) -> Type {
    let params = ty.params().map(|params| {
        let types: Vec<Type> = params.types().iter().map(generalize).collect();
        let size: Option<IntRange> = params.size();
        Arc::new(TupleType::new(types, size))
    });
    let block = ty.block().map(generalize);
    let returns = ty.returns().map(generalize);
    Type::Callable(Arc::new(CallableType::new(params, block, returns)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display;

    #[test]
    fn generalizes_ranges_sizes_and_strings() {
        let general = |ty: &Type| display(&generalize(ty));
        assert_eq!(general(&Type::integer_value(3)), "Integer");
        assert_eq!(general(&Type::enumeration(["a", "bcd"])), "String[1, 3]");
        assert_eq!(general(&Type::empty_array()), "Array[Unit]");
        assert_eq!(general(&Type::empty_hash()), "Hash[0, 0]");
        let pair = [Type::integer_value(1), Type::string_value("x")];
        assert_eq!(
            general(&Type::tuple(pair.clone(), None)),
            "Tuple[Integer, String]"
        );
        assert_eq!(
            general(&Type::variant([
                Type::integer_value(1),
                Type::integer_value(2)
            ])),
            "Integer"
        );
    }
}
