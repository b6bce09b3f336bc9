//! Variables of classes that the same code includes only later, or not at all.

use std::collections::BTreeSet;

use hir::autoload::{NameKey, find_item};
use hir::body::{ClassUse, Reference, ReferenceName, body};
use hir::evaluated_classes::evaluated_before;
use hir::{Item, ItemKind, is_site, signature};
use library::KnownFunction;
use syntax::TextSize;

use crate::checker::Checker;
use crate::fixes::node_at;
use crate::index::class_users::users_of;
use crate::index::possible_titles::is_mentioned_outside;

/// The maximum number of classes that are searched for one that includes another.
const MAX_CLASSES: usize = 100;

/// Returns the first statement that includes the class of a variable, if a class reads the variable before and
/// evaluates that class by no other means. Other classes may evaluate it.
pub(crate) fn included_later<'db>(
    checker: &Checker<'db>,
    reference: &Reference,
    class: Item<'_>,
) -> Option<&'db Reference> {
    let name = class.name(checker.db);
    if checker.item.kind(checker.db) != ItemKind::Class
        || class.kind(checker.db) != ItemKind::Class
        || !is_certain(reference)
        || *name == *checker.item.name(checker.db)
        || evaluated_before(checker.db, checker.item).contains(name)
    {
        return None;
    }
    let at = reference.range.start();
    let is_later = |it: &&Reference| {
        let declares =
            matches!(&it.name, ReferenceName::Class(it, ClassUse::Declared) if it == name);
        declares && it.range.start() > at && is_certain(it)
    };
    let later = checker.body.references.iter().find(is_later)?;
    (!may_evaluate_before(checker, name, at)).then_some(later)
}

/// Checks whether the main class of a module reads a variable of a class without parameters, such as `params`, that it
/// does not include, and neither do the classes that include it. Users of a module hardly include such a class. In an
/// environment with main manifests, its catalogs show whether the variable has a value.
pub(crate) fn is_never_included(
    checker: &Checker<'_>,
    reference: &Reference,
    class: Item<'_>,
) -> bool {
    let db = checker.db;
    let (own, name) = (checker.item.name(db), class.name(db));
    let module = checker.item.file(db).module(db);
    let Some(module) = module.filter(|it| **own == **it.name(db)) else {
        return false;
    };
    if !is_certain(reference)
        || name.split("::").next() != Some(own.as_str())
        || own == name
        || !signature(db, class).parameters.is_empty()
        || is_site(db, checker.environment)
    {
        return false;
    }
    let users = users_of(db, module, NameKey::new(db, own.clone())).iter();
    let users = users.filter(|it| it.0 == ItemKind::Class);
    let users = users.map(|it| it.1.clone());
    !may_evaluate_before(checker, name, checker.item.syntax(db).text_range().end())
        && !may_reach(checker, users.collect(), name)
        && !is_mentioned_outside(db, checker.environment, module, name)
}

/// Checks whether code runs whenever the item does.
fn is_certain(reference: &Reference) -> bool {
    reference.branch == 0 && reference.scope == 0 && !reference.guarded
}

/// Checks whether code of the item before a position, or of an ancestor, may evaluate a class.
fn may_evaluate_before(checker: &Checker<'_>, name: &str, at: TextSize) -> bool {
    let mut open = Vec::new();
    for reference in &checker.body.references {
        match &reference.name {
            ReferenceName::Class(it, ClassUse::Inherited) => open.push(it.clone()),
            ReferenceName::Class(it, ClassUse::Declared) if reference.range.start() < at => {
                open.push(it.clone());
            }
            ReferenceName::Function(function)
                if reference.range.start() < at
                    && may_include_computed(checker, reference, function) =>
            {
                return true;
            }
            _ => {}
        }
    }
    may_reach(checker, open, name)
}

/// Checks whether a call may evaluate classes whose names the code does not show.
fn may_include_computed(checker: &Checker<'_>, reference: &Reference, function: &str) -> bool {
    match KnownFunction::from_name(function) {
        Some(KnownFunction::Include | KnownFunction::Contain | KnownFunction::Require) => {
            let node = node_at(&checker.root(), reference.range);
            let mut around = node.iter().flat_map(|it| it.ancestors());
            let call = around.find(|it| {
                it.text_range() != reference.range
                    && it.text_range().contains_range(reference.range)
            });
            call.is_none_or(|call| {
                let mut names = checker.body.references.iter();
                !names.any(|it| {
                    matches!(it.name, ReferenceName::Class(_, ClassUse::Declared))
                        && call.text_range().contains_range(it.range)
                })
            })
        }
        Some(KnownFunction::CreateResources) => true,
        Some(_) => false,
        None => library::functions(checker.version()).all(|it| it.name != function),
    }
}

/// Checks whether evaluating classes may evaluate another.
fn may_reach(checker: &Checker<'_>, mut open: Vec<String>, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    while let Some(class) = open.pop() {
        if class == name {
            return true;
        }
        if !seen.insert(class.clone()) {
            continue;
        }
        let key = NameKey::new(checker.db, class);
        let found = find_item(checker.db, checker.environment, ItemKind::Class, key);
        let Some(item) = found.filter(|_| seen.len() <= MAX_CLASSES) else {
            return true;
        };
        for reference in &body(checker.db, item).references {
            if let ReferenceName::Class(it, ClassUse::Declared | ClassUse::Inherited) =
                &reference.name
            {
                open.push(it.clone());
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::testing::reported;

    const OTHERS: &str = "class m::b ($v = 1) { }\nclass m::c { include m::b }\n\
                          class m::d { if $facts['x'] { include m::b } }\n";

    fn unknown_variables(code: &str) -> Vec<String> {
        reported(crate::rule("unknown-variable").expect("a rule"), code)
    }

    #[test]
    fn reports_variables_of_classes_that_are_included_later() {
        let wrong = "`$m::b::v`: variable `$m::b::v` is read before class `m::b` is included";
        for code in [
            "class m { notice($m::b::v) include m::b }",
            "class m ($p = $m::b::v) { notice($p) contain m::b }",
            "class m { notice($m::b::v) class { 'm::b': } }",
            "class m { include m::e $x = $m::b::v include m::b } class m::e { }",
        ] {
            let code = format!("{OTHERS}{code}");
            assert_eq!(unknown_variables(&code), [wrong], "{code}");
        }
    }

    #[test]
    fn reports_variables_of_classes_that_the_main_class_does_not_include() {
        let found = |class: &str, other: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\n{class}\n\
                 //- modules/m/manifests/params.pp\nclass m::params {{ $v = 1 }}\n\
                 //- modules/m/manifests/p.pp\nclass m::p ($v = 1) {{ }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a {{ {other} }}\n"
            );
            unknown_variables(&code)
        };
        let wrong = [
            "`$m::params::v`: unknown variable `$m::params::v`: class `m::params` is not included",
        ];
        let class = "class m ($x = $m::params::v) { notice($x) }";
        assert_eq!(found(class, ""), wrong);
        assert_eq!(
            found("class m { include m::a notice($m::params::v) }", ""),
            wrong
        );
        assert_eq!(found(class, "include m::params include m"), [""; 0]);
        let elsewhere = "//- modules/n/manifests/init.pp\nclass n { include m::params include m }";
        assert_eq!(found(&format!("{class}\n{elsewhere}"), ""), [""; 0]);
        let site = "//- manifests/site.pp\ninclude m::params include m";
        assert_eq!(found(&format!("{class}\n{site}"), ""), [""; 0]);
        for class in [
            "class m ($x = $m::params::v) inherits m::params { notice($x) }",
            "class m { include m::params notice($m::params::v) }",
            "class m { notice($m::p::v) }",
            "class m ($c) { include $c notice($m::params::v) }",
            "class m { if $facts['x'] { notice($m::params::v) } }",
        ] {
            assert_eq!(found(class, ""), [""; 0], "{class}");
        }
    }

    #[test]
    fn ignores_variables_of_classes_that_may_be_evaluated() {
        for code in [
            "class m { include m::b notice($m::b::v) }",
            "class m { notice($m::b::v) }",
            "class m inherits m::b { notice($m::b::v) include m::b }",
            "class m inherits m::d { notice($m::b::v) include m::b }",
            "class m { include m::c notice($m::b::v) include m::b }",
            "class m { include m::d notice($m::b::v) include m::b }",
            "class m ($names) { include $names notice($m::b::v) include m::b }",
            "class m { if defined(Class['m::b']) { notice($m::b::v) } include m::b }",
            "class m { m::f() notice($m::b::v) include m::b } function m::f() { include m::b }",
            "define m { notice($m::b::v) include m::b }",
        ] {
            let code = format!("{OTHERS}{code}");
            assert_eq!(unknown_variables(&code), [""; 0], "{code}");
        }
    }
}
