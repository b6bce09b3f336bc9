//! `pupil debug parse`: parses and validates each file.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Diagnostic, Severity, Stage, pn};

use super::json_lines;
use crate::args::DebugParseArgs;
use crate::paths::spec_from_path;
use crate::read_text::{ReadError, read_text};
use crate::source::{LineBreaks, LineColumn, PositionEncoding, Source};
use crate::terminal::Failure;

/// The options that apply to every file.
#[derive(Clone, Copy)]
struct ParseOptions {
    version: PuppetVersion,
    ast: bool,
}

/// Answers each line of standard input with a JSON line.
pub(crate) fn run(arguments: &DebugParseArgs) -> Result<ExitCode, Failure> {
    let options = ParseOptions {
        version: arguments.release.into(),
        ast: arguments.ast.is_some(),
    };
    if arguments.json {
        json_lines::answer_each(&|line| answer_object(line, options))?;
    } else {
        json_lines::answer_each(&|path| answer_path(path, options))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Deserialize)]
struct ParseRequest {
    source: String,
    #[serde(default)]
    path: Option<String>,
}

fn answer_object(line: &str, options: ParseOptions) -> Value {
    let (id, case): (Value, ParseRequest) = match json_lines::request(line) {
        Ok(request) => request,
        Err(answer) => return answer,
    };
    let path = case.path.as_deref().unwrap_or("case.pp");
    with_verdict(("id", id), parse_source(case.source, path, options))
}

fn answer_path(path: &str, options: ParseOptions) -> Value {
    let verdict = match read_text(Path::new(path)) {
        Ok(text) => parse_source(text, path, options),
        Err(error) => unreadable(&error),
    };
    with_verdict(("file", path.into()), verdict)
}

/// Returns the fields of the verdict on a source.
fn parse_source(text: String, path: &str, options: ParseOptions) -> Map<String, Value> {
    let spec = spec_from_path(path);
    let source = Source::new(Arc::from(text), LineBreaks::Puppet);
    let parse = syntax::parse(source.text(), spec.dialect);
    let mut found = parse.errors().to_vec();
    if !found.iter().any(|it| it.severity == Severity::Error) {
        let context = ValidationContext {
            version: options.version,
            tasks: spec.dialect.tasks,
            place: spec.place,
        };
        found.extend(validate(&parse.tree(), &context));
    }
    let mut verdict = verdict(&found, &source);
    if options.ast && verdict.get("ok") == Some(&Value::Bool(true)) {
        verdict.insert("ast".to_owned(), pn::to_pn(&parse.tree()).into());
    }
    verdict
}

/// Reports the errors of the first stage that has any, because Puppet stops after it.
fn verdict(found: &[Diagnostic], source: &Source) -> Map<String, Value> {
    let (errors, warnings): (Vec<_>, Vec<_>) =
        found.iter().partition(|it| it.severity == Severity::Error);
    let stage = errors.iter().map(|it| it.stage).min();
    let errors = errors.iter().filter(|it| Some(it.stage) == stage);
    let mut verdict = Map::new();
    verdict.insert("ok".to_owned(), stage.is_none().into());
    if let Some(stage) = stage {
        verdict.insert("stage".to_owned(), stage_name(stage).into());
    }
    let list = errors.map(|it| describe(it, source)).collect();
    verdict.insert("errors".to_owned(), Value::Array(list));
    let list = warnings.iter().map(|it| describe(it, source)).collect();
    verdict.insert("warnings".to_owned(), Value::Array(list));
    verdict
}

fn describe(diagnostic: &Diagnostic, source: &Source) -> Value {
    let mut object = json!({
        "code": diagnostic.code.0,
        "message": diagnostic.message,
        "severity": severity_name(diagnostic.severity),
    });
    if let Some(anchor) = diagnostic.anchor {
        add_position(
            &mut object,
            source.line_column(anchor, PositionEncoding::Utf32),
        );
    }
    object
}

fn unreadable(error: &ReadError) -> Map<String, Value> {
    let mut object = json!({
        "code": if matches!(error, ReadError::NotUtf8(_)) { "INVALID_UTF8" } else { "UNREADABLE" },
        "message": error.to_string(),
        "severity": "error",
    });
    if let ReadError::NotUtf8(invalid) = error {
        let before = Source::new(Arc::from(invalid.text_before()), LineBreaks::Puppet);
        let end = syntax::TextSize::of(&**before.text());
        add_position(
            &mut object,
            before.line_column(end, PositionEncoding::Utf32),
        );
    }
    let mut verdict = Map::new();
    verdict.insert("ok".to_owned(), false.into());
    verdict.insert("stage".to_owned(), "input".into());
    verdict.insert("errors".to_owned(), json!([object]));
    verdict.insert("warnings".to_owned(), json!([]));
    verdict
}

fn add_position(object: &mut Value, at: LineColumn) {
    object["line"] = (at.line + 1).into();
    object["pos"] = (at.column + 1).into();
}

fn with_verdict(subject: (&str, Value), verdict: Map<String, Value>) -> Value {
    let mut answer = Map::new();
    answer.insert(subject.0.to_owned(), subject.1);
    answer.extend(verdict);
    Value::Object(answer)
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Parse => "parse",
        Stage::Validate => "validate",
        Stage::Import => "import",
    }
}

fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}
