//! Error recovery: the other definitions of a file are found after one token is deleted.

use std::collections::BTreeMap;
use std::sync::Arc;

use analysis::ide::{DocumentSymbol, SymbolKind};
use analysis::{AnalysisHost, Change, FileId, FileSpec};
use pupil_tests::tally::Tally;
use syntax::{Dialect, NodeOrToken, TextRange};

use crate::modules::texts;

const SAMPLES: usize = 2000;
/// The percentage of samples in which all other definitions must be found.
const RECOVERED: f64 = 99.0;
/// The number of definitions per file. Debian's manifests have one each, so several are
/// concatenated.
const DEFINITIONS: std::ops::RangeInclusive<usize> = 2..=4;
const LARGEST: usize = 20_000;

/// A top-level definition.
struct Definition {
    name: String,
    kind: SymbolKind,
    range: TextRange,
}

fn symbols(text: &str) -> Vec<DocumentSymbol> {
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetFile {
        file: FileId(0),
        spec: FileSpec::default(),
        text: Arc::from(text),
    });
    host.analysis().document_symbols(FileId(0))
}

fn is_definition(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::DefinedType
            | SymbolKind::Function
            | SymbolKind::Plan
            | SymbolKind::Node
            | SymbolKind::TypeAlias
    )
}

fn definitions(text: &str) -> Vec<Definition> {
    let symbols = symbols(text).into_iter();
    let definition = |it: DocumentSymbol| Definition {
        name: it.name,
        kind: it.kind,
        range: it.range,
    };
    symbols
        .filter(|it| is_definition(it.kind))
        .map(definition)
        .collect()
}

fn holds(symbols: &[DocumentSymbol], wanted: &Definition, deep: bool) -> bool {
    symbols.iter().any(|it| {
        let same = it.kind == wanted.kind && it.name == wanted.name;
        same || (deep && holds(&it.children, wanted, true))
    })
}

/// The ranges of all tokens except trivia.
fn tokens(text: &str) -> Vec<TextRange> {
    let root = syntax::parse(text, Dialect::default()).syntax();
    root.descendants_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .filter(|it| !it.kind().is_trivia() && !it.text_range().is_empty())
        .map(|it| it.text_range())
        .collect()
}

/// Returns a file with several definitions.
fn sample(random: &mut fastrand::Rng, manifests: &[&String]) -> String {
    let count = random.usize(DEFINITIONS);
    let parts: Vec<_> = (0..count)
        .map(|_| manifests[random.usize(..manifests.len())].as_str())
        .collect();
    parts.join("\n")
}

#[test]
#[ignore = "needs Debian's Puppet modules"]
fn other_definitions_are_found_after_deleting_a_token() {
    let texts: BTreeMap<_, _> = texts();
    let manifests: Vec<_> = texts
        .iter()
        .filter(|(name, text)| name.ends_with(".pp") && text.len() <= LARGEST)
        .map(|(_, text)| text)
        .collect();
    let mut random = fastrand::Rng::with_seed(1);
    let (mut found, mut at_top) = (Tally::default(), Tally::default());
    for _ in 0..2 * SAMPLES {
        let text = sample(&mut random, &manifests);
        let before = definitions(&text);
        if found.all == SAMPLES {
            break;
        }
        if before.len() < 2 {
            continue;
        }
        let tokens = tokens(&text);
        let gone = tokens[random.usize(..tokens.len())];
        let mut damaged = text.clone();
        damaged.replace_range(std::ops::Range::<usize>::from(gone), "");
        let after = symbols(&damaged);
        let mut others = before.iter().filter(|it| !it.range.contains_range(gone));
        let lost = others.clone().find(|it| !holds(&after, it, true));
        if let Some(lost) = lost {
            let deleted = &text[gone];
            eprintln!(
                "deleting {deleted:?} at {gone:?} loses {} {:?}",
                lost.name, lost.range
            );
        }
        found.add(lost.is_none());
        at_top.add(others.all(|it| holds(&after, it, false)));
    }
    eprintln!("other definitions after a deleted token: {found}, all at the top {at_top}");
    assert_eq!(found.all, SAMPLES, "too few files have two definitions");
    assert!(found.reaches(RECOVERED));
}
