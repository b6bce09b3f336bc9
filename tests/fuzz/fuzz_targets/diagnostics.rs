//! Analyses any source with all rules, edits it, and compares with a fresh analysis.

#![no_main]

use analysis::base::{FileId, FileSpec};
use analysis::{AnalysisHost, Change};
use libfuzzer_sys::fuzz_target;
use syntax::{Dialect, TextSize};

const FILE: FileId = FileId(0);

fn set(host: &mut AnalysisHost, dialect: Dialect, text: &str) {
    let spec = FileSpec {
        dialect,
        place: None,
    };
    host.apply_change(Change::SetFile {
        file: FILE,
        spec,
        text: text.into(),
    });
}

fuzz_target!(|data: &[u8]| {
    let [choice, split, rest @ ..] = data else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let dialect = pupil_fuzz::dialect(*choice);
    let split = text.floor_char_boundary(usize::from(*split) * text.len() / 255);
    let mut host = AnalysisHost::default();
    set(&mut host, dialect, &text[..split]);
    host.analysis().diagnostics(FILE);
    set(&mut host, dialect, &text);
    let edited = host.analysis().diagnostics(FILE);
    for found in &edited {
        assert!(usize::from(found.range.end()) <= text.len(), "{found:?} is outside of the file");
    }
    let mut fresh = AnalysisHost::default();
    set(&mut fresh, dialect, &text);
    let expected = fresh.analysis().diagnostics(FILE);
    assert!(edited == expected, "the diagnostics differ after an edit: {edited:#?} {expected:#?}");
    let offset = TextSize::new(u32::try_from(split).unwrap_or(0));
    let _ = fresh.analysis().hover(FILE, offset);
});
