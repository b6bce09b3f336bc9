use crate::project::ProjectChecker;
use crate::rule::{Check, Rule, declare_rule};
use syntax::Severity;
use types::values::Version;

declare_rule! {
    /// Reports modules that are installed in a version that `metadata.json` or the `Puppetfile` does not allow.
    ///
    /// ## What it does
    ///
    /// Compares the version of each installed module with the required version or version range.
    ///
    /// ## Why it matters
    ///
    /// The code may use features that the installed version does not have. Diagnostics that depend on
    /// the definitions of such a module are only hints.
    ///
    /// ## Example
    ///
    /// ```metadata.json wrong
    /// {
    ///   "name": "me-mine", "version": "1.0.0", "author": "me", "license": "MIT", "source": "",
    ///   "dependencies": [
    ///     { "name": "puppetlabs-stdlib", "version_requirement": ">= 9.0.0 < 10.0.0" } # <-
    ///   ]
    /// }
    /// ```
    ///
    /// ```Puppetfile wrong
    /// mod 'puppetlabs/stdlib', '9.4.0' # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```metadata.json right
    /// {
    ///   "name": "me-mine", "version": "1.0.0", "author": "me", "license": "MIT", "source": "",
    ///   "dependencies": [
    ///     { "name": "puppetlabs-stdlib", "version_requirement": ">= 4.13.0 < 9.0.0" }
    ///   ]
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modules in a `Puppetfile` without a version, with a branch, or with `:latest`.
    /// * Modules that are installed for the whole machine: the severity is a hint.
    ///
    /// ## Fix
    ///
    /// No fix is available: install a version that is allowed, or change the requirement if the code works with
    /// the installed version.
    ///
    /// ## Suppression
    ///
    /// In a `Puppetfile`, add `# pupil: ignore[unmet-dependency]` at the end of the line, or on a
    /// line of its own above it; JSON has no comments. To turn the rule off for a project, add this
    /// to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unmet-dependency = "off"
    /// ```
    pub(crate) static UNMET_DEPENDENCY = {
        code: "unmet-dependency",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

fn check(checker: &mut ProjectChecker<'_>) {
    for dependency in checker.dependencies {
        let (Some(module), Some(required)) = (
            checker.context.module(&dependency.module),
            &dependency.required,
        ) else {
            continue;
        };
        let is_namesake = match (&module.author, &dependency.author) {
            (Some(installed), Some(required)) => !installed.eq_ignore_ascii_case(required),
            _ => false,
        };
        let Some(installed) = module.version.as_deref().filter(|_| !is_namesake) else {
            continue;
        };
        if Version::parse(installed).is_some_and(|it| !required.accepts(&it)) {
            let message = format!(
                "module `{}` {installed} is installed, but `{}` is required",
                module.name, required.text
            );
            // The project will get another one, wherever it is installed.
            let severity = match module.is_of_machine {
                true => Severity::Hint,
                false => UNMET_DEPENDENCY.severity,
            };
            checker.report_as(&UNMET_DEPENDENCY, severity, required.range, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;
    use crate::testing::messages_with_stdlib;

    fn messages(file: ProjectFile, text: &str, complete: bool) -> Vec<String> {
        messages_with_stdlib(&super::UNMET_DEPENDENCY, file, text, complete)
    }

    fn metadata(requirement: &str) -> String {
        format!(
            r#"{{ "dependencies": [
            {{ "name": "puppetlabs/stdlib", "version_requirement": "{requirement}" }}] }}"#
        )
    }

    #[test]
    fn reports_installed_versions_that_are_not_accepted() {
        assert_eq!(
            messages(ProjectFile::Metadata, &metadata(">= 9.0.0"), true),
            ["module `stdlib` 8.5.0 is installed, but `>= 9.0.0` is required"]
        );
        let text = "mod 'puppetlabs/stdlib', '8.4.0'\n";
        assert_eq!(
            messages(ProjectFile::Puppetfile, text, true),
            ["module `stdlib` 8.5.0 is installed, but `8.4.0` is required"]
        );
    }

    #[test]
    fn ignores_accepted_and_invalid_versions() {
        for requirement in [">= 8.0.0 < 9.0.0", "any"] {
            let text = metadata(requirement);
            assert_eq!(
                messages(ProjectFile::Metadata, &text, true),
                [""; 0],
                "{text}"
            );
        }
        let text = "mod 'another/stdlib', '8.4.0'\n";
        assert_eq!(messages(ProjectFile::Puppetfile, text, true), [""; 0]);
        let text = "mod 'puppetlabs/stdlib', :latest\n";
        assert_eq!(messages(ProjectFile::Puppetfile, text, true), [""; 0]);
    }
}
