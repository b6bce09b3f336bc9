use catalog::{ClassProblem, ProblemKind};
use hir::body::{Body, ReferenceName, Resource, ResourceForm, body};
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, signature};
use library::KnownFunction;
use rustc_hash::FxHashMap;
use syntax::ast::{AstNode, AttributeOperation, Expr, ResourceOverride};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::{blamed, confirmed, is_complete_catalog, own_problems, report};
use crate::findings::item_findings;
use crate::index::possible_titles::is_mentioned;
use crate::rule::{Check, Rule, declare_rule};
use crate::wording::reference;

declare_rule! {
    /// Reports overrides of resources that the class does not inherit.
    ///
    /// ## What it does
    ///
    /// Checks overrides such as `File['/a'] { … }`. A class may override attributes of resources
    /// that a class it inherits from declares, and add attributes to its own resources. It can
    /// neither set an attribute of its own resource again nor change the resources of other
    /// classes. Also reports options such as `default => …` after a value without `?`, which make an override instead of
    /// a selector.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Parameter … is already set*, *Only subclasses can override parameters* or
    /// *Could not find resource … for overriding*. A collector with attributes, as in
    /// `File <| title == '/a' |> { … }`, may change any resource.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include example::files
    ///   service { 'example': ensure => running }
    ///   Service['example'] { ensure => stopped } # <-
    ///   File['/etc/example'] { mode => '0600' } # <-
    /// }
    /// # file: manifests/files.pp
    /// class example::files {
    ///   file { '/etc/example': mode => '0644' }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example inherits example::files {
    ///   service { 'example': ensure => running }
    ///   Service['example'] { enable => true }
    ///   File['/etc/example'] { mode => '0600' }
    /// }
    /// # file: manifests/files.pp
    /// class example::files {
    ///   file { '/etc/example': mode => '0644' }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Titles that are not constant, and ancestors that declare resources with such titles.
    /// * Code that calls functions which may declare resources in its name.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended class or attribute is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[invalid-override]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// invalid-override = "off"
    /// ```
    pub(crate) static INVALID_OVERRIDE = {
        code: "invalid-override",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Item(check),
            Check::Node(&[SyntaxKind::RESOURCE_OVERRIDE], check_options),
            Check::Compiled(check_compiled),
        ],
    }
}

/// The options of a selector that no attribute is named after.
const OPTIONS: [&str; 2] = ["default", "undef"];

/// Reports the options of a selector without `?`: Puppet takes them for attributes.
fn check_options(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let change = ResourceOverride::cast(node.clone());
    let Some((change, resources)) = change.and_then(|it| Some((it.clone(), it.resources()?)))
    else {
        return;
    };
    let Expr::AccessExpr(access) = &resources else {
        return;
    };
    let is_option = |it: AttributeOperation| match it {
        AttributeOperation::Attribute(it) => {
            let name = it.name_token();
            name.is_some_and(|it| OPTIONS.contains(&it.text()))
        }
        AttributeOperation::AttributeSplat(_) => false,
    };
    if matches!(access.base(), Some(Expr::VariableExpr(_))) && change.operations().any(is_option) {
        let message = "expected `?` between a value and the options of a selector".to_owned();
        checker.report(&INVALID_OVERRIDE, resources.syntax().text_range(), message);
    }
}

/// The maximum number of ancestors that are looked at.
const MAX_ANCESTORS: usize = 20;

fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    let of_form = |form| body.resources.iter().filter(move |it| it.form == form);
    let mut changes = of_form(ResourceForm::Override)
        .filter(|it| it.type_.as_deref() != Some("class"))
        .peekable();
    if changes.peek().is_none() {
        return;
    }
    let mut declared = Declared::default();
    for resource in of_form(ResourceForm::Declaration) {
        let titles = resource.titles.iter().map(|it| it.text.as_str());
        for title in titles {
            let key = (resource.type_.as_deref(), title);
            declared.entry(key).or_default().push(resource);
        }
    }
    for change in changes {
        check_override(checker, change, &declared);
    }
}

/// The declarations of an item by their types and titles.
type Declared<'a> = FxHashMap<(Option<&'a str>, &'a str), Vec<&'a Resource>>;

/// Reports an override that Puppet refuses in the catalog of the class or node.
fn check_compiled<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let (message, other) = match &problem.kind {
        ProblemKind::ForeignOverride(key) => (
            format!(
                "cannot override `{}`: another class declares it, and only its subclasses may",
                key
            ),
            "declared here",
        ),
        ProblemKind::RepeatedOverride(key, name) => (
            format!("attribute `{name}` of `{}` is already set", key),
            "first set here",
        ),
        _ => return,
    };
    let (range, place) = blamed(checker, problem);
    if checker.has_reported(&INVALID_OVERRIDE, range)
        || is_reported_in_defined_type(checker, problem)
    {
        return;
    }
    let label = |index| if index == 1 { other } else { "overridden here" };
    report(
        checker,
        &INVALID_OVERRIDE,
        problem,
        (range, place),
        message,
        label,
    );
}

/// Checks whether the override is in a defined type, and reported there.
fn is_reported_in_defined_type(checker: &Checker<'_>, problem: &ClassProblem) -> bool {
    let db = checker.db;
    let place = problem.blamed_place().and_then(|it| located(db, it));
    let is_defined_type = |it: Item<'_>| it != checker.item && it.kind(db) == ItemKind::DefinedType;
    let Some((item, range)) = place.filter(|it| is_defined_type(it.0)) else {
        return false;
    };
    let mut found = item_findings(db, item).iter();
    found.any(|it| it.is_at(&INVALID_OVERRIDE, range))
}

fn check_override(checker: &mut Checker<'_>, change: &Resource, declared: &Declared<'_>) {
    let Some(type_) = change.type_.as_deref() else {
        return;
    };
    for title in &change.titles {
        let body = checker.body;
        let declared = declared.get(&(Some(type_), title.text.as_str()));
        let resource = reference(type_, &title.text);
        match declared.map_or(&[][..], |it| it) {
            [own] if body.is_within(change.branch, own.branch) => {
                check_again(checker, own, change, &resource);
            }
            [] if lacks(checker, type_, &title.text) => {
                let message =
                    format!("`{resource}` is not declared by this class or its ancestors");
                checker.report(&INVALID_OVERRIDE, title.range, message);
            }
            _ => {}
        }
    }
}

/// Checks whether neither the item nor a class that it inherits from declares a resource.
fn lacks(checker: &Checker<'_>, type_: &str, title: &str) -> bool {
    let lacks = match may_inherit(checker) {
        true => lacks_in_ancestors(checker, type_, title),
        false => !may_declare(checker, type_),
    };
    lacks || is_undeclared(checker, type_, title)
}

/// Checks whether the compilation of the class does not find a resource that no other code mentions.
fn is_undeclared(checker: &Checker<'_>, type_: &str, title: &str) -> bool {
    let problems = own_problems(checker);
    let is_it = |it: &ClassProblem| match &it.kind {
        ProblemKind::UndeclaredResource(key) => {
            key.type_name.to_lowercase() == type_ && key.title == title
        }
        _ => false,
    };
    // No other code adds to the catalog of a node.
    let is_whole = |it: &CompiledProblem<'_>| is_complete_catalog(checker.db, it.definition);
    let is_meant = |it: &CompiledProblem<'_>| {
        is_whole(it) || !is_mentioned(checker.db, checker.environment, type_, title)
    };
    let mut found = problems.iter().filter(|it| is_it(it));
    found.any(|it| is_meant(it) && confirmed(checker, it).is_some())
}

/// Reports attributes of an override that the declaration sets as well.
fn check_again(checker: &mut Checker<'_>, own: &Resource, change: &Resource, resource: &str) {
    for attribute in &change.attributes {
        let mut earlier = own.attributes.iter();
        let earlier = earlier.find(|it| it.name == attribute.name);
        if let Some(first) = earlier {
            let message = format!(
                "attribute `{}` of `{resource}` is already set",
                attribute.name
            );
            checker.report(&INVALID_OVERRIDE, attribute.range, message);
            checker.relate(checker.item, first.range, "first set here");
        }
    }
}

/// Checks whether the item may override resources of others.
fn may_inherit(checker: &Checker<'_>) -> bool {
    match checker.item.kind(checker.db) {
        ItemKind::Class => signature(checker.db, checker.item).inherits.is_some(),
        ItemKind::DefinedType => false,
        _ => true,
    }
}

/// Checks whether a class and the classes that it inherits from are known, and declare no such resource.
fn lacks_in_ancestors(checker: &Checker<'_>, type_: &str, title: &str) -> bool {
    let mut item = checker.item;
    if item.kind(checker.db) != ItemKind::Class {
        return false;
    }
    for _ in 0..MAX_ANCESTORS {
        let body = body(checker.db, item);
        let declares = |it: &Resource| {
            let is_type = it.type_.as_deref() == Some(type_);
            let is_declared = it.form == ResourceForm::Declaration && is_type;
            is_declared && it.titles.iter().any(|it| it.text == title)
        };
        if may_declare_in(checker, body, type_) || body.resources.iter().any(declares) {
            return false;
        }
        let Some(parent) = &signature(checker.db, item).inherits else {
            return true;
        };
        match resolve::class(checker.db, Some(checker.environment), parent) {
            Ok(Definition::Item(parent)) => item = parent,
            _ => return false,
        }
    }
    false
}

/// Checks whether the item may declare resources of a type with titles that are not literals.
fn may_declare(checker: &Checker<'_>, type_: &str) -> bool {
    may_declare_in(checker, checker.body, type_)
}

fn may_declare_in(checker: &Checker<'_>, body: &Body, type_: &str) -> bool {
    let mut declared = body.resources.iter();
    let is_open = |it: &Resource| {
        let is_type = it.type_.as_deref().is_none_or(|it| it == type_);
        it.form == ResourceForm::Declaration && is_type && !it.has_only_literal_titles
    };
    let mut references = body.references.iter();
    body.incomplete
        || declared.any(is_open)
        || references.any(|it| match &it.name {
            ReferenceName::Function(name) => {
                KnownFunction::from_name(name) == Some(KnownFunction::CreateResources)
                    || library::function(name, checker.version()).is_none()
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use super::INVALID_OVERRIDE;
    use crate::testing::reported;

    #[test]
    fn reports_attributes_that_are_set_again() {
        let code = "class m ($x) { file { '/a': mode => '1', owner => $x } \
                    File['/a'] { mode => '2', owner => 'b', group => 'c' } }";
        assert_eq!(
            reported(&INVALID_OVERRIDE, code),
            [
                "`mode`: attribute `mode` of `File['/a']` is already set",
                "`owner`: attribute `owner` of `File['/a']` is already set",
            ]
        );
    }

    #[test]
    fn reports_options_without_a_question_mark() {
        let code = "class m ($h) { $t = $h['a'] { undef => 'x', default => $h['a'] } }";
        assert_eq!(
            reported(&INVALID_OVERRIDE, code),
            ["`$h['a']`: expected `?` between a value and the options of a selector"]
        );
        let code = "class m ($type) { $type['a'] { mode => '1' } }";
        assert_eq!(reported(&INVALID_OVERRIDE, code), [""; 0]);
    }

    #[test]
    fn reports_resources_of_other_classes() {
        let code =
            "class m { include m::a File['/a'] { mode => '2' } }\nclass m::a { file { '/a': } }";
        assert_eq!(
            reported(&INVALID_OVERRIDE, code),
            ["`'/a'`: `File['/a']` is not declared by this class or its ancestors"]
        );
    }

    #[test]
    fn ignores_resources_that_may_be_its_own() {
        let code = "class m ($x) inherits m::a { File['/a'] { mode => '2' } }\n\
                    class m::a { create_resources('file', {}) File['/b'] { mode => '1' } }\n\
                    class m::b ($x) { file { $x: } File['/b'] { mode => '1' } }\n\
                    class m::c ($x) { if $x { file { '/b': mode => '1' } } \
                    else { file { '/b': } } File['/b'] { mode => '1' } }";
        assert_eq!(reported(&INVALID_OVERRIDE, code), [""; 0]);
    }

    #[test]
    fn reports_overrides_that_the_catalog_refuses() {
        let classes = "//- modules/m/manifests/a.pp\nclass m::a { file { '/a': mode => '1' } }\n\
                       //- modules/m/manifests/b.pp\nclass m::b inherits m::a { File['/a'] { mode => '2' } }\n\
                       //- modules/m/manifests/c.pp\nclass m::c inherits m::a { File['/a'] { mode => '3' } }\n\
                       //- modules/m/manifests/d.pp\nclass m::d inherits m::b { File['/a'] { mode => '4' } }\n\
                       //- modules/m/manifests/e.pp\nclass m::e inherits m::a { File['/a'] { owner => 'x' } }\n";
        let of = |body: &str| {
            let code = format!("{classes}//- modules/m/manifests/init.pp\nclass m {{ {body} }}\n");
            reported(&INVALID_OVERRIDE, &code).len()
        };
        assert_eq!(of("include m::b include m::c"), 1);
        assert_eq!(of("include m::b include m::d include m::e"), 0);
        assert_eq!(
            of("include m::a File <| title == '/a' |> { mode => '5' }"),
            0
        );
        let node = format!(
            "{classes}//- manifests/site.pp\nnode 'n' {{ include m::a File['/a'] {{ mode => '2' }} }}\n"
        );
        let found = reported(&INVALID_OVERRIDE, &node);
        assert_eq!(
            found,
            [
                "`File['/a']`: cannot override `File['/a']`: another class declares it, and only its subclasses may"
            ]
        );
    }
}
