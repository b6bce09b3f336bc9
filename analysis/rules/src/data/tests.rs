//! Tests of the rules for data, with the examples of the rule pages: a block `PATH wrong` must produce a
//! diagnostic on each line that ends with `# <-` and on no other, a block `PATH right` none at all. Blocks
//! with a path alone belong to the next example.

use fixture::{HIERA_CONFIG, Sources, visible_text};

use super::*;
use crate::rules::DATA_RULES;

const MARK: &str = " # <-";

/// Returns the path, the underlined text and the diagnostic of each finding in the data of a workspace.
fn findings(text: &str) -> Vec<(String, String, Diagnostic)> {
    let mut text = text.replace("//- data/", "//- modules/environment/data/");
    text = text.replace("//- hiera.yaml", "//- modules/environment/hiera.yaml");
    for module in ["environment", "ntp"] {
        let path = format!("//- modules/{module}/hiera.yaml");
        if text.contains(&format!("modules/{module}/data/")) && !text.contains(&path) {
            text.push_str(&format!("{path}\n{HIERA_CONFIG}"));
        }
    }
    let sources = Sources::parse(&text);
    let db = sources.database();
    let mut all = Vec::new();
    for (id, path, text) in sources.iter() {
        let file = db.file(id).expect("the file is one of the sources");
        for found in check(&db, file).unwrap_or_default() {
            all.push((path.to_owned(), visible_text(text, found.range), found));
        }
    }
    all
}

/// Returns the messages of a rule: "`underlined`: message".
pub(crate) fn messages(rule: &Rule, text: &str) -> Vec<String> {
    let found = findings(text).into_iter();
    let found = found.filter(|it| it.2.code == rule.code);
    found
        .map(|(_, underlined, it)| format!("`{underlined}`: {}", it.message))
        .collect()
}

/// Returns the labels of the fixes that a rule offers.
pub(crate) fn fixes(rule: &Rule, text: &str) -> Vec<String> {
    let found = findings(text).into_iter().map(|it| it.2);
    let found = found.filter(|it| it.code == rule.code);
    let fixes = found.flat_map(|it| it.fixes);
    fixes.map(|it| it.label).collect()
}

/// An example of a page.
struct Example {
    /// The files, with their paths.
    files: String,
    /// The text of the file that is checked.
    text: String,
    is_wrong: bool,
}

fn examples(rule: &Rule) -> Vec<Example> {
    let mut found = Vec::new();
    let page = rule.page();
    let mut files = String::new();
    for block in page.split("```").skip(1).step_by(2) {
        let (head, text) = block.split_once('\n').expect("a block has an info string");
        let (path, verdict) = head.split_once(' ').unwrap_or((head, ""));
        if !path.contains(['.', '/']) {
            continue;
        }
        files.push_str(&format!("//- {path}\n{}", text.replace(MARK, "")));
        if !verdict.is_empty() {
            found.push(Example {
                files: std::mem::take(&mut files),
                text: text.to_owned(),
                is_wrong: verdict == "wrong",
            });
        }
    }
    found
}

#[test]
fn examples_produce_the_marked_diagnostics() {
    for rule in DATA_RULES {
        let examples = examples(rule);
        for wrong in [true, false] {
            let has = examples.iter().any(|it| it.is_wrong == wrong);
            assert!(has, "{} lacks an example", rule.code);
        }
        for example in examples {
            let marked = example.text.lines().enumerate();
            let marked = marked.filter(|it| it.1.ends_with(MARK)).map(|it| it.0);
            let marked: Vec<usize> = marked.collect();
            assert_eq!(example.is_wrong, !marked.is_empty(), "{}", rule.code);
            let text = example.text.replace(MARK, "");
            let mut found = findings(&example.files);
            found.retain(|it| it.2.code == rule.code || crate::is_on(it.2.code));
            let line = |it: &Diagnostic| {
                let start = usize::from(it.range.start());
                text[..start].matches('\n').count()
            };
            let mut lines: Vec<usize> = found.iter().map(|it| line(&it.2)).collect();
            lines.dedup();
            assert_eq!(lines, marked, "{}: {found:#?}", rule.code);
            let is_own = found.iter().all(|it| it.2.code == rule.code);
            assert!(is_own, "{}: {found:#?}", rule.code);
        }
    }
}

#[test]
fn every_page_follows_the_template() {
    for rule in DATA_RULES {
        let page = rule.page();
        assert!(page.starts_with(&format!("# {}\n\n", rule.code)));
        let level = match rule.is_on_by_default() {
            true => "off",
            false => "warning",
        };
        assert!(page.contains(&format!("[rules]\n{} = \"{level}\"", rule.code)));
    }
}

#[test]
fn comments_suppress_diagnostics() {
    let text = "//- data/common.yaml\na: 1\na: 2 # pupil: ignore[duplicate-data-key]\n";
    let rule = crate::rule("duplicate-data-key").expect("it is a rule");
    assert!(messages(rule, text).is_empty());
    assert_eq!(messages(rule, &text.replace("pupil", "x")).len(), 1);
}

#[test]
fn hostile_files_terminate() {
    for piece in [
        "[",
        "{",
        "- ",
        "a: ",
        "'",
        "\"",
        "&a [*a, ",
        "%{",
        "? ",
        "x: \"%{lookup('x')}\"\n",
    ] {
        let text = format!("//- data/common.yaml\n{}\n", piece.repeat(5_000));
        findings(&text);
    }
}
