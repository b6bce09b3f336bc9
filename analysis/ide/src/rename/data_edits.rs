//! The edits of names in data.

use rules::data::layer_of;
use salsa::Database;
use syntax::Edit;

use super::{RenameError, check_user, new_names, refuse, text_at};
use crate::data_files::{DataUse, MentionKind};
use crate::search::module_path;
use base::{FileId, FileInput};
use infer::ENVIRONMENT_MODULE;

/// Returns the place of a file for a message, after what it contains.
pub(super) fn place(db: &dyn Database, file: FileInput) -> String {
    match module_path(db, file) {
        Some((module, path)) if module == ENVIRONMENT_MODULE => format!(" in `{path}`"),
        Some((module, path)) => format!(" in `{path}` of module `{module}`"),
        None => " in a manifest".to_owned(),
    }
}

/// Returns the edit of a name in data.
pub(super) fn data_edit(
    db: &dyn Database,
    found: &DataUse<'_>,
    old: &str,
    new: &str,
) -> Result<(FileId, Edit), RenameError> {
    let place = place(db, found.file);
    check_user(db, found.file)?;
    let is_key = matches!(found.mention.kind, MentionKind::Key | MentionKind::Option);
    let layer = found.file.module(db).map(|it| layer_of(db, it));
    if is_key && layer.is_some_and(|it| !it.may_have(new)) {
        return refuse(format!(
            "cannot rename: keys{place} must start with the name of the module"
        ));
    }
    let range = found.mention.range;
    let written = text_at(db, found.file, range);
    let part = new_names::name_range(written, true, old);
    // The name of a class may be written with a leading `::`.
    let is_plain = found.mention.is_plain() || found.mention.kind == MentionKind::Class;
    let Some(part) = part.filter(|_| is_plain) else {
        return refuse(format!(
            "cannot rename: `{old}`{place} is written in a form that cannot be edited"
        ));
    };
    let edit = Edit {
        range: part + range.start(),
        text: new.to_owned(),
    };
    Ok((found.file.id(db), edit))
}
