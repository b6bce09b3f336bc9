use library::KnownFunction;
use syntax::ast::{AstNode, Expr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::index::virtual_resources::{is_certainly_real, is_virtual, references};
use crate::rule::{Check, Rule, declare_rule};
use crate::wording;

declare_rule! {
    /// Reports calls to `realize` with resources that are not virtual.
    ///
    /// ## What it does
    ///
    /// Looks for the declaration of the resource in all code of the environment. Reports the call if the
    /// resource is declared, but nowhere as a virtual or exported one.
    ///
    /// ## Why it matters
    ///
    /// The call has no effect. Often, the `@` of the declaration is missing, and the resource is managed
    /// everywhere rather than where it is realized.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   user { 'alice': ensure => present }
    ///   realize(User['alice']) # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   @user { 'alice': ensure => present }
    ///   realize(User['alice'])
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Resources that any code declares as virtual, or that `create_resources` may declare as virtual.
    /// * References that are not literal.
    ///
    /// ## Fix
    ///
    /// No fix is available: the resource may be meant to be virtual, or the call may be needless.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[needless-realize]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// needless-realize = "off"
    /// ```
    pub(crate) static NEEDLESS_REALIZE = {
        code: "needless-realize",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    // The resources of templates are not indexed.
    let file = checker.item.file(checker.db);
    if file.spec(checker.db).dialect.epp {
        return;
    }
    for argument in arguments(node).unwrap_or_default() {
        for named in references(&argument).unwrap_or_default() {
            let (Some(type_name), Some(title)) = (&named.type_name, &named.title) else {
                continue;
            };
            let (db, environment) = (checker.db, checker.environment);
            if is_virtual(db, environment, &named) || !is_certainly_real(db, environment, &named) {
                continue;
            }
            let name = wording::reference(type_name, title);
            let message = format!("needless `realize`: `{name}` is not virtual");
            checker.report(&NEEDLESS_REALIZE, argument.syntax().text_range(), message);
        }
    }
}

/// Returns the arguments of a call to `realize`; `None` for other calls.
fn arguments(node: &SyntaxNode) -> Option<Vec<Expr>> {
    let (name, arguments) = Expr::cast(node.clone())?.named_call()?;
    let found = KnownFunction::from_name(name.text());
    (found == Some(KnownFunction::Realize)).then_some(arguments)
}

#[cfg(test)]
mod tests {
    use super::NEEDLESS_REALIZE;
    use crate::testing::reported;

    #[test]
    fn reports_resources_that_are_only_real() {
        let code = "class m { user { 'a': } @user { 'b': } realize(User['a'], User['b']) }";
        assert_eq!(
            reported(&NEEDLESS_REALIZE, code),
            ["`User['a']`: needless `realize`: `User['a']` is not virtual"]
        );
    }

    #[test]
    fn ignores_what_may_be_virtual() {
        for code in [
            "class m($x) { user { $x: } @user { $x: } realize(User['a']) }",
            "class m($x) { user { 'a': } realize(User[$x]) }",
            "class m { user { 'b': } realize(User['a']) }",
            "class m($x) { user { $x: } realize(User['a']) }",
            "class m($x) { create_resources($x, {}) realize(User['a']) }",
        ] {
            assert_eq!(reported(&NEEDLESS_REALIZE, code), [""; 0], "{code}");
        }
    }
}
