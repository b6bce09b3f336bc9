use syntax::ast::{AstNode, Attribute, ResourceBody};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports sudo rules that allow every user to run commands without a password.
    ///
    /// ## What it does
    ///
    /// Checks the attribute `content` of `sudo::conf`, and of files in `/etc/sudoers.d`, for a rule of `ALL`
    /// users with `NOPASSWD`.
    ///
    /// ## Why it matters
    ///
    /// Any process on the machine can run commands as `root`.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/sudoers.d/example':
    ///     ensure  => file,
    ///     content => 'ALL ALL=(ALL) NOPASSWD: ALL', # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/sudoers.d/example':
    ///     ensure  => file,
    ///     content => '%operators ALL=(ALL) ALL',
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the users who need the rights are unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[passwordless-sudo]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// passwordless-sudo = "warning"
    /// ```
    pub(crate) static PASSWORDLESS_SUDO = {
        code: "passwordless-sudo",
        puppet_lint: ["security_sudo_with_world_nopasswd"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let in_file =
        || attribute_of(node, &["file", "concat::fragment"], &["content"]).filter(is_of_sudo);
    let content = attribute_of(node, &["sudo::conf"], &["content"]).or_else(in_file);
    let Some(value) = content.and_then(|it| it.value()) else {
        return;
    };
    for (expr, text) in checker.constant_strings(&value) {
        if text.lines().any(is_for_all) {
            let message = "sudo rule lets every user run commands without a password".to_owned();
            checker.report(&PASSWORDLESS_SUDO, expr.syntax().text_range(), message);
        }
    }
}

/// Checks whether the resource is a part of the configuration of sudo.
fn is_of_sudo(content: &Attribute) -> bool {
    let body = content.syntax().parent().and_then(ResourceBody::cast);
    let title = body.and_then(|it| it.title());
    let title = title.map_or(String::new(), |it| it.syntax().text().to_string());
    title.trim_matches(['\'', '"']).starts_with("/etc/sudoers")
}

/// Checks whether a line allows something to all users without a password.
fn is_for_all(line: &str) -> bool {
    let rule = line.trim_start().strip_prefix("ALL");
    rule.is_some_and(|it| it.starts_with([' ', '\t']) && it.contains("NOPASSWD"))
}

#[cfg(test)]
mod tests {
    use super::PASSWORDLESS_SUDO;
    use crate::testing::reported;

    #[test]
    fn reports_rules_for_all_users() {
        let code = "class m ($x) { sudo::conf { 'a': content => 'ALL ALL=(ALL) NOPASSWD: ALL' } \
                    file { '/etc/sudoers.d/b': content => \"# all\\nALL ALL = NOPASSWD: /bin/b\\n\" } \
                    $rule = 'ALL\tALL=NOPASSWD:ALL' file { \"/etc/sudoers.d/${x}\": content => $rule } \
                    file { '/etc/sudoers': content => $x ? { 1 => ' ALL ALL=NOPASSWD: ALL', default => '' } } }";
        let found = reported(&PASSWORDLESS_SUDO, code);
        assert_eq!(found.len(), 4, "{found:?}");
        let end = ": sudo rule lets every user run commands without a password";
        assert!(found.iter().all(|it| it.ends_with(end)), "{found:?}");
    }

    #[test]
    fn ignores_other_rules() {
        let code = "class m ($x) { sudo::conf { 'a': content => 'ops ALL=(ALL) NOPASSWD: ALL'; 'b': content => $x; \
                    'c': content => 'ALL ALL=(ALL) ALL'; 'd': content => '# ALL ALL=NOPASSWD: ALL'; \
                    'e': content => '%ALL ALL=NOPASSWD: ALL'; 'f': source => 'ALL ALL=NOPASSWD: ALL' } \
                    file { '/etc/motd': content => 'ALL ALL=NOPASSWD: ALL' } \
                    file { '/etc/sudoers.d/g': content => 'Defaults env_reset' } \
                    sudo::conf { 'h': content => 'ALLOWED ALL=NOPASSWD: ALL' } }";
        assert_eq!(reported(&PASSWORDLESS_SUDO, code), [""; 0]);
    }
}
