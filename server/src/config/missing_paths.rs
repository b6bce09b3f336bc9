//! Notes about the paths in `pupil.toml` that do not exist. Another tool may put directories there later, so they are not
//! mistakes.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, line_and_column};
use crate::paths::{absolute, is_untrusted_remote};
use crate::source::{LineBreaks, Source};
use crate::workspace::Note;

/// The settings of `[workspace]` that list paths.
const LISTS: [&str; 3] = ["modulepath", "basemodulepath", "facts"];

/// Adds a note for each path in the file at `path` that does not exist.
pub(super) fn note(config: &Config, path: &Path, text: &str, notes: &mut Vec<Note>) {
    let Ok(table) = DeTable::parse(text) else {
        return;
    };
    let Some(DeValue::Table(workspace)) = table.get_ref().get("workspace").map(Spanned::get_ref)
    else {
        return;
    };
    let source = Source::new(text.into(), LineBreaks::Puppet);
    for setting in LISTS {
        let Some(DeValue::Array(items)) = workspace.get(setting).map(Spanned::get_ref) else {
            continue;
        };
        for item in items.iter() {
            let DeValue::String(named) = item.get_ref() else {
                continue;
            };
            let target = absolute(&config.folder.join(&**named));
            let is_local = !is_untrusted_remote(&target, std::slice::from_ref(&config.folder));
            if is_local && !target.exists() {
                let (line, column) = line_and_column(&source, item.span());
                let message = format!("`{named}` in `{setting}` does not exist");
                notes.push(Note::at(path, line, column, message));
            }
        }
    }
}
