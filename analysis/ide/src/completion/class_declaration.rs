//! Completes the declaration of a class after its name: `class { 'x':` with the required parameters.

use syntax::ast::{AstNode, ResourceExpr};
use syntax::{SyntaxKind, TextSize};

use super::resource::AttributeInfo;
use super::{Candidate, Candidates};

/// The missing rest of `class { 'x`, as the position of the cursor requires it.
pub(super) struct RestOfDeclaration {
    /// The quote to insert before the name, if none is typed.
    open: &'static str,
    /// The quote that closes the name.
    close: char,
    /// The length of the closing quote and brace after the cursor, which an editor may have typed.
    replaced: TextSize,
    /// Whether the closing brace is on another line.
    is_closed: bool,
}

/// Returns what is missing after the name of a class. Returns `None` if there is code after it.
pub(super) fn rest_of_declaration(acc: &Candidates<'_, '_>) -> Option<RestOfDeclaration> {
    let cursor = acc.cursor;
    let after = &cursor.text[usize::from(cursor.offset)..];
    let line = after.lines().next().unwrap_or_default();
    let close = match acc.context.in_string {
        true => {
            let start = usize::from(acc.context.replace_range.start());
            cursor.text[..start].chars().next_back()?
        }
        false => '\'',
    };
    let rest = match acc.context.in_string {
        true => line.strip_prefix(close).unwrap_or(line),
        false => line,
    };
    let rest = rest.trim_end();
    if !matches!(rest.trim_start(), "" | "}") {
        return None;
    }
    let is_closed_here = rest.ends_with('}');
    Some(RestOfDeclaration {
        open: if acc.context.in_string { "" } else { "'" },
        close,
        replaced: TextSize::of(line.trim_end()),
        is_closed: !is_closed_here && is_closed_later(acc),
    })
}

/// Checks whether the resource at the cursor has a closing brace.
fn is_closed_later(acc: &Candidates<'_, '_>) -> bool {
    let mut outer = acc.cursor.token.parent_ancestors();
    let resource = outer.find_map(ResourceExpr::cast);
    resource.is_some_and(|it| {
        let mut tokens = it.syntax().children_with_tokens();
        tokens.any(|it| it.kind() == SyntaxKind::R_BRACE)
    })
}

impl RestOfDeclaration {
    /// Adds a snippet that declares the class with its required parameters.
    pub(super) fn complete(&self, candidate: Candidate, parameters: &[AttributeInfo]) -> Candidate {
        let RestOfDeclaration { open, close, .. } = self;
        let name = &candidate.label;
        let lines = attribute_lines(parameters, 1);
        let end = if self.is_closed { "" } else { "\n}" };
        let snippet = format!("{open}{name}{close}:\n{lines}{end}");
        Candidate {
            replaced_after: self.replaced,
            ..candidate.snippet(snippet)
        }
    }
}

/// Returns the lines of the required attributes as a snippet whose first placeholder has the number
/// `first`; a single empty place if there are none.
pub(super) fn attribute_lines(attributes: &[AttributeInfo], first: usize) -> String {
    let required = attributes.iter().filter(|it| it.required && !it.namevar);
    let names: Vec<&str> = required.map(|it| it.name.as_str()).collect();
    let width = names.iter().map(|it| it.len()).max();
    let Some(width) = width else {
        return "  $0".to_owned();
    };
    let lines = names.iter().zip(first..);
    let lines = lines.map(|(name, number)| format!("  {name:width$} => ${number},"));
    lines.collect::<Vec<_>>().join("\n")
}
