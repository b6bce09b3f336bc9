//! Signatures: functions, resource types, facts and data types as declared by their source, whether
//! Puppet ships them (`library`) or a module defines them in Ruby (`ruby`) or in Puppet
//! (`workspace`).
//!
//! These are plain data that can be compared and contain no offsets except for the ranges of names,
//! so that unchanged signatures stop the invalidation of queries. Types are kept in source form,
//! and parsed where the aliases are in scope.

mod doc;

use syntax::TextRange;

pub use doc::{Doc, DocTag};

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The qualified name, without a leading `::`.
    pub name: String,
    /// The API that the function is written with.
    pub api: FunctionApi,
    /// The overloads, in the order in which Puppet tries them. Empty if the parameters are unknown.
    pub overloads: Vec<Overload>,
    /// Whether it returns a value; statement functions of the 3.x API do not.
    pub has_value: bool,
    /// Whether it rewrites its arguments before Puppet selects an overload. The overloads then do
    /// not describe the arguments of a call.
    pub rewrites_arguments: bool,
    /// Whether it is deprecated in a way that fails if the setting `strict` is `error`, the default of
    /// Puppet 8.
    pub fails_if_strict: bool,
    /// Whether it may read the variables of its caller. Those in the Puppet language cannot, and
    /// those shipped with Puppet are listed in [`crate::KnownFunction`].
    pub reads_scope: bool,
    /// The type of the results, in Puppet's notation, if the Ruby code determines it. Puppet does not
    /// check it.
    pub result: Option<String>,
    /// The documentation of the whole function.
    pub doc: Doc,
    /// The range of the name; empty for built-in functions.
    pub name_range: TextRange,
}

/// The API a function is written with, which determines how much is known about its calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionApi {
    /// The Puppet language.
    Puppet,
    /// Ruby, with `Puppet::Functions.create_function`.
    Ruby4x,
    /// Ruby, with `Puppet::Parser::Functions.newfunction`: untyped arguments, with at most a known
    /// number of them.
    Ruby3x,
}

/// A signature of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overload {
    /// The parameters in order: required, optional, repeated.
    pub parameters: Vec<FunctionParameter>,
    /// The block parameter; `None` if no block is accepted.
    pub block: Option<BlockParameter>,
    /// The return type, in Puppet's notation.
    pub returns: Option<String>,
    /// The documentation of this overload.
    pub doc: Doc,
    /// Type aliases local to the function (`local_types`).
    pub local_types: Vec<(String, String)>,
}

impl Overload {
    /// Returns a type in Puppet's notation with the type aliases that only the function knows replaced.
    pub fn without_local_types(&self, type_: &str) -> String {
        // An alias may contain another one.
        const MAX_DEPTH: usize = 4;
        let mut text = type_.to_owned();
        for _ in 0..MAX_DEPTH {
            let Some((at, (name, definition))) = self.local_type_in(&text) else {
                break;
            };
            text.replace_range(at..at + name.len(), definition);
        }
        text
    }

    /// Returns a local type alias in a type, with its offset.
    fn local_type_in(&self, text: &str) -> Option<(usize, &(String, String))> {
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | ':');
        self.local_types.iter().find_map(|it| {
            let mut places = text.match_indices(&it.0).map(|it| it.0);
            let at = places.find(|at| {
                let (before, rest) = text.split_at(*at);
                let is_inside =
                    before.ends_with(is_part) || rest[it.0.len()..].starts_with(is_part);
                !is_inside
            })?;
            Some((at, it))
        })
    }
}

/// A parameter of an [`Overload`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionParameter {
    /// The name, without a dollar sign.
    pub name: String,
    /// The type, in Puppet's notation; `None` for any type.
    pub type_: Option<String>,
    /// The number of arguments it accepts.
    pub arity: Arity,
    /// The default value, as Puppet source.
    pub default: Option<String>,
}

/// The number of arguments that a parameter accepts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arity {
    /// Exactly one.
    Required,
    /// Zero or one.
    Optional,
    /// Zero or more.
    Repeated,
    /// One or more.
    RequiredRepeated,
}

/// The block parameter of an [`Overload`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockParameter {
    /// The name, without an ampersand or dollar sign.
    pub name: String,
    /// A `Callable`, in Puppet's notation; `None` for any block.
    pub type_: Option<String>,
    /// Whether the block is optional.
    pub optional: bool,
}

/// A resource type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceType {
    /// The name, in lower case.
    pub name: String,
    /// The documentation.
    pub doc: Doc,
    /// The attributes in source order, without metaparameters.
    pub attributes: Vec<Attribute>,
    /// Whether all attributes could be extracted. If not, unknown attributes must not be reported.
    pub complete: bool,
    /// The known providers, sorted by name.
    pub providers: Vec<String>,
    /// Whether `title_patterns` splits titles into attributes.
    pub title_patterns: bool,
    /// The resource types that its resources require automatically.
    pub autorequires: Vec<String>,
    /// The dependencies that its resources add automatically.
    pub automatic_relations: Vec<AutomaticRelation>,
    /// The conditions with which its `validate` block refuses a resource, as far as they are understood.
    pub refusals: Vec<Refusal>,
    /// The module that now contains a type that was once part of Puppet. The type exists in
    /// packages that bundle the module, and elsewhere only if the module is installed.
    pub module: Option<String>,
    /// The range of the name; empty for built-in types.
    pub name_range: TextRange,
}

impl Attribute {
    /// Checks whether code sets it by a name. For Puppet, `name` is another name of the attribute that the title sets.
    pub fn is_set_by(&self, name: &str) -> bool {
        name == self.name || self.namevar && name == "name"
    }
}

impl ResourceType {
    /// Returns the name of the first attribute that the title sets by default.
    pub fn namevar(&self) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let namevar = attributes.find(|it| it.namevar)?;
        Some(&namevar.name)
    }
}

/// A combination of attributes that a resource type refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The condition.
    pub condition: AttributeCondition,
    /// The message of the error, if it is constant.
    pub message: Option<String>,
}

/// A condition on the attributes of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttributeCondition {
    /// The attribute is set.
    Set(String),
    /// The attribute has this value, as a string.
    Equals(String, String),
    /// The condition does not hold.
    Not(Box<AttributeCondition>),
    /// All of the conditions hold.
    All(Vec<AttributeCondition>),
    /// One of the conditions holds.
    Any(Vec<AttributeCondition>),
}

impl AttributeCondition {
    /// Returns the names of the attributes.
    pub fn names(&self) -> Vec<&str> {
        match self {
            AttributeCondition::Set(name) | AttributeCondition::Equals(name, _) => vec![name],
            AttributeCondition::Not(inner) => inner.names(),
            AttributeCondition::All(all) | AttributeCondition::Any(all) => {
                all.iter().flat_map(AttributeCondition::names).collect()
            }
        }
    }
}

/// A dependency that resources of a type add automatically, on resources that the catalog has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AutomaticRelation {
    /// The kind.
    pub kind: AutomaticRelationKind,
    /// The type of the other resources, in lower case.
    pub type_name: String,
    /// The other resources; `None` if code computes them.
    pub titles: Option<Vec<RelatedTitle>>,
    /// The providers with which resources have the dependency; empty for all.
    pub providers: Vec<String>,
}

/// The kind of an [`AutomaticRelation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AutomaticRelationKind {
    /// `autorequire`.
    Require,
    /// `autosubscribe`.
    Subscribe,
    /// `autobefore`.
    Before,
    /// `autonotify`.
    Notify,
}

/// The title of a resource in an [`AutomaticRelation`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RelatedTitle {
    /// A title.
    Literal(String),
    /// The value of an attribute.
    Attribute(String),
}

/// An attribute of a [`ResourceType`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: AttributeKind,
    /// The documentation.
    pub doc: Doc,
    /// The documented values; other values may be accepted too.
    pub values: Vec<String>,
    /// The source of the regular expressions that accepted values match.
    pub patterns: Vec<String>,
    /// Whether only `values` and `patterns` are accepted.
    pub closed: bool,
    /// The type, in Puppet's notation, if it is declared (Resource API, stubs).
    pub type_: Option<String>,
    /// The values that the Ruby code of the attribute accepts, if that is known (stubs).
    pub accepts: Option<Accepts>,
    /// The default, as Puppet source or prose; `None` if it is missing or computed.
    pub default: Option<String>,
    /// Whether the attribute is the namevar, which defaults to the title.
    pub namevar: bool,
    /// Whether the attribute is required.
    pub required: bool,
    /// Whether the attribute is read-only.
    pub read_only: bool,
    /// The provider features that the attribute requires.
    pub required_features: Vec<String>,
    /// The range of the name; empty for built-in attributes.
    pub name_range: TextRange,
}

/// The values that an [`Attribute`] accepts. All others are certainly refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepts {
    /// The type of a single value, in Puppet's notation. Values are compared as they are written,
    /// without conversion.
    pub type_: String,
    /// The description of the values, to follow "expects", if the type is not self-explanatory.
    pub description: Option<String>,
    /// Whether an array is refused, even if all of its elements are accepted.
    pub single: bool,
    /// The type of accepted values that the program which reads them refuses.
    pub unusable: Option<String>,
}

/// The kind of an [`Attribute`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttributeKind {
    /// A property: a part of the system state that Puppet manages.
    Property,
    /// A parameter, which affects how the provider works.
    Parameter,
    /// A metaparameter, available on every resource type.
    Metaparameter,
    /// The `provider` attribute.
    Provider,
    /// A check, such as `onlyif` of `exec`.
    Check,
}

/// A fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The name; for a structured fact, that of the top level.
    pub name: String,
    /// The documentation.
    pub doc: Doc,
    /// The type, in Puppet's notation.
    pub type_: Option<String>,
    /// The replacement of a legacy fact, such as `$facts['os']['family']`.
    pub modern: Option<String>,
    /// The range of the name; empty for built-in facts.
    pub name_range: TextRange,
}

/// A data type defined in Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RubyDataType {
    /// The name, such as `Target`.
    pub name: String,
    /// The interface, in the form of the parameter of `Object[…]`; `None` if it could not be
    /// extracted.
    pub interface: Option<String>,
    /// The documentation.
    pub doc: Doc,
    /// The range of the name.
    pub name_range: TextRange,
}
