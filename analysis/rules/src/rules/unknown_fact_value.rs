use base::suggest::is_slip;
use library::KnownFunction;
use syntax::ast::{AstNode, BinaryExpr, CaseOption, Expr, LiteralKind};
use syntax::{Fix, SyntaxKind, SyntaxNode};
use types::values::{Regexp, Value};

use crate::checker::Checker;
use crate::compared_values::{COMPARISONS, compared, elements};
use crate::fixes::text_like;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports misspelled names of operating systems and kernels that facts are compared with.
    ///
    /// ## What it does
    ///
    /// Checks the strings that `os.family`, `os.name`, `kernel` and their legacy names are compared with: operands of
    /// `==`, `!=` and `in`, options of `case` and selectors, and keys of a hash that the fact is looked up in. Variables
    /// with known strings, arrays and hashes count, too, and so do facts in lower or upper case. Reports a string that is one letter away from a known
    /// value of the fact and not the name of another platform, or another name of one, such as `RHEL` for `RedHat`. Upper
    /// and lower case do not matter, as in Puppet.
    ///
    /// Also reports distributions that are compared with the family or the kernel, such as `CentOS`, whose family is
    /// `RedHat`, and regular expressions such as `/^debian$/`, which only match if upper and lower case are ignored.
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
    /// * `CentOS` or `RHEL` next to `RedHat` in the same list of values is redundant rather than wrong, and only a hint.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces a misspelled string with the known value.
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
            COMPARISONS,
            check
        )],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some((subjects, values)) = compared(node) else {
        return;
    };
    let original: Vec<Expr> = subjects.iter().map(in_own_case).collect();
    let is_converted = original != subjects;
    let mut paths = original.iter().filter_map(|it| checker.fact_path(it));
    let Some((fact, known)) = paths.find_map(|it| {
        let fact = it.join(".");
        let known = library::common_fact_values(&fact);
        (!known.is_empty()).then_some((fact, known))
    }) else {
        return;
    };
    for value in values.iter().flat_map(elements) {
        if let Some(pattern) = regex(&value).filter(|_| !is_converted) {
            check_case(checker, &value, &pattern, &fact);
        }
        // A string on the right of `=~` is a regular expression as well.
        if is_match(node) {
            continue;
        }
        let Some(text) = value.plain_text() else {
            check_constants(checker, &value, &fact, known);
            continue;
        };
        match library::value_on_distribution(&fact, &text) {
            Some(other) => report_distribution(checker, &value, &fact, other),
            None => check_spelling(checker, &value, &fact, known),
        }
    }
}

fn check_spelling(checker: &mut Checker<'_>, value: &Expr, fact: &str, known: &[&'static str]) {
    let text = value.plain_text().unwrap_or_default();
    let other_name = library::platform_called(&text).filter(|it| known.contains(it));
    let Some(near) = other_name.or_else(|| misspelled(&text, known)) else {
        return;
    };
    let range = value.syntax().text_range();
    let message = format!("unknown value `{text}` of fact `{fact}`; did you mean `{near}`?");
    // Another name is redundant next to the right one.
    let is_redundant = other_name.is_some() && is_beside(value.syntax(), near);
    let severity = UNKNOWN_FACT_VALUE.or_hint(is_redundant);
    checker.report_as(&UNKNOWN_FACT_VALUE, severity, range, message);
    let label = format!("Change to `{near}`");
    let fix = Fix::suggested(label, range, text_like(value, near));
    checker.fix(Some(fix));
}

/// Checks the strings that a variable or another expression contains.
fn check_constants(checker: &mut Checker<'_>, value: &Expr, fact: &str, known: &[&'static str]) {
    let texts = checker.type_of(value).and_then(|it| it.value.as_ref());
    let texts = texts.map(constant_texts).unwrap_or_default();
    let has = |name: &str| texts.iter().any(|it| it.eq_ignore_ascii_case(name));
    for text in &texts {
        let Some(near) = misspelled(text, known).filter(|it| !has(it)) else {
            continue;
        };
        let message = format!("unknown value `{text}` of fact `{fact}`; did you mean `{near}`?");
        checker.report(&UNKNOWN_FACT_VALUE, value.syntax().text_range(), message);
        checker.relate_variables(value.syntax());
    }
}

/// Returns the strings in a value: itself, its elements or its keys.
fn constant_texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(it) => vec![it],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        Value::Hash(entries) => entries.iter().filter_map(|it| it.0.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the string that an expression only converts to upper or lower case, which does not matter in a comparison.
fn in_own_case(expr: &Expr) -> Expr {
    use KnownFunction::{Capitalize, Downcase, Upcase};
    let converted = expr.named_call().and_then(|(name, mut arguments)| {
        let function = KnownFunction::from_name(name.text())?;
        let argument = arguments.pop().filter(|_| arguments.is_empty());
        argument.filter(|_| matches!(function, Capitalize | Downcase | Upcase))
    });
    converted.unwrap_or_else(|| expr.clone())
}

/// Reports the name of a distribution in place of its family or kernel.
fn report_distribution(checker: &mut Checker<'_>, value: &Expr, fact: &str, other: &str) {
    let text = value.plain_text().unwrap_or_default();
    let message = match fact {
        "kernel" => format!("`{text}` is not a kernel: its kernel is `{other}`"),
        _ => format!("`{text}` is not an OS family: its family is `{other}`"),
    };
    // It is redundant next to that value.
    let severity = UNKNOWN_FACT_VALUE.or_hint(is_beside(value.syntax(), other));
    let range = value.syntax().text_range();
    checker.report_as(&UNKNOWN_FACT_VALUE, severity, range, message);
}

/// Checks whether a value is an alternative to another string: in the same array, in the same option of a `case`, or
/// in another operand of `or`.
fn is_beside(value: &SyntaxNode, other: &str) -> bool {
    let is_other = |it: &SyntaxNode| {
        let text = Expr::cast(it.clone()).and_then(|it| it.plain_text());
        text.is_some_and(|it| it.eq_ignore_ascii_case(other))
    };
    let around = value.ancestors().skip(1).take_while(|it| {
        matches!(
            it.kind(),
            SyntaxKind::BINARY_EXPR | SyntaxKind::PAREN_EXPR | SyntaxKind::ARRAY
        )
    });
    if let Some(outermost) = around.last() {
        return outermost.descendants().any(|it| is_other(&it));
    }
    let option = value.parent().and_then(CaseOption::cast);
    option.is_some_and(|it| it.values().any(|it| is_other(it.syntax())))
}

/// Reports a regular expression that would match a value of the fact if the case did not matter.
fn check_case(checker: &mut Checker<'_>, value: &Expr, pattern: &str, fact: &str) {
    let exact = Regexp::new(pattern);
    // If it cannot be run, it may match.
    if library::known_fact_values(fact).any(|it| exact.is_match(it) != Ok(false)) {
        return;
    }
    let in_any_case = Regexp::new(&format!("(?i:{pattern})"));
    let mut known = library::stable_fact_values(fact);
    let Some(near) = known.find(|it| in_any_case.is_match(it) == Ok(true)) else {
        return;
    };
    let message = format!(
        "`/{pattern}/` does not match the value `{near}` of fact `{fact}`: upper and lower case differ"
    );
    checker.report(&UNKNOWN_FACT_VALUE, value.syntax().text_range(), message);
}

/// Returns the source of a literal regular expression.
fn regex(expr: &Expr) -> Option<String> {
    let Expr::Literal(literal) = expr else {
        return None;
    };
    match literal.kind()? {
        LiteralKind::Regex(source) => Some(source),
        _ => None,
    }
}

/// Checks whether a node matches a value with a regular expression by an operator.
fn is_match(node: &SyntaxNode) -> bool {
    let operator = BinaryExpr::cast(node.clone()).and_then(|it| it.operator());
    let kind = operator.map(|it| it.kind());
    matches!(kind, Some(SyntaxKind::MATCH | SyntaxKind::NOT_MATCH))
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
    use syntax::Severity;

    use super::UNKNOWN_FACT_VALUE;
    use crate::testing::{fixed, reported, severities};

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
    fn reports_names_that_facter_does_not_have() {
        for (code, severity) in [
            ("$facts['os']['family'] == 'CentOS'", Severity::Warning),
            (
                "$facts['os']['family'] in ['ubuntu', 'Suse']",
                Severity::Warning,
            ),
            (
                "$facts['os']['family'] in ['Ubuntu', 'Debian']",
                Severity::Hint,
            ),
            ("$facts['kernel'] != 'Debian'", Severity::Warning),
            ("$facts['os']['family'] == 'RHEL'", Severity::Warning),
            (
                "$facts['os']['name'] in ['macos', 'Debian']",
                Severity::Warning,
            ),
            ("$facts['os']['name'] in ['RHEL', 'RedHat']", Severity::Hint),
            (
                "$facts['os']['family'] == 'RedHat' or $facts['os']['family'] == 'Fedora'",
                Severity::Hint,
            ),
            (
                "$facts['os']['family'] ? { 'Ubuntu' => 1, 'Debian' => 2, default => 3 }",
                Severity::Warning,
            ),
        ] {
            let code = format!("class m {{ $x = {code} notice($x) }}");
            assert_eq!(severities(&UNKNOWN_FACT_VALUE, &code), [severity], "{code}");
        }
        let code =
            "class m { case $facts['os']['family'] { 'CentOS', 'RedHat': { } default: { } } }";
        assert_eq!(severities(&UNKNOWN_FACT_VALUE, code), [Severity::Hint]);
        let code = "class m { if $facts['os']['family'] == 'CentOS' { } }";
        assert_eq!(
            reported(&UNKNOWN_FACT_VALUE, code),
            ["`'CentOS'`: `CentOS` is not an OS family: its family is `RedHat`"]
        );
    }

    #[test]
    fn reports_regexes_that_match_in_another_case_only() {
        for (code, expected) in [
            ("$facts['os']['name'] =~ /^(debian|ubuntu)$/", 1),
            ("$facts['kernel'] !~ /linux/", 1),
            (
                "$facts['os']['family'] ? { /redhat/ => 1, default => 2 }",
                1,
            ),
            ("$facts['kernel'] =~ /(?i:linux)/", 0),
            ("$facts['os']['name'] =~ /^(debian|Ubuntu)$/", 0),
            ("$facts['os']['name'] =~ /opensuse/", 0),
            ("$facts['os']['name'] =~ 'debian'", 0),
            ("$facts['os']['name'].downcase =~ /debian/", 0),
        ] {
            let code = format!("class m {{ $x = {code} notice($x) }}");
            let found = reported(&UNKNOWN_FACT_VALUE, &code);
            assert_eq!(found.len(), expected, "{code}: {found:?}");
        }
    }

    #[test]
    fn follows_variables() {
        let os = "$facts['os']['name']";
        for (code, count) in [
            (format!("$d = 'Debain' $x = {os} == $d"), 1),
            (format!("$d = ['Debain', 'Ubuntu'] $x = {os} in $d"), 1),
            (
                format!("$d = {{ 'Debain' => 1, 'Ubuntu' => 2 }} $x = $d[{os}]"),
                1,
            ),
            (format!("$d = ['Debain', 'Debian'] $x = {os} in $d"), 0),
            (
                "$d = ['CentOS', 'Debian'] $x = $facts['os']['family'] in $d".to_owned(),
                0,
            ),
            (
                format!("$x = case {os} {{ *['Debain', 'Ubuntu']: {{ 1 }} default: {{ 2 }} }}"),
                1,
            ),
            (format!("$x = {os}.downcase == 'debain'"), 1),
            (format!("$x = downcase({os}) in ['ubunut']"), 1),
            (format!("$x = {os}.length == 'debain'"), 0),
        ] {
            let code = format!("class m {{ {code} notice($x) }}");
            let found = reported(&UNKNOWN_FACT_VALUE, &code);
            assert_eq!(found.len(), count, "{code}: {found:?}");
        }
    }

    #[test]
    fn ignores_known_and_distant_values() {
        for code in [
            "$facts['os']['family'] == 'debian'",
            "$facts['os']['name'] == 'Amzn'",
            "$facts['os']['family'] == 'Rocky'",
            "$facts['os']['name'] == 'CentOS'",
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
