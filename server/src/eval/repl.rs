//! The interactive read-eval-print loop.
//!
//! Input continues over several lines until it is complete, and is saved in a history file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Completer, Editor, Helper, Highlighter, Hinter};
use syntax::Dialect;

use super::render_answer;
use super::workspace_session::WorkspaceSession;
use crate::terminal::{self, Failure};

const WELCOME: &str = "\
Evaluates Puppet code, without a catalog, the facts of this machine, or access to files.
Type `help` for this text, `:reset` to clear all variables, `exit` or Ctrl-D to exit.";

/// Decides whether the input is complete.
#[derive(Completer, Helper, Highlighter, Hinter)]
struct InputValidator;

impl Validator for InputValidator {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        // An empty line ends input that will never be complete.
        let ends_early = input.ends_with('\n');
        Ok(if ends_early || is_command(input) || is_complete(input) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

fn is_command(input: &str) -> bool {
    input.starts_with(':') && !input.starts_with("::")
}

/// Checks whether no construct is left open at the end of the input.
fn is_complete(input: &str) -> bool {
    let parse = syntax::parse(input, Dialect::default());
    parse.errors().first().is_none_or(|it| {
        let is_unclosed = matches!(
            it.code.0,
            "UNCLOSED_QUOTE" | "UNCLOSED_MLCOMMENT" | "HEREDOC_WITHOUT_END_TAGGED_LINE"
        );
        // Puppet reports errors at the end of the input without a position.
        !is_unclosed && it.anchor.is_some()
    })
}

/// Runs the loop until the end of the input.
pub(super) fn run(mut session: WorkspaceSession, colors: bool) -> Result<ExitCode, Failure> {
    let broken =
        |it: ReadlineError| Failure::Message(format!("cannot read from the terminal: {it}"));
    let mut editor: Editor<InputValidator, DefaultHistory> = Editor::new().map_err(broken)?;
    editor.set_helper(Some(InputValidator));
    let history = history_file();
    if let Some(path) = &history {
        // The file does not exist the first time.
        let _ = editor.load_history(path);
    }
    say(WELCOME)?;
    loop {
        match editor.readline("pupil> ") {
            Ok(input) => {
                // A failure to save the history does not end the session.
                let _ = editor.add_history_entry(&input);
                match input.trim() {
                    "" => {}
                    "exit" | "quit" | ":quit" | ":q" | ":exit" => break,
                    "help" => say(WELCOME)?,
                    ":reset" => session.reset(),
                    command if is_command(command) => say(WELCOME)?,
                    _ => say(&render_answer(&session.evaluate(&input), &input, colors))?,
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(broken(error)),
        }
    }
    if let Some(path) = &history {
        let _ = editor.save_history(path);
    }
    Ok(ExitCode::SUCCESS)
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = terminal::stdout();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

fn history_file() -> Option<PathBuf> {
    let folder = dirs::state_dir()
        .or_else(dirs::data_local_dir)?
        .join("pupil");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_incomplete_input() {
        for open in [
            "1 +",
            "f(",
            "\"abc",
            "'abc",
            "@(E)\nabc",
            "if true {",
            "/* a",
            "$x =",
            "[1,\n2",
            "f(1,",
            "[1].map |$x|",
        ] {
            assert!(!is_complete(open), "{open}");
        }
        for whole in [
            "1",
            "1 + )",
            "f(1 2) + 3",
            "$x = 1",
            "}",
            "if true { }",
            "@(E)\nabc\nE\n",
            "",
        ] {
            assert!(is_complete(whole), "{whole}");
        }
    }
}
