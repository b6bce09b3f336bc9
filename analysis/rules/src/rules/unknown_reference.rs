use base::suggest;
use catalog::ResourceKey;
use hir::autoload::NameKey;
use hir::body::{ReferenceName, Resource, ResourceForm, Title};
use hir::declared_resources::{resources_declared_in, unique_title};
use hir::resolve::resource_type;
use hir::title_pattern::TitlePattern;
use library::signatures::ResourceType;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{AccessExpr, AstNode, ResourceBody};
use syntax::{Fix, TextRange};

use super::bare_word;
use crate::checker::Checker;
use crate::compiled::missing_resource::{
    computed_reference_in, is_missing_in_catalog, is_of_other_rule, is_overridden, is_slip_of,
    missing_resource, reference_in, similar_title,
};
use crate::compiled::problem::CompiledProblem;
use crate::compiled::{blamed, confirmed, report_confirmed};
use crate::fixes::{expr_at, text_like};
use crate::index::default_reach::is_loaded;
use crate::index::possible_titles::is_mentioned;
use crate::index::usage_index::is_declared;
use crate::index::virtual_resources::{self, Resources};
use crate::own_references;
use crate::rule::{Check, Rule, declare_rule};
use crate::stages_and_schedules;
use crate::wording;

/// The minimum length of a title that may be a typo of one anywhere in the module.
const MIN_LENGTH_IN_MODULE: usize = 6;

declare_rule! {
    /// Reports references to resources that are not declared.
    ///
    /// ## What it does
    ///
    /// Compiles classes and node definitions, and reports references to resources that their catalogs lack. The book
    /// describes how code is compiled: [Catalogs](../catalogs.md#how-rules-compile-code).
    ///
    /// * Relationships, and `realize`, if no string in the code or the data of the environment may be the title.
    /// * Relationships with another class of the same module, if no code or data includes that class, except if its
    ///   name is the start of the name of this class, as `example` of `example::config`.
    /// * Relationships with a virtual resource, if no code realizes it.
    /// * Resources and classes that the catalog of a role lacks: a class of the module `role` or `roles` that no other
    ///   code includes. A node has one, and the classes of the main manifests. A profile that no code includes counts as
    ///   a role, unless another one may declare the resource.
    /// * References in defined types to resources other than classes, if there is a main manifest.
    /// * Attributes that are read from a resource that no code declares, such as `File['/nosuch']['mode']`.
    /// * The `stage` of a class and the `schedule` of a resource, if they are not declared.
    ///
    /// Everywhere else, a reference is reported if it is likely a typo: the same code, or for longer titles the
    /// module, declares a resource with a title that differs in one letter, and no code in the workspace declares one
    /// with the title as written. If titles are computed, such as those of parameters, no string in the code or the
    /// data may be that title. The same goes for titles with interpolations, such as `Exec["create ${name}"]`, and for
    /// all titles of `exec`, and those that contain the name of the module as a word.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the catalog is finished: *Could not find dependency …* or *Could not
    /// find resource …*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     require => Package['exmple'], # <-
    ///   }
    ///   File['/etc/exmaple'] ~> Service['example'] # <-
    ///   service { 'example': ensure => running }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'example': ensure => installed }
    ///   file { '/etc/example':
    ///     ensure  => file,
    ///     require => Package['example'],
    ///   }
    ///   File['/etc/example'] ~> Service['example']
    ///   service { 'example': ensure => running }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Code that does not run on the sample node, and defined types, except for likely typos.
    /// * If there is a main manifest, but no `hiera.yaml` beside it, the data may declare more than is known. Only
    ///   likely typos are warnings then; other references, also to classes of other modules that no code includes, are hints.
    /// * Titles that occur in other code or in data, other than in references and in attributes of other types in Ruby, or
    ///   that a string with interpolations may produce. Titles with the name of a module that is not installed are hints,
    ///   except for likely typos.
    /// * Slashes at the end of the path of a `file`, which Puppet ignores.
    /// * Code that declares resources of this type with titles that are not known, except for likely typos, and in catalogs
    ///   of nodes and roles whose code and data do not contain the title. Outside of
    ///   environments with a main manifest and data, parameters that are `undef` or empty by default may be such titles.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the title with a similar one, if there is one.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-reference]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-reference = "off"
    /// ```
    pub(crate) static UNKNOWN_REFERENCE = {
        code: "unknown-reference",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check), Check::Compiled(check_compiled)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    let mut declared: FxHashMap<&str, Declared<'_>> = FxHashMap::default();
    for resource in &body.resources {
        if let Some(type_) = resource.type_.as_deref()
            && resource.form == ResourceForm::Declaration
        {
            declared.entry(type_).or_default().add(type_, resource);
        }
    }
    let mut reported = Vec::new();
    for reference in body.references.iter().filter(|it| !it.guarded) {
        if matches!(reference.name, ReferenceName::Title(..))
            && bare_word::reports_title(checker, reference.range)
        {
            reported.push(reference.range);
        } else if let ReferenceName::Title(type_, title) = &reference.name
            && check_read(checker, reference.range, type_, title)
        {
            reported.push(reference.range);
        } else if let ReferenceName::Title(type_, title) = &reference.name
            && let Some(declared) = declared.get(type_.as_str())
            && check_title(checker, reference.range, (type_, title), declared)
        {
            reported.push(reference.range);
        }
    }
    check_metaparameters(checker);
    check_module(checker, &reported);
    own_references::check(checker, &UNKNOWN_REFERENCE, &reported);
}

/// Reports the schedules and stages that no code declares, at the metaparameters.
fn check_metaparameters(checker: &mut Checker<'_>) {
    for named in stages_and_schedules::undeclared(checker) {
        let resource = wording::reference(named.type_name, &named.title);
        let message = format!("unknown resource `{resource}`");
        checker.report(&UNKNOWN_REFERENCE, named.range, message);
    }
}

/// The resources of a type that an item declares.
#[derive(Default)]
struct Declared<'a> {
    titles: Vec<&'a Title>,
    /// The parts of the titles that identify a resource.
    unique: FxHashSet<&'a str>,
    /// The declarations with computed titles.
    computed: Vec<&'a Resource>,
}

impl<'a> Declared<'a> {
    fn add(&mut self, type_: &str, resource: &'a Resource) {
        self.titles.extend(&resource.titles);
        let titles = resource.titles.iter();
        self.unique
            .extend(titles.map(|it| unique_title(type_, &it.text)));
        if !resource.has_only_literal_titles {
            self.computed.push(resource);
        }
    }
}

/// Reports a resource that the compiled item refers to but that does not exist, unless a check of the code has reported it.
fn check_compiled<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let (range, place) = blamed(checker, problem);
    let is_whole = is_missing_in_catalog(checker, problem);
    let Some(missing) = missing_resource(checker, problem, is_whole) else {
        return;
    };
    let resource = missing.key;
    let reference = reference_in(checker, range, resource);
    if is_of_other_rule(checker, resource, reference) || is_overridden(checker, range) {
        return;
    }
    let computed = || computed_reference_in(checker, range, resource);
    let at = reference.or_else(computed).unwrap_or(range);
    if is_reported(checker, at, resource) {
        return;
    }
    // A title that depends on facts says little about other nodes.
    let is_meant = |it: &CompiledProblem<'_>| is_whole || reference.is_some() || it.node.is_none();
    let Some(problem) = confirmed(checker, problem).filter(is_meant) else {
        return;
    };
    checker.check_uncertain(missing.is_uncertain, |it| {
        let label = |_| "referred to here";
        let at = (at, place);
        report_confirmed(it, &UNKNOWN_REFERENCE, &problem, at, missing.message, label);
    });
    if let Some(near) = &missing.near
        && reference.is_some()
    {
        fix_title(checker, at, near);
    }
}

/// Checks whether a missing resource is reported at the reference, or at the metaparameter of the resource that names it.
fn is_reported(checker: &Checker<'_>, at: TextRange, missing: &ResourceKey) -> bool {
    let is_named = matches!(missing.type_name.as_str(), "Schedule" | "Stage");
    let found = checker.found().iter();
    let mut found = found.filter(|it| it.code == UNKNOWN_REFERENCE.code);
    found.any(|it| it.range == at || is_named && at.contains_range(it.range))
        || bare_word::reports_title(checker, at)
}

/// Reports references that are one edit away from a title that the module declares. Unknown code may declare any resource,
/// but hardly one whose title occurs nowhere in the environment.
fn check_module(checker: &mut Checker<'_>, reported: &[TextRange]) {
    let (db, environment, body) = (checker.db, checker.environment, checker.body);
    let Some(module) = checker.item.file(db).module(db) else {
        return;
    };
    if !checker.has_all_modules() {
        return;
    }
    let open = body.references.iter().filter(|it| !it.guarded);
    for reference in open.filter(|it| !reported.contains(&it.range)) {
        let ReferenceName::Title(type_, title) = &reference.name else {
            continue;
        };
        let key = |it: &str| NameKey::new(db, it.to_owned());
        if type_ == "class"
            || title.len() < MIN_LENGTH_IN_MODULE
            || is_overridden(checker, reference.range)
            || is_declared(db, environment, key(type_), key(title))
        {
            continue;
        }
        let declared = resources_declared_in(db, module);
        if let Some(near) = similar_title([declared], type_, title)
            && resource_type(db, Some(environment), type_).is_ok()
            && !is_mentioned(db, environment, type_, title)
        {
            report_slip(checker, reference.range, (type_, title), &near);
        }
    }
}

/// Reports a title that is likely a typo of another.
fn report_slip(
    checker: &mut Checker<'_>,
    range: TextRange,
    (type_, title): (&str, &str),
    near: &str,
) {
    let resource = wording::reference(type_, title);
    let hint = suggest::hint(Some(near));
    let message = format!("unknown resource `{resource}`{hint}");
    checker.report(&UNKNOWN_REFERENCE, range, message);
    fix_title(checker, range, near);
}

/// Reports attributes that are read from a resource that no code declares.
fn check_read(checker: &mut Checker<'_>, range: TextRange, type_: &str, title: &str) -> bool {
    let node = checker.root().covering_element(range);
    let mut accesses = node.ancestors().filter_map(AccessExpr::cast);
    let is_read = |reference: AccessExpr| {
        let around = reference.syntax().parent().and_then(AccessExpr::cast)?;
        let base = around.base()?;
        (base.syntax() == reference.syntax()).then_some(())
    };
    if type_ == "class" || accesses.next().and_then(is_read).is_none() {
        return false;
    }
    let is_known = resource_type(checker.db, Some(checker.environment), type_).is_ok();
    let resources = Resources::new(type_, Some(title));
    let (db, environment) = (checker.db, checker.environment);
    // A computed title hardly is one that occurs nowhere in the environment.
    let may_be_declared = || {
        is_mentioned(db, environment, type_, title)
            && virtual_resources::may_be_declared(db, environment, &resources, true)
    };
    if !is_known || !checker.has_all_modules() || !is_loaded(checker) || may_be_declared() {
        return false;
    }
    let message = format!("unknown resource `{}`", wording::reference(type_, title));
    checker.report(&UNKNOWN_REFERENCE, range, message);
    true
}

/// Any code that contributes to a catalog may declare a resource. A reference is therefore only
/// reported if it is one edit away from a title that the same item declares, and if no code in the
/// environment declares the title as written.
/// Returns whether it was reported.
fn check_title(
    checker: &mut Checker<'_>,
    range: TextRange,
    (type_, title): (&str, &str),
    declared: &Declared<'_>,
) -> bool {
    if type_ == "class" || declared.unique.contains(unique_title(type_, title)) {
        return false;
    }
    let Some(near) = declared
        .titles
        .iter()
        .find(|it| is_slip_of(title, &it.text))
    else {
        return false;
    };
    let key = |it: &str| NameKey::new(checker.db, it.to_owned());
    let mut computed = declared.computed.iter();
    let is_mentioned = || is_mentioned(checker.db, checker.environment, type_, title);
    if is_declared(checker.db, checker.environment, key(type_), key(title))
        || computed.any(|it| match may_have_title(checker, it, title) {
            // A value hardly is a title that occurs nowhere in the environment.
            None => is_mentioned(),
            Some(may_have) => may_have,
        })
    {
        return false;
    }
    report_slip(checker, range, (type_, title), &near.text);
    checker.relate(checker.item, near.range, "similar resource declared here");
    true
}

/// Suggests to replace the title of a reference.
fn fix_title(checker: &mut Checker<'_>, range: TextRange, title: &str) {
    let expr = expr_at(&checker.root(), range);
    let text = expr.map(|it| text_like(&it, title));
    let label = format!("Replace with `{title}`");
    checker.fix(text.map(|it| Fix::suggested(label, range, it)));
}

/// Checks whether a resource with computed titles may have a title; `None` if its titles may be any.
fn may_have_title(checker: &Checker<'_>, resource: &Resource, title: &str) -> Option<bool> {
    let root = checker.root();
    let mut around = root.covering_element(resource.range).ancestors();
    let body = around.find_map(ResourceBody::cast);
    let type_ = resource.type_.as_deref().unwrap_or_default();
    let known = library::resource_type(type_, checker.version());
    let namevar = known.and_then(ResourceType::namevar);
    let patterns = body.and_then(|it| TitlePattern::of_body(&it, namevar));
    let patterns = patterns.filter(|it| it.iter().all(|it| it.known_length() > 0));
    Some(patterns?.iter().any(|it| it.may_be(type_, title)))
}

#[cfg(test)]
mod tests {
    use syntax::Severity;

    use super::UNKNOWN_REFERENCE;
    use crate::testing::{fixes, reported, severities};

    #[test]
    fn reports_what_the_catalog_of_a_node_lacks() {
        let code = |node: &str| {
            format!(
                "//- manifests/site.pp\nnode 'web1' {{ {node} }} node 'web2' {{ {node} }}\n\
                 //- modules/m/manifests/init.pp\n\
                 class m {{ file {{ '/a': require => Package['p'] }} }}\n\
                 //- modules/n/manifests/init.pp\nclass n {{ package {{ 'p': }} }}\n"
            )
        };
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &code("include m")),
            ["`'p'`: unknown resource `Package['p']`"]
        );
        for node in [
            "include m include n",
            "include m package { 'p': }",
            "include m include $x",
        ] {
            assert_eq!(reported(&UNKNOWN_REFERENCE, &code(node)), [""; 0], "{node}");
        }
    }

    #[test]
    fn data_elsewhere_makes_all_but_typos_doubtful() {
        let found = |title: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode default {{ include m }}\n\
                 //- modules/m/manifests/init.pp\n\
                 class m ($p = 'x') {{ include m::a package {{ $p: require => Package['{title}'] }} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ package {{ 'apache': }} }}\n"
            );
            (
                reported(&UNKNOWN_REFERENCE, &code),
                severities(&UNKNOWN_REFERENCE, &code),
            )
        };
        assert_eq!(found("apache"), (Vec::new(), Vec::new()));
        let (messages, severity) = found("apahce");
        assert!(
            messages[0].ends_with("did you mean `apache`?"),
            "{messages:?}"
        );
        assert_eq!(severity, [Severity::Warning]);
        assert_eq!(found("mysql").1, [Severity::Hint]);
    }

    #[test]
    fn data_elsewhere_sets_no_parameters_of_a_node_without_any() {
        let code = "//- manifests/site.pp\nnode 'a' { include m }\n\
                    //- modules/m/manifests/init.pp\nclass m { file { '/a': require => Package['p'] } }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d ($n) { package { $n: } }\n";
        assert_eq!(severities(&UNKNOWN_REFERENCE, code), [Severity::Warning]);
    }

    #[test]
    fn computed_titles_may_be_any_with_their_literal_parts() {
        let code = |title: &str| {
            format!(
                "class m {{ file {{ '/a/name': notify => File['/a/nmae'] }} file {{ \"{title}\": }} }}"
            )
        };
        assert_eq!(reported(&UNKNOWN_REFERENCE, &code("/b/${x}")).len(), 1);
        assert_eq!(reported(&UNKNOWN_REFERENCE, &code("/a/${x}")), [""; 0]);
    }

    #[test]
    fn accepts_classes_that_users_combine() {
        let code = |first: &str, second: &str| {
            format!(
                "//- modules/m/manifests/{first}.pp\nclass m::{first} ($a) {{ Class['m::{second}'] -> Class['m::{first}'] }}\n\
                 //- modules/m/manifests/{second}.pp\nclass m::{second} {{ }}\n"
            )
        };
        assert_eq!(reported(&UNKNOWN_REFERENCE, &code("a", "b")), [""; 0]);
        let part = "//- modules/m/manifests/init.pp\nclass m ($a) { Class['m::b'] -> Class['m'] }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { }\n";
        assert_eq!(reported(&UNKNOWN_REFERENCE, part).len(), 1);
        let including = part.replace("class m::b { }", "class m::b { include m }");
        assert_eq!(reported(&UNKNOWN_REFERENCE, &including), [""; 0]);
    }

    #[test]
    fn reports_references_in_strings() {
        let code = "class m { service { 'aaaa': require => 'File[/bbbb]' } \
                    notify { 'cccc': } -> 'Notify[dddd]' }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            [
                "`require => 'File[/bbbb]'`: unknown resource `File['/bbbb']`",
                "`->`: unknown resource `Notify['dddd']`",
            ]
        );
    }

    #[test]
    fn reports_slips_of_titles_in_the_same_item() {
        let code = "class m { file { '/motd': } service { 'a': require => File['/mtod'] } }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            ["`'/mtod'`: unknown resource `File['/mtod']`; did you mean `/motd`?"]
        );
        assert_eq!(fixes(&UNKNOWN_REFERENCE, code), ["Replace with `/motd`"]);
    }

    #[test]
    fn computed_titles_with_other_ends_declare_no_other_resource() {
        let found = |title: &str| {
            let file = format!("file {{ \"{title}\": }}");
            let code =
                format!("class m ($x) {{ {file} service {{ 'a': require => File['/opt/b'] }} }}");
            reported(&UNKNOWN_REFERENCE, &code).len()
        };
        assert_eq!(found("/etc/${x}"), 1);
        assert_eq!(found("${x}.conf"), 1);
        assert_eq!(found("/opt/${x}"), 0);
        assert_eq!(found("${x}"), 0);
    }

    #[test]
    fn reports_virtual_resources_that_a_node_never_realizes() {
        let check = |sign: &str, node: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m {node} }}\n\
                 //- modules/m/manifests/init.pp\n\
                 class m {{ {sign}user {{ 'u': }} file {{ '/u': require => User['u'] }} }}\n\
                 //- modules/m/manifests/other.pp\nclass m::other {{ realize(User['u']) }}\n"
            );
            reported(&UNKNOWN_REFERENCE, &code)
        };
        assert_eq!(
            check("@", ""),
            ["`'u'`: resource `User['u']` is virtual and never realized"]
        );
        assert_eq!(check("@", "include m::other"), [""; 0]);
        assert_eq!(check("@", "User <| title == 'u' |>"), [""; 0]);
        assert_eq!(check("@", "if $facts['x'] { include m::other }"), [""; 0]);
        assert_eq!(check("@@", ""), [""; 0]);
    }

    #[test]
    fn reports_what_no_code_around_an_instance_declares() {
        let code = "//- modules/m/manifests/init.pp\nclass m { m::d { 'one': } }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { exec { \"/bin/${title}\": \
                    require => [File['/etc/m'], Class['m::other'], Package['p']] } }\n\
                    //- modules/m/manifests/user.pp\nclass m::user { package { 'p': } m::d { 'two': } }\n\
                    //- modules/m/manifests/other.pp\nclass m::other { }\n";
        let found = reported(&UNKNOWN_REFERENCE, code);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(
            found
                .iter()
                .all(|it| it.ends_with("unknown resource `File['/etc/m']`"))
        );
        let site = format!(
            "{code}//- manifests/site.pp\nnode default {{ include m::user include m::other }}\n"
        );
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &site),
            ["`'/etc/m'`: unknown resource `File['/etc/m']`"]
        );
    }

    #[test]
    fn reports_what_no_code_of_the_class_declares() {
        let code = "class m { include m::b  service { 'a': require => Package['nope'] }
            if $facts['x'] { file { '/x': } file { '/etc/y': } }
            File['/opt/thing'] -> Service['a'] realize(User['me']) }\n\
            //- modules/m/manifests/b.pp\nclass m::b { File['/b'] ~> File['/etc/y'] }\n\
            //- modules/m/manifests/c.pp\nclass m::c { include m  include m::b }\n";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &code),
            [
                "`'nope'`: unknown resource `Package['nope']`",
                "`'/opt/thing'`: unknown resource `File['/opt/thing']`",
                "`'me'`: unknown resource `User['me']`",
                "`'/b'`: unknown resource `File['/b']`",
            ]
        );
    }

    #[test]
    fn reports_classes_and_instances_that_nothing_declares() {
        let code = "//- modules/m/manifests/init.pp\n\
            class m { notify { 'a': require => Class['m::a'] } notify { 'b': before => Class['m::b', 'm::e'] }
            Class['n::c'] -> M::D['x'] m::d { 'y': } notify { 'x': } }\n\
            //- modules/m/manifests/a.pp\nclass m::a { }\n\
            //- modules/m/manifests/b.pp\nclass m::b { Class['m'] -> Notify['c'] notify { 'c': } }\n\
            //- modules/m/manifests/d.pp\ndefine m::d { }\n\
            //- modules/n/manifests/init.pp\nclass n { include m::b class { '::m::e': } }\n\
            //- modules/m/manifests/e.pp\nclass m::e { }\n\
            //- modules/n/manifests/c.pp\nclass n::c { }\n";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            [
                "`'m::a'`: unknown resource `Class['m::a']`",
                "`'x'`: unknown resource `M::D['x']`",
            ]
        );
    }

    #[test]
    fn reports_virtual_resources() {
        let code = "class m { @user { ['a', 'b', 'c']: } notify { 'x': require => User['a', 'b'] } \
                    notify { 'y': } -> User['c'] User['c'] -> notify { 'z': } } \
                    class n { realize User['b'] }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            [
                "`'a'`: resource `User['a']` is virtual and never realized",
                "`'c'`: resource `User['c']` is virtual and never realized",
            ]
        );
        let code = "class m { @user { 'a': } notify { 'x': require => User['a'] } User <| |> }";
        assert_eq!(reported(&UNKNOWN_REFERENCE, code), [""; 0]);
    }

    #[test]
    fn reports_attributes_of_resources_that_nothing_declares() {
        let code = "class m { $a = [File['/a']['mode'], User['x']['uid'], Package['p']['ensure']] \
                    file { '/a': } } class n ($p) { package { $p: } }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            [
                "`'x'`: unknown resource `User['x']`",
                "`'p'`: unknown resource `Package['p']`",
            ]
        );
        let code = "class m { $a = Package['p']['ensure'] } class n ($p = 'p') { package { $p: } }";
        assert_eq!(reported(&UNKNOWN_REFERENCE, code), [""; 0]);
    }

    #[test]
    fn reports_stages() {
        let code = "//- modules/m/manifests/init.pp\n\
            class m { class { 'm::a': stage => 'early' } class { 'm::b': stage => 'late' }
            class { 'm::c': stage => 'main' } }\n\
            //- modules/m/manifests/a.pp\nclass m::a { }\n\
            //- modules/m/manifests/b.pp\nclass m::b { notify { 'early': } }\n\
            //- modules/m/manifests/c.pp\nclass m::c { }\n\
            //- modules/m/manifests/d.pp\nclass m::d { stage { 'late': } }\n";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            ["`'early'`: unknown resource `Stage['early']`"]
        );
    }

    #[test]
    fn reports_stages_and_schedules_in_code_that_does_not_run() {
        let code = |code: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m ($x) {{ if $x {{ {code} }} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ }}\n\
                 //- modules/m/manifests/s.pp\n\
                 class m::s ($h) {{ stage {{ 'late': }} schedule {{ 'night': }} create_resources($h, {{}}) }}\n"
            )
        };
        for (wrong, expected) in [
            (
                "class { 'm::a': stage => early }",
                "`early`: unknown resource `Stage['early']`",
            ),
            (
                "file { '/a': schedule => 'nihgt' }",
                "`'nihgt'`: unknown resource `Schedule['nihgt']`",
            ),
            (
                "Exec { schedule => 'nihgt' }",
                "`'nihgt'`: unknown resource `Schedule['nihgt']`",
            ),
        ] {
            assert_eq!(reported(&UNKNOWN_REFERENCE, &code(wrong)), [expected]);
        }
        for right in [
            "class { 'm::a': stage => 'late' }",
            "class { 'm::a': stage => main }",
            "class { 'm::a': stage => setup }",
            "class { 'm::a': stage => $x }",
            "class { 'm::a': schedule => 'night' }",
            "file { '/a': schedule => 'daily' }",
            "file { '/a': stage => 'early' }",
            "unknown { '/a': schedule => 'nihgt' }",
        ] {
            assert_eq!(
                reported(&UNKNOWN_REFERENCE, &code(right)),
                [""; 0],
                "{right}"
            );
        }
    }

    #[test]
    fn reports_problems_of_classes_that_include_each_other_once() {
        let code = "class m { include m::b service { 'a': require => Package['nope'] } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { include m }\n";
        let code = format!("//- modules/m/manifests/init.pp\n{code}");
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &code),
            ["`'nope'`: unknown resource `Package['nope']`"]
        );
    }

    #[test]
    fn reports_references_next_to_unknown_relationships() {
        let code = "class m { service { 'a': before => Package['nope'] } \
                    File[$facts['x']] -> Service['a'] Service['a'] -> User <| tag == $facts['y'] |> }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, code),
            ["`'nope'`: unknown resource `Package['nope']`"]
        );
    }

    #[test]
    fn parameters_may_be_titles_unless_the_environment_has_all_data() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m($x = undef, $y = []) { if $x { package { $x: } } package { $y: } \
                    service { 'a': require => Package['nope'] } }\n";
        assert_eq!(reported(&UNKNOWN_REFERENCE, code), [""; 0]);
        let files = |data: &str| {
            format!(
                "{code}//- manifests/site.pp\ninclude m\n//- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\n{data}\n"
            )
        };
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &files("--- {}")),
            ["`'nope'`: unknown resource `Package['nope']`"]
        );
        let given = files("lookup_options: {}\nother::x: nope");
        assert_eq!(reported(&UNKNOWN_REFERENCE, &given), [""; 0]);
    }

    #[test]
    fn titles_and_attributes_of_other_types_do_not_declare_a_resource() {
        let code = |declared: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m {{ {declared} notify {{ 'n': require => Package['same'] }} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d {{ }}\n\
                 //- modules/m/manifests/other.pp\nclass m::other ($p) {{ package {{ $p: }} }}\n"
            )
        };
        for (declared, expected) in [
            ("service { 'same': }", 1),
            ("service { ['same', 'b']: }", 1),
            ("m::d { 'same': }", 0),
            ("service { 'a': alias => 'same' }", 1),
            ("package { 'a': alias => 'same' }", 0),
            ("file { '/a': content => 'same' }", 1),
            ("m::d { 'a': x => 'same' }", 0),
            ("class { 'm::other': p => 'same' }", 0),
        ] {
            let found = reported(&UNKNOWN_REFERENCE, &code(declared));
            assert_eq!(found.len(), expected, "{declared}: {found:?}");
        }
    }

    #[test]
    fn reports_slips_beside_titles_that_are_not_known() {
        for (code, expected) in [
            ("file { ['/motd', $x]: before => File['/mtod'] }", 1),
            ("package { [$x, 'httpd']: } -> Package['htpd']", 1),
            (
                "package { $x: } package { 'httpd': before => Package['apache'] }",
                0,
            ),
            (
                "package { $x: } package { 'httpd': before => Package['htpd'] } $y = 'htpd'",
                0,
            ),
            (
                "file { \"/m${x}\": } file { '/motd': before => File['/mtod'] }",
                0,
            ),
        ] {
            let code = format!("class m ($x) {{ {code} }}");
            assert_eq!(
                reported(&UNKNOWN_REFERENCE, &code).len(),
                expected,
                "{code}"
            );
        }
    }

    #[test]
    fn reports_slips_of_titles_of_the_module() {
        let found = |title: &str, other: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\n\
                 class m ($x) {{ create_resources($x, {{}}) Package['{title}'] -> File['/a'] file {{ '/a': }} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ package {{ 'horizon': }} {other} }}\n"
            );
            reported(&UNKNOWN_REFERENCE, &code)
        };
        assert_eq!(
            found("horizo", ""),
            ["`'horizo'`: unknown resource `Package['horizo']`; did you mean `horizon`?"]
        );
        assert_eq!(found("horizon", ""), [""; 0]);
        assert_eq!(found("horizo", "$y = 'horizo'"), [""; 0]);
        assert_eq!(found("horizon2", ""), [""; 0]);
    }

    #[test]
    fn ignores_titles_that_other_code_may_declare() {
        for code in [
            "class m { service { 'a': require => File['/other'] } }\n\
             class m::other($path = '/other') { file { $path: } }",
            "class m { service { 'a': require => File['/etc/other.conf'] } }\n\
             class m::other($x) { file { \"/etc/${x}.conf\": } }",
            "class m($x) { service { 'a': require => File['/other'] } file { $x: } }",
            "class m { service { 'a': require => File['/other'] } unknown_function() }",
            "class m { service { 'a': require => File['/other'] } file { 'a': alias => '/other' } }",
            "define m() { file { '/disk1': before => File['/disk2'] } }",
            "class m { file { '/motd': before => File['/mtod'] } }\n\
             class m::other { file { '/mtod': } }",
        ] {
            assert_eq!(reported(&UNKNOWN_REFERENCE, code), [""; 0], "{code}");
        }
    }
}
