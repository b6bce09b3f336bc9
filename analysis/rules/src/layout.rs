//! Reports differences between a file and its layout by the formatter.

use std::rc::Rc;

use format::{FormatOptions, LayoutChange, LayoutKind, format, layout_changes};
use syntax::{Applicability, Edit, SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize, ast};

use crate::checker::FileChecker;
use crate::rule::Rule;

/// The rule that changes the indentation.
const INDENTATION: &str = "indentation";

impl FileChecker<'_> {
    /// Returns the differences between a manifest and its layout, for all rules about layout.
    pub(crate) fn layout(&self) -> Rc<[LayoutChange]> {
        let changes = self.layout.get_or_init(|| {
            let parse = base::parse(self.db, self.file);
            if parse.syntax().kind() != SyntaxKind::SOURCE_FILE {
                return Rc::default();
            }
            let dialect = self.file.spec(self.db).dialect;
            let options = FormatOptions {
                keeps_indentation: self.keeps_indentation(),
                ..self.format_options()
            };
            let changes = layout_changes(parse, self.text, dialect, &options);
            changes.unwrap_or_default().into()
        });
        Rc::clone(changes)
    }

    /// Returns the edits that format a part of the file, which also break lines.
    fn formatting_of(&self, range: TextRange) -> Vec<Edit> {
        let edits = self.formatting.get_or_init(|| {
            let parse = base::parse(self.db, self.file);
            let dialect = self.file.spec(self.db).dialect;
            let edits = format(parse, self.text, dialect, &self.format_options());
            edits.unwrap_or_default().into()
        });
        let first = edits.partition_point(|it| it.range.start() < range.start());
        let inside = edits[first..]
            .iter()
            .take_while(|it| it.range.end() <= range.end());
        inside.cloned().collect()
    }

    fn format_options(&self) -> FormatOptions {
        FormatOptions {
            indent_continuations: self.file.indents_continuations(self.db),
            ..FormatOptions::default()
        }
    }

    /// Checks whether no rule changes the indentation.
    fn keeps_indentation(&self) -> bool {
        let environment = self.file.environment(self.db);
        environment.is_some_and(|it| it.disabled_rules(self.db).contains(INDENTATION))
    }
}

/// Reports the lines with wrong indentation. The lines of a list whose first entry follows its bracket or title are
/// reported once: their indentation would be right if the bracket or title ended its line.
pub(crate) fn check_indentation(
    checker: &mut FileChecker<'_>,
    rule: &'static Rule,
    message: impl Fn(&LayoutChange, &str) -> String,
) {
    let kind = LayoutKind::Indentation;
    let root = checker.root();
    let mut reported: Option<TextRange> = None;
    let mut comments = Comments::default();
    let changes = checker.layout();
    for change in changes.iter().filter(|it| it.kind == kind) {
        let token = token_around(&root, TextRange::at(change.range.end(), TextSize::new(1)));
        if token.as_ref().is_some_and(|it| comments.is_in_margin(it)) {
            continue;
        }
        let list = token.as_ref().and_then(hanging_list);
        let before = &checker.text[std::ops::Range::from(change.range)];
        let closer = token.as_ref().and_then(trailing_closer);
        if let Some(closer) = closer.filter(|_| list.is_none()) {
            check_trailing_closer(checker, rule, &closer);
            continue;
        }
        let Some(list) = list else {
            checker.report(rule, place(change, checker.text), message(change, before));
            if !breaks_alignment(&root, change) {
                checker.fix("Fix the layout", Applicability::Safe, vec![change.edit()]);
            }
            continue;
        };
        // Nested lists of one line belong together.
        let whole = on_same_line(&list, checker.text);
        if reported.is_some_and(|it| it.contains_range(whole)) {
            continue;
        }
        reported = Some(whole);
        let opener = first_entry(&list).and_then(|it| token_before(&it));
        let opener = opener.map_or_else(String::new, |it| format!(" after `{}`", it.text()));
        let message = format!("expected a line break{opener} of a list on several lines");
        checker.report(rule, place(change, checker.text), message);
        fix_by_formatting(checker, whole, "Format the list");
    }
}

/// Offers to format a part of the file, if that changes it.
fn fix_by_formatting(checker: &mut FileChecker<'_>, range: TextRange, label: &'static str) {
    let edits = checker.formatting_of(range);
    if !edits.is_empty() {
        checker.fix(label, Applicability::Safe, edits);
    }
}

/// Reports a bracket around several lines that does not start its own, because of which its line is indented too far.
fn check_trailing_closer(checker: &mut FileChecker<'_>, rule: &'static Rule, closer: &SyntaxToken) {
    let message = format!("expected a line break before `{}`", closer.text());
    checker.report(rule, closer.text_range(), message);
    let Some(node) = closer.parent() else {
        return;
    };
    let whole = on_same_line(&node, checker.text);
    fix_by_formatting(checker, whole, "Format the list");
}

/// Returns the first bracket after a token on its line that closes one of an earlier line. The line of a heredoc has
/// only text.
fn trailing_closer(token: &SyntaxToken) -> Option<SyntaxToken> {
    use SyntaxKind::{HEREDOC_END, HEREDOC_MARGIN, HEREDOC_TEXT};
    if matches!(token.kind(), HEREDOC_TEXT | HEREDOC_MARGIN | HEREDOC_END) {
        return None;
    }
    let rest = std::iter::successors(token.next_token(), SyntaxToken::next_token);
    let mut rest = rest.take_while(|it| !it.text().contains('\n'));
    let start = token.text_range().start();
    rest.find(|it| is_closer(it.kind()) && opener_of(it).is_some_and(|it| it < start))
}

fn is_closer(kind: SyntaxKind) -> bool {
    use SyntaxKind::{R_BRACE, R_BRACK, R_PAREN};
    matches!(kind, R_BRACE | R_BRACK | R_PAREN)
}

/// Returns the offset of the bracket that a token closes.
fn opener_of(closer: &SyntaxToken) -> Option<TextSize> {
    use SyntaxKind::{L_BRACE, L_BRACK, L_PAREN, LIST_START, SELECTOR_BRACE, WS_L_PAREN};
    let tokens = closer.parent()?.children_with_tokens();
    let mut tokens = tokens.filter_map(|it| it.into_token());
    let opener = tokens.find(|it| {
        matches!(
            it.kind(),
            L_BRACE | L_BRACK | L_PAREN | LIST_START | SELECTOR_BRACE | WS_L_PAREN
        )
    })?;
    Some(opener.text_range().start())
}

/// The comments between two tokens of code.
#[derive(Default)]
struct Comments {
    /// The range between the tokens of code; empty at first.
    range: TextRange,
    /// Whether the code beside them is not in the first column.
    is_code_indented: bool,
}

impl Comments {
    /// Checks whether a token is a comment in the first column, where the code beside it is not: its author has put it
    /// there. Each run of comments is searched once.
    fn is_in_margin(&mut self, token: &SyntaxToken) -> bool {
        if !token.kind().is_comment() || !is_in_margin(token) {
            return false;
        }
        if !self.range.contains_range(token.text_range()) {
            *self = Comments::around(token);
        }
        self.is_code_indented
    }

    fn around(token: &SyntaxToken) -> Comments {
        let is_code = |it: &SyntaxToken| !it.kind().is_trivia();
        let next = std::iter::successors(token.next_token(), SyntaxToken::next_token).find(is_code);
        let before =
            std::iter::successors(token.prev_token(), SyntaxToken::prev_token).find(is_code);
        let start = before.as_ref().map(|it| it.text_range().end());
        let end = next.as_ref().map(|it| it.text_range().start());
        Comments {
            range: TextRange::new(
                start.unwrap_or_default(),
                end.unwrap_or(TextSize::new(u32::MAX)),
            ),
            is_code_indented: match (next, before) {
                (Some(next), Some(before)) => is_code_indented(&next, &before),
                _ => true,
            },
        }
    }
}

/// Checks whether the code beside comments is not in the first column.
fn is_code_indented(next: &SyntaxToken, before: &SyntaxToken) -> bool {
    use SyntaxKind::{L_BRACE, L_BRACK, L_PAREN};
    if !is_closer(next.kind()) {
        return !is_in_margin(next);
    }
    // The last comment in a bracket, or one of those that are alone in it.
    let mut line = std::iter::successors(Some(before.clone()), SyntaxToken::prev_token);
    let first = line.find(|it| it.prev_token().is_none_or(|it| it.text().contains('\n')));
    matches!(before.kind(), L_BRACE | L_BRACK | L_PAREN)
        || first.is_some_and(|it| !is_in_margin(&it))
}

/// Checks whether a token is in the first column.
fn is_in_margin(token: &SyntaxToken) -> bool {
    let before = token.prev_token();
    before.is_none_or(|it| it.text().ends_with('\n'))
}

/// Returns the list of an entry that starts with a token, if its first entry does not start a line.
fn hanging_list(token: &SyntaxToken) -> Option<SyntaxNode> {
    let is_other = hanging_place(token) == Some(HangingPlace::Other);
    entry_at(token).filter(|_| is_other)?.parent()
}

/// Returns the range of the outermost node that starts on the same line as a list, within its statement.
fn on_same_line(list: &SyntaxNode, text: &str) -> TextRange {
    let is_block =
        |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE);
    let start = usize::from(list.text_range().start());
    let line = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let starts_on_line = |it: &SyntaxNode| usize::from(it.text_range().start()) >= line;
    let around = list
        .ancestors()
        .take_while(|it| !is_block(it) && starts_on_line(it));
    around
        .last()
        .map_or(list.text_range(), |it| it.text_range())
}

/// Returns the first entry of a list.
fn first_entry(list: &SyntaxNode) -> Option<SyntaxNode> {
    list.children().find(|it| is_entry(it.kind()))
}

/// Returns the last token of code before a node.
fn token_before(node: &SyntaxNode) -> Option<SyntaxToken> {
    let before = node.first_token()?.prev_token();
    let mut before = std::iter::successors(before, SyntaxToken::prev_token);
    before.find(|it| !it.kind().is_trivia())
}

/// Reports the attributes of resources on several lines that follow another one on its line. The layout puts each on a
/// line of its own.
pub(crate) fn check_shared_lines(checker: &mut FileChecker<'_>, rule: &'static Rule) {
    let root = checker.root();
    for body in root.descendants().filter(has_attributes) {
        let attributes: Vec<SyntaxNode> =
            body.children().filter(|it| is_entry(it.kind())).collect();
        let others = attributes.iter().skip(1);
        let (starting, sharing): (Vec<_>, Vec<_>) = others.partition(|it| starts_line(it));
        let is_on_several_lines = !starting.is_empty() || is_open(&body, &attributes);
        let Some(first) = sharing.first().filter(|_| is_on_several_lines) else {
            continue;
        };
        let name = first.first_token();
        let name = name.map_or_else(String::new, |it| it.text().to_owned());
        checker.report(
            rule,
            first.text_range(),
            format!("expected a line break before `{name}`"),
        );
        let whole = on_same_line(&body, checker.text);
        fix_by_formatting(checker, whole, "Format the attributes");
    }
}

fn has_attributes(node: &SyntaxNode) -> bool {
    use SyntaxKind::{COLLECT_EXPR, RESOURCE_BODY, RESOURCE_DEFAULTS, RESOURCE_OVERRIDE};
    matches!(
        node.kind(),
        RESOURCE_BODY | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR
    )
}

/// Checks whether the attributes, the only ones between the braces of a resource, are on a line of their own, or the
/// closing brace is. A line with a title and all of its attributes is a row of a table, which may have a single one.
fn is_open(body: &SyntaxNode, attributes: &[SyntaxNode]) -> bool {
    let resource = match body.kind() {
        SyntaxKind::RESOURCE_BODY => body.parent(),
        _ => Some(body.clone()),
    };
    let is_body = |it: &SyntaxNode| it.kind() == SyntaxKind::RESOURCE_BODY;
    let resource = resource.filter(|it| it.children().filter(is_body).count() < 2);
    let closer = resource.as_ref().and_then(SyntaxNode::last_token);
    let is_row = is_body(body) && starts_line(body);
    resource.is_some()
        && (attributes.first().is_some_and(starts_line)
            || !is_row && closer.is_some_and(|it| ast::starts_line(&it)))
}

/// Reports the differences of a kind, each with the fix that makes the change.
pub(crate) fn check(
    checker: &mut FileChecker<'_>,
    rule: &'static Rule,
    kind: LayoutKind,
    message: impl Fn(&LayoutChange, &str) -> String,
) {
    check_if(checker, rule, kind, |_, _| true, message);
}

/// Reports the differences of a kind that meet a condition, each with the text that it replaces.
pub(crate) fn check_if(
    checker: &mut FileChecker<'_>,
    rule: &'static Rule,
    kind: LayoutKind,
    is_reported: impl Fn(&LayoutChange, &str) -> bool,
    message: impl Fn(&LayoutChange, &str) -> String,
) {
    let changes = checker.layout();
    for change in changes.iter().filter(|it| it.kind == kind) {
        let before = &checker.text[std::ops::Range::from(change.range)];
        if !is_reported(change, before) {
            continue;
        }
        let message = message(change, before);
        checker.report(rule, place(change, checker.text), message);
        if breaks_alignment(&checker.root(), change) {
            continue;
        }
        let mut edits = vec![change.edit()];
        edits.extend(opposite_edit(&checker.root(), &changes, change));
        checker.fix("Fix the layout", Applicability::Safe, edits);
    }
}

/// Checks whether a change moves the first entry of a list that follows its bracket or title, or one of the lines after
/// it, which authors align with the first entry.
fn breaks_alignment(root: &SyntaxNode, change: &LayoutChange) -> bool {
    let token = TextRange::at(change.range.end(), TextSize::new(1));
    let Some(token) = token_around(root, token) else {
        return false;
    };
    let place = hanging_place(&token);
    if change.kind != LayoutKind::Indentation {
        return place == Some(HangingPlace::First);
    }
    let rest = std::iter::successors(token.next_token(), SyntaxToken::next_token);
    let mut rest = rest.take_while(|it| !it.text().contains('\n'));
    place == Some(HangingPlace::Other)
        || rest.any(|it| hanging_place(&it) == Some(HangingPlace::First))
}

/// A place in a list whose first entry follows its bracket or title, and others start lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HangingPlace {
    First,
    Other,
}

/// Returns the place of the entry that starts with a token.
fn hanging_place(token: &SyntaxToken) -> Option<HangingPlace> {
    let entry = entry_at(token)?;
    let list = entry.parent()?;
    let mut entries = list.children().filter(|it| is_entry(it.kind()));
    let first = entries.next().filter(|it| !starts_line(it))?;
    match entry == first {
        true => entries
            .any(|it| starts_line(&it))
            .then_some(HangingPlace::First),
        false => Some(HangingPlace::Other),
    }
}

/// Returns the entry that starts with a token.
fn entry_at(token: &SyntaxToken) -> Option<SyntaxNode> {
    let start = token.text_range().start();
    let nodes = token.parent_ancestors();
    let mut nodes = nodes.take_while(|it| it.text_range().start() == start);
    nodes.find(|it| is_entry(it.kind()))
}

/// Checks whether a line starts with a node.
fn starts_line(node: &SyntaxNode) -> bool {
    node.first_token().is_some_and(|it| ast::starts_line(&it))
}

fn is_entry(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        ATTRIBUTE | ATTRIBUTE_SPLAT | HASH_ENTRY | SELECTOR_ENTRY
    )
}

/// Returns the edit of the blanks inside of the other end of parentheses, or before a relationship arrow or the `=` of a
/// list, if no rule reports them. A fix of one side alone would look uneven.
fn opposite_edit(
    root: &SyntaxNode,
    changes: &[LayoutChange],
    change: &LayoutChange,
) -> Option<Edit> {
    use SyntaxKind::{EQ, IN_EDGE, IN_EDGE_SUB, L_PAREN, PLUS_EQ, R_BRACK, R_PAREN, WS_L_PAREN};
    let one = TextSize::new(1);
    let before = TextRange::at(change.range.start().checked_sub(one)?, one);
    let before = token_around(root, before)?;
    let after = token_around(root, TextRange::at(change.range.end(), one))?;
    let ending_at = |end: TextSize| unreported_at(changes, end, |it| it.range.end());
    let found = match (before.kind(), after.kind()) {
        (IN_EDGE | IN_EDGE_SUB | EQ | PLUS_EQ, _) => ending_at(before.text_range().start()),
        (_, R_PAREN) => {
            let opener = after.parent()?.first_token()?;
            unreported_at(changes, opener.text_range().end(), |it| it.range.start())
        }
        (L_PAREN | WS_L_PAREN, _) => {
            let closer = before.parent()?.last_token()?;
            ending_at(closer.text_range().start())
        }
        // Only an operator has another difference after it.
        (R_BRACK | R_PAREN, _) => {
            unreported_at(changes, after.text_range().end(), |it| it.range.start())
        }
        _ => None,
    };
    found.map(LayoutChange::edit)
}

/// Returns the token that contains a range.
fn token_around(root: &SyntaxNode, range: TextRange) -> Option<SyntaxToken> {
    let is_inside = root.text_range().contains_range(range);
    is_inside.then(|| root.covering_element(range).into_token())?
}

/// Returns the difference in whitespace that starts or ends at an offset. `place` returns the compared offset; the
/// differences are in its order.
fn unreported_at(
    changes: &[LayoutChange],
    offset: TextSize,
    place: impl Fn(&LayoutChange) -> TextSize,
) -> Option<&LayoutChange> {
    let first = changes.partition_point(|it| place(it) < offset);
    let mut here = changes[first..].iter().take_while(|it| place(it) == offset);
    here.find(|it| it.kind == LayoutKind::Blanks)
}

/// Reports the differences of a kind beside brackets or braces, which the message names.
pub(crate) fn check_beside(
    checker: &mut FileChecker<'_>,
    rule: &'static Rule,
    kind: LayoutKind,
    brackets: &[char],
) {
    let text = checker.text;
    let place = |change: &LayoutChange| {
        let (start, end) = (
            usize::from(change.range.start()),
            usize::from(change.range.end()),
        );
        let is_bracket = |it: &char| brackets.contains(it);
        let has_comma = text[start..end].contains(',');
        let before = text[..start].chars().next_back().filter(is_bracket);
        let before = before.filter(|_| !has_comma);
        let after = text[end..].chars().next().filter(is_bracket);
        match (before, after) {
            (Some(before), Some(after)) => format!("between `{before}` and `{after}`"),
            (Some(before), None) => format!("after `{before}`"),
            (None, Some(after)) => format!("before `{after}`"),
            (None, None) => "here".to_owned(),
        }
    };
    check(checker, rule, kind, |change, before| {
        expected_spaces(change, before, &place(change))
    });
}

/// Reports missing commas of a kind, if the closing bracket is on another line.
pub(crate) fn check_comma(checker: &mut FileChecker<'_>, rule: &'static Rule, kind: LayoutKind) {
    let text = checker.text;
    let ends_line = |change: &LayoutChange, _: &str| {
        let rest = &text[usize::from(change.range.end())..];
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        rest.starts_with(['\n', '#'])
    };
    check_if(checker, rule, kind, ends_line, |_, _| {
        "missing trailing comma".to_owned()
    });
}

/// Returns the range to underline: a difference in whitespace is shown at the token after it, unless that
/// starts another line because of it.
fn place(change: &LayoutChange, text: &str) -> TextRange {
    let (start, end) = (change.range.start(), change.range.end());
    let one_char = |at: TextSize| {
        let next = text[usize::from(at)..].chars().next();
        let width = next.filter(|it| *it != '\n').map_or(0, char::len_utf8);
        TextRange::at(at, TextSize::new(u32::try_from(width).unwrap_or(0)))
    };
    match change.kind {
        LayoutKind::Tab if !change.range.is_empty() => change.range,
        LayoutKind::TrailingComma | LayoutKind::ParameterComma => {
            let before = text[..usize::from(start)].chars().next_back();
            let width = before.map_or(0, char::len_utf8);
            let width = TextSize::new(u32::try_from(width).unwrap_or(0));
            TextRange::at(start - width, width)
        }
        LayoutKind::EndOfFile | LayoutKind::EmptyLines => {
            let line = text[..usize::from(start)]
                .rfind('\n')
                .map_or(0, |it| it + 1);
            let line = TextSize::new(u32::try_from(line).unwrap_or(0));
            TextRange::new(line.min(start), start)
        }
        LayoutKind::RelationshipArrow => {
            let moved = &text[std::ops::Range::from(change.range)];
            let arrow = moved.find("->").or_else(|| moved.find("~>")).unwrap_or(0);
            let arrow = TextSize::new(u32::try_from(arrow).unwrap_or(0));
            TextRange::at(start + arrow, TextSize::of("->"))
        }
        _ => one_char(end),
    }
}

/// Returns the number of columns of the last line of some whitespace, which may contain a needless comma.
pub(crate) fn columns(blanks: &str) -> usize {
    let line = blanks.rsplit('\n').next().unwrap_or_default();
    line.chars().filter(|it| *it != ',').count()
}

/// Says how many spaces or line breaks the layout requires at a place, and how many there are.
pub(crate) fn expected_spaces(change: &LayoutChange, before: &str, place: &str) -> String {
    let wanted = match columns(&change.text) {
        0 => "no space".to_owned(),
        1 => "1 space".to_owned(),
        count => format!("{count} spaces"),
    };
    let found = match before.contains('\n') && !change.text.contains('\n') {
        true => "a line break".to_owned(),
        false => columns(before).to_string(),
    };
    format!("expected {wanted} {place}, found {found}")
}
