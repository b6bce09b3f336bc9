//! Parts of code as the state of a compilation keeps them: without their trees, which threads cannot share.

use base::FileId;
use syntax::{SyntaxNode, SyntaxNodePtr, TextSize};

/// A node in the code of a scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodePart {
    /// The file; `None` for the code of the request.
    pub(crate) file: Option<FileId>,
    /// Where the tree of the code starts in the file.
    pub(crate) start: TextSize,
    pub(crate) pointer: SyntaxNodePtr,
}

impl CodePart {
    /// Returns the node in a tree.
    pub(crate) fn find(&self, root: &SyntaxNode) -> Option<SyntaxNode> {
        self.pointer.try_to_node(root)
    }
}
