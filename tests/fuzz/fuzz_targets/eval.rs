//! Evaluates any source with the rules of each release.

#![no_main]

use analysis::{Evaluation, EvalSettings, evaluate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let settings = EvalSettings {
        version: pupil_fuzz::version(choice),
        facts: None,
    };
    match evaluate(&text, settings) {
        Evaluation::Error(failure) => {
            assert!(failure.at.is_none_or(|it| usize::from(it) <= text.len()));
        }
        Evaluation::Value(answer) => assert!(!answer.type_detailed.is_empty()),
        Evaluation::Unknown(why) => assert!(!why.is_empty()),
    }
});
