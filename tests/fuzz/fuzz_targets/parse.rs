//! Lexes, parses, validates and prints any source in each language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use syntax::validation::{PuppetVersion, ValidationContext, validate};
use syntax::{Dialect, pn};

fuzz_target!(|data: &[u8]| {
    // The first byte selects the language and the release.
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let dialect = Dialect {
        epp: choice & 1 != 0,
        tasks: choice & 2 != 0,
    };
    let parse = syntax::parse(&text, dialect);
    assert!(parse.syntax().text() == text.as_ref(), "the tree does not cover the source");
    let file = parse.tree();
    let version = if choice & 4 != 0 {
        PuppetVersion::V7
    } else {
        PuppetVersion::V8
    };
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
