//! Instances of object types.

use std::sync::Arc;

use super::{Value, text};
use crate::ObjectType;

/// An instance of an object type, with a value for every attribute.
#[derive(Clone, Debug)]
pub struct ObjectValue(Arc<Data>);

#[derive(Debug)]
struct Data {
    ty: Arc<ObjectType>,
    /// The values of the attributes, in the order of the type.
    attributes: Vec<(Arc<str>, Value)>,
}

impl ObjectValue {
    /// Creates an instance. Missing attributes have their default value, or `undef`.
    ///
    /// The caller checks the types of the attributes.
    pub fn new(ty: &Arc<ObjectType>, given: impl Fn(&str) -> Option<Value>) -> ObjectValue {
        let attributes = ty
            .all_attributes()
            .into_iter()
            .map(|(name, attribute)| {
                let value = given(&name).or(attribute.value).unwrap_or(Value::Undef);
                (name, value)
            })
            .collect();
        ObjectValue(Arc::new(Data {
            ty: Arc::clone(ty),
            attributes,
        }))
    }

    /// Returns the type, without type parameters.
    pub fn object_type(&self) -> &Arc<ObjectType> {
        &self.0.ty
    }

    /// Returns the value of an attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.attributes.iter().find(|(it, _)| **it == *name);
        found.map(|(_, value)| value)
    }

    /// Returns the attributes in order.
    pub fn attributes(&self) -> &[(Arc<str>, Value)] {
        &self.0.attributes
    }

    /// Returns the nesting depth, at least 1.
    pub fn depth(&self) -> u32 {
        let deepest = self.0.attributes.iter().map(|(_, it)| it.depth()).max();
        deepest.unwrap_or(0).saturating_add(1)
    }

    /// See [`Value::weight`].
    pub fn weight(&self) -> u64 {
        self.0
            .attributes
            .iter()
            .fold(1, |sum, (_, it)| sum.saturating_add(it.weight()))
    }

    /// Formats the object as Puppet does: the type with a hash of the attributes that differ from
    /// their defaults.
    pub(super) fn text(&self) -> String {
        let defaults = self.0.ty.all_attributes();
        let entries: Vec<String> = self
            .0
            .attributes
            .iter()
            .filter(|(name, value)| {
                let attribute = defaults.get(name);
                let given = attribute.is_none_or(|it| it.is_given());
                given && attribute.and_then(|it| it.value.as_ref()) != Some(value)
            })
            .map(|(name, value)| format!("{} => {}", text::quote(name), text::type_argument(value)))
            .collect();
        format!("{}({{{}}})", self.0.ty.label(), entries.join(", "))
    }
}

impl PartialEq for ObjectValue {
    fn eq(&self, other: &ObjectValue) -> bool {
        let names = || self.0.ty.equality_names();
        self.0.ty == other.0.ty && names().iter().all(|name| self.get(name) == other.get(name))
    }
}
