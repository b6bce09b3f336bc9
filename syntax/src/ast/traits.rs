//! Traits that several views share.

use super::{AstNode, Block, DefinitionName, Expr, Parameter, ParameterList, support};
use crate::SyntaxKind;

/// A definition that has a name.
pub trait HasName: AstNode {
    /// Returns the name as written.
    fn name(&self) -> Option<DefinitionName> {
        support::child(self.syntax())
    }
}

/// A node with parameters: a definition, a lambda, a template.
pub trait HasParameters: AstNode {
    /// Returns the list with its brackets.
    fn parameter_list(&self) -> Option<ParameterList> {
        support::child(self.syntax())
    }

    /// Returns the parameters in order.
    fn parameters(&self) -> Vec<Parameter> {
        self.parameter_list()
            .map(|it| it.parameters().collect())
            .unwrap_or_default()
    }
}

/// A node with a body in braces.
pub trait HasBody: AstNode {
    /// Returns the body with its braces.
    fn body(&self) -> Option<Block> {
        support::child(self.syntax())
    }
}

/// Returns the comment lines directly above a node, as in puppet-strings: without `#` and one space,
/// joined by line breaks. `None` without such a comment.
pub fn documentation(node: &impl AstNode) -> Option<String> {
    let mut lines = Vec::new();
    let mut at = node.syntax().first_token()?.prev_token();
    while let Some(token) = at {
        match token.kind() {
            SyntaxKind::WHITESPACE if token.text().matches('\n').count() <= 1 => {}
            SyntaxKind::LINE_COMMENT if starts_line(&token) => {
                let text = token.text().trim_start_matches('#');
                lines.push(text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned());
            }
            _ => break,
        }
        at = token.prev_token();
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Checks whether only whitespace precedes a token on its line.
pub fn starts_line(token: &crate::SyntaxToken) -> bool {
    let breaks_line = |it: &crate::SyntaxToken| match it.kind() {
        SyntaxKind::WHITESPACE => it.text().contains('\n'),
        // The text of a heredoc ends with its line.
        _ => it.text().ends_with('\n'),
    };
    let before = token.prev_token();
    let before = match before {
        Some(blanks) if blanks.kind() == SyntaxKind::WHITESPACE && !breaks_line(&blanks) => {
            blanks.prev_token()
        }
        it => it,
    };
    before.as_ref().is_none_or(breaks_line)
}

/// Returns the expressions that are direct children of a node.
pub(crate) fn exprs<N: AstNode>(node: &N) -> impl Iterator<Item = Expr> + use<N> {
    support::children(node.syntax())
}
