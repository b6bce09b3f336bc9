//! The version of a module that a project or a module requires.

use std::collections::BTreeMap;
use std::path::Path;

use analysis::values::{Version, VersionRange};

use super::limits::read_config;

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

    /// Returns the version as written, without the `v` of a tag.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            RequiredVersion::Exactly(it) | RequiredVersion::Range(it) => Some(it),
            RequiredVersion::Unknown => None,
        }
    }

    /// Checks whether an installed version is accepted; `None` if too little is known.
    pub(super) fn accepts(&self, installed: Option<&str>) -> Option<bool> {
        let text = installed?;
        let installed = Version::parse(text)?;
        match self {
            RequiredVersion::Exactly(it) => Some(Version::parse(it)? == installed),
            RequiredVersion::Range(it) => {
                let range = VersionRange::parse(it)?;
                // Repositories have such a version between two releases.
                let release = text.split_once('-').and_then(|it| Version::parse(it.0));
                let is_included = |it: &Version| range.includes(it);
                Some(is_included(&installed) || release.as_ref().is_some_and(is_included))
            }
            RequiredVersion::Unknown => None,
        }
    }
}

/// A module that a project requires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RequiredModule {
    pub(super) version: RequiredVersion,
    /// The author in its full name, if there is one.
    pub(super) author: Option<String>,
    /// The address of its Git repository, if the project names one.
    pub(super) repository: Option<String>,
}

impl RequiredModule {
    pub(super) fn of_version(version: RequiredVersion) -> RequiredModule {
        RequiredModule {
            version,
            author: None,
            repository: None,
        }
    }

    /// Checks whether an installed module has an author other than the required one.
    pub(super) fn has_other_author(&self, installed: &ModuleSource) -> bool {
        match (&self.author, &installed.author) {
            (Some(required), Some(installed)) => !required.eq_ignore_ascii_case(installed),
            _ => false,
        }
    }

    /// Checks whether an installed module comes from another Git repository than the required one.
    pub(super) fn has_other_repository(&self, installed: &ModuleSource) -> bool {
        let required = self.repository.as_deref().and_then(normalized);
        let Some(required) = required else {
            return false;
        };
        let is_other = |it: &String| normalized(it).is_none_or(|it| it != required);
        match &installed.remotes {
            Some(remotes) => remotes.iter().all(is_other),
            // The metadata of a fork names the original.
            None => {
                let found = installed.repository.as_deref().and_then(normalized);
                found.is_some_and(|it| it != required)
            }
        }
    }
}

/// The source of an installed module, according to its metadata.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ModuleSource {
    pub(super) author: Option<String>,
    /// The address of the Git repository in which it is developed.
    pub(super) repository: Option<String>,
    /// The addresses of the remote repositories, if its directory is a Git checkout.
    pub(super) remotes: Option<Vec<String>>,
}

/// Returns the addresses of the remote repositories of the Git checkout in `root`.
pub(super) fn remotes(root: &Path) -> Option<Vec<String>> {
    let config = read_config(&root.join(".git/config"), &mut Vec::new())?;
    let urls = config.lines().filter_map(|it| {
        let value = it.trim().strip_prefix("url")?.trim_start();
        Some(value.strip_prefix('=')?.trim().to_owned())
    });
    Some(urls.collect())
}

/// Returns host and path of the address of a Git repository in lower case: `github.com/author/name`. `None`
/// for other text.
fn normalized(address: &str) -> Option<String> {
    let address = address.trim().to_ascii_lowercase();
    let rest = address.split_once("://").map_or(&*address, |it| it.1);
    let rest = rest.split_once('@').map_or(rest, |it| it.1);
    // The notation of SSH: `git@host:author/name`.
    let rest = rest.replace(':', "/");
    let rest = rest.trim_end_matches('/');
    let rest = rest.strip_suffix(".git").unwrap_or(rest);
    let (host, path) = rest.split_once('/')?;
    (host.contains('.') && path.contains('/')).then(|| format!("{host}/{path}"))
}

/// The modules that a project requires, by their names.
pub(crate) type RequiredModules = BTreeMap<String, RequiredModule>;

#[cfg(test)]
mod tests {
    use super::{RequiredVersion, normalized};

    #[test]
    fn ranges_accept_versions_between_releases() {
        let accepts = |range: &str, it: &str| RequiredVersion::parse(range).accepts(Some(it));
        assert_eq!(accepts(">= 4.0.0 < 9.0.0", "8.1.1-rc0"), Some(true));
        assert_eq!(accepts(">= 4.0.0 < 9.0.0", "9.0.0-rc0"), Some(false));
        assert_eq!(accepts(">= 8.2.0", "8.1.1-rc0"), Some(false));
        assert_eq!(accepts("8.1.1", "8.1.1-rc0"), Some(false));
    }

    #[test]
    fn normalizes_addresses() {
        for address in [
            "https://github.com/Me/lib",
            "git://github.com/me/lib.git",
            "git@github.com:me/lib.git",
            "ssh://git@github.com/me/lib/",
        ] {
            assert_eq!(
                normalized(address).as_deref(),
                Some("github.com/me/lib"),
                "{address}"
            );
        }
        assert_eq!(normalized("https://x"), None);
        assert_eq!(normalized("../lib"), None);
    }
}
