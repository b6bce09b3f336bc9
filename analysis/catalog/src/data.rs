//! The catalog as plain data.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use base::FileId;
use eval::{Issue, PartlyKnown, Unknown};
use hir::canonical_name;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use syntax::{Diagnostic, Severity, TextRange};
use types::values::{Value, quote};

/// A resource by its type, capitalized, and its title.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ResourceKey {
    pub type_name: String,
    pub title: String,
}

impl ResourceKey {
    /// Creates the key of a resource. The caller passes the type as references write it: `Apache::Vhost`.
    #[must_use]
    pub fn new(type_name: impl Into<String>, title: impl Into<String>) -> ResourceKey {
        ResourceKey {
            type_name: type_name.into(),
            title: title.into(),
        }
    }

    /// Returns the name that Puppet itself uses in catalogs and reports: `File[/a]`.
    #[must_use]
    pub fn puppet_name(&self) -> String {
        format!("{}[{}]", self.type_name, self.title)
    }
}

/// A reference as in code: `File['/a']`.
impl fmt::Display for ResourceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.type_name {
            "Class" => write!(f, "Class[{}]", quote(&canonical_name(&self.title))),
            type_name => write!(f, "{type_name}[{}]", quote(&self.title)),
        }
    }
}

/// A place in a file, or in the code of the request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The file; `None` for the code of the request.
    pub file: Option<FileId>,
    /// The range in the file.
    pub range: TextRange,
}

impl Place {
    /// Checks whether another place is inside of this one.
    pub(crate) fn contains(&self, other: &Place) -> bool {
        self.file == other.file && self.range.contains_range(other.range)
    }
}

/// The code or data that sets a parameter. Places are `None` if a function sets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// An attribute of the declaration.
    Declaration(Option<Place>),
    /// The default value of the parameter, in the class or defined type.
    DefaultValue(Option<Place>),
    /// A resource default: `File { … }`.
    ResourceDefault(Option<Place>),
    /// An override or a collector: `File['/a'] { … }`.
    Override(Option<Place>),
    /// Hiera data.
    Data {
        /// The key.
        key: String,
    },
    /// The title of the resource.
    Title,
    /// An arrow, or the function `require`.
    Relationship(Option<Place>),
}

impl Origin {
    /// Returns the place in the code.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match self {
            Origin::Declaration(place)
            | Origin::DefaultValue(place)
            | Origin::ResourceDefault(place)
            | Origin::Override(place)
            | Origin::Relationship(place) => *place,
            Origin::Data { .. } | Origin::Title => None,
        }
    }
}

/// A parameter of a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The value, or why it is unknown.
    pub value: PartlyKnown,
    pub origin: Origin,
}

impl Parameter {
    /// Creates a parameter with a known value.
    pub(crate) fn known(value: impl Into<Value>, origin: Origin) -> Parameter {
        Parameter {
            value: Ok(value.into()),
            origin,
        }
    }

    /// Checks whether the value is `undef`, as if the parameter was not given.
    pub(crate) fn is_undef(&self) -> bool {
        self.value == Ok(Value::Undef)
    }

    /// Creates a parameter with an unknown value.
    pub(crate) fn unknown(why: impl Into<Unknown>, origin: Origin) -> Parameter {
        Parameter {
            value: Err(why.into()),
            origin,
        }
    }
}

/// The tags of the code around a class. Classes that include each other in a chain share them.
#[derive(PartialEq, Debug)]
pub(crate) struct OuterTags {
    pub(crate) tags: BTreeSet<String>,
    pub(crate) outer: Option<Arc<OuterTags>>,
}

/// A resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    pub place: Option<Place>,
    pub parameters: IndexMap<String, Parameter, FxBuildHasher>,
    pub is_virtual: bool,
    pub is_exported: bool,
    /// The resource that contains it.
    pub container: Option<ResourceKey>,
    /// The tags that its code adds.
    pub(crate) tags: BTreeSet<String>,
    /// The tags of the code that includes it, if it is a class.
    pub(crate) outer_tags: Option<Arc<OuterTags>>,
    /// Whether every compilation for the node declares it.
    pub is_certain: bool,
    /// The conditions with unknown values under which it is declared.
    pub condition: Option<Arc<str>>,
}

impl Resource {
    /// Creates a resource without parameters.
    pub(crate) fn new(place: Option<Place>, container: Option<ResourceKey>) -> Resource {
        Resource {
            place,
            parameters: IndexMap::default(),
            is_virtual: false,
            is_exported: false,
            container,
            tags: BTreeSet::new(),
            outer_tags: None,
            is_certain: true,
            condition: None,
        }
    }

    /// Checks whether each catalog has the resource, whatever is unknown.
    pub(crate) fn is_unconditional(&self) -> bool {
        self.is_certain && self.condition.is_none()
    }

    /// Sets a parameter, or removes it if the value is `undef`.
    pub(crate) fn set(&mut self, name: String, parameter: Parameter) {
        match parameter.value {
            Ok(Value::Undef) => {
                self.parameters.shift_remove(&name);
            }
            _ => {
                self.parameters.insert(name, parameter);
            }
        }
    }

    /// Returns the tags that its code adds, and those of the code that includes it, if it is a class.
    #[must_use]
    pub fn tags(&self) -> BTreeSet<String> {
        let outer = self.outer_tags().flat_map(|it| &it.tags);
        self.tags.iter().chain(outer).cloned().collect()
    }

    /// Returns the tags of the code around it, innermost first.
    pub(crate) fn outer_tags(&self) -> impl Iterator<Item = &OuterTags> {
        let mut next = self.outer_tags.as_deref();
        std::iter::from_fn(move || {
            let found = next?;
            next = found.outer.as_deref();
            Some(found)
        })
    }

    /// Creates a resource with its name as its only parameter.
    pub(crate) fn named(
        place: Option<Place>,
        container: Option<ResourceKey>,
        name: &str,
    ) -> Resource {
        let mut resource = Resource::new(place, container);
        let name = Parameter::known(name, Origin::Title);
        resource.parameters.insert("name".to_owned(), name);
        resource
    }
}

/// A dependency between two resources: the agent applies the first one before the second one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: ResourceKey,
    pub to: ResourceKey,
    pub kind: EdgeKind,
    /// Whether the resource types add it by themselves, such as that of a file to its directory.
    pub is_automatic: bool,
    /// The attribute or arrow that adds it.
    pub place: Option<Place>,
}

/// The dependencies between resources of two types that one of the types computes, so that they are unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnknownEdges {
    /// The type of the resources that are applied first, capitalized.
    pub from: String,
    /// The type of the others.
    pub to: String,
}

/// The effect of a dependency.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EdgeKind {
    /// Orders the resources.
    Before,
    /// Orders the resources, and refreshes the second one if the first one changes.
    Notify,
}

impl EdgeKind {
    /// Returns the metaparameter of the first resource with this effect.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            EdgeKind::Before => "before",
            EdgeKind::Notify => "notify",
        }
    }
}

/// Resources that depend on each other, so that the agent applies none of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// All resources that depend on each other, sorted.
    pub members: Vec<ResourceKey>,
    /// The shortest way from one of them back to it, with the classes and defined types on the way.
    pub path: Vec<ResourceKey>,
    /// The links of the path that all cycles between the members have: if one is removed, no cycle remains.
    pub cuts: Vec<(ResourceKey, ResourceKey)>,
}

/// A part of the code whose effects on the catalog are unknown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    pub place: Option<Place>,
    pub why: String,
}

/// A compiled catalog.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Catalog {
    /// The resources in the order of their declaration.
    pub resources: IndexMap<ResourceKey, Resource, FxBuildHasher>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The types of resources that are defined types.
    pub defined_types: BTreeSet<String>,
    /// The classes that `contain` adds to classes and defined types, as pairs of the container and the class, with the
    /// places of the calls.
    pub containments: FxHashMap<(ResourceKey, ResourceKey), Option<Place>>,
    /// The dependencies between resources.
    pub edges: Vec<Edge>,
    /// The further dependencies that the resources may have.
    pub unknown_edges: BTreeSet<UnknownEdges>,
    /// The dependencies that lead from a resource to itself.
    pub cycles: Vec<Cycle>,
    /// The parts that may add resources or parameters.
    pub gaps: Vec<Gap>,
    /// The conditions with unknown values. What they decide about is in the catalog, but not certain.
    pub conditions: Vec<Gap>,
}

impl Catalog {
    /// Checks whether the catalog certainly has all resources and parameters, and no others.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.gaps.is_empty() && self.conditions.is_empty()
    }

    /// Checks whether a resource contains others: a class, stage, node or instance of a defined type.
    #[must_use]
    pub fn is_container(&self, key: &ResourceKey) -> bool {
        matches!(key.type_name.as_str(), "Class" | "Stage" | "Node")
            || self.defined_types.contains(&key.type_name)
    }

    /// Returns the edges between resources that contain no others.
    pub fn plain_edges(&self) -> impl Iterator<Item = &Edge> {
        let is_plain = |it: &ResourceKey| !self.is_container(it);
        let edges = self.edges.iter();
        edges.filter(move |it| is_plain(&it.from) && is_plain(&it.to))
    }

    /// Returns the members of a cycle that contain no others.
    pub fn plain_members<'a>(&'a self, cycle: &'a Cycle) -> impl Iterator<Item = &'a ResourceKey> {
        cycle.members.iter().filter(|it| !self.is_container(it))
    }
}

/// The kind of an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileErrorKind {
    /// A file that the catalog needs has a syntax error.
    Syntax,
    /// Two declarations have the same type and title.
    DuplicateDeclaration(ResourceKey),
    /// A relationship, override or `realize` refers to a resource that is not declared.
    UndeclaredResource(ResourceKey),
    /// A relationship refers to a virtual resource that is never realized.
    UnrealizedResource(ResourceKey),
    /// An override of a resource that another class declares, which the overriding one does not inherit.
    ForeignOverride(ResourceKey),
    /// An override of a parameter that the declaration, or an override that is not one of a parent class, sets.
    RepeatedOverride(ResourceKey, String),
    /// The evaluation of an expression fails.
    Evaluation(Issue),
    /// The budget is exhausted, so that the rest of the code was not evaluated.
    Unfinished,
}

/// An error with which Puppet rejects a catalog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub kind: CompileErrorKind,
    pub message: String,
    pub place: Option<Place>,
    /// The place of the other declaration, or of the instance whose code fails.
    pub related: Option<Place>,
    /// The call of the function or template whose code fails, in the code of a class, defined type or node.
    pub(crate) call: Option<Place>,
    /// The Hiera key of the value that is wrong.
    pub key: Option<String>,
    /// The resources in whose code the two declarations of a resource are, as [`Self::place`] and [`Self::related`].
    pub(crate) containers: [Option<ResourceKey>; 2],
}

/// The result of a compilation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Compilation {
    /// The catalog, as far as it could be compiled.
    pub catalog: Catalog,
    /// The errors. Puppet only reports the first one.
    pub errors: Vec<CompileError>,
}

impl CompileError {
    pub(crate) fn new(
        kind: CompileErrorKind,
        message: impl Into<String>,
        place: Option<Place>,
    ) -> CompileError {
        CompileError {
            kind,
            message: message.into(),
            place,
            related: None,
            call: None,
            key: None,
            containers: [None, None],
        }
    }

    /// Converts errors of a file, or of the code of a request, with which Puppet rejects each catalog that needs it.
    pub fn of_syntax<'a>(
        file: Option<FileId>,
        found: &'a [Diagnostic],
    ) -> impl Iterator<Item = CompileError> + 'a {
        let errors = found.iter().filter(|it| it.severity == Severity::Error);
        errors.map(move |it| {
            let range = it.range;
            let place = Some(Place { file, range });
            CompileError::new(CompileErrorKind::Syntax, &it.message, place)
        })
    }
}

impl Compilation {
    /// Returns the catalog.
    ///
    /// # Errors
    ///
    /// If Puppet rejects it.
    pub fn into_result(mut self) -> Result<Catalog, CompileError> {
        match self.errors.is_empty() {
            true => Ok(self.catalog),
            false => Err(self.errors.remove(0)),
        }
    }
}
