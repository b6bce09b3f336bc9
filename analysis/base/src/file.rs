//! The identity of a file, and its properties besides its text.

use syntax::Dialect;
use syntax::validation::ModulePlace;

/// The identifier of a file, valid for the lifetime of the host.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// The properties of a file other than its source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FileSpec {
    /// The language of the file.
    pub dialect: Dialect,
    /// The location of the file in its module.
    pub place: Option<ModulePlace>,
}
