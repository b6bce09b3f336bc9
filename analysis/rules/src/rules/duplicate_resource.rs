use std::borrow::Cow;

use catalog::{ClassProblem, ProblemKind};
use hir::body::{Body, ClassUse, ReferenceName, Resource, ResourceForm, Title};
use hir::declared_resources::unique_title;
use hir::{ItemKind, canonical_name, signature};
use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, Attribute, Expr, ResourceBody};
use syntax::{SyntaxKind, SyntaxNode, TextRange};
use types::Type;
use types::values::Value;

use crate::checker::Checker;
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::{blamed, report};
use crate::fixes::{capitalized, node_at};
use crate::repeated_titles;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::reference;

declare_rule! {
    /// Reports resources that are declared twice with the same title or name.
    ///
    /// ## What it does
    ///
    /// Compares the declarations in the code of a class, defined type, node definition or manifest:
    ///
    /// * Titles that are literals, strings with the same variables, or the same variable; a title that each run of an
    ///   `each` repeats is a warning.
    /// * The attribute that names a resource of a built-in type, such as `path` of `file`, except for `exec`, `package`
    ///   and `tidy`.
    /// * A class must not be declared like a resource in itself, in a class that inherits from it, or after an
    ///   `include`.
    ///
    /// Also compares the resources in the catalogs of classes and nodes. The book describes how these are compiled:
    /// [Catalogs](../catalogs.md#how-rules-compile-code). Reported are:
    ///
    /// * Resources that two classes declare, or one class in a loop or a defined type.
    /// * Resources whose `alias` or name is that of another one; for a `package`, together with its provider.
    ///
    /// A problem between two other classes is reported at both declarations if a class or defined type of the same
    /// module or, in a control repository, of any of its own modules includes them. Otherwise, it is reported where a
    /// class includes one of them. If the title comes from an instance of a defined type, the instance is reported.
    ///
    /// ## Why it matters
    ///
    /// Each combination of resource type and title must be unique in a catalog. Compilation fails
    /// with *Duplicate declaration*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   package { 'ntp': ensure => installed }
    ///   file { ['/a', '/b']: ensure => file }
    ///   file { '/b': mode => '0644' } # <-
    ///   if $facts['os']['family'] == 'Debian' {
    ///     package { 'ntp': ensure => latest } # <-
    ///   }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   if $facts['os']['family'] == 'Debian' {
    ///     package { 'ntp': ensure => latest }
    ///   } else {
    ///     package { 'ntp': ensure => installed }
    ///   }
    ///   file { ['/a', '/b']: ensure => file }
    ///   File['/b'] { mode => '0644' }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Declarations in alternative branches, of which only one runs.
    /// * Declarations in different `apply` blocks of a plan, each of which compiles a catalog of its
    ///   own.
    /// * Titles that depend on functions written in Ruby, or on other unknown values.
    /// * Declarations in different classes or defined types, unless a class includes both.
    /// * A class that includes one whose parent class declares it: other code may include the parent before.
    ///   Main manifests and node definitions are compiled as they are.
    /// * Code in a condition that checks `defined(…)` first.
    /// * Functions such as `ensure_packages`, which look for an existing resource themselves. A declaration
    ///   after the call is reported.
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'ntp': }
    ///   unless defined(Package['chrony']) {
    ///     package { 'chrony': }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended declaration is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[duplicate-resource]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// duplicate-resource = "off"
    /// ```
    pub(crate) static DUPLICATE_RESOURCE = {
        code: "duplicate-resource",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Item(check),
            Check::Compiled(check_compiled),
            Check::Node(&[SyntaxKind::RESOURCE_EXPR], check_repeated),
        ],
    }
}

fn check_repeated(checker: &mut Checker<'_>, node: &SyntaxNode) {
    repeated_titles::check(checker, node, &DUPLICATE_RESOURCE);
}

/// A title, and the declaration that has it.
type Declared<'a> = (&'a Resource, &'a Title);

/// Two declarations collide if one only runs when the other one does.
fn check(checker: &mut Checker<'_>) {
    check_classes(checker);
    let body = checker.body;
    let place = |it: &Resource| (it.branch, it.range.start());
    let mut seen: FxHashMap<(&str, Cow<'_, str>), Vec<Declared<'_>>> = FxHashMap::default();
    for resource in &body.resources {
        let Some(type_) = resource.type_.as_deref() else {
            continue;
        };
        if resource.form != ResourceForm::Declaration || resource.guarded {
            continue;
        }
        let aliases = aliases(checker, type_, resource);
        let titles = resource.titles.iter();
        let titles = titles.map(|it| (it, Cow::Borrowed(unique_title(type_, &it.text))));
        let aliases = aliases
            .into_iter()
            .map(|(title, it)| (title, Cow::Owned(it)));
        for (title, identity) in titles.chain(aliases) {
            let text = match &identity {
                Cow::Borrowed(_) => title.text.clone(),
                Cow::Owned(it) => it.clone(),
            };
            let earlier = seen.entry((type_, identity)).or_default();
            let collides = earlier
                .iter()
                .find(|it| body.run_together(place(it.0), place(resource)));
            if let Some((_, first)) = collides.copied() {
                report_again(checker, &reference(type_, &text), title.range, first.range);
            }
            earlier.push((resource, title));
        }
    }
    check_interpolated(checker);
}

/// The type of a declaration, its scope and the source of its title.
type TitleSource<'a> = (&'a str, usize, String);

/// Reports titles with variables that are written as those of another declaration: variables keep their values.
fn check_interpolated(checker: &mut Checker<'_>) {
    let body = checker.body;
    let root = checker.root();
    let place = |it: &Resource| (it.branch, it.range.start());
    let mut seen: FxHashMap<TitleSource<'_>, Vec<(&Resource, TextRange)>> = FxHashMap::default();
    let declared = body.resources.iter().filter(|it| {
        it.form == ResourceForm::Declaration && !it.guarded && !it.has_only_literal_titles
    });
    for resource in declared {
        let node = node_at(&root, resource.range);
        let found = node.and_then(|it| ResourceBody::cast(it)?.title());
        let (Some(title), Some(type_)) = (found, resource.type_.as_deref()) else {
            continue;
        };
        if type_ == "class" || !reads_only_variables(checker, &title) {
            continue;
        }
        let (text, range) = (
            title.syntax().text().to_string(),
            title.syntax().text_range(),
        );
        let earlier = seen.entry((type_, resource.scope, text)).or_default();
        let first = earlier
            .iter()
            .find(|it| body.run_together(place(it.0), place(resource)));
        if let Some((_, first)) = first {
            let key = format!("{}[{}]", capitalized(type_), title.syntax().text());
            report_again(checker, &key, range, *first);
        }
        earlier.push((resource, range));
    }
}

/// Reports the second of two declarations in the same item.
fn report_again(checker: &mut Checker<'_>, key: &str, again: TextRange, first: TextRange) {
    let message = format!("duplicate declaration: `{key}` is already declared");
    checker.report(&DUPLICATE_RESOURCE, again, message);
    checker.relate(checker.item, first, "first declared here");
}

/// Checks for a string with variables, or a variable that cannot be an empty array, without calls.
fn reads_only_variables(checker: &Checker<'_>, title: &Expr) -> bool {
    let node = title.syntax();
    let is_title = match title {
        Expr::InterpolatedString(_) => true,
        Expr::VariableExpr(_) | Expr::AccessExpr(_) => {
            let found = checker.type_of(title);
            found.is_some_and(|it| it.is_a(&Type::any_array()) == Some(false))
        }
        _ => false,
    };
    is_title
        && !node
            .descendants()
            .any(|it| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::METHOD_CALL))
}

/// Returns the names that a resource has besides its title, if attributes set them: no other resource of
/// the type may have one of them. From `create_resource_aliases` in `resource/catalog.rb` and `set_alias` in
/// `metatype/metaparams.rb`.
fn aliases<'a>(
    checker: &Checker<'_>,
    type_: &str,
    resource: &'a Resource,
) -> Vec<(&'a Title, String)> {
    let ([title], true) = (&resource.titles[..], resource.has_only_literal_titles) else {
        return Vec::new();
    };
    let name = name_attribute(checker, type_);
    let names = [name, Some("alias")].into_iter().flatten();
    let values = names.flat_map(|it| texts(checker, resource, it));
    let is_alias = |it: &String| *it != title.text && unique_title(type_, it) == it;
    let aliases = values.filter(is_alias).map(|it| (title, it));
    aliases.collect()
}

/// Returns the attribute that names the resources of a type, if no two of them may have the same name.
fn name_attribute(checker: &Checker<'_>, type_: &str) -> Option<&'static str> {
    // Two resources of these types may have the same name, or that of their provider differs.
    const NOT_UNIQUE: [&str; 3] = ["exec", "package", "tidy"];
    let known = library::resource_type(type_, checker.version())?;
    let mut names = known.attributes.iter().filter(|it| it.namevar);
    let name = names.next().filter(|_| !NOT_UNIQUE.contains(&type_))?;
    names.next().is_none().then_some(name.name.as_str())
}

/// Returns the known strings that an attribute sets.
fn texts(checker: &Checker<'_>, resource: &Resource, name: &str) -> Vec<String> {
    let value = || {
        let set = resource.attributes.iter().find(|it| it.name == name)?;
        let node = node_at(&checker.root(), set.range)?;
        let value = node.ancestors().find_map(Attribute::cast)?.value()?;
        checker.type_of(&value)?.value.clone()
    };
    let text = |it: &Value| it.as_str().map(str::to_owned);
    match value() {
        Some(Value::Array(all)) => all.iter().filter_map(text).collect(),
        Some(value) => text(&value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Reports a resource that is declared twice when the class is compiled, unless its code shows that.
fn check_compiled<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let ProblemKind::DuplicateDeclaration(key) = &problem.kind else {
        return;
    };
    let (range, index) = blamed(checker, problem);
    let mut in_code = checker.found_in_code().iter();
    if in_code.any(|it| it.is_at(&DUPLICATE_RESOURCE, range)) {
        return;
    }
    let range = title_in(checker.body, range, &key.title).unwrap_or(range);
    let key = key.to_string();
    let message = match index {
        Some(_) => format!("duplicate declaration: `{key}` is already declared"),
        None => format!(
            "duplicate declaration: `{key}` is {}",
            declared_by(checker, problem)
        ),
    };
    report(
        checker,
        &DUPLICATE_RESOURCE,
        problem,
        (range, index),
        message,
        |index| match index {
            0 => "declared again here",
            _ => "first declared here",
        },
    );
}

/// Renders which other definitions declare a resource twice.
fn declared_by(checker: &Checker<'_>, problem: &ClassProblem) -> String {
    let places = problem.places.iter().rev();
    let items = places.filter_map(|it| located(checker.db, it));
    let mut names: Vec<String> = items
        .map(|it| canonical_name(it.0.name(checker.db)))
        .collect();
    names.dedup();
    match &names[..] {
        [name] => format!("declared twice by `{name}`"),
        [first, second] => format!("declared by `{first}` and `{second}`"),
        _ => "declared twice".to_owned(),
    }
}

/// Returns the range of a literal title in a declaration.
fn title_in(body: &Body, declaration: TextRange, title: &str) -> Option<TextRange> {
    let mut titles = body.resources.iter().flat_map(|it| &it.titles);
    let found = titles.find(|it| declaration.contains_range(it.range) && it.text == title);
    found.map(|it| it.range)
}

/// Reports classes that are declared like resources where they are already evaluated: the item itself,
/// the class that it inherits from, and those that it includes before. Returns their titles.
fn check_classes(checker: &mut Checker<'_>) {
    let body = checker.body;
    let is_class = checker.item.kind(checker.db) == ItemKind::Class;
    let parent = &signature(checker.db, checker.item).inherits;
    let classes = body.resources.iter();
    let classes = classes.filter(|it| {
        it.form == ResourceForm::Declaration && it.type_.as_deref() == Some("class") && !it.guarded
    });
    for resource in classes {
        for title in &resource.titles {
            let name = canonical_name(&title.text);
            let is_own = is_class && name == canonical_name(checker.item.name(checker.db));
            let is_parent = is_class && parent.as_ref() == Some(&name);
            let included = body.references.iter().find(|it| {
                it.range.start() < resource.range.start()
                    && matches!(&it.name, ReferenceName::Class(other, ClassUse::Declared) if *other == name)
                    && body.is_within(resource.branch, it.branch)
                    && !is_title(body, it.range)
            });
            if is_own || is_parent || included.is_some() {
                let resource = reference("class", &title.text);
                let message = format!("duplicate declaration: `{resource}` is already declared");
                checker.report(&DUPLICATE_RESOURCE, title.range, message);
                if let Some(first) = included {
                    checker.relate(checker.item, first.range, "first declared here");
                }
            }
        }
    }
}

/// Checks whether a range is that of a title of a resource.
fn is_title(body: &Body, range: TextRange) -> bool {
    let mut titles = body.resources.iter().flat_map(|it| &it.titles);
    titles.any(|it| it.range == range)
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_RESOURCE;
    use crate::testing::reported;

    #[test]
    fn titles_in_hashes_may_be_numbers() {
        let code = "class m { create_resources('notify', { 80 => {}, 443 => {}, true => {} }) }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
        let code = "class m { create_resources('notify', { 80 => {}, '80' => {} }) }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code).len(), 1);
    }

    #[test]
    fn reports_aliases_of_other_resources() {
        let code = "class m { file { '/a': alias => ['/b', '/c'] } file { '/c': } \
                    exec { '/bin/d': alias => 'd' } exec { '/bin/e': alias => 'd' } }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            [
                "`'/c'`: duplicate declaration: `File['/c']` is already declared",
                "`'/bin/e'`: duplicate declaration: `Exec['d']` is already declared",
            ]
        );
    }

    #[test]
    fn reports_titles_with_the_same_variables() {
        let code = "class m ($p, $q) { file { \"/a/${p}\": } file { \"/a/${q}\": } \
                    if $q { file { \"/a/${p}\": } } \
                    ['a', 'b'].each |$i| { file { \"/${p}/${i}\": } } }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`\"/a/${p}\"`: duplicate declaration: `File[\"/a/${p}\"]` is already declared"]
        );
        let variable = "define m::d (String $p, $any, Array[String] $all) { $f = $p ? { 'a' => 'x', default => $p } \
                        file { $f: } file { $f: } file { $all: } file { $all: } file { $any: } file { $any: } }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, variable),
            ["`$f`: duplicate declaration: `File[$f]` is already declared"]
        );
        let code = "class m ($p, $q, $n) { if $q { file { \"/a/${p}\": } } else { file { \"/a/${p}\": } } \
                    $n.each |$i| { file { \"/${p}/${i}\": } } $n.each |$i| { file { \"/${p}/${i}\": } } \
                    file { \"/${unique()}\": } file { \"/${unique()}\": } }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
    }

    #[test]
    fn compiles_classes_with_required_parameters() {
        let code = |body: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m ($a, $b = '/b') {{ {body} }}\n\
                 //- modules/m/manifests/c.pp\nclass m::c {{ file {{ '/b': }} }}\n"
            )
        };
        let twice = code("include m::c file { '/b': }");
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, &twice),
            ["`'/b'`: duplicate declaration: `File['/b']` is already declared"]
        );
        // Code that sets the one may set the other.
        let given = code("include m::c file { $b: }");
        assert_eq!(reported(&DUPLICATE_RESOURCE, &given), [""; 0]);
    }

    #[test]
    fn accepts_classes_that_only_others_include() {
        let code = "//- modules/m/manifests/init.pp\nclass m ($a) { class { 'm::b': } include m::c }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { require m }\n\
                    //- modules/m/manifests/c.pp\nclass m::c { require m::b }\n";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
    }

    #[test]
    fn accepts_classes_that_other_code_has_to_declare_first() {
        let code = |parameters: &str, body: &str| {
            format!(
                "//- modules/m/manifests/init.pp\nclass m ({parameters}) {{ class {{ 'm::b': }} }}\n\
                 //- modules/m/manifests/b.pp\nclass m::b {{}}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d ($x) {{ {body} }}\n"
            )
        };
        let before = "include m::b include m";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, &code("$host", before)),
            [""; 0]
        );
        // It is declared twice in any order.
        let twice = "class { 'm::b': } include m";
        for (parameters, body) in [("", before), ("$host = 'a'", before), ("$host", twice)] {
            let found = reported(&DUPLICATE_RESOURCE, &code(parameters, body));
            assert_eq!(found.len(), 1, "{parameters}, {body}: {found:?}");
        }
    }

    #[test]
    fn reports_titles_that_are_declared_twice() {
        let code = "class m ($x) { file { '/a': } if $x { file { ['/b', '/a']: } } }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`'/a'`: duplicate declaration: `File['/a']` is already declared"]
        );
    }

    #[test]
    fn reports_names_of_other_resources() {
        for (code, name) in [
            (
                "notify { 'x': alias => 'q' } notify { 'q': }",
                "Notify['q']",
            ),
            (
                "notify { 'x': alias => 'q' } notify { 'y': alias => ['p', 'q'] }",
                "Notify['q']",
            ),
            (
                "package { 'x': name => 'vim' } package { 'vim': }",
                "Package['vim']",
            ),
            (
                "$n = 'q' user { 'x': name => $n } include m::b",
                "User['q']",
            ),
        ] {
            let code = format!("class m {{ {code} }}\nclass m::b {{ user {{ 'q': }} }}");
            let found = reported(&DUPLICATE_RESOURCE, &code);
            let message = format!("duplicate declaration: `{name}` is already declared");
            assert!(
                found.len() == 1 && found[0].ends_with(&message),
                "{code}: {found:?}"
            );
        }
    }

    #[test]
    fn ignores_other_names() {
        for code in [
            "notify { 'x': alias => 'x' } user { 'q': } notify { 'y': alias => 'q' }",
            "package { 'x': name => 'vim', provider => gem } package { 'vim': }",
            "exec { 'x': command => '/bin/x' } exec { '/bin/x': }",
            "if $facts['x'] { notify { 'x': alias => 'q' } } else { notify { 'q': } }",
        ] {
            let code = format!("class m {{ {code} }}");
            assert_eq!(reported(&DUPLICATE_RESOURCE, &code), [""; 0], "{code}");
        }
    }

    #[test]
    fn reports_what_two_included_classes_declare() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::a include m::b }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { m::d { 'x': } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { ['x', 'y'].each |$it| { file { \"/${it}\": } } }\n\
                    //- modules/m/manifests/c.pp\nclass m::c { include m }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { file { \"/${title}\": } }\n";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`m::a`: duplicate declaration: `File['/x']` is declared by `m::b` and `m::d`"]
        );
    }

    #[test]
    fn reports_both_declarations_that_their_module_combines() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::a include m::b }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { notify { 'x': } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { notify { 'x': } }\n\
                    //- modules/n/manifests/init.pp\nclass n { include m::b include m::a }\n";
        let message = "`'x'`: duplicate declaration: `Notify['x']` is already declared";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [message; 2]);
        let elsewhere = code.replace("include m::a include m::b }", "include m::a }");
        let found = reported(&DUPLICATE_RESOURCE, &elsewhere);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("`m::a`: "), "{found:?}");
    }

    #[test]
    fn reports_both_declarations_that_a_control_repository_combines() {
        let site = |node: &str, own: &str, other: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ {node} }}\n\
                 //- modules/role/manifests/init.pp\nclass role {{ include profile::a include profile::b }}\n\
                 //- modules/profile/manifests/a.pp\nclass profile::a {{ {own} }}\n\
                 //- modules/profile/manifests/b.pp\nclass profile::b {{ {other} }}\n\
                 //- modules/d/manifests/init.pp\ndefine d ($path) {{ file {{ $path: }} }}\n\
                 //- modules/d/manifests/all.pp\ndefine d::all {{ d {{ $title: path => '/x' }} }}\n"
            );
            reported(&DUPLICATE_RESOURCE, &code)
        };
        let message = "duplicate declaration: `File['/x']` is already declared";
        let loop_ = "['/x'].each |$it| { file { $it: } }";
        for node in ["include role", "", "include profile::a include profile::b"] {
            assert_eq!(
                site(node, "file { '/x': }", loop_),
                [format!("`'/x'`: {message}"), format!("`$it:`: {message}")],
                "{node}"
            );
        }
        let declared = "duplicate declaration: `File['/x']` is declared by `profile::a` and `d`";
        assert_eq!(
            site("include role", "file { '/x': }", "d { 'a': path => '/x' }"),
            [
                format!("`'/x'`: {message}"),
                format!("`'a': path => '/x'`: {declared}")
            ]
        );
        let declared = "duplicate declaration: `File['/x']` is declared twice by `d`";
        assert_eq!(
            site(
                "include role",
                "d { 'a': path => '/y'; 'b': path => '/x' }",
                "d { 'c': path => '/x' }"
            ),
            [
                format!("`'b': path => '/x'`: {declared}"),
                format!("`'c': path => '/x'`: {declared}")
            ]
        );
        assert_eq!(
            site("include role", "file { '/y': }", "d { 'a': path => '/x' }"),
            [""; 0]
        );
    }

    #[test]
    fn reports_what_is_declared_twice_with_default_parameters() {
        let code = "class m($x = undef) { if $x { $user = 'b' } else { $user = 'a' } user { $user: } \
                    include m::b }\nclass m::b { user { 'a': } }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`$user:`: duplicate declaration: `User['a']` is already declared"]
        );
    }

    #[test]
    fn reports_defined_types_of_two_classes_that_include_each_other() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::z }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { notify { 'same': } }\n\
                    //- modules/m/manifests/z.pp\nclass m::z { include m m::d { ['a', 'b']: } }\n";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`'same'`: duplicate declaration: `Notify['same']` is already declared"]
        );
    }

    #[test]
    fn new_versions_of_ensure_packages_accept_packages_that_are_present() {
        let code = |function: &str, ensure: &str| {
            format!(
                "//- modules/stdlib/lib/puppet/functions/ensure_packages.rb\n\
                 Puppet::Functions.create_function(:ensure_packages) do\n{function}\nend\n\
                 //- modules/m/manifests/init.pp\nclass m {{ package {{ 'x': ensure => {ensure} }} \
                 ensure_packages('x') }}\n"
            )
        };
        assert_eq!(reported(&DUPLICATE_RESOURCE, &code("", "present")).len(), 1);
        let new = "defaults = { 'ensure' => 'installed' }\n\
                   call_function('defined_with_params', 'Package[x]', { 'ensure' => 'present' })";
        for ensure in ["present", "installed"] {
            assert_eq!(reported(&DUPLICATE_RESOURCE, &code(new, ensure)), [""; 0]);
        }
    }

    #[test]
    fn old_versions_of_ensure_packages_prefer_present() {
        let check = |ensure: &str, call: &str| {
            let code = format!(
                "//- modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb\n\
                 Puppet::Parser::Functions.newfunction(:ensure_packages) do |arguments|\n\
                 defaults = {{ 'ensure' => 'present' }}\nend\n\
                 //- modules/m/manifests/init.pp\nclass m {{ package {{ 'x': ensure => {ensure} }} {call} }}\n"
            );
            reported(&DUPLICATE_RESOURCE, &code).len()
        };
        assert_eq!(check("present", "ensure_packages(['x'])"), 0);
        let installed = "ensure_packages(['x'], { 'ensure' => 'installed' })";
        assert_eq!(check("present", installed), 0);
        assert_eq!(check("installed", "ensure_packages(['x'])"), 1);
    }

    #[test]
    fn reports_packages_that_two_calls_ensure_differently() {
        let check = |call: &str| {
            let code = format!(
                "//- modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb\n\n\
                 //- modules/m/manifests/init.pp\nclass m {{ ensure_packages(['x']) {call} }}\n"
            );
            reported(&DUPLICATE_RESOURCE, &code).len()
        };
        assert_eq!(check("ensure_packages(['x'], { 'ensure' => 'purged' })"), 1);
        assert_eq!(
            check("ensure_packages({ 'x' => { 'ensure' => 'latest' } })"),
            1
        );
        assert_eq!(
            check("ensure_packages(['x'], { 'ensure' => 'present' })"),
            0
        );
        assert_eq!(check("ensure_packages(['x'], { 'provider' => 'gem' })"), 0);
    }

    #[test]
    fn reports_resources_of_hashes_that_calls_ensure() {
        let check = |declared: &str, call: &str| {
            let code = format!(
                "//- modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb\n\n\
                 //- modules/stdlib/lib/puppet/parser/functions/ensure_resources.rb\n\n\
                 //- modules/m/manifests/init.pp\nclass m {{ {declared} {call} }}\n"
            );
            reported(&DUPLICATE_RESOURCE, &code).len()
        };
        let user = "user { 'u': uid => 1, shell => '/bin/sh' }";
        let call = |own: &str, common: &str| format!("ensure_resources('user', {own}{common})");
        assert_eq!(check(user, &call("{ 'u' => { 'uid' => 2 } }", "")), 1);
        assert_eq!(check(user, &call("{ 'u' => { 'uid' => 1 } }", "")), 0);
        assert_eq!(check(user, &call("{ 'u' => {} }", ", { 'uid' => 2 }")), 1);
        assert_eq!(
            check(user, &call("{ 'u' => { 'uid' => 1 } }", ", { 'uid' => 2 }")),
            0
        );
        assert_eq!(check(user, &call("{ 'v' => { 'uid' => 1 } }", "")), 0);
        // The own attributes of a package are not replaced.
        let packages = "ensure_packages({ 'x' => { 'ensure' => 'present' } })";
        let package = |ensure: &str| format!("package {{ 'x': ensure => {ensure} }}");
        assert_eq!(check(&package("latest"), packages), 1);
        assert_eq!(check(&package("installed"), packages), 1);
        assert_eq!(check(&package("present"), packages), 0);
    }

    #[test]
    fn reports_classes_that_another_one_includes_before() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::a include m::b }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { include m::c }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { class { 'm::c': x => 2 } }\n\
                    //- modules/m/manifests/c.pp\nclass m::c ($x = 1) { notice($x) }\n";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`'m::c': x => 2`: duplicate declaration: `Class['m::c']` is already declared"]
        );
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::c class { 'm::c': x => 2 } }\n\
                    //- modules/m/manifests/c.pp\nclass m::c ($x = 1) { notice($x) }\n";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`'m::c'`: duplicate declaration: `Class['m::c']` is already declared"]
        );
    }

    #[test]
    fn reports_declarations_after_ensure_packages() {
        let code = |body: &str| {
            format!(
                "//- modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb\n\n\
                 //- modules/m/manifests/init.pp\nclass m {{ {body} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ ensure_packages(['x']) }}\n"
            )
        };
        let found = reported(&DUPLICATE_RESOURCE, &code("include m::a package { 'x': }"));
        assert_eq!(
            found,
            ["`'x'`: duplicate declaration: `Package['x']` is already declared"]
        );
        for body in [
            "package { 'x': ensure => installed } include m::a",
            "include m::a ensure_packages(['x'], { 'provider' => 'gem' })",
        ] {
            assert_eq!(
                reported(&DUPLICATE_RESOURCE, &code(body)),
                [""; 0],
                "{body}"
            );
        }
    }

    #[test]
    fn reports_names_that_two_resources_have() {
        let code = "class m { file { '/x': } file { 'y': path => '/x' } user { 'a': name => 'root' } \
                    user { 'root': } $z = 'c' service { 'b': name => $z } service { 'd': name => 'c' } }";
        let end = "is already declared";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            [
                format!("`'y'`: duplicate declaration: `File['/x']` {end}"),
                format!("`'root'`: duplicate declaration: `User['root']` {end}"),
                format!("`'d'`: duplicate declaration: `Service['c']` {end}"),
            ]
        );
    }

    #[test]
    fn ignores_names_that_two_resources_may_have() {
        let code = "class m ($x) { exec { 'a': command => '/x' } exec { 'b': command => '/x' } \
                    package { 'a': name => 'x' } package { 'b': name => 'x', provider => gem } \
                    file { '/y': path => '/y' } \
                    user { 'c': name => $x } user { 'd': name => $x } }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
    }

    #[test]
    fn the_parent_that_declares_a_class_may_be_evaluated_before() {
        let module = "//- modules/m/manifests/init.pp\nclass m { class { 'm::config': } }\n\
                      //- modules/m/manifests/config.pp\nclass m::config inherits m { }\n\
                      //- modules/m/manifests/other.pp\nclass m::other { include m::config }\n\
                      //- modules/m/manifests/share.pp\ndefine m::share { include m::config }\n\
                      //- manifests/site.pp\n";
        let code = format!("{module}class {{ 'm': }}\nm::share {{ 'x': }}\ninclude m::other\n");
        assert_eq!(reported(&DUPLICATE_RESOURCE, &code), [""; 0]);
        let code = format!("{module}include m::config\n");
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, &code),
            [
                "`include m::config`: duplicate declaration: `Class['m::config']` is already declared"
            ]
        );
    }

    #[test]
    fn ignores_other_branches_and_guarded_declarations() {
        let code = "class m ($x) { if $x { file { '/a': } } else { file { '/a': } } \
                    user { '/a': } unless defined(User['/a']) { user { '/a': } } }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
    }

    #[test]
    fn ignores_branches_that_end_the_class() {
        let code = "class m (Boolean $x) { unless $x { file { '/a': } return() } file { '/a': } }";
        assert_eq!(reported(&DUPLICATE_RESOURCE, code), [""; 0]);
        let code = "class m (Boolean $x) { if $x { file { '/a': } } file { '/a': } return() }";
        assert_eq!(
            reported(&DUPLICATE_RESOURCE, code),
            ["`'/a'`: duplicate declaration: `File['/a']` is already declared"]
        );
    }
}
