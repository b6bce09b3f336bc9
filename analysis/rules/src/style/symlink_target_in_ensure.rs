use syntax::ast::{AstNode, Attribute, AttributeOperation, Expr, ResourceBody, Segment};
use syntax::{Applicability, Edit, Fix, SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::fixes::element_insertion;
use crate::resource_attributes::{body_with_attribute, named_attribute};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports `ensure` attributes that contain the target of a symbolic link.
    ///
    /// ## What it does
    ///
    /// Checks whether the value of `ensure` of a `file` starts with `/`.
    ///
    /// ## Why it matters
    ///
    /// Puppet creates a link to that path, which readers do not expect from `ensure`. The Puppet style guide
    /// requires `ensure => link` with the attribute `target`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/var/log/syslog':
    ///     ensure => '/var/log/messages', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/var/log/syslog':
    ///     ensure => link,
    ///     target => '/var/log/messages',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: replaces the value with `link`, and adds the attribute `target`, unless the resource may already
    /// have it.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[symlink-target-in-ensure]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// symlink-target-in-ensure = "warning"
    /// ```
    pub(crate) static SYMLINK_TARGET_IN_ENSURE = {
        code: "symlink-target-in-ensure",
        puppet_lint: ["ensure_not_symlink_target"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((body, ensure)) = body_with_attribute(node, "file", "ensure") else {
        return;
    };
    let value = ensure.value().filter(|it| is_path(checker, it));
    if let Some(value) = value {
        let message =
            "symbolic link target in `ensure`; use `ensure => link` with `target` instead"
                .to_owned();
        checker.report(
            &SYMLINK_TARGET_IN_ENSURE,
            value.syntax().text_range(),
            message,
        );
        checker.fix(separated(&body, &ensure, &value));
    }
}

/// Checks whether the value of an expression certainly starts with `/`.
fn is_path(checker: &Checker<'_>, expr: &Expr) -> bool {
    if let Expr::InterpolatedString(it) = expr {
        let first = it.segments().into_iter().next();
        return matches!(first, Some(Segment::Text(it)) if it.starts_with('/'));
    }
    let value = checker.type_of(expr).and_then(|it| it.value.as_ref());
    value
        .and_then(Value::as_str)
        .is_some_and(|it| it.starts_with('/'))
}

fn separated(body: &ResourceBody, ensure: &Attribute, value: &Expr) -> Option<Fix> {
    let is_splat = |it| matches!(it, AttributeOperation::AttributeSplat(_));
    // Puppet refuses a target beside these, in `ensure` as well.
    let others = ["content", "source", "target"];
    let has_other = others
        .iter()
        .any(|it| named_attribute(body.syntax(), it).is_some());
    if has_other || body.operations().any(is_splat) {
        return None;
    }
    let arrow = ensure.operator()?;
    // The names have the same length, so the blanks before the arrow are the same.
    let start = ensure.name_token()?.text_range().end();
    let blanks = usize::from(arrow.text_range().start() - start);
    let target = format!("target{}=> {}", " ".repeat(blanks), value.syntax().text());
    Some(Fix {
        label: "Move the path to `target`".to_owned(),
        applicability: Applicability::Safe,
        edits: vec![
            Edit {
                range: value.syntax().text_range(),
                text: "link".to_owned(),
            },
            element_insertion(ensure.syntax(), &target),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::SYMLINK_TARGET_IN_ENSURE;
    use crate::testing::{fixed, fixes, reported};

    #[test]
    fn reports_paths() {
        let code = "class m { file { '/a': ensure => '/b' } }";
        assert_eq!(
            reported(&SYMLINK_TARGET_IN_ENSURE, code),
            [
                "`'/b'`: symbolic link target in `ensure`; use `ensure => link` with `target` instead"
            ]
        );
        for code in [
            "class m ($x) { file { '/a': ensure => \"/b/${x}\" } }",
            "class m { $x = '/b' file { '/a': ensure => $x } }",
            "class m { file { default: ensure => '/b'; '/a': } }",
            "class m { @file { '/a': ensure => '/b', target => '/b' } }",
        ] {
            assert_eq!(reported(&SYMLINK_TARGET_IN_ENSURE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_values() {
        for code in [
            "class m { file { '/a': ensure => link, target => '/b' } }",
            "class m { file { '/a': ensure => file } }",
            "class m ($x) { file { '/a': ensure => $x } }",
            "class m ($x) { file { '/a': ensure => \"${x}/b\" } }",
            "class m { m::d { '/a': ensure => '/b' } }",
            "class m { file { '/a': ensure => '' } }",
            "class m { file { '/a': content => '/b' } }",
        ] {
            assert_eq!(reported(&SYMLINK_TARGET_IN_ENSURE, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn moves_the_path() {
        assert_eq!(
            fixed(
                &SYMLINK_TARGET_IN_ENSURE,
                "class m { file { '/a': ensure => '/b' } }"
            ),
            "class m { file { '/a': ensure => link, target => '/b' } }"
        );
        assert_eq!(
            fixed(
                &SYMLINK_TARGET_IN_ENSURE,
                "class m {\n  file { '/a':\n    ensure  => '/b', # c\n    replace => true,\n  }\n}\n"
            ),
            "class m {\n  file { '/a':\n    ensure  => link,\n    target  => '/b', # c\n    replace => true,\n  }\n}\n"
        );
        for other in ["target", "content", "source"] {
            let code = format!("class m {{ file {{ '/a': ensure => '/b', {other} => '/c' }} }}");
            assert_eq!(fixes(&SYMLINK_TARGET_IN_ENSURE, &code), [""; 0], "{other}");
        }
    }
}
