//! The verdict of our parser and validation, in Puppet's terms.

use syntax::ast::SourceFile;
use syntax::validation::{ModulePlace, PuppetVersion, ValidationContext, validate};
use syntax::{Diagnostic, Dialect, Parse, Severity, Stage, TextSize};

/// A position: line and column, counted from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub pos: u32,
}

impl Position {
    /// Returns the position of an offset.
    pub fn of(text: &str, offset: TextSize) -> Position {
        let before = text.get(..usize::from(offset)).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let lines = before.bytes().filter(|&byte| byte == b'\n').count();
        let columns = before[line_start..].chars().count();
        Position {
            line: u32::try_from(lines + 1).unwrap_or(u32::MAX),
            pos: u32::try_from(columns + 1).unwrap_or(u32::MAX),
        }
    }
}

/// A diagnostic with the position where Puppet would report it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedDiagnostic {
    /// The diagnostic.
    pub diagnostic: Diagnostic,
    /// The position; `None` where Puppet has none.
    pub position: Option<Position>,
}

impl ReportedDiagnostic {
    fn new(text: &str, diagnostic: Diagnostic) -> ReportedDiagnostic {
        let position = diagnostic.anchor.map(|offset| Position::of(text, offset));
        ReportedDiagnostic {
            diagnostic,
            position,
        }
    }

    /// Returns the issue code.
    pub fn code(&self) -> &'static str {
        self.diagnostic.code.0
    }

    /// Returns the line that Puppet would report.
    pub fn line(&self) -> Option<u32> {
        self.position.map(|it| it.line)
    }
}

/// A source and its properties.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Source {
    /// The text.
    pub text: String,
    /// The language.
    pub dialect: Dialect,
    /// The place in a module, if it matters.
    pub place: Option<ModulePlace>,
}

impl Source {
    /// Returns a source that is not part of a module.
    pub fn new(text: impl Into<String>, dialect: Dialect) -> Source {
        Source {
            text: text.into(),
            dialect,
            place: None,
        }
    }
}

/// Our verdict on a source.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The tree and its errors.
    pub parse: Parse,
    /// The errors that Puppet would report: those of the first stage with errors.
    pub errors: Vec<ReportedDiagnostic>,
    /// The warnings of all stages that Puppet would reach.
    pub warnings: Vec<ReportedDiagnostic>,
}

impl Verdict {
    /// Parses and validates a source with the rules of a version.
    pub fn of(source: &Source, version: PuppetVersion) -> Verdict {
        let parse = syntax::parse(&source.text, source.dialect);
        let mut found = parse.errors().to_vec();
        let stopped = found.iter().any(|it| it.severity == Severity::Error);
        if !stopped {
            found.extend(checks(&parse.tree(), source, version));
        }
        let (errors, warnings): (Vec<_>, Vec<_>) = found
            .into_iter()
            .filter(|it| matches!(it.severity, Severity::Error | Severity::Warning))
            .map(|it| ReportedDiagnostic::new(&source.text, it))
            .partition(|it| it.diagnostic.severity == Severity::Error);
        Verdict {
            parse,
            errors: of_first_stage(errors),
            warnings,
        }
    }

    /// Checks whether Puppet would accept the source.
    pub fn ok(&self) -> bool {
        self.errors.is_empty()
    }
}

fn checks(tree: &SourceFile, source: &Source, version: PuppetVersion) -> Vec<Diagnostic> {
    let context = ValidationContext {
        version,
        tasks: source.dialect.tasks,
        place: source.place.clone(),
    };
    validate(tree, &context)
}

/// Puppet only continues to the next stage if the previous one has no errors.
fn of_first_stage(mut errors: Vec<ReportedDiagnostic>) -> Vec<ReportedDiagnostic> {
    let stages = [Stage::Parse, Stage::Validate, Stage::Import];
    let first = stages
        .into_iter()
        .find(|&stage| errors.iter().any(|it| it.diagnostic.stage == stage));
    errors.retain(|it| Some(it.diagnostic.stage) == first);
    errors
}
