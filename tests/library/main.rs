//! What the library says Puppet ships against what the real Puppet ships.
//!
//! `library/record` records the latter anew.

mod examples;
mod facts;
mod functions;
mod modules;
mod resource_types;
mod results;
mod stubs;

use std::path::Path;

use serde::de::DeserializeOwned;

/// A recording: a value in each line.
fn recorded<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("library/recordings");
    let text = std::fs::read_to_string(dir.join(name)).expect("the recording is in the repository");
    let lines = text.lines().map(serde_json::from_str);
    lines
        .map(|it| it.expect("a line is such a value"))
        .collect()
}

/// Fails with what is wrong, a line each.
fn nothing_wrong(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
