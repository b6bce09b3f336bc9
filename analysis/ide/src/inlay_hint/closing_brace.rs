//! Labels at the closing braces of long blocks.

use syntax::ast::{AstNode, CallExpr, CaseExpr, Definition, IfExpr, MethodCall, ResourceExpr};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, TextRange, WalkEvent};

use super::super::markdown::{code_block, header};
use super::super::text::{LineIndex, excerpt};
use super::{HintKind, HintSubject, HintWithSubject, InlayHint};

/// The maximum length of a label, in characters. Longer ones are not shown.
const MAX_LENGTH: usize = 40;

/// Returns the hints at closing braces in a range, for blocks that end at least `min_lines` lines after they start.
pub(super) fn closing_braces<'db>(
    root: &SyntaxNode,
    text: &str,
    lines: &LineIndex,
    range: TextRange,
    min_lines: u32,
) -> Vec<HintWithSubject<'db>> {
    let mut found: Vec<HintWithSubject<'db>> = Vec::new();
    let mut walk = root.preorder();
    while let Some(event) = walk.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        let all = node.text_range();
        let (first, last) = lines.lines(all);
        let is_long = last - first >= min_lines as usize;
        if !is_long || all.intersect(range).is_none() {
            walk.skip_subtree();
            continue;
        }
        let Some(end) = brace(&node).filter(|it| range.contains_inclusive(it.end())) else {
            continue;
        };
        let is_taken = found.iter().any(|it| it.hint.offset == end.end());
        let (false, true, Some(label)) = (is_taken, ends_line(text, end), label(&node)) else {
            continue;
        };
        found.push(HintWithSubject {
            hint: InlayHint {
                offset: end.end(),
                label,
                kind: HintKind::ClosingBrace,
            },
            subject: HintSubject::ClosingBrace(node),
        });
    }
    found
}

/// Returns the tooltip: the first line, or the signature of a definition.
pub(super) fn tooltip(node: &SyntaxNode) -> String {
    if Definition::can_cast(node.kind()) {
        return code_block(&header(node));
    }
    let text = node.text().to_string();
    code_block(text.lines().next().unwrap_or_default().trim_end())
}

/// Returns the range of the closing brace at the end of a node.
fn brace(node: &SyntaxNode) -> Option<TextRange> {
    let last = node.last_token()?;
    (last.kind() == SyntaxKind::R_BRACE).then(|| last.text_range())
}

/// Checks whether the brace is last on its line. A comment after it may already serve as a label.
fn ends_line(text: &str, brace: TextRange) -> bool {
    let after = text.get(usize::from(brace.end())..).unwrap_or_default();
    let line = after.lines().next().unwrap_or_default();
    line.trim().is_empty()
}

/// Returns the label for the end of a node, if it fits.
fn label(node: &SyntaxNode) -> Option<String> {
    full_label(node).filter(|it| it.chars().count() <= MAX_LENGTH)
}

fn full_label(node: &SyntaxNode) -> Option<String> {
    match node.kind() {
        SyntaxKind::CASE_EXPR => {
            let subject = CaseExpr::cast(node.clone())?.subject()?;
            Some(format!("case {}", excerpt(subject.syntax())))
        }
        SyntaxKind::IF_EXPR => {
            // The label would be wrong at the end of `else`.
            let found = IfExpr::cast(node.clone())?;
            let condition = found
                .condition()
                .filter(|_| found.else_clause().is_none())?;
            Some(format!("if {}", excerpt(condition.syntax())))
        }
        SyntaxKind::RESOURCE_EXPR => resource(&ResourceExpr::cast(node.clone())?),
        SyntaxKind::CALL_EXPR => {
            let name = CallExpr::cast(node.clone())?.name_token()?;
            Some(name.text().to_owned())
        }
        SyntaxKind::METHOD_CALL => {
            let name = MethodCall::cast(node.clone())?.name_token()?;
            Some(format!(".{}", name.text()))
        }
        _ => definition(node),
    }
}

fn resource(resource: &ResourceExpr) -> Option<String> {
    let first = resource.syntax().first_token()?;
    let mut bodies = resource.bodies();
    let title = bodies.next()?.title()?;
    let with_title = format!("{} {}", first.text(), excerpt(title.syntax()));
    let is_complete = bodies.next().is_none() && with_title.chars().count() <= MAX_LENGTH;
    Some(match is_complete {
        true => with_title,
        false => first.text().to_owned(),
    })
}

/// Returns the keyword and name of a definition.
fn definition(node: &SyntaxNode) -> Option<String> {
    let definition = Definition::cast(node.clone())?;
    let keyword = node
        .children_with_tokens()
        .filter_map(NodeOrToken::into_token)
        .find(|it| it.kind().is_keyword())?;
    let name = match &definition {
        Definition::NodeDefinition(it) => {
            let names: Vec<_> = it.host_names().map(|it| excerpt(it.syntax())).collect();
            names.join(", ")
        }
        _ => definition.name()?.text(),
    };
    Some(format!("{} {name}", keyword.text()))
}
