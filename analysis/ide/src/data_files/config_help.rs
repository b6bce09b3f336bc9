//! The keys of `hiera.yaml`.

use library::KnownFunction;

/// A key of `hiera.yaml`.
pub(super) struct ConfigKey {
    pub(super) name: &'static str,
    /// The places where it may be.
    places: &'static [ConfigPlace],
    /// A description in Markdown.
    pub(super) doc: &'static str,
}

/// A hash in `hiera.yaml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ConfigPlace {
    /// The root.
    Root,
    /// `defaults`.
    Defaults,
    /// A level of a hierarchy.
    Level,
}

use ConfigPlace::{Defaults, Level, Root};

const fn key(name: &'static str, places: &'static [ConfigPlace], doc: &'static str) -> ConfigKey {
    ConfigKey { name, places, doc }
}

/// All keys, in the order in which they are usually written.
const KEYS: [ConfigKey; 19] = [
    key("version", &[Root], "The version of the format: 5."),
    key(
        "defaults",
        &[Root],
        "The function, `datadir` and `options` of levels that do not set them.",
    ),
    key(
        "hierarchy",
        &[Root],
        "The levels, the one with the highest priority first. Without it, the only level is `common.yaml`.",
    ),
    key(
        "default_hierarchy",
        &[Root],
        "The levels of a module for keys that no other level has. They have `lookup_options` of their own. Only \
         modules can have it.",
    ),
    key(
        "plan_hierarchy",
        &[Root],
        "The levels for lookups in plans outside of `apply` blocks.",
    ),
    key(
        "name",
        &[Level],
        "The name of the level, which must be unique.",
    ),
    key(
        "path",
        &[Level],
        "The data file, relative to `datadir`. It may contain variables.",
    ),
    key(
        "paths",
        &[Level],
        "The data files, relative to `datadir`, the one with the highest priority first.",
    ),
    key(
        "glob",
        &[Level],
        "A pattern for data files, relative to `datadir`. All that match are read, sorted by path.",
    ),
    key(
        "globs",
        &[Level],
        "Patterns for data files, relative to `datadir`.",
    ),
    key(
        "mapped_paths",
        &[Level],
        "A data file for each element of a variable: the variable, the name for an element, and the path with it.",
    ),
    key(
        "uri",
        &[Level],
        "The URI that the function of the level reads.",
    ),
    key(
        "uris",
        &[Level],
        "The URIs that the function of the level reads.",
    ),
    key(
        "datadir",
        &[Defaults, Level],
        "The directory of the data files, relative to that of `hiera.yaml`.",
    ),
    key(
        "data_hash",
        &[Defaults, Level],
        "The function that reads a whole file or other source.",
    ),
    key(
        "lookup_key",
        &[Defaults, Level],
        "The function that looks up a single key.",
    ),
    key(
        "data_dig",
        &[Defaults, Level],
        "The function that looks up a key and a path into its value.",
    ),
    key(
        "hiera3_backend",
        &[],
        "A backend of Hiera 3. Only the global layer can have it.",
    ),
    key(
        "options",
        &[Defaults, Level],
        "The options for the function.",
    ),
];

/// Returns a key by its name.
pub(super) fn config_key(name: &str) -> Option<&'static ConfigKey> {
    KEYS.iter().find(|it| it.name == name)
}

/// Returns the keys that a hash can have, in a module or an environment.
pub(super) fn config_keys(
    place: ConfigPlace,
    in_module: bool,
) -> impl Iterator<Item = &'static ConfigKey> {
    let keys = KEYS.iter().filter(move |it| it.places.contains(&place));
    keys.filter(move |it| match it.name {
        "default_hierarchy" => in_module,
        "plan_hierarchy" => !in_module,
        _ => true,
    })
}

/// Returns the functions of Puppet that a key accepts.
pub(super) fn config_functions(key: &str) -> &'static [KnownFunction] {
    match key {
        "data_hash" => &[
            KnownFunction::YamlData,
            KnownFunction::JsonData,
            KnownFunction::HoconData,
        ],
        "lookup_key" => &[KnownFunction::EyamlLookupKey],
        _ => &[],
    }
}
