use syntax::ast::{AstNode, SelectorExpr};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports selectors in the attributes of a resource.
    ///
    /// ## What it does
    ///
    /// Checks the values of attributes, and those of hashes and the operands of operators in them.
    ///
    /// ## Why it matters
    ///
    /// A resource is easier to read if its attributes are simple values. The Puppet style guide requires that
    /// selectors are assigned to a variable first.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Boolean $strict = true) {
    ///   file { '/etc/example':
    ///     mode => $strict ? { # <-
    ///       true  => '0600',
    ///       false => '0644',
    ///     },
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Boolean $strict = true) {
    ///   $mode = $strict ? {
    ///     true  => '0600',
    ///     false => '0644',
    ///   }
    ///   file { '/etc/example':
    ///     mode => $mode,
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the variable needs a name. The code action *Extract into variable* moves the
    /// selector.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[selector-in-resource]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// selector-in-resource = "warning"
    /// ```
    pub(crate) static SELECTOR_IN_RESOURCE = {
        code: "selector-in-resource",
        puppet_lint: ["selector_inside_resource"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::SELECTOR_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    if !is_in_attribute(node) {
        return;
    }
    let subject = SelectorExpr::cast(node.clone()).and_then(|it| it.subject());
    if let Some(subject) = subject {
        let message = "selector in a resource; assign it to a variable first".to_owned();
        checker.report(
            &SELECTOR_IN_RESOURCE,
            subject.syntax().text_range(),
            message,
        );
    }
}

/// Checks whether a selector is the value of an attribute of a resource, or of a hash or an operand in one.
fn is_in_attribute(selector: &SyntaxNode) -> bool {
    use SyntaxKind::*;
    let mut around = selector.ancestors().skip(1);
    let attribute = around.find(|it| {
        !matches!(
            it.kind(),
            HASH_ENTRY | HASH | ARRAY | PAREN_EXPR | BINARY_EXPR
        )
    });
    let attribute = attribute.filter(|it| matches!(it.kind(), ATTRIBUTE | ATTRIBUTE_SPLAT));
    let body = attribute.and_then(|it| it.parent());
    body.is_some_and(|it| it.kind() == RESOURCE_BODY)
}

#[cfg(test)]
mod tests {
    use super::SELECTOR_IN_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn reports_selectors_in_attributes() {
        let code =
            "class m ($a) { file { '/a': mode => $a ? { 1 => '0644', default => '0600' } } }";
        assert_eq!(
            reported(&SELECTOR_IN_RESOURCE, code),
            ["`$a`: selector in a resource; assign it to a variable first"]
        );
        for code in [
            "class m { file { '/a': mode => $facts['x'] ? { default => '0600' } } }",
            "class m ($a) { file { '/a': * => { mode => 1 }, owner => ($a ? { default => 1 }) } }",
            "class m ($a) { file { '/a': * => $a ? { default => {} } } }",
            "class m ($a) { m::d { 'a': config => { x => $a ? { default => 1 } } } }",
            "class m ($a) { file { '/a': content => 'b' + ($a ? { default => '' }) } }",
            "class m ($a) { class { 'n': x => $a ? { default => 1 } } }",
            "class m ($a) { file { default: mode => $a ? { default => 1 }; '/a': } }",
        ] {
            assert_eq!(reported(&SELECTOR_IN_RESOURCE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_selectors() {
        for code in [
            "class m ($a) { $b = $a ? { default => 1 } }",
            "class m ($a) { file { $a ? { default => '/a' }: } }",
            "class m ($a) { File { mode => $a ? { default => '0600' } } }",
            "class m ($a) { f({ x => $a ? { default => 1 } }) }",
            "class m ($a, $b = $a ? { default => 1 }) { }",
            "class m ($a) { file { '/a': content => f($a ? { default => 1 }) } }",
        ] {
            assert_eq!(reported(&SELECTOR_IN_RESOURCE, code), [""; 0], "{code}");
        }
    }
}
