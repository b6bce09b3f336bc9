//! Tests written as documentation: Markdown whose Puppet blocks say what they come to.
//!
//! `tests/mdtest/README.md` describes the form for those who write documents. A [`document`] is cut
//! into cases (its sections) and blocks, a [`block`] into statements with what their comments
//! ([`assertion`]) say of them, and an [`answer`], our program's or the real Puppet's, is held
//! against that in both directions: what is said must be so, and what fails must be said to.
//!
//! Nothing here knows what any document says, and nothing evaluates Puppet code: that is done by
//! the public API of the program, and by `tests/oracle`.

pub mod answer;
pub mod assertion;
pub mod block;
pub mod document;
mod judge;
mod puppet;
mod revealed;
mod steps;

pub use puppet::held_against_puppet;

use assertion::Claim;
use document::{Block, Case, Document};
use judge::{Failure, Judge};

/// What is wrong with a case, and what it leaves for later.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// What is not as the document says, each with its file and line.
    pub failures: Vec<String>,
    /// How many comments say what the program cannot do yet.
    pub todos: usize,
}

/// Holds a case against our program.
pub fn held_against_us(document: &Document, case: &Case) -> Report {
    let mut report = Report::default();
    for block in &case.blocks {
        let (failures, todos) = judged(block);
        report.todos += todos;
        let told = failures.iter().map(|it| it.told(&document.path, block));
        report.failures.extend(told);
    }
    let steps = steps::judge(case).into_iter();
    let told = steps.map(|(block, it)| it.told(&document.path, block));
    report.failures.extend(told);
    report
}

/// What is wrong with a block, and how many of its comments say what the program cannot do yet.
fn judged(block: &Block) -> (Vec<Failure>, usize) {
    let examined = block::examine(block);
    let mut failures = judge::judge(&examined, &answer::ours(block, &examined), Judge::Us);
    if !block.step {
        failures.extend(revealed::judge(block, &examined));
    }
    (failures, examined.todos())
}

/// The text of a document without the `todo` before what works by now.
pub fn without_stale_marks(document: &Document, text: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for case in &document.cases {
        let of_block = |it| judged(it).0.into_iter().map(move |failure| (it, failure));
        let blocks = case.blocks.iter().flat_map(of_block);
        for (block, failure) in blocks.chain(steps::judge(case)) {
            let line = lines.get_mut(failure.line(block) - 1);
            if let (Some(claim), Some(line)) = (&failure.stale, line) {
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
    fn marks_of_what_works_are_taken_away() {
        let text = "# A\n\n```puppet\n\
            $x = 1 # todo\n\
            $x # todo: value: 1 # todo: type: Float\n\
            file('/x') # todo\n\
            ```\n";
        let document = document::read("a.md", text).expect("it is one");
        assert_eq!(
            without_stale_marks(&document, text),
            "# A\n\n```puppet\n\
            $x = 1\n\
            $x # value: 1 # todo: type: Float\n\
            file('/x') # todo\n\
            ```\n"
        );
    }
}
