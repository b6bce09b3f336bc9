//! All values of a key in the data of an environment.

use std::sync::Arc;

use base::{EnvironmentInput, FileInput};
use hiera::merge::MergeStrategy;
use hiera::{Layer, LookupKey, RootValue, Segment};
use infer::{
    KeyPresence, data_file, key_presence, layer_files, layer_keys, layer_module,
    unconditional_files,
};
use salsa::Database;
use types::Type;
use types::values::Value;

use super::options::options_of;
use super::values::{PartialValue, partial_value};

/// A value of a root key, with the path of its file.
type ValueInFile = (Arc<str>, PartialValue);

/// The values of a root key, with the paths of their files.
pub(crate) type ValuesOfKey = Vec<ValueInFile>;

/// Returns all values of a root key in data; `None` if there may be others.
pub(crate) fn all_values(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<ValuesOfKey> {
    if key_presence(db, environment, key) != KeyPresence::Present {
        return None;
    }
    LookupKey::parse(key)?;
    let values = values_by_file(db, environment, key)?.into_iter();
    values.map(|it| it.1).collect()
}

/// Returns the paths of the data files of an environment that all nodes read.
pub(crate) fn paths_of_all(db: &dyn Database, environment: EnvironmentInput) -> Vec<Arc<str>> {
    let Some(own) = layer_module(db, environment, &Layer::Environment) else {
        return Vec::new();
    };
    let (files, of_all) = (layer_files(db, own), unconditional_files(db, own));
    let places = of_all.iter().filter_map(|it| files.get(it));
    places.map(|it| Arc::clone(&it.path)).collect()
}

/// Returns the values of a root key with the path, for each file of the environment and the module of the key that has
/// it, as far as they are known; `None` if there may be other files.
pub(crate) fn values_by_file(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<Vec<(FileInput, Option<ValueInFile>)>> {
    let module = LookupKey::parse(key).and_then(|it| Some(Layer::Module(it.module()?.into())));
    let layers = [Some(Layer::Environment), module].into_iter().flatten();
    let mut found = Vec::new();
    for module in layers.filter_map(|it| layer_module(db, environment, &it)) {
        let keys = layer_keys(db, module);
        if !keys.is_known() {
            return None;
        }
        let files = layer_files(db, module);
        let value_in = |file: FileInput| {
            let place = files.get(&file)?;
            let data = data_file(db, file, place.format()?);
            match data.values.as_ref().ok()?.get(key)? {
                RootValue::Value(value) => Some((Arc::clone(&place.path), partial_value(value))),
                _ => None,
            }
        };
        let files = keys.files_with(key).iter();
        found.extend(files.map(|it| (*it, value_in(*it))));
    }
    Some(found)
}

/// Returns all values that a key, which may have a path, stands for as it is in data; `None` if they are unknown, or
/// merged or converted first.
pub(crate) fn values_as_written(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &LookupKey,
) -> Option<ValuesOfKey> {
    let options = options_of(db, environment, &key.root)?;
    let is_merged = options.merge != MergeStrategy::First && key.segments.is_empty();
    if is_merged || options.convert_to.is_some() {
        return None;
    }
    let values = all_values(db, environment, &key.root)?.into_iter();
    let part = |value: PartialValue| match &key.segments[..] {
        [] => Some(value),
        path => Some(PartialValue::of_value(dug(&value.value?, path)?)),
    };
    values.map(|it| Some((it.0, part(it.1)?))).collect()
}

/// Returns what a path leads to in a value.
pub(crate) fn dug(value: &Value, segments: &[Segment]) -> Option<Value> {
    let mut segments = segments.iter();
    let part = segments.try_fold(value, |it, segment| segment.member_of(it));
    part.cloned()
}

/// The reason why a path into a value leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DeadEnd {
    /// The value before the segment with this index lacks the key: the lookup has no result.
    Missing(usize),
    /// The value before the segment with this index has no parts: Puppet fails.
    Scalar(usize),
}

/// Returns where the path of a key ends in each of its values, if it certainly leads nowhere in any of them; the reason
/// is that of the first value.
pub(crate) fn dead_end(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &LookupKey,
) -> Option<DeadEnd> {
    if key.segments.is_empty() {
        return None;
    }
    let options = options_of(db, environment, &key.root)?;
    if options.convert_to.is_some() {
        return None;
    }
    let values = all_values(db, environment, &key.root)?;
    let ends = values.iter().map(|it| dead_end_in(&it.1, &key.segments));
    let ends: Vec<DeadEnd> = ends.collect::<Option<_>>()?;
    ends.into_iter().next()
}

fn dead_end_in(value: &PartialValue, segments: &[Segment]) -> Option<DeadEnd> {
    let Some(whole) = &value.value else {
        // The text of a string may be unknown, but not that it is one.
        return (value.type_ == Type::STRING).then_some(DeadEnd::Scalar(0));
    };
    let mut at = whole;
    for (index, segment) in segments.iter().enumerate() {
        match (at, segment.member_of(at)) {
            (_, Some(part)) => at = part,
            (Value::Array(_), None) if matches!(segment, Segment::Name(_)) => {
                return Some(DeadEnd::Scalar(index));
            }
            (Value::Array(_) | Value::Hash(_) | Value::Undef, None) => {
                return Some(DeadEnd::Missing(index));
            }
            (_, None) => return Some(DeadEnd::Scalar(index)),
        }
    }
    None
}
