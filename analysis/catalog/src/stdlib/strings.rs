//! Functions about text and paths.

use library::KnownFunction as F;
use types::values::Value;

use super::{text_of, words};

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(super) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        (F::Prefix, [Value::Array(items), Value::String(prefix)]) => {
            with_text(items, |it| format!("{prefix}{it}"))
        }
        (F::Suffix, [Value::Array(items), Value::String(suffix)]) => {
            with_text(items, |it| format!("{it}{suffix}"))
        }
        (F::JoinKeysToValues, [Value::Hash(entries), Value::String(separator)]) => {
            let mut joined = Vec::new();
            for (key, value) in entries.iter() {
                let key = text_of(key)?;
                let values = match value {
                    Value::Array(items) => items.to_vec(),
                    value => vec![value.clone()],
                };
                for value in &values {
                    let text = format!("{key}{separator}{}", text_of(value)?);
                    joined.push(Value::from(text.as_str()));
                }
            }
            Some(Value::array(joined))
        }
        (F::Squeeze, [Value::String(text)]) => Some(Value::from(squeezed(text, None)?.as_str())),
        (F::Squeeze, [Value::String(text), Value::String(set)]) => {
            Some(Value::from(squeezed(text, Some(set))?.as_str()))
        }
        (F::ShellJoin, [Value::Array(items)]) => {
            let words: Option<Vec<String>> = items
                .iter()
                .map(|it| Some(shell_escaped(&text_of(it)?)))
                .collect();
            Some(Value::from(words?.join(" ").as_str()))
        }
        (F::Basename, [Value::String(path)]) => Some(Value::from(base_name(path)?)),
        (F::Basename, [Value::String(path), Value::String(suffix)]) => {
            let name = base_name(path)?;
            // `.*` is any extension.
            let rest = name.strip_suffix(&**suffix).filter(|it| !it.is_empty());
            (**suffix != *".*").then(|| Value::from(rest.unwrap_or(name)))
        }
        (F::Dirname, [Value::String(path)]) => Some(Value::from(directory(path)?)),
        (F::ShellEscape | F::StdlibShellEscape, [value]) => {
            Some(Value::from(shell_escaped(&text_of(value)?).as_str()))
        }
        (F::StdlibStartWith, [Value::String(text), prefixes]) => {
            let has = |it: &&str| text.starts_with(it);
            Some(Value::Boolean(words(prefixes)?.iter().any(has)))
        }
        (F::StdlibEndWith, [Value::String(text), suffixes]) => {
            let has = |it: &&str| text.ends_with(it);
            Some(Value::Boolean(words(suffixes)?.iter().any(has)))
        }
        _ => None,
    }
}

/// Returns the last part of a path.
fn base_name(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    (!name.is_empty()).then_some(name)
}

/// Replaces each run of the same character, if it is in a set, by one. Sets with ranges or negation are unknown.
fn squeezed(text: &str, set: Option<&str>) -> Option<String> {
    if set.is_some_and(|it| it.is_empty() || it.contains(['-', '^', '\\'])) {
        return None;
    }
    let mut found = String::new();
    for c in text.chars() {
        let is_in_set = set.is_none_or(|it| it.contains(c));
        if !(is_in_set && found.ends_with(c)) {
            found.push(c);
        }
    }
    Some(found)
}

/// Escapes a word for a shell as `Shellwords.escape` of Ruby does.
fn shell_escaped(word: &str) -> String {
    if word.is_empty() {
        return "''".to_owned();
    }
    let mut found = String::new();
    for c in word.chars() {
        match c {
            '\n' => found.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => found.push(c),
            c => found.extend(['\\', c]),
        }
    }
    found
}

/// Returns an absolute path without its last part.
fn directory(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/')?;
    let is_plain = path.starts_with('/') && !name.is_empty() && !folder.ends_with('/');
    is_plain.then_some(if folder.is_empty() { "/" } else { folder })
}

fn with_text(items: &[Value], change: impl Fn(&str) -> String) -> Option<Value> {
    let changed = items
        .iter()
        .map(|it| Some(Value::from(change(&text_of(it)?).as_str())));
    Some(Value::array(changed.collect::<Option<_>>()?))
}
