//! What may stand where: values, targets of assignments, queries.

use super::checker::Checker;
use super::names;
use crate::model::{BinaryClass, Kind, Node, UnaryClass};

impl Checker<'_> {
    /// Collectors and definitions have no value.
    pub(super) fn rvalue(&mut self, node: &Node) {
        match &node.kind {
            Kind::Collect { .. } => {
                self.error(
                    "NOT_RVALUE",
                    node,
                    "a collector has no value that could be used here",
                );
            }
            Kind::Unary { expr, .. } => self.rvalue(expr),
            _ if node.is_definition() => {
                self.error(
                    "NOT_RVALUE",
                    node,
                    "a definition has no value that could be used here",
                );
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
                    "`{op}` does not exist in this Puppet: variables cannot change, use `=` with a new one"
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

    /// The left side of an assignment.
    fn assign(&mut self, node: &Node) {
        match &node.kind {
            Kind::Variable(name) => self.assign_variable(node, name),
            Kind::Access { .. } => self.error(
                "ILLEGAL_INDEXED_ASSIGNMENT",
                node,
                "an element cannot be assigned to: arrays and hashes do not change",
            ),
            Kind::List(values) => values.iter().for_each(|it| self.assign(it)),
            _ => self.error(
                "ILLEGAL_ASSIGNMENT",
                node,
                "this cannot be assigned to: a variable is needed on the left of `=`",
            ),
        }
    }

    fn assign_variable(&mut self, node: &Node, name: &str) {
        if names::is_numeric_variable(name) {
            let message =
                format!("`${name}` cannot be assigned to: matches of regular expressions set it");
            self.error("ILLEGAL_NUMERIC_ASSIGNMENT", node, message);
        }
        if name.contains("::") {
            let message = format!("`${name}` cannot be assigned to: it belongs to another scope");
            self.error("CROSS_SCOPE_ASSIGNMENT", node, message);
        }
    }

    /// The condition of a collector.
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
                "a query can only compare with `==` and `!=`, joined by `and` and `or`",
            ),
        }
    }
}
