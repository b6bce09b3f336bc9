//! The names of classes that a string with interpolations may have.

use hir::body::{ClassUse, ReferenceName};
use hir::title_pattern::TitlePattern;
use hir::{ItemKind, canonical_name};
use library::KnownFunction;
use syntax::ast::{AstNode, Expr, InterpolatedString, ResourceBody, Segment};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::type_of_body;
use crate::unresolved::Unknown;

/// Returns why no class has a name that a string with interpolations may have, as in `include "m::${x}"`.
pub(crate) fn unmatched<'db>(
    checker: &Checker<'db>,
    string: &InterpolatedString,
) -> Option<Unknown<'db>> {
    let segments = string.segments();
    let Some(Segment::Text(start)) = segments.first() else {
        return None;
    };
    let start = canonical_name(start);
    // The module has to be known.
    if !start.contains("::") || !names_class(string.syntax()) {
        return None;
    }
    let expr = Expr::cast(string.syntax().clone())?;
    let is_known = checker.type_of(&expr).is_some_and(|it| it.value.is_some());
    let pattern = TitlePattern::of_interpolated(string).canonical();
    let mut classes = checker.definitions(ItemKind::Class);
    if is_known || classes.any(|it| pattern.may_be("class", it)) || is_tested(checker, string) {
        return None;
    }
    // Any name that starts like this shows whether all classes of the module are known.
    let name = format!("{start}x");
    let reference = ReferenceName::Class(name.clone(), ClassUse::Declared);
    let range = string.syntax().text_range();
    checker.unknown_computed(range, (reference, &name), |_| None)
}

/// Checks whether an expression names a class that is declared: as an argument of a function, or as a title.
fn names_class(node: &SyntaxNode) -> bool {
    let parents = node.ancestors().skip(1);
    let mut parents = parents.skip_while(|it| {
        let expr = Expr::cast(it.clone());
        matches!(expr, Some(Expr::ArrayExpr(_) | Expr::ParenExpr(_)))
    });
    let Some(parent) = parents.find(|it| it.kind() != SyntaxKind::ARGUMENT_LIST) else {
        return false;
    };
    if let Some(body) = ResourceBody::cast(parent.clone()) {
        let is_title = body.title().is_some_and(|it| {
            let title = it.syntax().text_range();
            title.contains_range(node.text_range())
        });
        return is_title && type_of_body(&body).as_deref() == Some("class");
    }
    let call = Expr::cast(parent).and_then(|it| it.named_call());
    let function = call.and_then(|it| KnownFunction::from_name(it.0.text()));
    function.is_some_and(KnownFunction::names_classes)
}

/// Checks whether the code tests if a class of this name exists.
fn is_tested(checker: &Checker<'_>, string: &InterpolatedString) -> bool {
    let text = string.syntax().text();
    let root = checker.root();
    let mut calls = root.descendants().filter_map(Expr::cast);
    calls.any(|it| {
        let test = it.named_call().filter(|it| {
            let function = KnownFunction::from_name(it.0.text());
            function.is_some_and(KnownFunction::tests_definedness)
        });
        test.is_some_and(|it| it.1.iter().any(|it| it.syntax().text() == text))
    })
}
