//! `Boolean(…)`, `Regexp(…)`, `Sensitive(…)` and `Type(…)`.

use std::sync::Arc;

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::reader;
use types::values::{Regexp, RegexpError, Value};

pub(super) fn boolean(args: &[Value]) -> FlowResult {
    let value = match args {
        [Value::Boolean(it)] => *it,
        [Value::Integer(it)] => *it != 0,
        [Value::Float(it)] => *it != 0.0,
        [Value::String(it)] => !["false", "no", "n"]
            .iter()
            .any(|no| no.eq_ignore_ascii_case(it)),
        _ => return Err(conversion_error("expected a boolean")),
    };
    Ok(Value::Boolean(value))
}

pub(super) fn regexp(args: &[Value]) -> FlowResult {
    let (source, escape) = match args {
        [Value::String(source)] => (source, false),
        [Value::String(source), Value::Boolean(escape)] => (source, *escape),
        _ => return Err(conversion_error("expected a string")),
    };
    let regexp = if escape {
        Regexp::new(&escaped(source))
    } else {
        Regexp::new(source)
    };
    match regexp.check() {
        Err(error @ RegexpError::Invalid(_)) => Err(conversion_error(error)),
        _ => Ok(Value::Regexp(regexp)),
    }
}

/// Escapes a string, so that the regular expression matches the string itself.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^'
            | '$' | '#' | ' ' => {
                out.push('\\');
                out.push(char);
            }
            char => out.push(char),
        }
    }
    out
}

pub(super) fn sensitive(args: &[Value]) -> FlowResult {
    match args {
        [it @ Value::Sensitive(_)] => Ok(it.clone()),
        [it] => Ok(Value::Sensitive(Arc::new(it.clone()))),
        _ => Err(conversion_error("expected one value")),
    }
}

/// Parses a type. Unknown names become references.
pub(super) fn type_from(evaluator: &Evaluator<'_>, args: &[Value]) -> FlowResult {
    match args {
        [Value::String(text)] => {
            if !syntax::parse(text, syntax::Dialect::default())
                .errors()
                .is_empty()
            {
                return Err(ControlFlow::unknown(
                    "syntax error in the string of the type",
                ));
            }
            let names = evaluator.environment.types();
            let ty = reader::read_puppet(text, names).map_err(crate::EvalFailure::from)?;
            Ok(Value::Type(ty))
        }
        _ => Err(conversion_error("expected a string")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn scalars() {
        assert_eq!(run("Boolean('No')"), "false");
        assert_eq!(run("Boolean(0.5)"), "true");
        assert_eq!(run("Boolean('off')"), "error");
        assert_eq!(run("Regexp('a.b#', true)"), r"/a\.b\#/");
        assert_eq!(run("Regexp('(')"), "error");
        assert_eq!(run("Sensitive(Sensitive(1))"), "Sensitive(1)");
        assert_eq!(run("Type('Array[Integer[1,2]]')"), "Array[Integer[1, 2]]");
        assert_eq!(run("Type('Array[')"), "?");
    }
}
