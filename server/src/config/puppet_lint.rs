//! The configuration of puppet-lint, which is used in projects without `pupil.toml`.

use std::collections::BTreeSet;
use std::path::Path;

use analysis::rules::puppet_lint_checks::{self, CORE_CHECKS, PLUGINS};
use analysis::rules::{self, Group, Rule};
use syntax::Severity;

use super::levels::{Level, Levels};
use crate::read_text::{ReadError, read_text_up_to};

/// The name of the file with options of puppet-lint.
pub(crate) const FILE_NAME: &str = ".puppet-lint.rc";

/// The size limit for the files, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// The checks that puppet-lint itself has, but does not run by default.
const OFF_BY_DEFAULT: &[&str] = &[
    "80chars",
    "class_inherits_from_params_class",
    "code_on_top_scope",
    "quoted_booleans",
];

/// Gems that depend on all plugins above.
const COLLECTIONS: [&str; 2] = ["voxpupuli-test", "voxpupuli-puppet-lint-plugins"];

/// The options of puppet-lint for a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LintOptions {
    /// The checks that are turned off.
    pub(crate) disabled: BTreeSet<String>,
    /// The checks that are turned on.
    pub(crate) enabled: BTreeSet<String>,
    /// The only checks to run, if the options name any.
    pub(crate) only: Option<BTreeSet<String>>,
    /// Patterns of files that are not checked.
    pub(crate) ignored_paths: Vec<String>,
    /// The plugins whose checks run.
    pub(crate) plugins: BTreeSet<String>,
    /// Options that load custom checks, which are Ruby code.
    pub(crate) custom_checks: Vec<String>,
    /// Options without an effect on Pupil.
    pub(crate) irrelevant: Vec<String>,
    /// Options that Pupil does not know.
    pub(crate) unknown: Vec<String>,
}

/// The puppet-lint settings of a Rakefile.
#[derive(Debug, Default)]
pub(crate) struct LintTasks {
    pub(crate) has_settings: bool,
    /// Settings that cannot be read or expressed.
    pub(crate) left: Vec<String>,
}

/// The rule about comments that turn checks off. Puppet-lint reports unclosed ones without a check of its own.
const UNCLOSED_SUPPRESSION: &str = "unclosed-suppression";

/// Options without an effect on Pupil: it decides about output and exit status itself, and knows which
/// variables at top scope are facts.
const IRRELEVANT: &[&str] = &[
    "codeclimate-report-file",
    "error-level",
    "fail-on-warnings",
    "fix",
    "json",
    "list-checks",
    "log-format",
    "no-config",
    "relative",
    "sarif",
    "show-ignored",
    "top-scope-variables",
    "version",
    "with-context",
    "with-filename",
];

/// Why the option to fail on warnings has no effect.
pub(crate) const FAILS_ON_WARNINGS: &str = "`pupil check` always fails on warnings";

/// Says why an option without an effect on Pupil is skipped.
pub(crate) fn why_skipped(option: &str) -> &'static str {
    let option = option.trim_start_matches('-').replace('_', "-");
    if option.starts_with("fail") {
        return FAILS_ON_WARNINGS;
    }
    if option.starts_with("top-scope-variables") {
        return "`top-scope-fact` only reports variables that are known facts, and does not exempt any";
    }
    "it has no effect in Pupil"
}

impl LintOptions {
    /// Reads `.puppet-lint.rc` in a directory, and the plugins in its `Gemfile`.
    pub(crate) fn in_folder(folder: &Path) -> Result<LintOptions, ReadError> {
        let text = read_text_up_to(&folder.join(FILE_NAME), MAX_SIZE)?;
        let mut options = LintOptions::default();
        text.lines().for_each(|it| options.add(it));
        options.add_plugins(folder);
        Ok(options)
    }

    /// Adds the plugins that the `Gemfile` of a directory names.
    pub(crate) fn add_plugins(&mut self, folder: &Path) {
        if let Ok(text) = read_text_up_to(&folder.join("Gemfile"), MAX_SIZE) {
            self.plugins.extend(plugins_in(&text));
        }
    }

    /// Adds the plugins that `voxpupuli-test` depends on.
    pub(crate) fn add_all_plugins(&mut self) {
        self.plugins
            .extend(PLUGINS.iter().map(|it| it.0.to_owned()));
    }

    /// Adds the plugin whose tasks a `require` of Ruby loads, as in `puppet-lint-param-docs/tasks`. Returns whether there
    /// is one.
    pub(crate) fn add_plugin_of(&mut self, required: &str) -> bool {
        let gem = required.split('/').next().unwrap_or_default();
        let name = gem.strip_prefix("puppet-lint-");
        let name = name.map(|it| it.strip_suffix("-check").unwrap_or(it));
        let plugin = PLUGINS.iter().find(|it| Some(it.0) == name);
        self.plugins.extend(plugin.map(|it| it.0.to_owned()));
        plugin.is_some()
    }

    /// Adds the command-line options of a line of `.puppet-lint.rc`, which has one in general.
    pub(crate) fn add(&mut self, line: &str) {
        let line = line.trim();
        match line.find(" --") {
            _ if line.starts_with('#') => {}
            Some(next) => {
                self.add_option(&line[..next]);
                self.add(&line[next..]);
            }
            None => self.add_option(line),
        }
    }

    fn add_option(&mut self, line: &str) {
        let Some(option) = line.trim().strip_prefix("--") else {
            let is_short = line.starts_with('-');
            self.unknown
                .extend(is_short.then(|| line.trim().to_owned()));
            return;
        };
        let (name, value) = match option.split_once(['=', ' ']) {
            Some((name, value)) => (name, value.trim()),
            None => (option, ""),
        };
        let list = || value.split(',').map(str::trim).filter(|it| !it.is_empty());
        let name = full_name(name).unwrap_or_else(|| name.to_owned());
        match name.as_str() {
            "only-checks" => self.only = Some(list().map(str::to_owned).collect()),
            "ignore-paths" => self.ignored_paths = list().map(str::to_owned).collect(),
            "load" | "load-from-puppet" => self.custom_checks.push(line.trim().to_owned()),
            name if IRRELEVANT.contains(&name) => self.irrelevant.push(line.trim().to_owned()),
            name => match name.strip_suffix("-check") {
                Some(check) => self.add_check(check),
                None => self.unknown.push(line.trim().to_owned()),
            },
        }
    }

    fn add_check(&mut self, check: &str) {
        match check.strip_prefix("no-") {
            Some(check) => self.disable(check),
            None => self.enable(check),
        }
    }

    /// Turns a check off.
    pub(crate) fn disable(&mut self, check: &str) {
        self.enabled.remove(check);
        self.disabled.insert(check.to_owned());
    }

    /// Turns a check on.
    pub(crate) fn enable(&mut self, check: &str) {
        self.disabled.remove(check);
        self.enabled.insert(check.to_owned());
    }

    /// Returns the checks that neither Pupil nor puppet-lint and the known plugins have.
    pub(crate) fn unknown_checks(&self) -> impl Iterator<Item = &str> {
        let only = self.only.iter().flatten();
        let named = self.disabled.iter().chain(&self.enabled).chain(only);
        let is_known = |it: &str| {
            rules::rule(it).is_some() || puppet_lint_checks::all().any(|known| known == it)
        };
        named.map(String::as_str).filter(move |it| !is_known(it))
    }

    /// Returns the levels of the rules that replace the checks.
    pub(crate) fn levels(&self) -> Levels {
        let mut levels = Levels::default();
        for rule in rules::all() {
            if let Some(level) = self.level(rule) {
                levels.set_default(rule.code, level);
            }
            // The checks that do not run, but belong to a rule that is on because of others.
            if rule.is_divided() && levels.level(rule) != Level::Off {
                for check in rule.puppet_lint_checks().filter(|it| !self.has(it)) {
                    levels.set_check(check, Level::Off);
                }
            }
        }
        levels
    }

    /// Checks whether a check is one of those to run.
    fn has(&self, check: &str) -> bool {
        match &self.only {
            Some(only) => only.contains(check),
            None => self.runs(check),
        }
    }

    /// Returns the level of a rule; `None` if no option concerns it.
    fn level(&self, rule: &Rule) -> Option<Level> {
        let is_correctness = rule.group == Group::Correctness;
        let has =
            |checks: &BTreeSet<String>| rule.puppet_lint_checks().any(|it| checks.contains(it));
        if is_correctness {
            // Puppet refuses such code, whether puppet-lint checks it or not.
            let is_off = has(&self.disabled) && rule.severity != Severity::Error;
            return is_off.then_some(Level::Off);
        }
        if let Some(only) = &self.only {
            return Some(if has(only) {
                Level::Warning
            } else {
                Level::Off
            });
        }
        let is_on =
            rule.code == UNCLOSED_SUPPRESSION || rule.puppet_lint_checks().any(|it| self.runs(it));
        // Off by name: a group that the command line selects does not turn the rule on.
        let off = has(&self.disabled).then_some(Level::Off);
        is_on.then_some(Level::Warning).or(off)
    }

    /// Checks whether puppet-lint would run a check.
    fn runs(&self, check: &str) -> bool {
        if self.disabled.contains(check) {
            return false;
        }
        let is_on = match check {
            // The rule for the plugin finds the same and more.
            "2sp_soft_tabs" => !self.is_plugin_check("strict_indent"),
            _ => !OFF_BY_DEFAULT.contains(&check),
        };
        let is_installed = CORE_CHECKS.contains(&check) || self.is_plugin_check(check);
        self.enabled.contains(check) || is_installed && is_on
    }

    fn is_plugin_check(&self, check: &str) -> bool {
        let mut plugins = PLUGINS.iter().filter(|it| self.plugins.contains(it.0));
        plugins.any(|it| it.1.contains(&check))
    }
}

/// Completes an abbreviated option as Ruby's `OptionParser` does: each of its words may be cut off at the end,
/// and so may words after them. `_` counts as `-`. `None` if no option or several match.
fn full_name(abbreviation: &str) -> Option<String> {
    let with_values = ["only-checks", "ignore-paths", "load", "load-from-puppet"];
    let of_checks =
        puppet_lint_checks::all().flat_map(|it| [format!("{it}-check"), format!("no-{it}-check")]);
    let options = with_values.iter().chain(IRRELEVANT);
    let mut candidates: Vec<String> = options.map(|it| (*it).to_owned()).collect();
    candidates.extend(of_checks);
    candidates.retain(|it| abbreviates(abbreviation, it));
    let shortest = candidates.iter().min_by_key(|it| it.len())?;
    let is_certain = candidates
        .iter()
        .all(|it| it.starts_with(shortest.as_str()));
    is_certain.then(|| shortest.clone())
}

fn abbreviates(abbreviation: &str, option: &str) -> bool {
    const SEPARATORS: [char; 2] = ['-', '_'];
    let mut words = option.split(SEPARATORS);
    abbreviation.split(SEPARATORS).all(|part| {
        words
            .next()
            .is_some_and(|word| starts_with_ignoring_case(word, part))
    })
}

fn starts_with_ignoring_case(word: &str, start: &str) -> bool {
    word.get(..start.len())
        .is_some_and(|it| it.eq_ignore_ascii_case(start))
}

/// Returns the plugins that a `Gemfile` names.
fn plugins_in(gemfile: &str) -> BTreeSet<String> {
    let lines = gemfile.lines().map(str::trim_start);
    let lines: Vec<&str> = lines.filter(|it| it.starts_with("gem")).collect();
    let names = |gem: &str| {
        let quoted = [format!("'{gem}'"), format!("\"{gem}\"")];
        lines
            .iter()
            .any(|it| quoted.iter().any(|gem| it.contains(gem)))
    };
    let all = COLLECTIONS.into_iter().any(&names);
    let named = PLUGINS.iter().map(|it| it.0).filter(|it| {
        all || names(&format!("puppet-lint-{it}-check")) || names(&format!("puppet-lint-{it}"))
    });
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(lines: &[&str]) -> LintOptions {
        let mut options = LintOptions::default();
        lines.iter().for_each(|it| options.add(it));
        options
    }

    fn level(options: &LintOptions, code: &str) -> Level {
        let rule = rules::rule(code).expect("it is a rule");
        options.levels().level(rule)
    }

    #[test]
    fn core_checks_are_on() {
        let found = options(&["--relative", "--fail-on-warnings", ""]);
        assert_eq!(level(&found, "block-comment"), Level::Warning);
        assert_eq!(level(&found, "anchor-resource"), Level::Off);
        assert_eq!(found.unknown, [""; 0]);
    }

    #[test]
    fn checks_run_that_puppet_lint_runs_by_default() {
        let core = options(&[]);
        for code in [
            "literal-interpolation",
            "long-line",
            "undocumented-definition",
        ] {
            assert_eq!(level(&core, code), Level::Warning, "{code}");
        }
        for code in [
            "line-over-80",
            "params-inheritance",
            "quoted-boolean",
            "symbolic-file-mode",
            "top-level-code",
        ] {
            assert_eq!(level(&core, code), Level::Off, "{code}");
        }
        let without = options(&["--no-140chars-check"]);
        assert_eq!(level(&without, "long-line"), Level::Off);
    }

    #[test]
    fn a_rule_does_not_report_more_than_its_check() {
        let core = options(&[]);
        assert_eq!(level(&core, "odd-indentation"), Level::Warning);
        assert_eq!(level(&core, "indentation"), Level::Off);
        assert_eq!(level(&core, "hash-alignment"), Level::Off);
        let with_plugin = LintOptions {
            plugins: BTreeSet::from(["strict_indent".to_owned()]),
            ..LintOptions::default()
        };
        assert_eq!(level(&with_plugin, "odd-indentation"), Level::Off);
        assert_eq!(level(&with_plugin, "indentation"), Level::Warning);
    }

    #[test]
    fn checks_of_a_rule_are_told_apart() {
        let mut found = options(&["--no-manifest_whitespace_two_empty_lines-check"]);
        found.plugins = BTreeSet::from(["manifest_whitespace".to_owned()]);
        assert_eq!(level(&found, "empty-lines"), Level::Warning);
        let of_check = |it: &str| found.levels().of_check(it);
        assert_eq!(
            of_check("manifest_whitespace_two_empty_lines"),
            Some(Level::Off)
        );
        let other = "manifest_whitespace_newline_beginning_of_file";
        assert_eq!(of_check(other), None);
        let found = options(&["--only-checks=variable_scope"]);
        assert_eq!(level(&found, "top-scope-fact"), Level::Warning);
        let levels = found.levels();
        assert_eq!(levels.of_check("top_scope_facts"), Some(Level::Off));
        assert_eq!(levels.of_check("variable_scope"), None);
    }

    #[test]
    fn options_turn_checks_on_and_off() {
        let found = options(&["--no-star_comments-check", "--140chars-check", "--zzz"]);
        assert_eq!(level(&found, "block-comment"), Level::Off);
        assert_eq!(level(&found, "long-line"), Level::Warning);
        assert_eq!(found.unknown, ["--zzz"]);
        let found = options(&["--only-checks=140chars,nope"]);
        assert_eq!(level(&found, "block-comment"), Level::Off);
        assert_eq!(level(&found, "long-line"), Level::Warning);
        assert_eq!(found.unknown_checks().collect::<Vec<_>>(), ["nope"]);
    }

    #[test]
    fn options_may_be_abbreviated() {
        let found = options(&[
            "--no-star-comm",
            "--140",
            "--no-2SP_soft",
            "--fail",
            "--rel",
        ]);
        assert_eq!(level(&found, "block-comment"), Level::Off);
        assert_eq!(level(&found, "long-line"), Level::Warning);
        assert_eq!(level(&found, "odd-indentation"), Level::Off);
        assert_eq!(found.unknown, [""; 0]);
        // Several checks begin like this.
        let found = options(&["--no-arrow", "--no-top_scope_facts-checks"]);
        assert_eq!(found.unknown, ["--no-arrow", "--no-top_scope_facts-checks"]);
    }

    #[test]
    fn lines_may_have_several_options() {
        let found = options(&[
            "--no-hard_tabs-check --no-star_comments-check",
            "-c other.rc",
            "# --no-a",
        ]);
        assert_eq!(level(&found, "tab"), Level::Off);
        assert_eq!(level(&found, "block-comment"), Level::Off);
        assert_eq!(found.unknown, ["-c other.rc"]);
        let found = options(&["--config=other.rc", "--only-checks hard_tabs"]);
        assert_eq!(level(&found, "tab"), Level::Warning);
        assert_eq!(found.unknown, ["--config=other.rc"]);
    }

    #[test]
    fn custom_checks_are_not_run() {
        let found = options(&["--load=./rakelib/own_check.rb"]);
        assert_eq!(found.custom_checks, ["--load=./rakelib/own_check.rb"]);
        assert_eq!(found.unknown, [""; 0]);
    }

    #[test]
    fn errors_of_puppet_stay() {
        let found = options(&["--no-duplicate_params-check"]);
        assert_eq!(level(&found, "duplicate-attribute"), Level::Error);
    }

    #[test]
    fn gemfiles_name_plugins() {
        let all = plugins_in("gem 'voxpupuli-test', '~> 9.0'\n");
        assert_eq!(all.len(), PLUGINS.len());
        let some = plugins_in("# gem 'voxpupuli-test'\n  gem \"puppet-lint-anchor-check\"\n");
        assert_eq!(some, BTreeSet::from(["anchor".to_owned()]));
        let found = LintOptions {
            plugins: some,
            ..LintOptions::default()
        };
        assert_eq!(level(&found, "anchor-resource"), Level::Warning);
    }

    #[test]
    fn reads_lists() {
        let found = options(&["--ignore-paths=vendor/**/*.pp, spec/**"]);
        assert_eq!(found.ignored_paths, ["vendor/**/*.pp", "spec/**"]);
    }
}
