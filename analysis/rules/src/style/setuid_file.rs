use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files with the setuid bit.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` resources, octal or symbolic. Directories are not
    /// checked.
    ///
    /// ## Why it matters
    ///
    /// The program runs with the rights of its owner, whoever starts it. A bug in the program, or
    /// weak permissions of the file, then affect the whole machine.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/usr/local/bin/example':
    ///     ensure => file,
    ///     mode   => '4755', # <-
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
    /// Add `# pupil: ignore[setuid-file]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// setuid-file = "warning"
    /// ```
    pub(crate) static SETUID_FILE = {
        code: "setuid-file",
        puppet_lint: ["security_file_with_setuid_permission"],
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
    if !checker.has_ensure(&mode, "directory") {
        checker.report_modes(
            &SETUID_FILE,
            &mode,
            |it| it.sets_user(),
            "sets the setuid bit",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::SETUID_FILE;
    use crate::testing::reported;

    #[test]
    fn reports_the_bit() {
        let code = "class m ($x) { file { '/a': ensure => file, mode => '4755'; \
                    '/b': ensure => file, mode => '6711'; '/c': content => '', mode => 'u+s' } \
                    $mode = '4700' file { '/d': source => 'puppet:///modules/m/d', mode => $mode; \
                    '/e': ensure => 'file', mode => $x ? { 1 => '4111', default => '0755' } } }";
        let modes = [
            ("'4755'", "4755"),
            ("'6711'", "6711"),
            ("'u+s'", "u+s"),
            ("$mode", "4700"),
            ("'4111'", "4111"),
        ];
        let expected = modes.map(|it| format!("`{}`: mode `{}` sets the setuid bit", it.0, it.1));
        assert_eq!(reported(&SETUID_FILE, code), expected);
    }

    #[test]
    fn ignores_other_modes_and_directories() {
        let code = "class m ($x) { file { '/a': ensure => file, mode => '0755'; \
                    '/b': ensure => directory, mode => '6755'; '/c': ensure => file, mode => 'u-s'; \
                    '/d': ensure => file, mode => '1777'; '/e': ensure => file, mode => $x; \
                    '/f': ensure => file, owner => '4755' } other { 'g': mode => '4755' } }";
        assert_eq!(reported(&SETUID_FILE, code), [""; 0]);
    }
}
