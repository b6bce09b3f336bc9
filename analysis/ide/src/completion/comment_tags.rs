//! Completes tags of documentation comments, the parameters after `@param`, and the rules that a comment
//! suppresses.

use std::str::SplitWhitespace;

use rules::Rule;
use rustc_hash::FxHashSet;
use syntax::ast::{AstNode, Definition, Parameter};
use syntax::{SyntaxKind, TextRange, TextSize};

use super::super::cursor::CursorContext;
use super::{Candidate, Candidates, CompletionKind, group, score};

/// The tags of Puppet Strings, common ones first.
const TAGS: [&str; 12] = [
    "summary", "param", "example", "return", "note", "api", "see", "since", "author", "option",
    "overload", "raise",
];

/// The kind of word that a comment expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommentWord {
    /// The name of a tag, after `@`.
    Tag,
    /// The name of a parameter.
    Parameter,
    /// A rule, in `# pupil: ignore[…]`.
    Rule,
    /// `ignore[…]`, after `# pupil:`.
    Ignore,
    /// A check of puppet-lint, after `lint:ignore:`.
    LintCheck,
}

/// Returns what a comment expects at the cursor, and the range of the word before it.
pub(super) fn comment_word(cursor: &CursorContext<'_>) -> Option<(CommentWord, TextRange)> {
    let start = cursor.token.text_range().start();
    let before = cursor
        .text
        .get(usize::from(start)..usize::from(cursor.offset))?;
    let (word, typed) = suppressed_rule(before).or_else(|| tag(before))?;
    let is_word = typed
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-'));
    let start = cursor.offset - TextSize::of(typed);
    is_word.then(|| (word, TextRange::new(start, cursor.offset)))
}

/// Returns the beginning of the tag or parameter at the end of a comment.
fn tag(comment: &str) -> Option<(CommentWord, &str)> {
    let tag = comment.strip_prefix('#')?.trim_start().strip_prefix('@')?;
    Some(match tag.strip_prefix("param ") {
        Some(name) => (CommentWord::Parameter, name.trim_start()),
        None => (CommentWord::Tag, tag),
    })
}

/// Returns the beginning of the rule at the end of a comment that suppresses it.
fn suppressed_rule(comment: &str) -> Option<(CommentWord, &str)> {
    let word = comment.rsplit([' ', '#']).next()?;
    if let Some(check) = word.strip_prefix("lint:ignore:") {
        return Some((CommentWord::LintCheck, check));
    }
    let (_, rest) = comment.rsplit_once("pupil:")?;
    let rest = rest.trim_start();
    Some(match rest.strip_prefix("ignore[") {
        Some(list) => (CommentWord::Rule, list.rsplit(',').next()?.trim_start()),
        None => (CommentWord::Ignore, rest),
    })
}

/// Adds the tags, the rules, or the parameters of the definition after the comment.
pub(super) fn comment_words(acc: &mut Candidates<'_, '_>, word: CommentWord) {
    let names: Vec<String> = match word {
        CommentWord::Rule | CommentWord::LintCheck => {
            let reported = reported_rules(acc.cursor);
            for rule in rules::all() {
                add_rule(acc, word, rule, reported.contains(rule.code));
            }
            return;
        }
        CommentWord::Ignore => {
            add_ignore(acc);
            return;
        }
        CommentWord::Tag => TAGS.map(str::to_owned).to_vec(),
        CommentWord::Parameter => undocumented_parameters(acc.cursor),
    };
    let kind = match word {
        CommentWord::Parameter => CompletionKind::Parameter,
        _ => CompletionKind::Keyword,
    };
    for (name, order) in names.into_iter().zip(0..) {
        acc.add(Candidate::new(kind, name).score((20 - order).max(0) * score::SAME_SCOPE));
    }
}

/// Adds the names of a rule that a comment accepts, first of all if the rule reports what the comment can suppress.
fn add_rule(acc: &mut Candidates<'_, '_>, word: CommentWord, rule: &Rule, is_reported: bool) {
    let names = match word {
        CommentWord::LintCheck => rule.puppet_lint,
        _ => &[rule.code],
    };
    for name in names {
        let candidate = Candidate::new(CompletionKind::Keyword, *name);
        let candidate = candidate.detail(Some(rule.summary()));
        acc.add(match is_reported {
            true => candidate.group(group::FIRST),
            false => candidate,
        });
    }
}

/// Adds the word that begins a suppression: with the rules that it can suppress, and with a list to fill in.
fn add_ignore(acc: &mut Candidates<'_, '_>) {
    let reported = reported_rules(acc.cursor);
    for rule in rules::all().filter(|it| reported.contains(it.code)) {
        let label = format!("ignore[{}]", rule.code);
        let candidate = Candidate::new(CompletionKind::Keyword, label).group(group::FIRST);
        acc.add(candidate.detail(Some(rule.summary())));
    }
    let candidate = Candidate::new(CompletionKind::Keyword, "ignore[…]").insert("ignore[");
    acc.add(candidate.snippet("ignore[$1]"));
}

/// Returns the codes of the rules that report something on the line of the cursor or on the next one.
fn reported_rules(cursor: &CursorContext<'_>) -> FxHashSet<&'static str> {
    let (db, text) = (cursor.db, cursor.text);
    let at = usize::from(cursor.offset);
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let end = text[at..].match_indices('\n').nth(1);
    let end = end.map_or(text.len(), |it| at + it.0);
    let is_near = |range: TextRange| (start..=end).contains(&usize::from(range.start()));
    if !base::parse(db, cursor.file).is_well_formed() {
        return FxHashSet::default();
    }
    let findings = rules::file_findings(db, cursor.file).into_iter();
    let codes = findings.filter(|(item, it)| is_near(item.in_file(db, it.range)));
    let mut codes: FxHashSet<_> = codes.map(|it| it.1.code).collect();
    let whole = rules::whole_file_findings(db, cursor.file).into_iter();
    codes.extend(whole.filter(|it| is_near(it.range)).map(|it| it.code));
    codes
}

/// Returns the parameters of the next definition that the comment does not describe yet.
fn undocumented_parameters(cursor: &CursorContext<'_>) -> Vec<String> {
    let mut definitions = cursor.root.descendants().filter_map(Definition::cast);
    let Some(next) = definitions.find(|it| it.syntax().text_range().start() >= cursor.offset)
    else {
        return Vec::new();
    };
    let described: Vec<&str> = described_words(cursor.text, cursor.offset)
        .flatten()
        .collect();
    let names = parameters(&next).filter_map(|it| it.name());
    names
        .filter(|it| !described.contains(&it.as_str()))
        .collect()
}

/// Returns the words after each `@param` of the comment before the line of an offset.
fn described_words(text: &str, offset: TextSize) -> impl Iterator<Item = SplitWhitespace<'_>> {
    let lines = preceding_comment(text, offset);
    let described = lines.filter_map(|it| {
        it.trim_start_matches('#')
            .trim_start()
            .strip_prefix("@param")
    });
    described.map(str::split_whitespace)
}

fn parameters(definition: &Definition) -> impl Iterator<Item = Parameter> {
    let lists = definition.syntax().children();
    let lists = lists.filter(|it| it.kind() == SyntaxKind::PARAMETER_LIST);
    lists
        .flat_map(|it| it.children())
        .filter_map(Parameter::cast)
}

/// Adds the names of a new parameter: those that the comment describes already, or any name.
pub(super) fn parameter_names(acc: &mut Candidates<'_, '_>) {
    let mut described: Vec<String> = Vec::new();
    if let Some(definition) = &acc.cursor.definition {
        let known: Vec<String> = parameters(definition).filter_map(|it| it.name()).collect();
        let start = definition.syntax().text_range().start();
        let words = described_words(acc.cursor.text, start + TextSize::new(1));
        let names = words.filter_map(|mut it| it.next());
        let new = names.filter(|name| !known.iter().any(|it| it == name));
        described.extend(new.map(str::to_owned));
    }
    for name in described {
        acc.add(Candidate::new(
            CompletionKind::Parameter,
            format!("${name}"),
        ));
    }
    if acc.matches.is_empty() {
        let candidate = Candidate::new(CompletionKind::Parameter, "$name");
        acc.add(candidate.snippet("\\$${1:name}"));
    }
}

/// Returns the lines of the comment before the line of the cursor.
fn preceding_comment(text: &str, offset: TextSize) -> impl Iterator<Item = &str> {
    let before = text[..usize::from(offset)].lines().rev().skip(1);
    before
        .map(str::trim_start)
        .take_while(|it| it.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use crate::completion::tests::{is_offered, offered};

    #[test]
    fn rules_in_comments_that_suppress_them() {
        assert!(is_offered("# pupil: ignore[<^>", "unknown-class"));
        assert!(is_offered(
            "$a = 1 # pupil: ignore[long-line, unk<^>",
            "unknown-class"
        ));
        assert!(!is_offered(
            "# pupil: ignore[long-line] <^>",
            "unknown-class"
        ));
        assert_eq!(offered("# lint:ignore:star_com<^>", 1), "star_comments");
        let second = "# lint:ignore:140chars lint:ignore:star_com<^>";
        assert_eq!(offered(second, 1), "star_comments");
        assert!(!is_offered("# lint:ignore:star_comments <^>", "140chars"));
        assert!(is_offered("$a = 1 # pupil:ignore[<^>]", "unknown-class"));
        assert!(!is_offered("# pupil: ignore[a] [<^>", "unknown-class"));
    }

    #[test]
    fn rules_that_report_something_come_first() {
        let above = "class a {\n  # pupil: ignore[<^>]\n  notice($nope)\n}";
        assert_eq!(offered(above, 1), "unknown-variable");
        let beside = "class a {\n  notice($nope) # pupil: ignore[<^>\n}";
        assert_eq!(offered(beside, 1), "unknown-variable");
        let beyond = "class a {\n  # pupil: ignore[<^>]\n\n  notice($nope)\n}";
        assert_ne!(offered(beyond, 1), "unknown-variable");
        let part = "class a {\n  # pupil: ignore[unkn<^>\n  notice($nope)\n}";
        assert_eq!(offered(part, 1), "unknown-variable");
    }

    #[test]
    fn the_word_that_suppresses_rules() {
        let code = "class a {\n  # pupil: ig<^>\n  notice($nope)\n}";
        assert_eq!(
            offered(code, 9),
            "ignore[unknown-variable], ignore[…] as ignore["
        );
        assert_eq!(offered("# pupil: <^>\n", 9), "ignore[…] as ignore[");
        assert_eq!(offered("# pupil:<^>\n", 9), "ignore[…] as ignore[");
        for code in [
            "# pupil: ignore <^>",
            "# pupil: ignore[a] <^>",
            "# a pupil <^>",
        ] {
            assert_eq!(offered(code, 9), "", "{code}");
        }
    }
}
