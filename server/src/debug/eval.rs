//! `pupil debug eval`: evaluates each source.

use std::process::ExitCode;
use std::sync::Arc;

use analysis::eval::ReportedError;
use analysis::{EvalSettings, Evaluation};
use serde::Deserialize;
use serde_json::{Value, json};

use super::json_lines;
use crate::args::Release;
use crate::facts;
use crate::source::{LineBreaks, PositionEncoding, Source};
use crate::terminal::Failure;

#[derive(Deserialize)]
struct EvalRequest {
    source: String,
    facts: Option<Value>,
}

/// Answers each line of standard input with a JSON line.
pub(crate) fn run(release: Release) -> Result<ExitCode, Failure> {
    json_lines::answer_each(&|line| answer(line, release))?;
    Ok(ExitCode::SUCCESS)
}

fn answer(line: &str, release: Release) -> Value {
    let (id, case): (Value, EvalRequest) = match json_lines::request(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    let facts = case.facts.as_ref().and_then(facts::from_json);
    let version = release.into();
    evaluate(&id, case.source, EvalSettings { version, facts })
}

fn evaluate(id: &Value, source: String, settings: EvalSettings) -> Value {
    match analysis::evaluate(&source, settings) {
        Evaluation::Value(it) => json!({
            "id": id,
            "ok": true,
            "value": it.value,
            "type_detailed": it.type_detailed,
            "type_reduced": it.type_reduced,
            "type_generalized": it.type_generalized,
            "type_exact": it.type_exact,
        }),
        Evaluation::Unknown(why) => json!({"id": id, "ok": null, "why": why}),
        Evaluation::Error(failure) => failed(id, source, &failure),
    }
}

fn failed(id: &Value, source: String, failure: &ReportedError) -> Value {
    let mut object = json!({
        "id": id,
        "ok": false,
        "stage": failure.stage,
        "error": failure.message,
        "code": failure.code,
    });
    if let Some(at) = failure.at {
        let source = Source::new(Arc::from(source), LineBreaks::Puppet);
        let position = source.line_column(at, PositionEncoding::Utf32);
        object["line"] = (position.line + 1).into();
        object["pos"] = (position.column + 1).into();
    }
    object
}
