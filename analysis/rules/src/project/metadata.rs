//! Checks of `metadata.json`.

use syntax::{TextRange, TextSize};

use super::data::{self, Data, Node};
use super::{InstalledModule, Report, Surroundings, meant};
use crate::{INVALID_METADATA, MISSING_DEPENDENCY, UNMET_DEPENDENCY};
use types::values::{Version, VersionRange};

/// The required keys. Puppet ignores metadata without them; `name` is required by other tools.
const NEEDED: [&str; 6] = [
    "name",
    "version",
    "author",
    "license",
    "source",
    "dependencies",
];

/// The optional keys that Puppet or its tools support.
const OTHERS: [&str; 8] = [
    "summary",
    "description",
    "project_page",
    "issues_url",
    "tags",
    "requirements",
    "operatingsystem_support",
    "data_provider",
];

pub(super) fn check(text: &str, around: &Surroundings, report: &mut Report) {
    let root = match data::json(text) {
        Ok(Some(root)) => root,
        Ok(None) => {
            let start = TextRange::empty(TextSize::new(0));
            return report.add(&INVALID_METADATA, start, "`metadata.json` is empty");
        }
        Err(error) => {
            let message = format!("invalid JSON: {}", error.message);
            return report.add(&INVALID_METADATA, error.range, message);
        }
    };
    let Some(entries) = root.entries() else {
        return report.add(&INVALID_METADATA, root.range, "expected a JSON object");
    };
    // Puppet treats an empty object like a missing file.
    if entries.is_empty() {
        return;
    }
    let known = [&NEEDED[..], &OTHERS].concat();
    for entry in entries
        .iter()
        .filter(|it| !known.contains(&it.key.as_str()))
    {
        if let Some(near) = meant(&entry.key, &known) {
            let message = format!("unknown key `{}`; did you mean `{near}`?", entry.key);
            report.add(&INVALID_METADATA, entry.key_range, message);
        }
    }
    let start = TextRange::at(root.range.start(), TextSize::new(1));
    let is_absent = |it: &&&str| root.get(it).is_none_or(|it| matches!(it.data, Data::Null));
    for name in NEEDED.iter().filter(is_absent) {
        let message = format!("missing key `{name}`");
        report.add(&INVALID_METADATA, start, message);
    }
    name(&root, report);
    version(&root, report);
    dependencies(&root, around, report);
}

fn name(root: &Node, report: &mut Report) {
    let Some(node) = root.get("name") else { return };
    match node.text() {
        Some(name) if is_full_name(name) => {}
        Some(name) => {
            let message = format!("invalid module name `{name}`: expected `author-name`");
            report.add(&INVALID_METADATA, node.range, message);
        }
        None if matches!(node.data, Data::Null) => {}
        None => report.add(&INVALID_METADATA, node.range, "`name` must be a string"),
    }
}

/// Checks whether this is a module name with an author.
fn is_full_name(name: &str) -> bool {
    let Some((author, name)) = name.split_once(['-', '/']) else {
        return false;
    };
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    !author.is_empty()
        && author.bytes().all(|it| it.is_ascii_alphanumeric())
        && name
            .bytes()
            .next()
            .is_some_and(|it| it.is_ascii_alphabetic())
        && name.bytes().all(is_word)
}

fn version(root: &Node, report: &mut Report) {
    let Some(node) = root.get("version") else {
        return;
    };
    match node.text() {
        Some(version) if Version::parse(version).is_some() => {}
        Some(version) => {
            let message =
                format!("invalid version `{version}`: expected a version such as `1.2.3`");
            report.add(&INVALID_METADATA, node.range, message);
        }
        None if matches!(node.data, Data::Null) => {}
        None => report.add(&INVALID_METADATA, node.range, "`version` must be a string"),
    }
}

fn dependencies(root: &Node, around: &Surroundings, report: &mut Report) {
    let Some(node) = root.get("dependencies") else {
        return;
    };
    let Some(all) = node.elements() else {
        if !matches!(node.data, Data::Null) {
            report.add(
                &INVALID_METADATA,
                node.range,
                "`dependencies` must be an array",
            );
        }
        return;
    };
    for dependency in all {
        if dependency.entries().is_none() {
            let message = "dependency must be an object with a `name`";
            report.add(&INVALID_METADATA, dependency.range, message);
            continue;
        }
        let Some((name, at)) = dependency
            .get("name")
            .and_then(|it| Some((it.text()?, it.range)))
        else {
            let message = "missing key `name` in dependency";
            report.add(&INVALID_METADATA, dependency.range, message);
            continue;
        };
        let range = dependency.get("version_requirement").and_then(|node| {
            let text = node.text()?;
            let range = VersionRange::parse(text);
            if range.is_none() {
                let message = format!(
                    "invalid version range `{text}`: expected a range such as `>= 1.2.3 < 2.0.0`"
                );
                report.add(&INVALID_METADATA, node.range, message);
            }
            Some((text, node.range, range?))
        });
        let short = short_name(name);
        match around.module(short) {
            Some(found) => {
                if let Some((text, place, range)) = range {
                    unmet(found, text, place, &range, report);
                }
            }
            None if around.complete => {
                let message = format!("module `{short}` is not installed");
                report.add(&MISSING_DEPENDENCY, at, message);
            }
            None => {}
        }
    }
}

/// Returns the name of a module without its author.
pub fn short_name(full: &str) -> &str {
    full.split_once(['-', '/']).map_or(full, |it| it.1)
}

fn unmet(
    found: &InstalledModule,
    text: &str,
    place: TextRange,
    range: &VersionRange,
    report: &mut Report,
) {
    let Some(there) = found.version.as_deref() else {
        return;
    };
    if let Some(version) = Version::parse(there)
        && !range.includes(&version)
    {
        let message = format!(
            "module `{}` {there} is installed, but `{text}` is required",
            found.name
        );
        report.add(&UNMET_DEPENDENCY, place, message);
    }
}
