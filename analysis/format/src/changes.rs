//! The differences between a file and its layout, by kind.

use syntax::{Edit, SyntaxKind, SyntaxNode, TextRange, TextSize};

use crate::layout::{Gap, Layout};
use crate::spaced_tokens::{SpacedToken, line_break, trailing_blanks};
use crate::spaces;

/// A kind of difference between a file and its layout.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayoutKind {
    /// The indentation of a line.
    Indentation,
    /// A tab in indentation or between tokens.
    Tab,
    /// Blanks at the end of a line.
    TrailingBlanks,
    /// Empty lines at the start of a file, beside brackets, or several in a row.
    EmptyLines,
    /// The line break at the end of the file is missing, or several are there.
    EndOfFile,
    /// The column of an arrow in a resource that is aligned with others.
    ArrowAlignment,
    /// The blanks before an arrow in a resource that is not aligned.
    BeforeArrow,
    /// The column of an arrow outside of resources.
    HashAlignment,
    /// The white space after an arrow.
    AfterArrow,
    /// The white space before or after a brace.
    Brace,
    /// The line break between a closing brace and `else` or `elsif`.
    Else,
    /// The white space before or after a bracket.
    Bracket,
    /// The white space in the head of a definition.
    Header,
    /// Blanks between other tokens.
    Blanks,
    /// A line break around the elements of a bracket.
    LineBreak,
    /// The arrow of a relationship at the end of a line.
    RelationshipArrow,
    /// A missing trailing comma.
    TrailingComma,
    /// A missing comma after the last parameter of a definition or type, or the last option of a selector.
    ParameterComma,
}

/// A difference between a file and its layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutChange {
    /// The replaced range; empty for an insertion.
    pub range: TextRange,
    /// The text that the layout requires there.
    pub text: String,
    /// The kind of the difference.
    pub kind: LayoutKind,
}

impl LayoutChange {
    /// Returns the edit that makes the change.
    pub fn edit(&self) -> Edit {
        Edit {
            range: self.range,
            text: self.text.clone(),
        }
    }
}

/// Returns the changes that turn a file into its layout, in source order.
pub(crate) fn changes(layout: &Layout<'_>) -> Vec<LayoutChange> {
    let mut changes = Changes {
        layout,
        found: Vec::new(),
    };
    let mut commas = layout.commas.iter().peekable();
    let mut next = 0;
    while next < layout.tokens.len() {
        next = match layout.moved_region(next) {
            Some(last) if layout.tokens[last].is_moved => {
                changes.add_moved_arrow(next, last);
                last + 2
            }
            Some(last) => {
                changes.add_moved_comment(next, last);
                while commas.next_if(|it| **it <= last).is_some() {}
                last + 1
            }
            None => {
                changes.add_gap(next);
                changes.add_trailing_blanks(next);
                next + 1
            }
        };
        if commas.next_if(|it| **it < next).is_some() {
            changes.add_comma(next - 1);
        }
    }
    changes.add_end_of_file();
    changes.found
}

struct Changes<'a> {
    layout: &'a Layout<'a>,
    found: Vec<LayoutChange>,
}

impl Changes<'_> {
    /// Adds a change unless the text is already the wanted one.
    fn add(&mut self, range: TextRange, wanted: &str, kind: LayoutKind) {
        if &self.layout.text[range] != wanted {
            self.found.push(LayoutChange {
                range,
                text: wanted.to_owned(),
                kind,
            });
        }
    }

    fn add_trailing_blanks(&mut self, index: usize) {
        if let Some(range) = trailing_blanks(&self.layout.tokens[index]) {
            self.add(range, "", LayoutKind::TrailingBlanks);
        }
    }

    /// Adds the comma that is missing after a token.
    fn add_comma(&mut self, last: usize) {
        let layout = self.layout;
        let mut after = layout.tokens[last + 1..].iter();
        let closer = after.find(|it| !it.kind().is_comment() && !it.is_in_heredoc);
        let list = closer.and_then(|it| it.token.parent());
        let kind = match list.is_some_and(|it| is_of_parameters(&it)) {
            true => LayoutKind::ParameterComma,
            false => LayoutKind::TrailingComma,
        };
        let end = layout.tokens[last].token.text_range().end();
        self.add(TextRange::empty(end), ",", kind);
    }

    /// Adds the changes of the white space before a token.
    fn add_gap(&mut self, index: usize) {
        let layout = self.layout;
        let spaced = &layout.tokens[index];
        let wanted = &layout.gaps[index];
        match wanted {
            Gap::Keep => {
                self.add_blanks_after_tag(index);
                if let Some(edit) = layout.heredocs.get(&index) {
                    self.add(edit.range, &edit.text, LayoutKind::Indentation);
                }
            }
            Gap::Lines { breaks, column } if spaced.starts_line => {
                self.add_line_start(spaced.gap, *breaks, *column);
            }
            Gap::Lines { .. } => {
                let kind = self.inline_kind(index).unwrap_or(LayoutKind::LineBreak);
                self.add(spaced.gap, &layout.gap_text(index), kind);
            }
            Gap::Blanks(_) => {
                let wanted = layout.gap_text(index);
                if layout.text[spaced.gap] != wanted {
                    self.add(spaced.gap, &wanted, self.blank_kind(index));
                }
            }
        }
    }

    /// Adds the change that removes blanks between the tag of a heredoc and the end of its line.
    fn add_blanks_after_tag(&mut self, index: usize) {
        let spaced = &self.layout.tokens[index];
        let before = index.checked_sub(1).map(|it| &self.layout.tokens[it]);
        let is_first = spaced.is_in_heredoc && before.is_some_and(|it| !it.is_in_heredoc);
        let gap = &self.layout.text[spaced.gap];
        let blanks = gap
            .find('\n')
            .map(|it| gap[..it].trim_end_matches('\r').len());
        if let Some(blanks) = blanks.filter(|_| is_first && !self.layout.is_template) {
            let range = TextRange::at(spaced.gap.start(), TextSize::new(blanks as u32));
            self.add(range, "", LayoutKind::TrailingBlanks);
        }
    }

    /// Adds the changes of the white space before a token that starts a line in both layouts:
    /// trailing whitespace before, empty lines and the indentation.
    fn add_line_start(&mut self, gap: TextRange, breaks: usize, column: usize) {
        let old = &self.layout.text[gap];
        let head = old.find('\n').map_or(0, |it| it + 1);
        let head = old[..head].trim_end_matches(['\r', '\n']).len();
        let tail = old.rfind('\n').map_or(0, |it| it + 1);
        let at = |offset: usize| gap.start() + TextSize::new(offset as u32);
        let range = |from: usize, to: usize| TextRange::new(at(from), at(to));
        self.add(range(0, head), "", LayoutKind::TrailingBlanks);
        let is_count_right = old.matches('\n').count() == breaks;
        let kind = match is_count_right {
            true => LayoutKind::TrailingBlanks,
            false => LayoutKind::EmptyLines,
        };
        self.add(range(head, tail), &line_break(old).repeat(breaks), kind);
        let kind = match old[tail..].contains('\t') {
            true => LayoutKind::Tab,
            false => LayoutKind::Indentation,
        };
        self.add(range(tail, old.len()), &" ".repeat(column), kind);
    }

    /// Adds the move of an arrow: a single change, so that a part of it is never made.
    fn add_moved_arrow(&mut self, first: usize, arrow: usize) {
        let layout = self.layout;
        let wanted = self.moved_text(first, arrow) + &layout.gap_text(arrow + 1);
        let start = layout.tokens[first - 1].token.text_range().end();
        let end = layout.tokens[arrow + 1].token.text_range().start();
        let range = TextRange::new(start, end);
        self.add(range, &wanted, LayoutKind::RelationshipArrow);
    }

    /// Adds the move of a comment before closing brackets, or of a comma before comments, as a single change.
    fn add_moved_comment(&mut self, comment: usize, last: usize) {
        let layout = self.layout;
        let wanted = self.moved_text(comment, last);
        let start = layout.tokens[comment - 1].token.text_range().end();
        let end = layout.tokens[comment].token.text_range().end();
        let range = TextRange::new(start, end);
        self.add(range, &wanted, LayoutKind::LineBreak);
    }

    /// Returns the layout of consecutive tokens, with the white space before them and the commas after them.
    fn moved_text(&self, first: usize, last: usize) -> String {
        let layout = self.layout;
        let mut wanted = String::new();
        for index in first..=last {
            let text = layout.tokens[index].token.text();
            wanted.push_str(&layout.gap_text(index));
            wanted.push_str(text.trim_end_matches([' ', '\t']));
            if layout.commas.binary_search(&index).is_ok() {
                wanted.push(',');
            }
        }
        wanted
    }

    /// Adds the change that ends the file with exactly one line break.
    fn add_end_of_file(&mut self) {
        let Some(last) = self.layout.tokens.last() else {
            let whole = TextRange::up_to(TextSize::of(self.layout.text));
            return self.add(whole, "", LayoutKind::EndOfFile);
        };
        let ends = self.layout.tokens.iter();
        let ends = ends.map(|it| it.token.text_range().end());
        let start = ends.max().unwrap_or_default();
        let rest = TextRange::new(start, TextSize::of(self.layout.text));
        let is_one_break = matches!(&self.layout.text[rest], "\n" | "\r\n");
        if is_one_break && !last.ends_line() {
            return;
        }
        // A heredoc at the end of the file needs no line break.
        if self.layout.is_template || last.has_significant_gap && rest.is_empty() {
            return;
        }
        let wanted = match last.ends_line() {
            true => "",
            false => line_break(self.layout.text),
        };
        self.add(rest, wanted, LayoutKind::EndOfFile);
    }

    /// Returns the kind of a change of blanks beside a bracket or brace that are wrong on a single line, too.
    fn inline_kind(&self, index: usize) -> Option<LayoutKind> {
        let layout = self.layout;
        let kind = self.blank_kind(index);
        let (before, spaced) = (&layout.tokens[index.checked_sub(1)?], &layout.tokens[index]);
        let wanted = spaces::between(before, spaced, layout.text);
        let is_wrong = layout.text[spaced.gap] != " ".repeat(wanted);
        let is_bracket = matches!(kind, LayoutKind::Bracket | LayoutKind::Brace);
        (is_bracket && is_wrong).then_some(kind)
    }

    /// Checks whether the gap before a token differs from its layout only by a needless comma.
    fn is_only_comma(&self, index: usize) -> bool {
        let old = &self.layout.text[self.layout.tokens[index].gap];
        old.contains(',') && old.replace(',', "") == self.layout.gap_text(index)
    }

    /// Returns the kind of a change of the blanks before a token.
    fn blank_kind(&self, index: usize) -> LayoutKind {
        use SyntaxKind::*;
        let spaced = &self.layout.tokens[index];
        let Some(before) = index.checked_sub(1).map(|it| &self.layout.tokens[it]) else {
            return LayoutKind::Indentation;
        };
        let gap = &self.layout.text[spaced.gap];
        let is_aligned = |gap: &str| !gap.is_empty() && !gap.contains('\n');
        let is_arrow = |it: &SpacedToken| matches!(it.kind(), FAT_ARROW | PLUS_ARROW);
        let is_edge = |it: &SpacedToken| matches!(it.kind(), IN_EDGE | IN_EDGE_SUB);
        let in_header = |it: &SpacedToken| matches!(it.kind(), CLASS_KW | DEFINE_KW | INHERITS_KW);
        match (before.kind(), spaced.kind()) {
            _ if self.is_only_comma(index) => LayoutKind::Blanks,
            _ if gap.contains('\t') => LayoutKind::Tab,
            // Authors align the blocks of options.
            (COLON, L_BRACE) if is_aligned(gap) => LayoutKind::Blanks,
            _ if is_arrow(spaced) && !is_in_resource(spaced) => LayoutKind::HashAlignment,
            _ if self.layout.is_aligned_arrow(index) => LayoutKind::ArrowAlignment,
            _ if is_arrow(spaced) => LayoutKind::BeforeArrow,
            _ if is_arrow(before) || is_edge(before) => LayoutKind::AfterArrow,
            (CLASS_KW, L_BRACE) => LayoutKind::Brace,
            _ if in_header(before) || in_header(spaced) => LayoutKind::Header,
            // The names of parameters are aligned, whatever their types end with.
            (_, VARIABLE) if spaced.parent_kind() == Some(PARAMETER) && !spaced.gap.is_empty() => {
                LayoutKind::Blanks
            }
            (_, L_PAREN | WS_L_PAREN) if spaced.parent_kind() == Some(PARAMETER_LIST) => {
                LayoutKind::Header
            }
            (R_BRACE, ELSE_KW | ELSIF_KW) if gap.contains('\n') => LayoutKind::Else,
            (L_BRACE | SELECTOR_BRACE | R_BRACE, _) | (_, L_BRACE | SELECTOR_BRACE | R_BRACE) => {
                LayoutKind::Brace
            }
            (L_BRACK | LIST_START | R_BRACK, _) | (_, L_BRACK | LIST_START | R_BRACK) => {
                LayoutKind::Bracket
            }
            _ => LayoutKind::Blanks,
        }
    }
}

/// Checks whether a list contains parameters of a definition or type, or options of a selector.
fn is_of_parameters(list: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    match list.kind() {
        PARAMETER_LIST | SELECTOR_EXPR => true,
        _ => list.parent().is_some_and(|it| it.kind() == ACCESS_KEYS),
    }
}

/// Checks whether a token is in a resource.
fn is_in_resource(spaced: &SpacedToken) -> bool {
    let mut ancestors = spaced.token.parent_ancestors();
    ancestors.any(|it| it.kind() == SyntaxKind::RESOURCE_EXPR)
}

#[cfg(test)]
mod tests {
    use fixture::{MANIFEST, parse};

    use crate::tests::formatted;
    use crate::{FormatOptions, LayoutKind, layout_changes};

    #[test]
    fn changes_by_kind_add_no_line_breaks() {
        for source in [
            "file { ['a',\n  'b']:\n    ensure => file,\n}\n",
            "foo('a',\n  { $x => {\n      b => 1,\n    },\n})\n",
            "$x = [{ a => 1,\nb => 2, }]\n",
            "$x = $y ? { true => 1,\ndefault => 2 }\n",
            "if ($a\nand $b) {\n}\n",
        ] {
            let parse = parse(source, MANIFEST);
            let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
            assert_eq!(changes, Some(Vec::new()), "{source}");
            assert_ne!(formatted(source), source);
        }
        let source = "file { ['a',\n    'b' ]:\n    ensure => file,\n}\n";
        let parse = parse(source, MANIFEST);
        let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
        let kinds = changes.iter().flatten().map(|it| (it.kind, &*it.text));
        let expected = [(LayoutKind::Indentation, "  "), (LayoutKind::Bracket, "")];
        assert_eq!(kinds.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_tabs_before_blocks() {
        let source = "case $a {\n  'b':\t{}\n  'cd': {}\n}\n";
        let parse = parse(source, MANIFEST);
        let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
        let kinds = changes.iter().flatten().map(|it| it.kind);
        assert_eq!(kinds.collect::<Vec<_>>(), [LayoutKind::Tab]);
    }

    #[test]
    fn names_line_breaks_before_blocks() {
        let source = "case $a {\n  'b':\n    {\n    }\n}\n";
        let parse = parse(source, MANIFEST);
        let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
        let kinds = changes.iter().flatten().map(|it| it.kind);
        let expected = [LayoutKind::Brace, LayoutKind::Indentation];
        assert_eq!(kinds.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn keeps_arrows_aligned_with_the_first_key() {
        for source in [
            "a { 'b': c => 1,\n  ddddd => 2,\n}\n",
            "a { 'b': ccccc => 1,\n  d          => 2,\n}\n",
            "$x = { a => 1,\n  b      => 2,\n}\n",
            "$x = [{\n  a  => 1,\nbb => 2 }]\n",
        ] {
            let parse = parse(source, MANIFEST);
            let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
            assert_eq!(changes, Some(Vec::new()), "{source}");
        }
        let source = "$x = [{\n  a => 1,\nbb => 2 }]\n";
        let parse = parse(source, MANIFEST);
        let changes = layout_changes(&parse, source, MANIFEST, &FormatOptions::default());
        let changes = changes.iter().flatten().map(|it| (it.kind, &*it.text));
        let expected = [(LayoutKind::HashAlignment, "  ")];
        assert_eq!(changes.collect::<Vec<_>>(), expected);
    }
}
