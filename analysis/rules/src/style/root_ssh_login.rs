use syntax::ast::{AstNode, Attribute, Expr, HashEntry, ResourceBody};
use syntax::{SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::resource_attributes::{attribute_of, sibling};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports SSH configurations that let `root` log in with a password.
    ///
    /// ## What it does
    ///
    /// Checks hash entries `'PermitRootLogin' => 'yes'`, attributes `permit_root_login`, and resources
    /// `sshd_config` with this title or `key`.
    ///
    /// ## Why it matters
    ///
    /// Attackers know the user name and only have to guess the password. Actions of `root` cannot
    /// be attributed to a person.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $options = {
    ///     'PermitRootLogin' => 'yes', # <-
    ///   }
    ///   notice($options)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $options = {
    ///     'PermitRootLogin' => 'no',
    ///   }
    ///   notice($options)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: other users need access first.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[root-ssh-login]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// root-ssh-login = "warning"
    /// ```
    pub(crate) static ROOT_SSH_LOGIN = {
        code: "root-ssh-login",
        puppet_lint: ["security_ssh_root_allowed"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE, SyntaxKind::HASH_ENTRY], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(value) = permission(node).filter(|_| checker.owns(node)) else {
        return;
    };
    for (expr, constant) in checker.constants(&value) {
        let is_yes = match &constant {
            Value::Boolean(it) => *it,
            Value::String(it) => it.eq_ignore_ascii_case("yes"),
            _ => false,
        };
        if is_yes {
            let message = "`root` may log in with a password".to_owned();
            checker.report(&ROOT_SSH_LOGIN, expr.syntax().text_range(), message);
        }
    }
}

/// Returns the value that is set for the option.
fn permission(node: &SyntaxNode) -> Option<Expr> {
    if let Some(entry) = HashEntry::cast(node.clone()) {
        return names_option(&entry.key()?).then(|| entry.value())?;
    }
    let attribute = Attribute::cast(node.clone())?;
    if attribute.name_token()?.text() == "permit_root_login" {
        return attribute.value();
    }
    let value = attribute_of(node, &["sshd_config"], &["value"])?;
    let key = match sibling(&value, "key") {
        Some(key) => key.value(),
        None => node.parent().and_then(ResourceBody::cast)?.title(),
    };
    names_option(&key?).then(|| value.value())?
}

fn names_option(expr: &Expr) -> bool {
    let text = expr.plain_text();
    text.is_some_and(|it| it.eq_ignore_ascii_case("PermitRootLogin"))
}

#[cfg(test)]
mod tests {
    use super::ROOT_SSH_LOGIN;
    use crate::testing::reported;

    #[test]
    fn reports_permissions() {
        let code = "class m { $o = { 'PermitRootLogin' => 'yes' } class { 'ssh': options => { \
                    'permitrootlogin' => yes }, permit_root_login => 'yes' } \
                    sshd_config { 'PermitRootLogin': value => 'yes'; 'a': key => 'PermitRootLogin', value => \"yes\" } \
                    class { 'n': permit_root_login => true } }";
        let values = ["'yes'", "yes", "'yes'", "'yes'", "\"yes\"", "true"];
        let expected = values.map(|it| format!("`{it}`: `root` may log in with a password"));
        assert_eq!(reported(&ROOT_SSH_LOGIN, code), expected);
    }

    #[test]
    fn ignores_other_options() {
        let code = "class m ($x) { $o = { 'PermitRootLogin' => 'no', 'UsePAM' => 'yes' } \
                    $p = { 'PermitRootLogin' => 'prohibit-password' } $q = { 'PermitRootLogin' => $x } \
                    sshd_config { 'X11Forwarding': value => 'yes'; 'PermitRootLogin': value => 'no' } \
                    other { 'PermitRootLogin': value => 'yes' } class { 'n': permit_root_login => 'no' } \
                    class { 'p': permit_root_login => false } }";
        assert_eq!(reported(&ROOT_SSH_LOGIN, code), [""; 0]);
    }
}
