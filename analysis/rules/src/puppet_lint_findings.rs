//! The checks of puppet-lint that find the same as a rule at a place, for rules that replace several checks.

use base::Diagnostic;
use syntax::{TextRange, TextSize};

/// The codes of the rules each of whose findings belongs to some of its checks only.
pub(crate) const DIVIDED_RULES: [&str; 6] = [
    "brace-spacing",
    "bracket-spacing",
    "empty-lines",
    "end-of-file",
    "header-spacing",
    "top-scope-fact",
];

const OPENING_BRACE_BEFORE: &str = "manifest_whitespace_opening_brace_before";
const OPENING_BRACE_AFTER: &str = "manifest_whitespace_opening_brace_after";
const CLOSING_BRACE_BEFORE: &str = "manifest_whitespace_closing_brace_before";
const CLOSING_BRACE_AFTER: &str = "manifest_whitespace_closing_brace_after";
const OPENING_BRACKET_BEFORE: &str = "manifest_whitespace_opening_bracket_before";
const OPENING_BRACKET_AFTER: &str = "manifest_whitespace_opening_bracket_after";
const CLOSING_BRACKET_BEFORE: &str = "manifest_whitespace_closing_bracket_before";
const CLOSING_BRACKET_AFTER: &str = "manifest_whitespace_closing_bracket_after";
const TWO_EMPTY_LINES: &str = "manifest_whitespace_two_empty_lines";

/// A check of puppet-lint, and the offset at which it reports a problem.
pub type CheckAt = (&'static str, TextSize);

/// Returns the checks that report a finding of a divided rule, the most important one first; `None` for other rules.
pub(crate) fn divided_checks(found: &Diagnostic, text: &str) -> Option<Vec<CheckAt>> {
    let place = WhitespaceGap::new(found, text);
    let at_end = |it: &'static str| (it, place.gap.end());
    Some(match found.code {
        "brace-spacing" | "bracket-spacing" => {
            place.beside_bracket().into_iter().map(at_end).collect()
        }
        "header-spacing" => vec![at_end(place.header_check())],
        "empty-lines" => place.empty_lines(),
        "end-of-file" => vec![place.end_of_file()],
        "top-scope-fact" => {
            let is_qualified = text[found.range].contains("::");
            let check = if is_qualified {
                "top_scope_facts"
            } else {
                "variable_scope"
            };
            vec![(check, found.range.start())]
        }
        _ => return None,
    })
}

/// Returns the start of the whitespace that a finding is about, or else its own one.
pub(crate) fn start_of_whitespace(found: &Diagnostic, text: &str) -> TextSize {
    WhitespaceGap::new(found, text).gap.start()
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
        // A finding without a fix is at the token after the whitespace.
        let at_token = TextRange::empty(found.range.start());
        let gap = edit.map_or(at_token, |(_, it)| it.range);
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

    fn beside_bracket(&self) -> Vec<&'static str> {
        let (before, after) = (self.before(), self.after());
        let is_empty = before.ends_with('{') && after.starts_with('}');
        let checks = [
            (after.starts_with('{'), OPENING_BRACE_BEFORE),
            (before.ends_with('{') && !is_empty, OPENING_BRACE_AFTER),
            (after.starts_with('}'), CLOSING_BRACE_BEFORE),
            (before.ends_with('}'), CLOSING_BRACE_AFTER),
            (after.starts_with('['), OPENING_BRACKET_BEFORE),
            (before.ends_with('['), OPENING_BRACKET_AFTER),
            (after.starts_with(']'), CLOSING_BRACKET_BEFORE),
            (before.ends_with(']'), CLOSING_BRACKET_AFTER),
        ];
        let checks = checks.into_iter().filter(|it| it.0);
        let checks: Vec<&str> = checks.map(|it| it.1).collect();
        match checks.is_empty() {
            true => vec![CLOSING_BRACKET_AFTER],
            false => checks,
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

    fn empty_lines(&self) -> Vec<CheckAt> {
        let (before, after) = (self.before(), self.after());
        let start_of_file = "manifest_whitespace_newline_beginning_of_file";
        let mut checks = Vec::new();
        if before.is_empty() {
            checks.push((start_of_file, TextSize::new(0)));
        }
        if before.ends_with('{') {
            checks.push((OPENING_BRACE_AFTER, self.after_breaks(1)));
        }
        if before.ends_with('[') {
            checks.push((OPENING_BRACKET_AFTER, self.after_breaks(1)));
        }
        if after.starts_with('}') {
            checks.push((CLOSING_BRACE_BEFORE, self.gap.start()));
        }
        if after.starts_with(']') {
            checks.push((CLOSING_BRACKET_BEFORE, self.gap.start()));
        }
        let breaks = self.text[self.gap].matches('\n').count();
        if breaks > 2 || checks.is_empty() {
            checks.push((TWO_EMPTY_LINES, self.after_breaks(2)));
        }
        checks
    }

    fn end_of_file(&self) -> CheckAt {
        if self.gap.is_empty() {
            let check = "manifest_whitespace_missing_newline_end_of_file";
            return (check, self.gap.start());
        }
        let check = "manifest_whitespace_double_newline_end_of_file";
        (check, self.after_breaks(1))
    }
}

#[cfg(test)]
mod tests {
    use super::DIVIDED_RULES;

    #[test]
    fn divided_rules_have_several_checks() {
        for code in DIVIDED_RULES {
            let rule = crate::rule(code).expect("it is a rule");
            assert!(rule.puppet_lint_checks().count() > 1, "{code}");
        }
    }
}
