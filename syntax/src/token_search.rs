//! Searches for tokens by their texts.

use rowan::NodeOrToken;

use crate::SyntaxNode;

/// Checks whether a node contains a token with any of the texts. Creates no node for each element of the tree, so that
/// it takes a fraction of the time of a search through the descendants.
pub fn has_token(node: &SyntaxNode, texts: &[&str]) -> bool {
    let green = node.green();
    let mut open = vec![green.children()];
    while let Some(children) = open.last_mut() {
        match children.next() {
            Some(NodeOrToken::Node(it)) => open.push(it.children()),
            Some(NodeOrToken::Token(it)) if texts.contains(&it.text()) => return true,
            Some(NodeOrToken::Token(_)) => {}
            None => drop(open.pop()),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_token;
    use crate::{Dialect, parse};

    #[test]
    fn finds_tokens_at_any_depth() {
        let parse = parse(
            "class a { [1].each |$x| { if $x { break() } } }",
            Dialect::default(),
        );
        let root = parse.syntax();
        assert!(has_token(&root, &["next", "break"]));
        assert!(!has_token(&root, &["next", "brea"]));
    }
}
