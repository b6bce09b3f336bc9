//! Classifies names by their syntactic position.

use library::KnownFunction;
use syntax::ast::{AstNode, CallExpr, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange, TextSize};

use super::TokenSink;
use crate::SemanticKind;

/// Checks whether a node of this kind is a definition, which has its own scope.
pub(super) fn is_definition(kind: SyntaxKind) -> bool {
    syntax::ast::Definition::can_cast(kind)
}

/// Adds the tokens of a name, bare word or type name.
pub(super) fn name(token: &SyntaxToken, out: &mut TokenSink) {
    let Some(parent) = token.parent() else {
        return;
    };
    let range = token.text_range();
    match parent.kind() {
        SyntaxKind::DEFINITION_NAME => match declared_kind(&parent) {
            Some(kind) => qualified(token, kind, true, out),
            None => qualified(token, SemanticKind::Class, false, out),
        },
        SyntaxKind::METHOD_CALL => out.add(range, SemanticKind::Method),
        SyntaxKind::ATTRIBUTE => out.add(range, SemanticKind::Property),
        SyntaxKind::QUALIFIED_NAME => match role(&parent) {
            NameRole::Text => out.add(range, SemanticKind::String),
            NameRole::Key => out.add(range, SemanticKind::Property),
            NameRole::Function => qualified(token, SemanticKind::Function, false, out),
            NameRole::Type => qualified(token, SemanticKind::Type, false, out),
            NameRole::Class => qualified(token, SemanticKind::Class, false, out),
        },
        _ if token.kind() == SyntaxKind::CLASSREF => {
            qualified(token, SemanticKind::Type, false, out);
        }
        _ => out.add(range, SemanticKind::String),
    }
}

/// Adds the token of a keyword, which is a plain name in some positions.
pub(super) fn keyword(token: &SyntaxToken, out: &mut TokenSink) {
    let parent = token.parent();
    let kind = match parent.as_ref().map(SyntaxNode::kind) {
        Some(SyntaxKind::ATTRIBUTE) => SemanticKind::Property,
        Some(SyntaxKind::CALL_EXPR) => SemanticKind::Function,
        Some(SyntaxKind::METHOD_CALL) => SemanticKind::Method,
        Some(SyntaxKind::DEFINITION_NAME) => SemanticKind::Class,
        Some(SyntaxKind::KEYWORD_WORD) => match parent.as_ref().map(role) {
            Some(NameRole::Key) => SemanticKind::Property,
            _ => SemanticKind::String,
        },
        _ => SemanticKind::Keyword,
    };
    out.add(token.text_range(), kind);
}

/// Checks whether a quoted string names a class: a title in `class { … }`, an argument of `include`
/// or a key of `Class[…]`.
pub(super) fn is_class_name(string: &SyntaxNode) -> bool {
    role(string) == NameRole::Class
}

/// Adds the namespace before the last `::`, then the rest of the name.
pub(super) fn qualified(
    token: &SyntaxToken,
    kind: SemanticKind,
    declares: bool,
    out: &mut TokenSink,
) {
    let range = token.text_range();
    qualified_text(token.text(), range, kind, declares, out);
}

/// Like [`qualified`], for a name that is part of a token.
pub(super) fn qualified_text(
    name: &str,
    range: TextRange,
    kind: SemanticKind,
    declares: bool,
    out: &mut TokenSink,
) {
    let mut last = range;
    if let Some(colons) = name.rfind("::") {
        let size = |at: usize| TextSize::new(at as u32);
        let leading = if name.starts_with("::") { 2 } else { 0 };
        if colons > leading {
            let space = TextRange::new(range.start() + size(leading), range.start() + size(colons));
            out.add(space, SemanticKind::Namespace);
        }
        last = TextRange::new(range.start() + size(colons + 2), range.end());
    }
    if declares {
        out.declare(last, kind);
    } else {
        out.add(last, kind);
    }
}

/// Returns the kind of symbol that a definition name declares, or `None` for the name after
/// `inherits`.
fn declared_kind(name: &SyntaxNode) -> Option<SemanticKind> {
    Some(match name.parent()?.kind() {
        SyntaxKind::CLASS_DEFINITION => SemanticKind::Class,
        SyntaxKind::DEFINE_DEFINITION | SyntaxKind::TYPE_ALIAS | SyntaxKind::TYPE_DEFINITION => {
            SemanticKind::Type
        }
        SyntaxKind::FUNCTION_DEFINITION | SyntaxKind::PLAN_DEFINITION => SemanticKind::Function,
        _ => return None,
    })
}

/// The role of a name or string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NameRole {
    /// A value.
    Text,
    /// A hash key or the name of an attribute.
    Key,
    /// A function that is called.
    Function,
    /// A resource type.
    Type,
    /// A class.
    Class,
}

fn role(word: &SyntaxNode) -> NameRole {
    let Some(parent) = word.parent() else {
        return NameRole::Text;
    };
    let is_first = word.prev_sibling().is_none();
    match parent.kind() {
        SyntaxKind::CALL_EXPR if is_first => NameRole::Function,
        SyntaxKind::RESOURCE_EXPR | SyntaxKind::UNTITLED_RESOURCE if is_first => NameRole::Type,
        SyntaxKind::HASH_ENTRY if is_first => NameRole::Key,
        SyntaxKind::BINARY_EXPR if is_first && is_in_query(&parent) => NameRole::Key,
        _ if names_class(word) => NameRole::Class,
        _ => NameRole::Text,
    }
}

/// The maximum number of ancestors to inspect, which bounds the cost of adversarial input.
const MAX_CLIMB: usize = 32;

/// Checks whether a comparison is part of the query of a collector.
fn is_in_query(comparison: &SyntaxNode) -> bool {
    let mut ancestors = comparison.ancestors().skip(1).take(MAX_CLIMB);
    let outside =
        ancestors.find(|it| !matches!(it.kind(), SyntaxKind::BINARY_EXPR | SyntaxKind::PAREN_EXPR));
    outside.is_some_and(|it| it.kind() == SyntaxKind::COLLECT_QUERY)
}

fn names_class(word: &SyntaxNode) -> bool {
    let mut at = word.clone();
    for _ in 0..MAX_CLIMB {
        let Some(parent) = at.parent() else {
            return false;
        };
        match parent.kind() {
            SyntaxKind::ARRAY => at = parent,
            SyntaxKind::ARGUMENT_LIST => return parent.parent().is_some_and(|it| includes(&it)),
            SyntaxKind::RESOURCE_BODY => {
                let is_title = at.prev_sibling().is_none();
                return is_title && parent.parent().is_some_and(|it| declares_class(&it));
            }
            SyntaxKind::ACCESS_KEYS => {
                let base = parent.prev_sibling();
                return base.is_some_and(|it| {
                    it.kind() == SyntaxKind::QUALIFIED_REFERENCE && it.text() == "Class"
                });
            }
            _ => return false,
        }
    }
    false
}

fn includes(call: &SyntaxNode) -> bool {
    CallExpr::cast(call.clone())
        .and_then(|it| it.name_token())
        .and_then(|it| KnownFunction::from_name(it.text()))
        .is_some_and(KnownFunction::names_classes)
}

fn declares_class(resource: &SyntaxNode) -> bool {
    ResourceExpr::cast(resource.clone()).is_some_and(|it| it.class_keyword().is_some())
}
