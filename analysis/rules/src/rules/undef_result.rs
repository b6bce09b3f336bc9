use infer::TypeProblemKind;
use library::KnownFunction;
use syntax::ast::{AstNode, CallExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports results of statement functions that are used as values.
    ///
    /// ## What it does
    ///
    /// Checks calls to the logging functions, and to `realize`, `tag` and `create_resources`, which always
    /// return `undef`. Reports calls that are assigned, passed as arguments, attributes or elements,
    /// interpolated, or used as the subject of a `case` or selector.
    ///
    /// ## Why it matters
    ///
    /// The value is always `undef`, so another function or the argument itself is probably meant.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Integer $port = 80) {
    ///   $text = notice("port ${port}") # <-
    ///   notify { 'port': message => $text }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Integer $port = 80) {
    ///   $text = "port ${port}"
    ///   notice($text)
    ///   notify { 'port': message => $text }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * The last statement of a function or lambda.
    /// * Operands of `and` and `or`, and conditions, which `constant-condition` reports.
    /// * Values that another rule reports as `undef`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[undef-result]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// undef-result = "off"
    /// ```
    pub(crate) static UNDEF_RESULT = {
        code: "undef-result",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CALL_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(name) = CallExpr::cast(node.clone()).and_then(|it| it.name_token()) else {
        return;
    };
    let known = KnownFunction::from_name(name.text());
    let Some(user) = user(node).filter(|_| known.is_some_and(returns_undef)) else {
        return;
    };
    if !is_reported(checker, &user) {
        let message = format!("`{}` always returns `undef`", name.text());
        checker.report(&UNDEF_RESULT, name.text_range(), message);
    }
}

fn returns_undef(function: KnownFunction) -> bool {
    use KnownFunction::*;
    matches!(
        function,
        Alert
            | Crit
            | Debug
            | Emerg
            | Err
            | Info
            | Notice
            | Warning
            | CreateResources
            | Realize
            | Tag
    )
}

/// Returns the expression that uses the value of a call.
fn user(call: &SyntaxNode) -> Option<SyntaxNode> {
    use SyntaxKind::*;
    let mut parents = call.ancestors().skip(1);
    let parent = parents.find(|it| it.kind() != PAREN_EXPR)?;
    let uses = matches!(
        parent.kind(),
        ASSIGNMENT
            | ATTRIBUTE
            | HASH_ENTRY
            | ARRAY
            | ARGUMENT_LIST
            | INTERPOLATION
            | CASE_EXPR
            | SELECTOR_EXPR
    );
    uses.then_some(parent)
}

/// Checks whether inference reports the value in the code that uses it.
fn is_reported(checker: &Checker<'_>, user: &SyntaxNode) -> bool {
    let around = user
        .parent()
        .map_or(user.text_range(), |it| it.text_range());
    checker.problems().iter().any(|it| {
        let is_own = matches!(
            it.kind,
            TypeProblemKind::ConstantCondition { .. } | TypeProblemKind::UnreachableCode
        );
        !is_own && around.contains_range(it.range)
    })
}

#[cfg(test)]
mod tests {
    use super::UNDEF_RESULT;
    use crate::testing::reported;

    #[test]
    fn reports_results_that_are_always_undef() {
        let code = "class m { $x = notice('a') file { '/a': content => warning('b') } \
                    $y = [realize([])] debug(\"${err('d')}\") }";
        assert_eq!(
            reported(&UNDEF_RESULT, code),
            ["notice", "warning", "realize", "err"]
                .map(|it| format!("`{it}`: `{it}` always returns `undef`"))
        );
    }

    #[test]
    fn ignores_statements_and_last_values() {
        let code = "class m ($x) { notice('a') [1].each |$y| { notice($y) } \
                    if $x { notice('b') } else { warning('c') } }\nfunction m::f() { notice('d') }";
        assert_eq!(reported(&UNDEF_RESULT, code), [""; 0]);
    }
}
