//! Lexes, parses, validates and prints any source in each language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::pn;
use syntax::validation::{ValidationContext, validate};

fuzz_target!(|data: &[u8]| {
    // The first byte selects the language and the release.
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let dialect = pupil_fuzz::dialect(choice);
    let parse = syntax::parse(&text, dialect);
    assert!(parse.syntax().text() == text.as_ref(), "the tree does not cover the source");
    let file = parse.tree();
    let version = pupil_fuzz::version(choice);
    let context = ValidationContext {
        version,
        tasks: dialect.tasks,
        place: None,
    };
    for found in parse.errors().iter().chain(&validate(&file, &context)) {
        assert!(usize::from(found.range.end()) <= text.len());
    }
    if parse.errors().is_empty() {
        let _: String = pn::to_pn(&file);
    }
});
