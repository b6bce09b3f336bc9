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
/// an option, most spaces only separate words, and a second quote ends a string. After a comparison, the list opens
/// only if values are known.
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
    let knows_values = || {
        let analysis = &snapshot.analysis;
        analysis.expects_known_value(document.file, offset)
    };
    match typed {
        ":" => before.ends_with("::") || before.ends_with("lint:ignore:"),
        " " => {
            let code = before.trim_end_matches(' ');
            code.ends_with("=>") || (code.ends_with("==") || code.ends_with("!=")) && knows_values()
        }
        "[" if starts_list_of_comparison(before) => knows_values(),
        "'" | "\"" => !snapshot.analysis.ends_string(document.file, offset),
        _ => true,
    }
}

/// Checks whether code ends with the bracket of `in [`.
fn starts_list_of_comparison(code: &str) -> bool {
    let operator = code.strip_suffix('[').map(str::trim_end);
    let before = operator.and_then(|it| it.strip_suffix("in"));
    before.is_some_and(|it| it.ends_with([' ', '\t', '\n', ')', ']', '\'', '"']))
}
