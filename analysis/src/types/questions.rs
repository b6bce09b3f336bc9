//! Questions to the type system in text, as `pupil debug types` is asked them: each is answered as
//! the real Puppet answers it, so that the two can be compared.

use super::reader::{self, TypeNames};
use super::special::Refused;
use super::{
    Type, callable, common_type, display, display_exact, display_expanded, equivalent, generalize,
    infer, infer_detailed, is_assignable, is_instance, iterable_type, mismatch, normalize,
};
use crate::values::{self, Value};

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Yes or no.
    Truth(bool),
    /// A type: as Puppet prints it, and with the strings that it knows and does not print.
    Type {
        /// As Puppet prints it.
        result: String,
        /// With the strings.
        exact: String,
        /// With what aliases stand for, where that is asked for.
        expanded: Option<String>,
    },
    /// What is wrong, in words.
    Text(String),
    /// A value and its types.
    Value {
        /// Puppet source that makes it, if there is any.
        value: Option<String>,
        /// The type of each of its parts.
        detailed: String,
        /// The type with the parts joined.
        reduced: String,
        /// That without ranges, sizes and strings.
        generalized: String,
        /// The detailed type with the strings.
        exact: String,
    },
}

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// Puppet fails too.
    Error(String),
    /// The answer is not known.
    Unknown(String),
    /// There is no such question, or a part of it is missing.
    Question(String),
}

impl From<Refused> for NoAnswer {
    fn from(refused: Refused) -> NoAnswer {
        match refused {
            Refused::Wrong(message) => NoAnswer::Error(message),
            Refused::Unknown(reason) => NoAnswer::Unknown(reason.into_owned()),
        }
    }
}

/// What a question is about, besides its operation.
pub trait Asked {
    /// A field of the question by name.
    fn field(&self, name: &str) -> Option<String>;
    /// The value of Puppet source.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn evaluate(&self, source: &str) -> Result<Value, NoAnswer>;
}

/// Answers a question of one of the operations `assignable`, `equal`, `common`, `instance`,
/// `infer`, `normalize`, `generalize`, `parse`, `iterable`, `callable` and `mismatch`.
///
/// # Errors
///
/// Where Puppet has no answer or none is known.
pub fn answer(
    operation: &str,
    asked: &dyn Asked,
    names: &dyn TypeNames,
) -> Result<Answer, NoAnswer> {
    let field = |name: &str| {
        asked
            .field(name)
            .ok_or_else(|| NoAnswer::Question(format!("there is no `{name}`")))
    };
    let ty = |name: &str| -> Result<Type, NoAnswer> { Ok(reader::read(&field(name)?, names)?) };
    let value = |name: &str| asked.evaluate(&field(name)?);
    Ok(match operation {
        "assignable" => truth(is_assignable(&ty("a")?, &ty("b")?))?,
        "equal" => truth(equivalent(&ty("a")?, &ty("b")?))?,
        "common" => a_type(&common_type(&ty("a")?, &ty("b")?)),
        "instance" => truth(is_instance(&ty("type")?, &value("value_source")?))?,
        "infer" => describe(&value("source")?),
        "normalize" => a_type(&normalize(&ty("type")?)),
        "generalize" => a_type(&generalize(&ty("type")?)),
        "parse" => {
            let ty = ty("type")?;
            Answer::Type {
                result: display(&ty),
                exact: display_exact(&ty),
                expanded: Some(display_expanded(&ty)),
            }
        }
        "iterable" => match iterable_type(&ty("type")?) {
            Some(ty) => a_type(&ty),
            None => Answer::Truth(false),
        },
        "callable" => {
            let failed = |error| match error {
                super::CallableError::Unknown => NoAnswer::Unknown("a limit".to_owned()),
                error => NoAnswer::Error(format!("{error:?}")),
            };
            Answer::Truth(callable(&ty("type")?, &ty("args")?).map_err(failed)?)
        }
        "mismatch" => {
            let expected = ty("type")?;
            let subject = asked.field("subject").unwrap_or_else(|| "it".to_owned());
            let (fits, actual) = match asked.field("b") {
                Some(_) => {
                    let actual = ty("b")?;
                    (is_assignable(&expected, &actual), actual)
                }
                None => {
                    let found = value("value_source")?;
                    (is_instance(&expected, &found), infer_detailed(&found))
                }
            };
            match truth(fits)? {
                Answer::Truth(true) => Answer::Truth(false),
                _ => Answer::Text(mismatch::describe(&subject, &expected, &actual)),
            }
        }
        other => {
            return Err(NoAnswer::Question(format!(
                "there is no operation `{other}`"
            )));
        }
    })
}

fn truth(answer: Option<bool>) -> Result<Answer, NoAnswer> {
    answer
        .map(Answer::Truth)
        .ok_or_else(|| NoAnswer::Unknown("a limit".to_owned()))
}

fn a_type(ty: &Type) -> Answer {
    Answer::Type {
        result: display(ty),
        exact: display_exact(ty),
        expanded: None,
    }
}

/// A value and its types, as `type($v, …)` and interpolation show them.
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
