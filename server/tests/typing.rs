//! Diagnostics while the user types: those of a half-written statement are withheld.

#[path = "../../tests/typing/keyboard.rs"]
mod keyboard;
#[expect(dead_code, reason = "shared by several test crates")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use keyboard::{Brackets, Keyboard};
use serde_json::{Value, json};
use syntax::{Dialect, SyntaxKind, TextRange};

use support::files::uri;
use support::{Client, URI, pulling, range};

/// A pause that is longer than a test, in milliseconds.
const LONG: u32 = 60_000;

/// A pause that tests wait for.
const SHORT: u32 = 200;

fn codes(found: &[Value]) -> Vec<(&str, u64)> {
    let line = |it: &Value| it["range"]["start"]["line"].as_u64();
    let found = found.iter();
    found
        .filter_map(|it| Some((it["code"].as_str()?, line(it)?)))
        .collect()
}

/// Inserts characters one by one at a position, and returns the last diagnostics.
fn type_keys(client: &mut Client, version: &mut i32, at: (u32, u32), keys: &str) -> Vec<Value> {
    let (mut line, mut character) = at;
    let mut found = Vec::new();
    for key in keys.chars() {
        *version += 1;
        let place = range((line, character), (line, character));
        client.change(URI, *version, json!([{"range": place, "text": key}]));
        found = client.published(URI, *version);
        match key {
            '\n' => (line, character) = (line + 1, 0),
            _ => character += 1,
        }
    }
    found
}

/// Opens a document with a pause in milliseconds, and returns its diagnostics.
fn opened(text: &str, pause: u32) -> (Client, Vec<Value>) {
    let settings = json!({"diagnosticsDelay": pause});
    let mut client = Client::in_folders(&[], json!({}), settings);
    client.open(URI, text);
    let found = client.published(URI, 1);
    (client, found)
}

const HALF_A_RESOURCE: &str = "file { '/x':\n  mode =>";

#[test]
fn errors_of_a_half_written_statement_are_withheld() {
    let (mut client, found) = opened("$a = 1\nnotice($a)\n", LONG);
    assert!(found.is_empty(), "{found:#?}");
    let found = type_keys(&mut client, &mut 1, (1, 0), HALF_A_RESOURCE);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn withheld_errors_are_shown_after_a_pause() {
    let (mut client, _) = opened("$a = 1\nnotice($a)\n", SHORT);
    let mut version = 1;
    let mut found = type_keys(&mut client, &mut version, (1, 0), HALF_A_RESOURCE);
    if found.is_empty() {
        found = client.published(URI, version);
    }
    assert!(!found.is_empty());
}

#[test]
fn errors_of_a_statement_that_was_left_are_shown() {
    let (mut client, _) = opened("$a = 1\nnotice($a)\n", LONG);
    let mut version = 1;
    let found = type_keys(&mut client, &mut version, (2, 0), "notice($b)");
    assert!(found.is_empty(), "{found:#?}");
    let found = type_keys(&mut client, &mut version, (2, 10), "\nn");
    assert_eq!(codes(&found), [("unknown-variable", 2)]);
}

#[test]
fn other_diagnostics_do_not_flicker() {
    let (mut client, found) = opened("\nnotice($unknown)\n", LONG);
    assert_eq!(codes(&found), [("unknown-variable", 1)]);
    let mut version = 1;
    let (mut line, mut character) = (0, 0);
    for key in "if true {\nnotice([1,\n'2".chars() {
        let found = type_keys(
            &mut client,
            &mut version,
            (line, character),
            &key.to_string(),
        );
        match key {
            '\n' => (line, character) = (line + 1, 0),
            _ => character += 1,
        }
        assert_eq!(codes(&found), [("unknown-variable", u64::from(line) + 1)]);
    }
}

#[test]
fn a_client_that_pulls_is_told_to_do_so_after_the_pause() {
    let settings = json!({"diagnosticsDelay": SHORT});
    let mut client = Client::in_folders(&[], pulling(), settings);
    client.open(URI, "$a = 1\n");
    assert!(client.pull(URI).is_empty());
    client.received_now();
    let end = range((1, 0), (1, 0));
    client.change(URI, 2, json!([{"range": end, "text": "notice("}]));
    // There is another refresh once the workspace was read.
    while client.pull(URI).is_empty() {
        client.wait_for(|it| it["method"] == "workspace/diagnostic/refresh");
    }
}

#[test]
fn pasted_code_is_checked_at_once() {
    let (mut client, _) = opened("$a = 1\n", LONG);
    let end = range((1, 0), (1, 0));
    let pasted = "\n\n\n\n\nnotice($b\n";
    client.change(URI, 2, json!([{"range": end, "text": pasted}]));
    assert!(!client.published(URI, 2).is_empty());
}

#[test]
fn the_delay_can_be_set_to_zero() {
    let (mut client, _) = opened("$a = 1\n", 0);
    let end = range((1, 0), (1, 0));
    client.change(URI, 2, json!([{"range": end, "text": "notice("}]));
    assert!(!client.published(URI, 2).is_empty());
}

/// The number of keys for each way of typing.
const KEYS: usize = 2000;

/// The maximum share of keys after which there is an error on another line, in percent.
const MAX_SHARE: usize = 3;

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn errors_are_on_the_line_of_the_cursor() {
    let modules = std::env::var_os("PUPIL_MODULES").map_or_else(
        || PathBuf::from("/usr/share/puppet/modules.available"),
        PathBuf::from,
    );
    let statements = statements(&modules);
    for brackets in [Brackets::Typed, Brackets::Closed] {
        let mut client =
            Client::in_folders(&[&modules], json!({}), json!({"diagnosticsDelay": LONG}));
        let mut rng = Rng::with_seed(8);
        let (mut keys, mut elsewhere) = (0, 0);
        while keys < KEYS {
            let (path, text, range) = &statements[rng.usize(..statements.len())];
            let tally = type_statement(&mut client, path, text, *range, brackets);
            keys += tally.0;
            elsewhere += tally.1;
        }
        println!("{brackets:?}: {keys} keys, {elsewhere} with an error on another line");
        assert!(elsewhere * 100 < keys * MAX_SHARE);
    }
}

/// Returns the statements of blocks, with the paths and texts of their files.
fn statements(modules: &Path) -> Vec<(PathBuf, String, TextRange)> {
    let mut found = Vec::new();
    for path in manifests(modules) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let parse = syntax::parse(&text, Dialect::default());
        if !parse.errors().is_empty() {
            continue;
        }
        for node in parse.syntax().descendants() {
            let in_block = node
                .parent()
                .is_some_and(|it| it.kind() == SyntaxKind::BLOCK);
            let range = node.text_range();
            if in_block && (25..400).contains(&usize::from(range.len())) {
                found.push((path.clone(), text.clone(), range));
            }
        }
    }
    found
}

/// Returns some manifests of each module.
fn manifests(modules: &Path) -> Vec<PathBuf> {
    let entries = |dir: &Path| {
        let found = fs::read_dir(dir).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = found.map(|it| it.path()).collect();
        found.sort();
        found
    };
    let of_module = |it: PathBuf| entries(&it.join("manifests"));
    let files = entries(modules).into_iter().flat_map(of_module);
    files
        .filter(|it| it.extension().is_some_and(|it| it == "pp"))
        .collect()
}

/// Types a statement. Returns the number of keys, and of those with an error on another line that was
/// not there before the first key.
fn type_statement(
    client: &mut Client,
    path: &Path,
    text: &str,
    statement: TextRange,
    brackets: Brackets,
) -> (usize, usize) {
    let uri = uri(path);
    let mut keyboard = Keyboard::new(text, statement, brackets);
    client.open(&uri, text);
    client.published(&uri, 1);
    // The statement is cut, which shows what depends on it.
    let mut before = keyboard.text();
    client.change(&uri, 2, json!([{"text": before}]));
    let known: Vec<Value> = client.published(&uri, 2);
    let is_known = |it: &Value| known.iter().any(|other| other["message"] == it["message"]);
    let mut version = 2;
    let (mut keys, mut elsewhere) = (0, 0);
    for key in text[statement].chars() {
        let is_key = keyboard.press(key);
        let after = keyboard.text();
        version += 1;
        client.change(&uri, version, json!([edit(&before, &after)]));
        before = after;
        let found = client.published(&uri, version);
        let line = keyboard.line() as u64 - 1;
        let is_elsewhere = |it: &Value| {
            let is_here = it["range"]["start"]["line"].as_u64() == Some(line);
            it["severity"] == 1 && !is_here && !is_known(it)
        };
        if is_key {
            keys += 1;
            elsewhere += usize::from(found.iter().any(is_elsewhere));
        }
    }
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": uri}}),
    );
    (keys, elsewhere)
}

/// Returns the edit that turns one text into another.
fn edit(before: &str, after: &str) -> Value {
    let same = |(a, b): &(char, char)| a == b;
    let start = before.chars().zip(after.chars()).take_while(same);
    let start: usize = start.map(|it| it.0.len_utf8()).sum();
    let (old, new) = (&before[start..], &after[start..]);
    let end = old.chars().rev().zip(new.chars().rev()).take_while(same);
    let end: usize = end.map(|it| it.0.len_utf8()).sum();
    let position = |offset: usize| {
        let line_start = before[..offset].rfind('\n').map_or(0, |it| it + 1);
        let line = before[..offset].matches('\n').count();
        let character = before[line_start..offset].encode_utf16().count();
        json!({"line": line, "character": character})
    };
    let range = json!({"start": position(start), "end": position(before.len() - end)});
    json!({"range": range, "text": &new[..new.len() - end]})
}

#[test]
fn diagnostics_of_other_definitions_stay_after_a_pause() {
    let text = "class a { notice($unknown) }\nclass b {\n  notice($other)\n\n}\n";
    let (mut client, found) = opened(text, SHORT);
    let lines = |found: &[Value], wanted: &str| {
        let found = codes(found).into_iter().filter(|it| it.0 == wanted);
        found.map(|it| it.1).collect::<Vec<_>>()
    };
    assert_eq!(lines(&found, "unknown-variable"), [0, 2]);
    let mut version = 1;
    let mut found = type_keys(&mut client, &mut version, (3, 0), "include [");
    while lines(&found, "SYNTAX_ERROR").is_empty() {
        found = client.published(URI, version);
    }
    // The edited definition may have other findings by now.
    assert_eq!(lines(&found, "unknown-variable"), [0]);
    let mut found = type_keys(&mut client, &mut version, (3, 9), "]");
    while lines(&found, "unknown-variable") != [0, 2] {
        found = client.published(URI, version);
    }
    assert!(lines(&found, "SYNTAX_ERROR").is_empty());
}
