//! `environment.conf`: lines `name = value`, as Puppet reads them: for the workspace, which needs
//! what it says, and for what is wrong with it.

use syntax::{Severity, TextRange, TextSize};

use super::{Report, did_you_mean};
use crate::rules::INVALID_ENVIRONMENT_CONF;

/// Settings that Puppet knows in this file. Others it ignores with a warning.
const KNOWN: [&str; 7] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "environment_data_provider",
    "static_catalogs",
    "rich_data",
];

/// What the file says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnvironmentConf {
    /// Folders between the separators of paths, as they are written.
    pub modulepath: Option<String>,
    /// A file or a folder, as it is written.
    pub manifest: Option<String>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<ConfProblem>,
}

/// Something wrong with the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfProblem {
    /// Where.
    pub range: TextRange,
    /// What.
    pub message: String,
    /// Whether Puppet does not take the file for it; else it passes over the line.
    pub is_refused: bool,
}

/// A line.
enum Line<'a> {
    Nothing,
    /// The name of a section.
    Section(&'a str),
    /// The name of a setting, and its value without blanks around it.
    Setting(&'a str, &'a str),
    /// What Puppet cannot read.
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

/// Reads the text of the file. Puppet takes settings before the first section and those of
/// `[main]`; of several by one name the first one counts.
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
                    let message = format!("Puppet ignores the section `{name}`");
                    tell(content.len(), false, message);
                }
            }
            Line::Other => {
                let message = "Puppet cannot read this: it is no `name = value`";
                tell(content.len(), true, message.to_owned());
            }
            Line::Setting(..) if is_ignored => {}
            Line::Setting(name, _) if !KNOWN.contains(&name) => {
                let near = did_you_mean(name, &KNOWN);
                let message = format!("`{name}` is no setting of an environment{near}");
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

/// Puppet takes a quote off each end, whichever it is.
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
    fn settings_are_read_as_puppet_reads_them() {
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
    fn what_puppet_refuses_is_told_apart_from_what_it_ignores() {
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
