use syntax::ast::{AstNode, Expr, ResourceBody, ResourceExpr};
use syntax::{SyntaxKind, SyntaxNode};
use types::values::Value;

use crate::checker::Checker;
use crate::resource_attributes::{bodies, declared_type, has_splat, named_attribute};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports users other than `root` with the user ID 0.
    ///
    /// ## What it does
    ///
    /// Checks `user` resources with `uid => 0`, unless their title or `name` is `root`.
    ///
    /// ## Why it matters
    ///
    /// The user has all rights of `root`, and audits that search for `root` do not find its actions.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   user { 'toor': # <-
    ///     ensure => present,
    ///     uid    => 0,
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   user { 'operator':
    ///     ensure => present,
    ///     uid    => 1100,
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the right user ID is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[uid-zero-user]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// uid-zero-user = "warning"
    /// ```
    pub(crate) static UID_ZERO_USER = {
        code: "uid-zero-user",
        puppet_lint: ["security_user_with_id_0_created"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::RESOURCE_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(resource) = ResourceExpr::cast(node.clone()) else {
        return;
    };
    if declared_type(&resource).is_none_or(|it| it != "user") {
        return;
    }
    for body in bodies(&resource).0 {
        let title = body
            .title()
            .filter(|_| is_created_with_id_zero(checker, &body));
        for name in title.map_or(Vec::new(), |it| names(checker, &it)) {
            if name.1 != "root" {
                let message = format!("user `{}` has UID 0, like `root`", name.1);
                checker.report(&UID_ZERO_USER, name.0.syntax().text_range(), message);
            }
        }
    }
}

/// Checks whether a body sets the user ID 0, and neither another name nor `ensure => absent`.
fn is_created_with_id_zero(checker: &Checker<'_>, body: &ResourceBody) -> bool {
    let constant = |name| checker.constant_attribute(named_attribute(body.syntax(), name));
    let has_id = match constant("uid") {
        Some(Value::Integer(it)) => it == 0,
        Some(Value::String(it)) => &*it == "0",
        _ => false,
    };
    let has_name = named_attribute(body.syntax(), "name").is_some();
    let is_absent = constant("ensure").is_some_and(|it| it.as_str() == Some("absent"));
    has_id && !has_name && !is_absent && !has_splat(body.syntax())
}

/// Returns the names in a title that are constants.
fn names(checker: &Checker<'_>, title: &Expr) -> Vec<(Expr, String)> {
    match title {
        Expr::ArrayExpr(it) => {
            let elements = it.elements();
            elements
                .flat_map(|it| checker.constant_strings(&it))
                .collect()
        }
        _ => checker.constant_strings(title),
    }
}

#[cfg(test)]
mod tests {
    use super::UID_ZERO_USER;
    use crate::testing::reported;

    #[test]
    fn reports_other_users() {
        let code = "class m { user { 'toor': uid => 0; 'b': uid => '0', allowdupe => true; \
                    ['root', 'c']: ensure => present, uid => 0 } $id = 0 user { 'd': uid => $id } \
                    @user { 'e': uid => 00 } }";
        let users = ["toor", "b", "c", "d", "e"];
        let expected = users.map(|it| format!("`'{it}'`: user `{it}` has UID 0, like `root`"));
        assert_eq!(reported(&UID_ZERO_USER, code), expected);
    }

    #[test]
    fn ignores_root_and_other_ids() {
        let code = "class m ($x, $h) { user { 'root': uid => 0; 'a': uid => 10; 'b': ensure => absent, uid => 0; \
                    'c': name => 'root', uid => 0; 'd': uid => $x; 'e': gid => 0; $x: uid => 0; \
                    'f': * => $h, uid => 0 } group { 'wheel': gid => 0 } other { 'g': uid => 0 } }";
        assert_eq!(reported(&UID_ZERO_USER, code), [""; 0]);
    }
}
