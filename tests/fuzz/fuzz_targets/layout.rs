//! Formats any source: the code must stay the same, and a second run must not change it again.

#![no_main]

use analysis::ide::{FormatOptions, format};
use libfuzzer_sys::fuzz_target;
use syntax::{apply_edits, pn};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let dialect = pupil_fuzz::dialect(choice);
    let options = FormatOptions {
        trailing_commas: choice & 4 != 0,
        line_width: (choice & 8 != 0).then_some(80),
        indent_continuations: choice & 16 != 0,
    };
    let parse = syntax::parse(&text, dialect);
    let Some(edits) = format(&parse, &text, dialect, &options) else {
        return;
    };
    let formatted = apply_edits(&text, &edits).expect("the edits do not overlap");
    let again = syntax::parse(&formatted, dialect);
    assert!(
        pn::to_pn(&parse.tree()) == pn::to_pn(&again.tree()),
        "formatting changes the code: {formatted:?}"
    );
    let second = format(&again, &formatted, dialect, &options).unwrap_or_default();
    assert!(
        apply_edits(&formatted, &second).as_ref() == Some(&formatted),
        "a second run changes {formatted:?}"
    );
});
