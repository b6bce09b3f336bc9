//! Strings that may be names: `$class = 'a::b'`, and the templates in strings that mention them. Such a string does not
//! count as an occurrence of a name, as its value may be used for anything.

use salsa::Database;
use syntax::ast::{AstNode, Definition, QualifiedName, StringLiteral};
use syntax::{SyntaxKind, SyntaxNode, TextSize, WalkEvent};

use hir::{Item, canonical_name};

/// A string of an item that may contain a name.
pub(crate) enum NameString {
    /// A literal string or a bare word, with its value.
    Literal(SyntaxNode, String),
    /// The source of a template.
    Template(SyntaxNode),
}

/// Returns the strings of an item that may be names, or may be templates with names.
pub(crate) fn name_strings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<NameString> {
    let root = item.syntax(db);
    let mut found = Vec::new();
    let mut walk = root.preorder();
    while let Some(event) = walk.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        if node != root && Definition::can_cast(node.kind()) {
            walk.skip_subtree();
            continue;
        }
        found.extend(name_string(node));
    }
    found
}

fn name_string(node: SyntaxNode) -> Option<NameString> {
    let value = match node.kind() {
        SyntaxKind::QUALIFIED_NAME => QualifiedName::cast(node.clone())?.text(),
        SyntaxKind::STRING => StringLiteral::cast(node.clone())?.value(),
        SyntaxKind::INTERPOLATED_STRING | SyntaxKind::HEREDOC_BODY => String::new(),
        _ => return None,
    };
    if is_name(&value) {
        return Some(NameString::Literal(node, value));
    }
    let is_template = node.text().contains_char('<') && node.text().to_string().contains("<%");
    is_template.then_some(NameString::Template(node))
}

/// Checks whether a string is a name, perhaps with a path after a dot.
fn is_name(text: &str) -> bool {
    let root = text.split('.').next().unwrap_or_default();
    let mut parts = root.strip_prefix("::").unwrap_or(root).split("::");
    parts.all(is_word)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

fn is_word_char(it: char) -> bool {
    it.is_ascii_alphanumeric() || matches!(it, '_' | '-')
}

/// Returns the qualified names in the source of a template, without a leading `::`, with their offsets.
pub(crate) fn qualified_names(text: &str) -> impl Iterator<Item = (TextSize, &str)> {
    let is_part = |it: char| is_word_char(it) && it != '-' || it == ':';
    let parts = text.split(move |it| !is_part(it));
    parts.filter_map(move |it| {
        let name = it.trim_matches(':');
        let at = name.as_ptr() as usize - text.as_ptr() as usize;
        let is_qualified = name.contains("::");
        is_qualified.then(|| (TextSize::new(u32::try_from(at).unwrap_or(u32::MAX)), name))
    })
}

/// Returns the canonical names in the strings of an item, and the classes of those that are qualified.
pub(super) fn names_in_strings<'db>(db: &'db dyn Database, item: Item<'db>) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |name: &str| {
        let name = canonical_name(name);
        let class = name.rsplit_once("::").map(|it| it.0.to_owned());
        found.push(name);
        found.extend(class);
    };
    for it in name_strings(db, item) {
        match it {
            NameString::Literal(_, value) => add(root_of(&value)),
            NameString::Template(node) => {
                let text = node.text().to_string();
                qualified_names(&text).for_each(|it| add(it.1));
            }
        }
    }
    found
}

/// Returns the part of a name before the first dot.
pub(crate) fn root_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}
