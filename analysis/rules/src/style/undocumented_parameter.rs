use hir::{ItemKind, signature};

use super::undocumented_definition::UNDOCUMENTED_DEFINITION;
use crate::checker::{Checker, FileChecker};
use crate::detached_documentation::check_parameters;
use crate::parameter_docs::{is_private, named_parameters};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports parameters without documentation.
    ///
    /// ## What it does
    ///
    /// Checks the parameters of classes, defined types, functions and plans for a `@param` tag in
    /// the comment directly above the definition. The older forms `[*name*]` and `$name::` count
    /// too. If an empty line below the comment is the cause, `undocumented-definition` reports it, or this rule does
    /// so once if that one is off.
    ///
    /// ## Why it matters
    ///
    /// Puppet Strings builds the reference of a module from these comments, and editors show them.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # Installs the example.
    /// class example (
    ///   Integer $port, # <-
    /// ) { notice($port) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # Installs the example.
    /// # @param port The port on which the example listens.
    /// class example (
    ///   Integer $port,
    /// ) { notice($port) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Definitions with `@api private`.
    /// * Parameters of functions that start with `_`, because they are unused.
    ///
    /// ## Fix
    ///
    /// No fix is available: only the author knows the text. Where an empty line separates the documentation from the
    /// definition, `undocumented-definition` offers to remove it; if that rule is off, this one does.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[undocumented-parameter]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `docs = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// undocumented-parameter = "warning"
    /// ```
    pub(crate) static UNDOCUMENTED_PARAMETER = {
        code: "undocumented-parameter",
        puppet_lint: ["parameter_documentation"],
        group: Docs,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check), Check::File(check_file)],
    }
}

fn check(checker: &mut Checker<'_>) {
    let kind = checker.item.kind(checker.db);
    if matches!(kind, ItemKind::TypeAlias | ItemKind::Node | ItemKind::Main) {
        return;
    }
    let doc = checker.item.doc(checker.db);
    let detached = checker.item.detached_doc(checker.db);
    if is_private(&doc) || is_private(&detached) {
        return;
    }
    let signature = signature(checker.db, checker.item);
    let item = checker.item.name(checker.db);
    let mut documented = named_parameters(&doc);
    documented.extend(named_parameters(&detached));
    for parameter in &signature.parameters {
        let name = &parameter.name;
        let is_unused = kind == ItemKind::Function && name.starts_with('_');
        if !is_unused && !documented.contains(name.as_str()) {
            let message = format!(
                "undocumented parameter `${name}` of {} `{item}`",
                kind.noun()
            );
            checker.report(&UNDOCUMENTED_PARAMETER, parameter.name_range, message);
        }
    }
}

fn check_file(checker: &mut FileChecker<'_>) {
    if !checker.is_on(&UNDOCUMENTED_DEFINITION) {
        check_parameters(checker, &UNDOCUMENTED_PARAMETER);
    }
}

#[cfg(test)]
mod tests {
    use super::UNDOCUMENTED_PARAMETER;
    use crate::testing::reported;

    #[test]
    fn reports_parameters_without_documentation() {
        let code = "# The class.\n# @param a The first.\nclass m ($a, $b, $c = 1) { }";
        let message = |it| format!("`{it}`: undocumented parameter `{it}` of class `m`");
        assert_eq!(
            reported(&UNDOCUMENTED_PARAMETER, code),
            ["$b", "$c"].map(message)
        );
        // A comment before an empty line does not belong to the class.
        let code = "# The class.\n\nclass m ($a) { }";
        assert_eq!(reported(&UNDOCUMENTED_PARAMETER, code), ["$a"].map(message));
        assert_eq!(
            reported(&UNDOCUMENTED_PARAMETER, "class m ($a) { }"),
            ["$a"].map(message)
        );
        let code = "# @example Use it\n#   @param a\nclass m ($a) { }";
        assert_eq!(reported(&UNDOCUMENTED_PARAMETER, code), ["$a"].map(message));
    }

    #[test]
    fn reports_functions_and_defined_types() {
        for (kind, code) in [
            ("function", "# @return x\nfunction m::d(*$a) { $a }"),
            ("defined type", "define m::d ($a) { }"),
        ] {
            let expected = format!("`$a`: undocumented parameter `$a` of {kind} `m::d`");
            assert_eq!(reported(&UNDOCUMENTED_PARAMETER, code), [expected]);
        }
    }

    #[test]
    fn ignores_documented_parameters() {
        for code in [
            "# @param a The first.\n# @param [String] b\n#   The second.\nclass m ($a, String $b) { }",
            "# @param [String] a text\nclass m ($a) { }",
            "# [*a*]\n#   The first.\n# $b:: The second.\n# * [*c*] - The third.\nclass m ($a, $b, $c) { }",
            "# @api private\nclass m ($a) { }",
            "# @param args All.\nfunction m::f(*$args) { $args }",
            "class m { }",
            "function m::f($_unused) { 1 }",
            "class m () { [1].each |$x| { } }",
            "# @param a\nclass m (\n  # inner\n  $a,\n) { }",
        ] {
            assert_eq!(reported(&UNDOCUMENTED_PARAMETER, code), [""; 0], "{code}");
        }
    }
}
