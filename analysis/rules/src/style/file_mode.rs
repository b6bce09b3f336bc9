use syntax::ast::{AstNode, Expr, ResourceBody};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::file_modes::mode_of_file;
use crate::fixes::{safe_if, text_like};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports octal modes of files that do not have four digits.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` and `concat`. The value may be a variable, a selector, or an `if` or
    /// `case`, if it is known.
    ///
    /// ## Why it matters
    ///
    /// The first of four digits sets the special bits. Puppet accepts `'755'`, too, but readers
    /// cannot see whether the author thought of them. The Puppet style guide requires four digits
    /// or a symbolic mode.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example':
    ///     mode => '644', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example':
    ///     mode => '0644',
    ///   }
    ///   file { '/etc/example.d':
    ///     mode => 'u=rwx,g=rx',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modes that Puppet rejects, such as `'0999'`, which `invalid-attribute-value` reports.
    ///
    /// ## Fix
    ///
    /// Safe: adds a zero to a literal with three digits.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[file-mode]` at the end of the line, or on a line of its own above it. The rule
    /// is off by default. To turn it on for a project, add this to `pupil.toml`, or `style = "warning"` for
    /// the whole group:
    ///
    /// ```toml
    /// [rules]
    /// file-mode = "warning"
    /// ```
    pub(crate) static FILE_MODE = {
        code: "file-mode",
        puppet_lint: ["file_mode"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_BODY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let mode = ResourceBody::cast(node.clone()).and_then(|it| mode_of_file(&it));
    let modes = mode.map_or(Vec::new(), |it| checker.constant_strings(&it));
    for (value, mode) in modes {
        check_mode(checker, &value, &mode);
    }
}

fn check_mode(checker: &mut Checker<'_>, value: &Expr, mode: &str) {
    let range = value.syntax().text_range();
    let is_rejected = checker.problems().iter().any(|it| it.range == range);
    if is_rejected || !needs_digits(mode) {
        return;
    }
    let message = format!("file mode `{mode}` does not have four digits");
    let is_literal = matches!(value, Expr::StringLiteral(_));
    let fix = (mode.len() == 3 && is_literal).then(|| {
        let label = format!("Replace with `'0{mode}'`");
        Fix::certain(label, range, text_like(value, &format!("0{mode}"))).with(safe_if(true))
    });
    checker.report(&FILE_MODE, range, message);
    checker.fix(fix);
}

/// Checks whether a mode is neither symbolic nor octal with four digits.
fn needs_digits(mode: &str) -> bool {
    let is_octal = mode.bytes().all(|it| matches!(it, b'0'..=b'7'));
    is_octal && !mode.is_empty() && mode.len() != 4
}

#[cfg(test)]
mod tests {
    use super::FILE_MODE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_modes_without_four_digits() {
        let code = "class m { file { '/a': mode => '644' } }";
        assert_eq!(
            reported(&FILE_MODE, code),
            ["`'644'`: file mode `644` does not have four digits"]
        );
        assert_eq!(
            fixed(&FILE_MODE, code),
            "class m { file { '/a': mode => '0644' } }"
        );
        for code in [
            "class m { file { '/a': mode => \"755\" } }",
            "class m { $x = '644' file { '/a': mode => $x } }",
            "class m { concat { '/a': mode => '00644' } }",
            "class m ($x) { file { '/a': mode => $x ? { 1 => '644', default => '0600' } } }",
            "class m { file { default: mode => '44'; '/a': } }",
            "class m ($x) { file { '/a': mode => if $x { '644' } else { '0600' } } }",
            "class m ($x, $y) { file { '/a': mode => if $x { '0644' } elsif $y { $z = 1 '600' } } }",
            "class m ($x) { file { '/a': mode => case $x { 1: { '644' } default: { '0600' } } } }",
        ] {
            assert_eq!(reported(&FILE_MODE, code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_other_modes() {
        for code in [
            "class m { file { '/a': mode => '0644' } }",
            "class m { file { '/a': mode => '1777' } }",
            "class m { file { '/a': mode => 'u=rw,g=r' } }",
            "class m { file { '/a': mode => 'a+X' } }",
            "class m ($x) { file { '/a': mode => $x } }",
            "class m ($x) { file { '/a': mode => \"0${x}\" } }",
            "class m { file { '/a': mode => undef } }",
            "class m { m::d { '/a': mode => '644' } }",
            "class m { file { '/a': mode => '0999' } }",
            "class m { file { '/a': * => { mode => '644' } } }",
        ] {
            assert_eq!(reported(&FILE_MODE, code), [""; 0], "{code}");
        }
    }
}
