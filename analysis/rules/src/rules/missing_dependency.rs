use std::collections::BTreeSet;

use crate::project::ProjectChecker;
use crate::project::dependencies::Dependency;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports modules that `metadata.json` or the `Puppetfile` requires, but that are not installed.
    ///
    /// ## What it does
    ///
    /// Looks up each dependency on the modulepath, and reports those of a file that are missing once, at the
    /// first one. `pupil workspace` lists the directories that are searched.
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

/// The maximum number of modules that a message lists.
const MAX_LISTED: usize = 8;

fn check(checker: &mut ProjectChecker<'_>) {
    if !checker.context.complete {
        return;
    }
    let is_missing = |it: &&Dependency| {
        checker.context.module(&it.module).is_none()
            && !checker.is_suppressed(MISSING_DEPENDENCY.code, it.range)
    };
    let missing: Vec<&Dependency> = checker.dependencies.iter().filter(is_missing).collect();
    if let Some(first) = missing.first() {
        checker.report(&MISSING_DEPENDENCY, first.range, message(&missing));
    }
}

/// Returns the message about missing modules, without repetitions.
fn message(missing: &[&Dependency]) -> String {
    let mut seen = BTreeSet::new();
    let names = missing.iter().map(|it| it.module.as_str());
    let names: Vec<String> = names
        .filter(|it| seen.insert(*it))
        .map(|it| format!("`{it}`"))
        .collect();
    match &names[..] {
        [only] => format!("module {only} is not installed"),
        [first @ .., last] if first.len() < MAX_LISTED => {
            format!("modules {} and {last} are not installed", first.join(", "))
        }
        _ => {
            let listed = names[..MAX_LISTED].join(", ");
            let more = names.len() - MAX_LISTED;
            format!("modules {listed} and {more} more are not installed")
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
    fn reports_all_modules_of_a_file_once() {
        let of = |text: &str| messages(ProjectFile::Puppetfile, text, true);
        let text = "mod 'me/a', '1.0.0'\nmod 'me/b', '1.0.0'\nmod 'me/c', '1.0.0'\n";
        assert_eq!(of(text), ["modules `a`, `b` and `c` are not installed"]);
        let suppressed = text.replace("\nmod 'me/b'", " # pupil: ignore\nmod 'me/b'");
        assert_eq!(of(&suppressed), ["modules `b` and `c` are not installed"]);
        let many = (0..12).map(|it| format!("mod 'me/m{it}', '1.0.0'\n"));
        let found = of(&many.collect::<String>());
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("`m6`, `m7` and 4 more are not installed"));
    }

    #[test]
    fn ignores_modules_if_not_all_are_known() {
        assert_eq!(messages(ProjectFile::Metadata, METADATA, false), [""; 0]);
    }
}
