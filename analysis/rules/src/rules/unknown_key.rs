use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, Expr};
use syntax::{Fix, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::fixes::{expr_at, literal_in, text_like};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::{hint, similar};

declare_rule! {
    /// Reports accesses to keys that the hash does not have.
    ///
    /// ## What it does
    ///
    /// Checks constant keys of hashes whose keys are known: from a `Struct` type, or from a hash
    /// literal.
    ///
    /// ## Why it matters
    ///
    /// The access evaluates to `undef`, which is hardly intended. Puppet does not warn.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example(Struct[{ user => String, Optional[group] => String }] $owner) {
    ///   $a = $owner['usr'] # <-
    ///   $b = $owner['groups'] # <-
    ///   notice($a, $b)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example(
    ///   Struct[{ user => String, Optional[group] => String }] $owner,
    ///   Hash[String, String] $other,
    /// ) {
    ///   $a = $owner['user']
    ///   $b = $owner['group']
    ///   $c = $other['groups']
    ///   notice($a, $b, $c)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Hashes whose type only specifies the types of keys and values.
    ///
    /// The severity is a hint if the hash comes from other code or from facts.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the key with the most similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-key]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-key = "off"
    /// ```
    pub(crate) static UNKNOWN_KEY = {
        code: "unknown-key",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownKey { key, known } = &problem.kind else {
        return;
    };
    let root = checker.root();
    let near = similar(key, known.iter().map(String::as_str));
    let hash = hash_of(&root, problem.range);
    let message = format!("no key `{key}`{hash}{}", hint(near));
    // Other code may change.
    let severity = UNKNOWN_KEY.or_hint(problem.depends_on_external);
    checker.report_problem_as(&UNKNOWN_KEY, severity, problem, message);
    if let Some(near) = near
        && let Some(written) = literal_in(&root, problem.range, key)
    {
        let range = written.syntax().text_range();
        let text = text_like(&written, near);
        let label = format!("Replace with `{near}`");
        checker.fix(Some(Fix::suggested(label, range, text)));
    }
}

/// Names the hash of an access expression, if it is a variable.
fn hash_of(root: &SyntaxNode, access: TextRange) -> String {
    let base = match expr_at(root, access) {
        Some(Expr::AccessExpr(it)) => it.base(),
        _ => None,
    };
    let name = match base {
        Some(Expr::VariableExpr(it)) => it.name(),
        _ => None,
    };
    name.map_or(String::new(), |it| format!(" in `${it}`"))
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_KEY;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_keys_that_the_hash_does_not_have() {
        let code = "class m { $limits = { 'soft' => 1 } $x = [$limits['sfot'], { a => 1 }['bb']] }";
        assert_eq!(
            reported(&UNKNOWN_KEY, code),
            [
                "`$limits['sfot']`: no key `sfot` in `$limits`; did you mean `soft`?",
                "`{ a => 1 }['bb']`: no key `bb`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_KEY, code), ["Replace with `soft`"]);
    }

    #[test]
    fn ignores_keys_that_may_exist() {
        let code = "class m (Hash $h, Struct[{ Optional[a] => Integer }] $s) { \
                    $x = [$h['b'], $s['a'], { a => 1 }['a']] }";
        assert_eq!(reported(&UNKNOWN_KEY, code), [""; 0]);
    }
}
