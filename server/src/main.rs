//! `pupil`: the command line and the language server.
//!
//! This crate knows the disk, the terminal, threads and the LSP. It must never know how a type is
//! inferred or what a rule says: it asks `analysis` and shows the plain data that comes back.

mod args;
mod check;
mod config;
mod debug;
mod demo;
mod disk;
mod eval;
mod explain;
mod facts;
mod files;
mod format;
mod hover;
mod levels;
mod lsp;
mod place;
mod rewrite;
mod single;
mod source;
mod terminal;
mod vfs;
mod workspace;
mod world;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use terminal::Failure;

// Trees are made of many small allocations on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a process that could not do its work exits with.
const COULD_NOT_RUN: u8 = 2;

/// Enough for the deepest tree that the parser builds, on every thread that may walk one.
const STACK_SIZE: usize = 16 << 20;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(code) => code,
        // Whoever reads the output has seen enough.
        Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            terminal::complain(&message);
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Check(check) => {
            start_pool()?;
            check::run(&check)
        }
        Command::Format(arguments) => {
            start_pool()?;
            format::run(&arguments)
        }
        Command::Eval(eval) => on_a_deep_stack(move || eval::run(&eval)),
        Command::Server(server) => {
            start_pool()?;
            lsp::run(&server)
        }
        Command::Workspace(arguments) => {
            start_pool()?;
            workspace::run(&arguments)
        }
        Command::Hover(arguments) => hover::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Demo { color } => demo::run(color),
        Command::Debug(debug) => {
            start_pool()?;
            debug::run(&debug)
        }
    }
}

/// Runs something that may walk the deepest tree.
fn on_a_deep_stack(
    run: impl FnOnce() -> Result<ExitCode, Failure> + Send + 'static,
) -> Result<ExitCode, Failure> {
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let started = thread.spawn(run);
    let thread = started.map_err(|it| Failure::Message(format!("cannot start a thread: {it}")))?;
    match thread.join() {
        Ok(result) => result,
        // It has said why on standard error.
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The threads of all parallel work.
fn start_pool() -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_SIZE)
        .thread_name(|index| format!("worker {index}"))
        .build_global()
        .map_err(|error| Failure::Message(format!("cannot start threads: {error}")))
}
