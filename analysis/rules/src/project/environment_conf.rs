//! Parser and checks of `environment.conf`.
//!
//! The workspace reads the settings; the checks report the problems.

use syntax::{Severity, TextRange, TextSize};

use super::{Report, did_you_mean};
use crate::INVALID_ENVIRONMENT_CONF;

/// The settings of an environment. Puppet ignores any other with a warning.
const KNOWN: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// The settings in the file that Pupil uses, and the problems found while parsing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnvironmentConf {
    /// The value of `modulepath`, verbatim.
    pub modulepath: Option<String>,
    /// The value of `manifest`, verbatim: a file or a folder.
    pub manifest: Option<String>,
    /// The problems, in source order.
    pub problems: Vec<ConfProblem>,
}

/// A problem in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfProblem {
    /// The range of the problem.
    pub range: TextRange,
    /// The message.
    pub message: String,
    /// Whether Puppet rejects the file. Otherwise, it ignores the line.
    pub is_refused: bool,
}

/// A line.
enum Line<'a> {
    Nothing,
    /// A section header, with its name.
    Section(&'a str),
    /// A setting, with its name and trimmed value.
    Setting(&'a str, &'a str),
    /// A line that Puppet cannot parse.
    Other,
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

fn line(content: &str) -> Line<'_> {
    if content.is_empty() || content.starts_with('#') {
        return Line::Nothing;
    }
    let inside = content
        .strip_prefix('[')
        .and_then(|it| it.strip_suffix(']'));
    if let Some(name) = inside.filter(|it| is_word(it)) {
        return Line::Section(name);
    }
    match content.split_once('=') {
        Some((name, value)) if is_word(name.trim_end()) => {
            Line::Setting(name.trim_end(), value.trim_start())
        }
        _ => Line::Other,
    }
}

/// Parses the file as Puppet does: settings before the first section and in `[main]` apply, and the
/// first of several settings with the same name wins.
pub fn read(text: &str) -> EnvironmentConf {
    let mut conf = EnvironmentConf::default();
    let mut is_ignored = false;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let start = at + (whole.len() - whole.trim_start().len());
        at += whole.len();
        let content = whole.trim();
        let mut tell = |length: usize, is_refused: bool, message: String| {
            let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
            conf.problems.push(ConfProblem {
                range: TextRange::at(size(start), size(length)),
                message,
                is_refused,
            });
        };
        match line(content) {
            Line::Nothing => {}
            Line::Section(name) => {
                is_ignored = name != "main";
                if is_ignored {
                    let message = format!("section `[{name}]` is ignored by Puppet");
                    tell(content.len(), false, message);
                }
            }
            Line::Other => {
                let message = "invalid line: expected `name = value`";
                tell(content.len(), true, message.to_owned());
            }
            Line::Setting(..) if is_ignored => {}
            Line::Setting(name, _) if !KNOWN.contains(&name) => {
                let near = did_you_mean(name, &KNOWN);
                let message = format!("unknown setting `{name}`{near}");
                tell(name.len(), false, message);
            }
            Line::Setting(name, value) => {
                let place = match name {
                    "modulepath" => &mut conf.modulepath,
                    "manifest" => &mut conf.manifest,
                    _ => continue,
                };
                place.get_or_insert_with(|| unquoted(value).to_owned());
            }
        }
    }
    conf
}

/// Removes a quote from each end. Like Puppet, it does not check that they match.
fn unquoted(value: &str) -> &str {
    let quotes = ['\'', '"'];
    let value = value.strip_prefix(quotes).unwrap_or(value);
    value.strip_suffix(quotes).unwrap_or(value)
}

pub(super) fn check(text: &str, report: &mut Report) {
    for it in read(text).problems {
        let severity = match it.is_refused {
            true => Severity::Error,
            false => INVALID_ENVIRONMENT_CONF.severity,
        };
        report.add_as(&INVALID_ENVIRONMENT_CONF, severity, it.range, it.message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_settings_like_puppet() {
        let manifest = |text: &str| read(text).manifest;
        for (text, expected) in [
            ("manifest = a\nmanifest = b\n", "a"),
            ("manifest = a\n[main]\nmanifest = b\n", "a"),
            ("[main] \nmanifest=a\r\n", "a"),
            ("[other]\nmanifest = x\n[main]\nmanifest = a", "a"),
            ("manifest = 'a\n", "a"),
            ("manifest = \"a'\n", "a"),
            ("manifest = ''a''\n", "'a'"),
            ("manifest = a # c\n", "a # c"),
            ("  # c\n\tmanifest = a = b \n", "a = b"),
            ("manifest=\n", ""),
        ] {
            assert_eq!(manifest(text).as_deref(), Some(expected), "{text}");
            let refused = read(text).problems.iter().any(|it| it.is_refused);
            assert!(!refused, "{text}");
        }
        assert_eq!(manifest("[Main]\nmanifest = q\n"), None);
        assert_eq!(
            read("modulepath = 'site:$basemodulepath'")
                .modulepath
                .as_deref(),
            Some("site:$basemodulepath")
        );
    }

    #[test]
    fn distinguishes_rejected_from_ignored_lines() {
        for text in [
            "; c\n",
            "[a b]\n",
            "module-path = b\n",
            "= x\n",
            "manifest b\n",
            "[other]\nnonsense\n",
            "\u{feff}manifest = a\n",
        ] {
            let found = read(text).problems;
            assert!(found.iter().any(|it| it.is_refused), "{text}");
        }
        let found = read("modulpath = a\n[other]\nx = y\nrich_data = 1").problems;
        let shown: Vec<_> = found.iter().map(|it| (it.is_refused, it.range)).collect();
        let range = |start, end| TextRange::new(TextSize::new(start), TextSize::new(end));
        assert_eq!(shown, [(false, range(0, 9)), (false, range(14, 21))]);
    }
}
