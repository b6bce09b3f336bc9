//! `pupil debug types`: answers queries about the type system.

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Arc;

use analysis::types::definitions::Definitions;
use analysis::types::oracle_queries::{self, Answer, QueryError, QueryOperands};
use analysis::types::reader::BuiltInTypes;
use analysis::values::Value as PuppetValue;
use analysis::{EvalSettings, Evaluation, Session};
use serde_json::{Value, json};
use syntax::ast::{AstNode, Expr, HasName, TypeAlias};

use super::json_lines;
use crate::terminal::Failure;

/// Answers each line of standard input with a JSON line.
pub(super) fn run() -> Result<ExitCode, Failure> {
    json_lines::answer_each(&answer)?;
    Ok(ExitCode::SUCCESS)
}

/// A query, and a session that contains its definitions.
struct TypeQuery<'a> {
    object: &'a Value,
    session: RefCell<Session>,
}

impl QueryOperands for TypeQuery<'_> {
    fn field(&self, name: &str) -> Option<String> {
        Some(self.object.get(name)?.as_str()?.to_owned())
    }

    fn evaluate(&self, source: &str) -> Result<PuppetValue, QueryError> {
        let value = self.session.borrow_mut().value(source);
        value.map_err(|answer| match *answer {
            Evaluation::Error(failure) => QueryError::Error(failure.message),
            Evaluation::Unknown(why) => QueryError::Unknown(why),
            Evaluation::Value(_) => QueryError::Unknown("a value that is none".to_owned()),
        })
    }
}

fn answer(line: &str) -> Value {
    let object: Value = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => return json_lines::invalid_input(&Value::Null, error),
    };
    if !object.is_object() {
        return json_lines::invalid_input(&Value::Null, "expected a JSON object");
    }
    let id = object.get("id").cloned().unwrap_or(Value::Null);
    let definitions_source = object
        .get("defs")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut session = Session::new(EvalSettings::default());
    let _ = session.value(definitions_source);
    let query = TypeQuery {
        object: &object,
        session: RefCell::new(session),
    };
    let operation = query.field("op").unwrap_or_default();
    let definitions = Definitions::new(aliases(definitions_source), &BuiltInTypes);
    let mut answer = answer_to_json(oracle_queries::answer(&operation, &query, &definitions));
    answer["id"] = id;
    answer
}

fn aliases(source: &str) -> Vec<(Arc<str>, Expr)> {
    let tree = syntax::parse(source, syntax::Dialect::default()).tree();
    let aliases = tree.syntax().descendants().filter_map(TypeAlias::cast);
    aliases
        .filter_map(|it| Some((it.name()?.text().into(), it.type_expr()?)))
        .collect()
}

fn answer_to_json(answer: Result<Answer, QueryError>) -> Value {
    match answer {
        Ok(Answer::Truth(it)) => json!({"ok": true, "result": it}),
        Ok(Answer::Text(it)) => json!({"ok": true, "result": it}),
        Ok(Answer::Type {
            result,
            exact,
            expanded,
        }) => {
            let mut object = json!({"ok": true, "result": result, "exact": exact});
            if let Some(expanded) = expanded {
                object["expanded"] = expanded.into();
            }
            object
        }
        Ok(Answer::Value {
            value,
            detailed,
            reduced,
            generalized,
            exact,
        }) => json!({
            "ok": true,
            "value": value,
            "type_detailed": detailed,
            "type_reduced": reduced,
            "type_generalized": generalized,
            "type_exact": exact,
        }),
        Err(QueryError::Error(error)) => json!({"ok": false, "error": error}),
        Err(QueryError::Unknown(why)) => json!({"ok": null, "why": why}),
        Err(QueryError::Invalid(problem)) => {
            json!({"ok": false, "stage": "input", "error": problem})
        }
    }
}
