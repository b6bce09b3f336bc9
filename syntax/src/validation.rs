//! Puppet's static rules: what its checker refuses in one file that parses.

use crate::Diagnostic;
use crate::ast::SourceFile;

/// The release of Puppet whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PuppetVersion {
    /// Puppet 7.
    V7,
    /// Puppet 8 and OpenVox 8.
    #[default]
    V8,
}

/// Where a file lies in a module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModulePlace {
    /// The names that the module may go by: that of its metadata, that of its folder.
    pub module_names: Vec<String>,
    /// The path below the module, with `/`: `manifests/server.pp`.
    pub path: String,
}

/// What the rules need to know about a file besides its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValidationContext {
    /// Whose rules.
    pub version: PuppetVersion,
    /// Whether the file is a plan.
    pub tasks: bool,
    /// Where in a module it lies, if it does.
    pub place: Option<ModulePlace>,
}

/// What the rules find, in the order in which Puppet reports it.
pub fn validate(_file: &SourceFile, _context: &ValidationContext) -> Vec<Diagnostic> {
    Vec::new()
}
