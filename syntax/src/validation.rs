//! Puppet's static rules: what its checker (`checker4_0.rb`, `tasks_checker.rb`) refuses in one
//! file that parses, and what it refuses when it defines what the file defines.
//!
//! The rules run over the model of the file, in Puppet's order, each under Puppet's issue code.
//! What needs types, values or other files is no business of this room.

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

use crate::ast::SourceFile;
use crate::{Diagnostic, Severity, model};

use self::checker::Checker;

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

/// What the rules find, in the order in which Puppet reports it. Problems of stage *import* are
/// looked for only where the rules of stage *validate* find no error, as in Puppet.
pub fn validate(file: &SourceFile, context: &ValidationContext) -> Vec<Diagnostic> {
    let program = model::lower(file);
    let mut checker = Checker::new(context);
    checker.check_program(&program);
    let mut found = checker.found;
    let is_sound = found.iter().all(|it| it.severity != Severity::Error);
    if is_sound && !context.tasks && !file.is_template() {
        found.extend(import::check(&program));
    }
    fixes::add(file, &mut found);
    found
}
