use std::collections::BTreeMap;

use base::FileInput;
use hir::body::{PathKind, Reference, ReferenceName};
use hir::resolve::Definition;
use hir::variables::{VariableSource, resolve_external_variable};
use library::ruby::ErbNotation;
use library::signatures::Fact;
use syntax::ast::{AstNode, Expr};
use syntax::validation::PuppetVersion;
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use crate::checker::{Checker, Resolution};
use crate::data::{DataChecker, FactProblemKind};
use crate::erb_templates::erb_template;
use crate::fact_read::{FactRead, Notation};
use crate::fixes::{safe_if, token_at, variable_like};
use crate::project::ProjectChecker;
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::use_without_list;

declare_rule! {
    /// Reports legacy facts, which Facter 3 replaced with structured facts.
    ///
    /// ## What it does
    ///
    /// Checks variables and keys of `$facts` that are named like a legacy fact, such as
    /// `$::osfamily`, `$facts['osfamily']` and `fact('osfamily')`. The message names the structured
    /// fact that replaces it. Legacy facts in an ERB template, such as `@osfamily`, are reported
    /// where the template is rendered, and those in Hiera data and `hiera.yaml`, such as
    /// `%{facts.osfamily}`, there.
    ///
    /// ## Why it matters
    ///
    /// Puppet 8 omits legacy facts by default (`include_legacy_facts` is off). The variable is then unknown, and
    /// compilation fails; the key of `$facts` evaluates to `undef`. For Puppet 7, which has both names, the severity is
    /// a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice($::osfamily) # <-
    ///   notice("on ${facts['osfamily']} ${operatingsystemrelease}") # <-
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
    /// Safe: replaces the variable with its structured equivalent, if every host has all levels of
    /// it except possibly the last, and the code targets Puppet 8.
    ///
    /// Suggested: the same for other facts and for keys. On hosts without one of the levels, the new expression
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
        puppet_lint: ["legacy_facts"],
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Item(check_keys),
            Check::DataFile(check_data),
            Check::ProjectFile(check_hiera_config),
        ],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    if let Ok(Definition::File(file)) = resolution {
        return check_template(checker, reference, *file);
    }
    let Ok(Definition::Variable(VariableSource::Fact(fact))) = resolution else {
        return;
    };
    // Plans do not have any facts, and a call to `epp` may pass a variable of this name.
    let is_missing = checker.is_in_plan(reference.range) || is_passed(checker, &fact.name);
    let Some(modern) = fact.modern.as_ref().filter(|_| !is_missing) else {
        return;
    };
    let range = reference.range;
    let version = checker.version();
    report(checker, range, fact, modern);
    let token = token_at(&checker.root(), range);
    let variable = token.as_ref().and_then(SyntaxToken::parent);
    let is_compared = variable.is_some_and(|it| is_compared(&it));
    let token = token.filter(|_| is_text(fact) || !is_compared);
    let text = token.and_then(|it| path_of(modern).and(variable_like(&it, modern)));
    let text = text.filter(|_| !has_own_facts(checker, reference));
    // Indexing into a fact fails on hosts without it.
    let is_there = path_of(modern).is_some_and(|it| has_all_levels(&it));
    let certain = version == PuppetVersion::V8 && is_there;
    let label = format!("Replace with `{modern}`");
    let fix = text.map(|it| Fix::suggested(label, range, it).with(safe_if(certain)));
    checker.fix(fix);
}

/// Checks whether a variable of the code has the name `$facts`, which Puppet refuses when it assigns it.
fn has_own_facts(checker: &Checker<'_>, reference: &Reference) -> bool {
    let scopes = checker.body.scopes_from(reference.scope);
    let mut bindings = scopes.flat_map(|it| &checker.body.scopes[it].bindings);
    bindings.any(|it| it.name == "facts")
}

/// Checks whether a known call of `epp` may pass a variable to a template without a parameter list.
fn is_passed(checker: &Checker<'_>, name: &str) -> bool {
    let calls = use_without_list(checker).and_then(Option::as_ref);
    calls.is_some_and(|it| it.may_pass(name))
}

/// Reports a legacy fact. Puppet 8 omits them unless `include_legacy_facts` is set.
fn report(checker: &mut Checker<'_>, range: TextRange, fact: &Fact, modern: &str) {
    let name = &fact.name;
    let (severity, message) = match checker.version() {
        PuppetVersion::V7 => (
            Severity::Hint,
            format!("`{name}` is a legacy fact; use `{modern}` instead"),
        ),
        PuppetVersion::V8 => (
            Severity::Warning,
            format!(
                "`{name}` is a legacy fact, which Puppet 8 omits by default; use `{modern}` instead"
            ),
        ),
    };
    checker.report_as(&LEGACY_FACT, severity, range, message);
}

/// Checks the keys of `$facts`.
fn check_keys(checker: &mut Checker<'_>) {
    for read in checker.fact_reads().iter() {
        let name = read.path.first().filter(|_| read.first() == 0);
        let Some(name) = name.filter(|it| library::fact(it).is_none()) else {
            continue;
        };
        let Some(fact) = library::legacy_fact(name) else {
            continue;
        };
        let is_reached = checker.type_of(&read.expr).is_some();
        if let Some(modern) = &fact.modern
            && is_reached
            && !checker.is_custom_fact(name)
        {
            report(checker, read.range(0), &fact, modern);
            let text = path_of(modern).and_then(|it| replacement(read, &fact, &it));
            let label = format!("Replace with `{modern}`");
            checker.fix(text.map(|it| Fix::suggested(label, read.range(0), it)));
        }
    }
}

/// Reports the legacy facts that an ERB template reads, where it is rendered: its variables are those of the
/// code there.
fn check_template(checker: &mut Checker<'_>, reference: &Reference, file: FileInput) {
    let ReferenceName::Path(PathKind::Template, path) = &reference.name else {
        return;
    };
    let template = erb_template(checker.db, file);
    let is_variable = |name: &str| {
        let mut bindings = checker.body.scopes.iter().flat_map(|it| &it.bindings);
        let (db, environment) = (checker.db, Some(checker.environment));
        let found = resolve_external_variable(db, environment, checker.item, name);
        bindings.any(|it| it.name == name) || !matches!(found, Ok(VariableSource::Fact(_)))
    };
    // By name, so that an edit elsewhere in the template does not change the message.
    let mut legacy = BTreeMap::new();
    for read in &template.reads {
        let name = read.plain_name();
        let is_key = read.notation == ErbNotation::FactKey;
        if template.is_optional(name) || !is_key && is_variable(name) {
            continue;
        }
        let is_core = library::fact(name).is_some() || checker.is_custom_fact(name);
        let fact = library::legacy_fact(name).filter(|_| !is_core);
        if let Some(fact) = fact
            && let Some(modern) = &fact.modern
        {
            legacy.insert(fact.name.clone(), modern.clone());
        }
    }
    let Some((name, modern)) = legacy.first_key_value() else {
        return;
    };
    let others = match legacy.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let name = format!("template `{path}` reads the legacy fact `{name}`{others}");
    let modern = modern.replacen('$', "@", 1);
    let (severity, message) = match checker.version() {
        PuppetVersion::V7 => (Severity::Hint, format!("{name}; use `{modern}` instead")),
        PuppetVersion::V8 => (
            Severity::Warning,
            format!("{name}, which Puppet 8 omits by default; use `{modern}` instead"),
        ),
    };
    checker.report_as(&LEGACY_FACT, severity, reference.range, message);
}

/// Checks the interpolations in a data file of Hiera.
fn check_data(checker: &mut DataChecker<'_>) {
    checker.report_fact_problems(&LEGACY_FACT, FactProblemKind::Legacy);
}

/// Checks the interpolations in `hiera.yaml`.
fn check_hiera_config(checker: &mut ProjectChecker<'_>) {
    checker.report_hiera_fact_problems(&LEGACY_FACT, FactProblemKind::Legacy);
}

/// Renders the keys of the structured fact in the notation of the legacy one.
fn replacement(read: &FactRead, fact: &Fact, keys: &[&str]) -> Option<String> {
    let expr = read.expr.syntax();
    if !is_text(fact) && is_compared(expr) {
        return None;
    }
    let quoted = keys.iter().map(|it| format!("'{it}'"));
    match read.notation {
        Notation::Access => {
            let base = match &read.expr {
                Expr::AccessExpr(it) => it.base()?,
                _ => return None,
            };
            let keys: Vec<_> = quoted.map(|it| format!("[{it}]")).collect();
            Some(format!("{}{}", base.syntax().text(), keys.concat()))
        }
        Notation::Dig => Some(quoted.collect::<Vec<_>>().join(", ")),
        // The fact is a variable of its own.
        Notation::Getvar if !starts_with_facts(read) => {
            let keys: Vec<_> = ["facts"].iter().chain(keys).copied().collect();
            read.replaced(0, &keys)
        }
        _ => read.replaced(0, keys),
    }
}

/// Checks whether the name of the variable precedes the path.
fn starts_with_facts(read: &FactRead) -> bool {
    let key = read.key(0).and_then(Expr::plain_text);
    key.is_some_and(|it| it.split('.').count() > read.path.len())
}

/// Checks whether a fact is a string, as the surrounding code may assume.
fn is_text(fact: &Fact) -> bool {
    fact.type_.as_deref() == Some("String")
}

/// Checks whether an expression is an operand or the subject of a `case` or selector.
fn is_compared(expr: &SyntaxNode) -> bool {
    expr.parent().is_some_and(|it| {
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
    use crate::data::tests::{fixes as data_fixes, messages as data_messages};
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
    fn offers_no_fix_where_facts_has_another_meaning() {
        let code = "class m { [1].each |$facts| { notice($osfamily) } notice($fqdn) }";
        assert_eq!(
            fixes(&LEGACY_FACT, code),
            ["Replace with `$facts['networking']['fqdn']`"]
        );
    }

    #[test]
    fn reports_keys() {
        let code = "class m { $x = [$facts['osfamily'], \"${facts['fqdn']}\", $facts.dig('fqdn'), \
                    $facts.get('fqdn'), getvar('fqdn'), getvar('facts.fqdn')] }";
        let places: Vec<_> = reported(&LEGACY_FACT, code);
        let places = places.iter().filter_map(|it| it.split_once("`: "));
        assert_eq!(
            places.map(|it| it.0).collect::<Vec<_>>(),
            [
                "`$facts['osfamily']",
                "`facts['fqdn']",
                "`'fqdn'",
                "`'fqdn'",
                "`'fqdn'",
                "`'facts.fqdn'"
            ]
        );
    }

    #[test]
    fn reports_facts_in_data() {
        let data = "//- data/common.yaml\na: |\n  x\n  %{::osfamily}\nb: [\"%{scope('fqdn')}\"]\n\
                    c: \"%{facts.os.family} %{facts.role} %{trusted.hostname}\"\n";
        assert_eq!(
            data_messages(&LEGACY_FACT, data),
            [
                "`%{::osfamily}`: `osfamily` is a legacy fact, which Puppet 8 omits by default; \
                 use `%{facts.os.family}` instead",
                "`%{scope('fqdn')}`: `fqdn` is a legacy fact, which Puppet 8 omits by default; \
                 use `%{facts.networking.fqdn}` instead",
            ]
        );
        assert_eq!(
            data_fixes(&LEGACY_FACT, data),
            [
                "Replace with `%{facts.os.family}`",
                "Replace with `%{scope('facts.networking.fqdn')}`"
            ]
        );
        for code in [
            "//- manifests/site.pp\n$osfamily = 'x'\n",
            "//- modules/ntp/manifests/init.pp\nclass ntp ($a) { $osfamily = 'x' }\n",
        ] {
            let data = "//- data/common.yaml\nntp::a: \"%{osfamily}\"\n";
            assert_eq!(
                data_messages(&LEGACY_FACT, &format!("{code}{data}")),
                [""; 0]
            );
        }
        let custom = "//- modules/ntp/lib/facter/osfamily.rb\nFacter.add('osfamily') {}\n";
        assert_eq!(
            data_messages(
                &LEGACY_FACT,
                &format!("{custom}//- data/common.yaml\na: \"%{{osfamily}}\"\n")
            ),
            [""; 0]
        );
    }

    #[test]
    fn ignores_modern_facts_and_variables_of_the_same_name() {
        let code = "class m ($fqdn) { notice($facts['os'], $kernel, $fqdn) }";
        assert_eq!(reported(&LEGACY_FACT, code), [""; 0]);
    }
}
