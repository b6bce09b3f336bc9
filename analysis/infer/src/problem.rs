//! Type problems as plain data; [`rules`] turns them into diagnostics.

use syntax::TextRange;

use super::arity::ArityRange;
use base::FileInput;
use eval::Issue;
use hir::ItemKind;
use hir::body::PathKind;
use types::{StructType, Type};

/// A type error in an item's code. It is definite unless its kind states otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeProblem {
    /// The range to report, in the tree of the item.
    pub range: TextRange,
    pub kind: TypeProblemKind,
    /// The variables that explain the types involved.
    pub related: Vec<RelatedVariable>,
    /// Whether it depends on other code or on facts.
    pub depends_on_external: bool,
    /// Whether it depends on a module that is installed in a version other than the required one.
    pub is_uncertain: bool,
    /// Whether only the default of a parameter fails: users may pass another value.
    pub is_default: bool,
}

/// The kind of code that Bolt runs by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RunnableKind {
    Plan,
    Task,
}

/// A variable that explains a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedVariable {
    /// The range of its assignment or declaration, in the tree of the item.
    pub range: TextRange,
    pub variable: String,
    /// Its type at the problem.
    pub type_: Type,
}

/// The kind of a [`TypeProblem`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeProblemKind {
    /// A value that never matches the expected type.
    Mismatch {
        /// The target of the value.
        what: ValueTarget,
        expected: Type,
        actual: Type,
    },
    /// A value that does not match the expected type in some cases.
    PossibleMismatch {
        /// The target of the value.
        what: ValueTarget,
        expected: Type,
        /// The alternatives that do not match.
        misfit: Type,
    },
    /// A value that an attribute of a resource does not accept.
    RefusedValue {
        /// The target of the value.
        what: ValueTarget,
        /// The description of the accepted values, to follow "expects".
        description: String,
        expected: Type,
        actual: Type,
    },
    /// No overload of a function accepts the arguments.
    NoOverload {
        function: String,
        /// The rendered overloads.
        overloads: Vec<String>,
        /// The types of the arguments.
        actual: Vec<Type>,
    },
    /// A call with a wrong number of arguments.
    ArgumentCount {
        function: String,
        /// The number of arguments that the function accepts.
        wanted: ArityRange,
        /// The number of arguments found.
        actual: usize,
    },
    /// A call without the lambda that the function requires.
    MissingBlock { function: String },
    /// A call with a lambda that the function does not accept.
    UnexpectedBlock { function: String },
    /// A lambda with a wrong number of parameters.
    BlockArity {
        function: String,
        /// The number of arguments passed to the lambda.
        given: ArityRange,
        /// The number of parameters found.
        actual: usize,
    },
    /// An operator that does not apply to its operands.
    UnsupportedOperand {
        operator: String,
        /// The left operand, or the only one.
        left: Type,
        right: Option<Type>,
    },
    /// An evaluation that always fails, with Puppet's own error.
    EvaluationError {
        /// The function that is called, if it is a call.
        function: Option<String>,
        /// The issue code of the error.
        issue: Issue,
        /// The error message.
        message: String,
    },
    /// A type that does not accept its parameters.
    InvalidType {
        /// The error message.
        message: String,
    },
    /// A condition that is always true or always false.
    ConstantCondition {
        /// Its truthiness.
        value: bool,
        /// Whether it only guards a call of `fail`.
        guards: bool,
    },
    /// An option of a case or selector that is never reached.
    UnreachableOption {
        /// The remaining values of the subject.
        subject: Type,
        /// The values of the subject before all options, if none of them matches this option.
        mismatched: Option<Type>,
        /// Whether it only handles undef.
        guards: bool,
    },
    /// A case or selector that has no default and does not cover all values.
    MissingOption {
        /// The values that are not covered.
        left: Type,
        /// Whether Puppet fails for these values, as it does in a selector.
        fatal: bool,
        /// Whether no option matches any value.
        always: bool,
    },
    /// Code after an expression that never returns.
    UnreachableCode,
    /// Operands that are never equal, or that cannot be ordered.
    NeverEqual { left: Type, right: Type },
    /// An index that is out of range.
    IndexOutOfRange {
        index: i64,
        /// The maximum number of elements.
        size: i64,
    },
    /// An attribute that is set again by a hash of attributes.
    RepeatedAttribute {
        /// The name of the attribute.
        name: String,
    },
    /// An attribute in a hash of attributes that its definition does not have.
    UnknownAttribute { owner: AttributeOwner, name: String },
    /// A required parameter that a hash of attributes lacks.
    MissingAttribute {
        /// The defined type.
        owner: String,
        name: String,
    },
    /// Attributes of a resource that exclude each other.
    Conflict {
        attributes: [String; 2],
        /// The range of the first one, unless it is shared with other resources.
        first: Option<TextRange>,
    },
    /// An attribute that a resource needs, always or because of another one.
    MissingCompanion {
        /// The resource type.
        type_name: String,
        /// The alternative attributes, one of which is needed.
        needed: Vec<String>,
        /// The attribute that needs it.
        attribute: Option<String>,
        /// The value of the attribute, if that is the reason.
        value: Option<Type>,
    },
    /// A combination of attributes that the code of the resource type refuses.
    RefusedResource {
        /// The resource type.
        type_name: String,
        /// The message of the error, if it is constant.
        message: Option<String>,
        /// The attributes on which the refusal depends.
        attributes: Vec<String>,
    },
    /// A value of an attribute that Puppet accepts, but not the program that reads it.
    UnusableValue {
        what: ValueTarget,
        /// The usable values, to follow "expects".
        description: String,
        actual: Type,
    },
    /// An attribute without effect because of the value of another one.
    Ignored {
        attribute: String,
        /// The other attribute.
        by: String,
        /// The value of the other attribute.
        value: Type,
    },
    /// An attribute that the value of another one rules out.
    RuledOut {
        /// The resource type.
        type_name: String,
        attribute: String,
        /// The other attribute.
        by: String,
        /// The value of the other attribute.
        value: Type,
    },
    /// A provider that no file defines.
    UnknownProvider {
        /// The resource type.
        type_name: String,
        name: String,
        /// The providers of the type.
        known: Vec<String>,
    },
    /// A value for an attribute that Puppet only reads.
    ReadOnlyAttribute {
        /// The resource type.
        type_name: String,
        name: String,
        /// Whether Puppet ignores the value: parameters do, properties fail.
        is_ignored: bool,
    },
    /// A name in `audit` that is not an attribute of the resource type.
    UnknownAudit {
        /// The resource type.
        type_name: String,
        name: String,
        /// The attributes of the type.
        known: Vec<String>,
    },
    /// A key that a Struct does not have.
    UnknownKey { key: String, known: StructType },
    /// A match variable for a capture group that the last match does not have.
    UnknownCaptureGroup {
        /// The number of the capture group.
        number: usize,
        /// The number of capture groups.
        count: usize,
    },
    /// A match variable where no regular expression was matched.
    NothingMatched {
        /// The number of the capture group.
        number: usize,
    },
    /// A variable that is read where it is not assigned yet.
    UnassignedVariable { name: String },
    /// A multiple assignment of a value that has another number of elements.
    ElementCount {
        /// The number of variables.
        variables: usize,
        value: Type,
    },
    /// A multiple assignment of a hash that lacks the key of a variable.
    MissingKey { key: String },
    /// A multiple assignment of a class that lacks a variable.
    MissingVariable { class: String, variable: String },
    /// A value that no container of this type contains.
    NeverIn { value: Type, container: Type },
    /// A file or template that does not exist at any of these paths.
    MissingPath {
        kind: PathKind,
        /// The paths, after the URL of modules in a source.
        paths: Vec<String>,
    },
    /// A computed name that may be unknown: no class that is installed has it.
    UnknownClass {
        /// The name in canonical form.
        name: String,
    },
    /// A computed resource type that no module and not Puppet defines.
    UnknownResourceType {
        /// The name in canonical form.
        name: String,
    },
    /// A parameter that a template does not declare.
    UnknownParameter {
        template: Template,
        /// The name of the parameter.
        name: String,
        /// The parameters of the template.
        known: Vec<String>,
        /// Whether it is ignored if its value, which may be undef, is undef.
        may_be_ignored: bool,
    },
    /// A plan or task that its module does not contain.
    UnknownRunnable {
        /// The name in canonical form.
        name: String,
        kind: RunnableKind,
    },
    /// A missing required parameter of a template.
    MissingParameter {
        template: Template,
        /// The name of the parameter.
        name: String,
    },
}

/// The definition that an attribute belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttributeOwner {
    /// The name of the definition.
    pub name: String,
    /// Whether it is a class or a defined type; `None` for a resource type in Ruby.
    pub kind: Option<ItemKind>,
    /// The attributes that it has.
    pub known: Vec<String>,
}

/// A template that is evaluated, or a plan or task that is run: all take parameters by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Template {
    /// A file, with the path by which it is referenced.
    File(String, FileInput),
    /// An inline template.
    Inline,
    /// A plan.
    Plan(String),
    /// A task.
    Task(String),
}

/// The target that a value is assigned or passed to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueTarget {
    /// An argument: the function and the parameter.
    Argument(String, String),
    /// A parameter of a class or defined type: the definition and the parameter.
    Parameter(String, String),
    /// A parameter of a template.
    TemplateParameter(Template, String),
    /// An attribute of a resource: the resource type and the attribute.
    Attribute(String, String),
    /// The title of a resource as the value of an attribute: the resource type and the attribute.
    Namevar(String, String),
    /// The hash of attributes after `* =>`.
    Splat,
    /// An operand of a relationship: the operator.
    Relationship(String),
    /// The default of a parameter.
    Default(String),
    /// The result of a function.
    Result(String),
    /// A parameter of a lambda.
    BlockParameter(String),
    /// The title of a resource.
    Title,
    /// The value of an `assert_type`.
    Assertion,
}
