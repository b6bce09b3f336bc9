//! Code actions: fixes of diagnostics, all certain fixes of a file at once, comments that ignore
//! diagnostics, and assists for the selected code.

use analysis::base::Diagnostic;
use analysis::ide::{Assist, AssistKind, certain_edits};
use serde::{Deserialize, Serialize};
use syntax::{Applicability, Edit, TextRange, TextSize};
use tower_lsp::ls_types::{CodeAction, CodeActionDisabled, CodeActionKind, Uri, WorkspaceEdit};

use super::session::findings;
use super::snapshot::{DocumentView, Snapshot};
use super::to_proto;

/// The kind of the code action that applies all certain fixes of a file.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.pupil");

/// Returns all kinds of code actions that the server offers.
pub(super) fn kinds() -> Vec<CodeActionKind> {
    vec![
        CodeActionKind::QUICKFIX,
        CodeActionKind::REFACTOR_EXTRACT,
        CodeActionKind::REFACTOR_INLINE,
        CodeActionKind::REFACTOR_REWRITE,
        FIX_ALL,
    ]
}

/// Identifies a code action, so that it can be resolved later.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
enum What {
    /// A fix of a diagnostic, by its index.
    Fix(Place, usize),
    /// A comment that ignores a diagnostic.
    Ignore(Place),
    /// All certain fixes.
    All,
    /// An assist: the start and end of the selection, the ID of the assist, and its title.
    Assist(u32, u32, String, String),
}

/// Identifies a diagnostic: its rule, start and end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Place(String, u32, u32);

/// The `data` of an unresolved code action.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct Data {
    pub(super) uri: Uri,
    /// The version of the document that the action was offered for.
    version: i32,
    what: What,
}

/// A code action, independent of the capabilities of the client.
struct Offer<'a> {
    what: What,
    kind: CodeActionKind,
    title: String,
    finding: Option<&'a Diagnostic>,
    is_preferred: bool,
    /// The reason why the action is not applicable, if so.
    disabled: Option<String>,
    /// `None` if the edits have not been computed yet.
    edits: Option<Vec<Edit>>,
}

/// Returns the code actions for a range of a document, restricted to the kinds in `only`.
pub(super) fn code_actions(
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
    range: TextRange,
    only: Option<&[CodeActionKind]>,
) -> Vec<CodeAction> {
    let found = findings(snapshot, document);
    let wants =
        |kind: &CodeActionKind| only.is_none_or(|it| it.iter().any(|it| includes(it, kind)));
    // Disabled actions are shown only if their kind was requested explicitly.
    let is_asked = |kind: &CodeActionKind| {
        let asked = only.unwrap_or_default().iter();
        let mut asked = asked.filter(|it| !it.as_str().is_empty());
        snapshot.client.shows_disabled && asked.any(|it| includes(it, kind))
    };
    let mut offers = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let here = found
            .iter()
            .filter(|it| it.range.intersect(range).is_some());
        let here: Vec<_> = here.collect();
        offers.extend(here.iter().flat_map(|it| fixes(document, it)));
        offers.extend(here.iter().filter_map(|it| ignore(snapshot, document, it)));
    }
    let assists = assists(snapshot, document, range);
    offers.extend(assists.filter(|it| match it.disabled {
        Some(_) => is_asked(&it.kind),
        None => wants(&it.kind),
    }));
    if wants(&FIX_ALL) {
        offers.extend(all(snapshot, document, &found));
    }
    let actions = offers.into_iter();
    actions
        .map(|it| action(snapshot, document, uri, it))
        .collect()
}

/// Resolves the edit of a code action. Returns `None` if the document has changed since.
pub(super) fn resolve(
    snapshot: &Snapshot,
    document: &DocumentView,
    data: &Data,
    action: CodeAction,
) -> Option<CodeAction> {
    if document.version != data.version {
        return None;
    }
    if let What::Assist(start, end, id, title) = &data.what {
        let edits = assist_edits(snapshot, document, (*start, *end), id, title)?;
        return Some(CodeAction {
            edit: Some(workspace_edit(snapshot, document, edits)),
            ..action
        });
    }
    let found = findings(snapshot, document);
    let place = match &data.what {
        What::Fix(place, _) | What::Ignore(place) => Some(place),
        What::All | What::Assist(..) => None,
    };
    let finding = found.iter().filter(|it| place == Some(&place_of(it)));
    let offers = finding.flat_map(|it| {
        let ignored = ignore(snapshot, document, it);
        fixes(document, it).into_iter().chain(ignored)
    });
    let offers = offers.chain(all(snapshot, document, &found));
    let offer = offers.into_iter().find(|it| it.what == data.what)?;
    let edit = workspace_edit(snapshot, document, offer.edits?);
    Some(CodeAction {
        edit: Some(edit),
        ..action
    })
}

/// Checks whether the requested kind `asked` includes `kind`.
fn includes(asked: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(asked.as_str());
    rest.is_some_and(|it| it.is_empty() || it.starts_with('.') || asked.as_str().is_empty())
}

fn place_of(finding: &Diagnostic) -> Place {
    let range = finding.range;
    Place(
        finding.code.to_owned(),
        range.start().into(),
        range.end().into(),
    )
}

/// Returns the fixes of a diagnostic that edit only its own document, whose version is known.
fn fixes<'a>(document: &DocumentView, finding: &'a Diagnostic) -> Vec<Offer<'a>> {
    let is_here = |it: &analysis::base::Fix| it.edits.iter().all(|it| it.0 == document.file);
    let is_certain = |it: &analysis::base::Fix| it.applicability == Applicability::Certain;
    let is_only = finding.fixes.iter().filter(|it| is_certain(it)).count() == 1;
    let fixes = finding.fixes.iter().enumerate();
    let fixes = fixes.filter(|it| is_here(it.1)).map(|(index, fix)| Offer {
        what: What::Fix(place_of(finding), index),
        kind: CodeActionKind::QUICKFIX,
        title: fix.label.clone(),
        finding: Some(finding),
        is_preferred: is_only && is_certain(fix),
        disabled: None,
        edits: Some(fix.edits.iter().map(|it| it.1.clone()).collect()),
    });
    fixes.collect()
}

fn ignore<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    finding: &'a Diagnostic,
) -> Option<Offer<'a>> {
    let edit = snapshot.analysis.suppression_edit(document.file, finding)?;
    Some(Offer {
        what: What::Ignore(place_of(finding)),
        kind: CodeActionKind::QUICKFIX,
        title: format!("Ignore `{}` here", finding.code),
        finding: Some(finding),
        is_preferred: false,
        disabled: None,
        edits: Some(vec![edit]),
    })
}

/// Returns the assists for a selection, without their edits.
fn assists<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    range: TextRange,
) -> impl Iterator<Item = Offer<'a>> {
    let found = snapshot.analysis.assists(document.file, range);
    let (start, end) = (range.start().into(), range.end().into());
    found.into_iter().map(move |it: Assist| Offer {
        what: What::Assist(start, end, it.id.to_owned(), it.title.clone()),
        kind: match it.kind {
            AssistKind::QuickFix => CodeActionKind::QUICKFIX,
            AssistKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
            AssistKind::Inline => CodeActionKind::REFACTOR_INLINE,
            AssistKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        },
        title: it.title,
        finding: None,
        is_preferred: false,
        disabled: it.disabled,
        edits: None,
    })
}

fn assist_edits(
    snapshot: &Snapshot,
    document: &DocumentView,
    (start, end): (u32, u32),
    id: &str,
    title: &str,
) -> Option<Vec<Edit>> {
    // The client may send back an invalid range.
    let range = (start <= end).then(|| TextRange::new(TextSize::new(start), TextSize::new(end)))?;
    let analysis = &snapshot.analysis;
    analysis.assist_edits(document.file, range, id, title)
}

/// Returns an action that applies all certain fixes, unless the file has syntax errors.
fn all<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    found: &[Diagnostic],
) -> Option<Offer<'a>> {
    let (edits, settled) = certain_edits(found, document.file);
    if settled.is_empty() || !snapshot.analysis.is_well_formed(document.file) {
        return None;
    }
    let count = match settled.len() {
        1 => "the certain fix".to_owned(),
        many => format!("all {many} certain fixes"),
    };
    Some(Offer {
        what: What::All,
        kind: FIX_ALL,
        title: format!("Apply {count} in this file"),
        finding: None,
        is_preferred: false,
        disabled: None,
        edits: Some(edits),
    })
}

fn action(snapshot: &Snapshot, document: &DocumentView, uri: &Uri, offer: Offer<'_>) -> CodeAction {
    let client = &snapshot.client;
    let (mut edit, mut data) = (None, None);
    if offer.disabled.is_some() {
        // A disabled action has no edit.
    } else if client.resolves_actions {
        // Serialization cannot fail.
        data = serde_json::to_value(Data {
            uri: uri.clone(),
            version: document.version,
            what: offer.what.clone(),
        })
        .ok();
    } else {
        let edits = match (&offer.what, offer.edits) {
            (What::Assist(start, end, id, title), _) => {
                assist_edits(snapshot, document, (*start, *end), id, title)
            }
            (_, edits) => edits,
        };
        edit = edits.map(|it| workspace_edit(snapshot, document, it));
    }
    let place = |file, range| snapshot.location(file, range);
    let diagnostics = offer.finding.map(|it| {
        let source = &document.source;
        vec![to_proto::diagnostic(it, uri, source, client, &place)]
    });
    CodeAction {
        title: offer.title,
        kind: Some(offer.kind),
        diagnostics,
        edit,
        is_preferred: (offer.is_preferred && client.prefers_actions).then_some(true),
        disabled: offer.disabled.map(|reason| CodeActionDisabled { reason }),
        data,
        ..CodeAction::default()
    }
}

fn workspace_edit(snapshot: &Snapshot, document: &DocumentView, edits: Vec<Edit>) -> WorkspaceEdit {
    let edits: Vec<_> = edits.into_iter().map(|it| (document.file, it)).collect();
    to_proto::workspace_edit(&edits, snapshot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_includes_its_subkinds() {
        let kind = |it: &'static str| CodeActionKind::new(it);
        assert!(includes(&kind("source"), &FIX_ALL));
        assert!(includes(&kind("source.fixAll"), &FIX_ALL));
        assert!(includes(&kind(""), &FIX_ALL));
        assert!(includes(&FIX_ALL, &FIX_ALL));
        assert!(!includes(&kind("source.fix"), &FIX_ALL));
        assert!(!includes(&kind("source.fixAll.other"), &FIX_ALL));
    }
}
