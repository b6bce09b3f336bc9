//! Reads any text as the Ruby code of modules, as a Puppetfile, as external facts, and as a regular
//! expression.

#![no_main]

use analysis::{library, ruby};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let _ = (ruby::functions(&text), ruby::data_types(&text), ruby::facts(&text));
    let _ = (ruby::resource_types(&text), ruby::provider(&text), ruby::requires(&text));
    let _ = ruby::puppetfile(&text);
    for path in ["facts.txt", "facts.yaml", "facts.json"] {
        let _ = library::external_facts(path, &text);
    }
    if let Ok(tree) = syntax::regex::parse(&text) {
        assert!(syntax::regex::groups(&text).len() >= tree.capture_count());
    }
});
