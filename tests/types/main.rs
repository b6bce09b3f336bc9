//! The type system compared with Puppet: generated questions with recorded answers.
//!
//! `types/record` generates the questions and records the answers.

mod laws;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use analysis::types::definitions::Definitions;
use analysis::types::oracle_queries::{Answer, QueryError, QueryOperands, answer};
use analysis::types::reader::BuiltInTypes;
use analysis::values::Value;
use analysis::{EvalSettings, Session};
use serde_json::Value as Json;
use syntax::ast::{AstNode, Expr};

fn recorded() -> Vec<Json> {
    let path = pupil_tests::env::type_questions().unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("types/recordings/questions.jsonl.gz")
    });
    let file = std::fs::File::open(path).expect("the recording can be read");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("the recording is complete");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect()
}

struct Question<'a>(&'a Json);

impl QueryOperands for Question<'_> {
    fn field(&self, name: &str) -> Option<String> {
        Some(self.0.get(name)?.as_str()?.to_owned())
    }

    fn evaluate(&self, source: &str) -> Result<Value, QueryError> {
        let value = Session::new(EvalSettings::default()).value(source);
        value.map_err(|why| QueryError::Unknown(format!("{why:?}")))
    }
}

fn ask(question: &Json) -> Result<Answer, QueryError> {
    let asked = Question(question);
    let operation = asked.field("op").unwrap_or_default();
    let definitions = asked.field("defs").unwrap_or_default();
    let parse = syntax::parse(&definitions, syntax::Dialect::default());
    let aliases = parse.tree().statements().filter_map(|it| match it {
        Expr::TypeAlias(alias) => {
            let text = alias.syntax().text().to_string();
            let name = text
                .trim()
                .strip_prefix("type")?
                .split('=')
                .next()?
                .trim()
                .into();
            Some((name, alias.type_expr()?))
        }
        _ => None,
    });
    answer(
        &operation,
        &asked,
        &Definitions::new(aliases, &BuiltInTypes),
    )
}

/// Checks whether our answer equals Puppet's. Where Puppet fails for reasons of its own, any answer
/// counts; the wording of a mismatch is ours.
fn agrees(operation: &str, ours: &Result<Answer, QueryError>, theirs: &Json) -> bool {
    if theirs["ok"] == Json::Bool(false) {
        return operation != "parse" || ours.is_err();
    }
    let text = |key: &str| theirs.get(key).and_then(Json::as_str);
    match ours {
        Err(_) => false,
        Ok(Answer::Truth(truth)) => theirs["result"] == Json::Bool(*truth),
        Ok(Answer::Text(_)) => theirs["result"].is_string(),
        Ok(Answer::Type {
            result,
            exact,
            expanded,
        }) => {
            text("result") == Some(result)
                && text("exact") == Some(exact)
                && expanded
                    .as_ref()
                    .is_none_or(|it| text("expanded") == Some(it))
        }
        Ok(Answer::Value {
            value,
            detailed,
            reduced,
            generalized,
            exact,
        }) => {
            text("value") == value.as_deref()
                && text("type_detailed") == Some(detailed)
                && text("type_reduced") == Some(reduced)
                && text("type_generalized") == Some(generalized)
                && text("type_exact") == Some(exact)
        }
    }
}

#[test]
fn answers_match_puppet() {
    let recorded = recorded();
    assert!(
        recorded.len() >= 5000,
        "only {} questions are recorded",
        recorded.len()
    );
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in &recorded {
        let (question, theirs) = (&line["question"], &line["answer"]);
        let ours = ask(question);
        let operation = question["op"].as_str().unwrap_or_default();
        if !agrees(operation, &ours, theirs) {
            let told = format!("{question}\n  Puppet: {theirs}\n  ours:   {ours:?}");
            wrong.entry(operation.to_owned()).or_default().push(told);
        }
    }
    let counts: Vec<String> = wrong
        .iter()
        .map(|(operation, it)| format!("{operation}: {}", it.len()))
        .collect();
    let few: Vec<&String> = wrong.values().flat_map(|it| it.iter().take(12)).collect();
    let text = few
        .iter()
        .map(|it| it.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        wrong.is_empty(),
        "{text}\n{} of {}",
        counts.join(", "),
        recorded.len()
    );
}
