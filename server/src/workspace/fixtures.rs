//! Parses `.fixtures.yml`, which lists the modules that the tests of a module need.

use std::collections::BTreeMap;
use std::path::Path;

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
    /// The versions of modules by name: of releases, or in the tags of Git repositories.
    pub(super) required: RequiredModules,
}

/// Parses the text of the file at `path`.
pub(super) fn parse(path: &Path, text: &str, notes: &mut Vec<Note>) -> FixturesFile {
    let read = document::yaml_with_aliases(text).map_err(|error| located(path, text, &error));
    read.and_then(|root| match root {
        Some(root) => modules(path, &root),
        None => Ok(FixturesFile::default()),
    })
    .unwrap_or_else(|note| {
        notes.push(note);
        FixturesFile::default()
    })
}

/// Collects the modules of all sections.
fn modules(path: &Path, root: &Node) -> Result<FixturesFile, Note> {
    let mut found = FixturesFile::default();
    let invalid = |what: &str| Note::new(path, format!("invalid fixtures: {what} must be a map"));
    let sections = entries(root).ok_or_else(|| invalid("the file"))?;
    let Some((_, fixtures)) = sections.into_iter().find(|it| it.0 == "fixtures") else {
        return Ok(found);
    };
    for (section, modules) in entries(fixtures).ok_or_else(|| invalid("`fixtures`"))? {
        if !matches!(section, "symlinks" | "repositories" | "forge_modules") {
            continue;
        }
        let modules = entries(modules).ok_or_else(|| invalid(&format!("`{section}`")))?;
        for (name, module) in modules {
            if section == "symlinks" {
                let target = module.text().or_else(|| module.get("repo")?.text());
                let target = target.map(|it| (name.to_owned(), it.to_owned()));
                found.paths.extend(target);
            }
            found.names.push(name.to_owned());
            let version = ["ref", "tag"].iter().find_map(|it| module.get(it)?.text());
            let version = version.map(RequiredVersion::parse);
            if let Some(required) = version.filter(|it| *it != RequiredVersion::Unknown) {
                let required = RequiredModule::of_version(required);
                found.required.insert(name.to_owned(), required);
            }
        }
    }
    found.names.sort_unstable();
    found.names.dedup();
    Ok(found)
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
