//! `pupil debug`: machine-readable views of what Pupil knows, made by the same code as what
//! editors show. What is read and written is a contract that tests hold against the real Puppet.

mod eval;
mod infer;
mod lines;
mod parse;
mod references;
mod schema;
mod stats;
mod tree;
mod types;

use std::process::ExitCode;

use crate::args::{DebugArgs, DebugCommand};
use crate::terminal::Failure;

/// Runs one of the commands.
pub(crate) fn run(arguments: &DebugArgs) -> Result<ExitCode, Failure> {
    match &arguments.command {
        DebugCommand::Parse(parse) => parse::run(parse),
        DebugCommand::Eval { release } => eval::run(*release),
        DebugCommand::Types => types::run(),
        DebugCommand::Tree { path } => tree::run(path),
        DebugCommand::Infer { paths, puppet } => infer::run(paths, puppet),
        DebugCommand::References { paths, puppet } => references::run(paths, puppet),
        DebugCommand::Schema => schema::run(),
        DebugCommand::Stats { paths, puppet } => stats::run(paths, puppet),
    }
}
