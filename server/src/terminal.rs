//! Standard output and standard error.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstyle::{AnsiColor, Style};

use crate::args::ColorChoice;

/// Why a command ends before its work is done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more.
    OutputClosed,
    /// It cannot go on.
    Message(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            _ => Failure::Message(format!("cannot write the output: {error}")),
        }
    }
}

/// Buffered standard output.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 << 10, io::stdout().lock())
}

/// Whether what goes to standard output has colours.
pub(crate) fn stdout_has_colors(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // Knows NO_COLOR, CLICOLOR_FORCE and TERM as well.
        ColorChoice::Auto => {
            anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}

/// Whether standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes an error of the command itself, not of a manifest, to standard error.
pub(crate) fn complain(message: &dyn fmt::Display) {
    let style = AnsiColor::Red.on_default().bold();
    // There is no one left to tell if even this fails.
    let _ = writeln!(
        anstream::stderr(),
        "{}: {message}",
        paint(style, "pupil", true)
    );
}

/// Writes what the command did to standard error.
pub(crate) fn tell(message: &dyn fmt::Display) {
    // There is no one left to tell if even this fails.
    let _ = writeln!(anstream::stderr(), "{message}");
}

/// `text` in a style, or as it is.
pub(crate) fn paint<T: fmt::Display>(style: Style, text: T, colors: bool) -> impl fmt::Display {
    let style = if colors { style } else { Style::new() };
    format!("{style}{text}{style:#}")
}
