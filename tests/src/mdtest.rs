//! Tests written as documentation: Markdown whose Puppet blocks contain assertions.
//!
//! `tests/mdtest/README.md` describes the format. A [`document`] consists of cases (its sections)
//! and blocks, a [`block`] of statements with [`assertion`]s in comments. The [`answer`] of Pupil
//! or of Puppet is compared with the assertions in both directions: every assertion must hold, and
//! every error must be expected.
//!
//! This module does not evaluate Puppet code itself; it uses the public API of the program and
//! `tests/oracle`.

pub mod answer;
pub mod assertion;
pub mod block;
mod check;
pub mod document;
mod puppet;
mod revealed;
mod steps;

pub use puppet::check_against_puppet;

use assertion::Claim;
use check::{Engine, Failure};
use document::{Block, Case, Document};

/// Returns the number of assertions of a document that are marked as `todo`.
pub fn todos(document: &Document) -> usize {
    let blocks = document.cases.iter().flat_map(|it| &it.blocks);
    blocks.map(|it| block::parse_block(it).todos()).sum()
}

/// Compares a case with Pupil. Returns the assertions that do not hold and the unexpected errors,
/// each with its file and line.
pub fn check_against_pupil(document: &Document, case: &Case) -> Vec<String> {
    let blocks = case.blocks.iter();
    let of_blocks = blocks.flat_map(|it| {
        check_block(it)
            .into_iter()
            .map(move |failure| (it, failure))
    });
    let failures = of_blocks.chain(steps::check(case));
    failures
        .map(|(block, it)| it.rendered(&document.path, block))
        .collect()
}

/// Returns the failures of a block.
fn check_block(block: &Block) -> Vec<Failure> {
    let parsed = block::parse_block(block);
    let answers = answer::pupil_answers(block, &parsed);
    let mut failures = check::check(&parsed, &answers, Engine::Pupil);
    if !block.step {
        failures.extend(revealed::check(block, &parsed));
    }
    failures
}

/// Returns the source of a document without the `todo` marks of assertions that hold.
pub fn without_outdated_todos(document: &Document, text: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for case in &document.cases {
        let of_block = |it| {
            check_block(it)
                .into_iter()
                .map(move |failure| (it, failure))
        };
        let blocks = case.blocks.iter().flat_map(of_block);
        for (block, failure) in blocks.chain(steps::check(case)) {
            let line = lines.get_mut(failure.line(block) - 1);
            if let (Some(claim), Some(line)) = (&failure.outdated, line) {
                *line = unmarked(line, claim);
            }
        }
    }
    lines.join("\n")
}

fn unmarked(line: &str, claim: &Claim) -> String {
    match claim {
        Claim::Fine => line.trim_end_matches("# todo").trim_end().to_owned(),
        claim => line.replace(&format!("# todo: {claim}"), &format!("# {claim}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_todo_marks_of_assertions_that_hold() {
        let text = "# A\n\n```puppet\n\
            $x = 1 # todo\n\
            $x # todo: value: 1 # todo: type: Float\n\
            file('/x') # todo\n\
            ```\n";
        let document = document::read("a.md", text).expect("it is one");
        assert_eq!(
            without_outdated_todos(&document, text),
            "# A\n\n```puppet\n\
            $x = 1\n\
            $x # value: 1 # todo: type: Float\n\
            file('/x') # todo\n\
            ```\n"
        );
    }
}
