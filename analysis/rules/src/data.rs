//! Checks of the data files of Hiera: a check examines one file, with the layer that it belongs to.
//!
//! Only files that the `hiera.yaml` of their environment or module can read are checked, whatever the
//! facts of a node are.

mod all_values;
mod class_list;
mod fit;
mod keys;
mod levels;
mod mentioned_keys;
mod merged_values;
mod options;
mod passed_on;
pub(crate) mod strings;
mod typed_lookup;
mod unknown_variables;
mod values;
pub(crate) mod variables;

use base::suggest::with_limit;
use std::ops::Range;
use std::sync::Arc;

use base::{Diagnostic, EnvironmentInput, FileInput, Fix, ModuleInput, RelatedInformation};
use hiera::document::Entry;
use hiera::{DataFile, LOOKUP_OPTIONS, Layer};
use hir::other_versions::is_other_version;
use infer::{LayerFile, data_file, has_environment_data, layer_files};
use salsa::Database;
use syntax::{Severity, TextRange};

use crate::file_diagnostics::FileDiagnostics;
use crate::rule::{Check, Rule};
use crate::suppressions::Suppressions;

pub(crate) use all_values::{
    DeadEnd, ValuesOfKey, all_values, dead_end, dug, paths_of_all, values_as_written,
    values_by_file,
};
pub use class_list::{ClassList, ClassLists, class_lists, class_names};
pub(crate) use class_list::{has_all_lists, is_listed, listed_classes};
pub(crate) use fit::{
    certain_mismatches, has_wrong_element, is_list, is_of_wrong_kind, is_wrong,
    is_wrong_after_merge,
};
pub(crate) use keys::normalized_key;
pub use keys::{ClassKey, class_key};
pub(crate) use mentioned_keys::{is_looked_up, is_named, may_be_merged};
pub(crate) use merged_values::{has_part, may_be_replaced, may_remove_parts, other_values};
pub(crate) use options::conversion;
pub use options::{KeyOptions, options_of};
pub(crate) use passed_on::{EntryType, entry_types};
pub(crate) use strings::{Content, DataInterpolation};
pub(crate) use typed_lookup::wrong_lookup;
pub(crate) use unknown_variables::{
    UNDEFINED, similar_in_class, unknown_in_class, unknown_variable,
};
pub(crate) use values::{PartialValue, partial_large_value, partial_value};
pub(crate) use variables::{FactProblemKind, variable_path};

/// The context of the checks of a data file, and the diagnostics reported so far.
pub(crate) struct DataChecker<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) file: FileInput,
    pub(crate) environment: EnvironmentInput,
    pub(crate) module: ModuleInput,
    pub(crate) layer: Layer,
    pub(crate) place: &'db LayerFile,
    pub(crate) text: &'db str,
    pub(crate) data: Arc<DataFile>,
    diagnostics: FileDiagnostics,
}

/// Checks a data file and returns the diagnostics, sorted by range; `None` if the file is not a
/// data file.
pub fn check(db: &dyn Database, file: FileInput) -> Option<Vec<Diagnostic>> {
    let (environment, module) = (file.environment(db)?, file.module(db)?);
    let files = layer_files(db, module);
    let place = files.get(&file)?;
    let format = place.format()?;
    let text = file.text(db).as_deref()?;
    let mut checker = DataChecker {
        db,
        file,
        environment,
        module,
        layer: layer_of(db, module),
        place,
        text,
        data: data_file(db, file, format),
        diagnostics: FileDiagnostics::default(),
    };
    with_limit(|| {
        for check in crate::all().flat_map(|it| it.checks) {
            if let Check::DataFile(check) = check {
                check(&mut checker);
            }
        }
    });
    let suppressions = Suppressions::in_lines(text, true);
    let is_suppressed = |it: &Diagnostic| suppressions.covers(it.code, it.range);
    Some(checker.diagnostics.finish(is_suppressed))
}

/// Checks whether a file is in a folder of Hiera data.
pub fn is_data_file(db: &dyn Database, file: FileInput) -> bool {
    let module = file.module(db);
    module.is_some_and(|it| layer_files(db, it).contains_key(&file))
}

/// Returns the layer whose data a module has.
pub fn layer_of(db: &dyn Database, module: ModuleInput) -> Layer {
    match has_environment_data(db, module) {
        true => Layer::Environment,
        false => Layer::Module(Arc::clone(module.name(db))),
    }
}

impl<'db> DataChecker<'db> {
    /// Checks whether a level can read the file.
    pub(crate) fn is_read(&self) -> bool {
        !self.place.levels.is_empty()
    }

    /// Returns the root entries, except for the options of lookups.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Entry> {
        // The keys of an invalid file do not count.
        let entries = match self.data.values {
            Ok(_) => self.data.entries(),
            Err(_) => &[],
        };
        let entries = entries.iter();
        let is_key = |it: &&Entry| !matches!(it.name(), LOOKUP_OPTIONS | "<<");
        entries.filter(|_| self.is_read()).filter(is_key)
    }

    /// Returns the options of lookups.
    pub(crate) fn lookup_options(&self) -> Option<&Entry> {
        let mut entries = self.data.entries().iter().filter(|_| self.is_read());
        entries.find(|it| it.name() == LOOKUP_OPTIONS)
    }

    /// Returns the source of a range.
    pub(crate) fn source(&self, range: TextRange) -> &'db str {
        self.text
            .get(Range::<usize>::from(range))
            .unwrap_or_default()
    }

    /// Returns the number of the diagnostics so far.
    pub(crate) fn count(&self) -> usize {
        self.diagnostics.len()
    }

    /// Reports a diagnostic with the default severity of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.report_as(rule, rule.severity, range, message)
    }

    /// Reports a diagnostic.
    pub(crate) fn report_as(
        &mut self,
        rule: &'static Rule,
        severity: Severity,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.diagnostics
            .add(rule.diagnostic(severity, range, message))
    }

    /// Runs a check of a key, whose diagnostics are only hints if another version of its module is required.
    pub(crate) fn check_of_key(&mut self, key: &str, check: impl FnOnce(&mut Self)) {
        let module = key.trim_start_matches('^').split("::").next();
        let is_uncertain = is_other_version(
            self.db,
            Some(self.environment),
            None,
            module.unwrap_or_default(),
        );
        let before = self.diagnostics.set_uncertain(is_uncertain);
        check(self);
        self.diagnostics.set_uncertain(before);
    }

    /// Returns a fix that replaces a range.
    pub(crate) fn suggested(&self, label: String, range: TextRange, text: String) -> Fix {
        let fix = syntax::Fix::suggested(label, range, text);
        Fix::in_file(self.file.id(self.db), fix)
    }

    /// Returns a fix that replaces a part of a string, unless it is written with escapes.
    pub(crate) fn replaced_as_written(
        &self,
        (range, part): (TextRange, &str),
        label: String,
        text: String,
    ) -> Option<Fix> {
        let is_exact = self.source(range) == part;
        is_exact.then(|| self.suggested(label, range, text))
    }

    /// Returns a fix that replaces a key or a string, and keeps its quotes.
    pub(crate) fn respelled(&self, range: TextRange, right: &str) -> Fix {
        let written = self.source(range);
        let quote = written.chars().next().filter(|it| matches!(it, '\'' | '"'));
        let quote = quote.map_or(String::new(), String::from);
        let text = format!("{quote}{right}{quote}");
        self.suggested(format!("Replace with `{right}`"), range, text)
    }

    /// Returns a secondary location in the file.
    pub(crate) fn related(&self, range: TextRange, message: &str) -> RelatedInformation {
        self.related_in(self.file, range, message)
    }

    /// Returns a secondary location in another file.
    pub(crate) fn related_in(
        &self,
        file: FileInput,
        range: TextRange,
        message: &str,
    ) -> RelatedInformation {
        RelatedInformation {
            file: file.id(self.db),
            range,
            message: message.to_owned(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
