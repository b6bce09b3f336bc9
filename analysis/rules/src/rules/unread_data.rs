use base::suggest::{hint, similar};
use hiera::{Condition, LevelFile};
use infer::hiera_config;

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports data files that no level of `hiera.yaml` reads.
    ///
    /// ## What it does
    ///
    /// Checks whether the path of a file matches a path, glob or mapped path of a level, for any values of facts
    /// and other variables. Files with misspelled names of platforms, such as `os/RedHta.yaml`, are reported too.
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
    let Some(first) = checker.data.entries().first().map(|it| it.key_range) else {
        return;
    };
    if checker.is_read() {
        if let Some(platform) = misspelled_platform(&checker.place.levels) {
            checker.report(&UNREAD_DATA, first, platform.message());
        }
        return;
    }
    let config = hiera_config(checker.db, checker.module).and_then(Result::ok);
    let path = &checker.place.path;
    if config.is_some_and(|it| it.reads_only_files() && !it.reads_with_empty_variables(path)) {
        checker.report(
            &UNREAD_DATA,
            first,
            "no level of `hiera.yaml` reads this file",
        );
    }
}

/// A value that a fact never has, and the one that is meant.
struct MisspelledPlatform<'a> {
    variable: &'a str,
    value: &'a str,
    meant: &'static str,
}

impl MisspelledPlatform<'_> {
    fn message(&self) -> String {
        let hint = hint(Some(self.meant));
        let (variable, value) = (self.variable, self.value);
        format!("no node reads this file: `{variable}` is never `{value}`{hint}")
    }
}

/// Returns the misspelled platform that the first level requires, if each level requires one.
fn misspelled_platform(levels: &[LevelFile]) -> Option<MisspelledPlatform<'_>> {
    let in_levels = levels
        .iter()
        .map(|it| it.conditions.iter().find_map(misspelled));
    let found: Option<Vec<_>> = in_levels.collect();
    found?.into_iter().next()
}

fn misspelled(condition: &Condition) -> Option<MisspelledPlatform<'_>> {
    let Condition::Equals(variable, value) = condition else {
        return None;
    };
    let path = variable.trim_start_matches("::");
    let path = path.strip_prefix("facts.").unwrap_or(path);
    let known = library::common_fact_values(path);
    if library::is_platform(value) {
        return None;
    }
    // Names in another case often have links.
    if known.iter().any(|it| it.eq_ignore_ascii_case(value)) {
        return None;
    }
    let meant = similar(value, known.iter().copied())?;
    Some(MisspelledPlatform {
        variable,
        value,
        meant,
    })
}

#[cfg(test)]
mod tests {
    use super::UNREAD_DATA;
    use crate::data::tests::messages;

    fn check(path: &str) -> Vec<String> {
        let levels = "//- hiera.yaml\nversion: 5\nhierarchy:\n\
                      - {name: f, path: \"f/%{facts.os.family}.yaml\"}\n\
                      - {name: n, path: \"n/%{facts.os.name}/%{facts.os.release.major}.yaml\"}\n\
                      - {name: a, path: \"%{lookup('x')}/%{facts.os.family}.yaml\"}\n";
        messages(&UNREAD_DATA, &format!("{levels}//- data/{path}\na: 1\n"))
    }

    #[test]
    fn finds_misspelled_platforms() {
        let family = "`a`: no node reads this file: `facts.os.family` is never";
        assert_eq!(
            check("f/RedHta.yaml"),
            [format!("{family} `RedHta`; did you mean `RedHat`?")]
        );
        assert_eq!(check("n/Ubunut/24.04.yaml").len(), 1);
        for path in [
            "f/debian.yaml",
            "f/Debian.yaml",
            "f/Devuan.yaml",
            "f/Haiku.yaml",
            "n/Rocky/9.yaml",
        ] {
            assert_eq!(check(path), [""; 0], "{path}");
        }
    }
}
