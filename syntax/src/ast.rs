//! Typed views of the syntax tree.
//!
//! A view wraps a node. Accessors return `Option`, because any part may be missing from the tree of
//! an invalid file. The names follow Puppet's own model (`Puppet::Pops::Model`) in short form.

mod definitions;
mod detached_documentation;
mod expressions;
mod heredoc_bodies;
mod readings;
mod resources;
mod strings;
#[cfg(test)]
mod tests;
mod traits;

pub use definitions::*;
pub use detached_documentation::*;
pub use expressions::*;
pub use heredoc_bodies::*;
pub use resources::*;
pub use strings::*;
pub use traits::*;

use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

/// A typed view of a node.
pub trait AstNode: Sized {
    /// Checks whether nodes of this kind have this view.
    fn can_cast(kind: SyntaxKind) -> bool;
    /// Returns the view of `node` if its kind fits.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// Returns the node.
    fn syntax(&self) -> &SyntaxNode;
}

/// Declares a view of one kind of node.
macro_rules! ast_node {
    ($(#[$doc:meta])* $name:ident, $kind:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub struct $name(crate::SyntaxNode);

        impl crate::ast::AstNode for $name {
            fn can_cast(kind: crate::SyntaxKind) -> bool {
                kind == crate::SyntaxKind::$kind
            }
            fn cast(node: crate::SyntaxNode) -> Option<Self> {
                Self::can_cast(node.kind()).then_some($name(node))
            }
            fn syntax(&self) -> &crate::SyntaxNode {
                &self.0
            }
        }
    };
}

/// Declares a view of several kinds of nodes, as an enum of their views.
macro_rules! ast_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $($(#[$vdoc])* $variant($variant),)*
        }

        impl crate::ast::AstNode for $name {
            fn can_cast(kind: crate::SyntaxKind) -> bool {
                $($variant::can_cast(kind))||*
            }
            fn cast(node: crate::SyntaxNode) -> Option<Self> {
                let kind = node.kind();
                $(if $variant::can_cast(kind) {
                    return $variant::cast(node).map($name::$variant);
                })*
                None
            }
            fn syntax(&self) -> &crate::SyntaxNode {
                match self {
                    $($name::$variant(it) => it.syntax(),)*
                }
            }
        }

        $(impl From<$variant> for $name {
            fn from(it: $variant) -> Self {
                $name::$variant(it)
            }
        })*
    };
}

pub(crate) use {ast_enum, ast_node};

/// Access to the children of a node by type. Nodes and tokens of other kinds are skipped in the green tree, because
/// each one in the tree with positions is an allocation.
pub(crate) mod support {
    use rowan::NodeOrToken;

    use super::{AstNode, SyntaxKind, SyntaxNode, SyntaxToken};

    pub(crate) fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
        N::cast(parent.first_child_by_kind(&N::can_cast)?)
    }

    pub(crate) fn children<N: AstNode>(parent: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
        let first = parent.first_child_by_kind(&N::can_cast);
        let nodes = std::iter::successors(first, |it| it.next_sibling_by_kind(&N::can_cast));
        nodes.filter_map(N::cast)
    }

    pub(crate) fn token(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
        any_token(parent, |it| it == kind)
    }

    pub(crate) fn any_token(
        parent: &SyntaxNode,
        wanted: impl Fn(SyntaxKind) -> bool,
    ) -> Option<SyntaxToken> {
        let mut next = parent.first_child_or_token_by_kind(&wanted);
        loop {
            match next? {
                NodeOrToken::Token(token) => return Some(token),
                NodeOrToken::Node(node) => next = node.next_sibling_or_token_by_kind(&wanted),
            }
        }
    }

    /// Returns the first token that is not trivia.
    pub(crate) fn first_token(parent: &SyntaxNode) -> Option<SyntaxToken> {
        any_token(parent, |kind| !kind.is_trivia())
    }

    /// Returns the first node of type `N` after the first token of kind `kind`.
    pub(crate) fn child_after<N: AstNode>(parent: &SyntaxNode, kind: SyntaxKind) -> Option<N> {
        let token = token(parent, kind)?;
        let mut rest = std::iter::successors(token.next_sibling_or_token(), |it| {
            it.next_sibling_or_token()
        });
        rest.find_map(|it| N::cast(it.into_node()?))
    }

    /// Returns the first node of type `N` before any token of kind `kind`.
    pub(crate) fn child_before<N: AstNode>(parent: &SyntaxNode, kind: SyntaxKind) -> Option<N> {
        let ends = |it| it == kind || N::can_cast(it);
        let node = parent.first_child_or_token_by_kind(&ends)?;
        N::cast(node.into_node()?)
    }
}

/// A whole manifest or template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile(SyntaxNode);

impl AstNode for SourceFile {
    fn can_cast(kind: SyntaxKind) -> bool {
        matches!(kind, SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE)
    }
    fn cast(node: SyntaxNode) -> Option<Self> {
        Self::can_cast(node.kind()).then_some(SourceFile(node))
    }
    fn syntax(&self) -> &SyntaxNode {
        &self.0
    }
}

impl SourceFile {
    /// Checks whether this is a template.
    pub fn is_template(&self) -> bool {
        self.0.kind() == SyntaxKind::TEMPLATE
    }

    /// Returns the statements at the top of the file.
    pub fn statements(&self) -> impl Iterator<Item = Expr> + use<> {
        support::children(&self.0)
    }

    /// Returns the parameters of a template.
    pub fn epp_parameters(&self) -> Option<EppParameters> {
        support::child(&self.0)
    }
}
