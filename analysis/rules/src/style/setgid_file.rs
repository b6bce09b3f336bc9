use syntax::ast::Attribute;
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::{attribute_of, sibling};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files with the setgid bit.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` resources, octal or symbolic. Only resources that are
    /// certainly files are checked: with `ensure => file`, `content` or a single `source`.
    ///
    /// ## Why it matters
    ///
    /// The program runs with the rights of its group, whoever starts it. A bug in the program, or
    /// weak permissions of the file, then affect the whole machine.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/usr/local/bin/example':
    ///     ensure => file,
    ///     mode   => '2755', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/usr/local/bin/example':
    ///     ensure => file,
    ///     mode   => '0755',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the program may need the rights.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[setgid-file]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// setgid-file = "warning"
    /// ```
    pub(crate) static SETGID_FILE = {
        code: "setgid-file",
        puppet_lint: ["security_file_with_setgid_permission"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(mode) = attribute_of(node, &["file"], &["mode"]) else {
        return;
    };
    if is_file(checker, &mode) {
        checker.report_modes(
            &SETGID_FILE,
            &mode,
            |it| it.sets_group(),
            "sets the setgid bit",
        );
    }
}

/// Checks whether a resource is certainly a file. Directories have the bit so that new files get their group.
fn is_file(checker: &Checker<'_>, mode: &Attribute) -> bool {
    let has = |name| sibling(mode, name).is_some();
    match has("ensure") {
        true => checker.has_ensure(mode, "file"),
        false => (has("content") || has("source")) && !has("recurse"),
    }
}

#[cfg(test)]
mod tests {
    use super::SETGID_FILE;
    use crate::testing::reported;

    #[test]
    fn reports_the_bit() {
        let code = "class m ($x) { file { '/a': ensure => file, mode => '2755'; \
                    '/b': ensure => file, mode => '6711'; '/c': content => '', mode => 'g+s' } \
                    $mode = '2700' file { '/d': source => 'puppet:///modules/m/d', mode => $mode; \
                    '/e': ensure => 'file', mode => $x ? { 1 => '2111', default => '0755' } } }";
        let modes = [
            ("'2755'", "2755"),
            ("'6711'", "6711"),
            ("'g+s'", "g+s"),
            ("$mode", "2700"),
            ("'2111'", "2111"),
        ];
        let expected = modes.map(|it| format!("`{}`: mode `{}` sets the setgid bit", it.0, it.1));
        assert_eq!(reported(&SETGID_FILE, code), expected);
    }

    #[test]
    fn ignores_other_modes_and_directories() {
        let code = "class m ($x) { file { '/a': ensure => file, mode => '0755'; \
                    '/b': ensure => directory, mode => '6755'; '/c': ensure => file, mode => 'g-s'; \
                    '/d': ensure => file, mode => '1777'; '/e': ensure => file, mode => $x; \
                    '/f': ensure => file, owner => '2755' } other { 'g': mode => '2755' } }";
        assert_eq!(reported(&SETGID_FILE, code), [""; 0]);
    }
}
