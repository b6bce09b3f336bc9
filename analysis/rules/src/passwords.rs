//! The names of passwords, and the literals that may be one.

use library::KnownFunction;
use syntax::ast::Expr;

/// The ends of names whose values are passwords.
const NAMES: [&str; 5] = ["password", "passwd", "passphrase", "passwort", "secret_key"];

/// Values that state something about a password instead of being one.
const STATES: [&str; 18] = [
    "absent", "ask", "default", "disabled", "enabled", "false", "locked", "no", "none", "off",
    "on", "optional", "present", "required", "true", "undef", "unset", "yes",
];

/// Checks whether a parameter, attribute or variable of this name contains a password.
pub(crate) fn is_password_name(name: &str) -> bool {
    let name = name
        .rsplit("::")
        .next()
        .unwrap_or(name)
        .to_ascii_lowercase();
    NAMES.iter().any(|it| name.ends_with(it)) || name == "pass" || name.ends_with("_pass")
}

/// Returns the literal that an expression consists of, if it may be a password: also in `Sensitive(…)`.
pub(crate) fn literal_password(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::StringLiteral(it) => is_password(&it.value()).then(|| expr.clone()),
        Expr::ParenExpr(it) => literal_password(&it.expr()?),
        Expr::CallExpr(it) => {
            let arguments = it.arguments();
            let name = it.callee()?;
            match (&name, arguments.as_slice()) {
                (Expr::QualifiedReference(name), [only]) if name.text() == "Sensitive" => {
                    literal_password(only)
                }
                _ => None,
            }
        }
        Expr::MethodCall(it) => {
            let receiver = it.receiver()?;
            let name = it.name_token()?;
            let is_new = KnownFunction::from_name(name.text()) == Some(KnownFunction::New);
            let is_sensitive =
                matches!(&receiver, Expr::QualifiedReference(it) if it.text() == "Sensitive");
            match it.arguments().as_slice() {
                [only] if is_new && is_sensitive => literal_password(only),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Checks whether a string may be a password in plain text: no lock, hash, path or placeholder.
fn is_password(text: &str) -> bool {
    let is_hash = text.starts_with(['$', '{', '*', '!', '<'])
        || text.starts_with("ENC[")
        || text.strip_prefix("md5").is_some_and(|it| it.len() == 32);
    let is_place = text.starts_with('/') || text.contains("%{") || text.contains("://");
    text.chars().count() > 1
        && !is_hash
        && !is_place
        && !text.contains(char::is_whitespace)
        && !STATES.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::{is_password, is_password_name};

    #[test]
    fn knows_names_of_passwords() {
        for name in [
            "password",
            "db_password",
            "m::root_passwd",
            "rpcPassword",
            "ldap_pass",
        ] {
            assert!(is_password_name(name), "{name}");
        }
        for name in [
            "password_hash",
            "passwords",
            "bypass",
            "compass",
            "password_file",
            "user",
        ] {
            assert!(!is_password_name(name), "{name}");
        }
    }

    #[test]
    fn knows_other_values() {
        for text in ["secret", "changeme", "P4ss!"] {
            assert!(is_password(text), "{text}");
        }
        for text in [
            "",
            "x",
            "!",
            "!!",
            "*",
            "$6$ab$cd",
            "{SSHA}abc",
            "ENC[PKCS7,abc]",
            "/etc/secret",
            "%{lookup('a')}",
            "UNSET",
            "on",
            "absent",
            "True",
            "md5aaaabbbbccccddddaaaabbbbccccdddd",
            "enter it here",
        ] {
            assert!(!is_password(text), "{text}");
        }
    }
}
