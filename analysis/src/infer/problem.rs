//! What is wrong with types, as plain data: the rules word it.

use syntax::TextRange;

use super::counts::Counts;
use crate::db::FileInput;
use crate::eval::Issue;
use crate::types::Type;

/// Something that is wrong with the types or values of an item's code: certainly so, unless its
/// kind says something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    /// What to underline, in the tree of the item.
    pub(crate) range: TextRange,
    /// What is wrong.
    pub(crate) kind: ProblemKind,
    /// Why the types are what they are.
    pub(crate) related: Vec<Reason>,
    /// Whether it depends on what comes from other code, or from facts.
    pub(crate) foreign: bool,
}

/// A variable that has to do with a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reason {
    /// Where it is assigned or declared, in the tree of the item.
    pub(crate) range: TextRange,
    /// Its name.
    pub(crate) variable: String,
    /// What is known of it where the problem is.
    pub(crate) type_: Type,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProblemKind {
    /// A value whose type can never fit.
    Mismatch {
        /// What the value is given to.
        what: Target,
        /// What is asked for.
        expected: Type,
        /// What the value is.
        actual: Type,
    },
    /// A value that fits only sometimes.
    PossibleMismatch {
        /// What the value is given to.
        what: Target,
        /// What is asked for.
        expected: Type,
        /// What the value may be that does not fit.
        misfit: Type,
    },
    /// No form of a function takes such arguments.
    NoOverload {
        /// The function.
        function: String,
        /// What it takes, a line a form.
        forms: Vec<String>,
        /// What it is given.
        actual: Vec<Type>,
    },
    /// The number of arguments is wrong.
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes.
        wanted: Counts,
        /// How many it is given.
        actual: usize,
    },
    /// A function needs a block and gets none.
    MissingBlock {
        /// The function.
        function: String,
    },
    /// A function takes no block and gets one.
    UnexpectedBlock {
        /// The function.
        function: String,
    },
    /// A block has a wrong number of parameters.
    BlockArity {
        /// The function.
        function: String,
        /// How many arguments the block gets.
        given: Counts,
        /// How many parameters it has.
        actual: usize,
    },
    /// An operator cannot be applied to its operands.
    Operand {
        /// The operator.
        operator: String,
        /// The left operand, or the only one.
        left: Type,
        /// The right operand.
        right: Option<Type>,
    },
    /// Puppet fails here whatever happens, with what it says.
    Fails {
        /// The function that is called, if it is one.
        function: Option<String>,
        /// Puppet's name for what is wrong.
        issue: Issue,
        /// Why, in one sentence.
        message: String,
    },
    /// A condition is always the same.
    ConstantCondition {
        /// What it is.
        value: bool,
        /// Whether it only keeps the code from a `fail`.
        guards: bool,
    },
    /// An option of a case or selector that nothing gets to.
    UnreachableOption {
        /// What the subject can be there.
        subject: Type,
        /// Whether it is only for the case that nothing is there.
        guards: bool,
    },
    /// A case or selector without a default does not cover all values.
    MissingOption {
        /// What is left.
        left: Type,
        /// Whether Puppet fails then; a selector does.
        fatal: bool,
    },
    /// Code behind what never returns.
    UnreachableCode,
    /// Values of these types are never equal, or cannot be compared by order.
    NeverEqual {
        /// The left operand.
        left: Type,
        /// The right operand.
        right: Type,
    },
    /// An index behind the end.
    IndexOutside {
        /// The index.
        index: i64,
        /// How many elements there are at most.
        size: i64,
    },
    /// A key that a Struct has not.
    UnknownKey {
        /// The key.
        key: String,
        /// The keys there are.
        known: Vec<String>,
    },
    /// The last match has no such group.
    NoGroup {
        /// The number of the group.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A template is given a parameter that it has not.
    UnknownParameter {
        /// The template.
        template: Template,
        /// The parameter.
        name: String,
        /// The parameters that it has.
        known: Vec<String>,
    },
    /// A template is not given a parameter that has no default.
    MissingParameter {
        /// The template.
        template: Template,
        /// The parameter.
        name: String,
    },
    /// A value is put into a text where only its memory address or nothing useful would appear.
    NoText {
        /// What the value is.
        actual: Type,
    },
}

/// A template that is evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Template {
    /// A file, by the path that it is called by.
    File(String, FileInput),
    /// A text.
    Inline,
}

/// What a value is given to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// An argument of a function, by the function and the parameter.
    Argument(String, String),
    /// A parameter of a class or defined type, by what declares it and its name.
    Parameter(String, String),
    /// A parameter of a template.
    TemplateParameter(Template, String),
    /// An attribute of a resource, by its type and name.
    Attribute(String, String),
    /// The default of a parameter.
    Default(String),
    /// The result of a function.
    Result(String),
    /// A parameter of a block.
    BlockParameter(String),
    /// The title of a resource.
    Title,
    /// `assert_type`.
    Assertion,
}
