//! Functions that navigate nested data: `dig`, `get` and `getvar`.

use super::strings::patterns::split_text;
use super::{Call, Family};
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use crate::ruby::number::{self, ParsedNumber};
use crate::{EvalFailure, Issue, ruby};
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
enum NavigationError {
    /// An error at a key, which the block of `get` may handle.
    AtKey(Box<KeyError>),
    /// The root is not a collection.
    RootNotCollection,
}

/// An error at a key of a path.
struct KeyError {
    /// The number of keys before the error.
    walked: usize,
    /// The value that is not a collection, or the key that is not an index of an array.
    culprit: Value,
    /// Whether an array index was expected.
    expects_index: bool,
}

fn walk(from: &Value, path: &[Value]) -> Result<Value, NavigationError> {
    if !matches!(from, Value::Undef | Value::Array(_) | Value::Hash(_)) {
        return Err(NavigationError::RootNotCollection);
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
                return Err(NavigationError::AtKey(Box::new(KeyError {
                    walked: walked + 1,
                    culprit: key.clone(),
                    expects_index: true,
                })));
            }
            (other, _) => {
                return Err(NavigationError::AtKey(Box::new(KeyError {
                    walked,
                    culprit: other.clone(),
                    expects_index: false,
                })));
            }
        };
    }
    Ok(at.clone())
}

impl KeyError {
    fn message(&self) -> &'static str {
        if self.expects_index {
            "expected an integer as array index"
        } else {
            "expected a collection on the path"
        }
    }

    /// Creates the error value that the block receives. The block can observe its messages, so they
    /// are Puppet's.
    fn value(&self, path: &[Value]) -> FlowResult {
        let unknown = || ControlFlow::unknown("the block receives an error of Puppet");
        let Ok(Type::Object(error)) = reader::read("Error", &BuiltInTypes) else {
            return Err(unknown());
        };
        let walked = Value::array(path.get(..self.walked).unwrap_or_default().to_vec());
        let ty = types::infer(&self.culprit);
        let (walked_text, ty_text) = (
            ruby::inspect(&walked).ok_or_else(unknown)?,
            types::display(&ty),
        );
        let (message, code, name) = if self.expects_index {
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

fn dig(_: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let (from, path) = (call.arg(0), call.args.get(1..).unwrap_or_default());
    walk(from, path).map_err(|lost| match lost {
        NavigationError::AtKey(step) => call.error(step.message()),
        NavigationError::RootNotCollection => call.error("expected a collection"),
    })
}

fn get(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let navigation = call.arg(1).as_str().unwrap_or_default();
    navigate(evaluator, call, call.arg(0), navigation, call.arg(2))
}

fn navigate(
    evaluator: &mut Evaluator<'_>,
    call: &Call<'_>,
    from: &Value,
    navigation: &str,
    default: &Value,
) -> FlowResult {
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
        Err(NavigationError::RootNotCollection) => Err(call.error("expected a collection")),
        Err(NavigationError::AtKey(step)) if call.block.is_some() => {
            call.run_block(evaluator, [step.value(&path)?])
        }
        Err(NavigationError::AtKey(step)) => Err(call.error(step.message())),
    }
}

/// Parses a dotted path into its keys: quoted strings, integers and names.
fn segments(evaluator: &Evaluator<'_>, call: &Call<'_>, path: &str) -> FlowResult<Vec<Value>> {
    let segment = Regexp::new(r#"(\s*"[^"]+"\s*|\s*'[^']+'\s*|[^'".]+)"#);
    let Value::Array(parts) = split_text(evaluator, &format!("x.{path}"), &segment)? else {
        return Err(ControlFlow::unknown("unsupported path"));
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

fn key(segment: &str) -> FlowResult {
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
        ParsedNumber::Number(number) => Ok(Value::Integer(number)),
        _ => Err(ControlFlow::unknown("integer does not fit in 64 bits")),
    }
}

fn getvar(evaluator: &mut Evaluator<'_>, call: &Call<'_>) -> FlowResult {
    let text = call.arg(0).as_str().unwrap_or_default();
    if text.contains('\n') {
        return Err(ControlFlow::unknown("variable name with several lines"));
    }
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    let end = text.find(|it| !is_word(it)).unwrap_or(text.len());
    let (name, navigation) = text.split_at(end);
    let navigation = navigation.strip_prefix('.').unwrap_or(navigation);
    let Some(site) = evaluator.call_site.clone() else {
        return Err(ControlFlow::unknown("the call site is unknown"));
    };
    match evaluator.variable(&site, name) {
        Ok(value) => navigate(evaluator, call, &value, navigation, call.arg(1)),
        Err(ControlFlow::Failure {
            failure: EvalFailure::Error(error),
            ..
        }) if error.issue == Issue::UnknownVariable => Ok(call.arg(1).clone()),
        Err(other) => Err(other),
    }
}
