//! All queries on a source, with their invariants.

use std::sync::Arc;
use std::time::{Duration, Instant};

use analysis::{AnalysisHost, Change, FileId, FileSpec};
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Dialect, TextSize};

/// The stack size of the program's threads that traverse trees.
pub(crate) const STACK_SIZE: usize = 16 << 20;

/// The languages of a file.
pub(crate) const DIALECTS: [Dialect; 3] = [
    Dialect {
        epp: false,
        tasks: false,
    },
    Dialect {
        epp: true,
        tasks: false,
    },
    Dialect {
        epp: false,
        tasks: true,
    },
];

/// Parses and validates a source, and asserts the invariants of every tree.
pub(crate) fn check_parse(text: &str, dialect: Dialect) {
    let parse = syntax::parse(text, dialect);
    let root = parse.syntax();
    assert!(
        root.text() == text,
        "the tree does not cover {:?}",
        excerpt(text)
    );
    let length = TextSize::of(text);
    assert!(parse.errors().iter().all(|it| it.range.end() <= length));
    let file = parse.tree();
    for version in [PuppetVersion::V7, PuppetVersion::V8] {
        let context = ValidationContext {
            version,
            tasks: dialect.tasks,
            place: None,
        };
        let found = validate(&file, &context);
        assert!(found.iter().all(|it| it.range.end() <= length));
    }
    // Also for sources with errors.
    let _: String = syntax::pn::to_pn(&file);
}

/// Runs the queries of an editor on a source.
pub(crate) fn run_editor_queries(text: &str, dialect: Dialect) {
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    host.apply_change(Change::SetFile {
        file,
        spec: FileSpec {
            dialect,
            place: None,
        },
        text: Arc::from(text),
    });
    let analysis = host.analysis();
    let length = TextSize::of(text);
    for diagnostic in analysis.diagnostics(file) {
        assert!(diagnostic.range.end() <= length);
    }
    for token in analysis.semantic_tokens(file, None) {
        assert!(
            text.get(std::ops::Range::<usize>::from(token.range))
                .is_some()
        );
    }
    analysis.document_symbols(file);
    analysis.folding_ranges(file);
    analysis.expression_notes(file);
    // Offsets come from line positions, which are never inside a character.
    for offset in [0, middle(text), text.len()] {
        let offset = TextSize::try_from(offset).expect("a small source");
        analysis.hover(file, offset);
        analysis.selection_ranges(file, offset);
    }
}

/// Runs a check on a stack like that of the program, and tells of a long one.
///
/// No time is asserted, because a busy machine may take any. The texts are so large that a
/// quadratic step takes minutes: the limit that the test run as a whole has will stop it, and the
/// name printed last is that of the text before it.
pub(crate) fn with_stack(name: &str, check: impl FnOnce() + Send + 'static) {
    let start = Instant::now();
    std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_SIZE)
        .spawn(check)
        .expect("the thread starts")
        .join()
        .unwrap_or_else(|_| panic!("{name}"));
    let took = start.elapsed();
    if took > Duration::from_secs(1) {
        eprintln!("{name}: {took:?}");
    }
}

fn middle(text: &str) -> usize {
    let half = text.len() / 2;
    let boundary = (half..=text.len()).find(|&at| text.is_char_boundary(at));
    boundary.unwrap_or(text.len())
}

fn excerpt(text: &str) -> String {
    text.chars().take(200).collect()
}
