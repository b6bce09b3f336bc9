//! Puppet's static checks: the errors of its checker (`checker4_0.rb`, `tasks_checker.rb`) for a
//! file that parses, and those of registering the definitions of the file.
//!
//! The checks run on the model of the file, in Puppet's order and with Puppet's issue codes. Checks
//! that need types, values or other files do not belong in this module.

mod calls;
mod checker;
mod definitions;
mod effects;
mod embedded;
mod fixes;
mod hostnames;
mod import;
mod literals;
mod location;
mod names;
mod operands;
mod resources;
mod tasks;
#[cfg(test)]
mod tests;

use crate::ast::{AstNode, SourceFile};
use crate::{Diagnostic, Severity, model};

use self::checker::Checker;

/// The major version of Puppet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PuppetVersion {
    /// Puppet 7.
    V7,
    /// Puppet 8 and OpenVox 8.
    #[default]
    V8,
}

/// The location of a file in a module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModulePlace {
    /// The possible names of the module: that of its metadata and that of its folder.
    pub module_names: Vec<String>,
    /// The path relative to the module, with `/`: `manifests/server.pp`.
    pub path: String,
}

/// The context of a file for the checks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValidationContext {
    /// The version of Puppet whose checks apply.
    pub version: PuppetVersion,
    /// Whether the file is a plan.
    pub tasks: bool,
    /// The location in a module, if the file belongs to one.
    pub place: Option<ModulePlace>,
}

/// Runs the static checks. Diagnostics are in the order in which Puppet reports them. As in Puppet,
/// the checks of stage *import* run only if those of stage *validate* find no error.
pub fn validate(file: &SourceFile, context: &ValidationContext) -> Vec<Diagnostic> {
    let program = model::lower(file);
    let mut checker = Checker::new(context, file.syntax());
    checker.check_program(&program);
    let mut found = checker.found;
    let is_sound = found.iter().all(|it| it.severity != Severity::Error);
    if is_sound && !context.tasks && !file.is_template() {
        found.extend(import::check(&program));
    }
    fixes::add(file, &mut found);
    found
}
