//! The invariants of fixes: the result parses, the diagnostic is gone, and no new one is reported.
//! Tested with the examples of the pages, and with all diagnostics in Debian's modules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analysis::base::{Diagnostic, Fix};
use analysis::rules::{RULES, Rule, RuleFixes, STYLE_RULES};
use pupil_tests::workspace::TestWorkspace;
use syntax::{Applicability, Dialect, Edit, Severity, apply_edits};

use crate::debian_modules;
use crate::pages::examples;

/// Returns the text after a fix, all of whose edits must be in the file.
fn fixed(workspace: &TestWorkspace, path: &str, fix: &Fix) -> Option<String> {
    let file = workspace.id(path)?;
    let text = workspace.text(path)?;
    let edits: Vec<&Edit> = fix.edits.iter().map(|it| &it.1).collect();
    let here = fix.edits.iter().all(|it| it.0 == file);
    here.then(|| apply_edits(&text, edits)).flatten()
}

/// Counts the diagnostics by code and message.
fn diagnostic_counts(found: &[Diagnostic]) -> BTreeMap<(&'static str, String), usize> {
    let mut times = BTreeMap::new();
    for it in found {
        *times.entry((it.code, it.message.clone())).or_default() += 1;
    }
    times
}

/// Returns the invariant that a fix violates.
pub(super) fn problem(
    workspace: &mut TestWorkspace,
    path: &str,
    finding: &Diagnostic,
    fix: &Fix,
) -> Option<String> {
    let before = diagnostic_counts(&workspace.diagnostics(path));
    let sound = workspace.text(path)?;
    let Some(text) = fixed(workspace, path, fix) else {
        return Some("the edits overlap".to_owned());
    };
    workspace.set(path, &text);
    let after = diagnostic_counts(&workspace.diagnostics(path));
    let broken = syntax::parse(&text, dialect(path));
    let broken = broken
        .errors()
        .iter()
        .find(|it| it.severity == Severity::Error);
    let broken = broken.map(|it| it.message.clone());
    workspace.set(path, &sound);
    if let Some(message) = broken {
        return Some(format!("the result does not parse: {message}"));
    }
    let key = (finding.code, finding.message.clone());
    if after.get(&key) >= before.get(&key) {
        return Some("the diagnostic is still reported".to_owned());
    }
    let mut new = after.iter().filter(|it| before.get(it.0) < Some(it.1));
    // Fixes of other rules leave the alignment of the lines around them to the formatter.
    let new = new.find(|it| !is_layout(it.0.0));
    new.map(|it| format!("new: {}: {}", it.0.0, it.0.1))
}

/// Checks whether the fixes of a rule are those of the formatter.
fn is_layout(code: &str) -> bool {
    let rule = analysis::rules::rule(code);
    rule.is_some_and(|it| it.page().contains("as `pupil format` does"))
}

fn dialect(path: &str) -> Dialect {
    pupil_tests::corpus::dialect(path)
}

/// Returns whether a page documents safe fixes, and whether it documents suggested ones.
fn documented_fixes(rule: &Rule) -> (bool, bool) {
    let RuleFixes { safe, suggested } = rule.fixes();
    let none = rule.page().contains("\n## Fix\n\nNo fix is available: ");
    assert!(
        none != (safe || suggested),
        "{}: the page must state the fixes, or that none exist",
        rule.code
    );
    (safe, suggested)
}

#[test]
fn fixes_match_the_pages() {
    let mut problems = String::new();
    for rule in RULES.iter().chain(STYLE_RULES) {
        let (mut safe, mut suggested) = (false, false);
        let wrong = examples(&rule.page()).into_iter().filter(|it| it.wrong);
        for mut workspace in wrong.map(|it| it.workspace()) {
            let paths: Vec<_> = workspace.paths().map(str::to_owned).collect();
            for path in &paths {
                for finding in workspace.diagnostics(path) {
                    for fix in &finding.fixes {
                        if finding.code == rule.code {
                            safe |= fix.applicability == Applicability::Safe;
                            suggested |= fix.applicability == Applicability::Suggested;
                        }
                        if let Some(problem) = problem(&mut workspace, path, &finding, fix) {
                            let _ = writeln!(
                                problems,
                                "{} {path} {:?}: {}: {problem}",
                                rule.code, finding.message, fix.label
                            );
                        }
                    }
                }
            }
        }
        if documented_fixes(rule) != (safe, suggested) {
            let _ = writeln!(
                problems,
                "{}: documented {:?}, found {:?} (safe, suggested)",
                rule.code,
                documented_fixes(rule),
                (safe, suggested)
            );
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

/// The number of diagnostics of a rule, of those with a fix or a safe fix, and of fixes.
#[derive(Default)]
struct FixCounts {
    findings: usize,
    fixable: usize,
    safe: usize,
    fixes: usize,
    failures: usize,
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn fixes_in_debian_modules_are_sound() {
    let modules = debian_modules();
    let mut workspace = TestWorkspace::new(&modules);
    let mut counts: BTreeMap<&'static str, FixCounts> = BTreeMap::new();
    let mut problems = String::new();
    let mut failures = 0;
    let paths: Vec<_> = workspace.paths().map(str::to_owned).collect();
    let ours = |it: &&String| it.ends_with(".pp") || it.ends_with(".epp");
    for path in paths.iter().filter(ours) {
        for finding in workspace.diagnostics(path) {
            let of_rule = counts.entry(finding.code).or_default();
            of_rule.findings += 1;
            of_rule.fixable += usize::from(!finding.fixes.is_empty());
            let is_safe = |it: &Fix| it.applicability == Applicability::Safe;
            of_rule.safe += usize::from(finding.fixes.iter().any(is_safe));
            for fix in &finding.fixes {
                of_rule.fixes += 1;
                if let Some(problem) = problem(&mut workspace, path, &finding, fix) {
                    of_rule.failures += 1;
                    failures += 1;
                    let line = line(&workspace, path, &finding);
                    let _ = writeln!(
                        problems,
                        "{path}:{line} {}: {:?}: {}: {problem}",
                        finding.code, finding.message, fix.label
                    );
                }
            }
        }
    }
    println!("rule: findings, with a fix, with a safe one, fixes, failures");
    for (code, it) in &counts {
        println!(
            "{code:30} {:6} {:6} {:6} {:6} {:4}",
            it.findings, it.fixable, it.safe, it.fixes, it.failures
        );
    }
    assert!(failures == 0, "{failures} failures\n{problems}");
}

fn line(workspace: &TestWorkspace, path: &str, finding: &Diagnostic) -> usize {
    let text = workspace.text(path).unwrap_or_default();
    let before = &text.as_bytes()[..usize::from(finding.range.start())];
    before.iter().filter(|it| **it == b'\n').count() + 1
}
