//! Interpolated names: `include "web::${x}"`. They occur where a literal string would be a name; the
//! possible names depend on what is known of their parts.

use syntax::TextRange;
use syntax::ast::{AstNode, Expr, HashEntry, InterpolatedString, Segment};

use super::special::{entries, resource_type, text};
use hir::canonical;

/// An interpolated name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InterpolatedName {
    /// The range in the tree of the item, including quotes.
    pub(crate) range: TextRange,
    /// The kind of entity that it names.
    pub(crate) kind: NamedKind,
    /// The parts in order.
    pub(crate) parts: Vec<NamePart>,
}

/// The kind of entity that an [`InterpolatedName`] refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedKind {
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
    match function {
        "include" | "require" | "contain" => all_of(arguments, NamedKind::Class),
        "create_resources" => {
            let mut found = all_of(first, NamedKind::ResourceType);
            let type_ = first.first().and_then(text);
            if type_.is_some_and(|it| resource_type(&it.0) == "class") {
                let resources = arguments.get(1).map(entries).unwrap_or_default();
                let titles: Vec<_> = resources.iter().filter_map(HashEntry::key).collect();
                found.extend(all_of(&titles, NamedKind::Class));
            }
            found
        }
        "ensure_resource" | "ensure_resources" => all_of(first, NamedKind::ResourceType),
        "call" => all_of(first, NamedKind::Function),
        "run_plan" => all_of(first, NamedKind::Plan),
        "defined" => all_of(arguments, NamedKind::Any),
        "getvar" | "lookup" | "hiera" | "hiera_array" | "hiera_hash" | "hiera_include" => {
            all_of(first, NamedKind::Member)
        }
        _ => Vec::new(),
    }
}

/// Returns the interpolated names in `Class["…"]` and `Resource["…", 'title']`.
pub(super) fn in_reference(base: &Expr, keys: &[Expr]) -> Vec<InterpolatedName> {
    let Expr::QualifiedReference(type_) = base else {
        return Vec::new();
    };
    match canonical(&type_.text()).as_str() {
        "class" => all_of(keys, NamedKind::Class),
        "resource" => all_of(keys.get(..1).unwrap_or_default(), NamedKind::ResourceType),
        _ => Vec::new(),
    }
}

/// Returns the interpolated names in the title of `class { "…": }`.
pub(super) fn in_title(title: Expr) -> Vec<InterpolatedName> {
    all_of(&[title], NamedKind::Class)
}

/// Returns the interpolated names among expressions and the elements of array literals.
fn all_of(exprs: &[Expr], kind: NamedKind) -> Vec<InterpolatedName> {
    let mut found = Vec::new();
    for expr in exprs {
        match expr {
            Expr::ArrayExpr(it) => {
                found.extend(all_of(&it.elements().collect::<Vec<_>>(), kind));
            }
            Expr::ParenExpr(it) => {
                let inner: Vec<_> = it.expr().into_iter().collect();
                found.extend(all_of(&inner, kind));
            }
            Expr::InterpolatedString(it) => found.extend(name(it, kind)),
            _ => {}
        }
    }
    found
}

fn name(text: &InterpolatedString, kind: NamedKind) -> Option<InterpolatedName> {
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
    if kind == NamedKind::Member {
        parts = class_of_member(parts)?;
    }
    Some(InterpolatedName {
        range: text.syntax().text_range(),
        kind,
        parts,
    })
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
