//! The levels above a data file that always override its values.

use base::{FileInput, ModuleInput};
use hiera::{Layer, LevelFile};
use infer::{data_file, layer_files, layer_module, unconditional_files};

use super::DataChecker;

/// The maximum number of keys for which the texts of other files are searched.
const MAX_SEARCHES: usize = 100;

impl DataChecker<'_> {
    /// Checks whether a lookup finds the value of a key in this file, for some nodes.
    pub(crate) fn is_value_of(&self, key: &str) -> bool {
        let values = self.data.values.as_ref();
        values.is_ok_and(|it| it.contains_key(key))
            && self.overriding_file(key).is_none()
            && !self.is_overridden_by_environment(key)
    }

    /// Returns the file of a higher level of the same layer that has a key for all nodes.
    pub(crate) fn overriding_file(&self, key: &str) -> Option<FileInput> {
        let files = layer_files(self.db, self.module);
        let others = unconditional_files(self.db, self.module);
        let mut others = others.iter().filter(|it| **it != self.file);
        let found = others.find(|it| {
            let levels = files.get(it).map_or(&[][..], |it| &it.levels);
            let mut always = levels.iter().filter(|it| it.is_unconditional());
            always.any(|it| self.is_above(it)) && self.has_key(self.module, **it, key)
        });
        found.copied()
    }

    /// Checks whether a level is above all those that read this file.
    fn is_above(&self, level: &LevelFile) -> bool {
        self.place.levels.iter().all(|it| level.rank() < it.rank())
    }

    fn is_overridden_by_environment(&self, key: &str) -> bool {
        if self.layer == Layer::Environment {
            return false;
        }
        let Some(module) = layer_module(self.db, self.environment, &Layer::Environment) else {
            return false;
        };
        let files = unconditional_files(self.db, module);
        files.iter().any(|it| self.has_key(module, *it, key))
    }

    fn has_key(&self, module: ModuleInput, file: FileInput, key: &str) -> bool {
        let text = file.text(self.db).as_deref().unwrap_or_default();
        // Most files need not be parsed, if it would not take longer to search them for many keys.
        let is_small = self.data.entries().len() <= MAX_SEARCHES;
        if is_small && !text.contains(key) {
            return false;
        }
        let files = layer_files(self.db, module);
        let format = files.get(&file).and_then(|it| it.format());
        let data = format.map(|it| data_file(self.db, file, it));
        let values = data.as_ref().and_then(|it| it.values.as_ref().ok());
        values.is_some_and(|it| it.contains_key(key))
    }
}
