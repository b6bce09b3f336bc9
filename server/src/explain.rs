//! `pupil explain`: the page of a rule.

use std::io::Write;
use std::process::ExitCode;

use analysis::rules;

use crate::args::ExplainArgs;
use crate::terminal::{self, Failure};

/// How unlike a code may be what was meant by it, in edits.
const MAX_EDITS: usize = 3;

/// Prints the page of a rule, or the names of all rules with what they are about.
pub(crate) fn run(arguments: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    match arguments.code.as_deref() {
        None => {
            for rule in rules::all() {
                writeln!(out, "{:24} {}", rule.code, summary(rule.doc))?;
            }
        }
        Some(code) => match rules::rule(code) {
            Some(rule) => out.write_all(rule.doc.as_bytes())?,
            None => return Err(Failure::Message(unknown(code))),
        },
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The first sentence of a page.
fn summary(page: &str) -> String {
    let mut paragraphs = page.split("\n\n");
    let first = paragraphs.find(|it| !it.starts_with('#'));
    let first = first.unwrap_or_default().replace('\n', " ");
    let end = first.find(". ").map_or(first.len(), |it| it + 1);
    first[..end].to_owned()
}

fn unknown(code: &str) -> String {
    let near = rules::all()
        .map(|it| (strsim::osa_distance(code, it.code), it.code))
        .filter(|it| it.0 <= MAX_EDITS)
        .min();
    match near {
        Some((_, near)) => format!("there is no rule `{code}`; did you mean `{near}`?"),
        None => format!("there is no rule `{code}`: `pupil explain` lists them"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_summed_up_in_one_line() {
        for rule in rules::all() {
            let line = summary(rule.doc);
            let good = line.ends_with(['.', ':']) && !line.contains('\n') && line.len() < 200;
            assert!(good, "{}: {line:?}", rule.code);
        }
    }

    #[test]
    fn a_slip_in_a_code_is_corrected() {
        let near = unknown("unknown-clas");
        assert!(near.contains("did you mean `unknown-class`?"), "{near}");
        assert!(unknown("quite-different").contains("lists them"));
    }
}
