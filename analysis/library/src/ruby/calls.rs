//! Method calls.

use tree_sitter::Node;

use super::source::{Source, children};

/// A call: `receiver.method(arguments, key: value) { block }`.
#[derive(Clone, Debug)]
pub(super) struct Call<'t> {
    pub(super) node: Node<'t>,
    /// The receiver; `None` for an explicit or implicit `self`.
    pub(super) receiver: Option<Node<'t>>,
    /// The method name.
    pub(super) method: &'t str,
    /// The positional arguments, including splats.
    pub(super) arguments: Vec<Node<'t>>,
    /// The keyword arguments.
    pub(super) named: Vec<(Node<'t>, Node<'t>)>,
    /// `do … end`, `{ … }`.
    pub(super) block: Option<Node<'t>>,
    /// The expression in `&expression`.
    pub(super) block_argument: Option<Node<'t>>,
}

impl<'t> Call<'t> {
    /// Converts a node; returns `None` if it is not a call. A bare identifier is a call without
    /// arguments.
    pub(super) fn of(source: &Source<'t>, node: Node<'t>) -> Option<Call<'t>> {
        let mut call = Call {
            node,
            receiver: None,
            method: source.text_of(node),
            arguments: Vec::new(),
            named: Vec::new(),
            block: None,
            block_argument: None,
        };
        match node.kind() {
            "identifier" => return Some(call),
            "call" => {}
            _ => return None,
        }
        call.method = source.text_of(node.child_by_field_name("method")?);
        call.receiver = node
            .child_by_field_name("receiver")
            .filter(|it| it.kind() != "self");
        call.block = node.child_by_field_name("block");
        if let Some(arguments) = node.child_by_field_name("arguments") {
            for argument in children(arguments) {
                call.argument(argument);
            }
        }
        Some(call)
    }

    fn argument(&mut self, node: Node<'t>) {
        match node.kind() {
            "pair" => {
                let key = node.child_by_field_name("key");
                let value = node.child_by_field_name("value");
                if let (Some(key), Some(value)) = (key, value) {
                    self.named.push((key, value));
                }
            }
            "block_argument" => self.block_argument = children(node).into_iter().next(),
            "comment" | "heredoc_body" => {}
            _ => self.arguments.push(node),
        }
    }

    /// Returns the body of the block.
    pub(super) fn body(&self) -> Option<Node<'t>> {
        self.block?.child_by_field_name("body")
    }

    /// Returns the parameters of the block.
    pub(super) fn block_parameters(&self) -> Vec<Node<'t>> {
        let parameters = self
            .block
            .and_then(|it| it.child_by_field_name("parameters"));
        parameters.map(children).unwrap_or_default()
    }

    /// Returns the receiver if it is a constant such as `Puppet::Type`, without a leading `::`.
    pub(super) fn constant(&self, source: &Source<'t>) -> Option<&'t str> {
        let receiver = self.receiver?;
        matches!(receiver.kind(), "constant" | "scope_resolution")
            .then(|| source.text_of(receiver).trim_start_matches("::"))
    }
}
