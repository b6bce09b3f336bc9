//! The markers of merge conflicts.
//!
//! To Puppet they are syntax errors. Here a conflict is one error, and the code after it is read as
//! if only the first of its versions were there.

use super::scan::Scanner;
use crate::SyntaxKind;

const START: &str = "<<<<<<<";
const END: &str = ">>>>>>>";
/// The end of the first version: the common ancestor, which only some settings of Git show, or the
/// second version.
const NEXT_VERSION: [&str; 2] = ["|||||||", "======="];

impl Scanner<'_> {
    /// Lexes a marker, or the operator that its signs start with elsewhere.
    pub(super) fn seven_signs(&mut self) {
        if self.conflict() {
            return;
        }
        let (kind, length) = match self.rest().as_bytes()[0] {
            b'<' => (SyntaxKind::SHL, 2),
            b'>' => (SyntaxKind::SHR, 2),
            b'=' => (SyntaxKind::EQ_EQ, 2),
            _ => (SyntaxKind::PIPE, 1),
        };
        self.push_significant(kind, self.at + length);
    }

    /// Lexes the marker that starts here, if one does, together with the versions after the first.
    fn conflict(&mut self) -> bool {
        let is_at_line_start = self.at == self.line_start;
        if self.depth > 0 || !is_at_line_start || marker_of(self.rest()).is_none() {
            return false;
        }
        let start = self.at;
        let line_end = start + line_length(self.rest());
        let is_next_version = NEXT_VERSION.contains(&&self.text[start..start + START.len()]);
        let is_expected = is_next_version && std::mem::take(&mut self.is_in_conflict);
        let end = match is_expected.then(|| end_of_conflict(self.rest())).flatten() {
            Some(length) => start + length,
            None => line_end,
        };
        if !is_expected {
            let message = "unresolved merge conflict".to_owned();
            self.error("SYNTAX_ERROR", message, start, line_end);
            self.is_in_conflict = self.rest().starts_with(START);
        }
        self.push(SyntaxKind::CONFLICT, end);
        true
    }
}

/// Returns the length of `text` up to the end of the line with the last marker.
fn end_of_conflict(text: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match marker_of(line) {
            Some(START) => return None,
            Some(END) => return Some(at + line_length(line)),
            _ => at += line.len(),
        }
    }
    None
}

/// Returns the marker at the start of a line.
fn marker_of(line: &str) -> Option<&'static str> {
    let markers = [START, END].into_iter().chain(NEXT_VERSION);
    markers.into_iter().find(|it| {
        let after = line.strip_prefix(it);
        after.is_some_and(|it| it.is_empty() || it.starts_with([' ', '\r', '\n']))
    })
}

/// Returns the length of the first line, without its line break.
fn line_length(text: &str) -> usize {
    let line = text.split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line).len()
}
