use base::suggest::similar;
use hir::autoload::{RubyKind, ruby_files};
use hir::body::{Reference, ReferenceName};
use hir::resolve::ResolveError;
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, Expr, ResourceExpr, StringLiteral};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode};

use crate::checker::{Checker, Resolution};
use crate::fixes::node_at;
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports resources of types that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves the names of resource types and defined types in resource declarations, defaults
    /// and collectors, and in calls such as `create_resources`. Also reports declarations whose type is a
    /// variable, a string or another expression: only `Resource[$type]` may compute it.
    ///
    /// If a declared module is absent, it may define the type. A type with the name of the own module as its prefix is a
    /// warning then, if that module defines others in Ruby.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Unknown resource type*, or *Illegal Resource Type expression*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   pakage { 'ntp': } # <-
    ///   example::vhots { 'a': } # <-
    ///   create_resources('example::vhots', { 'b' => {} }) # <-
    ///   $type = 'file'
    ///   $type { '/etc/ntp.conf': } # <-
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost {
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'ntp': }
    ///   example::vhost { 'a': }
    ///   create_resources('example::vhost', { 'b' => {} })
    ///   $type = 'file'
    ///   Resource[$type] { '/etc/ntp.conf': }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types without `::` that are not similar to a known one, if dependencies of the module (in
    ///   `metadata.json`) are not installed: one of them may define the type.
    /// * Types of modules that are declared, but not installed. `missing-module` reports these once per file.
    /// * Types of Puppet Enterprise: `pe_…`.
    /// * Types that are computed, as in `Resource[$type] { … }`, if the value is not known.
    /// * Names that the code checks first, with `defined(…)`.
    ///
    /// ```puppet right
    /// class example {
    ///   if defined('example::extra') {
    ///     example::extra { 'a': }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: replaces a variable with `Resource[$type]`, and a string with the name in it.
    ///
    /// Suggested: replaces the name with that of the most similar type.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-resource-type]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-resource-type = "off"
    /// ```
    pub(crate) static UNKNOWN_RESOURCE_TYPE = {
        code: "unknown-resource-type",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Node(&[SyntaxKind::RESOURCE_EXPR], check_expression),
            Check::Problem(check_computed),
        ],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (ReferenceName::ResourceType(name), Some(missing)) =
        (&reference.name, unresolved(reference, resolution))
    else {
        return;
    };
    if checker.may_be_of_product(&reference.name) || is_string(checker, reference) {
        return;
    }
    let near = |name: &str| similar(name, checker.resource_types());
    let Some(unknown) = checker.unknown(reference, name, missing, near) else {
        if *missing == ResolveError::MaybeExternal && is_of_own_module(checker, name) {
            let message = format!("unknown resource type `{name}`");
            let severity = Severity::Warning;
            checker.report_as(&UNKNOWN_RESOURCE_TYPE, severity, reference.range, message);
        }
        return;
    };
    let message = format!("unknown resource type `{name}`{}", unknown.hint());
    checker.report_as(
        &UNKNOWN_RESOURCE_TYPE,
        unknown.severity,
        reference.range,
        message,
    );
    checker.replace_unknown(reference.range, name, &unknown);
}

/// Checks whether a type has the name of the module as its prefix, as others that the module defines in Ruby: modules that
/// are declared, but absent, hardly define it.
fn is_of_own_module(checker: &Checker<'_>, type_: &str) -> bool {
    let Some(module) = checker.item.file(checker.db).module(checker.db) else {
        return false;
    };
    let prefix = format!("{}_", module.name(checker.db));
    let in_ruby = ruby_files(checker.db, checker.environment).iter();
    let mut own = in_ruby.filter(|(_, file)| file.module(checker.db) == Some(module));
    type_.starts_with(&prefix)
        && own.any(|((kind, name), _)| *kind == RubyKind::ResourceType && name.starts_with(&prefix))
}

/// Reports types that are computed, as in `Resource[$type] { … }`.
fn check_computed(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownResourceType { name } = &problem.kind else {
        return;
    };
    let reference = ReferenceName::ResourceType(name.clone());
    if checker.may_be_of_product(&reference) {
        return;
    }
    let near = |name: &str| similar(name, checker.resource_types());
    if let Some(unknown) = checker.unknown_computed(problem.range, (reference, name), near) {
        let message = format!("unknown resource type `{name}`{}", unknown.hint());
        checker.report_problem_as(&UNKNOWN_RESOURCE_TYPE, unknown.severity, problem, message);
    }
}

/// Checks whether the type of a resource is a string, which `check_expression` reports.
fn is_string(checker: &Checker<'_>, reference: &Reference) -> bool {
    let node = node_at(&checker.root(), reference.range);
    node.and_then(StringLiteral::cast).is_some_and(|it| {
        let parent = it.syntax().parent();
        parent.is_some_and(|it| it.kind() == SyntaxKind::RESOURCE_EXPR)
    })
}

/// The maximum length of an expression in a message, in bytes.
const MAX_SHOWN: u32 = 40;

/// Reports a type that is neither a name nor a reference. From `eval_ResourceExpression` in
/// `pops/evaluator/evaluator_impl.rb`.
fn check_expression(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(type_) = ResourceExpr::cast(node.clone()).and_then(|it| it.type_name()) else {
        return;
    };
    let is_reference = |it: &Expr| matches!(it, Expr::QualifiedReference(_));
    let is_accepted = match &type_ {
        Expr::QualifiedName(_) | Expr::KeywordWord(_) => true,
        // An error of the parser.
        Expr::ReservedWord(_) => true,
        Expr::AccessExpr(it) => it.base().is_some_and(|it| is_reference(&it)),
        type_ => is_reference(type_),
    };
    if is_accepted {
        return;
    }
    let (range, text) = (type_.syntax().text_range(), type_.syntax().text());
    let is_short = !text.contains_char('\n') && text.len() <= MAX_SHOWN.into();
    let found = match type_ {
        Expr::VariableExpr(_) | Expr::StringLiteral(_) if is_short => format!("`{text}`"),
        _ => "an expression".to_owned(),
    };
    let message = format!("expected the name of a resource type, found {found}");
    checker.report(&UNKNOWN_RESOURCE_TYPE, range, message);
    let name = match &type_ {
        Expr::VariableExpr(_) => Some(format!("Resource[{text}]")),
        Expr::StringLiteral(it) => Some(it.value()).filter(|it| is_name(it)),
        _ => None,
    };
    checker.fix(name.map(|it| Fix::certain(format!("Replace with `{it}`"), range, it)));
}

/// Checks whether a string can be written as the name of a resource type.
fn is_name(text: &str) -> bool {
    let parse = syntax::parse(&format!("{text} {{ 'a': }}"), syntax::Dialect::default());
    let first = parse.tree().statements().next();
    let name = match first {
        Some(Expr::ResourceExpr(it)) => it.type_name(),
        _ => None,
    };
    parse.errors().is_empty() && matches!(name, Some(Expr::QualifiedName(it)) if it.text() == text)
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_RESOURCE_TYPE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_names_that_are_not_defined() {
        let code = "class m { fiel { '/a': } m::site { 'a': } }";
        assert_eq!(
            reported(&UNKNOWN_RESOURCE_TYPE, code),
            [
                "`fiel`: unknown resource type `fiel`; did you mean `file`?",
                "`m::site`: unknown resource type `m::site`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_RESOURCE_TYPE, code), ["Replace with `file`"]);
    }

    #[test]
    fn reports_types_with_the_prefix_of_the_module_although_a_dependency_is_absent() {
        let found = |type_: &str, own: &str| {
            let code = format!(
                "//- modules/web/manifests/init.pp\nclass web {{ {type_} {{ 'a': }} }}\n\
                 //- modules/web/lib/puppet/type/{own}.rb\nPuppet::Type.newtype(:{own}) do\nend\n\
                 //- Puppetfile\nmod 'other'\n"
            );
            reported(&UNKNOWN_RESOURCE_TYPE, &code)
        };
        assert_eq!(
            found("web_connection", "web_conn"),
            ["`web_connection`: unknown resource type `web_connection`"]
        );
        for (type_, own) in [
            ("web_conn", "web_conn"),
            ("other_conn", "web_conn"),
            ("web_connection", "site"),
        ] {
            assert_eq!(found(type_, own), [""; 0], "{type_}");
        }
    }

    #[test]
    fn reports_types_that_are_neither_names_nor_references() {
        let code = "class m ($t, $h) { $t { '/a': } \"file\" { '/b': } 'a b' { '/c': } $h['t'] { '/d': } \
                    Resource[$t] { '/e': } File { '/f': } @$t { '/g': } }";
        assert_eq!(
            reported(&UNKNOWN_RESOURCE_TYPE, code),
            [
                "`$t`: expected the name of a resource type, found `$t`",
                "`\"file\"`: expected the name of a resource type, found `\"file\"`",
                "`'a b'`: expected the name of a resource type, found `'a b'`",
                "`$h['t']`: expected the name of a resource type, found an expression",
                "`$t`: expected the name of a resource type, found `$t`",
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_RESOURCE_TYPE, code),
            [
                "Replace with `Resource[$t]`",
                "Replace with `file`",
                "Replace with `Resource[$t]`"
            ]
        );
    }

    #[test]
    fn reports_computed_types() {
        let found = |code: &str| {
            let code = format!("class m ($p) {{ {code} }}");
            reported(&UNKNOWN_RESOURCE_TYPE, &code)
        };
        assert_eq!(
            found("$t = 'pakage' Resource[$t] { 'a': }"),
            ["`Resource[$t]`: unknown resource type `pakage`; did you mean `package`?"]
        );
        for code in [
            "$t = 'package' Resource[$t] { 'a': }",
            "Resource[$p] { 'a': }",
            "$t = 'other::x' if defined($t) { Resource[$t] { 'a': } }",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_defined_types_and_missing_modules() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { m::d { 'a': } other::d { 'a': } }\ndefine m::d { }\n\
                    //- Puppetfile\nmod 'other'";
        assert_eq!(reported(&UNKNOWN_RESOURCE_TYPE, code), [""; 0]);
    }
}
