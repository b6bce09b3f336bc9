//! Selection ranges.
//!
//! Expands from the word at the cursor to its string, its token and the enclosing nodes. The
//! contents of brackets are a range of their own.

use syntax::{
    NodeOrToken, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize,
    TokenAtOffset,
};

/// Returns the ranges around `offset`, each wider than the previous one.
pub(crate) fn selection_ranges(file: &SyntaxNode, offset: TextSize) -> Vec<TextRange> {
    let mut ranges = RangeCollector {
        offset,
        found: Vec::new(),
    };
    if offset > file.text_range().end() {
        return ranges.found;
    }
    let Some(token) = token_at(file, offset) else {
        ranges.add(file.text_range());
        return ranges.found;
    };
    ranges.token(&token);
    for node in token.parent_ancestors() {
        ranges.node(&node);
    }
    ranges.found
}

/// Checks whether a closed string ends at an offset.
pub(crate) fn ends_string(file: &SyntaxNode, offset: TextSize) -> bool {
    if offset > file.text_range().end() {
        return false;
    }
    let token = file.token_at_offset(offset).left_biased();
    let node = token.as_ref().and_then(SyntaxToken::parent);
    let Some(node) = node.filter(|it| it.text_range().end() == offset) else {
        return false;
    };
    let text = node.text().to_string();
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'));
    quote.is_some_and(|it| text.len() > 1 && text.ends_with(it))
}

/// Returns the range of the innermost statement around a range: a child of a block or of the file.
pub(crate) fn statement(file: &SyntaxNode, range: TextRange) -> Option<TextRange> {
    let covering = file
        .text_range()
        .contains_range(range)
        .then(|| file.covering_element(range))?;
    let is_statement = |it: &SyntaxNode| {
        it.parent()
            .is_some_and(|it| matches!(it.kind(), SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE))
    };
    let mut around = covering.ancestors();
    Some(around.find(is_statement)?.text_range())
}

/// Returns the token at an offset; between two tokens, the more significant one.
pub(crate) fn token_at(file: &SyntaxNode, offset: TextSize) -> Option<SyntaxToken> {
    match file.token_at_offset(offset) {
        TokenAtOffset::None => None,
        TokenAtOffset::Single(token) => Some(token),
        TokenAtOffset::Between(left, right) => {
            Some(if significance(right.kind()) >= significance(left.kind()) {
                right
            } else {
                left
            })
        }
    }
}

/// Returns the significance of a token kind.
fn significance(kind: SyntaxKind) -> u8 {
    use SyntaxKind::*;
    match kind {
        NAME | WORD | CLASSREF | VARIABLE | NUMBER => 5,
        SINGLE_QUOTED | DOUBLE_QUOTED | STRING_TEXT | HEREDOC_TEXT | REGEX | HEREDOC_START => 4,
        kind if kind.is_keyword() => 4,
        WHITESPACE => 0,
        kind if kind.is_comment() => 1,
        COMMA | SEMICOLON | COLON => 2,
        _ => 3,
    }
}

struct RangeCollector {
    offset: TextSize,
    found: Vec<TextRange>,
}

impl RangeCollector {
    fn add(&mut self, range: TextRange) {
        let is_wider = |last: &TextRange| range.contains_range(*last) && range != *last;
        let fits = self.found.last().is_none_or(is_wider);
        if fits && range.contains_inclusive(self.offset) && !range.is_empty() {
            self.found.push(range);
        }
    }

    fn token(&mut self, token: &SyntaxToken) {
        use SyntaxKind::*;
        let range = token.text_range();
        match token.kind() {
            // Whitespace and heredoc margins are not selected on their own.
            WHITESPACE | HEREDOC_MARGIN => return,
            SINGLE_QUOTED | DOUBLE_QUOTED | REGEX => {
                self.word(token);
                self.add(without_quotes(token));
            }
            STRING_TEXT => {
                self.word(token);
                self.add(range);
                self.add(inside_string(token));
            }
            HEREDOC_TEXT | HEREDOC_END | EPP_TEXT => {
                self.word(token);
                self.add(line(token, self.offset));
            }
            LINE_COMMENT | BLOCK_COMMENT | EPP_COMMENT => {
                self.word(token);
                self.add(range);
                self.add(comment_lines(token));
                return;
            }
            _ => {}
        }
        self.add(range);
    }

    /// Adds the word at the cursor inside a token.
    fn word(&mut self, token: &SyntaxToken) {
        let start = token.text_range().start();
        let text = token.text();
        let at = usize::from(self.offset - start).min(text.len());
        let (before, after) = text.split_at(at);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let left = before.len() - before.trim_end_matches(is_word).len();
        let right = after.len() - after.trim_start_matches(is_word).len();
        self.add(TextRange::at(
            start + TextSize::new((at - left) as u32),
            TextSize::new((left + right) as u32),
        ));
    }

    fn node(&mut self, node: &SyntaxNode) {
        if let Some((content, brackets)) = bracket_ranges(node) {
            self.add(content);
            self.add(brackets);
        }
        self.add(node.text_range());
    }
}

fn without_quotes(token: &SyntaxToken) -> TextRange {
    let range = token.text_range();
    let text = token.text();
    let quote = text.chars().next().unwrap_or_default();
    let is_closed = text.len() >= 2 && text.ends_with(quote);
    let end = range.end() - TextSize::new(u32::from(is_closed));
    TextRange::new(range.start() + TextSize::new(1), end)
}

/// Returns the range between the quotes of an interpolated string.
fn inside_string(token: &SyntaxToken) -> TextRange {
    let Some(string) = token.parent() else {
        return token.text_range();
    };
    let range = string.text_range();
    let edge = |element: Option<SyntaxElement>, kind| element.is_some_and(|it| it.kind() == kind);
    let opens = edge(string.first_child_or_token(), SyntaxKind::STRING_OPEN);
    let closes = edge(string.last_child_or_token(), SyntaxKind::STRING_CLOSE);
    TextRange::new(
        range.start() + TextSize::new(u32::from(opens)),
        range.end() - TextSize::new(u32::from(closes)),
    )
}

/// Returns the line of a token at the cursor, without its line break.
fn line(token: &SyntaxToken, offset: TextSize) -> TextRange {
    let start = token.text_range().start();
    let text = token.text();
    let at = usize::from(offset - start).min(text.len());
    let first = text[..at].rfind(['\n', '\r']).map_or(0, |it| it + 1);
    let last = text[at..]
        .find(['\n', '\r'])
        .map_or(text.len(), |it| at + it);
    let size = |it: usize| TextSize::new(it as u32);
    TextRange::new(start + size(first), start + size(last))
}

/// Returns the block of consecutive comment lines that contains a comment.
fn comment_lines(token: &SyntaxToken) -> TextRange {
    let walk = |next: fn(&SyntaxElement) -> Option<SyntaxElement>| {
        let mut edge = token.text_range();
        let mut at = next(&token.clone().into());
        while let Some(NodeOrToken::Token(it)) = at {
            match it.kind() {
                SyntaxKind::WHITESPACE if it.text().matches('\n').count() <= 1 => {}
                SyntaxKind::LINE_COMMENT => edge = it.text_range(),
                _ => break,
            }
            at = next(&it.into());
        }
        edge
    };
    if token.kind() == SyntaxKind::LINE_COMMENT {
        walk(previous).cover(walk(next))
    } else {
        token.text_range()
    }
}

/// Returns the range between the brackets of a node, and the range including the brackets.
fn bracket_ranges(node: &SyntaxNode) -> Option<(TextRange, TextRange)> {
    let close = node.last_child_or_token()?.into_token()?;
    let opening = opening(close.kind());
    let open = node
        .children_with_tokens()
        .filter_map(|it| it.into_token())
        .find(|it| opening.contains(&it.kind()) && *it != close)?;
    let mut first = open.next_sibling_or_token();
    let mut last = close.prev_sibling_or_token();
    while first.as_ref().is_some_and(is_whitespace) {
        first = first.and_then(|it| next(&it));
    }
    while last.as_ref().is_some_and(is_whitespace) {
        last = last.and_then(|it| previous(&it));
    }
    let (first, last) = (first?.text_range(), last?.text_range());
    let brackets = open.text_range().cover(close.text_range());
    if first.start() >= last.end() {
        return Some((brackets, brackets));
    }
    Some((TextRange::new(first.start(), last.end()), brackets))
}

fn opening(close: SyntaxKind) -> &'static [SyntaxKind] {
    use SyntaxKind::*;
    match close {
        R_BRACE => &[L_BRACE, SELECTOR_BRACE],
        R_PAREN => &[L_PAREN, WS_L_PAREN],
        R_BRACK => &[L_BRACK, LIST_START],
        PIPE => &[PIPE],
        R_COLLECT => &[L_COLLECT],
        RR_COLLECT => &[LL_COLLECT],
        INTERPOLATION_CLOSE => &[INTERPOLATION_OPEN],
        EPP_EXPR_CLOSE => &[EPP_EXPR_OPEN],
        _ => &[],
    }
}

fn is_whitespace(element: &SyntaxElement) -> bool {
    element.kind() == SyntaxKind::WHITESPACE
}

fn next(element: &SyntaxElement) -> Option<SyntaxElement> {
    match element {
        NodeOrToken::Node(it) => it.next_sibling_or_token(),
        NodeOrToken::Token(it) => it.next_sibling_or_token(),
    }
}

fn previous(element: &SyntaxElement) -> Option<SyntaxElement> {
    match element {
        NodeOrToken::Node(it) => it.prev_sibling_or_token(),
        NodeOrToken::Token(it) => it.prev_sibling_or_token(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;
    use expect_test::{Expect, expect};
    use syntax::Dialect;

    fn check_as(source: &str, dialect: Dialect, expected: &Expect) {
        let (source, offset) = cursor(source);
        let root = parse(&source, dialect).syntax();
        let found: Vec<_> = selection_ranges(&root, offset)
            .into_iter()
            .map(|it| visible_text(&source, it) + "\n")
            .collect();
        expected.assert_eq(&found.concat());
    }

    fn check(source: &str, expected: &Expect) {
        check_as(source, MANIFEST, expected);
    }

    #[test]
    fn expands_from_a_word_to_the_file() {
        check(
            "f([ 'é b<^>c d', 2 ], 3)\n",
            &expect![[r#"
                bc
                é bc d
                'é bc d'
                'é bc d', 2
                [ 'é bc d', 2 ]
                [ 'é bc d', 2 ], 3
                ([ 'é bc d', 2 ], 3)
                f([ 'é bc d', 2 ], 3)
                f([ 'é bc d', 2 ], 3)␊
            "#]],
        );
    }

    #[test]
    fn interpolated_strings() {
        check(
            r#""a b<^> ${x} c""#,
            &expect![[r#"
                b
                a b 
                a b ${x} c
                "a b ${x} c"
            "#]],
        );
        check(
            r#""a ${<^>x[1]} c""#,
            &expect![[r#"
                x
                x[1]
                ${x[1]}
                "a ${x[1]} c"
            "#]],
        );
    }

    #[test]
    fn resources() {
        check(
            "file { 'a': mode => <^>$x, owner => y }",
            &expect![[r#"
                $x
                mode => $x
                'a': mode => $x, owner => y
                { 'a': mode => $x, owner => y }
                file { 'a': mode => $x, owner => y }
            "#]],
        );
    }

    #[test]
    fn heredocs_and_comments() {
        check(
            "f(@(E))\nona <^>bar\ntwo\n| E\n",
            &expect![[r#"
                bar
                ona bar
                ona bar␊
                ona bar␊two␊| E␊
                f(@(E))␊ona bar␊two␊| E␊
            "#]],
        );
        check(
            "$x = 1\n\n# one\n# t<^>wo\nf()",
            &expect![[r#"
                two
                # two
                # one␊# two
                $x = 1␊␊# one␊# two␊f()
            "#]],
        );
    }

    #[test]
    fn lambdas_and_blocks() {
        check(
            "$a.each |$x<^>, $y| { f() }",
            &expect![[r#"
                $x
                $x, $y
                |$x, $y|
                |$x, $y| { f() }
                $a.each |$x, $y| { f() }
            "#]],
        );
    }

    #[test]
    fn templates() {
        check_as(
            "a <^>b\n<%= $x %>",
            TEMPLATE,
            &expect![[r#"
                b
                a b
                a b␊
                a b␊<%= $x %>
            "#]],
        );
    }

    #[test]
    fn ranges_grow_and_contain_the_cursor() {
        for source in broken_variants(EVERYTHING).step_by(7) {
            let root = parse(&source, MANIFEST).syntax();
            let places = source.char_indices().map(|(at, _)| at).step_by(5);
            for at in places.chain([source.len(), source.len() + 1]) {
                let offset = TextSize::new(at as u32);
                let found = selection_ranges(&root, offset);
                assert!(found.iter().all(|it| it.contains_inclusive(offset)));
                let wider = |it: &[TextRange]| it[1].contains_range(it[0]) && it[1] != it[0];
                assert!(found.windows(2).all(wider), "{found:?}");
                assert!(
                    at > source.len()
                        || source.is_empty()
                        || found.last() == Some(&root.text_range())
                );
            }
        }
    }
}
