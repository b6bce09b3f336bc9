//! Completes the name in a definition, as determined by the path of its file.

use super::autoloaded_name::{AutoloadKind, expected_name};
use super::{Candidate, Candidates, CompletionKind, score};

/// Adds the expected name.
pub(super) fn definition_name(acc: &mut Candidates<'_, '_>, kind: AutoloadKind) {
    if let Some(name) = expected_name(acc.cursor.db, acc.cursor.file, kind) {
        acc.add(Candidate::new(completion_kind(kind), name).score(score::EXACT));
    }
}

fn completion_kind(kind: AutoloadKind) -> CompletionKind {
    match kind {
        AutoloadKind::Manifest => CompletionKind::Class,
        AutoloadKind::Function | AutoloadKind::Plan => CompletionKind::Function,
        AutoloadKind::Type => CompletionKind::DataType,
    }
}
