//! Object types from their defining hash: `Object[{…}]`, with the validation that Puppet applies.

use std::sync::Arc;

use indexmap::IndexMap;

use super::super::special::{Refused, is_type_name};
use super::super::{Type, assignable, generalize, infer, instance};
use super::{Attribute, AttributeKind, ObjectType};
use crate::values::{HashValue, Value};

type Members = IndexMap<Arc<str>, Attribute>;
type Result<T = ()> = std::result::Result<T, Refused>;

impl ObjectType {
    /// Returns the object type that a hash defines, as in `Object[{…}]`.
    ///
    /// # Errors
    ///
    /// If the definition is invalid or not supported.
    pub fn from_hash(entries: &HashValue) -> Result<Type> {
        if entries.is_empty() {
            return Ok(ObjectType::any());
        }
        let mut ty = ObjectType::default();
        let mut constants = Members::new();
        for (key, value) in entries.iter() {
            match (key.as_str().unwrap_or_default(), value) {
                ("name", Value::String(name)) if is_type_name(name) => {
                    ty.name = Some(Arc::clone(name));
                }
                ("parent", Value::Type(parent)) => ty.parent = Some(known_parent(parent)?),
                ("type_parameters", Value::Hash(members)) => {
                    ty.type_parameters = members_from(members)?;
                    for parameter in ty.type_parameters.values_mut() {
                        if let Type::Optional(Some(inner)) = &parameter.ty {
                            parameter.ty = (**inner).clone();
                        }
                        parameter.value = None;
                    }
                }
                ("attributes", Value::Hash(members)) => {
                    ty.attributes.extend(members_from(members)?);
                }
                ("constants", Value::Hash(members)) => constants = constants_from(members)?,
                ("functions", Value::Hash(members)) => ty.functions = functions_from(members)?,
                ("equality", value) => ty.equality = Some(names_from(value)?),
                ("equality_include_type", Value::Boolean(it)) => ty.equality_ignores_type = !it,
                ("checks", value) => ty.checks = Some(value.clone()),
                ("annotations", _) => {
                    return Err(Refused::unknown("an object type with annotations"));
                }
                (key, _) => {
                    let message = format!("invalid `{key}` in the definition of an object type");
                    return Err(Refused::wrong(message));
                }
            }
        }
        ty.add_constants(constants)?;
        ty.check_members()?;
        ty.check_equality()?;
        Ok(Type::Object(Arc::new(ty)))
    }

    /// Constants override inherited members implicitly.
    fn add_constants(&mut self, constants: Members) -> Result {
        let inherited = self.inherited(|it| it.all_attributes());
        for (name, mut constant) in constants {
            if self.attributes.contains_key(&name) {
                let message =
                    format!("attribute `{name}` is defined as both a constant and an attribute");
                return Err(Refused::wrong(message));
            }
            constant.is_override = inherited.contains_key(&name);
            self.attributes.insert(name, constant);
        }
        Ok(())
    }

    fn inherited(&self, members: impl Fn(&ObjectType) -> Members) -> Members {
        let parent = self.parent_object();
        parent.map_or_else(Members::new, |it| members(&it))
    }

    fn check_members(&self) -> Result {
        let attributes = self.inherited(|it| it.all_attributes());
        let functions = self.inherited(|it| it.all_functions());
        for (name, attribute) in &self.attributes {
            if functions.contains_key(name) {
                let message = format!("attribute `{name}` cannot override a function");
                return Err(Refused::wrong(message));
            }
            check_override(name, attribute, attributes.get(name))?;
        }
        for (name, function) in &self.functions {
            if self.attributes.contains_key(name) || attributes.contains_key(name) {
                let message =
                    format!("member `{name}` is defined as both a function and an attribute");
                return Err(Refused::wrong(message));
            }
            check_override(name, function, functions.get(name))?;
        }
        let parameters = self.inherited(|it| it.all_type_parameters());
        for (name, parameter) in &self.type_parameters {
            check_override(name, parameter, parameters.get(name))?;
        }
        Ok(())
    }

    fn check_equality(&self) -> Result {
        let Some(names) = self.equality.as_ref().filter(|it| !it.is_empty()) else {
            return Ok(());
        };
        if self.equality_ignores_type {
            let message = "`equality_include_type => false` cannot be combined with `equality`";
            return Err(Refused::wrong(message));
        }
        let parent = self.parent_object();
        for name in names {
            let inherited = parent
                .as_ref()
                .and_then(|it| it.all_attributes().swap_remove(name));
            if let (Some(parent), Some(_)) = (&parent, &inherited)
                && parent.decides_equality(name)
            {
                let message = format!(
                    "attribute `{name}` is already included in the equality of the parent type"
                );
                return Err(Refused::wrong(message));
            }
            let attribute = inherited.as_ref().or_else(|| self.attributes.get(name));
            match attribute.map(|it| it.kind) {
                None => {
                    let message = format!("unknown attribute `{name}` in `equality`");
                    return Err(Refused::wrong(message));
                }
                Some(AttributeKind::Constant) => {
                    let message = format!("constant `{name}` is not allowed in `equality`");
                    return Err(Refused::wrong(message));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Checks whether the attribute takes part in equality, in this type or an ancestor.
    fn decides_equality(&self, name: &str) -> bool {
        let own = match &self.equality {
            Some(names) => names.iter().any(|it| **it == *name),
            None => self
                .attributes
                .get(name)
                .is_some_and(|it| it.kind != AttributeKind::Constant),
        };
        own || self
            .parent_object()
            .is_some_and(|it| it.decides_equality(name))
    }
}

fn known_parent(parent: &Type) -> Result<Type> {
    match parent.resolved() {
        Type::Reference(name) => Err(Refused::wrong(format!("unknown type `{name}`"))),
        _ => Ok(parent.clone()),
    }
}

fn check_override(name: &str, member: &Attribute, inherited: Option<&Attribute>) -> Result {
    let constant = |it: &Attribute| it.kind == AttributeKind::Constant;
    let problem = match inherited {
        None if member.is_override => {
            "has `override => true` but does not override an inherited member"
        }
        None => return Ok(()),
        Some(parent) if parent.is_final && !(constant(parent) && constant(member)) => {
            "overrides a final member"
        }
        Some(_) if !member.is_override => {
            "overrides an inherited member without `override => true`"
        }
        Some(parent) if !assignable(&parent.ty, &member.ty) => {
            "overrides an inherited member with an incompatible type"
        }
        Some(_) => return Ok(()),
    };
    Err(Refused::wrong(format!("member `{name}` {problem}")))
}

fn is_member_name(name: &str) -> bool {
    name.starts_with(|it: char| it == '_' || it.is_ascii_lowercase())
        && name
            .chars()
            .all(|it| it == '_' || it.is_ascii_alphanumeric())
}

fn member_name(name: &Value) -> Result<Arc<str>> {
    match name.as_str().filter(|it| is_member_name(it)) {
        Some(name) => Ok(name.into()),
        None => Err(Refused::wrong("invalid member name")),
    }
}

fn names_from(value: &Value) -> Result<Vec<Arc<str>>> {
    match value {
        Value::Array(names) => names.iter().map(member_name).collect(),
        name => Ok(vec![member_name(name)?]),
    }
}

fn members_from(members: &HashValue) -> Result<Members> {
    let member = |(name, value): (&Value, &Value)| Ok((member_name(name)?, member_from(value)?));
    members.iter().map(member).collect()
}

fn functions_from(members: &HashValue) -> Result<Members> {
    let function = |(name, value): (&Value, &Value)| {
        let name = match name.as_str() {
            Some("[]") => "[]".into(),
            _ => member_name(name)?,
        };
        let function = member_from(value)?;
        if !matches!(function.ty.resolved(), Type::Callable(_)) {
            let message = format!("expected a `Callable` for function `{name}`");
            return Err(Refused::wrong(message));
        }
        Ok((name, function))
    };
    members.iter().map(function).collect()
}

/// Parses an attribute, type parameter or function: either a type, or a hash with details.
fn member_from(value: &Value) -> Result<Attribute> {
    let entries = match value {
        Value::Type(ty @ Type::Optional(_)) => {
            return Ok(Attribute::with_default(ty.clone(), Value::Undef));
        }
        Value::Type(ty) => return Ok(Attribute::required(ty.clone())),
        Value::Hash(entries) => entries,
        _ => {
            return Err(Refused::wrong(
                "expected a type or a hash for a member of an object type",
            ));
        }
    };
    let Some(Value::Type(ty)) = entries.get_str("type") else {
        return Err(Refused::wrong(
            "missing `type` for a member of an object type",
        ));
    };
    let mut member = Attribute::required(ty.clone());
    let mut is_final = None;
    for (key, value) in entries.iter() {
        match (key.as_str().unwrap_or_default(), value) {
            ("type", _) => {}
            ("value", value) => member.value = Some(value.clone()),
            ("final", Value::Boolean(it)) => is_final = Some(*it),
            ("override", Value::Boolean(it)) => member.is_override = *it,
            ("kind", Value::String(kind)) => member.kind = kind_from(kind)?,
            ("annotations", _) => return Err(Refused::unknown("a member with annotations")),
            _ => return Err(Refused::wrong("invalid key in a member definition")),
        }
    }
    member.is_final = is_final.unwrap_or(member.kind == AttributeKind::Constant);
    check_member(&member)?;
    Ok(member)
}

fn kind_from(kind: &str) -> Result<AttributeKind> {
    Ok(match kind {
        "constant" => AttributeKind::Constant,
        "derived" => AttributeKind::Derived,
        "given_or_derived" => AttributeKind::GivenOrDerived,
        "reference" => AttributeKind::Reference,
        _ => return Err(Refused::wrong("invalid attribute kind")),
    })
}

fn check_member(member: &Attribute) -> Result {
    let problem = match (member.kind, &member.value) {
        (AttributeKind::Constant, _) if !member.is_final => {
            "a constant cannot have `final => false`"
        }
        (AttributeKind::Constant, None) => "a constant requires a value",
        (AttributeKind::Derived | AttributeKind::GivenOrDerived, Some(_)) => {
            "a derived attribute cannot have a value"
        }
        (_, None | Some(Value::Default)) => return Ok(()),
        (_, Some(value)) if instance(&member.ty, value) => return Ok(()),
        _ => "the value of a member does not match its type",
    };
    Err(Refused::wrong(problem))
}

fn constants_from(constants: &HashValue) -> Result<Members> {
    let constant = |(name, value): (&Value, &Value)| {
        let member = Attribute {
            kind: AttributeKind::Constant,
            is_final: true,
            ..Attribute::with_default(generalize(&infer(value)), value.clone())
        };
        Ok((member_name(name)?, member))
    };
    constants.iter().map(constant).collect()
}
