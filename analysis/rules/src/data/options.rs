//! The options of lookups for a key, in all data that may apply to it.

use base::EnvironmentInput;
use hiera::merge::MergeStrategy;
use hiera::{Layer, LookupKey};
use infer::{all_lookup_options, layer_module};
use salsa::Database;
use types::values::{HashValue, Regexp, Value};

/// The options of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyOptions {
    /// The merge strategy.
    pub merge: MergeStrategy,
    /// The type to convert to, with arguments.
    pub convert_to: Option<Value>,
}

/// Returns the options of a key; `None` if they depend on the node.
pub fn options_of(
    db: &dyn Database,
    environment: EnvironmentInput,
    key: &str,
) -> Option<KeyOptions> {
    let none = KeyOptions {
        merge: MergeStrategy::First,
        convert_to: None,
    };
    let module = LookupKey::parse(key).and_then(|it| it.module().map(str::to_owned));
    let layers = [
        Some(Layer::Environment),
        module.map(|it| Layer::Module(it.into())),
    ];
    let mut found: Vec<Value> = Vec::new();
    for layer in layers.into_iter().flatten() {
        let Some(module) = layer_module(db, environment, &layer) else {
            continue;
        };
        for options in all_lookup_options(db, module).ok()?.iter() {
            if let Value::Hash(options) = options {
                found.extend(own_options(options, key));
            }
        }
    }
    match &found[..] {
        [] => Some(none),
        [first, rest @ ..] if rest.iter().all(|it| it == first) => read_options(first),
        _ => None,
    }
}

/// Returns the options of a file that may apply to a key.
fn own_options(options: &HashValue, key: &str) -> Vec<Value> {
    if let Some(own) = options.get_str(key) {
        return vec![own.clone()];
    }
    let patterns = options.iter().filter(|(pattern, _)| {
        let pattern = pattern.as_str().filter(|it| it.starts_with('^'));
        pattern.is_some_and(|it| Regexp::new(it).is_match(key).unwrap_or(true))
    });
    patterns.map(|it| it.1.clone()).take(1).collect()
}

fn read_options(options: &Value) -> Option<KeyOptions> {
    let Value::Hash(options) = options else {
        return None;
    };
    let merge = options.get_str("merge").unwrap_or(&Value::Undef);
    match MergeStrategy::of_value(merge) {
        Ok(merge) => Some(KeyOptions {
            merge,
            convert_to: options
                .get_str("convert_to")
                .filter(|it| !it.is_undef())
                .cloned(),
        }),
        Err(_) => None,
    }
}

/// Returns the type and the arguments of a conversion.
pub(crate) fn conversion(convert: &Value, value: Value) -> Option<(Value, Vec<Value>)> {
    let mut arguments = match convert {
        Value::Array(items) => items.to_vec(),
        it => vec![it.clone()],
    };
    if arguments.is_empty() {
        return None;
    }
    let ty = std::mem::replace(&mut arguments[0], value);
    Some((ty, arguments))
}
