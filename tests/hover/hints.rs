//! Inlay hints of all manifests: none repeats a literal, none is truncated.

use std::collections::BTreeMap;

use analysis::ide::{HintKind, HintOptions};
use pupil_tests::env;
use syntax::{TextRange, TextSize};

use super::{manifests, workspace};

/// The number of hints in Debian's modules before the rules for them were made strict.
const BEFORE: usize = 6_412;

/// Removes what is not significant in a list: whitespace, trailing commas and the kind of quotes.
fn compact(text: &str) -> String {
    let text: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    text.replace('"', "'").replace(",]", "]").replace(",}", "}")
}

/// Checks whether the code before a hint contains the value that the hint shows, as a word on the
/// same line or at the end of a longer expression.
fn repeats_literal(before: &str, value: &str) -> bool {
    let value = compact(value);
    let line = compact(before.lines().last().unwrap_or_default());
    let is_word = |it: char| it.is_alphanumeric() || "_.$:'".contains(it);
    let starts = line.match_indices(&value).map(|it| it.0);
    let is_in_line = starts.into_iter().any(|start| {
        let end = start + value.len();
        !line[..start].ends_with(|it| is_word(it) && value.starts_with(is_word))
            && !line[end..].starts_with(|it| is_word(it) && value.ends_with(is_word))
    });
    let mut tail_start = before.len().saturating_sub(4_000);
    while !before.is_char_boundary(tail_start) {
        tail_start += 1;
    }
    is_in_line || compact(&before[tail_start..]).ends_with(&value)
}

#[test]
#[ignore = "needs Debian's modules"]
#[expect(clippy::print_stdout, reason = "the figures are informative")]
fn hints_are_worth_their_room() {
    let workspace = workspace();
    let mut kinds: BTreeMap<HintKind, usize> = BTreeMap::new();
    let (mut repeating, mut cut) = (Vec::new(), Vec::new());
    for path in manifests(&workspace) {
        let file = workspace.id(&path).expect("the file is in the workspace");
        let text = workspace.text(&path).expect("the file has a text");
        let all = TextRange::up_to(TextSize::of(&*text));
        let analysis = workspace.analysis();
        for hint in analysis.inlay_hints(file, all, HintOptions::default()) {
            *kinds.entry(hint.kind).or_default() += 1;
            let before = &text[..usize::from(hint.offset)];
            let place = || {
                let line = before.lines().last().unwrap_or_default().trim_start();
                format!("{path}:{}: {line} «{}»", before.lines().count(), hint.label)
            };
            let value = hint.label.strip_prefix("= ");
            if hint.kind == HintKind::Value && value.is_some_and(|it| repeats_literal(before, it)) {
                repeating.push(place());
            }
            if hint.label.contains('…') {
                cut.push(place());
            }
            if env::misses() {
                println!("{}", place());
            }
        }
    }
    let total: usize = kinds.values().sum();
    println!(
        "{total} hints, {} repeat a literal, {} are cut; by kind: {kinds:?}",
        repeating.len(),
        cut.len()
    );
    assert!(
        repeating.is_empty(),
        "hints repeat literals:\n{}",
        repeating.join("\n")
    );
    assert!(cut.is_empty(), "hints are cut:\n{}", cut.join("\n"));
    assert!(total * 2 < BEFORE, "{total} hints");
}
