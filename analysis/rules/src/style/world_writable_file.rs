use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::file_modes::FILE_TYPES;
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports files that every user of the machine can write to.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `mode` of `file` and `concat` resources, octal or symbolic, also in
    /// defaults, overrides and collectors.
    ///
    /// ## Why it matters
    ///
    /// Every process on the machine can change the content, for example of a configuration file or
    /// a script that `root` runs.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/example.conf':
    ///     ensure => file,
    ///     mode   => '0666', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/example.conf':
    ///     ensure => file,
    ///     mode   => '0644',
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Modes with the sticky bit, such as `1777` of `/tmp`: users may only replace their own files.
    /// * Links, whose mode has no effect.
    ///
    /// ## Fix
    ///
    /// No fix is available: the users who need the file are unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[world-writable-file]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// world-writable-file = "warning"
    /// ```
    pub(crate) static WORLD_WRITABLE_FILE = {
        code: "world-writable-file",
        puppet_lint: ["world_writable_files", "security_file_with_world_permissions"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(mode) = attribute_of(node, &FILE_TYPES, &["mode"]) else {
        return;
    };
    if !checker.has_ensure(&mode, "link") {
        let effect = "allows every user to write";
        checker.report_modes(
            &WORLD_WRITABLE_FILE,
            &mode,
            |it| it.is_world_writable(),
            effect,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::WORLD_WRITABLE_FILE;
    use crate::testing::reported;

    #[test]
    fn reports_files_that_everybody_may_write() {
        let code = "class m ($x) { file { '/a': mode => '0666'; '/b': mode => '777'; \
                    '/c': mode => 'o+w' } File { mode => 'a=rwx' } $mode = '0777' \
                    file { '/d': mode => $x ? { 1 => $mode, default => '0644' } } \
                    concat { '/e': mode => '0622' } }";
        let modes = [
            ("'0666'", "0666"),
            ("'777'", "777"),
            ("'o+w'", "o+w"),
            ("'a=rwx'", "a=rwx"),
            ("$mode", "0777"),
            ("'0622'", "0622"),
        ];
        let message =
            |it: (&str, &str)| format!("`{}`: mode `{}` allows every user to write", it.0, it.1);
        assert_eq!(reported(&WORLD_WRITABLE_FILE, code), modes.map(message));
    }

    #[test]
    fn ignores_other_modes() {
        let code = "class m ($x) { file { '/tmp': mode => '1777'; '/b': mode => '0664'; \
                    '/c': mode => 'u+w'; '/d': mode => $x; '/e': mode => undef; \
                    '/f': ensure => link, mode => '0777'; '/g': content => '0777'; \
                    '/h': mode => 'a=rwxt' } other { '/i': mode => '0777' } $mode = '0777' }";
        assert_eq!(reported(&WORLD_WRITABLE_FILE, code), [""; 0]);
    }
}
