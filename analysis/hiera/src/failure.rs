//! Why a merge, a conversion or the options of a key have no result.

/// The reason why a part of a lookup has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LookupFailure {
    /// Puppet raises this error.
    Error(String),
    /// The result is unknown, for this reason.
    Unknown(String),
}
