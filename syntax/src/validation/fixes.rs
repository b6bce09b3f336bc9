//! Fixes for the diagnostics of the static checks. The checks use the model, but fixes edit the
//! text, so they are derived from the tree.

use crate::ast::{AstNode, Attribute, CaseOption, HashEntry, SelectorEntry, SourceFile};
use crate::removal::element_removal;
use crate::removal::statement_removal;
use crate::{Applicability, Diagnostic, Fix, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

/// Adds the fixes to each diagnostic.
pub(super) fn add(file: &SourceFile, found: &mut [Diagnostic]) {
    for finding in found {
        finding.fixes = fixes(file.syntax(), finding);
    }
}

fn fixes(root: &SyntaxNode, finding: &Diagnostic) -> Vec<Fix> {
    let range = finding.range;
    if !root.text_range().contains_range(range) || range.is_empty() {
        return Vec::new();
    }
    let first = finding.related.first().map(|it| it.range);
    let found = match finding.code.0 {
        "DUPLICATE_KEY" => first.map(|it| duplicate_key(root, range, it)),
        "DUPLICATE_DEFAULT" => default(root, range),
        "ILLEGAL_ATTRIBUTE_APPEND" => append(root, range),
        "NOT_VIRTUALIZEABLE" | "CLASS_NOT_VIRTUALIZABLE" => virtual_(root, range),
        "RESERVED_WORD" => reserved(root, range),
        _ => None,
    };
    found.unwrap_or_default()
}

/// Returns the outermost view of a kind with exactly this range.
fn view<N: AstNode>(root: &SyntaxNode, range: TextRange) -> Option<N> {
    let element = root.covering_element(range);
    let node = element.as_node().cloned().or_else(|| element.parent())?;
    let around = node.ancestors().take_while(|it| it.text_range() == range);
    around.filter_map(N::cast).last()
}

fn text_of(node: &SyntaxNode) -> String {
    node.text().to_string()
}

/// Removes one of two entries; if they are identical, either.
fn duplicate_key(root: &SyntaxNode, again: TextRange, first: TextRange) -> Vec<Fix> {
    let entry = |range| view::<HashEntry>(root, range);
    let (Some(first), Some(again)) = (entry(first), entry(again)) else {
        return Vec::new();
    };
    let (first, again) = (first.syntax(), again.syntax());
    let remove = |label: &str, node| Fix::suggested(label, element_removal(node), "");
    if text_of(first) == text_of(again) {
        let fix = remove("Remove the duplicate entry", again);
        return vec![fix.with(Applicability::Safe)];
    }
    vec![
        remove("Remove the first entry", first),
        remove("Remove this entry", again),
    ]
}

/// Removes the unreachable option.
fn default(root: &SyntaxNode, range: TextRange) -> Option<Vec<Fix>> {
    let node = root.covering_element(range);
    let node = node.as_node().cloned().or_else(|| node.parent())?;
    let around = node.ancestors().take(3).collect::<Vec<_>>();
    let option = around.iter().cloned().find_map(CaseOption::cast);
    let range = match option {
        Some(it) if it.values().count() == 1 => statement_removal(it.syntax()),
        Some(_) => element_removal(&node),
        None => {
            let entry = around.iter().cloned().find_map(SelectorEntry::cast)?;
            element_removal(entry.syntax())
        }
    };
    let label = "Remove the duplicate `default`";
    Some(vec![Fix::suggested(label, range, "")])
}

fn append(root: &SyntaxNode, range: TextRange) -> Option<Vec<Fix>> {
    let operator = view::<Attribute>(root, range)?.operator()?;
    let label = "Replace with `=>`";
    Some(vec![Fix::suggested(label, operator.text_range(), "=>")])
}

fn virtual_(root: &SyntaxNode, range: TextRange) -> Option<Vec<Fix>> {
    let start = root.token_at_offset(range.start()).right_biased()?;
    let is_mark = |it: &SyntaxToken| it.kind().is_trivia() || matches!(it.text(), "@" | "@@");
    let tokens = std::iter::successors(Some(start.clone()), SyntaxToken::next_token);
    let marks = tokens.take_while(is_mark).last()?;
    let marks = TextRange::new(range.start(), marks.text_range().end());
    let label = format!("Remove `{}`", start.text());
    Some(vec![Fix::suggested(label, marks, "")])
}

/// Turns the word into a string.
fn reserved(root: &SyntaxNode, range: TextRange) -> Option<Vec<Fix>> {
    let word = root.covering_element(range);
    let node = word.as_node().cloned().or_else(|| word.parent())?;
    if node.kind() != SyntaxKind::RESERVED_WORD || node.text_range() != range {
        return None;
    }
    let text = text_of(&node);
    let word = text.trim();
    let label = format!("Put quotes around `{word}`");
    Some(vec![Fix::suggested(label, range, format!("'{word}'"))])
}
