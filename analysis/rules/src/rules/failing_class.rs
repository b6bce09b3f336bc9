use catalog::{ProblemKind, class_problems, fails_as_declared};
use hir::autoload::NameKey;
use hir::other_versions::is_of_other_version;
use hir::{Item, ItemKind, canonical_name, signature};
use salsa::Database;
use syntax::{Severity, TextRange};

use super::missing_data::{has_computed_declaration, is_declared_as_resource};
use crate::checker::Checker;
use crate::compiled::blamed_failure::{BlamedCode, is_known_mistake};
use crate::compiled::endless_instances::endless_instance;
use crate::compiled::failing_code::passes_constants;
use crate::compiled::failing_instance::failing_instance;
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::refused_arguments::refused_declaration;
use crate::compiled::{
    blamed_reference, classes_of, is_catalog_of_node, is_whole_catalog, own_problems,
    parameterized_classes, relate_definition,
};
use crate::data::is_listed;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes that fail to compile with the default values of their parameters.
    ///
    /// ## What it does
    ///
    /// Compiles classes, roles, node definitions and main manifests, and reports errors that occur whatever the facts are.
    /// The book describes how code is compiled: [Catalogs](../catalogs.md#how-rules-compile-code).
    ///
    /// * The error of a class is reported if it occurs on each sample node and also without known facts.
    /// * The error of a node definition, a role or a main manifest is reported at the code of the environment that fails or, if
    ///   it fails for certain arguments, at the declaration with these. If several nodes fail alike, it is reported
    ///   once.
    /// * Arguments that a class or defined type refuses are reported at the declaration if they come from a loop, a
    ///   hash, data or a default value that does not fit the title.
    /// * An error in the code of a function or a template is reported at its call.
    /// * Defined types that declare instances of themselves without a condition, directly or through others, are
    ///   reported, and so are functions that call themselves.
    ///
    /// ## Why it matters
    ///
    /// Including the class fails on every node, unless data sets the parameters.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Optional[Integer] $workers = undef,
    /// ) {
    ///   if $workers > 4 { # <-
    ///     notice('many workers')
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Optional[Integer] $workers = undef,
    /// ) {
    ///   if $workers and $workers > 4 {
    ///     notice('many workers')
    ///   }
    /// }
    /// ```
    ///
    /// A node whose data does not fit:
    ///
    /// ```puppet wrong
    /// # file: environment/manifests/site.pp
    /// node 'web1.example.com' {
    ///   create_resources('example::vhost', lookup('vhosts')) # <-
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost (String $docroot) {
    ///   notice($docroot)
    /// }
    /// # file: environment/hiera.yaml
    /// version: 5
    /// # file: environment/data/common.yaml
    /// vhosts: {a: {docroot: 80}}
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Errors that another rule reports.
    /// * Calls to `fail`, `assert_private`, `assert_type` and `validate_legacy`: the class is meant to fail. They are
    ///   reported in the catalog of a node or role, `assert_type` also in classes without parameters, and where a class declares a class or defined type, or calls a function, with
    ///   arguments that these reject, unless `fail` is unconditional.
    /// * Calls to `lookup` and the like that find no data, except with computed keys in an environment with data.
    /// * Required parameters without a value: `missing-parameter` and `missing-data` report these, except for computed
    ///   names of classes in the catalog of a node.
    /// * Failures that parameters passed by a `class { … }` declaration in the workspace may prevent.
    /// * Failures that depend on facts.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[failing-class]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// failing-class = "off"
    /// ```
    pub(crate) static FAILING_CLASS = {
        code: "failing-class",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::Last(check), Check::InNodes(check_in_nodes)],
    }
}

fn check(checker: &mut Checker<'_>) {
    check_endless(checker);
    let (db, environment, item) = (checker.db, checker.environment, checker.item);
    if !is_catalog_of_node(db, environment, item) {
        check_compiled(checker, |definition| definition == item);
    }
}

/// Reports declarations with which a defined type declares instances of itself under no condition, and such calls of a
/// function.
fn check_endless(checker: &mut Checker<'_>) {
    if let Some(endless) = endless_instance(checker.db, checker.environment, checker.item) {
        let name = canonical_name(checker.item.name(checker.db));
        let through = match endless.through {
            Some(other) => format!(" through `{other}`"),
            None => String::new(),
        };
        let action = match checker.item.kind(checker.db) {
            ItemKind::Function => "calls itself",
            _ => "declares instances of itself",
        };
        let message = format!("infinite recursion: `{name}` {action}{through}");
        checker.report_as(&FAILING_CLASS, Severity::Error, endless.range, message);
    }
}

/// Reports failures of the catalogs of nodes, and of other definitions at the code that is wrong. Whether another mistake
/// explains them is only known once all definitions have their diagnostics.
fn check_in_nodes(checker: &mut Checker<'_>) {
    let (db, environment, item) = (checker.db, checker.environment, checker.item);
    let is_node = is_catalog_of_node(db, environment, item);
    check_compiled(checker, |definition| is_node || definition != item);
}

/// Reports the failures of the compiled definitions that are wanted.
fn check_compiled(checker: &mut Checker<'_>, is_wanted: impl Fn(Item<'_>) -> bool) {
    for problem in own_problems(checker).iter() {
        if let ProblemKind::Failure(error) = &problem.kind
            && is_wanted(problem.definition)
            && !error.starts_with(INVALID_TEMPLATE)
        {
            check_failure(checker, problem, error);
        }
    }
}

fn check_failure<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>, error: &str) {
    let (db, definition) = (checker.db, problem.definition);
    let place = problem.blamed_place();
    let Some((item, range)) = place.and_then(|it| located(db, it)) else {
        return;
    };
    // The required version may not fail.
    if is_of_other_version(db, checker.item.file(db), item.file(db)) {
        return;
    }
    let is_whole = is_catalog_of_node(db, checker.environment, definition);
    if !is_whole && is_declared_by_included_class(checker, problem) {
        return;
    }
    // Another rule reports it in the data.
    let unknown = error
        .strip_prefix(UNKNOWN_CLASS)
        .and_then(|it| it.strip_suffix('`'));
    if unknown.is_some_and(|it| is_whole && is_listed(db, checker.environment, it)) {
        return;
    }
    let call = problem.call.as_ref().and_then(|it| located(db, it));
    let caller = call.map_or(item, |it| it.0);
    let refused = (caller != definition && !is_whole)
        .then(|| refused_declaration(checker, problem, caller))
        .flatten();
    let instance = problem.failing_declaration().and_then(|it| located(db, it));
    let failing_instance = failing_instance(checker, problem);
    let refuses_constants = item.kind(db) == ItemKind::Function
        && call.is_some_and(|(caller, range)| {
            passes_constants(&item.syntax(db), &caller.syntax(db), range)
        });
    let blamed = BlamedCode {
        definition,
        item,
        range,
        error,
        is_refused: refused.is_some() || refuses_constants,
        is_instance: failing_instance.is_some(),
        users: call.iter().chain(&instance).map(|it| it.0).collect(),
    };
    let Some(failing) = blamed.find(checker) else {
        return;
    };
    let mut calls = call.into_iter().chain(failing_instance);
    if calls.any(|it| is_known_mistake(checker, definition, it)) {
        return;
    }
    let mut parameterized = parameterized_classes(checker, definition);
    let failing_name = canonical_name(caller.name(db));
    if refused.as_ref().is_some_and(|it| it.is_complete) {
        parameterized.retain(|it| *it != failing_name);
    }
    let has_parameters = !parameterized.is_empty();
    if refused.is_some() {
        parameterized.retain(|it| *it != failing_name);
    }
    if !is_whole && may_be_prevented(checker, problem, &parameterized) {
        return;
    }
    let failure = Failure {
        error,
        has_parameters,
        subject: subject(
            db,
            problem,
            // The data has the parameters of a role.
            !is_whole && !parameterized.is_empty() && !has_required_parameters(db, definition),
        ),
    };
    let own = match &refused {
        Some(it) => Some((it.item, it.range)),
        None => instance.filter(|_| definition != checker.item || failing_instance.is_some()),
    };
    let is_here = |it: &(Item<'_>, TextRange)| it.0 == checker.item;
    let own = own.filter(is_here).or_else(|| call.filter(is_here));
    match own {
        Some((_, range)) => failure.report(checker, range),
        None if item == checker.item => failure.report(checker, failing.range),
        None => failure.report(checker, blamed_reference(checker, problem)),
    }
    if own.is_some() || item != checker.item {
        checker.relate(item, failing.range, "fails here");
    }
    if let Some((item, range)) = instance
        && own.is_none_or(|it| Some(it) == call)
    {
        checker.relate(item, range, "in this declaration");
    }
    relate_definition(checker, definition);
}

/// Checks whether a class includes one that declares it, and does not fail then. Code declares that one first.
fn is_declared_by_included_class<'db>(
    checker: &Checker<'db>,
    failure: &CompiledProblem<'db>,
) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let name = canonical_name(failure.definition.name(db));
    let mut included = classes_of(checker, failure.definition).filter(|it| **it != name);
    included.any(|it| {
        let found = class_problems(db, environment, NameKey::new(db, it.clone()));
        let mut problems = found.problems.iter();
        found.classes.contains(&name) && !problems.any(|it| it.is_same(failure))
    })
}

/// Checks whether a class cannot have its default parameters only: it is compiled with unknown ones.
fn has_required_parameters(db: &dyn Database, definition: Item<'_>) -> bool {
    let mut parameters = signature(db, definition).parameters.iter();
    parameters.any(|it| it.is_required())
}

/// The failure of a class.
struct Failure<'a> {
    /// Puppet's message.
    error: &'a str,
    /// Whether the class, or another one that it includes, has parameters.
    has_parameters: bool,
    /// The name of what is compiled, and that it fails.
    subject: String,
}

const MAIN: &str = "the main manifest fails";

/// The start of an error that is reported in the template.
const INVALID_TEMPLATE: &str = "invalid EPP template";

/// The start of the error for a class that does not exist.
const UNKNOWN_CLASS: &str = "unknown class `";

/// Returns the name of what is compiled, and that it fails.
fn subject(db: &dyn Database, problem: &CompiledProblem<'_>, has_parameters: bool) -> String {
    let definition = problem.definition;
    let kind = definition.kind(db);
    if let Some(node) = problem
        .node
        .as_ref()
        .filter(|_| is_whole_catalog(db, definition))
    {
        return format!("node `{node}` fails");
    }
    let name = definition.name(db).trim_matches(['\'', '"']);
    match kind {
        ItemKind::Main => MAIN.to_owned(),
        ItemKind::Node => format!("node `{name}` fails"),
        _ if has_parameters => format!("class `{name}` fails with default parameters"),
        _ => format!("class `{name}` fails"),
    }
}

impl Failure<'_> {
    fn report(&self, checker: &mut Checker<'_>, range: TextRange) {
        // A node classifier may set parameters.
        let severity = match self.has_parameters {
            _ if checker.uses_other_version(range) => Severity::Hint,
            true => Severity::Warning,
            false => Severity::Error,
        };
        let error = self.error;
        let message = format!("{}: {error}", self.subject);
        checker.report_as(&FAILING_CLASS, severity, range, message);
    }
}

/// Checks whether the parameters with which the workspace declares some classes may prevent a failure.
fn may_be_prevented(
    checker: &Checker<'_>,
    failure: &CompiledProblem<'_>,
    classes: &[String],
) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let key = |name: &str| NameKey::new(db, name.to_owned());
    let is_declared = |it: &String| is_declared_as_resource(db, environment, it);
    if !classes.iter().any(is_declared) {
        return false;
    }
    let is_computed = |it: &String| has_computed_declaration(db, environment, key(it));
    let name = canonical_name(failure.definition.name(db));
    failure.definition.kind(db) != ItemKind::Class
        || classes.iter().any(is_computed)
        || !fails_as_declared(db, environment, key(&name), failure)
}

#[cfg(test)]
mod tests {
    use super::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_classes_that_fail_with_their_default_parameters() {
        for (code, expected) in [
            (
                "class m (Optional[Integer] $x = undef) { if $x > 5 { notice(1) } }",
                "`>`: class `m` fails with default parameters: operator `>` does not apply \
                 to `undef` and `5`",
            ),
            (
                "//- modules/m/manifests/init.pp\nclass m { include m::params notice($m::params::user) }\n\
                 //- modules/m/manifests/params.pp\n\
                 class m::params { if false { $user = 'a' } $port = 80 }",
                "`$m::params::user`: class `m` fails: unknown variable `$m::params::user`",
            ),
            (
                "class m { class { 'm::a': stage => 'pre' } stage { 'pre': } }\nclass m::a { }",
                "`'m::a'`: class `m` fails: unknown stage `Stage['pre']` of class `m::a`: it is \
                 declared later",
            ),
        ] {
            assert_eq!(reported(&FAILING_CLASS, code), [expected]);
        }
        // Other code may include the class with the stage before.
        let passes = "class m { class { 'm::a': stage => 'pre' } include m::s }\nclass m::a { }\n\
                      class m::s { stage { 'pre': } }";
        assert_eq!(reported(&FAILING_CLASS, passes), [""; 0]);
    }

    #[test]
    fn ignores_classes_of_modules_in_other_versions() {
        let code = "//- modules/m/manifests/init.pp\nclass m { class { 'other::a': } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { include m }\n\
                    //- modules/other/manifests/init.pp\nclass other { }\n";
        assert_eq!(reported(&FAILING_CLASS, code).len(), 1);
        let code = format!("{code}//- Puppetfile\nmod 'other'\n");
        assert_eq!(reported(&FAILING_CLASS, &code), [""; 0]);
    }

    #[test]
    fn ignores_classes_that_an_included_class_declares() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::a include m::b }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { include m $x = 1 }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { notice($m::a::x) }\n";
        assert_eq!(reported(&FAILING_CLASS, code), [""; 0]);
        let code = code.replace("include m $x", "include m::b $x");
        assert_eq!(
            reported(&FAILING_CLASS, &code),
            ["`m::b`: class `m::a` fails: unknown variable `$m::a::x`"]
        );
    }

    #[test]
    fn ignores_required_parameters_in_absent_data() {
        let code = "//- manifests/site.pp\ninclude m\n\
                    //- modules/m/manifests/init.pp\nclass m (String $key) { }\n\
                    //- modules/environment/hiera.yaml\nversion: 5\nhierarchy:\n\
                    - {name: Private, path: private.yaml}\n";
        assert_eq!(reported(&FAILING_CLASS, code), [""; 0]);
    }

    #[test]
    fn reports_failures_of_classes_with_required_parameters() {
        let found = |body: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m (String $req) {{ {body} }}\n\
                 //- modules/m/functions/f.pp\n\
                 function m::f($text) {{ if $text == 'bad' {{ fail('no') }} $text }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        assert_eq!(
            found("notice(m::f('bad'))"),
            ["`m::f('bad')`: class `m` fails: no"]
        );
        for body in [
            "notice(m::f($req))",
            "if $req == 'a' { notice(m::f('bad')) }",
            "if $req == 'a' { fail('no') }",
            "fail('no')",
        ] {
            assert_eq!(found(body), [""; 0], "{body}");
        }
    }

    #[test]
    fn reports_defined_types_without_end() {
        let check = |body: &str| reported(&FAILING_CLASS, &format!("define m::d {{ {body} }}"));
        assert_eq!(
            check("m::d { \"${title}x\": }"),
            ["`m::d`: infinite recursion: `m::d` declares instances of itself"]
        );
        for ends in [
            "if $x { m::d { \"${title}x\": } }",
            "$x.each |$it| { m::d { $it: } }",
            "if $x { return() } m::d { \"${title}x\": }",
            "@m::d { \"${title}x\": }",
            "unless defined(M::D['a']) { m::d { 'a': } }",
            "m::e { \"${title}x\": }",
        ] {
            assert_eq!(check(ends), [""; 0], "{ends}");
        }
        let node = "//- manifests/site.pp\nnode 'web1' { m::d { 'a': } }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { m::d { \"${title}x\": } }\n";
        assert_eq!(reported(&FAILING_CLASS, node).len(), 1);
    }

    #[test]
    fn reports_definitions_of_nodes_that_fail() {
        let code = "//- manifests/site.pp\nnode 'web1' { include m }\n\
                    //- modules/m/manifests/init.pp\nclass m { include m::a $x = $m::a::x + 1 }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { $x = lookup('x') }\n\
                    //- modules/environment/hiera.yaml\nversion: 5\n\
                    hierarchy: [{name: n, path: '%{trusted.certname}.yaml'}, {name: c, path: common.yaml}]\n\
                    //- modules/environment/data/common.yaml\nx: 1\n//- modules/environment/data/web1.yaml\nx: a\n";
        let found = reported(&FAILING_CLASS, code);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn reports_defined_types_that_declare_each_other() {
        let check = |body: &str| {
            let code = format!(
                "//- modules/m/manifests/d.pp\ndefine m::d {{ m::e {{ \"${{title}}x\": }} }}\n\
                 //- modules/m/manifests/e.pp\ndefine m::e {{ {body} }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let expected = [
            "`m::e`: infinite recursion: `m::d` declares instances of itself through `m::e`",
            "`m::d`: infinite recursion: `m::e` declares instances of itself through `m::d`",
        ];
        assert_eq!(check("m::d { $title: }"), expected);
        assert_eq!(check("if $x { m::d { $title: } }"), [""; 0]);
        assert_eq!(check("m::f { $title: }"), [""; 0]);
    }

    #[test]
    fn reports_failures_of_nodes_once_at_the_wrong_code() {
        let code = |class: &str| {
            format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }} node 'web2' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ {class} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d ($port) {{\n\
                 if $port < 1024 {{ fail('a privileged port') }} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nport: 80\n"
            )
        };
        let found = |class: &str| reported(&FAILING_CLASS, &code(class));
        assert_eq!(
            found("if lookup('port') < 1024 { fail('no') }"),
            ["`fail('no')`: node `web1` fails: no"]
        );
        assert_eq!(
            found("create_resources('m::d', { 'a' => { 'port' => lookup('port') } })").len(),
            1
        );
        let found = found("[lookup('port')].each |$p| { m::d { \"${p}\": port => $p } }");
        assert_eq!(
            found,
            ["`\"${p}\": port => $p`: node `web1` fails: a privileged port"]
        );
    }

    #[test]
    fn reports_missing_parameters_of_computed_classes_on_a_node() {
        let check = |data: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ ['m::a'].each |$it| {{ contain $it }} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a (String $x) {{ notice($x) }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\n{data}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let message =
            "`contain $it`: node `web1` fails: missing required parameter `x` of `Class['m::a']`";
        assert_eq!(check("x: 1"), [message]);
        assert_eq!(check("m::a::x: a"), [""; 0]);
    }

    #[test]
    fn reports_values_that_a_class_refuses_on_a_node() {
        let check = |class: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ class {{ 'm': port => 80 }} }}\n\
                 //- modules/m/manifests/init.pp\nclass m (Integer $port) {{ {class} }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let found = check("if $port < 1024 { fail('a privileged port') }");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].ends_with("node `web1` fails: a privileged port"),
            "{found:?}"
        );
        for class in [
            "fail('no')",
            "if $port > 1024 { fail('no') }",
            "if $facts['os']['family'] == 'RedHat' { fail('no') }",
        ] {
            assert_eq!(check(class), [""; 0], "{class}");
        }
    }

    #[test]
    fn reports_values_that_a_class_validates() {
        let check = |validation: &str, port: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ class {{ 'm::a': port => {port} }} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a ($port) {{ {validation} }}\n\
                 //- modules/stdlib/lib/puppet/functions/validate_legacy.rb\n\
                 Puppet::Functions.create_function(:validate_legacy) do\nend\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let legacy = "validate_legacy(Integer, 'validate_integer', $port)";
        let assertion = "assert_type(Integer, $port)";
        for validation in [legacy, assertion] {
            let found = check(validation, "'http'");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(
                found[0].starts_with("`'m::a'`: class `m` fails: "),
                "{found:?}"
            );
            assert_eq!(check(validation, "80"), [""; 0]);
        }
        assert_eq!(check(legacy, "'80'"), [""; 0]);
    }

    #[test]
    fn reports_main_manifests_that_fail() {
        let modules = "//- modules/m/manifests/init.pp\nclass m { notice($m::a::x) }\n\
                       //- modules/m/manifests/a.pp\nclass m::a { $x = 1 }\n";
        let code = |main: &str| format!("//- manifests/site.pp\n{main}\n{modules}");
        let expected =
            "`$m::a::x`: the main manifest fails: unknown variable `$m::a::x`".to_owned();
        let found = |main: &str| reported(&FAILING_CLASS, &code(main));
        assert_eq!(found("notice($m::a::x)"), std::slice::from_ref(&expected));
        assert_eq!(found("include m"), std::slice::from_ref(&expected));
        assert_eq!(
            found("notice($m::a::x)\nnode 'a' { }\nnode 'b' { }"),
            [expected]
        );
        for main in [
            "include m::a include m",
            "node 'a' { include m::a }",
            "notice(1)",
            "lookup('classes').include include m",
        ] {
            assert_eq!(found(main), [""; 0], "{main}");
        }
    }

    #[test]
    fn reports_arguments_that_a_definition_refuses() {
        let check = |params: &str, code: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m ({params}) {{ {code} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d ($server = undef, $port = 80) {{\n\
                 if $port < 10 {{ fail('port') }} unless $server {{ fail('no server') }} }}\n\
                 //- modules/n/manifests/init.pp\nclass n ($ensure = 'present', $key = undef) {{\n\
                 unless $ensure in ['present', 'absent'] {{ fail('no such ensure') }}\n\
                 if !$key and $ensure == 'absent' {{ fail('no key') }} }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        for (params, code, expected) in [
            ("", "m::d { 'a': }", "`'a'`: class `m` fails: no server"),
            (
                "$x = undef",
                "m::d { 'a': server => $x, port => 1 }",
                "`'a'`: class `m` fails with default parameters: port",
            ),
            (
                "",
                "M::D { port => 1 } m::d { 'a': server => 'b' }",
                "`'a'`: class `m` fails: port",
            ),
            (
                "",
                "class { 'n': ensure => 'x' }",
                "`'n'`: class `m` fails: no such ensure",
            ),
        ] {
            assert_eq!(check(params, code), [expected], "{code}");
        }
        for (params, code) in [
            ("$x = undef", "m::d { 'a': server => $x }"),
            ("$x", "m::d { 'a': server => $x }"),
            ("", "m::d { 'a': server => $facts['x'] }"),
            ("", "if $facts['x'] { m::d { 'a': } }"),
            ("", "class { 'n': ensure => 'present' }"),
            ("", "class { 'n': ensure => 'absent' }"),
            ("", "m::d { 'a': server => 'b' }"),
            ("", "@m::d { 'a': }"),
            (
                "",
                "m::d { 'a': } }\n//- modules/m/manifests/b.pp\nclass m::b { M::D { server => 'b' } include m",
            ),
        ] {
            assert_eq!(check(params, code), [""; 0], "{params} {code}");
        }
    }

    #[test]
    fn ignores_facts_and_extensions_that_a_sample_node_lacks() {
        for condition in [
            "$trusted['extensions']['role'] =~ /a/",
            "empty($trusted['external']['a']['b'])",
            "$facts['role']['name'] == 'a'",
        ] {
            let code = format!(
                "//- manifests/site.pp\nif {condition} {{ notice(1) }}\nnode 'web1' {{ notice(2) }}\n"
            );
            assert_eq!(reported(&FAILING_CLASS, &code), [""; 0], "{condition}");
        }
    }

    #[test]
    fn ignores_classes_that_are_given_parameters_or_are_meant_to_fail() {
        for code in [
            "class m (Optional[Integer] $x = undef) { fail('no') }",
            "class m (Integer $x = 1) { $x = 2 [$a, $b] = [1] }",
            "class m (Integer $x) { notice($x + 1) }",
            "class m ($x = undef) { if $x > 5 { notice(1) } }\nclass { 'm': x => 6 }",
            "class m { $x = lookup('m::y') notice($x + 1) }",
            "//- modules/m/manifests/init.pp\nclass m inherits m::base { notice($m::base::x + 1) }\n\
             class { 'm::base': x => 6 }\n\
             //- modules/m/manifests/base.pp\nclass m::base ($x = undef) { }",
            "class m { notice($m::other::x + 1) }\n\
             //- modules/m/manifests/other.pp\nclass m::other { $x = 1 }",
            "class m { notice(File['/a']['mode'] + 1) }",
            "class m { if $facts['a'] { $x = 1 } notice($x + 1) }",
            "class m ($x = undef) { notice($x + 1) }\nclass { 'm': * => $facts['a'] }",
            "class m ($x = undef) { notice($x + 1) }\nclass { \"m${facts['a']}\": y => 1 }",
            "class m ($x = undef, $y = undef) { if $y { notice($x + 1) } }\nclass { 'm': y => 6 }",
        ] {
            assert_eq!(reported(&FAILING_CLASS, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn levels_without_files_hide_data_only_if_these_may_be_elsewhere() {
        let found = |path: &str, other: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ user {{ 'a': * => lookup('d') }} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 hierarchy: [{{name: f, path: '{path}'}}, {{name: c, path: common.yaml}}]\n\
                 //- modules/environment/data/common.yaml\nd: {{uidd: 1}}\n\
                 //- modules/environment/data/os/Debian.yaml\n{other}: 1\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        assert_eq!(found("family/%{facts.os.family}.yaml", "e").len(), 1);
        assert_eq!(found("os/%{facts.os.name}.yaml", "e").len(), 1);
        assert_eq!(found("os/%{facts.os.name}.yaml", "d"), [""; 0]);
        assert_eq!(found("secrets/%{facts.datacenter}.yaml", "e"), [""; 0]);
    }

    #[test]
    fn reports_failures_that_no_declaration_prevents() {
        let code = "class m ($x = undef, $y = undef) { notice($x + 1) }\nclass { 'm': y => 6 }";
        assert_eq!(reported(&FAILING_CLASS, code).len(), 1);
        let code = "class m ($r, $x = undef) { notice($x + 1) }\nclass { 'm': r => 6 }";
        assert_eq!(reported(&FAILING_CLASS, code), [""; 0]);
    }

    #[test]
    fn reports_data_and_definitions_that_cannot_be_declared() {
        let code = |call: &str, data: &str| {
            format!(
                "//- manifests/site.pp\nnode 'web1' {{ {call} }}\n\
                 //- modules/stdlib/lib/puppet/parser/functions/ensure_resources.rb\n\
                 module Puppet::Parser::Functions\nnewfunction(:ensure_resources) do |args|\nend\nend\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nd: {data}\n"
            )
        };
        let found = |call: &str, data: &str| reported(&FAILING_CLASS, &code(call, data));
        for function in ["create_resources", "ensure_resources"] {
            let call = format!("{function}('user', lookup('d'), {{ gid => 2 }})");
            assert_eq!(found(&call, "{a: {uidd: 1}}").len(), 1, "{function}");
            assert_eq!(found(&call, "{a: {uid: 1}}"), [""; 0], "{function}");
        }
        assert_eq!(
            found("create_resources('user', lookup('d'))", "[a]").len(),
            1
        );
        assert_eq!(
            found("user { 'a': * => lookup('d') }", "{uidd: 1}").len(),
            1
        );
        assert_eq!(
            found(
                "create_resources('user', lookup('d'))",
                "{a: {uid: 1, uidd: ~}}"
            ),
            [""; 0]
        );
        assert_eq!(
            found(
                "user { 'a': * => lookup('d') }",
                "{uid: 1, require: 'User[b]'} "
            ),
            [""; 0]
        );
    }

    #[test]
    fn branches_that_fail_leave_other_assignments() {
        let code = "class m { if $facts['kernel'] == 'Linux' { $y = 1 fail(\"no ${y}\") } $y = 2 notify { \"${y}\": } }";
        assert_eq!(reported(&FAILING_CLASS, code), [""; 0]);
    }

    #[test]
    fn reports_constants_that_a_function_refuses() {
        let found = |call: &str, read: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ notify {{ 'a': message => {call} }} }}\n\
                 //- modules/m/functions/f.pp\nfunction m::f($x) {{ case $x {{ \
                 'a': {{ 1 }} default: {{ fail(\"no ${{{read}}}\") }} }} }}"
            );
            reported(&FAILING_CLASS, &code).len()
        };
        assert_eq!((found("m::f('b')", "x"), found("'b'.m::f", "x")), (1, 1));
        assert_eq!(
            (found("m::f('a')", "x"), found("m::f($facts['b'])", "x")),
            (0, 0)
        );
        assert_eq!(found("m::f('b')", "facts['kernel']"), 0);
    }
}
