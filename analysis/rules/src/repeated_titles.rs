//! Resources whose title is the same in each run of a lambda.

use library::KnownFunction;
use rustc_hash::FxHashSet;
use syntax::ast::{
    ArrayExpr, AstNode, Expr, HasParameters, Lambda, ResourceExpr, VariableExpr,
    variables_assigned_in,
};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};
use types::{IntRange, Type};

use crate::checker::Checker;
use crate::rule::Rule;

/// Reports the titles of a resource expression that each run of the lambda around it declares again.
pub(crate) fn check(checker: &mut Checker<'_>, node: &SyntaxNode, rule: &'static Rule) {
    let Some(lambda) = lambda_around(node).filter(|it| runs_often(checker, it)) else {
        return;
    };
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    let local = local_names(&lambda);
    let titles = resource.bodies().filter_map(|it| it.title());
    let titles = titles.flat_map(|it| match it {
        Expr::ArrayExpr(it) => ArrayExpr::elements(&it).collect(),
        it => vec![it],
    });
    let constant = titles.filter(|it| is_constant(it, &local));
    let ranges: Vec<TextRange> = constant.map(|it| it.syntax().text_range()).collect();
    for range in ranges {
        let message =
            "duplicate declaration: each run of the lambda declares this title".to_owned();
        checker.report_as(rule, Severity::Warning, range, message);
    }
}

/// Returns the lambda that declares a resource whenever it runs.
fn lambda_around(node: &SyntaxNode) -> Option<Lambda> {
    let mut around = node.ancestors().skip(1);
    let lambda = around.find_map(|it| match it.kind() {
        SyntaxKind::LAMBDA => Some(Lambda::cast(it)),
        SyntaxKind::IF_EXPR
        | SyntaxKind::UNLESS_EXPR
        | SyntaxKind::CASE_EXPR
        | SyntaxKind::SELECTOR_EXPR
        | SyntaxKind::BINARY_EXPR => Some(None),
        _ => None,
    })??;
    let mut calls = lambda.syntax().descendants().filter_map(Expr::cast);
    let leaves = |it: &Expr| {
        use KnownFunction::{Break, Fail, Next, Return};
        let call = it.named_call();
        let function = call.and_then(|it| KnownFunction::from_name(it.0.text()));
        matches!(function, Some(Break | Fail | Next | Return))
    };
    (!calls.any(|it| leaves(&it))).then_some(lambda)
}

/// Checks whether a lambda is that of `each` on a collection that is meant to have several elements.
fn runs_often(checker: &Checker<'_>, lambda: &Lambda) -> bool {
    let call = lambda.syntax().parent().and_then(Expr::cast);
    let Some((name, arguments)) = call.and_then(|it| it.named_call()) else {
        return false;
    };
    if KnownFunction::from_name(name.text()) != Some(KnownFunction::Each) {
        return false;
    }
    let all = arguments.first().and_then(|it| checker.type_of(it));
    all.is_some_and(|it| match it.type_.resolved() {
        Type::Array(it) => is_list(it.size()),
        Type::Hash(it) => is_list(it.size()),
        Type::Tuple(it) => it.types().len() > 1,
        Type::Struct(it) => it.elements().len() > 1,
        _ => false,
    })
}

fn is_list(size: Option<IntRange>) -> bool {
    size.and_then(|it| it.max()).is_none_or(|it| it > 1)
}

/// Returns the names of the variables that differ between the runs of a lambda.
fn local_names(lambda: &Lambda) -> FxHashSet<String> {
    let parameters = lambda.parameters().into_iter();
    let names = parameters.filter_map(|it| it.name());
    names
        .chain(variables_assigned_in(lambda.syntax()))
        .collect()
}

/// Checks whether a title is the same whatever the local variables are.
fn is_constant(title: &Expr, local: &FxHashSet<String>) -> bool {
    match title {
        Expr::StringLiteral(it) => !it.value().is_empty(),
        Expr::InterpolatedString(it) => {
            let nodes = it.syntax().descendants();
            let mut inside = nodes.filter_map(Expr::cast);
            inside.all(|it| match it {
                Expr::VariableExpr(it) => is_outer(&it, local),
                Expr::InterpolatedString(_) | Expr::StringLiteral(_) | Expr::AccessExpr(_) => true,
                _ => false,
            })
        }
        _ => false,
    }
}

/// Checks whether a variable is not one of the lambda, nor one that matching assigns.
fn is_outer(variable: &VariableExpr, local: &FxHashSet<String>) -> bool {
    let name = variable.name();
    name.is_some_and(|it| {
        let is_match = it.bytes().all(|it| it.is_ascii_digit());
        !is_match && !local.contains(&it)
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::DUPLICATE_RESOURCE;
    use crate::testing::reported;

    fn check(code: &str) -> usize {
        let code = format!("define m::d (Array[String] $all, Hash $h, $any, $dir) {{ {code} }}");
        reported(&DUPLICATE_RESOURCE, &code).len()
    }

    #[test]
    fn finds_titles_that_each_run_repeats() {
        for code in [
            "$all.each |$it| { file { '/a': content => $it } }",
            "each($h) |$k, $v| { file { \"${dir}/a\": content => $v } }",
            "$all.each |$it| { $x = 1 file { ['/a', $it]: } }",
        ] {
            assert_eq!(check(code), 1, "{code}");
        }
    }

    #[test]
    fn ignores_titles_that_may_differ() {
        for code in [
            "$all.each |$it| { file { \"/a/${it}\": } }",
            "$all.each |$it| { $x = \"/a/${it}\" file { $x: } file { \"${x}/b\": } }",
            "$all.each |$it| { if $it == 'a' { file { '/a': } } }",
            "$all.each |$it| { unless defined(File['/a']) { file { '/a': } } }",
            "$all.each |$it| { if $it != 'a' { next() } file { '/a': } }",
            "$all.each |$it| { ensure_resource('file', '/a') }",
            "['/a'].each |$it| { file { '/a': } }",
            "$any.each |$it| { file { '/a': } }",
            "$any.then |$it| { file { '/a': } }",
            "$all.each |$it| { if $it =~ /a(.*)/ { } file { \"/a/${1}\": } }",
            "$all.map |$it| { $it } file { '/a': }",
        ] {
            assert_eq!(check(code), 0, "{code}");
        }
    }
}
