//! The suppression comments of puppet-lint: `# lint:ignore:CHECK` at the end of a line, or alone on a line
//! until `# lint:endignore`.

use std::ops::RangeInclusive;

use syntax::ast::starts_line;
use syntax::{SyntaxToken, TextSize};

use super::line_of;
use crate::canonical_code;
use crate::divided_rule;

/// The suppression comments of puppet-lint in a file.
#[derive(Debug, Default)]
pub(crate) struct LintComments {
    suppressed: Vec<SuppressedLines>,
    /// The comments that start a block without an end. They have no effect.
    pub(crate) unclosed: Vec<SyntaxToken>,
    /// The comments that end a block without a start.
    pub(crate) without_start: Vec<SyntaxToken>,
}

/// Lines in which a rule or check is suppressed.
#[derive(Debug)]
struct SuppressedLines {
    name: String,
    lines: RangeInclusive<usize>,
}

/// The start of a block until its end is found.
struct OpenBlock {
    start: usize,
    checks: Vec<String>,
    comment: SyntaxToken,
}

/// Checks whether a file may contain such comments.
pub(crate) fn may_be_in(text: &str) -> bool {
    text.contains("lint:ignore:") || text.contains("lint:endignore")
}

impl LintComments {
    /// Reads the comments of a file, as puppet-lint does.
    pub(crate) fn of(comments: &[SyntaxToken], line_starts: &[TextSize]) -> LintComments {
        let mut found = LintComments::default();
        let mut open: Vec<OpenBlock> = Vec::new();
        for comment in comments {
            let line = line_of(line_starts, comment.text_range().start());
            let mut starting = Vec::new();
            for control in controls(comment.text()) {
                match control {
                    Control::Ignore(check) if starts_line(comment) => {
                        starting.push(check.to_owned());
                    }
                    Control::Ignore(check) => found.suppress(check, line..=line),
                    Control::EndIgnore => match open.pop() {
                        Some(block) => found.close(&block, line),
                        None => found.without_start.push(comment.clone()),
                    },
                }
            }
            if !starting.is_empty() {
                open.push(OpenBlock {
                    start: line,
                    checks: starting,
                    comment: comment.clone(),
                });
            }
        }
        found.unclosed = open.into_iter().map(|it| it.comment).collect();
        found
    }

    fn close(&mut self, block: &OpenBlock, end: usize) {
        for check in &block.checks {
            self.suppress(check, block.start..=end);
        }
    }

    fn suppress(&mut self, check: &str, lines: RangeInclusive<usize>) {
        // A check that stands for some findings of a rule suppresses only those.
        let code = divided_rule(check).map_or_else(|| canonical_code(check), |_| check);
        for name in [check, code] {
            self.suppressed.push(SuppressedLines {
                name: name.to_owned(),
                lines: lines.clone(),
            });
        }
    }

    /// Checks whether there are any comments.
    pub(crate) fn is_empty(&self) -> bool {
        self.suppressed.is_empty()
    }

    /// Checks whether a rule or check is suppressed in a line, by its own name.
    pub(crate) fn covers(&self, name: &str, line: usize) -> bool {
        let mut suppressed = self.suppressed.iter();
        suppressed.any(|it| it.name == name && it.lines.contains(&line))
    }
}

/// A command in a comment.
enum Control<'a> {
    /// Suppresses a check.
    Ignore(&'a str),
    /// Ends a block.
    EndIgnore,
}

/// Returns the commands at the start of a comment; the words after them are the reason.
fn controls(comment: &str) -> impl Iterator<Item = Control<'_>> {
    let content = comment.trim_start_matches(['#', '/', '*']);
    let words = content.trim_end_matches("*/").split_whitespace();
    words.map_while(|word| {
        let command = word.strip_prefix("lint:")?;
        if command.starts_with("endignore") {
            return Some(Control::EndIgnore);
        }
        let check = command.strip_prefix("ignore:")?;
        let check = check.split(':').next().unwrap_or_default();
        (!check.is_empty()).then_some(Control::Ignore(check))
    })
}

/// Returns the difference in the number of open blocks that a token makes; `None` unless it is a comment that opens or
/// closes one.
pub(crate) fn block_change(token: &SyntaxToken) -> Option<isize> {
    if !token.kind().is_comment() {
        return None;
    }
    let (mut opened, mut closed) = (false, 0);
    for control in controls(token.text()) {
        match control {
            Control::Ignore(_) => opened |= starts_line(token),
            Control::EndIgnore => closed += 1,
        }
    }
    (opened || closed > 0).then(|| isize::from(opened) - closed)
}

/// Returns the command in a comment that names no check and has no effect.
pub(crate) fn command_without_check(comment: &str) -> Option<&str> {
    let content = comment.trim_start_matches(['#', '/', '*']);
    let mut commands = content
        .trim_end_matches("*/")
        .split_whitespace()
        .take_while(|it| it.starts_with("lint:"));
    commands.find(|it| matches!(*it, "lint:ignore" | "lint:ignore:"))
}

/// Returns the names of the checks that a comment suppresses.
pub(crate) fn checks(comment: &str) -> impl Iterator<Item = &str> {
    controls(comment).filter_map(|it| match it {
        Control::Ignore(check) => Some(check),
        Control::EndIgnore => None,
    })
}

#[cfg(test)]
mod tests {
    use syntax::{Dialect, TextRange, TextSize};

    use crate::suppressions::Suppressions;

    /// Returns the lines in which a rule is suppressed.
    fn lines(code: &str, text: &str) -> Vec<usize> {
        let tree = syntax::parse(text, Dialect::default()).syntax();
        let found = Suppressions::of(&tree, text);
        let mut start = 0;
        let mut lines = Vec::new();
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            let at = TextSize::try_from(start).expect("it is short");
            if found.covers(code, TextRange::empty(at)) {
                lines.push(number);
            }
            start += line.len();
        }
        lines
    }

    #[test]
    fn comments_at_the_end_of_a_line_cover_it() {
        let text = "$a = 1 # lint:ignore:140chars lint:ignore:star_comments why\n$b = 2\n";
        assert_eq!(lines("long-line", text), [1]);
        assert_eq!(lines("block-comment", text), [1]);
        assert_eq!(lines("anchor-resource", text), [0; 0]);
        let text = "$a = 1 # why lint:ignore:140chars\n";
        assert_eq!(lines("long-line", text), [0; 0]);
    }

    #[test]
    fn blocks_end_with_their_own_comment() {
        let text = "# lint:ignore:140chars\n# lint:ignore:star_comments\n$a\n# lint:endignore\n\
                    $b\n# lint:endignore\n$c\n";
        assert_eq!(lines("block-comment", text), [2, 3, 4]);
        assert_eq!(lines("long-line", text), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn blocks_without_an_end_cover_nothing() {
        let text = "# lint:ignore:140chars\n$a = 1\n";
        assert_eq!(lines("long-line", text), [0; 0]);
        let text = "class m {\n  # lint:ignore:140chars\n  $a = 1\n  # lint:endignore\n}\n";
        assert_eq!(lines("long-line", text), [2, 3, 4]);
    }

    #[test]
    fn groups_are_suppressed_as_a_whole() {
        assert_eq!(lines("long-line", "$a = 1 # pupil: ignore[style]\n"), [1]);
        assert_eq!(
            lines("unknown-class", "$a = 1 # pupil: ignore[style]\n"),
            [0; 0]
        );
    }
}
