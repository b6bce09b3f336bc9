//! Checks of operands: values, targets of assignments, queries.

use super::checker::Checker;
use super::names;
use crate::model::{BinaryClass, Kind, Node, UnaryClass};

impl Checker<'_> {
    /// Reports collectors and definitions, which do not produce a value.
    pub(super) fn rvalue(&mut self, node: &Node) {
        match &node.kind {
            Kind::Collect { .. } => {
                self.error("NOT_RVALUE", node, "collector does not produce a value");
            }
            Kind::Unary { expr, .. } => self.rvalue(expr),
            _ if node.is_definition() => {
                self.error("NOT_RVALUE", node, "definition does not produce a value");
            }
            _ => {}
        }
    }

    pub(super) fn binary(
        &mut self,
        node: &Node,
        class: BinaryClass,
        op: &str,
        left: &Node,
        right: &Node,
    ) {
        match class {
            BinaryClass::Assignment if op == "=" => {
                self.assign(left);
                self.rvalue(right);
            }
            BinaryClass::Assignment => {
                let message = format!(
                    "operator `{op}` is no longer supported: variables cannot be reassigned"
                );
                self.error("APPENDS_DELETES_NO_LONGER_SUPPORTED", node, message);
            }
            BinaryClass::Relationship => {
                self.related(left);
                self.related(right);
            }
            _ => {
                self.rvalue(left);
                self.rvalue(right);
            }
        }
    }

    fn related(&mut self, node: &Node) {
        let is_fine = matches!(
            node.kind,
            Kind::Collect { .. }
                | Kind::Binary {
                    class: BinaryClass::Relationship,
                    ..
                }
        );
        if !is_fine {
            self.rvalue(node);
        }
    }

    /// Checks the left-hand side of an assignment.
    fn assign(&mut self, node: &Node) {
        match &node.kind {
            Kind::Variable(name) => self.assign_variable(node, name),
            Kind::Access { .. } => self.error(
                "ILLEGAL_INDEXED_ASSIGNMENT",
                node,
                "cannot assign to an element: arrays and hashes are immutable",
            ),
            Kind::List(values) => values.iter().for_each(|it| self.assign(it)),
            _ => self.error(
                "ILLEGAL_ASSIGNMENT",
                node,
                "cannot assign to this expression: expected a variable",
            ),
        }
    }

    fn assign_variable(&mut self, node: &Node, name: &str) {
        if names::is_numeric_variable(name) {
            let message = format!("cannot assign to `${name}`: it is reserved for capture groups");
            self.error("ILLEGAL_NUMERIC_ASSIGNMENT", node, message);
        }
        if name.contains("::") {
            let message = format!("cannot assign to `${name}`: it belongs to another scope");
            self.error("CROSS_SCOPE_ASSIGNMENT", node, message);
        }
    }

    /// Checks the query of a collector.
    pub(super) fn query(&mut self, node: &Node) {
        match &node.kind {
            Kind::Binary {
                class: BinaryClass::And | BinaryClass::Or,
                left,
                right,
                ..
            } => {
                self.query(left);
                self.query(right);
            }
            Kind::Binary {
                class: BinaryClass::Comparison,
                op,
                ..
            } if op == "==" || op == "!=" => {}
            Kind::Unary {
                class: UnaryClass::Paren,
                expr,
            } => self.query(expr),
            Kind::Variable(_)
            | Kind::QualifiedName(_)
            | Kind::Integer { .. }
            | Kind::Float(_)
            | Kind::String(_)
            | Kind::RenderString(_)
            | Kind::Boolean(_) => {}
            _ => self.error(
                "ILLEGAL_QUERY_EXPRESSION",
                node,
                "invalid query: expected `==` or `!=`, combined with `and` or `or`",
            ),
        }
    }
}
