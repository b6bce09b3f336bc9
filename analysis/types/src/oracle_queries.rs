//! Textual queries of the type system, as in `pupil debug types`. The answers are those of the real
//! Puppet, so that the two can be compared.

use super::reader::{self, TypeNames};
use super::special::Refused;
use super::{
    Type, callable, common_type, display, display_exact, display_expanded, equivalent, generalize,
    infer, infer_detailed, is_assignable, is_instance, iterable_type, mismatch, normalize,
};
use crate::values::{self, Value};

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes or no.
    Truth(bool),
    /// A type.
    Type {
        /// The type as printed by Puppet.
        result: String,
        /// The type with the strings that Puppet omits.
        exact: String,
        /// The type with aliases expanded, if requested.
        expanded: Option<String>,
    },
    /// A description of a mismatch.
    Text(String),
    /// A value with its types.
    Value {
        /// Puppet source for the value, if it can be written.
        value: Option<String>,
        /// The detailed type, with one type per element.
        detailed: String,
        /// The reduced type, with joined element types.
        reduced: String,
        /// The generalized reduced type.
        generalized: String,
        /// The detailed type with all strings.
        exact: String,
    },
}

/// The reason why a query has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QueryError {
    /// Puppet raises an error as well.
    Error(String),
    /// The answer is not known.
    Unknown(String),
    /// The query is unknown or incomplete.
    Invalid(String),
}

impl From<Refused> for QueryError {
    fn from(refused: Refused) -> QueryError {
        match refused {
            Refused::Wrong(message) => QueryError::Error(message),
            Refused::Unknown(reason) => QueryError::Unknown(reason.into_owned()),
        }
    }
}

/// The operands of a query.
pub trait QueryOperands {
    /// Returns a field of the query by name.
    fn field(&self, name: &str) -> Option<String>;
    /// Evaluates Puppet source to a value.
    ///
    /// # Errors
    ///
    /// If the source has no value.
    fn evaluate(&self, source: &str) -> Result<Value, QueryError>;
}

/// Answers a query with one of the operations `assignable`, `equal`, `common`, `instance`, `infer`,
/// `normalize`, `generalize`, `parse`, `iterable`, `callable` and `mismatch`.
///
/// # Errors
///
/// If Puppet raises an error or the answer is not known.
pub fn answer(
    operation: &str,
    operands: &dyn QueryOperands,
    names: &dyn TypeNames,
) -> Result<Answer, QueryError> {
    let field = |name: &str| {
        operands
            .field(name)
            .ok_or_else(|| QueryError::Invalid(format!("missing field `{name}`")))
    };
    let ty = |name: &str| -> Result<Type, QueryError> { Ok(reader::read(&field(name)?, names)?) };
    let value = |name: &str| operands.evaluate(&field(name)?);
    Ok(match operation {
        "assignable" => truth_answer(is_assignable(&ty("a")?, &ty("b")?))?,
        "equal" => truth_answer(equivalent(&ty("a")?, &ty("b")?))?,
        "common" => type_answer(&common_type(&ty("a")?, &ty("b")?)),
        "instance" => truth_answer(is_instance(&ty("type")?, &value("value_source")?))?,
        "infer" => describe(&value("source")?),
        "normalize" => type_answer(&normalize(&ty("type")?)),
        "generalize" => type_answer(&generalize(&ty("type")?)),
        "parse" => {
            let ty = ty("type")?;
            Answer::Type {
                result: display(&ty),
                exact: display_exact(&ty),
                expanded: Some(display_expanded(&ty)),
            }
        }
        "iterable" => match iterable_type(&ty("type")?) {
            Some(ty) => type_answer(&ty),
            None => Answer::Truth(false),
        },
        "callable" => {
            let failed = |error| match error {
                super::CallableError::Unknown => QueryError::Unknown("a limit".to_owned()),
                error => QueryError::Error(format!("{error:?}")),
            };
            Answer::Truth(callable(&ty("type")?, &ty("args")?).map_err(failed)?)
        }
        "mismatch" => {
            let expected = ty("type")?;
            let subject = operands.field("subject").unwrap_or_else(|| "it".to_owned());
            let (fits, actual) = match operands.field("b") {
                Some(_) => {
                    let actual = ty("b")?;
                    (is_assignable(&expected, &actual), actual)
                }
                None => {
                    let found = value("value_source")?;
                    (is_instance(&expected, &found), infer_detailed(&found))
                }
            };
            match truth_answer(fits)? {
                Answer::Truth(true) => Answer::Truth(false),
                _ => Answer::Text(mismatch::describe(&subject, &expected, &actual)),
            }
        }
        other => {
            return Err(QueryError::Invalid(format!("unknown operation `{other}`")));
        }
    })
}

fn truth_answer(answer: Option<bool>) -> Result<Answer, QueryError> {
    answer
        .map(Answer::Truth)
        .ok_or_else(|| QueryError::Unknown("a limit".to_owned()))
}

fn type_answer(ty: &Type) -> Answer {
    Answer::Type {
        result: display(ty),
        exact: display_exact(ty),
        expanded: None,
    }
}

/// Describes a value and its types, as `type($v, …)` and interpolation show them.
pub fn describe(value: &Value) -> Answer {
    let detailed = infer_detailed(value);
    let reduced = infer(value);
    Answer::Value {
        value: values::source(value),
        detailed: display_expanded(&detailed),
        generalized: display_expanded(&generalize(&reduced)),
        reduced: display_expanded(&reduced),
        exact: display_exact(&detailed),
    }
}
