//! The version of a module that a project or a module requires.

use std::collections::BTreeMap;

use analysis::values::{Version, VersionRange};

/// A required version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RequiredVersion {
    Exactly(String),
    Range(String),
    /// Any version of a source of its own, such as a branch.
    Unknown,
}

impl RequiredVersion {
    /// Reads a version, the tag of a version or a range.
    pub(super) fn parse(text: &str) -> RequiredVersion {
        let version = text.strip_prefix('v').unwrap_or(text);
        if Version::parse(version).is_some() {
            RequiredVersion::Exactly(version.to_owned())
        } else if VersionRange::parse(text).is_some() {
            RequiredVersion::Range(text.to_owned())
        } else {
            RequiredVersion::Unknown
        }
    }

    /// Checks whether an installed version is accepted; `None` if too little is known.
    pub(super) fn accepts(&self, installed: Option<&str>) -> Option<bool> {
        let installed = Version::parse(installed?)?;
        match self {
            RequiredVersion::Exactly(it) => Some(Version::parse(it)? == installed),
            RequiredVersion::Range(it) => Some(VersionRange::parse(it)?.includes(&installed)),
            RequiredVersion::Unknown => None,
        }
    }
}

/// The versions that a project requires, by the names of modules.
pub(crate) type RequiredVersions = BTreeMap<String, RequiredVersion>;
