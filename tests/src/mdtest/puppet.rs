//! Compares documents with Puppet.

use std::collections::VecDeque;

use serde_json::{Value as Json, json};
use syntax::validation::PuppetVersion;

use super::answer::{Answers, of_eval, of_parse};
use super::block::{ParsedBlock, Subject, parse_block};
use super::check::{Engine, check};
use super::document::{Block, Document, Language};
use super::revealed;
use crate::corpus::tests_dir;
use crate::oracle;

/// Returns the failures of a document with the installed Puppet.
///
/// # Panics
/// If Puppet cannot be run.
pub fn check_against_puppet(document: &Document) -> Vec<String> {
    let blocks: Vec<(&Block, ParsedBlock)> = document
        .cases
        .iter()
        .flat_map(|case| &case.blocks)
        .map(|block| (block, parse_block(block)))
        .collect();
    let mut asking = OracleQueries::default();
    for (block, parsed) in &blocks {
        asking.ask(block, parsed);
    }
    let mut given = asking.answered();
    let mut failures = Vec::new();
    for (block, parsed) in &blocks {
        let answers = given.next(block, parsed);
        let found = check(parsed, &answers, Engine::Puppet);
        let revealed = revealed::contradictions(block, parsed);
        let found = found.iter().chain(&revealed);
        failures.extend(found.map(|it| it.rendered(&document.path, block)));
    }
    failures
}

/// The questions about a document, or the answers to them, in order.
#[derive(Default)]
struct OracleQueries {
    /// To evaluate with the settings of Puppet 8, as far as 7 has them.
    strict: VecDeque<Json>,
    /// To evaluate with the settings of Puppet 7.
    lenient: VecDeque<Json>,
    /// To parse and validate.
    parse: VecDeque<Json>,
}

impl OracleQueries {
    fn eval(&mut self, version: PuppetVersion) -> &mut VecDeque<Json> {
        match version {
            PuppetVersion::V7 => &mut self.lenient,
            PuppetVersion::V8 => &mut self.strict,
        }
    }

    fn ask(&mut self, block: &Block, parsed: &ParsedBlock) {
        match &parsed.subject {
            Subject::Statements(statements) => {
                let sources = statements
                    .iter()
                    .map(|it| json!({ "source": it.source, "facts": {} }));
                self.eval(block.version).extend(sources);
            }
            Subject::Whole(source, _) => {
                let question = json!({ "source": source.text, "path": path(block) });
                self.parse.push_back(question);
            }
        }
    }

    /// Replaces the questions by Puppet's answers.
    fn answered(self) -> OracleQueries {
        let ask = |tool: &str, args: &[&str], questions: VecDeque<Json>| {
            if questions.is_empty() {
                return questions;
            }
            let lines = questions.iter().map(|it| format!("{it}\n"));
            let program = tests_dir().join("oracle").join(tool);
            let answers = oracle::answers(program, args, lines.collect());
            assert_eq!(answers.len(), questions.len(), "one answer per question");
            answers.into()
        };
        OracleQueries {
            strict: ask("eval", &[], self.strict),
            lenient: ask("eval", &["--lenient"], self.lenient),
            parse: ask("parse", &["--json"], self.parse),
        }
    }

    fn next(&mut self, block: &Block, parsed: &ParsedBlock) -> Answers {
        let taken = |answers: &mut VecDeque<Json>| answers.pop_front().unwrap_or_default();
        match &parsed.subject {
            Subject::Statements(statements) => {
                let answers = self.eval(block.version);
                let answer = |_| of_eval(&taken(answers));
                Answers::Statements(statements.iter().map(answer).collect())
            }
            Subject::Whole(..) => Answers::Whole(of_parse(&taken(&mut self.parse))),
        }
    }
}

/// Returns a path from which Puppet derives the kind of file.
fn path(block: &Block) -> String {
    match (&block.path, block.language) {
        (Some(path), _) => format!("/{path}"),
        (None, Language::Puppet) => "/case.pp".to_owned(),
        (None, Language::Epp) => "/case.epp".to_owned(),
    }
}
