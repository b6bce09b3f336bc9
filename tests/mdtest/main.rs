//! The documents of this directory: each section is a test, named by its headings.
//!
//! `README.md` describes the format. Documents are compared with Pupil, and with `--ignored` with
//! Puppet. With `PUPIL_MDTEST_UNMARK` set, outdated `todo` marks are removed from the documents
//! first.

use std::process::ExitCode;
use std::sync::Arc;
use std::{fs, io};

use libtest_mimic::{Arguments, Failed, Trial};
use pupil_tests::ceilings::{Counts, assert_within};
use pupil_tests::corpus::tests_dir;
use pupil_tests::env;
use pupil_tests::mdtest::document::{Document, read_all};
use pupil_tests::mdtest::{
    check_against_pupil, check_against_puppet, todos, without_outdated_todos,
};

fn main() -> ExitCode {
    let documents = match documents() {
        Ok(documents) => documents,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let todos: Counts = documents
        .iter()
        .map(|it| (it.path.clone(), todos(it)))
        .collect();
    let mut trials = vec![Trial::test("number of todo marks", move || {
        assert_within("mdtest/ceilings.tsv", &todos);
        Ok(())
    })];
    for document in documents {
        trials.extend(trials_of(&Arc::new(document)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn documents() -> io::Result<Vec<Document>> {
    let folder = tests_dir().join("mdtest");
    if env::unmark() {
        for document in read_all(&folder)? {
            let path = folder.join(&document.path);
            let text = fs::read_to_string(&path)?;
            let unmarked = without_outdated_todos(&document, &text);
            if unmarked != text {
                fs::write(&path, unmarked)?;
            }
        }
    }
    read_all(&folder)
}

fn trials_of(document: &Arc<Document>) -> Vec<Trial> {
    let mut trials = Vec::new();
    for index in 0..document.cases.len() {
        let name = format!("{}: {}", document.path, document.cases[index].name);
        let document = Arc::clone(document);
        trials.push(Trial::test(name, move || {
            verdict(&check_against_pupil(&document, &document.cases[index]))
        }));
    }
    let document = Arc::clone(document);
    let name = format!("{}: against Puppet", document.path);
    let against_puppet = Trial::test(name, move || verdict(&check_against_puppet(&document)));
    trials.push(
        against_puppet
            .with_kind("needs puppet-agent")
            .with_ignored_flag(true),
    );
    trials
}

fn verdict(failures: &[String]) -> Result<(), Failed> {
    if failures.is_empty() {
        return Ok(());
    }
    let text = failures.join("\n");
    Err(format!("{text}\n{} differences from the document", failures.len()).into())
}
