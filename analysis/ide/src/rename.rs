//! Rename: computes the edits of all uses and the moves of files, or the reason why a symbol cannot
//! be renamed. A rename that is impossible at one place is refused as a whole.
//!
//! Interpolated names (`include "web::${x}"`) are never changed. If the known parts of one match the
//! old name, the edit carries an [`UncertainUse`] for the user to confirm; likewise if a string is the
//! old name, but may be used for something else.

mod data_edits;
mod data_keys;
mod definitions;
mod examples;
mod files;
mod hiera_keys;
mod interpolated;
mod literal_names;
mod new_names;
mod open_templates;
mod ruby_templates;
mod value_flow;
mod variables;

use salsa::Database;
use syntax::{Edit, TextRange, TextSize};

use super::search::SymbolUse;
use super::symbol::{ExternalKind, Symbol, SymbolAt, symbol_at};
use base::{FileId, FileInput, ModuleOrigin};
use hir::{Item, ItemKind};

pub(crate) use files::{rename_files, rename_to_fit_path};
pub(super) use ruby_templates::may_read_variable;
pub(super) use variables::may_capture_variable;

/// A symbol that can be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamable {
    /// The range of the name, without quotes or a dollar sign.
    pub range: TextRange,
    /// The name as written.
    pub name: String,
}

/// The edits and file moves of a rename.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RenameEdit {
    /// The edits by file, in source order and without overlaps.
    pub edits: Vec<(FileId, Edit)>,
    /// Files to move after the edits.
    pub moves: Vec<FileMove>,
    /// Interpolated names and strings that may refer to the symbol and stay unchanged. The user must confirm them
    /// before the edit is applied.
    pub uncertain_uses: Vec<UncertainUse>,
}

/// An interpolated name or a string that may be the old name of a renamed symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncertainUse {
    /// The file that contains it.
    pub file: FileId,
    /// Its range in the file.
    pub range: TextRange,
    /// Its source.
    pub text: String,
    /// The old name that it may evaluate to.
    pub name: String,
    /// Whether it always evaluates to that name.
    pub is_certain: bool,
}

/// A file that moves to another path within its module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileMove {
    /// The file.
    pub file: FileId,
    /// Its path relative to the module.
    pub from: String,
    /// Its new path relative to the module.
    pub to: String,
}

/// The reason why a rename is refused, without a final period.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameError(pub String);

impl RenameError {
    pub(crate) fn no_symbol() -> RenameError {
        RenameError("no symbol to rename at this position".to_owned())
    }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RenameError> {
    Err(RenameError(reason.into()))
}

/// Returns the symbol that would be renamed at an offset.
pub(crate) fn prepare_rename(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Result<Renamable, RenameError> {
    let found = symbol_at(db, file, offset).ok_or_else(RenameError::no_symbol)?;
    check(db, &found.symbol)?;
    let text = text_at(db, file, found.range);
    let part = match &found.symbol {
        Symbol::Item(item) => new_names::name_range(text, true, item.name(db)),
        Symbol::Variable { name, .. } => new_names::name_range(text, false, name),
        Symbol::DataKey(key) => new_names::name_range(text, true, key),
        _ => None,
    };
    let part = part.ok_or_else(RenameError::no_symbol)?;
    let start = found.range.start();
    Ok(Renamable {
        range: part + start,
        name: text[part].to_owned(),
    })
}

/// Renames the symbol at an offset.
pub(crate) fn rename(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    new_name: &str,
) -> Result<RenameEdit, RenameError> {
    let found = symbol_at(db, file, offset).ok_or_else(RenameError::no_symbol)?;
    check(db, &found.symbol)?;
    let SymbolAt { symbol, .. } = &found;
    let mut edit = match symbol {
        Symbol::Variable { item, scope, name } => {
            let new_name = variable_name(db, &found, new_name);
            variables::rename(db, file, symbol, (*item, *scope, name), new_name)
        }
        Symbol::Item(item) => definitions::rename(db, file, *item, new_name),
        Symbol::DataKey(key) => data_keys::rename(db, file, symbol, key, new_name),
        _ => Err(RenameError::no_symbol()),
    }?;
    sort_edits(&mut edit.edits);
    Ok(edit)
}

/// Returns the new name of a variable, which may be a whole key of data.
fn variable_name<'a>(db: &dyn Database, found: &SymbolAt<'_>, new_name: &'a str) -> &'a str {
    let class = match (&found.symbol, found.item) {
        (Symbol::Variable { item, .. }, None) => item.name(db),
        _ => return new_name,
    };
    let rest = new_name.trim().strip_prefix(class.as_str());
    rest.and_then(|it| it.strip_prefix("::"))
        .unwrap_or(new_name)
}

fn sort_edits(edits: &mut Vec<(FileId, Edit)>) {
    edits.sort_by_key(|(file, it)| (*file, it.range.start(), it.range.end()));
    edits.dedup();
}

/// Fails if a symbol can never be renamed.
fn check(db: &dyn Database, symbol: &Symbol<'_>) -> Result<(), RenameError> {
    match symbol {
        Symbol::Item(item) if matches!(item.kind(db), ItemKind::Main | ItemKind::Node) => {
            Err(RenameError::no_symbol())
        }
        Symbol::Item(item) | Symbol::Variable { item, .. } => check_in_workspace(db, item.file(db))
            .or_else(|module| {
                refuse(format!(
                    "cannot rename: defined in module `{module}`, outside the workspace"
                ))
            }),
        Symbol::External { kind, file, name } => {
            let what = match kind {
                ExternalKind::Function => "function",
                ExternalKind::ResourceType => "resource type",
                ExternalKind::DataType => "data type",
                ExternalKind::Fact => "fact",
                ExternalKind::Variable => "variable",
                ExternalKind::BoltMember => "function",
                ExternalKind::TaskParameter => {
                    return refuse(format!("cannot rename parameter `{name}` of a task"));
                }
            };
            match file {
                Some(_) => refuse(format!("cannot rename {what} `{name}`: defined in Ruby")),
                None => refuse(format!("cannot rename {what} `{name}`: built into Puppet")),
            }
        }
        Symbol::Attribute { type_, name, .. } => refuse(format!(
            "cannot rename attribute `{name}`: resource type `{type_}` is not defined in Puppet code"
        )),
        Symbol::Title(..) => refuse("cannot rename the title of a resource"),
        Symbol::DataKey(_) => Ok(()),
        Symbol::File(_) => refuse("cannot rename a path: rename the file instead"),
    }
}

/// Fails with the name of the module if a file is outside the workspace.
fn check_in_workspace(db: &dyn Database, file: FileInput) -> Result<(), String> {
    match file.module(db) {
        Some(it) if it.origin(db) != ModuleOrigin::Workspace => Err(it.name(db).to_string()),
        _ => Ok(()),
    }
}

/// Fails if a file that uses a name is outside the workspace.
fn check_user(db: &dyn Database, file: FileInput) -> Result<(), RenameError> {
    check_in_workspace(db, file).or_else(|module| {
        refuse(format!(
            "cannot rename: used in module `{module}`, outside the workspace"
        ))
    })
}

/// Names an item in a message.
fn describe_item(db: &dyn Database, item: Item<'_>) -> String {
    match item.kind(db) {
        ItemKind::Main => "top-level code".to_owned(),
        _ => format!("`{}`", item.name(db)),
    }
}

fn text_at(db: &dyn Database, file: FileInput, range: TextRange) -> &str {
    let text = file.text(db).as_deref();
    let part = text.and_then(|it| it.get(std::ops::Range::from(range)));
    part.unwrap_or_default()
}

/// Returns the edit of one use; `new` maps the written name to its replacement.
fn use_edit(
    db: &dyn Database,
    found: &SymbolUse<'_>,
    is_full: bool,
    old: &str,
    new: impl FnOnce(&str) -> String,
) -> Result<(FileId, Edit), RenameError> {
    let (file, range) = (found.file(db), found.range(db));
    check_user(db, file)?;
    let text = text_at(db, file, range);
    let Some(part) = new_names::name_range(text, is_full, old) else {
        return refuse(format!(
            "cannot rename: used as `{text}`, which cannot be edited"
        ));
    };
    let edit = Edit {
        range: part + range.start(),
        text: new(&text[part]),
    };
    Ok((file.id(db), edit))
}

#[cfg(test)]
mod tests;
