//! Parts of code as the state of a compilation keeps them: without their trees, which threads cannot share.

use base::FileId;
use hir::items;
use syntax::ast::AstNode;
use syntax::{SyntaxNode, SyntaxNodePtr, TextSize};

use crate::state::{Compiler, ScopeId};

/// A node in the code of a scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodePart {
    /// The file; `None` for the code of the request.
    file: Option<FileId>,
    /// Where the tree of the code starts in the file.
    start: TextSize,
    pointer: SyntaxNodePtr,
}

impl Compiler<'_> {
    /// Returns a node in the code of a scope as a part.
    pub(crate) fn part(&self, scope: ScopeId, node: &SyntaxNode) -> CodePart {
        let state = self.state.borrow();
        let origin = state.scopes.get(scope.0).and_then(|it| it.origin);
        CodePart {
            file: origin.and_then(|it| it.file),
            start: origin.map_or(TextSize::new(0), |it| it.range.start()),
            pointer: SyntaxNodePtr::new(node),
        }
    }

    /// Returns the node of a part; `None` if it is not in the code of its scope but in that of a template.
    pub(crate) fn node(&self, part: &CodePart) -> Option<SyntaxNode> {
        let find = |root: &SyntaxNode| part.pointer.try_to_node(root);
        let Some(file) = part.file else {
            return find(self.source.as_ref()?);
        };
        let file = self.state.borrow().files.get(&file).copied()?;
        let mut items = items(self.db, file).iter();
        let item = items.find(|it| it.offset(self.db) == part.start);
        let in_item = item.and_then(|it| find(&it.syntax(self.db)));
        in_item.or_else(|| find(base::parse(self.db, file).tree().syntax()))
    }
}
