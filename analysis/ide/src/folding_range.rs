//! Folding ranges: brackets, heredocs, case options, comments, includes and `# region` markers.

use library::KnownFunction;
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, CallExpr};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, WalkEvent};

use super::text::LineIndex;
use super::{FoldingKind, FoldingRange};

/// Returns the folding ranges of a file, outer before inner.
pub(crate) fn folding_ranges(file: &SyntaxNode, text: &str) -> Vec<FoldingRange> {
    let mut collector = FoldingCollector {
        lines: LineIndex::new(text),
        seen: FxHashSet::default(),
        found: Vec::new(),
        comments: None,
        regions: Vec::new(),
        last_code_line: None,
    };
    for event in file.preorder_with_tokens() {
        match event {
            WalkEvent::Enter(NodeOrToken::Node(node)) => collector.node(&node),
            WalkEvent::Enter(NodeOrToken::Token(token)) => collector.token(&token),
            WalkEvent::Leave(_) => {}
        }
    }
    collector.end_comments();
    collector
        .found
        .sort_by_key(|it| (it.range.start(), std::cmp::Reverse(it.range.end())));
    collector.found
}

struct FoldingCollector {
    lines: LineIndex,
    /// The first and last lines of the ranges found, to avoid duplicates.
    seen: FxHashSet<(usize, usize)>,
    found: Vec<FoldingRange>,
    /// The run of comment lines directly above the current position.
    comments: Option<TextRange>,
    /// The starts of open regions.
    regions: Vec<TextSize>,
    /// The last line of the previous token other than whitespace.
    last_code_line: Option<usize>,
}

impl FoldingCollector {
    fn add(&mut self, range: TextRange, kind: FoldingKind) {
        let (first, last) = self.lines.lines(range);
        if first < last && self.seen.insert((first, last)) {
            self.found.push(FoldingRange { range, kind });
        }
    }

    fn node(&mut self, node: &SyntaxNode) {
        let range = node.text_range();
        match node.kind() {
            SyntaxKind::CASE_OPTION => self.add(range, FoldingKind::Region),
            SyntaxKind::RESOURCE_BODY if !is_single_body(node) => {
                self.add(range, FoldingKind::Region);
            }
            SyntaxKind::CALL_EXPR if is_include(node) && !follows_include(node) => {
                let run = std::iter::successors(Some(node.clone()), SyntaxNode::next_sibling);
                let last = run.take_while(is_include).last();
                let end = last.map_or(range.end(), |it| it.text_range().end());
                self.add(TextRange::new(range.start(), end), FoldingKind::Imports);
            }
            // Starts at the end of the line above, which remains visible.
            SyntaxKind::HEREDOC_BODY if range.start() > 0.into() => {
                let start = range.start() - TextSize::new(1);
                self.add(without_line_break(node, start), FoldingKind::Region);
            }
            _ => {}
        }
    }

    fn token(&mut self, token: &SyntaxToken) {
        let kind = token.kind();
        if kind == SyntaxKind::WHITESPACE {
            return;
        }
        let range = token.text_range();
        let first = self.lines.line(range.start());
        // A token that ends with a line break does not extend to the next line.
        let last = self.lines.line(range.end() - TextSize::new(1));
        if kind == SyntaxKind::LINE_COMMENT && self.last_code_line != Some(first) {
            self.comment(token, first);
        } else {
            self.end_comments();
            if kind.is_comment() && !is_dropped_text(token) {
                self.add(token.text_range(), FoldingKind::Comment);
            } else if let Some(range) = bracket_range(token) {
                self.add(range, FoldingKind::Region);
            }
        }
        self.last_code_line = Some(last);
    }

    /// Handles a comment that is first on its line.
    fn comment(&mut self, token: &SyntaxToken, line: usize) {
        match region_marker(token.text()) {
            Some(RegionMarker::Start) => {
                self.end_comments();
                self.regions.push(token.text_range().start());
            }
            Some(RegionMarker::End) => {
                self.end_comments();
                if let Some(start) = self.regions.pop() {
                    let range = TextRange::new(start, token.text_range().end());
                    self.add(range, FoldingKind::Region);
                }
            }
            None => {
                let above = self
                    .comments
                    .filter(|it| self.lines.line(it.end()) + 1 == line);
                if above.is_none() {
                    self.end_comments();
                }
                let run = above.map_or(token.text_range(), |it| it.cover(token.text_range()));
                self.comments = Some(run);
            }
        }
    }

    fn end_comments(&mut self) {
        if let Some(run) = self.comments.take() {
            self.add(run, FoldingKind::Comment);
        }
    }
}

/// Checks whether a node is a statement that includes classes.
fn is_include(node: &SyntaxNode) -> bool {
    let is_statement = node.parent().is_some_and(|it| {
        matches!(
            it.kind(),
            SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE
        )
    });
    let name = CallExpr::cast(node.clone()).and_then(|it| it.name_token());
    let known = name.and_then(|it| KnownFunction::from_name(it.text()));
    is_statement && known.is_some_and(KnownFunction::names_classes)
}

fn follows_include(node: &SyntaxNode) -> bool {
    node.prev_sibling().is_some_and(|it| is_include(&it))
}

/// Checks whether a comment token is template text that Puppet drops, not a real comment.
fn is_dropped_text(comment: &SyntaxToken) -> bool {
    comment.kind() == SyntaxKind::EPP_COMMENT && !comment.text().starts_with("<%")
}

fn is_single_body(body: &SyntaxNode) -> bool {
    let is_body = |it: &SyntaxNode| it.kind() == SyntaxKind::RESOURCE_BODY;
    !body.next_sibling().is_some_and(|it| is_body(&it))
        && !body.prev_sibling().is_some_and(|it| is_body(&it))
}

/// Returns the range from `start` to the end of `node`, without trailing line breaks.
fn without_line_break(node: &SyntaxNode, start: TextSize) -> TextRange {
    let last = node.last_token();
    let blank = last.map_or(0, |it| {
        let text = it.text();
        text.len() - text.trim_end_matches(['\r', '\n']).len()
    });
    let end = node.text_range().end() - TextSize::new(blank as u32);
    TextRange::new(start, end.max(start))
}

enum RegionMarker {
    Start,
    End,
}

/// Parses `# region …` and `# endregion …`.
fn region_marker(comment: &str) -> Option<RegionMarker> {
    let word = comment.strip_prefix('#')?.split_whitespace().next()?;
    match word {
        "region" => Some(RegionMarker::Start),
        "endregion" => Some(RegionMarker::End),
        _ => None,
    }
}

/// Returns the range from an opening bracket to the closing one, or to the end of the node if it is
/// unclosed.
fn bracket_range(open: &SyntaxToken) -> Option<TextRange> {
    use SyntaxKind::*;
    let close = match open.kind() {
        L_BRACE | SELECTOR_BRACE => R_BRACE,
        L_PAREN | WS_L_PAREN => R_PAREN,
        L_BRACK | LIST_START => R_BRACK,
        PIPE => PIPE,
        L_COLLECT => R_COLLECT,
        LL_COLLECT => RR_COLLECT,
        _ => return None,
    };
    let parent = open.parent().filter(|it| it.kind() != ERROR)?;
    let last = parent.last_child_or_token()?;
    let end = match &last {
        // A closing `|` does not open a range.
        NodeOrToken::Token(last) if last == open => return None,
        NodeOrToken::Token(last) if last.kind() == close => last.text_range().end(),
        _ => parent.text_range().end(),
    };
    Some(TextRange::new(open.text_range().start(), end))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::*;
    use super::*;
    use expect_test::{Expect, expect};
    use syntax::Dialect;

    fn check(source: &str, dialect: Dialect, expected: &Expect) {
        let root = parse(source, dialect).syntax();
        let lines = LineIndex::new(source);
        let found: Vec<_> = folding_ranges(&root, source)
            .iter()
            .map(|it| {
                let (first, last) = lines.lines(it.range);
                format!(
                    "{:?} {first}-{last} {}\n",
                    it.kind,
                    visible_text(source, it.range)
                )
            })
            .collect();
        expected.assert_eq(&found.concat());
    }

    #[test]
    fn brackets() {
        check(
            "class a (\n  $x,\n) {\n  f(\n    [1,\n    2], { a =>\n  3 })\n  $y[\n  0]\n}\nclass b { f(1) }",
            MANIFEST,
            &expect![[r#"
                Region 0-2 (␊  $x,␊)
                Region 2-9 {␊  f(␊    [1,␊    2], { a =>␊  3 })␊  $y[␊  0]␊}
                Region 3-6 (␊    [1,␊    2], { a =>␊  3 })
                Region 4-5 [1,␊    2]
                Region 5-6 { a =>␊  3 }
                Region 7-8 [␊  0]
            "#]],
        );
    }

    #[test]
    fn resources_and_conditions() {
        check(
            "file {\n  'a':\n    x => 1;\n  'b':\n    x => 2,\n}\nfile { 'a':\n  x => 1,\n}\n\
             case 1 {\n  1,\n  2: {\n    f()\n  }\n  default: { }\n}\n$x ? {\n  1 => 2,\n}",
            MANIFEST,
            &expect![[r#"
                Region 0-5 {␊  'a':␊    x => 1;␊  'b':␊    x => 2,␊}
                Region 1-2 'a':␊    x => 1
                Region 3-4 'b':␊    x => 2,
                Region 6-8 { 'a':␊  x => 1,␊}
                Region 9-15 {␊  1,␊  2: {␊    f()␊  }␊  default: { }␊}
                Region 10-13 1,␊  2: {␊    f()␊  }
                Region 11-13 {␊    f()␊  }
                Region 16-18 {␊  1 => 2,␊}
            "#]],
        );
    }

    #[test]
    fn heredocs() {
        check(
            "f(@(A), @(B))\none\n| A\ntwo\r\n-B\r\n$x = 1",
            MANIFEST,
            &expect![[r#"
                Region 0-2 ␊one␊| A
                Region 2-4 ␊two␍␊-B
            "#]],
        );
    }

    #[test]
    fn comments_and_regions() {
        check(
            "# a\n# b\n\n# c\n$x = 1 # d\n# e\n# f\n# region outer\n# g\n#region inner\n$y = 2\n\
             # endregion\n# endregion outer\n/* h\n*/\n# endregion",
            MANIFEST,
            &expect![[r#"
                Comment 0-1 # a␊# b
                Comment 5-6 # e␊# f
                Region 7-12 # region outer␊# g␊#region inner␊$y = 2␊# endregion␊# endregion outer
                Region 9-11 #region inner␊$y = 2␊# endregion
                Comment 13-14 /* h␊*/
            "#]],
        );
    }

    #[test]
    fn runs_of_includes() {
        check(
            "include a\ninclude b, c # d\n\n# e\ncontain f\n$x = 1\ninclude g\nclass h {\n  \
             require i\n  include(\n    j)\n  $y = include k\n}",
            MANIFEST,
            &expect![[r#"
                Imports 0-4 include a␊include b, c # d␊␊# e␊contain f
                Region 7-12 {␊  require i␊  include(␊    j)␊  $y = include k␊}
                Imports 8-10 require i␊  include(␊    j)
                Region 9-10 (␊    j)
            "#]],
        );
    }

    #[test]
    fn templates() {
        check(
            "<%- |\n $a\n| -%>\nx\n<% if $a { %>\ny\n<% } %>\n<%# c\n-%>",
            TEMPLATE,
            &expect![[r#"
                Region 0-2 |␊ $a␊|
                Region 4-6 { %>␊y␊<% }
                Comment 7-8 <%# c␊-%>
            "#]],
        );
    }

    #[test]
    fn unclosed_brackets_fold_to_the_end_of_the_node() {
        check(
            "class a {\n  f(1,\n    2\n}\nclass b {\n  $x = 1\n",
            MANIFEST,
            &expect![[r#"
                Region 0-3 {␊  f(1,␊    2␊}
                Region 1-2 (1,␊    2
                Region 4-5 {␊  $x = 1
            "#]],
        );
    }

    #[test]
    fn ranges_span_lines_and_are_in_bounds() {
        for source in broken_variants(EVERYTHING) {
            let root = parse(&source, MANIFEST).syntax();
            let lines = LineIndex::new(&source);
            for it in folding_ranges(&root, &source) {
                let (first, last) = lines.lines(it.range);
                assert!(
                    first < last
                        && source
                            .get(std::ops::Range::<usize>::from(it.range))
                            .is_some()
                );
            }
        }
    }
}
