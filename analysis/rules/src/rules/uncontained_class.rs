use hir::body::{ClassUse, Reference, ReferenceName, ResourceForm, body};
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind};
use library::KnownFunction;
use salsa::Database;
use syntax::Fix;
use syntax::ast::{AstNode, CallExpr};

use crate::checker::{Checker, Resolution};
use crate::index::containment::{call_at, environment_containment};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports classes that a class or defined type declares, but does not contain, although others depend on it.
    ///
    /// ## What it does
    ///
    /// Looks for relationships with the class or defined type anywhere in the environment: arrows, `require` and the
    /// other metaparameters, and calls to `require`. They do not apply to the resources of classes that it declares
    /// with `include` or `class { … }`. This rule is off by default.
    ///
    /// ## Why it matters
    ///
    /// Resources that depend on the outer class do not wait for those of the inner class: Puppet may apply them
    /// earlier.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include example::install # <-
    /// }
    /// # file: manifests/install.pp
    /// class example::install {
    ///   package { 'example': ensure => installed }
    /// }
    /// # file: modules/other/manifests/init.pp
    /// class other {
    ///   exec { '/usr/bin/example --init': require => Class['example'] }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   contain example::install
    /// }
    /// # file: manifests/install.pp
    /// class example::install {
    ///   package { 'example': ensure => installed }
    /// }
    /// # file: modules/other/manifests/init.pp
    /// class other {
    ///   exec { '/usr/bin/example --init': require => Class['example'] }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Classes that have relationships of their own, such as `Class['example::install']` in an arrow, or a stage,
    ///   and classes that depend on the outer class themselves.
    /// * Classes that any code contains, and those that other code declares, too: containing them
    ///   in two classes can cause dependency cycles.
    /// * Classes without resources.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces `include` with `contain`, in classes.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[uncontained-class]` at the end of the line, or on a line of its own
    /// above it. To turn the rule on for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// uncontained-class = "warning"
    /// ```
    pub(crate) static UNCONTAINED_CLASS = {
        code: "uncontained-class",
        severity: Warning,
        default: off,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Class(name, ClassUse::Declared) = &reference.name else {
        return;
    };
    let (db, environment, outer) = (checker.db, checker.environment, checker.item);
    let kind = outer.kind(db);
    if !kind.is_declarable() {
        return;
    }
    let call = call_at(&checker.root(), reference.range).and_then(CallExpr::cast);
    let name_token = call.as_ref().and_then(CallExpr::name_token);
    let function = name_token.as_ref();
    let function = function.and_then(|it| KnownFunction::from_name(it.text()));
    let is_ordered = matches!(
        function,
        Some(KnownFunction::Contain | KnownFunction::Require)
    );
    if is_ordered {
        return;
    }
    let Ok(Definition::Item(inner)) = resolve::class(db, Some(environment), name) else {
        return;
    };
    let all = environment_containment(db, environment);
    let mut declaring = all.declaring.get(name).into_iter().flatten();
    let is_related = all.related.contains_key(&(ItemKind::Class, name.clone()));
    if is_related || declaring.any(|it| *it != outer) || !has_resources(db, inner) {
        return;
    }
    if all.containing.contains_key(name) {
        return;
    }
    let Some(place) = all.relationship_of(db, outer, inner) else {
        return;
    };
    let message = format!(
        "class `{name}` is not contained in {noun} `{outer}`: relationships with `{outer}` do not apply to \
         `{name}`",
        noun = kind.noun(),
        outer = outer.name(db)
    );
    checker.report(&UNCONTAINED_CLASS, reference.range, message);
    checker.relate(place.item, place.range, "relationship with the outer class");
    let has_one_argument = call.is_some_and(|it| it.arguments().len() == 1);
    if function == Some(KnownFunction::Include)
        && has_one_argument
        && outer.kind(db) == ItemKind::Class
    {
        checker.fix(name_token.map(|it| {
            let contain = KnownFunction::Contain.name();
            let label = format!("Replace `{}` with `{contain}`", it.text());
            Fix::suggested(label, it.text_range(), contain)
        }));
    }
}

/// Checks whether a class itself certainly declares resources.
fn has_resources(db: &dyn Database, class: Item<'_>) -> bool {
    let mut resources = body(db, class).resources.iter();
    resources.any(|it| {
        let is_class = it.type_.as_deref() == Some("class");
        it.form == ResourceForm::Declaration && !is_class
    })
}

#[cfg(test)]
mod tests {
    use super::UNCONTAINED_CLASS;
    use crate::testing::{fixes, reported};

    fn workspace(outer: &str, other: &str) -> String {
        format!(
            "//- modules/m/manifests/init.pp\n{outer}\n\
             //- modules/m/manifests/i.pp\nclass m::i {{ notify {{ 'i': }} }}\n\
             //- modules/m/manifests/params.pp\nclass m::params {{ $x = 1 }}\n\
             //- modules/m/manifests/o.pp\nclass m::o {{ {other} }}\n"
        )
    }

    const OUTER: &str = "class m { include m::i, m::params }";

    #[test]
    fn reports_classes_that_relationships_do_not_reach() {
        let message = "`m::i`: class `m::i` is not contained in class `m`: relationships with `m` do \
                       not apply to `m::i`";
        for other in [
            "Class['m'] -> Notify['x']",
            "notify { 'x': require => Class[m] }",
            "notify { 'x': require => [Notify['y'], 'Class[m]'] }",
            "require m",
            "class { 'm': before => Notify['x'] }",
            "class { 'm': } -> notify { 'x': }",
            "contain m Class['m::o'] -> Notify['x']",
        ] {
            let code = workspace(OUTER, other);
            assert_eq!(reported(&UNCONTAINED_CLASS, &code), [message], "{other}");
            assert_eq!(fixes(&UNCONTAINED_CLASS, &code), [""; 0]);
        }
        let code = workspace("class m { include m::i }", "require m");
        assert_eq!(
            fixes(&UNCONTAINED_CLASS, &code),
            ["Replace `include` with `contain`"]
        );
        let code = workspace(
            "define m { class { 'm::i': } }",
            "m { 'x': } -> notify { 'x': }",
        );
        assert_eq!(reported(&UNCONTAINED_CLASS, &code).len(), 1);
    }

    #[test]
    fn ignores_classes_that_depend_on_the_outer_class() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::i }\n\
                    //- modules/m/manifests/i.pp\nclass m::i { notify { 'i': require => Class['m'] } }\n\
                    //- modules/m/manifests/o.pp\nclass m::o { require m }\n";
        assert_eq!(reported(&UNCONTAINED_CLASS, code), [""; 0]);
    }

    #[test]
    fn ignores_classes_that_are_ordered_otherwise() {
        for (outer, other) in [
            (OUTER, "include m"),
            (OUTER, "if defined(Class['m']) { include m }"),
            (OUTER, "require m include m::i"),
            (OUTER, "require m Class['m::i'] -> Notify['x']"),
            (OUTER, "require m contain m::i"),
            ("class m { contain m::i }", "require m"),
            ("class m { require m::i }", "require m"),
            (
                "class m { class { 'm::i': before => Class['m'] } }",
                "require m",
            ),
            (
                "class m { class { 'm::i': stage => 'first' } }",
                "require m",
            ),
            ("node default { include m::i }", "require m"),
        ] {
            let code = workspace(outer, other);
            assert_eq!(
                reported(&UNCONTAINED_CLASS, &code),
                [""; 0],
                "{outer} {other}"
            );
        }
    }
}
