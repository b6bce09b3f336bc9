//! The page of each rule: its structure, and its wrong and right examples, which are run.
//!
//! ```` ```puppet wrong ```` must produce the rule's diagnostic on each line that ends with `# <-`, and
//! on no other, or below each line `# <- below`; ```` ```puppet right ```` must not produce it. Neither may have other errors. A block
//! is the file `manifests/init.pp` of a module `example`, or several files, each after a line
//! `# file: PATH`; `modules/NAME/PATH` is a file of another module, and `environment/PATH` one of the
//! environment.

use std::collections::BTreeMap;

use analysis::rules::{RULES, Rule, STYLE_RULES};
use pupil_tests::markdown::fenced_blocks;
use pupil_tests::workspace::{TestModule, TestWorkspace, dependencies, parse_metadata};

/// The module that contains the examples.
const MODULE: &str = "example";

/// The folder of the files of the environment.
const ENVIRONMENT: &str = "environment";

/// A line that marks the one below it, which cannot end with a comment.
const MARK_OF_NEXT_LINE: &str = "# <- below";

/// A fenced block.
pub(super) struct Example {
    pub(super) wrong: bool,
    /// The texts by module and path.
    files: BTreeMap<String, BTreeMap<String, String>>,
}

pub(super) fn examples(page: &str) -> Vec<Example> {
    let blocks = fenced_blocks(page).into_iter();
    let examples = blocks.filter_map(|it| match it.info.as_str() {
        "puppet wrong" => Some(Example::new(true, &it.text)),
        "puppet right" => Some(Example::new(false, &it.text)),
        _ => None,
    });
    examples.collect()
}

fn files(block: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut at = (MODULE.to_owned(), "manifests/init.pp".to_owned());
    for line in block.split_inclusive('\n') {
        if let Some(path) = line.trim_end().strip_prefix("# file: ") {
            let elsewhere = path.strip_prefix("modules/").unwrap_or(path);
            let elsewhere = elsewhere.split_once('/');
            let is_elsewhere =
                |it: &(&str, &str)| path.starts_with("modules/") || it.0 == ENVIRONMENT;
            let elsewhere = elsewhere.filter(is_elsewhere);
            let (module, path) = elsewhere.unwrap_or((MODULE, path));
            at = (module.to_owned(), path.to_owned());
        } else {
            let module = found.entry(at.0.clone()).or_default();
            module.entry(at.1.clone()).or_default().push_str(line);
        }
    }
    found
}

/// Checks whether the source of a file is loaded.
fn is_read(path: &str) -> bool {
    let is_task = path.starts_with("tasks/") && path.ends_with(".json");
    is_task
        || path.starts_with("facts.d/")
        || [".pp", ".epp", ".erb", ".rb", ".yaml"]
            .iter()
            .any(|it| path.ends_with(it))
}

impl Example {
    pub(super) fn new(wrong: bool, block: &str) -> Example {
        Example {
            wrong,
            // Editors remove whitespace at the end of lines.
            files: files(&block.replace('␠', " ")),
        }
    }

    /// Returns the files by their path in an environment.
    pub(super) fn paths(&self) -> BTreeMap<String, &str> {
        let files = self.files.iter().flat_map(|(module, files)| {
            let path = move |path: &str| match module.as_str() {
                "environment" => path.to_owned(),
                _ => format!("modules/{module}/{path}"),
            };
            files.iter().map(move |it| (path(it.0), it.1.as_str()))
        });
        files.collect()
    }

    pub(super) fn workspace(&self) -> TestWorkspace {
        let modules = self.files.iter().map(|(name, files)| TestModule {
            name: name.clone(),
            folder: name.clone(),
            names: vec![name.clone()],
            dependencies: dependencies(&parse_metadata(
                files.get("metadata.json").map_or("", String::as_str),
            )),
            files: files
                .iter()
                .map(|it| (it.0.clone(), is_read(it.0).then(|| it.1.clone())))
                .collect(),
            ..TestModule::default()
        });
        TestWorkspace::control_repository(&modules.collect::<Vec<_>>())
    }

    /// Returns the marked lines, with their files.
    pub(super) fn marked(&self) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        for (module, files) in &self.files {
            for (path, text) in files {
                for (line, number) in text.lines().zip(1..) {
                    let path = || format!("{module}/{path}");
                    if line.ends_with("# <-") {
                        found.push((path(), number));
                    } else if line.trim_start().starts_with(MARK_OF_NEXT_LINE) {
                        found.push((path(), number + 1));
                    }
                }
            }
        }
        found.sort();
        found
    }

    /// Returns the differences from the page.
    fn problems(&self, rule: &Rule) -> Vec<String> {
        let workspace = self.workspace();
        let mut problems = Vec::new();
        let mut reported = Vec::new();
        let is_checked = |it: &&str| {
            [".pp", ".epp", ".rb", ".yaml"]
                .iter()
                .any(|end| it.ends_with(end))
                && !it.ends_with("hiera.yaml")
        };
        for path in workspace.paths().filter(is_checked) {
            for found in workspace.found(path) {
                if found.code == rule.code {
                    reported.push((path.to_owned(), found.line));
                } else if found.is_error() {
                    problems.push(format!("{path}:{}: {found:?}", found.line));
                }
            }
        }
        reported.sort();
        reported.dedup();
        let expected = self.marked();
        if self.wrong == expected.is_empty() {
            problems
                .push("wrong examples must have marked lines, and right ones must not".to_owned());
        }
        if reported != expected {
            problems.push(format!("expected {expected:?}, found {reported:?}"));
        }
        problems
    }
}

#[test]
fn examples_match_the_pages() {
    let mut problems = Vec::new();
    for rule in RULES.iter().chain(STYLE_RULES) {
        for (index, example) in examples(&rule.page()).iter().enumerate() {
            let found = example.problems(rule).into_iter();
            problems.extend(found.map(|it| format!("{}, example {}: {it}", rule.code, index + 1)));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_rule_has_a_page_with_examples() {
    for rule in RULES.iter().chain(STYLE_RULES) {
        let page = rule.page();
        let examples = examples(&page);
        let has = |wrong: bool| examples.iter().any(|it| it.wrong == wrong);
        assert!(has(true) && has(false), "{} lacks an example", rule.code);
        let lines = page.lines().count();
        assert!((15..=100).contains(&lines), "{}: {lines} lines", rule.code);
        let title = page.lines().next().unwrap_or_default();
        assert_eq!(title, format!("# {}", rule.code));
        let comment = format!("pupil: ignore[{}]", rule.code);
        assert!(page.contains(&comment), "{}: how to suppress it", rule.code);
        let level = match rule.is_on_by_default() {
            true => "off",
            false => "warning",
        };
        let setting = format!("\n```toml\n[rules]\n{} = \"{level}\"\n```\n", rule.code);
        assert!(
            page.contains(&setting),
            "{}: how to configure it",
            rule.code
        );
        let is_off = page.replace('\n', " ").contains("rule is off by default");
        assert_ne!(is_off, rule.is_on_by_default(), "{}: default", rule.code);
    }
}

/// The sections of every page, in order. `Exceptions` is optional.
const SECTIONS: [&str; 6] = [
    "What it does",
    "Why it matters",
    "Example",
    "Exceptions",
    "Fix",
    "Suppression",
];

#[test]
fn every_page_has_the_same_sections() {
    for rule in analysis::rules::all() {
        let page = rule.page();
        let sections = page.lines().filter_map(|it| it.strip_prefix("## "));
        let sections: Vec<_> = sections.collect();
        let expected = SECTIONS.into_iter();
        let expected = expected.filter(|it| *it != "Exceptions" || sections.contains(it));
        assert_eq!(sections, expected.collect::<Vec<_>>(), "{}", rule.code);
        let summary = page.lines().nth(2).unwrap_or_default();
        let is_summary = summary.starts_with("Reports ") && summary.ends_with('.');
        assert!(is_summary, "{}: {summary:?}", rule.code);
        assert_eq!(page.lines().nth(3), Some(""), "{}: one line", rule.code);
        assert!(page.contains("\nUse instead:\n\n```"), "{}", rule.code);
    }
}

/// The comments that the pages document suppress every rule.
#[test]
fn a_comment_suppresses_each_rule() {
    for rule in RULES.iter().chain(STYLE_RULES) {
        let page = rule.page();
        let examples = examples(&page);
        for example in examples.into_iter().filter(|it| it.wrong) {
            let suppressed = suppressed(&example, rule);
            let workspace = suppressed.workspace();
            let paths: Vec<_> = workspace.paths().map(str::to_owned).collect();
            for path in paths {
                let left = workspace.found(&path);
                let left: Vec<_> = left.iter().filter(|it| it.code == rule.code).collect();
                assert!(left.is_empty(), "{}: {path}: {left:?}", rule.code);
            }
        }
    }
}

fn suppressed(example: &Example, rule: &Rule) -> Example {
    let comment = format!("# pupil: ignore[{}]", rule.code);
    let files = example.files.iter().map(|(module, files)| {
        let files = files.iter();
        let files = files.map(|(path, text)| (path.clone(), text.replace("# <-", &comment)));
        (module.clone(), files.collect())
    });
    Example {
        wrong: false,
        files: files.collect(),
    }
}
