//! Standard output and standard error.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Style};

use crate::args::ColorChoice;
use crate::display_path::escaped;
use crate::read_text::reason;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader closed the output.
    OutputClosed,
    /// An error to report.
    Message(String),
    /// Errors that were reported already.
    Reported,
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Failure::Message(message)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Message(format!("cannot write output: {}", reason(error))),
        }
    }
}

/// Returns a buffered standard output.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Checks whether standard output is colored.
pub(crate) fn stdout_has_colors(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // Respects NO_COLOR, CLICOLOR_FORCE and TERM.
        ColorChoice::Auto => {
            anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}

/// Checks whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes an error of the command itself, not of a manifest, to standard error.
pub(crate) fn print_error(message: &dyn fmt::Display) {
    labelled(AnsiColor::Red, "error", message);
}

/// Writes a warning about the command itself, not about a manifest, to standard error.
pub(crate) fn print_warning(message: &dyn fmt::Display) {
    labelled(AnsiColor::Yellow, "warning", message);
}

fn labelled(color: AnsiColor, label: &str, message: &dyn fmt::Display) {
    let label = paint(color.on_default().bold(), label, true);
    // A failure to write to standard error cannot be reported anywhere.
    let message = escaped(&message.to_string());
    let _ = writeln!(anstream::stderr(), "{label}: {message}");
}

/// Writes a note about the run of the command to standard error.
pub(crate) fn print_note(message: &dyn fmt::Display) {
    labelled(AnsiColor::Cyan, "note", message);
}

/// Writes a status message to standard error.
pub(crate) fn print_status(message: &dyn fmt::Display) {
    // A failure to write to standard error cannot be reported anywhere.
    let message = escaped(&message.to_string());
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// Formats `text` in a style if `colors` is set.
pub(crate) fn paint<T: fmt::Display>(style: Style, text: T, colors: bool) -> impl fmt::Display {
    let style = if colors { style } else { Style::new() };
    format!("{style}{text}{style:#}")
}
