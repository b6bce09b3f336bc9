//! Reads the stubs of resource types and metaparameters.
//!
//! A stub is in a file named after the type and looks like the head of a defined type, with the
//! documentation above each attribute:
//!
//! ```puppet
//! # @summary Manages files.
//! # @provider posix on Unix
//! # @autorequires user, group
//! define file (
//!   # The path of the file.
//!   # @namevar
//!   String $path,
//!
//!   # @property
//!   Enum['present', 'absent'] $ensure = 'present',
//! ) { }
//! ```
//!
//! Tags of a resource type:
//! * `@provider`, one for each, and `@feature` (a feature that not every provider supports); the
//!   name of a provider may be followed by `(since 8)`.
//! * `@autorequires`, a list of resource types.
//! * `@titles` means that titles are split into several attributes.
//! * `@module` names the module that now contains a type that was once part of Puppet.
//!
//! Attributes:
//! * An attribute is a parameter unless it has the tag `@property` or is called `provider`.
//! * `@namevar`, `@required` and `@readonly` are flags; `@needs` lists the required features.
//! * The type is that of a single value. Properties also accept arrays of such values, and every
//!   attribute accepts `undef` and, for a value that is only known later, a `Deferred`. A missing
//!   type means that nothing is known.
//! * The strings and regular expressions in the type are the listed values. If the type contains
//!   only these, numbers and booleans (which are accepted in their string form), no other values
//!   are accepted.
//! * `@accepts` is followed by the type of the values that the Ruby code accepts, if it differs from
//!   the documented one; all others are reported. `@expects` describes these values in messages.
//!   An array is accepted if all of its elements are, unless `@single` follows. `@unusable` is the type of accepted
//!   values that the program which reads them refuses.
//! * The default value is the one that Puppet uses if none is given. A default that depends on the
//!   host is described in the documentation instead.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use syntax::TextRange;
use syntax::ast::{DefineDefinition, Expr, HasName, HasParameters, Parameter};
use syntax::validation::PuppetVersion;

use super::sources::{METAPARAMETERS, RESOURCE_TYPES, Source};
use super::stub::{self, Stub};
use crate::signatures::{Accepts, Attribute, AttributeKind, Doc, ResourceType};

/// The resource types of a Puppet version, read lazily: most manifests use only a few of them.
pub(super) struct ResourceTypes {
    version: PuppetVersion,
    /// Sorted by name.
    types: Vec<(&'static Source, OnceLock<Option<ResourceType>>)>,
    /// The indexes of the types by name.
    by_name: FxHashMap<&'static str, usize>,
}

impl ResourceTypes {
    pub(super) fn new(version: PuppetVersion) -> ResourceTypes {
        let types = RESOURCE_TYPES.iter().map(|it| (it, OnceLock::new()));
        let mut types: Vec<_> = types.collect();
        types.sort_unstable_by_key(|(source, _)| source.name);
        let names = types.iter().map(|it| stem(it.0));
        let by_name = names.enumerate().map(|(at, name)| (name, at)).collect();
        ResourceTypes {
            version,
            types,
            by_name,
        }
    }

    /// Looks up a type by its name in lower case.
    pub(super) fn get(&self, name: &str) -> Option<&ResourceType> {
        self.at(*self.by_name.get(name)?)
    }

    /// Returns all types, sorted by name.
    pub(super) fn all(&self) -> impl Iterator<Item = &ResourceType> {
        (0..self.types.len()).filter_map(|at| self.at(at))
    }

    fn at(&self, at: usize) -> Option<&ResourceType> {
        let (source, found) = self.types.get(at)?;
        found.get_or_init(|| read(source, self.version)).as_ref()
    }
}

/// Returns the name of the type that a stub declares.
fn stem(source: &Source) -> &'static str {
    let name = source.name.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".pp").unwrap_or(name)
}

fn read(source: &Source, version: PuppetVersion) -> Option<ResourceType> {
    let stub = Stub::parse(source);
    stub.statements().find_map(|it| match it {
        Expr::DefineDefinition(it) => resource_type(&stub, &it, version),
        _ => None,
    })
}

/// Returns the metaparameters, in the order of their stub.
pub(super) fn metaparameters() -> Vec<Attribute> {
    let version = PuppetVersion::default();
    let mut found = Vec::new();
    for stub in METAPARAMETERS.iter().map(Stub::parse) {
        for statement in stub.statements() {
            if let Expr::DefineDefinition(definition) = statement {
                let parameters = definition.parameters();
                found.extend(
                    parameters
                        .iter()
                        .filter_map(|it| attribute(&stub, it, version)),
                );
            }
        }
    }
    for attribute in &mut found {
        attribute.kind = AttributeKind::Metaparameter;
    }
    found
}

fn resource_type(
    stub: &Stub,
    definition: &DefineDefinition,
    version: PuppetVersion,
) -> Option<ResourceType> {
    let mut doc = stub.documentation(definition);
    stub::exists_in(&doc, version).then_some(())?;
    let providers = doc.tags("provider");
    let providers = providers.filter_map(|it| provider(&it.text, version));
    let mut providers: Vec<String> = providers.collect();
    providers.sort_unstable();
    let parameters = definition.parameters();
    Some(ResourceType {
        name: stub::name(&definition.name()?.text()),
        attributes: parameters
            .iter()
            .filter_map(|it| attribute(stub, it, version))
            .collect(),
        complete: true,
        providers,
        title_patterns: stub::take_mark(&mut doc, "titles"),
        autorequires: stub::take_list(&mut doc, "autorequires"),
        automatic_relations: Vec::new(),
        refusals: Vec::new(),
        module: stub::take(&mut doc, "module"),
        doc,
        name_range: TextRange::default(),
    })
}

/// Returns the name of a provider, if it exists in this version.
fn provider(text: &str, version: PuppetVersion) -> Option<String> {
    let (name, about) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let exists = !about.starts_with("(since 8)") || version == PuppetVersion::V8;
    exists.then(|| name.to_owned())
}

fn attribute(stub: &Stub, parameter: &Parameter, version: PuppetVersion) -> Option<Attribute> {
    let name = stub::name(&parameter.name()?);
    let mut doc = stub.documentation(parameter);
    stub::exists_in(&doc, version).then_some(())?;
    let type_ = parameter.type_expr();
    let allowed = type_
        .as_ref()
        .map(|it| Allowed::read(stub, it))
        .unwrap_or_default();
    let kind = match (stub::take_mark(&mut doc, "property"), name.as_str()) {
        (true, _) => AttributeKind::Property,
        (false, "provider") => AttributeKind::Provider,
        (false, _) => AttributeKind::Parameter,
    };
    Some(Attribute {
        name,
        kind,
        closed: allowed.is_closed(),
        values: allowed.values,
        patterns: allowed.patterns,
        type_: type_.map(|it| stub.source(&it)),
        accepts: accepts(&mut doc),
        default: parameter.default().map(|it| stub.source(&it)),
        namevar: stub::take_mark(&mut doc, "namevar"),
        required: stub::take_mark(&mut doc, "required"),
        read_only: stub::take_mark(&mut doc, "readonly"),
        required_features: stub::take_list(&mut doc, "needs"),
        doc,
        name_range: TextRange::default(),
    })
}

/// Reads the values that the Ruby code accepts.
fn accepts(doc: &mut Doc) -> Option<Accepts> {
    let description = stub::take(doc, "expects");
    let single = stub::take_mark(doc, "single");
    let unusable = stub::take(doc, "unusable");
    let type_ = stub::take(doc, "accepts")?;
    Some(Accepts {
        type_,
        description,
        single,
        unusable,
    })
}

/// The values that a type accepts.
#[derive(Default)]
struct Allowed {
    values: Vec<String>,
    patterns: Vec<String>,
    /// Whether the type accepts values other than those listed.
    others: bool,
}

impl Allowed {
    fn read(stub: &Stub, type_: &Expr) -> Allowed {
        let mut allowed = Allowed::default();
        allowed.add(stub, type_);
        allowed
    }

    fn is_closed(&self) -> bool {
        !(self.others || self.values.is_empty() && self.patterns.is_empty())
    }

    fn add(&mut self, stub: &Stub, type_: &Expr) {
        let Expr::AccessExpr(access) = type_ else {
            self.others |= !is_scalar(&stub.source(type_));
            return;
        };
        let name = access.base().map(|it| stub.source(&it));
        let keys = access.keys();
        match name.as_deref() {
            Some("Variant") => keys.iter().for_each(|it| self.add(stub, it)),
            Some("Enum") => self.values.extend(keys.iter().filter_map(stub::string)),
            Some("Pattern") => self.patterns.extend(keys.iter().filter_map(stub::regex)),
            name => self.others |= !name.is_some_and(is_scalar),
        }
    }
}

/// Numbers and booleans are accepted in their string form, so they add no further values.
fn is_scalar(name: &str) -> bool {
    matches!(name, "Boolean" | "Integer" | "Numeric")
}
