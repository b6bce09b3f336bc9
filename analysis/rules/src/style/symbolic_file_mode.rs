use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::file_modes::{FILE_TYPES, FileMode};
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports symbolic file modes, such as `u=rw,go=r`.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` and `concat` resources, also in defaults, overrides and collectors.
    ///
    /// ## Why it matters
    ///
    /// Octal modes are shorter and set all permissions, while symbolic modes may leave some of them
    /// unchanged. The rule is off by default and meant for projects that use a single notation: a
    /// directory that is copied with `recurse` needs `X`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/motd':
    ///     ensure => file,
    ///     mode   => 'u=rw,go=r', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/motd':
    ///     ensure => file,
    ///     mode   => '0644',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: a symbolic mode may depend on the existing permissions.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[symbolic-file-mode]` at the end of the line, or on a line of its own above it.
    /// To turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// symbolic-file-mode = "warning"
    /// ```
    pub(crate) static SYMBOLIC_FILE_MODE = {
        code: "symbolic-file-mode",
        puppet_lint: ["no_symbolic_file_modes"],
        group: Style,
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    if let Some(mode) = attribute_of(node, &FILE_TYPES, &["mode"]) {
        let effect = "is symbolic; use octal digits instead";
        checker.report_modes(&SYMBOLIC_FILE_MODE, &mode, is_symbolic, effect);
    }
}

fn is_symbolic(mode: &FileMode<'_>) -> bool {
    matches!(mode, FileMode::Symbolic(_))
}

#[cfg(test)]
mod tests {
    use super::SYMBOLIC_FILE_MODE;
    use crate::testing::reported;

    #[test]
    fn reports_symbols() {
        let code = "class m ($x) { file { '/a': mode => 'u=rw,go=r'; '/b': mode => 'a+X'; \
                    '/c': mode => $x ? { 1 => 'g-w', default => '0644' } } File { mode => '+x' } \
                    concat { 'd': mode => 'o=' } }";
        let end = "is symbolic; use octal digits instead";
        let modes = ["u=rw,go=r", "a+X", "g-w", "+x", "o="];
        let expected = modes.map(|it| format!("`'{it}'`: mode `{it}` {end}"));
        assert_eq!(reported(&SYMBOLIC_FILE_MODE, code), expected);
    }

    #[test]
    fn ignores_digits_and_other_attributes() {
        let code = "class m ($x) { file { '/a': mode => '0644'; '/b': mode => '755'; '/c': mode => $x; \
                    '/d': mode => 'nonsense'; '/e': owner => 'u=rw'; '/f': mode => undef } \
                    other { '/g': mode => 'u=rw' } }";
        assert_eq!(reported(&SYMBOLIC_FILE_MODE, code), [""; 0]);
    }
}
