//! The loop on a terminal: reads, evaluates, prints.
//!
//! Input goes on over several lines until it is whole. What is entered stays in a history file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use analysis::{EvalSettings, Session};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Completer, Editor, Helper, Highlighter, Hinter};
use syntax::Dialect;

use super::shown;
use crate::terminal::{self, Failure};

const WELCOME: &str = "\
Puppet code is evaluated without a catalog, facts of this machine, or files.
:reset forgets all variables, :quit or Ctrl-D ends.";

/// Decides whether more lines must follow.
#[derive(Completer, Helper, Highlighter, Hinter)]
struct Whole;

impl Validator for Whole {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let input = context.input();
        // An empty line ends what will never be whole.
        let is_given_up = input.ends_with('\n');
        Ok(if is_given_up || is_command(input) || is_whole(input) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

fn is_command(input: &str) -> bool {
    input.starts_with(':') && !input.starts_with("::")
}

/// Whether nothing is left open at the end.
fn is_whole(input: &str) -> bool {
    let parse = syntax::parse(input, Dialect::default());
    parse.errors().first().is_none_or(|it| {
        let is_unclosed = matches!(
            it.code.0,
            "UNCLOSED_QUOTE" | "UNCLOSED_MLCOMMENT" | "HEREDOC_WITHOUT_END_TAGGED_LINE"
        );
        // Puppet has no place for what the end of the text lacks.
        !is_unclosed && it.anchor.is_some()
    })
}

/// Runs until the end of the input.
pub(super) fn run(settings: &EvalSettings, colors: bool) -> Result<ExitCode, Failure> {
    let broken = |it: ReadlineError| Failure::Message(format!("cannot use the terminal: {it}"));
    let mut editor: Editor<Whole, DefaultHistory> = Editor::new().map_err(broken)?;
    editor.set_helper(Some(Whole));
    let history = history_file();
    if let Some(path) = &history {
        // There is none the first time.
        let _ = editor.load_history(path);
    }
    say(WELCOME)?;
    let mut session = Session::new(settings.clone());
    loop {
        match editor.readline("pupil> ") {
            Ok(input) => {
                // A history that cannot be kept is no reason to stop.
                let _ = editor.add_history_entry(&input);
                match input.trim() {
                    "" => {}
                    ":quit" | ":q" | ":exit" => break,
                    ":reset" => session = Session::new(settings.clone()),
                    command if is_command(command) => say(WELCOME)?,
                    _ => say(&shown(&session.evaluate(&input), &input, colors))?,
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
    fn open_input_goes_on() {
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
            assert!(!is_whole(open), "{open}");
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
            assert!(is_whole(whole), "{whole}");
        }
    }
}
