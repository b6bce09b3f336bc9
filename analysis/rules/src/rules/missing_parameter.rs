use hir::Item;
use hir::body::{Resource, ResourceForm};
use hir::resolve::Definition;
use infer::{TypeProblem, TypeProblemKind, declared_parameters, needed_parameters};
use syntax::ast::{AstNode, AttributeOperation, Expr, ResourceBody};
use syntax::{Fix, Severity, TextRange};
use types::Type;
use types::values::Value;

use crate::assets::{AssetChecker, AssetKind};
use crate::checker::Checker;
use crate::fixes::{attribute_insertion, node_at, sample};
use crate::index::default_reach::may_be_set_elsewhere;
use crate::rule::{Check, Rule, declare_rule};
use crate::templates::{severity_of, template_name};
use crate::wording::actual;
use crate::yaml_plan_names;

declare_rule! {
    /// Reports resources and templates that lack a required parameter.
    ///
    /// ## What it does
    ///
    /// Checks that each parameter without a default value is set, and each whose type refuses its default value `undef`.
    /// `Optional[…]` alone does not make a parameter optional. The hashes of `* =>` and `create_resources` are checked if all of their keys are known.
    ///
    /// Also checks for attributes that others require:
    ///
    /// * `file`: `source` with `recurse => remote`; `target` with `ensure => link` (a warning, because the link may exist)
    /// * `ssh_authorized_key`: `user` or `target`
    /// * `augeas`: both `lens` and `incl`, or neither
    /// * `tidy`: `recurse` with `matches`
    /// * types in modules: combinations that the `validate` block rejects, as far as its code is understood
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
    ///     'b':;
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
    /// * Parameters that any resource default (`Example::Vhost { … }`) or collector in the environment sets, or an
    ///   override in the same class or one that inherits from it. Whether it applies to this resource is only known
    ///   when the catalog is compiled.
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
        checks: [
            Check::Item(check_resources),
            Check::Problem(check_template),
            Check::Problem(check_created),
            Check::Problem(check_companion),
            Check::Asset(AssetKind::YamlPlan, check_yaml_plan),
        ],
    }
}

fn check_resources(checker: &mut Checker<'_>) {
    let body = checker.body;
    let declarations = body.resources.iter();
    let declarations = declarations.filter(|it| it.form == ResourceForm::Declaration);
    for resource in declarations {
        let item = match checker.resource_definition(resource) {
            Some(Definition::Item(item)) => item,
            _ => continue,
        };
        if let Some(splat) = splat_names(checker, resource) {
            let file = item.file(checker.db);
            checker.check_against(Some(file), |it| check_required(it, resource, item, &splat));
        }
    }
}

/// Reports attributes that other attributes need.
fn check_companion(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::RefusedResource {
        type_name,
        message,
        attributes,
    } = &problem.kind
    {
        let mut attributes = attributes.iter();
        if attributes.any(|it| may_be_set_elsewhere(checker, type_name, it)) {
            return;
        }
        let reason = message.as_ref().map(|it| format!(": {it}"));
        let message = format!(
            "`{type_name}` rejects these attributes{}",
            reason.unwrap_or_default()
        );
        return checker.report_problem(&MISSING_PARAMETER, problem, message);
    }
    let TypeProblemKind::MissingCompanion {
        type_name,
        needed,
        attribute,
        value,
    } = &problem.kind
    else {
        return;
    };
    let may_be_set = |it: &String| may_be_set_elsewhere(checker, type_name, it);
    if needed.iter().any(may_be_set) {
        return;
    }
    let names: Vec<String> = needed.iter().map(|it| format!("`{it}`")).collect();
    let names = names.join(" or ");
    let reason = match (attribute, value) {
        (Some(it), Some(value)) => format!(": `{it}` is {}", actual(value)),
        (Some(it), None) => format!(": `{it}` is set"),
        (None, _) => String::new(),
    };
    let message = format!("missing attribute {names} of `{type_name}`{reason}");
    // Puppet accepts a link without a target that exists already.
    let severity = match attribute.as_deref() {
        Some("ensure") => Severity::Warning,
        _ => MISSING_PARAMETER.severity,
    };
    checker.report_problem_as(&MISSING_PARAMETER, severity, problem, message);
}

/// Returns the attributes in the hash after `* =>`; `None` if it may contain others.
fn splat_names(checker: &Checker<'_>, resource: &Resource) -> Option<Vec<String>> {
    if !resource.splat {
        return Some(Vec::new());
    }
    let body = node_at(&checker.root(), resource.range).and_then(ResourceBody::cast)?;
    let mut names = Vec::new();
    let siblings = body.syntax().parent()?.children();
    let is_default = |it: &ResourceBody| matches!(it.title(), Some(Expr::Literal(_)));
    let defaults = siblings.filter_map(ResourceBody::cast).filter(is_default);
    let is_splat = |it: &AttributeOperation| matches!(it, AttributeOperation::AttributeSplat(_));
    let operations = body
        .operations()
        .chain(defaults.flat_map(|it| it.operations()));
    for operation in operations.filter(is_splat) {
        let hash = operation.syntax().children().find_map(Expr::cast)?;
        let hash = checker.type_of(&hash)?;
        match (&hash.value, &hash.type_) {
            (Some(Value::Hash(all)), _) => {
                names.extend(all.iter().filter_map(|it| it.0.as_str().map(str::to_owned)));
            }
            (_, Type::Struct(all)) => {
                names.extend(all.elements().iter().map(|it| it.name.to_string()));
            }
            _ => return None,
        }
    }
    Some(names)
}

/// Reports parameters that the arguments of `create_resources` lack.
fn check_created(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::MissingAttribute { owner, name } = &problem.kind else {
        return;
    };
    if !may_be_set_elsewhere(checker, owner, name) {
        let message = format!("missing required parameter `{name}` of `{owner}`");
        checker.report_problem(&MISSING_PARAMETER, problem, message);
    }
}

fn check_required<'db>(
    checker: &mut Checker<'db>,
    resource: &Resource,
    item: Item<'db>,
    splat: &[String],
) {
    let given = |name: &str| {
        let here = resource.attributes.iter().any(|it| it.name == name);
        let here = here || splat.iter().any(|it| it == name);
        here || resource.default_attributes.iter().any(|it| it == name)
    };
    let missing = needed_parameters(checker.db, item).filter(|it| !given(&it.name));
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return;
    }
    let name = item.name(checker.db);
    for parameter in missing {
        if may_be_set_elsewhere(checker, name, &parameter.name) {
            continue;
        }
        let reason = match parameter.is_required() {
            true => "",
            false => ": its type refuses the default value `undef`",
        };
        let message = format!(
            "missing required parameter `{}` of `{name}`{reason}",
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

fn check_yaml_plan(checker: &mut AssetChecker<'_>) {
    yaml_plan_names::check_required_parameters(checker, &MISSING_PARAMETER);
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::MISSING_PARAMETER;
    use crate::testing::{fixes, reported, severities};

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
    fn reports_parameters_whose_default_does_not_fit() {
        let defined =
            "define m::d (String $a = undef, Optional[String] $b = undef, $c = undef) { }\n";
        let found = |code: &str| {
            let code = format!("{defined}class m {{ {code} }}");
            reported(&MISSING_PARAMETER, &code)
        };
        let message =
            "missing required parameter `a` of `m::d`: its type refuses the default value `undef`";
        assert_eq!(found("m::d { 'a': }"), [format!("`'a'`: {message}")]);
        assert_eq!(found("create_resources('m::d', { 'a' => {} })").len(), 1);
        assert_eq!(found("m::d { 'a': a => 'b' }"), [""; 0]);
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

    #[test]
    fn reports_links_without_a_target() {
        let code = "class m ($h) { file { '/a': ensure => link } file { '/b': ensure => 'link', target => '/c' } \
                    file { '/d': ensure => link, * => $h } file { '/e': ensure => link, source => '/f' } \
                    file { '/g': ensure => '/h' } }";
        assert_eq!(
            reported(&MISSING_PARAMETER, code),
            ["`ensure`: missing attribute `target` or `source` of `file`: `ensure` is `'link'`"]
        );
        assert_eq!(severities(&MISSING_PARAMETER, code), [Severity::Warning]);
        let code = format!("{code} class m::n {{ File {{ target => '/t' }} include m }}");
        assert_eq!(reported(&MISSING_PARAMETER, &code), [""; 0]);
    }

    #[test]
    fn overrides_apply_to_their_own_code_and_to_parents() {
        let link = "class m { file { '/a': ensure => link } }";
        let found = |code: &str| reported(&MISSING_PARAMETER, &format!("{link} {code}")).len();
        let overriding = "file { $x: ensure => file } File[$x] { source => '/b' }";
        assert_eq!(found(&format!("class m::n ($x) {{ {overriding} }}")), 1);
        assert_eq!(found(&format!("define m::d ($x) {{ {overriding} }}")), 1);
        let child = format!("class m::c inherits m::n {{ {overriding} }}");
        assert_eq!(found(&format!("class m::n inherits m {{ }} {child}")), 0);
        assert_eq!(
            found("class m::n ($x) { File <| |> { target => '/b' } }"),
            0
        );
        let own = "class m ($x) { file { $x: ensure => link } File['/a'] { target => '/b' } }";
        assert_eq!(reported(&MISSING_PARAMETER, own), [""; 0]);
    }

    #[test]
    fn reports_attributes_that_the_code_of_a_type_refuses() {
        let type_ = "//- modules/m/lib/puppet/type/t.rb\nPuppet::Type.newtype(:t) do\n\
                     ensurable do\ndefaultvalues\ndefaultto :present\nend\n\
                     newparam(:name, namevar: true)\nnewparam(:path)\nnewparam(:line)\nvalidate do\n\
                     fail 'no path' unless self[:path]\n\
                     raise 'no line' if self[:ensure] == :present && !self[:line]\nend\nend\n";
        let found = |code: &str| {
            let code =
                format!("//- modules/m/manifests/init.pp\nclass m ($h) {{ {code} }}\n{type_}");
            reported(&MISSING_PARAMETER, &code)
        };
        let refused = |reason: &str| vec![format!("`'a'`: `t` rejects these attributes: {reason}")];
        assert_eq!(found("t { 'a': line => 'x' }"), refused("no path"));
        assert_eq!(found("t { 'a': path => '/x' }"), refused("no line"));
        for code in [
            "t { 'a': path => '/x', line => 'y' }",
            "t { 'a': path => '/x', ensure => absent }",
            "t { 'a': path => '/x', ensure => $h }",
            "t { 'a': * => $h }",
            "t { 'a': line => 'y' } T { path => '/x' }",
            "t { 'a': line => 'y' } T <| |> { path => '/x' }",
        ] {
            assert_eq!(found(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_hashes_whose_attributes_are_unknown() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m (Hash $key) {\n\
                    ensure_resources('tidy', { '/a' => $key }, { 'matches' => 'x' })\n\
                    ensure_resource('tidy', '/b', { 'matches' => 'x' })\n}\n\
                    //- modules/m/lib/puppet/parser/functions/ensure_resources.rb\n\
                    Puppet::Parser::Functions.newfunction(:ensure_resources) { |args| }\n\
                    //- modules/m/lib/puppet/parser/functions/ensure_resource.rb\n\
                    Puppet::Parser::Functions.newfunction(:ensure_resource) { |args| }";
        assert_eq!(
            reported(&MISSING_PARAMETER, code),
            ["`'matches'`: missing attribute `recurse` of `tidy`: `matches` is set"]
        );
    }
}
