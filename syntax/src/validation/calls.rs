//! Calls, cases, selectors and templates.

use super::checker::{Checker, Path};
use crate::model::{Kind, Node};

impl Checker<'_> {
    /// Checks that the callee is a name or a type.
    pub(super) fn call(&mut self, node: &Node, functor: &Node) {
        match &functor.kind {
            Kind::QualifiedName(_) | Kind::QualifiedReference(_) => {}
            Kind::Access { left, .. } if matches!(left.kind, Kind::QualifiedReference(_)) => {}
            Kind::RenderString(_) => self.error(
                "ILLEGAL_EPP_PARAMETERS",
                node,
                "template parameters must come before any text",
            ),
            _ => self.error(
                "ILLEGAL_EXPRESSION",
                functor,
                "cannot call this expression: expected a function or type name",
            ),
        }
    }

    /// Checks that a collector has the name of a type.
    pub(super) fn collect(&mut self, type_expr: &Node) {
        if !matches!(type_expr.kind, Kind::QualifiedReference(_)) {
            let message = "expected a resource type before the collector";
            self.error("ILLEGAL_EXPRESSION", type_expr, message);
        }
    }

    /// Checks the parameters of a template.
    pub(super) fn epp<'n>(&mut self, _node: &Node, path: Path<'_, 'n>) {
        if let Some(Kind::Lambda { parameters, .. }) = path.last().map(|it| &it.kind) {
            self.no_capture(parameters);
            self.unique_parameters(parameters);
        }
    }

    pub(super) fn case(&mut self, test: &Node, options: &[Node]) {
        self.rvalue(test);
        let values = options.iter().flat_map(|it| match &it.kind {
            Kind::CaseOption { values, .. } => values.as_slice(),
            _ => &[],
        });
        self.one_default(values, true);
    }

    pub(super) fn selector(&mut self, left: &Node, selectors: &[Node]) {
        self.rvalue(left);
        let values = selectors.iter().filter_map(|it| match &it.kind {
            Kind::SelectorEntry { matching, .. } => Some(&**matching),
            _ => None,
        });
        self.one_default(values, false);
    }

    /// Reports every `default` but the first, as unreachable. In a selector Puppet reports only one.
    fn one_default<'n>(&mut self, values: impl Iterator<Item = &'n Node>, all: bool) {
        let mut defaults = values.filter(|it| matches!(it.kind, Kind::Default));
        let Some(first) = defaults.next() else { return };
        for again in defaults.take(if all { usize::MAX } else { 1 }) {
            self.error("DUPLICATE_DEFAULT", again, "duplicate `default`");
            self.relate(first, "first `default` here");
        }
    }
}
