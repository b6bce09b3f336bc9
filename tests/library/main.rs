//! The library's knowledge of what Puppet ships, compared with Puppet.
//!
//! `library/record` makes the recordings.

mod examples;
mod facts;
mod functions;
mod modules;
mod resource_types;
mod results;
mod stubs;

use std::path::Path;

use serde::de::DeserializeOwned;

/// Reads a recording with one value per line.
fn recorded<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("library/recordings");
    let text = std::fs::read_to_string(dir.join(name)).expect("the recording can be read");
    let lines = text.lines().map(serde_json::from_str);
    lines
        .map(|it| it.expect("each line is such a value"))
        .collect()
}

/// Fails with one problem per line.
fn assert_no_problems(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} problems:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
