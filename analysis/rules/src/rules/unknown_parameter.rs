use base::suggest::{hint, similar};
use hir::autoload::{NameKey, find_item};
use hir::body::Resource;
use hir::resolve::Definition;
use hir::{Item, ItemKind, signature};
use infer::{TypeProblem, TypeProblemKind};
use syntax::Severity;

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::{severity_of, template_name};
use crate::yaml_plan_names;

declare_rule! {
    /// Reports parameters that a class, defined type or template does not have.
    ///
    /// ## What it does
    ///
    /// Checks the attributes of classes and resources of defined types against the parameter list.
    /// Metaparameters are always valid. Also checks the keys of hashes after `* =>` and in
    /// `create_resources`, and classes and types whose names are computed, as `"${title}::server"`.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *has no parameter named …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   class { 'example::server':
    ///     prot => 80, # <-
    ///   }
    ///   example::vhost { 'a':
    ///     docrot => '/srv/a', # <-
    ///   }
    /// }
    /// # file: manifests/server.pp
    /// class example::server (
    ///   Integer $port = 80,
    /// ) {
    ///   notice($port)
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot = '/srv') {
    ///   notice($docroot)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   class { 'example::server':
    ///     port => 80,
    ///   }
    ///   example::vhost { 'a':
    ///     docroot => '/srv/a',
    ///     before  => Class['example::server'],
    ///   }
    /// }
    /// # file: manifests/server.pp
    /// class example::server (
    ///   Integer $port = 80,
    /// ) {
    ///   notice($port)
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot = '/srv') {
    ///   notice($docroot)
    /// }
    /// ```
    ///
    /// A template with a parameter list does not accept other parameters. Without a list, it
    /// accepts any:
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice(epp('example/motd.epp', { 'hots' => 'a' })) # <-
    /// }
    /// # file: templates/motd.epp
    /// <%- | String $host = 'b' | -%>
    /// <%= $host %>
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Hashes after `* =>` and in `create_resources` whose keys are not known.
    /// * Parameters of a template that are passed as a hash with unknown keys.
    /// * Parameters of unknown classes and types (`unknown-class`, `unknown-resource-type`).
    /// * Options that `run_plan` and `run_task` take among the parameters, such as `_catch_errors`.
    ///
    /// The severity is a warning for parameters of plans and tasks, which Bolt checks, and for those of templates whose
    /// value may be `undef`, which `epp` then ignores.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the parameter with the most similar one, or removes it if its value has
    /// no side effects.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-parameter]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-parameter = "off"
    /// ```
    pub(crate) static UNKNOWN_PARAMETER = {
        code: "unknown-parameter",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Item(check_resources),
            Check::Problem(check_template),
            Check::Problem(check_hash),
            Check::Asset(AssetKind::YamlPlan, check_yaml_plan),
        ],
    }
}

fn check_resources(checker: &mut Checker<'_>) {
    let body = checker.body;
    for resource in body.resources.iter() {
        if resource.type_.as_deref() == Some("class") {
            check_classes(checker, resource);
        } else if let Some(Definition::Item(item)) = checker.resource_definition(resource) {
            check_parameters(checker, resource, item, "defined type");
        }
    }
}

fn check_classes(checker: &mut Checker<'_>, resource: &Resource) {
    for title in &resource.titles {
        let key = NameKey::new(checker.db, hir::canonical_name(&title.text));
        let class = find_item(checker.db, checker.environment, ItemKind::Class, key);
        if let Some(class) = class {
            check_parameters(checker, resource, class, "class");
        }
    }
}

fn check_parameters<'db>(
    checker: &mut Checker<'db>,
    resource: &Resource,
    item: Item<'db>,
    noun: &str,
) {
    let file = item.file(checker.db);
    checker.check_against(Some(file), |it| check_names(it, resource, item, noun));
}

fn check_names<'db>(checker: &mut Checker<'db>, resource: &Resource, item: Item<'db>, noun: &str) {
    let signature = signature(checker.db, item);
    for attribute in &resource.attributes {
        let name = attribute.name.as_str();
        let is_metaparameter = library::metaparameter(name).is_some();
        if signature.parameter(name).is_some() || is_metaparameter || name == "name" {
            continue;
        }
        let names = signature.parameters.iter().map(|it| it.name.as_str());
        let near = similar(name, names);
        let hint = hint(near);
        let title = item.name(checker.db);
        let message = format!("no parameter `{name}` on {noun} `{title}`{hint}");
        checker.report(&UNKNOWN_PARAMETER, attribute.range, message);
        checker.fix_attribute(resource, attribute, near);
        checker.relate(
            item,
            signature.name_range,
            format!("{noun} `{title}` defined here"),
        );
    }
}

/// Reports parameters in hashes of attributes.
fn check_hash(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownAttribute { owner, name } = &problem.kind else {
        return;
    };
    let noun = match owner.kind {
        Some(ItemKind::Class) => "class",
        Some(_) => "defined type",
        None => return,
    };
    let near = hint(similar(name, owner.known.iter().map(String::as_str)));
    let message = format!("no parameter `{name}` on {noun} `{}`{near}", owner.name);
    checker.report_problem(&UNKNOWN_PARAMETER, problem, message);
}

fn check_template(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownParameter {
        template,
        name,
        known,
        may_be_ignored,
    } = &problem.kind
    else {
        return;
    };
    let near = hint(similar(name, known.iter().map(String::as_str)));
    let severity = match may_be_ignored {
        true => Severity::Warning,
        false => severity_of(template),
    };
    let template = template_name(template);
    let message = format!("no parameter `{name}` on {template}{near}");
    checker.report_problem_as(&UNKNOWN_PARAMETER, severity, problem, message);
}

fn check_yaml_plan(checker: &mut AssetChecker<'_>) {
    yaml_plan_names::check_passed_parameters(checker, &UNKNOWN_PARAMETER);
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_PARAMETER;
    use crate::rules::missing_parameter::MISSING_PARAMETER;
    use crate::rules::type_mismatch::TYPE_MISMATCH;
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    const TEMPLATE: &str = "//- modules/m/templates/a.epp\n<%- | String $name | -%>\n\
                            //- modules/m/manifests/init.pp\n";

    #[test]
    fn reports_parameters_that_are_not_declared() {
        let code = "define m::d ($port) { }\nclass m ($port) { m::d { 'a': prot => 1, port => 1 } \
                    class { 'm': prt => 2 } }";
        assert_eq!(
            reported(&UNKNOWN_PARAMETER, code),
            [
                "`prot`: no parameter `prot` on defined type `m::d`; did you mean `port`?",
                "`prt`: no parameter `prt` on class `m`; did you mean `port`?",
            ]
        );
        // The defined type already has `port`.
        assert_eq!(
            fixes(&UNKNOWN_PARAMETER, code),
            [
                "Remove the attribute `prot`",
                "Replace with `port`",
                "Remove the attribute `prt`",
            ]
        );
        let code = format!("{TEMPLATE}class m {{ notice(epp('m/a.epp', {{ nmae => 'b' }})) }}");
        assert_eq!(
            reported(&UNKNOWN_PARAMETER, &code),
            ["`nmae`: no parameter `nmae` on template `m/a.epp`; did you mean `name`?"]
        );
    }

    #[test]
    fn checks_the_operands_of_sums_of_hashes() {
        let found = |hash: &str| {
            let code = format!(
                "define m::d ($port) {{ }}\nclass m ($c, Hash $h) {{ m::d {{ 'a': * => {hash} }} }}"
            );
            reported(&UNKNOWN_PARAMETER, &code)
        };
        let expected =
            ["`'prot'`: no parameter `prot` on defined type `m::d`; did you mean `port`?"];
        for hash in [
            "{ 'prot' => 1 } + $c",
            "$h + { 'prot' => 1 }",
            "({ 'port' => 1 } + $h) + { 'prot' => 1 } + $c",
        ] {
            assert_eq!(found(hash), expected, "{hash}");
        }
        let branches = "$c ? { 1 => { 'prot' => 1 }, default => { 'port' => 2, 'prot' => 1 } }";
        assert_eq!(found(branches).len(), 1);
        for hash in [
            "{ 'port' => 1 } + $c",
            "$h + $c",
            "$h - { 'prot' => 1 }",
            "$h.filter |$k, $v| { $k == 'prot' }",
        ] {
            assert_eq!(found(hash), [""; 0], "{hash}");
        }
        let titles = "define m::d ($port) { }\nclass m ($x) { $a = { 'a' => $x } $b = { 'b' => { 'port' => 1 } } \
                      create_resources('m::d', $a + $b) $c = { 'c' => 5 } create_resources('m::d', $c) }";
        assert_eq!(reported(&UNKNOWN_PARAMETER, titles), [""; 0]);
    }

    #[test]
    fn checks_resources_with_computed_titles() {
        let found = |hash: &str| {
            let code = format!(
                "define m::d (Integer $port) {{ }}\n\
                 class m ($x) {{ create_resources('m::d', {hash}) }}"
            );
            (
                reported(&UNKNOWN_PARAMETER, &code).len(),
                reported(&MISSING_PARAMETER, &code).len(),
                reported(&TYPE_MISMATCH, &code).len(),
            )
        };
        for (hash, expected) in [
            ("{ \"${x}\" => { 'port' => 1, 'prot' => 2 } }", (1, 0, 0)),
            ("{ $x => { 'prot' => 2 } }", (1, 1, 0)),
            ("{ \"a-${x}\" => { 'port' => 'a' } }", (0, 0, 1)),
            ("{ $x => { 'port' => 1 }, 'b' => { } }", (0, 1, 0)),
            ("{ $x => { 'port' => 1 } }", (0, 0, 0)),
            ("{ $x => $x }", (0, 0, 0)),
        ] {
            assert_eq!(found(hash), expected, "{hash}");
        }
        let defaults = "define m::d ($port) { }\nclass m ($x) { \
                        create_resources('m::d', { $x => { } }, { 'port' => 1 }) }";
        assert_eq!(reported(&MISSING_PARAMETER, defaults), [""; 0]);
    }

    #[test]
    fn checks_each_template_that_a_call_may_evaluate() {
        let found = |name: &str, passed: &str| {
            let code = format!(
                "//- modules/m/templates/b.epp\n<%- | String $name, $port | -%>\n\
                 {TEMPLATE}class m ($x, Enum['m/a.epp', 'm/b.epp'] $t) {{ \
                 $c = $x ? {{ 1 => 'm/a.epp', default => 'm/b.epp' }} \
                 notice(epp({name}, {{ name => 'b', {passed} }})) }}"
            );
            (
                reported(&UNKNOWN_PARAMETER, &code),
                reported(&MISSING_PARAMETER, &code).len(),
            )
        };
        for name in ["$t", "$c", "if $x { 'm/b.epp' } else { 'm/a.epp' }"] {
            let unknown = "`port`: no parameter `port` on template `m/a.epp`".to_owned();
            assert_eq!(found(name, "port => 1"), (vec![unknown], 0), "{name}");
            assert_eq!(found(name, ""), (vec![], 1), "{name}");
        }
        assert_eq!(found("$x", "port => 1"), (vec![], 0));
    }

    #[test]
    fn warns_of_parameters_of_templates_that_undef_hides() {
        let found = |value: &str| {
            let code = format!(
                "{TEMPLATE}class m (Optional[String] $o, String $s) {{ \
                 notice(epp('m/a.epp', {{ name => 'b', nmae => {value} }})) }}"
            );
            severities(&UNKNOWN_PARAMETER, &code)
        };
        assert_eq!(found("undef"), [Severity::Warning]);
        assert_eq!(found("$o"), [Severity::Warning]);
        assert_eq!(found("$s"), [Severity::Error]);
    }

    #[test]
    fn reports_parameters_of_computed_names() {
        let found = |code: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m ($x) {{ {code} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a ($port) {{ notice($port) }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d ($port) {{ notice($port) }}\n"
            );
            reported(&UNKNOWN_PARAMETER, &code)
        };
        let class = ["`prot`: no parameter `prot` on class `m::a`; did you mean `port`?"];
        let type_ = ["`prot`: no parameter `prot` on defined type `m::d`; did you mean `port`?"];
        assert_eq!(found("class { \"${title}::a\": prot => 1 }"), class);
        assert_eq!(found("$n = 'a' class { \"m::${n}\": prot => 1 }"), class);
        assert_eq!(found("$t = 'm::d' Resource[$t] { 'b': prot => 1 }"), type_);
        for code in [
            "class { \"${title}::a\": port => 1, before => Class['m::b'] }",
            "class { \"m::${x}\": prot => 1 }",
            "Resource[$x] { 'b': prot => 1 }",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_metaparameters_and_computed_hashes() {
        for code in [
            "class m { m::d { 'a': tag => 'b', name => 'c' } }\ndefine m::d { }".to_owned(),
            format!("{TEMPLATE}class m (Hash $h) {{ notice(epp('m/a.epp', $h)) }}"),
        ] {
            assert_eq!(reported(&UNKNOWN_PARAMETER, &code), [""; 0], "{code}");
        }
    }

    #[test]
    fn reports_parameters_of_plans_after_targets() {
        let code = "//- modules/m/plans/init.pp\nplan m(TargetSpec $t, $any) { \
                    run_plan('m::sub', $t, mode => 1) run_plan('m::sub', $t) run_plan('m::sub', $any) \
                    run_plan('m::sub', $any, mode => 2) [{}].each |$t| { run_plan('m::sub', $t) } }\n\
                    //- modules/m/plans/sub.pp\nplan m::sub(TargetSpec $targets, $path) { }\n";
        assert_eq!(
            reported(&UNKNOWN_PARAMETER, code),
            [
                "`mode`: no parameter `mode` on plan `m::sub`",
                "`mode`: no parameter `mode` on plan `m::sub`"
            ]
        );
        assert_eq!(reported(&MISSING_PARAMETER, code).len(), 3);
    }
}
