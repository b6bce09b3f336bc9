//! Code actions: fixes of findings, all certain ones together, comments that silence, and what else
//! can be done to the code under the selection.

use analysis::ide::{self, Assist, AssistKind, Diagnostic, certain_edits};
use serde::{Deserialize, Serialize};
use syntax::{Applicability, Edit, TextRange, TextSize};
use tower_lsp::ls_types::{CodeAction, CodeActionDisabled, CodeActionKind, Uri, WorkspaceEdit};

use super::session::findings;
use super::snapshot::{DocumentView, Snapshot};
use super::to_proto;

/// The kind of the action that applies all certain fixes of a file.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.pupil");

/// All kinds of actions.
pub(super) fn kinds() -> Vec<CodeActionKind> {
    vec![
        CodeActionKind::QUICKFIX,
        CodeActionKind::REFACTOR_EXTRACT,
        CodeActionKind::REFACTOR_INLINE,
        CodeActionKind::REFACTOR_REWRITE,
        FIX_ALL,
    ]
}

/// What an action does, so that it can be found again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "camelCase")]
enum What {
    /// A fix of a finding, by its number.
    Fix(Place, usize),
    /// A comment that silences a finding.
    Ignore(Place),
    /// All certain fixes.
    All,
    /// What can be done to a selection: where it starts and ends, the name of what is done, and the
    /// title.
    Assist(u32, u32, String, String),
}

/// A finding: its rule, and where it starts and ends.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
struct Place(String, u32, u32);

/// What an action that has yet to be worked out is asked for by.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct Data {
    /// The document.
    pub(super) uri: Uri,
    /// Its version then.
    version: i32,
    what: What,
}

/// An action, before the client is asked what it can show.
struct Offer<'a> {
    what: What,
    kind: CodeActionKind,
    title: String,
    finding: Option<&'a Diagnostic>,
    is_preferred: bool,
    /// Why it cannot be done, if it cannot.
    disabled: Option<String>,
    /// Nothing if they have yet to be worked out.
    edits: Option<Vec<Edit>>,
}

/// The actions for a range of a document; of the kinds that are asked for, if any are.
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
    // Whoever asks for a kind wants to know why there is none.
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

/// The action with its edit; nothing if the document is another one by now.
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

/// Whether a kind that is asked for stands for another one.
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

/// The fixes of a finding that change only its document, which is the one whose version is known.
fn fixes<'a>(document: &DocumentView, finding: &'a Diagnostic) -> Vec<Offer<'a>> {
    let is_here = |it: &ide::Fix| it.edits.iter().all(|it| it.0 == document.file);
    let is_certain = |it: &ide::Fix| it.applicability == Applicability::Certain;
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
    let edit = snapshot.analysis.ignore(document.file, finding)?;
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

/// What can be done to a selection, without the edits.
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
    // What comes back from a client may be anything.
    let range = (start <= end).then(|| TextRange::new(TextSize::new(start), TextSize::new(end)))?;
    let analysis = &snapshot.analysis;
    analysis.assist_edits(document.file, range, id, title)
}

/// All certain fixes, if the text can be read as it is meant.
fn all<'a>(
    snapshot: &Snapshot,
    document: &DocumentView,
    found: &[Diagnostic],
) -> Option<Offer<'a>> {
    let (edits, settled) = certain_edits(found, document.file);
    if settled.is_empty() || !snapshot.analysis.is_sound(document.file) {
        return None;
    }
    let count = match settled.len() {
        1 => "the one certain fix".to_owned(),
        many => format!("all {many} certain fixes"),
    };
    Some(Offer {
        what: What::All,
        kind: FIX_ALL,
        title: format!("Apply {count} of this file"),
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
        // There is nothing to be done.
    } else if client.resolves_actions {
        // These always have a JSON form.
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

/// Edits of one document.
fn workspace_edit(snapshot: &Snapshot, document: &DocumentView, edits: Vec<Edit>) -> WorkspaceEdit {
    let edits: Vec<_> = edits.into_iter().map(|it| (document.file, it)).collect();
    to_proto::workspace_edit(&edits, snapshot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_includes_its_subkinds() {
        let kind = |it: &'static str| CodeActionKind::new(it);
        assert!(includes(&kind("source"), &FIX_ALL));
        assert!(includes(&kind("source.fixAll"), &FIX_ALL));
        assert!(includes(&kind(""), &FIX_ALL));
        assert!(includes(&FIX_ALL, &FIX_ALL));
        assert!(!includes(&kind("source.fix"), &FIX_ALL));
        assert!(!includes(&kind("source.fixAll.other"), &FIX_ALL));
    }
}
