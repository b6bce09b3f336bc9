//! Parser of `environment.conf`.
//!
//! The workspace reads the settings; a rule reports the problems.

use syntax::{TextRange, TextSize};

/// The settings of an environment. Puppet ignores any other with a warning.
pub(crate) const SETTINGS: [&str; 7] = [
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
    /// The kind of the problem.
    pub kind: ConfProblemKind,
}

/// The kind of a [`ConfProblem`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfProblemKind {
    /// A line that is neither a setting nor a section header nor a comment.
    InvalidLine,
    /// A section other than `[main]`, by its name.
    IgnoredSection(String),
    /// A setting that Puppet does not have, by its name.
    UnknownSetting(String),
}

impl ConfProblem {
    /// Checks whether Puppet rejects the file. Otherwise, it ignores the line.
    pub fn is_rejected(&self) -> bool {
        self.kind == ConfProblemKind::InvalidLine
    }
}

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
        let mut add_problem = |length: usize, kind: ConfProblemKind| {
            let size = |it: usize| TextSize::new(u32::try_from(it).unwrap_or(u32::MAX));
            conf.problems.push(ConfProblem {
                range: TextRange::at(size(start), size(length)),
                kind,
            });
        };
        match line(content) {
            Line::Nothing => {}
            Line::Section(name) => {
                is_ignored = name != "main";
                if is_ignored {
                    let kind = ConfProblemKind::IgnoredSection(name.to_owned());
                    add_problem(content.len(), kind);
                }
            }
            Line::Other => add_problem(content.len(), ConfProblemKind::InvalidLine),
            Line::Setting(..) if is_ignored => {}
            Line::Setting(name, _) if !SETTINGS.contains(&name) => {
                let kind = ConfProblemKind::UnknownSetting(name.to_owned());
                add_problem(name.len(), kind);
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
            let refused = read(text).problems.iter().any(|it| it.is_rejected());
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
            assert!(found.iter().any(|it| it.is_rejected()), "{text}");
        }
        let found = read("modulpath = a\n[other]\nx = y\nrich_data = 1").problems;
        let shown: Vec<_> = found
            .iter()
            .map(|it| (it.is_rejected(), it.range))
            .collect();
        let range = |start, end| TextRange::new(TextSize::new(start), TextSize::new(end));
        assert_eq!(shown, [(false, range(0, 9)), (false, range(14, 21))]);
    }
}
