//! Edits any source: the tree must be that of a fresh parse of the new text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // The first bytes select the language, and the range and the length of the edit.
    let [choice, start, removed, inserted, rest @ ..] = data else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let dialect = pupil_fuzz::dialect(*choice);
    // The inserted text is the end of the input, so that the dictionary and the seeds reach it.
    let split = text.floor_char_boundary(text.len().saturating_sub(usize::from(*inserted)));
    let (before, new) = text.split_at(split);
    let start = before.floor_char_boundary(usize::from(*start) * before.len() / 255);
    let end = before.floor_char_boundary((start + usize::from(*removed)).min(before.len()));
    let after = [&before[..start], new, &before[end..]].concat();

    let edited = syntax::parse(before, dialect).reparse(before, &after, dialect);
    let fresh = syntax::parse(&after, dialect);
    assert!(edited.syntax().text() == after.as_str(), "the tree does not cover the source");
    assert!(edited.errors() == fresh.errors(), "the errors differ after an edit: {after:?}");
    assert!(
        edited.syntax().green() == fresh.syntax().green(),
        "the trees differ after an edit: {after:?}"
    );
});
