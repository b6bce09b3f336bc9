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

pub use puppet::held_against_puppet;

use document::{Case, Document};

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
        let examined = block::examine(block);
        report.todos += examined.todos();
        let found = judge::judge(&examined, &answer::ours(block, &examined), judge::Judge::Us);
        report
            .failures
            .extend(found.iter().map(|it| it.told(&document.path, block)));
    }
    report
}
