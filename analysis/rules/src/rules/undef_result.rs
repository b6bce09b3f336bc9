use infer::TypeProblemKind;
use library::KnownFunction;
use syntax::ast::{AstNode, CallExpr};
use syntax::{Severity, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports results of statement functions that are used as values.
    ///
    /// ## What it does
    ///
    /// Checks calls to the logging functions, and to `realize`, `tag` and `create_resources`, which always
    /// return `undef`. Reports calls that are assigned, passed as arguments, attributes or elements,
    /// interpolated, or used as the subject of a `case` or selector, also as the value of a branch.
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
    /// * The last statement of a branch, whose value may be missing on purpose: the severity is a hint.
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
    if !known.is_some_and(returns_undef) {
        return;
    }
    let branches = outermost_conditional(node);
    let Some(user) = user(branches.as_ref().unwrap_or(node)) else {
        return;
    };
    if !is_reported(checker, &user) {
        let message = format!("`{}` always returns `undef`", name.text());
        // A branch without a value may be intended.
        let severity = match branches {
            Some(_) => Severity::Hint,
            None => UNDEF_RESULT.severity,
        };
        checker.report_as(&UNDEF_RESULT, severity, name.text_range(), message);
    }
}

/// Returns the outermost conditional that has the value of a call in one of its branches.
fn outermost_conditional(call: &SyntaxNode) -> Option<SyntaxNode> {
    use SyntaxKind::*;
    let mut found = None;
    let mut node = call.clone();
    while let Some(parent) = node.parent() {
        match parent.kind() {
            BLOCK if node.next_sibling().is_some() => break,
            BLOCK | ELSE_CLAUSE | PAREN_EXPR => {}
            CASE_OPTION if node.kind() == BLOCK => {}
            SELECTOR_ENTRY if node.next_sibling().is_none() => {}
            SELECTOR_EXPR if node.kind() == SELECTOR_ENTRY => found = Some(parent.clone()),
            CASE_EXPR if node.kind() == CASE_OPTION => found = Some(parent.clone()),
            IF_EXPR | UNLESS_EXPR if matches!(node.kind(), BLOCK | ELSE_CLAUSE | IF_EXPR) => {
                found = Some(parent.clone());
            }
            _ => break,
        }
        node = parent;
    }
    found
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
    use crate::testing::{reported, severities};
    use syntax::Severity;

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
    fn reports_values_of_branches_as_hints() {
        let code = "class m ($a) { $x = if $a { 1 } else { debug('a') } \
                    $y = case $a { 1: { notice('b') info('c') } default: { 2 } } \
                    $z = $a ? { 1 => err('d'), default => 3 } \
                    $v = unless $a { if $y { 1 } elsif $x { alert('e') } } }";
        assert_eq!(
            reported(&UNDEF_RESULT, code),
            ["debug", "info", "err", "alert"]
                .map(|it| format!("`{it}`: `{it}` always returns `undef`"))
        );
        assert_eq!(severities(&UNDEF_RESULT, code), [Severity::Hint; 4]);
    }

    #[test]
    fn ignores_statements_and_last_values() {
        let code = "class m ($x) { notice('a') [1].each |$y| { notice($y) } \
                    if $x { notice('b') } else { warning('c') } }\nfunction m::f() { notice('d') }";
        assert_eq!(reported(&UNDEF_RESULT, code), [""; 0]);
    }
}
