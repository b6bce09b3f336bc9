//! Features of the data files of Hiera, and what data means to code.

mod completion;
mod config;
mod config_help;
mod definition;
mod flow_position;
mod flow_style;
mod hover;
mod insertion;
mod lens;
mod levels;
mod mentions;
mod option_help;
mod outline;
mod overridden;
mod position;
mod typed_path;
mod uses;

use std::ops::Range;
use std::sync::Arc;

use base::{EnvironmentInput, FileInput, ModuleInput};
use hiera::document::{Data, Entry, Node};
use hiera::interpolation::{Expression, Method, interpolations};
use hiera::{DataFile, LOOKUP_OPTIONS};
use hir::autoload::template_files;
use infer::{data_file, layer_files};
use rustc_hash::FxHashSet;
use salsa::Database;
use syntax::{TextRange, TextSize};

pub(crate) use completion::completions;
pub(crate) use config::config_links;
pub(crate) use definition::{data_key_at, goto_definition, key_targets};
pub(crate) use hover::hover;
pub(crate) use insertion::{DataTarget, data_targets};
pub(crate) use lens::{key_lenses, parameter_lenses};
pub use levels::KeyLevel;
pub(crate) use levels::{key_levels, key_sources, levels_of_key};
use mentions::Mention;
pub(crate) use mentions::{
    InterpolatedName, KeyPlace, MentionKind, keys_by_name, names_in_string, prime_data,
};
pub(crate) use outline::{document_symbols, folding_ranges, selection_ranges};
pub(crate) use overridden::overridden_hints;
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
    /// A template that is not in the Puppet language.
    Erb,
}

/// Returns the language of a file.
pub(crate) fn file_kind(db: &dyn Database, file: FileInput) -> FileKind {
    let Some(module) = file.module(db) else {
        return FileKind::Code;
    };
    if module.files(db).get(CONFIG) == Some(&file) {
        return FileKind::Config;
    }
    if layer_files(db, module).contains_key(&file) {
        return FileKind::Data;
    }
    match ruby_templates(db, module).contains(&file) {
        true => FileKind::Erb,
        false => FileKind::Code,
    }
}

/// Returns the templates of a module that are not in the Puppet language.
#[salsa::tracked]
fn ruby_templates(db: &dyn Database, module: ModuleInput) -> FxHashSet<FileInput> {
    let is_code = |path: &str| [".epp", ".pp"].iter().any(|it| path.ends_with(it));
    let files = template_files(db, module).filter(|it| !is_code(it.0));
    files.map(|it| it.1).collect()
}

/// The path of the configuration of Hiera in a module or an environment.
const CONFIG: &str = "hiera.yaml";

/// A data file that is open, and what is at the cursor.
struct Cursor<'db> {
    file: FileInput,
    environment: EnvironmentInput,
    text: &'db str,
    data: Arc<DataFile>,
}

impl<'db> Cursor<'db> {
    fn new(db: &'db dyn Database, file: FileInput) -> Option<Cursor<'db>> {
        let files = layer_files(db, file.module(db)?);
        let place = files.get(&file)?;
        Some(Cursor {
            file,
            environment: file.environment(db)?,
            text: file.text(db).as_deref()?,
            data: data_file(db, file, place.format()?),
        })
    }

    /// Returns the names that the file mentions.
    fn keys(&self, db: &'db dyn Database, file: FileInput) -> impl Iterator<Item = &'db Mention> {
        let files = file.module(db).map(|it| layer_files(db, it));
        let format = files.and_then(|it| it.get(&file)?.format());
        format
            .into_iter()
            .flat_map(move |it| mentions::mentions(db, file, it))
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

    /// Returns the entry of `lookup_options` whose key is at an offset.
    fn option(&self, offset: TextSize) -> Option<&Entry> {
        let (options, _) = self
            .entry(offset)
            .filter(|it| it.0.name() == LOOKUP_OPTIONS)?;
        let mut entries = options.value.entries()?.iter();
        entries.find(|it| it.key_range.contains_inclusive(offset))
    }

    /// Returns the key that an interpolation at an offset looks up.
    fn looked_up_key(&self, offset: TextSize) -> Option<(TextRange, String)> {
        let (entry, is_key) = self.entry(offset)?;
        let node = scalar_at(&entry.value, offset).filter(|_| !is_key)?;
        let (range, expression) = expression_in(self.text, node.range, offset)?;
        let Expression::Method(method, key) = expression else {
            return None;
        };
        let is_lookup = matches!(
            Method::of_name(method),
            Some(Method::Lookup | Method::Alias)
        );
        is_lookup.then(|| (range, key.to_owned()))
    }
}

/// Returns the interpolation at an offset of a string in a file, with the range of its argument or its
/// variable.
fn expression_in(
    text: &str,
    string: TextRange,
    offset: TextSize,
) -> Option<(TextRange, Expression<'_>)> {
    let start = usize::from(string.start());
    let written = text.get(Range::<usize>::from(string))?;
    let at = usize::from(offset).checked_sub(start)?;
    let part = interpolations(written).find(|it| it.range.contains(&at))?;
    let content = &written[part.range.clone()];
    let (from, name) = match part.expression {
        Expression::Method(_, argument) => (content.find('(')?, argument),
        Expression::Variable(path) => (0, path),
        Expression::Empty => return None,
    };
    let at = start + part.range.start + from + content[from..].find(name)?;
    let range = TextRange::at(TextSize::try_from(at).ok()?, TextSize::of(name));
    Some((range, part.expression))
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
