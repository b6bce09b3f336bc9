//! Fact sets: those that a project keeps, and those of Pupil, one for each main platform.

use std::path::{Path, PathBuf};

use analysis::library;
use analysis::values::HashValue;
use ignore::WalkBuilder;
use syntax::validation::PuppetVersion;

use crate::built_in_facts::{BUILT_IN, parse};
use crate::facts;
use crate::legacy_facts::with_legacy_facts;

/// The directory of the fact sets of a project that configures none.
const DEFAULT_DIRECTORY: &str = "facts";

/// The extensions of files with facts. FacterDB writes JSON to `.facts`.
const EXTENSIONS: [&str; 4] = ["json", "yaml", "yml", "facts"];

/// The limit of directories below each other.
const MAX_DEPTH: usize = 8;

#[derive(Clone, Debug)]
pub(crate) struct FactSet {
    pub(crate) name: String,
    pub(crate) facts: HashValue,
    /// Whether it is a set of Pupil, for a typical node: others may have custom facts.
    pub(crate) is_built_in: bool,
}

impl FactSet {
    fn of_file(name: String, facts: HashValue) -> FactSet {
        FactSet {
            name,
            facts,
            is_built_in: false,
        }
    }
}

/// Where the fact sets of a project are.
#[derive(Clone, Debug)]
pub(crate) struct FactSets {
    /// The files and directories.
    places: Vec<PathBuf>,
    version: PuppetVersion,
}

impl FactSets {
    /// Creates the fact sets of a project in a directory, which may configure where they are.
    pub(crate) fn new(
        root: &Path,
        configured: Option<Vec<PathBuf>>,
        version: PuppetVersion,
    ) -> FactSets {
        let default = || {
            let place = root.join(DEFAULT_DIRECTORY);
            place.is_dir().then_some(place).into_iter().collect()
        };
        FactSets {
            places: configured.unwrap_or_else(default),
            version,
        }
    }

    /// Reads all fact sets of the project, or those of Pupil if it has none.
    pub(crate) fn read_all(&self) -> Result<Vec<FactSet>, String> {
        let own = self.read_own(usize::MAX)?;
        if own.is_empty() {
            let sets = BUILT_IN.iter().map(|it| self.built_in(it));
            return Ok(sets.collect());
        }
        Ok(own)
    }

    /// Reads the first fact sets of the project.
    pub(crate) fn read_own(&self, most: usize) -> Result<Vec<FactSet>, String> {
        let files = self.files()?.into_iter().take(most);
        let read = files.map(|(name, path)| {
            let facts = facts::read(&path)?;
            Ok(FactSet::of_file(name, facts))
        });
        read.collect()
    }

    /// Reads the facts in a file, in the set of the project with a name, or in that of Pupil.
    pub(crate) fn read(&self, name_or_path: &str) -> Result<FactSet, String> {
        let path = Path::new(name_or_path);
        if path.is_file() {
            let facts = facts::read(path)?;
            return Ok(FactSet::of_file(name_or_path.to_owned(), facts));
        }
        let unknown = |names: &str| {
            format!("cannot find facts `{name_or_path}`: expected a file or one of {names}")
        };
        self.read_set(name_or_path, &unknown)
    }

    /// Reads the set of the project with a name, or that of Pupil.
    pub(crate) fn read_named(&self, name: &str) -> Result<FactSet, String> {
        let unknown = |names: &str| format!("unknown fact set `{name}`; expected one of {names}");
        self.read_set(name, &unknown)
    }

    /// Returns the names of all fact sets: those of the project, then those of Pupil.
    pub(crate) fn names(&self) -> Result<Vec<String>, String> {
        let mut names: Vec<String> = self.files()?.into_iter().map(|it| it.0).collect();
        for (name, _) in BUILT_IN {
            if !names.iter().any(|it| it == name) {
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Returns the name of the only set of the project, or of the first file that the project configures.
    pub(crate) fn preferred(&self) -> Result<Option<String>, String> {
        let files = self.files()?;
        if let [(name, _)] = &files[..] {
            return Ok(Some(name.clone()));
        }
        let named = self.places.iter().find(|it| has_facts(it));
        let named = named.and_then(|path| files.iter().find(|it| it.1 == *path));
        Ok(named.map(|it| it.0.clone()))
    }

    fn read_set(&self, name: &str, unknown: &dyn Fn(&str) -> String) -> Result<FactSet, String> {
        let files = self.files()?;
        if let Some((_, path)) = files.iter().find(|it| it.0 == name) {
            let facts = facts::read(path)?;
            return Ok(FactSet::of_file(name.to_owned(), facts));
        }
        if let Some(set) = BUILT_IN.iter().find(|it| it.0 == name) {
            return Ok(self.built_in(set));
        }
        Err(unknown(&self.names()?.join(", ")))
    }

    /// Returns the files of the project with their names, sorted: the paths below the directory,
    /// without the extensions.
    fn files(&self) -> Result<Vec<(String, PathBuf)>, String> {
        let mut found = Vec::new();
        for place in &self.places {
            let folder = match place.is_dir() {
                true => place.as_path(),
                false => place.parent().unwrap_or(place),
            };
            for entry in WalkBuilder::new(place)
                .standard_filters(false)
                .max_depth(Some(MAX_DEPTH))
                .build()
            {
                let problem = |it| format!("cannot read facts from {}: {it}", place.display());
                let entry = entry.map_err(problem)?;
                let path = entry.into_path();
                if has_facts(&path) {
                    found.push((name_of(&path, folder), path));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Returns a fact set of Pupil. Puppet 8 does not have legacy facts unless a node is set up for them.
    fn built_in(&self, set: &(&str, &str)) -> FactSet {
        let facts = parse(set.1);
        let is_current = |name: &str| library::legacy_fact(name).is_none();
        let facts = match self.version {
            PuppetVersion::V7 => with_legacy_facts(&facts),
            PuppetVersion::V8 => {
                let facts = facts.iter();
                let current = facts.filter(|it| it.0.as_str().is_some_and(is_current));
                current.map(|it| (it.0.clone(), it.1.clone())).collect()
            }
        };
        FactSet {
            name: set.0.to_owned(),
            facts,
            is_built_in: true,
        }
    }
}

fn has_facts(path: &Path) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    path.is_file() && extension.is_some_and(|it| EXTENSIONS.contains(&it))
}

fn name_of(path: &Path, folder: &Path) -> String {
    let relative = path.strip_prefix(folder).unwrap_or(path);
    let name = relative.with_extension("");
    name.to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built_in(version: PuppetVersion) -> Vec<FactSet> {
        let sets = FactSets::new(Path::new("nowhere"), None, version);
        sets.read_all().expect("fact sets can be read")
    }

    #[test]
    fn built_in_sets_have_the_facts_of_their_version() {
        for (version, has_legacy) in [(PuppetVersion::V7, true), (PuppetVersion::V8, false)] {
            for set in built_in(version) {
                let os = set.facts.get_str("os");
                assert!(os.is_some(), "{}", set.name);
                let has = set.facts.get_str("osfamily").is_some();
                assert_eq!(has, has_legacy, "{}", set.name);
            }
        }
    }

    #[test]
    fn built_in_facts_are_known() {
        for set in built_in(PuppetVersion::V8) {
            let names = set.facts.iter().filter_map(|it| it.0.as_str());
            // Facts of the modules that the recordings use.
            let own = |it: &&str| {
                !it.starts_with("os_")
                    && !it.starts_with("iptables")
                    && !it.starts_with("ip6tables")
            };
            let is_recorded = ["centos7", "debian12", "redhat8"].contains(&&*set.name);
            for name in names.filter(own).filter(|_| !is_recorded) {
                assert!(library::fact(name).is_some(), "{}: {name}", set.name);
            }
        }
    }

    #[test]
    fn finds_sets_of_a_project() {
        let folder = tempfile::tempdir().expect("a directory can be created");
        let root = folder.path();
        let facts = root.join("facts/4.5");
        std::fs::create_dir_all(&facts).expect("a directory can be created");
        let write = |name: &str, text: &str| {
            std::fs::write(facts.join(name), text).expect("a file can be written");
        };
        write("debian.facts", r#"{"kernel": "Linux"}"#);
        write(
            "stored.json",
            r#"{"name": "web1", "values": {"kernel": "Linux"}}"#,
        );
        write("plain.yaml", "kernel: Linux\n");
        write("README.md", "");
        let sets = FactSets::new(root, None, PuppetVersion::V8);
        let found = sets.read_all().expect("fact sets can be read");
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["4.5/debian", "4.5/plain", "4.5/stored"]);
        for set in &found {
            let kernel = set.facts.get_str("kernel").and_then(|it| it.as_str());
            assert_eq!(kernel, Some("Linux"), "{}", set.name);
        }
        assert!(sets.read("4.5/debian").is_ok());
        assert!(sets.read("windows2022").is_ok());
        let error = sets.read("nothing").expect_err("the set does not exist");
        assert!(
            error.starts_with("cannot find facts `nothing`: expected a file or one of 4.5/debian")
        );
        let missing = Some(vec![root.join("missing")]);
        let sets = FactSets::new(root, missing, PuppetVersion::V8);
        assert!(sets.read_all().is_err());
    }
}
