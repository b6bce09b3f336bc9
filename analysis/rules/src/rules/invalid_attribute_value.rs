use base::ModulepathKind;
use base::suggest::{hint, is_slip, similar};
use catalog::ProblemKind;
use hir::ItemKind;
use infer::{TypeProblem, TypeProblemKind, ValueTarget};
use library::products;
use syntax::ast::{AstNode, Attribute, Expr, Parameter};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::Type;
use types::values::Value;

use crate::checker::Checker;
use crate::compiled::problem::CompiledProblem;
use crate::compiled::{blamed, is_catalog_of_node, parameterized_classes, report};
use crate::data::values_by_file;
use crate::fixes::{expr_at, node_at, text_like, value_fixes};
use crate::index::default_reach::may_be_set_elsewhere;
use crate::mismatch::{mismatch_message, refusal_message, with_written_number};
use crate::resource_attributes::attribute_of;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports attribute values that the resource type does not accept.
    ///
    /// ## What it does
    ///
    /// Checks the attributes of resource types that are built into Puppet, and of types in modules as far as their Ruby
    /// code can be analyzed. Like Puppet, it compares values as strings and is case-sensitive.
    ///
    /// * Some attributes, such as the `mode` of a file, only accept strings: an unquoted `0644` is the number 420.
    /// * Read-only attributes accept no value.
    /// * A `provider` must be one of Puppet or of an installed module. A provider that only a public module outside of
    ///   the workspace defines is a hint.
    /// * Only types with `ensure` can be purged with `resources`.
    /// * Titles that are the value of an attribute are checked, too, and so is each known element of an array.
    /// * Each branch of a selector or conditional is checked, even if it is assigned to a variable that the next
    ///   statement uses.
    /// * Values that a class or defined type passes on to an attribute of a built-in type are checked, and those that
    ///   `create_resources` gets from data. In the catalog of a node ([Catalogs](../catalogs.md#how-rules-compile-code)
    ///   in the book), so are the values of variables, of hashes and of `ensure_resources`.
    ///
    /// The default of a parameter that an attribute or a title refuses is a warning, if the class or defined type always
    /// uses it and data has no value for it. An empty string stands for a value that users pass.
    ///
    /// Values that Puppet accepts, but that definitely do not work, are warnings:
    ///
    /// * times that cron rejects, such as `*/0`
    /// * misspelled words in `ensure` of a package, which are taken for versions
    /// * a hash as the title of `ensure_resource`
    /// * the value of a read-only parameter, which Puppet ignores
    ///
    /// ## Why it matters
    ///
    /// The catalog compiles, but the agent run fails: *Invalid value …, valid values are …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (Boolean $enabled) {
    ///   file { '/etc/example':
    ///     replace => 'perhaps', # <-
    ///     links   => 'folow', # <-
    ///     mode    => 0644, # <-
    ///   }
    ///   service { 'example':
    ///     ensure => 'Running', # <-
    ///     enable => $enabled ? { true => 'yes', default => 'no' }, # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (Boolean $enabled) {
    ///   file { '/etc/example':
    ///     replace => true,
    ///     links   => 'follow',
    ///     mode    => '0644',
    ///   }
    ///   service { 'example':
    ///     ensure => 'running',
    ///     enable => $enabled,
    ///   }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Attributes that are validated by custom Ruby code.
    /// * Values that are not known.
    ///
    /// Parameters of classes and defined types are checked by `type-mismatch`.
    ///
    /// ## Fix
    ///
    /// Safe: replaces a value that differs from a valid one only in case.
    ///
    /// Suggested: replaces the value with the most similar valid one, or adds quotes around a
    /// number.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-attribute-value]` at the end of the line, or on a line of its
    /// own above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-attribute-value = "off"
    /// ```
    pub(crate) static INVALID_ATTRIBUTE_VALUE = {
        code: "invalid-attribute-value",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Problem(check),
            Check::Compiled(check_passed_value),
            Check::Node(&[SyntaxKind::ATTRIBUTE], check_version_of_package),
        ],
    }
}

fn check(checker: &mut Checker<'_>, problem: &TypeProblem) {
    if let TypeProblemKind::ReadOnlyAttribute {
        type_name,
        name,
        is_ignored,
    } = &problem.kind
    {
        let message = format!("attribute `{name}` of `{type_name}` is read-only");
        let severity = match is_ignored {
            true => Severity::Warning,
            false => Severity::Error,
        };
        return checker.report_problem_as(&INVALID_ATTRIBUTE_VALUE, severity, problem, message);
    }
    if let TypeProblemKind::UnknownProvider {
        type_name,
        name,
        known,
    } = &problem.kind
    {
        return check_provider(checker, problem, type_name, name, known);
    }
    if let TypeProblemKind::UnusableValue {
        what,
        description,
        actual,
    } = &problem.kind
    {
        let message = refusal_message(what, description, actual);
        let rule = &INVALID_ATTRIBUTE_VALUE;
        return checker.report_problem_as(rule, Severity::Warning, problem, message);
    }
    let Some(refusal) = Refusal::of(&problem.kind) else {
        return;
    };
    if is_set_elsewhere(checker, refusal.target)
        || problem.is_default && has_data(checker, problem.range)
    {
        return;
    }
    let message = refusal.message(checker, problem.range);
    checker.report_problem(&INVALID_ATTRIBUTE_VALUE, problem, message);
    for fix in value_fixes(
        &checker.root(),
        problem.range,
        refusal.expected,
        refusal.given,
    ) {
        checker.fix(Some(fix));
    }
}

/// Checks whether data may have a value for the parameter whose default is at a range.
fn has_data(checker: &Checker<'_>, default: TextRange) -> bool {
    let (db, item) = (checker.db, checker.item);
    let node = node_at(&checker.root(), default);
    let parameter = node.and_then(|it| it.ancestors().find_map(Parameter::cast));
    let Some(name) = parameter.and_then(|it| it.name()) else {
        return false;
    };
    let key = format!("{}::{name}", hir::canonical_name(item.name(db)));
    let has_none = || {
        let values = values_by_file(db, checker.environment, &key);
        values.is_some_and(|it| it.is_empty())
    };
    item.kind(db) == ItemKind::Class && !has_none()
}

/// The minimum length of a misspelled word: shorter ones may be versions.
const MIN_WORD: usize = 5;

/// Reports a misspelled word in `ensure` of a package, which Puppet takes for a version.
fn check_version_of_package(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let attribute = attribute_of(node, &["package"], &["ensure"]);
    let Some(value) = attribute.and_then(|it| it.value()) else {
        return;
    };
    let known = checker.type_of(&value).and_then(|it| it.value.as_ref());
    let Some(text) = known.and_then(Value::as_str) else {
        return;
    };
    let package = library::resource_type("package", checker.version());
    let mut attributes = package.iter().flat_map(|it| &it.attributes);
    let Some(ensure) = attributes.find(|it| it.name == "ensure") else {
        return;
    };
    let is_word = text.len() >= MIN_WORD && text.bytes().all(|it| it.is_ascii_lowercase());
    if !is_word || ensure.values.iter().any(|it| it == text) {
        return;
    }
    let is_near = |it: &&String| it.starts_with(text) || is_slip(text, it);
    let Some(near) = ensure.values.iter().find(is_near) else {
        return;
    };
    let message = format!("`{text}` is taken for a version; did you mean `{near}`?");
    let range = value.syntax().text_range();
    let rule = &INVALID_ATTRIBUTE_VALUE;
    checker.report_as(rule, Severity::Warning, range, message);
    if !matches!(value, Expr::VariableExpr(_)) {
        let label = format!("Replace with `{near}`");
        let fix = Fix::suggested(label, range, text_like(&value, near));
        checker.fix(Some(fix));
    }
}

/// Reports a value that other code passes on to an attribute that refuses it.
fn check_passed_value<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let ProblemKind::RefusedValue(key, kind) = &problem.kind else {
        return;
    };
    let Some(refusal) = Refusal::of(kind) else {
        return;
    };
    let (range, place) = blamed(checker, problem);
    let node = node_at(&checker.root(), range);
    let is_call = node.clone().and_then(Expr::cast).is_some();
    // Parameters of a class may be others than their defaults.
    if problem.places.len() == 1
        && !is_call
        && !is_catalog_of_node(checker.db, checker.environment, problem.definition)
        && !parameterized_classes(checker, problem.definition).is_empty()
    {
        return;
    }
    let attribute = node.and_then(Attribute::cast);
    // The hash or the variable has the attributes of several resources.
    let is_computed = attribute.is_none() || problem.places.len() == 1;
    let value = attribute.and_then(|it| it.value());
    let range = value.map_or(range, |it| it.syntax().text_range());
    let mut known = checker.found().iter();
    let is_known =
        known.any(|it| it.code == INVALID_ATTRIBUTE_VALUE.code && range.contains_range(it.range));
    if place != Some(0) || is_known {
        return;
    }
    let last = problem.places.len() - 1;
    let label = |index| match index == last {
        true => "attribute set here",
        false => "passed on here",
    };
    let message = match is_computed {
        true => format!("{} in `{}`", refusal.message(checker, range), key),
        false => refusal.message(checker, range),
    };
    let rule = &INVALID_ATTRIBUTE_VALUE;
    report(checker, rule, problem, (range, place), message, label);
}

/// A value that an attribute, a title or a hash of attributes must not have.
struct Refusal<'a> {
    target: &'a ValueTarget,
    /// The description of the accepted values.
    description: Option<&'a str>,
    expected: &'a Type,
    given: &'a Type,
}

impl<'a> Refusal<'a> {
    fn of(kind: &'a TypeProblemKind) -> Option<Refusal<'a>> {
        let (target, description, expected, given) = match kind {
            TypeProblemKind::Mismatch {
                what: target @ ValueTarget::Attribute(..),
                expected,
                actual,
            } => (target, None, expected, actual),
            TypeProblemKind::RefusedValue {
                what:
                    target
                    @ (ValueTarget::Attribute(..) | ValueTarget::Namevar(..) | ValueTarget::Splat),
                description,
                expected,
                actual,
            } => (target, Some(description.as_str()), expected, actual),
            _ => return None,
        };
        Some(Refusal {
            target,
            description,
            expected,
            given,
        })
    }

    /// Returns the message about a value at a range.
    fn message(&self, checker: &Checker<'_>, range: TextRange) -> String {
        let message = match self.description {
            Some(description) => refusal_message(self.target, description, self.given),
            None => mismatch_message(self.target, self.expected, self.given),
        };
        with_written_number(message, &checker.root(), range, self.given)
    }
}

/// Reports a provider that no module defines. A missing module, or Puppet Enterprise, may define it.
fn check_provider(
    checker: &mut Checker<'_>,
    problem: &TypeProblem,
    type_name: &str,
    name: &str,
    known: &[String],
) {
    if products::is_of_server(name) {
        return;
    }
    let near = similar(name, known.iter().map(String::as_str));
    // Short names are abbreviations, such as `npm` and `nim`, which differ by a letter.
    let is_slip = name.len() > 4 && near.is_some_and(|it| is_slip(name, it));
    let of_environment =
        checker.environment.modulepath(checker.db) == ModulepathKind::OfEnvironment;
    let has_all_modules = checker.has_all_modules();
    let may_be_of_module = library::may_be_provider_of_module(type_name, name);
    let severity = match (has_all_modules, is_slip) {
        (true, _) if of_environment => Severity::Error,
        (_, true) => Severity::Warning,
        // A module may support providers of modules that it does not depend on.
        (true, false) if may_be_of_module => Severity::Hint,
        (true, false) => Severity::Warning,
        // A missing module may have it.
        (false, false) if near.is_some() && !may_be_of_module => Severity::Hint,
        (false, false) => return,
    };
    let message = format!("unknown provider `{name}` of `{type_name}`{}", hint(near));
    checker.report_problem_as(&INVALID_ATTRIBUTE_VALUE, severity, problem, message);
    let expr = expr_at(&checker.root(), problem.range);
    let text = near.and_then(|near| Some(text_like(&expr?, near)));
    let label = format!("Replace with `{}`", near.unwrap_or_default());
    checker.fix(text.map(|it| Fix::suggested(label, problem.range, it)));
}

/// Checks whether other code sets the attribute that a title stands for.
fn is_set_elsewhere(checker: &Checker<'_>, target: &ValueTarget) -> bool {
    let ValueTarget::Namevar(type_, name) = target else {
        return false;
    };
    may_be_set_elsewhere(checker, type_, name)
}

#[cfg(test)]
mod tests {
    use super::INVALID_ATTRIBUTE_VALUE;
    use crate::testing::{fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn knows_the_providers_of_types_of_modules() {
        let found = |inline: &str, provider: &str| {
            let code = format!(
                "//- modules/v/lib/puppet/type/v.rb\nPuppet::Type.newtype(:v) do\n\
                 newparam(:name, namevar: true) do\nend\n{inline}\nend\n\
                 //- modules/v/lib/puppet/provider/v/git.rb\nPuppet::Type.type(:v).provide(:git) do\nend\n\
                 //- modules/m/manifests/init.pp\nclass m {{ v {{ 'x': provider => {provider} }} }}\n"
            );
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        assert_eq!(
            found("", "'mercurial'"),
            ["`'mercurial'`: unknown provider `mercurial` of `v`"]
        );
        assert_eq!(found("", "git"), [""; 0]);
        assert_eq!(found("provide(:other) do\nend", "'mercurial'"), [""; 0]);
    }

    #[test]
    fn reports_words_that_are_taken_for_versions() {
        let found = |ensure: &str| {
            let code = format!("class m {{ package {{ 'a': ensure => {ensure} }} }}");
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        for (wrong, right) in [
            ("instaled", "installed"),
            ("install", "installed"),
            ("lastest", "latest"),
        ] {
            assert_eq!(
                found(wrong),
                [format!(
                    "`{wrong}`: `{wrong}` is taken for a version; did you mean `{right}`?"
                )]
            );
        }
        for version in ["present", "'1.2.3'", "held", "stable", "'8'"] {
            assert_eq!(found(version), [""; 0], "{version}");
        }
    }

    #[test]
    fn warns_of_defaults_that_an_attribute_refuses() {
        let rule = &INVALID_ATTRIBUTE_VALUE;
        for code in [
            "class m (String $e = 'enabled') { service { 'a': ensure => $e } }",
            "define m::d ($e = 'enabled') { service { 'a': ensure => $e } }",
            "class m ($mode = '0999') { file { '/a': mode => $mode } }",
            "class m ($dir = 'opt/a') { file { $dir: ensure => directory } }",
            "class m ($dir = 'opt/a') { file { 'a': path => $dir } }",
        ] {
            assert_eq!(severities(rule, code), [Severity::Warning], "{code}");
        }
        for code in [
            "class m (String $e = 'running') { service { 'a': ensure => $e } }",
            "class m ($e = undef, $f = $e) { service { 'a': ensure => $e, enable => $f } }",
            "class m ($e = 'no') { if $e != 'no' { service { 'a': ensure => $e } } }",
            "class m ($e = 'no') { [1].each |$i| { service { 'a': ensure => $e } } }",
            "class m ($e = 'no') { if $e == 'no' { fail('x') } service { 'a': ensure => $e } }",
            "class m ($dir = 'opt/a') { file { $dir: path => '/a' } }",
            "class m ($dir = '') { file { 'a': path => $dir } }",
            "//- modules/m/hiera.yaml\nversion: 5\nhierarchy: [{ name: c, path: c.yaml }]\n\
             //- modules/m/data/c.yaml\nm::e: running\n\
             //- modules/m/manifests/init.pp\nclass m ($e = 'no') { service { 'a': ensure => $e } }\n",
        ] {
            assert_eq!(severities(rule, code), [], "{code}");
        }
    }

    #[test]
    fn checks_the_values_of_branches() {
        let found = |code: &str| {
            let code = format!("class m (Boolean $b, $x) {{ {code} }}");
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        let wrong = [
            "`'started'`: attribute `ensure` of `service` expects one of `false`, `running`, `stopped`, `true`, \
             found `'started'`",
        ];
        let service = |before: &str, value: &str| {
            found(&format!("{before} service {{ 'a': ensure => {value} }}"))
        };
        let branches = "if $b { $e = 'started' } else { $e = 'stopped' }";
        for (before, value) in [
            (branches, "$e"),
            (
                "$e = $b ? { true => 'started', default => 'stopped' }",
                "$e",
            ),
            (
                "$e = if $b { 'started' } else { 'stopped' } notice(1)",
                "$e",
            ),
            (
                "case $x { 1: { $e = 'stopped' } 2: { fail('no') } default: { $e = 'started' } }",
                "$e",
            ),
            ("", "$b ? { true => 'started', default => 'stopped' }"),
            (
                "",
                "$b ? { true => $x ? { 1 => 'running', default => 'started' }, default => 'stopped' }",
            ),
        ] {
            assert_eq!(service(before, value), wrong, "{before} {value}");
        }
        let all = [
            // The branch may not be the one before the resource.
            format!("{branches} unless $b {{ service {{ 'a': ensure => $e }} }}"),
            format!("{branches} if $b {{ fail('no') }} service {{ 'a': ensure => $e }}"),
            format!("{branches} $s = 'a' service {{ $s: ensure => $b ? {{ true => 'running', default => $e }} }}"),
            "if $b { $e = 'started' fail('no') } else { $e = 'stopped' } service { 'a': ensure => $e }".to_owned(),
            "if $b { $e = undef } else { $e = 'stopped' } service { 'a': ensure => $e }".to_owned(),
            "service { 'a': ensure => $b ? { true => 'running', false => 'stopped', default => 'none' } }".to_owned(),
        ];
        for code in all {
            assert_eq!(found(&code), [""; 0], "{code}");
        }
    }

    #[test]
    fn checks_each_element_of_arrays() {
        let found = |hour: &str| {
            let code = format!(
                "class m (Array[Integer[0, 30]] $hours, Array[Integer[24, 30], 1] $late) {{ \
                 $one = [1, 25] $many = $hours + [25] \
                 cron {{ 'a': command => '/a', hour => {hour} }} }}"
            );
            severities(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        for wrong in [
            "[1, 25]",
            "$one",
            "$late",
            "$facts['a'] ? { 'b' => [1, 25], default => [26] }",
            "$facts['a'] ? { 'b' => [1, 25], default => 2 }",
        ] {
            assert_eq!(found(wrong), [Severity::Error], "{wrong}");
        }
        for right in ["[]", "[1, 2]", "$hours", "[$hours, 2]"] {
            assert_eq!(found(right), [], "{right}");
        }
        let service = |ensure: &str| {
            let code = format!("class m {{ $e = {ensure} service {{ 'a': ensure => $e }} }}");
            reported(&INVALID_ATTRIBUTE_VALUE, &code).len()
        };
        assert_eq!(service("['running', 'Foo']"), 1);
        assert_eq!(service("['running', 'stopped']"), 0);
    }

    #[test]
    fn checks_arrays_that_other_code_passes_on() {
        let code = "//- modules/m/manifests/init.pp\nclass m { m::job { 'a': hours => [1, 25] } \
                    m::job { 'b': hours => [1, 23] } }\n\
                    //- modules/m/manifests/job.pp\n\
                    define m::job (Array[Integer] $hours) {\n\
                    cron { $title: command => '/a', hour => $hours }\n}\n";
        assert_eq!(
            reported(&INVALID_ATTRIBUTE_VALUE, code),
            [
                "`[1, 25]`: attribute `hour` of `cron` expects `*`, `*/2`, `9-17` or a number from 0 to 23, found `25`"
            ]
        );
    }

    #[test]
    fn checks_titles_that_other_code_passes_on() {
        let found = |path: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ m::dir {{ 'a': path => {path} }} }}\n\
                 //- modules/m/manifests/dir.pp\n\
                 define m::dir ($path) {{\nfile {{ $path: ensure => directory }}\n}}\n"
            );
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        assert_eq!(
            found("'a/b'"),
            ["`'a/b'`: attribute `path` of `file` expects an absolute path, found `'a/b'`"]
        );
        assert_eq!(found("'/a/b'"), [""; 0]);
        assert_eq!(found("$facts['a']"), [""; 0]);
    }

    #[test]
    fn reports_a_hash_as_title_of_ensure_resource() {
        let found = |titles: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m (Hash $users, $any) {{ ensure_resource('user', {titles}) }}\n\
                 //- modules/stdlib/lib/puppet/parser/functions/ensure_resource.rb\n\
                 module Puppet::Parser::Functions\nnewfunction(:ensure_resource) do |args|\nend\nend\n"
            );
            severities(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        for wrong in [
            "{ 'a' => { 'ensure' => 'present' } }",
            "{ 'a' => {} }, { 'ensure' => 'present' }",
            "$users",
        ] {
            assert_eq!(found(wrong), [Severity::Warning], "{wrong}");
        }
        for right in ["'a'", "['a', 'b']", "$any", "$any, {}", "keys($users)"] {
            assert_eq!(found(right), [], "{right}");
        }
    }

    #[test]
    fn reports_values_that_only_the_program_refuses() {
        let job = |attributes: &str| {
            let code = format!("class m {{ cron {{ 'a': command => '/a', {attributes} }} }}");
            severities(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        for unusable in [
            "minute => '0-70/5'",
            "minute => '*/0'",
            "hour => ['1', '20-24']",
            "month => '0-3'",
            "weekday => '1-8'",
            "monthday => '30-32'",
        ] {
            assert_eq!(job(unusable), [Severity::Warning], "{unusable}");
        }
        for usable in [
            "minute => '0-59/5'",
            "minute => '*/10'",
            "hour => ['01', '0-23']",
            "month => 'feb'",
            "weekday => '5-7'",
            "monthday => '00001-31'",
        ] {
            assert_eq!(job(usable), [], "{usable}");
        }
        let mount = |dump: &str| {
            let code = format!("class m {{ mount {{ '/a': dump => {dump} }} }}");
            severities(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        assert_eq!(mount("3"), [Severity::Error]);
        assert_eq!(mount("'2'"), [Severity::Warning]);
        assert_eq!(mount("1"), []);
    }

    #[test]
    fn reports_values_that_the_type_rejects() {
        let code = "class m { service { 'a': ensure => 'runing' } }";
        let found = reported(&INVALID_ATTRIBUTE_VALUE, code);
        assert_eq!(found.len(), 1, "{found:?}");
        let start = "`'runing'`: attribute `ensure` of `service` expects one of `";
        assert!(found[0].starts_with(start), "{found:?}");
        let end = "found `'runing'`; did you mean `'running'`?";
        assert!(found[0].ends_with(end), "{found:?}");
        assert_eq!(
            fixes(&INVALID_ATTRIBUTE_VALUE, code),
            ["Replace with `'running'`"]
        );
    }

    #[test]
    fn reports_exit_codes_that_are_no_numbers() {
        let code = "class m { exec { '/bin/a': returns => 'zero' } exec { '/bin/b': returns => [0, '1', -1] } \
                    exec { '/bin/c': returns => ['0', 'ok'] } }";
        assert_eq!(
            reported(&INVALID_ATTRIBUTE_VALUE, code),
            [
                "`'zero'`: attribute `returns` of `exec` expects an exit code, found `'zero'`",
                "`'ok'`: attribute `returns` of `exec` expects an exit code, found `'ok'`",
            ]
        );
    }

    #[test]
    fn reports_lists_where_one_value_is_expected() {
        let code = "class m { exec { '/bin/a': cwd => ['/a'], creates => ['/a', '/b'] } \
                    filebucket { 'b': path => ['/a', '/b'] } }";
        let found = reported(&INVALID_ATTRIBUTE_VALUE, code);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn ignores_titles_of_resources_with_another_name() {
        for code in [
            "class m { file { 'a': name => '/a' } }",
            "class m { create_resources('file', { 'a' => { 'name' => '/a' } }) }",
        ] {
            assert_eq!(reported(&INVALID_ATTRIBUTE_VALUE, code), [""; 0], "{code}");
        }
        let code = "class m { file { 'a': mode => '0644' } create_resources('file', { 'a' => { 'mode' => '0644' } }) }";
        assert_eq!(reported(&INVALID_ATTRIBUTE_VALUE, code).len(), 2);
    }

    #[test]
    fn reports_types_that_cannot_be_purged() {
        let code = "class m ($x) { resources { 'exec': purge => true } resources { 'notify': purge => 'yes' } \
                    resources { 'exec': purge => false } resources { ['user', 'host']: purge => true } \
                    resources { 'tidy': purge => $x } resources { 'a': name => 'user', purge => true } \
                    resources { 'm::d': } }\n//- modules/m/manifests/d.pp\ndefine m::d { }\n";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(
            reported(&INVALID_ATTRIBUTE_VALUE, &code),
            [
                "`purge`: attribute `purge` of `resources` expects `false` for `exec`, which has no \
                 `ensure`, found `true`",
                "`purge`: attribute `purge` of `resources` expects `false` for `notify`, which has no \
                 `ensure`, found `true`",
                "`'m::d'`: title of `resources` expects the name of a resource type in Ruby, found \
                 `'m::d'`",
            ]
        );
    }

    #[test]
    fn reports_titles_that_the_code_of_a_type_refuses() {
        let types = "//- modules/m/lib/puppet/type/t.rb\nPuppet::Type.newtype(:t) do\n\
                     newparam(:name) do\nisnamevar\nnewvalues(/^\\d+ /)\nend\nend\n";
        let code = "class m { t { ['1 a', 'x']: } t { 'y': name => '1 y' } }";
        let code = format!("//- modules/m/manifests/init.pp\n{code}\n{types}");
        let found = reported(&INVALID_ATTRIBUTE_VALUE, &code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with("found `'x'`"), "{found:?}");
    }

    #[test]
    fn reports_the_start_of_a_string_that_is_no_path() {
        let found = |attribute: &str| {
            let code = format!("class m ($x) {{ file {{ '/a': {attribute} }} }}");
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        assert_eq!(
            found("path => \"conf/${x}\""),
            [
                "`\"conf/${x}\"`: attribute `path` of `file` expects an absolute path, found `'conf/…'`"
            ]
        );
        assert_eq!(found("source => \"ftp://${x}/a\"").len(), 1);
        for attribute in [
            "path => \"/conf/${x}\"",
            "path => \"${x}/conf\"",
            "path => \"C:${x}\"",
            "source => \"pup${x}\"",
            "source => \"file:${x}\"",
            "content => \"conf/${x}\"",
            "mode => \"07${x}\"",
        ] {
            assert_eq!(found(attribute), [""; 0], "{attribute}");
        }
    }

    #[test]
    fn ignores_values_that_may_be_valid() {
        let code = "class m (String $s) { service { 'a': ensure => $s, enable => 'mask' } }";
        assert_eq!(reported(&INVALID_ATTRIBUTE_VALUE, code), [""; 0]);
    }

    #[test]
    fn reports_values_of_data_at_the_call_that_declares_resources() {
        let check = |hash: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ create_resources('file', {hash}) }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\n\
                 good: {{/a: {{mode: '0644'}}}}\nbad: {{/a: {{mode: 644}}}}\n"
            );
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        let found = check("lookup('bad')");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("`create_resources("), "{found:?}");
        assert!(
            found[0].ends_with("found `644` in `File['/a']`"),
            "{found:?}"
        );
        assert_eq!(check("lookup('good')"), [""; 0]);
        // The code itself has the value.
        assert_eq!(check("{ '/a' => { mode => 644 } }").len(), 1);
    }

    #[test]
    fn reports_computed_values_in_the_catalogs_of_nodes() {
        let check = |class: &str, data: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'a' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m (Hash $all, $mode = undef) {{ {class} }}\n\
                 //- modules/stdlib/lib/puppet/parser/functions/ensure_resources.rb\n\
                 module Puppet::Parser::Functions\nnewfunction(:ensure_resources) do |args|\nend\nend\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nm::all: {data}\nm::mode: 600\n"
            );
            reported(&INVALID_ATTRIBUTE_VALUE, &code)
        };
        let declared = [
            "ensure_resources('file', $all, { owner => 'root' })",
            "$all.each |$k, $v| { file { $k: * => $v } }",
            "$all.each |$k, $v| { file { $k: mode => $v['mode'] } }",
        ];
        for class in declared {
            let found = check(class, "{/a: {mode: 644}, /b: {mode: '0644'}}");
            assert_eq!(found.len(), 1, "{class}: {found:?}");
            assert!(
                found[0].ends_with("found `644` in `File['/a']`"),
                "{found:?}"
            );
            assert_eq!(check(class, "{/a: {mode: '0644'}}"), [""; 0], "{class}");
        }
        let found = check("file { '/c': mode => $mode }", "{}");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("`$mode`: "), "{found:?}");
    }

    #[test]
    fn follows_values_through_defined_types() {
        let files = "//- modules/m/manifests/d.pp\n\
                     define m::d ($perms = '0644', $up = true) {\n \
                     m::e { $title: perms => $perms } service { $title: enable => $up } }\n\
                     //- modules/m/manifests/e.pp\n\
                     define m::e ($perms) { file { \"/${title}\": mode => $perms } }\n\
                     //- modules/m/manifests/init.pp\n";
        for (attributes, expected) in [
            ("perms => 0600", Some("`0600`")),
            ("perms => '0698'", Some("`'0698'`")),
            ("up => 'always'", Some("`'always'`")),
            ("perms => '0600', up => 'manual'", None),
        ] {
            let code = format!("{files}class m {{ m::d {{ 'a': {attributes} }} }}\n");
            let found = reported(&INVALID_ATTRIBUTE_VALUE, &code);
            assert_eq!(found.len(), usize::from(expected.is_some()), "{found:?}");
            let found = found.first().map_or("", String::as_str);
            assert!(
                found.ends_with(expected.unwrap_or_default()),
                "{attributes}: {found}"
            );
        }
    }
}
