//! Edits of several files, and files that move.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use analysis::FileId;
use analysis::ide::{Doubt, RenameEdit};
use syntax::Edit;
use tower_lsp::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, RenameFile, ResourceOp, TextDocumentEdit, Uri,
    WorkspaceEdit,
};

use super::text_edit;
use crate::lsp::snapshot::{Places, Snapshot};

/// Why a rename cannot be given to the client.
const NO_MOVES: &str = "the file has to be renamed with it, which this editor does not do: rename \
    the file instead";

/// The key of the annotation of changes that a user is asked about.
const ASKS: &str = "interpolated-names";

/// So many names that are put together are shown; others are counted.
const MAX_DOUBTS: usize = 5;

/// A rename, in the form that the client can take.
///
/// A user is asked about names that may break; `honors` says whether the client does so where the edit
/// goes to.
///
/// # Errors
///
/// If the client cannot do what is needed, with the reason.
pub(in crate::lsp) fn rename(
    edit: &RenameEdit,
    snapshot: &Snapshot,
    honors: bool,
) -> Result<WorkspaceEdit, String> {
    let asks = !edit.doubts.is_empty() && !edit.edits.is_empty();
    if asks && !(honors && snapshot.client.annotates_edits) {
        return Err(doubts(&edit.doubts, snapshot));
    }
    if edit.moves.is_empty() && !asks {
        return Ok(workspace_edit(&edit.edits, snapshot));
    }
    if !edit.moves.is_empty() && !snapshot.client.renames_files {
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
    let annotation = asks.then(|| ChangeAnnotation {
        label: "Names that are put together stay as they are".to_owned(),
        needs_confirmation: Some(true),
        description: Some(doubts(&edit.doubts, snapshot)),
    });
    if asks {
        changes.iter_mut().for_each(annotate);
    }
    let document_changes = match edit.moves.is_empty() {
        true => DocumentChanges::Edits(changes.into_iter().filter_map(of_document).collect()),
        false => DocumentChanges::Operations(changes),
    };
    Ok(WorkspaceEdit {
        document_changes: Some(document_changes),
        change_annotations: annotation.map(|it| HashMap::from([(ASKS.to_owned(), it)])),
        changes: None,
    })
}

/// What a user has to know before anything is changed, as a sentence without a full stop.
fn doubts(doubts: &[Doubt], snapshot: &Snapshot) -> String {
    let mut places = Places::new(snapshot);
    let mut shown: Vec<String> = Vec::new();
    for it in doubts.iter().take(MAX_DOUBTS) {
        let path = match snapshot.analysis.module_path(it.file) {
            Some((module, path)) => format!("{module}/{path}"),
            None => {
                let path = snapshot.paths.get(it.file.0 as usize);
                let path = path.and_then(|it| it.as_deref());
                path.map_or_else(String::new, |it| it.display().to_string())
            }
        };
        let line = places.location(it.file, it.range);
        let line = line.map_or(0, |it| it.range.start.line + 1);
        let verb = if it.is_certain { "is" } else { "may be" };
        shown.push(format!(
            "`{}` at {path}:{line} {verb} `{}`",
            it.text, it.name
        ));
    }
    if let Some(more @ 1..) = doubts.len().checked_sub(MAX_DOUBTS) {
        shown.push(format!("{more} more"));
    }
    format!(
        "names that are put together would not be changed: {}",
        shown.join(", ")
    )
}

/// Has the client ask before it makes a change.
fn annotate(change: &mut DocumentChangeOperation) {
    match change {
        DocumentChangeOperation::Edit(document) => {
            for edit in &mut document.edits {
                if let OneOf::Left(plain) = edit {
                    *edit = OneOf::Right(AnnotatedTextEdit {
                        text_edit: plain.clone(),
                        annotation_id: ASKS.to_owned(),
                    });
                }
            }
        }
        DocumentChangeOperation::Op(ResourceOp::Rename(moved)) => {
            moved.annotation_id = Some(ASKS.to_owned());
        }
        DocumentChangeOperation::Op(_) => {}
    }
}

fn of_document(change: DocumentChangeOperation) -> Option<TextDocumentEdit> {
    match change {
        DocumentChangeOperation::Edit(it) => Some(it),
        DocumentChangeOperation::Op(_) => None,
    }
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
