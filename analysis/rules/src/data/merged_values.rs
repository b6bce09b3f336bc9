//! Values that a lookup merges with those of other levels.

use hiera::Layer;
use infer::{layer_files, layer_keys};
use types::mismatch::{Mismatch, Problem, Step};
use types::values::Value;

use super::DataChecker;
use super::all_values::values_by_file;

/// Returns the values of a key in the other files of the environment and the module of the key, as far as they are
/// known.
pub(crate) fn other_values(checker: &DataChecker<'_>, key: &str) -> Vec<Option<Value>> {
    let Some(values) = values_by_file(checker.db, checker.environment, key) else {
        return vec![None];
    };
    let others = values.into_iter().filter(|it| it.0 != checker.file);
    others.map(|it| it.1?.1.value).collect()
}

/// Checks whether one of the values may remove parts of others with a knockout prefix.
pub(crate) fn may_remove_parts(others: &[Option<Value>], prefix: &str) -> bool {
    let mut others = others.iter();
    others.any(|it| it.as_ref().is_none_or(|it| has_prefix(it, prefix)))
}

/// Checks whether a string in a value starts with a prefix, even if interpolation may add it.
fn has_prefix(value: &Value, prefix: &str) -> bool {
    match value {
        Value::String(it) => it.starts_with(prefix) || it.starts_with("%{"),
        Value::Array(items) => items.iter().any(|it| has_prefix(it, prefix)),
        Value::Hash(entries) => {
            let mut entries = entries.iter();
            entries.any(|it| has_prefix(it.0, prefix) || has_prefix(it.1, prefix))
        }
        _ => false,
    }
}

/// Checks whether a value has the part that a mismatch is about, which a merge may change, or removes it.
pub(crate) fn has_part(value: &Value, mismatch: &Mismatch, prefix: Option<&str>) -> bool {
    let unknown = match &mismatch.problem {
        Problem::Unknown(key) => Some(Step::Entry(key.clone())),
        _ => None,
    };
    let mut at = value;
    for step in mismatch.path.iter().chain(&unknown) {
        let (Step::Entry(key) | Step::KeyOf(key)) = step else {
            return true;
        };
        let Value::Hash(entries) = at else {
            return true;
        };
        let is_removed = prefix.is_some_and(|it| entries.get_str(&format!("{it}{key}")).is_some());
        match entries.get_str(key) {
            Some(part) => at = part,
            None => return is_removed,
        }
    }
    true
}

/// Checks whether a value only holds the place of one in higher levels, or in the data of a module's users.
pub(crate) fn may_be_replaced(checker: &DataChecker<'_>, key: &str) -> bool {
    if matches!(checker.layer, Layer::Module(_)) {
        return true;
    }
    let files = layer_files(checker.db, checker.module);
    let own = &checker.place.levels;
    let keys = layer_keys(checker.db, checker.module);
    let mut others = keys
        .files_with(key)
        .iter()
        .filter(|it| **it != checker.file);
    others.any(|it| {
        let levels = files.get(it).map_or(&[][..], |it| &it.levels);
        levels
            .iter()
            .any(|it| own.iter().any(|own| it.may_precede(own)))
    })
}
