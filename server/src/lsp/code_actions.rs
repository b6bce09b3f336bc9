//! Code actions: fixes of diagnostics, all safe fixes of a file at once, comments that ignore
//! diagnostics, and assists for the selected code.

use analysis::base::Diagnostic;
use analysis::ide::{Assist, AssistKind, fix_edits};
use serde::{Deserialize, Serialize};
use syntax::{Applicability, Edit, TextRange, TextSize};
use tower_lsp::ls_types::{CodeAction, CodeActionDisabled, CodeActionKind, Uri, WorkspaceEdit};

use super::session::findings;
use super::snapshot::{DocumentView, Snapshot};
use super::to_proto;

/// The kind of the code action that applies all safe fixes of a file.
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
enum ActionId {
    /// A fix of a diagnostic, by its index.
    Fix(DiagnosticKey, usize),
    /// A comment that ignores a diagnostic.
    Ignore(DiagnosticKey),
    /// All safe fixes.
    FixAll,
    /// An assist: the start and end of the selection, the ID of the assist, and its title.
    Assist(u32, u32, String, String),
}

/// Identifies a diagnostic: its rule, start and end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct DiagnosticKey(String, u32, u32);

/// The `data` of an unresolved code action.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct ActionData {
    pub(super) uri: Uri,
    /// The version of the document that the action was offered for.
    version: i32,
    action_id: ActionId,
}

/// A code action, independent of the capabilities of the client.
struct OfferedAction<'a> {
    action_id: ActionId,
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
    let is_requested = |kind: &CodeActionKind| {
        let requested = only.unwrap_or_default().iter();
        let mut requested = requested.filter(|it| !it.as_str().is_empty());
        snapshot.client.disabled_actions && requested.any(|it| includes(it, kind))
    };
    let mut offers = Vec::new();
    if wants(&CodeActionKind::QUICKFIX) {
        let here = found
            .iter()
            .filter(|it| it.range.intersect(range).is_some());
        let here: Vec<_> = here.collect();
        offers.extend(here.iter().flat_map(|it| fixes(document, it)));
        offers.extend(
            here.iter()
                .filter_map(|it| ignore_comment(snapshot, document, it)),
        );
    }
    let assists = assists(snapshot, document, range);
    offers.extend(assists.filter(|it| match it.disabled {
        Some(_) => is_requested(&it.kind),
        None => wants(&it.kind),
    }));
    if wants(&FIX_ALL) {
        offers.extend(fix_all(snapshot, document, &found));
    }
    let actions = offers.into_iter();
    actions
        .map(|it| to_code_action(snapshot, document, uri, it))
        .collect()
}

/// Resolves the edit of a code action. Returns `None` if the document has changed since.
pub(super) fn resolve(
    snapshot: &Snapshot,
    document: &DocumentView,
    data: &ActionData,
    action: CodeAction,
) -> Option<CodeAction> {
    if document.version != data.version {
        return None;
    }
    if let ActionId::Assist(start, end, id, title) = &data.action_id {
        let edit = assist_edit(snapshot, document, (*start, *end), id, title)?;
        return Some(CodeAction {
            edit: Some(edit),
            ..action
        });
    }
    let found = findings(snapshot, document);
    let key = match &data.action_id {
        ActionId::Fix(key, _) | ActionId::Ignore(key) => Some(key),
        ActionId::FixAll | ActionId::Assist(..) => None,
    };
    let finding = found.iter().filter(|it| key == Some(&diagnostic_key(it)));
    let offers = finding.flat_map(|it| {
        let ignored = ignore_comment(snapshot, document, it);
        fixes(document, it).into_iter().chain(ignored)
    });
    let offers = offers.chain(fix_all(snapshot, document, &found));
    let offer = offers
        .into_iter()
        .find(|it| it.action_id == data.action_id)?;
    let edit = workspace_edit(snapshot, document, offer.edits?);
    Some(CodeAction {
        edit: Some(edit),
        ..action
    })
}

/// Checks whether the requested kind `requested` includes `kind`.
fn includes(requested: &CodeActionKind, kind: &CodeActionKind) -> bool {
    let rest = kind.as_str().strip_prefix(requested.as_str());
    rest.is_some_and(|it| it.is_empty() || it.starts_with('.') || requested.as_str().is_empty())
}

fn diagnostic_key(finding: &Diagnostic) -> DiagnosticKey {
    let range = finding.range;
    DiagnosticKey(
        finding.code.to_owned(),
        range.start().into(),
        range.end().into(),
    )
}

/// Returns the fixes of a diagnostic that edit only its own document, whose version is known.
fn fixes<'a>(document: &DocumentView, finding: &'a Diagnostic) -> Vec<OfferedAction<'a>> {
    let is_here = |it: &analysis::base::Fix| it.edits.iter().all(|it| it.0 == document.file);
    let is_certain = |it: &analysis::base::Fix| it.applicability == Applicability::Safe;
    let is_only = finding.fixes.iter().filter(|it| is_certain(it)).count() == 1;
    let fixes = finding.fixes.iter().enumerate();
    let fixes = fixes
        .filter(|it| is_here(it.1))
        .map(|(index, fix)| OfferedAction {
            action_id: ActionId::Fix(diagnostic_key(finding), index),
            kind: CodeActionKind::QUICKFIX,
            title: fix.label.clone(),
            finding: Some(finding),
            is_preferred: is_only && is_certain(fix),
            disabled: None,
            edits: Some(fix.edits.iter().map(|it| it.1.clone()).collect()),
        });
    fixes.collect()
}

fn ignore_comment<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    finding: &'a Diagnostic,
) -> Option<OfferedAction<'a>> {
    let edit = snapshot.analysis.suppression_edit(document.file, finding)?;
    Some(OfferedAction {
        action_id: ActionId::Ignore(diagnostic_key(finding)),
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
) -> impl Iterator<Item = OfferedAction<'a>> {
    let found = snapshot.analysis.assists(document.file, range);
    let found = found.into_iter();
    let found = found.filter(move |it| !it.creates_file || snapshot.client.creates_files);
    let (start, end) = (range.start().into(), range.end().into());
    found.map(move |it: Assist| OfferedAction {
        action_id: ActionId::Assist(start, end, it.id.to_owned(), it.title.clone()),
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

fn assist_edit(
    snapshot: &Snapshot,
    document: &DocumentView,
    (start, end): (u32, u32),
    id: &str,
    title: &str,
) -> Option<WorkspaceEdit> {
    // The client may send back an invalid range.
    let range = (start <= end).then(|| TextRange::new(TextSize::new(start), TextSize::new(end)))?;
    let analysis = &snapshot.analysis;
    let edit = analysis.assist_edit(document.file, range, id, title)?;
    match &edit.created {
        Some(it) => to_proto::creation(it, snapshot),
        None => Some(to_proto::workspace_edit(&edit.edits, snapshot)),
    }
}

/// Returns an action that applies all safe fixes, unless the file has syntax errors.
fn fix_all<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    found: &[Diagnostic],
) -> Option<OfferedAction<'a>> {
    let (edits, fixed) = fix_edits(found, document.file, Applicability::Safe);
    if fixed.is_empty() || !snapshot.analysis.is_well_formed(document.file) {
        return None;
    }
    let count = match fixed.len() {
        1 => "the safe fix".to_owned(),
        many => format!("all {many} safe fixes"),
    };
    Some(OfferedAction {
        action_id: ActionId::FixAll,
        kind: FIX_ALL,
        title: format!("Apply {count} in this file"),
        finding: None,
        is_preferred: false,
        disabled: None,
        edits: Some(edits),
    })
}

fn to_code_action(
    snapshot: &Snapshot,
    document: &DocumentView,
    uri: &Uri,
    offer: OfferedAction<'_>,
) -> CodeAction {
    let client = &snapshot.client;
    let (mut edit, mut data) = (None, None);
    if offer.disabled.is_some() {
        // A disabled action has no edit.
    } else if client.resolves_actions {
        // Serialization cannot fail.
        data = serde_json::to_value(ActionData {
            uri: uri.clone(),
            version: document.version,
            action_id: offer.action_id.clone(),
        })
        .ok();
    } else {
        edit = match (&offer.action_id, offer.edits) {
            (ActionId::Assist(start, end, id, title), _) => {
                assist_edit(snapshot, document, (*start, *end), id, title)
            }
            (_, edits) => edits.map(|it| workspace_edit(snapshot, document, it)),
        };
    }
    let to_location = |file, range| snapshot.location(file, range);
    let diagnostics = offer.finding.map(|it| {
        let source = &document.source;
        vec![to_proto::diagnostic(it, uri, source, client, &to_location)]
    });
    CodeAction {
        title: offer.title,
        kind: Some(offer.kind),
        diagnostics,
        edit,
        is_preferred: (offer.is_preferred && client.preferred_actions).then_some(true),
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
