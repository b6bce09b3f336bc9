//! What the real Puppet was recorded to say (`oracle/record`).

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// An error or warning of Puppet's: its issue code, line and column, all counted from 1.
/// Puppet has no code for some, and no place for others.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Issue(pub Option<String>, pub Option<u32>, pub Option<u32>);

impl Issue {
    /// The issue code, or a dash.
    pub fn code(&self) -> &str {
        self.0.as_deref().unwrap_or("-")
    }
}

/// What Puppet 7 says under `strict=warning`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Recorded {
    /// Whether it accepts the source.
    pub ok: bool,
    /// Where it stopped: `parse`, `validate`, `import` or, when Puppet itself broke, `crash`.
    pub stage: Option<String>,
    /// Why it stopped: one error, or with `validate` all of them.
    #[serde(default)]
    pub errors: Vec<Issue>,
    /// What it complained about.
    #[serde(default)]
    pub warnings: Vec<Issue>,
    /// The PN of what it accepts: all of it for a case, a [`digest`] for files and mutants.
    pub pn: Option<String>,
}

/// An undamaged file.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedFile {
    /// Its path below the modules.
    pub file: String,
    /// The [`digest`] of the text that was recorded.
    pub text: String,
    /// The answer.
    #[serde(flatten)]
    pub answer: Recorded,
}

/// A file with one token damaged.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedMutant {
    /// Its number in the recording.
    pub id: u32,
    /// The path of the file below the modules.
    pub file: String,
    /// What was done: `delete`, `double`, `swap`, `replace`.
    pub op: String,
    /// The byte where it was done.
    pub at: usize,
    /// How many bytes went.
    pub len: usize,
    /// What came in their place.
    #[serde(rename = "new")]
    pub replacement: String,
    /// The answer.
    #[serde(flatten)]
    pub answer: Recorded,
}

impl RecordedMutant {
    /// The damaged text; `None` if the mutant was made for another text than this.
    pub fn apply(&self, original: &str) -> Option<String> {
        let before = original.get(..self.at)?;
        let after = original.get(self.at + self.len..)?;
        Some([before, &self.replacement, after].concat())
    }
}

/// A snippet of `parse/cases`.
#[derive(Clone, Debug, Deserialize)]
pub struct RecordedCase {
    /// The file and the name of the snippet.
    pub id: String,
    /// The [`digest`] of the text that was recorded.
    pub text: String,
    /// The answer.
    #[serde(flatten)]
    pub answer: Recorded,
}

/// Reads a recording.
///
/// # Errors
/// If it cannot be read or holds something else.
pub fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    BufReader::new(GzDecoder::new(File::open(path)?))
        .lines()
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

/// The first 16 hexadecimal digits of the SHA-256 of a text, as recordings have it.
pub fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
