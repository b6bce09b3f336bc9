//! `hiera.yaml`: the levels of the hierarchy, with ranges.

pub mod version4;

use syntax::TextRange;
use types::values::Value;

use crate::data_file::{DataFile, DataFormat, RootValue};
use crate::document::{self, Entry, Node};
use crate::paths::{Folders, is_below, joined};

/// The configuration of an environment or a module.
#[derive(Clone, PartialEq, Debug)]
pub struct HieraConfig {
    /// The version of the file: 4 or 5.
    pub version: u8,
    /// The levels of `hierarchy`, the highest first.
    pub hierarchy: Vec<Level>,
    /// The levels of `default_hierarchy`, if there is one.
    pub default_hierarchy: Option<Vec<Level>>,
    /// The levels of `plan_hierarchy`, which Bolt reads in plans. Empty if Bolt would refuse it.
    pub plan_hierarchy: Vec<Level>,
}

/// A level of the hierarchy.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// The range of the name.
    pub name_range: TextRange,
    /// The function that reads the data.
    pub backend: Backend,
    /// The normalized folder of the data files, relative to that of `hiera.yaml`; empty for that folder.
    pub datadir: String,
    /// Where the data is.
    pub locations: Locations,
    /// Whether the level or the defaults have options.
    pub has_options: bool,
}

/// The function that reads the data of a level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Backend {
    /// `data_hash: yaml_data` or `json_data`.
    File(DataFormat),
    /// `lookup_key: eyaml_lookup_key`.
    Eyaml,
    /// Any other function.
    Custom(String),
}

impl Backend {
    /// Returns the format of the files; `None` for other functions, whose data may be anything.
    pub(crate) fn format(&self) -> Option<DataFormat> {
        match self {
            Backend::File(format) => Some(*format),
            Backend::Eyaml => Some(DataFormat::Yaml),
            Backend::Custom(_) => None,
        }
    }
}

/// The locations of the data of a level, before interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Locations {
    /// `path` or `paths`.
    Paths(Vec<Location>),
    /// `glob` or `globs`.
    Globs(Vec<Location>),
    /// `mapped_paths`: a variable, the name for its elements, and a path.
    Mapped(Location, String, Location),
    /// `uri` or `uris`.
    Uris,
    /// None.
    None,
}

/// A path, with interpolations, as in `hiera.yaml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The path.
    pub text: String,
    /// Its range, with quotes.
    pub range: TextRange,
    /// The length of the extension in `text` that Puppet adds to the path.
    pub added: usize,
}

impl Location {
    /// Returns the path as written.
    pub(crate) fn written(&self) -> &str {
        &self.text[..self.text.len() - self.added]
    }
}

/// The reason why a configuration is of no use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConfigProblem {
    /// Each lookup fails, with this message.
    Error(String),
    /// The configuration is not supported by Pupil, for this reason.
    Unknown(String),
}

impl HieraConfig {
    /// Reads the text of `hiera.yaml` in an environment or, if `in_module`, in a module.
    ///
    /// # Errors
    ///
    /// If Puppet rejects the file.
    pub fn read(text: &str, in_module: bool) -> Result<HieraConfig, ConfigProblem> {
        let file = DataFile::parse(text, DataFormat::Yaml);
        let values = match &file.values {
            Ok(values) => values,
            Err(error) if error.kind == crate::data_file::DataErrorKind::NotAHash => {
                return Err(version_3(in_module));
            }
            Err(_) => return Err(error("invalid hiera.yaml")),
        };
        match values.get("version") {
            None | Some(RootValue::Value(Value::Undef | Value::Boolean(false))) => {
                return Err(version_3(in_module));
            }
            Some(RootValue::Value(Value::Integer(4 | 5))) => {}
            Some(RootValue::Value(Value::Integer(3))) => return Err(version_3(in_module)),
            Some(_) => return Err(error("invalid version of hiera.yaml")),
        }
        let root = document::yaml_with_aliases(text).ok().flatten();
        let root = root.ok_or_else(|| error("invalid hiera.yaml"))?;
        match values.get("version") {
            Some(RootValue::Value(Value::Integer(4))) => version4::read(&root),
            _ => Reader::new(&root, in_module)?.config(&root),
        }
    }

    /// Iterates over the levels of all hierarchies.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        let defaults = self.default_hierarchy.iter().flatten();
        let others = defaults.chain(&self.plan_hierarchy);
        self.hierarchy.iter().chain(others)
    }

    /// Returns the folders of data below that of the configuration, up to the first variable. The empty one
    /// means the files next to the configuration, without those in folders.
    pub fn folders(&self) -> Folders {
        let mut folders = Vec::new();
        for level in self.levels() {
            let own = plain_folder(&level.datadir);
            let paths = level.locations.paths().iter();
            let paths = paths.map(|it| joined(&level.datadir, &it.text));
            let is_own = |path: &String| own.as_ref().is_some_and(|it| is_below(path, it));
            let others = paths.filter(|it| !is_own(it));
            folders.extend(others.filter_map(|it| folder_of(&it)));
            folders.extend(own);
        }
        Folders::new(folders)
    }
}

impl Locations {
    /// Returns the paths and patterns.
    fn paths(&self) -> &[Location] {
        match self {
            Locations::Paths(all) | Locations::Globs(all) => all,
            Locations::Mapped(_, _, path) => std::slice::from_ref(path),
            Locations::Uris | Locations::None => &[],
        }
    }
}

/// Returns the part of a data directory without variables, if it is a folder below that of the configuration.
fn plain_folder(datadir: &str) -> Option<String> {
    let plain = match datadir.split_once("%{") {
        Some((start, _)) => start.rsplit_once('/')?.0,
        None => datadir,
    };
    (!plain.is_empty() && !is_outside(plain)).then(|| plain.to_owned())
}

/// Checks whether all files that match a pattern, without variables, are in the folders of data.
pub(crate) fn covers(folders: &Folders, pattern: &str) -> bool {
    folder_of(pattern).is_some_and(|it| folders.cover(&it))
}

/// Returns the folder of a path or pattern up to the first variable, if it is that of the configuration or below
/// it.
fn folder_of(path: &str) -> Option<String> {
    if is_outside(path) {
        return None;
    }
    let plain = match path.find(['%', '*', '?', '[', '{']) {
        Some(end) => &path[..end],
        None => path,
    };
    match plain.rsplit_once('/') {
        Some((folder, _)) => Some(folder.to_owned()),
        None => (!path.contains('/')).then(String::new),
    }
}

/// Checks whether a normalized path leads out of the folder that it is relative to.
fn is_outside(path: &str) -> bool {
    path.starts_with('/') || path == ".." || path.starts_with("../")
}

fn version_3(in_module: bool) -> ConfigProblem {
    let place = if in_module {
        "a module"
    } else {
        "an environment"
    };
    ConfigProblem::Error(format!("hiera.yaml version 3 cannot be used in {place}"))
}

fn error(message: &str) -> ConfigProblem {
    ConfigProblem::Error(message.to_owned())
}

/// The keys that select the function of a level, in the order in which Puppet looks for them. A level has
/// exactly one.
pub const BACKENDS: [&str; 5] = [
    "data_hash",
    "lookup_key",
    "data_dig",
    "hiera3_backend",
    "v4_data_hash",
];

/// The keys that locate the data. A level has at most one.
pub const LOCATIONS: [&str; 7] = [
    "path",
    "paths",
    "glob",
    "globs",
    "uri",
    "uris",
    "mapped_paths",
];

/// Reads levels, with the defaults.
struct Reader<'a> {
    backend: Option<(&'a str, &'a str)>,
    datadir: &'a str,
    has_options: bool,
    in_module: bool,
}

impl<'a> Reader<'a> {
    fn new(root: &'a Node, in_module: bool) -> Result<Reader<'a>, ConfigProblem> {
        let defaults = root.find("defaults").filter(|it| !it.is_null());
        let Some(defaults) = defaults else {
            return Ok(Reader {
                backend: Some(("data_hash", "yaml_data")),
                datadir: "data",
                has_options: false,
                in_module,
            });
        };
        if defaults.entries().is_none() {
            return Err(error("`defaults` in hiera.yaml must be a hash"));
        }
        Ok(Reader {
            backend: one_backend(defaults)?,
            datadir: text_of(defaults, "datadir")?.unwrap_or("data"),
            has_options: has_options(defaults),
            in_module,
        })
    }

    fn config(&self, root: &Node) -> Result<HieraConfig, ConfigProblem> {
        let hierarchy = match root.find("hierarchy").filter(|it| !it.is_null()) {
            Some(levels) => self.levels(levels)?,
            None => vec![self.default_level()?],
        };
        let default_hierarchy = match root.find("default_hierarchy") {
            Some(_) if !self.in_module => {
                return Err(error(
                    "'default_hierarchy' is only allowed in the module layer",
                ));
            }
            Some(levels) => Some(self.levels(levels)?),
            None => None,
        };
        let plan_hierarchy = root.find("plan_hierarchy");
        let plan_hierarchy = plan_hierarchy.and_then(|it| self.levels(it).ok());
        Ok(HieraConfig {
            version: 5,
            hierarchy,
            default_hierarchy,
            plan_hierarchy: plan_hierarchy.unwrap_or_default(),
        })
    }

    /// Returns the level of a file without `hierarchy`.
    fn default_level(&self) -> Result<Level, ConfigProblem> {
        Ok(Level {
            name: "Common".to_owned(),
            name_range: TextRange::default(),
            backend: self.backend(None)?,
            datadir: self.datadir(self.datadir),
            locations: Locations::Paths(vec![Location {
                text: "common.yaml".to_owned(),
                range: TextRange::default(),
                added: 0,
            }]),
            has_options: self.has_options,
        })
    }

    fn levels(&self, node: &Node) -> Result<Vec<Level>, ConfigProblem> {
        let levels = node.elements();
        let levels = levels.ok_or_else(|| error("a hierarchy must be an array of levels"))?;
        let levels: Vec<Level> = levels
            .iter()
            .map(|it| self.level(it))
            .collect::<Result<_, _>>()?;
        with_unique_names(&levels)?;
        Ok(levels)
    }

    fn level(&self, node: &Node) -> Result<Level, ConfigProblem> {
        if node.entries().is_none() {
            return Err(error("a level of the hierarchy must be a hash"));
        }
        let name = node
            .find("name")
            .and_then(|it| Some((it.text()?, it.range)));
        let (name, name_range) = name.ok_or_else(|| error("a level has no name"))?;
        let locations = LOCATIONS.iter().filter_map(|it| node.find_entry(it));
        let locations: Vec<&Entry> = locations.collect();
        if locations.len() > 1 {
            return Err(error("a level has several kinds of locations"));
        }
        Ok(Level {
            name: name.to_owned(),
            name_range,
            backend: self.backend(one_backend(node)?)?,
            datadir: self.datadir(text_of(node, "datadir")?.unwrap_or(self.datadir)),
            locations: match locations.first() {
                Some(entry) => read_locations(entry)?,
                None => Locations::None,
            },
            has_options: match node.find("options") {
                Some(_) => has_options(node),
                None => self.has_options,
            },
        })
    }

    /// Returns a normalized data directory, relative to the environment if an absolute one is certainly below it.
    fn datadir(&self, datadir: &str) -> String {
        let relative = match self.in_module {
            true => None,
            false => below_environment(datadir),
        };
        joined("", relative.unwrap_or(datadir))
    }

    fn backend(&self, own: Option<(&str, &str)>) -> Result<Backend, ConfigProblem> {
        let backend = own.or(self.backend);
        let (kind, function) = backend.ok_or_else(|| error("a level has no data_hash function"))?;
        Ok(match (kind, function) {
            ("data_hash", "yaml_data") => Backend::File(DataFormat::Yaml),
            ("data_hash", "json_data") => Backend::File(DataFormat::Json),
            ("lookup_key", "eyaml_lookup_key") => Backend::Eyaml,
            ("hiera3_backend", _) => {
                return Err(error(
                    "'hiera3_backend' is only allowed in the global layer",
                ));
            }
            (_, function) => Backend::Custom(function.to_owned()),
        })
    }
}

/// Rejects levels of the same name.
fn with_unique_names(levels: &[Level]) -> Result<(), ConfigProblem> {
    for (index, level) in levels.iter().enumerate() {
        if levels[..index].iter().any(|it| it.name == level.name) {
            let message = format!("Hierarchy name '{}' defined more than once.", level.name);
            return Err(ConfigProblem::Error(message));
        }
    }
    Ok(())
}

/// Returns the part of an absolute path after the folder of the environment, as in
/// `/etc/puppetlabs/code/environments/%{environment}/data`.
fn below_environment(path: &str) -> Option<&str> {
    let (before, after) = ["%{environment}", "%{::environment}"]
        .iter()
        .find_map(|it| path.split_once(it))?;
    let is_folder = before.ends_with("/environments/") || before == "%{settings::environmentpath}/";
    let is_below = is_folder && (after.is_empty() || after.starts_with('/'));
    is_below.then(|| after.trim_start_matches('/'))
}

fn one_backend(node: &Node) -> Result<Option<(&'static str, &str)>, ConfigProblem> {
    let mut found = None;
    for key in BACKENDS {
        if let Some(function) = text_of(node, key)? {
            if found.is_some() {
                return Err(error("a level has several backends"));
            }
            found = Some((key, function));
        }
    }
    Ok(found)
}

/// Returns the string of a key, which must not be empty.
fn text_of<'a>(node: &'a Node, key: &str) -> Result<Option<&'a str>, ConfigProblem> {
    let Some(value) = node.find(key) else {
        return Ok(None);
    };
    let text = value.string().filter(|it| !it.is_empty());
    let wrong = || ConfigProblem::Error(format!("`{key}` in hiera.yaml must be a string"));
    text.map(Some).ok_or_else(wrong)
}

fn has_options(node: &Node) -> bool {
    let options = node.find("options").and_then(Node::entries);
    options.is_some_and(|it| !it.is_empty())
}

fn read_locations(entry: &Entry) -> Result<Locations, ConfigProblem> {
    let single = || Ok(vec![location(&entry.value)?]);
    let several = || -> Result<Vec<Location>, ConfigProblem> {
        let items = entry.value.elements().filter(|it| !it.is_empty());
        let message = format!("`{}` in hiera.yaml must be an array", entry.name());
        let items = items.ok_or(ConfigProblem::Error(message))?;
        items.iter().map(location).collect()
    };
    Ok(match entry.name() {
        "path" => Locations::Paths(single()?),
        "paths" => Locations::Paths(several()?),
        "glob" => Locations::Globs(single()?),
        "globs" => Locations::Globs(several()?),
        "mapped_paths" => {
            let mut parts = several()?.into_iter();
            match (parts.next(), parts.next(), parts.next(), parts.next()) {
                (Some(variable), Some(name), Some(path), None) => {
                    Locations::Mapped(variable, name.text, path)
                }
                _ => return Err(error("`mapped_paths` must have three elements")),
            }
        }
        _ => Locations::Uris,
    })
}

fn location(node: &Node) -> Result<Location, ConfigProblem> {
    let text = node.string().filter(|it| !it.is_empty());
    let text = text.ok_or_else(|| error("a path in hiera.yaml must be a string"))?;
    Ok(Location {
        text: text.to_owned(),
        range: node.range,
        added: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders_of(config: &HieraConfig) -> Vec<String> {
        config.folders().iter().map(str::to_owned).collect()
    }

    #[test]
    fn reads_levels() {
        let text = "version: 5
defaults: { datadir: hiera }
hierarchy:
  - name: Private
    lookup_key: eyaml_lookup_key
    datadir: /etc/puppetlabs/code/environments/%{environment}/secret
    paths: &paths [nodes.yaml]
  - name: Public
    data_hash: yaml_data
    paths: *paths
";
        let config = HieraConfig::read(text, false).expect("the configuration is valid");
        assert_eq!(folders_of(&config), ["hiera", "secret"]);
        assert_eq!(config.hierarchy[0].backend, Backend::Eyaml);
        assert!(matches!(config.hierarchy[1].locations, Locations::Paths(_)));
    }

    #[test]
    fn levels_of_plans_are_read_apart() {
        let text = "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n\
                    plan_hierarchy: [{name: b, path: b.yaml}]\n";
        let config = HieraConfig::read(text, false).expect("the configuration is valid");
        assert_eq!(config.hierarchy.len(), 1);
        assert_eq!(config.plan_hierarchy.len(), 1);
        assert_eq!(config.levels().count(), 2);
        let text = "version: 5\nplan_hierarchy: [{path: b.yaml}]\n";
        let config = HieraConfig::read(text, false).expect("the configuration is valid");
        assert_eq!(config.plan_hierarchy, []);
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn data_may_be_next_to_the_configuration() {
        let folders = |level: &str| {
            let text = format!("version: 5\nhierarchy:\n- {{name: a, {level}}}\n");
            let config = HieraConfig::read(&text, false).expect("the configuration is valid");
            folders_of(&config)
        };
        for datadir in [
            ".",
            "./",
            "data/..",
            "/etc/puppetlabs/code/environments/%{environment}",
            "%{settings::environmentpath}/%{::environment}/",
        ] {
            let of = |path: &str| folders(&format!("datadir: '{datadir}', {path}"));
            assert_eq!(of("path: common.yaml"), [""], "{datadir}");
            assert_eq!(of("path: \"n/%{x}.yaml\""), ["n"], "{datadir}");
            assert_eq!(of("globs: [\"a/b/*.yaml\", \"*.yaml\"]"), ["", "a/b"]);
            assert_eq!(of("path: \"%{x}/y.yaml\""), [""; 0], "{datadir}");
        }
        assert_eq!(folders("datadir: ./a/../b/, path: x.yaml"), ["b"]);
        assert_eq!(folders("path: ../other/x.yaml"), ["data", "other"]);
        assert_eq!(folders("datadir: .., path: x.yaml"), [""; 0]);
        assert_eq!(folders("datadir: /srv/data, path: x.yaml"), [""; 0]);
    }

    #[test]
    fn rejects_what_puppet_rejects() {
        for text in [
            "",
            "[]",
            "version: 3",
            "version: '5'",
            "version: 5\nhierarchy: x",
            "version: 5\nhierarchy: [{path: x}]",
            "version: 5\nhierarchy: [{name: a, path: x}, {name: a, path: y}]",
            "version: 5\nhierarchy: [{name: a, path: x, glob: y}]",
            "version: 5\nhierarchy: [{name: a, path: x, data_hash: y, lookup_key: z}]",
            "version: 5\ndefault_hierarchy: []",
        ] {
            let error = HieraConfig::read(text, false);
            assert!(matches!(error, Err(ConfigProblem::Error(_))), "{text}");
        }
    }
}
