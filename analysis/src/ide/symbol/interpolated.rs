//! Names that are put together: `include "web::${x}"`. They stand where a text that is written out
//! would be a name, and which one they are is known only as far as their parts are.

use syntax::TextRange;
use syntax::ast::{AstNode, Expr, HashEntry, InterpolatedString, Segment};

use super::special::{entries, resource_type, text};
use crate::workspace::canonical;

/// A name that is put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::ide) struct InterpolatedName {
    /// Where it stands in the tree of the item, with quotes.
    pub(in crate::ide) range: TextRange,
    /// What it names.
    pub(in crate::ide) kind: NamedKind,
    /// Its parts in order.
    pub(in crate::ide) parts: Vec<NamePart>,
}

/// What an [`InterpolatedName`] names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::ide) enum NamedKind {
    /// A class.
    Class,
    /// A resource type.
    ResourceType,
    /// A function.
    Function,
    /// A plan.
    Plan,
    /// A class, a type or a function: `defined("…")`.
    Any,
    /// Something in a class, whose name is all in front of the last `::`.
    Member,
}

/// A part of an [`InterpolatedName`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::ide) enum NamePart {
    /// Text, in lower case.
    Text(String),
    /// The value of an expression, by its place in the tree of the item.
    Value(TextRange),
}

/// The names that are put together among the arguments of a function; of a method, what stands in
/// front of the dot is the first one.
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

/// In `Class["…"]` and `Resource["…", 'title']`.
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

/// In the title of `class { "…": }`.
pub(super) fn in_title(title: Expr) -> Vec<InterpolatedName> {
    all_of(&[title], NamedKind::Class)
}

/// The names among some expressions and the elements of lists.
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

/// The parts in front of the last `::` that is written out.
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
