//! Calls to the functions that Bolt adds to plans.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::calls::{Call, known_string};
use super::inference_context::InferenceContext;
use super::overloads::accepts;
use super::problem::TypeProblemKind;
use super::signatures::{Signatures, of_function};
use hir::ItemKind;
use hir::body::PathKind;
use hir::resolve::is_missing_path;
use library::products;
use syntax::SyntaxKind;
use types::reader::BuiltInTypes;

static SIGNATURES: LazyLock<FxHashMap<&'static str, Signatures>> = LazyLock::new(|| {
    let all = products::functions_of_bolt();
    all.map(|it| (it.name.as_str(), of_function(it, &BuiltInTypes)))
        .collect()
});

/// Returns the signatures of a function of Bolt.
pub fn bolt_signatures(name: &str) -> Option<&'static Signatures> {
    SIGNATURES.get(name)
}

impl InferenceContext<'_> {
    /// Checks the arguments of a call to a function of Bolt in a plan. In an `apply` block most of them
    /// do not exist.
    pub(super) fn check_bolt_call(&mut self, call: &Call) {
        let name = call.name.trim_start_matches("::");
        let Some(signatures) = SIGNATURES.get(name).filter(|_| self.is_in_plan(call)) else {
            return;
        };
        let mut overloads = signatures.overloads.iter();
        if overloads.all(|it| accepts(call, it) == Some(false)) {
            return self.report_arguments(call, &signatures.overloads);
        }
        if products::reads_module_file(name) {
            self.check_sent_file(call);
        }
    }

    /// Checks whether a call runs in a plan, outside of its `apply` blocks.
    fn is_in_plan(&self, call: &Call) -> bool {
        let node = self.node_at(call.range);
        let mut around = node.iter().flat_map(|it| it.ancestors());
        self.item.kind(self.db) == ItemKind::Plan
            && !around.any(|it| it.kind() == SyntaxKind::APPLY_EXPR)
    }

    /// Reports a file that a module does not have, given as `module/path`.
    fn check_sent_file(&mut self, call: &Call) {
        let (Some(path), Some(range)) = (
            call.arguments.first().and_then(known_string),
            call.ranges.first().copied(),
        ) else {
            return;
        };
        if !self.is_missing_in_module(&path) || self.is_guarded(range) {
            return;
        }
        let (kind, paths) = (PathKind::Source, vec![path.to_string()]);
        self.report(range, TypeProblemKind::MissingPath { kind, paths });
    }

    /// Checks whether `module/path` names neither a file in `files` of the module nor one in another of its
    /// folders, such as `module/scripts/a.sh`.
    fn is_missing_in_module(&self, path: &str) -> bool {
        let Some((module, rest)) = path.split_once('/') else {
            return false;
        };
        let modules = self.environment.map(|it| it.modules(self.db));
        let Some(input) = modules.and_then(|it| it.get(module)) else {
            return false;
        };
        let folder = rest.split_once('/').map(|it| format!("{}/", it.0));
        let is_elsewhere = folder.is_some_and(|folder| {
            folder == products::SCRIPTS
                || input
                    .files(self.db)
                    .keys()
                    .any(|it| it.starts_with(&folder))
        });
        !is_elsewhere && is_missing_path(self.db, self.environment, PathKind::Source, path)
    }
}
