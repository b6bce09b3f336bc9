//! Conversion of inlay hints.

use analysis::ide::{self, HintKind};
use serde::{Deserialize, Serialize};
use syntax::TextSize;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    InlayHint, InlayHintKind, InlayHintLabel, InlayHintTooltip, MarkupContent, Range, Uri,
};

use super::super::from_proto;
use super::super::snapshot::{DocumentView, Snapshot};

/// The `data` of a hint whose tooltip is resolved lazily.
#[derive(Serialize, Deserialize, Debug)]
pub(in crate::lsp) struct HintData {
    pub(in crate::lsp) uri: Uri,
    /// The version of the document that the hint belongs to.
    version: i32,
    /// The byte offset of the hint.
    offset: u32,
    kind: SerializedHintKind,
}

/// The serializable counterpart of [`HintKind`].
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
enum SerializedHintKind {
    VariableType,
    ParameterType,
    Value,
    Argument,
    End,
}

/// The mapping between [`HintKind`] and [`SerializedHintKind`].
const KINDS: [(HintKind, SerializedHintKind); 5] = [
    (HintKind::VariableType, SerializedHintKind::VariableType),
    (HintKind::ParameterType, SerializedHintKind::ParameterType),
    (HintKind::Value, SerializedHintKind::Value),
    (HintKind::Argument, SerializedHintKind::Argument),
    (HintKind::ClosingBrace, SerializedHintKind::End),
];

impl HintData {
    /// Reads the data of a hint.
    pub(in crate::lsp) fn of(hint: &InlayHint) -> Result<HintData> {
        let data = hint.data.clone().map(serde_json::from_value);
        let data = data.and_then(std::result::Result::ok);
        data.ok_or_else(|| Error::invalid_params("invalid `data` in inlay hint"))
    }
}

/// Returns the hints in a range of a document. Tooltips are resolved lazily.
pub(in crate::lsp) fn in_range(
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
    range: Range,
) -> Vec<InlayHint> {
    let range = from_proto::text_range(range, &document.source, snapshot.client.position_encoding);
    let hints = snapshot
        .analysis
        .inlay_hints(document.file, range, snapshot.hints);
    let hints = hints.into_iter();
    hints
        .map(|it| inlay_hint(it, snapshot, document, uri))
        .collect()
}

/// Returns the tooltip of a hint, or `None` if the document has changed since.
pub(in crate::lsp) fn tooltip(
    snapshot: &Snapshot,
    document: &DocumentView,
    data: &HintData,
) -> Option<InlayHintTooltip> {
    if document.version != data.version {
        return None;
    }
    let name = std::mem::discriminant(&data.kind);
    let kind = KINDS
        .iter()
        .find(|it| std::mem::discriminant(&it.1) == name)?;
    let offset = TextSize::new(data.offset);
    let analysis = &snapshot.analysis;
    let markdown = analysis.hint_tooltip(document.file, offset, kind.0, snapshot.hints)?;
    let content: MarkupContent = super::markup(&markdown, &snapshot.client);
    Some(content.into())
}

fn inlay_hint(
    hint: ide::InlayHint,
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
) -> InlayHint {
    let precedes_code = matches!(hint.kind, HintKind::ParameterType | HintKind::Argument);
    let is_padded = matches!(
        hint.kind,
        HintKind::Value | HintKind::ClosingBrace | HintKind::Overridden
    );
    let data = KINDS
        .iter()
        .find(|it| it.0 == hint.kind)
        .filter(|_| snapshot.client.resolves_hints)
        .map(|it| HintData {
            uri: uri.clone(),
            version: document.version,
            offset: hint.offset.into(),
            kind: it.1,
        });
    InlayHint {
        position: super::position(
            hint.offset,
            &document.source,
            snapshot.client.position_encoding,
        ),
        label: InlayHintLabel::String(hint.label),
        kind: match hint.kind {
            HintKind::VariableType | HintKind::ParameterType => Some(InlayHintKind::TYPE),
            HintKind::Argument => Some(InlayHintKind::PARAMETER),
            HintKind::Value | HintKind::ClosingBrace | HintKind::Overridden => None,
        },
        text_edits: None,
        tooltip: None,
        padding_left: is_padded.then_some(true),
        padding_right: precedes_code.then_some(true),
        // Serialization cannot fail.
        data: data.and_then(|it| serde_json::to_value(it).ok()),
    }
}
