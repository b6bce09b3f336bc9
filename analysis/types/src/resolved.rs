//! Whether all names in a type are resolved.

use super::alias::each_child;
use super::weight::{MAX, MAX_DEPTH};
use super::{ObjectType, Type};
use crate::values::Value;

/// Checks whether all names in a type are resolved, including those in the bodies of aliases. A
/// type beyond the limits counts as unresolved.
pub fn is_resolved(ty: &Type) -> bool {
    Search { left: MAX }.ty(ty, 0)
}

/// Checks whether all types in a value are resolved, including those in nested arrays and hashes.
pub fn is_resolved_value(value: &Value) -> bool {
    Search { left: MAX }.value(value, 0)
}

struct Search {
    /// The number of types that may still be visited.
    left: u64,
}

impl Search {
    fn ty(&mut self, ty: &Type, depth: u32) -> bool {
        if self.left == 0 || depth > MAX_DEPTH {
            return false;
        }
        self.left -= 1;
        let is_known = match ty {
            Type::Reference(_) => false,
            Type::Alias(alias) => self.ty(alias.body(), depth + 1),
            Type::Init(Some(it)) => it.args.iter().all(|it| self.value(it, depth + 1)),
            Type::Object(it) => self.object(it, depth + 1),
            Type::ObjectExtension(it) => {
                self.object(&it.base, depth + 1)
                    && it.parameters.iter().all(|it| self.value(&it.1, depth + 1))
            }
            Type::TypeSet(Some(it)) => it.types.values().all(|it| self.ty(it, depth + 1)),
            _ => true,
        };
        let mut all_known = is_known;
        each_child(ty, &mut |child| {
            all_known = all_known && self.ty(child, depth + 1);
        });
        all_known
    }

    fn object(&mut self, object: &ObjectType, depth: u32) -> bool {
        let attributes = object.attributes.values().map(|it| &it.ty);
        let mut types = attributes.chain(&object.parent);
        types.all(|it| self.ty(it, depth))
    }

    fn value(&mut self, value: &Value, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match value {
            Value::Type(it) => self.ty(it, depth),
            Value::Array(items) => items.iter().all(|it| self.value(it, depth + 1)),
            Value::Hash(entries) => entries
                .iter()
                .all(|(key, value)| self.value(key, depth + 1) && self.value(value, depth + 1)),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Alias;
    use crate::reader::{BuiltInTypes, read};

    fn is_known(text: &str) -> bool {
        is_resolved(&read(text, &BuiltInTypes).expect("it is a type"))
    }

    #[test]
    fn finds_names_in_all_parts() {
        assert!(is_known(
            "Hash[String, Variant[Data, Struct[{a => Init[Integer]}]]]"
        ));
        assert!(!is_known("Unknown"));
        assert!(!is_known("Hash[String, Array[Tuple[Integer, Unknown]]]"));
        assert!(!is_known("Struct[{a => Optional[Type[Unknown]]}]"));
        assert!(!is_known("Callable[[String], Unknown]"));
        // Only a string.
        assert!(is_known(r#"Enum["TypeReference['a']"]"#));
    }

    #[test]
    fn finds_names_in_alias_bodies() {
        let alias = |body| Type::Alias(Arc::new(Alias::new("Tree", body)));
        let inside = |it| Type::array(Type::variant([Type::Recursion("Tree".into()), it]), None);
        assert!(is_resolved(&alias(inside(Type::INTEGER))));
        let unknown = alias(inside(Type::Reference("Unknown".into())));
        assert!(!is_resolved(&Type::optional(unknown)));
    }

    #[test]
    fn finds_names_in_values() {
        let unknown = Value::Type(Type::Reference("Unknown".into()));
        assert!(!is_resolved_value(&unknown));
        assert!(!is_resolved_value(&Value::array(vec![
            Value::Undef,
            unknown
        ])));
        assert!(is_resolved_value(&Value::array(vec![Value::Type(
            Type::Any
        )])));
    }

    #[test]
    fn huge_types_count_as_unresolved() {
        let pair = |it: Type| Type::tuple([it.clone(), it], None);
        assert!(!is_resolved(&(0..60).fold(Type::INTEGER, |it, _| pair(it))));
    }
}
