//! `pupil migrate`: writes `pupil.toml` from the configuration of puppet-lint.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::rules::divided_rule;
use analysis::rules::{self, Group, Rule, puppet_lint_checks};
use syntax::Severity;

use crate::args::MigrateArgs;
use crate::config::puppet_lint::{FAILS_ON_WARNINGS, LintTasks, why_skipped};
use crate::config::{FILE_NAME, Level, Levels, LintOptions, PUPPET_LINT_FILE, rakefile, sync_yml};
use crate::display_path::display_path;
use crate::file_rewrite::write_whole;
use crate::phrases::list;
use crate::read_text::{ReadError, read_text_up_to};
use crate::terminal::{self, Failure};

/// The size limit for each file, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// The settings of puppet-lint in the files of a project.
#[derive(Debug, Default)]
struct Migration {
    options: LintOptions,
    /// The files that have options.
    sources: Vec<&'static str>,
    /// The settings without a counterpart in `pupil.toml`.
    left: Vec<String>,
}

/// Reads the configuration of puppet-lint, and writes or prints `pupil.toml`.
pub(crate) fn run(arguments: &MigrateArgs) -> Result<ExitCode, Failure> {
    let folder = &arguments.folder;
    let path = folder.join(FILE_NAME);
    if !arguments.print && path.exists() {
        let message = format!(
            "`{}` already exists; use --print to see the settings",
            path.display()
        );
        return Err(Failure::Message(message));
    }
    let migration = Migration::read(folder)?;
    if migration.sources.is_empty() {
        let message = format!(
            "no puppet-lint configuration found in `{}`",
            folder.display()
        );
        return Err(Failure::Message(message));
    }
    for left in &migration.left {
        terminal::print_warning(left);
    }
    if let Some(note) = migration.note_about_status() {
        terminal::print_note(&note);
    }
    let text = migration.render();
    if arguments.print {
        let mut out = terminal::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()?;
    } else {
        let written = write_whole(&path, text.as_bytes());
        let path = display_path(&path);
        written.map_err(|it| Failure::Message(format!("cannot write {path}: {it}")))?;
        let sources = migration.listed_sources();
        terminal::print_status(&format!("wrote {path} from {sources}"));
    }
    Ok(ExitCode::SUCCESS)
}

impl Migration {
    fn read(folder: &Path) -> Result<Migration, Failure> {
        let mut migration = Migration::default();
        if let Some(text) = migration.text(folder, PUPPET_LINT_FILE)? {
            text.lines().for_each(|it| migration.options.add(it));
        }
        if let Some(text) = migration.text(folder, rakefile::FILE_NAME)? {
            let found = rakefile::read(&text, &mut migration.options);
            migration.accept(rakefile::FILE_NAME, found);
        }
        if let Some(text) = migration.text(folder, sync_yml::FILE_NAME)? {
            let found = sync_yml::read(&text, &mut migration.options);
            migration.accept(sync_yml::FILE_NAME, found);
        }
        migration.options.add_plugins(folder);
        let options = std::mem::take(&mut migration.options.unknown);
        let options = options
            .iter()
            .map(|it| format!("option `{it}` has no counterpart"));
        migration.left.extend(options);
        let custom = migration.options.custom_checks.iter();
        let custom =
            custom.map(|it| format!("option `{it}` has no counterpart: it loads Ruby code"));
        migration.left.extend(custom);
        let not_needed = migration.options.irrelevant.iter();
        let not_needed = not_needed.map(|it| format!("skipped option `{it}`: {}", why_skipped(it)));
        migration.left.extend(not_needed);
        migration.left.extend(kept_rules(&migration.options));
        migration.left.extend(kept_checks(&migration.options));
        let checks = migration.options.unknown_checks();
        let checks = checks.map(|it| format!("check `{it}` has no counterpart"));
        let checks: Vec<String> = checks.collect();
        migration.left.extend(checks);
        Ok(migration)
    }

    /// Reads a file, if the project has it.
    fn text(&mut self, folder: &Path, name: &'static str) -> Result<Option<String>, Failure> {
        let path: PathBuf = folder.join(name);
        match read_text_up_to(&path, MAX_SIZE) {
            Ok(text) => {
                if name == PUPPET_LINT_FILE {
                    self.sources.push(name);
                }
                Ok(Some(text))
            }
            Err(ReadError::NotFound) => Ok(None),
            Err(problem) => {
                let message = format!("cannot read `{}`: {problem}", path.display());
                Err(Failure::Message(message))
            }
        }
    }

    /// Records the result of a file. A file without settings of puppet-lint does not count as a source.
    fn accept(&mut self, name: &'static str, found: LintTasks) {
        if found.has_settings {
            self.sources.push(name);
        }
        let left = found.left.into_iter().map(|it| format!("{name}: {it}"));
        self.left.extend(left);
    }

    /// Returns a note for projects where puppet-lint does not fail on warnings.
    fn note_about_status(&self) -> Option<&'static str> {
        let fails = self.left.iter().any(|it| it.ends_with(FAILS_ON_WARNINGS));
        (!fails).then_some(
            "`pupil check` exits with 1 if there are warnings, unlike puppet-lint; the level \"info\" reports without failing",
        )
    }

    fn listed_sources(&self) -> String {
        list(self.sources.iter().map(|it| (*it).to_owned()).collect())
    }

    /// Renders the text of `pupil.toml`.
    fn render(&self) -> String {
        let mut text = format!(
            "# Written by `pupil migrate` from {}.\n",
            self.listed_sources()
        );
        text.push_str("\n[rules]\n");
        let levels = self.options.levels();
        let others = |group: &Levels| -> Vec<&'static Rule> {
            let is_other = |it: &&Rule| levels.level(it) != group.level(it);
            rules::all().filter(is_other).collect()
        };
        // With few checks, the group would need a line for each of the others.
        let style = others(&Levels::of_group(Group::Style, Level::Warning));
        let none = others(&Levels::default());
        let is_group = self.options.only.is_none() && style.len() < none.len();
        if is_group {
            text.push_str("style = \"warning\"\n");
        }
        for rule in if is_group { style } else { none } {
            let _ = writeln!(
                text,
                "{} = \"{}\"{}",
                rule.code,
                levels.level(rule).name(),
                names(rule)
            );
        }
        // Checks that are a part of a rule.
        let parts = puppet_lint_checks::all().filter(|it| divided_rule(it).is_some());
        let parts = parts.filter_map(|it| Some((it, levels.of_check(it)?)));
        for (check, level) in parts {
            let _ = writeln!(text, "{check} = \"{}\"", level.name());
        }
        if !self.options.ignored_paths.is_empty() {
            text.push_str("\n[style]\nexclude = [\n");
            for pattern in &self.options.ignored_paths {
                let _ = writeln!(text, "  {},", toml_string(pattern));
            }
            text.push_str("]\n");
        }
        text
    }
}

/// Returns notes about the checks that are off although Pupil reports what they find as errors of the code.
fn kept_rules(options: &LintOptions) -> Vec<String> {
    let rules = options.disabled.iter().filter_map(|check| {
        let stays = |it: &&Rule| it.group == Group::Correctness && it.severity == Severity::Error;
        let rule = rules::rule(check).filter(stays)?;
        Some((check, rule.code))
    });
    rules
        .map(|(check, code)| {
            format!("check `{check}` stays on as `{code}`: Puppet rejects such code")
        })
        .collect()
}

/// Returns notes about the checks that are off although other checks of their rules are on.
fn kept_checks(options: &LintOptions) -> Vec<String> {
    let levels = options.levels();
    let is_kept = |it: &&Rule| levels.level(it) != Level::Off && !it.is_divided();
    let rules = rules::all().filter(is_kept);
    let checks = rules.flat_map(|rule| rule.puppet_lint.iter().map(move |it| (rule, *it)));
    let kept =
        checks.filter(|it| it.0.group != Group::Correctness && options.disabled.contains(it.1));
    let is_selected = |it: &str| options.only.as_ref().is_some_and(|only| only.contains(it));
    let note = |(rule, check): (&Rule, &str)| match is_selected(check) {
        true => {
            format!("check `{check}` is turned off, but also among the checks to run; it stays on")
        }
        false => format!("check `{check}` stays on as part of `{}`", rule.code),
    };
    kept.map(note).collect()
}

/// Returns a comment with the checks that a rule replaces.
fn names(rule: &Rule) -> String {
    match rule.puppet_lint {
        [] => String::new(),
        checks => format!(" # {}", checks.join(", ")),
    }
}

/// Returns a TOML string with this value.
fn toml_string(value: &str) -> String {
    match value.contains(['\'', '\n', '\r']) {
        false => format!("'{value}'"),
        // TOML's basic strings have the escapes of JSON.
        true => serde_json::Value::from(value).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(files: &[(&str, &str)], expected: &Expect) {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let migration = Migration::read(folder.path()).expect("the files are readable");
        let text = migration.render();
        // The list of rules that differ from their group grows with the rules.
        let kept = ["style", "star_comments", "140chars", "arrow_alignment"];
        let is_kept =
            |it: &&str| !it.contains(" = \"") || kept.iter().any(|kept| it.contains(kept));
        let text: Vec<&str> = text.lines().filter(is_kept).collect();
        expected.assert_eq(&format!(
            "{}\n--\n{}\n",
            text.join("\n"),
            migration.left.join("\n")
        ));
        let mut notes = Vec::new();
        let path = folder.path().join(FILE_NAME);
        let config = crate::config::Config::parse(&path, &migration.render(), &mut notes);
        assert!(notes.is_empty(), "{notes:?}");
        for rule in rules::all() {
            let wanted = migration.options.levels().level(rule);
            assert_eq!(config.rules.level(rule), wanted, "{}", rule.code);
        }
    }

    #[test]
    fn migrates_options() {
        check(
            &[(
                ".puppet-lint.rc",
                "--no-star_comments-check\n--140chars-check\n--relative\n--no-own-check\n--only-here-check\n--what\n\
                 --ignore-paths=vendor/**/*.pp\n",
            )],
            &expect![[r##"
                # Written by `pupil migrate` from .puppet-lint.rc.

                [rules]
                arrow-alignment = "warning" # arrow_alignment
                long-line = "warning" # 140chars

                [style]
                exclude = [
                  'vendor/**/*.pp',
                ]
                --
                option `--what` has no counterpart
                skipped option `--relative`: it has no effect in Pupil
                check `own` has no counterpart
                check `only-here` has no counterpart
            "##]],
        );
    }

    #[test]
    fn migrates_a_rakefile_and_sync_yml() {
        check(
            &[
                (
                    "Rakefile",
                    "PuppetLint.configuration.send('enable_140chars')\n\
                     PuppetLint.configuration.send('disable_relative')\n\
                     PuppetLint.configuration.ignore_paths = ['spec/**/*.pp', \"it's.pp\"]\n",
                ),
                (
                    ".sync.yml",
                    "Rakefile:\n  extra_disabled_lint_checks:\n    - star_comments\n",
                ),
            ],
            &expect![[r##"
                # Written by `pupil migrate` from Rakefile and .sync.yml.

                [rules]
                arrow-alignment = "warning" # arrow_alignment

                [style]
                exclude = [
                  'spec/**/*.pp',
                  "it's.pp",
                ]
                --
                Rakefile: skipped `disable_relative`: it has no effect in Pupil
            "##]],
        );
    }

    #[test]
    fn names_the_only_checks_alone() {
        check(
            &[(
                ".puppet-lint.rc",
                "--only-checks arrow_alignment\n--error-level=error\n--top-scope-variables=a,b\n",
            )],
            &expect![[r##"
                # Written by `pupil migrate` from .puppet-lint.rc.

                [rules]
                arrow-alignment = "warning" # arrow_alignment
                --
                skipped option `--error-level=error`: it has no effect in Pupil
                skipped option `--top-scope-variables=a,b`: `top-scope-fact` only reports variables that are known facts, and does not exempt any
            "##]],
        );
    }

    #[test]
    fn names_the_rules_that_are_on_if_they_are_few() {
        let checks = puppet_lint_checks::CORE_CHECKS.iter();
        let off = checks.filter(|it| !matches!(**it, "star_comments" | "arrow_alignment"));
        let options = off.map(|it| format!("--no-{it}-check\n"));
        let options: String = options.collect();
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(".puppet-lint.rc"), options).expect("a file");
        let migration = Migration::read(folder.path()).expect("the file is readable");
        let text = migration.render();
        let on: Vec<&str> = text
            .lines()
            .filter(|it| it.contains("\"warning\""))
            .collect();
        assert_eq!(
            on,
            [
                "arrow-alignment = \"warning\" # arrow_alignment",
                "block-comment = \"warning\" # star_comments",
                "unclosed-suppression = \"warning\"",
            ]
        );
    }

    #[test]
    fn says_that_warnings_fail() {
        let mut migration = Migration::default();
        assert!(migration.note_about_status().is_some());
        let skipped = format!("skipped option `--fail-on-warnings`: {FAILS_ON_WARNINGS}");
        migration.left.push(skipped);
        assert_eq!(migration.note_about_status(), None);
    }

    #[test]
    fn checks_of_divided_rules_are_off_by_themselves() {
        let mut options = LintOptions {
            plugins: ["manifest_whitespace".to_owned()].into(),
            ..LintOptions::default()
        };
        options.disable("star_comments");
        options.disable("manifest_whitespace_two_empty_lines");
        assert_eq!(kept_checks(&options), [""; 0]);
        options.disable("manifest_whitespace_newline_beginning_of_file");
        assert_eq!(kept_checks(&options), [""; 0]);
    }
}
