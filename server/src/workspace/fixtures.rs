//! Parses `.fixtures.yml`, which lists the modules that the tests of a module need.

use std::collections::BTreeMap;
use std::path::Path;

use analysis::base::suggest::{hint, similar};
use analysis::hiera::document::{self, Node, Unreadable};

use super::note::Note;
use super::required_version::{RequiredModule, RequiredModules, RequiredVersion};

/// The contents of the file, as far as they are used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FixturesFile {
    /// The names of modules, sorted.
    pub(super) names: Vec<String>,
    /// The paths of symlinks by name, as they are written.
    pub(super) paths: BTreeMap<String, String>,
    /// The modules by name, with their releases, or their Git repositories and tags.
    pub(super) required: RequiredModules,
}

/// Parses the text of the file at `path`.
pub(super) fn parse(path: &Path, text: &str, notes: &mut Vec<Note>) -> FixturesFile {
    let read = document::yaml_with_aliases(text).map_err(|error| located(path, text, &error));
    read.and_then(|root| match root {
        Some(root) => modules(path, &root, notes),
        None => Ok(FixturesFile::default()),
    })
    .unwrap_or_else(|note| {
        notes.push(note);
        FixturesFile::default()
    })
}

/// The sections that list modules.
const SECTIONS: [&str; 3] = ["forge_modules", "repositories", "symlinks"];

/// Returns a note about a section that is ignored.
fn unknown_section(path: &Path, section: &str, near: &str) -> Note {
    let near = hint(Some(near));
    Note::new(
        path,
        format!("unknown section `{section}` of `fixtures`{near}"),
    )
}

/// Returns a note about an entry that is neither a string nor a map with `repo`, so that the module is not installed.
fn malformed(path: &Path, section: &str, name: &str, module: &Node) -> Option<Note> {
    let is_valid = match module.entries() {
        Some(_) => {
            section == "symlinks" || module.get("repo").is_some() || module.get("<<").is_some()
        }
        None => module.text().is_some(),
    };
    (!is_valid).then(|| {
        let message = format!(
            "entry `{name}` of `{section}` is ignored: expected a string, or a map with `repo`"
        );
        Note::new(path, message)
    })
}

/// Collects the modules of all sections.
fn modules(path: &Path, root: &Node, notes: &mut Vec<Note>) -> Result<FixturesFile, Note> {
    let mut found = FixturesFile::default();
    let invalid = |what: &str| Note::new(path, format!("invalid fixtures: {what} must be a map"));
    let sections = entries(root).ok_or_else(|| invalid("the file"))?;
    let Some((_, fixtures)) = sections.into_iter().find(|it| it.0 == "fixtures") else {
        return Ok(found);
    };
    for (section, modules) in entries(fixtures).ok_or_else(|| invalid("`fixtures`"))? {
        if !SECTIONS.contains(&section) {
            let near = similar(section, SECTIONS);
            notes.extend(near.map(|near| unknown_section(path, section, near)));
            continue;
        }
        let modules = entries(modules).ok_or_else(|| invalid(&format!("`{section}`")))?;
        for (name, module) in modules {
            notes.extend(malformed(path, section, name, module));
            if section == "symlinks" {
                let target = module.text().or_else(|| module.get("repo")?.text());
                let target = target.map(|it| (name.to_owned(), it.to_owned()));
                found.paths.extend(target);
            }
            found.names.push(name.to_owned());
            if section != "symlinks" {
                let required = required_module(module, section == "forge_modules");
                found.required.insert(name.to_owned(), required);
            }
        }
    }
    found.names.sort_unstable();
    found.names.dedup();
    Ok(found)
}

/// Returns the release on the Forge, or the Git repository, that an entry names.
fn required_module(module: &Node, is_release: bool) -> RequiredModule {
    let version = ["ref", "tag"].iter().find_map(|it| module.get(it)?.text());
    let source = module.text().or_else(|| module.get("repo")?.text());
    let (name, repository) = match is_release {
        true => (source, None),
        false => (None, source.map(str::to_owned)),
    };
    let author = name.and_then(|it| it.split_once(['/', '-']));
    RequiredModule {
        version: version.map_or(RequiredVersion::Unknown, RequiredVersion::parse),
        author: author.map(|it| it.0.to_owned()),
        repository,
    }
}

/// Returns the entries of a map, none for `null`.
fn entries(node: &Node) -> Option<Vec<(&str, &Node)>> {
    if node.is_null() {
        return Some(Vec::new());
    }
    let entries = node.merged_entries()?.into_iter();
    Some(entries.map(|it| (it.key.as_str(), &it.value)).collect())
}

/// Returns a syntax error as a note at its line and column.
fn located(path: &Path, text: &str, error: &Unreadable) -> Note {
    let before = &text[..usize::from(error.range.start()).min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let message = format!("invalid fixtures: {}", error.message);
    Note::at(path, number(line), number(column), message)
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
    fn reads_releases_and_repositories() {
        let text = "fixtures:\n  repositories:\n    a: https://h.example/me/a.git\n    b:\n      \
                    repo: https://h.example/me/b\n      ref: v1.2.0\n  forge_modules:\n    c: me/c\n    \
                    d: {repo: me-d, ref: '2.0.0'}\n";
        let found = parse(Path::new("f"), text, &mut Vec::new()).required;
        let of = |name: &str| {
            let it = &found[name];
            (
                it.version.text(),
                it.author.as_deref(),
                it.repository.as_deref(),
            )
        };
        assert_eq!(of("a"), (None, None, Some("https://h.example/me/a.git")));
        assert_eq!(
            of("b"),
            (Some("1.2.0"), None, Some("https://h.example/me/b"))
        );
        assert_eq!(of("c"), (None, Some("me"), None));
        assert_eq!(of("d"), (Some("2.0.0"), Some("me"), None));
    }

    #[test]
    fn notes_unknown_sections_and_malformed_entries() {
        let notes_of = |text: &str| {
            let mut notes = Vec::new();
            let found = parse(Path::new("f"), text, &mut notes);
            let notes: Vec<_> = notes.into_iter().map(|it| it.message).collect();
            (found.names, notes)
        };
        let (names, notes) =
            notes_of("fixtures:\n  repositorys:\n    a: b\n  symlinks:\n    c: d\n");
        assert_eq!(names, ["c"]);
        let expected = "unknown section `repositorys` of `fixtures`; did you mean `repositories`?";
        assert_eq!(notes, [expected]);
        let (_, notes) = notes_of("fixtures:\n  forge_modules:\n    a: [b]\n    c: {ref: '1'}\n");
        assert_eq!(notes.len(), 2, "{notes:?}");
        for text in [
            "fixtures:\n  defaults: {a: b}\n  x-versions: [1]\n  repositories:\n",
            "fixtures:\n  repositories: {a: b, c: {repo: d, ref: e}}\n  symlinks: {f: {target: g}}\n",
        ] {
            assert_eq!(notes_of(text).1, [""; 0], "{text}");
        }
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
