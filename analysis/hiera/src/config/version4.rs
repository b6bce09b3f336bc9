//! `hiera.yaml` of version 4, which Puppet still reads.

use syntax::TextRange;

use super::{Backend, ConfigProblem, HieraConfig, Level, Location, Locations, error, text_of};
use crate::data_file::DataFormat;
use crate::document::Node;
use crate::paths::joined;

/// The top-level keys.
pub const TOP: [&str; 3] = ["version", "datadir", "hierarchy"];

/// The keys of a level.
pub const LEVEL: [&str; 5] = ["backend", "name", "datadir", "path", "paths"];

/// The backends.
pub const BACKENDS: [&str; 3] = ["yaml", "json", "hocon"];

/// Reads a configuration, as `HieraConfigV4` does.
pub(super) fn read(root: &Node) -> Result<HieraConfig, ConfigProblem> {
    only(root, &TOP)?;
    let datadir = text_of(root, "datadir")?.unwrap_or("data");
    let hierarchy = match root.find("hierarchy").filter(|it| !it.is_null()) {
        None => vec![default_level(datadir)],
        Some(levels) => {
            let levels = levels.elements();
            let levels = levels.ok_or_else(|| error("a hierarchy must be an array of levels"))?;
            let levels = levels.iter().map(|it| level(it, datadir));
            levels.collect::<Result<_, _>>()?
        }
    };
    super::with_unique_names(&hierarchy)?;
    Ok(HieraConfig {
        version: 4,
        hierarchy,
        default_hierarchy: None,
        plan_hierarchy: Vec::new(),
    })
}

/// Returns the level of a configuration without `hierarchy`.
fn default_level(datadir: &str) -> Level {
    let path = Location {
        text: "common.yaml".to_owned(),
        range: TextRange::default(),
        added: ".yaml".len(),
    };
    Level {
        name: "common".to_owned(),
        name_range: TextRange::default(),
        backend: Backend::File(DataFormat::Yaml),
        datadir: joined("", datadir),
        locations: Locations::Paths(vec![path]),
        has_options: false,
    }
}

fn level(node: &Node, datadir: &str) -> Result<Level, ConfigProblem> {
    only(node, &LEVEL)?;
    let name = node.find("name").filter(|it| it.string().is_some());
    let name = name.ok_or_else(|| error("a level has no name"))?;
    let backend = text_of(node, "backend")?;
    let (backend, extension) = match backend.ok_or_else(|| error("a level has no backend"))? {
        "yaml" => (Backend::File(DataFormat::Yaml), ".yaml"),
        "json" => (Backend::File(DataFormat::Json), ".json"),
        "hocon" => (Backend::Custom("hocon_data".to_owned()), ".conf"),
        other => {
            let message = format!("No data provider is registered for backend '{other}'");
            return Err(ConfigProblem::Error(message));
        }
    };
    let paths = match (node.find_entry("paths"), node.find_entry("path")) {
        (Some(entry), _) | (None, Some(entry)) => match super::read_locations(entry)? {
            Locations::Paths(paths) => paths,
            _ => Vec::new(),
        },
        (None, None) => vec![super::location(name)?],
    };
    let with_extension = |it: Location| match it.text.ends_with(extension) {
        true => it,
        false => Location {
            text: format!("{}{extension}", it.text),
            added: extension.len(),
            ..it
        },
    };
    Ok(Level {
        name: name.string().unwrap_or_default().to_owned(),
        name_range: name.range,
        backend,
        datadir: joined("", text_of(node, "datadir")?.unwrap_or(datadir)),
        locations: Locations::Paths(paths.into_iter().map(with_extension).collect()),
        has_options: false,
    })
}

/// Rejects keys other than the known ones.
fn only(node: &Node, known: &[&str]) -> Result<(), ConfigProblem> {
    let entries = node.entries();
    let entries = entries.ok_or_else(|| error("a level of the hierarchy must be a hash"))?;
    match entries.iter().find(|it| !known.contains(&it.name())) {
        None => Ok(()),
        Some(it) => {
            let message = format!("unrecognized key '{}' in hiera.yaml", it.name());
            Err(ConfigProblem::Error(message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the paths of the levels, or the error.
    fn paths(text: &str) -> Vec<String> {
        match HieraConfig::read(&format!("version: 4\n{text}"), false) {
            Ok(config) => {
                let levels = config.levels();
                let paths = levels.flat_map(|level| {
                    let paths = level.locations.paths().iter();
                    paths.map(|it| joined(&level.datadir, &it.text))
                });
                paths.collect()
            }
            Err(ConfigProblem::Error(error) | ConfigProblem::Unknown(error)) => vec![error],
        }
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn reads_paths_without_extension() {
        assert_eq!(paths(""), ["data/common.yaml"]);
        assert_eq!(
            paths(
                "datadir: d\nhierarchy:\n- {name: a, backend: yaml}\n\
                 - {name: b, backend: json, paths: [x, \"%{y}\", z.json], datadir: e}\n\
                 - {name: c, backend: yaml, path: x.yaml}\n"
            ),
            [
                "d/a.yaml",
                "e/x.json",
                "e/%{y}.json",
                "e/z.json",
                "d/x.yaml"
            ]
        );
    }

    /// Verified with Puppet 7.23.
    #[test]
    fn rejects_what_puppet_rejects() {
        let of = |level: &str| paths(&format!("hierarchy:\n- {{{level}}}\n"));
        assert_eq!(
            of("name: a, backend: yml"),
            ["No data provider is registered for backend 'yml'"]
        );
        assert_eq!(of("name: a, path: x"), ["a level has no backend"]);
        assert_eq!(of("path: a, backend: yaml"), ["a level has no name"]);
        assert_eq!(
            of("name: a, backend: yaml, glob: x"),
            ["unrecognized key 'glob' in hiera.yaml"]
        );
    }
}
