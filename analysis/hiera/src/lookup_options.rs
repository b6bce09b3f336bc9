//! `lookup_options`: the merge strategy and the conversion of keys.

use std::sync::Arc;

use types::values::{HashValue, Regexp, Value};

use crate::failure::LookupFailure;

type Result<T> = std::result::Result<T, LookupFailure>;

/// The key of options in data files.
pub const LOOKUP_OPTIONS: &str = "lookup_options";

/// The options of keys and of patterns.
#[derive(Default, Debug)]
pub(crate) struct LookupOptions {
    by_key: Vec<(Arc<str>, Value)>,
    by_pattern: Vec<(Regexp, Value)>,
}

impl LookupOptions {
    pub(crate) fn compile(options: &HashValue) -> LookupOptions {
        let mut compiled = LookupOptions::default();
        for (key, value) in options.iter() {
            let Some(name) = key.as_str() else {
                continue;
            };
            if name.starts_with('^') {
                compiled.by_pattern.push((Regexp::new(name), value.clone()));
            } else {
                compiled.by_key.push((name.into(), value.clone()));
            }
        }
        compiled
    }

    /// Checks whether options may apply to a key.
    pub(crate) fn may_apply(&self, root: &str) -> bool {
        // A name with interpolations may become that of any key.
        let is_open = |it: &str| it.contains("%{");
        let mut keys = self.by_key.iter().map(|it| &*it.0);
        let mut patterns = self.by_pattern.iter().map(|it| &it.0);
        keys.any(|it| it == root || is_open(it))
            || patterns.any(|it| is_open(it.source()) || !matches!(it.is_match(root), Ok(false)))
    }

    /// Returns the options of a key: its own, or those of the first pattern that matches.
    pub(crate) fn of_key(&self, root: &str) -> Result<Option<HashValue>> {
        if self.by_pattern.iter().any(|it| it.0.check().is_err()) {
            return error("invalid regular expression in lookup_options");
        }
        let own = self.by_key.iter().find(|it| *it.0 == *root);
        let own = own.map(|it| &it.1).filter(|it| !it.is_undef());
        if let Some(own) = own {
            return as_options(own);
        }
        for (pattern, options) in &self.by_pattern {
            match pattern.is_match(root) {
                Ok(true) => return as_options(options),
                Ok(false) => {}
                Err(_) => {
                    return Err(LookupFailure::Unknown(
                        "a pattern of lookup_options".to_owned(),
                    ));
                }
            }
        }
        Ok(None)
    }
}

fn as_options(options: &Value) -> Result<Option<HashValue>> {
    match options {
        Value::Hash(options) => Ok(Some(options.clone())),
        Value::Undef | Value::Boolean(false) => Ok(None),
        Value::String(text) if !text.contains("merge") && !text.contains("convert_to") => Ok(None),
        _ => error("the lookup_options of a key must be a hash"),
    }
}

/// Checks that options are a hash, and those of a module for keys of its own.
pub(crate) fn validated(options: Value, module: Option<&str>) -> Result<HashValue> {
    let Value::Hash(options) = options else {
        return error("value of lookup_options must be a hash");
    };
    let Some(module) = module else {
        return Ok(options);
    };
    let prefix = format!("{module}::");
    for key in options.keys() {
        let Some(key) = key.as_str() else {
            return error("a key of lookup_options is not a string");
        };
        let (name, kind, verb) = match key.strip_prefix('^') {
            Some(pattern) => (pattern, "patterns", "match a key starting"),
            None => (key, "keys", "start"),
        };
        if !name.starts_with(&prefix) {
            return error(format!(
                "all lookup_options {kind} must {verb} with module name '{module}'"
            ));
        }
    }
    Ok(options)
}

fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(LookupFailure::Error(message.into()))
}
