use base::suggest::{hint, similar};
use syntax::{TextRange, TextSize};
use types::values::{Version, VersionRange};

use crate::project::{ProjectChecker, ProjectFile};
use crate::rule::{Check, Rule, declare_rule};
use hiera::document::{self, Node};

declare_rule! {
    /// Reports mistakes in `metadata.json` that Puppet or its tools reject.
    ///
    /// ## What it does
    ///
    /// Checks for JSON syntax errors, missing keys, misspelled keys, and invalid module names,
    /// versions and version ranges.
    ///
    /// ## Why it matters
    ///
    /// If the file is not valid JSON, Puppet warns and treats it as empty. If `name`, `version`,
    /// `author`, `license`, `source` or `dependencies` is missing, Puppet ignores the version and
    /// the dependencies of the module.
    ///
    /// ## Example
    ///
    /// ```metadata.json wrong
    /// { # <-
    ///   "name": "stdlib", # <-
    ///   "version": "9", # <-
    ///   "authors": "me", # <-
    ///   "license": "Apache-2.0",
    ///   "source": "https://example.com",
    ///   "dependencies": [
    ///     { "name": "puppetlabs-concat", "version_requirement": "9 or so" } # <-
    ///   ]
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```metadata.json right
    /// {
    ///   "name": "me-mine",
    ///   "version": "9.0.0",
    ///   "author": "me",
    ///   "license": "Apache-2.0",
    ///   "source": "https://example.com",
    ///   "dependencies": [
    ///     { "name": "puppetlabs-concat", "version_requirement": ">= 1.0.0 < 10.0.0" }
    ///   ]
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Custom keys, unless they look like a misspelling of a known one.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended metadata is unknown.
    ///
    /// ## Suppression
    ///
    /// JSON has no comments. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-metadata = "off"
    /// ```
    pub(crate) static INVALID_METADATA = {
        code: "invalid-metadata",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::ProjectFile(check)],
    }
}

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

fn check(checker: &mut ProjectChecker<'_>) {
    if checker.file != ProjectFile::Metadata {
        return;
    }
    let root = match document::json(checker.text) {
        Ok(Some(root)) => root,
        Ok(None) => {
            let start = TextRange::empty(TextSize::new(0));
            return checker.report(&INVALID_METADATA, start, "`metadata.json` is empty");
        }
        Err(error) => {
            let message = format!("invalid JSON: {}", error.message);
            return checker.report(&INVALID_METADATA, error.range, message);
        }
    };
    let Some(entries) = root.entries() else {
        return checker.report(&INVALID_METADATA, root.range, "expected a JSON object");
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
        let near = similar(&entry.key, known.iter().copied());
        if near.is_some() {
            let message = format!("unknown key `{}`{}", entry.key, hint(near));
            checker.report(&INVALID_METADATA, entry.key_range, message);
        }
    }
    let start = TextRange::at(root.range.start(), TextSize::new(1));
    let is_absent = |it: &&&str| root.get(it).is_none_or(|it| it.is_null());
    for name in NEEDED.iter().filter(is_absent) {
        let message = format!("missing key `{name}`");
        checker.report(&INVALID_METADATA, start, message);
    }
    check_name(&root, checker);
    check_version(&root, checker);
    check_dependencies(&root, checker);
}

fn check_name(root: &Node, checker: &mut ProjectChecker<'_>) {
    let Some(node) = root.get("name") else { return };
    match node.text() {
        Some(name) if is_full_name(name) => {}
        Some(name) => {
            let message = format!("invalid module name `{name}`: expected `author-name`");
            checker.report(&INVALID_METADATA, node.range, message);
        }
        None if node.is_null() => {}
        None => checker.report(&INVALID_METADATA, node.range, "`name` must be a string"),
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

fn check_version(root: &Node, checker: &mut ProjectChecker<'_>) {
    let Some(node) = root.get("version") else {
        return;
    };
    match node.text() {
        Some(version) if Version::parse(version).is_some() => {}
        Some(version) => {
            let message =
                format!("invalid version `{version}`: expected a version such as `1.2.3`");
            checker.report(&INVALID_METADATA, node.range, message);
        }
        None if node.is_null() => {}
        None => checker.report(&INVALID_METADATA, node.range, "`version` must be a string"),
    }
}

fn check_dependencies(root: &Node, checker: &mut ProjectChecker<'_>) {
    let Some(node) = root.get("dependencies") else {
        return;
    };
    let Some(all) = node.elements() else {
        if !node.is_null() {
            checker.report(
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
            checker.report(&INVALID_METADATA, dependency.range, message);
            continue;
        }
        if dependency.get("name").and_then(Node::text).is_none() {
            let message = "missing key `name` in dependency";
            checker.report(&INVALID_METADATA, dependency.range, message);
            continue;
        }
        let requirement = dependency.get("version_requirement");
        let requirement = requirement.and_then(|it| Some((it.text()?, it.range)));
        if let Some((text, range)) = requirement
            && VersionRange::parse(text).is_none()
        {
            let message = format!(
                "invalid version range `{text}`: expected a range such as `>= 1.2.3 < 2.0.0`"
            );
            checker.report(&INVALID_METADATA, range, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::project::ProjectFile;
    use crate::testing::project_messages;

    fn messages(text: &str) -> Vec<String> {
        project_messages(ProjectFile::Metadata, text, None)
    }

    /// The required keys with valid values, except `dependencies`.
    const REQUIRED: &str = r#""name": "a-b", "version": "1.0.0", "author": "a", "license": "MIT",
        "source": "https://example.com""#;

    #[test]
    fn reports_invalid_names_and_versions() {
        let text = r#"{ "name": "b", "version": "1", "author": "a", "license": "MIT",
            "source": "https://example.com", "dependencys": [], "dependencies": [
            {}, { "name": "a/b", "version_requirement": "one" }] }"#;
        assert_eq!(
            messages(text),
            [
                "invalid module name `b`: expected `author-name`",
                "invalid version `1`: expected a version such as `1.2.3`",
                "unknown key `dependencys`; did you mean `dependencies`?",
                "missing key `name` in dependency",
                "invalid version range `one`: expected a range such as `>= 1.2.3 < 2.0.0`",
            ]
        );
    }

    #[test]
    fn ignores_custom_keys_and_empty_objects() {
        let text = format!(r#"{{ {REQUIRED}, "dependencies": [], "x-custom": 1 }}"#);
        for text in ["{}", &text] {
            assert_eq!(messages(text), [""; 0], "{text}");
        }
    }
}
