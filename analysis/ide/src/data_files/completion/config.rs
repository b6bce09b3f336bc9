//! Completion in `hiera.yaml`: keys, functions, folders and files.

use std::collections::BTreeSet;

use hiera::{BACKENDS, DataFormat, LOCATIONS, joined};
use infer::ENVIRONMENT_MODULE;
use salsa::Database;
use syntax::TextSize;

use super::{interpolation, interpolation_before, item_of, placed};
use crate::data_files::config_help::{ConfigPlace, config_functions, config_keys};
use crate::data_files::position::{Content, Position};
use crate::data_files::typed_path::PathStep;
use crate::{CompletionItem, CompletionKind, Completions, DocumentationKey, DocumentedKind};
use base::{FileInput, ModuleInput};

/// The folder of data unless another one is set.
const DEFAULT_DATADIR: &str = "data";

/// Returns the completions at an offset of `hiera.yaml`.
pub(super) fn completions(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<Completions> {
    let text = file.text(db).as_deref()?;
    let module = file.module(db)?;
    if let Some(written) = interpolation_before(text, offset) {
        let items = interpolation::items(db, file, written, false);
        return Some(placed(items, interpolation::word(written), text, offset));
    }
    let position = Position::at(text, usize::from(offset).min(text.len()))?;
    let context = ConfigContext {
        db,
        module,
        text,
        position: &position,
    };
    let (items, word) = context.items()?;
    Some(placed(items, word, text, offset))
}

struct ConfigContext<'a> {
    db: &'a dyn Database,
    module: ModuleInput,
    text: &'a str,
    position: &'a Position<'a>,
}

impl<'a> ConfigContext<'a> {
    fn items(&self) -> Option<(Vec<CompletionItem>, &'a str)> {
        let place = match self.position.path.as_slice() {
            [] => ConfigPlace::Root,
            [PathStep::Key(key)] if key == "defaults" => ConfigPlace::Defaults,
            [PathStep::Key(key), PathStep::Element] if key.ends_with("hierarchy") => {
                ConfigPlace::Level
            }
            [
                PathStep::Key(_),
                PathStep::Element,
                PathStep::Key(key),
                PathStep::Element,
            ] => {
                let Content::Key(word) = self.position.content else {
                    return None;
                };
                let is_list = matches!(key.as_str(), "paths" | "globs");
                return is_list.then(|| (self.files(), unquoted(word)));
            }
            _ => return None,
        };
        Some(match self.position.content {
            Content::Key(word) => (self.keys(place), word),
            Content::Value(key, word) => (self.values(key), unquoted(word)),
        })
    }

    /// Returns the keys that the hash does not have. A level has one function and one kind of location.
    fn keys(&self, place: ConfigPlace) -> Vec<CompletionItem> {
        let in_module = &**self.module.name(self.db) != ENVIRONMENT_MODULE;
        let has_one = |of: &[&str]| of.iter().any(|it| self.position.has(it));
        let (has_backend, has_location) = (has_one(&BACKENDS), has_one(&LOCATIONS));
        let keys = config_keys(place, in_module).filter(|it| {
            let is_second = has_backend && BACKENDS.contains(&it.name)
                || has_location && LOCATIONS.contains(&it.name);
            !is_second && !self.position.has(it.name)
        });
        let items = keys.map(|it| {
            let insert = match it.name {
                "defaults" | "options" | "paths" | "globs" | "uris" => format!("{}:", it.name),
                name if name.ends_with("hierarchy") => format!("{name}:"),
                name => format!("{name}: "),
            };
            item_of(it.name, &insert, CompletionKind::Key, None)
        });
        items.collect()
    }

    fn values(&self, key: &str) -> Vec<CompletionItem> {
        match key {
            "version" => vec![item_of("5", "5", CompletionKind::Value, None)],
            "datadir" => self.folders(),
            "path" | "glob" => self.files(),
            _ => {
                let functions = config_functions(key).iter();
                let items = functions.map(|it| {
                    let mut item = item_of(it.name(), it.name(), CompletionKind::Function, None);
                    item.documentation_key = Some(DocumentationKey {
                        kind: DocumentedKind::Function,
                        name: it.name().to_owned(),
                    });
                    item
                });
                items.collect()
            }
        }
    }

    /// Returns the folders of data.
    fn folders(&self) -> Vec<CompletionItem> {
        let files = self.module.files(self.db).keys();
        let data = files.filter(|it| DataFormat::of_path(it).is_some());
        let folders: BTreeSet<&str> = data
            .filter_map(|it| it.split_once('/'))
            .map(|it| it.0)
            .collect();
        let folders = folders.into_iter();
        folders
            .map(|it| item_of(it, it, CompletionKind::File, None))
            .collect()
    }

    /// Returns the data files below the data directory of the level.
    fn files(&self) -> Vec<CompletionItem> {
        let own = self.position.siblings.iter().find(|it| it.0 == "datadir");
        let datadir = own.map(|it| it.1.trim()).or_else(|| self.default_datadir());
        let datadir = unquoted(datadir.unwrap_or(DEFAULT_DATADIR));
        let prefix = match joined("", datadir.trim_end_matches(['\'', '"'])) {
            root if root.is_empty() => root,
            folder => format!("{folder}/"),
        };
        let files = self.module.files(self.db).keys();
        let data = files.filter(|it| DataFormat::of_path(it).is_some());
        let below = data.filter_map(|it| it.strip_prefix(prefix.as_str()));
        below
            .map(|it| item_of(it, it, CompletionKind::File, None))
            .collect()
    }

    /// Returns `datadir` in `defaults`.
    fn default_datadir(&self) -> Option<&'a str> {
        let mut lines = self
            .text
            .lines()
            .skip_while(|it| !it.starts_with("defaults:"))
            .skip(1);
        let inside = lines.by_ref().take_while(|it| it.starts_with([' ', '#']));
        let mut values = inside.filter_map(|it| it.trim().strip_prefix("datadir:"));
        values.next().map(str::trim)
    }
}

/// Removes an opening quote.
fn unquoted(word: &str) -> &str {
    word.trim_start_matches(['\'', '"'])
}
