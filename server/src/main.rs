//! `pupil`: the command-line tool and the language server.
//!
//! This crate handles the file system, the terminal, threads and the LSP. It contains no type
//! inference and no rules: it queries `analysis` and presents the plain data that is returned.

mod args;
mod built_in_facts;
mod catalog;
mod check;
mod config;
mod debug;
mod default_facts;
mod demo;
mod display_path;
mod eval;
mod explain;
mod fact_sets;
mod facts;
mod file_rewrite;
mod find_files;
mod format;
mod hover;
mod ignore_files;
mod issue_codes;
mod legacy_facts;
mod loaded_workspace;
mod lookup;
mod lsp;
mod migrate;
mod node;
mod paths;
mod phrases;
mod progress;
mod read_text;
mod rule_levels;
mod rule_names;
mod rule_selection;
mod rules;
mod sample_nodes;
mod source;
mod standalone;
mod standard_input;
mod terminal;
mod vfs;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use terminal::Failure;

// Syntax trees consist of many small allocations on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit status if the command could not do its work.
const COULD_NOT_RUN: u8 = 2;

/// The stack size of threads that traverse trees, which is enough for the deepest tree that the
/// parser builds.
const STACK_SIZE: usize = 16 << 20;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(code) => code,
        // The reader closed the output, as `head` does.
        Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(Failure::Message(message)) => {
            terminal::print_error(&message);
            ExitCode::from(COULD_NOT_RUN)
        }
        Err(Failure::Reported) => ExitCode::from(COULD_NOT_RUN),
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
        Command::Eval(eval) => {
            start_pool()?;
            on_a_deep_stack(move || eval::run(&eval))
        }
        Command::Server(server) => {
            start_pool()?;
            lsp::run(&server)
        }
        Command::Workspace(arguments) => {
            start_pool()?;
            workspace::run(&arguments)
        }
        Command::Lookup(arguments) => {
            start_pool()?;
            on_a_deep_stack(move || lookup::run(&arguments))
        }
        Command::Catalog(arguments) => {
            start_pool()?;
            on_a_deep_stack(move || catalog::run(&arguments))
        }
        Command::Hover(arguments) => {
            start_pool()?;
            hover::run(&arguments)
        }
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Demo { color } => demo::run(color),
        Command::Debug(debug) => {
            start_pool()?;
            debug::run(&debug)
        }
    }
}

/// Runs a command on a thread with a stack of [`STACK_SIZE`].
fn on_a_deep_stack(
    run: impl FnOnce() -> Result<ExitCode, Failure> + Send + 'static,
) -> Result<ExitCode, Failure> {
    let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
    let started = thread.spawn(run);
    let thread = started.map_err(|it| Failure::Message(format!("cannot start a thread: {it}")))?;
    match thread.join() {
        Ok(result) => result,
        // The panic message is already on standard error.
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Starts the global thread pool.
fn start_pool() -> Result<(), Failure> {
    rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_SIZE)
        .thread_name(|index| format!("worker {index}"))
        .build_global()
        .map_err(|error| Failure::Message(format!("cannot start threads: {error}")))
}
