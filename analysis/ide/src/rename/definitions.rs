//! Renames classes, defined types, functions, plans and type aliases, and moves the files from which
//! Puppet autoloads them.

use salsa::Database;
use syntax::Edit;

use super::{
    FileMove, RenameEdit, RenameError, examples, hiera_keys, interpolated, literal_names,
    new_names, refuse, ruby_templates, use_edit,
};
use crate::search::{module_path, occurrences_of_words, qualified_variables, symbol_uses};
use crate::symbol::{ImplicitNameKind, OccurrenceKind, Symbol, word_hash};
use base::{EnvironmentInput, FileId, FileInput};
use hir::autoload::{NameKey, RubyKind, all_definitions, candidate_paths, module_file, ruby_file};
use hir::body::ReferenceName;
use hir::{Item, ItemKind, items, signature};
use types::reader::is_data_type;

pub(super) fn rename(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    new: &str,
) -> Result<RenameEdit, RenameError> {
    // As written in a reference to resources.
    let is_capitalized = |it: &str| it.starts_with(|it: char| it.is_ascii_uppercase());
    let canonical = new.to_ascii_lowercase();
    let new = match item.kind(db) {
        ItemKind::TypeAlias => new_names::type_alias(new)?,
        _ if new.split("::").all(is_capitalized) => new_names::definition(&canonical)?,
        _ => new_names::definition(new)?,
    };
    let mut edit = edits(db, origin, item, new)?;
    edit.moves
        .extend(file_move(db, item, &new.to_ascii_lowercase())?);
    Ok(edit)
}

/// Returns the edits that rename an item, without moving its file. The new name must be valid for
/// the kind of item.
pub(super) fn edits(
    db: &dyn Database,
    origin: FileInput,
    item: Item<'_>,
    new: &str,
) -> Result<RenameEdit, RenameError> {
    let environment = item.file(db).environment(db);
    let (old, canonical) = (item.name(db).as_str(), new.to_ascii_lowercase());
    check_nesting(db, item)?;
    if canonical != old {
        check_not_taken(db, environment, item.kind(db), &canonical)?;
        check_capture(db, origin, item.kind(db), &canonical)?;
    }
    let is_alias = item.kind(db) == ItemKind::TypeAlias;
    let written = |text: &str| match text.starts_with(|it: char| it.is_ascii_uppercase()) {
        true if is_alias => new.to_owned(),
        true => types::capitalize_segments(&canonical),
        false => canonical.clone(),
    };
    let (mut found, mut uncertain_uses) = (Vec::new(), Vec::new());
    for it in symbol_uses(db, origin, &Symbol::Item(item)) {
        found.push(use_edit(db, &it, true, old, written)?);
    }
    if item.kind(db) == ItemKind::Class {
        for it in qualified_variables(db, origin, old) {
            found.push(qualified_variable_edit(db, &it, old, &canonical)?);
        }
    }
    if canonical != old {
        match item.kind(db) {
            ItemKind::Class => {
                found.extend(hiera_keys::class_key_edits(db, item, &canonical)?);
                let in_templates = ruby_templates::class_edits(db, environment, old, &canonical)?;
                found.extend(in_templates);
            }
            _ => {
                hiera_keys::check_not_mentioned(db, environment, old)?;
                ruby_templates::check_unused_in_templates(db, environment, old)?;
            }
        }
        let in_strings = literal_names::of_item(db, origin, item, &canonical)?;
        found.extend(in_strings.edits);
        found.extend(examples::of_item(db, item, written));
        uncertain_uses = interpolated::uncertain_uses(db, origin, item);
        uncertain_uses.extend(in_strings.uncertain_uses);
    }
    Ok(RenameEdit {
        edits: found,
        moves: Vec::new(),
        uncertain_uses,
    })
}

/// Returns the edit of a variable that is qualified with its class.
fn qualified_variable_edit(
    db: &dyn Database,
    found: &crate::search::SymbolUse<'_>,
    old: &str,
    new: &str,
) -> Result<(FileId, Edit), RenameError> {
    let text = super::text_at(db, found.file(db), found.range(db));
    let variable = crate::symbol::last_segment(text);
    let variable = variable.split(['.', '\'', '"']).next().unwrap_or_default();
    let full = format!("{old}::{variable}");
    // Variable names are case-sensitive.
    use_edit(db, found, true, &full, |_| format!("{new}::{variable}"))
}

/// Fails if the item is nested in another definition, or contains one: the names of nested
/// definitions include the outer name.
fn check_nesting(db: &dyn Database, item: Item<'_>) -> Result<(), RenameError> {
    let range = item.in_file(db, signature(db, item).name_range);
    let text = super::text_at(db, item.file(db), range);
    if new_names::name_range(text, true, item.name(db)).is_none() {
        return refuse("cannot rename: nested in a class, whose name is part of the name");
    }
    let whole = crate::goto_definition::item_target(db, item).range;
    let inside = items(db, item.file(db)).iter().any(|it| {
        let is_named = it.kind(db).is_declarable();
        *it != item && is_named && whole.contains(it.offset(db))
    });
    match inside {
        true => refuse("cannot rename: contains nested definitions"),
        false => Ok(()),
    }
}

/// Fails if the new name is already taken.
fn check_not_taken(
    db: &dyn Database,
    environment: Option<EnvironmentInput>,
    kind: ItemKind,
    new: &str,
) -> Result<(), RenameError> {
    let taken = || refuse(format!("`{new}` already exists"));
    let (kinds, ruby): (&[ItemKind], &[RubyKind]) = match kind {
        ItemKind::Class | ItemKind::DefinedType => (
            &[ItemKind::Class, ItemKind::DefinedType, ItemKind::TypeAlias],
            &[RubyKind::ResourceType, RubyKind::DataType],
        ),
        ItemKind::Function => (&[ItemKind::Function], &RubyKind::FUNCTIONS),
        ItemKind::TypeAlias => (
            &[ItemKind::TypeAlias, ItemKind::DefinedType],
            &[RubyKind::DataType, RubyKind::ResourceType],
        ),
        _ => (&[ItemKind::Plan], &[]),
    };
    let types = [ItemKind::TypeAlias, ItemKind::DefinedType];
    if types.contains(&kind) && is_data_type(new) {
        return taken();
    }
    let found = match kind {
        ItemKind::Function => hir::resolve::function(db, environment, new).is_ok(),
        ItemKind::DefinedType | ItemKind::TypeAlias => {
            hir::resolve::resource_type(db, environment, new).is_ok()
        }
        _ => false,
    };
    let Some(environment) = environment.filter(|_| !found) else {
        return if found { taken() } else { Ok(()) };
    };
    let all = all_definitions(db, environment);
    let key = NameKey::new(db, new.to_owned());
    let in_puppet = kinds
        .iter()
        .any(|it| all.contains_key(&(*it, new.to_owned())));
    let in_ruby = ruby
        .iter()
        .any(|it| ruby_file(db, environment, *it, key).is_some());
    if in_puppet || in_ruby {
        taken()
    } else {
        Ok(())
    }
}

/// Fails if code already refers to the new name, even though it is undefined.
fn check_capture(
    db: &dyn Database,
    origin: FileInput,
    kind: ItemKind,
    new: &str,
) -> Result<(), RenameError> {
    let captured = occurrences_of_words(db, origin, &[word_hash(new)])
        .into_iter()
        .any(|it| {
            let class = matches!(kind, ItemKind::Class);
            match it.occurrence.kind {
                OccurrenceKind::Reference(it) => match &it.name {
                    ReferenceName::Class(..) => class,
                    ReferenceName::ResourceType(_) => kind == ItemKind::DefinedType,
                    ReferenceName::Type(_) => {
                        matches!(kind, ItemKind::DefinedType | ItemKind::TypeAlias)
                    }
                    ReferenceName::Function(_) => kind == ItemKind::Function,
                    _ => false,
                },
                OccurrenceKind::Implicit(it) => match &it.kind {
                    ImplicitNameKind::Plan(_) => kind == ItemKind::Plan,
                    ImplicitNameKind::Class(_) => class,
                    ImplicitNameKind::Defined(_) => true,
                    _ => false,
                },
                _ => false,
            }
        });
    let variables = match kind {
        ItemKind::Class => !qualified_variables(db, origin, new).is_empty(),
        _ => false,
    };
    match captured || variables {
        true => refuse(format!("`{new}` is undefined, but already used")),
        false => Ok(()),
    }
}

/// Returns the move of the file that Puppet needs to autoload the item by its new name.
fn file_move(
    db: &dyn Database,
    item: Item<'_>,
    new: &str,
) -> Result<Option<FileMove>, RenameError> {
    let file = item.file(db);
    let (Some(module), Some((name, path))) = (file.module(db), module_path(db, file)) else {
        return Ok(None);
    };
    let rest = |full: &str| match full.split_once("::") {
        Some((first, rest)) if first == name => Some(rest.to_owned()),
        None if full == name => Some(String::new()),
        _ => None,
    };
    let Some(new_rest) = rest(new) else {
        return refuse(format!(
            "names in module `{name}` must begin with `{name}::`"
        ));
    };
    let kind = item.kind(db);
    let new_places = candidate_paths(kind, &new_rest);
    if new_places.first() == Some(&path) {
        return Ok(None);
    }
    let old_places = rest(item.name(db)).map(|it| candidate_paths(kind, &it));
    let is_own = old_places.is_some_and(|it| it.first() == Some(&path));
    let named = items(db, file).iter();
    let named = named.filter(|it| !matches!(it.kind(db), ItemKind::Main | ItemKind::Node));
    let mut others = named.filter(|it| **it != item);
    let other = others.next();
    let is_alone = other.is_none();
    match new_places.first().filter(|_| is_own && is_alone) {
        Some(to) => {
            let key = NameKey::new(db, to.clone());
            if module_file(db, module, key).is_some() {
                return refuse(format!("file `{to}` already exists"));
            }
            Ok(Some(FileMove {
                file: file.id(db),
                from: path,
                to: to.clone(),
            }))
        }
        None if new_places.contains(&path) => Ok(None),
        None => {
            let reason = other.map_or_else(String::new, |it| {
                format!(" because it also defines `{}`", it.name(db))
            });
            refuse(format!(
                "cannot rename: Puppet would not find `{new}` in `{path}`, which cannot be moved{reason}"
            ))
        }
    }
}
