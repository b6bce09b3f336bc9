//! Gives a thing another name: edits everywhere, and files that move with it; or the reason why
//! that is not possible. What cannot be done in all places is not done at all.
//!
//! Names that are put together (`include "web::${x}"`) are never changed. Where one may be the old
//! name, as far as its parts are known, the edit carries a [`Doubt`]: it is the user who knows.

mod data;
mod definitions;
mod files;
mod interpolated;
mod names;
mod ruby_templates;
mod variables;

use salsa::Database;
use syntax::{Edit, TextRange, TextSize};

use super::search::Use;
use super::symbol::{Found, OutsideKind, Symbol, symbol_at};
use crate::db::FileInput;
use crate::host::FileId;
use crate::workspace::{ItemKind, ModuleOrigin};

pub(crate) use files::rename_files;
pub(super) use ruby_templates::speaks_of_variable;

/// What can be renamed at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamable {
    /// The part of the text that is the name, without quotes or a dollar sign.
    pub range: TextRange,
    /// The name as it stands there.
    pub name: String,
}

/// What gives a thing another name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RenameEdit {
    /// The edits by file, in the order of the texts; none overlaps another.
    pub edits: Vec<(FileId, Edit)>,
    /// Files that get other paths, after the edits.
    pub moves: Vec<FileMove>,
    /// Places that may have meant the thing by its old name, and stay as they are. Nothing may be
    /// changed before a user has been asked about them.
    pub doubts: Vec<Doubt>,
}

/// A name that is put together, and may be the one that something is no longer called by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// The file.
    pub file: FileId,
    /// Where it stands.
    pub range: TextRange,
    /// What stands there.
    pub text: String,
    /// The name that it may be.
    pub name: String,
    /// Whether it is that name each time.
    pub is_certain: bool,
}

/// A file of a module that gets another path in the same module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileMove {
    /// The file.
    pub file: FileId,
    /// Its path from the folder of the module.
    pub from: String,
    /// What it becomes.
    pub to: String,
}

/// Why something is not renamed, in a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameRefused(pub String);

impl RenameRefused {
    pub(crate) fn nothing() -> RenameRefused {
        RenameRefused("there is nothing here that can be renamed".to_owned())
    }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RenameRefused> {
    Err(RenameRefused(reason.into()))
}

/// What would be renamed at an offset.
pub(crate) fn prepare_rename(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Result<Renamable, RenameRefused> {
    let found = symbol_at(db, file, offset).ok_or_else(RenameRefused::nothing)?;
    check(db, &found.symbol)?;
    let text = text_at(db, file, found.range);
    let part = match &found.symbol {
        Symbol::Item(item) => names::part(text, true, item.name(db)),
        Symbol::Variable { name, .. } => names::part(text, false, name),
        _ => None,
    };
    let part = part.ok_or_else(RenameRefused::nothing)?;
    let start = found.range.start();
    Ok(Renamable {
        range: part + start,
        name: text[part].to_owned(),
    })
}

/// What gives the thing at an offset a new name.
pub(crate) fn rename(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
    new_name: &str,
) -> Result<RenameEdit, RenameRefused> {
    let found = symbol_at(db, file, offset).ok_or_else(RenameRefused::nothing)?;
    check(db, &found.symbol)?;
    let Found { symbol, .. } = &found;
    let mut edit = match symbol {
        Symbol::Variable { item, scope, name } => {
            variables::rename(db, file, symbol, (*item, *scope, name), new_name)
        }
        Symbol::Item(item) => definitions::rename(db, file, *item, new_name),
        _ => Err(RenameRefused::nothing()),
    }?;
    sort(&mut edit.edits);
    Ok(edit)
}

fn sort(edits: &mut Vec<(FileId, Edit)>) {
    edits.sort_by_key(|(file, it)| (*file, it.range.start(), it.range.end()));
    edits.dedup();
}

/// Whether a thing can be renamed at all.
fn check(db: &dyn Database, symbol: &Symbol<'_>) -> Result<(), RenameRefused> {
    match symbol {
        Symbol::Item(item) if matches!(item.kind(db), ItemKind::Main | ItemKind::Node) => {
            Err(RenameRefused::nothing())
        }
        Symbol::Item(item) | Symbol::Variable { item, .. } => is_ours(db, item.file(db))
            .or_else(|module| refuse(format!("it is defined in `{module}`, which lies outside"))),
        Symbol::Outside { kind, file, name } => {
            let what = match kind {
                OutsideKind::Function => "function",
                OutsideKind::ResourceType => "resource type",
                OutsideKind::DataType => "data type",
                OutsideKind::Fact => "fact",
                OutsideKind::Variable => "variable",
            };
            match file {
                Some(_) => refuse(format!("the {what} `{name}` is written in Ruby")),
                None => refuse(format!("the {what} `{name}` is a part of Puppet")),
            }
        }
        Symbol::Attribute { type_, name, .. } => refuse(format!(
            "`{name}` is an attribute of `{type_}`, which is not written in Puppet's language"
        )),
        Symbol::Title(..) => refuse("the title of a resource is more than a name"),
        Symbol::File(_) => refuse("the name of a file is changed by renaming the file"),
    }
}

/// Whether a file may be changed; if not, the module that it is in.
fn is_ours(db: &dyn Database, file: FileInput) -> Result<(), String> {
    match file.module(db) {
        Some(it) if it.origin(db) != ModuleOrigin::Workspace => Err(it.name(db).to_string()),
        _ => Ok(()),
    }
}

/// The text of a range of a file.
fn text_at(db: &dyn Database, file: FileInput, range: TextRange) -> &str {
    let text = file.text(db).as_deref();
    let part = text.and_then(|it| it.get(std::ops::Range::from(range)));
    part.unwrap_or_default()
}

/// The edit of one use; `new` is what its part that is a name becomes.
fn edit_of(
    db: &dyn Database,
    found: &Use<'_>,
    is_full: bool,
    old: &str,
    new: impl FnOnce(&str) -> String,
) -> Result<(FileId, Edit), RenameRefused> {
    let (file, range) = (found.file(db), found.range(db));
    if let Err(module) = is_ours(db, file) {
        return refuse(format!("it is used in `{module}`, which lies outside"));
    }
    let text = text_at(db, file, range);
    let Some(part) = names::part(text, is_full, old) else {
        return refuse(format!("it is used as `{text}`, which cannot be changed"));
    };
    let edit = Edit {
        range: part + range.start(),
        text: new(&text[part]),
    };
    Ok((file.id(db), edit))
}

#[cfg(test)]
mod tests;
