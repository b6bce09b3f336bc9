//! The modules that `metadata.json` and `Puppetfile` require.

use library::ruby::puppetfile;
use syntax::TextRange;
use types::values::{Version, VersionRange};

use super::ProjectFile;
use hiera::document::{self, Node};

/// A required module.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    /// The name of the module, without its author.
    pub(crate) module: String,
    pub(crate) author: Option<String>,
    /// The range of the full name.
    pub(crate) range: TextRange,
    /// The version, if it is valid.
    pub(crate) required: Option<RequiredVersion>,
}

/// The required version of a module.
#[derive(Clone, Debug)]
pub(crate) struct RequiredVersion {
    /// The version as written.
    pub(crate) text: String,
    /// The range of the version in the file.
    pub(crate) range: TextRange,
    versions: Versions,
}

#[derive(Clone, Debug)]
enum Versions {
    Exactly(Version),
    Range(VersionRange),
}

impl RequiredVersion {
    /// Checks whether a version is accepted.
    pub(crate) fn accepts(&self, version: &Version) -> bool {
        match &self.versions {
            Versions::Exactly(it) => it == version,
            Versions::Range(it) => it.includes(version),
        }
    }
}

/// Returns the name of a module without its author.
pub fn short_name(full: &str) -> &str {
    full.split_once(['-', '/']).map_or(full, |it| it.1)
}

/// Returns the author in the full name of a module.
pub fn author(full: &str) -> Option<String> {
    full.split_once(['-', '/']).map(|it| it.0.to_owned())
}

/// Checks whether this is a module name, with or without an author.
pub(crate) fn is_module_name(name: &str) -> bool {
    let is_word = |it: &str| {
        let mut bytes = it.bytes();
        !it.is_empty() && bytes.all(|it| it.is_ascii_alphanumeric() || it == b'_')
    };
    match name.split_once(['-', '/']) {
        Some((author, name)) => is_word(author) && is_word(name),
        None => is_word(name),
    }
}

/// Returns the modules that a file requires. Invalid entries are skipped.
pub(crate) fn dependencies(file: ProjectFile, text: &str) -> Vec<Dependency> {
    match file {
        ProjectFile::Metadata => of_metadata(text),
        ProjectFile::Puppetfile => of_puppetfile(text),
        ProjectFile::EnvironmentConf | ProjectFile::Hiera => Vec::new(),
    }
}

fn of_metadata(text: &str) -> Vec<Dependency> {
    let root = document::json(text).ok().flatten();
    let all = root.as_ref().and_then(|it| it.get("dependencies"));
    let all = all.and_then(Node::elements).unwrap_or_default().iter();
    let dependency = |node: &Node| {
        let name = node.get("name")?;
        Some(Dependency {
            module: short_name(name.text()?).to_owned(),
            author: author(name.text()?),
            range: name.range,
            required: node.get("version_requirement").and_then(required_range),
        })
    };
    all.filter_map(dependency).collect()
}

fn required_range(node: &Node) -> Option<RequiredVersion> {
    let text = node.text()?;
    Some(RequiredVersion {
        text: text.to_owned(),
        range: node.range,
        versions: Versions::Range(VersionRange::parse(text)?),
    })
}

fn of_puppetfile(text: &str) -> Vec<Dependency> {
    let file = puppetfile(text).filter(|it| it.broken.is_none());
    let calls = file.iter().flat_map(|it| &it.calls);
    let modules = calls.filter(|it| it.name == "mod").filter_map(|call| {
        let (name, range) = call.text(0).filter(|it| is_module_name(it.0))?;
        let required = call.text(1).and_then(|(text, range)| {
            Some(RequiredVersion {
                text: text.to_owned(),
                range,
                versions: Versions::Exactly(Version::parse(text)?),
            })
        });
        Some(Dependency {
            module: short_name(name).to_owned(),
            author: author(name),
            range,
            required,
        })
    });
    modules.collect()
}
