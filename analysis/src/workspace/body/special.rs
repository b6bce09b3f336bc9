//! Names in places where the language has only values: arguments of functions that Puppet treats
//! as names, titles, paths.

use syntax::ast::{AstNode, CallExpr, Expr, LiteralKind, Segment};
use syntax::{SyntaxNode, TextRange};

use super::super::item::canonical;
use super::{ClassUse, Name, PathKind};

/// The text of a plain string or a bare word.
fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringLiteral(it) => Some(it.value()),
        Expr::QualifiedName(it) => Some(it.text()),
        Expr::ParenExpr(it) => text(&it.expr()?),
        _ => None,
    }
}

/// The texts of a plain string, a bare word or an array of them, with their places.
pub(super) fn texts(expr: &Expr) -> Vec<(String, TextRange)> {
    let found = elements(expr).into_iter();
    let known = found.filter_map(|it| Some((text(&it)?, it.syntax().text_range())));
    known.collect()
}

/// The paths in an expression that are known, with their places; `module` is what `$module_name` is.
fn paths(expr: &Expr, module: Option<&str>) -> Vec<(String, TextRange)> {
    let found = elements(expr).into_iter();
    let known = found.filter_map(|it| Some((path(&it, module)?, it.syntax().text_range())));
    known.collect()
}

/// The same if it is the only path in the expression.
pub(super) fn only_path(expr: &Expr, module: Option<&str>) -> Option<(String, TextRange)> {
    match elements(expr).as_slice() {
        [it] => Some((path(it, module)?, it.syntax().text_range())),
        _ => None,
    }
}

/// The elements of arrays, or the expression itself if it is none.
fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().flat_map(|it| elements(&it)).collect(),
        _ => vec![expr.clone()],
    }
}

/// A text, or one in which nothing but `$module_name` is put.
fn path(expr: &Expr, module: Option<&str>) -> Option<String> {
    let Expr::InterpolatedString(it) = expr else {
        return text(expr);
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

/// Whether [`texts`] are all that an expression holds.
pub(super) fn is_written_out(expr: &Expr) -> bool {
    elements(expr).iter().all(|it| text(it).is_some())
}

/// Whether an expression is `default`.
pub(super) fn is_default(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(it) if it.kind() == Some(LiteralKind::Default))
}

/// The type of a resource expression, in canonical form, if it is written out.
pub(super) fn resource_type(expr: &Expr) -> Option<String> {
    match expr {
        Expr::QualifiedReference(it) => Some(canonical(&it.text())),
        _ => text(expr).map(|it| canonical(&it)),
    }
}

/// Functions that tell whether a name exists.
pub(super) fn asks_for_names(node: &SyntaxNode) -> bool {
    let name = CallExpr::cast(node.clone()).and_then(|it| it.name_token());
    let name = name.or_else(|| syntax::ast::MethodCall::cast(node.clone())?.name_token());
    name.is_some_and(|it| {
        matches!(
            it.text(),
            "defined"
                | "defined_with_params"
                | "find_file"
                | "find_template"
                | "module_directory"
                | "load_module_metadata"
                | "is_function_available"
                | "getvar"
        )
    })
}

/// The names in the arguments of a function; `module` is what `$module_name` is.
pub(super) fn named_in(
    function: &str,
    arguments: &[Expr],
    module: Option<&str>,
) -> Vec<(TextRange, Name)> {
    let all = || arguments.iter().flat_map(texts);
    let first = || {
        arguments
            .first()
            .and_then(|it| Some((text(it)?, it.syntax().text_range())))
    };
    let paths_in = |arguments: &[Expr], kind| {
        let found = arguments.iter().flat_map(|it| paths(it, module));
        found
            .map(|(it, range)| (range, Name::Path(kind, it)))
            .collect()
    };
    let start = arguments.get(..1).unwrap_or_default();
    match function {
        "include" | "require" | "contain" => {
            let class = |it: &str| Name::Class(canonical(it), ClassUse::Declared);
            all().map(|(it, range)| (range, class(&it))).collect()
        }
        "create_resources" | "ensure_resource" | "ensure_resources" => {
            let type_ = |it: &str| canonical(it.trim_start_matches('@'));
            let found = first().filter(|it| type_(&it.0) != "class");
            let named = found.map(|(it, range)| (range, Name::ResourceType(type_(&it))));
            named.into_iter().collect()
        }
        "template" => paths_in(arguments, PathKind::Template),
        "epp" => paths_in(start, PathKind::Epp),
        // The first one that is there is taken.
        "file" if arguments.len() == 1 => paths_in(arguments, PathKind::File),
        _ => Vec::new(),
    }
}
