use base::suggest::similar;
use rustc_hash::FxHashSet;
use syntax::ast::{Definition, HasParameters, Parameter};
use syntax::{Applicability, Edit, TextRange, TextSize};

use crate::checker::FileChecker;
use crate::parameter_docs::{DocumentedName, documented_names, names_in_rdoc};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports documentation of parameters that do not exist.
    ///
    /// ## What it does
    ///
    /// Checks the `@param` tags in the comment directly above a class, defined type, function or
    /// plan for names that are not parameters, and for duplicate names. Also checks entries in the old
    /// styles, `[*name*]` and `$name::`, below the heading `=== Parameters`, or without such a heading if one
    /// of them is a parameter. A name after `@param` has no `$`.
    ///
    /// ## Why it matters
    ///
    /// The documentation of a removed or renamed parameter misleads readers, and Puppet Strings warns about it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # Installs the example.
    /// # @param prot The port. # <-
    /// # @param $user The user. # <-
    /// # @param user The name of the user. # <-
    /// class example (
    ///   Integer $port,
    ///   String $user,
    /// ) { notice($port, $user) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # Installs the example.
    /// # @param port The port.
    /// # @param user The name of the user.
    /// class example (
    ///   Integer $port,
    ///   String $user,
    /// ) { notice($port, $user) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * `name`, `namevar` and `title` of a defined type.
    ///
    /// ## Fix
    ///
    /// Safe: removes the `$` before a name.
    ///
    /// Suggested: replaces the name with that of a similar parameter that is not documented.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[stale-documentation]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `docs = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// stale-documentation = "warning"
    /// ```
    pub(crate) static STALE_DOCUMENTATION = {
        code: "stale-documentation",
        also_in_puppet_lint: ["parameter_documentation"],
        group: Docs,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::File(check)],
    }
}

fn check(checker: &mut FileChecker<'_>) {
    let marks = ["@param", "[*", "::"];
    if !marks.iter().any(|it| checker.text.contains(it)) {
        return;
    }
    for definition in Definition::all_in(&checker.root()) {
        let Some(parameters) = parameters(&definition) else {
            continue;
        };
        let names: Vec<String> = parameters.iter().filter_map(Parameter::name).collect();
        let mut documented = documented_names(&definition);
        check_dollars(checker, &documented, &names);
        if documented.is_empty() {
            documented = names_in_rdoc(&definition, &names);
        }
        if matches!(definition, Definition::DefineDefinition(_)) {
            documented.retain(|it| !matches!(it.name.as_str(), "name" | "namevar" | "title"));
        }
        check_names(checker, &documented, &names);
    }
}

/// Reports `$` before the names in tags, which Puppet Strings compares with those of parameters as they are.
fn check_dollars(
    checker: &mut FileChecker<'_>,
    documented: &[DocumentedName],
    parameters: &[String],
) {
    for DocumentedName { name, range } in documented {
        let start = usize::from(range.start());
        let has_dollar = checker.text[..start].ends_with('$');
        if !has_dollar || !parameters.contains(name) {
            continue;
        }
        let range = TextRange::new(range.start() - TextSize::of('$'), range.end());
        let message = format!("expected `@param {name}`, found `@param ${name}`");
        checker.report(&STALE_DOCUMENTATION, range, message);
        let edit = Edit {
            range,
            text: name.clone(),
        };
        checker.fix("Remove the `$`", Applicability::Safe, vec![edit]);
    }
}

fn check_names(
    checker: &mut FileChecker<'_>,
    documented: &[DocumentedName],
    parameters: &[String],
) {
    let known: FxHashSet<&str> = parameters.iter().map(String::as_str).collect();
    let all: FxHashSet<&str> = documented.iter().map(|it| it.name.as_str()).collect();
    let missing: Vec<&str> = known
        .iter()
        .copied()
        .filter(|it| !all.contains(it))
        .collect();
    let mut seen = FxHashSet::default();
    for DocumentedName { name, range } in documented {
        let is_repeated = !seen.insert(name);
        if known.contains(name.as_str()) {
            if is_repeated {
                let message = format!("duplicate documentation of parameter `${name}`");
                checker.report(&STALE_DOCUMENTATION, *range, message);
            }
            continue;
        }
        let message = format!("documentation of unknown parameter `${name}`");
        checker.report(&STALE_DOCUMENTATION, *range, message);
        if let Some(near) = similar(name, missing.iter().copied()) {
            let edit = Edit {
                range: *range,
                text: near.to_owned(),
            };
            let label = format!("Replace with `{near}`");
            checker.fix(&label, Applicability::Suggested, vec![edit]);
        }
    }
}

fn parameters(definition: &Definition) -> Option<Vec<Parameter>> {
    match definition {
        Definition::ClassDefinition(it) => Some(it.parameters()),
        Definition::DefineDefinition(it) => Some(it.parameters()),
        Definition::FunctionDefinition(it) => Some(it.parameters()),
        Definition::PlanDefinition(it) => Some(it.parameters()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::STALE_DOCUMENTATION;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_unknown_and_repeated_names() {
        let code = "# @param a The first.\n# @param [Integer] c\n# @param a Again.\n# @param d\nclass m ($a, $b) { }";
        assert_eq!(
            reported(&STALE_DOCUMENTATION, code),
            [
                "`c`: documentation of unknown parameter `$c`",
                "`a`: duplicate documentation of parameter `$a`",
                "`d`: documentation of unknown parameter `$d`",
            ]
        );
        let code = "# @param x\nfunction m::f() { }\n# @param y\ndefine m::p () { }\n# @param z\nclass m { }";
        let expected =
            ["x", "y", "z"].map(|it| format!("`{it}`: documentation of unknown parameter `${it}`"));
        assert_eq!(reported(&STALE_DOCUMENTATION, code), expected);
    }

    #[test]
    fn reports_unknown_names_in_the_old_style() {
        let code = "# == Class: m\n#\n# === Parameters\n#\n# [*a*]\n#   A hash:\n#   [*x*] a key\n# [*b*] Gone.\n\
                    # === Variables\n# [*c*]\nclass m ($a) { }";
        assert_eq!(
            reported(&STALE_DOCUMENTATION, code),
            ["`b`: documentation of unknown parameter `$b`"]
        );
        let code = "# == Parameters:\n# * [*prot*] The port.\n# [*a*, *b*]\ndefine m ($port) { }";
        assert_eq!(
            fixed(&STALE_DOCUMENTATION, code),
            "# == Parameters:\n# * [*port*] The port.\n# [*a*, *b*]\ndefine m ($port) { }"
        );
    }

    #[test]
    fn reports_names_without_a_heading() {
        let code = "# == Class: m\n# [*a*] The a.\n# [*b*] Gone.\n# [*a*] Again.\n# == Variables\n# [*c*]\n\
                    class m ($a) { }";
        let expected = [
            "`b`: documentation of unknown parameter `$b`",
            "`a`: duplicate documentation of parameter `$a`",
        ];
        assert_eq!(reported(&STALE_DOCUMENTATION, code), expected);
        let code =
            "# $a:: The a.\n#\n# $b:: Gone.\n# $a::   Again.\n# $m::x is read.\nclass m ($a) { }";
        assert_eq!(reported(&STALE_DOCUMENTATION, code), expected);
    }

    #[test]
    fn ignores_other_comments() {
        for code in [
            "# @param a\n# @param [String] b The b.\nclass m ($a, $b) { }",
            "# @param c\n\nclass m ($a) { }",
            "# @example\n#   @param c\n# @param a\nclass m ($a) { }",
            "# [*c*]\n# $d:: text\nclass m ($a) { }",
            "# @param args\nfunction m::f(*$args) { }",
            "# @param *args\n# @param &block\nfunction m::f(*$args) { }",
            "# @param\nclass m ($a) { }",
            "# @param name\n# @param title\ndefine m { }",
            "# === Parameters\n# [*namevar*]\ndefine m { }",
            "$x = 1 # @param c\nclass m ($a) { }",
            "class m ($a) { # @param c\n }",
            "# @option a [String] c\n# @param a\nclass m ($a) { }",
        ] {
            assert_eq!(reported(&STALE_DOCUMENTATION, code), [""; 0], "{code}");
        }
    }

    #[test]
    fn removes_dollars() {
        let code =
            "# @param $a The first.\n# @param [Integer] $b\n# @param $d\nclass m ($a, $b) { }";
        assert_eq!(
            reported(&STALE_DOCUMENTATION, code),
            [
                "`$a`: expected `@param a`, found `@param $a`",
                "`$b`: expected `@param b`, found `@param $b`",
                "`d`: documentation of unknown parameter `$d`",
            ]
        );
        assert_eq!(
            fixed(&STALE_DOCUMENTATION, code),
            "# @param a The first.\n# @param [Integer] b\n# @param $d\nclass m ($a, $b) { }"
        );
    }

    #[test]
    fn corrects_names() {
        let code = "# @param prot The port.\nclass m ($port) { }";
        assert_eq!(
            fixed(&STALE_DOCUMENTATION, code),
            "# @param port The port.\nclass m ($port) { }"
        );
    }
}
