//! The catalog as plain data.

use std::collections::BTreeSet;
use std::fmt;

use base::FileId;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use syntax::TextRange;
use types::values::Value;

/// A resource by its type, capitalized, and its title.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ResourceKey {
    pub type_name: String,
    pub title: String,
}

impl fmt::Display for ResourceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.type_name, self.title)
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

/// A parameter of a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The value, or why it is unknown.
    pub value: Result<Value, String>,
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
    /// The tags of the resources around it, once its code is evaluated.
    pub tags: BTreeSet<String>,
    /// Whether every compilation for the node declares it.
    pub is_certain: bool,
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
    /// The parts that may add resources or parameters.
    pub gaps: Vec<Gap>,
}

/// The error that ends a compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub message: String,
    pub place: Option<Place>,
}
