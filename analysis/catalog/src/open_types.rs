//! The types of the resources that unknown code may declare with any title.

use std::collections::BTreeSet;

use hir::canonical_name;
use hir::title_pattern::TitlePattern;
use library::KnownFunction;
use syntax::SyntaxNode;
use syntax::ast::{AstNode, Expr, ResourceExpr};

use crate::state::Additions;

/// Returns the types, by their canonical names, of the resources whose titles are unknown.
pub(crate) fn open_types(additions: &[Additions]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for addition in additions {
        match addition {
            Additions::Type(name) => drop(found.insert(canonical_name(name))),
            Additions::Code(node) => found.extend(types_in(node)),
            Additions::Nothing
            | Additions::Titled(..)
            | Additions::Classes(_)
            | Additions::Given(_)
            | Additions::GivenCode(_)
            | Additions::Any => {}
        }
    }
    found
}

/// Returns the types of the resources that code declares with titles that are unknown.
fn types_in(node: &SyntaxNode) -> impl Iterator<Item = String> {
    node.descendants().filter_map(|it| {
        let declared = ResourceExpr::cast(it.clone()).and_then(|it| declared_type(&it));
        declared.or_else(|| created_type(&Expr::cast(it)?))
    })
}

fn declared_type(resource: &ResourceExpr) -> Option<String> {
    let is_open = |title: Expr| TitlePattern::of_titles(&title).is_none();
    let mut titles = resource.bodies().filter_map(|it| it.title());
    let Some(Expr::QualifiedName(name)) = resource.type_name() else {
        return None;
    };
    titles.any(is_open).then(|| canonical_name(&name.text()))
}

/// Returns the type of the resources that a call declares.
fn created_type(call: &Expr) -> Option<String> {
    use KnownFunction::{CreateResources, EnsurePackages, EnsureResource, EnsureResources};
    let (name, arguments) = call.named_call()?;
    match KnownFunction::from_name(name.text())? {
        EnsurePackages => Some("package".to_owned()),
        CreateResources | EnsureResource | EnsureResources => {
            Some(canonical_name(&arguments.first()?.plain_text()?))
        }
        _ => None,
    }
}
