//! Functions in Ruby of the module `stdlib`, and of other common ones, whose results only depend on their
//! arguments.

mod addresses;
mod collections;
mod conversion;
mod digests;
mod json;
pub(crate) mod random;
mod sequences;
mod strings;

use std::borrow::Cow;

use library::KnownFunction as F;
use types::values::Value;

/// Calls a function; `None` if it is another one, or the result is unknown.
pub(crate) fn call(function: F, args: &[Value]) -> Option<Value> {
    let families = [
        addresses::call,
        collections::call,
        conversion::call,
        sequences::call,
        strings::call,
    ];
    families.iter().find_map(|call| call(function, args))
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

/// Returns a string, or those of an array.
fn words(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        value => Some(vec![value.as_str()?]),
    }
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
