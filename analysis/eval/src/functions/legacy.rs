//! Functions with the Puppet 3.x API. They accept any arguments and receive them converted: `undef`
//! becomes an empty string, and types that Puppet 3 lacks become strings.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::collections::flatten_into;
use super::{Call, Family};
use crate::expressions::Evaluator;
use crate::ruby;
use crate::ruby::format::{Failed, format};
use crate::stop::{Evaluated, Stop};
use types::Type;
use types::values::{HashValue, Value, interpolated};

pub(super) const FUNCTIONS: Family = &[
    ("md5", &[("Callable[Any, 0, Optional[Callable]]", md5)]),
    ("sha1", &[("Callable[Any, 0, Optional[Callable]]", sha1)]),
    (
        "sha256",
        &[("Callable[Any, 0, Optional[Callable]]", sha256)],
    ),
    // The default of the setting `digest_algorithm`.
    (
        "digest",
        &[("Callable[Any, 0, Optional[Callable]]", sha256)],
    ),
    ("fail", &[("Callable[Any, 0, Optional[Callable]]", fail)]),
    (
        "shellquote",
        &[("Callable[Any, 0, Optional[Callable]]", shellquote)],
    ),
    (
        "sprintf",
        &[("Callable[Any, 0, Optional[Callable]]", sprintf)],
    ),
];

/// Converts the arguments as the 3.x API does.
fn handed_over(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Evaluated<Vec<Value>> {
    let items = call.args.iter().map(|it| match it {
        Value::Undef => Ok(Value::from("")),
        other => changed(evaluator, call, other),
    });
    items.collect()
}

fn changed(evaluator: &Evaluator<'_>, call: &Call<'_>, value: &Value) -> Evaluated {
    evaluator.budget.spend(1)?;
    let inner = |it: &Value| changed(evaluator, call, it);
    Ok(match value {
        Value::Array(items) => {
            Value::array(items.iter().map(inner).collect::<Evaluated<Vec<Value>>>()?)
        }
        Value::Hash(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Ok((inner(key)?, inner(value)?)));
            Value::Hash(entries.collect::<Evaluated<HashValue>>()?)
        }
        Value::Regexp(it) => Value::from(it.to_string()),
        Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_) => Value::from(interpolated(value).unwrap_or_default().to_string()),
        Value::Iterator(_) => return Err(call.error("iterators are not supported")),
        Value::Type(Type::CatalogEntry | Type::Class(_) | Type::Resource(_)) => {
            return Err(Stop::unknown("depends on the catalog"));
        }
        other => other.clone(),
    })
}

fn digest<D: Digest>(evaluator: &Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let args = handed_over(evaluator, call)?;
    let [Value::String(text)] = args.as_slice() else {
        return Err(call.error("expected one string"));
    };
    evaluator.budget.spend(text.len() as u64)?;
    let bytes = D::digest(text.as_bytes());
    let digits: String = bytes.iter().map(|it| std::format!("{it:02x}")).collect();
    Ok(Value::from(digits))
}

fn md5(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    digest::<Md5>(evaluator, call)
}

fn sha1(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    digest::<Sha1>(evaluator, call)
}

fn sha256(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    digest::<Sha256>(evaluator, call)
}

fn fail(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let args = handed_over(evaluator, call)?;
    let texts = args.iter().map(|it| ruby::to_s(it).unwrap_or_default());
    Err(Stop::runtime(texts.collect::<Vec<String>>().join(" ")))
}

fn sprintf(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let args = handed_over(evaluator, call)?;
    let Some((Value::String(template), args)) = args.split_first() else {
        return Err(call.error("expected a string as format"));
    };
    let directives = template.bytes().filter(|it| *it == b'%').count();
    evaluator
        .budget
        .spend((template.len() + 50 * directives) as u64)?;
    match format(template, args) {
        Ok(text) => evaluator.text(text),
        Err(Failed::Error(message)) => Err(call.error(message)),
        Err(Failed::Unknown(reason)) => Err(Stop::unknown(reason)),
    }
}

fn shellquote(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let mut words = Vec::new();
    flatten_into(evaluator, &handed_over(evaluator, call)?, &mut words)?;
    let mut quoted = Vec::with_capacity(words.len());
    for word in &words {
        let Value::String(word) = word else {
            return Err(call.error("expected strings"));
        };
        evaluator.budget.spend(1 + word.len() as u64)?;
        quoted.push(quote(word).ok_or_else(|| Stop::unknown("Ruby treats the string as bytes"))?);
    }
    evaluator.text(quoted.join(" "))
}

/// Quotes a word for the shell, with as little escaping as possible.
fn quote(word: &str) -> Option<String> {
    let is_safe = |it: char| it.is_ascii_alphanumeric() || "@%_+=:,./-".contains(it);
    let is_dangerous = |it: char| "!\"`$\\".contains(it);
    if !word.is_empty() && word.chars().all(is_safe) {
        return Some(word.to_owned());
    }
    if !word.contains(is_dangerous) {
        return Some(std::format!("\"{word}\""));
    }
    if !word.contains('\'') {
        return Some(std::format!("'{word}'"));
    }
    if !word.is_ascii() {
        return None;
    }
    let mut quoted = String::from("\"");
    for char in word.chars() {
        if is_dangerous(char) {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    quoted.push('"');
    Some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_words_for_the_shell() {
        let cases = [
            ("a.b", "a.b"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("c\"d", "'c\"d'"),
            ("g!'h", "\"g\\!'h\""),
        ];
        for (word, expected) in cases {
            assert_eq!(quote(word).as_deref(), Some(expected), "{word}");
        }
        assert_eq!(quote("é'!"), None);
    }
}
