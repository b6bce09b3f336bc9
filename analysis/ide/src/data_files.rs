//! Features of the data files of Hiera, and what data means to code.

mod completion;
mod config;
mod definition;
mod hover;
mod mentions;
mod outline;
mod uses;

use std::ops::Range;
use std::sync::Arc;

use base::{EnvironmentInput, FileInput};
use hiera::document::{Data, Entry, Node};
use hiera::interpolation::interpolations;
use hiera::{Condition, DataFile, Layer, LookupKey};
use infer::{data_file, layer_files, layer_module};
use salsa::Database;
use syntax::{TextRange, TextSize};

pub(crate) use completion::completions;
pub(crate) use config::config_links;
pub(crate) use definition::{data_key_at, goto_definition, key_targets};
pub(crate) use hover::{hover, key_levels, levels_of_key};
pub(crate) use mentions::{InterpolatedName, KeyPlace, MentionKind, keys_by_name, names_in_string};
pub(crate) use outline::{document_symbols, folding_ranges, selection_ranges};
pub(crate) use uses::{DataUse, data_uses, data_uses_in_file, symbol_in_data};

/// The languages of files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FileKind {
    /// Puppet code.
    Code,
    /// Data of Hiera.
    Data,
    /// `hiera.yaml`.
    Config,
}

/// Returns the language of a file.
pub(crate) fn file_kind(db: &dyn Database, file: FileInput) -> FileKind {
    let Some(module) = file.module(db) else {
        return FileKind::Code;
    };
    if module.files(db).get(CONFIG) == Some(&file) {
        return FileKind::Config;
    }
    match layer_files(db, module).contains_key(&file) {
        true => FileKind::Data,
        false => FileKind::Code,
    }
}

/// The path of the configuration of Hiera in a module or an environment.
const CONFIG: &str = "hiera.yaml";

/// A value of a key in a level, as shown to a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyLevel {
    /// The value as written, on one line and shortened.
    pub value: String,
    /// The path of the file, with the name of the module before it.
    pub place: String,
    /// The condition for the value, such as ", if `os.family` is `Debian`"; empty if there is none.
    pub condition: String,
}

/// A value of a key in a data file.
pub(crate) struct KeySource {
    pub(crate) file: FileInput,
    /// The path relative to the folder of the layer.
    pub(crate) path: Arc<str>,
    pub(crate) layer: Layer,
    /// The conditions for a level to read the file.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) key_range: TextRange,
    pub(crate) value_range: TextRange,
}

/// Returns the values of a key in all levels, the highest first.
pub(crate) fn key_sources(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<KeySource> {
    let Some(key) = LookupKey::parse(key) else {
        return Vec::new();
    };
    let module = key.module().map(|it| Layer::Module(it.into()));
    let layers = [Some(Layer::Environment), module];
    let mut found = Vec::new();
    for layer in layers.into_iter().flatten() {
        found.extend(sources_in_layer(db, environment, &layer, &key.root));
    }
    found
}

fn sources_in_layer(
    db: &dyn Database,
    environment: EnvironmentInput,
    layer: &Layer,
    key: &str,
) -> Vec<KeySource> {
    let Some(module) = layer_module(db, environment, layer) else {
        return Vec::new();
    };
    let files = layer_files(db, module);
    let mut found = Vec::new();
    for (file, place) in files.iter() {
        let Some(level) = place.levels.first() else {
            continue;
        };
        let text = file.text(db).as_deref().unwrap_or_default();
        if !text.contains(key) {
            continue;
        }
        let data = data_file(db, *file, level.format);
        let entry = data.entries().iter().rev().find(|it| it.name() == key);
        if let Some(entry) = entry {
            let order = (level.in_defaults, level.level, Arc::clone(&level.path));
            found.push((
                order,
                KeySource {
                    file: *file,
                    path: Arc::clone(&place.path),
                    layer: layer.clone(),
                    conditions: level.conditions.clone(),
                    key_range: entry.key_range,
                    value_range: entry.value.range,
                },
            ));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.into_iter().map(|it| it.1).collect()
}

/// A data file that is open, and what is at the cursor.
struct Cursor<'db> {
    environment: EnvironmentInput,
    text: &'db str,
    data: Arc<DataFile>,
}

impl<'db> Cursor<'db> {
    fn new(db: &'db dyn Database, file: FileInput) -> Option<Cursor<'db>> {
        let files = layer_files(db, file.module(db)?);
        let place = files.get(&file)?;
        Some(Cursor {
            environment: file.environment(db)?,
            text: file.text(db).as_deref()?,
            data: data_file(db, file, place.format()?),
        })
    }

    /// Returns the root entry at an offset, and whether the offset is in its key.
    fn entry(&self, offset: TextSize) -> Option<(&Entry, bool)> {
        let mut entries = self.data.entries().iter();
        entries.find_map(|it| {
            let is_key = it.key_range.contains_inclusive(offset);
            let is_value = it.value.range.contains_inclusive(offset);
            (is_key || is_value).then_some((it, is_key))
        })
    }

    /// Returns the key that an interpolation at an offset looks up.
    fn looked_up_key(&self, offset: TextSize) -> Option<(TextRange, String)> {
        let (entry, is_key) = self.entry(offset)?;
        let node = scalar_at(&entry.value, offset).filter(|_| !is_key)?;
        let start = usize::from(node.range.start());
        let written = self.text.get(Range::<usize>::from(node.range))?;
        let at = usize::from(offset).checked_sub(start)?;
        let part = interpolations(written).find(|it| it.range.contains(&at))?;
        let hiera::interpolation::Expression::Method(method, key) = part.expression else {
            return None;
        };
        use hiera::interpolation::Method;
        let is_lookup = matches!(
            Method::of_name(method),
            Some(Method::Lookup | Method::Alias)
        );
        let from = part.range.start + written[part.range.clone()].find(key)?;
        let range = TextRange::at(TextSize::try_from(start + from).ok()?, TextSize::of(key));
        is_lookup.then(|| (range, key.to_owned()))
    }
}

/// Returns the scalar at an offset.
fn scalar_at(node: &Node, offset: TextSize) -> Option<&Node> {
    if !node.range.contains_inclusive(offset) {
        return None;
    }
    match &node.data {
        Data::Scalar(_) => Some(node),
        Data::List(items) => items.iter().find_map(|it| scalar_at(it, offset)),
        Data::Map(entries) => entries.iter().find_map(|it| scalar_at(&it.value, offset)),
        Data::Alias(_) => None,
    }
}

#[cfg(test)]
mod tests;
