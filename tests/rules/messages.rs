//! All messages: each template is listed with an example in `tests/messages.md`, and follows the
//! style in `CONTRIBUTING.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use analysis::base::{Diagnostic, EnvironmentLayout, ModulepathKind, WorkspaceLayout};
use analysis::{AnalysisHost, Change, FileId, FileSpec};
use pupil_tests::recordings::{self, RecordedMutant};
use pupil_tests::{cases, corpus, env};
use syntax::validation::PuppetVersion;

use crate::pages::{Example, examples};
use crate::{file_examples, mistakes};

const HEAD: &str = "\
# Messages

The messages of diagnostics and of related information, as a reference for the wording of new ones. The test `messages`
collects them from the examples on the pages of all rules, from the mistakes in `rules/mistakes`, and from the snippets in
`parse/cases`. `…` is code, `N` a number. To update this page, run `PUPIL_BLESS=1 cargo test -p pupil-tests --test rules
messages`.
";

/// The heading of the messages that only occur in mutants of Debian's modules, which not every
/// machine has.
const MUTANTS: &str = "\
## In mutants of Debian's modules

These are updated with `--ignored`.
";

/// The heading of the texts at other places that belong to a diagnostic.
const RELATED: &str = "### Related information\n";

/// Phrases that messages avoid.
const FORBIDDEN: [&str; 8] = [
    "nobody",
    "is no ",
    "has not",
    "there is no",
    "is told",
    "behind",
    "so many",
    "nothing gives",
];

/// The names with which a message may start.
const NAMES: [&str; 11] = [
    "Bolt", "EPP", "Facter", "Hiera", "JSON", "OpenVox", "PP", "Puppet", "Ruby", "UTF-8", "YAML",
];

/// An example for each code and template.
type Templates = BTreeMap<(String, String), String>;

/// The messages of diagnostics and of related information.
#[derive(Default)]
struct Messages {
    templates: Templates,
    related: Templates,
    /// The violations of the style.
    violations: BTreeSet<String>,
}

impl Messages {
    fn add(&mut self, diagnostics: &[Diagnostic]) {
        for it in diagnostics {
            add(&mut self.templates, it.code, &it.message);
            let of =
                |message: &str, violation: &str| format!("{}: {violation}: {message}", it.code);
            if let Some(violation) = message_violation(&it.message) {
                self.violations.insert(of(&it.message, violation));
            }
            for related in &it.related {
                add(&mut self.related, it.code, &related.message);
                if let Some(violation) = message_violation(&related.message) {
                    self.violations.insert(of(&related.message, violation));
                }
            }
            for fix in &it.fixes {
                if let Some(violation) = label_violation(&fix.label) {
                    self.violations.insert(of(&fix.label, violation));
                }
            }
        }
    }

    fn assert_style(&self) {
        let violations: Vec<_> = self.violations.iter().map(String::as_str).collect();
        assert!(violations.is_empty(), "{}", violations.join("\n"));
    }

    /// Removes the messages that others contain.
    fn remove(&mut self, others: &Messages) {
        self.templates
            .retain(|it, _| !others.templates.contains_key(it));
        self.related
            .retain(|it, _| !others.related.contains_key(it));
    }

    fn render(&self) -> String {
        let mut text = render(&self.templates);
        if !self.related.is_empty() {
            let _ = write!(text, "\n{RELATED}\n{}", render(&self.related));
        }
        text
    }
}

/// Adds a message. The shortest one is the example, to be independent of the order.
fn add(templates: &mut Templates, code: &str, message: &str) {
    let key = (code.to_owned(), template(message));
    let example = templates.entry(key).or_insert_with(|| message.to_owned());
    if (message.len(), message) < (example.len(), example) {
        message.clone_into(example);
    }
}

fn render(templates: &Templates) -> String {
    let mut text = "| code | message | example |\n|---|---|---|\n".to_owned();
    for ((code, template), example) in templates {
        let example = if example == template { "" } else { example };
        let cells = [template, example].map(|it| it.replace('|', "\\|").replace('\n', "⏎"));
        let _ = writeln!(text, "| `{code}` | {} | {} |", cells[0], cells[1]);
    }
    text.replace("|  |", "| |")
}

/// Returns why a message violates the style.
fn message_violation(message: &str) -> Option<&'static str> {
    if message.contains('\n') {
        return Some("has several lines");
    }
    let prose = template(message);
    if let Some(violation) = common_violation(&prose) {
        return Some(violation);
    }
    let starts_with_name = || {
        let word = prose
            .split([' ', '\'', ':', ','])
            .next()
            .unwrap_or_default();
        NAMES.contains(&word)
    };
    let is_capital = prose.starts_with(char::is_uppercase);
    (is_capital && !starts_with_name()).then_some("starts with a capital letter")
}

/// Returns why the label of a fix violates the style.
fn label_violation(label: &str) -> Option<&'static str> {
    let prose = template(label);
    if !prose.starts_with(char::is_uppercase) {
        return Some("does not start with a capital letter");
    }
    common_violation(&prose)
}

fn common_violation(prose: &str) -> Option<&'static str> {
    if prose.ends_with('.') {
        return Some("ends with a period");
    }
    if prose.contains('\n') {
        return Some("has several lines");
    }
    let lower = prose.to_lowercase();
    // "is no longer" is plain English.
    let lower = lower.replace("is no longer", "");
    FORBIDDEN.into_iter().find(|it| lower.contains(it))
}

/// Replaces code in backticks by `…`, numbers by `N`, and lists of code by their first and last
/// element.
fn template(message: &str) -> String {
    let mut template = String::new();
    // A backtick as code.
    let message = message.replace("```", "`…`");
    for (index, part) in message.split('`').enumerate() {
        match index % 2 {
            0 => template.push_str(&without_numbers(part)),
            _ => template.push_str("`…`"),
        }
    }
    for (list, short) in [("`…`, `…`", "`…`"), ("`…` or `…` or `…`", "`…` or `…`")]
    {
        while template.contains(list) {
            template = template.replace(list, short);
        }
    }
    template
}

fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    for it in text.chars() {
        match it.is_ascii_digit() {
            true if out.ends_with('N') => {}
            true => out.push('N'),
            false => out.push(it),
        }
    }
    out
}

/// The diagnostics of sources that are not part of a workspace.
struct Standalone {
    hosts: [AnalysisHost; 2],
}

const FILE: FileId = FileId(0);

impl Standalone {
    fn new() -> Standalone {
        let host = |version| {
            let mut host = AnalysisHost::default();
            let environment = EnvironmentLayout {
                name: "test".to_owned(),
                manifests: vec![FILE],
                modulepath: ModulepathKind::OfEnvironment,
                ..EnvironmentLayout::default()
            };
            let layout = WorkspaceLayout {
                environments: vec![environment],
            };
            host.apply_change(Change::SetVersion(version));
            host.apply_change(Change::SetWorkspace(layout.into()));
            host
        };
        Standalone {
            hosts: [PuppetVersion::V7, PuppetVersion::V8].map(host),
        }
    }

    fn collect(&mut self, text: &str, spec: &FileSpec, messages: &mut Messages) {
        for host in &mut self.hosts {
            host.apply_change(Change::SetFile {
                file: FILE,
                spec: spec.clone(),
                text: text.into(),
            });
            messages.add(&host.analysis().diagnostics(FILE));
        }
    }
}

fn of_pages(messages: &mut Messages) {
    for rule in analysis::rules::all() {
        for example in examples(&rule.page()) {
            of_example(&example, messages);
        }
        messages.add(&file_examples::diagnostics(rule));
    }
}

fn of_mistakes(messages: &mut Messages) {
    for example in mistakes::wrong_examples() {
        of_example(&example, messages);
    }
}

fn of_example(example: &Example, messages: &mut Messages) {
    let workspace = example.workspace();
    for path in workspace.paths() {
        messages.add(&workspace.diagnostics(path));
    }
}

fn of_cases(standalone: &mut Standalone, messages: &mut Messages) {
    let directory = corpus::tests_dir().join("parse/cases");
    for case in cases::read_all(&directory).expect("the cases can be read") {
        let spec = FileSpec {
            dialect: case.source.dialect,
            place: case.source.place,
        };
        standalone.collect(&case.source.text, &spec, messages);
    }
}

fn path() -> PathBuf {
    corpus::tests_dir().join("messages.md")
}

/// Returns the two parts of the list.
fn listed() -> (String, String) {
    let text = fs::read_to_string(path()).unwrap_or_default();
    match text.split_once(MUTANTS) {
        Some((main, mutants)) => (main.trim_end().to_owned(), mutants.trim().to_owned()),
        None => (text, String::new()),
    }
}

fn write(main: &str, mutants: &str) {
    let text = format!("{}\n\n{MUTANTS}\n{}\n", main.trim_end(), mutants.trim());
    fs::write(path(), text).expect("the list can be written");
}

/// Asserts that a part of the list is up to date.
fn assert_listed(listed: &str, now: &str) {
    let lines: BTreeSet<_> = listed.lines().collect();
    let new: Vec<_> = now.lines().filter(|it| !lines.contains(it)).collect();
    let lines: BTreeSet<_> = now.lines().collect();
    let gone: Vec<_> = listed.lines().filter(|it| !lines.contains(it)).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "tests/messages.md is outdated; set PUPIL_BLESS=1 to update it\nnew:\n{}\nno longer found:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}

fn all_but_mutants() -> Messages {
    let mut messages = Messages::default();
    let mut standalone = Standalone::new();
    of_pages(&mut messages);
    of_mistakes(&mut messages);
    of_cases(&mut standalone, &mut messages);
    messages
}

#[test]
fn messages_are_listed_and_follow_the_style() {
    let messages = all_but_mutants();
    let now = format!("{HEAD}\n{}", messages.render());
    let (main, mutants) = listed();
    if env::bless() && main.trim_end() != now.trim_end() {
        write(&now, &mutants);
    } else {
        assert_listed(main.trim_end(), now.trim_end());
    }
    messages.assert_style();
}

#[test]
#[ignore = "needs Debian's modules"]
fn messages_in_mutants_are_listed_and_follow_the_style() {
    let path = corpus::tests_dir().join("parse/recordings/mutants.jsonl.gz");
    let mutants: Vec<RecordedMutant> = recordings::read(&path).expect("the recording can be read");
    let texts = corpus::read_all(&corpus::modules_dir()).expect("Debian's modules are installed");
    let mut messages = Messages::default();
    let mut standalone = Standalone::new();
    for it in mutants {
        let text = texts.get(&it.file).and_then(|text| it.apply(text));
        let text = text.unwrap_or_else(|| panic!("{}: different from the recorded file", it.file));
        let spec = FileSpec {
            dialect: corpus::dialect(&it.file),
            place: None,
        };
        standalone.collect(&text, &spec, &mut messages);
    }
    let others = all_but_mutants();
    messages.remove(&others);
    let now = messages.render();
    let (main, mutants) = listed();
    if env::bless() && mutants != now.trim() {
        write(&main, &now);
    } else {
        assert_listed(&mutants, now.trim());
    }
    messages.assert_style();
}

#[test]
fn templates_have_placeholders() {
    assert_eq!(
        template("`f` expects 1 to 12 arguments, found `a`, `b`, `c` or `d`"),
        "`…` expects N to N arguments, found `…` or `…`"
    );
}

#[test]
fn detects_violations_of_the_style() {
    assert_eq!(message_violation("unknown variable `$x`"), None);
    assert_eq!(message_violation("Puppet 8 rejects `is no `"), None);
    assert_eq!(message_violation("`$x` is unused"), None);
    assert!(message_violation("Unknown variable `$x`").is_some());
    assert!(message_violation("unknown variable `$x`.").is_some());
    assert!(message_violation("there is no variable `$x`").is_some());
    assert_eq!(label_violation("Remove `$x`"), None);
    assert!(label_violation("remove `$x`").is_some());
}
