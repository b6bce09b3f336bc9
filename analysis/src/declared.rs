//! What can be called and declared, as its source says it: functions, resource types, facts and
//! data types, whether Puppet ships them (`library`), a module defines them in Ruby (`ruby`) or
//! in Puppet (`workspace`).
//!
//! Plain data, comparable, without offsets into trees other than the place of a name, so that
//! the results of queries stop changes. Types are kept as they are written; whoever needs one
//! reads it where its aliases are known.

mod doc;

use syntax::TextRange;

pub use doc::{Doc, DocTag};

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its full name, without a leading `::`.
    pub name: String,
    /// How it is written.
    pub api: FunctionApi,
    /// The forms it can be called in, in the order in which Puppet tries them. Empty if nothing
    /// is known about its arguments.
    pub overloads: Vec<Overload>,
    /// Whether it has a value; a statement function of the 3.x kind has none.
    pub has_value: bool,
    /// Whether it puts other arguments in the place of those that it is given before Puppet looks
    /// for a form: then the forms do not say what a call takes.
    pub rewrites_arguments: bool,
    /// What its documentation says about all of it.
    pub doc: Doc,
    /// The place of its name in its file; empty for what Puppet ships.
    pub name_range: TextRange,
}

/// How a function is written, which decides what can be known about its calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionApi {
    /// In Puppet's language.
    Puppet,
    /// In Ruby, with `Puppet::Functions.create_function`.
    Ruby4x,
    /// In Ruby, with `Puppet::Parser::Functions.newfunction`: any arguments of any type, and a
    /// number of them at most.
    Ruby3x,
}

/// One form of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overload {
    /// In order; optional ones behind required ones, a repeated one last.
    pub parameters: Vec<FunctionParameter>,
    /// The block; nothing if none may be given.
    pub block: Option<BlockParameter>,
    /// The type of the result, in Puppet's notation.
    pub returns: Option<String>,
    /// What its own documentation says.
    pub doc: Doc,
    /// Types with a local name (`local_types`): they are known in this function only.
    pub local_types: Vec<(String, String)>,
}

/// A parameter of an [`Overload`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionParameter {
    /// Its name, without a dollar sign.
    pub name: String,
    /// Its type, in Puppet's notation; nothing if any will do.
    pub type_: Option<String>,
    /// How many arguments it takes.
    pub arity: Arity,
    /// What it is given without an argument, as Puppet source.
    pub default: Option<String>,
}

/// How many arguments a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// One.
    Required,
    /// None or one.
    Optional,
    /// Any number.
    Repeated,
    /// One or more.
    RequiredRepeated,
}

/// The block of an [`Overload`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockParameter {
    /// Its name, without an ampersand or dollar sign.
    pub name: String,
    /// A `Callable`, in Puppet's notation; nothing if any will do.
    pub type_: Option<String>,
    /// Whether it may be left out.
    pub optional: bool,
}

/// A resource type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceType {
    /// Its name, in lower case.
    pub name: String,
    /// What its documentation says.
    pub doc: Doc,
    /// Its own attributes, in the order of its source; not the metaparameters.
    pub attributes: Vec<Attribute>,
    /// Whether all of its attributes could be read. If not, an attribute that is not here may
    /// exist all the same, and nothing may be said about it.
    pub complete: bool,
    /// The providers that are known, in order of their names.
    pub providers: Vec<String>,
    /// Titles are taken apart into attributes.
    pub title_patterns: bool,
    /// The types that its resources require without being told.
    pub autorequires: Vec<String>,
    /// The module that has it now, if it was part of Puppet once: it is there with packages that
    /// bring this module along, and elsewhere only if it is installed.
    pub module: Option<String>,
    /// The place of its name in its file; empty for what Puppet ships.
    pub name_range: TextRange,
}

/// An attribute of a [`ResourceType`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Whether it is a state of the system or only steers the provider.
    pub kind: AttributeKind,
    /// What its documentation says.
    pub doc: Doc,
    /// The values that are listed, as text; others may be allowed too.
    pub values: Vec<String>,
    /// Regular expressions (as their source) of which values may be.
    pub patterns: Vec<String>,
    /// Whether only `values` and `patterns` are allowed.
    pub closed: bool,
    /// Its type, in Puppet's notation, where one is declared (Resource API, stubs).
    pub type_: Option<String>,
    /// What it is by default, as Puppet source or text; nothing if it has none or it is computed.
    pub default: Option<String>,
    /// It names the resource, and is the title if it is not given.
    pub namevar: bool,
    /// It must be given.
    pub required: bool,
    /// It cannot be set.
    pub read_only: bool,
    /// Words of a provider that it needs.
    pub required_features: Vec<String>,
    /// The place of its name in its file; empty for what Puppet ships.
    pub name_range: TextRange,
}

/// What an [`Attribute`] is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// A state of the system that Puppet brings about.
    Property,
    /// A word to the provider.
    Parameter,
    /// An attribute that every type has.
    Metaparameter,
    /// The provider.
    Provider,
    /// How a state is compared.
    Check,
}

/// A fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// Its name; that of a structured fact's first level.
    pub name: String,
    /// What its documentation says.
    pub doc: Doc,
    /// Its type, in Puppet's notation.
    pub type_: Option<String>,
    /// For a legacy fact: what to write instead, such as `$facts['os']['family']`.
    pub modern: Option<String>,
    /// The place of its name in its file; empty for what Puppet ships.
    pub name_range: TextRange,
}

/// A data type that is defined in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubyDataType {
    /// Its name, such as `Target`.
    pub name: String,
    /// Its interface, as Puppet's `Object[…]` takes it; nothing if it could not be read.
    pub interface: Option<String>,
    /// What its documentation says.
    pub doc: Doc,
    /// The place of its name in its file.
    pub name_range: TextRange,
}
