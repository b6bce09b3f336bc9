//! New keys in data files, inserted so that all other values stay the same.

use std::cmp::Reverse;
use std::sync::Arc;

use base::{EnvironmentInput, FileId, FileInput, ModuleInput};
use hiera::{DataFile, DataFormat, Layer, LevelFile, RootValue, render};
use hir::{Item, signature};
use infer::{data_file, layer_files, layer_keys, layer_module, unconditional_files};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{Edit, TextRange, TextSize, apply_edits};
use types::values::Value;

/// The maximum number of data files that are offered.
const MAX_FILES: usize = 3;

/// A data file of the environment that may get the keys of a class.
pub(crate) struct DataTarget<'db> {
    pub(crate) id: FileId,
    /// The path in the environment.
    pub(crate) path: Arc<str>,
    /// Whether all nodes read the file.
    pub(crate) is_unconditional: bool,
    text: &'db str,
    data: Arc<DataFile>,
}

/// Returns the data files of an environment that may get keys of a class: those that all nodes read, and those
/// that have other keys of the class; the most general ones first. Files that have one of the keys are omitted,
/// and so are those below a file that always overrides one.
pub(crate) fn data_targets<'db>(
    db: &'db dyn Database,
    environment: EnvironmentInput,
    class: Item<'db>,
    keys: &[&str],
) -> Vec<DataTarget<'db>> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Vec::new();
    };
    let files = layer_files(db, own);
    let known = layer_keys(db, own);
    let mut wanted: FxHashSet<FileInput> = unconditional_files(db, own).iter().copied().collect();
    for it in &signature(db, class).parameters {
        wanted.extend(known.files_with(&format!("{}::{}", class.name(db), it.name)));
    }
    let mut found: Vec<(FileInput, &LevelFile)> = wanted
        .iter()
        .filter_map(|it| Some((*it, files.get(it)?.levels.first()?)))
        .collect();
    let is_overridden = |level: &LevelFile| {
        let overriding = keys.iter().flat_map(|it| known.files_with(it));
        let mut levels = overriding.filter_map(|it| files.get(it)?.levels.first());
        levels.any(|it| it.is_unconditional() && it.rank() < level.rank())
    };
    found.retain(|(_, level)| is_plain_yaml(level) && !is_overridden(level));
    found.sort_by(|(_, a), (_, b)| {
        let conditions = a.conditions.len().cmp(&b.conditions.len());
        let levels = Reverse((a.level, a.location)).cmp(&Reverse((b.level, b.location)));
        conditions.then(levels).then_with(|| a.path.cmp(&b.path))
    });
    let targets = found.into_iter().filter_map(|it| target(db, own, it));
    let has_none = |it: &DataTarget<'_>| {
        let values = it.data.values.as_ref();
        values.is_ok_and(|values| keys.iter().all(|key| !values.contains_key(*key)))
    };
    targets.filter(has_none).take(MAX_FILES).collect()
}

/// Checks whether a file is YAML that is not meant for secrets.
fn is_plain_yaml(level: &LevelFile) -> bool {
    let is_yaml = level.path.ends_with(".yaml") || level.path.ends_with(".yml");
    is_yaml && level.format == DataFormat::Yaml
}

fn target<'db>(
    db: &'db dyn Database,
    module: ModuleInput,
    (file, level): (FileInput, &LevelFile),
) -> Option<DataTarget<'db>> {
    // Files outside of the workspace cannot be edited.
    (module.origin(db) == base::ModuleOrigin::Workspace).then_some(())?;
    Some(DataTarget {
        id: file.id(db),
        path: Arc::clone(&level.path),
        is_unconditional: level.is_unconditional(),
        text: file.text(db).as_deref()?,
        data: data_file(db, file, level.format),
    })
}

impl DataTarget<'_> {
    /// Returns the edit that adds keys of a class with their values: after its other keys, or else at the end.
    /// Returns `None` if the file would then have other values.
    pub(crate) fn insertion(&self, class: &str, added: &[(String, Value)]) -> Option<Edit> {
        let values = self.data.values.as_ref().ok()?;
        let mut expected = values.clone();
        let mut lines = String::new();
        for (key, value) in added {
            expected.insert(key.as_str().into(), RootValue::Value(value.clone()));
            let entry = Value::hash([(Value::from(key.as_str()), value.clone())]);
            lines.push_str(render::document(&entry).strip_prefix("---\n")?);
        }
        let edit = self.edit(class, lines);
        let changed = apply_edits(self.text, std::slice::from_ref(&edit))?;
        let found = DataFile::parse(&changed, DataFormat::Yaml);
        let is_kept = found.entries().len() == self.data.entries().len() + added.len();
        (is_kept && found.values.ok()? == expected).then_some(edit)
    }

    fn edit(&self, class: &str, mut lines: String) -> Edit {
        let line_break = match self.text.contains("\r\n") {
            true => "\r\n",
            false => "\n",
        };
        lines = lines.replace('\n', line_break);
        let prefix = format!("{class}::");
        let is_own = |key: &str| {
            let name = key.strip_prefix(&*prefix);
            name.is_some_and(|it| !it.contains("::"))
        };
        let mut own = self.data.entries().iter().rev();
        let offset = match own.find(|it| is_own(it.name())) {
            Some(last) => self.end_of_lines(last.value.range.end()),
            None => self.text.len(),
        };
        let before = &self.text[..offset];
        let last_line = before.lines().next_back().unwrap_or_default();
        // A comment at the end of the file is not about the new keys.
        if last_line.trim_start().starts_with('#') && !is_indented_comment(last_line) {
            lines.insert_str(0, line_break);
        }
        if !before.is_empty() && !before.ends_with('\n') {
            lines.insert_str(0, line_break);
        }
        Edit {
            range: TextRange::empty(TextSize::try_from(offset).unwrap_or_default()),
            text: lines,
        }
    }

    /// Returns the offset after the line in which a value ends, and after its lines that are commented out.
    fn end_of_lines(&self, end: TextSize) -> usize {
        let end = usize::from(end);
        let end = self.text[..end].trim_end().len();
        let Some(rest) = self.text[end..].find('\n') else {
            return self.text.len();
        };
        let end = end + rest + 1;
        let following = self.text[end..].split_inclusive('\n');
        let own = following.take_while(|it| is_indented_comment(it));
        end + own.map(str::len).sum::<usize>()
    }
}

/// Checks whether a line is part of a nested value that is commented out: the comment or its content is indented.
fn is_indented_comment(line: &str) -> bool {
    let content = line.trim_start_matches(' ');
    let indent = line.len() - content.len();
    let comment = content.strip_prefix('#');
    comment.is_some_and(|it| indent > 0 || it.starts_with("  ") && !it.trim().is_empty())
}
