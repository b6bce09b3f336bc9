//! The checks of the rules that are on, by the part of the code that they examine.

use base::{EnvironmentInput, SettingsInput};
use hir::body::Reference;
use infer::TypeProblem;
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::{Checker, FileChecker, Resolution};
use crate::rule::{Check, CompiledCheck};

/// The checks of the rules that are on in an environment.
#[derive(Debug, Default)]
pub(crate) struct EnabledChecks {
    pub(crate) items: Vec<fn(&mut Checker<'_>)>,
    pub(crate) compiled: Vec<CompiledCheck>,
    pub(crate) last: Vec<fn(&mut Checker<'_>)>,
    pub(crate) in_nodes: Vec<fn(&mut Checker<'_>)>,
    pub(crate) nodes: FxHashMap<SyntaxKind, Vec<NodeCheck>>,
    pub(crate) references: Vec<fn(&mut Checker<'_>, &Reference, &Resolution<'_>)>,
    pub(crate) problems: Vec<fn(&mut Checker<'_>, &TypeProblem)>,
    pub(crate) files: Vec<fn(&mut FileChecker<'_>)>,
}

type NodeCheck = fn(&mut Checker<'_>, &SyntaxNode);

/// Returns the checks of the rules that are on.
#[salsa::tracked(no_eq)]
pub(crate) fn enabled_checks(db: &dyn Database, environment: EnvironmentInput) -> EnabledChecks {
    let off = environment.disabled_rules(db);
    let on = crate::all().filter(|it| !off.contains(it.code));
    let mut enabled = EnabledChecks::default();
    let compiles = SettingsInput::get(db).compiles_catalogs(db);
    let checks = on.flat_map(|it| it.checks);
    for check in checks.filter(|it| compiles || !it.needs_catalogs()) {
        enabled.add(check);
    }
    enabled
}

impl EnabledChecks {
    /// Checks whether a check needs the problems of compiled items.
    pub(crate) fn compile(&self) -> bool {
        !self.compiled.is_empty() || !self.last.is_empty() || !self.in_nodes.is_empty()
    }

    fn add(&mut self, check: &Check) {
        match check {
            Check::Item(check) => self.items.push(*check),
            Check::Compiled(check) => self.compiled.push(*check),
            Check::Last(check) => self.last.push(*check),
            Check::InNodes(check) => self.in_nodes.push(*check),
            Check::Node(kinds, check) => {
                for kind in *kinds {
                    self.nodes.entry(*kind).or_default().push(*check);
                }
            }
            Check::Reference(check) => self.references.push(*check),
            Check::Problem(check) => self.problems.push(*check),
            Check::File(check) => self.files.push(*check),
            // These do not run on manifests.
            Check::ProjectFile(_) | Check::DataFile(_) | Check::Asset(..) => {}
        }
    }
}
