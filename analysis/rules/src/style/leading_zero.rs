use syntax::ast::{AstNode, Literal, LiteralKind};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports numbers that start with `0`.
    ///
    /// ## What it does
    ///
    /// Checks integers such as `0644`, which Puppet reads as octal. Hexadecimal numbers and `0.5` are fine.
    ///
    /// ## Why it matters
    ///
    /// The value differs from what it looks like: `010` is 8. A mode has to be a string anyway.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   $umask = 022 # <-
    ///   notice($umask)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   $umask = '022'
    ///   notice($umask)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: quotes the number, which makes it a string. Operands of operators and of data types have no
    /// fix.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[leading-zero]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// leading-zero = "warning"
    /// ```
    pub(crate) static LEADING_ZERO = {
        code: "leading-zero",
        puppet_lint: ["leading_zero"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::LITERAL], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(LiteralKind::Number(text)) = Literal::cast(node.clone()).and_then(|it| it.kind())
    else {
        return;
    };
    let is_octal =
        text.len() > 1 && text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit());
    if is_octal && checker.owns(node) {
        let message = format!("number `{text}` starts with `0`, so it is octal");
        checker.report(&LEADING_ZERO, node.text_range(), message);
        let label = "Quote the number";
        let fix = Fix::suggested(label, node.text_range(), format!("'{text}'"));
        checker.fix(Some(fix).filter(|_| may_be_string(node)));
    }
}

/// Checks whether a number is a value of its own, and not an operand.
fn may_be_string(number: &SyntaxNode) -> bool {
    use SyntaxKind::{ARGUMENT_LIST, ARRAY, ASSIGNMENT, ATTRIBUTE, HASH_ENTRY, PARAMETER};
    let kind = number.parent().map(|it| it.kind());
    let kinds = [
        ARGUMENT_LIST,
        ARRAY,
        ASSIGNMENT,
        ATTRIBUTE,
        HASH_ENTRY,
        PARAMETER,
    ];
    kind.is_some_and(|it| kinds.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::LEADING_ZERO;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_octal_numbers() {
        let code = "class m ($a = 010) { $b = [00, 0644] $c = { 'd' => 07 } $e = $a + 011 \
                    file { '/f': mode => 0755 } notice(012) }";
        let numbers = ["010", "00", "0644", "07", "011", "0755", "012"];
        let expected =
            numbers.map(|it| format!("`{it}`: number `{it}` starts with `0`, so it is octal"));
        assert_eq!(reported(&LEADING_ZERO, code), expected);
    }

    #[test]
    fn ignores_other_numbers() {
        let code =
            "class m { $a = [0, 10, 0x1F, 0.5, '0644', \"01\", 1e0, 100, -10, 0e1] # 0644\n }";
        assert_eq!(reported(&LEADING_ZERO, code), [""; 0]);
    }

    #[test]
    fn quotes_values() {
        let code = "class m { $b = [00, 0644] $e = 1 + 011 }";
        assert_eq!(
            fixed(&LEADING_ZERO, code),
            "class m { $b = ['00', '0644'] $e = 1 + 011 }"
        );
    }
}
