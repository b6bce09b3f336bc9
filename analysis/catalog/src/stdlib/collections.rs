//! Functions about arrays and hashes.

use library::KnownFunction as F;
use types::values::{HashValue, Value, same};

use super::words;
use crate::values::flattened;

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(super) fn call(function: F, args: &[Value]) -> Option<Value> {
    match (function, args) {
        (F::Pick, args) => args.iter().find(|it| !is_blank(it)).cloned(),
        (F::PickDefault, args) => {
            let found = args.iter().find(|it| !is_blank(it));
            found.or_else(|| args.last()).cloned()
        }
        (F::Merge | F::StdlibMerge, args) => merged(args),
        (F::HasKey, [Value::Hash(hash), key]) => Some(Value::Boolean(hash.get(key).is_some())),
        (F::Any2array, args) => Some(any2array(args)),
        (F::Concat, args) => concatenated(args),
        (F::Member, [Value::Array(items), value]) => {
            let wanted = match value {
                Value::Array(wanted) => wanted.to_vec(),
                value => vec![value.clone()],
            };
            let has = |it: &Value| items.iter().any(|other| same(other, it));
            Some(Value::Boolean(wanted.iter().all(has)))
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
        (F::DeepMerge, args) => deeply_merged(args),
        (F::Hash, [Value::Hash(entries)]) => Some(Value::Hash(entries.clone())),
        (F::Hash, [Value::Array(items)]) => hash_of(items),
        _ => None,
    }
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
