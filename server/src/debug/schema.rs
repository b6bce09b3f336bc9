//! `pupil debug schema`: the JSON Schema of `pupil.toml`, for editors.

use std::io::Write;
use std::process::ExitCode;

use crate::config::SCHEMA;
use crate::terminal::{self, Failure};

/// Prints the schema.
pub(super) fn run() -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    out.write_all(SCHEMA.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
