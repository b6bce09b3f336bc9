//! Compares the assertions of a block with its answers.

use super::answer::{Answer, Answers, NO_CODE, ReportedProblem};
use super::assertion::{Assertion, Claim, ExpectedProblem};
use super::block::{ParsedBlock, Statement, Subject, lines};
use super::document::Block;

/// The implementation whose answers are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Engine {
    /// Pupil.
    Pupil,
    /// Puppet: every assertion must hold, including those that are `todo` for Pupil, except for
    /// the wording of our messages and for unknown values.
    Puppet,
}

/// An assertion that does not hold, or an unexpected error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// The line of the block, counted from 1.
    line: usize,
    text: String,
    /// The claim, if the only problem is its outdated `todo` mark.
    pub(super) outdated: Option<Claim>,
}

impl Failure {
    pub(super) fn new(line: usize, text: impl Into<String>) -> Failure {
        Failure {
            line,
            text: text.into(),
            outdated: None,
        }
    }

    /// An assertion that holds although it is marked as `todo`.
    pub(super) fn outdated(it: &Assertion) -> Failure {
        Failure {
            line: it.line,
            text: format!("`{}` holds now: remove the `todo`", it.claim),
            outdated: Some(it.claim.clone()),
        }
    }

    /// Returns the line of the document, counted from 1.
    pub(super) fn line(&self, block: &Block) -> usize {
        block.line + self.line - 1
    }

    /// Renders the failure with its position and line of code.
    pub(super) fn rendered(&self, path: &str, block: &Block) -> String {
        let code = block.text.lines().nth(self.line - 1).unwrap_or_default();
        format!(
            "tests/mdtest/{path}:{}: {}\n  {}",
            self.line(block),
            code.trim(),
            self.text.replace('\n', "\n  ")
        )
    }
}

/// Returns all failures of a block.
pub(super) fn check(parsed: &ParsedBlock, answers: &Answers, engine: Engine) -> Vec<Failure> {
    let faults = parsed.faults.iter();
    let mut failures: Vec<Failure> = faults
        .map(|(line, text)| Failure::new(*line, text))
        .collect();
    match (&parsed.subject, answers) {
        (Subject::Statements(statements), Answers::Statements(answers)) => {
            for (index, answer) in answers.iter().enumerate() {
                let extent = lines(statements, index);
                let statement = &statements[index];
                check_statement(statement, &extent, answer, engine, &mut failures);
            }
        }
        (Subject::Whole(_, assertions), Answers::Whole(found)) => {
            check_whole(assertions, found, engine, &mut failures);
        }
        _ => failures.push(Failure::new(1, "the answers do not match the subject")),
    }
    failures
}

fn check_statement(
    statement: &Statement,
    extent: &std::ops::Range<usize>,
    answer: &Answer,
    engine: Engine,
    failures: &mut Vec<Failure>,
) {
    let implied = [Assertion {
        claim: Claim::Fine,
        todo: false,
        line: statement.line,
        alone: true,
    }];
    let assertions = if statement.assertions.is_empty() {
        &implied[..]
    } else {
        &statement.assertions
    };
    for it in assertions {
        if engine == Engine::Puppet && matches!(it.claim, Claim::Unknown(_)) {
            continue;
        }
        let holds = holds(it, extent, answer, engine);
        if it.todo && engine == Engine::Pupil {
            if holds {
                failures.push(Failure::outdated(it));
            }
        } else if !holds {
            let found = describe(answer, &it.claim);
            let text = format!("expected {}\nfound    {found}", it.claim);
            failures.push(Failure::new(it.line, text));
        }
    }
}

fn holds(it: &Assertion, extent: &std::ops::Range<usize>, answer: &Answer, engine: Engine) -> bool {
    match (&it.claim, answer) {
        (Claim::Value(expected), Answer::Value { value, .. }) => value.as_deref() == Some(expected),
        (Claim::Type(expected), Answer::Value { type_, .. }) => type_ == expected,
        (Claim::Reduced(expected), Answer::Value { reduced, .. }) => reduced == expected,
        (Claim::Generalized(expected), Answer::Value { generalized, .. }) => {
            generalized == expected
        }
        (Claim::Fine, Answer::Value { .. }) => true,
        (Claim::Unknown(expected), Answer::Unknown(why)) => why.contains(expected.as_str()),
        (Claim::Error(expected), Answer::Failure(found)) => {
            let is_there = |line| {
                if it.alone {
                    extent.contains(&line)
                } else {
                    line == it.line
                }
            };
            matches(expected, found, engine) && found.line.is_none_or(is_there)
        }
        _ => false,
    }
}

fn matches(expected: &ExpectedProblem, found: &ReportedProblem, engine: Engine) -> bool {
    let text = expected.text.as_deref().unwrap_or_default();
    match engine {
        Engine::Pupil => expected.code == found.code && found.message.contains(text),
        // Where Puppet lacks a code for an error, any code matches.
        Engine::Puppet => expected.code == found.code || found.code == NO_CODE,
    }
}

/// Renders the part of an answer that corresponds to a claim.
fn describe(answer: &Answer, claim: &Claim) -> String {
    match answer {
        Answer::Failure(found) => rendered(found),
        Answer::Unknown(why) => format!("unknown: {why}"),
        Answer::Value {
            value,
            type_,
            reduced,
            generalized,
        } => match claim {
            Claim::Type(_) => format!("type: {type_}"),
            Claim::Reduced(_) => format!("reduced: {reduced}"),
            Claim::Generalized(_) => format!("generalized: {generalized}"),
            _ => match value {
                Some(value) => format!("value: {value}"),
                None => format!("a value without a source form, of type {type_}"),
            },
        },
    }
}

fn rendered(found: &ReportedProblem) -> String {
    let what = if found.is_error { "error" } else { "warning" };
    let line = found
        .line
        .map_or_else(String::new, |it| format!(" on line {it} of the block"));
    format!("{what}: [{}] \"{}\"{line}", found.code, found.message)
}

fn check_whole(
    assertions: &[Assertion],
    found: &[ReportedProblem],
    engine: Engine,
    failures: &mut Vec<Failure>,
) {
    let matches = |it: &Assertion, found: &ReportedProblem| {
        let expected = match &it.claim {
            Claim::Error(expected) if found.is_error => expected,
            Claim::Warning(expected) if !found.is_error => expected,
            _ => return false,
        };
        let line = if it.alone { it.line - 1 } else { it.line };
        matches(expected, found, engine) && found.line.is_none_or(|there| there == line)
    };
    for it in found {
        if !assertions.iter().any(|expected| matches(expected, it)) {
            failures.push(Failure::new(
                it.line.unwrap_or(1),
                format!("unexpected {}", rendered(it)),
            ));
        }
    }
    // Puppet's parser stops at the first error.
    let all_found = engine == Engine::Pupil || !found.iter().any(|it| it.ends_parsing);
    for it in assertions {
        let holds = found.iter().any(|found| matches(it, found));
        if it.todo && engine == Engine::Pupil {
            if holds {
                failures.push(Failure::outdated(it));
            }
        } else if !holds && all_found {
            failures.push(Failure::new(
                it.line,
                format!("expected {}\nfound    no such error or warning", it.claim),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use syntax::validation::PuppetVersion;

    use super::super::document::Language;
    use super::super::{answer, block};
    use super::*;

    fn block_of(text: &str, parse_only: bool) -> Block {
        Block {
            path: None,
            language: Language::Puppet,
            parse_only,
            step: false,
            version: PuppetVersion::V8,
            text: text.to_owned(),
            line: 10,
        }
    }

    /// Returns the failures of a block with their lines.
    fn failures(text: &str) -> Vec<String> {
        failures_in(&block_of(text, false))
    }

    fn failures_in(block: &Block) -> Vec<String> {
        let parsed = block::parse_block(block);
        let found = check(
            &parsed,
            &answer::pupil_answers(block, &parsed),
            Engine::Pupil,
        );
        let rendered = found.iter().map(|it| it.rendered("a.md", block));
        rendered.map(|it| it.replace("\n  ", " | ")).collect()
    }

    #[test]
    fn accepts_assertions_that_hold() {
        assert_eq!(
            failures(
                "$a = 'x' # value: 'x' # type: String<x>\n\
                 [1, 'x'] # type: Tuple[Integer[1, 1], String<x>] # reduced: Array[ScalarData, 2, 2]\n\
                 [\n  1 / 0, # error: [DIV_BY_ZERO]\n]\n\
                 1 / 0\n# error: [DIV_BY_ZERO] \"zero\"\n\
                 file('/x') # unknown: files\n\
                 $a"
            ),
            [""; 0]
        );
    }

    #[test]
    fn rejects_assertions_that_do_not_hold() {
        assert_eq!(
            failures("\n1 + 1 # value: 3"),
            ["tests/mdtest/a.md:11: 1 + 1 # value: 3 | expected value: 3 | found    value: 2"]
        );
        for (text, lines) in [
            ("1 # type: Integer[2, 2]", 1),
            ("1 # error: [DIV_BY_ZERO]", 1),
            ("1 / 0 # value: 1", 1),
            ("1 / 0 # error: [NOT_NUMERIC]", 1),
            ("1 / 0 # error: [DIV_BY_ZERO] \"by one\"", 1),
            ("[ # error: [DIV_BY_ZERO]\n1 / 0]", 1),
            ("1 / 0", 1),
            ("file('/x')", 1),
            ("file('/x') # unknown: of no interest", 1),
            ("1 # unknown: one", 1),
            ("1 # value: 2 # type: String", 2),
            ("# value: 1\n1", 1),
        ] {
            assert_eq!(failures(text).len(), lines, "{text}");
        }
    }

    #[test]
    fn rejects_outdated_todo_marks() {
        assert_eq!(
            failures("file('/x') # todo: value: 1\nfile('/y') # todo"),
            [""; 0]
        );
        assert_eq!(failures("1 # todo: value: 2"), [""; 0]);
        assert_eq!(failures("1 # todo: value: 1").len(), 1);
        assert_eq!(failures("1 # todo").len(), 1);
        assert_eq!(failures("1 / 0 # todo: error: [DIV_BY_ZERO]").len(), 1);
    }

    #[test]
    fn checks_blocks_that_are_not_evaluated_by_line() {
        assert_eq!(
            failures("$a = 1\n$a[0] = # error: [SYNTAX_ERROR]\n"),
            [""; 0]
        );
        let whole = |text| failures_in(&block_of(text, true)).len();
        assert_eq!(whole("class a { 1 } # error: [IDEM_NOT_ALLOWED_LAST]"), 0);
        assert_eq!(whole("class a { 1 }"), 1);
        assert_eq!(whole("class a { } # error: [IDEM_NOT_ALLOWED_LAST]"), 1);
        assert_eq!(whole("\"\\q\"\n# warning: [UNRECOGNIZED_ESCAPE]"), 0);
        assert_eq!(whole("file { 'a': } # todo: error: [X]"), 0);
        assert_eq!(
            whole("class a { 1 } # todo: error: [IDEM_NOT_ALLOWED_LAST]"),
            1
        );
    }

    #[test]
    fn puppet_must_match_everything_except_our_messages() {
        let block = block_of(
            "1 / 0 # error: [DIV_BY_ZERO] \"ours\"\n1 # todo: value: 1\n2 # unknown: x",
            false,
        );
        let parsed = block::parse_block(&block);
        let failure = ReportedProblem {
            code: "DIV_BY_ZERO".to_owned(),
            line: Some(1),
            message: "theirs".to_owned(),
            is_error: true,
            ends_parsing: false,
        };
        let one = Answer::Value {
            value: Some("1".to_owned()),
            type_: "Integer[1, 1]".to_owned(),
            reduced: "Integer[1, 1]".to_owned(),
            generalized: "Integer".to_owned(),
        };
        let answers = Answers::Statements(vec![Answer::Failure(failure), one.clone(), one]);
        assert_eq!(check(&parsed, &answers, Engine::Puppet), []);
        assert_eq!(check(&parsed, &answers, Engine::Pupil).len(), 3);
    }
}
