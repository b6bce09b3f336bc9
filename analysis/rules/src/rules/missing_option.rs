use base::suggest::is_slip;
use infer::{TypeProblem, TypeProblemKind};
use syntax::ast::{AstNode, CaseExpr, Expr, SelectorExpr};
use syntax::{Applicability, Edit, Fix, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::Type;
use types::values::quote_readable;

use crate::checker::Checker;
use crate::fixes::{element_insertion, node_at, option_insertion};
use crate::rule::{Check, Rule, declare_rule};
use crate::supported_platforms::uncovered_system;
use crate::wording::actual;

/// The option for all other values.
const DEFAULT: &str = "default";

declare_rule! {
    /// Reports selectors and `case` expressions that do not cover all values and have no `default`.
    ///
    /// ## What it does
    ///
    /// Checks expressions on a subject with an enumerable type, such as an `Enum` or a `Boolean`. Also reports a
    /// misspelled `default` in selectors, such as `'defualt'`, which Puppet reads as a string, and selectors on the
    /// name or family of the operating system that definitely fail on Debian or Red Hat, if the module lists it in
    /// `metadata.json`.
    ///
    /// ## Why it matters
    ///
    /// If no option of a selector matches, compilation fails: *No matching entry for selector
    /// parameter*. A `case` without a matching option does nothing, which may be intended, so its
    /// severity is a hint.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Enum['present', 'absent', 'latest'] $ensure) {
    ///   $installed = $ensure ? { # <-
    ///     'present' => true,
    ///     'absent'  => false,
    ///   }
    ///   notice($installed)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Enum['present', 'absent', 'latest'] $ensure, String $other) {
    ///   $installed = $ensure ? {
    ///     'present' => true,
    ///     'latest'  => true,
    ///     'absent'  => false,
    ///   }
    ///   $letter = $other ? {
    ///     'a' => 'b',
    ///   }
    ///   notice($installed, $letter)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Subjects with any number of values.
    /// * Selectors on the platform in code whose conditions depend on more than the platform and on parameters, such as on
    ///   its release.
    /// * If only `undef` is left, and the subject is a fact or a variable of another class, the rule reports
    ///   a hint: whether such a value is missing depends on the platform.
    ///
    /// ## Fix
    ///
    /// Suggested: adds the missing options with empty bodies, or a `default` option.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-option]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-option = "off"
    /// ```
    pub(crate) static MISSING_OPTION = {
        code: "missing-option",
        severity: Warning,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Node(&[SyntaxKind::SELECTOR_EXPR], check_default),
            Check::Node(&[SyntaxKind::SELECTOR_EXPR], check_platforms),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::MissingOption {
        left: type_,
        fatal,
        always,
    } = &problem.kind
    else {
        return;
    };
    let left = actual(type_);
    if *fatal {
        let message = format!("selector has no option for {left} and no `default`");
        let severity = match *always && !problem.depends_on_external {
            true => Severity::Error,
            false if *type_ == Type::Undef && !is_own_variable(checker, problem.range) => {
                Severity::Hint
            }
            false => MISSING_OPTION.severity,
        };
        checker.report_problem_as(&MISSING_OPTION, severity, problem, message);
    } else {
        let message = format!("`case` has no option for {left} and no `default`");
        checker.report_problem_as(&MISSING_OPTION, Severity::Hint, problem, message);
    }
    let root = checker.root();
    checker.fix(each_option(&root, problem.range, type_));
    checker.fix(default_option(&root, problem.range));
}

/// Reports a misspelled `default`, which is a string.
fn check_default(checker: &mut Checker<'_>, node: &SyntaxNode) {
    /// A word of its own that is one letter longer.
    const PLURAL: &str = "defaults";
    let Some(selector) = SelectorExpr::cast(node.clone()) else {
        return;
    };
    let options: Vec<Expr> = selector.entries().filter_map(|it| it.matching()).collect();
    if options.iter().any(Expr::is_default) {
        return;
    }
    for option in options {
        let text = option.plain_text().filter(|it| *it != PLURAL);
        let Some(text) = text.filter(|it| it != DEFAULT && is_slip(it, DEFAULT)) else {
            continue;
        };
        let range = option.syntax().text_range();
        let message = format!("selector has no `default`: `{text}` is a string");
        checker.report(&MISSING_OPTION, range, message);
        let label = format!("Replace with `{DEFAULT}`");
        checker.fix(Some(Fix::suggested(label, range, DEFAULT)));
    }
}

/// Reports selectors on the name of the platform that fail on one which the module supports.
fn check_platforms(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let Some(selector) = SelectorExpr::cast(node.clone()) else {
        return;
    };
    let mut options = selector.entries().filter_map(|it| it.matching());
    if options.any(|it| it.is_default()) {
        return;
    }
    if let Some(system) = uncovered_system(checker, &selector) {
        let message = format!(
            "selector has no option for nodes with {system}, which `metadata.json` lists, and no `default`"
        );
        checker.report(&MISSING_OPTION, node.text_range(), message);
        let root = checker.root();
        checker.fix(default_option(&root, node.text_range()));
    }
}

/// Checks whether the subject of a selector is a variable of the item itself. Whether a fact or a variable
/// of another class is undef depends on the platform, which a condition around may exclude.
fn is_own_variable(checker: &Checker<'_>, range: TextRange) -> bool {
    let node = node_at(&checker.root(), range);
    let mut around = node.iter().flat_map(SyntaxNode::ancestors);
    let selector = around.find_map(SelectorExpr::cast);
    let subject = selector.and_then(|it| it.subject());
    let Some(Expr::VariableExpr(variable)) = subject else {
        return false;
    };
    variable.name().is_some_and(|it| !it.contains("::"))
}

/// Returns a fix that adds a `default` option.
fn default_option(root: &SyntaxNode, range: TextRange) -> Option<Fix> {
    let edits = options(root, range, &[DEFAULT.to_owned()])?;
    Some(suggested("Add a `default` option", edits))
}

/// Returns a fix that adds an option for each value that no option covers.
fn each_option(root: &SyntaxNode, range: TextRange, left: &Type) -> Option<Fix> {
    /// The maximum number of options to add; beyond it, `default` is the better choice.
    const MAX_OPTIONS: usize = 20;
    let mut values = Vec::new();
    single_values(left, &mut values)?;
    values.dedup();
    if values.len() > MAX_OPTIONS {
        return None;
    }
    let label = match values.as_slice() {
        [] => return None,
        [only] => format!("Add the missing option `{only}`"),
        many => format!("Add the {} missing options", many.len()),
    };
    Some(suggested(&label, options(root, range, &values)?))
}

fn suggested(label: &str, edits: Vec<Edit>) -> Fix {
    Fix {
        label: label.to_owned(),
        applicability: Applicability::Suggested,
        edits,
    }
}

/// Collects the values of a closed type as Puppet source, or returns `None` if they cannot be
/// enumerated.
pub(crate) fn single_values(type_: &Type, into: &mut Vec<String>) -> Option<()> {
    match type_ {
        Type::Enum(it) if !it.case_insensitive() => {
            into.extend(it.values().iter().map(|it| quote_readable(it)));
        }
        Type::String(it) => into.push(quote_readable(it.value()?)),
        Type::Boolean(Some(it)) => into.push(it.to_string()),
        Type::Boolean(None) => into.extend(["true", "false"].map(str::to_owned)),
        Type::Undef => into.push("undef".to_owned()),
        Type::Optional(Some(inner)) => {
            single_values(inner, into)?;
            into.push("undef".to_owned());
        }
        Type::Variant(all) => all.iter().try_for_each(|it| single_values(it, into))?,
        Type::Alias(it) => single_values(&it.resolved(), into)?,
        _ => return None,
    }
    Some(())
}

/// Returns the edits that add empty options after the last one.
fn options(root: &SyntaxNode, range: TextRange, values: &[String]) -> Option<Vec<Edit>> {
    let node = node_at(root, range)?;
    let mut around = node.ancestors();
    let node =
        around.find(|it| matches!(it.kind(), SyntaxKind::CASE_EXPR | SyntaxKind::SELECTOR_EXPR))?;
    let values = values.iter();
    Some(if let Some(case) = CaseExpr::cast(node.clone()) {
        let last = case.options().last()?;
        let option = |it| option_insertion(&last, &format!("{it}: {{ }}"));
        values.map(option).collect()
    } else {
        let last = SelectorExpr::cast(node)?.entries().last()?;
        let entry = |it| element_insertion(last.syntax(), &format!("{it} => undef"));
        values.map(entry).collect()
    })
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::MISSING_OPTION;
    use crate::testing::{fixes, reported, reported_on_debian, severities};

    #[test]
    fn reports_values_that_no_option_covers() {
        let code = "class m (Enum['a', 'b', 'c'] $e, Enum['a', 'b', 'c'] $f) { $x = $e ? { 'a' => 1, 'b' => 2 } \
                    case $f { 'a': { } } }";
        assert_eq!(
            reported(&MISSING_OPTION, code),
            [
                "`$e ? { 'a' => 1, 'b' => 2 }`: selector has no option for `'c'` and no `default`",
                "`case $f { 'a': { } }`: `case` has no option for `Enum['b', 'c']` and no `default`",
            ]
        );
        assert_eq!(
            fixes(&MISSING_OPTION, code),
            [
                "Add the missing option `'c'`",
                "Add a `default` option",
                "Add the 2 missing options",
                "Add a `default` option",
            ]
        );
    }

    #[test]
    fn undef_of_other_classes_is_a_hint() {
        let code = "class m::params { if $facts['os']['family'] == 'windows' { $x = undef } else { $x = true } }\n\
                    class m (Optional[Boolean] $own = undef) { $x = $m::params::x ? { true => 1, false => 2 }\n\
                    $y = $own ? { true => 1, false => 2 } }";
        let found = severities(&MISSING_OPTION, code);
        assert_eq!(found, [Severity::Hint, Severity::Warning]);
    }

    #[test]
    fn reports_misspelled_defaults() {
        let found = |options: &str| {
            let code = format!("class m ($s) {{ notice($s ? {{ {options} }}) }}");
            reported(&MISSING_OPTION, &code)
        };
        assert_eq!(
            found("'a' => 1, 'defualt' => 2"),
            ["`'defualt'`: selector has no `default`: `defualt` is a string"]
        );
        assert_eq!(found("'a' => 1, defalt => 2").len(), 1);
        for options in [
            "'a' => 1, 'default' => 2",
            "'a' => 1, 'defaults' => 2",
            "'defualt' => 1, default => 2",
        ] {
            assert_eq!(found(options), [""; 0], "{options}");
        }
    }

    #[test]
    fn reports_supported_platforms_without_an_option() {
        let selector = |fact: &str| format!("$x = {fact} ? {{ 'RedHat' => 1, /Suse/ => 2 }}");
        let metadata = |system: &str| {
            format!("{{\"operatingsystem_support\": [{{\"operatingsystem\": \"{system}\"}}]}}")
        };
        let found = |system: &str, code: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\n{code}\n//- modules/m/metadata.json\n{}\n",
                metadata(system)
            );
            reported_on_debian(&MISSING_OPTION, &code).len()
        };
        let family = selector("$facts['os']['family']");
        let all = format!("class m {{ {family} }}");
        assert_eq!(found("Debian", &all), 1);
        assert_eq!(
            found(
                "Debian",
                &format!("class m {{ {} }}", selector("$::osfamily"))
            ),
            1
        );
        assert_eq!(found("RedHat", &all), 0);
        assert_eq!(found("Ubuntu", &all), 0);
        let inside = |around: &str| format!("class m ($on = true) {{ {around} {{ {family} }} }}");
        for around in [
            "if $facts['os']['name'] == 'Debian'",
            "if $on",
            "unless $::osfamily == 'RedHat'",
        ] {
            assert_eq!(found("Debian", &inside(around)), 1, "{around}");
        }
        for around in [
            "if $facts['os']['name'] == 'RedHat'",
            "if $facts['os']['release']['major'] == '12'",
            "unless $on",
            "[1].each |$i|",
        ] {
            assert_eq!(found("Debian", &inside(around)), 0, "{around}");
        }
        let private = format!(
            "class m {{ if $facts['os']['family'] == 'RedHat' {{ include m::r }} }}\n\
             //- modules/m/manifests/r.pp\nclass m::r {{ {family} }}"
        );
        assert_eq!(found("Debian", &private), 0);
    }

    #[test]
    fn ignores_defaults_and_open_types() {
        let code = "class m (Enum['a', 'b'] $e, String $s) { $x = $e ? { 'a' => 1, default => 2 } \
                    case $s { 'a': { } } }";
        assert_eq!(reported(&MISSING_OPTION, code), [""; 0]);
    }
}
