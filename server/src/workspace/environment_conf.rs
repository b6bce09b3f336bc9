//! `environment.conf`: where an environment has its modules and its main manifest.

use std::path::Path;

use super::note::Note;

/// Settings that Puppet knows in this file. Others it ignores with a warning, and so do we.
const KNOWN: [&str; 6] = [
    "modulepath",
    "manifest",
    "config_version",
    "environment_timeout",
    "static_catalogs",
    "rich_data",
];

/// What matters of the file: texts as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct EnvironmentConf {
    /// Folders between the separators of paths.
    pub(super) modulepath: Option<String>,
    /// A file or a folder.
    pub(super) manifest: Option<String>,
}

/// Reads the text of the file at `path`. Puppet takes settings before the first section and
/// those of `[main]`; the last of several counts.
pub(super) fn parse(path: &Path, text: &str, notes: &mut Vec<Note>) -> EnvironmentConf {
    let mut conf = EnvironmentConf::default();
    let mut ignoring = false;
    for (line, number) in text.lines().zip(1..) {
        let content = line.trim();
        let mut note = |message: String| notes.push(Note::at(path, number, 1, message));
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if let Some(section) = content
            .strip_prefix('[')
            .and_then(|it| it.strip_suffix(']'))
        {
            ignoring = section.trim() != "main";
            if ignoring {
                note(format!(
                    "Puppet ignores the section [{}]: this file has no sections",
                    section.trim()
                ));
            }
            continue;
        }
        if ignoring {
            continue;
        }
        let Some((name, value)) = content.split_once('=') else {
            note("this is not a setting of the form `name = value`".to_owned());
            continue;
        };
        let (name, value) = (name.trim(), unquoted(value.trim()));
        match name {
            "modulepath" => conf.modulepath = Some(value.to_owned()),
            "manifest" => conf.manifest = Some(value.to_owned()),
            _ if KNOWN.contains(&name) => {}
            _ => note(format!("Puppet ignores the unknown setting {name}")),
        }
    }
    conf
}

/// Puppet takes quotes off values.
fn unquoted(value: &str) -> &str {
    for quote in ['\'', '"'] {
        let inner = value
            .strip_prefix(quote)
            .and_then(|it| it.strip_suffix(quote));
        if let Some(inner) = inner {
            return inner;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_the_rest_is_told() {
        let mut notes = Vec::new();
        let text = "# c\n modulepath = site:modules:$basemodulepath\nmanifest='x/y.pp'\n\
                    config_version = /bin/v\nmodulpath = a\nnonsense\n[other]\nmanifest = z\n\
                    [main]\nmanifest = \"w\"\n";
        let conf = parse(Path::new("e.conf"), text, &mut notes);
        assert_eq!(
            conf,
            EnvironmentConf {
                modulepath: Some("site:modules:$basemodulepath".to_owned()),
                manifest: Some("w".to_owned()),
            }
        );
        let lines: Vec<_> = notes.iter().filter_map(|it| it.place).collect();
        assert_eq!(lines, [(5, 1), (6, 1), (7, 1)]);
    }
}
