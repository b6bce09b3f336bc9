//! The words of real code that a user types and that exist before, so that a completion can know them.
//!
//! Words that are new are left out: names in definitions, assigned variables, titles, numbers, and
//! strings that occur neither a second time in their file nor in several other files.

use std::collections::BTreeMap;

use analysis::library;
use syntax::ast::{AccessExpr, AstNode, Attribute, CallExpr, Expr, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum WordKind {
    Keyword,
    Variable,
    Attribute,
    Value,
    ResourceType,
    Reference,
    Title,
    DataType,
    Function,
    Class,
    Key,
}

/// A word and its position, without a dollar sign or quotes.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) kind: WordKind,
    pub(crate) range: TextRange,
}

/// The number of files that contain a string.
pub(crate) type StringFiles = BTreeMap<String, usize>;

/// The number of files from which on a string is common.
const COMMON: usize = 4;

/// Counts the strings of a file.
pub(crate) fn strings(root: &SyntaxNode) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for token in tokens(root).filter(is_quoted) {
        *found.entry(content(&token).to_owned()).or_default() += 1;
    }
    found
}

/// Returns the words of a file.
pub(crate) fn words(root: &SyntaxNode, files: &StringFiles) -> Vec<Word> {
    let here = strings(root);
    let is_known = |token: &SyntaxToken| {
        let text = content(token);
        here.get(text).is_some_and(|it| *it > 1) || files.get(text).is_some_and(|it| *it >= COMMON)
    };
    let words = tokens(root).filter_map(|token| {
        let kind = word_kind(&token)?;
        if is_quoted(&token) && !(is_word(content(&token), kind) && is_known(&token)) {
            return None;
        }
        let range = token.text_range();
        let (start, end) = match token.kind() {
            _ if is_quoted(&token) => (1, 1),
            _ if token.text().starts_with('$') => (1, 0),
            _ => (0, 0),
        };
        let range = TextRange::new(
            range.start() + TextSize::new(start),
            range.end() - TextSize::new(end),
        );
        Some(Word { kind, range })
    });
    words.collect()
}

fn tokens(root: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    root.descendants_with_tokens()
        .filter_map(|it| it.into_token())
}

fn is_quoted(token: &SyntaxToken) -> bool {
    let kinds = [SyntaxKind::SINGLE_QUOTED, SyntaxKind::DOUBLE_QUOTED];
    kinds.contains(&token.kind())
}

/// Returns the text between the quotes.
fn content(token: &SyntaxToken) -> &str {
    token.text().trim_matches(['\'', '"'])
}

/// Checks whether the content of a string is one word, or a title without whitespace.
fn is_word(text: &str, kind: WordKind) -> bool {
    if kind == WordKind::Title {
        return !text.is_empty() && !text.contains([' ', '\n', '\\']);
    }
    let mut letters = text.trim_start_matches("::").chars();
    letters.next().is_some_and(|it| it.is_ascii_alphabetic())
        && letters.all(|it| it.is_ascii_alphanumeric() || "_-:".contains(it))
}

fn word_kind(token: &SyntaxToken) -> Option<WordKind> {
    use SyntaxKind::*;
    let node = token.parent()?;
    let parent = node.parent()?;
    Some(match (token.kind(), node.kind()) {
        (_, ATTRIBUTE) if Attribute::cast(node.clone())?.name_token().as_ref() == Some(token) => {
            WordKind::Attribute
        }
        (VARIABLE, VARIABLE_EXPR) if is_read(token, &node, &parent) => WordKind::Variable,
        (NAME | TYPE_KW, METHOD_CALL) => WordKind::Function,
        (NAME, DEFINITION_NAME) if parent.kind() == INHERITS => WordKind::Class,
        (kind, _) if kind.is_keyword() && node.kind() != DEFINITION_NAME => WordKind::Keyword,
        (CLASSREF, QUALIFIED_REFERENCE) => reference_kind(token, &node),
        (NAME | WORD, QUALIFIED_NAME) => name_kind(&node, &parent)?,
        (SINGLE_QUOTED | DOUBLE_QUOTED, STRING) => name_kind(&node, &parent)?,
        _ => return None,
    })
}

fn is_read(token: &SyntaxToken, node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    let is_assigned = parent.kind() == SyntaxKind::ASSIGNMENT && node.prev_sibling().is_none();
    let name = token.text().trim_start_matches('$');
    !is_assigned && !name.starts_with(|it: char| it.is_ascii_digit())
}

fn reference_kind(token: &SyntaxToken, node: &SyntaxNode) -> WordKind {
    use SyntaxKind::*;
    let is_type = |it: SyntaxNode| matches!(it.kind(), PARAMETER | RETURN_TYPE | TYPE_ALIAS);
    let is_type = node.ancestors().any(is_type);
    match is_type || analysis::types::reader::is_data_type(&token.text().to_ascii_lowercase()) {
        true => WordKind::DataType,
        false => WordKind::Reference,
    }
}

/// Returns the kind of a bare word or a string.
fn name_kind(node: &SyntaxNode, parent: &SyntaxNode) -> Option<WordKind> {
    use SyntaxKind::*;
    let is_first = node.prev_sibling().is_none();
    Some(match parent.kind() {
        CALL_EXPR if is_first && node.kind() == QUALIFIED_NAME => WordKind::Function,
        RESOURCE_EXPR if is_first => WordKind::ResourceType,
        RESOURCE_BODY if is_first => {
            let resource = parent.parent().and_then(ResourceExpr::cast)?;
            resource.class_keyword().map(|_| WordKind::Class)?
        }
        ARGUMENT_LIST => argument_kind(parent),
        ARRAY => match parent.parent()? {
            it if it.kind() == ARGUMENT_LIST => argument_kind(&it),
            // An array of titles.
            it if it.kind() == RESOURCE_BODY && parent.prev_sibling().is_none() => return None,
            _ => WordKind::Value,
        },
        ACCESS_KEYS => match AccessExpr::cast(parent.parent()?)?.base()? {
            Expr::QualifiedReference(it) if it.text() == "Class" => WordKind::Class,
            Expr::QualifiedReference(it) => {
                let is_data_type =
                    analysis::types::reader::is_data_type(&it.text().to_ascii_lowercase());
                (!is_data_type).then_some(WordKind::Title)?
            }
            _ => WordKind::Key,
        },
        HASH_ENTRY if is_first => WordKind::Key,
        HASH_ENTRY | ATTRIBUTE | CASE_OPTION | SELECTOR_ENTRY | BINARY_EXPR | PARAMETER
        | ASSIGNMENT => WordKind::Value,
        _ => return None,
    })
}

fn argument_kind(list: &SyntaxNode) -> WordKind {
    let call = list.parent().and_then(CallExpr::cast);
    let name = call.and_then(|it| it.name_token());
    let name = name.as_ref().map_or("", |it| it.text());
    match library::KnownFunction::from_name(name).and_then(library::KnownFunction::names) {
        Some(library::NamedEntity::Class) => WordKind::Class,
        _ => WordKind::Value,
    }
}
