//! `pupil format`: formats manifests and templates according to the style guide.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use analysis::ide::FormatOptions;
use rayon::prelude::*;
use syntax::{Dialect, apply_edits};

use crate::COULD_NOT_RUN;
use crate::args::FormatArgs;
use crate::check::config_of;
use crate::display_path::display_path;
use crate::file_rewrite::FileRewrite;
use crate::find_files;
use crate::paths::ModuleLocator;
use crate::read_text::{read_text, reason};
use crate::standard_input::STANDARD_INPUT;
use crate::terminal::{self, Failure};
use crate::workspace::{WorkspaceRequest, discover};

/// The exit status of `--check` and `--diff` if a file is not formatted.
const EXIT_UNFORMATTED: u8 = 1;

/// Returns why a file cannot be formatted.
fn obstacle(text: &str, dialect: Dialect) -> &'static str {
    match syntax::parse(text, dialect).is_well_formed() {
        true => "the result would not be the same code; please report this file as a bug",
        false => "the code has syntax errors; run `pupil check` to list them",
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &FormatArgs) -> Result<ExitCode, Failure> {
    if arguments
        .paths
        .iter()
        .any(|it| it.as_os_str() == STANDARD_INPUT)
    {
        if arguments.paths.len() > 1 {
            let error = "standard input (`-`) cannot be formatted together with files";
            return Err(Failure::Message(error.to_owned()));
        }
        let options = config_of(&[PathBuf::from(".")])?.format.options();
        return filter(arguments, &options);
    }
    let options = config_of(&arguments.paths)?.format.options();
    let mut found = find_files::find(&arguments.paths);
    if let Some(left_out) = leave_out(&arguments.paths, &mut found.files) {
        terminal::print_note(&left_out);
    } else if found.files.is_empty() && found.problems.is_empty() {
        terminal::print_warning(&find_files::nothing_found(&arguments.paths));
    }
    find_files::retain_one_path_each(&mut found.files);
    let locator = ModuleLocator::new(&[]);
    let files = found.files.par_iter();
    let rewrites = files.map(|path| rewrite(path, locator.spec(path).dialect, &options));
    let rewrites: Vec<Result<Option<FileRewrite>, String>> = rewrites.collect();
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
        terminal::print_error(problem);
    }
    Ok(match changed {
        _ if !problems.is_empty() => ExitCode::from(COULD_NOT_RUN),
        1.. if reports_changes(arguments) => ExitCode::from(EXIT_UNFORMATTED),
        _ => ExitCode::SUCCESS,
    })
}

/// Drops the files that `pupil check` does not report either: excluded ones, and those of installed modules. Returns a
/// message about the latter, if there are any.
fn leave_out(paths: &[PathBuf], files: &mut Vec<PathBuf>) -> Option<String> {
    let named: HashSet<&PathBuf> = paths.iter().collect();
    if files.iter().all(|it| named.contains(it)) {
        return None;
    }
    let existing: Vec<PathBuf> = paths.iter().filter(|it| it.exists()).cloned().collect();
    discover(&WorkspaceRequest::of_paths(&existing, &[])).retain_own(paths, files)
}

/// Checks whether files stay as they are, and their changes are only reported.
fn reports_changes(arguments: &FormatArgs) -> bool {
    arguments.check || arguments.diff
}

/// Formats standard input to standard output, or reports its changes.
fn filter(arguments: &FormatArgs, options: &FormatOptions) -> Result<ExitCode, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().read_to_string(&mut text);
    read.map_err(|it| Failure::Message(format!("cannot read standard input: {}", reason(it))))?;
    // The threads of the pool have stacks large enough for the deepest tree.
    let formatted = rayon::scope(|_| {
        let found = formatted(&text, Dialect::default(), options);
        found.ok_or_else(|| obstacle(&text, Dialect::default()))
    });
    let formatted =
        formatted.map_err(|it| Failure::Message(format!("cannot format standard input: {it}")))?;
    let mut out = terminal::stdout();
    let is_unformatted = reports_changes(arguments) && formatted != text;
    if is_unformatted {
        let rewrite = FileRewrite {
            path: PathBuf::from(STANDARD_INPUT),
            before: text.into(),
            after: formatted.into(),
        };
        report(&rewrite, arguments, &mut out)?;
    } else if !reports_changes(arguments) {
        out.write_all(formatted.as_bytes())?;
    }
    out.flush()?;
    Ok(match is_unformatted {
        true => ExitCode::from(EXIT_UNFORMATTED),
        false => ExitCode::SUCCESS,
    })
}

/// Formats a file. Returns `None` if it is already formatted.
fn rewrite(
    path: &Path,
    dialect: Dialect,
    options: &FormatOptions,
) -> Result<Option<FileRewrite>, String> {
    let problem =
        |why: &dyn std::fmt::Display| format!("cannot format {}: {why}", display_path(path));
    let before: Arc<str> = read_text(path).map_err(|it| problem(&it))?.into();
    let after = formatted(&before, dialect, options);
    let after = after.ok_or_else(|| problem(&obstacle(&before, dialect)))?;
    Ok((*before != *after).then(|| FileRewrite {
        path: path.to_owned(),
        before,
        after: after.into(),
    }))
}

fn formatted(text: &str, dialect: Dialect, options: &FormatOptions) -> Option<String> {
    let parse = syntax::parse(text, dialect);
    apply_edits(
        text,
        &analysis::ide::format(&parse, text, dialect, options)?,
    )
}

/// Writes the file, or prints its path or diff if the arguments say so.
fn apply(
    rewrite: &FileRewrite,
    arguments: &FormatArgs,
    out: &mut impl Write,
) -> io::Result<Result<(), String>> {
    if reports_changes(arguments) {
        report(rewrite, arguments, out)?;
        return Ok(Ok(()));
    }
    let path = display_path(&rewrite.path);
    if let Err(why) = rewrite.write() {
        return Ok(Err(format!("cannot format {path}: {why}")));
    }
    terminal::print_status(&format!("formatted {path}"));
    Ok(Ok(()))
}

/// Prints the diff of a file or its path.
fn report(rewrite: &FileRewrite, arguments: &FormatArgs, out: &mut impl Write) -> io::Result<()> {
    match arguments.diff {
        true => rewrite.write_diff(out),
        false => writeln!(out, "{}", display_path(&rewrite.path)),
    }
}
