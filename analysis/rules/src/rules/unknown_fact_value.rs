use syntax::ast::{AstNode, BinaryExpr, CaseExpr, Expr, SelectorExpr};
use syntax::{Fix, SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::fixes::text_like;
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::is_slip;

declare_rule! {
    /// Reports misspelled names of operating systems and kernels that facts are compared with.
    ///
    /// ## What it does
    ///
    /// Checks the strings that `os.family`, `os.name`, `kernel` and their legacy names are compared with: operands of
    /// `==`, `!=` and `in`, and options of `case` and selectors. Reports a string that is one letter away from a known
    /// value of the fact and not the name of another platform. Upper and lower case do not matter, as in Puppet.
    ///
    /// ## Why it matters
    ///
    /// Puppet accepts any string, and the code for the platform never runs.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   if $facts['os']['family'] == 'Debain' { # <-
    ///     package { 'apt-transport-https': ensure => installed }
    ///   }
    ///   $service = $facts['os']['name'] ? {
    ///     'Ubunut' => 'ssh', # <-
    ///     default  => 'sshd',
    ///   }
    ///   service { $service: ensure => running }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   if $facts['os']['family'] == 'Debian' {
    ///     package { 'apt-transport-https': ensure => installed }
    ///   }
    ///   $service = $facts['os']['name'] ? {
    ///     'Ubuntu' => 'ssh',
    ///     default  => 'sshd',
    ///   }
    ///   service { $service: ensure => running }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Strings that are not similar to a known value: Facter may know more platforms.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the string with the known value.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-fact-value]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-fact-value = "off"
    /// ```
    pub(crate) static UNKNOWN_FACT_VALUE = {
        code: "unknown-fact-value",
        severity: Warning,
        since: "0.3.0",
        checks: [Check::Node(
            &[
                SyntaxKind::BINARY_EXPR,
                SyntaxKind::CASE_EXPR,
                SyntaxKind::SELECTOR_EXPR,
            ],
            check
        )],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((subjects, values)) = compared(node) else {
        return;
    };
    let mut paths = subjects.iter().filter_map(|it| checker.fact_path(it));
    let Some((fact, known)) = paths.find_map(|it| {
        let fact = it.join(".");
        let known = library::common_fact_values(&fact);
        (!known.is_empty()).then_some((fact, known))
    }) else {
        return;
    };
    for value in values.iter().flat_map(elements) {
        let Some(text) = value.plain_text() else {
            continue;
        };
        let Some(near) = misspelled(&text, known) else {
            continue;
        };
        let range = value.syntax().text_range();
        let message = format!("unknown value `{text}` of fact `{fact}`; did you mean `{near}`?");
        checker.report(&UNKNOWN_FACT_VALUE, range, message);
        let label = format!("Change to `{near}`");
        let fix = Fix::suggested(label, range, text_like(&value, near));
        checker.fix(Some(fix));
    }
}

/// Returns the expressions that may read a fact, and those that they are compared with.
fn compared(node: &SyntaxNode) -> Option<(Vec<Expr>, Vec<Expr>)> {
    if let Some(case) = CaseExpr::cast(node.clone()) {
        let values = case
            .options()
            .flat_map(|it| it.values().collect::<Vec<_>>());
        return Some((vec![case.subject()?], values.collect()));
    }
    if let Some(selector) = SelectorExpr::cast(node.clone()) {
        let values = selector.entries().filter_map(|it| it.matching());
        return Some((vec![selector.subject()?], values.collect()));
    }
    let comparison = BinaryExpr::cast(node.clone())?;
    let (left, right) = (comparison.lhs()?, comparison.rhs()?);
    match comparison.operator()?.kind() {
        SyntaxKind::EQ_EQ | SyntaxKind::NOT_EQ => {
            let both = vec![left, right];
            Some((both.clone(), both))
        }
        SyntaxKind::IN_KW => Some((vec![left], vec![right])),
        _ => None,
    }
}

/// Returns the elements of an array, or else the expression itself.
fn elements(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::ArrayExpr(it) => it.elements().collect(),
        _ => vec![expr.clone()],
    }
}

/// Returns the known value that a string is one letter away from.
fn misspelled(text: &str, known: &[&'static str]) -> Option<&'static str> {
    if library::is_platform_in_any_case(text) {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let mut near = known
        .iter()
        .filter(|it| is_slip(&text, &it.to_ascii_lowercase()));
    near.next().copied()
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_FACT_VALUE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_values_near_known_ones() {
        for (code, text, near) in [
            ("$facts['os']['family'] == 'Debain'", "Debain", "Debian"),
            ("'redhta' != $facts['os']['family']", "redhta", "RedHat"),
            ("$facts['kernel'] in ['Linux', 'Linxu']", "Linxu", "Linux"),
            (
                "$facts['os']['name'] ? { 'CentOSS' => 1, default => 2 }",
                "CentOSS",
                "CentOS",
            ),
        ] {
            let found = reported(
                &UNKNOWN_FACT_VALUE,
                &format!("class m {{ $x = {code} notice($x) }}"),
            );
            let [found] = &found[..] else {
                panic!("{code}: {found:?}")
            };
            let expected = format!("unknown value `{text}` of fact");
            assert!(found.contains(&expected), "{found}");
            assert!(
                found.ends_with(&format!("did you mean `{near}`?")),
                "{found}"
            );
        }
        let wrong =
            "class m { case $facts['os']['family'] { 'Debain', 'Suse': { } default: { } } }";
        let right = wrong.replace("Debain", "Debian");
        assert_eq!(fixed(&UNKNOWN_FACT_VALUE, wrong), right);
    }

    #[test]
    fn ignores_known_and_distant_values() {
        for code in [
            "$facts['os']['family'] == 'debian'",
            "$facts['os']['name'] == 'Amzn'",
            "$facts['os']['family'] == 'Plan9'",
            "$facts['networking']['fqdn'] == 'Debain'",
            "$facts['os']['family'] =~ /Debain/",
            "$facts['os']['family'] == $facts['os']['name']",
        ] {
            let code = format!("class m {{ $x = {code} notice($x) }}");
            assert_eq!(reported(&UNKNOWN_FACT_VALUE, &code), [""; 0], "{code}");
        }
    }
}
