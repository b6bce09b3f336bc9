//! Decides which tokens start a line.
//!
//! Line breaks stay where they are, with these exceptions: an opening brace, `else`, the head of a definition and the
//! name of a parameter after its type continue the line before; each entry of a resource or hash on several lines has a
//! line of its own, also if a brace is on a line of its own around the attributes of a resource, and so has each body of
//! such a resource, each statement outside of a block on one line, and each parameter if most of the lines have one; and
//! a bracket around several lines ends the first and starts the last of them, but brackets of calls and lists do not
//! where only a string in them has line breaks.

use rustc_hash::FxHashMap;
use syntax::{SyntaxKind, SyntaxNode, TextSize};

use crate::brackets::Brackets;
use crate::spaced_tokens::{SpacedToken, width};
use crate::spaces::{is_operator, is_template_tag};

/// The number of columns that joined lines may have; `long-line` reports those of more than 140.
const MOST_COLUMNS: usize = 120;

/// The lines of the formatted file.
pub(crate) struct Lines<'a> {
    tokens: &'a [SpacedToken],
    brackets: &'a Brackets,
    /// Whether each token starts a line.
    starts: Vec<bool>,
    /// Whether no line can start at each token, as the body of a heredoc has to follow its line, or as white space before
    /// it is output of a template.
    cannot_start: Vec<bool>,
}

impl<'a> Lines<'a> {
    /// Returns the lines of the source.
    pub(crate) fn of_source(tokens: &'a [SpacedToken], brackets: &'a Brackets) -> Lines<'a> {
        // A comment may have moved to the end of a line.
        let ends_line = |it: usize| tokens[it].kind() == SyntaxKind::LINE_COMMENT;
        let starts_line = |(index, it): (usize, &SpacedToken)| {
            let follows_comment = index.checked_sub(1).is_some_and(ends_line);
            it.starts_line || follows_comment && !it.has_significant_gap
        };
        Lines {
            tokens,
            brackets,
            starts: tokens.iter().enumerate().map(starts_line).collect(),
            cannot_start: awaits_heredoc(tokens),
        }
    }

    /// Returns the lines of the code in a formatted template; `is_code` says before which tokens white space may change.
    pub(crate) fn of_template(
        tokens: &'a [SpacedToken],
        brackets: &'a Brackets,
        is_code: &[bool],
    ) -> Lines<'a> {
        let starts =
            std::iter::zip(tokens, is_code).map(|(it, is_code)| it.starts_line && *is_code);
        let mut lines = Lines {
            tokens,
            brackets,
            starts: starts.collect(),
            cannot_start: is_code.iter().map(|it| !it).collect(),
        };
        for comma in lines.join() {
            lines.start_line(comma + 1);
        }
        lines.normalize();
        lines
    }

    /// Returns the lines of the formatted file.
    pub(crate) fn formatted(tokens: &'a [SpacedToken], brackets: &'a Brackets) -> Lines<'a> {
        let mut lines = Lines::of_source(tokens, brackets);
        for comma in lines.join() {
            lines.start_line(comma + 1);
        }
        lines.join_names();
        lines.normalize();
        lines
    }

    /// Returns the lines of the source, without the line breaks that the layout removes.
    pub(crate) fn joined(tokens: &'a [SpacedToken], brackets: &'a Brackets) -> Lines<'a> {
        let mut lines = Lines::of_source(tokens, brackets);
        lines.join();
        lines
    }

    /// Checks whether a token starts a line.
    pub(crate) fn starts(&self, index: usize) -> bool {
        self.starts[index]
    }

    /// Returns the number of the line of each token.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        let mut line = 0;
        let number = |it: &bool| {
            line += usize::from(*it);
            line
        };
        self.starts.iter().map(number).collect()
    }

    /// Checks whether a line can start at each of the tokens.
    pub(crate) fn can_break_at(&self, starts: &[usize]) -> bool {
        let can_start = |it: &usize| self.starts[*it] || self.can_start_line(*it);
        starts.iter().all(can_start)
    }

    /// Starts lines at tokens. Returns whether this changes anything.
    pub(crate) fn break_at(&mut self, starts: &[usize]) -> bool {
        let changed = starts.iter().filter(|it| self.start_line(**it)).count();
        changed > 0
    }

    /// Establishes the rules about entries and brackets.
    pub(crate) fn normalize(&mut self) {
        self.separate_statements();
        self.separate_bodies();
        self.separate_entries();
        self.separate_parameters();
        self.break_after_openers();
        self.break_before_closers();
        self.break_after_openers();
    }

    /// Joins lines that the style guide does not separate. Returns the commas that now end a line before them.
    fn join(&mut self) -> Vec<usize> {
        let mut commas = Vec::new();
        for index in 1..self.tokens.len() {
            if self.can_join(index) && continues_line(&self.tokens[index - 1], &self.tokens[index])
            {
                self.starts[index] = false;
                if self.tokens[index].kind() == SyntaxKind::COMMA && index + 1 < self.tokens.len() {
                    commas.push(index);
                }
            }
        }
        commas
    }

    /// Puts the names of parameters on the lines of their types, unless the lines become long.
    fn join_names(&mut self) {
        for index in 1..self.tokens.len() {
            if self.can_join(index) && follows_type(&self.tokens[index]) {
                self.starts[index] = false;
            }
        }
    }

    /// Checks whether a token that starts a line can be on the line of the token before it.
    fn can_join(&self, index: usize) -> bool {
        let (before, spaced) = (&self.tokens[index - 1], &self.tokens[index]);
        self.starts[index]
            && !spaced.has_significant_gap
            && !spaced.kind().is_comment()
            && !before.kind().is_comment()
            && !before.ends_line()
    }

    /// Starts a line at a token. Returns whether this changes anything.
    fn start_line(&mut self, index: usize) -> bool {
        let can_start = self.can_start_line(index);
        self.starts[index] |= can_start;
        can_start
    }

    fn can_start_line(&self, index: usize) -> bool {
        !self.starts[index]
            && !self.tokens[index].has_significant_gap
            && !self.tokens[index].kind().is_comment()
            && !self.cannot_start[index]
    }

    /// Puts each statement on a line of its own if its block is not on one line, and no comment at the end of the line
    /// suppresses a rule there. In a template, the statements outside of blocks stay where they are.
    fn separate_statements(&mut self) {
        let (tokens, brackets) = (self.tokens, self.brackets);
        let breaks = self.breaks();
        let mut is_suppressed = false;
        let mut found = Vec::new();
        for index in (1..tokens.len()).rev() {
            is_suppressed |= tokens[index].is_suppression();
            let follows_comment = tokens[index - 1].kind().is_comment();
            if !self.starts[index] && !is_suppressed && !follows_comment {
                let is_separate = match block_of_statement(&tokens[index]) {
                    Some(SyntaxKind::SOURCE_FILE) => true,
                    Some(_) => brackets.around(index).is_some_and(|opener| {
                        let closer = brackets.closer_of(opener);
                        closer.is_some_and(|it| breaks[opener] < breaks[it])
                    }),
                    None => false,
                };
                found.extend(is_separate.then_some(index));
            }
            is_suppressed &= !self.starts[index];
        }
        for start in found {
            self.start_line(start);
        }
    }

    /// Returns the number of line breaks up to each token, with those in strings.
    fn breaks(&self) -> Vec<usize> {
        let mut breaks = 0;
        let breaks_before = |index: usize| {
            breaks += usize::from(self.starts[index] || spans_lines(&self.tokens[index]));
            breaks
        };
        (0..self.tokens.len()).map(breaks_before).collect()
    }

    /// Puts each of several bodies of a resource on a line of its own if the resource is not on one line. The first one
    /// stays after the brace if its title ends the line.
    fn separate_bodies(&mut self) {
        let (tokens, brackets) = (self.tokens, self.brackets);
        let breaks = self.breaks();
        let mut last_opener = None;
        let of_resource = |it: &usize| tokens[*it].parent_kind() == Some(SyntaxKind::RESOURCE_EXPR);
        for (separator, spaced) in tokens.iter().enumerate() {
            if spaced.kind() != SyntaxKind::SEMICOLON {
                continue;
            }
            let Some(opener) = brackets.around(separator).filter(of_resource) else {
                continue;
            };
            let closer = brackets.closer_of(opener);
            let is_between_bodies =
                closer.is_some_and(|it| separator + 1 < it && breaks[opener] < breaks[it]);
            if !is_between_bodies {
                continue;
            }
            self.start_line(separator + 1);
            if last_opener.replace(opener) != Some(opener) && !self.title_ends_line(opener) {
                self.start_line(opener + 1);
            }
        }
    }

    /// Checks whether the line ends after the colon of the first title of a resource.
    fn title_ends_line(&self, opener: usize) -> bool {
        let is_colon = |it: &usize| {
            self.brackets.around(*it) == Some(opener)
                && self.tokens[*it].kind() == SyntaxKind::COLON
        };
        let colon = (opener + 1..self.tokens.len()).find(is_colon);
        colon.is_some_and(|it| self.starts.get(it + 1) == Some(&true))
    }

    /// Puts each attribute or pair on a line of its own if not all are on one line.
    fn separate_entries(&mut self) {
        let by_start: FxHashMap<TextSize, usize> =
            self.tokens
                .iter()
                .enumerate()
                .fold(FxHashMap::default(), |mut found, (index, it)| {
                    found.insert(it.token.text_range().start(), index);
                    found
                });
        let numbers = self.numbers();
        let mut blocks: Vec<(SyntaxNode, Vec<usize>)> = Vec::new();
        let mut places: FxHashMap<SyntaxNode, usize> = FxHashMap::default();
        for spaced in self.tokens.iter().filter(|it| is_arrow(it.kind())) {
            let Some(entry) = spaced.token.parent().filter(|it| is_entry(it.kind())) else {
                continue;
            };
            let first = by_start.get(&entry.text_range().start());
            let (Some(first), Some(block)) = (first, entry.parent()) else {
                continue;
            };
            let place = *places.entry(block.clone()).or_insert_with(|| {
                blocks.push((block, Vec::new()));
                blocks.len() - 1
            });
            blocks[place].1.push(*first);
        }
        for (block, entries) in blocks {
            let is_list = block.kind() != SyntaxKind::UNBRACED_HASH;
            let on_one_line = entries.iter().all(|it| numbers[*it] == numbers[entries[0]]);
            let on_one_line = on_one_line && !self.is_open(&block, &entries);
            if is_list && !on_one_line {
                entries.iter().for_each(|it| {
                    self.start_line(*it);
                });
            }
        }
    }

    /// Checks whether several attributes of a resource with a single body are on a line of their own.
    fn is_open(&self, block: &SyntaxNode, entries: &[usize]) -> bool {
        let (Some(first), Some(_)) = (entries.first(), entries.get(1)) else {
            return false;
        };
        let Some(opener) = self.brackets.around(*first) else {
            return false;
        };
        // A line with a title and all of its attributes is a row of a table, which may have a single one.
        let is_row = self.starts.get(opener + 1) == Some(&true);
        let closer = self.brackets.closer_of(opener);
        let ends_above = !is_row && closer.is_some_and(|it| self.starts[it]);
        (self.starts[*first] || ends_above) && has_only_attributes(block)
    }

    /// Puts each parameter of a definition on a line of its own if most lines of the list have one.
    fn separate_parameters(&mut self) {
        let pairs: Vec<(usize, usize)> = self.brackets.pairs().collect();
        let is_definition = |opener: usize| {
            let list = self.tokens[opener].token.parent();
            let list = list.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
            list.is_some() && self.tokens[opener].kind() != SyntaxKind::PIPE
        };
        let lists = pairs.into_iter().filter(|it| is_definition(it.0));
        let lists: Vec<(usize, usize)> = lists.collect();
        for (opener, closer) in lists {
            let of_list = |it: &usize| {
                self.tokens[*it].kind() == SyntaxKind::COMMA
                    && self.brackets.around(*it) == Some(opener)
                    && it + 1 < closer
                    && !self.tokens[it + 1].kind().is_comment()
            };
            let inside: Vec<usize> = (opener + 1..closer).filter(of_list).collect();
            let (ends, others): (Vec<usize>, Vec<usize>) =
                inside.into_iter().partition(|it| self.starts[it + 1]);
            if others.len() < ends.len() {
                others.into_iter().for_each(|it| {
                    self.start_line(it + 1);
                });
            }
        }
    }

    /// Breaks the line after each opener whose content continues on further lines.
    fn break_after_openers(&mut self) {
        let mut has_line = vec![false; self.tokens.len()];
        for index in 0..self.tokens.len() {
            let is_content = !self.tokens[index].kind().is_comment()
                && !is_template_tag(self.tokens[index].kind())
                && self.brackets.opener_of(index).is_none();
            if let Some(opener) = self.brackets.around(index).filter(|_| is_content) {
                let has_text = self.starts[index] || spans_lines(&self.tokens[index]);
                has_line[opener] |= self.starts_code(index) || has_text && !self.may_hug(opener);
            }
        }
        for (opener, closer) in self.brackets.pairs() {
            let breaks = match breaking(&self.tokens[opener]) {
                Breaking::Never => false,
                Breaking::AroundLines => has_line[opener],
                Breaking::BeforeCloser => has_line[opener] || self.starts[closer],
            };
            if breaks && opener + 1 < closer {
                self.start_line(opener + 1);
            }
        }
    }

    /// Breaks the line before each closer of a bracket around several lines, unless the line starts
    /// with a closer of a bracket that was opened on the same line.
    fn break_before_closers(&mut self) {
        // The line of each opener; the lines inside of strings count too. And the number of lines up to it without them.
        let mut opened: Vec<usize> = vec![0; self.tokens.len()];
        let mut starts_up_to: Vec<usize> = vec![0; self.tokens.len()];
        let (mut line, mut starts, mut first) = (0, 0, 0);
        for index in 0..self.tokens.len() {
            if self.starts[index] {
                line += 1;
                starts += usize::from(self.starts_code(index));
                first = index;
            }
            line += usize::from(spans_lines(&self.tokens[index]));
            if self.brackets.is_opener(index) {
                opened[index] = line;
                starts_up_to[index] = starts;
            }
            let Some(opener) = self.brackets.opener_of(index) else {
                continue;
            };
            let is_on_several = match self.may_hug(opener) {
                true => starts_up_to[opener] < starts,
                false => opened[opener] < line,
            };
            let is_closing_line = first == index
                || self
                    .brackets
                    .opener_of(first)
                    .is_some_and(|it| opened[it] == opened[opener]);
            let is_bracket = breaking(&self.tokens[opener]) != Breaking::Never
                || self.tokens[opener].kind() == SyntaxKind::L_BRACE;
            if is_on_several && !is_closing_line && is_bracket && self.start_line(index) {
                line += 1;
                starts += 1;
                first = index;
            }
        }
    }

    /// Checks whether a token starts a line outside of strings.
    fn starts_code(&self, index: usize) -> bool {
        let spaced = &self.tokens[index];
        self.starts[index] && (!spaced.has_significant_gap || spaced.is_in_heredoc)
    }

    /// Checks whether a bracket stays around a string on several lines, if it has no other line breaks: that of a call or
    /// list, unlike a brace.
    fn may_hug(&self, opener: usize) -> bool {
        !matches!(
            self.tokens[opener].kind(),
            SyntaxKind::L_BRACE | SyntaxKind::SELECTOR_BRACE
        )
    }
}

/// Returns for each token whether a heredoc before it on its line has its body still to come.
fn awaits_heredoc(tokens: &[SpacedToken]) -> Vec<bool> {
    let mut awaits = false;
    let is_awaited = |it: &SpacedToken| {
        let before = awaits && !it.is_in_heredoc;
        awaits = before || it.kind() == SyntaxKind::HEREDOC_START && !it.is_in_heredoc;
        before
    };
    tokens.iter().map(is_awaited).collect()
}

/// Returns the kind of the block whose statement starts at a token. Statements that start with a bracket do not count: at
/// the start of a line, it could mean something else.
fn block_of_statement(first: &SpacedToken) -> Option<SyntaxKind> {
    use SyntaxKind::*;
    if first.kind().is_comment()
        || matches!(first.kind(), L_PAREN | WS_L_PAREN | L_BRACK | LIST_START)
    {
        return None;
    }
    let start = first.token.text_range().start();
    let mut node = first.token.parent()?;
    loop {
        if node.text_range().start() != start || matches!(node.kind(), BLOCK | SOURCE_FILE) {
            return None;
        }
        let parent = node.parent()?;
        if matches!(parent.kind(), BLOCK | SOURCE_FILE) {
            return Some(parent.kind());
        }
        node = parent;
    }
}

/// Checks whether a token is a string that spans lines, or the part of one.
fn spans_lines(spaced: &SpacedToken) -> bool {
    let is_comment = spaced.kind().is_comment();
    !is_comment && !spaced.is_in_heredoc && spaced.token.text().contains('\n')
}

/// When the line of an opener ends after it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaking {
    Never,
    /// If elements inside start lines.
    AroundLines,
    /// If elements inside or the closer start lines.
    BeforeCloser,
}

fn breaking(opener: &SpacedToken) -> Breaking {
    use SyntaxKind::*;
    match (opener.kind(), opener.parent_kind()) {
        // The title of a resource is on the line of the brace.
        (L_BRACK, _) if is_index(opener) => Breaking::Never,
        (L_BRACE, Some(RESOURCE_EXPR)) | (PIPE | L_COLLECT | LL_COLLECT, _) => Breaking::Never,
        (L_BRACE | SELECTOR_BRACE, _) | (_, Some(ARRAY)) => Breaking::BeforeCloser,
        _ => Breaking::AroundLines,
    }
}

/// Checks whether a token continues the line of the token before it.
fn continues_line(before: &SpacedToken, spaced: &SpacedToken) -> bool {
    use SyntaxKind::*;
    match (before.kind(), spaced.kind()) {
        (FAT_ARROW | PLUS_ARROW | CLASS_KW | DEFINE_KW | INHERITS_KW, _) => true,
        (R_BRACE, ELSE_KW | ELSIF_KW) => true,
        (_, INHERITS_KW | COMMA | COLON) => true,
        (_, FAT_ARROW | PLUS_ARROW | EQ | PLUS_EQ) => true,
        (L_BRACK, _) => is_index(before),
        (_, R_BRACK) => is_index(spaced),
        (_, LIST_START) if is_operator(before) && !starts_operand(before, spaced) => true,
        (EQ | PLUS_EQ, L_BRACE) => true,
        (_, SELECTOR_BRACE) => true,
        (_, L_BRACE) => spaced.parent_kind().is_some_and(|it| it != HASH),
        (_, L_PAREN | WS_L_PAREN) => spaced.parent_kind() == Some(PARAMETER_LIST),
        _ => false,
    }
}

/// Checks whether a list is the start of an operand that consists of more, such as `['a'].flatten`.
fn starts_operand(operator: &SpacedToken, list: &SpacedToken) -> bool {
    use SyntaxKind::*;
    let operand = list.token.parent().and_then(|it| it.parent());
    let is_longer = operand.is_some_and(|it| matches!(it.kind(), METHOD_CALL | ACCESS_EXPR));
    is_longer && operator.parent_kind() == Some(BINARY_EXPR)
}

/// Checks whether a token is the name of a parameter, or the `*` before it, after a type that leaves enough room for it
/// on the line.
fn follows_type(spaced: &SpacedToken) -> bool {
    let is_name = matches!(spaced.kind(), SyntaxKind::VARIABLE | SyntaxKind::STAR);
    let parameter = spaced.token.parent();
    let parameter = parameter.filter(|it| it.kind() == SyntaxKind::PARAMETER && is_name);
    parameter.is_some_and(|it| {
        let text = it.text().to_string();
        let name = spaced.token.text_range().start() - it.text_range().start();
        let (of_type, rest) = text.split_at(name.into());
        let last = of_type.trim_end().rsplit('\n').next().unwrap_or_default();
        let first = rest.split('\n').next().unwrap_or_default();
        // Without the blanks, which the layout changes: else a second run could decide otherwise.
        let columns = |line: &str| line.split_whitespace().map(width).sum::<usize>();
        !of_type.is_empty() && columns(last) + columns(first) < MOST_COLUMNS
    })
}

/// Checks whether a bracket surrounds an index, as in `$facts['os']`, not the parameters of a type.
fn is_index(bracket: &SpacedToken) -> bool {
    let keys = bracket.token.parent();
    let keys = keys.filter(|it| it.kind() == SyntaxKind::ACCESS_KEYS);
    let of = keys.and_then(|it| it.parent()?.first_child());
    of.is_some_and(|it| it.kind() != SyntaxKind::QUALIFIED_REFERENCE)
}

/// Checks whether a node has the attributes of a resource, the only ones between its braces.
fn has_only_attributes(block: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let is_body = |it: &SyntaxNode| it.kind() == RESOURCE_BODY;
    match block.kind() {
        RESOURCE_BODY => {
            let bodies = block
                .parent()
                .map(|it| it.children().filter(is_body).count());
            bodies == Some(1)
        }
        RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR => true,
        _ => false,
    }
}

fn is_arrow(kind: SyntaxKind) -> bool {
    matches!(kind, SyntaxKind::FAT_ARROW | SyntaxKind::PLUS_ARROW)
}

fn is_entry(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        ATTRIBUTE | ATTRIBUTE_SPLAT | HASH_ENTRY | SELECTOR_ENTRY
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use fixture::TEMPLATE;

    use crate::FormatOptions;
    use crate::tests::{check, formatted_as};

    #[test]
    fn puts_parameters_on_lines_of_their_own_if_most_are() {
        check(
            "class a (\n  Boolean $f = true, Boolean $g = false,\n  Integer\n    $b = 3,\n  Variant[\n    A,\n    B\n  ]\n  $c, # d\n  Tuple # e\n    $d,\n) {}\ndefine b (\n  $a, $b,\n  $c, $d,\n) {}\ndefine c ($a, $b,\n  $c) {}\n",
            &expect![[r#"
                class a (
                  Boolean $f = true,
                  Boolean $g = false,
                  Integer $b = 3,
                  Variant[
                    A,
                    B
                  ] $c, # d
                  Tuple # e
                  $d,
                ) {}
                define b (
                  $a, $b,
                  $c, $d,
                ) {}
                define c (
                  $a, $b,
                  $c,
                ) {}
            "#]],
        );
    }

    #[test]
    fn puts_statements_on_lines_of_their_own_outside_of_blocks_on_one_line() {
        check(
            "node a {} node b { notice(1) notice(2) }\nclass c {\n  file { '/a':\n    ensure => file,\n  }notice(1)\n  if $d { notice(2) } notice(3); notice(4) # e\n  $f = 1 /* g */ $h = 2 [1].each |$i| { notice($i) notice(2) }\n  $j = @(J) $k = 3\n    | J\n  ['/b'].each |$l| { include m include n\n  }\n  case $d { 'a': { notice(5) notice(6) } default: { notice('\n') notice(7) } }\n  notice(8) notice(9) # pupil: ignore[x]\n}\n",
            &expect![[r#"
                node a {}
                node b { notice(1) notice(2) }
                class c {
                  file { '/a':
                    ensure => file,
                  }
                  notice(1)
                  if $d { notice(2) }
                  notice(3);
                  notice(4) # e
                  $f = 1 /* g */ $h = 2 [1].each |$i| { notice($i) notice(2) }
                  $j = @(J) $k = 3
                    | J
                  ['/b'].each |$l| {
                    include m
                    include n
                  }
                  case $d { 'a': { notice(5) notice(6) } default: {
                    notice('
                ')
                    notice(7)
                  } }
                  notice(8) notice(9) # pupil: ignore[x]
                }
            "#]],
        );
    }

    #[test]
    fn separates_no_statements_of_templates_outside_of_blocks_in_tags() {
        for (source, expected) in [
            ("<% notice(1) notice(2) %>\n", "<% notice(1) notice(2) %>\n"),
            (
                "<% if true { %>\n<% notice(1) notice(2) } %>\n",
                "<% if true { %>\n<% notice(1) notice(2) } %>\n",
            ),
            (
                "<% if true { notice(1) notice(2)\nnotice(3) } notice(4) %>\n",
                "<% if true {\n     notice(1)\n     notice(2)\n     notice(3)\n   } notice(4) %>\n",
            ),
        ] {
            let once = formatted_as(source, TEMPLATE, &FormatOptions::default());
            assert_eq!(once, expected);
            assert_eq!(
                formatted_as(&once, TEMPLATE, &FormatOptions::default()),
                once
            );
        }
    }

    #[test]
    fn puts_attributes_on_lines_of_their_own_if_the_resource_has_several() {
        check(
            "file { '/a':\n  ensure => directory, mode => '0755',\n}\nfile { '/b': ensure => directory, mode => '0755',\n}\nfile { '/c': ensure => file, mode => '0755' }\nfile {\n  '/d': ensure => file, mode => '0755';\n  '/e': ensure => file;\n}\nfile {\n  '/g': ensure => file, mode => '0755';\n}\nFile {\n  owner => 'root', group => 'root'\n}\nfile { '/f':\n  ensure => file }\n",
            &expect![[r#"
                file { '/a':
                  ensure => directory,
                  mode   => '0755',
                }
                file { '/b':
                  ensure => directory,
                  mode   => '0755',
                }
                file { '/c': ensure => file, mode => '0755' }
                file {
                  '/d': ensure => file, mode => '0755';
                  '/e': ensure => file;
                }
                file {
                  '/g': ensure => file, mode => '0755';
                }
                File {
                  owner => 'root',
                  group => 'root',
                }
                file { '/f':
                  ensure => file,
                }
            "#]],
        );
    }
}
