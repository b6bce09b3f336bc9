//! Code lenses: reference counts above definitions. The counts are computed when the client
//! resolves a lens.

use analysis::ide::CodeLensKind;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{CodeLens, Command, Uri};

use super::client_capabilities::SHOW_REFERENCES;
use super::snapshot::{DocumentView, Snapshot};
use super::{from_proto, to_proto};

/// The `data` of an unresolved lens.
#[derive(Serialize, Deserialize, Debug)]
struct LensData {
    uri: Uri,
    kind: LensKind,
}

#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
enum LensKind {
    References,
    Declared,
}

/// Returns the unresolved lenses of a document.
pub(super) fn lenses(snapshot: &Snapshot, document: &DocumentView, uri: &Uri) -> Vec<CodeLens> {
    let found = snapshot.analysis.code_lenses(document.file).into_iter();
    let lenses = found.map(|it| {
        let kind = match it.kind {
            CodeLensKind::References => LensKind::References,
            CodeLensKind::Declarations => LensKind::Declared,
        };
        let uri = uri.clone();
        CodeLens {
            range: to_proto::range(
                it.range,
                &document.source,
                snapshot.client.position_encoding,
            ),
            command: None,
            // Serialization cannot fail.
            data: serde_json::to_value(LensData { uri, kind }).ok(),
        }
    });
    lenses.collect()
}

/// Resolves the title and command of a lens. Returns `None` if its definition no longer exists.
pub(super) fn resolve(snapshot: &Snapshot, lens: &CodeLens) -> Option<CodeLens> {
    let data: LensData = serde_json::from_value(lens.data.clone()?).ok()?;
    let (file, source) = snapshot.file_and_source(&data.uri)?;
    let offset = from_proto::offset(lens.range.start, &source, snapshot.client.position_encoding);
    let kind = match data.kind {
        LensKind::References => CodeLensKind::References,
        LensKind::Declared => CodeLensKind::Declarations,
    };
    let found = snapshot.analysis.code_lens_references(file, offset, kind)?;
    let title = match (data.kind, found.len()) {
        (LensKind::References, 1) => "1 reference".to_owned(),
        (LensKind::References, count) => format!("{count} references"),
        (LensKind::Declared, 1) => "1 declaration".to_owned(),
        (LensKind::Declared, count) => format!("{count} declarations"),
    };
    let mut command = Command::new(title, String::new(), None);
    if snapshot.client.shows_references {
        let locations = to_proto::locations(&found, snapshot);
        let arguments = serde_json::json!([data.uri, lens.range.start, locations]);
        command.command = SHOW_REFERENCES.to_owned();
        command.arguments = arguments.as_array().cloned();
    }
    Some(CodeLens {
        command: Some(command),
        ..lens.clone()
    })
}
