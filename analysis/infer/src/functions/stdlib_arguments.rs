//! The arguments that functions of the `stdlib` module refuse. Those of the Puppet 3.x function API have no
//! signatures: their code checks the arguments, and raises an error.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

use super::stdlib_validation::{
    expected, is_no_domain_name, is_no_email_address, is_refused, unparsable,
};
use crate::inferred::Inferred;
use library::KnownFunction as F;
use types::values::Value;
use types::{Type, reader};

/// The values that a function accepts for a parameter.
pub(crate) struct Accepted {
    pub(crate) name: &'static str,
    /// The name of the accepted values.
    pub(crate) description: &'static str,
    pub(crate) type_: Type,
}

/// The name of a parameter, that of the values that it accepts, and their type.
type Parameter = (&'static str, &'static str, &'static str);

/// A function with its parameters.
type Row = (&'static str, &'static [Parameter]);

const VALIDATE_RE: &str = F::ValidateRe.name();

const ARRAY: Parameter = ("array", "an array", "Array");
const TEXTS: Parameter = (
    "value",
    "a string or an array",
    "Variant[String, Array, Undef]",
);
const HASHES: Parameter = ("hashes", "a hash", "Variant[Hash, Undef, String[0, 0]]");
const HASH: Parameter = ("input", "a hash", "Hash");
const BOOLEAN_WORD: Parameter = (
    "string",
    "a word for a boolean, such as `yes` or `no`",
    "Variant[Boolean, Undef, Pattern[/^$/, /^(?i:1|t|y|true|yes|0|f|n|false|no|undef|undefined)$/]]",
);
const POSITIVE: Parameter = (
    "limit",
    "a positive integer",
    "Variant[Integer[1], Pattern[/[1-9]/]]",
);
const AFFIX: Parameter = (
    "affix",
    "a string",
    "Variant[String, Undef, Boolean[false]]",
);
const COLLECTION: Parameter = ("enumerable", "an array or a hash", "Variant[Array, Hash]");
const PATH: Parameter = ("path", "a string", "Variant[String, Undef]");
const TEXT: Parameter = ("text", "a string", "Variant[String, Undef]");
const RESOURCE_TYPE: Parameter = ("type_name", "the name of a resource type", "String[1]");
const ANY: Parameter = ("value", "a value", "Any");

/// The parameters of functions, with the types of what they accept; the last one repeats. `undef` arrives as an
/// empty string. All versions with the 3.x function agree.
const ROWS: &[Row] = &[
    (
        F::Base64.name(),
        &[
            ("action", "`encode` or `decode`", "Enum['encode', 'decode']"),
            ("string", "a string", "Variant[String, Undef]"),
            (
                "method",
                "`default`, `strict` or `urlsafe`",
                "Enum['default', 'strict', 'urlsafe']",
            ),
        ],
    ),
    (F::Basename.name(), &[PATH]),
    (F::Bool2num.name(), &[BOOLEAN_WORD]),
    (
        F::Bool2str.name(),
        &[("value", "a boolean", "Boolean"), AFFIX],
    ),
    (F::Concat.name(), &[ARRAY, ANY]),
    (F::DeepMerge.name(), &[HASHES]),
    (
        F::DefinedWithParams.name(),
        &[
            (
                "reference",
                "a reference to a resource",
                r"Pattern[/\A[^\[\]]+\[(?m:.+)\]\z/]",
            ),
            ANY,
        ],
    ),
    (
        F::Delete.name(),
        &[
            (
                "collection",
                "an array, a hash or a string",
                "Variant[Array, Hash, String, Undef]",
            ),
            ANY,
        ],
    ),
    (
        F::DeleteAt.name(),
        &[
            ARRAY,
            (
                "position",
                "an index",
                r"Variant[Integer, Pattern[/^\d+$/]]",
            ),
        ],
    ),
    (F::DeleteUndefValues.name(), &[COLLECTION]),
    (F::DeleteValues.name(), &[HASH, ANY]),
    (F::Difference.name(), &[ARRAY]),
    (F::Dirname.name(), &[PATH]),
    ("dos2unix", &[TEXT]),
    (
        F::EnsureResource.name(),
        &[
            RESOURCE_TYPE,
            ANY,
            ("attributes", "a hash", "Variant[Hash, Undef, String[0, 0]]"),
        ],
    ),
    (
        F::EnsureResources.name(),
        &[
            RESOURCE_TYPE,
            ("resources", "a hash", "Hash"),
            ("attributes", "a hash", "Variant[Hash, Undef, String[0, 0]]"),
        ],
    ),
    (F::FqdnRandString.name(), &[POSITIVE, ANY]),
    (F::Grep.name(), &[COLLECTION, ANY]),
    (F::HasKey.name(), &[HASH, ANY]),
    (F::Intersection.name(), &[ARRAY]),
    (
        F::JoinKeysToValues.name(),
        &[HASH, ("separator", "a string", "Variant[String, Undef]")],
    ),
    ("loadjson", &[PATH, ANY]),
    ("loadyaml", &[PATH, ANY]),
    (
        F::Member.name(),
        &[
            ARRAY,
            (
                "item",
                "a string, an integer or an array",
                "Variant[String, Integer, Array]",
            ),
        ],
    ),
    (F::Merge.name(), &[HASHES]),
    (
        F::Num2bool.name(),
        &[(
            "value",
            "a number",
            r"Variant[Numeric, Boolean, Array, Hash, Pattern[/\d/]]",
        )],
    ),
    (F::Prefix.name(), &[COLLECTION, AFFIX]),
    (
        "pw_hash",
        &[
            ANY,
            (
                "algorithm",
                "the name of an algorithm",
                "Variant[Pattern[/(?i:md5|sha-?256|sha-?512|bcrypt)/]]",
            ),
            ANY,
        ],
    ),
    (F::Regexpescape.name(), &[TEXTS]),
    (F::Reverse.name(), &[TEXTS]),
    (
        F::SeededRand.name(),
        &[POSITIVE, ("seed", "a string", "Variant[String, Undef]")],
    ),
    (F::ShellJoin.name(), &[ARRAY]),
    (F::Shuffle.name(), &[TEXTS]),
    (F::Squeeze.name(), &[TEXTS, ANY]),
    (F::Str2bool.name(), &[BOOLEAN_WORD]),
    (F::Suffix.name(), &[COLLECTION, AFFIX]),
    (F::Swapcase.name(), &[TEXTS]),
    (
        "to_bytes",
        &[(
            "value",
            "a number of bytes",
            r"Variant[Numeric, Undef, Pattern[/\A[0-9.e+-]*\s*([bBkMGTPE]|\z)/]]",
        )],
    ),
    (F::Union.name(), &[ARRAY]),
    ("unix2dos", &[TEXT]),
    (F::Uriescape.name(), &[TEXTS]),
    (F::ValuesAt.name(), &[ARRAY, ANY]),
    (F::Zip.name(), &[ARRAY, ARRAY, ANY]),
];

static ACCEPTED: LazyLock<FxHashMap<&str, Vec<Accepted>>> = LazyLock::new(|| {
    let accepted = |&(name, description, source): &Parameter| Accepted {
        name,
        description,
        type_: reader::read(source, &reader::BuiltInTypes).unwrap_or(Type::Any),
    };
    let rows = ROWS.iter();
    rows.map(|(function, all)| (*function, all.iter().map(accepted).collect()))
        .collect()
});

/// Returns what a function accepts for the argument at an index.
pub(crate) fn accepted(function: &str, index: usize) -> Option<&'static Accepted> {
    let all = ACCEPTED.get(function)?;
    all.get(index).or(all.last())
}

/// Returns why a call fails for the values of its arguments, although each is of an accepted type.
pub(crate) fn failure(function: &str, arguments: &[Inferred]) -> Option<String> {
    let value = |index: usize| arguments.get(index).and_then(|it| it.value.as_ref());
    match F::from_name(function) {
        Some(F::Pick) => {
            let is_missing = |it: &Inferred| {
                let value = it.value.as_ref();
                value.is_some_and(|it| *it == Value::Undef || it.as_str() == Some(""))
            };
            if arguments.is_empty() {
                return Some("expected at least 1 argument, found 0".to_owned());
            }
            let all_missing = arguments.iter().all(is_missing);
            all_missing.then(|| "all arguments are `undef` or empty".to_owned())
        }
        Some(F::DeleteAt | F::ValuesAt) => failing_index(value(0)?, value(1)?),
        Some(F::Range) if arguments.len() == 1 => {
            let text = value(0)?;
            let is_range = |it: &str| it.contains("..") || it.contains('-');
            let is_wrong = match text {
                Value::String(it) => !is_range(it),
                Value::Integer(_) | Value::Float(_) => true,
                _ => false,
            };
            is_wrong.then(|| "expected two values, or a range such as `1..9`".to_owned())
        }
        Some(F::Range) => {
            let is_zero = matches!(value(2)?, Value::Integer(0)) || value(2)?.as_str() == Some("0");
            is_zero.then(|| "the step is 0".to_owned())
        }
        Some(F::Count) if arguments.len() == 1 => {
            let is_text = arguments[0].is_a(&Type::STRING) == Some(true);
            is_text.then(|| "expected an array or a hash".to_owned())
        }
        Some(F::Hash) => {
            let Value::Array(all) = value(0)? else {
                return None;
            };
            let is_flat = |it: &Value| !matches!(it, Value::Array(_) | Value::Hash(_));
            let is_odd = all.iter().all(is_flat) && all.len() % 2 == 1;
            is_odd.then(|| "the array has an odd number of elements".to_owned())
        }
        Some(F::EnsureResource | F::EnsureResources) if arguments.len() < 2 => {
            Some("missing title".to_owned())
        }
        Some(F::EnsureResource) => {
            let is_missing = |it: &Value| match it {
                Value::String(it) => it.is_empty(),
                Value::Undef | Value::Boolean(false) => true,
                _ => false,
            };
            let is_missing = match value(1)? {
                Value::Array(all) => all.iter().any(is_missing),
                title => is_missing(title),
            };
            is_missing.then(|| "missing title".to_owned())
        }
        _ => other_failure(function, arguments),
    }
}

/// Checks whether a function parses a string.
fn is_parser(function: &str) -> bool {
    function == "parseyaml" || F::from_name(function) == Some(F::Parsejson)
}

/// Returns why a call of a function that is only known by its name fails.
fn other_failure(function: &str, arguments: &[Inferred]) -> Option<String> {
    let is_text = |it: &Inferred| it.is_a(&Type::STRING) == Some(true);
    let is_number = |it: &Inferred| {
        let number = Type::variant([Type::INTEGER, Type::FLOAT]);
        it.is_a(&number) == Some(true)
    };
    let is_list = |it: &Inferred| {
        let list = Type::variant([Type::any_array(), Type::any_hash()]);
        it.is_a(&list) == Some(true)
    };
    match (function, arguments) {
        // A second argument is the value if this one cannot be parsed.
        (parser, [text]) if is_parser(parser) && (is_number(text) || is_list(text)) => {
            Some("expected a string".to_owned())
        }
        (parser, [text]) if is_parser(parser) => {
            let text = text.value.as_ref()?.as_str()?;
            unparsable(function, text)
        }
        ("str2saltedsha512", [text, ..]) if is_number(text) || is_list(text) => {
            Some("expected a string".to_owned())
        }
        (validate, [first, ..]) if is_refused_argument(validate, first, arguments) => {
            expected(validate).map(|it| format!("expected {it}"))
        }
        // Lists of values are flattened.
        ("clamp", all) if all.len() != 3 && all.iter().all(|it| is_text(it) || is_number(it)) => {
            let count = all.len();
            Some(format!("expected 3 values, found {count}"))
        }
        ("getparam", [_]) => Some("missing name of a parameter".to_owned()),
        ("getparam", [_, name, ..]) if is_number(name) || is_list(name) => {
            Some("expected the name of a parameter".to_owned())
        }
        _ => None,
    }
}

/// Checks whether a function that validates values refuses one of its arguments.
fn is_refused_argument(function: &str, first: &Inferred, arguments: &[Inferred]) -> bool {
    let values = || arguments.iter().map(|it| it.value.as_ref());
    match function {
        "validate_email_address" | "validate_domain_name" => {
            let is_wrong = match function {
                "validate_email_address" => is_no_email_address,
                _ => is_no_domain_name,
            };
            let mut texts = values().flatten().filter_map(Value::as_str);
            texts.any(is_wrong)
        }
        "validate_integer" | "validate_numeric" | VALIDATE_RE => {
            let rest: Vec<_> = values().skip(1).collect();
            let value = first.value.as_ref();
            value.is_some_and(|it| is_refused(function, it, &rest))
        }
        _ => values().flatten().any(|it| is_refused(function, it, &[])),
    }
}

/// Returns why an array has no element at an index.
fn failing_index(array: &Value, index: &Value) -> Option<String> {
    let (Value::Array(all), Value::Integer(index)) = (array, index) else {
        return None;
    };
    let len = all.len();
    let is_outside = i64::try_from(len).is_ok_and(|it| *index >= it);
    let s = if len == 1 { "" } else { "s" };
    is_outside.then(|| format!("index {index} is out of range: the array has {len} element{s}"))
}

#[cfg(test)]
mod tests {
    use super::{ACCEPTED, ROWS};
    use types::Type;

    #[test]
    fn all_types_are_valid() {
        for (function, parameters) in ROWS {
            for (accepted, (name, _, source)) in ACCEPTED[function].iter().zip(*parameters) {
                let is_any = accepted.type_ == Type::Any;
                assert_eq!(is_any, *source == "Any", "{function} {name}");
            }
        }
    }
}
