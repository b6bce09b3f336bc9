//! The fact set of catalogs in an editor, until the user chooses one.

use std::path::Path;
use std::sync::LazyLock;

use analysis::values::HashValue;
use serde_json::Value as Json;

use crate::built_in_facts::{BUILT_IN, parse};
use crate::fact_sets::FactSets;
use crate::facts::os;
use crate::lookup::environment::LoadedEnvironment;

/// Returns the name of the fact set for the catalogs of a file: the one of the project or, of those that `pupil.toml`
/// names, the first; else that of Pupil for the first platform that the metadata of the module name. `None` without
/// either.
pub(crate) fn default_set(
    sets: &FactSets,
    environment: &LoadedEnvironment,
    file: &Path,
) -> Result<Option<String>, String> {
    if let Some(name) = sets.preferred()? {
        return Ok(Some(name));
    }
    let metadata = environment.metadata_of(file);
    let metadata = metadata.and_then(|it| serde_json::from_str(&it).ok());
    let platforms = metadata.map_or_else(Vec::new, |it: Json| supported_platforms(&it));
    Ok(built_in_set(&platforms).map(str::to_owned))
}

/// An operating system that a module supports.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Platform {
    name: String,
    /// The releases; empty if all are supported.
    releases: Vec<String>,
}

/// Reads the `operatingsystem_support` of metadata.
fn supported_platforms(metadata: &Json) -> Vec<Platform> {
    let listed = metadata["operatingsystem_support"].as_array();
    let platforms = listed.into_iter().flatten().filter_map(|it| {
        let releases = it["operatingsystemrelease"].as_array();
        let releases = releases.into_iter().flatten().filter_map(Json::as_str);
        Some(Platform {
            name: it["operatingsystem"].as_str()?.to_owned(),
            releases: releases.map(str::to_owned).collect(),
        })
    });
    platforms.collect()
}

/// The sets of Pupil by name. An editor needs them after each change.
static SETS: LazyLock<Vec<(&str, HashValue)>> =
    LazyLock::new(|| BUILT_IN.iter().map(|it| (it.0, parse(it.1))).collect());

/// Returns the set of Pupil for the first of the platforms that has one: preferably with a supported release, and of
/// several releases the newest.
fn built_in_set(platforms: &[Platform]) -> Option<&'static str> {
    let find = |accepts: &dyn Fn(&Platform, &HashValue) -> bool| {
        let of_platform = |platform: &Platform| {
            let mut newest_first = SETS.iter().rev();
            newest_first.find(|it| {
                os(&it.1, &["name"]) == Some(&*platform.name) && accepts(platform, &it.1)
            })
        };
        platforms.iter().find_map(of_platform).map(|it| it.0)
    };
    find(&has_release).or_else(|| find(&|_, _| true))
}

/// Checks whether a platform has the release of facts.
fn has_release(platform: &Platform, facts: &HashValue) -> bool {
    let is_release = |path: &[&str]| {
        let release = os(facts, path);
        release.is_some_and(|it| platform.releases.iter().any(|one| one == it))
    };
    platform.releases.is_empty()
        || is_release(&["release", "full"])
        || is_release(&["release", "major"])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn set_for(support: &[(&str, &[&str])]) -> Option<&'static str> {
        let support = support.iter().map(
            |(name, releases)| json!({"operatingsystem": name, "operatingsystemrelease": releases}),
        );
        let metadata = json!({"operatingsystem_support": support.collect::<Vec<_>>()});
        built_in_set(&supported_platforms(&metadata))
    }

    #[test]
    fn the_first_supported_platform_counts() {
        assert_eq!(
            set_for(&[("Debian", &["11", "12"]), ("RedHat", &["9"])]),
            Some("debian12")
        );
        assert_eq!(
            set_for(&[("Gentoo", &[]), ("Ubuntu", &["22.04", "24.04"])]),
            Some("ubuntu2404")
        );
        assert_eq!(
            set_for(&[("windows", &["2019", "2022"])]),
            Some("windows2022")
        );
    }

    #[test]
    fn the_newest_supported_release_counts() {
        assert_eq!(set_for(&[("RedHat", &["7", "8", "9"])]), Some("redhat9"));
        assert_eq!(set_for(&[("RedHat", &["7", "8"])]), Some("redhat8"));
    }

    #[test]
    fn a_supported_release_counts_more_than_the_order() {
        assert_eq!(
            set_for(&[("Debian", &["10"]), ("RedHat", &["8"])]),
            Some("redhat8")
        );
        assert_eq!(set_for(&[("Debian", &["10"])]), Some("debian12"));
    }

    #[test]
    fn other_platforms_have_no_set() {
        assert_eq!(set_for(&[("AIX", &["7.1"])]), None);
        assert_eq!(set_for(&[]), None);
        assert!(supported_platforms(&json!({"operatingsystem_support": [1, {}]})).is_empty());
    }
}
