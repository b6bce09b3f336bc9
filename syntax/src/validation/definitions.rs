//! Definitions: where they may stand, and what their parameters may be.

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
                "`{name}` cannot be the name of a definition: every part starts with a lower-case letter and holds letters, digits and `_`"
            );
            self.error("ILLEGAL_DEFINITION_NAME", node, message);
        }
        self.definition_location(node, name);
        self.reserved_type_name(node, name);
        self.future_reserved_word(node, name);
    }

    /// Definitions stand at the top of the file or directly in a class; functions and types only
    /// at the top.
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
                            "functions and types can only be defined at the top of a file";
                        self.error("NOT_ABSOLUTE_TOP_LEVEL", node, message);
                        return;
                    }
                }
                _ => {
                    let message =
                        "this can only be defined at the top of a file or directly in a class";
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
                "`{name}` cannot be the name of a type: every part starts with a capital, and there is no `::` in front"
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
            let message = "only `Runtime[…]` can be mapped to a type; an alias has no parameters";
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
            "a pattern must be mapped to a pattern and its replacement: `[/…/, '…']`"
        } else {
            "a single name must be mapped to a type"
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
                "a node cannot inherit from another one",
            );
        }
    }

    // ---- parameters ----------------------------------------------------------

    pub(super) fn no_capture(&mut self, nodes: &[Node]) {
        for (node, it) in parameters(nodes).filter(|(_, it)| it.captures_rest) {
            let message = format!(
                "`*${}` is not possible here: only functions and lambdas take any number of arguments",
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
                    "`*${}` takes all the rest, so it must be the last parameter",
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
                    let message = format!("`${}` is a parameter already", it.name);
                    self.error("DUPLICATE_PARAMETER", node, message);
                    self.relate(first.get(), "the first one is here");
                }
            }
        }
    }

    pub(super) fn reserved_parameters(&mut self, nodes: &[Node]) {
        for (node, it) in
            parameters(nodes).filter(|(_, it)| matches!(it.name.as_str(), "name" | "title"))
        {
            let message = format!("`${}` is set by Puppet and cannot be a parameter", it.name);
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
                let message = format!("the type of `${}` must be a literal type", it.name);
                self.error("ILLEGAL_NONLITERAL_PARAMETER_TYPE", node, message);
            }
        }
    }
}

/// Whether definitions may stand in this.
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
