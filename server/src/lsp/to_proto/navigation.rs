//! Conversion of locations, hierarchies and links.

use analysis::ide::{self, AccessKind, LinkTarget};
use tower_lsp::ls_types::{
    CallHierarchyItem, DocumentHighlight, DocumentHighlightKind, DocumentLink, Location, Range,
    TypeHierarchyItem,
};

use super::{range, symbol_kind};
use crate::lsp::snapshot::{DocumentView, LocatedFiles, Snapshot};

pub(in crate::lsp) fn locations(
    found: &[ide::ReferenceLocation],
    snapshot: &Snapshot,
) -> Vec<Location> {
    let mut files = LocatedFiles::new(snapshot);
    let found = found.iter();
    found
        .filter_map(|it| files.location(it.file, it.range))
        .collect()
}

pub(in crate::lsp) fn highlight(
    found: &ide::ReferenceLocation,
    snapshot: &Snapshot,
    document: &DocumentView,
) -> DocumentHighlight {
    DocumentHighlight {
        range: range(
            found.range,
            &document.source,
            snapshot.client.position_encoding,
        ),
        kind: Some(match found.access {
            AccessKind::Declaration | AccessKind::Write => DocumentHighlightKind::WRITE,
            AccessKind::Read => DocumentHighlightKind::READ,
        }),
    }
}

/// Converts a link, unless its target cannot be opened.
pub(in crate::lsp) fn link(
    found: &ide::DocumentLink,
    snapshot: &Snapshot,
    document: &DocumentView,
) -> Option<DocumentLink> {
    let (target, tooltip) = match &found.target {
        LinkTarget::File(file) => {
            let uri = LocatedFiles::new(snapshot).file(*file)?.uri.clone();
            let module = snapshot.analysis.module_path(*file);
            (uri, module.map(|it| format!("{}: {}", it.0, it.1)))
        }
        LinkTarget::Url(url) => (url.parse().ok()?, None),
    };
    Some(DocumentLink {
        range: range(
            found.range,
            &document.source,
            snapshot.client.position_encoding,
        ),
        target: Some(target),
        tooltip: tooltip.filter(|_| snapshot.client.link_tooltips),
        data: None,
    })
}

/// Converts an item of the call hierarchy. It is identified by its location.
pub(in crate::lsp) fn hierarchy_item(
    found: ide::HierarchyItem,
    files: &mut LocatedFiles<'_>,
) -> Option<CallHierarchyItem> {
    let name = files.location(found.target.file, found.target.name_range)?;
    let whole = files.location(found.target.file, found.target.range)?;
    Some(CallHierarchyItem {
        name: found.name,
        kind: symbol_kind(found.kind),
        tags: None,
        detail: found.container,
        uri: name.uri,
        range: whole.range,
        selection_range: name.range,
        data: None,
    })
}

/// Converts an item of the type hierarchy. It is identified by its location.
pub(in crate::lsp) fn type_item(
    found: ide::HierarchyItem,
    files: &mut LocatedFiles<'_>,
) -> Option<TypeHierarchyItem> {
    let item = hierarchy_item(found, files)?;
    Some(TypeHierarchyItem {
        name: item.name,
        kind: item.kind,
        tags: None,
        detail: item.detail,
        uri: item.uri,
        range: item.range,
        selection_range: item.selection_range,
        data: None,
    })
}

/// Converts calls to their items and call ranges. The ranges are in `caller` for outgoing calls,
/// and in the file of the item for incoming ones (`None`).
pub(in crate::lsp) fn calls(
    found: Vec<ide::HierarchyCall>,
    snapshot: &Snapshot,
    caller: Option<analysis::FileId>,
) -> Vec<(CallHierarchyItem, Vec<Range>)> {
    let mut files = LocatedFiles::new(snapshot);
    let calls = found.into_iter().filter_map(|call| {
        let file = caller.unwrap_or(call.item.target.file);
        let ranges = call.ranges.iter();
        let ranges = ranges.filter_map(|it| Some(files.location(file, *it)?.range));
        let ranges = ranges.collect();
        Some((hierarchy_item(call.item, &mut files)?, ranges))
    });
    calls.collect()
}
