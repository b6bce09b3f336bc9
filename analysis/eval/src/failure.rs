//! The results of operations, and Puppet's issue codes.

use std::borrow::Cow;
use std::fmt;

use super::unknown::Unknown;
use types::values::{RegexpError, Value};

/// The result of an operation.
pub type EvalResult<T = Value> = Result<T, EvalFailure>;

/// The reason why an operation has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalFailure {
    /// Puppet raises an error.
    Error(EvalError),
    /// The result in Puppet is unknown, for this reason.
    Unknown(Unknown),
}

impl EvalFailure {
    /// Creates an unknown result.
    pub fn unknown(reason: impl Into<Cow<'static, str>>) -> EvalFailure {
        EvalFailure::Unknown(Unknown::new(reason))
    }
}

impl From<EvalError> for EvalFailure {
    fn from(error: EvalError) -> EvalFailure {
        EvalFailure::Error(error)
    }
}

/// An unsupported regular expression makes the result unknown. An invalid one is an error, which
/// callers may replace by a more specific one.
impl From<RegexpError> for EvalFailure {
    fn from(error: RegexpError) -> EvalFailure {
        match error {
            RegexpError::Invalid(_) => {
                EvalError::new(Issue::RuntimeError, error.to_string()).into()
            }
            _ => EvalFailure::unknown(error.to_string()),
        }
    }
}

/// An error that Puppet raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalError {
    /// Puppet's issue code.
    pub issue: Issue,
    /// The message.
    pub message: String,
    /// The part of the operation that causes the error.
    pub blame: Blame,
}

impl EvalError {
    /// Creates an error of the whole operation.
    pub fn new(issue: Issue, message: impl Into<String>) -> EvalError {
        EvalError {
            issue,
            message: message.into(),
            blame: Blame::Whole,
        }
    }

    /// Sets the part of the operation that causes the error.
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

/// The part of an operation that causes an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Blame {
    /// The operation. Puppet reports the error at the operator.
    Whole,
    /// The left operand, or the accessed value.
    Left,
    /// The right operand.
    Right,
    /// A key of an access, as an index into the flattened keys. Puppet reports no position if it is
    /// greater than the index of the last key in the code.
    Key(usize),
}

macro_rules! issues {
    ($($(#[$doc:meta])* $name:ident = $code:expr,)*) => {
        /// An issue code of Puppet.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Issue {
            $($(#[$doc])* $name,)*
        }

        impl Issue {
            /// Puppet's name for the code; `None` for an error without one.
            pub fn code(self) -> Option<&'static str> {
                match self {
                    $(Issue::$name => $code,)*
                }
            }
        }
    };
}

issues! {
    /// An access to an array has no or too many keys.
    BadArraySliceArity = Some("BAD_ARRAY_SLICE_ARITY"),
    /// A size is not an integer.
    BadCollectionSliceType = Some("BAD_COLLECTION_SLICE_TYPE"),
    /// `Float` has no or too many parameters. Puppet uses the code of `Integer`.
    BadFloatSliceArity = Some("BAD_INTEGER_SLICE_ARITY"),
    /// A parameter of `Float` is not a number. Puppet uses the code of `Integer`.
    BadFloatSliceType = Some("BAD_INTEGER_SLICE_TYPE"),
    /// An access to a hash has no key.
    BadHashSliceArity = Some("BAD_HASH_SLICE_ARITY"),
    /// `Integer` has no or too many parameters.
    BadIntegerSliceArity = Some("BAD_INTEGER_SLICE_ARITY"),
    /// A parameter of `Integer` is not an integer.
    BadIntegerSliceType = Some("BAD_INTEGER_SLICE_TYPE"),
    /// The parameter of `NotUndef` is neither a type nor a string.
    BadNotUndefSliceType = Some("BAD_NOT_UNDEF_SLICE_TYPE"),
    /// The key of an access to an array is not an integer.
    BadSliceKeyType = Some("BAD_SLICE_KEY_TYPE"),
    /// An access to a string has no or too many keys.
    BadStringSliceArity = Some("BAD_STRING_SLICE_ARITY"),
    /// The key of an access to a string is not an integer.
    BadStringSliceKeyType = Some("BAD_STRING_SLICE_KEY_TYPE"),
    /// A type has too few or too many parameters.
    BadTypeSliceArity = Some("BAD_TYPE_SLICE_ARITY"),
    /// A parameter of a type is not a type.
    BadTypeSliceType = Some("BAD_TYPE_SLICE_TYPE"),
    /// A parameter of a type is invalid.
    BadTypeSpecialization = Some("BAD_TYPE_SPECIALIZATION"),
    /// Two values cannot be compared.
    ComparisonNotPossible = Some("COMPARISON_NOT_POSSIBLE"),
    /// Division by zero.
    DivByZero = Some("DIV_BY_ZERO"),
    /// A hash literal contains a key twice.
    DuplicateKey = Some("DUPLICATE_KEY"),
    /// A reference to a resource or class has no title.
    EmptyResourceSpecialization = Some("EMPTY_RESOURCE_SPECIALIZATION"),
    /// The target of an assignment is invalid.
    IllegalAssignment = Some("ILLEGAL_ASSIGNMENT"),
    /// A type name is invalid.
    IllegalClassref = Some("ILLEGAL_CLASSREF"),
    /// An expression is not allowed in its position.
    IllegalExpression = Some("ILLEGAL_EXPRESSION"),
    /// The name of a class is not a string.
    IllegalHostclassName = Some("ILLEGAL_HOSTCLASS_NAME"),
    /// An array of another size is assigned to a list of variables.
    IllegalMultiAssignmentSize = Some("ILLEGAL_MULTI_ASSIGNMENT_SIZE"),
    /// A name is invalid.
    IllegalName = Some("ILLEGAL_NAME"),
    /// A variable is assigned twice.
    IllegalReassignment = Some("ILLEGAL_REASSIGNMENT"),
    /// A reserved variable is assigned.
    IllegalReservedAssignment = Some("ILLEGAL_RESERVED_ASSIGNMENT"),
    /// `next`, `return` or `break` is called outside of a block or function.
    IllegalJump = None,
    /// The type of a resource reference is not a name.
    IllegalResourceSpecialization = Some("ILLEGAL_RESOURCE_SPECIALIZATION"),
    /// The right operand of a match is not a regular expression.
    MatchNotRegexp = Some("MATCH_NOT_REGEXP"),
    /// The left operand of a match is not a string.
    MatchNotString = Some("MATCH_NOT_STRING"),
    /// A hash that lacks a key is assigned to a list of variables.
    MissingMultiAssignmentKey = Some("MISSING_MULTI_ASSIGNMENT_KEY"),
    /// A required parameter of a block is missing.
    MissingRequiredParameter = Some("MISSING_REQUIRED_PARAMETER"),
    /// An operand is not a number.
    NotNumeric = Some("NOT_NUMERIC"),
    /// A string is converted to a number implicitly.
    NumericCoercion = Some("NUMERIC_COERCION"),
    /// An integer does not fit in 64 bits.
    NumericOverflow = Some("NUMERIC_OVERFLOW"),
    /// An operator does not apply to its left operand.
    OperatorNotApplicable = Some("OPERATOR_NOT_APPLICABLE"),
    /// An operator does not apply to its left operand together with its right operand.
    OperatorNotApplicableWhen = Some("OPERATOR_NOT_APPLICABLE_WHEN"),
    /// A float is infinite.
    ResultIsInfinity = Some("RESULT_IS_INFINITY"),
    /// An error without a more specific code.
    RuntimeError = Some("RUNTIME_ERROR"),
    /// An unknown function.
    UnknownFunction = Some("UNKNOWN_FUNCTION"),
    /// A resource is missing in the catalog.
    UnknownResource = Some("UNKNOWN_RESOURCE"),
    /// An unknown data type or resource type.
    UnknownResourceType = Some("UNKNOWN_RESOURCE_TYPE"),
    /// An unknown variable.
    UnknownVariable = Some("UNKNOWN_VARIABLE"),
    /// A required parameter follows an optional one.
    RequiredParameterAfterOptional = Some("REQUIRED_PARAMETER_AFTER_OPTIONAL"),
    /// A selector has neither a matching option nor `default`.
    UnmatchedSelector = Some("UNMATCHED_SELECTOR"),
    /// A value does not match the expected type.
    TypeMismatch = Some("TYPE_MISMATCH"),
}
