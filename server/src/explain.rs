//! `pupil explain`: prints the documentation of a rule or an issue code.

use std::io::Write;
use std::process::ExitCode;

use analysis::rules::{self, Group, Rule, RuleFixes};

use crate::args::ExplainArgs;
use crate::config::Level;
use crate::issue_codes;
use crate::phrases::list;
use crate::rule_names::unknown_rule;
use crate::terminal::{self, Failure};

/// Prints the documentation of a rule, a group or an issue code, or a summary of all rules.
pub(crate) fn run(arguments: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut out = terminal::stdout();
    match arguments.code.as_deref() {
        None => out.write_all(summaries(rules::all()).as_bytes())?,
        Some(code) => {
            let found = rules::rule(code).map(page);
            let found = found.or_else(|| Group::from_name(code).map(group_page));
            match found.or_else(|| issue_codes::page(&code.to_uppercase())) {
                Some(page) => out.write_all(page.as_bytes())?,
                None => return Err(Failure::Message(unknown_rule(code))),
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a line for each rule: its code, its level and what it reports.
fn summaries(rules: impl Iterator<Item = &'static Rule>) -> String {
    let rules: Vec<&Rule> = rules.collect();
    let width = rules.iter().map(|it| it.code.len()).max().unwrap_or(0);
    let line = |rule: &&Rule| {
        let (code, level) = (rule.code, Level::default_for(rule).name());
        format!("{code:width$} {level:8} {}\n", rule.summary())
    };
    rules.iter().map(line).collect()
}

/// Returns the page of a group: how to change its level, and its rules.
fn group_page(group: Group) -> String {
    let name = group.name();
    let (state, other, level) = match group.is_on_by_default() {
        true => ("on", "off", "off"),
        false => ("off", "on", "warning"),
    };
    let rules = summaries(rules::all().filter(|it| it.group == group));
    format!(
        "# {name}\n\nA group of rules, which is {state} by default. To turn it {other} for a project, add this to \
         `pupil.toml`:\n\n```toml\n[rules]\n{name} = \"{level}\"\n```\n\n{}## Rules\n\n{rules}",
        named_only(group)
    )
}

/// Returns a paragraph about the rules of a group that the group does not turn on.
fn named_only(group: Group) -> String {
    let off = rules::all().filter(|it| it.group == group && it.is_off);
    let names: Vec<String> = off.map(|it| format!("`{}`", it.code)).collect();
    match group.is_on_by_default() || names.is_empty() {
        true => String::new(),
        false => format!(
            "The group does not turn on these rules, which are only on if they are configured by name: {}.\n\n",
            list(names)
        ),
    }
}

/// Returns the page of a rule, with its level, fix and version below the title.
fn page(rule: &Rule) -> String {
    let page = rule.page();
    let (title, text) = page.split_once("\n\n").unwrap_or((&page, ""));
    let level = Level::default_for(rule).name();
    let (fix, since) = (fix(rule), rule.since);
    let group = match rule.group {
        Group::Correctness => String::new(),
        group => format!(" Group: `{}`.", group.name()),
    };
    let checks: Vec<String> = rule
        .puppet_lint
        .iter()
        .map(|it| format!("`{it}`"))
        .collect();
    let checks = match checks.as_slice() {
        [] => String::new(),
        checks => format!(" In puppet-lint: {}.", checks.join(", ")),
    };
    let text = with_book_links(text, issue_codes::book());
    format!(
        "{title}\n\nDefault level: `{level}`.{group} Fix: {fix}. Since {since}.{checks}\n\n{text}"
    )
}

/// Replaces relative links to chapters of the book by links to its address, or by their text if that is unknown.
fn with_book_links(text: &str, book: Option<&str>) -> String {
    let mut parts = text.split("](../");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or((part, ""));
        if let Some(book) = book {
            let target = target.replacen(".md", ".html", 1);
            out.push_str(&format!("]({book}/{target})"));
        } else if let Some(label) = out.rfind('[') {
            out.remove(label);
        }
        out.push_str(rest);
    }
    out
}

/// Returns the best fix that a rule offers: `safe` (applied by `--fix`), `suggested` or `none`.
pub(crate) fn fix(rule: &Rule) -> &'static str {
    match rule.fixes() {
        RuleFixes { safe: true, .. } => "safe",
        RuleFixes {
            suggested: true, ..
        } => "suggested",
        _ => "none",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_one_line_summary() {
        for rule in rules::all() {
            let line = rule.summary();
            let good = line.ends_with(['.', ':']) && !line.contains('\n') && line.len() < 200;
            assert!(good, "{}: {line:?}", rule.code);
        }
    }

    #[test]
    fn page_shows_level_and_fix() {
        let rule = |code| rules::rule(code).expect("a rule");
        let of = |code| page(rule(code));
        let begin = "# duplicate-attribute\n\nDefault level: `error`. Fix: safe. Since 0.1.0. In puppet-lint: \
                     `duplicate_params`.\n\n";
        let whole = of("duplicate-attribute");
        let rest = whole.strip_prefix(begin).expect(&whole);
        assert!(rule("duplicate-attribute").page().ends_with(rest));
        assert!(of("possible-mismatch").contains("\nDefault level: `off`."));
        assert!(of("unknown-class").contains(" Fix: suggested."));
        assert!(of("unreachable-code").contains("`warning`. Fix: none."));
    }

    #[test]
    fn links_to_the_book_are_absolute() {
        let text = "See `a[1]` and [Catalogs](../catalogs.md#nodes), or [Rules](../rules.md).";
        assert_eq!(
            with_book_links(text, Some("https://example.com/book")),
            "See `a[1]` and [Catalogs](https://example.com/book/catalogs.html#nodes), or \
             [Rules](https://example.com/book/rules.html)."
        );
        assert_eq!(
            with_book_links(text, None),
            "See `a[1]` and Catalogs, or Rules."
        );
    }

    #[test]
    fn groups_show_their_rules() {
        let page = group_page(Group::Security);
        let begin = "# security\n\nA group of rules, which is off by default. To turn it on for a project, add this \
                     to `pupil.toml`:\n\n```toml\n[rules]\nsecurity = \"warning\"\n```\n\nThe group does not turn \
                     on these rules, which are only on if they are configured by name: `unsafe-command`.\n\n\
                     ## Rules\n\n";
        let rules = page.strip_prefix(begin).expect(&page);
        assert!(rules.contains("setuid-file "), "{page}");
        assert!(!rules.contains("trailing-blanks "), "{page}");
    }

    #[test]
    fn aliases_show_the_page_of_the_rule() {
        let rule = rules::rule("unknown-group").expect("it is an alias");
        assert!(page(rule).starts_with("# unknown-capture-group\n"));
    }
}
