//! Checks of definitions: their location and their parameters.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::checker::{Checker, Path};
use super::{literals, names};
use crate::model::{Kind, Node, Parameter};

fn parameters(nodes: &[Node]) -> impl Iterator<Item = (&Node, &Parameter)> {
    nodes.iter().filter_map(|it| match &it.kind {
        Kind::Parameter(parameter) => Some((it, parameter)),
        _ => None,
    })
}

impl Checker<'_> {
    pub(super) fn named_definition<'n>(&mut self, node: &'n Node, name: &str, path: Path<'_, 'n>) {
        self.top(node, path);
        if !names::is_definition_name(name) {
            let message = format!(
                "invalid definition name `{name}`: each segment must start with a lowercase letter and contain only letters, digits and `_`"
            );
            self.error("ILLEGAL_DEFINITION_NAME", node, message);
        }
        self.definition_location(node, name);
        self.reserved_type_name(node, name);
        self.future_reserved_word(node, name);
    }

    /// Checks that a definition is at top level or directly in a class; functions, plans and types
    /// only at top level.
    pub(super) fn top<'n>(&mut self, node: &'n Node, path: Path<'_, 'n>) {
        let mut around = path.iter().rev().peekable();
        while let Some(container) = around.next() {
            match &container.kind {
                Kind::Program(_) | Kind::Definition(_) | Kind::Apply { .. }
                    if is_open(container) =>
                {
                    return;
                }
                Kind::Block(_) | Kind::ApplyBlock(_) => {
                    let in_program = around
                        .peek()
                        .is_none_or(|it| matches!(it.kind, Kind::Program(_)));
                    if !in_program && needs_absolute_top(node) {
                        let message =
                            "functions, plans and type aliases may only appear at top level";
                        self.error("NOT_ABSOLUTE_TOP_LEVEL", node, message);
                        return;
                    }
                }
                _ => {
                    let message = "definitions may only appear at top level or inside a class";
                    self.error("NOT_TOP_LEVEL", node, message);
                    return;
                }
            }
        }
    }

    pub(super) fn type_alias<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        type_expr: &Node,
        path: Path<'_, 'n>,
    ) {
        self.top(node, path);
        if !names::is_type_name(name) {
            let message = format!(
                "invalid type name `{name}`: each segment must start with an uppercase letter, without a leading `::`"
            );
            self.error("ILLEGAL_DEFINITION_NAME", node, message);
        }
        self.reserved_type_name(node, name);
        self.type_reference(type_expr);
    }

    pub(super) fn type_mapping<'n>(
        &mut self,
        node: &'n Node,
        type_expr: &Node,
        mapping: &Node,
        path: Path<'_, 'n>,
    ) {
        self.top(node, path);
        let Some(keys) = runtime_keys(type_expr) else {
            let message =
                "only `Runtime[…]` can be mapped to a type: a type alias cannot have parameters";
            return self.error("UNSUPPORTED_EXPRESSION", node, message);
        };
        let is_pattern = matches!(keys, [_, second] if is_pattern_and_replacement(second));
        let fits = if is_pattern {
            is_pattern_and_replacement(mapping)
        } else {
            is_type_reference(mapping)
        };
        if fits {
            return;
        }
        let message = if is_pattern {
            "invalid type mapping: expected a pattern and its replacement, `[/…/, '…']`"
        } else {
            "invalid type mapping: expected a type"
        };
        self.error("ILLEGAL_TYPE_MAPPING", node, message);
    }

    pub(super) fn node_definition<'n>(
        &mut self,
        node: &'n Node,
        hosts: &[Node],
        parent: Option<&Node>,
        body: Option<&Node>,
        path: Path<'_, 'n>,
    ) {
        hosts.iter().for_each(|it| self.host_name(it));
        self.top(node, path);
        self.no_effect_last(body);
        if let Some(parent) = parent {
            self.error(
                "ILLEGAL_NODE_INHERITANCE",
                parent,
                "node inheritance is not supported",
            );
        }
    }

    // ---- parameters ----------------------------------------------------------

    pub(super) fn no_capture(&mut self, nodes: &[Node]) {
        for (node, it) in parameters(nodes).filter(|(_, it)| it.captures_rest) {
            let message = format!(
                "`*${}` is not allowed here: only functions and blocks can capture the rest of the arguments",
                it.name
            );
            self.error("CAPTURES_REST_NOT_SUPPORTED", node, message);
        }
    }

    pub(super) fn capture_last(&mut self, nodes: &[Node]) {
        let last = nodes.len().saturating_sub(1);
        for (index, (node, it)) in parameters(nodes).enumerate() {
            if it.captures_rest && index != last {
                let message = format!(
                    "`*${}` captures the rest of the arguments and must be the last parameter",
                    it.name
                );
                self.error("CAPTURES_REST_NOT_LAST", node, message);
            }
        }
    }

    pub(super) fn unique_parameters(&mut self, nodes: &[Node]) {
        let mut firsts = HashMap::new();
        for (node, it) in parameters(nodes) {
            match firsts.entry(it.name.as_str()) {
                Entry::Vacant(place) => {
                    place.insert(node);
                }
                Entry::Occupied(first) => {
                    let message = format!("duplicate parameter `${}`", it.name);
                    self.error("DUPLICATE_PARAMETER", node, message);
                    self.relate(first.get(), "first declared here");
                }
            }
        }
    }

    pub(super) fn reserved_parameters(&mut self, nodes: &[Node]) {
        for (node, it) in
            parameters(nodes).filter(|(_, it)| matches!(it.name.as_str(), "name" | "title"))
        {
            let message = format!(
                "cannot declare parameter `${}`: it is set by Puppet",
                it.name
            );
            self.error("RESERVED_PARAMETER", node, message);
        }
    }

    pub(super) fn literal_parameter_types(&mut self, nodes: &[Node]) {
        for (node, it) in parameters(nodes) {
            let Some(type_expr) = &it.type_expr else {
                continue;
            };
            let is_literal =
                literals::type_literal(type_expr).is_some_and(|it| it != literals::Literal::Undef);
            if !is_literal {
                let message = format!("type of parameter `${}` must be a literal type", it.name);
                self.error("ILLEGAL_NONLITERAL_PARAMETER_TYPE", node, message);
            }
        }
    }
}

/// Checks whether the container may contain definitions.
fn is_open(container: &Node) -> bool {
    match &container.kind {
        Kind::Definition(it) => it.class == crate::model::DefinitionClass::Class,
        _ => true,
    }
}

fn needs_absolute_top(node: &Node) -> bool {
    use crate::model::DefinitionClass;
    match &node.kind {
        Kind::Definition(it) => {
            matches!(it.class, DefinitionClass::Function | DefinitionClass::Plan)
        }
        Kind::TypeAlias { .. } | Kind::TypeDefinition { .. } => true,
        _ => false,
    }
}

fn runtime_keys(node: &Node) -> Option<&[Node]> {
    let Kind::Access { left, keys } = &node.kind else {
        return None;
    };
    matches!(&left.kind, Kind::QualifiedReference(name) if name == "Runtime").then_some(keys)
}

fn is_pattern_and_replacement(node: &Node) -> bool {
    let Kind::List(values) = &node.kind else {
        return false;
    };
    matches!(
        values.as_slice(),
        [
            Node {
                kind: Kind::Regex(_),
                ..
            },
            Node {
                kind: Kind::String(_),
                ..
            }
        ]
    )
}

fn is_type_reference(node: &Node) -> bool {
    match &node.kind {
        Kind::Access { left, .. } => matches!(left.kind, Kind::QualifiedReference(_)),
        kind => matches!(kind, Kind::QualifiedReference(_)),
    }
}
