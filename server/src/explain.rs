//! `pupil explain`: the page of a rule.

use std::io::Write;
use std::process::ExitCode;

use analysis::rules::{self, Rule, RuleFixes};

use crate::args::ExplainArgs;
use crate::config::Level;
use crate::terminal::{self, Failure};

/// How unlike a code may be what was meant by it, in edits.
const MAX_EDITS: usize = 3;

/// Prints the page of a rule, or the names of all rules with what they are about.
pub(crate) fn run(arguments: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    match arguments.code.as_deref() {
        None => {
            for rule in rules::all() {
                let (code, level) = (rule.code, Level::usual(rule).name());
                writeln!(out, "{code:24} {level:8} {}", summary(rule.doc))?;
            }
        }
        Some(code) => match rules::rule(code) {
            Some(rule) => out.write_all(page(rule).as_bytes())?,
            None => return Err(Failure::Message(unknown(code))),
        },
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The page of a rule, with what the table of rules says of it below the title.
fn page(rule: &Rule) -> String {
    let (title, text) = rule.doc.split_once("\n\n").unwrap_or((rule.doc, ""));
    let level = Level::usual(rule).name();
    let (fix, since) = (fix(rule), rule.since);
    format!("{title}\n\nDefault level: `{level}`. Fix: {fix}. Since {since}.\n\n{text}")
}

/// What can be done about the findings of a rule, as `pupil check --fix` needs to know it.
pub(crate) fn fix(rule: &Rule) -> &'static str {
    match rule.fixes() {
        RuleFixes { certain: true, .. } => "certain",
        RuleFixes {
            suggested: true, ..
        } => "suggested",
        _ => "none",
    }
}

/// The first sentence of a page.
pub(crate) fn summary(page: &str) -> String {
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
    fn a_page_says_the_level_and_the_fix() {
        let of = |code| page(rules::rule(code).expect("a rule"));
        let begin =
            "# duplicate-attribute\n\nDefault level: `error`. Fix: certain. Since 0.1.0.\n\n";
        let whole = of("duplicate-attribute");
        let rest = whole.strip_prefix(begin).expect(&whole);
        assert!(rules::DUPLICATE_ATTRIBUTE.doc.ends_with(rest));
        assert!(of("possible-mismatch").contains("\nDefault level: `off`."));
        assert!(of("unknown-class").contains(" Fix: suggested."));
        assert!(of("unreachable-code").contains("`hint`. Fix: none."));
    }

    #[test]
    fn a_slip_in_a_code_is_corrected() {
        let near = unknown("unknown-clas");
        assert!(near.contains("did you mean `unknown-class`?"), "{near}");
        assert!(unknown("quite-different").contains("lists them"));
    }
}
