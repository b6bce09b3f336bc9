//! The values of a key by level.

use std::ops::Range;
use std::sync::Arc;

use base::{EnvironmentInput, FileId, FileInput};
use hiera::{Answer, Condition, Layer, LevelFile, LookupKey, LookupSession};
use infer::{
    KeyPresence, LayerFiles, NodeVariables, WorkspaceData, data_file, declared_parameters,
    key_presence, layer_files, layer_module,
};
use rules::data::{ClassKey, class_key, options_of};
use salsa::Database;
use syntax::TextRange;
use types::Type;
use types::values::{Value, source};

use super::flow_style::flow_style;
use super::mentions::{MentionKind, mentions_in, shown_path};
use crate::Analysis;
use crate::completion::alternatives;
use crate::markdown::one_line;

/// The maximum number of levels in a hover.
const MAX_LEVELS: usize = 4;

/// The maximum length of a value, in characters.
const MAX_VALUE: usize = 60;

/// A value of a key in a level, as shown to a user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyLevel {
    /// The value as written, on one line and shortened; a description if it is secret.
    pub value: String,
    /// The path of the file, with the name of the module before it.
    pub place: String,
    /// The condition for the value, such as ", if `os.family` is `Debian`"; empty if there is none.
    pub condition: String,
}

/// A value of a key in a data file.
pub(crate) struct KeySource {
    pub(crate) file: FileInput,
    pub(crate) layer: Layer,
    /// The files of the layer.
    files: LayerFiles,
    pub(crate) key_range: TextRange,
    pub(crate) value_range: TextRange,
}

impl KeySource {
    /// Returns the level that reads the file.
    fn level_file(&self) -> Option<&LevelFile> {
        self.files.get(&self.file)?.levels.first()
    }

    /// Returns the path of the file, with the name of the module before it.
    pub(super) fn shown_path(&self) -> String {
        let path = self.files.get(&self.file).map(|it| &*it.path);
        shown_path(&self.layer, path.unwrap_or_default())
    }

    /// Returns the value on one line.
    fn in_flow_style(&self, db: &dyn Database) -> Option<String> {
        let format = self.files.get(&self.file)?.format()?;
        let data = data_file(db, self.file, format);
        let mut entries = data.entries().iter();
        let entry = entries.find(|it| it.key_range == self.key_range)?;
        let text = self.file.text(db).as_deref()?;
        Some(flow_style(&entry.value, text))
    }

    /// Returns the conditions for the level to read the file.
    pub(super) fn conditions(&self) -> &[Condition] {
        self.level_file().map_or(&[], |it| &it.conditions)
    }

    /// Returns the position of the level in its layer: whether it is in the default hierarchy, and its index.
    pub(super) fn level(&self) -> (bool, usize) {
        let level = self.level_file();
        level.map_or((true, usize::MAX), |it| (it.in_defaults, it.level))
    }
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
    sources_of_root(db, environment, &key.root)
}

/// Returns the values of a root key in all levels, the highest first.
pub(super) fn sources_of_root(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<KeySource> {
    sources_where(db, environment, key, |_, _| true)
}

/// Returns the values of a root key in some levels, the highest first.
pub(super) fn sources_where(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
    is_wanted: impl Fn(FileInput, &LevelFile) -> bool,
) -> Vec<KeySource> {
    let module = key.split_once("::").map(|it| Layer::Module(it.0.into()));
    let layers = [Some(Layer::Environment), module];
    let layers = layers.into_iter().flatten();
    layers
        .flat_map(|layer| sources_in_layer(db, environment, &layer, key, &is_wanted))
        .collect()
}

fn sources_in_layer(
    db: &dyn Database,
    environment: EnvironmentInput,
    layer: &Layer,
    key: &str,
    is_wanted: &impl Fn(FileInput, &LevelFile) -> bool,
) -> Vec<KeySource> {
    let Some(module) = layer_module(db, environment, layer) else {
        return Vec::new();
    };
    let files = layer_files(db, module);
    let mut found: Vec<KeySource> = Vec::new();
    let is_wanted = |file: FileInput| {
        let level = files.get(&file).and_then(|it| it.levels.first());
        level.is_some_and(|it| is_wanted(file, it))
    };
    let mentions = mentions_in(db, module, key, is_wanted).into_iter();
    for (file, mention) in mentions.filter(|it| it.1.kind == MentionKind::Key) {
        let source = KeySource {
            file,
            layer: layer.clone(),
            files: Arc::clone(&files),
            key_range: mention.range,
            value_range: mention.value_range,
        };
        // The last of duplicate keys wins.
        match found.last_mut().filter(|it| it.file == file) {
            Some(last) => *last = source,
            None => found.push(source),
        }
    }
    let path = |it: &KeySource| files.get(&it.file).map(|it| Arc::clone(&it.path));
    found.sort_by_cached_key(|it| (it.level(), path(it)));
    found
}

/// Lists the values of a key by level, as Markdown; `None` if no level has it.
pub(crate) fn levels_of_key(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<String> {
    let sources = key_sources(db, environment, key);
    if sources.is_empty() {
        return None;
    }
    let is_secret = is_secret(db, environment, key);
    let mut lines = vec!["In Hiera:".to_owned(), String::new()];
    for source in sources.iter().take(MAX_LEVELS) {
        let KeyLevel {
            value,
            place,
            condition,
        } = level(db, source, is_secret);
        lines.push(format!("* `{value}` in `{place}`{condition}"));
    }
    if let Some(more) = sources.len().checked_sub(MAX_LEVELS).filter(|it| *it > 0) {
        lines.push(format!("* {more} more"));
    }
    Some(lines.join("\n"))
}

impl Analysis {
    /// Checks whether no data of the environment that contains a file has a key, for any node.
    pub fn is_key_absent(&self, file: FileId, key: &str) -> bool {
        let environment = self.file(file).and_then(|it| it.environment(&self.db));
        environment.is_some_and(|it| key_presence(&self.db, it, key) == KeyPresence::Absent)
    }
}

/// Returns the values of a key by level, the highest first.
pub(crate) fn key_levels(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Vec<KeyLevel> {
    let is_secret = is_secret(db, environment, key);
    let sources = key_sources(db, environment, key);
    sources.iter().map(|it| level(db, it, is_secret)).collect()
}

fn level(db: &dyn Database, source: &KeySource, is_secret: bool) -> KeyLevel {
    let text = source.file.text(db).as_deref().unwrap_or_default();
    let range = Range::<usize>::from(source.value_range);
    let written = text.get(range).unwrap_or_default();
    let value = match written.contains("ENC[") {
        true => "encrypted".to_owned(),
        false if is_secret => "Sensitive".to_owned(),
        false if written.contains('\n') => source
            .in_flow_style(db)
            .unwrap_or_else(|| one_line(written)),
        false => one_line(written),
    };
    KeyLevel {
        value: base::truncated(&value, MAX_VALUE).replace('`', "'"),
        place: source.shown_path(),
        condition: shown_conditions(source.conditions()),
    }
}

/// Renders the conditions of a value, to follow its place.
pub(super) fn shown_conditions(conditions: &[Condition]) -> String {
    let conditions: Vec<String> = conditions.iter().map(ToString::to_string).collect();
    match conditions.is_empty() {
        true => String::new(),
        false => format!(", if {}", conditions.join(" and ")),
    }
}

/// Checks whether the value of a key is or may be `Sensitive`, so that it is not shown.
fn is_secret(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    let Some(key) = LookupKey::parse(key) else {
        return true;
    };
    let is_sensitive = match class_key(db, environment, &key.root) {
        ClassKey::Parameter(item, parameter) => {
            let declared = declared_parameters(db, item);
            let mut types = declared.iter().filter(|it| it.0 == parameter.name);
            types.any(|it| {
                let mut types = alternatives(&it.1).into_iter();
                types.any(|it| matches!(it, Type::Sensitive(_)))
            })
        }
        _ => false,
    };
    is_sensitive || makes_sensitive(db, environment, &key.root)
}

fn makes_sensitive(db: &dyn Database, environment: EnvironmentInput, key: &str) -> bool {
    // Options that depend on the node may hide the value.
    let Some(options) = options_of(db, environment, key) else {
        return true;
    };
    let type_ = match options.convert_to {
        Some(Value::Array(items)) => items.first().cloned(),
        other => other,
    };
    match type_ {
        Some(Value::String(name)) => name.contains("Sensitive"),
        Some(_) => true,
        None => false,
    }
}

/// Returns the result of a lookup if it is the same for all nodes, as Puppet source.
pub(super) fn merged_value(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<String> {
    if is_secret(db, environment, key) {
        return None;
    }
    let node = NodeVariables::default();
    let full_path = |_: &Layer, path: &str| path.to_owned();
    let data = WorkspaceData::new(db, environment, &node, &full_path);
    let Answer::Found(value) = LookupSession::new(&data).lookup(key, None) else {
        return None;
    };
    let value = source(&value).filter(|it| !it.contains("ENC["))?;
    Some(base::truncated(&one_line(&value), 2 * MAX_VALUE).replace('`', "'"))
}
