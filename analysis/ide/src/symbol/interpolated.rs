//! Interpolated names: `include "web::${x}"`. They occur where a literal string would be a name; the
//! possible names depend on what is known of their parts.

use syntax::ast::{AstNode, Expr, HashEntry, InterpolatedString, Segment};
use syntax::{SyntaxKind, TextRange, TextSize};

use super::implicit_names::{entries, literal_string, resource_type};
use hir::canonical_name;
use library::{KnownFunction, NamedEntity};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InterpolatedName {
    /// The range in the tree of the item, including quotes.
    pub(crate) range: TextRange,
    /// The kind of entity that it names.
    pub(crate) kind: InterpolatedKind,
    /// The parts in order.
    pub(crate) parts: Vec<NamePart>,
    /// Whether the part before the first dot is literal.
    has_literal_root: bool,
}

/// The kind of entity that an [`InterpolatedName`] refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InterpolatedKind {
    /// A class.
    Class,
    /// A resource type.
    ResourceType,
    /// A function.
    Function,
    /// A plan.
    Plan,
    /// A class, type or function: `defined("…")`.
    Any,
    /// The root key of data; the part before the first dot.
    DataKey,
    /// A variable; the part before the first dot.
    Variable,
    /// A member of a class; the part before the last `::` is the name of the class.
    Member,
}

/// A part of an [`InterpolatedName`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NamePart {
    /// Literal text, in lower case.
    Text(String),
    /// The value of an expression, by its range in the tree of the item.
    Value(TextRange),
}

/// Returns the interpolated names among the arguments of a function; the receiver of a method call
/// is the first argument.
pub(super) fn in_call(function: &str, arguments: &[Expr]) -> Vec<InterpolatedName> {
    let first = arguments.get(..1).unwrap_or_default();
    let Some(known) = KnownFunction::from_name(function) else {
        return Vec::new();
    };
    match (known, known.names()) {
        (_, Some(NamedEntity::Class)) => interpolated_in(arguments, InterpolatedKind::Class),
        (KnownFunction::CreateResources, _) => {
            let mut found = interpolated_in(first, InterpolatedKind::ResourceType);
            let type_ = first.first().and_then(literal_string);
            if type_.is_some_and(|it| resource_type(&it.0) == "class") {
                let resources = arguments.get(1).map(entries).unwrap_or_default();
                let titles: Vec<_> = resources.iter().filter_map(HashEntry::key).collect();
                found.extend(interpolated_in(&titles, InterpolatedKind::Class));
            }
            found
        }
        (_, Some(NamedEntity::ResourceType)) => {
            interpolated_in(first, InterpolatedKind::ResourceType)
        }
        (_, Some(NamedEntity::Function)) => interpolated_in(first, InterpolatedKind::Function),
        (_, Some(NamedEntity::Plan)) => interpolated_in(first, InterpolatedKind::Plan),
        (KnownFunction::Defined, _) => interpolated_in(arguments, InterpolatedKind::Any),
        (_, Some(NamedEntity::Variable)) => {
            let mut found = interpolated_in(first, InterpolatedKind::Member);
            found.extend(interpolated_in(first, InterpolatedKind::Variable));
            found
        }
        (_, Some(NamedEntity::DataKey)) => {
            let mut found = interpolated_in(first, InterpolatedKind::Member);
            found.extend(interpolated_in(first, InterpolatedKind::DataKey));
            found.retain(|it| !it.has_literal_root);
            found
        }
        _ => Vec::new(),
    }
}

/// Returns the interpolated names in `Class["…"]` and `Resource["…", 'title']`.
pub(super) fn in_reference(base: &Expr, keys: &[Expr]) -> Vec<InterpolatedName> {
    let Expr::QualifiedReference(type_) = base else {
        return Vec::new();
    };
    match canonical_name(&type_.text()).as_str() {
        "class" => interpolated_in(keys, InterpolatedKind::Class),
        "resource" => interpolated_in(
            keys.get(..1).unwrap_or_default(),
            InterpolatedKind::ResourceType,
        ),
        _ => Vec::new(),
    }
}

/// Returns the interpolated names in the title of `class { "…": }`.
pub(super) fn in_title(title: Expr) -> Vec<InterpolatedName> {
    interpolated_in(&[title], InterpolatedKind::Class)
}

/// Returns the interpolated names among expressions and the elements of array literals.
fn interpolated_in(exprs: &[Expr], kind: InterpolatedKind) -> Vec<InterpolatedName> {
    let mut found = Vec::new();
    for expr in exprs {
        match expr {
            Expr::ArrayExpr(it) => {
                found.extend(interpolated_in(&it.elements().collect::<Vec<_>>(), kind));
            }
            Expr::ParenExpr(it) => {
                let inner: Vec<_> = it.expr().into_iter().collect();
                found.extend(interpolated_in(&inner, kind));
            }
            Expr::InterpolatedString(it) => found.extend(interpolated_name(it, kind)),
            _ => {}
        }
    }
    found
}

fn interpolated_name(
    text: &InterpolatedString,
    kind: InterpolatedKind,
) -> Option<InterpolatedName> {
    let part = |it: Segment| match it {
        Segment::Text(it) => NamePart::Text(it.to_ascii_lowercase()),
        Segment::Interpolation(it) => {
            let expr = it.expr();
            let range = expr.as_ref().map_or(it.syntax(), |it| it.syntax());
            NamePart::Value(range.text_range())
        }
    };
    let mut parts: Vec<_> = text.segments().into_iter().map(part).collect();
    if let Some(NamePart::Text(first)) = parts.first_mut() {
        *first = first.trim_start_matches('@').to_owned();
    }
    match kind {
        InterpolatedKind::Member => parts = class_of_member(parts)?,
        InterpolatedKind::DataKey | InterpolatedKind::Variable => cut_at_dot(&mut parts),
        _ => {}
    }
    Some(InterpolatedName {
        range: text.syntax().text_range(),
        kind,
        parts,
        has_literal_root: literal_root(&Expr::InterpolatedString(text.clone())).is_some(),
    })
}

/// Returns the literal part before the first dot of an interpolated key, as in `"a::b.${x}"`, and its range.
pub(super) fn literal_root(key: &Expr) -> Option<(String, TextRange)> {
    let Expr::InterpolatedString(text) = key else {
        return None;
    };
    let node = text.syntax();
    let mut tokens = node.children_with_tokens();
    let first = tokens.find_map(|it| {
        it.into_token()
            .filter(|it| it.kind() == SyntaxKind::STRING_TEXT)
    })?;
    let is_first = first
        .prev_token()
        .is_some_and(|it| it.kind() == SyntaxKind::STRING_OPEN);
    let (root, _) = first.text().split_once('.').filter(|_| is_first)?;
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':' | '-');
    let is_name = !root.is_empty() && root.chars().all(is_plain);
    let range = TextRange::at(first.text_range().start(), TextSize::of(root));
    is_name.then(|| (root.to_owned(), range))
}

/// Removes the parts after the first literal dot.
fn cut_at_dot(parts: &mut Vec<NamePart>) {
    let dot = parts.iter_mut().position(|it| match it {
        NamePart::Text(text) => text.find('.').map(|at| text.truncate(at)).is_some(),
        NamePart::Value(_) => false,
    });
    if let Some(dot) = dot {
        parts.truncate(dot + 1);
    }
}

/// Returns the parts before the last literal `::`.
fn class_of_member(mut parts: Vec<NamePart>) -> Option<Vec<NamePart>> {
    while let Some(last) = parts.pop() {
        if let NamePart::Text(text) = last
            && let Some((class, _)) = text.rsplit_once("::")
        {
            parts.push(NamePart::Text(class.to_owned()));
            return Some(parts);
        }
    }
    None
}
