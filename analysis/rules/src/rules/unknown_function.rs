use base::suggest::{hint, in_other_namespace, is_slip, similar};
use hir::ItemKind;
use hir::autoload::RubyKind;
use hir::body::{Reference, ReferenceName};
use hir::resolve::{ResolveError, function};
use library::KnownFunction;
use library::products;
use syntax::ast::{AstNode, Expr, MethodCall};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::precise::intersection;
use types::values::Value;
use types::{ObjectType, Type};

use super::removed_function::removal;
use crate::assets::{AssetChecker, AssetKind};
use crate::checker::{Checker, Resolution};
use crate::erb_templates;
use crate::fixes::node_at;
use crate::inline_templates::{self, TemplateName};
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports calls to functions that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves functions that are built into Puppet and functions of modules, written in the Puppet language or in
    /// Ruby (with the current or the legacy API). A Ruby file must define the function that it is named after. Also
    /// checks the text of templates that `inline_epp` and `inline_template` evaluate, if it is constant. The function
    /// of a `Deferred` is only called on the agent, so there an unknown one is a warning.
    ///
    /// `pupil check` also reports calls in ERB templates of the workspace:
    ///
    /// * `scope.call_function('name', …)` and `scope.function_name([…])` of unknown functions
    /// * `scope.function_name(…)` without an array, or of a function that lacks the API of Puppet 3
    /// * methods that neither `scope` nor the template has: `lookup('x')`
    /// * methods that the value of a variable lacks, according to its type in the class that renders the template:
    ///   `@port.upcase`, and misspelled ones of other values: `@name.capitalise`, `[@a, @b].flaten`
    /// * misspelled constants of Ruby: `@list.is_a?(Arry)`
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the call is evaluated: *Unknown function*. If the call is in a
    /// branch, it may only affect some hosts.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notcie('hello') # <-
    ///   $ports = example::prots(80) # <-
    ///   $names = [1, 2].mapp |$it| { "n${it}" } # <-
    ///   notice($ports, $names)
    /// }
    /// # file: functions/ports.pp
    /// function example::ports(Integer $first) {
    ///   [$first, $first + 1]
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice('hello')
    ///   $ports = example::ports(80)
    ///   $names = [1, 2].map |$it| { "n${it}" }
    ///   notice($ports, $names)
    /// }
    /// # file: functions/ports.pp
    /// function example::ports(Integer $first) {
    ///   [$first, $first + 1]
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions without `::` that are not similar to a known one, if a dependency in the `metadata.json` of the
    ///   module is not installed: it may define the function.
    /// * Functions of modules that are declared, but not installed. `missing-module` reports these once per file.
    /// * Functions of PuppetDB and Puppet Enterprise, such as `puppetdb_query` and `pe_…`.
    /// * Functions of Bolt, in plans, functions and templates. In a plan, a name is only reported if it is one edit away from a
    ///   function of Bolt or Puppet, or similar to a function of Bolt in the same namespace.
    /// * Methods of values that may be objects: `$server.host` may read an attribute.
    /// * Functions whose Ruby file exists, but cannot be parsed.
    /// * Functions that were removed from Puppet, which `removed-function` reports.
    ///
    /// ## Fix
    ///
    /// Suggested: adds or removes the namespace if only one function has the name then; otherwise replaces the name
    /// with the most similar one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-function]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-function = "off"
    /// ```
    pub(crate) static UNKNOWN_FUNCTION = {
        code: "unknown-function",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check_inline_template),
            Check::Asset(AssetKind::Template, check_erb_template),
        ],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (ReferenceName::Function(name), Some(missing)) =
        (&reference.name, unresolved(reference, resolution))
    else {
        return;
    };
    if checker.is_task_code() {
        return check_in_plan(checker, reference, name, missing);
    }
    if checker.may_be_of_product(&reference.name) || removal(checker, name, missing).is_some() {
        return;
    }
    if check_fact_with_dots(checker, reference, name) {
        return;
    }
    let near = |name: &str| {
        let shipped = library::functions(checker.version()).map(|it| it.name.as_str());
        let modern = checker.ruby_definitions(RubyKind::Function4x);
        let legacy = checker.ruby_definitions(RubyKind::Function3x);
        let all = shipped.chain(modern).chain(legacy);
        let all: Vec<&str> = all.chain(checker.definitions(ItemKind::Function)).collect();
        in_other_namespace(name, all.iter().copied()).or_else(|| similar(name, all))
    };
    let Some(unknown) = checker.unknown(reference, name, missing, near) else {
        return;
    };
    if may_be_member(checker, reference, name) {
        return;
    }
    // A function of a well-known module, which is neither installed nor declared.
    let severity = match KnownFunction::from_name(name) {
        Some(_) => Severity::Warning,
        None => unknown.severity,
    };
    if products::is_limited_to_plans(name) {
        let severity = match checker.item.kind(checker.db) {
            ItemKind::Class | ItemKind::DefinedType | ItemKind::Node => Severity::Error,
            _ => severity,
        };
        let message = format!("unknown function `{name}`: it is only available in plans");
        return checker.report_as(&UNKNOWN_FUNCTION, severity, reference.range, message);
    }
    let message = format!("unknown function `{name}`{}", unknown.hint());
    checker.report_as(&UNKNOWN_FUNCTION, severity, reference.range, message);
    checker.replace_unknown(reference.range, name, &unknown);
}

/// Checks the functions that an ERB template calls.
fn check_erb_template(checker: &mut AssetChecker<'_>) {
    erb_templates::check_file(checker, &UNKNOWN_FUNCTION, erb_templates::unknown_functions);
}

/// Checks the functions that a constant template of `inline_epp` or `inline_template` calls.
fn check_inline_template(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let unknown = erb_templates::unknown_functions;
    erb_templates::check_call(checker, node, &UNKNOWN_FUNCTION, unknown);
    let Some(called) = inline_templates::functions(checker, node) else {
        return;
    };
    let limit = called.limit;
    for TemplateName { name, range } in called.names {
        let found = function(checker.db, Some(checker.environment), &name);
        let reference = inline_templates::reference(range, ReferenceName::Function(name));
        checker.check_at_most(limit, |it| check(it, &reference, &found));
    }
}

/// Reports a name in a plan that is one edit away from a function of Bolt or of Puppet: Bolt and its
/// modules have others.
fn check_in_plan(
    checker: &mut Checker<'_>,
    reference: &Reference,
    name: &str,
    missing: &ResolveError,
) {
    let is_certain = matches!(
        missing,
        ResolveError::NotDefined | ResolveError::MaybeExternal | ResolveError::UndeclaredModule(_)
    );
    if !is_certain || products::function_of_bolt(name).is_some() {
        return;
    }
    let of_bolt = || products::functions_of_bolt().map(|it| it.name.as_str());
    let shipped = library::functions(checker.version()).map(|it| it.name.as_str());
    let mut known = of_bolt().chain(shipped);
    let near = known.find(|it| it.len() >= MIN_IN_PLAN && is_slip(name, it));
    let near = near.or_else(|| similar_in_namespace(name, of_bolt()));
    let Some(near) = near.filter(|_| !may_be_member(checker, reference, name)) else {
        return;
    };
    let message = format!("unknown function `{name}`{}", hint(Some(near)));
    checker.report_as(
        &UNKNOWN_FUNCTION,
        Severity::Warning,
        reference.range,
        message,
    );
    checker.fix_name(reference.range, name, near);
}

/// Returns the function in the namespace of a name that is similar to it: `log::info` for `log::inform`.
fn similar_in_namespace<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let (namespace, _) = name.rsplit_once("::")?;
    let is_neighbor = |it: &&str| it.rsplit_once("::").is_some_and(|it| it.0 == namespace);
    similar(name, candidates.filter(is_neighbor))
}

/// Returns the call to a method, given the reference to it.
fn method_call(checker: &Checker<'_>, reference: &Reference) -> Option<MethodCall> {
    let name = node_at(&checker.root(), reference.range)?;
    let mut calls = name.ancestors().filter_map(MethodCall::cast);
    calls.find(|it| {
        let name = it.name_token();
        name.is_some_and(|it| it.text_range() == reference.range)
    })
}

/// Reports a fact that is read like in Hiera: `$facts.os.family`.
fn check_fact_with_dots(checker: &mut Checker<'_>, reference: &Reference, name: &str) -> bool {
    let Some((range, meant)) = fact_with_dots(checker, reference, name) else {
        return false;
    };
    let message = format!("unknown function `{name}`{}", hint(Some(&meant)));
    checker.report(&UNKNOWN_FUNCTION, reference.range, message);
    let label = format!("Replace with `{meant}`");
    checker.fix(Some(Fix::suggested(label, range, meant)));
    true
}

/// Returns the range of a fact with dots, and the expression that is meant.
fn fact_with_dots(
    checker: &Checker<'_>,
    reference: &Reference,
    name: &str,
) -> Option<(TextRange, String)> {
    let is_plain = |it: &MethodCall| it.arguments().is_empty() && it.lambda().is_none();
    let mut call = method_call(checker, reference).filter(is_plain)?;
    let Some(Expr::VariableExpr(facts)) = call.receiver() else {
        return None;
    };
    let is_fact = facts
        .name()
        .is_some_and(|it| it.trim_start_matches("::") == "facts");
    if !is_fact || library::fact(name).is_none() {
        return None;
    }
    let mut meant = format!("{}['{name}']", facts.syntax().text());
    while let Some(outer) = call.syntax().parent().and_then(MethodCall::cast)
        && is_plain(&outer)
        && let Some(key) = outer.name_token()
        && function(checker.db, Some(checker.environment), key.text()).is_err()
    {
        meant.push_str(&format!("['{}']", key.text()));
        call = outer;
    }
    Some((call.syntax().text_range(), meant))
}

/// Checks whether a name may be an attribute or a method of the value before it, which objects have.
/// An unknown value may be an object, but its attributes take neither arguments nor lambdas. In a function, it may be the
/// context of a lookup.
fn may_be_member(checker: &Checker<'_>, reference: &Reference, name: &str) -> bool {
    let call = method_call(checker, reference);
    let Some((call, receiver)) = call.and_then(|it| Some((it.clone(), it.receiver()?))) else {
        return false;
    };
    let Some(receiver) = checker.type_of(&receiver) else {
        return true;
    };
    let is_plain = call.arguments().is_empty() && call.lambda().is_none();
    let is_of_context = || {
        checker.item.kind(checker.db) == ItemKind::Function
            && LOOKUP_CONTEXT_METHODS.contains(&name)
    };
    match (&receiver.value, &receiver.type_) {
        (Some(Value::Object(it)), _) => it.object_type().member(name).is_some(),
        // From `type_calculator.rb`, `infer_callable_methods_t`: types have no members.
        (_, Type::Type(_)) => false,
        (_, type_) => {
            let objects = Type::variant([ObjectType::any(), Type::Uri(None)]);
            includes_objects(type_)
                || (is_plain || is_of_context()) && intersection(type_, &objects).is_some()
        }
    }
}

/// The methods of the object that Hiera passes to a function that provides data. From `lookup/context.rb`.
const LOOKUP_CONTEXT_METHODS: [&str; 11] = [
    "cache",
    "cache_all",
    "cache_has_key",
    "cached_entries",
    "cached_file_data",
    "cached_value",
    "environment_name",
    "explain",
    "interpolate",
    "module_name",
    "not_found",
];

/// Checks whether a type names objects.
fn includes_objects(type_: &Type) -> bool {
    match type_ {
        Type::Object(_) | Type::ObjectExtension(_) | Type::Uri(_) => true,
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => includes_objects(it),
        Type::Variant(all) => all.iter().any(includes_objects),
        Type::Alias(it) => includes_objects(&it.resolved()),
        _ => false,
    }
}

/// The minimum length of a function that a name in a plan may be a misspelling of.
const MIN_IN_PLAN: usize = 5;

#[cfg(test)]
mod tests {
    use super::UNKNOWN_FUNCTION;
    use std::sync::Arc;

    use base::{FileId, ModulepathKind};
    use fixture::Sources;
    use syntax::Severity;

    use crate::findings::file_findings;
    use crate::testing::{fixes, reported, severities};

    /// Returns the diagnostics of a class with typed parameters that renders an ERB template.
    fn in_template(template: &str) -> Vec<String> {
        let parameters =
            "Integer $port, Optional[Array[String]] $list, String $text, $any, Hash $hash";
        let code = format!("class m ({parameters}) {{ notice(inline_template('{template}')) }}");
        reported(&UNKNOWN_FUNCTION, &code)
    }

    #[test]
    fn functions_of_deferred_values_are_warnings() {
        let severities = |code: &str| {
            let (db, file) = fixture::database(code);
            let found = file_findings(&db, file).into_iter();
            let found = found.filter(|it| it.1.code == UNKNOWN_FUNCTION.code);
            found
                .map(|it| (it.1.message.clone(), it.1.severity))
                .collect::<Vec<_>>()
        };
        let message = "unknown function `upcas`; did you mean `upcase`?".to_owned();
        for deferred in ["Deferred(", "Deferred.new(", "new(Deferred, "] {
            let code = format!("$a = {deferred}'upcas', ['x'])\nnotice($a)");
            let expected = [(message.clone(), Severity::Warning)];
            assert_eq!(severities(&code), expected, "{code}");
        }
        for code in [
            "$a = Deferred('upcase', ['x'])\nnotice($a)",
            // It reads a variable.
            "$a = Deferred('$facts', 'os')\nnotice($a)",
            "$a = Sensitive('upcas')\nnotice($a)",
        ] {
            assert_eq!(severities(code), [], "{code}");
        }
    }

    #[test]
    fn reports_methods_that_values_in_templates_lack() {
        for (template, expected) in [
            (
                "<%= @port.upcase %>",
                "`upcase`: unknown method `upcase` of `@port`, which is `Integer`",
            ),
            (
                "<% @list.eahc do |it| %><%= it %><% end %>",
                "`eahc`: unknown method `eahc` of `@list`, which is `Optional[Array[String]]`; did you mean `each`?",
            ),
            (
                "<% @text.each do |it| %><%= it %><% end %>",
                "`each`: unknown method `each` of `@text`, which is `String`",
            ),
        ] {
            assert_eq!(in_template(template), [expected], "{template}");
        }
    }

    #[test]
    fn reports_misspelled_methods_of_values_of_unknown_types() {
        assert_eq!(
            in_template("<%= @any.capitalise %>"),
            ["`capitalise`: unknown method `capitalise` of `@any`; did you mean `capitalize`?"]
        );
    }

    #[test]
    fn reports_misspelled_methods_and_constants_in_templates() {
        for (template, expected) in [
            (
                "<%= Array(@any).eachs { |a| a } %>",
                "`eachs`: unknown method `eachs`; did you mean `each`?",
            ),
            (
                "<%= @any.upcse %>",
                "`upcse`: unknown method `upcse` of `@any`; did you mean `upcase`?",
            ),
            (
                "<%= [@any].flaten.join %>",
                "`flaten`: unknown method `flaten`; did you mean `flatten`?",
            ),
            (
                "<% @list.each do |it| %><%= it.captialize %><% end %>",
                "`captialize`: unknown method `captialize`; did you mean `capitalize`?",
            ),
            (
                "<%= @any.keys.srt.join %>",
                "`srt`: unknown method `srt`; did you mean `sort`?",
            ),
            (
                "<% scope.lookupvar(\"m::any\").eech do |it| %><%= it %><% end %>",
                "`eech`: unknown method `eech`; did you mean `each`?",
            ),
            (
                "<%= @any.toUpperCase %>",
                "`toUpperCase`: unknown method `toUpperCase` of `@any`; did you mean `upcase`?",
            ),
            (
                "<%= @text.uppercase %>",
                "`uppercase`: unknown method `uppercase` of `@text`, which is `String`; did you mean `upcase`?",
            ),
            (
                "<% if @any.is_a?(Arry) %><% end %>",
                "`Arry`: unknown constant `Arry`; did you mean `Array`?",
            ),
            (
                "<%= Json.generate(@hash) %>",
                "`Json`: unknown constant `Json`; did you mean `JSON`?",
            ),
            (
                "<% def name(a); a; end %><%= nmae(@any) %>",
                "`nmae`: unknown method `nmae`",
            ),
        ] {
            assert_eq!(in_template(template), [expected], "{template}");
        }
    }

    #[test]
    fn reports_functions_whose_ruby_file_defines_another_one() {
        let code = |path: &str, defined: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m {{ $x = m::quote('a') }}\n\
                 //- modules/m/lib/puppet/functions/m/{path}.rb\n\
                 Puppet::Functions.create_function({defined}) do\n  def quote(a)\n  end\nend\n"
            )
        };
        let is_reported = |defined: &str| {
            let found = reported(&UNKNOWN_FUNCTION, &code("quote", defined));
            found.iter().any(|it| it.contains("function `m::quote`"))
        };
        assert!(is_reported(":'m::quoted'"));
        assert!(!is_reported(":'m::quote'"));
        assert!(!is_reported("name"));
    }

    #[test]
    fn ignores_methods_that_values_in_templates_may_have() {
        for template in [
            "<%= @any.capitalize %><%= @any.strftime('%F') %><%= @any.humanise %><%= @any.unwrap %>",
            "<% @any.respond_to?(:capitalise) %><%= @any.capitalise %>",
            "<%= @port.to_s.upcase %><%= @text.upcase %><%= @hash.each_pair { } %>",
            "<%= @list.join %><%= @any.upcase %><%= @port.humanize %><%= @port&.upcase %>",
            "<% if @port.is_a?(String) %><%= @port.upcase %><% end %>",
            "<%= @port.upcase rescue 1 %><% @text = [1]; @text.each { } %>",
            "<%= Time.now.strftme(1) %><%= Mysql.new %><%= Data.new %><%= [@any].flatn %>",
            "<% def name(a); a; end %><%= name(@any) %><%= @any.is_a?(Net::HTTPP) %>",
        ] {
            assert_eq!(in_template(template), [""; 0], "{template}");
        }
    }

    #[test]
    fn the_context_of_a_lookup_has_methods() {
        let code = "//- modules/m/functions/f.pp\n\
                    function m::f(String $key, Hash $options, Puppet::LookupContext $context) { \
                    if $context.cache_has_key($key) { return $context.cached_value($key) } $context.not_found() }";
        assert_eq!(reported(&UNKNOWN_FUNCTION, code), [""; 0]);
    }

    #[test]
    fn untyped_parameters_of_functions_may_be_the_context_of_a_lookup() {
        let calls = |parameter: &str| {
            format!(
                "function m::f({parameter}) {{ $x.explain || {{ 'a' }} $x.cache('a', 1) $x.not_found() $x.cachee('a') }}"
            )
        };
        let file = |code: &str| format!("//- modules/m/functions/f.pp\n{code}\n");
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, &file(&calls("$x"))),
            ["`cachee`: unknown function `cachee`"]
        );
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, &file(&calls("String $x"))).len(),
            4
        );
        let class = "class m ($x) { $x.explain || { 'a' } }";
        assert_eq!(reported(&UNKNOWN_FUNCTION, class).len(), 1);
    }

    #[test]
    fn reports_names_that_are_not_defined() {
        let code = "class m { notcie('a') $x = m::f(1) }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            [
                "`notcie`: unknown function `notcie`; did you mean `notice`?",
                "`m::f`: unknown function `m::f`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_FUNCTION, code), ["Replace with `notice`"]);
    }

    #[test]
    fn modules_that_are_not_declared_may_define_functions() {
        for (code, expected) in [
            ("ip_network('10.0.0.0/8')", Severity::Error),
            (
                "include other::x ip_network('10.0.0.0/8')",
                Severity::Warning,
            ),
        ] {
            let files = format!(
                "//- modules/m/metadata.json\n{{\"dependencies\": []}}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ {code} }}\n"
            );
            let sources = Sources::parse(&files);
            let mut layout = sources.layout();
            layout.environments[0].modulepath = ModulepathKind::OfDependencies;
            let mut db = sources.database();
            db.set_workspace(Arc::new(layout));
            let file = db.file(FileId(1)).expect("the file is set");
            let found = file_findings(&db, file);
            let mut found = found.iter().map(|it| &it.1);
            let found = found.find(|it| it.code == UNKNOWN_FUNCTION.code);
            assert_eq!(found.map(|it| it.severity), Some(expected), "{code}");
        }
    }

    #[test]
    fn hints_at_functions_that_another_version_may_define() {
        let code = "//- modules/m/manifests/init.pp\nclass m { notice(nosuch(1)) }\n\
                    //- modules/other/functions/f.pp\nfunction other::f() { }\n";
        assert_eq!(severities(&UNKNOWN_FUNCTION, code), [Severity::Error]);
        let code = format!("{code}//- Puppetfile\nmod 'other'\n");
        assert_eq!(severities(&UNKNOWN_FUNCTION, &code), [Severity::Hint]);
    }

    #[test]
    fn reports_facts_with_dots() {
        for (code, function, meant) in [
            ("$facts.os.family", "os", "$facts['os']['family']"),
            ("$facts.kernel.downcase", "kernel", "$facts['kernel']"),
        ] {
            // Another module may define any other function.
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ notice({code}) }}\n//- Puppetfile\nmod 'other'"
            );
            assert_eq!(
                reported(&UNKNOWN_FUNCTION, &code),
                [format!(
                    "`{function}`: unknown function `{function}`; did you mean `{meant}`?"
                )]
            );
            assert_eq!(
                fixes(&UNKNOWN_FUNCTION, &code),
                [format!("Replace with `{meant}`")]
            );
        }
    }

    #[test]
    fn suggests_the_name_in_another_namespace() {
        let code = "//- modules/m/manifests/init.pp\nclass m { $x = m::notice(1) $y = port(1) }\n\
                    //- modules/m/functions/port.pp\nfunction m::port($x) { $x }\n";
        assert_eq!(
            fixes(&UNKNOWN_FUNCTION, code),
            ["Replace with `notice`", "Replace with `m::port`"]
        );
    }

    #[test]
    fn reports_names_that_are_called_by_a_string() {
        let code = "class m { call('notcie', 'a') $x = call('notice', 'b') call(\"m::f\") }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            [
                "`'notcie'`: unknown function `notcie`; did you mean `notice`?",
                "`\"m::f\"`: unknown function `m::f`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_FUNCTION, code), ["Replace with `notice`"]);
    }

    #[test]
    fn reports_names_that_the_receiver_does_not_have() {
        let object = "type M::O = Object[attributes => { 'a' => Integer }]";
        let code = format!(
            "{object}\nclass m {{ $x = Integer.nosuch $o = M::O(1) notice($o.a, $o.nosuch) }}"
        );
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, &code),
            [
                "`nosuch`: unknown function `nosuch`",
                "`nosuch`: unknown function `nosuch`",
            ]
        );
    }

    #[test]
    fn reports_functions_of_inline_templates_in_ruby() {
        let code = "class m { inline_template('<%= scope.function_notcie([1]) %><%= scope.function_notice([1]) %>', \
                    '<%= scope.call_function(\"m::f\", []) %><%= upcase(1) %><%= scope.lookup(1) %>', \
                    '<%= scope.function_split(\"a\", \"b\") %><% elseif @x %><%= scope.function_hiera([1]) %>', \
                    '<%= scope.call_function(\"upcase\", 1) %><%= [1].map { |x| format(\"%s\", x) } %>') }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            [
                "`function_notcie`: unknown function `notcie`; did you mean `notice`?",
                "`m::f`: unknown function `m::f`",
                "`upcase`: unknown method `upcase`; did you mean `scope.call_function('upcase', …)`?",
                "`lookup`: unknown method `lookup` of `scope`; did you mean `scope.call_function('lookup', …)`?",
                "`function_split`: `function_split` expects a single array of arguments",
                "`elseif`: unknown method `elseif`; did you mean `elsif`?",
                "`function_hiera`: function `hiera` cannot be called as `function_hiera`; \
                 use `scope.call_function('hiera', …)` instead",
            ]
        );
    }

    #[test]
    fn reports_functions_of_inline_templates() {
        let code = "class m { inline_epp('<%= upcase(notcie(1)) %>') inline_epp('<%= abs(1) %>') \
                    inline_epp('<%= Integer(1) %>') }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            ["`notcie`: unknown function `notcie`; did you mean `notice`?"]
        );
    }

    #[test]
    fn reports_misspelled_functions_in_plans() {
        let code = "//- modules/m/plans/init.pp\n\
                    plan m { run_comand('a', 'b') out::mesage('a') $x = notcie('b') }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            [
                "`run_comand`: unknown function `run_comand`; did you mean `run_command`?",
                "`out::mesage`: unknown function `out::mesage`; did you mean `out::message`?",
                "`notcie`: unknown function `notcie`; did you mean `notice`?",
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_FUNCTION, code)[0],
            "Replace with `run_command`"
        );
    }

    #[test]
    fn ignores_functions_of_modules_plans_and_older_releases() {
        for code in [
            "//- modules/m/manifests/init.pp\nclass m { m::f() other::f() extlookup('a') }\n\
             function m::f() { }\n//- Puppetfile\nmod 'other'",
            "//- modules/m/plans/init.pp\nplan m { run_command('a', 'b') }",
            "//- modules/m/plans/init.pp\nplan m { run_things('a') file::frob('a') m::ok() }",
            "//- modules/m/plans/init.pp\nplan m ($r) { $x = $r.waits $r.each |$it| { $it.vars } }",
            "class m { puppetdb_query('a') pe_sort('b') }",
            "//- modules/m/functions/f.pp\nfunction m::f() { out::message(get_target('a')) }",
            "class m ($any) { notice($any.host, $any.frobnicate()) }",
        ] {
            assert_eq!(reported(&UNKNOWN_FUNCTION, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn reports_functions_near_those_in_a_namespace_of_bolt() {
        let code = "//- modules/m/plans/init.pp\nplan m { log::inform('x') log::audit('x') out::info('x') }";
        assert_eq!(
            reported(&UNKNOWN_FUNCTION, code),
            ["`log::inform`: unknown function `log::inform`; did you mean `log::info`?"]
        );
    }
}
