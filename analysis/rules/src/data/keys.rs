//! The classes and parameters that keys of data belong to.

use base::EnvironmentInput;
use hiera::interpolation::Method;
use hir::resolve::{self, Definition, ResolveError};
use hir::{Item, ItemKind, ParameterSignature, signature};
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

fn is_class_name(name: &str) -> bool {
    let is_part = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_lowercase())
            && it
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
    };
    name.split("::").all(is_part)
}

/// Checks whether code or data may look a key up by itself: it contains the key, or a string that may
/// become the key.
pub(crate) fn is_looked_up(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let mut needles = vec![format!("'{key}'"), format!("\"{key}\"")];
    let starts = key.match_indices("::").map(|it| &key[..it.0]);
    for start in starts {
        needles.push(format!("{start}::${{"));
        needles.push(format!("{start}::'"));
        needles.push(format!("{start}::\""));
        needles.push(format!("{start}::%{{"));
    }
    for (at, _) in key.match_indices("::") {
        needles.push(format!("}}{}", &key[at..]));
    }
    needles.push(format!("{key}."));
    let mut files = environment
        .modules(db)
        .values()
        .flat_map(|module| module.files(db).values())
        .chain(environment.manifests(db).iter());
    files.any(|file| {
        let text = file.text(db).as_deref().unwrap_or_default();
        let may_look_up = !text.is_empty() && has_lookup(text);
        may_look_up && needles.iter().any(|it| text.contains(it.as_str()))
    })
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
