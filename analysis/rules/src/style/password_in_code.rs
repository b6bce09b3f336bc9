use syntax::ast::{Assignment, AstNode, Attribute, Expr, Parameter};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::passwords::{is_password_name, literal_password};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports passwords that are written in the code.
    ///
    /// ## What it does
    ///
    /// Checks variables, default values of parameters and attributes of resources whose name is or ends in
    /// `password`, `passwd`, `passphrase` or `_pass`, for a literal string, also in `Sensitive(…)`.
    ///
    /// ## Why it matters
    ///
    /// Everyone who can read the repository knows the password, and all machines share it.
    /// Encrypted Hiera data keeps it secret.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   String $db_password = 'changeme', # <-
    /// ) { notice($db_password) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Sensitive[String] $db_password,
    /// ) { notice($db_password) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Hashes of passwords, such as `'$6$…'`, and locks such as `'!'`.
    /// * Words such as `'absent'`, paths, and strings with whitespace.
    ///
    /// ## Fix
    ///
    /// No fix is available: the password has to be moved to a safe place.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[password-in-code]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `security = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// password-in-code = "warning"
    /// ```
    pub(crate) static PASSWORD_IN_CODE = {
        code: "password-in-code",
        puppet_lint: ["security_password_in_code"],
        group: Security,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::ATTRIBUTE, SyntaxKind::ASSIGNMENT, SyntaxKind::PARAMETER], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((name, value)) = named_value(node) else {
        return;
    };
    if !is_password_name(name.trim_start_matches('$')) || !checker.owns(node) {
        return;
    }
    if let Some(literal) = literal_password(&value) {
        let message = format!("hard-coded password `{name}`");
        checker.report(&PASSWORD_IN_CODE, literal.syntax().text_range(), message);
    }
}

/// Returns the name and the value of an attribute, an assignment or a parameter.
fn named_value(node: &SyntaxNode) -> Option<(String, Expr)> {
    if let Some(attribute) = Attribute::cast(node.clone()) {
        return Some((
            attribute.name_token()?.text().to_owned(),
            attribute.value()?,
        ));
    }
    if let Some(parameter) = Parameter::cast(node.clone()) {
        return Some((
            parameter.variable()?.text().to_owned(),
            parameter.default()?,
        ));
    }
    let assignment = Assignment::cast(node.clone())?;
    match assignment.lhs()? {
        Expr::VariableExpr(it) => Some((it.syntax().text().to_string(), assignment.rhs()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PASSWORD_IN_CODE;
    use crate::testing::reported;

    #[test]
    fn reports_passwords() {
        let code = "class m (String $password = 'a1', Sensitive $db_passwd = Sensitive('b1')) { \
                    $root_password = 'c1' user { 'x': password => 'd1' } m::y { 'y': bind_pass => (\"e1\") } \
                    User { password => Sensitive.new('f1') } class { 'z': admin_passphrase => 'g1' } }";
        let expected = [
            ("a1", "$password"),
            ("b1", "$db_passwd"),
            ("c1", "$root_password"),
            ("d1", "password"),
            ("e1", "bind_pass"),
            ("f1", "password"),
            ("g1", "admin_passphrase"),
        ];
        let found = reported(&PASSWORD_IN_CODE, code);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, (value, name)) in found.iter().zip(expected) {
            assert!(found.contains(value), "{found}");
            assert!(
                found.ends_with(&format!("hard-coded password `{name}`")),
                "{found}"
            );
        }
    }

    #[test]
    fn ignores_other_values() {
        let code = "class m (String $password, $db_password = undef, $a_password = '', $use_password = true, \
                    $password_file = 'a1', $b_password = $m::password) { $c_password = lookup('c1') \
                    user { 'x': password => '!'; 'y': password => '$6$abc$def'; 'z': password => $password; \
                    'u': password => '/etc/secret'; 'v': password => Sensitive($password), passwords => 'a1' } \
                    $h = { 'password' => 'a1' } $d_password = \"${password}1\" $e_password = 'absent' }";
        assert_eq!(reported(&PASSWORD_IN_CODE, code), [""; 0]);
    }
}
