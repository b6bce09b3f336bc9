//! Edits of several files, and files that move.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use analysis::FileId;
use analysis::ide::RenameEdit;
use syntax::Edit;
use tower_lsp::ls_types::{
    DocumentChangeOperation, DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier,
    RenameFile, ResourceOp, TextDocumentEdit, Uri, WorkspaceEdit,
};

use super::text_edit;
use crate::lsp::snapshot::{Places, Snapshot};

/// Why a rename cannot be given to the client.
const NO_MOVES: &str = "the file has to be renamed with it, which this editor does not do: rename \
    the file instead";

/// A rename, in the form that the client can take.
///
/// # Errors
///
/// If the client cannot do what is needed, with the reason.
pub(in crate::lsp) fn rename(
    edit: &RenameEdit,
    snapshot: &Snapshot,
) -> Result<WorkspaceEdit, String> {
    if edit.moves.is_empty() {
        return Ok(workspace_edit(&edit.edits, snapshot));
    }
    if !snapshot.client.renames_files {
        return Err(NO_MOVES.to_owned());
    }
    let edits = document_edits(&edit.edits, snapshot).into_iter();
    let mut changes: Vec<_> = edits.map(DocumentChangeOperation::Edit).collect();
    for moved in &edit.moves {
        let path = snapshot.paths.get(moved.file.0 as usize);
        let path = path.and_then(|it| it.as_deref());
        let (old_uri, new_uri) = path
            .and_then(|it| uris(it, &moved.from, &moved.to))
            .ok_or("the file is on no disk")?;
        changes.push(DocumentChangeOperation::Op(ResourceOp::Rename(
            RenameFile {
                old_uri,
                new_uri,
                options: None,
                annotation_id: None,
            },
        )));
    }
    Ok(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(changes)),
        ..WorkspaceEdit::default()
    })
}

/// The file at `path`, whose end is `from`, and where it goes.
fn uris(path: &Path, from: &str, to: &str) -> Option<(Uri, Uri)> {
    path.ends_with(from).then_some(())?;
    let root = path.ancestors().nth(Path::new(from).iter().count())?;
    Some((
        Uri::from_file_path(path)?,
        Uri::from_file_path(root.join(to))?,
    ))
}

/// Edits by file, in the form that the client can take.
pub(in crate::lsp) fn workspace_edit(
    edits: &[(FileId, Edit)],
    snapshot: &Snapshot,
) -> WorkspaceEdit {
    let edits = document_edits(edits, snapshot);
    if snapshot.client.versioned_edits {
        return WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(edits)),
            ..WorkspaceEdit::default()
        };
    }
    let mut changes = HashMap::new();
    for edit in edits {
        let plain = edit.edits.into_iter().filter_map(|it| match it {
            OneOf::Left(it) => Some(it),
            OneOf::Right(_) => None,
        });
        changes.insert(edit.text_document.uri, plain.collect());
    }
    WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    }
}

fn document_edits(edits: &[(FileId, Edit)], snapshot: &Snapshot) -> Vec<TextDocumentEdit> {
    let mut by_file: BTreeMap<FileId, Vec<&Edit>> = BTreeMap::new();
    for (file, edit) in edits {
        by_file.entry(*file).or_default().push(edit);
    }
    let mut places = Places::new(snapshot);
    let unit = snapshot.client.unit;
    let documents = by_file.into_iter().filter_map(|(file, edits)| {
        let place = places.file(file)?;
        let edits = edits.into_iter();
        let edits = edits.map(|it| OneOf::Left(text_edit(it, &place.source, unit)));
        Some(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri: place.uri.clone(),
                version: place.version,
            },
            edits: edits.collect(),
        })
    });
    documents.collect()
}
