use base::suggest::{hint, similar};
use hir::autoload::definitions_of_kind;
use hir::body::{ClassUse, Reference, ReferenceName};
use hir::resolve::{self, ResolveError, has_all_modules};
use hir::{ItemKind, canonical_name, is_class_name};
use infer::{TypeProblem, TypeProblemKind};
use library::products;
use syntax::ast::{AstNode, InterpolatedString};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};

use crate::checker::{Checker, Resolution};
use crate::computed_classes::unmatched;
use crate::data::{DataChecker, class_lists, class_names};
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::{is_of_similar_module, unresolved};

declare_rule! {
    /// Reports references to classes that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves the names in `include`, `require`, `contain`, `class { … }`, `inherits` and
    /// `Class[…]`, including computed names whose values are known. Puppet autoloads classes by
    /// name: `example::server` is looked up in `manifests/server.pp` of the module `example`.
    ///
    /// In Hiera data, the rule checks class lists: keys whose values code looks up and declares, as in
    /// `lookup('classes', Array[String], 'unique').include`.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Could not find class*. A reference that only orders resources fails when
    /// the catalog is finished.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include example::sevrer # <-
    ///   class { 'example::clinet': } # <-
    ///   Class['example::server'] -> Class['example::other'] # <-
    /// }
    /// # file: manifests/server.pp
    /// class example::server {
    /// }
    /// # file: manifests/client.pp
    /// class example::client {
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include example::server
    ///   class { 'example::client': }
    ///   Class['example::server'] -> Class['example::client']
    /// }
    /// # file: manifests/server.pp
    /// class example::server {
    /// }
    /// # file: manifests/client.pp
    /// class example::client {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names whose values are unknown, such as `"example::${facts['role']}"`, if any class of the module may be meant,
    ///   and names with several possible values, if one of them is a class.
    /// * Classes of modules that are declared, but not installed. `missing-module` reports these once per file.
    /// * Classes that exist in a file where Puppet does not look for them, which is reported at
    ///   their definition.
    /// * Names that the code checks first, with `defined(…)`, and names in data if the code selects only some of them.
    ///
    /// ```puppet right
    /// class example {
    ///   if defined('example::extra') {
    ///     include example::extra
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with that of the most similar class.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-class]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-class = "off"
    /// ```
    pub(crate) static UNKNOWN_CLASS = {
        code: "unknown-class",
        severity: Error,
        since: "0.1.0",
        checks: [
            Check::Reference(check),
            Check::Problem(check_computed),
            Check::Node(&[SyntaxKind::INTERPOLATED_STRING], check_interpolated),
            Check::DataFile(check_data),
        ],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (ReferenceName::Class(name, _), Some(missing)) =
        (&reference.name, unresolved(reference, resolution))
    else {
        return;
    };
    let near = |name: &str| similar(name, checker.definitions(ItemKind::Class));
    let Some(unknown) = checker.unknown(reference, name, missing, near) else {
        return;
    };
    let message = format!("unknown class `{name}`{}", unknown.hint());
    checker.report_as(&UNKNOWN_CLASS, unknown.severity, reference.range, message);
    checker.replace_unknown(reference.range, name, &unknown);
}

/// Reports names that are computed, for example held in a variable.
fn check_computed(checker: &mut Checker<'_>, problem: &TypeProblem) {
    let TypeProblemKind::UnknownClass { name } = &problem.kind else {
        return;
    };
    let reference = ReferenceName::Class(name.clone(), ClassUse::Declared);
    let near = |name: &str| similar(name, checker.definitions(ItemKind::Class));
    if let Some(unknown) = checker.unknown_computed(problem.range, (reference, name), near) {
        let message = format!("unknown class `{name}`{}", unknown.hint());
        checker.report_problem_as(&UNKNOWN_CLASS, unknown.severity, problem, message);
    }
}

/// Reports strings with interpolations that no name of a class matches.
fn check_interpolated(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let string = InterpolatedString::cast(node.clone());
    let Some(unknown) = string.and_then(|it| unmatched(checker, &it)) else {
        return;
    };
    let written = node.text().to_string();
    let written = written.trim_matches('"');
    let message = format!("no class has a name like `{written}`{}", unknown.hint());
    checker.report_as(&UNKNOWN_CLASS, unknown.severity, node.text_range(), message);
}

/// Reports names in class lists.
fn check_data(checker: &mut DataChecker<'_>) {
    let lists = class_lists(checker.db, checker.environment);
    let is_list = |key: &str| lists.get(key).is_some_and(|it| it.is_whole);
    let keys = checker.keys().map(|it| (it.name(), &it.value));
    let listed = keys.filter(|it| is_list(it.0) && checker.layer.may_have(it.0));
    let names = listed.flat_map(|it| class_names(it.1));
    let names: Vec<_> = names
        .map(|(node, it)| (it.to_owned(), node.range))
        .collect();
    for (name, range) in names {
        checker.check_of_key(&name, |it| check_listed(it, &name, range));
    }
}

fn check_listed(checker: &mut DataChecker<'_>, written: &str, range: TextRange) {
    let (db, environment) = (checker.db, checker.environment);
    let name = canonical_name(written);
    // Other strings are interpolated, or are not names of classes at all.
    if !is_class_name(&name) {
        return;
    }
    let Err(missing) = resolve::class(db, Some(environment), &name) else {
        return;
    };
    let classes = definitions_of_kind(db, environment, ItemKind::Class);
    let near = similar(&name, classes.map(|it| it.0));
    let near = near.filter(|it| is_of_similar_module(&name, it));
    let severity = match &missing {
        ResolveError::NotDefined => Severity::Error,
        ResolveError::UndeclaredModule(it) if !products::is_module_of_enterprise(it) => {
            match has_all_modules(db, environment, None) {
                true => Severity::Error,
                false => Severity::Warning,
            }
        }
        _ => return,
    };
    let fix = near.map(|it| checker.respelled(range, it));
    let message = format!("unknown class `{name}`{}", hint(near));
    let found = checker.report_as(&UNKNOWN_CLASS, severity, range, message);
    found.fixes.extend(fix);
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_CLASS;
    use crate::data::tests::messages;
    use crate::testing::{fixes, reported};

    const OTHER: &str = "//- modules/m/manifests/sites.pp\nclass m::sites { }\n\
                         //- modules/m/manifests/init.pp\n";

    #[test]
    fn code_for_other_versions_of_a_module_names_what_it_lacks() {
        let code = |condition: &str| {
            format!(
                "{OTHER}class n {{ $data = load_module_metadata('m') {condition} \
                 {{ $x = 1 }} else {{ $x = Class['m::old'] }} }}"
            )
        };
        let code = |it: &str| code(it).replace("m/manifests/init", "n/manifests/init");
        let compared = "if SemVer($data['version']) >= SemVer('3.0.0')";
        assert_eq!(reported(&UNKNOWN_CLASS, &code(compared)), [""; 0]);
        assert_eq!(reported(&UNKNOWN_CLASS, &code("if $facts['a']")).len(), 1);
    }

    #[test]
    fn each_catalog_has_the_class_of_the_settings() {
        let code = "class m { include settings notify { 'a': require => Class['settings'] } }";
        assert_eq!(reported(&UNKNOWN_CLASS, &format!("{OTHER}{code}")), [""; 0]);
        let code = "class m { include main }";
        assert_eq!(reported(&UNKNOWN_CLASS, &format!("{OTHER}{code}")).len(), 1);
    }

    #[test]
    fn reports_names_that_no_module_defines() {
        let code = &format!("{OTHER}class m inherits m::base {{ include m::site }}");
        assert_eq!(
            reported(&UNKNOWN_CLASS, code),
            [
                "`m::base`: unknown class `m::base`",
                "`m::site`: unknown class `m::site`; did you mean `m::sites`?",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_CLASS, code), ["Replace with `m::sites`"]);
    }

    #[test]
    fn reports_computed_names() {
        for (code, wrong) in [
            (
                "$a = 'm::site' include $a",
                "`$a`: unknown class `m::site`; did you mean `m::sites`?",
            ),
            (
                "$a = 'site' contain \"m::${a}\"",
                "`\"m::${a}\"`: unknown class `m::site`; did you mean `m::sites`?",
            ),
            (
                "$a = ['m', 'm::x'] $a.include",
                "`$a`: unknown class `m::x`",
            ),
            ("$a = 'm::x' class { $a: }", "`$a`: unknown class `m::x`"),
            (
                "create_resources('class', { 'm::x' => {}, 'm::sites' => {} })",
                "`'m::x'`: unknown class `m::x`",
            ),
        ] {
            let code = format!("{OTHER}class m {{ {code} }}");
            assert_eq!(reported(&UNKNOWN_CLASS, &code), [wrong], "{code}");
        }
    }

    #[test]
    fn reports_names_that_no_class_matches() {
        for code in [
            "include \"m::x::${facts['role']}\"",
            "contain(['m', \"::M::x${facts['role']}\"])",
            "class { \"m::${facts['role']}::x\": }",
        ] {
            let code = format!("{OTHER}class m {{ {code} }}");
            assert_eq!(reported(&UNKNOWN_CLASS, &code).len(), 1, "{code}");
        }
    }

    #[test]
    fn ignores_computed_names_that_may_exist() {
        for code in [
            "$a = 'm::sites' include $a, \"::m::${'sites'}\"",
            "['sites', 'x'].each |$a| { include \"m::${a}\" }",
            "$a = 'm::x' if defined($a) { include $a }",
            "$a = 'other::x' include $a",
            "$a = $facts['role'] include \"m::${a}\"",
            "$a = $facts['role'] include \"m::sit${a}\"",
            "$a = $facts['role'] include \"${a}::x\"",
            "$a = $facts['role'] include \"other::${a}\"",
            "$a = $facts['role'] if defined(\"m::x::${a}\") { include \"m::x::${a}\" }",
        ] {
            let code = format!("{OTHER}class m {{ {code} }}\n//- Puppetfile\nmod 'other'");
            assert_eq!(reported(&UNKNOWN_CLASS, &code), [""; 0], "{code}");
        }
    }

    #[test]
    fn ignores_missing_modules_and_guarded_names() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { include other::x if defined('m::x') { include m::x } }\n\
                    //- Puppetfile\nmod 'other'";
        assert_eq!(reported(&UNKNOWN_CLASS, code), [""; 0]);
    }

    const LIST: &str = "//- manifests/site.pp\nlookup('classes', Array[String], 'unique').include\n\
                        //- modules/ntp/manifests/init.pp\nclass ntp { }\n\
                        //- modules/ntp/manifests/pool.pp\nclass ntp::pool { }\n\
                        //- Puppetfile\nmod 'other'\n";

    #[test]
    fn reports_names_in_class_lists() {
        for (value, expected) in [
            (
                "[ntp, 'ntp::pol']",
                "`'ntp::pol'`: unknown class `ntp::pol`; did you mean `ntp::pool`?",
            ),
            ("[[ntp::x]]", "`ntp::x`: unknown class `ntp::x`"),
            (
                "'::ntp::pools'",
                "`'::ntp::pools'`: unknown class `ntp::pools`; did you mean `ntp::pool`?",
            ),
        ] {
            let text = format!("{LIST}//- data/common.yaml\nclasses: {value}\n");
            assert_eq!(messages(&UNKNOWN_CLASS, &text), [expected], "{value}");
        }
    }

    #[test]
    fn reports_lists_that_nodes_read_from_the_main_manifest() {
        let check = |site: &str| {
            let list = LIST.replace("lookup('classes', Array[String], 'unique').include", site);
            let text = format!("{list}//- data/common.yaml\nclasses: [ntp::x]\n");
            messages(&UNKNOWN_CLASS, &text)
        };
        let expected = ["`ntp::x`: unknown class `ntp::x`"];
        let all = "$all = lookup('classes', Array[String])";
        assert_eq!(
            check(&format!("{all}\nnode default {{ include $all }}")),
            expected
        );
        assert_eq!(
            check(&format!("{all}\nnode default {{ $::all.include }}")),
            expected
        );
        assert_eq!(
            check(&format!("{all}\nnode default {{ notice($all) }}")),
            [""; 0]
        );
        let own = "node default { $all = ['ntp'] include $all }";
        assert_eq!(check(&format!("{all}\n{own}")), [""; 0]);
    }

    #[test]
    fn ignores_other_strings_in_data() {
        for data in [
            "classes: [ntp, '::ntp::pool', other::x, \"ntp::%{facts.role}\", --ntp::x, 'a b', 1]",
            "others: [ntp::x]",
            "classes: { a: ntp::x }",
            "classes: [ntp::x] # pupil: ignore[unknown-class]",
        ] {
            let text = format!("{LIST}//- data/common.yaml\n{data}\n");
            assert_eq!(messages(&UNKNOWN_CLASS, &text), [""; 0], "{data}");
        }
        let text = format!("{LIST}//- data/common.yaml\nclasses: [ntp::x]\n");
        let some = text.replace(").include", ").filter |$c| { defined($c) }.include");
        assert_eq!(messages(&UNKNOWN_CLASS, &some), [""; 0]);
    }
}
