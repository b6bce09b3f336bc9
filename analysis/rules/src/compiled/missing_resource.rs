//! The resources that code refers to and that no code declares.

use base::suggest::{self, is_slip};
use std::collections::BTreeSet;

use base::{ModuleInput, ModuleOrigin};
use catalog::{ClassProblem, ProblemKind, ResourceKey, class_problems};
use hir::autoload::NameKey;
use hir::body::ReferenceName;
use hir::declared_resources::{declared_resources, resources_declared_in};
use hir::resolve::{self, Definition, ResolveError, missing_modules};
use hir::{canonical_name, is_site};
use infer::has_data_elsewhere;
use rustc_hash::FxHashSet;
use syntax::ast::{AccessExpr, AstNode, ResourceOverride};
use syntax::{SyntaxKind, TextRange};

use super::is_complete_catalog;
use super::problem::CompiledProblem;
use super::roles::{is_mentioned_in_own_catalog, is_missing_with_role};
use super::users::all_users;
use crate::checker::Checker;
use crate::compiled::compiled;
use crate::fixes::node_at;
use crate::index::possible_titles::{is_mentioned, is_of_module};
use crate::index::virtual_resources::{self, Resources, is_selected};

/// The minimum length of a title. Shorter ones are similar to too many others.
const MIN_LENGTH: usize = 4;

/// A resource that is referred to and does not exist.
pub(crate) struct Missing<'p> {
    pub(crate) key: &'p ResourceKey,
    pub(crate) message: String,
    /// The title of a similar resource.
    pub(crate) near: Option<String>,
    /// Whether data or a module that is not in the workspace, or the classification of nodes, may declare it.
    pub(crate) is_uncertain: bool,
}

/// Checks whether no code adds a missing resource to the catalog of the definition with the problem.
pub(crate) fn is_missing_in_catalog<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
) -> bool {
    let (db, environment, definition) = (checker.db, checker.environment, problem.definition);
    let is_complete = is_complete_catalog(db, definition)
        || is_missing_with_role(db, environment, definition, &problem.kind);
    is_complete
        && match &problem.kind {
            ProblemKind::UnlikelyResource(it) => {
                !is_mentioned_in_own_catalog(db, environment, definition, it)
            }
            _ => true,
        }
}

/// Returns the resource that a problem is about. If the item is a whole catalog, no other code adds to it.
pub(crate) fn missing_resource<'p>(
    checker: &Checker<'_>,
    problem: &'p ClassProblem,
    is_whole: bool,
) -> Option<Missing<'p>> {
    match &problem.kind {
        ProblemKind::UndeclaredResource(key) | ProblemKind::UnlikelyResource(key) => {
            let declaration = match &problem.kind {
                _ if is_whole => Declaration::Impossible,
                ProblemKind::UndeclaredResource(_) => possible_declaration(checker, key),
                _ => Declaration::Possible,
            };
            let near = match declaration {
                Declaration::Possible => return None,
                _ => similar_resource(checker, key),
            };
            let message = format!("unknown resource `{key}`");
            Some(Missing {
                key,
                message: message + &suggest::hint(near.as_deref()),
                is_uncertain: declaration == Declaration::Elsewhere && near.is_none(),
                near,
            })
        }
        ProblemKind::UnrealizedResource(key) if is_whole || !is_realized(checker, key) => {
            Some(Missing {
                key,
                message: format!("resource `{}` is virtual and never realized", key),
                near: None,
                is_uncertain: false,
            })
        }
        _ => None,
    }
}

/// Returns the title of a resource that is one edit away from a missing one. The modules of the classes that are
/// compiled with the item declare it.
fn similar_resource(checker: &Checker<'_>, key: &ResourceKey) -> Option<String> {
    let (db, environment) = (checker.db, checker.environment);
    let type_ = canonical_name(&key.type_name);
    if type_ == "class" {
        return None;
    }
    let classes = compiled(db, environment, checker.item)?.classes.iter();
    let classes = classes.filter_map(|it| match resolve::class(db, Some(environment), it) {
        Ok(Definition::Item(class)) => class.file(db).module(db),
        _ => None,
    });
    let own = checker.item.file(db).module(db);
    let modules: FxHashSet<ModuleInput> = own.into_iter().chain(classes).collect();
    let of_modules = modules.iter().map(|it| resources_declared_in(db, *it));
    let of_file = declared_resources(db, checker.item.file(db));
    similar_title(of_modules.chain([of_file]), &type_, &key.title)
}

/// Returns the title of a resource of a type that is one edit away from another title.
pub(crate) fn similar_title<'a>(
    declared: impl IntoIterator<Item = &'a BTreeSet<(String, String)>>,
    type_: &str,
    title: &str,
) -> Option<String> {
    let first = (type_.to_owned(), String::new());
    let all = declared.into_iter().flat_map(|it| it.range(&first..));
    let mut titles = all.take_while(|it| it.0 == type_).map(|it| &it.1);
    titles
        .find(|it| *it != title && is_slip_of(title, it))
        .cloned()
}

/// Whether a resource that a class does not declare may be a part of its catalogs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declaration {
    /// Code or data of the environment may declare it.
    Possible,
    /// Only data or a module that is not in the workspace, or the classification of nodes, may declare it.
    Elsewhere,
    Impossible,
}

/// Checks whether code or data of the environment may declare a resource.
fn possible_declaration(checker: &Checker<'_>, key: &ResourceKey) -> Declaration {
    let (db, environment) = (checker.db, checker.environment);
    let is_class = key.type_name == "Class";
    let title = match is_class {
        true => canonical_name(&key.title),
        false => key.title.clone(),
    };
    let is_mentioned_as = |name: &str| is_mentioned(db, environment, &key.type_name, name);
    let is_mentioned = is_mentioned_as(&title);
    if is_class {
        return possible_inclusion(checker, &title, is_mentioned_as);
    }
    let resource = Resources::new(&key.type_name, Some(&title));
    let may_be_declared = || virtual_resources::may_be_declared(db, environment, &resource, true);
    match (is_mentioned, has_data_elsewhere(db, environment)) {
        (true, _) if may_be_declared() => Declaration::Possible,
        (false, true) if may_be_declared() => Declaration::Elsewhere,
        (false, _) if is_of_missing_module(checker, &title) => Declaration::Elsewhere,
        (false, _) if is_open_in_users(checker, key) => Declaration::Elsewhere,
        _ => Declaration::Impossible,
    }
}

/// Checks whether a title contains the name of a module that is declared but not installed.
fn is_of_missing_module(checker: &Checker<'_>, title: &str) -> bool {
    let missing = missing_modules(checker.db, checker.environment);
    missing.iter().any(|it| is_of_module(title, it))
}

/// Checks whether a definition that uses this one, and thus has a larger catalog, may declare resources of the type with
/// any title, such as those of a parameter.
fn is_open_in_users(checker: &Checker<'_>, key: &ResourceKey) -> bool {
    let (db, environment) = (checker.db, checker.environment);
    let type_ = canonical_name(&key.type_name);
    let users = all_users(db, environment, checker.item).into_iter();
    let mut catalogs = users.filter_map(|it| compiled(db, environment, it));
    catalogs.any(|it| it.open_types.contains(&type_))
}

/// Checks whether code or data of the environment may include a class.
fn possible_inclusion(
    checker: &Checker<'_>,
    title: &str,
    is_mentioned: impl Fn(&str) -> bool,
) -> Declaration {
    let (db, environment) = (checker.db, checker.environment);
    let class = match resolve::class(db, Some(environment), title) {
        Ok(Definition::Item(class)) => class,
        Err(ResolveError::NotDefined) => return Declaration::Impossible,
        _ => return Declaration::Possible,
    };
    let own = canonical_name(checker.item.name(db));
    // Code refers to the class that leads to it.
    let including = class_problems(db, environment, NameKey::new(db, title.to_owned()));
    if including.includes(checker.item.kind(db), &own) {
        return Declaration::Possible;
    }
    let is_site = is_site(db, environment);
    // The users of a module combine its classes, unless one of them is a part of another.
    let is_combined = || !is_site && !title.starts_with(&format!("{own}::")) && !is_mentioned(&own);
    if is_mentioned(title)
        || is_mentioned(&format!("::{title}"))
        || own.starts_with(&format!("{title}::"))
        || is_combined()
    {
        return Declaration::Possible;
    }
    let module = class.file(db).module(db);
    if module.is_some() && module == checker.item.file(db).module(db) {
        return Declaration::Impossible;
    }
    let is_of_workspace = module.is_some_and(|it| it.origin(db) == ModuleOrigin::Workspace);
    match is_site && is_of_workspace {
        true => Declaration::Elsewhere,
        false => Declaration::Possible,
    }
}

/// Checks whether a collector or `realize` may make a virtual resource real.
fn is_realized(checker: &Checker<'_>, key: &ResourceKey) -> bool {
    let resources = Resources::new(&key.type_name, Some(&key.title));
    is_selected(checker.db, checker.environment, &resources, None)
}

/// How many separators a misspelled title may have more or less than the declared one.
const MAX_SEPARATORS: usize = 4;

/// Checks whether a title is one edit away from a declared one, or has the same letters and digits in another case or with
/// other separators. Different digits are intentional.
pub(crate) fn is_slip_of(title: &str, declared: &str) -> bool {
    let digits = |it: &str| it.chars().filter(char::is_ascii_digit).collect::<String>();
    let is_near = is_slip(title, declared) && digits(title) == digits(declared);
    title.chars().count() >= MIN_LENGTH && (is_near || has_same_letters(title, declared))
}

/// Checks whether two different titles have the same letters and digits, except for their case.
fn has_same_letters(title: &str, declared: &str) -> bool {
    let is_separator = |it: &char| matches!(it, ' ' | '-' | '_');
    let letters = |it: &'_ str| {
        let kept = it.chars().filter(|it| !is_separator(it));
        kept.flat_map(char::to_lowercase).collect::<String>()
    };
    title != declared
        && title.len().abs_diff(declared.len()) <= MAX_SEPARATORS
        && letters(title) == letters(declared)
}

/// Returns the reference to a resource in an attribute, a call, or on a side of an arrow.
pub(crate) fn reference_in(
    checker: &Checker<'_>,
    range: TextRange,
    resource: &ResourceKey,
) -> Option<TextRange> {
    let root = checker.root();
    let at = root.covering_element(range);
    let arrow = at
        .ancestors()
        .find(|it| it.kind() == SyntaxKind::RELATIONSHIP);
    let is_arrow = at.as_token().is_some();
    let range = arrow
        .filter(|_| is_arrow)
        .map_or(range, |it| it.text_range());
    let type_name = resource.type_name.to_lowercase();
    let wanted = match type_name.as_str() {
        "class" => canonical_name(&resource.title),
        _ => resource.title.clone(),
    };
    let mut inside = checker.body.references.iter();
    let found = inside.find(|it| {
        let is_wanted = match &it.name {
            ReferenceName::Title(type_, title) => *type_ == type_name && *title == wanted,
            ReferenceName::Class(name, _) => type_name == "class" && *name == wanted,
            _ => false,
        };
        is_wanted && range.contains_range(it.range)
    });
    found.map(|it| it.range)
}

/// Returns the only reference in a range whose title is computed and may be that of a resource.
pub(crate) fn computed_reference_in(
    checker: &Checker<'_>,
    range: TextRange,
    resource: &ResourceKey,
) -> Option<TextRange> {
    let root = checker.root();
    let inside = node_at(&root, range)?.descendants();
    let mut computed = inside.filter_map(AccessExpr::cast).filter(|it| {
        let base = it.base().map(|it| it.syntax().text().to_string());
        let is_of_type = base.is_some_and(|it| {
            let type_name = it.trim_start_matches("::");
            type_name.eq_ignore_ascii_case(&resource.type_name)
        });
        is_of_type && it.keys().iter().any(|it| it.plain_text().is_none())
    });
    let only = computed.next().filter(|_| computed.next().is_none());
    only.map(|it| it.syntax().text_range())
}

/// Checks whether another rule reports a name: that of a type, or of a class in code.
pub(crate) fn is_of_other_rule(
    checker: &Checker<'_>,
    resource: &ResourceKey,
    reference: Option<TextRange>,
) -> bool {
    let (db, environment) = (checker.db, Some(checker.environment));
    match canonical_name(&resource.type_name).as_str() {
        "class" => {
            let name = canonical_name(&resource.title);
            reference.is_some() && resolve::class(db, environment, &name).is_err()
        }
        type_ => resolve::resource_type(db, environment, type_).is_err(),
    }
}

/// Checks whether a range names the resources of an override, which have a rule of their own.
pub(crate) fn is_overridden(checker: &Checker<'_>, range: TextRange) -> bool {
    let root = checker.root();
    let mut around = root.covering_element(range).ancestors();
    let is_override = |it: &ResourceOverride| {
        let named = it.resources();
        named.is_some_and(|it| it.syntax().text_range().contains_range(range))
    };
    around
        .find_map(ResourceOverride::cast)
        .is_some_and(|it| is_override(&it))
}

#[cfg(test)]
mod tests {
    use super::is_slip_of;
    use crate::rules::UNKNOWN_REFERENCE;
    use crate::testing::{reported, severities};
    use syntax::Severity;

    #[test]
    fn reports_computed_resources_whose_attributes_are_read() {
        let code = |node: &str| {
            format!(
                "//- manifests/site.pp\nnode 'a' {{ {node} }}\n\
                 //- modules/m/manifests/init.pp\nclass m ($users = []) {{\n\
                 $users.each |$user| {{ m::home {{ $user: }} }} }}\n\
                 //- modules/m/manifests/home.pp\ndefine m::home {{ file {{ \"${{User[$name]['home']}}/a\": }} }}\n"
            )
        };
        let class = "class { 'm': users => ['b'] }";
        assert_eq!(
            reported(&UNKNOWN_REFERENCE, &code(class)),
            ["`User[$name]`: unknown resource `User['b']`"]
        );
        for node in [
            "include m",
            "user { 'b': home => '/b' } class { 'm': users => ['b'] }",
            "class { 'm': users => ['b'] } user { $x: home => '/b' }",
            "include $x class { 'm': users => ['b'] }",
        ] {
            assert_eq!(reported(&UNKNOWN_REFERENCE, &code(node)), [""; 0], "{node}");
        }
    }

    #[test]
    fn titles_from_data_elsewhere_may_be_any() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::base include m::git }\n\
                    //- modules/m/manifests/base.pp\n\
                    class m::base (Hash $all) { create_resources(package, $all) }\n\
                    //- modules/m/manifests/git.pp\n\
                    class m::git { notify { 'a': require => Package['git'] } }\n";
        assert_eq!(severities(&UNKNOWN_REFERENCE, code), [Severity::Hint]);
        let known = code.replace("$all)", "$all = { 'a' => {} })");
        assert_eq!(severities(&UNKNOWN_REFERENCE, &known), [Severity::Warning]);
    }

    #[test]
    fn finds_titles_with_the_same_letters() {
        for title in [
            "Initial DB setup",
            "initial-db-setup",
            "initialdb setup",
            "initial db setups",
        ] {
            assert!(is_slip_of(title, "initial db setup"), "{title}");
        }
        for title in ["initial setup", "initial db setup 2"] {
            assert!(!is_slip_of(title, "initial db setup"), "{title}");
        }
    }
}
