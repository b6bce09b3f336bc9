use hir::body::Reference;
use hir::resolve::Definition;
use hir::variables::VariableSource;
use library::signatures::Fact;
use syntax::validation::PuppetVersion;
use syntax::{Fix, Severity, SyntaxKind, SyntaxToken};

use crate::checker::{Checker, Resolution};
use crate::fixes::{safe_if, token_at, variable_like};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports legacy facts, which Facter 3 replaced with structured facts.
    ///
    /// ## What it does
    ///
    /// Checks variables that are named like a legacy fact, such as `$::osfamily`. The message names
    /// the structured fact that every release has.
    ///
    /// ## Why it matters
    ///
    /// Puppet 8 omits legacy facts by default (`include_legacy_facts` is off). The variable is then
    /// unknown, and compilation fails. For Puppet 7, which has both names, the severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice($::osfamily) # <-
    ///   notice("on ${facts['os']['family']} ${operatingsystemrelease}") # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice($facts['os']['family'])
    ///   notice("on ${facts['os']['family']} ${facts['os']['release']['full']}")
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Variables, parameters and custom facts that have the name of a legacy fact.
    /// * Keys such as `$facts['osfamily']`.
    ///
    /// ```puppet right
    /// class example (
    ///   String $hostname = 'a',
    /// ) {
    ///   notice($hostname)
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: replaces the fact with its structured equivalent, if every host has all levels of
    /// it except possibly the last, and the code targets Puppet 8.
    ///
    /// Suggested: the same for other facts. On hosts without one of the levels, the new expression
    /// fails, while the legacy fact was `undef`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[legacy-fact]` at the end of the line, or on a line of its own above it.
    /// To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// legacy-fact = "off"
    /// ```
    pub(crate) static LEGACY_FACT = {
        code: "legacy-fact",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let Ok(Definition::Variable(VariableSource::Fact(fact))) = resolution else {
        return;
    };
    let Some(modern) = &fact.modern else {
        return;
    };
    let range = reference.range;
    let version = checker.version();
    // Puppet 8 omits legacy facts unless `include_legacy_facts` is set.
    let (severity, message) = match version {
        PuppetVersion::V7 => (
            Severity::Hint,
            format!("`{}` is a legacy fact; use `{modern}` instead", fact.name),
        ),
        PuppetVersion::V8 => (
            Severity::Warning,
            format!(
                "`{}` is a legacy fact, which Puppet 8 omits by default; use `{modern}` instead",
                fact.name
            ),
        ),
    };
    checker.report_as(&LEGACY_FACT, severity, range, message);
    let token = token_at(&checker.root(), range);
    let token = token.filter(|it| is_text(fact) || !is_compared(it));
    let text = token.and_then(|it| path_of(modern).and(variable_like(&it, modern)));
    // Indexing into a fact fails on hosts without it.
    let is_there = path_of(modern).is_some_and(|it| has_all_levels(&it));
    let certain = version == PuppetVersion::V8 && is_there;
    let label = format!("Replace with `{modern}`");
    let fix = text.map(|it| Fix::suggested(label, range, it).with(safe_if(certain)));
    checker.fix(fix);
}

/// Checks whether a fact is a string, as the surrounding code may assume.
fn is_text(fact: &Fact) -> bool {
    fact.type_.as_deref() == Some("String")
}

/// Checks whether the variable is an operand or the subject of a `case` or selector.
fn is_compared(token: &SyntaxToken) -> bool {
    let around = token.parent().and_then(|it| it.parent());
    around.is_some_and(|it| {
        use SyntaxKind::*;
        matches!(it.kind(), BINARY_EXPR | SELECTOR_EXPR | CASE_EXPR)
    })
}

/// Returns the keys of `$facts['a']['b']`, or `None` for other expressions.
fn path_of(modern: &str) -> Option<Vec<&str>> {
    let keys = modern.strip_prefix("$facts['")?.strip_suffix("']")?;
    let keys: Vec<_> = keys.split("']['").collect();
    keys.iter().all(|it| !it.contains('\'')).then_some(keys)
}

/// Checks whether every host has all levels of a fact except possibly the last.
fn has_all_levels(path: &[&str]) -> bool {
    let mut levels = (1..path.len()).map(|it| &path[..it]);
    levels.all(|it| library::fact_part(it).is_some_and(|part| !part.optional))
}

#[cfg(test)]
mod tests {
    use super::LEGACY_FACT;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_facts_with_a_modern_equivalent() {
        let code = "class m { notice($osfamily, \"${::fqdn}\") }";
        assert_eq!(
            reported(&LEGACY_FACT, code),
            [
                "`$osfamily`: `osfamily` is a legacy fact, which Puppet 8 omits by default; \
                 use `$facts['os']['family']` instead",
                "`::fqdn`: `fqdn` is a legacy fact, which Puppet 8 omits by default; \
                 use `$facts['networking']['fqdn']` instead",
            ]
        );
        assert_eq!(
            fixes(&LEGACY_FACT, code),
            [
                "Replace with `$facts['os']['family']`",
                "Replace with `$facts['networking']['fqdn']`"
            ]
        );
    }

    #[test]
    fn ignores_modern_facts_and_variables_of_the_same_name() {
        let code = "class m ($fqdn) { notice($facts['os'], $kernel, $fqdn) }";
        assert_eq!(reported(&LEGACY_FACT, code), [""; 0]);
    }
}
