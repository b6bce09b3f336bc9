//! Names in value position: arguments of functions that Puppet treats as names, titles, paths.

use library::{KnownFunction, NamedEntity};
use syntax::ast::{AstNode, CallExpr, Expr, QualifiedReference, Segment};
use syntax::{SyntaxNode, TextRange};

use super::super::item::canonical_name;
use super::{ClassUse, PathKind, ReferenceName};

/// Returns the value of a plain string or a bare word.
fn literal_string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::ParenExpr(it) => literal_string(&it.expr()?),
        _ => expr.plain_text(),
    }
}

/// Returns the values of a plain string, a bare word or an array of these, with their ranges.
pub(super) fn literal_strings(expr: &Expr) -> Vec<(String, TextRange)> {
    let found = elements(expr).into_iter();
    let known = found.filter_map(|it| Some((literal_string(&it)?, it.syntax().text_range())));
    known.collect()
}

/// Returns the literal paths in an expression, with their ranges; `module` is the value of
/// `$module_name`.
fn paths(expr: &Expr, module: Option<&str>) -> Vec<(String, TextRange)> {
    let found = elements(expr).into_iter();
    let known = found.filter_map(|it| Some((path(&it, module)?, it.syntax().text_range())));
    known.collect()
}

/// Returns the path if it is the only one in the expression.
pub(super) fn single_path(expr: &Expr, module: Option<&str>) -> Option<(String, TextRange)> {
    match elements(expr).as_slice() {
        [it] => Some((path(it, module)?, it.syntax().text_range())),
        _ => None,
    }
}

/// Flattens nested arrays; other expressions are returned as they are.
fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| elements(&it)).collect(),
        _ => vec![expr.clone()],
    }
}

/// Returns the value of a string that interpolates at most `$module_name`.
fn path(expr: &Expr, module: Option<&str>) -> Option<String> {
    let Expr::InterpolatedString(it) = expr else {
        return literal_string(expr);
    };
    let part = |it| match it {
        Segment::Text(it) => Some(it),
        Segment::Interpolation(it) => match it.expr()? {
            Expr::VariableExpr(it) if it.name()? == "module_name" => module.map(str::to_owned),
            _ => None,
        },
    };
    it.segments().into_iter().map(part).collect()
}

/// Checks whether [`literal_strings`] returns all values of an expression.
pub(super) fn has_only_literal_strings(expr: &Expr) -> bool {
    elements(expr).iter().all(|it| literal_string(it).is_some())
}

/// Returns the type of a resource expression in canonical form, if it is a literal.
pub(super) fn resource_type(expr: &Expr) -> Option<String> {
    match expr {
        Expr::QualifiedReference(it) => Some(canonical_name(&it.text())),
        _ => literal_string(expr).map(|it| canonical_name(&it)),
    }
}

/// Checks whether a node is a call that tests whether a name is defined.
pub(super) fn tests_definedness(node: &SyntaxNode) -> bool {
    let name = CallExpr::cast(node.clone()).and_then(|it| it.name_token());
    let name = name.or_else(|| syntax::ast::MethodCall::cast(node.clone())?.name_token());
    let known = name.and_then(|it| KnownFunction::from_name(it.text()));
    known.is_some_and(KnownFunction::tests_definedness)
}

/// Returns the function that a `Deferred` calls on the agent, given its first argument.
pub(super) fn deferred_function(
    type_: &QualifiedReference,
    function: Option<&Expr>,
) -> Option<(TextRange, ReferenceName)> {
    let function = function.filter(|_| canonical_name(&type_.text()) == "deferred")?;
    // `Deferred('$name', …)` reads a variable.
    let name = literal_string(function).filter(|it| !it.starts_with('$'))?;
    let range = function.syntax().text_range();
    Some((range, ReferenceName::Function(canonical_name(&name))))
}

/// Returns the names in the arguments of a function; `module` is the value of `$module_name`.
pub(super) fn names_in_arguments(
    function: &str,
    arguments: &[Expr],
    module: Option<&str>,
) -> Vec<(TextRange, ReferenceName)> {
    let all = || arguments.iter().flat_map(literal_strings);
    let first = || {
        arguments
            .first()
            .and_then(|it| Some((literal_string(it)?, it.syntax().text_range())))
    };
    let paths_in = |arguments: &[Expr], kind| {
        // The functions refuse arrays.
        let single = arguments.iter();
        let single = single.filter(|it| !matches!(it, Expr::ArrayExpr(_)));
        single
            .flat_map(|it| paths(it, module))
            .map(|(it, range)| (range, ReferenceName::Path(kind, it)))
            .collect()
    };
    let start = arguments.get(..1).unwrap_or_default();
    match KnownFunction::from_name(function).and_then(KnownFunction::names) {
        Some(NamedEntity::Class) => {
            let class = |it: &str| ReferenceName::Class(canonical_name(it), ClassUse::Declared);
            all().map(|(it, range)| (range, class(&it))).collect()
        }
        Some(NamedEntity::ResourceType) => {
            let type_ = |it: &str| canonical_name(it.trim_start_matches('@'));
            let found = first().filter(|it| type_(&it.0) != "class");
            let named = found.map(|(it, range)| (range, ReferenceName::ResourceType(type_(&it))));
            named.into_iter().collect()
        }
        Some(NamedEntity::Function) => {
            let function = |it: &str| ReferenceName::Function(canonical_name(it));
            let named = first().map(|(it, range)| (range, function(&it)));
            named.into_iter().collect()
        }
        Some(NamedEntity::Template) => paths_in(arguments, PathKind::Template),
        Some(NamedEntity::EppTemplate) => paths_in(start, PathKind::Epp),
        // The function returns the first file that exists.
        Some(NamedEntity::File) if arguments.len() == 1 => paths_in(arguments, PathKind::File),
        _ => Vec::new(),
    }
}
