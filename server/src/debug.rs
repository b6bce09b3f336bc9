//! `pupil debug`: machine-readable views of Pupil's data, produced by the same code as the editor
//! features. The input and output formats are a contract: tests compare them with the real Puppet.

mod catalog;
mod eval;
mod infer;
mod json_lines;
mod lint;
mod parse;
mod references;
mod schema;
mod stats;
mod tree;
mod types;

use std::process::ExitCode;

use crate::args::{DebugArgs, DebugCommand};
use crate::terminal::Failure;

/// Runs a subcommand of `pupil debug`.
pub(crate) fn run(arguments: &DebugArgs) -> Result<ExitCode, Failure> {
    match &arguments.command {
        DebugCommand::Parse(parse) => parse::run(parse),
        DebugCommand::Eval { release } => eval::run(*release),
        DebugCommand::Catalog(catalog) => catalog::run(catalog),
        DebugCommand::Types => types::run(),
        DebugCommand::Tree { path } => tree::run(path),
        DebugCommand::Infer { paths, puppet } => infer::run(paths, puppet),
        DebugCommand::References { paths, puppet } => references::run(paths, puppet),
        DebugCommand::Lint { paths, puppet } => lint::run(paths, puppet),
        DebugCommand::Schema => schema::run(),
        DebugCommand::Stats { paths, puppet } => stats::run(paths, puppet),
    }
}
