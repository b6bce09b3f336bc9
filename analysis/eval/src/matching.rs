//! The operators `=~`, `!~` and `in`, and the options of `case` and selectors.

use super::arithmetic::describe;
use super::{Blame, EvalError, EvalFailure, EvalResult, Issue};
use types::values::{self, Captures, Regexp, RegexpError, Value, lower_case};

/// The result of a match, and the match variables that it sets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Match {
    /// Whether the value matches.
    pub matched: bool,
    /// The captured groups of the last regular expression that matched, even if the match as a
    /// whole fails. The match variables are unchanged if it is `None`.
    pub captures: Option<Captures>,
}

impl From<bool> for Match {
    fn from(matched: bool) -> Match {
        Match {
            matched,
            captures: None,
        }
    }
}

/// Evaluates `left =~ right`, which `!~` negates.
///
/// # Errors
///
/// If Puppet raises an error, or the result is unknown.
pub fn match_operator(left: &Value, right: &Value) -> EvalResult<Match> {
    let pattern = match right {
        Value::Type(ty) => return instance(ty, left),
        Value::SemVerRange(_) => return certain(values::matches(left, right)),
        Value::Regexp(pattern) => pattern.clone(),
        Value::String(source) => Regexp::new(source),
        other => {
            let message = format!("expected a regular expression, found {}", describe(other));
            return Err(EvalError::new(Issue::MatchNotRegexp, message)
                .at(Blame::Right)
                .into());
        }
    };
    if let Err(error @ RegexpError::Invalid(_)) = pattern.check() {
        let error = EvalError::new(Issue::MatchNotRegexp, error.to_string());
        return Err(error.at(Blame::Right).into());
    }
    let Value::String(text) = left else {
        let message = format!("expected a string to match, found {}", describe(left));
        return Err(EvalError::new(Issue::MatchNotString, message)
            .at(Blame::Left)
            .into());
    };
    search(&pattern, text)
}

/// Matches a value against an option of a `case` or selector.
///
/// # Errors
///
/// If the result is unknown.
pub fn option_matches(value: &Value, option: &Value) -> EvalResult<Match> {
    match (option, value) {
        (Value::Regexp(pattern), Value::String(text)) => search(pattern, text),
        (Value::Type(ty), value) => instance(ty, value),
        (Value::Array(options), Value::Array(items)) => {
            if options.len() != items.len() {
                return Ok(false.into());
            }
            all(items.iter().zip(options.iter()))
        }
        (Value::Hash(options), Value::Hash(entries)) => {
            let at = |key| entries.get(key).unwrap_or(&Value::Undef);
            all(options.iter().map(|(key, option)| (at(key), option)))
        }
        (option, value) => certain(values::matches(value, option)),
    }
}

fn all<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> EvalResult<Match> {
    let mut captures = None;
    for (value, option) in pairs {
        let found = option_matches(value, option)?;
        captures = found.captures.or(captures);
        if !found.matched {
            return Ok(Match {
                matched: false,
                captures,
            });
        }
    }
    Ok(Match {
        matched: true,
        captures,
    })
}

/// Evaluates `value in container`.
///
/// # Errors
///
/// If the result is unknown.
pub fn contains(value: &Value, container: &Value) -> EvalResult<Match> {
    match (container, value) {
        (Value::String(text), Value::Regexp(pattern)) => search(pattern, text),
        (Value::String(text), Value::String(part)) => {
            Ok(lower_case(text).contains(&lower_case(part)).into())
        }
        (Value::Array(items), value) => contains_item(&mut items.iter(), value),
        (Value::Hash(entries), value) => contains_item(&mut entries.keys(), value),
        (container, value) => certain(values::includes(container, value)),
    }
}

fn contains_item(items: &mut dyn Iterator<Item = &Value>, value: &Value) -> EvalResult<Match> {
    for item in items {
        let found = match (value, item) {
            (Value::Regexp(pattern), Value::String(text)) => search(pattern, text)?,
            (Value::Regexp(_), _) => continue,
            // Here, the element is the pattern.
            (Value::String(_) | Value::SemVer(_), item) => option_matches(value, item)?,
            (Value::Type(ty), item) => instance(ty, item)?,
            (value, item) => values::equals(item, value).into(),
        };
        if found.matched {
            return Ok(found);
        }
    }
    Ok(false.into())
}

fn search(pattern: &Regexp, text: &str) -> EvalResult<Match> {
    let captures = pattern.captures(text)?;
    Ok(Match {
        matched: captures.is_some(),
        captures,
    })
}

fn instance(ty: &types::Type, value: &Value) -> EvalResult<Match> {
    certain(types::is_instance(ty, value))
}

fn certain(answer: Option<bool>) -> EvalResult<Match> {
    let unknown = || EvalFailure::unknown("cannot decide whether the value matches");
    answer.map(Match::from).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Type;

    fn groups(found: EvalResult<Match>) -> (bool, Vec<String>) {
        let found = found.expect("no error");
        let groups = found.captures.map(|it| it.groups).unwrap_or_default();
        let text = |it: Option<std::sync::Arc<str>>| it.as_deref().unwrap_or("-").to_owned();
        (found.matched, groups.into_iter().map(text).collect())
    }

    #[test]
    fn a_match_captures() {
        let pattern = Value::Regexp(Regexp::new("(a)(x)?b"));
        let found = groups(match_operator(&Value::from("cab"), &pattern));
        assert_eq!(found, (true, vec!["ab".into(), "a".into(), "-".into()]));
        assert_eq!(
            groups(match_operator(&Value::from("x"), &pattern)),
            (false, vec![])
        );
        assert!(groups(match_operator(&Value::from("ab"), &Value::from("b"))).0);
    }

    #[test]
    fn errors_blame_an_operand() {
        let error = |left: Value, right: Value| match match_operator(&left, &right) {
            Err(EvalFailure::Error(error)) => (error.issue.code().unwrap_or_default(), error.blame),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            error("a".into(), 1.into()),
            ("MATCH_NOT_REGEXP", Blame::Right)
        );
        assert_eq!(
            error("a".into(), "(".into()),
            ("MATCH_NOT_REGEXP", Blame::Right)
        );
        assert_eq!(
            error(1.into(), "a".into()),
            ("MATCH_NOT_STRING", Blame::Left)
        );
    }

    #[test]
    fn options_match_by_value_type_or_pattern() {
        let yes = |value: &Value, option: &Value| groups(option_matches(value, option)).0;
        assert!(yes(&"ABC".into(), &"abc".into()));
        assert!(yes(&1.into(), &Type::INTEGER.into()));
        assert!(yes(&1.into(), &Value::Default));
        assert!(!yes(&1.into(), &Value::Regexp(Regexp::new("1"))));
        let value = Value::array(vec!["a1".into(), 2.into()]);
        let option = Value::array(vec![
            Value::Regexp(Regexp::new(r"\d")),
            Type::INTEGER.into(),
        ]);
        assert_eq!(
            groups(option_matches(&value, &option)),
            (true, vec!["1".into()])
        );
    }

    #[test]
    fn membership_captures_groups() {
        let items = Value::array(vec![1.into(), "xay".into()]);
        let found = groups(contains(&Value::Regexp(Regexp::new("a.")), &items));
        assert_eq!(found, (true, vec!["ay".into()]));
    }
}
