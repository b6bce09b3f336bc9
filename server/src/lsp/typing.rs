//! The diagnostics of a document while its user types.
//!
//! A half-written statement is full of errors that its next keys remove, and it may break the code
//! after it. So new diagnostics are withheld until the user pauses, or has left the statement and the
//! document can be parsed. After the pause, those of a statement around the cursor, as about a missing attribute, wait
//! for a longer one, unless they are on its line. Diagnostics that are gone only because the document cannot be parsed
//! are still shown; after the pause, only those in definitions that were not edited.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tower_lsp::ls_types::{
    Diagnostic, NumberOrString, Position, Range, TextDocumentContentChangeEvent,
};

/// The default pause after which the user no longer types.
pub(super) const PAUSE: Duration = Duration::from_millis(700);

/// How many times longer the pause is after which the user has stopped in the middle of a statement.
pub(super) const REST: u32 = 7;

/// The code of errors that depend on the code around them.
const SYNTAX_ERROR: &str = "SYNTAX_ERROR";

/// The maximum number of bytes, and of line breaks, that one key inserts: completions and closing
/// brackets count as typed, pasted code does not.
const MAX_TYPED: (usize, usize) = (200, 3);

/// The diagnostics that the client shows for a document.
#[derive(Debug)]
pub(super) struct ShownDiagnostics(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    version: i32,
    /// The diagnostics shown last, at positions that follow the edits.
    shown: Vec<Diagnostic>,
    typing: Option<Typing>,
    /// Whether the client shows diagnostics other than the current ones.
    differs: bool,
}

/// Edits without a pause.
#[derive(Debug)]
struct Typing {
    until: Instant,
    /// The end of the longer pause.
    rests_at: Instant,
    cursor: Position,
    /// The edited lines, which follow later edits.
    lines: Vec<u32>,
}

impl ShownDiagnostics {
    /// Starts with a version whose diagnostics are not shown yet.
    pub(super) fn of_version(version: i32) -> ShownDiagnostics {
        let state = State {
            version,
            ..State::default()
        };
        ShownDiagnostics(Mutex::new(state))
    }

    /// Records an edit that leads to a version. The user types until `until` and rests at `rests_at`, if it is that of a
    /// key.
    pub(super) fn edit(
        &self,
        version: i32,
        change: &TextDocumentContentChangeEvent,
        (until, rests_at): (Instant, Instant),
    ) {
        let mut state = self.lock();
        state.version = version;
        match change.range {
            Some(range) => state.apply(range, &change.text, (until, rests_at)),
            None => state.typing = None,
        }
    }

    /// Returns the diagnostics to show of those that were found in a version. `statement` returns the
    /// range of the statement that contains a diagnostic, `definition` that of the statement at the top of the file.
    pub(super) fn select(
        &self,
        version: i32,
        found: Vec<Diagnostic>,
        now: Instant,
        statement: &dyn Fn(&Diagnostic) -> Range,
        definition: &dyn Fn(&Diagnostic) -> Range,
    ) -> Vec<Diagnostic> {
        let mut state = self.lock();
        let is_current = state.version == version;
        let Some(typing) = state.typing.as_ref().filter(|it| now < it.until) else {
            return match is_current {
                true => state.after_pause(found, now, statement, definition),
                false => found,
            };
        };
        if !is_current {
            // Positions cannot be compared; the diagnostics of the current version will follow.
            let shown = &state.shown;
            let is_shown = |it: &Diagnostic| shown.iter().any(|other| is_same_kind(it, other));
            return found.into_iter().filter(is_shown).collect();
        }
        let is_shown = |it: &Diagnostic| state.shown.iter().any(|other| is_same(it, other));
        let is_broken = found.iter().any(|it| is_syntax_error(it) && !is_shown(it));
        let is_ready = |it: &Diagnostic| {
            !(is_syntax_error(it) && typing.is_unfinished(it, &definition(it)))
                && (is_shown(it) || !is_broken && typing.has_left(it, &statement(it)))
        };
        let gone = state.shown.iter().filter(|it| {
            let is_kept = is_broken && !is_syntax_error(it) && !typing.touches(&it.range);
            is_kept && !found.iter().any(|other| is_same(it, other))
        });
        let gone: Vec<_> = gone.cloned().collect();
        let count = found.len();
        let mut shown: Vec<_> = found.into_iter().filter(is_ready).collect();
        let differs = shown.len() < count || !gone.is_empty();
        shown.extend(gone);
        shown.sort_by_key(|it| (it.range.start, it.range.end));
        state.shown.clone_from(&shown);
        state.differs = differs;
        shown
    }

    /// Checks whether the client shows diagnostics other than the current ones.
    pub(super) fn differs(&self) -> bool {
        self.lock().differs
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns the diagnostics of the current version, with those that are gone because of a syntax error in another
    /// definition.
    fn after_pause(
        &mut self,
        mut found: Vec<Diagnostic>,
        now: Instant,
        statement: &dyn Fn(&Diagnostic) -> Range,
        definition: &dyn Fn(&Diagnostic) -> Range,
    ) -> Vec<Diagnostic> {
        let count = found.len();
        if let Some(typing) = self.typing.as_ref().filter(|it| now < it.rests_at) {
            let is_shown = |it: &Diagnostic| self.shown.iter().any(|other| is_same(it, other));
            found.retain(|it| {
                let around = match is_syntax_error(it) {
                    true => definition(it),
                    false => statement(it),
                };
                !typing.is_unfinished(it, &around)
                    && (is_shown(it) || !typing.is_in_middle(it, &around))
            });
        }
        self.differs = found.len() < count;
        let errors: Vec<Range> = found
            .iter()
            .filter(|it| is_syntax_error(it))
            .map(|it| it.range)
            .collect();
        let mut shown = found;
        if errors.is_empty() && !self.differs {
            self.typing = None;
        } else if let Some(typing) = &self.typing {
            let is_kept = |it: &&Diagnostic| {
                let around = definition(it);
                let is_broken = errors
                    .iter()
                    .any(|it| around.start <= it.end && it.start <= around.end);
                !is_syntax_error(it) && !is_broken && !typing.touches(&around)
            };
            let gone = self.shown.iter().filter(is_kept);
            let gone: Vec<_> = gone
                .filter(|it| !shown.iter().any(|other| is_same(it, other)))
                .cloned()
                .collect();
            shown.extend(gone);
            shown.sort_by_key(|it| (it.range.start, it.range.end));
        }
        self.shown.clone_from(&shown);
        shown
    }

    fn apply(&mut self, range: Range, text: &str, (until, rests_at): (Instant, Instant)) {
        let breaks = text.matches('\n').count();
        let removed = range.end.line.saturating_sub(range.start.line);
        let lines = u32::try_from(breaks).unwrap_or(u32::MAX);
        let moved = |line: u32| line.saturating_sub(removed).saturating_add(lines);
        self.shown.retain(|it| !is_inside(&it.range, &range));
        for it in &mut self.shown {
            for position in [&mut it.range.start, &mut it.range.end] {
                if *position >= range.end {
                    position.line = moved(position.line);
                }
            }
        }
        let is_typed = text.len() <= MAX_TYPED.0 && breaks.max(removed as usize) <= MAX_TYPED.1;
        if !is_typed {
            self.typing = None;
            return;
        }
        let end = range.start.line.saturating_add(lines);
        let mut touched = self.typing.take().map_or(Vec::new(), |it| it.lines);
        for line in &mut touched {
            if *line >= range.end.line {
                *line = moved(*line);
            }
        }
        touched.extend(range.start.line..=end);
        touched.sort_unstable();
        touched.dedup();
        let character = match breaks {
            0 => range.start.character.saturating_add(columns(text)),
            _ => columns(text.rsplit('\n').next().unwrap_or("")),
        };
        self.typing = Some(Typing {
            until,
            rests_at,
            cursor: Position::new(end, character),
            lines: touched,
        });
    }
}

impl Typing {
    /// Checks whether the user has edited the statement of a diagnostic and left it.
    fn has_left(&self, diagnostic: &Diagnostic, statement: &Range) -> bool {
        let is_outside = self.cursor.line < statement.start.line || self.cursor > statement.end;
        is_outside && diagnostic.range.end.line != self.cursor.line && self.touches(statement)
    }

    /// Checks whether the cursor is in the code that a diagnostic on another line is about.
    fn is_in_middle(&self, diagnostic: &Diagnostic, around: &Range) -> bool {
        let is_inside = around.start <= self.cursor && self.cursor <= around.end;
        is_inside && !self.is_on_line_of(diagnostic)
    }

    /// Checks whether a syntax error on another line says that the definition around or before the cursor lacks its end.
    fn is_unfinished(&self, diagnostic: &Diagnostic, definition: &Range) -> bool {
        is_syntax_error(diagnostic)
            && diagnostic.range.end >= definition.end
            && definition.start <= self.cursor
            && !self.is_on_line_of(diagnostic)
    }

    /// Checks whether a diagnostic starts on the line of the cursor. One that ends there may be about a block that is
    /// being written.
    fn is_on_line_of(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.range.start.line == self.cursor.line
    }

    fn touches(&self, range: &Range) -> bool {
        let lines = range.start.line..=range.end.line;
        self.lines.iter().any(|it| lines.contains(it))
    }
}

/// Returns the length of a typed line. Only the order of positions on it matters, so no encoding is
/// necessary.
fn columns(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn is_inside(inner: &Range, outer: &Range) -> bool {
    inner.start > outer.start && inner.end < outer.end
}

fn is_syntax_error(it: &Diagnostic) -> bool {
    matches!(&it.code, Some(NumberOrString::String(code)) if code == SYNTAX_ERROR)
}

/// Checks whether two diagnostics on the same line report the same.
fn is_same(a: &Diagnostic, b: &Diagnostic) -> bool {
    a.range.start.line == b.range.start.line && is_same_kind(a, b)
}

fn is_same_kind(a: &Diagnostic, b: &Diagnostic) -> bool {
    // Later lines of a message are about other places.
    let line = |it: &Diagnostic| it.message.lines().next().map(str::to_owned);
    a.code == b.code && line(a) == line(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u32, end: u32) -> Range {
        Range::new(Position::new(start, 2), Position::new(end, 3))
    }

    /// Returns the lines of the diagnostics that are shown after a key on line 2 and a pause, and then after a longer one.
    fn shown((line, end): (u32, u32), around: Range) -> [Vec<u32>; 2] {
        let document = ShownDiagnostics::of_version(1);
        let start = Instant::now();
        let times = (start + PAUSE, start + PAUSE * REST);
        let key = TextDocumentContentChangeEvent {
            range: Some(Range::new(Position::new(2, 2), Position::new(2, 2))),
            range_length: None,
            text: "a".to_owned(),
        };
        document.edit(2, &key, times);
        [times.0, times.1].map(|now| {
            let found = vec![Diagnostic::new_simple(
                range(line, end),
                "missing".to_owned(),
            )];
            let shown = document.select(2, found, now, &|_| around, &|_| around);
            assert_eq!(document.differs(), shown.is_empty());
            shown.iter().map(|it| it.range.start.line).collect()
        })
    }

    #[test]
    fn the_statement_around_the_cursor_waits_for_a_longer_pause() {
        assert_eq!(shown((1, 1), range(1, 4)), [vec![], vec![1]]);
        // About the block around the cursor.
        assert_eq!(shown((1, 4), range(1, 4)), [vec![], vec![1]]);
        // On the line of the cursor, and in another statement.
        assert_eq!(shown((2, 2), range(1, 4)), [vec![2], vec![2]]);
        assert_eq!(shown((6, 6), range(5, 7)), [vec![6], vec![6]]);
    }
}
