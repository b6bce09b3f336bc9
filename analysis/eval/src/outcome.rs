//! What an operation comes to.

use std::borrow::Cow;
use std::fmt;

use types::values::{RegexpError, Value};

/// A value, or why there is none.
pub type Outcome<T = Value> = Result<T, Halt>;

/// Why there is no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// Puppet fails here.
    Error(EvalError),
    /// What Puppet does is not known here, for this reason.
    Unknown(Cow<'static, str>),
}

impl Halt {
    /// Not known, for this reason.
    pub fn unknown(reason: impl Into<Cow<'static, str>>) -> Halt {
        Halt::Unknown(reason.into())
    }
}

impl From<EvalError> for Halt {
    fn from(error: EvalError) -> Halt {
        Halt::Error(error)
    }
}

/// A regular expression that Ruby would run and this program cannot leaves the result unknown; one
/// that is wrong is for the caller to judge.
impl From<RegexpError> for Halt {
    fn from(error: RegexpError) -> Halt {
        match error {
            RegexpError::Invalid(_) => {
                EvalError::new(Issue::RuntimeError, error.to_string()).into()
            }
            _ => Halt::unknown(error.to_string()),
        }
    }
}

/// An error that Puppet raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalError {
    /// Puppet's issue code.
    pub issue: Issue,
    /// What is wrong, in our words.
    pub message: String,
    /// Which part of the operation is to blame.
    pub blame: Blame,
}

impl EvalError {
    /// An error of the whole operation.
    pub fn new(issue: Issue, message: impl Into<String>) -> EvalError {
        EvalError {
            issue,
            message: message.into(),
            blame: Blame::Whole,
        }
    }

    /// The same error, blamed on a part.
    pub fn at(self, blame: Blame) -> EvalError {
        EvalError { blame, ..self }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}

/// The part of an operation that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Blame {
    /// All of it; Puppet places it at the operator.
    Whole,
    /// The left operand; of an access, what is accessed.
    Left,
    /// The right operand.
    Right,
    /// The key of an access, counted from 0 among the keys after arrays in them are flattened. It
    /// may be beyond the last key as it is written: then Puppet itself has no place for the error.
    Key(usize),
}

macro_rules! issues {
    ($($(#[$doc:meta])* $name:ident = $code:expr,)*) => {
        /// Puppet's code of an error.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Issue {
            $($(#[$doc])* $name,)*
        }

        impl Issue {
            /// The code as Puppet writes it; nothing for an error that Puppet gives none.
            pub fn code(self) -> Option<&'static str> {
                match self {
                    $(Issue::$name => $code,)*
                }
            }
        }
    };
}

issues! {
    /// An array is sliced with no or too many keys.
    BadArraySliceArity = Some("BAD_ARRAY_SLICE_ARITY"),
    /// A size is no integer.
    BadCollectionSliceType = Some("BAD_COLLECTION_SLICE_TYPE"),
    /// The type Float has no or too many parameters; Puppet's code is that of Integer.
    BadFloatSliceArity = Some("BAD_INTEGER_SLICE_ARITY"),
    /// A parameter of Float is no number; Puppet's code is that of Integer.
    BadFloatSliceType = Some("BAD_INTEGER_SLICE_TYPE"),
    /// A hash is accessed without a key.
    BadHashSliceArity = Some("BAD_HASH_SLICE_ARITY"),
    /// The type Integer has no or too many parameters.
    BadIntegerSliceArity = Some("BAD_INTEGER_SLICE_ARITY"),
    /// A parameter of Integer is no integer.
    BadIntegerSliceType = Some("BAD_INTEGER_SLICE_TYPE"),
    /// The parameter of NotUndef is neither a type nor a string.
    BadNotUndefSliceType = Some("BAD_NOT_UNDEF_SLICE_TYPE"),
    /// The key of an array is no integer.
    BadSliceKeyType = Some("BAD_SLICE_KEY_TYPE"),
    /// A string is sliced with no or too many keys.
    BadStringSliceArity = Some("BAD_STRING_SLICE_ARITY"),
    /// The key of a string is no integer.
    BadStringSliceKeyType = Some("BAD_STRING_SLICE_KEY_TYPE"),
    /// A type has too few or too many parameters.
    BadTypeSliceArity = Some("BAD_TYPE_SLICE_ARITY"),
    /// A parameter of a type is of the wrong kind.
    BadTypeSliceType = Some("BAD_TYPE_SLICE_TYPE"),
    /// A parameter of a type is of the wrong kind.
    BadTypeSpecialization = Some("BAD_TYPE_SPECIALIZATION"),
    /// Two values have no order.
    ComparisonNotPossible = Some("COMPARISON_NOT_POSSIBLE"),
    /// Division by zero.
    DivByZero = Some("DIV_BY_ZERO"),
    /// A hash literal has a key twice.
    DuplicateKey = Some("DUPLICATE_KEY"),
    /// A resource or class is referred to without a title.
    EmptyResourceSpecialization = Some("EMPTY_RESOURCE_SPECIALIZATION"),
    /// What is assigned to cannot be.
    IllegalAssignment = Some("ILLEGAL_ASSIGNMENT"),
    /// Not the name of a type.
    IllegalClassref = Some("ILLEGAL_CLASSREF"),
    /// An expression that cannot stand where it does.
    IllegalExpression = Some("ILLEGAL_EXPRESSION"),
    /// The name of a class is no string.
    IllegalHostclassName = Some("ILLEGAL_HOSTCLASS_NAME"),
    /// Several variables are assigned from an array of another size.
    IllegalMultiAssignmentSize = Some("ILLEGAL_MULTI_ASSIGNMENT_SIZE"),
    /// Not a name.
    IllegalName = Some("ILLEGAL_NAME"),
    /// A variable is assigned a second time.
    IllegalReassignment = Some("ILLEGAL_REASSIGNMENT"),
    /// A variable that Puppet keeps for itself is assigned.
    IllegalReservedAssignment = Some("ILLEGAL_RESERVED_ASSIGNMENT"),
    /// `next`, `return` or `break` outside of everything that they could leave.
    IllegalJump = None,
    /// The type of a resource reference is no name.
    IllegalResourceSpecialization = Some("ILLEGAL_RESOURCE_SPECIALIZATION"),
    /// The right side of a match is no regular expression.
    MatchNotRegexp = Some("MATCH_NOT_REGEXP"),
    /// The left side of a match is no string.
    MatchNotString = Some("MATCH_NOT_STRING"),
    /// Several variables are assigned from a hash that lacks one.
    MissingMultiAssignmentKey = Some("MISSING_MULTI_ASSIGNMENT_KEY"),
    /// A block is called without a value for a parameter that needs one.
    MissingRequiredParameter = Some("MISSING_REQUIRED_PARAMETER"),
    /// Not a number.
    NotNumeric = Some("NOT_NUMERIC"),
    /// A string is used as a number.
    NumericCoercion = Some("NUMERIC_COERCION"),
    /// An integer that 64 bits cannot hold.
    NumericOverflow = Some("NUMERIC_OVERFLOW"),
    /// The left side has no such operator.
    OperatorNotApplicable = Some("OPERATOR_NOT_APPLICABLE"),
    /// The left side has no such operator with such a right side.
    OperatorNotApplicableWhen = Some("OPERATOR_NOT_APPLICABLE_WHEN"),
    /// A float beyond all floats.
    ResultIsInfinity = Some("RESULT_IS_INFINITY"),
    /// Any error without a code of its own.
    RuntimeError = Some("RUNTIME_ERROR"),
    /// A function is not known.
    UnknownFunction = Some("UNKNOWN_FUNCTION"),
    /// A resource is not in the catalog.
    UnknownResource = Some("UNKNOWN_RESOURCE"),
    /// A type is not known.
    UnknownResourceType = Some("UNKNOWN_RESOURCE_TYPE"),
    /// A variable is not known.
    UnknownVariable = Some("UNKNOWN_VARIABLE"),
    /// A parameter that is needed stands behind one that is not.
    RequiredParameterAfterOptional = Some("REQUIRED_PARAMETER_AFTER_OPTIONAL"),
    /// A selector has no matching option.
    UnmatchedSelector = Some("UNMATCHED_SELECTOR"),
    /// A value is not of the type that is asked for.
    TypeMismatch = Some("TYPE_MISMATCH"),
}
