//! The layout of a file: the white space before each token, and the missing commas.

use rustc_hash::FxHashMap;
use syntax::{Edit, SyntaxKind, SyntaxNode};

use crate::arrows::ArrowGap;
use crate::brackets::Brackets;
use crate::lines::Lines;
use crate::spaced_tokens::{SpacedToken, line_break, spaced_tokens, width};
use crate::{
    FormatOptions, LineBreaks, alignment, arrows, columns, commas, heredocs, relationships, spaces,
    suppressions, tables, template_columns, trailing_comments, wrapping,
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
            commas::move_before_comments(&mut tokens);
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
            let groups = wrapping::groups(root, &tokens, &brackets);
            for _ in 0..wrapping::MOST_PASSES {
                let ends = parts.ends(&tokens, &lines);
                if !wrapping::wrap(&groups, &tokens, &mut lines, &ends, limit) {
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

    /// Computes the layout of a template: only the white space inside of its tags changes.
    pub(crate) fn of_template(root: &SyntaxNode, text: &'a str) -> Layout<'a> {
        let tokens = spaced_tokens(root);
        let brackets = Brackets::new(&tokens);
        let is_code: Vec<bool> = (0..tokens.len()).map(|it| is_code(&tokens, it)).collect();
        let lines = Lines::of_template(&tokens, &brackets, &is_code);
        let blanks = |index: usize| match index.checked_sub(1) {
            Some(before) if is_code[index] => {
                spaces::between(&tokens[before], &tokens[index], text)
            }
            _ => width(&text[tokens[index].gap]),
        };
        let mut blanks: Vec<usize> = (0..tokens.len()).map(blanks).collect();
        let columns = template_columns::columns(&tokens, &brackets, &lines, &blanks);
        alignment::align(&tokens, text, &lines, Some(&columns), &mut blanks);
        let arrows = arrows::gaps(&tokens, text, &lines, &blanks, false);
        for (index, arrow) in &arrows {
            blanks[*index] = arrow.blanks;
        }
        let numbers = lines.numbers();
        let gap = |index: usize| match is_code[index] {
            false => Gap::Keep,
            true if !lines.starts(index) => Gap::Blanks(blanks[index]),
            true => Gap::Lines {
                breaks: line_breaks(&tokens, text, &brackets, index),
                column: columns[numbers[index]],
            },
        };
        Layout {
            text,
            gaps: (0..tokens.len()).map(gap).collect(),
            commas: Vec::new(),
            heredocs: FxHashMap::default(),
            is_template: true,
            arrows,
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

/// Checks whether the white space before a token of a template is inside a tag and may change.
fn is_code(tokens: &[SpacedToken], index: usize) -> bool {
    use SyntaxKind::*;
    let Some(before) = index.checked_sub(1).map(|it| &tokens[it]) else {
        return false;
    };
    let spaced = &tokens[index];
    let starts = matches!(spaced.kind(), EPP_OPEN | EPP_EXPR_OPEN);
    let ends = matches!(before.kind(), EPP_CLOSE | EPP_EXPR_CLOSE);
    let is_outside = alignment::is_output(before) || alignment::is_output(spaced) || starts || ends;
    !is_outside && !spaced.has_significant_gap && !spaced.is_in_heredoc
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
        alignment::align(tokens, text, lines, None, &mut blanks);
        let arrows = arrows::gaps(tokens, text, lines, &blanks, options.keeps_indentation);
        for (index, arrow) in &arrows {
            blanks[*index] = arrow.blanks;
        }
        let is_placed = |it: usize| arrows.contains_key(&it) || alignment::is_cell(&tokens[it]);
        tables::align(tokens, text, lines, is_placed, &mut blanks);
        let commas = match options.trailing_commas {
            true => commas::missing(tokens, brackets, lines),
            false => Vec::new(),
        };
        let columns = columns::columns(tokens, brackets, lines, options);
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

    /// Returns the column after each token and the comma that is added.
    fn ends(&self, tokens: &[SpacedToken], lines: &Lines<'_>) -> Vec<usize> {
        let numbers = lines.numbers();
        let mut ends = Vec::with_capacity(tokens.len());
        let mut end = 0;
        for (index, spaced) in tokens.iter().enumerate() {
            end = match lines.starts(index) {
                true => self.columns[numbers[index]],
                false => end + self.blanks[index],
            };
            let text = spaced.token.text();
            // Strings and comments that span lines are not measured.
            if !text.contains('\n') && !spaced.is_in_heredoc {
                end += width(text);
            }
            let comma = self.commas.binary_search(&index).is_ok();
            ends.push(end + usize::from(comma));
        }
        ends
    }
}

/// Returns the number of line breaks before a token that starts a line: at most one empty line,
/// and none beside brackets and the ends of tags, after operators or at the start of the file.
fn line_breaks(tokens: &[SpacedToken], text: &str, brackets: &Brackets, index: usize) -> usize {
    let Some(before) = index.checked_sub(1) else {
        return 0;
    };
    let is_beside_bracket = brackets.opener_of(index).is_some() || brackets.is_opener(before);
    let is_beside_tag = [before, index].map(|it| spaces::is_template_tag(tokens[it].kind()));
    let is_inside =
        is_beside_bracket || is_beside_tag.contains(&true) || spaces::is_operator(&tokens[before]);
    let most = 2 - usize::from(is_inside || tokens[index].is_moved);
    let ends_line = usize::from(tokens[before].ends_line());
    let old = text[tokens[index].gap].matches('\n').count();
    let least = 1 - ends_line;
    old.clamp(least, most - ends_line)
}
