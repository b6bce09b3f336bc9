//! The levels above a data file that always override its values.

use base::FileInput;
use hiera::{Layer, LevelFile};
use infer::{layer_files, layer_module, unconditional_files_with};

use super::DataChecker;

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
        let others = unconditional_files_with(self.db, self.module, key);
        let mut others = others.iter().filter(|it| **it != self.file);
        let found = others.find(|it| {
            let levels = files.get(it).map_or(&[][..], |it| &it.levels);
            let mut always = levels.iter().filter(|it| it.is_unconditional());
            always.any(|it| self.is_above(it))
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
        !unconditional_files_with(self.db, module, key).is_empty()
    }
}
