//! The layout of a file: the white space before each token, and the missing commas.

use rustc_hash::FxHashMap;
use syntax::{Edit, SyntaxKind, SyntaxNode};

use crate::arrows::ArrowGap;
use crate::brackets::Brackets;
use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, line_break, spaced_tokens, width};
use crate::{
    FormatOptions, LineBreaks, alignment, arrows, columns, commas, heredocs, relationships, spaces,
    suppressions, trailing_comments,
};

/// The white space before a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// Keeps the white space of the source.
    Keep,
    /// Blanks within a line.
    Blanks(usize),
    /// Line breaks and the indentation.
    Lines { breaks: usize, column: usize },
}

/// The layout of a file.
pub(crate) struct Layout<'a> {
    pub(crate) text: &'a str,
    /// The tokens in the order of the layout.
    pub(crate) tokens: Vec<SpacedToken>,
    /// The white space before each token.
    pub(crate) gaps: Vec<Gap>,
    /// The tokens that a comma follows.
    pub(crate) commas: Vec<usize>,
    /// The edits that indent the heredocs, by their first tokens.
    pub(crate) heredocs: FxHashMap<usize, Edit>,
    pub(crate) is_template: bool,
    arrows: FxHashMap<usize, ArrowGap>,
}

impl<'a> Layout<'a> {
    /// Computes the layout of a manifest.
    pub(crate) fn of_manifest(
        root: &SyntaxNode,
        text: &'a str,
        options: &FormatOptions,
        line_breaks: LineBreaks,
    ) -> Layout<'a> {
        let mut tokens = spaced_tokens(root);
        if options.trailing_commas {
            commas::remove_needless(&mut tokens);
        }
        relationships::move_arrows(&mut tokens);
        if line_breaks == LineBreaks::Added {
            suppressions::move_comments(&mut tokens);
        }
        let brackets = Brackets::new(&tokens);
        let mut lines = match line_breaks {
            LineBreaks::Added => Lines::formatted(&tokens, &brackets),
            LineBreaks::Kept => Lines::joined(&tokens, &brackets),
        };
        let mut parts = Parts::new(&tokens, text, &brackets, &lines, options);
        if let Some(limit) = options
            .line_width
            .filter(|_| line_breaks == LineBreaks::Added)
        {
            while let Some(opener) = parts.list_to_break(&tokens, &brackets, &lines, limit) {
                if !lines.break_list(opener) {
                    break;
                }
                parts = Parts::new(&tokens, text, &brackets, &lines, options);
            }
        }
        let gaps = parts.gaps(&tokens, text, &brackets, &lines);
        let heredocs = heredocs::indented(&tokens, text, &lines, &parts.columns);
        let Parts { arrows, commas, .. } = parts;
        Layout {
            text,
            gaps,
            commas,
            heredocs,
            is_template: false,
            arrows,
            tokens,
        }
    }

    /// Computes the layout of a template: only blanks within the lines of its tags change.
    pub(crate) fn of_template(root: &SyntaxNode, text: &'a str) -> Layout<'a> {
        let tokens = spaced_tokens(root);
        let before_code = |index: usize| {
            let before = index.checked_sub(1).map(|it| &tokens[it]);
            before.filter(|it| is_code(it, &tokens[index], text))
        };
        let blanks = |index: usize| match before_code(index) {
            Some(before) => spaces::between(before, &tokens[index], text),
            None => width(&text[tokens[index].gap]),
        };
        let mut blanks: Vec<usize> = (0..tokens.len()).map(blanks).collect();
        let brackets = Brackets::new(&tokens);
        let lines = Lines::of_source(&tokens, &brackets);
        alignment::align(&tokens, text, &lines, true, &mut blanks);
        let gap = |index: usize| match before_code(index) {
            Some(_) => Gap::Blanks(blanks[index]),
            None => Gap::Keep,
        };
        Layout {
            text,
            gaps: (0..tokens.len()).map(gap).collect(),
            commas: Vec::new(),
            heredocs: FxHashMap::default(),
            is_template: true,
            arrows: FxHashMap::default(),
            tokens,
        }
    }

    /// Returns the white space before a token.
    pub(crate) fn gap_text(&self, index: usize) -> String {
        match &self.gaps[index] {
            Gap::Keep => self.text[self.tokens[index].gap].to_owned(),
            Gap::Blanks(blanks) => " ".repeat(*blanks),
            Gap::Lines { breaks, column } => {
                line_break(self.text).repeat(*breaks) + &" ".repeat(*column)
            }
        }
    }

    /// Returns the last of the tokens that change their places, if a token is the first of them.
    pub(crate) fn moved_region(&self, first: usize) -> Option<usize> {
        let mut last = self.tokens[first].position;
        let mut index = first;
        while index < last {
            index += 1;
            last = last.max(self.tokens[index].position);
        }
        (first < last || self.tokens[first].is_moved).then_some(last)
    }

    /// Checks whether a token is an arrow that is aligned with others.
    pub(crate) fn is_aligned_arrow(&self, index: usize) -> bool {
        self.arrows.get(&index).is_some_and(|it| it.is_aligned)
    }
}

/// Checks whether the white space between two tokens of a template is inside a tag and a line.
fn is_code(before: &SpacedToken, spaced: &SpacedToken, text: &str) -> bool {
    use SyntaxKind::*;
    let starts = matches!(spaced.kind(), EPP_OPEN | EPP_EXPR_OPEN);
    let ends = matches!(before.kind(), EPP_CLOSE | EPP_EXPR_CLOSE);
    let is_outside = alignment::is_output(before) || alignment::is_output(spaced) || starts || ends;
    let is_line = !spaced.starts_line && !text[spaced.gap].contains('\n');
    !is_outside && !spaced.has_significant_gap && is_line
}

/// The parts of a layout that depend on its lines.
struct Parts {
    blanks: Vec<usize>,
    columns: Vec<usize>,
    arrows: FxHashMap<usize, ArrowGap>,
    commas: Vec<usize>,
}

impl Parts {
    fn new(
        tokens: &[SpacedToken],
        text: &str,
        brackets: &Brackets,
        lines: &Lines<'_>,
        options: &FormatOptions,
    ) -> Parts {
        let blanks = |index: usize| match index.checked_sub(1) {
            _ if tokens[index].has_significant_gap => width(&text[tokens[index].gap]),
            Some(before) => spaces::between(&tokens[before], &tokens[index], text),
            None => 0,
        };
        let mut blanks: Vec<usize> = (0..tokens.len()).map(blanks).collect();
        alignment::align(tokens, text, lines, false, &mut blanks);
        let arrows = arrows::gaps(tokens, text, lines, &blanks);
        for (index, arrow) in &arrows {
            blanks[*index] = arrow.blanks;
        }
        let commas = match options.trailing_commas {
            true => commas::missing(tokens, brackets, lines),
            false => Vec::new(),
        };
        let columns = columns::columns(tokens, brackets, lines);
        trailing_comments::align(tokens, text, lines, &columns, &commas, &mut blanks);
        Parts {
            columns,
            blanks,
            arrows,
            commas,
        }
    }

    /// Returns the white space before each token.
    fn gaps(
        &self,
        tokens: &[SpacedToken],
        text: &str,
        brackets: &Brackets,
        lines: &Lines<'_>,
    ) -> Vec<Gap> {
        let numbers = lines.numbers();
        let gap = |index: usize| {
            if tokens[index].has_significant_gap {
                return Gap::Keep;
            }
            if !lines.starts(index) {
                return Gap::Blanks(self.blanks[index]);
            }
            Gap::Lines {
                breaks: line_breaks(tokens, text, brackets, index),
                column: self.columns[numbers[index]],
            }
        };
        (0..tokens.len()).map(gap).collect()
    }

    /// Returns the opener of the outermost list on a line that is too wide.
    fn list_to_break(
        &self,
        tokens: &[SpacedToken],
        brackets: &Brackets,
        lines: &Lines<'_>,
        limit: usize,
    ) -> Option<usize> {
        let numbers = lines.numbers();
        let widths = self.line_widths(tokens, lines, &numbers);
        let can_break = |(opener, closer): &(usize, usize)| {
            let line = numbers[*opener];
            line == numbers[*closer]
                && widths[line] > limit
                && lines.can_break_list(*opener, *closer)
        };
        brackets.pairs().find(can_break).map(|(opener, _)| opener)
    }

    fn line_widths(
        &self,
        tokens: &[SpacedToken],
        lines: &Lines<'_>,
        numbers: &[usize],
    ) -> Vec<usize> {
        let mut widths = vec![0; numbers.last().map_or(0, |it| it + 1)];
        for (index, spaced) in tokens.iter().enumerate() {
            let line = numbers[index];
            let text = spaced.token.text();
            let before = match lines.starts(index) {
                true => self.columns[line],
                false => self.blanks[index],
            };
            // Strings and comments that span lines are not measured.
            if !text.contains('\n') && !spaced.is_in_heredoc {
                widths[line] += before + width(text);
            }
        }
        widths
    }
}

/// Returns the number of line breaks before a token that starts a line: at most one empty line,
/// and none beside brackets, after operators or at the start of the file.
fn line_breaks(tokens: &[SpacedToken], text: &str, brackets: &Brackets, index: usize) -> usize {
    let Some(before) = index.checked_sub(1) else {
        return 0;
    };
    let is_beside_bracket = brackets.opener_of(index).is_some() || brackets.is_opener(before);
    let is_inside = is_beside_bracket || spaces::is_operator(&tokens[before]);
    let most = 2 - usize::from(is_inside || tokens[index].is_moved);
    let ends_line = usize::from(tokens[before].ends_line());
    let old = text[tokens[index].gap].matches('\n').count();
    let least = 1 - ends_line;
    old.clamp(least, most - ends_line)
}
