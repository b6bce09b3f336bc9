//! Insertion of list elements in the layout of the preceding ones.

use syntax::ast::{AstNode, Attribute, AttributeOperation, CaseOption, ResourceBody};
use syntax::{Edit, SyntaxKind, SyntaxNode, TextRange, tokens_after};

/// Returns the edit that adds an attribute after the last one of a resource body, aligning the
/// arrows, or after the title if there are no attributes.
pub(crate) fn attribute_insertion(body: &ResourceBody, name: &str, value: &str) -> Option<Edit> {
    attributes_insertion(body, &[(name, value)])
}

/// Returns the edit that adds attributes in this order, see [`attribute_insertion`].
pub fn attributes_insertion(body: &ResourceBody, added: &[(&str, &str)]) -> Option<Edit> {
    match body.operations().last() {
        None => {
            let texts = added
                .iter()
                .map(|(name, value)| format!("{name} => {value}"));
            insertion_after_title(body, &texts.collect::<Vec<_>>().join(", "))
        }
        Some(AttributeOperation::Attribute(last)) => {
            let blanks = |name: &str| match indent(last.syntax()) {
                Some(_) => arrow_offset(&last).saturating_sub(name.len()).max(1),
                None => 1,
            };
            let texts = added
                .iter()
                .map(|(name, value)| format!("{name}{}=> {value}", " ".repeat(blanks(name))));
            Some(elements_insertion(
                last.syntax(),
                &texts.collect::<Vec<_>>(),
            ))
        }
        // The splatted hash may already contain the attribute.
        Some(AttributeOperation::AttributeSplat(_)) => None,
    }
}

/// Returns the edit that adds an element after the last one of a comma-separated list. It goes on a
/// separate line, and has a trailing comma, if the last one does.
pub fn element_insertion(last: &SyntaxNode, text: &str) -> Edit {
    elements_insertion(last, &[text.to_owned()])
}

/// Returns the edit that adds elements in this order, see [`element_insertion`].
fn elements_insertion(last: &SyntaxNode, texts: &[String]) -> Edit {
    let comma = tokens_after(last).find(|it| !it.kind().is_trivia());
    let comma = comma.filter(|it| it.kind() == SyntaxKind::COMMA);
    let end = comma
        .as_ref()
        .map_or(last.text_range(), |it| it.text_range());
    let (before, after) = match comma {
        Some(_) => ("", ","),
        None => (",", ""),
    };
    let blanks = indent(last).map_or(" ".to_owned(), |it| format!("\n{it}"));
    let elements = texts.join(&format!(",{blanks}"));
    Edit {
        range: TextRange::empty(end.end()),
        text: format!("{before}{blanks}{elements}{after}"),
    }
}

/// Returns the edit that adds an option after the last one of a `case`.
pub(crate) fn option_insertion(last: &CaseOption, text: &str) -> Edit {
    let last = last.syntax();
    let blanks = indent(last).map_or(" ".to_owned(), |it| format!("\n{it}"));
    Edit {
        range: TextRange::empty(last.text_range().end()),
        text: format!("{blanks}{text}"),
    }
}

/// Returns the edit that inserts after the colon of the title.
fn insertion_after_title(body: &ResourceBody, text: &str) -> Option<Edit> {
    let title = body.title()?;
    let colon = tokens_after(title.syntax()).find(|it| !it.kind().is_trivia())?;
    if colon.kind() != SyntaxKind::COLON {
        return None;
    }
    let next = colon.next_token();
    let is_tight = next.is_some_and(|it| it.kind() != SyntaxKind::WHITESPACE);
    let end = if is_tight { " " } else { "" };
    Some(Edit {
        range: TextRange::empty(colon.text_range().end()),
        text: format!(" {text}{end}"),
    })
}

/// Returns the distance from the start of an attribute's name to its arrow.
fn arrow_offset(attribute: &Attribute) -> usize {
    let name = attribute.name_token().map(|it| it.text_range());
    let arrow = attribute.operator().map(|it| it.text_range());
    match (name, arrow) {
        (Some(name), Some(arrow)) => usize::from(arrow.start() - name.start()),
        _ => 0,
    }
}

/// Returns the indentation of a node that is the first on its line.
fn indent(node: &SyntaxNode) -> Option<String> {
    let before = node.first_token()?.prev_token()?;
    let (_, blanks) = before.text().rsplit_once('\n')?;
    let is_blank = blanks.chars().all(|it| matches!(it, ' ' | '\t'));
    is_blank.then(|| blanks.to_owned())
}
