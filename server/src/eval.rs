//! `pupil eval`: evaluates Puppet code, once or interactively.

mod repl;
mod workspace_session;

use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use analysis::base::Diagnostic;
use analysis::eval::ReportedError;
use analysis::{EvalSettings, Evaluation};
use anstyle::AnsiColor;
use syntax::{Dialect, Severity, TextRange, TextSize};

use crate::args::EvalArgs;
use crate::check;
use crate::fact_sets::FactSets;
use crate::paths::absolute;
use crate::source::{LineBreaks, Source};
use crate::terminal::{self, Failure, paint};
use workspace_session::WorkspaceSession;

/// The folder whose workspace the code may use.
const FOLDER: &str = ".";

/// The file name shown in messages.
const NAME: &str = "code";

/// Evaluates the code given as an argument or on standard input, or starts the REPL.
pub(crate) fn run(arguments: &EvalArgs) -> Result<ExitCode, Failure> {
    let config = check::config_of(&[PathBuf::from(FOLDER)])?;
    let version = arguments.puppet.version_for(&config);
    let sets = FactSets::new(&absolute(Path::new(FOLDER)), config.facts(), version);
    let facts = arguments
        .facts
        .as_deref()
        .map(|it| sets.read(it))
        .transpose()?;
    let settings = EvalSettings {
        version,
        facts: facts.map(|it| it.facts),
    };
    let colors = terminal::stdout_has_colors(arguments.color);
    let mut session = WorkspaceSession::new(settings, arguments.puppet.modulepath.clone());
    match &arguments.code {
        Some(code) => evaluate_once(&mut session, code, colors),
        None if io::stdin().is_terminal() => repl::run(session, colors),
        None => evaluate_once(&mut session, &standard_input()?, colors),
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut code = String::new();
    io::stdin()
        .read_to_string(&mut code)
        .map_err(|it| Failure::Message(format!("cannot read standard input: {it}")))?;
    Ok(code)
}

fn evaluate_once(
    session: &mut WorkspaceSession,
    code: &str,
    colors: bool,
) -> Result<ExitCode, Failure> {
    let answer = session.evaluate(code);
    let mut out = terminal::stdout();
    match &answer {
        Evaluation::Value(_) => {
            writeln!(out, "{}", render_answer(&answer, code, colors))?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        _ => {
            let text = render_answer(&answer, code, terminal::stderr_is_terminal() && colors);
            writeln!(anstream::stderr(), "{text}")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Renders an answer: the value and its type, or the reason why there is none.
fn render_answer(answer: &Evaluation, code: &str, colors: bool) -> String {
    match answer {
        Evaluation::Value(it) => {
            let ty = paint(AnsiColor::Cyan.on_default(), &it.type_shown, colors);
            match &it.value {
                Some(value) => format!("{value}\n{ty}"),
                None => ty.to_string(),
            }
        }
        Evaluation::Unknown(why) => {
            let unknown = paint(AnsiColor::Yellow.on_default(), "unknown", colors);
            format!("{unknown}: {why}")
        }
        Evaluation::Error(failure) => render_failure(failure, code, colors),
    }
}

fn render_failure(failure: &ReportedError, code: &str, colors: bool) -> String {
    // Puppet reports no position at the end of the code.
    let at_end = (failure.stage == "parse").then(|| end_of_code(code));
    let Some(range) = failure.at.map(|it| token_at(code, it)).or(at_end) else {
        let error = paint(AnsiColor::Red.on_default().bold(), "error", colors);
        return format!("{error}: {}", failure.message);
    };
    let default_code = match failure.stage {
        "parse" => "PARSE_ERROR",
        _ => "RUNTIME_ERROR",
    };
    let source = Source::new(Arc::from(code), LineBreaks::Puppet);
    let diagnostic = Diagnostic {
        code: failure.code.unwrap_or(default_code),
        severity: Severity::Error,
        message: failure.message.clone(),
        range,
        related: Vec::new(),
        fixes: Vec::new(),
    };
    check::render(NAME, &[diagnostic], &source, colors)
        .trim_end()
        .to_owned()
}

/// Returns the empty range after the last character other than whitespace.
fn end_of_code(code: &str) -> TextRange {
    let length = TextSize::try_from(code.trim_end().len()).unwrap_or_default();
    TextRange::empty(length)
}

/// Returns the range of the token at an offset, so that the error underlines more than a point.
fn token_at(code: &str, at: TextSize) -> TextRange {
    let root = syntax::parse(code, Dialect::default()).syntax();
    if at > root.text_range().end() {
        return TextRange::empty(root.text_range().end());
    }
    let token = root.token_at_offset(at).right_biased();
    token.map_or(TextRange::empty(at), |it| it.text_range())
}
