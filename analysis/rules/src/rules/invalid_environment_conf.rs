use base::suggest::{hint, similar};
use syntax::Severity;

use crate::project::environment_conf::{self, ConfProblemKind, SETTINGS};
use crate::project::{ProjectChecker, ProjectFile};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports lines in `environment.conf` that Puppet ignores or rejects.
    ///
    /// ## What it does
    ///
    /// Checks for unknown settings, for sections other than `[main]`, and for lines that are
    /// neither a comment nor of the form `name = value`.
    ///
    /// ## Why it matters
    ///
    /// Puppet ignores unknown settings and sections with a warning, so they have no effect. A line
    /// that it cannot parse is an error: Puppet rejects the whole file.
    ///
    /// ## Example
    ///
    /// ```environment.conf wrong
    /// modulpath = site:modules # <-
    /// manifest # <-
    /// [agent] # <-
    /// manifest = x
    /// ```
    ///
    /// Use instead:
    ///
    /// ```environment.conf right
    /// # The directories of the modules.
    /// modulepath = site:modules:$basemodulepath
    /// manifest = manifests/site.pp
    /// environment_timeout = 0
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended setting is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-environment-conf]` on a line of its own above; at the end of
    /// the line, it would be part of the value. To turn the rule off for a project, add this to
    /// `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-environment-conf = "off"
    /// ```
    pub(crate) static INVALID_ENVIRONMENT_CONF = {
        code: "invalid-environment-conf",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

fn check(checker: &mut ProjectChecker<'_>) {
    if checker.file != ProjectFile::EnvironmentConf {
        return;
    }
    for problem in environment_conf::read(checker.text).problems {
        let severity = match problem.is_rejected() {
            true => Severity::Error,
            false => INVALID_ENVIRONMENT_CONF.severity,
        };
        let message = match problem.kind {
            ConfProblemKind::InvalidLine => "invalid line: expected `name = value`".to_owned(),
            ConfProblemKind::IgnoredSection(name) => {
                format!("section `[{name}]` is ignored by Puppet")
            }
            ConfProblemKind::UnknownSetting(name) => {
                let near = hint(similar(&name, SETTINGS));
                format!("unknown setting `{name}`{near}")
            }
        };
        checker.report_as(&INVALID_ENVIRONMENT_CONF, severity, problem.range, message);
    }
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;
    use crate::testing::project_messages;

    fn messages(text: &str) -> Vec<String> {
        project_messages(ProjectFile::EnvironmentConf, text, None)
    }

    #[test]
    fn reports_invalid_and_ignored_lines() {
        assert_eq!(
            messages("modulpath = a\n[other]\nnonsense\n"),
            [
                "unknown setting `modulpath`; did you mean `modulepath`?",
                "section `[other]` is ignored by Puppet",
                "invalid line: expected `name = value`",
            ]
        );
    }

    #[test]
    fn ignores_comments_and_known_settings() {
        assert_eq!(messages("# comment\n[main]\nmanifest = a # b\n"), [""; 0]);
    }
}
