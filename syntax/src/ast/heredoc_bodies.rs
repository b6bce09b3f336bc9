//! The bodies of all heredocs of a file.
//!
//! [`Heredoc::body`] searches the line of one tag, which takes quadratic time for all tags of a
//! file. This module finds all bodies in one traversal.

use std::collections::{HashMap, VecDeque};

use rowan::{TextSize, WalkEvent};

use super::{AstNode, Heredoc, HeredocBody, support};
use crate::{SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

/// The body of each heredoc tag of a file.
#[derive(Clone, Debug, Default)]
pub struct HeredocBodies {
    /// The bodies by the start of their tags.
    bodies: HashMap<TextSize, HeredocBody>,
}

impl HeredocBodies {
    /// Collects the bodies of the file whose root is `file`.
    pub fn of(file: &SyntaxNode) -> HeredocBodies {
        let mut found = HeredocBodies::default();
        // The file and the enclosing heredoc bodies.
        let mut scopes = vec![Scope::default()];
        for event in file.preorder_with_tokens() {
            match event {
                WalkEvent::Enter(SyntaxElement::Node(node)) => {
                    if let Some(body) = HeredocBody::cast(node) {
                        let tag = scopes.last_mut().and_then(|it| it.waiting.pop_front());
                        found.bodies.extend(tag.map(|it| (it, body)));
                        scopes.push(Scope::default());
                    }
                }
                WalkEvent::Leave(SyntaxElement::Node(node)) => {
                    if node.kind() == SyntaxKind::HEREDOC_BODY {
                        scopes.pop();
                    }
                }
                WalkEvent::Enter(SyntaxElement::Token(token)) => {
                    if let Some(scope) = scopes.last_mut() {
                        scope.token(&token);
                    }
                }
                WalkEvent::Leave(SyntaxElement::Token(_)) => {}
            }
        }
        found
    }

    /// Returns the body of `heredoc`, if it has one.
    pub fn body(&self, heredoc: &Heredoc) -> Option<&HeredocBody> {
        let tag = support::token(heredoc.syntax(), SyntaxKind::HEREDOC_START)?;
        self.bodies.get(&tag.text_range().start())
    }
}

/// The tags of a file or of a heredoc body, without those of nested bodies.
#[derive(Default)]
struct Scope {
    /// The tags of the current line.
    line: VecDeque<TextSize>,
    /// The tags of the line that just ended, whose bodies follow in the same order.
    waiting: VecDeque<TextSize>,
}

impl Scope {
    fn token(&mut self, token: &SyntaxToken) {
        // Bodies directly follow their line.
        self.waiting.clear();
        match token.kind() {
            SyntaxKind::HEREDOC_START => self.line.push_back(token.text_range().start()),
            SyntaxKind::WHITESPACE if token.text().contains('\n') => {
                self.waiting = std::mem::take(&mut self.line);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::ClassDefinition;
    use crate::{Dialect, parse};

    #[test]
    fn finds_the_same_bodies_as_a_search_per_tag() {
        let sources = [
            "f(@(A), @(B))\na\nA\nb\nB\n$x = 1 @(C)\nc\nC\n",
            "$a = @(\"A\")\n${[@(B), @(\"C\")\nb\nB\n${@(D)\nd\nD\n}\nC\n]}\nA\n@(E)\ne\nE",
            "@(A) @(A) @(A)",
            "@(A) \"a\nA\n\" @(B)\nb\nB\n",
            "@(X) @(A) @(Y)\na\nA\n@(A)",
            "@(A)\n\n\nA\n\n@(A)\nA\n",
            "if @(A) { # c\na\nA\n@(B) /* c\n */ }\nb\nB\n",
        ];
        let mut with_text = Vec::new();
        for source in sources {
            let mut count = 0;
            let root = parse(source, Dialect::default()).syntax();
            let bodies = HeredocBodies::of(&root);
            for heredoc in root.descendants().filter_map(Heredoc::cast) {
                let body = heredoc.body();
                assert_eq!(bodies.body(&heredoc), body.as_ref(), "{source:?}");
                count += usize::from(body.is_some());
            }
            with_text.push(count);
        }
        assert_eq!(with_text, [3, 5, 0, 0, 1, 2, 1]);
    }

    #[test]
    fn finds_bodies_in_the_tree_of_a_definition() {
        let source = "class a {\n  $x = @(A)\n    text\n    | A\n}\n";
        let root = parse(source, Dialect::default()).syntax();
        let class = root.descendants().find_map(ClassDefinition::cast);
        let class = class
            .expect("the file has a class")
            .syntax()
            .green()
            .into_owned();
        let heredoc = SyntaxNode::new_root(class)
            .descendants()
            .find_map(Heredoc::cast);
        let body = heredoc.and_then(|it| it.body());
        assert_eq!(
            body.map(|it| it.syntax().text().to_string()).as_deref(),
            Some("    text\n    | A\n")
        );
    }
}
