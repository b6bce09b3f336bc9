//! `pupil hover`: prints the hover text at a position in a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::args::HoverArgs;
use crate::loaded_workspace::LoadedWorkspace;
use crate::read_text::reason;
use crate::source::{LineBreaks, LineColumn, PositionEncoding, Source};
use crate::terminal::{self, Failure};

/// A position in a file; lines and columns start at 1, columns count characters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FilePosition {
    path: PathBuf,
    line: u32,
    column: u32,
}

/// Prints the range of the hover and its Markdown text.
pub(crate) fn run(arguments: &HoverArgs) -> Result<ExitCode, Failure> {
    let position = FilePosition::parse(&arguments.place).ok_or_else(|| {
        let given = &arguments.place;
        Failure::Message(format!(
            "invalid position `{given}`: expected FILE:LINE:COLUMN"
        ))
    })?;
    if let Err(error) = std::fs::metadata(&position.path) {
        let (path, reason) = (position.path.display(), reason(error));
        return Err(Failure::Message(format!("cannot read {path}: {reason}")));
    }
    let puppet = &arguments.puppet;
    let paths = [position.path.clone()];
    let version = puppet.version(&paths)?;
    let workspace = LoadedWorkspace::load(&paths, &puppet.modulepath, version);
    let unknown = || {
        let path = position.path.display();
        Failure::Message(format!("cannot read {path} as Puppet code"))
    };
    let file = workspace.files.id(&position.path).ok_or_else(unknown)?;
    let text = workspace.analysis.text(file).ok_or_else(unknown)?;
    let source = Source::new(text, LineBreaks::Puppet);
    let at = LineColumn {
        line: position.line - 1,
        column: position.column - 1,
    };
    let offset = source.offset(at, PositionEncoding::Utf32);
    let mut out = terminal::stdout();
    let Some(hover) = workspace.analysis.hover(file, offset) else {
        writeln!(out, "no information at this position")?;
        return Ok(ExitCode::FAILURE);
    };
    let start = source.line_column(hover.range.start(), PositionEncoding::Utf32);
    let end = source.line_column(hover.range.end(), PositionEncoding::Utf32);
    writeln!(
        out,
        "{}:{}-{}:{}\n\n{}",
        start.line + 1,
        start.column + 1,
        end.line + 1,
        end.column + 1,
        hover.to_markdown(|_| None)
    )?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl FilePosition {
    fn parse(text: &str) -> Option<FilePosition> {
        let (rest, column) = text.rsplit_once(':')?;
        let (path, line) = rest.rsplit_once(':')?;
        let number = |it: &str| it.parse().ok().filter(|it: &u32| *it > 0);
        Some(FilePosition {
            path: PathBuf::from(path)
                .canonicalize()
                .unwrap_or_else(|_| PathBuf::from(path)),
            line: number(line)?,
            column: number(column)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_contain_colons() {
        let found = FilePosition::parse("no such:file.pp:3:14").expect("a valid position");
        assert_eq!(found.path, PathBuf::from("no such:file.pp"));
        assert_eq!((found.line, found.column), (3, 14));
        for wrong in ["a.pp", "a.pp:1", "a.pp:0:1", "a.pp:1:x"] {
            assert_eq!(FilePosition::parse(wrong), None);
        }
    }
}
