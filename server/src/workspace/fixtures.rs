//! Parses `.fixtures.yml`, which lists the modules that the tests of a module need.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::note::Note;

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    fixtures: Option<Fixtures>,
}

#[derive(Deserialize, Default)]
struct Fixtures {
    #[serde(default)]
    symlinks: Option<BTreeMap<String, Link>>,
    #[serde(default)]
    repositories: Option<BTreeMap<String, IgnoredAny>>,
    #[serde(default)]
    forge_modules: Option<BTreeMap<String, IgnoredAny>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Link {
    Path(String),
    Options {
        #[serde(default)]
        repo: Option<String>,
    },
    Other(IgnoredAny),
}

/// The contents of the file, as far as they are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FixturesFile {
    /// The names of modules, sorted.
    pub(super) names: Vec<String>,
    /// The paths of symlinks by name, as they are written.
    pub(super) paths: BTreeMap<String, String>,
}

/// Parses the text of the file at `path`. The parser limits the expansion of aliases.
pub(super) fn parse(path: &Path, text: &str, notes: &mut Vec<Note>) -> FixturesFile {
    let file: File = match serde_saphyr::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            notes.push(problem(path, &error));
            return FixturesFile::default();
        }
    };
    let fixtures = file.fixtures.unwrap_or_default();
    let mut found = FixturesFile::default();
    found
        .names
        .extend(fixtures.repositories.unwrap_or_default().into_keys());
    found
        .names
        .extend(fixtures.forge_modules.unwrap_or_default().into_keys());
    for (name, link) in fixtures.symlinks.unwrap_or_default() {
        let path = match link {
            Link::Path(path) => Some(path),
            Link::Options { repo } => repo,
            Link::Other(IgnoredAny) => None,
        };
        found.paths.extend(path.map(|it| (name.clone(), it)));
        found.names.push(name);
    }
    found.names.sort_unstable();
    found.names.dedup();
    found
}

fn problem(path: &Path, error: &serde_saphyr::Error) -> Note {
    let error = error.without_snippet();
    let message = format!("invalid fixtures: {error}");
    // Only the first line, as the rest repeats the source.
    let message = message.lines().next().unwrap_or_default().to_owned();
    let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    match error.location() {
        Some(place) => Note::at(path, number(place.line()), number(place.column()), message),
        None => Note::new(path, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collects_names_from_all_sections() {
        let mut notes = Vec::new();
        let text = "fixtures:\n  symlinks:\n    me: \"#{source_dir}\"\n  repositories:\n    \
                    stdlib: https://x\n    apt:\n      repo: https://y\n      ref: v1\n  \
                    forge_modules:\n    concat: puppetlabs/concat\n";
        let found = parse(Path::new("f"), text, &mut notes);
        assert_eq!(found.names, ["apt", "concat", "me", "stdlib"]);
        assert_eq!(found.paths["me"], "#{source_dir}");
        assert_eq!(
            parse(Path::new("f"), "fixtures:\n", &mut notes),
            FixturesFile::default()
        );
        assert_eq!(notes, []);
    }

    #[test]
    fn reports_bombs_and_invalid_yaml() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}", level - 1);
            let aliases = vec![before; 9].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        bomb.push_str("fixtures:\n  repositories: {x: *a11}\n");
        for text in [&bomb, "fixtures: [1", "fixtures: {symlinks: 3}", "\u{0}"] {
            let mut notes = Vec::new();
            assert_eq!(
                parse(Path::new("f"), text, &mut notes),
                FixturesFile::default()
            );
            assert_eq!(notes.len(), 1, "{text}");
        }
    }
}
