//! Puppet's own model of a file (`Puppet::Pops::Model`), lowered from the syntax tree.
//!
//! The tree represents the source; the model represents Puppet's interpretation of it: qualified
//! names of nested definitions, calls without parentheses, adjacent pairs as one hash, strings
//! without empty segments. The static checks and the PN notation are defined on it. Editor features
//! use the tree.

mod lower;
mod walk;

use rowan::{TextRange, TextSize};

pub(crate) use lower::lower;
pub(crate) use walk::{children, walk};

/// An object of the model.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The position that Puppet reports: often an operator or a bracket, not the start.
    pub(crate) at: TextSize,
    /// The full range.
    pub(crate) range: TextRange,
}

/// The class of an object, under a short form of Puppet's name.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Nop,
    Program(Option<Box<Node>>),
    Block(Vec<Node>),
    Binary {
        class: BinaryClass,
        op: String,
        left: Box<Node>,
        right: Box<Node>,
    },
    Unary {
        class: UnaryClass,
        expr: Box<Node>,
    },
    Access {
        left: Box<Node>,
        keys: Vec<Node>,
    },
    NamedAccess {
        left: Box<Node>,
        name: String,
    },
    List(Vec<Node>),
    Hash(Vec<Node>),
    KeyedEntry {
        key: Box<Node>,
        value: Box<Node>,
    },
    If {
        unless: bool,
        test: Box<Node>,
        then: Option<Box<Node>>,
        otherwise: Option<Box<Node>>,
    },
    Case {
        test: Box<Node>,
        options: Vec<Node>,
    },
    CaseOption {
        values: Vec<Node>,
        then: Option<Box<Node>>,
    },
    Selector {
        left: Box<Node>,
        selectors: Vec<Node>,
    },
    SelectorEntry {
        matching: Box<Node>,
        value: Box<Node>,
    },
    Call {
        functor: Box<Node>,
        is_value: bool,
        arguments: Vec<Node>,
        lambda: Option<Box<Node>>,
    },
    MethodCall {
        functor: Box<Node>,
        arguments: Vec<Node>,
        lambda: Option<Box<Node>>,
    },
    Lambda {
        parameters: Vec<Node>,
        body: Option<Box<Node>>,
        return_type: Option<Box<Node>>,
    },
    Epp(Option<Box<Node>>),
    Resource {
        form: Form,
        type_name: Box<Node>,
        bodies: Vec<Node>,
    },
    ResourceBody {
        title: Box<Node>,
        operations: Vec<Node>,
    },
    ResourceDefaults {
        form: Form,
        type_ref: Box<Node>,
        operations: Vec<Node>,
    },
    ResourceOverride {
        form: Form,
        resources: Box<Node>,
        operations: Vec<Node>,
    },
    Attribute {
        name: String,
        op: String,
        value: Box<Node>,
    },
    AttributeSplat(Box<Node>),
    Collect {
        type_expr: Box<Node>,
        query: Box<Node>,
        operations: Vec<Node>,
    },
    Query {
        exported: bool,
        expr: Option<Box<Node>>,
    },
    Definition(Definition),
    NodeDefinition {
        hosts: Vec<Node>,
        parent: Option<Box<Node>>,
        body: Option<Box<Node>>,
    },
    TypeAlias {
        name: String,
        type_expr: Box<Node>,
    },
    TypeMapping {
        type_expr: Box<Node>,
        mapping: Box<Node>,
    },
    TypeDefinition {
        name: String,
        parent: Option<String>,
        body: Option<Box<Node>>,
    },
    Parameter(Parameter),
    Apply {
        arguments: Vec<Node>,
        body: Box<Node>,
    },
    ApplyBlock(Vec<Node>),
    Integer {
        value: i128,
        radix: u32,
    },
    Float(f64),
    Boolean(bool),
    Undef,
    Default,
    Regex(String),
    String(String),
    QualifiedName(String),
    QualifiedReference(String),
    ReservedWord(String),
    Variable(String),
    Concat(Vec<Node>),
    Heredoc {
        syntax: String,
        text: Box<Node>,
    },
    RenderString(String),
}

/// The kind of a binary expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BinaryClass {
    Arithmetic,
    Comparison,
    Match,
    In,
    And,
    Or,
    Assignment,
    Relationship,
}

/// The kind of a unary expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryClass {
    Paren,
    Not,
    Minus,
    Unfold,
    Text,
    Render,
}

/// The form of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Regular,
    Virtual,
    Exported,
}

/// A class, a defined type, a function or a plan.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) class: DefinitionClass,
    /// The qualified name, including enclosing classes.
    pub(crate) name: String,
    pub(crate) parent: Option<String>,
    pub(crate) parameters: Vec<Node>,
    pub(crate) body: Option<Box<Node>>,
    pub(crate) return_type: Option<Box<Node>>,
}

/// The kind of a [`Definition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DefinitionClass {
    Class,
    Define,
    Function,
    Plan,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) type_expr: Option<Box<Node>>,
    pub(crate) value: Option<Box<Node>>,
    pub(crate) captures_rest: bool,
}

impl Node {
    /// Checks whether this is a definition of any kind.
    pub(crate) fn is_definition(&self) -> bool {
        matches!(
            self.kind,
            Kind::Definition(_)
                | Kind::NodeDefinition { .. }
                | Kind::TypeAlias { .. }
                | Kind::TypeMapping { .. }
                | Kind::TypeDefinition { .. }
        )
    }
}
