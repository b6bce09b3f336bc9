//! Functions in Ruby of the module `stdlib`, and of other common ones, whose results only depend on their
//! arguments.

mod digests;
mod json;
pub(crate) mod random;
mod sequences;

use std::borrow::Cow;
use std::net::Ipv6Addr;

use hiera::render;
use library::KnownFunction as F;
use types::values::{HashValue, Value, same};

use crate::values::flattened;

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(crate) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        (F::Pick, args) => args.iter().find(|it| !is_blank(it)).cloned(),
        (F::PickDefault, args) => {
            let found = args.iter().find(|it| !is_blank(it));
            found.or_else(|| args.last()).cloned()
        }
        (F::Merge | F::StdlibMerge, args) => merged(args),
        (F::HasKey, [Value::Hash(hash), key]) => Some(Value::Boolean(hash.get(key).is_some())),
        (F::Any2array, args) => Some(any2array(args)),
        (F::Any2bool, [Value::Boolean(it)]) => Some(Value::Boolean(*it)),
        (F::Bool2str, [Value::Boolean(it)]) => {
            Some(Value::from(if *it { "true" } else { "false" }))
        }
        (F::Bool2str, [Value::Boolean(it), yes, no]) => Some(if *it { yes } else { no }.clone()),
        (F::Bool2num, [Value::Boolean(it)]) => Some(Value::Integer(i64::from(*it))),
        (F::Str2bool, [value]) => str2bool(value),
        (F::Concat, args) => concatenated(args),
        (F::Member, [Value::Array(items), value]) => {
            let wanted = match value {
                Value::Array(wanted) => wanted.to_vec(),
                value => vec![value.clone()],
            };
            let has = |it: &Value| items.iter().any(|other| same(other, it));
            Some(Value::Boolean(wanted.iter().all(has)))
        }
        (F::Prefix, [Value::Array(items), Value::String(prefix)]) => {
            with_text(items, |it| format!("{prefix}{it}"))
        }
        (F::Suffix, [Value::Array(items), Value::String(suffix)]) => {
            with_text(items, |it| format!("{it}{suffix}"))
        }
        (F::Delete, [Value::Array(items), value]) => {
            let removed = match value {
                Value::Array(removed) => removed.to_vec(),
                value => vec![value.clone()],
            };
            let kept = items
                .iter()
                .filter(|it| !removed.iter().any(|other| same(it, other)));
            Some(Value::array(kept.cloned().collect()))
        }
        (F::Delete, [Value::Hash(entries), keys]) => {
            let removed = words(keys)?;
            let is_kept = |it: &Value| !it.as_str().is_some_and(|it| removed.contains(&it));
            let kept = entries.iter().filter(|it| is_kept(it.0));
            Some(Value::hash(kept.map(|it| (it.0.clone(), it.1.clone()))))
        }
        (F::Delete, [Value::String(text), parts]) => {
            let rest = words(parts)?
                .iter()
                .fold(text.to_string(), |rest, it| rest.replace(it, ""));
            Some(Value::from(rest.as_str()))
        }
        (F::DeleteAt, [Value::Array(items), Value::Integer(index)]) => {
            let mut items = items.to_vec();
            let index = usize::try_from(*index)
                .ok()
                .filter(|it| *it < items.len())?;
            items.remove(index);
            Some(Value::array(items))
        }
        (F::DeleteUndefValues, [Value::Array(items)]) => {
            let kept = items
                .iter()
                .filter(|it| !it.is_undef() && it.as_str() != Some(""));
            Some(Value::array(kept.cloned().collect()))
        }
        (F::DeleteUndefValues, [Value::Hash(entries)]) => {
            let kept = entries.iter().filter(|it| !it.1.is_undef());
            Some(Value::hash(kept.map(|it| (it.0.clone(), it.1.clone()))))
        }
        (F::Union, args) => {
            let lists = lists(args)?;
            Some(Value::array(distinct(lists.into_iter().flatten())))
        }
        (F::Intersection, [Value::Array(a), Value::Array(b)]) => {
            let kept = a.iter().filter(|it| b.iter().any(|other| same(it, other)));
            Some(Value::array(distinct(kept.cloned())))
        }
        (F::Difference, [Value::Array(a), Value::Array(b)]) => {
            let kept = a.iter().filter(|it| !b.iter().any(|other| same(it, other)));
            Some(Value::array(kept.cloned().collect()))
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
        (F::Zip, [Value::Array(a), Value::Array(b)]) => {
            let pairs = a.iter().zip(b.iter()).filter(|_| a.len() == b.len());
            let pairs: Vec<Value> = pairs
                .map(|(a, b)| Value::array(vec![a.clone(), b.clone()]))
                .collect();
            (pairs.len() == a.len()).then(|| Value::array(pairs))
        }
        (
            F::Zip,
            [
                a @ Value::Array(_),
                b @ Value::Array(_),
                Value::Boolean(is_flat),
            ],
        ) => {
            let pairs = call(F::Zip, &[a.clone(), b.clone()])?;
            Some(match is_flat {
                true => Value::array(flattened([&pairs])),
                false => pairs,
            })
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
        (F::DeepMerge, args) => deeply_merged(args),
        // Of the module `openstacklib`.
        (F::IsServiceDefault, [value]) => {
            Some(Value::Boolean(value.as_str() == Some("<SERVICE DEFAULT>")))
        }
        (F::NormalizeIpForUri, [Value::Array(items)]) if items.len() != 1 => {
            let enclosed = items.iter().map(enclosed).collect::<Option<_>>()?;
            Some(Value::array(enclosed))
        }
        (F::NormalizeIpForUri, [Value::Array(items)]) => enclosed(items.first()?),
        (F::NormalizeIpForUri, [value]) => enclosed(value),
        (F::Inet6Prefix, [Value::Array(items)]) if items.len() != 1 => {
            let prefixed = items.iter().map(with_inet6).collect::<Option<_>>()?;
            Some(Value::array(prefixed))
        }
        (F::Inet6Prefix, [Value::Array(items)]) => with_inet6(items.first()?),
        (F::Inet6Prefix, [value]) => with_inet6(value),
        (F::Hash, [Value::Hash(entries)]) => Some(Value::Hash(entries.clone())),
        (F::Hash, [Value::Array(items)]) => hash_of(items),
        (F::IsArray, [value]) => Some(Value::Boolean(matches!(value, Value::Array(_)))),
        (F::IsBool, [value]) => Some(Value::Boolean(matches!(value, Value::Boolean(_)))),
        (F::IsHash, [value]) => Some(Value::Boolean(matches!(value, Value::Hash(_)))),
        (F::Basename, [Value::String(path)]) => Some(Value::from(base_name(path)?)),
        (F::Basename, [Value::String(path), Value::String(suffix)]) => {
            let name = base_name(path)?;
            // `.*` is any extension.
            let rest = name.strip_suffix(&**suffix).filter(|it| !it.is_empty());
            (**suffix != *".*").then(|| Value::from(rest.unwrap_or(name)))
        }
        (F::Dirname, [Value::String(path)]) => Some(Value::from(directory(path)?)),
        (F::Range, args) => sequences::range(args),
        (F::Count, args) => sequences::count(args),
        (F::Grep, [Value::Array(items), Value::String(pattern)]) => sequences::grep(items, pattern),
        (F::ValuesAt, [Value::Array(items), indices]) => sequences::values_at(items, indices),
        (F::StdlibNestedValues, [Value::Hash(entries)]) => {
            Some(Value::array(sequences::nested_values(entries)))
        }
        (F::EncloseIpv6, [value @ (Value::String(_) | Value::Array(_))]) => {
            sequences::enclose_ipv6(value)
        }
        (F::IsA, [value, Value::Type(ty)]) => types::is_instance(ty, value).map(Value::Boolean),
        (F::ShellEscape | F::StdlibShellEscape, [value]) => {
            Some(Value::from(shell_escaped(&text_of(value)?).as_str()))
        }
        (F::Parsejson, [Value::String(text)] | [Value::String(text), _]) => json::parse(text),
        (F::ToJson | F::StdlibToJson, [value]) => {
            Some(Value::from(render::exact_json(value)?.as_str()))
        }
        (F::ToJsonPretty | F::StdlibToJsonPretty, [value]) => {
            Some(Value::from(render::exact_pretty_json(value)?.as_str()))
        }
        (F::ToYaml | F::StdlibToYaml, [value]) => {
            Some(Value::from(render::exact_document(value)?.as_str()))
        }
        (F::Base64, args) => digests::base64(args),
        (F::StdlibSha256, [value]) => digests::sha256(value),
        (F::SeededRand | F::StdlibSeededRand, [Value::Integer(limit), Value::String(seed)]) => {
            random::number(seed, *limit).map(Value::Integer)
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

fn hash_of(items: &[Value]) -> Option<Value> {
    let is_flat = !items.iter().any(|it| matches!(it, Value::Array(_)));
    if !is_flat || !items.len().is_multiple_of(2) {
        return None;
    }
    let pairs = items.chunks_exact(2);
    let pairs = pairs.filter_map(|it| Some((it.first()?.clone(), it.get(1)?.clone())));
    Some(Value::hash(pairs))
}

fn is_blank(value: &Value) -> bool {
    value.is_undef() || value.as_str() == Some("")
}

fn merged(args: &[Value]) -> Option<Value> {
    let mut all = HashValue::from_iter([]);
    for it in args {
        match it {
            Value::Hash(entries) => all = all.merged(entries),
            it if is_blank(it) => {}
            _ => return None,
        }
    }
    Some(Value::Hash(all))
}

fn deeply_merged(args: &[Value]) -> Option<Value> {
    let mut all = HashValue::from_iter([]);
    for it in args {
        match it {
            Value::Hash(entries) => all = deep(&all, entries),
            it if is_blank(it) => {}
            _ => return None,
        }
    }
    Some(Value::Hash(all))
}

fn deep(left: &HashValue, right: &HashValue) -> HashValue {
    let both = right.iter().map(|(key, value)| {
        let value = match (left.get(key), value) {
            (Some(Value::Hash(a)), Value::Hash(b)) => Value::Hash(deep(a, b)),
            (_, value) => value.clone(),
        };
        (key.clone(), value)
    });
    left.merged(&both.collect())
}

fn any2array(args: &[Value]) -> Value {
    match args {
        [Value::Array(items)] => Value::Array(items.clone()),
        [Value::Hash(entries)] => {
            let flat = entries.iter().flat_map(|it| [it.0.clone(), it.1.clone()]);
            Value::array(flat.collect())
        }
        [it] if it.as_str() == Some("") => Value::array(Vec::new()),
        args => Value::array(args.to_vec()),
    }
}

fn str2bool(value: &Value) -> Option<Value> {
    let text = match value {
        Value::Boolean(it) => return Some(Value::Boolean(*it)),
        value => value.as_str()?,
    };
    match text.to_lowercase().as_str() {
        "y" | "1" | "t" | "true" | "yes" => Some(Value::Boolean(true)),
        "" | "n" | "0" | "f" | "false" | "no" | "undef" | "undefined" => {
            Some(Value::Boolean(false))
        }
        _ => None,
    }
}

fn concatenated(args: &[Value]) -> Option<Value> {
    let (Value::Array(first), rest) = args.split_first()? else {
        return None;
    };
    let mut all = first.to_vec();
    for it in rest {
        match it {
            Value::Array(items) => all.extend(items.iter().cloned()),
            it => all.push(it.clone()),
        }
    }
    Some(Value::array(all))
}

fn with_text(items: &[Value], change: impl Fn(&str) -> String) -> Option<Value> {
    let changed = items
        .iter()
        .map(|it| Some(Value::from(change(&text_of(it)?).as_str())));
    Some(Value::array(changed.collect::<Option<_>>()?))
}

/// Converts a value as `to_s` of Ruby does.
fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Integer(number) => Some(Cow::Owned(number.to_string())),
        Value::Boolean(it) => Some(Cow::Borrowed(if *it { "true" } else { "false" })),
        _ => None,
    }
}

/// Adds brackets to IPv6 addresses.
fn enclosed(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    if text.parse::<Ipv6Addr>().is_ok() {
        return Some(Value::from(format!("[{text}]").as_str()));
    }
    // Ruby also accepts prefixes and zones.
    let is_other = !text.contains(':') || text.starts_with('[');
    is_other.then(|| value.clone())
}

/// Adds the prefix of the libraries for `memcached` to IPv6 addresses, with brackets that a port may follow.
fn with_inet6(value: &Value) -> Option<Value> {
    let text = value.as_str()?;
    if text.starts_with("inet6:") {
        return (text.len() > "inet6:".len()).then(|| value.clone());
    }
    let is_separator = |it: char| it.is_ascii_whitespace() || matches!(it, '[' | ']');
    let mut parts = text.split(is_separator).filter(|it| !it.is_empty());
    let address = parts.next().unwrap_or_default();
    if address.parse::<Ipv6Addr>().is_ok() {
        let rest: String = parts.collect();
        return Some(Value::from(format!("inet6:[{address}]{rest}").as_str()));
    }
    // Ruby also accepts prefixes and zones.
    (!address.contains("::") && !address.contains(['/', '%'])).then(|| value.clone())
}

/// Returns a string, or those of an array.
fn words(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        value => Some(vec![value.as_str()?]),
    }
}

fn lists(args: &[Value]) -> Option<Vec<Vec<Value>>> {
    let lists = args.iter().map(|it| match it {
        Value::Array(items) => Some(items.to_vec()),
        _ => None,
    });
    lists.collect()
}

fn distinct(items: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for it in items {
        if !kept.iter().any(|other| same(other, &it)) {
            kept.push(it);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use library::KnownFunction as F;
    use types::values::Value;

    use super::call;

    #[test]
    fn converts_what_gets_a_prefix() {
        let items = Value::array(vec![
            Value::Integer(80),
            Value::from("a"),
            Value::Boolean(true),
        ]);
        let wanted = ["*:80", "*:a", "*:true"].map(Value::from);
        let found = call(F::Prefix, &[items, Value::from("*:")]);
        assert_eq!(found, Some(Value::array(wanted.to_vec())));
    }

    #[test]
    fn takes_names_and_texts_apart() {
        let text = |function, args: &[&str]| {
            let args: Vec<Value> = args.iter().map(|it| Value::from(*it)).collect();
            let found = call(function, &args)?;
            found.as_str().map(str::to_owned)
        };
        for (args, wanted) in [
            (&["/a/b.timer", ".timer"][..], Some("b")),
            (&["b.timer", ".timer"], Some("b")),
            (&[".timer", ".timer"], Some(".timer")),
            (&["b", ".timer"], Some("b")),
            (&["a/b"], Some("b")),
            (&["a/b.c", ".*"], None),
            (&["a/"], None),
        ] {
            assert_eq!(text(F::Basename, args).as_deref(), wanted, "{args:?}");
        }
        assert_eq!(text(F::Squeeze, &["aabbc"]).as_deref(), Some("abc"));
        assert_eq!(text(F::Squeeze, &["aabbc", "b"]).as_deref(), Some("aabc"));
        assert_eq!(text(F::Squeeze, &["aabbc", "a-c"]), None);
    }

    #[test]
    fn joins_and_pairs_values() {
        let words = ["a b", "", "c=$d", "\u{e4}"].map(Value::from);
        let found = call(F::ShellJoin, &[Value::array(words.to_vec())]);
        assert_eq!(found, Some(Value::from("a\\ b '' c\\=\\$d \\\u{e4}")));
        let numbers =
            |all: &[i64]| Value::array(all.iter().map(|it| Value::Integer(*it)).collect());
        let pairs = Value::array(vec![numbers(&[1, 3]), numbers(&[2, 4])]);
        let lists = [numbers(&[1, 2]), numbers(&[3, 4])];
        assert_eq!(call(F::Zip, &lists), Some(pairs));
        let [a, b] = lists;
        let flat = call(F::Zip, &[a.clone(), b, Value::Boolean(true)]);
        assert_eq!(flat, Some(numbers(&[1, 3, 2, 4])));
        assert_eq!(call(F::Zip, &[a, numbers(&[1])]), None);
        let entries = [("a", numbers(&[1, 2])), ("b", Value::Boolean(true))];
        let hash = Value::hash(entries.map(|it| (Value::from(it.0), it.1)));
        let found = call(F::JoinKeysToValues, &[hash, Value::from("=")]);
        let wanted = ["a=1", "a=2", "b=true"].map(Value::from);
        assert_eq!(found, Some(Value::array(wanted.to_vec())));
    }

    #[test]
    fn deletes_keys_and_parts() {
        let entries = ["a", "b"].map(|it| (Value::from(it), Value::Integer(1)));
        let (hash, rest) = (
            Value::hash(entries.clone()),
            Value::hash([entries[0].clone()]),
        );
        let keys = Value::array(vec!["b".into(), "c".into()]);
        assert_eq!(call(F::Delete, &[hash, keys]), Some(rest));
        let found = call(F::Delete, &["abracadabra".into(), "bra".into()]);
        assert_eq!(found, Some("acada".into()));
    }

    #[test]
    fn prefixes_addresses() {
        for (given, wanted) in [
            ("::1", "inet6:[::1]"),
            ("[fd12::1]:11211", "inet6:[fd12::1]:11211"),
            ("inet6:[::1]", "inet6:[::1]"),
            ("10.0.0.1:11211", "10.0.0.1:11211"),
            ("<SERVICE DEFAULT>", "<SERVICE DEFAULT>"),
        ] {
            let found = call(F::Inet6Prefix, &[Value::from(given)]);
            assert_eq!(found, Some(Value::from(wanted)), "{given}");
        }
        assert_eq!(call(F::Inet6Prefix, &["fe80::1%eth0".into()]), None);
    }

    #[test]
    fn encloses_addresses() {
        for (given, wanted) in [
            ("::1", "[::1]"),
            ("[::1]", "[::1]"),
            ("10.0.0.1", "10.0.0.1"),
            ("a.example.com", "a.example.com"),
        ] {
            let found = call(F::NormalizeIpForUri, &[Value::from(given)]);
            assert_eq!(found, Some(Value::from(wanted)), "{given}");
        }
        assert_eq!(call(F::NormalizeIpForUri, &[Value::from("a:80")]), None);
    }
}
