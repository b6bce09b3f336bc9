//! The `pupil` binary.

use std::env;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Returns the path of the binary: `$PUPIL`, or built now in the profile of the tests.
///
/// # Panics
/// If it cannot be built.
pub fn pupil() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| crate::env::pupil().unwrap_or_else(build))
        .clone()
}

fn build() -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "build",
        "--quiet",
        "--package",
        "pupil-lsp",
        "--bin",
        "pupil",
    ]);
    command.args(["--message-format", "json-render-diagnostics"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "pupil does not build");
    executable(&output.stdout).expect("cargo reports the path of the binary")
}

/// Returns the path in the messages of cargo.
fn executable(messages: &[u8]) -> Option<PathBuf> {
    serde_json::Deserializer::from_slice(messages)
        .into_iter::<serde_json::Value>()
        .filter_map(Result::ok)
        .filter(|it| it["target"]["name"] == "pupil")
        .find_map(|it| Some(PathBuf::from(it["executable"].as_str()?)))
}
