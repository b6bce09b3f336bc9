//! Reads the stubs of facts.
//!
//! A file of facts declares a type `Facts`, a `Struct` with all levels written out and the
//! documentation above each key. `Optional['key']` does not exist on every host. `Hash[String, …]`
//! is a level whose keys differ from host to host.
//!
//! The type `LegacyFacts` contains the legacy facts, each with `@modern` and the expression that
//! replaces it. A key such as `mtu_<interface>` is a family of facts: the placeholder matches any
//! string (`<number>` only digits), and is substituted in the replacement.

use std::borrow::Cow;

use indexmap::IndexMap;
use syntax::TextRange;
use syntax::ast::{AccessExpr, Expr, HasName, HashEntry};

use super::Table;
use super::sources::{FACTS, LEGACY_FACTS};
use super::stub::{self, Stub};
use crate::signatures::{Doc, Fact};

/// A fact or a key of a structured fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactPart {
    /// The documentation.
    pub doc: Doc,
    /// The type, in Puppet's notation.
    pub type_: String,
    /// Whether it is missing on some hosts.
    pub optional: bool,
    /// The known keys.
    keys: Table<FactPart>,
    /// The value of any other key or index.
    other: Option<Box<FactPart>>,
}

impl FactPart {
    /// Checks whether it is a hash whose keys are all known.
    pub fn has_known_keys(&self) -> bool {
        !self.keys.is_empty() && self.other.is_none()
    }

    /// Checks whether it is a string, a number or a Boolean, which has no parts.
    pub fn is_scalar(&self) -> bool {
        const SCALARS: [&str; 5] = ["String", "Integer", "Float", "Numeric", "Boolean"];
        let type_ = self.type_.strip_prefix("Optional[").unwrap_or(&self.type_);
        let name = type_.split(['[', ']']).next().unwrap_or_default();
        SCALARS.contains(&name)
    }
}

/// All core facts.
pub(super) struct Facts {
    /// The current facts, without legacy ones.
    pub(super) facts: Table<Fact>,
    /// The type of `$facts`.
    pub(super) type_: String,
    parts: Table<FactPart>,
    legacy: Table<Fact>,
    families: Vec<Family>,
}

/// Legacy facts whose names share a pattern: `ipaddress_<interface>`.
struct Family {
    before: String,
    placeholder: String,
    after: String,
    fact: Fact,
}

pub(super) fn read() -> Facts {
    let mut parts = Table::default();
    let mut entries = Vec::new();
    for stub in FACTS.iter().map(Stub::parse) {
        for entry in entries_of(&stub, "Facts") {
            entries.push(stub.source(&entry));
            parts.extend(read_entry(&stub, &entry));
        }
    }
    let fact = |(name, part): (&String, &FactPart)| {
        let fact = Fact {
            name: name.clone(),
            doc: part.doc.clone(),
            type_: Some(part.type_.clone()),
            modern: None,
            name_range: TextRange::default(),
        };
        (name.clone(), fact)
    };
    let legacy = legacy();
    Facts {
        facts: parts.iter().map(fact).collect(),
        type_: format!("Struct[{{{}}}]", entries.join(", ")),
        parts,
        families: legacy.values().filter_map(Family::of).collect(),
        legacy,
    }
}

impl Facts {
    /// Looks up the part at a path; `None` for an empty path.
    pub(super) fn part(&self, path: &[&str]) -> Option<&FactPart> {
        let (first, rest) = path.split_first()?;
        let mut part = self.parts.get(*first)?;
        for key in rest {
            let named = part.keys.get(*key);
            part = named.or(part.other.as_deref())?;
        }
        Some(part)
    }

    /// Returns the known keys at a path.
    pub(super) fn parts(&self, path: &[&str]) -> impl Iterator<Item = (&str, &FactPart)> {
        let keys = match path {
            [] => Some(&self.parts),
            path => self.part(path).map(|it| &it.keys),
        };
        let keys = keys.into_iter().flatten();
        keys.map(|(key, part)| (key.as_str(), part))
    }

    pub(super) fn all_legacy(&self) -> impl Iterator<Item = &Fact> {
        self.legacy.values()
    }

    /// Looks up a legacy fact by name, including members of families.
    pub(super) fn legacy(&self, name: &str) -> Option<Cow<'_, Fact>> {
        let family = || self.families.iter().find_map(|it| it.member(name));
        let known = self.legacy.get(name).map(Cow::Borrowed);
        known.or_else(|| family().map(Cow::Owned))
    }

    /// Checks whether a name may be that of a legacy fact of a network interface. Interfaces can have any name.
    pub(super) fn may_be_interface_fact(&self, name: &str) -> bool {
        let mut families = self.families.iter();
        families.any(|it| {
            let interface = name.strip_prefix(&it.before);
            it.placeholder == "interface" && interface.is_some_and(|it| !it.is_empty())
        })
    }
}

impl Family {
    fn of(fact: &Fact) -> Option<Family> {
        let (before, rest) = fact.name.split_once('<')?;
        let (placeholder, after) = rest.split_once('>')?;
        Some(Family {
            before: before.to_owned(),
            placeholder: placeholder.to_owned(),
            after: after.to_owned(),
            fact: fact.clone(),
        })
    }

    /// Returns the member of this family with the given name.
    fn member(&self, name: &str) -> Option<Fact> {
        let inner = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
        let is_number = inner.bytes().all(|it| it.is_ascii_digit());
        let fits = match self.placeholder.as_str() {
            "number" => is_number,
            "interface" => is_interface(inner),
            _ => true,
        };
        if inner.is_empty() || !fits {
            return None;
        }
        let modern = self.fact.modern.as_ref();
        let placeholder = format!("<{}>", self.placeholder);
        Some(Fact {
            name: name.to_owned(),
            modern: modern.map(|it| it.replace(&placeholder, inner)),
            ..self.fact.clone()
        })
    }
}

/// Checks whether a name is that of a network interface, such as `eth0`. Custom facts have names such as
/// `network_location`.
fn is_interface(name: &str) -> bool {
    name == "lo" || name.bytes().any(|it| it.is_ascii_digit())
}

fn legacy() -> Table<Fact> {
    let mut facts = Table::default();
    for stub in LEGACY_FACTS.iter().map(Stub::parse) {
        let entries = entries_of(&stub, "LegacyFacts");
        for (name, mut part) in entries.iter().filter_map(|it| read_entry(&stub, it)) {
            let fact = Fact {
                name: name.clone(),
                modern: stub::take(&mut part.doc, "modern"),
                doc: part.doc,
                type_: Some(part.type_),
                name_range: TextRange::default(),
            };
            facts.insert(name, fact);
        }
    }
    facts
}

/// Returns the entries of the `Struct` with this name.
fn entries_of(stub: &Stub, name: &str) -> Vec<HashEntry> {
    let aliases = stub.statements().filter_map(|it| match it {
        Expr::TypeAlias(it) => Some(it),
        _ => None,
    });
    let mut aliases = aliases.filter(|it| it.name().is_some_and(|it| it.text() == name));
    let body = aliases.next().and_then(|it| it.type_expr());
    match body {
        Some(Expr::AccessExpr(it)) => struct_entries(&it),
        _ => Vec::new(),
    }
}

/// Returns the entries within `Struct[{…}]`.
fn struct_entries(access: &AccessExpr) -> Vec<HashEntry> {
    match access.keys().first() {
        Some(Expr::HashExpr(it)) => it.entries().collect(),
        _ => Vec::new(),
    }
}

fn read_entry(stub: &Stub, entry: &HashEntry) -> Option<(String, FactPart)> {
    let key = entry.key()?;
    let (key, optional) = match &key {
        Expr::AccessExpr(it) => (it.keys().first().and_then(stub::string)?, true),
        key => (stub::string(key)?, false),
    };
    let doc = stub.documentation(entry);
    Some((key, part(stub, &entry.value()?, doc, optional)))
}

fn part(stub: &Stub, type_: &Expr, doc: Doc, optional: bool) -> FactPart {
    let mut part = FactPart {
        doc,
        type_: stub.source(type_),
        optional,
        keys: IndexMap::default(),
        other: None,
    };
    if let Expr::AccessExpr(access) = type_ {
        let name = access.base().map(|it| stub.source(&it));
        let keys = access.keys();
        let element = match name.as_deref() {
            Some("Struct") => {
                let entries = struct_entries(access);
                part.keys
                    .extend(entries.iter().filter_map(|it| read_entry(stub, it)));
                None
            }
            Some("Hash") => keys.get(1),
            Some("Array") => keys.first(),
            _ => None,
        };
        part.other = element.map(|it| Box::new(self::part(stub, it, Doc::default(), false)));
    }
    part
}

/// Custom facts of widely used modules: `stdlib`, `concat`, `puppet`, `archive`, `openstacklib`.
const MODULE_FACTS: [&str; 13] = [
    "archive_windir",
    "concat_basedir",
    "os_service_default",
    "os_workers",
    "package_provider",
    "puppet_environmentpath",
    "puppet_server",
    "puppet_settings",
    "puppet_vardir",
    "python_dir",
    "root_home",
    "service_provider",
    "systemd",
];

/// Checks whether a module may define the fact: by its name, or as the version of some software.
pub(crate) fn is_of_module(name: &str) -> bool {
    MODULE_FACTS.contains(&name) || name.ends_with("version")
}

#[cfg(test)]
mod tests {
    use crate::legacy_fact;

    #[test]
    fn knows_the_facts_of_interfaces() {
        for name in [
            "ipaddress_eth0",
            "network_lo",
            "mtu_enp0s3",
            "macaddress_bond0_1",
        ] {
            assert!(legacy_fact(name).is_some(), "{name}");
        }
        for name in [
            "network_location",
            "mtu_profile",
            "macaddress_primary",
            "network_",
        ] {
            assert!(legacy_fact(name).is_none(), "{name}");
        }
    }
}
