//! A read of a fact.

use syntax::ast::Expr;

/// An expression that reads a fact or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct FactRead {
    pub(crate) expr: Expr,
    /// The keys from `$facts` to the part. Indexes of arrays are among them.
    pub(crate) path: Vec<String>,
    /// The last keys of the path, as far as this expression itself spells them.
    pub(crate) keys: Vec<Expr>,
    /// The notation of the keys.
    pub(crate) notation: Notation,
}

/// The notation of the keys of a [`FactRead`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// `$facts['os']`: indexing what does not exist fails.
    Access,
    /// `dig('os', 'name')`.
    Dig,
    /// `get('os.name')`: one string for all keys.
    Get,
    /// `getvar('facts.os.name')`: one string, with the name of the variable.
    Getvar,
    /// `fact('os.name')` of stdlib.
    Fact,
}
