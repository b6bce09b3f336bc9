//! Inlay hints at keys whose values are never used, because a higher level has a value for all nodes.

use base::{EnvironmentInput, FileInput};
use hiera::LevelFile;
use hiera::merge::MergeStrategy;
use infer::layer_files;
use rules::data::{ClassKey, class_key, layer_of, options_of};
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::Cursor;
use super::levels::{KeySource, sources_where};
use super::mentions::MentionKind;
use crate::search::symbol_uses;
use crate::symbol::{ImplicitNameKind, OccurrenceKind, data_key_symbol};
use crate::{HintKind, InlayHint};

/// Returns the hints in a range of a data file.
pub(crate) fn overridden_hints(
    db: &dyn Database,
    file: FileInput,
    range: TextRange,
) -> Vec<InlayHint> {
    let Some(cursor) = Cursor::new(db, file) else {
        return Vec::new();
    };
    let keys = cursor.keys(db, file);
    let keys = keys.filter(|it| it.kind == MentionKind::Key && it.range.intersect(range).is_some());
    let hints = keys.filter_map(|it| {
        let key = it.name(cursor.text);
        let winner = winner(db, cursor.environment, file, key)?;
        Some(InlayHint {
            offset: end_of_line(cursor.text, it.range.end()),
            label: format!("overridden by {}", winner.shown_path()),
            kind: HintKind::Overridden,
        })
    });
    hints.collect()
}

/// Returns the value of a key that is always used instead of that in a file.
fn winner(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    key: &str,
) -> Option<KeySource> {
    // Other keys are looked up by code, which may merge them.
    let ClassKey::Parameter(..) = class_key(db, environment, key) else {
        return None;
    };
    let sources = sources_where(db, environment, key, |other, level| {
        other == file || level.conditions.is_empty()
    });
    let mut sources = sources.into_iter();
    let winner = sources.find(|it| it.conditions().is_empty())?;
    let is_lower = sources.any(|it| it.file == file);
    let is_first = options_of(db, environment, key)?.merge == MergeStrategy::First;
    let is_certain = is_lower
        && is_first
        && is_always_below(db, file, &winner)
        && !is_looked_up(db, environment, file, key);
    is_certain.then_some(winner)
}

/// Checks whether all levels that can read a file are below that of a value.
fn is_always_below(db: &dyn Database, file: FileInput, winner: &KeySource) -> bool {
    let Some(module) = file.module(db) else {
        return false;
    };
    if layer_of(db, module) != winner.layer {
        return true;
    }
    let files = layer_files(db, module);
    let levels = files.get(&file).map_or(&[][..], |it| &it.levels);
    let is_below = |it: &LevelFile| (it.in_defaults, it.level) > winner.level();
    levels.iter().all(is_below)
}

/// Checks whether code looks a key up by itself.
fn is_looked_up(
    db: &dyn Database,
    environment: EnvironmentInput,
    file: FileInput,
    key: &str,
) -> bool {
    let symbol = data_key_symbol(db, environment, key);
    symbol_uses(db, file, &symbol).iter().any(|it| {
        let implicit = match it.occurrence.kind {
            OccurrenceKind::Implicit(it) => &it.kind,
            _ => return false,
        };
        matches!(implicit, ImplicitNameKind::DataKey(_))
    })
}

/// Returns the end of the line of an offset, without whitespace and a comment.
fn end_of_line(text: &str, offset: TextSize) -> TextSize {
    let rest = text.get(usize::from(offset)..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let line = line.split(" #").next().unwrap_or_default().trim_end();
    offset + TextSize::of(line)
}
