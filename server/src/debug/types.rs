//! `pupil debug types`: answers queries about the type system.

use std::cell::RefCell;
use std::process::ExitCode;
use std::sync::Arc;

use analysis::types::definitions::Definitions;
use analysis::types::questions::{self, Answer, Asked, NoAnswer};
use analysis::types::reader::BuiltInTypes;
use analysis::values::Value as PuppetValue;
use analysis::{EvalSettings, Evaluation, Session};
use serde_json::{Value, json};
use syntax::ast::{AstNode, Expr, HasName, TypeAlias};

use super::lines;
use crate::terminal::Failure;

/// Answers each line of standard input with a JSON line.
pub(super) fn run() -> Result<ExitCode, Failure> {
    lines::answer_each(answer)?;
    Ok(ExitCode::SUCCESS)
}

/// A query, and a session that contains its definitions.
struct Question<'a> {
    object: &'a Value,
    session: RefCell<Session>,
}

impl Asked for Question<'_> {
    fn field(&self, name: &str) -> Option<String> {
        Some(self.object.get(name)?.as_str()?.to_owned())
    }

    fn evaluate(&self, source: &str) -> Result<PuppetValue, NoAnswer> {
        let value = self.session.borrow_mut().value(source);
        value.map_err(|answer| match *answer {
            Evaluation::Error(failure) => NoAnswer::Error(failure.message),
            Evaluation::Unknown(why) => NoAnswer::Unknown(why),
            Evaluation::Value(_) => NoAnswer::Unknown("a value that is none".to_owned()),
        })
    }
}

fn answer(line: &str) -> Value {
    let object: Value = match serde_json::from_str(line) {
        Ok(object) => object,
        Err(error) => return lines::bad_input(&Value::Null, error),
    };
    if !object.is_object() {
        return lines::bad_input(&Value::Null, "expected a JSON object");
    }
    let id = object.get("id").cloned().unwrap_or(Value::Null);
    let defined = object
        .get("defs")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut session = Session::new(EvalSettings::default());
    let _ = session.value(defined);
    let question = Question {
        object: &object,
        session: RefCell::new(session),
    };
    let operation = question.field("op").unwrap_or_default();
    let definitions = Definitions::new(aliases(defined), &BuiltInTypes);
    let mut answer = shown(questions::answer(&operation, &question, &definitions));
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

fn shown(answer: Result<Answer, NoAnswer>) -> Value {
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
        Err(NoAnswer::Error(error)) => json!({"ok": false, "error": error}),
        Err(NoAnswer::Unknown(why)) => json!({"ok": null, "why": why}),
        Err(NoAnswer::Question(problem)) => {
            json!({"ok": false, "stage": "input", "error": problem})
        }
    }
}
