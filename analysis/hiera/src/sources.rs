//! The data files of a layer and the levels that read them, for any node: each hole in a path may have
//! any value.

use std::sync::Arc;

use crate::config::{Backend, HieraConfig, Level, Location, Locations};
use crate::data_file::DataFormat;
use crate::glob;
use crate::interpolation::{Expression, Method, interpolations};
use crate::paths::{Folders, joined, starting_with};

/// A data file that a level reads, for certain nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelFile {
    /// The path relative to the folder of the layer.
    pub path: Arc<str>,
    /// The index of the level in its hierarchy.
    pub level: usize,
    /// Whether the level is one of the default hierarchy.
    pub in_defaults: bool,
    /// The index of the path or glob in the level.
    pub location: usize,
    /// The format of the file.
    pub format: DataFormat,
    /// Whether strings may be encrypted.
    pub may_be_encrypted: bool,
    /// The conditions for the level to read the file.
    pub conditions: Vec<Condition>,
}

/// A condition of a [`LevelFile`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    /// The variable, with a path into its value, has this value.
    Equals(String, String),
    /// The variable is this string, or an array that contains it.
    Contains(String, String),
    /// The pattern with this variable matches the file.
    Glob(String),
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Condition::Equals(variable, value) => write!(f, "`{variable}` is `{value}`"),
            Condition::Contains(variable, value) => write!(f, "`{variable}` contains `{value}`"),
            Condition::Glob(pattern) => write!(f, "`{pattern}` matches"),
        }
    }
}

impl LevelFile {
    /// Returns the position in the order in which a lookup reads the files of a layer.
    pub fn rank(&self) -> impl Ord + '_ {
        (self.in_defaults, self.level, self.location, &*self.path)
    }

    /// Checks whether a node that reads both files may find a value in this one first. The files of a path with variables
    /// are those of different nodes.
    pub fn may_precede(&self, other: &LevelFile) -> bool {
        let place = |it: &LevelFile| (it.in_defaults, it.level, it.location);
        let is_glob = self.conditions.is_empty()
            || self
                .conditions
                .iter()
                .any(|it| matches!(it, Condition::Glob(_)));
        place(self) < place(other) || place(self) == place(other) && is_glob
    }

    /// Checks whether all nodes read the file.
    pub fn is_unconditional(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns how much of the path variables decide, in bytes. If several levels can read a file, the
    /// one with the smallest number is meant: `common.yaml` rather than `%{facts.os.name}.yaml`.
    pub fn variable_length(&self) -> usize {
        let lengths = self.conditions.iter().map(|it| match it {
            Condition::Equals(_, value) | Condition::Contains(_, value) => value.len(),
            Condition::Glob(_) => 1,
        });
        lengths.sum()
    }
}

impl HieraConfig {
    /// Returns the files that the levels can read, out of those of the layer: in the order of the
    /// levels, those of a level by path.
    pub fn level_files<'p>(&self, paths: impl Iterator<Item = &'p str>) -> Vec<LevelFile> {
        let mut found = Vec::new();
        let paths = sorted(paths);
        let defaults = self.default_hierarchy.iter().flatten();
        let levels = self.hierarchy.iter().enumerate().map(|it| (it, false));
        let levels = levels.chain(defaults.enumerate().map(|it| (it, true)));
        for ((index, level), in_defaults) in levels {
            let Some(format) = level.backend.format() else {
                continue;
            };
            for (path, location, conditions) in files_of(level, &paths) {
                found.push(LevelFile {
                    path,
                    level: index,
                    in_defaults,
                    location,
                    format,
                    may_be_encrypted: level.backend == Backend::Eyaml,
                    conditions,
                });
            }
        }
        found
    }

    /// Returns the files that the levels of `plan_hierarchy` can read, out of those of the layer.
    pub fn plan_files<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Vec<(Arc<str>, DataFormat)> {
        let mut found = Vec::new();
        let paths = sorted(paths);
        for level in &self.plan_hierarchy {
            if let Some(format) = level.backend.format() {
                let files = files_of(level, &paths).into_iter();
                found.extend(files.map(|(path, ..)| (path, format)));
            }
        }
        found
    }

    /// Checks whether a level reads a file if variables in its path are empty: Puppet ignores empty segments.
    pub fn reads_with_empty_variables(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        self.levels().any(|level| match &level.locations {
            Locations::Paths(locations) => locations.iter().any(|it| {
                let pattern = joined(&level.datadir, &it.text);
                let segments: Vec<&str> = pattern.split('/').collect();
                fits(&segments, &parts)
            }),
            _ => false,
        })
    }

    /// Checks whether all levels read files, so that no other data can exist.
    pub fn reads_only_files(&self) -> bool {
        let mut levels = self.levels();
        levels.all(|it| !matches!(it.backend, Backend::Custom(_)))
    }

    /// Returns how much of the data that the levels can read is in these files. A module contains all of its data.
    /// An environment may lack some: a file may be generated, or come from another repository, if no file matches
    /// its path and the path says so, or is that of the only level of its data folder.
    pub fn extent<'p>(&self, in_module: bool, files: impl Iterator<Item = &'p str>) -> DataExtent {
        let gaps = self.gaps(in_module, files).into_iter();
        let extents = gaps.map(|it| match it {
            DataGap::NoMatch(_) => DataExtent::Found,
            DataGap::Function(..) | DataGap::Outside(_) | DataGap::NoFile(_) | DataGap::NoFiles => {
                DataExtent::Unknown
            }
        });
        extents.min().unwrap_or(DataExtent::Whole)
    }

    /// Returns the reasons why data may be elsewhere, in the order of the levels.
    pub fn gaps<'p>(&self, in_module: bool, files: impl Iterator<Item = &'p str>) -> Vec<DataGap> {
        let folders = self.folders();
        let files = sorted(files);
        let has_any = files.iter().any(|it| folders.contain(it));
        let mut gaps = Vec::new();
        for level in self.levels() {
            let name = || level.name.clone();
            if let Backend::Custom(function) = &level.backend {
                gaps.push(DataGap::Function(name(), function.clone()));
            } else if !is_in_folders(level, &folders) {
                gaps.push(DataGap::Outside(name()));
            } else if !in_module && has_any {
                match found_extent(level, &files) {
                    DataExtent::Whole => {}
                    DataExtent::Found => gaps.push(DataGap::NoMatch(name())),
                    DataExtent::Unknown => gaps.push(DataGap::NoFile(name())),
                }
            }
        }
        if !in_module && !has_any && gaps.is_empty() {
            gaps.push(DataGap::NoFiles);
        }
        gaps
    }
}

/// A reason why data may not be in the workspace, with the name of the level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DataGap {
    /// The level uses a function that is not built in.
    Function(String, String),
    /// Files outside of the folders that are read, or none.
    Outside(String),
    /// A path without variables has no file.
    NoFile(String),
    /// No file matches a path with variables, and it may be one of another repository.
    NoMatch(String),
    /// The environment lacks data files.
    NoFiles,
}

/// How much of its data a workspace has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum DataExtent {
    /// It lacks files, or some data is not in files.
    #[default]
    Unknown,
    /// Each path without variables has its file, but no file matches some of the others.
    Found,
    /// A file matches each path.
    Whole,
}

/// The variables that identify a node.
const NODE_NAMES: [&str; 7] = [
    "trusted.certname",
    "trusted.hostname",
    "clientcert",
    "facts.networking.fqdn",
    "facts.networking.hostname",
    "fqdn",
    "hostname",
];

/// The facts about the operating system and the hardware.
const PLATFORM_FACTS: [&str; 14] = [
    "architecture",
    "hardwaremodel",
    "is_virtual",
    "kernel",
    "kernelrelease",
    "kernelversion",
    "lsbdistcodename",
    "lsbdistid",
    "operatingsystem",
    "operatingsystemmajrelease",
    "operatingsystemrelease",
    "os",
    "osfamily",
    "virtual",
];

/// Parts of the paths of data that hardly is in the repository of an environment.
const ELSEWHERE: [&str; 11] = [
    "credential",
    "encrypt",
    "eyaml",
    "generated",
    "local",
    "passw",
    "private",
    "secret",
    "secure",
    "tmp",
    "vault",
];

/// The variables that have a value on each node.
const NEVER_EMPTY: [&str; 11] = [
    "environment",
    "facts.kernel",
    "facts.os.family",
    "facts.os.name",
    "kernel",
    "operatingsystem",
    "os.family",
    "os.name",
    "osfamily",
    "trusted.certname",
    "trusted.hostname",
];

fn sorted<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<&'p str> {
    let mut sorted: Vec<&str> = paths.collect();
    sorted.sort_unstable();
    sorted
}

/// Checks whether a level certainly has no files other than those of the layer, as [`HieraConfig::extent`] does. The files
/// are sorted.
pub(crate) fn has_all_files(
    level: &Level,
    in_module: bool,
    folders: &Folders,
    files: &[impl AsRef<str>],
) -> bool {
    is_in_folders(level, folders) && (in_module || found_extent(level, files) == DataExtent::Whole)
}

/// Checks whether all paths of a level are in folders that are read.
fn is_in_folders(level: &Level, folders: &Folders) -> bool {
    let is_in = |path: &str| folders.contain(&joined(&level.datadir, path));
    match &level.locations {
        Locations::Paths(all) | Locations::Globs(all) => all.iter().all(|it| is_in(&it.text)),
        Locations::Mapped(_, _, path) => is_in(&path.text),
        Locations::Uris | Locations::None => false,
    }
}

/// Checks whether the folder of a level contains other files of the same format. A missing file does not exist
/// elsewhere then.
fn has_own_folder(level: &Level, path: &str, files: &[impl AsRef<str>]) -> bool {
    let mut own = files_in_own_folder(level, path, files);
    own.any(|it| extension(it) == extension(path))
}

/// Returns the files in the folder with which a path starts, if it is one for the files of a level.
fn files_in_own_folder<'p, P: AsRef<str>>(
    level: &Level,
    path: &str,
    files: &'p [P],
) -> impl Iterator<Item = &'p str> + use<'p, P> {
    let whole = joined(&level.datadir, path);
    let start = whole.split("%{").next().unwrap_or_default();
    let folder = start.rsplit_once('/').map(|it| it.0);
    let folder = folder.filter(|it| *it != joined(&level.datadir, ""));
    let found = folder.map(|it| files_below(files, it));
    found.into_iter().flatten()
}

/// Returns the files below a folder, out of sorted ones.
fn files_below<'p, P: AsRef<str>>(
    files: &'p [P],
    folder: &str,
) -> impl Iterator<Item = &'p str> + use<'p, P> {
    let start = match folder.is_empty() {
        true => String::new(),
        false => format!("{folder}/"),
    };
    let found = starting_with(files, &start).iter().map(AsRef::as_ref);
    let is_top = folder.is_empty();
    found.filter(move |it: &&str| !is_top || !it.contains('/'))
}

/// Checks whether a level in plain text reads a data folder that has files for other values of variables: then the
/// workspace has those that exist. Files of another repository, such as credentials, and generated ones have telling
/// names, unless they depend only on the platform; encrypted ones beside them are a sign of such.
fn has_filled_folder(
    level: &Level,
    template: &PathTemplate,
    path: &str,
    files: &[impl AsRef<str>],
) -> bool {
    let is_platform = |it: &str| {
        let name = it.strip_prefix("facts.").unwrap_or(it);
        PLATFORM_FACTS.contains(&name.split('.').next().unwrap_or_default())
    };
    let is_elsewhere = || {
        let whole = joined(&level.datadir, path).to_ascii_lowercase();
        let mut own = files_in_own_folder(level, path, files);
        ELSEWHERE.iter().any(|it| whole.contains(it))
            || own.any(|it| extension(it) == Some("eyaml"))
    };
    let folder = joined(&level.datadir, "");
    matches!(level.backend, Backend::File(_))
        && (template.holes().all(is_platform) || !is_elsewhere())
        && files_below(files, &folder).next().is_some()
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|it| it.1)
}

/// Returns whether a file matches each path of a level, unless it is one of a single node, or its folder has others.
fn found_extent(level: &Level, files: &[impl AsRef<str>]) -> DataExtent {
    let extent_of = |path: &str| {
        let template = PathTemplate::new(&level.datadir, path);
        let is_of_node = || {
            level.backend != Backend::Eyaml
                && DataFormat::of_path(path).is_some()
                && template.holes().any(|it| NODE_NAMES.contains(&it))
        };
        if template.bound(files).next().is_some() || is_of_node() {
            DataExtent::Whole
        } else if template.holes().next().is_some() {
            let has_others = || {
                has_own_folder(level, path, files)
                    || has_filled_folder(level, &template, path, files)
            };
            match has_others() {
                true => DataExtent::Whole,
                false => DataExtent::Found,
            }
        } else {
            DataExtent::Unknown
        }
    };
    let least = |all: &[Location]| {
        let extents = all.iter().map(|it| extent_of(&it.text));
        extents.min().unwrap_or(DataExtent::Whole)
    };
    match &level.locations {
        Locations::Paths(all) => least(all),
        Locations::Mapped(_, _, path) => extent_of(&path.text),
        Locations::Globs(all) => {
            let has_file = |it: &Location| {
                let pattern = without_interpolations(&joined(&level.datadir, &it.text));
                let mut found = glob::matching(&pattern, files).into_iter();
                found.next().is_some()
            };
            match all.iter().all(has_file) {
                true => DataExtent::Whole,
                false => DataExtent::Found,
            }
        }
        Locations::Uris | Locations::None => DataExtent::Unknown,
    }
}

/// Returns the files that a level can read, with the index of the location and the conditions. The paths are sorted.
fn files_of(level: &Level, paths: &[&str]) -> Vec<(Arc<str>, usize, Vec<Condition>)> {
    let mut found = Vec::new();
    let mut add = |index: usize, template: &PathTemplate, mapped: Option<(&str, &str)>| {
        for (path, bindings) in template.bound(paths) {
            found.push((Arc::from(path), index, conditions(bindings, mapped)));
        }
    };
    match &level.locations {
        Locations::Paths(locations) => {
            for (index, it) in locations.iter().enumerate() {
                add(index, &PathTemplate::new(&level.datadir, &it.text), None);
            }
        }
        Locations::Mapped(variable, name, path) => {
            let template = PathTemplate::new(&level.datadir, &path.text);
            add(0, &template, Some((&variable.text, name)));
        }
        Locations::Globs(globs) => {
            for (index, it) in globs.iter().enumerate() {
                let pattern = joined(&level.datadir, &it.text);
                let conditions = match pattern.contains("%{") {
                    true => vec![Condition::Glob(it.text.clone())],
                    false => Vec::new(),
                };
                let plain = without_interpolations(&pattern);
                for path in glob::matching(&plain, paths) {
                    found.push((Arc::from(path), index, conditions.clone()));
                }
            }
        }
        Locations::Uris | Locations::None => {}
    }
    found
}

fn conditions(bindings: Vec<(String, String)>, mapped: Option<(&str, &str)>) -> Vec<Condition> {
    let conditions = bindings.into_iter().map(|(variable, value)| match mapped {
        Some((list, name)) if variable == name => Condition::Contains(list.to_owned(), value),
        _ => Condition::Equals(variable, value),
    });
    conditions.collect()
}

fn without_interpolations(pattern: &str) -> String {
    let mut plain = String::new();
    let mut end = 0;
    for it in interpolations(pattern) {
        plain.push_str(&pattern[end..it.range.start]);
        plain.push('*');
        end = it.range.end;
    }
    plain.push_str(&pattern[end..]);
    plain
}

/// Checks whether the segments of a path match a pattern, whose segments that consist of variables may be missing.
fn fits(pattern: &[&str], parts: &[&str]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return parts.is_empty();
    };
    let is_variable =
        !first.is_empty() && without_interpolations(first).trim_matches('*').is_empty();
    let template = PathTemplate::new("", first);
    let may_be_empty = is_variable && !template.holes().any(|it| NEVER_EMPTY.contains(&it));
    let matches = || {
        let (part, others) = parts.split_first()?;
        template.bindings(part)?;
        Some(fits(rest, others))
    };
    may_be_empty && fits(rest, parts) || matches().unwrap_or(false)
}

/// A path with holes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathTemplate {
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Hole(String),
}

impl PathTemplate {
    /// Creates the template of a path in a data directory.
    pub fn new(datadir: &str, path: &str) -> PathTemplate {
        let whole = joined(datadir, path);
        let mut parts = Vec::new();
        let mut end = 0;
        for it in interpolations(&whole) {
            parts.push(Part::Text(whole[end..it.range.start].to_owned()));
            end = it.range.end;
            let name = match it.expression {
                Expression::Variable(name) => name,
                Expression::Method(method, name)
                    if Method::of_name(method) == Some(Method::Scope) =>
                {
                    name
                }
                Expression::Empty | Expression::Method(..) => continue,
            };
            let name = name.strip_prefix("::").unwrap_or(name);
            parts.push(Part::Hole(name.to_owned()));
        }
        parts.push(Part::Text(whole[end..].to_owned()));
        parts.retain(|it| !matches!(it, Part::Text(text) if text.is_empty()));
        PathTemplate { parts }
    }

    /// Returns the variables of the holes.
    fn holes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            Part::Hole(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// Returns the paths that the template can be, with the values of its holes, out of sorted ones.
    fn bound<'p>(
        &self,
        sorted: &'p [impl AsRef<str>],
    ) -> impl Iterator<Item = (&'p str, Vec<(String, String)>)> {
        let start = match self.parts.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        };
        let paths = starting_with(sorted, start).iter().map(AsRef::as_ref);
        paths.filter_map(|it| Some((it, self.bindings(it)?)))
    }

    /// Returns the values of the holes for which the path is `path`; `None` if it never is.
    pub fn bindings(&self, path: &str) -> Option<Vec<(String, String)>> {
        let mut bindings = Vec::new();
        bind(&self.parts, path, &mut bindings).then_some(bindings)
    }
}

fn bind(parts: &[Part], path: &str, bindings: &mut Vec<(String, String)>) -> bool {
    match parts.split_first() {
        None => path.is_empty(),
        Some((Part::Text(text), rest)) => match path.strip_prefix(text.as_str()) {
            Some(after) => bind(rest, after, bindings),
            None => false,
        },
        Some((Part::Hole(name), rest)) => {
            let known = bindings.iter().find(|it| it.0 == *name);
            if let Some(value) = known.map(|it| it.1.clone()) {
                let after = path.strip_prefix(&*value);
                return after.is_some_and(|it| bind(rest, it, bindings));
            }
            let ends = path.char_indices().map(|(at, it)| at + it.len_utf8());
            for end in ends.take_while(|end| !path[..*end].ends_with('/')) {
                let length = bindings.len();
                bindings.push((name.clone(), path[..end].to_owned()));
                if bind(rest, &path[end..], bindings) {
                    return true;
                }
                bindings.truncate(length);
            }
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binds_the_holes_of_paths() {
        let template = PathTemplate::new("data", "nodes/%{trusted.certname}.yaml");
        let bindings = |path| template.bindings(path);
        let web = ("trusted.certname".to_owned(), "web1.a".to_owned());
        assert_eq!(bindings("data/nodes/web1.a.yaml"), Some(vec![web]));
        for other in [
            "data/nodes/.yaml",
            "data/nodes/a/b.yaml",
            "data/nodes/a.json",
        ] {
            assert_eq!(bindings(other), None, "{other}");
        }
        let fits = |path: &str| {
            let pattern = ["data", "build", "%{a}", "%{b}-x", "c.yaml"];
            fits(&pattern, &path.split('/').collect::<Vec<_>>())
        };
        assert!(fits("data/build/1/2-x/c.yaml") && fits("data/build/2-x/c.yaml"));
        assert!(!fits("data/build/c.yaml") && !fits("data/build/1/2-x/3/c.yaml"));
        let of_facts = ["data", "%{facts.os.family}", "%{facts.x}.yaml"];
        let fits_facts = |path: &str| super::fits(&of_facts, &path.split('/').collect::<Vec<_>>());
        assert!(fits_facts("data/Debian/12.yaml") && !fits_facts("data/Debian.yaml"));
        let twice = PathTemplate::new("data", "%{a}/%{a}.yaml");
        assert!(twice.bindings("data/x/x.yaml").is_some());
        assert!(twice.bindings("data/x/y.yaml").is_none());
    }

    #[test]
    fn levels_of_filled_folders_are_known_without_files() {
        let extent = |level: &str| {
            let text = format!(
                "version: 5\nhierarchy:\n- {{name: a, {level}}}\n- {{name: b, path: c.yaml}}\n"
            );
            let config = HieraConfig::read(&text, false).expect("a valid configuration");
            config.extent(false, ["data/c.yaml"].into_iter())
        };
        for (level, expected) in [
            (
                "path: 'v/%{facts.virtual}_%{os.family}.yaml'",
                DataExtent::Whole,
            ),
            ("path: 'f/%{osfamily}.yaml'", DataExtent::Whole),
            (
                "path: 's/%{facts.os.family}-%{facts.role}.yaml'",
                DataExtent::Whole,
            ),
            ("path: 'secrets/%{facts.role}.yaml'", DataExtent::Found),
            (
                "path: '%{facts.virtual}.yaml', datadir: other",
                DataExtent::Found,
            ),
            (
                "path: 's/%{osfamily}.yaml', lookup_key: eyaml_lookup_key",
                DataExtent::Found,
            ),
        ] {
            assert_eq!(extent(level), expected, "{level}");
        }
    }
}
