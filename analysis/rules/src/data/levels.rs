//! The levels above a data file that always override its values.

use base::FileInput;
use hiera::{Layer, LevelFile};
use infer::{layer_files, layer_keys, layer_module};

use super::DataChecker;

impl DataChecker<'_> {
    /// Checks whether a lookup finds the value of a key in this file, for some nodes.
    pub(crate) fn is_value_of(&self, key: &str) -> bool {
        let has_key = self
            .data
            .values
            .as_ref()
            .is_ok_and(|it| it.contains_key(key));
        has_key && self.overriding_file(key).is_none() && !self.is_overridden_by_environment(key)
    }

    /// Returns the file of a higher level of the same layer that has a key for all nodes.
    pub(crate) fn overriding_file(&self, key: &str) -> Option<FileInput> {
        let keys = layer_keys(self.db, self.module);
        let files = layer_files(self.db, self.module);
        let mut others = keys.files_with(key).iter().filter(|it| **it != self.file);
        others
            .find(|it| {
                let levels = files.get(it).map_or(&[][..], |it| &it.levels);
                let mut always = levels.iter().filter(|it| it.is_unconditional());
                always.any(|it| self.is_above(it))
            })
            .copied()
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
        let files = layer_files(self.db, module);
        let keys = layer_keys(self.db, module);
        let mut levels = keys.files_with(key).iter().filter_map(|it| files.get(it));
        levels.any(|it| it.levels.iter().any(LevelFile::is_unconditional))
    }
}
