//! `pupil format`: manifests in the layout of the style guide.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use rayon::prelude::*;
use syntax::{Dialect, apply_edits};

use crate::COULD_NOT_RUN;
use crate::args::FormatArgs;
use crate::disk::read_text;
use crate::files;
use crate::place::{Layout, is_template};
use crate::rewrite::Rewrite;
use crate::terminal::{self, Failure};

/// What a process exits with that found another layout and was not to change it.
const DIFFERS: u8 = 1;

/// Why a manifest has no layout.
const BROKEN: &str = "it has errors of syntax: `pupil check` tells them";

/// Formats, and tells by the exit status.
pub(crate) fn run(arguments: &FormatArgs) -> Result<ExitCode, Failure> {
    if arguments.paths == [PathBuf::from("-")] {
        return filter();
    }
    let found = files::find(&arguments.paths);
    let layout = Layout::new(&[]);
    let manifests = found.files.par_iter().filter(|it| !is_template(it));
    let rewrites = manifests.map(|path| rewrite(path, layout.spec(path).dialect));
    let rewrites: Vec<Result<Option<Rewrite>, String>> = rewrites.collect();
    let mut problems = found.problems;
    let mut out = terminal::stdout();
    let mut changed = 0;
    for rewrite in rewrites {
        let done = match rewrite {
            Ok(None) => continue,
            Ok(Some(rewrite)) => apply(&rewrite, arguments, &mut out)?,
            Err(problem) => Err(problem),
        };
        match done {
            Ok(()) => changed += 1,
            Err(problem) => problems.push(problem),
        }
    }
    out.flush()?;
    for problem in &problems {
        terminal::complain(problem);
    }
    let is_told = arguments.check || arguments.diff;
    Ok(match changed {
        _ if !problems.is_empty() => ExitCode::from(COULD_NOT_RUN),
        1.. if is_told => ExitCode::from(DIFFERS),
        _ => ExitCode::SUCCESS,
    })
}

/// From standard input to standard output.
fn filter() -> Result<ExitCode, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().read_to_string(&mut text);
    read.map_err(|it| Failure::Message(format!("cannot read standard input: {it}")))?;
    // The threads of the pool have stacks for the deepest tree.
    let formatted = rayon::scope(|_| formatted(&text, Dialect::default()));
    let formatted = formatted
        .ok_or_else(|| Failure::Message(format!("cannot format standard input: {BROKEN}")))?;
    let mut out = terminal::stdout();
    out.write_all(formatted.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// What is to be done with a file; nothing if its layout is that already.
fn rewrite(path: &Path, dialect: Dialect) -> Result<Option<Rewrite>, String> {
    let problem = |why: &dyn std::fmt::Display| format!("{}: {why}", files::shown(path));
    let before: Arc<str> = read_text(path).map_err(|it| problem(&it))?.into();
    let after = formatted(&before, dialect).ok_or_else(|| problem(&BROKEN))?;
    Ok((*before != *after).then(|| Rewrite {
        path: path.to_owned(),
        before,
        after: after.into(),
    }))
}

fn formatted(text: &str, dialect: Dialect) -> Option<String> {
    let parse = syntax::parse(text, dialect);
    apply_edits(text, &analysis::ide::format(&parse, text, dialect)?)
}

/// Writes or tells what is to be done.
fn apply(
    rewrite: &Rewrite,
    arguments: &FormatArgs,
    out: &mut impl Write,
) -> io::Result<Result<(), String>> {
    let path = files::shown(&rewrite.path);
    if arguments.diff {
        rewrite.write_diff(out)?;
    } else if arguments.check {
        writeln!(out, "{path}")?;
    } else {
        if let Err(why) = rewrite.write() {
            return Ok(Err(format!("{path} is not formatted: {why}")));
        }
        terminal::tell(&format!("formatted {path}"));
    }
    Ok(Ok(()))
}
