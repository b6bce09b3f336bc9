//! The classes and parameters that keys of data belong to.

use std::collections::BTreeSet;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::DataFormat;
use hiera::interpolation::{Method, interpolations};
use hir::resolve::{self, Definition, ResolveError};
use hir::{Item, ItemKind, ParameterSignature, is_class_name, signature};
use library::{KnownFunction, products};
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
    let module = class.split("::").next().unwrap_or(class);
    // The required version of the module may have other parameters.
    if !is_class_name(class) || environment.other_versions(db).contains(None, module) {
        return ClassKey::Unknown;
    }
    match resolve::class(db, Some(environment), class) {
        Ok(Definition::Item(item)) if item.kind(db) == ItemKind::Class => {
            match signature(db, item).parameter(parameter) {
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

/// Checks whether code or data names a key without `::` where keys are looked up. Needs no search in all files.
pub(crate) fn is_named(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let mut modules = environment.modules(db).values();
    let mut manifests = environment.manifests(db).iter();
    !key.chars().all(is_in_key)
        || modules.any(|it| names_in_module(db, *it).contains(key))
        || manifests.any(|it| names_in_file(db, *it, false).contains(key))
}

#[salsa::tracked]
fn names_in_module(db: &dyn Database, module: ModuleInput) -> BTreeSet<String> {
    let files = module.files(db).iter();
    let names = files.flat_map(|(path, file)| {
        let is_data = DataFormat::of_path(path).is_some();
        names_in_file(db, *file, is_data).iter().cloned()
    });
    names.collect()
}

/// Returns the words after quotes and parentheses in code that looks keys up, or in the interpolations of data.
#[salsa::tracked]
fn names_in_file(db: &dyn Database, file: FileInput, is_data: bool) -> BTreeSet<String> {
    let text = file.text(db).as_deref().unwrap_or_default();
    let mut found = BTreeSet::new();
    if !has_lookup(text) {
        return found;
    }
    let mut add = |text: &str| {
        for (at, _) in text.match_indices(['\'', '"', '(']) {
            let rest = &text[at + 1..];
            let length = rest.find(|it| !is_in_key(it)).unwrap_or(rest.len());
            if length > 0 {
                found.insert(rest[..length].to_owned());
            }
        }
    };
    match is_data {
        true => interpolations(text).for_each(|it| add(&text[it.range])),
        false => add(text),
    }
    found
}

fn is_in_key(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '-' | ':')
}

/// Checks whether code or data may look a key up by itself: code contains the key, or a string that may
/// become the key, or data interpolates it.
pub(crate) fn is_looked_up(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let in_code = needles_in_code(key);
    let in_data = ["('", "(\"", "(\\\""].map(|it| format!("{it}{key}"));
    let contains = |file: &FileInput, needles: &[String]| {
        let text = file.text(db).as_deref().unwrap_or_default();
        let may_look_up = !text.is_empty() && has_lookup(text);
        may_look_up && needles.iter().any(|it| contains_names(text, it))
    };
    let modules = environment.modules(db).values();
    let mut files = modules.flat_map(|it| it.files(db).iter());
    let is_in_module = files.any(|(path, file)| match DataFormat::of_path(path) {
        Some(_) => contains(file, &in_data),
        None => contains(file, &in_code),
    });
    let mut manifests = environment.manifests(db).iter();
    is_in_module || manifests.any(|it| contains(it, &in_code))
}

/// Checks whether a source contains a part of it, whose last name is not the start of a longer one.
fn contains_names(text: &str, part: &str) -> bool {
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(part).any(|(at, _)| {
        let after = &text[at + part.len()..];
        let is_longer = after.starts_with(is_word) || after.starts_with("::");
        !(is_longer && part.ends_with(is_word))
    })
}

fn needles_in_code(key: &str) -> Vec<String> {
    let mut needles = vec![
        format!("'{key}'"),
        format!("\"{key}\""),
        format!("({key})"),
        format!("({key},"),
        format!("{key}."),
    ];
    let starts = key.match_indices("::").map(|it| &key[..it.0]);
    // A key with a leading `::` has an empty start, which each string has.
    let starts = starts.filter(|it| !it.is_empty());
    for start in starts {
        needles.extend(["${", "'", "\"", "%{"].map(|it| format!("{start}::{it}")));
    }
    let ends = key.match_indices("::").map(|it| &key[it.0..]);
    needles.extend(ends.map(|it| format!("}}{it}")));
    needles
}

/// Returns the key that Puppet looks up for a parameter, if a key is spelled in another way: with a leading
/// `::`, single colons, or upper-case letters.
pub(crate) fn normalized_key(key: &str) -> Option<String> {
    let is_name = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':');
    if !key.bytes().all(is_name) {
        return None;
    }
    let parts: Vec<&str> = key.split(':').filter(|it| !it.is_empty()).collect();
    let (parameter, classes) = parts.split_last().filter(|it| !it.1.is_empty())?;
    let (first, rest) = parameter.split_at_checked(1)?;
    let classes = classes.join("::").to_ascii_lowercase();
    let normalized = format!("{classes}::{}{rest}", first.to_ascii_lowercase());
    (normalized != key).then_some(normalized)
}

/// Checks whether a source contains a function that looks keys up.
fn has_lookup(text: &str) -> bool {
    let names = [
        KnownFunction::Lookup.name(),
        KnownFunction::Hiera.name(),
        Method::Alias.name(),
    ];
    names.iter().any(|it| text.contains(it))
}
