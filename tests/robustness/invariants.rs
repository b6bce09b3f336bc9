//! All queries on a source, with their invariants.

use std::sync::Arc;

use analysis::{AnalysisHost, Change, FileId, FileSpec};
use pupil_tests::work::Work;
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

/// The maximum work of [`check_parse`] per byte. Traversals allocate for each node.
const PARSE_WORK: Work = Work {
    allocations: 15,
    allocated: 2_500,
    syntax_steps: 80,
};

/// The maximum work of [`run_editor_queries`] per byte.
const QUERY_WORK: Work = Work {
    allocations: 35,
    allocated: 25_000,
    syntax_steps: 80,
};

/// Runs [`check_parse`] on a stack of the size in the program, and asserts that its work is linear in
/// the length of the source.
pub(crate) fn assert_parse_is_linear(name: &str, text: String, dialect: Dialect) {
    assert_linear(name, text, PARSE_WORK, move |text| {
        check_parse(text, dialect)
    });
}

/// Runs [`run_editor_queries`] on a stack of the size in the program, and asserts that its work is
/// linear in the length of the source.
pub(crate) fn assert_queries_are_linear(name: &str, text: String, dialect: Dialect) {
    assert_linear(name, text, QUERY_WORK, move |text| {
        run_editor_queries(text, dialect)
    });
}

/// Asserts that a check takes no more than an amount of work per byte, and a constant overhead. Times
/// are not asserted, because they depend on the machine.
fn assert_linear(
    name: &str,
    text: String,
    per_byte: Work,
    check: impl FnOnce(&str) + Send + 'static,
) {
    let size = text.len() + 1_000;
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK_SIZE);
    let thread = thread.spawn(move || Work::of(|| check(&text)).1);
    let work = thread.expect("the thread starts").join();
    let work = work.unwrap_or_else(|_| panic!("{name}"));
    work.assert_linear(name, size, per_byte);
}

fn middle(text: &str) -> usize {
    let half = text.len() / 2;
    let boundary = (half..=text.len()).find(|&at| text.is_char_boundary(at));
    boundary.unwrap_or(text.len())
}

fn excerpt(text: &str) -> String {
    text.chars().take(200).collect()
}
