use syntax::ast::{AccessExpr, AstNode, BinaryExpr, CaseExpr, Expr, SelectorExpr, StringLiteral};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports the strings `'true'` and `'false'`.
    ///
    /// ## What it does
    ///
    /// Checks quoted Booleans, except where only a string makes sense.
    ///
    /// ## Why it matters
    ///
    /// Both strings are true in a condition: `if 'false' { … }` runs the block.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   service { 'example':
    ///     enable => 'true', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   service { 'example':
    ///     enable => true,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Parameters of types, such as `Enum['true', 'false']`.
    /// * Titles of resources and keys of hashes.
    /// * Strings that are compared with a string.
    ///
    /// ## Fix
    ///
    /// Suggested: removes the quotes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[quoted-boolean]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// quoted-boolean = "warning"
    /// ```
    pub(crate) static QUOTED_BOOLEAN = {
        code: "quoted-boolean",
        puppet_lint: ["quoted_booleans"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::STRING], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(literal) = StringLiteral::cast(node.clone()) else {
        return;
    };
    let value = literal.value();
    if !matches!(&*value, "true" | "false") || must_be_string(checker, node) {
        return;
    }
    let range = node.text_range();
    checker.report(&QUOTED_BOOLEAN, range, format!("quoted Boolean `{value}`"));
    let label = format!("Replace with `{value}`");
    checker.fix(Some(Fix::suggested(label, range, value)));
}

/// Checks whether a Boolean makes no sense at the place of a string.
fn must_be_string(checker: &Checker<'_>, node: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let Some(parent) = node.parent() else {
        return false;
    };
    let around = |count: usize| node.ancestors().nth(count);
    let is_string = |it: Option<Expr>| is_string(checker, it);
    match parent.kind() {
        RESOURCE_BODY => true,
        ACCESS_KEYS => {
            let access = around(2).and_then(AccessExpr::cast);
            matches!(
                access.and_then(|it| it.base()),
                Some(Expr::QualifiedReference(_))
            )
        }
        ARRAY => around(2).is_some_and(|it| it.kind() == RESOURCE_BODY),
        HASH_ENTRY | SELECTOR_ENTRY if parent.text_range().start() != node.text_range().start() => {
            false
        }
        HASH_ENTRY => true,
        SELECTOR_ENTRY => is_string(
            around(2)
                .and_then(SelectorExpr::cast)
                .and_then(|it| it.subject()),
        ),
        CASE_OPTION => is_string(
            around(2)
                .and_then(CaseExpr::cast)
                .and_then(|it| it.subject()),
        ),
        BINARY_EXPR => {
            let operands = BinaryExpr::cast(parent).map(|it| [it.lhs(), it.rhs()]);
            let operands = operands.into_iter().flatten().flatten();
            let mut others = operands.filter(|it| it.syntax() != node);
            others.any(|it| is_string(Some(it)))
        }
        _ => false,
    }
}

/// Checks whether an expression is certainly not a Boolean.
fn is_string(checker: &Checker<'_>, expr: Option<Expr>) -> bool {
    let inferred = expr.and_then(|it| checker.type_of(&it));
    inferred
        .is_some_and(|it| types::precise::intersection(&Type::Boolean(None), &it.type_).is_none())
}

#[cfg(test)]
mod tests {
    use super::QUOTED_BOOLEAN;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_quoted_booleans() {
        let code = "class m ($x = 'true') { if $x == \"false\" { } }";
        assert_eq!(
            reported(&QUOTED_BOOLEAN, code),
            [
                "`'true'`: quoted Boolean `true`",
                "`\"false\"`: quoted Boolean `false`"
            ]
        );
        assert_eq!(
            fixed(&QUOTED_BOOLEAN, code),
            "class m ($x = true) { if $x == false { } }"
        );
        for code in [
            "class m { service { 'a': enable => 'true' } }",
            "class m { $h = { 'a' => 'false' } }",
            "class m ($x) { case $x { 'true': { } default: { } } }",
            "class m ($x) { $y = $x ? { 1 => 'true', default => 2 } }",
            "class m ($x) { $y = $x ? { 'true' => 1, default => 2 } }",
        ] {
            assert_eq!(reported(&QUOTED_BOOLEAN, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_strings() {
        for code in [
            "class m (Enum['true', 'false'] $x) { }",
            "class m (Variant[Boolean, Enum['true']] $x) { }",
            "class m (String $x) { if $x == 'true' { } }",
            "class m (Enum['true', 'x'] $x) { case $x { 'true': { } default: { } } }",
            "class m { notify { 'true': } notify { ['false', 'b']: } }",
            "class m { $h = { 'true' => 1 } }",
            "class m { $x = true notice('TRUE', 'true ') }",
        ] {
            assert_eq!(reported(&QUOTED_BOOLEAN, code), [""; 0], "{code}");
        }
    }
}
