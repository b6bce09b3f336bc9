use syntax::ast::{AstNode, Attribute, AttributeOperation, Expr, ResourceBody};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::fixes::safe_if;
use crate::list_order::moved_to_front;
use crate::resource_attributes::type_of_body;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports the attribute `ensure` if it is not the first one of a resource.
    ///
    /// ## What it does
    ///
    /// Checks the order of the attributes in the body of a resource. A hash that is set with `*` may precede
    /// `ensure`.
    ///
    /// ## Why it matters
    ///
    /// Readers see at once whether the resource is added or removed.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (String $state = 'FILE') {
    ///   file { '/etc/example':
    ///     mode   => '0644',
    ///     ensure => file, # <-
    ///   }
    ///   file { '/etc/example.d':
    ///     mode   => '0755',
    ///     ensure => downcase($state), # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example':
    ///     ensure => file,
    ///     mode   => '0644',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Classes, and keys named `ensure` in a hash.
    ///
    /// ## Fix
    ///
    /// Safe: moves `ensure` with its comments to the front if its value is a constant or a variable.
    ///
    /// Suggested: moves `ensure` with any other value, which is then evaluated earlier.
    ///
    /// Neither moves it into or out of the lines between `# lint:ignore:…` and `# lint:endignore`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[misplaced-ensure]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// misplaced-ensure = "warning"
    /// ```
    pub(crate) static MISPLACED_ENSURE = {
        code: "misplaced-ensure",
        puppet_lint: ["ensure_first_param"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(body) = ResourceBody::cast(node.clone()) else {
        return;
    };
    let operations: Vec<_> = body.operations().collect();
    let is_attribute = |it: &AttributeOperation| matches!(it, AttributeOperation::Attribute(_));
    let Some(first) = operations.iter().position(is_attribute) else {
        return;
    };
    let ensure = operations
        .iter()
        .enumerate()
        .find_map(|(index, it)| match it {
            AttributeOperation::Attribute(it) if is_ensure(it) => Some((index, it)),
            _ => None,
        });
    let Some((index, ensure)) = ensure.filter(|it| it.0 > first) else {
        return;
    };
    let Some(name) = ensure.name_token() else {
        return;
    };
    if type_of_body(&body).as_deref() == Some("class") {
        return;
    }
    let message = "`ensure` is not the first attribute".to_owned();
    checker.report(&MISPLACED_ENSURE, name.text_range(), message);
    let slots: Vec<_> = operations[first..=index]
        .iter()
        .map(AstNode::syntax)
        .collect();
    let is_simple = ensure.value().is_some_and(|it| is_simple(&it));
    checker.fix(moved_to_front(&slots).map(|edits| Fix {
        label: "Move `ensure` to the front".to_owned(),
        applicability: safe_if(is_simple),
        edits,
    }));
}

fn is_ensure(attribute: &Attribute) -> bool {
    attribute
        .name_token()
        .is_some_and(|it| it.text() == "ensure")
}

/// Checks whether the value of an expression does not depend on when it is evaluated.
fn is_simple(expr: &Expr) -> bool {
    use Expr::{Literal, QualifiedName, StringLiteral, VariableExpr};
    matches!(
        expr,
        Literal(_) | QualifiedName(_) | StringLiteral(_) | VariableExpr(_)
    )
}

#[cfg(test)]
mod tests {
    use super::MISPLACED_ENSURE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_ensure_after_other_attributes() {
        let code = "class m { file { '/a': mode => '0644', owner => 'b', ensure => file, } }";
        assert_eq!(
            reported(&MISPLACED_ENSURE, code),
            ["`ensure`: `ensure` is not the first attribute"]
        );
        assert_eq!(
            fixed(&MISPLACED_ENSURE, code),
            "class m { file { '/a': ensure => file, mode => '0644', owner => 'b', } }"
        );
        for code in [
            "class m { file { default: mode => '0644', ensure => file; '/a': } }",
            "class m { file { '/a': ensure => file; '/b': mode => '0644', ensure => file } }",
            "class m { @user { 'a': uid => 1, ensure => present } }",
            "class m { m::d { 'a': x => { a => 1 }, * => $h, ensure => present } }",
        ] {
            assert_eq!(reported(&MISPLACED_ENSURE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_places() {
        for code in [
            "class m { file { '/a': ensure => file, mode => '0644' } }",
            "class m { file { '/a': mode => '0644' } }",
            "class m { class { 'n': a => 1, ensure => present } }",
            "class m { m::d { 'a': x => { a => 1, ensure => present } } }",
            "class m { m::d { 'a': x => [{ y => { ensure => 1 } }] } }",
            "class m { file { '/a': * => $h, ensure => file } }",
            "class m { File { mode => '0644', ensure => file } }",
            "class m { $x = { a => 1, ensure => file } }",
        ] {
            assert_eq!(reported(&MISPLACED_ENSURE, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn keeps_lines_and_comments() {
        let code =
            "class m {\n  file { '/a':\n    mode   => '0644',\n    ensure => file,\n  }\n}\n";
        let expected =
            "class m {\n  file { '/a':\n    ensure => file,\n    mode   => '0644',\n  }\n}\n";
        assert_eq!(fixed(&MISPLACED_ENSURE, code), expected);
        let code = "class m {\n  file { '/a':\n    # m\n    mode   => '0644', # x\n    ensure => file # y\n  }\n}\n";
        let expected = "class m {\n  file { '/a':\n    ensure => file, # y\n    # m\n    mode   => '0644', # x\n  }\n}\n";
        assert_eq!(fixed(&MISPLACED_ENSURE, code), expected);
        let code = "class m {\n  file { '/a':\n    mode => '0644'\n    ,\n    ensure => file # y\n    ,\n    owner => 'b'\n  }\n}\n";
        let expected = "class m {\n  file { '/a':\n    ensure => file # y\n    ,\n    mode => '0644'\n    ,\n    owner => 'b'\n  }\n}\n";
        assert_eq!(fixed(&MISPLACED_ENSURE, code), expected);
        let code = "class m {\n  file { '/a':\n    mode => '0644'\n    , ensure => file\n    , owner => 'b'\n  }\n}\n";
        let expected = "class m {\n  file { '/a':\n    ensure => file\n    , mode => '0644'\n    , owner => 'b'\n  }\n}\n";
        assert_eq!(fixed(&MISPLACED_ENSURE, code), expected);
        for code in [
            "class m { file { '/a':\n mode => '0644',\n ensure => file # x\n , owner => 'b' } }\n",
            "class m { file { '/a': mode => '0644', # x\n    ensure => file } }\n",
            "class m { file { '/a': mode => '0644', /* x */ ensure => file } }\n",
            "class m { file { '/a': content => @(A), ensure => file }\n  x\n  | A\n}\n",
            "class m { file { '/a':\n # lint:ignore:x\n mode => '0644',\n # lint:endignore\n ensure => file,\n } }\n",
        ] {
            assert_eq!(fixed(&MISPLACED_ENSURE, code), code);
        }
    }
}
