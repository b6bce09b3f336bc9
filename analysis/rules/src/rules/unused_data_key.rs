use crate::data::{DataChecker, is_named};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports keys in data that no code and no data looks up.
    ///
    /// ## What it does
    ///
    /// Checks keys without `::`: whether the environment contains a lookup of the key, in code or in an interpolation.
    /// The rule `unknown-data-key` checks all other keys. This rule is off by default.
    ///
    /// ## Why it matters
    ///
    /// The value has no effect, and misleads readers.
    ///
    /// ## Example
    ///
    /// ```manifests/site.pp
    /// notice(lookup('ntp_servers'))
    /// ```
    ///
    /// ```data/common.yaml wrong
    /// ntp_servers: ["%{lookup('zone')}"]
    /// zone: a
    /// ntp_port: 123 # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```manifests/site.pp
    /// notice(lookup('ntp_servers'))
    /// ```
    ///
    /// ```data/common.yaml right
    /// ntp_servers: ["%{lookup('zone')}"]
    /// zone: a
    /// ```
    ///
    /// ## Exceptions
    ///
    /// None. Keys whose names are computed in code are reported, too.
    ///
    /// ## Fix
    ///
    /// No fix is available: other code may use the key.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unused-data-key]` at the end of the line, or on a line of its own above it. To
    /// turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unused-data-key = "warning"
    /// ```
    pub(crate) static UNUSED_DATA_KEY = {
        code: "unused-data-key",
        severity: Warning,
        default: off,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    let keys = checker.keys().filter(|it| !it.name().contains(':'));
    let keys: Vec<_> = keys
        .map(|it| (it.name().to_owned(), it.key_range))
        .collect();
    for (key, range) in keys {
        if !is_named(checker.db, checker.environment, &key) {
            checker.report(&UNUSED_DATA_KEY, range, format!("unused key `{key}`"));
        }
    }
}
