//! The checks of puppet-lint that correspond to a finding, and where they report it.

use analysis::base::Diagnostic;
use analysis::rules::{self, Rule};
use syntax::{TextRange, TextSize};

/// Returns the checks that find the same as a rule, each with the offset at which it reports it.
pub(super) fn checks(found: &Diagnostic, text: &str) -> Vec<(&'static str, TextSize)> {
    let rule = rules::rule(found.code).into_iter();
    let mut all = rule.flat_map(Rule::puppet_lint_checks);
    let place = WhitespaceGap::new(found, text);
    let (check, at) = match found.code {
        "brace-spacing" | "bracket-spacing" => (place.beside_bracket(), place.gap.end()),
        "header-spacing" => (place.header_check(), place.gap.end()),
        "empty-lines" => place.empty_lines(),
        "end-of-file" => place.end_of_file(),
        "uppercase-variable" => return all.map(|it| (it, found.range.start())).collect(),
        code => {
            let at = match code {
                "space-after-arrow" => place.gap.start(),
                _ => found.range.start(),
            };
            return all.next().map(|it| (it, at)).into_iter().collect();
        }
    };
    vec![(check, at)]
}

/// The whitespace of a finding.
struct WhitespaceGap<'a> {
    text: &'a str,
    gap: TextRange,
}

impl<'a> WhitespaceGap<'a> {
    fn new(found: &Diagnostic, text: &'a str) -> WhitespaceGap<'a> {
        let fix = found.fixes.first();
        let edit = fix.and_then(|it| it.edits.first());
        let gap = edit.map_or(found.range, |(_, it)| it.range);
        WhitespaceGap { text, gap }
    }

    fn before(&self) -> &'a str {
        self.text[..usize::from(self.gap.start())].trim_end()
    }

    fn after(&self) -> &'a str {
        self.text[usize::from(self.gap.end())..].trim_start()
    }

    /// Returns the offset after a number of line breaks in the gap.
    fn after_breaks(&self, count: usize) -> TextSize {
        let breaks = self.text[self.gap].match_indices('\n');
        let offset = breaks.map(|it| it.0 + 1).take(count).last().unwrap_or(0);
        self.gap.start() + TextSize::new(u32::try_from(offset).unwrap_or(0))
    }

    fn beside_bracket(&self) -> &'static str {
        let (before, after) = (self.before(), self.after());
        if before.ends_with('{') && after.starts_with('}') {
            "manifest_whitespace_closing_brace_before"
        } else if after.starts_with('{') {
            "manifest_whitespace_opening_brace_before"
        } else if before.ends_with('{') {
            "manifest_whitespace_opening_brace_after"
        } else if after.starts_with('}') {
            "manifest_whitespace_closing_brace_before"
        } else if before.ends_with('}') {
            "manifest_whitespace_closing_brace_after"
        } else if after.starts_with('[') {
            "manifest_whitespace_opening_bracket_before"
        } else if before.ends_with('[') {
            "manifest_whitespace_opening_bracket_after"
        } else if after.starts_with(']') {
            "manifest_whitespace_closing_bracket_before"
        } else {
            "manifest_whitespace_closing_bracket_after"
        }
    }

    fn header_check(&self) -> &'static str {
        let before = self.before();
        if before.ends_with("inherits") {
            "manifest_whitespace_inherits_name_single_space_before"
        } else if before.ends_with("class") || before.ends_with("define") {
            "manifest_whitespace_class_name_single_space_before"
        } else {
            "manifest_whitespace_class_name_single_space_after"
        }
    }

    fn empty_lines(&self) -> (&'static str, TextSize) {
        let (before, after) = (self.before(), self.after());
        if before.is_empty() {
            let check = "manifest_whitespace_newline_beginning_of_file";
            (check, TextSize::new(0))
        } else if before.ends_with('{') {
            let check = "manifest_whitespace_opening_brace_after";
            (check, self.after_breaks(1))
        } else if before.ends_with('[') {
            let check = "manifest_whitespace_opening_bracket_after";
            (check, self.after_breaks(1))
        } else if after.starts_with('}') {
            let check = "manifest_whitespace_closing_brace_before";
            (check, self.gap.start())
        } else if after.starts_with(']') {
            let check = "manifest_whitespace_closing_bracket_before";
            (check, self.gap.start())
        } else {
            ("manifest_whitespace_two_empty_lines", self.after_breaks(2))
        }
    }

    fn end_of_file(&self) -> (&'static str, TextSize) {
        if self.gap.is_empty() {
            let check = "manifest_whitespace_missing_newline_end_of_file";
            return (check, self.gap.start());
        }
        let check = "manifest_whitespace_double_newline_end_of_file";
        (check, self.after_breaks(1))
    }
}
