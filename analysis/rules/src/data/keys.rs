//! The classes and parameters that keys of data belong to.

use base::EnvironmentInput;
use hir::resolve::{self, Definition, ResolveError};
use hir::{Item, ItemKind, ParameterSignature, is_class_name, signature};
use library::products;
use rustc_hash::FxHashMap;
use salsa::Database;

/// The meaning of a key `class::parameter`.
#[derive(Clone, Debug)]
pub enum ClassKey<'db> {
    /// A parameter of a class.
    Parameter(Item<'db>, &'db ParameterSignature),
    /// A class without a parameter of this name.
    UnknownParameter(Item<'db>),
    /// A class that certainly does not exist, in a module that does.
    UnknownClass,
    /// A class in a module that certainly does not exist.
    UnknownModule,
    /// Too little is known, or the key is not one of a parameter.
    Unknown,
}

/// Returns the meaning of a key.
pub fn class_key<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> ClassKey<'db> {
    let Some((class, parameter)) = key.rsplit_once("::") else {
        return ClassKey::Unknown;
    };
    if !is_class_name(class) {
        return ClassKey::Unknown;
    }
    let module = class.split("::").next().unwrap_or(class);
    match resolve::class(db, Some(environment), class) {
        Ok(Definition::Item(item)) if item.kind(db) == ItemKind::Class => {
            let index = parameter_index(db, item).get(parameter);
            match index.and_then(|it| signature(db, item).parameters.get(*it)) {
                Some(parameter) => ClassKey::Parameter(item, parameter),
                None => ClassKey::UnknownParameter(item),
            }
        }
        Err(ResolveError::NotDefined) => ClassKey::UnknownClass,
        Err(ResolveError::UndeclaredModule(_)) if !products::is_module_of_enterprise(module) => {
            ClassKey::UnknownModule
        }
        _ => ClassKey::Unknown,
    }
}

/// Returns the indices of the parameters of a class by name: there may be thousands of keys for thousands of
/// them.
#[salsa::tracked]
fn parameter_index<'db>(db: &'db dyn Database, class: Item<'db>) -> FxHashMap<String, usize> {
    let parameters = signature(db, class).parameters.iter().enumerate().rev();
    parameters
        .map(|(index, it)| (it.name.clone(), index))
        .collect()
}

/// Returns the key that Puppet looks up for a parameter, if a key is spelled in another way: with a leading
/// `::`, single colons, dots, or uppercase letters.
pub(crate) fn normalized_key(key: &str) -> Option<String> {
    let is_name = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':' | b'.');
    if !key.bytes().all(is_name) {
        return None;
    }
    let parts = key.split([':', '.']).filter(|it| !it.is_empty());
    let parts: Vec<&str> = parts.collect();
    let (parameter, classes) = parts.split_last().filter(|it| !it.1.is_empty())?;
    let (first, rest) = parameter.split_at_checked(1)?;
    let classes = classes.join("::").to_ascii_lowercase();
    let normalized = format!("{classes}::{}{rest}", first.to_ascii_lowercase());
    (normalized != key).then_some(normalized)
}
