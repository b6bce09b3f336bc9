//! `pupil.toml`, the settings of a project.
//!
//! The types below define the format: the JSON Schema and with it the set of known keys are derived
//! from them, by a test. This module only reads the settings; their users apply them. `CONFIGURATION.md` documents
//! the file.

mod levels;
mod missing_paths;
pub(crate) mod puppet_lint;
pub(crate) mod rakefile;
#[cfg(test)]
mod schema;
pub(crate) mod sync_yml;
mod validation;

use std::ops::Range;
use std::path::{Path, PathBuf};

use analysis::ide::{FormatOptions, HintOptions};
use analysis::rules;
use serde::Deserialize;
use serde_json::Value;
use syntax::TextSize;
use syntax::validation::PuppetVersion;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::read_text::{ReadError, read_text_up_to};
use crate::source::{LineBreaks, PositionEncoding, Source};
use crate::workspace::Note;
pub(crate) use levels::{Level, Levels};
pub(crate) use puppet_lint::{FILE_NAME as PUPPET_LINT_FILE, LintOptions};
use validation::Mistake;

/// The name of the file.
pub(crate) const FILE_NAME: &str = "pupil.toml";

/// The JSON Schema of the file. A test derives it from the types below.
pub(crate) const SCHEMA: &str = include_str!("../pupil.schema.json");

/// The size limit for the file, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Settings of a project. Paths are relative to the directory of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(title = "pupil.toml", deny_unknown_fields)
)]
#[serde(default)]
pub(crate) struct Config {
    /// The target version of Puppet.
    pub(crate) puppet: PuppetConfig,
    /// Module search paths and excluded files.
    pub(crate) workspace: WorkspaceConfig,
    /// The level of each rule by its code, or of all rules of a group by the name of the group.
    #[cfg_attr(test, schemars(schema_with = "schema::rules"))]
    pub(crate) rules: Levels,
    /// Settings of the rules about style, documentation and security.
    pub(crate) style: StyleConfig,
    /// Settings of `pupil check`.
    pub(crate) check: CheckConfig,
    /// The layout of formatted files.
    pub(crate) format: FormatConfig,
    /// Inlay hints in editors.
    pub(crate) hints: HintConfig,
    /// The directory of the file.
    #[serde(skip)]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) folder: PathBuf,
}

/// The target version of Puppet.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub(crate) struct PuppetConfig {
    /// The version of Puppet or OpenVox to check against: 7 or 8. Defaults to 8.
    pub(crate) version: Option<Version>,
}

/// A supported release of Puppet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "VersionText")]
pub(crate) enum Version {
    /// Puppet 7.
    Seven,
    /// Puppet 8 and OpenVox 8.
    Eight,
}

/// A version as written in the file.
#[derive(Deserialize)]
#[serde(untagged)]
enum VersionText {
    Integer(i64),
    Float(f64),
    Text(String),
}

impl TryFrom<VersionText> for Version {
    type Error = String;

    fn try_from(text: VersionText) -> Result<Version, String> {
        let text = match text {
            VersionText::Integer(it) => it.to_string(),
            VersionText::Float(it) => it.to_string(),
            VersionText::Text(it) => it,
        };
        match text.split('.').next() {
            Some("7") => Ok(Version::Seven),
            Some("8") => Ok(Version::Eight),
            _ => Err(format!("unknown Puppet version `{text}`: expected 7 or 8")),
        }
    }
}

impl From<Version> for PuppetVersion {
    fn from(version: Version) -> Self {
        match version {
            Version::Seven => PuppetVersion::V7,
            Version::Eight => PuppetVersion::V8,
        }
    }
}

/// Module search paths and excluded files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub(crate) struct WorkspaceConfig {
    /// Additional module directories.
    pub(crate) modulepath: Vec<PathBuf>,
    /// The directories of `$basemodulepath`. Defaults to those of an installed Puppet.
    pub(crate) basemodulepath: Option<Vec<PathBuf>>,
    /// Files and directories that are not checked, as `.gitignore` patterns.
    pub(crate) exclude: Vec<String>,
    /// Files and directories with fact sets. Defaults to the directory `facts`.
    pub(crate) facts: Option<Vec<PathBuf>>,
}

/// Settings of the rules about style, documentation and security.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub(crate) struct StyleConfig {
    /// Files and directories that these rules do not check, as `.gitignore` patterns.
    pub(crate) exclude: Vec<String>,
}

/// Settings of `pupil check`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub(crate) struct CheckConfig {
    /// A baseline file: known diagnostics, which are not reported.
    pub(crate) baseline: Option<PathBuf>,
}

/// The layout of formatted files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct FormatConfig {
    /// Add missing commas after the last elements of lists on several lines. Defaults to `true`.
    pub(crate) trailing_commas: Option<bool>,
    /// Break lines that are wider than this number of columns. By default, no line is too wide.
    pub(crate) line_width: Option<u32>,
    /// Indent lines that continue an expression by one level. Defaults to `false`.
    pub(crate) indent_continuations: Option<bool>,
}

impl FormatConfig {
    /// Returns the effective options, with defaults for settings that are not given.
    pub(crate) fn options(self) -> FormatOptions {
        let defaults = FormatOptions::default();
        let line_width = self.line_width.and_then(|it| usize::try_from(it).ok());
        FormatOptions {
            trailing_commas: self.trailing_commas.unwrap_or(defaults.trailing_commas),
            line_width: line_width.or(defaults.line_width),
            indent_continuations: self
                .indent_continuations
                .unwrap_or(defaults.indent_continuations),
            ..defaults
        }
    }
}

/// Inlay hints in editors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct HintConfig {
    /// Show the types of assigned variables.
    pub(crate) types: Option<bool>,
    /// Show the types of lambda parameters. Defaults to `types`.
    pub(crate) lambda_types: Option<bool>,
    /// Show the values of constant expressions that are assigned to variables.
    pub(crate) values: Option<bool>,
    /// Show the values of constant expressions in resource attributes. Defaults to `values`.
    pub(crate) attribute_values: Option<bool>,
    /// Show the parameter names of literal arguments in calls with three or more arguments.
    pub(crate) arguments: Option<bool>,
    /// Label the closing braces of long blocks.
    pub(crate) closing_braces: Option<bool>,
    /// Show which data file overrides a key of Hiera data for all nodes.
    pub(crate) overridden_keys: Option<bool>,
    /// Label the closing braces of blocks that end at least this many lines after they start; 0 turns this off.
    pub(crate) end_lines: Option<u32>,
}

impl HintConfig {
    /// Merges two configurations; the settings of `self` take precedence.
    pub(crate) fn or(self, other: HintConfig) -> HintConfig {
        HintConfig {
            types: self.types.or(other.types),
            lambda_types: self.lambda_types.or(other.lambda_types),
            values: self.values.or(other.values),
            attribute_values: self.attribute_values.or(other.attribute_values),
            arguments: self.arguments.or(other.arguments),
            closing_braces: self.closing_braces.or(other.closing_braces),
            overridden_keys: self.overridden_keys.or(other.overridden_keys),
            end_lines: self.end_lines.or(other.end_lines),
        }
    }

    /// Returns the effective options, with defaults for settings that are not given.
    pub(crate) fn options(self) -> HintOptions {
        let defaults = HintOptions::default();
        let types = self.types.unwrap_or(defaults.types);
        let values = self.values.unwrap_or(defaults.values);
        HintOptions {
            types,
            lambda_types: self.lambda_types.unwrap_or(types),
            values,
            attribute_values: self.attribute_values.unwrap_or(values),
            arguments: self.arguments.unwrap_or(defaults.arguments),
            closing_braces: self.closing_braces.unwrap_or(defaults.closing_braces),
            overridden_keys: self.overridden_keys.unwrap_or(defaults.overridden_keys),
            end_lines: self.end_lines.unwrap_or(defaults.end_lines),
        }
    }
}

impl Config {
    /// Returns the files and directories with fact sets, if the project configures them.
    pub(crate) fn facts(&self) -> Option<Vec<PathBuf>> {
        let paths = self.workspace.facts.as_ref()?;
        Some(paths.iter().map(|it| self.folder.join(it)).collect())
    }

    /// Reads the configuration of a directory from the nearest `pupil.toml` in it or its ancestors, or else
    /// from the nearest `.puppet-lint.rc`. Returns the defaults if there is no such file, or if it is
    /// invalid, which adds a note.
    pub(crate) fn find(folder: &Path, notes: &mut Vec<Note>) -> Config {
        // `folder` may also be the path of a file.
        let folders = || folder.ancestors().filter(|it| !it.is_file());
        for folder in folders() {
            let path = folder.join(FILE_NAME);
            match read_text_up_to(&path, MAX_SIZE) {
                Ok(text) => {
                    let config = Config::parse(&path, &text, notes);
                    missing_paths::note(&config, &path, &text, notes);
                    return config;
                }
                Err(ReadError::NotFound) => {}
                Err(problem) => {
                    notes.push(Note::new(path, problem.to_string()).error());
                    return Config::default();
                }
            }
        }
        for folder in folders() {
            match LintOptions::in_folder(folder) {
                Ok(options) => return Config::of_puppet_lint(folder, options, notes),
                Err(ReadError::NotFound) => {}
                Err(problem) => {
                    let path = folder.join(puppet_lint::FILE_NAME);
                    notes.push(Note::new(path, problem.to_string()));
                    break;
                }
            }
        }
        Config::default()
    }

    /// Returns the configuration that corresponds to the options of puppet-lint in a directory.
    fn of_puppet_lint(folder: &Path, mut options: LintOptions, notes: &mut Vec<Note>) -> Config {
        let checks = options
            .unknown_checks()
            .map(|it| format!("unknown check `{it}`"));
        let others = options
            .unknown
            .iter()
            .map(|it| format!("unknown option `{it}`"));
        let custom = options
            .custom_checks
            .iter()
            .map(|it| format!("cannot run custom checks written in Ruby: `{it}`"));
        let path = folder.join(puppet_lint::FILE_NAME);
        let all = checks.chain(others).chain(custom);
        notes.extend(all.map(|it| Note::new(&path, it)));
        add_tasks(folder, &mut options);
        Config {
            rules: options.levels(),
            style: StyleConfig {
                exclude: options.ignored_paths.clone(),
            },
            folder: folder.to_owned(),
            ..Config::default()
        }
    }

    /// Parses the text of the file at `path`. Returns the defaults if it has mistakes, which are added to
    /// the notes.
    pub(crate) fn parse(path: &Path, text: &str, notes: &mut Vec<Note>) -> Config {
        match read(text) {
            Ok((mut config, table)) => {
                note_aliases(path, text, table.get_ref(), notes);
                config.rules = config.rules.canonical();
                config.folder = path.parent().unwrap_or(path).to_owned();
                config
            }
            Err(mistakes) => {
                let source = Source::new(text.into(), LineBreaks::Puppet);
                notes.extend(mistakes.into_iter().map(|it| {
                    let (line, column) = line_and_column(&source, it.range);
                    Note::at(path, line, column, it.message).error()
                }));
                Config::default()
            }
        }
    }
}

/// Adds the settings of the tasks that run puppet-lint in a directory. `pupil migrate` reports those that it cannot read.
fn add_tasks(folder: &Path, options: &mut LintOptions) {
    let text = |name: &str| read_text_up_to(&folder.join(name), MAX_SIZE).ok();
    if let Some(text) = text(rakefile::FILE_NAME) {
        rakefile::read(&text, options);
    }
    if let Some(text) = text(sync_yml::FILE_NAME) {
        sync_yml::read(&text, options);
    }
}

/// Reads the text of the file, or returns its mistakes.
fn read(text: &str) -> Result<(Config, Spanned<DeTable<'_>>), Vec<Mistake>> {
    let mistake = |error: &toml::de::Error| {
        let message = format!("invalid configuration: {}", error.message());
        let range = error.span().unwrap_or_default();
        vec![Mistake { range, message }]
    };
    let table = DeTable::parse(text).map_err(|it| mistake(&it))?;
    let found = validation::mistakes(table.get_ref(), &schema());
    if !found.is_empty() {
        return Err(found);
    }
    let config = toml::from_str(text).map_err(|it| mistake(&it))?;
    Ok((config, table))
}

/// Reports keys of `[rules]` that are aliases.
fn note_aliases(path: &Path, text: &str, table: &DeTable<'_>, notes: &mut Vec<Note>) {
    let Some(DeValue::Table(levels)) = table.get("rules").map(Spanned::get_ref) else {
        return;
    };
    let source = Source::new(text.into(), LineBreaks::Puppet);
    for name in levels.keys() {
        let alias: &str = name.get_ref();
        let rule = rules::rule(alias).filter(|it| it.aliases.contains(&alias));
        if let Some(rule) = rule {
            let message = format!("rule `{alias}` was renamed to `{}`", rule.code);
            let (line, column) = line_and_column(&source, name.span());
            notes.push(Note::at(path, line, column, message));
        }
    }
}

/// Returns the JSON Schema of the file.
fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("the schema is valid JSON")
}

/// Returns the one-based line and column, in characters, of the start of a range.
fn line_and_column(source: &Source, range: Range<usize>) -> (u32, u32) {
    let offset = TextSize::try_from(range.start).unwrap_or_default();
    let at = source.line_column(offset, PositionEncoding::Utf32);
    (at.line + 1, at.column + 1)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn parse(text: &str) -> (Config, Vec<String>) {
        let mut notes = Vec::new();
        let config = Config::parse(Path::new("/p/pupil.toml"), text, &mut notes);
        (config, notes.iter().map(Note::to_string).collect())
    }

    #[test]
    fn reads_all_settings() {
        let (config, notes) = parse(
            r#"
            [puppet]
            version = "7.24"
            [workspace]
            modulepath = ["../m"]
            basemodulepath = []
            exclude = ["vendor/"]
            [rules]
            unknown-variable = "off"
            [style]
            exclude = ["types/"]
            [check]
            baseline = "known.json"
            [format]
            trailing-commas = false
            line-width = 100
            indent-continuations = true
            [hints]
            types = false
            end-lines = 9
            "#,
        );
        assert_eq!(notes, [""; 0]);
        let expected = Config {
            puppet: PuppetConfig {
                version: Some(Version::Seven),
            },
            workspace: WorkspaceConfig {
                modulepath: vec!["../m".into()],
                basemodulepath: Some(Vec::new()),
                exclude: vec!["vendor/".to_owned()],
                facts: None,
            },
            rules: Levels::from([("unknown-variable", Level::Off)]),
            style: StyleConfig {
                exclude: vec!["types/".to_owned()],
            },
            check: CheckConfig {
                baseline: Some("known.json".into()),
            },
            format: FormatConfig {
                trailing_commas: Some(false),
                line_width: Some(100),
                indent_continuations: Some(true),
            },
            hints: HintConfig {
                types: Some(false),
                end_lines: Some(9),
                ..HintConfig::default()
            },
            folder: "/p".into(),
        };
        assert_eq!(config, expected);
    }

    #[test]
    fn kinds_of_hints_default_to_related_ones() {
        let (config, notes) = parse("[hints]\ntypes = false\nattribute-values = false\n");
        assert_eq!(notes, [""; 0]);
        let expected = HintOptions {
            types: false,
            lambda_types: false,
            attribute_values: false,
            ..HintOptions::default()
        };
        assert_eq!(config.hints.options(), expected);
    }

    #[test]
    fn mistakes_are_errors() {
        let check = |text: &str, expected: Expect| {
            let (config, notes) = parse(text);
            assert_eq!(config, Config::default());
            expected.assert_eq(&notes.join("\n"));
        };
        check(
            "[puppet]\nversion = 9\n",
            expect![
                "/p/pupil.toml:2:11: invalid configuration: unknown Puppet version `9`: expected 7 or 8"
            ],
        );
        check(
            "[puppet\n",
            expect!["/p/pupil.toml:1:8: invalid configuration: unclosed table, expected `]`"],
        );
        check(
            "workspace = 1\nhints.types = 'yes'\nhints.end-lines = -1\n",
            expect![[r#"
                /p/pupil.toml:1:13: invalid value for `workspace`: expected a table
                /p/pupil.toml:2:15: invalid value for `hints.types`: expected `true` or `false`
                /p/pupil.toml:3:19: invalid value for `hints.end-lines`: expected a whole number of 0 or more"#]],
        );
        check(
            "[rules]\nunused-variable = 'loud'\nunusd-variable = 'off'\n",
            expect![[r#"
                /p/pupil.toml:2:19: invalid value for `rules.unused-variable`: expected `off`, `hint`, `info`, `warning` or `error`
                /p/pupil.toml:3:1: unknown rule `unusd-variable`; did you mean `unused-variable`?"#]],
        );
        check(
            "[workspace]\nmodulpath = []\nexclude = [1]\n[zzz]\n",
            expect![[r#"
                /p/pupil.toml:2:1: unknown setting `modulpath`; did you mean `modulepath`?
                /p/pupil.toml:3:11: invalid value for `workspace.exclude`: expected a list of strings
                /p/pupil.toml:4:2: unknown setting `zzz`"#]],
        );
    }

    #[test]
    fn few_of_many_mistakes_are_shown() {
        let keys: String = (0..100).map(|it| format!("k{it} = 1\n")).collect();
        let (_, notes) = parse(&keys);
        assert_eq!(notes.len(), 20);
        assert_eq!(notes[0], "/p/pupil.toml:1:1: unknown setting `k0`");
        let last = "/p/pupil.toml:20:1: unknown setting `k19`; 80 more mistakes not shown";
        assert_eq!(notes[19], last);
        let long = format!("{} = 1\n", "formt".repeat(100_000));
        assert_eq!(parse(&long).1.len(), 1);
    }

    #[test]
    fn accepts_aliases_of_rules() {
        let (config, notes) = parse("[rules]\nhidden-text = \"off\"\nSYNTAX_ERROR = \"hint\"\n");
        assert_eq!(
            notes,
            ["/p/pupil.toml:2:1: rule `hidden-text` was renamed to `redacted-sensitive`"]
        );
        let expected = [
            ("SYNTAX_ERROR", Level::Hint),
            ("redacted-sensitive", Level::Off),
        ];
        assert_eq!(config.rules, Levels::from(expected));
        let both = "[rules]\ncall-fails = \"off\"\nfailing-call = \"info\"\n";
        let (config, notes) = parse(both);
        assert_eq!(notes.len(), 1, "{notes:?}");
        let expected = [("failing-call", Level::Info)];
        assert_eq!(config.rules, Levels::from(expected));
    }
}
