//! `pupil debug tree`: the syntax tree of a file.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use syntax::{NodeOrToken, WalkEvent};

use crate::paths::spec_from_path;
use crate::read_text::read_text;
use crate::terminal::{self, Failure};

/// Writes one node or token per line, indented by depth, with its byte range, followed by errors.
pub(crate) fn run(path: &Path) -> Result<ExitCode, Failure> {
    let text = read_text(path)
        .map_err(|error| Failure::Message(format!("cannot read {}: {error}", path.display())))?;
    let spec = spec_from_path(&path.to_string_lossy());
    let parse = syntax::parse(&text, spec.dialect);
    let mut out = terminal::stdout();
    let mut depth = 0;
    for event in parse.syntax().preorder_with_tokens() {
        match event {
            WalkEvent::Enter(element) => {
                let range = element.text_range();
                write!(out, "{:depth$}{:?}@{range:?}", "", element.kind())?;
                match element {
                    NodeOrToken::Token(token) => writeln!(out, " {:?}", token.text())?,
                    NodeOrToken::Node(_) => writeln!(out)?,
                }
                depth += 2;
            }
            WalkEvent::Leave(_) => depth -= 2,
        }
    }
    for error in parse.errors() {
        writeln!(out, "{}@{:?}: {}", error.code, error.range, error.message)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
