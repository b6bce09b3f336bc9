use base::suggest::{hint, is_slip, similar};
use std::sync::LazyLock;

use hir::body::{Reference, ReferenceName};
use hir::{ItemKind, canonical_name, resolve};
use library::products;
use syntax::ast::{AccessExpr, AccessKeys, AstNode, Expr, SelectorEntry};
use syntax::{Fix, Severity, SyntaxKind, SyntaxNode, TextRange};
use types::values::quote;
use types::{DATA_TYPES, capitalize_segments, spelled_data_type};

use crate::checker::{Checker, Resolution};
use crate::fixes::node_at;
use crate::hyphenated_type::hyphenated_type;
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports data types that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves type names to Puppet's data types, to type aliases (`types/` of a module) and to
    /// resource types.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails when the type is evaluated: *Resource type not found*. The type of a
    /// parameter is evaluated whenever the class or function is used. Puppet evaluates the parts of
    /// a type alias lazily, so the severity is a warning there: for example, `Optional[Missing]`
    /// accepts `undef` without an error.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Example::Prot $port = 80, # <-
    ///   Intger $count = 1, # <-
    /// ) {
    ///   notice($port, $count)
    /// }
    /// # file: types/port.pp
    /// type Example::Port = Integer[1, 65535]
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Example::Port $port = 80,
    ///   Integer $count = 1,
    /// ) {
    ///   notice($port, $count)
    /// }
    /// # file: types/port.pp
    /// type Example::Port = Integer[1, 65535]
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names without `::` that are not similar to a known one, if dependencies of the module (in
    ///   `metadata.json`) are not installed: one of them may define a resource type of that name.
    /// * Types of modules that are declared, but not installed (`missing-module`). `Stdlib::Absolutepath`
    ///   requires `stdlib`.
    /// * Types in plans, which Bolt extends, unless they are one edit away from one of Bolt or Puppet or begin with the
    ///   name of the module, which are warnings, and the types of Bolt in functions, type aliases and
    ///   templates.
    /// * Names that the code checks first, with `defined(…)`.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with that of the most similar type, or quotes an option of a `case` or selector.
    /// Safe: replaces the key in `Class[Example::Server]` with the name of the class, `'example::server'`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-type]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-type = "off"
    /// ```
    pub(crate) static UNKNOWN_TYPE = {
        code: "unknown-type",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (ReferenceName::Type(name), Some(missing)) =
        (&reference.name, unresolved(reference, resolution))
    else {
        return;
    };
    let root = checker.root();
    // `invalid-operand` reports a name with a hyphen as a whole.
    if checker.may_be_of_product(&reference.name)
        || hyphenated_type(&root, reference.range).is_some()
    {
        return;
    }
    let is_task_code = checker.is_task_code();
    if is_task_code && !is_of_own_module(checker, name) {
        return check_in_plan(checker, reference, name);
    }
    let near = |name: &str| {
        let aliases = checker.definitions(ItemKind::TypeAlias);
        let shipped = LOWERCASE_DATA_TYPES.iter().map(String::as_str);
        similar(name, checker.resource_types().chain(aliases).chain(shipped))
    };
    let Some(unknown) = checker.unknown(reference, name, missing, near) else {
        return;
    };
    // An unknown type in an alias only fails when a value is checked against it, and
    // `Optional[Missing]` accepts `undef` before that.
    let severity = match checker.item.kind(checker.db) {
        ItemKind::TypeAlias => Severity::Warning,
        _ if is_task_code => unknown.severity.max(Severity::Warning),
        _ => unknown.severity,
    };
    if is_key_of_class(&root, reference.range) {
        return report_class(checker, reference, name, severity);
    }
    let message = format!("unknown type `{name}`{}", unknown.hint_as(spelled));
    checker.report_as(&UNKNOWN_TYPE, severity, reference.range, message);
    checker.replace_unknown(reference.range, name, &unknown);
    if unknown.similar.is_none() && is_option(checker, reference.range) {
        let fix = Fix::suggested("Quote the name", reference.range, quote(name));
        checker.fix(Some(fix));
    }
}

/// Checks whether a name is a key of the type `Class`, as in `Class[Foo]`.
fn is_key_of_class(root: &SyntaxNode, range: TextRange) -> bool {
    let keys = node_at(root, range).and_then(|it| AccessKeys::cast(it.parent()?));
    let access = keys.and_then(|it| AccessExpr::cast(it.syntax().parent()?));
    let base = access.and_then(|it| it.base());
    matches!(base, Some(Expr::QualifiedReference(it)) if it.text() == "Class")
}

/// Reports a type in the place of the name of a class, which is a string.
fn report_class(checker: &mut Checker<'_>, reference: &Reference, name: &str, severity: Severity) {
    let class = canonical_name(name);
    let is_known = resolve::class(checker.db, Some(checker.environment), &class).is_ok();
    let quoted = quote(&class);
    let hint = match is_known {
        true => format!("; did you mean `{quoted}`?"),
        false => String::new(),
    };
    let message = format!("expected a class name, found type `{name}`{hint}");
    checker.report_as(&UNKNOWN_TYPE, severity, reference.range, message);
    let label = format!("Replace with `{quoted}`");
    let fix = is_known.then(|| Fix::certain(label, reference.range, quoted));
    checker.fix(fix);
}

/// Checks whether a name is an option of a `case` or selector, which is meant to be a string.
fn is_option(checker: &Checker<'_>, range: TextRange) -> bool {
    let node = node_at(&checker.root(), range);
    let Some(parent) = node.and_then(|it| it.parent()) else {
        return false;
    };
    match SelectorEntry::cast(parent.clone()).and_then(|it| it.matching()) {
        Some(option) => option.syntax().text_range() == range,
        None => parent.kind() == SyntaxKind::CASE_OPTION,
    }
}

/// Reports a name in a plan that is one edit away from a data type of Bolt or of Puppet: Bolt and its
/// modules have others.
fn check_in_plan(checker: &mut Checker<'_>, reference: &Reference, name: &str) {
    let canonical = canonical_name(name);
    let known = products::types_of_bolt().chain(DATA_TYPES);
    let mut known = known.filter(|it| it.len() >= MIN_IN_PLAN);
    let Some(near) = known.find(|it| is_slip(&canonical, &it.to_ascii_lowercase())) else {
        return;
    };
    let message = format!("unknown type `{name}`{}", hint(Some(near)));
    checker.report_as(&UNKNOWN_TYPE, Severity::Warning, reference.range, message);
    checker.fix_name(reference.range, name, near);
}

/// Checks whether only the module that is checked can define a type, as its name starts with that of the module.
fn is_of_own_module(checker: &Checker<'_>, name: &str) -> bool {
    let canonical = canonical_name(name);
    let namespace = canonical.split_once("::").map(|it| it.0);
    let module = checker.item.file(checker.db).module(checker.db);
    namespace.is_some_and(|it| module.is_some_and(|module| &**module.name(checker.db) == it))
}

/// The minimum length of a data type that a name in a plan may be a misspelling of.
const MIN_IN_PLAN: usize = 5;

/// The built-in data types in canonical form.
static LOWERCASE_DATA_TYPES: LazyLock<Vec<String>> = LazyLock::new(|| {
    DATA_TYPES
        .iter()
        .map(|it| it.to_ascii_lowercase())
        .collect()
});

/// Returns a canonical name as it is written in Puppet code.
fn spelled(name: &str) -> String {
    spelled_data_type(name).map_or_else(|| capitalize_segments(name), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_TYPE;
    use crate::testing::{fixed, fixes, reported, severities};
    use syntax::Severity;

    #[test]
    fn class_references_expect_names() {
        let code = "class m { notice(Class[M::A], Class[M::B], Class[Integer, M::A], M::A[1]) }\nclass m::a { }";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            [
                "`M::A`: expected a class name, found type `M::A`; did you mean `'m::a'`?",
                "`M::B`: expected a class name, found type `M::B`",
                "`M::A`: expected a class name, found type `M::A`; did you mean `'m::a'`?",
                "`M::A`: unknown type `M::A`",
            ]
        );
        assert_eq!(
            fixed(
                &UNKNOWN_TYPE,
                "class m { notice(Class[M::A]) }\nclass m::a { }"
            ),
            "class m { notice(Class['m::a']) }\nclass m::a { }"
        );
    }

    #[test]
    fn reports_misspelled_types_in_plans() {
        let code = "//- modules/m/plans/init.pp\n\
                    plan m (TargetSpecs $a, Optional[Intger] $b, Other $c, Targetspec $d) { }";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            [
                "`TargetSpecs`: unknown type `TargetSpecs`; did you mean `TargetSpec`?",
                "`Intger`: unknown type `Intger`; did you mean `Integer`?",
            ]
        );
    }

    #[test]
    fn accepts_types_of_bolt_in_templates() {
        let code =
            "//- modules/m/templates/hosts.epp\n<%- | Array[Target] $targets, Targt $other | -%>\n";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            ["`Targt`: unknown type `Targt`"]
        );
    }

    #[test]
    fn reports_types_of_the_own_module_in_plans() {
        let code = "//- modules/m/types/mode.pp\ntype M::Mode = Enum['a']\n\
                    //- modules/m/plans/init.pp\nplan m (M::Mode $a, M::Mod $b, Other::Mod $c) { }";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            ["`M::Mod`: unknown type `M::Mod`; did you mean `M::Mode`?"]
        );
        assert_eq!(severities(&UNKNOWN_TYPE, code), [Severity::Warning]);
    }

    #[test]
    fn quotes_options() {
        let code = "class m ($x) { case $x { Debian: { } default: { } } $y = $x ? { Solaris => 1, default => Foo } }";
        assert_eq!(
            fixed(&UNKNOWN_TYPE, code),
            "class m ($x) { case $x { 'Debian': { } default: { } } $y = $x ? { 'Solaris' => 1, default => Foo } }"
        );
    }

    #[test]
    fn reports_names_that_are_not_defined() {
        let code = "class m (M::Prot $a, M::Other $b) { }\ntype M::Port = Integer";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            [
                "`M::Prot`: unknown type `M::Prot`; did you mean `M::Port`?",
                "`M::Other`: unknown type `M::Other`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_TYPE, code), ["Replace with `M::Port`"]);
    }

    #[test]
    fn suggests_built_in_types() {
        let code = "class m (Intger $a, SemVerRagne $c) { }";
        assert_eq!(
            reported(&UNKNOWN_TYPE, code),
            [
                "`Intger`: unknown type `Intger`; did you mean `Integer`?",
                "`SemVerRagne`: unknown type `SemVerRagne`; did you mean `SemVerRange`?",
            ]
        );
        assert_eq!(
            fixes(&UNKNOWN_TYPE, code),
            ["Replace with `Integer`", "Replace with `SemVerRange`"]
        );
    }

    #[test]
    fn ignores_resource_types_and_missing_modules() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m (Other::Port $a) { notice(File['/a'], M::D['b']) }\n\
                    define m::d { }\n//- Puppetfile\nmod 'other'";
        assert_eq!(reported(&UNKNOWN_TYPE, code), [""; 0]);
    }
}
