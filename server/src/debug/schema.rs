//! `pupil debug schema`: the JSON Schema of `pupil.toml`, for editors.

use std::io::Write;
use std::process::ExitCode;

use crate::config::schema;
use crate::terminal::{self, Failure};

/// Prints the schema.
pub(super) fn run() -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    serde_json::to_writer_pretty(&mut out, &schema()).map_err(std::io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
