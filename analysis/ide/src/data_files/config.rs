//! Navigation in `hiera.yaml`: the files that its paths refer to.

use base::{FileInput, ModuleInput};
use hiera::{HieraConfig, Level, LevelFile, Location, Locations};
use infer::hiera_config;
use salsa::Database;
use syntax::{TextRange, TextSize};

use super::{FileKind, file_kind};
use crate::document_link::without_quotes;
use crate::{DocumentLink, LinkTarget, NavigationTarget, NavigationTargets};

/// A path in `hiera.yaml`, and the data files that it can refer to.
pub(super) struct ConfigPath {
    /// The range of the path, with quotes.
    pub(super) range: TextRange,
    pub(super) files: Vec<(FileInput, LevelFile)>,
}

/// Returns the paths of the levels in `hiera.yaml`; empty for other files and if it is invalid.
pub(super) fn config_paths(db: &dyn Database, file: FileInput) -> Vec<ConfigPath> {
    let module = file.module(db);
    let Some(module) = module.filter(|_| file_kind(db, file) == FileKind::Config) else {
        return Vec::new();
    };
    let Some(Ok(config)) = hiera_config(db, module) else {
        return Vec::new();
    };
    let defaults = config.default_hierarchy.iter().flatten();
    let levels = config.hierarchy.iter().chain(defaults);
    let paths = levels.flat_map(|level| {
        let paths = single_paths(level).into_iter();
        paths.map(move |(location, level)| ConfigPath {
            range: location.range,
            files: files_of(db, module, level),
        })
    });
    paths.filter(|it| !it.range.is_empty()).collect()
}

/// Returns the paths of a level, each with a level that has no other path.
fn single_paths(level: &Level) -> Vec<(&Location, Level)> {
    let with = |locations: Locations| Level {
        locations,
        ..level.clone()
    };
    match &level.locations {
        Locations::Paths(paths) => {
            let paths = paths.iter();
            paths
                .map(|it| (it, with(Locations::Paths(vec![it.clone()]))))
                .collect()
        }
        Locations::Globs(globs) => {
            let globs = globs.iter();
            globs
                .map(|it| (it, with(Locations::Globs(vec![it.clone()]))))
                .collect()
        }
        Locations::Mapped(_, _, path) => vec![(path, level.clone())],
        Locations::Uris | Locations::None => Vec::new(),
    }
}

fn files_of(db: &dyn Database, module: ModuleInput, level: Level) -> Vec<(FileInput, LevelFile)> {
    let single = HieraConfig {
        version: 5,
        hierarchy: vec![level],
        default_hierarchy: None,
        plan_hierarchy: Vec::new(),
    };
    let files = module.files(db);
    let found = single
        .level_files(files.keys().map(String::as_str))
        .into_iter();
    let found = found.filter_map(|it| Some((*files.get(&*it.path)?, it)));
    found.collect()
}

/// Returns the path of a level at an offset of `hiera.yaml`.
pub(super) fn config_path_at(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<ConfigPath> {
    let mut paths = config_paths(db, file).into_iter();
    paths.find(|it| it.range.contains_inclusive(offset))
}

/// Returns the links from paths in `hiera.yaml` that refer to one file.
pub(crate) fn config_links(db: &dyn Database, file: FileInput) -> Vec<DocumentLink> {
    let paths = config_paths(db, file).into_iter();
    let mut links: Vec<DocumentLink> = paths
        .filter_map(|it| match it.files.as_slice() {
            [(target, _)] => Some(DocumentLink {
                range: without_quotes(db, file, it.range),
                target: LinkTarget::File(target.id(db)),
            }),
            _ => None,
        })
        .collect();
    links.sort_by_key(|it| it.range.start());
    links
}

/// Returns the files that the path at an offset of `hiera.yaml` can refer to.
pub(super) fn config_definition(
    db: &dyn Database,
    file: FileInput,
    offset: TextSize,
) -> Option<NavigationTargets> {
    let path = config_path_at(db, file, offset)?;
    let targets = path.files.iter().map(|(file, _)| NavigationTarget {
        file: file.id(db),
        range: TextRange::default(),
        name_range: TextRange::default(),
    });
    let targets: Vec<_> = targets.collect();
    (!targets.is_empty()).then_some(NavigationTargets {
        range: path.range,
        targets,
        built_in: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::LinkTarget;
    use crate::fixture::{Fixture, visible_text};

    const FILES: &str = "
//- modules/environment/data/common.yaml
//- modules/environment/data/nodes/a.yaml
//- modules/environment/data/nodes/b.yaml
//- modules/environment/hiera.yaml
version: 5
hierarchy:
  - name: Nodes
    path: 'nodes/%{trusted.certname}.yaml'
  - name: Rest
    paths: [missing.yaml, \"common.yaml\"]
  - name: All
    glob: nodes/*.y<^>aml
  - name: Mapped
    mapped_paths: [facts.x, it, \"nodes/%{it}.yaml\"]
";

    #[test]
    fn paths_lead_to_files() {
        let fixture = Fixture::new(FILES);
        let (file, offset) = fixture.cursor();
        let analysis = fixture.analysis();
        let links = analysis.document_links(file).into_iter().map(|it| {
            let LinkTarget::File(target) = it.target else {
                panic!("paths are not URLs");
            };
            let place = visible_text(fixture.text(file), it.range);
            format!("{place} -> {}", fixture.path(target))
        });
        assert_eq!(
            links.collect::<Vec<_>>(),
            ["common.yaml -> modules/environment/data/common.yaml"]
        );
        let at = |offset| {
            let found = analysis.goto_definition(file, offset);
            let targets = found.map_or_else(Vec::new, |it| it.targets).into_iter();
            let paths = targets.map(|it| fixture.path(it.file).replace("modules/environment/", ""));
            paths.collect::<Vec<_>>()
        };
        assert_eq!(at(offset), ["data/nodes/a.yaml", "data/nodes/b.yaml"]);
        let text = fixture.text(file);
        let of = |text_part: &str| {
            let at_part = text.find(text_part).expect("it is part of the file");
            at(u32::try_from(at_part).expect("the file is short").into())
        };
        assert_eq!(of("nodes/%{trusted").len(), 2);
        assert_eq!(of("nodes/%{it}").len(), 2);
        assert!(of("missing").is_empty());
        assert!(of("name: Nodes").is_empty());
    }
}
