//! The recorded verdicts of Puppet (`oracle/record`).

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// An error or warning of Puppet: its issue code, line and column, counted from 1. Some lack a
/// code, others a position.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Issue(pub Option<String>, pub Option<u32>, pub Option<u32>);

impl Issue {
    /// Returns the issue code, or a dash.
    pub fn code(&self) -> &str {
        self.0.as_deref().unwrap_or("-")
    }
}

/// The verdict of Puppet 7 with `strict=warning`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Recorded {
    /// Whether Puppet accepts the source.
    pub ok: bool,
    /// The stage of the errors: `parse`, `validate`, `import`, or `crash` if Puppet itself
    /// failed.
    pub stage: Option<String>,
    /// The errors: one, or all of those in the stage `validate`.
    #[serde(default)]
    pub errors: Vec<Issue>,
    /// The warnings.
    #[serde(default)]
    pub warnings: Vec<Issue>,
    /// The PN of an accepted source: the whole PN for a case, a [`digest`] for files and mutants.
    pub pn: Option<String>,
}

/// An intact file.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedFile {
    /// The path relative to the directory of the modules.
    pub file: String,
    /// The [`digest`] of the recorded source.
    pub text: String,
    /// The verdict.
    #[serde(flatten)]
    pub answer: Recorded,
}

/// A file with one mutated token.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedMutant {
    /// Its number in the recording.
    pub id: u32,
    /// The path of the file relative to the directory of the modules.
    pub file: String,
    /// The mutation: `delete`, `double`, `swap` or `replace`.
    pub op: String,
    /// The offset of the mutation, in bytes.
    pub at: usize,
    /// The length of the replaced range, in bytes.
    pub len: usize,
    /// The replacement.
    #[serde(rename = "new")]
    pub replacement: String,
    /// The verdict.
    #[serde(flatten)]
    pub answer: Recorded,
}

impl RecordedMutant {
    /// Returns the mutated source; `None` if the mutant was made from a different source.
    pub fn apply(&self, original: &str) -> Option<String> {
        let before = original.get(..self.at)?;
        let after = original.get(self.at + self.len..)?;
        Some([before, &self.replacement, after].concat())
    }
}

/// A snippet of `parse/cases`.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedCase {
    /// The names of the file and the snippet.
    pub id: String,
    /// The [`digest`] of the recorded source.
    pub text: String,
    /// The verdict.
    #[serde(flatten)]
    pub answer: Recorded,
}

/// Reads a recording.
///
/// # Errors
/// If it cannot be read or is invalid.
pub fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    BufReader::new(GzDecoder::new(File::open(path)?))
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

/// Returns the first 16 hexadecimal digits of the SHA-256 of a source.
pub fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
