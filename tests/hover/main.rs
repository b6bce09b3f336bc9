//! Hovers and inlay hints in real code: Debian's modules.

mod hints;

use std::collections::BTreeMap;

use fastrand::Rng;
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{TestWorkspace, read_modules};
use syntax::{NodeOrToken, TextSize};

/// The number of places.
const SAMPLES: usize = 300;

/// The maximum number of lines before the rule.
const MAX_LINES: usize = 12;

/// Returns the modules as a workspace.
fn workspace() -> TestWorkspace {
    let modules = read_modules(&modules_dir()).expect("the modules can be read");
    TestWorkspace::new(&modules)
}

/// Returns the manifests of a workspace.
fn manifests(workspace: &TestWorkspace) -> Vec<String> {
    let manifests = workspace.paths().filter(|it| it.ends_with(".pp"));
    manifests.map(str::to_owned).collect()
}

/// Returns the number of lines before the first rule outside of code.
fn lines_before_rule(markdown: &str) -> usize {
    let mut fenced = false;
    let mut count = 0;
    for line in markdown.lines() {
        fenced ^= line.starts_with("```");
        if !fenced && line == "---" {
            break;
        }
        count += 1;
    }
    count
}

/// Returns the lines outside of code that start with a tag, rendered or not.
fn raw_tags(markdown: &str) -> Vec<&str> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        let text = line.trim_start();
        if text.starts_with("```") {
            fenced = !fenced;
        }
        let text = text.trim_start_matches(['*', '-', ' ']);
        let name = text.strip_prefix('@').and_then(|it| it.chars().next());
        if !fenced && name.is_some_and(|it| it.is_ascii_alphabetic()) {
            found.push(line);
        }
    }
    found
}

/// Returns a random place: a token of a random manifest that is not trivia.
fn random_place(
    workspace: &TestWorkspace,
    manifests: &[String],
    rng: &mut Rng,
) -> Option<(String, TextSize)> {
    let path = &manifests[rng.usize(..manifests.len())];
    let file = workspace.id(path)?;
    let analysis = workspace.analysis();
    let root = analysis.parse(file)?.syntax();
    let tokens = root
        .descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|it| !it.kind().is_trivia());
    let tokens: Vec<_> = tokens.collect();
    if tokens.is_empty() {
        return None;
    }
    let token = &tokens[rng.usize(..tokens.len())];
    let start = token.text_range().start();
    Some((path.clone(), start))
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn hovers_are_short_and_rendered() {
    let workspace = workspace();
    let manifests = manifests(&workspace);
    let mut rng = Rng::with_seed(seed(17));
    let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    while count < SAMPLES {
        let Some((path, offset)) = random_place(&workspace, &manifests, &mut rng) else {
            continue;
        };
        let file = workspace.id(&path).expect("the file is in the workspace");
        let Some(hover) = workspace.analysis().hover(file, offset) else {
            continue;
        };
        count += 1;
        let height = lines_before_rule(&hover.markdown);
        *lines.entry(height).or_default() += 1;
        let tags = raw_tags(&hover.markdown);
        let place = format!("{path}:{}", usize::from(offset));
        if env::misses() {
            println!("== {place}\n{}\n", hover.markdown);
        }
        if height > MAX_LINES {
            wrong.push(format!("{place}: {height} lines"));
        }
        wrong.extend(tags.iter().map(|it| format!("{place}: {it}")));
    }
    println!("hovers by lines before the rule: {lines:?}");
    assert!(
        wrong.is_empty(),
        "{} problems:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
