//! Checks of resources and their attributes.

use super::checker::{Checker, Path};
use crate::model::{Form, Kind, Node};

fn is_resource(node: &Node) -> bool {
    matches!(
        node.kind,
        Kind::Resource { .. } | Kind::ResourceDefaults { .. } | Kind::ResourceOverride { .. }
    )
}

impl Checker<'_> {
    pub(super) fn attribute<'n>(&mut self, node: &'n Node, path: Path<'_, 'n>) {
        let container = path.last().copied();
        match &node.kind {
            Kind::Attribute { op, value, .. } => {
                let may_append = container.is_some_and(|it| {
                    matches!(
                        it.kind,
                        Kind::Collect { .. } | Kind::ResourceOverride { .. }
                    )
                });
                if op == "+>" && !may_append {
                    let message = "`+>` is only allowed in a resource override or collector";
                    self.error("ILLEGAL_ATTRIBUTE_APPEND", node, message);
                }
                self.rvalue(value);
            }
            Kind::AttributeSplat(value) => {
                let direct = container
                    .is_some_and(|it| is_resource(it) || matches!(it.kind, Kind::Collect { .. }));
                let around = path.len().checked_sub(2).map(|at| path[at]);
                if !direct && !around.is_some_and(is_resource) {
                    let node = around.unwrap_or(node);
                    self.error(
                        "UNSUPPORTED_OPERATOR_IN_CONTEXT",
                        node,
                        "`* =>` is only allowed in a resource",
                    );
                }
                self.rvalue(value);
            }
            _ => {}
        }
    }

    pub(super) fn resource(&mut self, node: &Node, form: Form, type_name: &Node) {
        let is_class = matches!(&type_name.kind, Kind::QualifiedName(name) if name == "class");
        if form != Form::Regular && is_class {
            let message = "classes cannot be virtual or exported";
            self.error("CLASS_NOT_VIRTUALIZABLE", node, message);
        }
    }

    pub(super) fn resource_body(&mut self, operations: &[Node]) {
        let mut splats = operations
            .iter()
            .filter(|it| matches!(it.kind, Kind::AttributeSplat(_)));
        let Some(first) = splats.next() else { return };
        for again in splats {
            self.error(
                "MULTIPLE_ATTRIBUTES_UNFOLD",
                again,
                "duplicate `* =>` in resource",
            );
            self.relate(first, "first used here");
        }
    }

    pub(super) fn not_virtual(&mut self, node: &Node, form: Form) {
        if form != Form::Regular {
            let message = "resource defaults and overrides cannot be virtual or exported";
            self.error("NOT_VIRTUALIZEABLE", node, message);
        }
    }
}
