//! Renames of symbols, and of files whose names follow from those of symbols.

use std::path::Path;

use analysis::FileId;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{FileRename, Position, PrepareRenameResponse, WorkspaceEdit};

use super::snapshot::{DocumentView, Snapshot};
use super::{from_proto, to_proto};

/// The error code for a valid request that cannot be fulfilled.
const REQUEST_FAILED: i64 = -32803;

/// Returns an error that shows the user why a rename is not possible.
fn request_failed(reason: &str) -> Error {
    let mut message = reason.to_owned();
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Error {
        code: ErrorCode::ServerError(REQUEST_FAILED),
        message: message.into(),
        data: None,
    }
}

/// Returns the range and name of the symbol to rename at a position.
pub(super) fn prepare(
    snapshot: &Snapshot,
    document: &DocumentView,
    position: Position,
) -> Result<PrepareRenameResponse> {
    let (source, encoding) = (&document.source, snapshot.client.position_encoding);
    let offset = from_proto::offset(position, source, encoding);
    let found = snapshot.analysis.prepare_rename(document.file, offset);
    let found = found.map_err(|it| request_failed(&it.0))?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: to_proto::range(found.range, source, encoding),
        placeholder: found.name,
    })
}

/// Returns the edit that renames the symbol at a position.
pub(super) fn rename(
    snapshot: &Snapshot,
    document: &DocumentView,
    position: Position,
    new_name: &str,
) -> Result<WorkspaceEdit> {
    let offset = from_proto::offset(
        position,
        &document.source,
        snapshot.client.position_encoding,
    );
    let found = snapshot.analysis.rename(document.file, offset, new_name);
    let found = found.map_err(|it| request_failed(&it.0))?;
    let honors_annotations = snapshot.client.honors_rename_annotations;
    to_proto::rename(&found, snapshot, honors_annotations).map_err(|it| request_failed(&it))
}

/// Returns the edit to apply before files are renamed, or `None` if no edit is necessary.
pub(super) fn files(snapshot: &Snapshot, files: &[FileRename]) -> Result<Option<WorkspaceEdit>> {
    let renamed = files.iter().flat_map(|it| moved_files(snapshot, it));
    let renamed: Vec<_> = renamed.collect();
    let found = snapshot.analysis.rename_files(&renamed);
    let found = found.map_err(|it| request_failed(&it.0))?;
    if found.edits.is_empty() {
        return Ok(None);
    }
    let edit = to_proto::rename(&found, snapshot, true);
    edit.map(Some).map_err(|it| request_failed(&it))
}

/// Returns the files in a renamed file or folder, with their new paths relative to their modules.
fn moved_files(snapshot: &Snapshot, renamed: &FileRename) -> Vec<(FileId, String)> {
    let path = |it: &str| from_proto::path(&it.parse().ok()?);
    let Some((old, new)) = path(&renamed.old_uri).zip(path(&renamed.new_uri)) else {
        return Vec::new();
    };
    let all = (0..).map(FileId).zip(snapshot.paths.iter());
    let found = all.filter_map(|(file, path)| {
        let path = path.as_deref()?;
        let inside = path.strip_prefix(&old).ok()?;
        let (_, from) = snapshot.analysis.module_path(file)?;
        let root = path.ancestors().nth(Path::new(&from).iter().count())?;
        let target = match inside.as_os_str().is_empty() {
            true => new.clone(),
            false => new.join(inside),
        };
        // Files that move out of their module are not renames.
        let to = target.strip_prefix(root).ok()?.to_str()?;
        Some((file, to.replace('\\', "/")))
    });
    found.collect()
}
