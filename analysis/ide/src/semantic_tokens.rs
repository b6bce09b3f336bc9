//! Semantic tokens for syntax highlighting.
//!
//! A single traversal of the tree in source order. Whitespace, brackets, separators and the literal
//! text of templates produce no tokens.

mod name_modifiers;
mod names;
mod scopes;
mod strings;

use salsa::Database;
use syntax::ast::{Assignment, AstNode};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, WalkEvent};

use self::scopes::VariableScopes;
use self::strings::HeredocTags;
use super::{SemanticKind, SemanticModifiers, SemanticToken};
use base::FileInput;

/// Returns the single-line semantic tokens of a file in order, limited to those that intersect
/// `range` if it is given.
pub(crate) fn semantic_tokens(
    db: &dyn Database,
    file: FileInput,
    range: Option<TextRange>,
) -> Vec<SemanticToken> {
    let mut found = tokens_of_tree(&base::parse(db, file).syntax(), range);
    name_modifiers::add(db, file, &mut found);
    found
}

/// Returns the tokens as determined by the tree alone, without name resolution.
fn tokens_of_tree(file: &SyntaxNode, range: Option<TextRange>) -> Vec<SemanticToken> {
    let mut collector = TokenCollector::default();
    for event in file.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(node)) => collector.enter(&node),
            WalkEvent::Leave(NodeOrToken::Node(node)) => collector.leave(&node),
            WalkEvent::Enter(NodeOrToken::Token(token)) => collector.token(&token),
            WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
    let mut found = collector.out.found;
    if let Some(range) = range {
        found.retain(|it| it.range.intersect(range).is_some());
    }
    found
}

#[derive(Default)]
struct TokenCollector {
    out: TokenSink,
    scopes: VariableScopes,
    heredocs: HeredocTags,
    /// The index of the first of the comment lines directly above.
    comments: Option<usize>,
    /// Whether the current line contains code before the current token.
    after_code: bool,
}

/// Collects tokens in order.
#[derive(Default)]
struct TokenSink {
    found: Vec<SemanticToken>,
}

impl TokenSink {
    fn add(&mut self, range: TextRange, kind: SemanticKind) {
        self.add_with(range, kind, SemanticModifiers::default());
    }

    fn add_with(&mut self, range: TextRange, kind: SemanticKind, modifiers: SemanticModifiers) {
        if !range.is_empty() {
            self.found.push(SemanticToken {
                range,
                kind,
                modifiers,
            });
        }
    }

    fn declare(&mut self, range: TextRange, kind: SemanticKind) {
        let modifiers = SemanticModifiers {
            declaration: true,
            ..SemanticModifiers::default()
        };
        self.add_with(range, kind, modifiers);
    }

    /// Adds a token that may span several lines, one token per line.
    fn add_lines(&mut self, start: TextSize, text: &str, kind: SemanticKind) {
        let mut at = start;
        for line in text.split_inclusive(['\r', '\n']) {
            let length = line.trim_end_matches(['\r', '\n']).len();
            self.add(TextRange::at(at, TextSize::new(length as u32)), kind);
            at += TextSize::new(line.len() as u32);
        }
    }
}

impl TokenCollector {
    fn enter(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::ASSIGNMENT => {
                if let Some(it) = Assignment::cast(node.clone()) {
                    self.scopes.assign(&it);
                }
            }
            SyntaxKind::HEREDOC => self.heredocs.start(node),
            SyntaxKind::HEREDOC_BODY => self.heredocs.enter_body(node),
            kind if names::is_definition(kind) => {
                self.document();
                self.scopes.enter(node);
            }
            SyntaxKind::LAMBDA | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE => {
                self.scopes.enter(node);
            }
            _ => {}
        }
    }

    fn leave(&mut self, node: &SyntaxNode) {
        match node.kind() {
            SyntaxKind::HEREDOC_BODY => self.heredocs.leave_body(),
            SyntaxKind::LAMBDA | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE => {
                self.scopes.leave();
            }
            kind if names::is_definition(kind) => self.scopes.leave(),
            _ => {}
        }
    }

    /// Marks the comment lines directly above as documentation.
    fn document(&mut self) {
        if let Some(first) = self.comments.take() {
            for it in &mut self.out.found[first..] {
                it.modifiers.documentation = true;
            }
        }
    }

    fn token(&mut self, token: &SyntaxToken) {
        use SyntaxKind::*;
        let kind = token.kind();
        match kind {
            WHITESPACE => return self.white_space(token.text()),
            LINE_COMMENT if !self.after_code => {
                self.comments.get_or_insert(self.out.found.len());
            }
            _ => {
                self.comments = None;
                self.after_code = true;
            }
        }
        let range = token.text_range();
        match kind {
            // Text that Puppet drops from the output does not look like a comment.
            EPP_COMMENT if !token.text().starts_with("<%") => {}
            LINE_COMMENT | BLOCK_COMMENT | EPP_COMMENT => {
                self.out
                    .add_lines(range.start(), token.text(), SemanticKind::Comment);
            }
            NUMBER => self.out.add(range, SemanticKind::Number),
            REGEX => self
                .out
                .add_lines(range.start(), token.text(), SemanticKind::Regexp),
            VARIABLE => self.variable(token),
            NAME | WORD | CLASSREF => names::name(token, &mut self.out),
            SINGLE_QUOTED | DOUBLE_QUOTED => strings::quoted(token, &mut self.out),
            STRING_OPEN | STRING_CLOSE => self.out.add(range, SemanticKind::String),
            STRING_TEXT => strings::segment(token, &mut self.out),
            HEREDOC_START => strings::heredoc_tag(token, &mut self.out),
            HEREDOC_TEXT => self.heredocs.text(token, &mut self.out),
            HEREDOC_END => {
                self.heredocs.end_line(token, &mut self.out);
                self.after_code = false;
            }
            kind if kind.is_keyword() => names::keyword(token, &mut self.out),
            kind if is_operator(kind) => self.out.add(range, SemanticKind::Operator),
            _ => {}
        }
    }

    fn white_space(&mut self, text: &str) {
        let breaks = text.bytes().filter(|&it| it == b'\n').count();
        if breaks > 0 {
            self.after_code = false;
        }
        if breaks > 1 {
            self.comments = None;
        }
    }

    fn variable(&mut self, token: &SyntaxToken) {
        let range = token.text_range();
        let is_parameter = token
            .parent()
            .is_some_and(|it| it.kind() == SyntaxKind::PARAMETER);
        if is_parameter {
            self.out.declare(range, SemanticKind::Parameter);
        } else if self.scopes.is_assigned_here(range) {
            self.out.declare(range, SemanticKind::Variable);
        } else if self.scopes.is_parameter(token.text()) {
            self.out.add(range, SemanticKind::Parameter);
        } else {
            self.out.add(range, SemanticKind::Variable);
        }
    }
}

fn is_operator(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        EQ | PLUS_EQ
            | MINUS_EQ
            | EQ_EQ
            | NOT_EQ
            | MATCH
            | NOT_MATCH
            | GT_EQ
            | GT
            | LT_EQ
            | LT
            | FAT_ARROW
            | PLUS_ARROW
            | SHL
            | SHR
            | LL_COLLECT
            | L_COLLECT
            | RR_COLLECT
            | R_COLLECT
            | PLUS
            | MINUS
            | SLASH
            | STAR
            | PERCENT
            | BANG
            | AT
            | AT_AT
            | QUESTION
            | IN_EDGE
            | IN_EDGE_SUB
            | OUT_EDGE
            | OUT_EDGE_SUB
    )
}

#[cfg(test)]
mod tests;
