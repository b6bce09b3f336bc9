//! The merge strategies of lookups.

mod deep;

use types::mismatch;
use types::values::{HashValue, Value};
use types::{Type, infer_detailed, is_instance};

use crate::failure::LookupFailure;

/// A merge strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeStrategy {
    /// The first value that is found, which is the default.
    First,
    /// The elements of all values, without duplicates.
    Unique,
    /// The keys of all hashes; the values of higher levels win.
    Hash,
    /// The keys of all hashes, recursively.
    Deep(DeepOptions),
}

/// The options of a deep merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeepOptions {
    /// The prefix of values to be removed.
    pub knockout_prefix: Option<String>,
    /// Whether arrays are sorted after merging.
    pub sort_merged_arrays: bool,
    /// Whether hashes in arrays are merged by their index.
    pub merge_hash_arrays: bool,
    /// Whether lower levels win, as in Hiera 3.
    pub reverse: bool,
    /// The name of the strategy.
    pub name: DeepName,
    /// The options as they were given.
    pub given: Option<Value>,
}

/// The name of a deep strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeepName {
    /// `deep`
    #[default]
    Deep,
    /// `unconstrained_deep`
    Unconstrained,
    /// `reverse_deep`
    Reverse,
}

/// The names of all strategies, except those that exist for Hiera 3 only.
pub const STRATEGIES: [&str; 4] = ["deep", "first", "hash", "unique"];

/// The options of `deep`.
pub const DEEP_OPTIONS: [&str; 5] = [
    "knockout_prefix",
    "merge_debug",
    "merge_hash_arrays",
    "sort_merged_arrays",
    "strategy",
];

impl MergeStrategy {
    /// Returns the strategy that a value of `merge` stands for: a name, or a hash with options.
    ///
    /// # Errors
    ///
    /// Returns Puppet's message if the value is not a merge strategy.
    pub fn of_value(value: &Value) -> Result<MergeStrategy, String> {
        let (name, options) = match value {
            Value::Undef | Value::Boolean(false) => return Ok(MergeStrategy::First),
            Value::Hash(options) => match options.get_str("strategy") {
                None | Some(Value::Undef) => {
                    return Err(
                        "The hash given as 'merge' must contain the name of a strategy in \
                                string form for the key 'strategy'"
                            .to_owned(),
                    );
                }
                Some(name) => (name, Some(options).filter(|it| it.len() > 1)),
            },
            name => (name, None),
        };
        let unknown = || {
            let shown = types::values::interpolated(name).unwrap_or_default();
            format!("Unknown merge strategy: '{shown}'")
        };
        let name = name.as_str().ok_or_else(unknown)?;
        let deep_name = match name {
            "deep" => DeepName::Deep,
            "unconstrained_deep" => DeepName::Unconstrained,
            "reverse_deep" => DeepName::Reverse,
            "default" | "first" | "unique" | "hash" => {
                if let Some(wrong) =
                    options.and_then(|it| it.keys().find(|key| key.as_str() != Some("strategy")))
                {
                    return Err(unrecognized(wrong));
                }
                return Ok(match name {
                    "unique" => MergeStrategy::Unique,
                    "hash" => MergeStrategy::Hash,
                    _ => MergeStrategy::First,
                });
            }
            _ => return Err(unknown()),
        };
        let mut deep = DeepOptions {
            name: deep_name,
            reverse: deep_name == DeepName::Reverse,
            ..DeepOptions::default()
        };
        if let Some(options) = options {
            deep.read(options, deep_name == DeepName::Deep)?;
        }
        Ok(MergeStrategy::Deep(deep))
    }

    /// Returns the name of the strategy as in explanations.
    pub fn name(&self) -> &'static str {
        match self {
            MergeStrategy::First => "first",
            MergeStrategy::Unique => "unique",
            MergeStrategy::Hash => "hash",
            MergeStrategy::Deep(options) => match options.name {
                DeepName::Deep => "deep",
                DeepName::Unconstrained => "unconstrained_deep",
                DeepName::Reverse => "reverse_deep",
            },
        }
    }

    /// Converts the first value that was found, if there may be others.
    pub(crate) fn convert_first(&self, value: Value) -> Value {
        match self {
            MergeStrategy::Unique => Value::array(flattened(&value)),
            _ => value,
        }
    }

    /// Converts a value, if there cannot be another one.
    pub(crate) fn convert_single(&self, value: Value) -> Value {
        match (self, &value) {
            (MergeStrategy::Unique, Value::Array(items)) => Value::array(unique(items)),
            _ => value,
        }
    }

    /// Merges the values found so far with one of a lower level.
    ///
    /// # Errors
    ///
    /// If the values are not of the types that the strategy requires.
    pub fn merge(&self, upper: &Value, lower: &Value) -> Result<Value, LookupFailure> {
        match self {
            MergeStrategy::First => Ok(upper.clone()),
            MergeStrategy::Unique => {
                check_elements(upper, lower, &unique_type(), is_unique_operand)?;
                let mut all = flattened(upper);
                all.extend(flattened(lower));
                Ok(Value::array(unique(&all)))
            }
            MergeStrategy::Hash => {
                check_elements(upper, lower, &hash_type(), is_hash_operand)?;
                match (upper, lower) {
                    (Value::Hash(upper), Value::Hash(lower)) => {
                        Ok(Value::Hash(lower.merged(upper)))
                    }
                    _ => Ok(upper.clone()),
                }
            }
            MergeStrategy::Deep(options) if options.reverse => deep::merge(lower, upper, options),
            MergeStrategy::Deep(options) => deep::merge(upper, lower, options),
        }
    }
}

impl DeepOptions {
    fn read(&mut self, options: &HashValue, constrained: bool) -> Result<(), String> {
        for (key, value) in options.iter() {
            let is = |name| key.as_str() == Some(name);
            let is_boolean = matches!(value, Value::Boolean(_) | Value::Undef);
            let is_string = matches!(value, Value::String(_) | Value::Undef);
            let fits = match key.as_str() {
                Some("strategy") => true,
                Some("knockout_prefix") => is_string,
                Some("merge_debug" | "merge_hash_arrays" | "sort_merged_arrays") => is_boolean,
                _ if constrained => return Err(unrecognized(key)),
                _ => true,
            };
            if constrained && !fits {
                let name = key.as_str().unwrap_or_default();
                return Err(format!("The merge options entry '{name}' has wrong type"));
            }
            if is("knockout_prefix") {
                self.knockout_prefix = value.as_str().map(str::to_owned);
            } else if is("sort_merged_arrays") {
                self.sort_merged_arrays = value.is_truthy();
            } else if is("merge_hash_arrays") {
                self.merge_hash_arrays = value.is_truthy();
            }
        }
        self.given = Some(Value::Hash(options.clone()));
        Ok(())
    }
}

fn unrecognized(key: &Value) -> String {
    let key = types::values::interpolated(key).unwrap_or_default();
    format!("The merge options has wrong type, unrecognized key '{key}'")
}

fn check_elements(
    upper: &Value,
    lower: &Value,
    expected: &Type,
    fits: fn(&Value) -> bool,
) -> Result<(), LookupFailure> {
    for (subject, value) in [("first", upper), ("second", lower)] {
        if !fits(value) {
            let subject = format!("The {subject} element of the merge");
            let message = mismatch::describe(&subject, expected, &infer_detailed(value));
            return Err(LookupFailure::Error(message));
        }
    }
    Ok(())
}

/// `Hash[String, Data]`
fn is_hash_operand(value: &Value) -> bool {
    match value {
        Value::Hash(map) => map
            .iter()
            .all(|(key, value)| key.as_str().is_some() && is_data(value)),
        _ => false,
    }
}

/// `Variant[Scalar, Array[Data]]`
fn is_unique_operand(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_data),
        _ => is_instance(&Type::Scalar, value) != Some(false),
    }
}

/// `Data`
fn is_data(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_data),
        Value::Hash(_) => is_hash_operand(value),
        Value::Undef => true,
        _ => is_instance(&Type::ScalarData, value) != Some(false),
    }
}

fn read_type(source: &str) -> Type {
    types::reader::read(source, &types::reader::BuiltInTypes).unwrap_or(Type::Any)
}

fn hash_type() -> Type {
    read_type("Hash[String, Data]")
}

fn unique_type() -> Type {
    read_type("Variant[Scalar, Array[Data]]")
}

fn flattened(value: &Value) -> Vec<Value> {
    let mut flat = Vec::new();
    flatten_into(value, &mut flat);
    flat
}

fn flatten_into(value: &Value, flat: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|it| flatten_into(it, flat)),
        it => flat.push(it.clone()),
    }
}

fn unique(items: &[Value]) -> Vec<Value> {
    let mut seen: indexmap::IndexSet<&Value, rustc_hash::FxBuildHasher> =
        indexmap::IndexSet::default();
    seen.extend(items);
    seen.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn unique_only_merges_data() {
        let secret = Value::Sensitive(Arc::new(Value::from("x")));
        let list = Value::array(vec![Value::from("a")]);
        for refused in [
            secret.clone(),
            Value::array(vec![Value::array(vec![secret])]),
            Value::array(vec![Value::Default]),
            Value::Undef,
        ] {
            assert!(MergeStrategy::Unique.merge(&list, &refused).is_err());
        }
        let others = Value::array(vec![Value::from("a"), Value::Undef]);
        let merged = MergeStrategy::Unique.merge(&list, &others);
        assert_eq!(merged.ok(), Some(others));
    }
}
