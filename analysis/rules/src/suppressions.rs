//! Suppression comments: `# pupil: ignore[code, code]` or `# pupil: ignore`, at the end of the line
//! or alone on the line above; and those of puppet-lint.

pub(crate) mod lint_comments;

use crate::checks_of;
use crate::{canonical_code, rule};
use base::Diagnostic;
use lint_comments::LintComments;
use rustc_hash::FxHashMap;
use syntax::ast::starts_line;
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

/// The suppressions in a file.
#[derive(Debug, Default)]
pub struct Suppressions {
    /// The starts of all lines; empty if the file has no suppressions.
    lines: Vec<TextSize>,
    /// The suppressed rules by line. An empty name stands for all rules.
    rules: FxHashMap<usize, Vec<String>>,
    /// The comments of puppet-lint.
    lint: LintComments,
}

impl Suppressions {
    /// Collects the suppressions in a Puppet file.
    pub fn of(file: &SyntaxNode, text: &str) -> Suppressions {
        let has_lint = lint_comments::may_be_in(text);
        if !has_lint && !text.contains("pupil:") {
            return Suppressions::default();
        }
        let tokens = file
            .descendants_with_tokens()
            .filter_map(|it| it.into_token());
        let comments = tokens.filter(|it| it.kind().is_comment());
        let comments: Vec<SyntaxToken> = comments.collect();
        let mut suppressions = Suppressions {
            lines: line_starts(text),
            ..Suppressions::default()
        };
        if has_lint {
            suppressions.lint = LintComments::of(&comments, &suppressions.lines);
        }
        let own = comments
            .iter()
            .filter(|it| it.kind() == SyntaxKind::LINE_COMMENT);
        let found = own.flat_map(|it| suppressed_by(it).map(move |found| (found, it)));
        for ((codes, is_next_line), comment) in found {
            let line = suppressions.line(comment.text_range().start());
            let line = line + usize::from(is_next_line);
            suppressions.rules.entry(line).or_default().extend(codes);
        }
        suppressions
    }

    /// Collects the suppressions in a file of another language. Lines that start with `#` are
    /// comments; so is text after ` #` if `after_code` is set.
    pub(crate) fn in_lines(text: &str, after_code: bool) -> Suppressions {
        Suppressions::in_comments(text, |line| match line.trim_start() {
            own if own.starts_with('#') => Some((own, true)),
            _ if after_code => line.rfind(" #").map(|at| (&line[at + 1..], false)),
            _ => None,
        })
    }

    /// Collects the suppressions in an ERB template: `<%# pupil: ignore[code] %>`.
    pub(crate) fn in_erb(text: &str) -> Suppressions {
        Suppressions::in_comments(text, |line| {
            let at = line.rfind("<%#")?;
            let is_own = line[..at].trim().is_empty();
            Some((&line[at + 2..], is_own))
        })
    }

    /// Collects the suppressions in a Ruby file: `# pupil: ignore[code]`.
    pub(crate) fn in_ruby(text: &str) -> Suppressions {
        Suppressions::in_comments(text, |line| {
            let at = line.rfind("# pupil:")?;
            let is_own = line[..at].trim().is_empty();
            Some((&line[at..], is_own))
        })
    }

    /// Collects the suppressions in the comments that `comment` finds in lines. A comment on a line of its own
    /// concerns the next line.
    fn in_comments(text: &str, comment: impl Fn(&str) -> Option<(&str, bool)>) -> Suppressions {
        if !text.contains("pupil:") {
            return Suppressions::default();
        }
        let mut rules: FxHashMap<usize, Vec<String>> = FxHashMap::default();
        for (line, number) in text.lines().zip(1..) {
            let found = comment(line).and_then(|(it, is_own)| Some((codes(it)?, is_own)));
            if let Some((codes, is_own)) = found {
                let number = number + usize::from(is_own);
                rules.entry(number).or_default().extend(codes);
            }
        }
        Suppressions {
            lines: line_starts(text),
            rules,
            lint: LintComments::default(),
        }
    }

    /// Checks whether the diagnostics of a rule at a place are suppressed by its name.
    pub fn covers(&self, code: &str, range: TextRange) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let line = self.line(range.start());
        let group = rule(code).map(|it| it.group.name());
        let is_named = |it: &String| it.is_empty() || it == code || Some(&**it) == group;
        let rules = self.rules.get(&line);
        rules.is_some_and(|it| it.iter().any(is_named)) || self.lint.covers(code, line)
    }

    /// Checks whether a diagnostic of a source is suppressed, by the name of its rule or that of a check of puppet-lint.
    pub fn covers_diagnostic(&self, found: &Diagnostic, text: &str) -> bool {
        if self.covers(found.code, found.range) {
            return true;
        }
        if self.lint.is_empty() {
            return false;
        }
        let line = self.line(found.range.start());
        let checks = checks_of(found, text).into_iter();
        checks.map(|it| it.0).any(|it| self.lint.covers(it, line))
    }

    fn line(&self, offset: TextSize) -> usize {
        line_of(&self.lines, offset)
    }
}

/// Returns the rules that a comment suppresses, and whether it does so on the next line. At the end of another
/// comment, such as the documentation of a parameter, it concerns the line of that comment.
fn suppressed_by(comment: &SyntaxToken) -> impl Iterator<Item = (Vec<String>, bool)> {
    let parts = comment.text().split(" #").enumerate();
    parts.filter_map(|(index, it)| Some((codes(it)?, index == 0 && starts_line(comment))))
}

/// Returns the names of rules in a comment that suppresses them.
pub(crate) fn named_rules(comment: &str) -> Vec<&str> {
    let lists = comment.split(" #").filter_map(Scope::of);
    lists.flat_map(Scope::names).collect()
}

/// Returns the rules that a comment suppresses. An empty name stands for all rules.
fn codes(comment: &str) -> Option<Vec<String>> {
    Some(match Scope::of(comment)? {
        Scope::All => vec![String::new()],
        listed @ Scope::Listed(_) => {
            let codes = listed.names().map(|it| canonical_code(it).to_owned());
            codes.collect()
        }
    })
}

/// The rules that a comment suppresses.
enum Scope<'a> {
    All,
    /// The rules in a list with commas.
    Listed(&'a str),
}

impl<'a> Scope<'a> {
    fn of(comment: &'a str) -> Option<Scope<'a>> {
        let rest = comment.trim_start_matches('#').trim_start();
        let rest = rest.strip_prefix("pupil:")?.trim_start();
        let rest = rest.strip_prefix("ignore")?;
        let list = rest.strip_prefix('[').and_then(|it| it.split_once(']'));
        Some(list.map_or(Scope::All, |it| Scope::Listed(it.0)))
    }

    fn names(self) -> impl Iterator<Item = &'a str> {
        let list = match self {
            Scope::All => "",
            Scope::Listed(list) => list,
        };
        list.split(',').map(str::trim).filter(|it| !it.is_empty())
    }
}

/// Returns the one-based line of an offset.
fn line_of(starts: &[TextSize], offset: TextSize) -> usize {
    starts.partition_point(|it| *it <= offset)
}

fn line_starts(text: &str) -> Vec<TextSize> {
    let breaks = line_breaks(text);
    std::iter::once(TextSize::new(0)).chain(breaks).collect()
}

/// Returns the offset after each line break.
fn line_breaks(text: &str) -> impl Iterator<Item = TextSize> {
    let breaks = text.bytes().enumerate().filter(|it| it.1 == b'\n');
    // Files are smaller than 4 GiB.
    breaks.map(|it| TextSize::new(u32::try_from(it.0 + 1).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::Dialect;

    #[test]
    fn comments_on_the_line_and_above() {
        let text = "$a # pupil: ignore[one, two]\n# pupil: ignore\n$b\n$c\n";
        let suppressions =
            Suppressions::of(&syntax::parse(text, Dialect::default()).syntax(), text);
        let at = |what: &str| {
            let start = text.find(what).expect("the text contains it");
            TextRange::at(
                TextSize::try_from(start).expect("it is short"),
                TextSize::of(what),
            )
        };
        assert!(suppressions.covers("one", at("$a")) && suppressions.covers("two", at("$a")));
        assert!(!suppressions.covers("three", at("$a")));
        assert!(suppressions.covers("three", at("$b")));
        assert!(!suppressions.covers("one", at("$c")));
    }

    #[test]
    fn an_empty_list_suppresses_no_rule() {
        let text = "$a # pupil: ignore[]\n$b # pupil: ignore[one, ]\n";
        let suppressions =
            Suppressions::of(&syntax::parse(text, Dialect::default()).syntax(), text);
        let line = |number: u32| TextRange::empty(TextSize::new(21 * number));
        assert!(!suppressions.covers("one", line(0)));
        assert!(suppressions.covers("one", line(1)) && !suppressions.covers("two", line(1)));
    }

    #[test]
    fn comments_in_comments() {
        let text = "# one # pupil: ignore[one]\n# two\n$a # three # pupil: ignore[one]\n$b\n";
        let suppressions =
            Suppressions::of(&syntax::parse(text, Dialect::default()).syntax(), text);
        let at = |what: &str| {
            let start = text.find(what).expect("the text contains it");
            TextRange::empty(TextSize::try_from(start).expect("it is short"))
        };
        assert!(suppressions.covers("one", at("# one")) && suppressions.covers("one", at("$a")));
        assert!(!suppressions.covers("one", at("# two")) && !suppressions.covers("one", at("$b")));
    }

    #[test]
    fn aliases_of_rules_are_accepted() {
        let text = "$a # pupil: ignore[hidden-text, OTHER]\n";
        let suppressions =
            Suppressions::of(&syntax::parse(text, Dialect::default()).syntax(), text);
        let start = TextRange::empty(TextSize::new(0));
        for code in ["redacted-sensitive", "OTHER"] {
            assert!(suppressions.covers(code, start), "{code}");
        }
    }

    #[test]
    fn comments_in_other_languages() {
        let text = "a: 1 # pupil: ignore[one]\nb: 2\n  # pupil: ignore\nc: 3\n";
        let at = |what: &str| {
            let start = text.find(what).expect("the text contains it");
            TextRange::empty(TextSize::try_from(start).expect("it is short"))
        };
        let suppressions = Suppressions::in_lines(text, true);
        assert!(suppressions.covers("one", at("a:")) && !suppressions.covers("two", at("a:")));
        assert!(!suppressions.covers("one", at("b:")) && suppressions.covers("two", at("c:")));
        let suppressions = Suppressions::in_lines(text, false);
        assert!(!suppressions.covers("one", at("a:")) && suppressions.covers("one", at("c:")));
    }
}
