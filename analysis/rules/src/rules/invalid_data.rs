use std::sync::Arc;

use hiera::{DataErrorKind, DataFormat};

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports data files that Puppet cannot load.
    ///
    /// ## What it does
    ///
    /// Checks for YAML and JSON syntax errors, for files that contain no hash, and for values that Ruby's YAML
    /// parser refuses to load: dates, timestamps and Ruby objects.
    ///
    /// ## Why it matters
    ///
    /// Every lookup that reads the file fails, and with it the compilation of the catalog, also for keys of other
    /// files.
    ///
    /// ## Example
    ///
    /// ```data/common.yaml wrong
    /// valid_until: 2030-01-01 # <-
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// - ntp_servers # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```data/common.yaml right
    /// valid_until: '2030-01-01'
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Empty files, which Puppet accepts.
    /// * Files that no level of `hiera.yaml` reads.
    ///
    /// ## Fix
    ///
    /// Suggested: quotes a date.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-data]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-data = "off"
    /// ```
    pub(crate) static INVALID_DATA = {
        code: "invalid-data",
        severity: Error,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    if !checker.is_read() {
        return;
    }
    let data = Arc::clone(&checker.data);
    let Err(problem) = &data.values else {
        return;
    };
    let format = checker.place.levels.first().map(|it| it.format);
    let language = match format {
        Some(DataFormat::Json) => "JSON",
        _ => "YAML",
    };
    let message = match &problem.kind {
        DataErrorKind::Syntax(reason) => format!("invalid {language}: {reason}"),
        DataErrorKind::Refused(what) => format!("{what} is not allowed in data"),
        DataErrorKind::NotAHash => not_a_hash(checker.source(problem.range)),
        DataErrorKind::Cycle => "this alias is inside of the value that it refers to".to_owned(),
    };
    let is_date = matches!(
        problem.kind,
        DataErrorKind::Refused("a date" | "a timestamp")
    );
    let written = checker.source(problem.range);
    let fix = is_date.then(|| {
        let label = "Quote the value".to_owned();
        checker.suggested(label, problem.range, format!("'{written}'"))
    });
    let found = checker.report(&INVALID_DATA, problem.range, message);
    found.fixes.extend(fix);
}

/// Describes a file without a hash, which often is a key without a blank after its colon.
fn not_a_hash(written: &str) -> String {
    let first = written.lines().next().unwrap_or_default();
    let is_key = first.contains(':') && !first.starts_with('-') && !first.contains(": ");
    match is_key {
        true => "expected a hash, found a string; add a space after the colon".to_owned(),
        false => "expected a hash of keys and values".to_owned(),
    }
}
