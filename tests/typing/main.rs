//! Errors while typing: statements of Debian's modules are removed and typed again key by key. Until
//! a statement is complete there are errors, but they belong on the line of the cursor.

mod keyboard;

use std::collections::BTreeMap;

use fastrand::Rng;
use keyboard::{Brackets, Keyboard};
use pupil_tests::corpus::modules_dir;
use pupil_tests::env::{self, seed};
use pupil_tests::workspace::{LineDiagnostic, TestWorkspace, read_modules};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

/// The number of keys for each way of typing.
const KEYS: usize = 8_000;

/// The lengths of the statements, in bytes.
const LENGTHS: std::ops::Range<usize> = 25..400;

/// The maximum share of keys after which there is an error on another line, in percent, if the user
/// types closing brackets, and if the editor inserts them. Editors show even fewer, because the server
/// waits with new errors while the user types.
const MAX_SHARES: [(Brackets, usize); 2] = [(Brackets::Typed, 5), (Brackets::Closed, 3)];

/// The errors on lines other than that of the cursor.
#[derive(Default)]
struct Tally {
    keys: usize,
    elsewhere: usize,
    messages: BTreeMap<String, usize>,
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn errors_are_on_the_line_of_the_cursor() {
    let modules = read_modules(&modules_dir()).expect("the modules can be read");
    let mut workspace = TestWorkspace::new(&modules);
    let statements = statements(&workspace);
    for (brackets, max_share) in MAX_SHARES {
        let mut rng = Rng::with_seed(seed(8));
        let mut tally = Tally::default();
        while tally.keys < KEYS {
            let (path, range) = &statements[rng.usize(..statements.len())];
            type_statement(&mut workspace, path, *range, brackets, &mut tally);
        }
        println!(
            "{brackets:?}: {} keys, {} with an error on another line",
            tally.keys, tally.elsewhere
        );
        let mut messages: Vec<_> = tally.messages.iter().collect();
        messages.sort_by_key(|it| std::cmp::Reverse(it.1));
        for (message, count) in messages.iter().take(12) {
            println!("{count:6} {message}");
        }
        assert!(
            tally.elsewhere * 100 <= tally.keys * max_share,
            "too many errors on other lines"
        );
    }
}

/// Returns the statements of blocks that are on lines of their own.
fn statements(workspace: &TestWorkspace) -> Vec<(String, TextRange)> {
    let mut found = Vec::new();
    let paths = workspace.paths().filter(|it| it.ends_with(".pp"));
    for path in paths {
        let file = workspace.id(path).expect("the file is in the workspace");
        let Some(parse) = workspace.analysis().parse(file) else {
            continue;
        };
        if !workspace.found(path).iter().any(|it| it.is_error()) {
            let nodes = parse.syntax().descendants().filter(is_statement);
            found.extend(nodes.map(|it| (path.to_owned(), it.text_range())));
        }
    }
    found
}

fn is_statement(node: &SyntaxNode) -> bool {
    let in_block = node
        .parent()
        .is_some_and(|it| it.kind() == SyntaxKind::BLOCK);
    in_block && LENGTHS.contains(&usize::from(node.text_range().len()))
}

fn type_statement(
    workspace: &mut TestWorkspace,
    path: &str,
    range: TextRange,
    brackets: Brackets,
    tally: &mut Tally,
) {
    let text = workspace.text(path).expect("the file has a text");
    let mut keyboard = Keyboard::new(&text, range, brackets);
    for key in text[range].chars() {
        if !keyboard.press(key) {
            continue;
        }
        workspace.set(path, &keyboard.text());
        let line = keyboard.line();
        let found = workspace.found(path);
        let elsewhere: Vec<_> = found
            .iter()
            .filter(|it| it.is_error() && it.line != line)
            .collect();
        tally.keys += 1;
        tally.elsewhere += usize::from(!elsewhere.is_empty());
        for error in &elsewhere {
            let message = format!("{}: {}", error.code, shape(&error.message));
            *tally.messages.entry(message).or_default() += 1;
        }
        if env::misses() && !elsewhere.is_empty() {
            report(path, &keyboard, &elsewhere);
        }
    }
    workspace.set(path, &text);
}

/// Returns a message without the names in it.
fn shape(message: &str) -> String {
    let parts = message.split('`').enumerate();
    let parts = parts.map(|(index, it)| if index % 2 == 0 { it } else { "…" });
    parts.collect()
}

#[expect(clippy::print_stdout, reason = "printed on request")]
fn report(path: &str, keyboard: &Keyboard<'_>, elsewhere: &[&LineDiagnostic]) {
    let text = keyboard.text();
    let line = keyboard.line();
    println!("--- {path}:{line}");
    for (index, content) in text
        .lines()
        .enumerate()
        .take(line + 4)
        .skip(line.saturating_sub(4))
    {
        let mark = if index + 1 == line { '>' } else { ' ' };
        println!("{mark} {} {content}", index + 1);
    }
    for error in elsewhere {
        println!("  line {}: {} {}", error.line, error.code, error.message);
    }
}
