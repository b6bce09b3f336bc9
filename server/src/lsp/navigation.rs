//! Requests for references, highlights, links, calls and type hierarchies.

use analysis::ide::HierarchyItem;
use analysis::{Analysis, FileId};
use syntax::TextSize;
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, DocumentHighlight,
    DocumentLink, Location, Position, ReferenceParams, SymbolKind, TypeHierarchyItem, Uri,
};

use super::snapshot::{DocumentView, LocatedFiles, Snapshot};
use super::{from_proto, to_proto};

fn offset(snapshot: &Snapshot, document: &DocumentView, position: Position) -> TextSize {
    from_proto::offset(
        position,
        &document.source,
        snapshot.client.position_encoding,
    )
}

/// Returns all references to the symbol at a position.
pub(super) fn references(
    snapshot: &Snapshot,
    document: &DocumentView,
    params: &ReferenceParams,
) -> Option<Vec<Location>> {
    let at = offset(snapshot, document, params.text_document_position.position);
    let all = params.context.include_declaration;
    let found = snapshot.analysis.references(document.file, at, all)?;
    Some(to_proto::locations(&found, snapshot))
}

/// Returns the occurrences of the symbol at a position in its document.
pub(super) fn highlights(
    snapshot: &Snapshot,
    document: &DocumentView,
    position: Position,
) -> Vec<DocumentHighlight> {
    let at = offset(snapshot, document, position);
    let found = snapshot.analysis.document_highlights(document.file, at);
    let found = found.iter();
    found
        .map(|it| to_proto::highlight(it, snapshot, document))
        .collect()
}

pub(super) fn links(snapshot: &Snapshot, document: &DocumentView) -> Vec<DocumentLink> {
    let found = snapshot.analysis.document_links(document.file);
    let found = found.iter();
    found
        .filter_map(|it| to_proto::link(it, snapshot, document))
        .collect()
}

/// Returns the call hierarchy item at a position.
pub(super) fn call_item(
    snapshot: &Snapshot,
    document: &DocumentView,
    position: Position,
) -> Option<Vec<CallHierarchyItem>> {
    let at = offset(snapshot, document, position);
    let found = snapshot
        .analysis
        .prepare_call_hierarchy(document.file, at)?;
    let item = to_proto::hierarchy_item(found, &mut LocatedFiles::new(snapshot))?;
    Some(vec![item])
}

/// Finds the symbol of a hierarchy item that the client has sent back.
fn file_offset(snapshot: &Snapshot, uri: &Uri, position: Position) -> Option<(FileId, TextSize)> {
    let (file, source) = snapshot.file_and_source(uri)?;
    let offset = from_proto::offset(position, &source, snapshot.client.position_encoding);
    Some((file, offset))
}

/// Finds the symbol of a call hierarchy item. Returns `None` for top-level code, which has no name.
fn callable(snapshot: &Snapshot, item: &CallHierarchyItem) -> Option<(FileId, TextSize)> {
    if item.kind == SymbolKind::NAMESPACE {
        return None;
    }
    file_offset(snapshot, &item.uri, item.selection_range.start)
}

pub(super) fn incoming(
    snapshot: &Snapshot,
    item: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (file, at) = callable(snapshot, item)?;
    let found = snapshot.analysis.incoming_calls(file, at);
    let calls = to_proto::calls(found, snapshot, None).into_iter();
    let calls = calls.map(|(from, from_ranges)| CallHierarchyIncomingCall { from, from_ranges });
    Some(calls.collect())
}

pub(super) fn outgoing(
    snapshot: &Snapshot,
    item: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (file, at) = callable(snapshot, item)?;
    let found = snapshot.analysis.outgoing_calls(file, at);
    let calls = to_proto::calls(found, snapshot, Some(file)).into_iter();
    let calls = calls.map(|(to, from_ranges)| CallHierarchyOutgoingCall { to, from_ranges });
    Some(calls.collect())
}

/// Returns the type hierarchy item for the class or type at a position.
pub(super) fn type_item(
    snapshot: &Snapshot,
    document: &DocumentView,
    position: Position,
) -> Option<Vec<TypeHierarchyItem>> {
    let at = offset(snapshot, document, position);
    let found = snapshot
        .analysis
        .prepare_type_hierarchy(document.file, at)?;
    let item = to_proto::type_item(found, &mut LocatedFiles::new(snapshot))?;
    Some(vec![item])
}

/// Returns the supertypes or subtypes of an item, depending on `find`.
pub(super) fn types(
    snapshot: &Snapshot,
    item: &TypeHierarchyItem,
    find: fn(&Analysis, FileId, TextSize) -> Vec<HierarchyItem>,
) -> Option<Vec<TypeHierarchyItem>> {
    let (file, at) = file_offset(snapshot, &item.uri, item.selection_range.start)?;
    let mut files = LocatedFiles::new(snapshot);
    let found = find(&snapshot.analysis, file, at).into_iter();
    let found = found.filter_map(|it| to_proto::type_item(it, &mut files));
    Some(found.collect())
}
