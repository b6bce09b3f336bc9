//! Renames keys of data that are not those of class parameters.

use hiera::LOOKUP_OPTIONS;
use hiera::document::{Scalar, plain};
use library::KnownFunction;
use salsa::Database;

use super::data_edits::{data_edit, place};
use super::{RenameEdit, RenameError, hiera_keys, interpolated, literal_names, refuse};
use crate::data_files::data_uses;
use crate::search::symbol_uses;
use crate::symbol::{Symbol, data_key_symbol};
use base::{EnvironmentInput, FileInput};

pub(super) fn rename<'db>(
    db: &'db dyn Database,
    origin: FileInput,
    symbol: &Symbol<'db>,
    old: &str,
    new: &str,
) -> Result<RenameEdit, RenameError> {
    let new = new_key(new)?;
    let Some(environment) = origin.environment(db) else {
        return Err(RenameError::no_symbol());
    };
    if new == old {
        return Ok(RenameEdit::default());
    }
    check_not_taken(db, origin, environment, new)?;
    hiera_keys::check_options(db, environment, old, new)?;
    check_ruby(db, environment, old)?;
    let mut edits = Vec::new();
    for it in data_uses(db, environment, symbol) {
        edits.push(data_edit(db, &it, old, new)?);
    }
    for it in symbol_uses(db, origin, symbol) {
        edits.push(super::use_edit(db, &it, true, old, |_| new.to_owned())?);
    }
    let in_strings = literal_names::of_data_key(db, origin, old, new)?;
    edits.extend(in_strings.edits);
    let mut uncertain_uses = interpolated::uncertain_lookups(db, origin, old);
    uncertain_uses.extend(in_strings.uncertain_uses);
    Ok(RenameEdit {
        edits,
        moves: Vec::new(),
        uncertain_uses,
    })
}

/// Validates a new key: it needs no quotes in YAML and in lookups.
fn new_key(name: &str) -> Result<&str, RenameError> {
    let name = name.trim();
    let is_part = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_')
            && it
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-'))
    };
    let is_string = matches!(plain(name), Scalar::String(_));
    if !is_string || name == LOOKUP_OPTIONS || !name.split("::").all(is_part) {
        return refuse(format!("invalid key `{name}`"));
    }
    Ok(name)
}

/// Fails if the new key is in use.
fn check_not_taken(
    db: &dyn Database,
    origin: FileInput,
    environment: EnvironmentInput,
    new: &str,
) -> Result<(), RenameError> {
    let symbol = data_key_symbol(db, environment, new);
    if let Symbol::Variable { item, name, .. } = &symbol {
        return refuse(format!(
            "`{new}` is the key of parameter `${name}` of `{}`",
            item.name(db)
        ));
    }
    let in_data = data_uses(db, environment, &symbol).into_iter();
    let in_code = symbol_uses(db, origin, &symbol).into_iter();
    let mut files = in_data
        .map(|it| it.file)
        .chain(in_code.map(|it| it.file(db)));
    match files.next() {
        Some(file) => refuse(format!("`{new}` is already used{}", place(db, file))),
        None => Ok(()),
    }
}

/// Fails if Ruby code may look a key up.
fn check_ruby(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Result<(), RenameError> {
    let starts = [format!("'{key}"), format!("\"{key}")];
    let may_look_up = |text: &str| {
        let functions = [KnownFunction::Lookup.name(), KnownFunction::Hiera.name()];
        let mut keys = starts.iter().flat_map(|it| text.match_indices(it.as_str()));
        functions.iter().any(|it| text.contains(it))
            && keys.any(|(at, it)| text[at + it.len()..].starts_with(['\'', '"', '.']))
    };
    for module in environment.modules(db).values() {
        let files = module.files(db).iter();
        let ruby = files.filter(|it| it.0.ends_with(".rb") || it.0.ends_with(".erb"));
        for (path, file) in ruby {
            if file.text(db).as_deref().is_some_and(may_look_up) {
                return refuse(format!(
                    "cannot rename: `{path}` of module `{}` may look up `{key}`",
                    module.name(db)
                ));
            }
        }
    }
    Ok(())
}
