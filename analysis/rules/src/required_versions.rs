//! The versions of other modules that code is written for, according to the project or the metadata of its module.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use base::ModuleInput;
use salsa::Database;
use types::values::{Version, VersionRange};

use crate::checker::Checker;
use crate::project::{ProjectFile, dependencies};

/// The versions of a module that are required.
pub(crate) struct RequiredVersions {
    /// The version or range as written.
    pub(crate) text: String,
    range: VersionRange,
}

impl RequiredVersions {
    /// Compares all of them with a version: [`Ordering::Less`] if they are older, [`Ordering::Greater`] if none is;
    /// `None` if some are.
    pub(crate) fn compare(&self, version: &Version) -> Option<Ordering> {
        let (begin, end) = (self.range.begin()?, self.range.end()?);
        let is_older = match end.order(version) {
            Ordering::Less => true,
            Ordering::Equal => self.range.excludes_end()?,
            Ordering::Greater => false,
        };
        if is_older {
            return Some(Ordering::Less);
        }
        (begin.order(version) != Ordering::Less).then_some(Ordering::Greater)
    }
}

impl Checker<'_> {
    /// Returns the versions of another module that the project requires, or else the metadata of the item's module.
    pub(crate) fn required_versions(&self, module: &str) -> Option<RequiredVersions> {
        let of_project = self.environment.required_versions(self.db).get(module);
        let own = self.item.file(self.db).module(self.db);
        let text = of_project.or_else(|| versions_in_metadata(self.db, own?).get(module))?;
        Some(RequiredVersions {
            text: text.clone(),
            range: VersionRange::parse(text)?,
        })
    }
}

/// Returns the versions of its dependencies that the metadata of a module requires.
#[salsa::tracked]
fn versions_in_metadata(db: &dyn Database, module: ModuleInput) -> BTreeMap<String, String> {
    let metadata = module.files(db).get(ProjectFile::Metadata.name());
    let Some(text) = metadata.and_then(|it| it.text(db).as_deref()) else {
        return BTreeMap::new();
    };
    let all = dependencies::dependencies(ProjectFile::Metadata, text);
    let versions = all
        .into_iter()
        .filter_map(|it| Some((it.module, it.required?.text)));
    versions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_ranges() {
        let compare = |text: &str| {
            let required = RequiredVersions {
                text: text.to_owned(),
                range: VersionRange::parse(text).expect("it is a range"),
            };
            required.compare(&Version::new(9, 0, 0))
        };
        for later in [">= 9.0.0 < 10.0.0", "9.4.0", "9.x", ">= 9.1.0"] {
            assert_eq!(compare(later), Some(Ordering::Greater), "{later}");
        }
        for earlier in [">= 4.13.1 < 9.0.0", "8.6.0", "5.x", "< 6.0.0"] {
            assert_eq!(compare(earlier), Some(Ordering::Less), "{earlier}");
        }
        for both in [">= 4.13.1 < 10.0.0", ">= 4.0.0", "< 9.0.1"] {
            assert_eq!(compare(both), None, "{both}");
        }
    }
}
