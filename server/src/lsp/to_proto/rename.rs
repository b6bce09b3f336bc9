//! Conversion of edits in several files, and of the creation and renames of files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use analysis::FileId;
use analysis::ide::{NewFile, RenameEdit, UncertainUse};
use syntax::Edit;
use tower_lsp::ls_types::{
    AnnotatedTextEdit, ChangeAnnotation, CreateFile, DocumentChangeOperation, DocumentChanges,
    OneOf, OptionalVersionedTextDocumentIdentifier, Range, RenameFile, ResourceOp,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::text_edit;
use crate::lsp::snapshot::{LocatedFiles, Snapshot};

/// The error if a file has to be renamed but the client does not support it.
const CANNOT_RENAME_FILES: &str = "cannot rename the file along with the name in this editor; rename the \
    file instead";

/// The ID of the change annotation for edits that need confirmation.
const ANNOTATION_ID: &str = "interpolated-names";

/// The maximum number of interpolated names shown; further ones are only counted.
const MAX_UNCERTAIN_USES: usize = 5;

/// Converts a rename, depending on the capabilities of the client.
///
/// If interpolated names or strings may break, the user has to confirm the edits. `honors_annotations` is
/// whether the client honors change annotations in the response at hand.
///
/// # Errors
///
/// If the client does not support a necessary capability, with the reason.
pub(in crate::lsp) fn rename(
    edit: &RenameEdit,
    snapshot: &Snapshot,
    honors_annotations: bool,
) -> Result<WorkspaceEdit, String> {
    let needs_confirmation = !edit.uncertain_uses.is_empty() && !edit.edits.is_empty();
    if needs_confirmation && !(honors_annotations && snapshot.client.annotates_edits) {
        return Err(uncertain_uses(&edit.uncertain_uses, snapshot));
    }
    if edit.moves.is_empty() && !needs_confirmation {
        return Ok(workspace_edit(&edit.edits, snapshot));
    }
    if !edit.moves.is_empty() && !snapshot.client.renames_files {
        return Err(CANNOT_RENAME_FILES.to_owned());
    }
    let edits = document_edits(&edit.edits, snapshot).into_iter();
    let mut changes: Vec<_> = edits.map(DocumentChangeOperation::Edit).collect();
    for moved in &edit.moves {
        let path = snapshot.paths.get(moved.file.0 as usize);
        let path = path.and_then(|it| it.as_deref());
        let (old_uri, new_uri) = path
            .and_then(|it| uris(it, &moved.from, &moved.to))
            .ok_or("the file to rename is not on disk")?;
        changes.push(DocumentChangeOperation::Op(ResourceOp::Rename(
            RenameFile {
                old_uri,
                new_uri,
                options: None,
                annotation_id: None,
            },
        )));
    }
    let annotation = needs_confirmation.then(|| ChangeAnnotation {
        label: "Some possible uses are not renamed".to_owned(),
        needs_confirmation: Some(true),
        description: Some(uncertain_uses(&edit.uncertain_uses, snapshot)),
    });
    if needs_confirmation {
        changes.iter_mut().for_each(annotate);
    }
    let document_changes = match edit.moves.is_empty() {
        true => DocumentChanges::Edits(changes.into_iter().filter_map(document_edit).collect()),
        false => DocumentChanges::Operations(changes),
    };
    Ok(WorkspaceEdit {
        document_changes: Some(document_changes),
        change_annotations: annotation.map(|it| HashMap::from([(ANNOTATION_ID.to_owned(), it)])),
        changes: None,
    })
}

/// Returns the message about interpolated names and strings that the rename would not change.
fn uncertain_uses(uncertain_uses: &[UncertainUse], snapshot: &Snapshot) -> String {
    let mut files = LocatedFiles::new(snapshot);
    let mut shown: Vec<String> = Vec::new();
    for it in uncertain_uses.iter().take(MAX_UNCERTAIN_USES) {
        let path = match snapshot.analysis.module_path(it.file) {
            Some((module, path)) => format!("{module}/{path}"),
            None => {
                let path = snapshot.paths.get(it.file.0 as usize);
                let path = path.and_then(|it| it.as_deref());
                path.map_or_else(String::new, |it| it.display().to_string())
            }
        };
        let line = files.location(it.file, it.range);
        let line = line.map_or(0, |it| it.range.start.line + 1);
        let verb = if it.is_certain {
            "refers to"
        } else {
            "may refer to"
        };
        shown.push(format!(
            "`{}` at {path}:{line} {verb} `{}`",
            it.text, it.name
        ));
    }
    if let Some(more @ 1..) = uncertain_uses.len().checked_sub(MAX_UNCERTAIN_USES) {
        shown.push(format!("{more} more"));
    }
    format!("possible uses would not be renamed: {}", shown.join(", "))
}

/// Marks a change as needing confirmation.
fn annotate(change: &mut DocumentChangeOperation) {
    match change {
        DocumentChangeOperation::Edit(document) => {
            for edit in &mut document.edits {
                if let OneOf::Left(plain) = edit {
                    *edit = OneOf::Right(AnnotatedTextEdit {
                        text_edit: plain.clone(),
                        annotation_id: ANNOTATION_ID.to_owned(),
                    });
                }
            }
        }
        DocumentChangeOperation::Op(ResourceOp::Rename(moved)) => {
            moved.annotation_id = Some(ANNOTATION_ID.to_owned());
        }
        DocumentChangeOperation::Op(_) => {}
    }
}

fn document_edit(change: DocumentChangeOperation) -> Option<TextDocumentEdit> {
    match change {
        DocumentChangeOperation::Edit(it) => Some(it),
        DocumentChangeOperation::Op(_) => None,
    }
}

/// Returns the URIs of the file at `path`, which ends with `from`, and of its destination, where
/// `from` is replaced by `to`.
fn uris(path: &Path, from: &str, to: &str) -> Option<(Uri, Uri)> {
    path.ends_with(from).then_some(())?;
    let root = path.ancestors().nth(Path::new(from).iter().count())?;
    Some((
        Uri::from_file_path(path)?,
        Uri::from_file_path(root.join(to))?,
    ))
}

/// Converts the creation of a file. Returns `None` if its module is not on disk.
pub(in crate::lsp) fn creation(file: &NewFile, snapshot: &Snapshot) -> Option<WorkspaceEdit> {
    let sibling = snapshot.paths.get(file.sibling.0 as usize)?.as_deref()?;
    let (_, uri) = uris(sibling, &file.sibling_path, &file.path)?;
    let text = TextEdit {
        range: Range::default(),
        new_text: file.text.clone(),
    };
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version: None,
        },
        edits: vec![OneOf::Left(text)],
    };
    let create = ResourceOp::Create(CreateFile {
        uri,
        options: None,
        annotation_id: None,
    });
    let changes = vec![
        DocumentChangeOperation::Op(create),
        DocumentChangeOperation::Edit(edit),
    ];
    Some(WorkspaceEdit {
        document_changes: Some(DocumentChanges::Operations(changes)),
        ..WorkspaceEdit::default()
    })
}

/// Converts edits to a workspace edit, versioned if the client supports it.
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
    let mut files = LocatedFiles::new(snapshot);
    let encoding = snapshot.client.position_encoding;
    let documents = by_file.into_iter().filter_map(|(file, edits)| {
        let located = files.file(file)?;
        let edits = edits.into_iter();
        let edits = edits.map(|it| OneOf::Left(text_edit(it, &located.source, encoding)));
        Some(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                uri: located.uri.clone(),
                version: located.version,
            },
            edits: edits.collect(),
        })
    });
    documents.collect()
}
