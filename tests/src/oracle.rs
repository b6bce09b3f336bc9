//! Runs Puppet and Pupil as subprocesses.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Returns the answers of a program: one line of JSON per line of `input`.
///
/// # Panics
/// If the program cannot be run, or its output is invalid.
pub fn answers(program: impl AsRef<OsStr>, args: &[&str], input: String) -> Vec<Value> {
    let program = program.as_ref();
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // Both pipes may fill up, so a thread writes while this one reads.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program exits");
    writer
        .join()
        .expect("writing does not panic")
        .expect("the program reads all input");
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("answers are JSON"))
        .collect()
}
