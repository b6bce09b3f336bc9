//! What Puppet ships: functions, resource types, variables and facts.
//!
//! All of it is written in Puppet's own language, in `library/stubs`, and read by our own parser
//! when somebody first asks. Whoever knows Puppet can mend it; how each kind of stub is written is
//! said where it is read: [`functions`], [`resource_types`], [`variables`], [`facts`]. Common to all:
//!
//! * documentation stands in a comment directly above, with the tags of puppet-strings;
//! * a name that Puppet reserves has an underscore behind it: `function type_`, `$name_`;
//! * `@since 8` is what Puppet 7 has not, `@until 7` what Puppet 8 has not. Older and more exact
//!   numbers are for the reader.
//!
//! What a signature cannot say, such as the type of elements that `map` yields, is not said here.
//! Nothing here may be a guess: the tests hold the stubs against the real Puppet. And nothing here
//! may know of workspaces: what modules define is not what Puppet ships.

mod facts;
mod functions;
mod resource_types;
mod sources;
mod stub;
mod variables;

use std::borrow::Cow;
use std::sync::LazyLock;

use indexmap::IndexMap;
use syntax::validation::PuppetVersion;

use crate::declared::{Attribute, Fact, Function, ResourceType};
use resource_types::ResourceTypes;

pub use facts::FactPart;
pub use sources::{Source, sources};
pub use variables::BuiltInVariable;

type Table<T> = IndexMap<String, T, rustc_hash::FxBuildHasher>;

static FUNCTIONS_7: LazyLock<Table<Function>> =
    LazyLock::new(|| functions::read(PuppetVersion::V7));
static FUNCTIONS_8: LazyLock<Table<Function>> =
    LazyLock::new(|| functions::read(PuppetVersion::V8));
static TYPES_7: LazyLock<ResourceTypes> = LazyLock::new(|| ResourceTypes::new(PuppetVersion::V7));
static TYPES_8: LazyLock<ResourceTypes> = LazyLock::new(|| ResourceTypes::new(PuppetVersion::V8));
static METAPARAMETERS: LazyLock<Vec<Attribute>> = LazyLock::new(resource_types::metaparameters);
static VARIABLES: LazyLock<Table<BuiltInVariable>> =
    LazyLock::new(|| variables::read(sources::VARIABLES));
static SETTINGS: LazyLock<Table<BuiltInVariable>> =
    LazyLock::new(|| variables::read(sources::SETTINGS));
static FACTS: LazyLock<facts::Facts> = LazyLock::new(facts::read);

fn function_table(version: PuppetVersion) -> &'static Table<Function> {
    match version {
        PuppetVersion::V7 => &FUNCTIONS_7,
        PuppetVersion::V8 => &FUNCTIONS_8,
    }
}

fn type_table(version: PuppetVersion) -> &'static ResourceTypes {
    match version {
        PuppetVersion::V7 => &TYPES_7,
        PuppetVersion::V8 => &TYPES_8,
    }
}

/// The function of this name, with or without a leading `::`.
pub fn function(name: &str, version: PuppetVersion) -> Option<&'static Function> {
    function_table(version).get(name.strip_prefix("::").unwrap_or(name))
}

/// All functions, in order of their names.
pub fn functions(version: PuppetVersion) -> impl Iterator<Item = &'static Function> {
    function_table(version).values()
}

/// The resource type of this name, in any case, with or without a leading `::`. Those that are no
/// longer part of Puppet say in which module they are.
pub fn resource_type(name: &str, version: PuppetVersion) -> Option<&'static ResourceType> {
    let name = name.strip_prefix("::").unwrap_or(name);
    type_table(version).get(&name.to_ascii_lowercase())
}

/// All resource types, in order of their names.
pub fn resource_types(version: PuppetVersion) -> impl Iterator<Item = &'static ResourceType> {
    type_table(version).all()
}

/// The attributes that every resource type has.
pub fn metaparameters() -> &'static [Attribute] {
    &METAPARAMETERS
}

/// The attribute of this name that every resource type has.
pub fn metaparameter(name: &str) -> Option<&'static Attribute> {
    metaparameters().iter().find(|it| it.name == name)
}

/// The variable of this name that Puppet sets, without a dollar sign, with or without a leading
/// `::`. Facts are variables too, see [`fact`] and [`legacy_fact`].
pub fn variable(name: &str) -> Option<&'static BuiltInVariable> {
    let name = name.strip_prefix("::").unwrap_or(name);
    if name.starts_with("settings::") {
        return SETTINGS.get(name);
    }
    VARIABLES.get(name)
}

/// All variables that Puppet sets, those of `settings` last.
pub fn variables() -> impl Iterator<Item = &'static BuiltInVariable> {
    VARIABLES.values().chain(SETTINGS.values())
}

/// A fact of Facter's own, by the name of its first level. Legacy facts are not among them.
pub fn fact(name: &str) -> Option<&'static Fact> {
    FACTS.facts.get(name)
}

/// All of Facter's own facts but the legacy ones.
pub fn facts() -> impl Iterator<Item = &'static Fact> {
    FACTS.facts.values()
}

/// What is known about a part of a fact: `["os", "release", "full"]`. A level that is keyed by
/// names, such as those of network interfaces, takes any key.
pub fn fact_part(path: &[&str]) -> Option<&'static FactPart> {
    FACTS.part(path)
}

/// What is known to be in a fact at the level of `path`, by key; of the facts themselves for an
/// empty path. Nothing where the keys are names that differ from host to host.
pub fn fact_parts(path: &[&str]) -> impl Iterator<Item = (&'static str, &'static FactPart)> {
    FACTS.parts(path)
}

/// A legacy fact, which Puppet 8 does not send any more; also one of a family such as
/// `ipaddress_eth0`.
pub fn legacy_fact(name: &str) -> Option<Cow<'static, Fact>> {
    FACTS.legacy(name)
}

/// The legacy facts; of a family there is one, named like `ipaddress_<interface>`.
pub fn legacy_facts() -> impl Iterator<Item = &'static Fact> {
    FACTS.all_legacy()
}

/// The type of `$facts`, a `Struct` in Puppet's notation. Custom facts are not in it, and releases of
/// Facter differ: a key that is not in it, or not in one of its parts, may be there all the same.
pub fn facts_type() -> &'static str {
    &FACTS.type_
}
