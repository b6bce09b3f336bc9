//! Paths of files and templates that are computed: held in variables, interpolated, or one of several.
//!
//! Single literal paths are references of the item, which rules check without inference.

use syntax::ast::{AstNode, CallExpr, Expr, MethodCall};
use syntax::{SyntaxNode, TextRange};

use super::calls::Call;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::problem::TypeProblemKind;
use super::strings::finite_strings;
use hir::body::{PathKind, ReferenceName, body};
use hir::other_versions::is_other_version;
use hir::resolve::is_missing_path;
use library::KnownFunction;
use library::NamedEntity;
use types::Type;
use types::values::Value;

/// The prefix of the URLs of files in modules.
const MODULES_URL: &str = "puppet:///modules/";

impl InferenceContext<'_> {
    /// Reports files and templates that a function reads, but that do not exist.
    pub(super) fn check_paths(&mut self, function: KnownFunction, call: &Call) {
        if call.has_unknown_splat {
            return;
        }
        let each = |kind, count: usize| {
            let all = call.arguments.iter().zip(&call.ranges).take(count);
            all.map(|(it, range)| (kind, paths(it), *range)).collect()
        };
        let checks: Vec<(PathKind, Option<Vec<String>>, TextRange)> = match function.names() {
            Some(NamedEntity::Template) => each(PathKind::Template, usize::MAX),
            Some(NamedEntity::EppTemplate) => each(PathKind::Epp, 1),
            // The function reads the first file that exists.
            Some(NamedEntity::File) => {
                let all: Option<Vec<_>> = call.arguments.iter().map(paths).collect();
                let all = all.map(|it| it.into_iter().flatten().collect());
                let (Some(first), Some(last)) = (call.ranges.first(), call.ranges.last()) else {
                    return;
                };
                vec![(PathKind::File, all, first.cover(*last))]
            }
            _ => return,
        };
        for (kind, paths, range) in checks {
            self.check_path(kind, paths, range);
        }
    }

    /// Reports a source of a file that its module does not have. Puppet takes the first one that exists.
    pub(super) fn check_source(&mut self, expr: &Expr, value: &Inferred) {
        let sources = match &value.value {
            Some(Value::Array(all)) => {
                let all = all.iter().map(|it| it.as_str().map(str::to_owned));
                all.collect::<Option<Vec<_>>>()
            }
            _ => paths(value),
        };
        let in_modules = sources.and_then(|all| {
            let paths = all
                .iter()
                .map(|it| it.strip_prefix(MODULES_URL).map(str::to_owned));
            paths.collect()
        });
        self.check_path(PathKind::Source, in_modules, expr.syntax().text_range());
    }

    fn check_path(&mut self, kind: PathKind, paths: Option<Vec<String>>, range: TextRange) {
        let Some(mut paths) = paths.filter(|it| !it.is_empty()) else {
            return;
        };
        let module = self.item.file(self.db).module(self.db);
        let is_missing = |path: &String| {
            let first = path.split('/').next().unwrap_or_default();
            is_missing_path(self.db, self.environment, kind, path)
                && !is_other_version(self.db, self.environment, module, first)
        };
        if !paths.iter().all(is_missing)
            || self.is_reference(range, &paths)
            || self.is_guarded(range)
        {
            return;
        }
        paths.dedup();
        self.report(range, TypeProblemKind::MissingPath { kind, paths });
    }

    /// Checks whether a path is literal, and so is checked as a reference, which names a module.
    fn is_reference(&self, range: TextRange, paths: &[String]) -> bool {
        let references = &body(self.db, self.item).references;
        paths.iter().all(|it| it.contains('/'))
            && references.iter().any(|it| {
                matches!(it.name, ReferenceName::Path(..)) && range.contains_range(it.range)
            })
    }

    /// Checks whether a condition around a range tests that a name or a file exists.
    pub(super) fn is_guarded(&self, range: TextRange) -> bool {
        let node = self.node_at(range);
        let around = node.iter().flat_map(|it| it.ancestors());
        let mut conditional = around.filter(|it| {
            let expr = Expr::cast(it.clone());
            matches!(
                expr,
                Some(
                    Expr::IfExpr(_)
                        | Expr::UnlessExpr(_)
                        | Expr::CaseExpr(_)
                        | Expr::SelectorExpr(_)
                        | Expr::BinaryExpr(_)
                )
            )
        });
        conditional.any(|it| it.descendants().any(|it| tests_existence(&it)))
    }
}

fn tests_existence(node: &SyntaxNode) -> bool {
    let name = CallExpr::cast(node.clone()).and_then(|it| it.name_token());
    let name = name.or_else(|| MethodCall::cast(node.clone())?.name_token());
    let known = name.and_then(|it| KnownFunction::from_name(it.text()));
    known.is_some_and(KnownFunction::tests_definedness)
}

/// Returns all values of a path; `None` if they are unknown.
fn paths(value: &Inferred) -> Option<Vec<String>> {
    let is_string = value.is_a(&Type::STRING) == Some(true);
    finite_strings(value).filter(|_| is_string)
}
