use syntax::ast::{AstNode, BinaryExpr, Expr};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode};
use types::Type;
use types::values::Value;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports versions and numbers that are compared as strings.
    ///
    /// ## What it does
    ///
    /// Checks `<`, `<=`, `>` and `>=` with a string and a version: a fact such as
    /// `$facts['os']['release']['full']`, or a variable whose name ends in `version` or `release`.
    /// Two literal strings that start with a digit count as versions, too. A quoted number such as `'10'` is also
    /// reported if the value on the other side may be a number.
    ///
    /// ## Why it matters
    ///
    /// Puppet compares strings character by character: `'9' > '10'` is true. The comparison is wrong as
    /// soon as a version has more digits. For a number and a string, compilation fails: *Comparison of: Integer >
    /// String, is not possible*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   if $facts['os']['release']['major'] >= '9' { # <-
    ///     notice('recent')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   if versioncmp($facts['os']['release']['major'], '9') >= 0 {
    ///     notice('recent')
    ///   }
    /// }
    /// ```
    ///
    /// A quoted number:
    ///
    /// ```puppet wrong
    /// class example (Variant[Integer, Enum['auto']] $workers = 4) {
    ///   if $workers > '10' { # <-
    ///     notice('many workers')
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Comparisons for equality, which work for strings.
    /// * Quoted numbers with more than five digits, which may be dates, and those that look like years.
    ///
    /// The severity is a hint for a comparison with a version such as `'20.04'` or `'2019'`: versions of
    /// this form have the same number of digits.
    ///
    /// ## Fix
    ///
    /// Suggested: compares the versions with `versioncmp`, or removes the quotes of the number.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[version-comparison]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// version-comparison = "off"
    /// ```
    pub(crate) static VERSION_COMPARISON = {
        code: "version-comparison",
        puppet_lint: ["version_comparison"],
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::BINARY_EXPR], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(comparison) = BinaryExpr::cast(node.clone()).filter(is_ordering) else {
        return;
    };
    if let Some((severity, fix)) = comparison_of_strings(checker, &comparison) {
        let message = "versions are compared as strings; use `versioncmp` instead".to_owned();
        checker.report_as(&VERSION_COMPARISON, severity, node.text_range(), message);
        checker.fix(Some(fix));
    } else if let Some((literal, number)) = quoted_number(checker, &comparison) {
        let message = format!("cannot compare a number with the string `'{number}'`");
        checker.report(&VERSION_COMPARISON, node.text_range(), message);
        let range = literal.syntax().text_range();
        checker.fix(Some(Fix::suggested("Remove the quotes", range, number)));
    }
}

/// Checks whether an operator compares by order.
fn is_ordering(comparison: &BinaryExpr) -> bool {
    use SyntaxKind::{GT, GT_EQ, LT, LT_EQ};
    let operator = comparison.operator();
    operator.is_some_and(|it| matches!(it.kind(), LT | LT_EQ | GT | GT_EQ))
}

/// Returns a quoted number, and its digits, that is compared with what may be a number. Other rules report the comparison
/// with what can only be one.
fn quoted_number(checker: &Checker<'_>, comparison: &BinaryExpr) -> Option<(Expr, String)> {
    let (left, right) = (comparison.lhs()?, comparison.rhs()?);
    let (literal, other) = match (
        is_version_literal(checker, &left),
        is_version_literal(checker, &right),
    ) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    let number = literal.plain_text().filter(|it| is_plain_number(it))?;
    let other = checker.type_of(&other)?;
    let is_open = |it: &Type| other.is_a(it).is_none();
    (is_open(&Type::STRING) && is_open(&Type::Numeric)).then_some((literal, number))
}

/// Checks whether a string is a number that is not likely a year or a date.
fn is_plain_number(text: &str) -> bool {
    const MAX_DIGITS: usize = 5;
    let is_year = text.len() == 4 && (text.starts_with("19") || text.starts_with("20"));
    let is_padded = text.len() > 1 && text.starts_with('0');
    let is_number = text.bytes().all(|it| it.is_ascii_digit());
    is_number && text.len() <= MAX_DIGITS && !is_year && !is_padded
}

/// Checks whether an expression compares versions as strings. Returns the severity and the fix.
fn comparison_of_strings(
    checker: &Checker<'_>,
    comparison: &BinaryExpr,
) -> Option<(Severity, Fix)> {
    let operator = comparison.operator()?;
    let (left, right) = (comparison.lhs()?, comparison.rhs()?);
    let (of_left, of_right) = match (
        is_version_literal(checker, &left),
        is_version_literal(checker, &right),
    ) {
        (true, true) => (true, true),
        (left_is_literal, right_is_literal) => (
            is_version(checker, &left) || right_is_literal && is_named_version(&left),
            is_version(checker, &right) || left_is_literal && is_named_version(&right),
        ),
    };
    if !(of_left || of_right) || !may_be_string(checker, &left) || !may_be_string(checker, &right) {
        return None;
    }
    // The other operand decides, if the fact is of an unknown type.
    let is_string = |it: &Expr| {
        let inferred = checker.type_of(it);
        inferred.is_some_and(|it| it.is_a(&Type::optional(Type::STRING)) == Some(true))
    };
    if !(of_left && of_right || is_string(&left) || is_string(&right)) {
        return None;
    }
    let is_uniform = |it: &Expr| {
        let value = checker.type_of(it).and_then(|it| it.value.as_ref());
        value.and_then(Value::as_str).is_some_and(is_uniform)
    };
    let severity = VERSION_COMPARISON.or_hint(is_uniform(&left) || is_uniform(&right));
    let (a, b) = (left.syntax().text(), right.syntax().text());
    let text = format!("versioncmp({a}, {b}) {} 0", operator.text());
    let range = comparison.syntax().text_range();
    Some((
        severity,
        Fix::suggested("Compare with `versioncmp`", range, text),
    ))
}

/// Checks whether a version is of a form that always has the same number of digits, such as `20.04` of
/// Ubuntu and `2019` of Windows Server.
fn is_uniform(version: &str) -> bool {
    let is_number = |it: &str, count| it.len() == count && it.bytes().all(|it| it.is_ascii_digit());
    let year = version.split(' ').next().unwrap_or_default();
    let pair = version.split_once('.');
    is_number(year, 4) || pair.is_some_and(|it| is_number(it.0, 2) && is_number(it.1, 2))
}

/// Checks whether an expression is a string literal that starts with a digit.
fn is_version_literal(checker: &Checker<'_>, expr: &Expr) -> bool {
    let inferred = checker
        .type_of(expr)
        .filter(|_| matches!(expr, Expr::StringLiteral(_)));
    let text = inferred.and_then(|it| it.value.as_ref()?.as_str());
    text.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
}

/// Checks whether an expression is a variable that is named as a version.
fn is_named_version(expr: &Expr) -> bool {
    let name = match expr {
        Expr::VariableExpr(it) => it.name(),
        _ => None,
    };
    name.is_some_and(|it| names_version(&it))
}

fn names_version(name: &str) -> bool {
    name.ends_with("version") || name.ends_with("release")
}

fn may_be_string(checker: &Checker<'_>, expr: &Expr) -> bool {
    let inferred = checker.type_of(expr);
    inferred.is_some_and(|it| it.is_a(&Type::STRING) != Some(false))
}

/// Checks whether an expression is a fact that is a version.
fn is_version(checker: &Checker<'_>, expr: &Expr) -> bool {
    let Some(path) = checker.fact_path(expr) else {
        return false;
    };
    match path.as_slice() {
        [.., last] if names_version(last) => true,
        [_, .., parent, _] => names_version(parent),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::VERSION_COMPARISON;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_comparisons_of_strings() {
        let code = "class m { $v = $facts['os']['release']['full'] if $v < '10.4' { notice(1) } }";
        assert_eq!(
            reported(&VERSION_COMPARISON, code),
            ["`$v < '10.4'`: versions are compared as strings; use `versioncmp` instead"]
        );
        assert_eq!(
            fixes(&VERSION_COMPARISON, code),
            ["Compare with `versioncmp`"]
        );
    }

    #[test]
    fn reports_variables_and_literals() {
        let code = "class m (String $mysql_version, $release) { $x = [$facts['puppetversion'] < '8', \
                    '10' > '9', $mysql_version >= '5.7', '1.2' < $release, $mysql_version < $release] }";
        let places = [
            "$facts['puppetversion'] < '8'",
            "'10' > '9'",
            "$mysql_version >= '5.7'",
            "'1.2' < $release",
        ];
        let end = "versions are compared as strings; use `versioncmp` instead";
        let expected = places.map(|it| format!("`{it}`: {end}"));
        assert_eq!(reported(&VERSION_COMPARISON, code), expected);
    }

    #[test]
    fn ignores_other_variables() {
        let code = "class m (Integer $version, String $name, String $a_version) { $x = [$version < 8, \
                    $name > '9', 'b' < 'c', '1' < 2, 3 > 2, $a_version < 'b', $a_version == '1', \
                    versioncmp($a_version, '1') > 0, Integer($a_version) > 1, $name < $name] }";
        assert_eq!(reported(&VERSION_COMPARISON, code), [""; 0]);
    }

    #[test]
    fn reports_quoted_numbers() {
        let found = |code: &str| {
            let code = format!(
                "class m ($any, Variant[Integer, String] $v, String $s, Integer $i) {{ notice({code}) }}"
            );
            reported(&VERSION_COMPARISON, &code)
        };
        let message = "cannot compare a number with the string `'10'`";
        for code in ["$any > '10'", "'10' <= $v", "$facts['custom'] < '10'"] {
            assert_eq!(found(code), [format!("`{code}`: {message}")]);
        }
        let code = "class m ($any) { if $any > '10' { notice(1) } }";
        assert_eq!(fixes(&VERSION_COMPARISON, code), ["Remove the quotes"]);
        for code in [
            "$s > '10'",
            "$i > '10'",
            "$any > 10",
            "$any == '10'",
            "$any > '2019'",
            "$any > '20190101'",
            "$any > '1.5'",
            "$any > 'a'",
            "$any > '007'",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
        let guarded = "class m ($any) { if $any =~ String and $any > '10' { notice(1) } }";
        assert_eq!(reported(&VERSION_COMPARISON, guarded), [""; 0]);
    }

    #[test]
    fn ignores_other_comparisons() {
        let code = "class m (String $a) { $x = [$a > '1', $facts['os']['release']['full'] == '1', \
                    Integer($facts['os']['release']['major']) > 7, $facts['os']['name'] < 'b'] }";
        assert_eq!(reported(&VERSION_COMPARISON, code), [""; 0]);
    }
}
