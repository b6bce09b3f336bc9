//! Functions that navigate nested data: `dig`, `get` and `getvar`.

use super::strings::patterns::split_text;
use super::{Call, Family};
use crate::expressions::Evaluator;
use crate::ruby::number::{self, Read};
use crate::stop::{Evaluated, Stop};
use crate::{Halt, Issue, ruby};
use types::reader::BuiltInTypes;
use types::values::{ObjectValue, Regexp, Value};
use types::{Type, reader};

pub(super) const FUNCTIONS: Family = &[
    ("dig", &[("Callable[Optional[Collection], Any, 1]", dig)]),
    (
        "get",
        &[(
            "Callable[Any, String, Any, 2, 3, Optional[Callable[1, 1]]]",
            get,
        )],
    ),
    (
        "getvar",
        &[(
            r"Callable[Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/], Any, 1, 2, Optional[Callable[1, 1]]]",
            getvar,
        )],
    ),
];

/// The reason why a path cannot be followed.
enum Lost {
    /// An error at a key, which the block of `get` may handle.
    Step(Box<LostStep>),
    /// The root is not a collection.
    NoCollection,
}

/// An error at a key of a path.
struct LostStep {
    /// The number of keys before the error.
    walked: usize,
    /// The value that is not a collection, or the key that is not an index of an array.
    culprit: Value,
    /// Whether the key is not an index.
    is_index: bool,
}

fn walk(from: &Value, path: &[Value]) -> Result<Value, Lost> {
    if !matches!(from, Value::Undef | Value::Array(_) | Value::Hash(_)) {
        return Err(Lost::NoCollection);
    }
    let mut at = from;
    for (walked, key) in path.iter().enumerate() {
        at = match (at, key) {
            (Value::Undef, _) | (_, Value::Undef) => return Ok(Value::Undef),
            (Value::Hash(entries), key) => entries.get(key).unwrap_or(&Value::Undef),
            (Value::Array(items), Value::Integer(index)) => {
                let index = if *index < 0 {
                    i64::try_from(items.len()).unwrap_or(i64::MAX) + index
                } else {
                    *index
                };
                let index = usize::try_from(index).ok();
                index.and_then(|it| items.get(it)).unwrap_or(&Value::Undef)
            }
            (Value::Array(_), key) => {
                return Err(Lost::Step(Box::new(LostStep {
                    walked: walked + 1,
                    culprit: key.clone(),
                    is_index: true,
                })));
            }
            (other, _) => {
                return Err(Lost::Step(Box::new(LostStep {
                    walked,
                    culprit: other.clone(),
                    is_index: false,
                })));
            }
        };
    }
    Ok(at.clone())
}

impl LostStep {
    fn message(&self) -> &'static str {
        if self.is_index {
            "expected an integer as array index"
        } else {
            "expected a collection on the path"
        }
    }

    /// Creates the error value that the block receives. The block can observe its messages, so they
    /// are Puppet's.
    fn value(&self, path: &[Value]) -> Evaluated {
        let unknown = || Stop::unknown("the block receives an error of Puppet");
        let Ok(Type::Object(error)) = reader::read("Error", &BuiltInTypes) else {
            return Err(unknown());
        };
        let walked = Value::array(path.get(..self.walked).unwrap_or_default().to_vec());
        let ty = types::infer(&self.culprit);
        let (walked_text, ty_text) = (
            ruby::inspect(&walked).ok_or_else(unknown)?,
            types::display(&ty),
        );
        let (message, code, name) = if self.is_index {
            let message = format!(
                "The given data requires an Integer index at {walked_text}, got '{ty_text}'"
            );
            (message, "EXPECTED_INTEGER_INDEX", "index_type")
        } else {
            let message = format!(
                "The given data does not contain a Collection at {walked_text}, got '{ty_text}'"
            );
            (message, "EXPECTED_COLLECTION", "value_type")
        };
        let details = Value::hash([
            (Value::from("walked_path"), walked),
            (Value::from(name), Value::Type(ty)),
        ]);
        Ok(Value::Object(ObjectValue::new(
            &error,
            |attribute| match attribute {
                "msg" => Some(Value::from(message.as_str())),
                "kind" => Some(Value::from("SLICE_ERROR")),
                "details" => Some(details.clone()),
                "issue_code" => Some(Value::from(code)),
                _ => None,
            },
        )))
    }
}

fn dig(_: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let (from, path) = (call.arg(0), call.args.get(1..).unwrap_or_default());
    walk(from, path).map_err(|lost| match lost {
        Lost::Step(step) => call.error(step.message()),
        Lost::NoCollection => call.error("expected a collection"),
    })
}

fn get(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let navigation = call.arg(1).as_str().unwrap_or_default();
    navigate(evaluator, call, call.arg(0), navigation, call.arg(2))
}

fn navigate(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    from: &Value,
    navigation: &str,
    default: &Value,
) -> Evaluated {
    if from.is_undef() {
        return Ok(default.clone());
    }
    if navigation.is_empty() {
        return Ok(from.clone());
    }
    let path = segments(evaluator, call, navigation)?;
    match walk(from, &path) {
        Ok(Value::Undef) => Ok(default.clone()),
        Ok(value) => Ok(value),
        Err(Lost::NoCollection) => Err(call.error("expected a collection")),
        Err(Lost::Step(step)) if call.block.is_some() => {
            call.run_block(evaluator, [step.value(&path)?])
        }
        Err(Lost::Step(step)) => Err(call.error(step.message())),
    }
}

/// Parses a dotted path into its keys: quoted strings, integers and names.
fn segments(evaluator: &Evaluator<'_>, call: &Call<'_>, path: &str) -> Evaluated<Vec<Value>> {
    let segment = Regexp::new(r#"(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"#);
    let Value::Array(parts) = split_text(evaluator, &format!("x.{path}"), &segment)? else {
        return Err(Stop::unknown("unsupported path"));
    };
    let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
    let syntax = || call.error("invalid path");
    let Some((&"", parts)) = parts.split_first() else {
        return Err(syntax());
    };
    let names: Vec<&str> = parts.iter().copied().filter(|it| *it != ".").collect();
    if names.len() * 2 != parts.len() + 1 {
        return Err(syntax());
    }
    names.into_iter().skip(1).map(key).collect()
}

fn key(segment: &str) -> Evaluated {
    let blank = |it: char| matches!(it, '\0' | '\t'..='\r' | ' ');
    let segment = segment.trim_matches(blank);
    if segment.starts_with(['"', '\'']) {
        let inner = segment.get(1..segment.len().saturating_sub(1));
        return Ok(Value::from(inner.unwrap_or_default()));
    }
    let is_number = |line: &str| {
        let line = line.strip_prefix(':').unwrap_or(line);
        let digits = line.strip_prefix(['+', '-']).unwrap_or(line);
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    if !segment.split('\n').any(is_number) {
        return Ok(Value::from(segment));
    }
    match number::to_i(segment) {
        Read::Number(number) => Ok(Value::Integer(number)),
        _ => Err(Stop::unknown("integer does not fit into 64 bits")),
    }
}

fn getvar(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> Evaluated {
    let text = call.arg(0).as_str().unwrap_or_default();
    if text.contains('\n') {
        return Err(Stop::unknown("variable name with several lines"));
    }
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    let end = text.find(|it| !is_word(it)).unwrap_or(text.len());
    let (name, navigation) = text.split_at(end);
    let navigation = navigation.strip_prefix('.').unwrap_or(navigation);
    let Some(site) = evaluator.call_site.clone() else {
        return Err(Stop::unknown("the call site is unknown"));
    };
    match evaluator.variable(&site, name) {
        Ok(value) => navigate(evaluator, call, &value, navigation, call.arg(1)),
        Err(Stop::Halted {
            halt: Halt::Error(error),
            ..
        }) if error.issue == Issue::UnknownVariable => Ok(call.arg(1).clone()),
        Err(other) => Err(other),
    }
}
