//! The typed characters that open the completion list or signature help.

use analysis::ide;
use syntax::TextSize;
use tower_lsp::ls_types::{SignatureHelpContext, SignatureHelpTriggerKind};

use super::snapshot::{DocumentView, Snapshot};

/// Checks whether the user asked for signature help, now or when the client showed the same.
pub(super) fn is_requested(
    context: Option<&SignatureHelpContext>,
    found: &ide::SignatureHelp,
) -> bool {
    let Some(context) = context else {
        return true;
    };
    let shown = context.active_signature_help.as_ref();
    let shown = shown
        .and_then(|it| it.signatures.first())
        .map(|it| &it.label);
    context.trigger_kind == SignatureHelpTriggerKind::INVOKED
        || shown.is_some() && shown == found.signatures.first().map(|it| &it.label)
}

/// Checks whether a typed trigger character opens the completion list. A single colon ends a title or
/// an option, most spaces only separate words, and a second quote ends a string.
pub(super) fn opens_completion(
    snapshot: &Snapshot,
    document: &DocumentView,
    offset: TextSize,
    typed: &str,
) -> bool {
    let before = &document.source.text()[..usize::from(offset)];
    if !snapshot.analysis.is_code(document.file) {
        return typed != ":" || before.ends_with("::");
    }
    match typed {
        ":" => before.ends_with("::") || before.ends_with("lint:ignore:"),
        " " => before.trim_end_matches(' ').ends_with("=>"),
        "'" | "\"" => !snapshot.analysis.ends_string(document.file, offset),
        _ => true,
    }
}
