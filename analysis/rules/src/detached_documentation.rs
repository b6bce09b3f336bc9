//! Reports empty lines between a definition and its documentation, which Puppet Strings then does not read.

use hir::{Item, items, signature};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AstNode, Definition, DetachedDocumentation, detached_documentation};
use syntax::{Applicability, Edit, TextRange, TextSize};

use crate::checker::FileChecker;
use crate::parameter_docs::named_parameters;
use crate::rule::Rule;

/// Reports the definitions whose documentation is above an empty line.
pub(crate) fn check_definitions(checker: &mut FileChecker<'_>, rule: &'static Rule) {
    check(checker, rule, |_, _| true);
}

/// Reports the definitions some of whose parameters are documented above an empty line only.
pub(crate) fn check_parameters(checker: &mut FileChecker<'_>, rule: &'static Rule) {
    check(checker, rule, |checker, item| {
        let (attached, detached) = (item.doc(checker.db), item.detached_doc(checker.db));
        let (attached, detached) = (named_parameters(&attached), named_parameters(&detached));
        let only_detached: FxHashSet<&str> = detached.difference(&attached).copied().collect();
        let parameters = &signature(checker.db, item).parameters;
        parameters
            .iter()
            .any(|it| only_detached.contains(&*it.name))
    });
}

fn check(
    checker: &mut FileChecker<'_>,
    rule: &'static Rule,
    is_reported: impl Fn(&FileChecker<'_>, Item<'_>) -> bool,
) {
    let db = checker.db;
    let detached = items(db, checker.file).iter();
    let detached: Vec<Item<'_>> = detached
        .filter(|it| it.detached_comment(db).is_some())
        .copied()
        .collect();
    if detached.is_empty() {
        return;
    }
    let definitions = Definition::all_in(&checker.root());
    let start_of = |it: &Definition| it.syntax().text_range().start();
    let definitions: FxHashMap<TextSize, &Definition> =
        definitions.iter().map(|it| (start_of(it), it)).collect();
    for item in detached {
        if !is_reported(checker, item) {
            continue;
        }
        let start = item.offset(db);
        let definition = definitions.get(&start);
        let Some(found) = definition.and_then(|it| detached_documentation(it)) else {
            continue;
        };
        let range = item.in_file(db, signature(db, item).name_range);
        checker.report(rule, range, message(checker, item, range, &found));
        let text = checker.text;
        let edits = found.gaps.iter();
        let edits = edits.map(|it| joining_edit(text, *it, start == it.end()));
        let label = match found.gaps.len() {
            1 => "Remove the empty line",
            _ => "Remove the empty lines",
        };
        checker.fix(label, Applicability::Safe, edits.collect());
    }
}

fn message(
    checker: &FileChecker<'_>,
    item: Item<'_>,
    range: TextRange,
    found: &DetachedDocumentation,
) -> String {
    let kind = item.kind(checker.db).noun();
    let name = checker.text.get(std::ops::Range::<usize>::from(range));
    let name = name.unwrap_or_default();
    match found.has_attached {
        true => format!("an empty line interrupts the documentation of {kind} `{name}`"),
        false => format!("an empty line separates {kind} `{name}` from its documentation"),
    }
}

/// Returns the edit that removes empty lines above the definition, or replaces those between comments with `#`.
fn joining_edit(text: &str, gap: TextRange, is_above_definition: bool) -> Edit {
    let blanks = &text[std::ops::Range::<usize>::from(gap)];
    let line_break = if blanks.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let indent = blanks.rsplit('\n').next().unwrap_or_default();
    let line = format!("{line_break}{indent}");
    Edit {
        range: gap,
        text: match is_above_definition {
            true => line,
            false => format!("{line}#{line}"),
        },
    }
}
