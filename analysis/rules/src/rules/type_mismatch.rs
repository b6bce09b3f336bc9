use hir::resolve;
use infer::{KeyPresence, TypeProblem, TypeProblemKind, ValueTarget, key_presence};
use library::KnownFunction;
use syntax::ast::{AstNode, HashEntry, Parameter};
use syntax::{Applicability, Fix, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::Type;

use crate::checker::Checker;
use crate::fixes::{expr_at, node_at, value_fixes};
use crate::index::usage_index::may_be_overridden;
use crate::mismatch::{mismatch_message, refusal_message, with_written_number};
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::severity_of;
use crate::wording::actual;

declare_rule! {
    /// Reports values of the wrong type.
    ///
    /// ## What it does
    ///
    /// Checks arguments of functions, parameters of classes, defined types and lambdas, default values, return values,
    /// and `assert_type`. The message suggests the most similar string of an `Enum`, names the wrong key of a
    /// `Struct`, and links to the variables that the type comes from. Each branch of a selector or conditional is
    /// checked on its own, even if it is assigned to a variable that the next statement passes on.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the value is passed: *expects a … value, got …*. A parameter with the default `undef`,
    /// which its type does not allow, only fails if no value is passed, so its severity is a warning. The same applies
    /// to a single branch of a default value.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = 'http', # <-
    ///   String $owner = undef, # <-
    /// ) {
    ///   $count = upcase(true) # <-
    ///   notice(example::double('2')) # <-
    ///   example::site { 'a':
    ///     ensure => 'presnt', # <-
    ///     port   => 'eighty', # <-
    ///     limits => { 'cpu' => 1, 'mem' => 2 }, # <-
    ///   }
    ///   example::site { 'b': ensure => 'Absent', port => 80, limits => { 'cpu' => 1 } } # <-
    ///   ['a', 'b'].each |Integer $name| { # <-
    ///     notice($name, $count)
    ///   }
    /// }
    /// # file: manifests/site.pp
    /// define example::site (
    ///   Enum['present', 'absent'] $ensure,
    ///   Variant[Integer, Enum['any']] $port,
    ///   Struct[{ cpu => Integer, Optional[memory] => Integer }] $limits,
    /// ) {
    ///   notice($ensure, $port, $limits)
    /// }
    /// # file: functions/double.pp
    /// function example::double(Integer $number) >> String {
    ///   $number * 2 # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    ///   Optional[String] $owner = undef,
    /// ) {
    ///   $count = upcase('five')
    ///   notice(example::double(2))
    ///   example::site { 'a':
    ///     ensure => 'present',
    ///     port   => $port,
    ///     limits => { 'cpu' => 1, 'memory' => $facts['memory']['system']['total_bytes'] },
    ///   }
    ///   notice($count)
    /// }
    /// # file: manifests/site.pp
    /// define example::site (Enum['present', 'absent'] $ensure, Integer $port, Hash $limits) {
    ///   notice($ensure, $port, $limits)
    /// }
    /// # file: functions/double.pp
    /// function example::double(Integer $number) >> String {
    ///   String($number * 2)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Values that have the right type only sometimes, such as an `Optional[String]` where a
    ///   `String` is expected.
    /// * The default of `lookup`, if data has the key; if data elsewhere may have it, it is a warning.
    /// * Values from outside: Hiera data, facts, and functions without a declared return type.
    ///
    /// ## Fix
    ///
    /// Safe: replaces a string that differs from one of an `Enum` only in case.
    ///
    /// Suggested: replaces a string or key with the most similar one of an `Enum` or `Struct`; adds
    /// a missing key or removes an unknown one; adds or removes the quotes around a number or Boolean; replaces
    /// `nil` with `undef` and `5` with `5.0`; adds `Optional[…]` around a type if the default is `undef`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[type-mismatch]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// type-mismatch = "off"
    /// ```
    pub(crate) static TYPE_MISMATCH = {
        code: "type-mismatch",
        puppet_lint: ["params_not_optional_with_undef"],
        severity: Error,
        since: "0.1.0",
        checks: [Check::Problem(check)],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    match &problem.kind {
        TypeProblemKind::Mismatch {
            what: ValueTarget::Attribute(..) | ValueTarget::Title,
            ..
        } => {}
        TypeProblemKind::Mismatch {
            what,
            expected,
            actual,
        } => check_value(checker, problem, what, expected, actual),
        TypeProblemKind::RefusedValue {
            what: target @ ValueTarget::Argument(..),
            description,
            actual,
            ..
        } => {
            let message = refusal_message(target, description, actual);
            checker.report_problem(&TYPE_MISMATCH, problem, message);
        }
        TypeProblemKind::NoOverload {
            function,
            overloads: forms,
            actual,
        } => {
            let message = no_overload(function, forms, actual);
            let severity = checker.severity_of_call(&TYPE_MISMATCH, function);
            checker.report_problem_as(&TYPE_MISMATCH, severity, problem, message);
        }
        _ => {}
    }
}

/// Checks whether a range is a branch of a default, not the whole.
fn is_branch(root: &SyntaxNode, range: TextRange) -> bool {
    let parent = expr_at(root, range).and_then(|it| it.syntax().parent());
    parent.is_some_and(|it| it.kind() != SyntaxKind::PARAMETER)
}

fn check_value(
    checker: &mut Checker<'_>,
    problem: &TypeProblem,
    target: &ValueTarget,
    expected: &Type,
    actual: &Type,
) {
    let root = checker.root();
    let message = mismatch_message(target, expected, actual);
    let message = with_written_number(message, &root, problem.range, actual);
    // Some authors mark required parameters with the default `undef`, which works as long as every
    // caller passes a value.
    if let (ValueTarget::Default(_), Type::Undef) = (target, actual) {
        checker.report_problem_as(&TYPE_MISMATCH, Severity::Warning, problem, message);
        return checker.fix(optional(&root, problem.range));
    }
    if let (ValueTarget::Parameter(owner, name), Type::Undef) = (target, actual)
        && may_be_overridden(checker, owner, name)
    {
        return;
    }
    let severity = match target {
        // Hiera may have a value for a parameter of a class.
        ValueTarget::Parameter(owner, _)
            if *actual == Type::Undef
                && resolve::class(checker.db, Some(checker.environment), owner).is_ok() =>
        {
            Severity::Warning
        }
        // Puppet only checks the default if no data has the key.
        ValueTarget::Argument(function, parameter) if is_lookup_default(function, parameter) => {
            match looked_up(checker, &root, problem.range) {
                KeyPresence::Present => return,
                KeyPresence::Absent if *actual != Type::Undef => TYPE_MISMATCH.severity,
                _ => Severity::Warning,
            }
        }
        ValueTarget::Argument(function, _) => checker.severity_of_call(&TYPE_MISMATCH, function),
        // Some authors choose a default that is refused, so that a value is required in this case.
        ValueTarget::Default(_) if is_branch(&root, problem.range) => Severity::Warning,
        ValueTarget::TemplateParameter(template, _) => severity_of(template),
        _ => TYPE_MISMATCH.severity,
    };
    let option = option_range(&root, problem.range, target);
    let range = option.unwrap_or(problem.range);
    let problem = &TypeProblem {
        range,
        ..problem.clone()
    };
    checker.report_problem_as(&TYPE_MISMATCH, severity, problem, message);
    for fix in value_fixes(&root, range, expected, actual) {
        checker.fix(Some(fix));
    }
    if let ValueTarget::TemplateParameter(template, name) = target {
        checker.relate_template_parameter(template, name);
    }
}

fn no_overload(function: &str, overloads: &[String], arguments: &[Type]) -> String {
    let arguments: Vec<String> = arguments.iter().map(actual).collect();
    let overloads: Vec<String> = overloads.iter().map(|it| format!("`{it}`")).collect();
    format!(
        "no overload of `{function}` accepts {}; expected {}",
        arguments.join(", "),
        overloads.join(" or ")
    )
}

fn is_lookup_default(function: &str, parameter: &str) -> bool {
    function == KnownFunction::Lookup.name() && parameter == "default_value"
}

/// Returns whether data has the key of the `lookup` around a range.
fn looked_up(checker: &Checker<'_>, root: &SyntaxNode, range: TextRange) -> KeyPresence {
    let node = node_at(root, range);
    let call = node.and_then(|it| it.ancestors().find_map(|it| checker.lookup_call(&it)));
    let keys = call.map_or_else(Vec::new, |it| it.keys);
    let found: Vec<_> = keys
        .iter()
        .map(|it| key_presence(checker.db, checker.environment, it))
        .collect();
    let are_absent = found.iter().all(|it| *it == KeyPresence::Absent);
    if found.contains(&KeyPresence::Present) {
        KeyPresence::Present
    } else if are_absent && !found.is_empty() {
        KeyPresence::Absent
    } else {
        KeyPresence::Unknown
    }
}

/// Returns the range of the value in a hash of options that an argument of `lookup` is part of.
fn option_range(root: &SyntaxNode, range: TextRange, target: &ValueTarget) -> Option<TextRange> {
    let ValueTarget::Argument(function, name) = target else {
        return None;
    };
    if function != KnownFunction::Lookup.name() {
        return None;
    }
    let around = root.covering_element(range);
    let around = around.as_node().cloned().or_else(|| around.parent())?;
    let entries = around.descendants().filter_map(HashEntry::cast);
    let mut options = entries.filter(|it| {
        let key = it.key().and_then(|it| it.plain_text());
        key.as_ref() == Some(name) && range.contains_range(it.syntax().text_range())
    });
    Some(options.next()?.value()?.syntax().text_range())
}

/// Returns a fix that wraps the type of a parameter with the default `undef` in `Optional`.
fn optional(root: &SyntaxNode, default: TextRange) -> Option<Fix> {
    let expr = expr_at(root, default)?;
    let parameter = expr.syntax().parent().and_then(Parameter::cast)?;
    let type_ = parameter.type_expr()?;
    let range = type_.syntax().text_range();
    let text = format!("Optional[{}]", type_.syntax().text());
    let fix = Fix::suggested(format!("Change the type to `{text}`"), range, text.clone());
    // A label must be a single line.
    (!text.contains('\n')).then(|| fix.with(Applicability::Suggested))
}

#[cfg(test)]
mod tests {
    use super::TYPE_MISMATCH;
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn templates_without_parameters_may_get_any() {
        let code = "<%= keys($hostname) %> <%= keys($::hostname) %>";
        let code = |header: &str| format!("//- modules/m/templates/a.epp\n{header}{code}");
        assert_eq!(
            reported(&TYPE_MISMATCH, &code("")),
            ["`$::hostname`: argument `hsh` of `keys` expects `Hash`, found `Optional[String]`"]
        );
        assert_eq!(reported(&TYPE_MISMATCH, &code("<%- | | -%>")).len(), 2);
    }

    #[test]
    fn reports_packages_whose_attributes_are_not_a_hash() {
        let code = "//- modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb\n\
                    module Puppet::Parser::Functions\nnewfunction(:ensure_packages) do |arguments|\nend\nend\n\
                    //- modules/m/manifests/init.pp\nclass m ($x) { ensure_packages({ 'a' => 'present' }) \
                    ensure_packages({ 'b' => undef, 'c' => {}, 'd' => $x }) ensure_packages(['e']) }\n";
        assert_eq!(
            reported(&TYPE_MISMATCH, code),
            [
                "`'present'`: argument `packages` of `ensure_packages` expects \
                 `Hash[String, Optional[Hash]]`, found `'present'`"
            ]
        );
    }

    #[test]
    fn reports_arguments_that_functions_of_stdlib_refuse() {
        let stdlib = ["str2bool", "concat"].map(|it| {
            format!(
                "//- modules/stdlib/lib/puppet/parser/functions/{it}.rb\nmodule Puppet::Parser::Functions\n\
                 newfunction(:{it}, type: :rvalue) do |arguments|\narguments[0]\nend\nend\n"
            )
        });
        let code = "class m ($s, Optional[Array] $l) { $x = [str2bool('perhaps'), str2bool('Yes'), str2bool(true), \
                    str2bool($s), concat('a', 'b'), concat($l, 'b'), concat($s, 'b')] }";
        let code = format!(
            "//- modules/m/manifests/init.pp\n{code}\n{}",
            stdlib.concat()
        );
        assert_eq!(
            reported(&TYPE_MISMATCH, &code),
            [
                "`'perhaps'`: argument `string` of `str2bool` expects a word for a boolean, such as `yes` or `no`, \
                 found `'perhaps'`",
                "`'a'`: argument `array` of `concat` expects an array, found `'a'`",
            ]
        );
    }

    #[test]
    fn reports_options_of_lookups_at_their_values() {
        for code in [
            "lookup(name => 'a', merge => 'deepest')",
            "lookup('a', { 'merge' => 'deepest' })",
            "lookup({ name => 'a', 'merge' => 'deepest' })",
            "lookup('a', Any, 'deepest')",
        ] {
            let found = reported(&TYPE_MISMATCH, &format!("class m {{ {code} }}"));
            assert_eq!(found.len(), 1, "{code}: {found:?}");
            assert!(
                found[0].starts_with("`'deepest'`: argument `merge`"),
                "{code}: {found:?}"
            );
        }
        let code = "class m { lookup('a', { value_type => String, default_value => 1 }) }";
        let found = reported(&TYPE_MISMATCH, code);
        assert!(
            found.len() == 1 && found[0].starts_with("`1`: "),
            "{found:?}"
        );
    }

    #[test]
    fn lookup_defaults_only_matter_without_data() {
        let data = "//- modules/environment/hiera.yaml\nversion: 5\n\
                    //- modules/environment/data/common.yaml\nx: {}\n\
                    //- modules/m/manifests/init.pp\n";
        for (key, expected) in [
            ("x", None),
            ("y", Some(Severity::Error)),
            ("other::y", Some(Severity::Error)),
        ] {
            let code = format!("{data}class m {{ lookup('{key}', Hash, 'deep', '') }}");
            let found = severities(&TYPE_MISMATCH, &code);
            assert_eq!(found.first().copied(), expected, "{key}");
        }
        let code = "class m { lookup('x', Hash, 'deep', '') }";
        assert_eq!(severities(&TYPE_MISMATCH, code), [Severity::Warning]);
    }

    #[test]
    fn reports_values_that_never_match() {
        let code = "class m (Integer $a = 'x', String $b = undef) { notice(upcase(true), $a, $b) }";
        assert_eq!(
            reported(&TYPE_MISMATCH, code),
            [
                "`'x'`: parameter `$a` expects `Integer`, found `'x'`",
                "`undef`: parameter `$b` expects `String`, found `undef`",
                "`upcase`: no overload of `upcase` accepts `true`; expected `upcase(Numeric $arg)` \
                 or `upcase(String $arg)` or `upcase(Array[StringData] $arg)` \
                 or `upcase(Hash[StringData, StringData] $arg)`",
            ]
        );
        assert_eq!(
            fixes(&TYPE_MISMATCH, code),
            ["Change the type to `Optional[String]`"]
        );
    }

    #[test]
    fn shows_empty_collections_as_values() {
        let code = "class m (Hash $a = [], Array[String, 1] $b = [], Array $c = {}) { }";
        assert_eq!(
            reported(&TYPE_MISMATCH, code),
            [
                "`[]`: parameter `$a` expects `Hash`, found `[]`",
                "`[]`: parameter `$b` expects `Array[String, 1]`, found `[]`",
                "`{}`: parameter `$c` expects `Array`, found `{}`",
            ]
        );
    }

    #[test]
    fn replaces_values_that_other_languages_would_take() {
        let code = "class m (Optional[Integer] $a = undefined, Float[0.0] $b = 5, Float $c = 0x10, \
                    Integer $d = nil) { }";
        assert_eq!(
            fixes(&TYPE_MISMATCH, code),
            ["Replace with `undef`", "Replace with `5.0`"]
        );
    }

    #[test]
    fn names_the_wrong_part_of_a_value() {
        let code = "class m (Struct[{ a => Integer, Optional[b] => Enum['x', 'y'] }] $s = \
                    { 'a' => 1, 'b' => 'X' }) { notice($s) }";
        assert_eq!(
            reported(&TYPE_MISMATCH, code),
            [
                "`{ 'a' => 1, 'b' => 'X' }`: parameter `$s`, entry `b`, expects \
                 `Enum['x', 'y']`, found `'X'`"
            ]
        );
        assert_eq!(fixes(&TYPE_MISMATCH, code), ["Replace with `'x'`"]);
    }

    #[test]
    fn shows_numbers_as_they_are_written() {
        let code = "//- modules/m/manifests/init.pp\nclass m { m::d { 'a': mode => 0644 } }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d (String $mode) { notice($mode) }\n";
        assert_eq!(
            reported(&TYPE_MISMATCH, code),
            ["`0644`: parameter `mode` of `m::d` expects `String`, found `0644`"]
        );
    }

    #[test]
    fn checks_the_values_of_branches() {
        let found = |code: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\n{code}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d (Array[Integer] $l = [], Integer $i = 1) {{ notice($l, $i) }}\n"
            );
            let found = reported(&TYPE_MISMATCH, &code);
            let severities = severities(&TYPE_MISMATCH, &code);
            (found, severities)
        };
        let error = |text: &str| (vec![text.to_owned()], vec![Severity::Error]);
        assert_eq!(
            found(
                "class m (String $s = $facts['a'] ? { 'b' => 5, default => 'c' }) { notice($s) }"
            ),
            (
                vec!["`5`: parameter `$s` expects `String`, found `5`".to_owned()],
                vec![Severity::Warning]
            )
        );
        let wrong = "`'a'`: parameter `i` of `m::d` expects `Integer`, found `'a'`";
        for code in [
            "class m ($x) { m::d { 'a': i => $x ? { 1 => 'a', default => 2 } } }",
            "class m ($x) { if $x { $i = 'a' } elsif 1 in $x { $i = 1 } else { $i = 2 } m::d { 'a': i => $i } }",
        ] {
            assert_eq!(found(code), error(wrong), "{code}");
        }
        let wrong = "`['a']`: parameter `l` of `m::d`, element 0, expects `Integer`, found `'a'`";
        for code in [
            "class m (Array[Integer] $x) { m::d { 'a': l => $x + ['a'] } }",
            "class m (Array[Integer] $x, $y) { if $y { $l = ['a'] } else { $l = [] } m::d { 'a': l => $x + $l } }",
        ] {
            assert_eq!(found(code), error(wrong), "{code}");
        }
        for code in [
            "class m ($x, String $s = $x ? { 1 => undef, default => 'a' }) { notice($s) }",
            "class m (Array[Integer] $x, Array $y) { m::d { 'a': l => $x + $y + [1] } }",
            "class m (Array[Integer] $x) { m::d { 'a': l => $x - ['a'] } }",
        ] {
            assert_eq!(found(code).0, [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_values_that_may_match() {
        let code = "class m ($a, Optional[String] $b, String $c = $a) { notice(upcase($b), $c) }";
        assert_eq!(reported(&TYPE_MISMATCH, code), [""; 0]);
    }

    #[test]
    fn reports_arguments_of_functions_of_bolt() {
        let code = "//- modules/m/plans/init.pp\nplan m(TargetSpec $t, Target $one) { \
                    run_command(['ls', '-l'], $t) ctrl::sleep('a') vars('x') vars($one) \
                    wait_until_available($t, wait_tme => 5) wait_until_available($t, wait_time => 5) }";
        let found = reported(&TYPE_MISMATCH, code);
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(severities(&TYPE_MISMATCH, code), [Severity::Warning; 4]);
    }

    #[test]
    fn checks_elements_as_if_they_existed() {
        let check = |type_: &str, value: &str| {
            let code = format!(
                "//- modules/m/manifests/d.pp\ndefine m::d ({type_} $x = undef) {{ }}\n\
                 //- modules/m/manifests/init.pp\n\
                 class m (Array[String] $all, Optional[String] $one) {{ m::d {{ 'a': x => {value} }} }}\n"
            );
            reported(&TYPE_MISMATCH, &code).len()
        };
        assert_eq!(check("Optional[Array]", "$all[0]"), 1);
        for (type_, value) in [
            ("Optional[String]", "$all[0]"),
            ("Variant[Undef, String, Array]", "$all[0]"),
            ("Optional[Array]", "$one"),
        ] {
            assert_eq!(check(type_, value), 0, "{type_} {value}");
        }
    }
}
