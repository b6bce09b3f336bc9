//! The interpolations and the paths in `hiera.yaml`.

use base::suggest::{is_slip, similar};
use std::collections::BTreeSet;

use hiera::document::{self, Data, Node};
use hiera::interpolation::{Expression, interpolations};
use hiera::{
    Backend, DataFormat, HieraConfig, LevelFile, Locations, LookupKey, PathTemplate, joined,
};
use syntax::TextRange;

use super::{Owner, ProjectChecker, ProjectFile};
use crate::data::strings::{Content, interpolations_in};
use crate::data::variables::{
    FactContext, FactProblem, FactProblemKind, fact_problem, is_plain_name, variable_path,
};
use crate::rule::Rule;

/// The keys with interpolations, at the top and in a level. Names of levels are not interpolated.
const INTERPOLATED: [&str; 9] = [
    "datadir",
    "glob",
    "globs",
    "mapped_paths",
    "options",
    "path",
    "paths",
    "uri",
    "uris",
];

impl ProjectChecker<'_> {
    /// Returns the interpolations in `hiera.yaml` of version 4 or 5, with their ranges.
    pub(crate) fn hiera_interpolations(&self) -> Vec<(Content, TextRange)> {
        if self.file != ProjectFile::Hiera {
            return Vec::new();
        }
        let Ok(Some(root)) = document::yaml(self.text) else {
            return Vec::new();
        };
        let version = root.find("version").and_then(Node::text);
        if !matches!(version, Some("4" | "5")) {
            return Vec::new();
        }
        let tops = root.entries().unwrap_or_default().iter();
        let parts = tops.flat_map(|it| match it.value.elements() {
            Some(levels) => levels.iter().collect(),
            None => vec![&it.value],
        });
        let entries = parts.flat_map(|it| it.entries().unwrap_or_default());
        let entries = entries.filter(|it| INTERPOLATED.contains(&it.name()));
        let found = entries.flat_map(|it| interpolations_in(it.name(), &it.value, self.text));
        found.map(|it| (it.content, it.range)).collect()
    }

    /// Reports the mistakes of a kind in the paths of facts in `hiera.yaml`.
    pub(crate) fn report_hiera_fact_problems(
        &mut self,
        rule: &'static Rule,
        kind: FactProblemKind,
    ) {
        for (range, problem) in self.hiera_fact_problems() {
            if problem.kind == kind {
                self.report_as(rule, problem.severity, range, problem.message);
            }
        }
    }

    fn hiera_fact_problems(&self) -> Vec<(TextRange, FactProblem)> {
        let around = self.context;
        let may_be_fact = |name: &str| around.has_fact_word(name);
        let context = FactContext {
            version: around.version,
            may_be_fact: &may_be_fact,
            custom: around.custom_facts.iter().map(String::as_str).collect(),
        };
        let found = self.hiera_interpolations().into_iter();
        let found = found.filter_map(|(content, range)| {
            // A method fails.
            let Content::Variable(_) = content else {
                return None;
            };
            Some((range, fact_problem(&variable_path(&content)?, &context)?))
        });
        found.collect()
    }

    /// Returns the variables in `hiera.yaml` that neither Puppet, nor a fact, nor the main manifests define, with their
    /// ranges and a similar name.
    pub(crate) fn unknown_hiera_variables(&self) -> Vec<(TextRange, String, Option<String>)> {
        let around = self.context;
        let Some(variables) = &around.variables else {
            return Vec::new();
        };
        let interpolated = self.hiera_interpolations().into_iter();
        let interpolated = interpolated.filter_map(|(content, range)| {
            let Content::Variable(_) = content else {
                return None;
            };
            let path = variable_path(&content)?;
            Some((range, path.into_iter().next()?))
        });
        let mut all: Vec<(TextRange, String)> = interpolated.collect();
        let mapped = self.mapped_variables();
        // The name of an element is a variable in the path after it.
        let names: BTreeSet<String> = mapped.iter().map(|it| it.2.clone()).collect();
        all.extend(mapped.into_iter().map(|it| (it.0, it.1)));
        let is_known = |name: &str| {
            variables.contains(name)
                || names.contains(name)
                || around.custom_facts.contains(&name.to_ascii_lowercase())
                || around.has_fact_word(name)
                || library::variable(name).is_some()
                || library::fact(name).is_some()
                || library::legacy_fact(name).is_some()
                || library::is_module_fact(name)
        };
        all.retain(|(_, name)| is_plain_name(name) && !is_known(name));
        let near = |name: &str| {
            if library::TRUSTED_KEYS.contains(&name) {
                return Some(format!("trusted.{name}"));
            }
            let facts = library::facts().chain(library::legacy_facts());
            let facts = facts.map(|it| it.name.as_str());
            let own = variables.iter().chain(&around.custom_facts);
            let near = similar(name, own.map(String::as_str).chain(facts))?;
            is_slip(name, near).then(|| near.to_owned())
        };
        all.into_iter()
            .map(|(range, name)| {
                let near = near(&name);
                (range, name, near)
            })
            .collect()
    }

    /// Returns the variables of `mapped_paths`, with their ranges and the names of their elements.
    fn mapped_variables(&self) -> Vec<(TextRange, String, String)> {
        let Ok(config) = HieraConfig::read(self.text, self.context.owner == Some(Owner::Module))
        else {
            return Vec::new();
        };
        let levels = config.levels().filter_map(|it| match &it.locations {
            Locations::Mapped(variable, name, _) => {
                let key = LookupKey::parse(&variable.text)?;
                let root = key.root.strip_prefix("::").unwrap_or(&key.root);
                Some((variable.range, root.to_owned(), name.clone()))
            }
            _ => None,
        });
        levels.collect()
    }

    fn data_files(&self) -> impl Iterator<Item = &str> + Clone {
        self.context.data_files.iter().map(String::as_str)
    }

    /// Returns the data files that no level of a configuration reads.
    fn unread_files(&self, config: &HieraConfig) -> Vec<&str> {
        let read = config.level_files(self.data_files()).into_iter();
        let read: BTreeSet<_> = read.map(|it| it.path).collect();
        self.data_files().filter(|it| !read.contains(*it)).collect()
    }

    /// Returns the data files that levels read only for some values of variables.
    fn files_of_some_nodes(&self, config: &HieraConfig) -> Vec<String> {
        let files = config.level_files(self.data_files());
        let (always, sometimes): (Vec<_>, Vec<_>) =
            files.into_iter().partition(LevelFile::is_unconditional);
        let always: BTreeSet<_> = always.into_iter().map(|it| it.path).collect();
        let sometimes = sometimes.into_iter().map(|it| it.path);
        let sometimes = sometimes.filter(|it| !always.contains(it));
        sometimes.map(|it| it.to_string()).collect()
    }

    /// Returns the values of `datadir` for folders that do not exist, with the folder that may be meant: a similar one
    /// with data that no level reads.
    pub(crate) fn misspelled_datadirs(
        &self,
        owner: Option<Owner>,
    ) -> Vec<(TextRange, String, String)> {
        let files = self.data_files();
        let Ok(config) = HieraConfig::read(self.text, owner == Some(Owner::Module)) else {
            return Vec::new();
        };
        let unread = self.unread_files(&config);
        let folders: BTreeSet<&str> = unread
            .iter()
            .filter_map(|it| Some(it.split_once('/')?.0))
            .collect();
        let Ok(Some(root)) = document::yaml(self.text) else {
            return Vec::new();
        };
        let tops = root.entries().unwrap_or_default().iter();
        let parts = tops.flat_map(|it| match it.value.elements() {
            Some(levels) => levels.iter().collect(),
            None => vec![&it.value],
        });
        let datadirs = parts.filter_map(|it| it.get("datadir"));
        let found = datadirs.filter_map(|it| {
            let text = it.string()?;
            let folder = joined("", text);
            let is_own =
                !folder.is_empty() && !folder.starts_with(['/', '.']) && !folder.contains("%{");
            let prefix = format!("{folder}/");
            if !is_own || files.clone().any(|it| it.starts_with(&prefix)) {
                return None;
            }
            let near = similar(&folder, folders.iter().copied()).or_else(|| {
                let mut folders = folders.iter().copied();
                folders.find(|it| has_files_of(&config, &folder, it, &unread))
            })?;
            Some((it.range, text.to_owned(), near.to_owned()))
        });
        found.collect()
    }

    /// Returns the paths in `hiera.yaml` that match no file, with the path that may be meant: one of a file that
    /// no level reads.
    pub(crate) fn misspelled_hiera_paths(
        &self,
        owner: Option<Owner>,
    ) -> Vec<(TextRange, String, String)> {
        let files = self.data_files();
        let Ok(config) = HieraConfig::read(self.text, owner == Some(Owner::Module)) else {
            return Vec::new();
        };
        let unread = self.unread_files(&config);
        let read_by_some = self.files_of_some_nodes(&config);
        let mut found = Vec::new();
        for level in config
            .levels()
            .filter(|it| !matches!(it.backend, Backend::Custom(_)))
        {
            let Locations::Paths(paths) = &level.locations else {
                continue;
            };
            for path in paths.iter().filter(|it| !it.range.is_empty()) {
                let matches = |path: &str| {
                    let template = PathTemplate::new(&level.datadir, path);
                    files.clone().any(|it| template.bindings(it).is_some())
                };
                // The value of a fact does not end with the extension of a file.
                let longer = format!("{}.yaml", path.text);
                let near = match matches(&path.text) {
                    true if ends_with_fact(&path.text) && matches(&longer) => Some(longer),
                    true => None,
                    false => with_extension(&level.datadir, &path.text, files.clone())
                        .or_else(|| meant_path(&level.datadir, &path.text, &unread))
                        .or_else(|| slip_of(&level.datadir, &path.text, &read_by_some)),
                };
                found.extend(near.map(|it| (path.range, path.text.clone(), it)));
            }
        }
        // Aliases repeat paths.
        found.sort_by(|a, b| (a.0.start(), &a.2).cmp(&(b.0.start(), &b.2)));
        found.dedup_by_key(|it| it.0);
        found
    }
}

/// Checks whether another folder contains a file for every constant path of the data directory. False without constant
/// paths.
fn has_files_of(config: &HieraConfig, datadir: &str, folder: &str, files: &[&str]) -> bool {
    let levels = config.levels().filter(|it| it.datadir == datadir);
    let paths = levels.flat_map(|it| match &it.locations {
        Locations::Paths(paths) => paths.as_slice(),
        _ => &[],
    });
    let mut fixed = paths.filter(|it| !it.text.contains("%{")).peekable();
    let is_there = |path: &str| {
        let path = joined(folder, path);
        files.iter().any(|it| *it == path)
    };
    fixed.peek().is_some() && fixed.all(|it| is_there(&it.text))
}

/// Returns the path of a file that is written without its extension and without variables.
fn with_extension<'p>(
    datadir: &str,
    path: &str,
    mut files: impl Iterator<Item = &'p str>,
) -> Option<String> {
    if DataFormat::of_path(path).is_some() || path.contains("%{") {
        return None;
    }
    let whole = format!("{}.", joined(datadir, path));
    let extension = files.find_map(|it| it.strip_prefix(&whole).filter(|it| !it.contains('/')))?;
    Some(format!("{path}.{extension}"))
}

/// Returns the path that may be meant by one that matches no file: one with the extension of data, or that of
/// a similar file.
fn meant_path(datadir: &str, path: &str, unread: &[&str]) -> Option<String> {
    let matches = |path: &str| {
        let template = PathTemplate::new(datadir, path);
        unread.iter().any(|it| template.bindings(it).is_some())
    };
    let extensions = ["yaml", "yml", "eyaml", "json"];
    let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
    let stem = match extensions.contains(&extension) {
        true => stem,
        false => path,
    };
    let mut others = extensions.iter().map(|it| format!("{stem}.{it}"));
    if let Some(found) = others.find(|it| matches(it)) {
        return Some(found);
    }
    // Only the part before the first variable can be misspelled.
    let folder = match datadir {
        "" => String::new(),
        _ => format!("{datadir}/"),
    };
    let unread = unread.iter().filter_map(|it| it.strip_prefix(&*folder));
    if !path.contains("%{") {
        return similar(path, unread).map(str::to_owned);
    }
    let (first, rest) = path.split_once('/').filter(|it| !it.0.contains("%{"))?;
    let folders = unread.filter_map(|it| Some(it.split_once('/')?.0));
    let near = format!("{}/{rest}", similar(first, folders)?);
    matches(&near).then_some(near)
}

/// Returns the file that a path without variables differs from in one character: one that a path with variables matches
/// too, such as `defaults.yaml` beside `%{facts.os.name}.yaml`.
fn slip_of(datadir: &str, path: &str, files: &[String]) -> Option<String> {
    if path.contains("%{") {
        return None;
    }
    let folder = format!("{}/", joined("", datadir));
    let files = files.iter().filter_map(|it| it.strip_prefix(&*folder));
    let mut near = files.filter(|it| is_slip(path, it));
    near.next().map(str::to_owned)
}

/// Checks whether a path ends with the value of a fact or of `$trusted`.
fn ends_with_fact(path: &str) -> bool {
    let last = interpolations(path)
        .last()
        .filter(|it| it.range.end == path.len());
    let Some(Expression::Variable(name)) = last.map(|it| it.expression) else {
        return false;
    };
    let name = name.trim_start_matches("::");
    let root = name.split('.').next().unwrap_or(name);
    library::variable(root).is_some()
        || library::fact(root).is_some()
        || library::legacy_fact(root).is_some()
}

/// From `HieraConfigV5`, `option_name_t`.
pub(crate) fn is_option_name(name: &str) -> bool {
    let name = name.strip_prefix(':').unwrap_or(name);
    let is_inner = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let Some(rest) = name.strip_prefix(|it: char| it.is_ascii_alphabetic()) else {
        return false;
    };
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    rest.chars().all(is_inner)
        && (rest.is_empty() || rest.ends_with(|it: char| it.is_ascii_alphanumeric()))
}

/// Renames keys such as `:name` to `name`, as Puppet accepts both.
pub(crate) fn symbols_to_names(node: &mut Node) {
    match &mut node.data {
        Data::List(elements) => elements.iter_mut().for_each(symbols_to_names),
        Data::Map(entries) => {
            for entry in entries {
                if let Some(name) = entry.key.strip_prefix(':') {
                    entry.key = name.to_owned();
                }
                symbols_to_names(&mut entry.value);
            }
        }
        Data::Scalar(_) | Data::Alias(_) => {}
    }
}
