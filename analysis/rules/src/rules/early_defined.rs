use catalog::ProblemKind;
use hir::{Item, ItemKind};

use crate::checker::Checker;
use crate::compiled::problem::{CompiledProblem, located};
use crate::compiled::{blamed, report};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports code that looks at a resource before it is declared.
    ///
    /// ## What it does
    ///
    /// Compiles classes and node definitions, and reports `defined(Package['a'])` and `Package['a']['ensure']` if the
    /// package is declared, but after this code. In node definitions, `defined(Class['a'])` is reported, too. The book
    /// describes how code is compiled: [Catalogs](../catalogs.md#how-rules-compile-code).
    ///
    /// ## Why it matters
    ///
    /// `defined` only sees what is declared so far, in the order of evaluation. Here it is always false, so
    /// code such as `unless defined(Package['a']) { package { 'a': } }` declares the package a second time,
    /// and the compilation fails with *Duplicate declaration*. Reading an attribute fails with *Resource not found*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   unless defined(Package['git']) { # <-
    ///     package { 'git': ensure => installed }
    ///   }
    ///   include example::tools
    /// }
    /// # file: manifests/tools.pp
    /// class example::tools {
    ///   package { 'git': ensure => latest }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include example::tools
    /// }
    /// # file: manifests/tools.pp
    /// class example::tools {
    ///   package { 'git': ensure => latest }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * `defined(Class[…])` in classes: other code may include the class earlier. It is only reported in the catalog
    ///   of a node.
    /// * Resources declared in the branch that the call guards, unless they are declared again elsewhere.
    /// * Code in defined types.
    /// * Resources that are declared by a function such as `ensure_packages`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the declarations may be merged, or their order may be changed.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[early-defined]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// early-defined = "off"
    /// ```
    pub(crate) static EARLY_DEFINED = {
        code: "early-defined",
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Compiled(check)],
    }
}

fn check<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let message = match &problem.kind {
        ProblemKind::EarlyDefined(it) => format!("`defined({it})` runs before `{it}` is declared"),
        ProblemKind::EarlyRead(it) => {
            format!("an attribute of `{it}` is read before `{it}` is declared")
        }
        _ => return,
    };
    // In a defined type, the test may be meant for resources that the caller has already declared.
    let place = problem
        .blamed_place()
        .and_then(|it| located(checker.db, it));
    let is_definition = |it: Item<'_>| {
        let kind = it.kind(checker.db);
        !matches!(kind, ItemKind::Class | ItemKind::Node)
    };
    if place.is_none_or(|it| is_definition(it.0)) {
        return;
    }
    let at = blamed(checker, problem);
    report(
        checker,
        &EARLY_DEFINED,
        problem,
        at,
        message,
        |index| match index {
            0 => "looked for here",
            _ => "declared here",
        },
    );
}

#[cfg(test)]
mod tests {
    use super::EARLY_DEFINED;
    use crate::testing::reported;

    #[test]
    fn reports_resources_that_are_declared_later() {
        let code = "class m { if !defined(Package['a']) { package { 'a': } } include m::b }\n\
                    class m::b { package { 'a': } }";
        assert_eq!(
            reported(&EARLY_DEFINED, code),
            [
                "`defined(Package['a'])`: `defined(Package['a'])` runs before `Package['a']` is declared"
            ]
        );
    }

    #[test]
    fn reports_attributes_that_are_read_too_early() {
        let message = "an attribute of `Package['a']` is read before `Package['a']` is declared";
        let read = "notify { 'n': message => Package['a']['ensure'] }";
        for code in [
            format!("class m {{ {read} package {{ 'a': ensure => latest }} }}"),
            format!("class m {{ {read} include m::b }} class m::b {{ package {{ 'a': }} }}"),
        ] {
            let expected = format!("`Package['a']`: {message}");
            assert_eq!(reported(&EARLY_DEFINED, &code), [expected], "{code}");
        }
        for code in [
            format!("class m {{ package {{ 'a': ensure => latest }} {read} }}"),
            format!("class m {{ if $facts['x'] {{ package {{ 'a': }} }} {read} }}"),
            format!(
                "class m {{ {read} if $facts['x'] {{ include m::b }} include m::b }} \
                 class m::b {{ package {{ 'a': }} }}"
            ),
            format!("define m {{ {read} }} class m::c {{ m {{ 'm': }} package {{ 'a': }} }}"),
        ] {
            assert_eq!(reported(&EARLY_DEFINED, &code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_what_may_be_declared_before() {
        for code in [
            "class m { package { 'a': } if !defined(Package['a']) { package { 'a': } } }",
            "class m { if !defined(Package['a']) { package { 'a': } } }",
            "class m { if !defined(Package['a']) { package { 'a': } } \
             if $facts['x'] { package { 'a': } } }",
            "class m { if !defined(Class['m::b']) { include m::b } include m::b } class m::b { }",
        ] {
            assert_eq!(reported(&EARLY_DEFINED, code), [""; 0], "{code}");
        }
    }

    /// Returns what is reported in a control repository with one node.
    fn reported_in_site(node: &str, class: &str) -> Vec<String> {
        let code = format!(
            "//- manifests/site.pp\nnode 'a' {{ {node} }}\n\
             //- modules/m/manifests/init.pp\nclass m {{ {class} }}\n\
             //- modules/m/manifests/b.pp\nclass m::b {{ package {{ 'b': }} }}\n\
             //- modules/m/manifests/c.pp\nclass m::c {{ include m::b }}\n\
             //- modules/m/manifests/d.pp\ndefine m::d {{ package {{ $title: }} }}\n"
        );
        reported(&EARLY_DEFINED, &code)
    }

    #[test]
    fn reports_classes_that_the_node_includes_later() {
        let code = "if defined(Class['m::b']) { notice('b') }";
        assert_eq!(
            reported_in_site("include m include m::c", code),
            [
                "`defined(Class['m::b'])`: `defined(Class['m::b'])` runs before `Class['m::b']` is declared"
            ]
        );
        for node in ["include m::c include m", "include m"] {
            assert_eq!(reported_in_site(node, code), [""; 0], "{node}");
        }
    }

    #[test]
    fn ignores_what_the_code_behind_the_call_declares_in_a_node() {
        for code in [
            "unless defined(Package['b']) { package { 'b': } }",
            "if defined(Package['b']) { notice('b') } else { package { 'b': } }",
            "unless defined(Package['b']) { include m::c }",
            "unless defined(Package['b']) { m::d { 'b': } }",
            "$is_defined = defined(Package['b']) unless $is_defined { package { 'b': } }",
            "unless defined(Class['m::b']) { include m::b }",
        ] {
            assert_eq!(reported_in_site("include m", code), [""; 0], "{code}");
            assert_eq!(reported_in_site(code, ""), [""; 0], "{code}");
        }
        let code = "unless defined(Package['b']) { notice('b') } include m::c";
        for found in [
            reported_in_site("include m", code),
            reported_in_site(code, ""),
        ] {
            assert_eq!(found.len(), 1, "{found:?}");
        }
    }
}
