//! Splits a file into tokens with the white space before each.

use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, WalkEvent};

/// A token other than white space, with the gap before it.
#[derive(Debug)]
pub(crate) struct SpacedToken {
    pub(crate) token: SyntaxToken,
    /// The number of tokens before it in the source, without needless commas.
    pub(crate) position: usize,
    /// The range of the white space before it, which may be empty, and may contain a needless comma.
    pub(crate) gap: TextRange,
    /// Whether it starts a line.
    pub(crate) starts_line: bool,
    /// Whether the white space before it is significant.
    pub(crate) has_significant_gap: bool,
    /// Whether it belongs to the body of a heredoc.
    pub(crate) is_in_heredoc: bool,
    /// Whether it is the arrow of a relationship that moves to its right operand.
    pub(crate) is_moved: bool,
}

impl SpacedToken {
    /// Checks whether it is a comment at the end of a line that suppresses a rule there.
    pub(crate) fn is_suppression(&self) -> bool {
        let text = self.token.text();
        let is_comment = self.kind() == SyntaxKind::LINE_COMMENT && !self.starts_line;
        is_comment
            && !self.has_significant_gap
            && (text.contains("lint:ignore:") || text.contains("pupil:"))
    }

    pub(crate) fn kind(&self) -> SyntaxKind {
        self.token.kind()
    }

    /// Returns the kind of the node that the token belongs to.
    pub(crate) fn parent_kind(&self) -> Option<SyntaxKind> {
        self.token.parent().map(|it| it.kind())
    }

    /// Checks whether the token includes the line break after it, as the end of a heredoc does.
    pub(crate) fn ends_line(&self) -> bool {
        self.token.text().ends_with('\n')
    }
}

/// Returns all tokens of a file.
pub(crate) fn spaced_tokens(root: &SyntaxNode) -> Vec<SpacedToken> {
    let mut found: Vec<SpacedToken> = Vec::new();
    // The number of open nodes in which white space is significant.
    let mut significant = 0;
    let mut heredocs = 0;
    let mut at_line_start = true;
    let mut gap_start = TextSize::new(0);
    for event in root.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(node)) => {
                significant += u32::from(has_significant_space(&node));
                heredocs += u32::from(node.kind() == SyntaxKind::HEREDOC_BODY);
            }
            WalkEvent::Leave(NodeOrToken::Node(node)) => {
                significant -= u32::from(has_significant_space(&node));
                heredocs -= u32::from(node.kind() == SyntaxKind::HEREDOC_BODY);
            }
            WalkEvent::Enter(NodeOrToken::Token(token)) => {
                if token.kind() == SyntaxKind::WHITESPACE {
                    at_line_start |= token.text().contains('\n');
                    continue;
                }
                let range = token.text_range();
                // The white space before a string is outside of it.
                let has_significant_gap =
                    significant > 1 || significant == 1 && token.kind() != SyntaxKind::STRING_OPEN;
                let ends_line = token.text().ends_with('\n');
                found.push(SpacedToken {
                    position: found.len(),
                    gap: TextRange::new(gap_start, range.start()),
                    starts_line: at_line_start,
                    has_significant_gap,
                    is_in_heredoc: heredocs > 0,
                    is_moved: false,
                    token,
                });
                at_line_start = ends_line;
                gap_start = range.end();
            }
            WalkEvent::Leave(NodeOrToken::Token(_)) => {}
        }
    }
    found
}

/// Checks whether the white space inside a node is part of a value.
fn has_significant_space(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::INTERPOLATED_STRING | SyntaxKind::HEREDOC_BODY
    )
}

/// Returns the range of the trailing blanks of a comment.
pub(crate) fn trailing_blanks(spaced: &SpacedToken) -> Option<TextRange> {
    let text = spaced.token.text();
    let is_comment = spaced.kind() == SyntaxKind::LINE_COMMENT;
    let blanks = text.len() - text.trim_end_matches([' ', '\t']).len();
    let end = spaced.token.text_range().end();
    let range = TextRange::new(end - TextSize::new(blanks as u32), end);
    (is_comment && blanks > 0).then_some(range)
}

/// Returns the width of a single-line string in columns; a tab counts as one indentation level.
pub(crate) fn width(text: &str) -> usize {
    let wide = |it: char| if it == '\t' { 2 } else { 1 };
    text.chars().map(wide).sum()
}

/// Returns the line break that a source uses.
pub(crate) fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}
