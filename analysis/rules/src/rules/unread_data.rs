use infer::hiera_config;

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports data files that no level of `hiera.yaml` reads.
    ///
    /// ## What it does
    ///
    /// Checks whether the path of a file matches a path, glob or mapped path of a level, for any values of facts
    /// and other variables.
    ///
    /// ## Why it matters
    ///
    /// Puppet never reads the file: its values have no effect.
    ///
    /// ## Example
    ///
    /// ```hiera.yaml
    /// version: 5
    /// hierarchy:
    ///   - name: Common
    ///     path: common.yaml
    /// ```
    ///
    /// ```data/comon.yaml wrong
    /// ntp_servers: [] # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```hiera.yaml
    /// version: 5
    /// hierarchy:
    ///   - name: Common
    ///     path: common.yaml
    /// ```
    ///
    /// ```data/common.yaml right
    /// ntp_servers: []
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Files of a hierarchy that uses functions other than those of Puppet.
    ///
    /// ## Fix
    ///
    /// No fix is available: the path of the file or of the level may be wrong.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unread-data]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unread-data = "off"
    /// ```
    pub(crate) static UNREAD_DATA = {
        code: "unread-data",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    if checker.is_read() || checker.data.entries().is_empty() {
        return;
    }
    let config = hiera_config(checker.db, checker.module).and_then(Result::ok);
    let path = &checker.place.path;
    if !config.is_some_and(|it| it.reads_only_files() && !it.reads_with_empty_variables(path)) {
        return;
    }
    let range = checker.data.entries().first().map(|it| it.key_range);
    let message = "no level of `hiera.yaml` reads this file";
    checker.report(&UNREAD_DATA, range.unwrap_or_default(), message);
}
