use std::fmt::Display;

use catalog::ProblemKind;

use crate::checker::Checker;
use crate::compiled::problem::CompiledProblem;
use crate::compiled::{blamed, report};
use crate::rule::{Check, Rule, declare_rule};
use crate::written_cycles::written_cycles;

declare_rule! {
    /// Reports resources that depend on each other in a circle.
    ///
    /// ## What it does
    ///
    /// Follows the relationships between the resources in the catalogs of classes and nodes, which the book describes:
    /// [Catalogs](../catalogs.md#how-rules-compile-code). These are:
    ///
    /// * arrows
    /// * the metaparameters `before`, `notify`, `require` and `subscribe`
    /// * relationships that classes and defined types pass on to their resources
    /// * relationships that resource types add by themselves, such as that of a file on its directory
    ///
    /// Also compares the metaparameters of resources whose titles have variables, if the same block declares them.
    ///
    /// If a class or defined type closes the cycle only by including others of its module, the relationships in those
    /// are reported.
    ///
    /// ## Why it matters
    ///
    /// Puppet compiles the catalog, but the agent finds no order in which it can apply the resources. It
    /// reports *Found 1 dependency cycle* and applies none of them.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   file { '/etc/app.conf': ensure => file, require => Package['app'] }
    ///   package { 'app': ensure => installed, require => Service['app'] } # <-
    ///   service { 'app': ensure => running, subscribe => File['/etc/app.conf'] }
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   file { '/etc/app.conf': ensure => file, require => Package['app'] }
    ///   package { 'app': ensure => installed }
    ///   service { 'app': ensure => running, subscribe => File['/etc/app.conf'] }
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Relationships of resources that other classes may declare before: those of `ensure_packages`, and
    ///   those that are only declared if `defined` does not find them.
    /// * Relationships that depend on other facts, on functions written in Ruby, or on other unknown values.
    /// * Classes that fail to compile with their default parameters.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended order is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[dependency-cycle]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// dependency-cycle = "off"
    /// ```
    pub(crate) static DEPENDENCY_CYCLE = {
        code: "dependency-cycle",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Item(check_written), Check::Compiled(check)],
    }
}

/// Reports cycles between resources whose titles have variables.
fn check_written(checker: &mut Checker<'_>) {
    for cycle in written_cycles(checker) {
        let first = cycle.way.first().into_iter();
        let message = message(cycle.way.iter().chain(first));
        checker.report(&DEPENDENCY_CYCLE, cycle.range, message);
    }
}

fn message(way: impl Iterator<Item = impl Display>) -> String {
    let way: Vec<String> = way.map(|it| format!("`{it}`")).collect();
    format!("dependency cycle: {}", way.join(" -> "))
}

fn check<'db>(checker: &mut Checker<'db>, problem: &CompiledProblem<'db>) {
    let ProblemKind::DependencyCycle(path) = &problem.kind else {
        return;
    };
    // The code of the item shows the cycle, perhaps at another of its relationships.
    let mut in_code = checker.found_in_code().iter();
    if in_code.any(|it| it.code == DEPENDENCY_CYCLE.code) {
        return;
    }
    let message = message(path.iter().chain(path.first()));
    let at = blamed(checker, problem);
    report(
        checker,
        &DEPENDENCY_CYCLE,
        problem,
        at,
        message,
        |_| "part of the cycle",
    );
}

#[cfg(test)]
mod tests {
    use super::DEPENDENCY_CYCLE;
    use crate::testing::reported;

    #[test]
    fn reports_classes_that_require_each_other() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { require m::b notify { 'a': } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { require m::a notify { 'b': } }\n";
        assert_ne!(reported(&DEPENDENCY_CYCLE, code), [""; 0]);
    }

    #[test]
    fn reports_classes_that_contain_each_other() {
        let code = "//- modules/m/manifests/a.pp\nclass m::a { contain m::b notify { 'a': } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { contain m::a notify { 'b': } }\n";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("`contain m::b`: "), "{found:?}");
        let code = code.replace("contain m::a", "include m::a");
        assert_eq!(reported(&DEPENDENCY_CYCLE, &code), [""; 0]);
    }

    #[test]
    fn reports_cycles_with_the_class_around() {
        let code = "//- modules/m/manifests/init.pp\nclass m { contain m::a }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { notify { 'a': require => Class['m'] } }\n";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(!found[0].starts_with("`m`"), "{found:?}");
    }

    #[test]
    fn collects_by_the_tags_around_a_defined_type() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { m::d { 'x': } notify { 'n': before => Package['p'] } Package<| tag == 'm' |> -> Notify['n'] }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d { include o::p }\n\
                    //- modules/o/manifests/p.pp\nclass o::p { package { 'p': } }\n";
        assert_eq!(reported(&DEPENDENCY_CYCLE, code).len(), 1);
    }

    #[test]
    fn unknown_arrows_hide_no_cycle() {
        let code = "class m { package { 'a': } service { 'a': require => Package['a'] }\n\
                    Service['a'] -> User <<| |>> Service['a'] -> Package['a'] }";
        assert_eq!(reported(&DEPENDENCY_CYCLE, code).len(), 1);
    }

    #[test]
    fn ignores_cycles_through_duplicates() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { require m::d file { '/b': ensure => file } ~> exec { '/bin/true': } }\n\
                    //- modules/m/manifests/d.pp\n\
                    class m::d { file { '/a': ensure => file } ~> exec { '/bin/true': } }\n";
        assert_eq!(reported(&DEPENDENCY_CYCLE, code), [""; 0]);
    }

    #[test]
    fn reports_cycles_in_defined_types_there() {
        let code = "//- modules/m/manifests/init.pp\nclass m { m::d { 'x': a => 1 } }\n\
                    //- modules/m/manifests/d.pp\n\
                    define m::d ($a) { notify { 'b': require => Notify['c'] } notify { 'c': require => Notify['b'] } }\n";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(!found[0].starts_with("`m`"), "{found:?}");
    }

    #[test]
    fn reports_cycles_through_classes_at_their_relationships() {
        let code = "//- modules/m/manifests/init.pp\nclass m { include m::a include m::b }\n\
                    //- modules/m/manifests/a.pp\nclass m::a { notify { 'a': require => Class['m::b'] } }\n\
                    //- modules/m/manifests/b.pp\nclass m::b { notify { 'b': require => Class['m::a'] } }\n\
                    //- modules/m/manifests/c.pp\nclass m::c { include m }\n";
        let found = reported(&DEPENDENCY_CYCLE, code);
        let way = "`Class['m::a']` -> `Notify['b']` -> `Class['m::b']` -> `Notify['a']` -> `Class['m::a']`";
        let expected = |class| format!("`require => Class['{class}']`: dependency cycle: {way}");
        assert_eq!(found, [expected("m::b"), expected("m::a")]);
    }

    #[test]
    fn reports_the_relationship_in_the_class() {
        let code = "class m { file { '/a': before => File['/b'] } file { '/b': } \
                    File['/b'] -> Notify['n'] notify { 'n': before => File['/a'] } }";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn reports_the_written_relationship_rather_than_that_of_a_directory() {
        let code = "class m { file { '/a': ensure => directory, require => File['/a/b/c'] } \
                    file { '/a/b': ensure => directory } file { '/a/b/c': } }";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("`require => File['/a/b/c']`: "),
            "{found:?}"
        );
    }

    #[test]
    fn reports_the_relationship_against_the_order_of_the_code() {
        for (code, expected) in [
            (
                "package { 'a': } -> service { 'a': notify => Exec['/bin/x'] } exec { '/bin/x': before => Package['a'] }",
                "before => Package['a']",
            ),
            (
                "package { 'a': require => Service['a'] } service { 'a': require => Package['a'] }",
                "require => Service['a']",
            ),
        ] {
            let found = reported(&DEPENDENCY_CYCLE, &format!("class m {{ {code} }}"));
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(
                found[0].starts_with(&format!("`{expected}`: ")),
                "{found:?}"
            );
        }
    }

    #[test]
    fn reports_the_relationship_that_all_cycles_have() {
        let code = "class m { package { 'p': require => Service['s'] } \
                    file { '/a': require => Package['p'], notify => Service['s'] } \
                    file { '/b': require => Package['p'], notify => Service['s'] } \
                    service { 's': } }";
        let found = reported(&DEPENDENCY_CYCLE, code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("`require => Service['s']`: "),
            "{found:?}"
        );
    }

    #[test]
    fn types_require_no_classes_automatically() {
        let check = |related: &str| {
            let code = format!(
                "//- modules/m/lib/puppet/type/t.rb\nPuppet::Type.newtype(:t) do\n\
                 newparam(:name, namevar: true) do\nend\nautorequire(:{related}) {{ ['M::B'] }}\nend\n\
                 //- modules/m/manifests/init.pp\nclass m {{ include m::b t {{ 'x': before => Notify['n'] }} }}\n\
                 //- modules/m/manifests/b.pp\nclass m::b {{ notify {{ 'n': }} notify {{ 'M::B': }} Notify['n'] -> Notify['M::B'] }}\n"
            );
            reported(&DEPENDENCY_CYCLE, &code).len()
        };
        assert_eq!(check("class"), 0);
        assert_eq!(check("notify"), 1);
    }

    #[test]
    fn reports_cycles_between_titles_with_variables() {
        let found = |code: &str| {
            let code =
                format!("//- modules/m/manifests/d.pp\ndefine m::d ($p, String $f) {{ {code} }}");
            reported(&DEPENDENCY_CYCLE, &code)
        };
        let cycle = "exec { \"/bin/a ${p}\": require => File[$f] } \
                     file { $f: require => [Package['x'], Exec[\"/bin/a ${p}\"]] }";
        let way = "`Exec[\"/bin/a ${p}\"]` -> `File[$f]` -> `Exec[\"/bin/a ${p}\"]`";
        assert_eq!(
            found(cycle),
            [format!("`require => File[$f]`: dependency cycle: {way}")]
        );
        let long = "file { \"/a/${p}\": before => File[\"/b/${p}\"] } \
                    file { \"/b/${p}\": notify => Exec[\"/bin/c ${p}\"] } \
                    exec { \"/bin/c ${p}\": before => File[\"/a/${p}\"] }";
        assert_eq!(found(long).len(), 1);
        for silent in [
            "file { \"/a/${p}\": before => File[\"/b/${p}\"] } file { \"/b/${p}\": }",
            "file { \"/a/${p}\": before => File[\"/b/${p}\"] } \
             if $p { file { \"/b/${p}\": before => File[\"/a/${p}\"] } }",
            "file { \"/a/${p}\": before => File[\"/b/${p}\"] } \
             file { \"/b/${p}\": require => File[\"/a/${p}\"] }",
        ] {
            assert_eq!(found(silent), [""; 0], "{silent}");
        }
    }

    #[test]
    fn ignores_relationships_that_may_not_apply() {
        let code = "class m ($x) { notify { 'a': before => Notify['b'] } notify { 'b': } \
                    if $facts['x'] { Notify['b'] -> Notify['a'] } }";
        assert_eq!(reported(&DEPENDENCY_CYCLE, code), [""; 0]);
    }
}
