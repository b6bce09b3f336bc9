use hir::autoload::NameKey;
use hir::body::{Resource, ResourceForm};
use hir::resolve::Definition;
use hir::{Item, Signature, signature};
use infer::{TypeProblem, TypeProblemKind, declared_parameters};
use syntax::ast::{AstNode, ResourceBody};
use syntax::{Fix, TextRange};

use crate::checker::Checker;
use crate::fixes::{attribute_insertion, node_at, sample};
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::{severity_of, template_name};
use crate::usage_index::attributes_set_elsewhere;

declare_rule! {
    /// Reports resources of defined types and templates that lack a required parameter.
    ///
    /// ## What it does
    ///
    /// Checks that each parameter without a default value is set. `Optional[…]` alone does not make
    /// a parameter optional.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *expects a value for parameter …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   example::vhost { 'a': # <-
    ///     port => 80,
    ///   }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot, Integer $port = 8080) {
    ///   notice($docroot, $port)
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   example::vhost { 'a':
    ///     docroot => '/srv/a',
    ///   }
    ///   example::vhost {
    ///     default: docroot => '/srv/b';
    ///     'b': ;
    ///     'c': port => 81;
    ///   }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot, Integer $port = 8080) {
    ///   notice($docroot, $port)
    /// }
    /// ```
    ///
    /// The parameters of a template are those in the list between the bars:
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice(epp('example/motd.epp', { 'port' => 80 })) # <-
    /// }
    /// # file: templates/motd.epp
    /// <%- | String $host, Integer $port = 8080 | -%>
    /// <%= $host %>:<%= $port %>
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Classes: their parameters may come from Hiera or from an external node classifier.
    /// * Templates whose parameters are passed as a hash with unknown keys.
    /// * Resources with `* =>`, whose hash may contain the parameter.
    /// * Parameters that any resource default (`Example::Vhost { … }`), override or collector in
    ///   the environment sets. Whether it applies to this resource is only known when the catalog
    ///   is compiled.
    ///
    /// ```puppet right
    /// class example {
    ///   $settings = { 'docroot' => '/srv/a' }
    ///   example::vhost { 'a': * => $settings }
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot) {
    ///   notice($docroot)
    /// }
    /// ```
    ///
    /// The severity is a warning for parameters of plans and tasks, which Bolt checks.
    ///
    /// ## Fix
    ///
    /// Suggested: adds the parameter with a placeholder value of its type.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-parameter]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-parameter = "off"
    /// ```
    pub(crate) static MISSING_PARAMETER = {
        code: "missing-parameter",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check_resources), Check::Problem(check_template)],
    }
}

fn check_resources(checker: &mut Checker<'_>) {
    let body = checker.body;
    let declarations = body.resources.iter();
    let declarations = declarations.filter(|it| it.form == ResourceForm::Declaration);
    for resource in declarations.filter(|it| !it.guarded && !it.splat) {
        if let Some(Definition::Item(item)) = checker.resource_definition(resource) {
            check_required(checker, resource, item);
        }
    }
}

fn check_required<'db>(checker: &mut Checker<'db>, resource: &Resource, item: Item<'db>) {
    let signature: &Signature = signature(checker.db, item);
    let given = |name: &str| {
        let here = resource.attributes.iter().any(|it| it.name == name);
        here || resource.default_attributes.iter().any(|it| it == name)
    };
    let required = signature.parameters.iter().filter(|it| it.is_required());
    let missing: Vec<_> = required.filter(|it| !given(&it.name)).collect();
    if missing.is_empty() {
        return;
    }
    let name = item.name(checker.db);
    let key = NameKey::new(checker.db, name.clone());
    let elsewhere = attributes_set_elsewhere(checker.db, checker.environment, key);
    for parameter in missing {
        if elsewhere.contains(&parameter.name) {
            continue;
        }
        let message = format!(
            "missing required parameter `{}` of `{name}`",
            parameter.name
        );
        checker.report(&MISSING_PARAMETER, title_range(resource), message);
        checker.relate(item, parameter.range, "parameter declared here");
        checker.fix(addition(checker, resource, item, &parameter.name));
    }
}

/// Returns the range of the first literal title, or the first character of the resource body.
fn title_range(resource: &Resource) -> TextRange {
    let whole = resource.range;
    match resource.titles.first() {
        Some(title) => title.range,
        None => TextRange::at(whole.start(), whole.len().min(1.into())),
    }
}

/// Returns a fix that adds a parameter with a placeholder value of its type.
fn addition<'db>(
    checker: &Checker<'db>,
    resource: &Resource,
    item: Item<'db>,
    name: &str,
) -> Option<Fix> {
    let mut parameters = declared_parameters(checker.db, item).iter();
    let type_ = parameters.find(|it| it.0 == name).map(|it| &it.1)?;
    let value = sample(type_)?;
    let body = node_at(&checker.root(), resource.range).and_then(ResourceBody::cast)?;
    let edit = attribute_insertion(&body, name, &value)?;
    let label = format!("Add the missing parameter `{name}`");
    Some(Fix::suggested(label, edit.range, edit.text))
}

fn check_template(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::MissingParameter { template, name } = &problem.kind else {
        return;
    };
    let shown = template_name(template);
    let message = format!("missing required parameter `{name}` of {shown}");
    let severity = severity_of(template);
    checker.report_problem_as(&MISSING_PARAMETER, severity, problem, message);
    checker.relate_template_parameter(template, name);
}

#[cfg(test)]
mod tests {
    use super::MISSING_PARAMETER;
    use crate::testing::{fixes, reported};

    const DEFINED: &str = "define m::d (Integer $port, $mode, $owner = 'root') { }\n";

    #[test]
    fn reports_required_parameters_without_a_value() {
        let code = format!("{DEFINED}class m {{ m::d {{ 'a': owner => 'b' }} }}");
        assert_eq!(
            reported(&MISSING_PARAMETER, &code),
            [
                "`'a'`: missing required parameter `port` of `m::d`",
                "`'a'`: missing required parameter `mode` of `m::d`",
            ]
        );
        assert_eq!(
            fixes(&MISSING_PARAMETER, &code),
            [
                "Add the missing parameter `port`",
                "Add the missing parameter `mode`"
            ]
        );
    }

    #[test]
    fn ignores_parameters_that_may_be_set_elsewhere() {
        for code in [
            "m::d { 'a': * => $h }",
            "m::d { default: port => 1, mode => 2; 'a': }",
            "m::d { 'a': port => 1 } M::D { mode => 1 }",
            "m::d { 'a': mode => 1 } M::D <| |> { port => 1 }",
        ] {
            let code = format!("{DEFINED}class m ($h) {{ {code} }}");
            assert_eq!(reported(&MISSING_PARAMETER, &code), [""; 0], "{code}");
        }
    }
}
