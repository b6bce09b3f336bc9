//! The standard library: functions, resource types, variables and facts that Puppet ships.
//!
//! All of it is written in the Puppet language, in `library/stubs`, and parsed lazily by our own
//! parser, so that anybody who knows Puppet can fix it. Each kind of stub has a format of its own,
//! documented in [`functions`], [`resource_types`], [`data_types`], [`variables`] and [`facts`]. All of them share
//! these conventions:
//!
//! * Documentation is in a comment directly above the declaration, with the tags of puppet-strings.
//! * A name that is reserved in Puppet has a trailing underscore: `function type_`, `$name_`.
//! * `@since 8` marks declarations missing in Puppet 7, `@until 7` those missing in Puppet 8. Older
//!   and more exact versions are informational.
//!
//! Facts that a signature cannot express, such as the element type of the result of `map`, belong
//! elsewhere. The stubs must not contain guesses: tests compare them with the real Puppet. This
//! module does not depend on workspaces, because definitions in modules are not part of the
//! library.
#![warn(missing_docs)]

mod bolt_types;
mod data_types;
mod declarations;
mod external_facts;
mod fact_values;
mod facts;
mod functions;
mod known_function;
pub mod pages;
pub mod products;
mod providers;
pub mod removed_functions;
mod resource_types;
pub mod ruby;
pub mod signatures;
mod sources;
mod stub;
mod variables;

use std::borrow::Cow;
use std::sync::LazyLock;

use indexmap::IndexMap;
use syntax::validation::PuppetVersion;

use crate::signatures::{Attribute, Fact, Function, ResourceType};
use functions::FunctionStubs;
use resource_types::ResourceTypes;

pub use bolt_types::{BoltMember, BoltType};
pub use data_types::BuiltInDataType;
pub use declarations::{BuiltInName, StubLocation, declaration};
pub use external_facts::external_facts;
pub use fact_values::{
    common_fact_values, is_platform, is_platform_in_any_case, known_fact_values, platform_called,
    stable_fact_values, value_on_distribution,
};
pub use facts::FactPart;
pub use known_function::{KnownFunction, NamedEntity, STDLIB_ENSURE_PACKAGES};
pub use providers::may_be_provider_of_module;
pub use sources::{Source, sources};
pub use variables::{BuiltInVariable, SERVER_FACTS, TRUSTED_KEYS};

type Table<T> = IndexMap<String, T, rustc_hash::FxBuildHasher>;

static FUNCTIONS_7: LazyLock<FunctionStubs> = LazyLock::new(|| functions::read(PuppetVersion::V7));
static FUNCTIONS_8: LazyLock<FunctionStubs> = LazyLock::new(|| functions::read(PuppetVersion::V8));
static TYPES_7: LazyLock<ResourceTypes> = LazyLock::new(|| ResourceTypes::new(PuppetVersion::V7));
static TYPES_8: LazyLock<ResourceTypes> = LazyLock::new(|| ResourceTypes::new(PuppetVersion::V8));
static METAPARAMETERS: LazyLock<Vec<Attribute>> = LazyLock::new(resource_types::metaparameters);
static VARIABLES: LazyLock<Table<BuiltInVariable>> =
    LazyLock::new(|| variables::read(sources::VARIABLES));
static SETTINGS: LazyLock<Table<BuiltInVariable>> =
    LazyLock::new(|| variables::read(sources::SETTINGS));
static DATA_TYPES: LazyLock<Table<BuiltInDataType>> = LazyLock::new(data_types::read);
static FACTS: LazyLock<facts::Facts> = LazyLock::new(facts::read);

fn function_table(version: PuppetVersion) -> &'static Table<Function> {
    match version {
        PuppetVersion::V7 => &FUNCTIONS_7.functions,
        PuppetVersion::V8 => &FUNCTIONS_8.functions,
    }
}

fn type_table(version: PuppetVersion) -> &'static ResourceTypes {
    match version {
        PuppetVersion::V7 => &TYPES_7,
        PuppetVersion::V8 => &TYPES_8,
    }
}

/// Looks up a function by name, with or without a leading `::`.
pub fn function(name: &str, version: PuppetVersion) -> Option<&'static Function> {
    function_table(version).get(name.strip_prefix("::").unwrap_or(name))
}

/// Returns all functions, sorted by name.
pub fn functions(version: PuppetVersion) -> impl Iterator<Item = &'static Function> {
    function_table(version).values()
}

/// Looks up a resource type by name, ignoring case, with or without a leading `::`. Types that are
/// no longer part of Puppet have [`ResourceType::module`] set.
pub fn resource_type(name: &str, version: PuppetVersion) -> Option<&'static ResourceType> {
    let name = name.strip_prefix("::").unwrap_or(name);
    type_table(version).get(&name.to_ascii_lowercase())
}

/// Returns all resource types, sorted by name.
pub fn resource_types(version: PuppetVersion) -> impl Iterator<Item = &'static ResourceType> {
    type_table(version).all()
}

/// Checks whether Puppet sets a variable in each scope, so that no code may.
pub fn is_reserved_variable(name: &str) -> bool {
    matches!(name, "facts" | "trusted" | "server_facts")
}

/// The metaparameter that sets the tags of a resource.
pub const TAG: &str = "tag";

/// Returns the metaparameters.
pub fn metaparameters() -> &'static [Attribute] {
    &METAPARAMETERS
}

/// Looks up a metaparameter by name.
pub fn metaparameter(name: &str) -> Option<&'static Attribute> {
    metaparameters().iter().find(|it| it.name == name)
}

/// The metaparameters whose values are references to other resources.
pub const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// Looks up a built-in variable by name, without a dollar sign, with or without a leading `::`.
/// Facts are variables as well; see [`fact`] and [`legacy_fact`].
pub fn variable(name: &str) -> Option<&'static BuiltInVariable> {
    let name = name.strip_prefix("::").unwrap_or(name);
    if name.starts_with("settings::") {
        return SETTINGS.get(name);
    }
    VARIABLES.get(name)
}

/// Returns all built-in variables, with those of `settings` last.
pub fn variables() -> impl Iterator<Item = &'static BuiltInVariable> {
    VARIABLES.values().chain(SETTINGS.values())
}

/// Looks up a built-in data type by name, ignoring case, with or without a leading `::`.
pub fn data_type(name: &str) -> Option<&'static BuiltInDataType> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let mut all = DATA_TYPES.values();
    all.find(|it| it.name.eq_ignore_ascii_case(name))
}

/// Returns all built-in data types.
pub fn data_types() -> impl Iterator<Item = &'static BuiltInDataType> {
    DATA_TYPES.values()
}

/// Looks up a core fact of Facter by its top-level name. Legacy facts are not included.
pub fn fact(name: &str) -> Option<&'static Fact> {
    FACTS.facts.get(name)
}

/// Returns all core facts of Facter except the legacy ones.
pub fn facts() -> impl Iterator<Item = &'static Fact> {
    FACTS.facts.values()
}

/// Looks up a part of a structured fact by its path: `["os", "release", "full"]`. Levels keyed by
/// names, such as those of network interfaces, accept any key.
pub fn fact_part(path: &[&str]) -> Option<&'static FactPart> {
    FACTS.part(path)
}

/// Returns the known keys at the level of `path` of a fact, or the facts themselves for an empty
/// path. Empty if the keys differ from host to host.
pub fn fact_parts(path: &[&str]) -> impl Iterator<Item = (&'static str, &'static FactPart)> {
    FACTS.parts(path)
}

/// Looks up a legacy fact, which Puppet 8 no longer provides; includes families such as
/// `ipaddress_eth0`.
pub fn legacy_fact(name: &str) -> Option<Cow<'static, Fact>> {
    FACTS.legacy(name)
}

/// Returns all legacy facts; a family has one entry, named like `ipaddress_<interface>`.
pub fn legacy_facts() -> impl Iterator<Item = &'static Fact> {
    FACTS.all_legacy()
}

/// Checks whether a name may be that of a legacy fact of a network interface, such as `ipaddress_idrac`.
pub fn may_be_interface_fact(name: &str) -> bool {
    FACTS.may_be_interface_fact(name)
}

/// Checks whether widely used modules define a custom fact of this name. If such a module is
/// missing, the variable may still be a fact.
pub fn is_module_fact(name: &str) -> bool {
    facts::is_of_module(name)
}

/// Returns the type of `$facts`, a `Struct` in Puppet's notation. It is not exhaustive: custom
/// facts are missing, and releases of Facter differ.
pub fn facts_type() -> &'static str {
    &FACTS.type_
}
