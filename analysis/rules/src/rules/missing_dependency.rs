use crate::project::ProjectChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports modules that `metadata.json` or the `Puppetfile` requires, but that are not installed.
    ///
    /// ## What it does
    ///
    /// Looks up each dependency on the modulepath. `pupil workspace` lists the directories that are
    /// searched.
    ///
    /// ## Why it matters
    ///
    /// Code that uses the module cannot be checked or completed. If the module is also missing
    /// where Puppet runs, compilation fails at the first use.
    ///
    /// ## Example
    ///
    /// ```metadata.json wrong
    /// {
    ///   "name": "me-mine", "version": "1.0.0", "author": "me", "license": "MIT", "source": "",
    ///   "dependencies": [
    ///     { "name": "me-absent" } # <-
    ///   ]
    /// }
    /// ```
    ///
    /// ```Puppetfile wrong
    /// mod 'me/absent', '1.0.0' # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```Puppetfile right
    /// mod 'puppetlabs/stdlib', '8.5.0'
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the module must be installed.
    ///
    /// ## Suppression
    ///
    /// In a `Puppetfile`, add `# pupil: ignore[missing-dependency]` at the end of the line, or on a
    /// line of its own above it; JSON has no comments. To turn the rule off for a project, add this
    /// to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-dependency = "off"
    /// ```
    pub(crate) static MISSING_DEPENDENCY = {
        code: "missing-dependency",
        severity: Info,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

fn check(checker: &mut ProjectChecker<'_>) {
    if !checker.surroundings.complete {
        return;
    }
    for dependency in checker.dependencies {
        if checker.surroundings.module(&dependency.module).is_none() {
            let message = format!("module `{}` is not installed", dependency.module);
            checker.report(&MISSING_DEPENDENCY, dependency.range, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;
    use crate::testing::messages_with_stdlib;

    fn messages(file: ProjectFile, text: &str, complete: bool) -> Vec<String> {
        messages_with_stdlib(&super::MISSING_DEPENDENCY, file, text, complete)
    }

    const METADATA: &str = r#"{ "dependencies": [
        { "name": "puppetlabs/stdlib" }, { "name": "puppetlabs-apt" }] }"#;
    const PUPPETFILE: &str = "mod 'puppetlabs/stdlib'\nmod 'puppetlabs/apt', '1.0.0'\n";

    #[test]
    fn reports_modules_that_are_not_installed() {
        for (file, text) in [
            (ProjectFile::Metadata, METADATA),
            (ProjectFile::Puppetfile, PUPPETFILE),
        ] {
            let expected = ["module `apt` is not installed"];
            assert_eq!(messages(file, text, true), expected, "{text}");
        }
    }

    #[test]
    fn ignores_modules_if_not_all_are_known() {
        assert_eq!(messages(ProjectFile::Metadata, METADATA, false), [""; 0]);
    }
}
