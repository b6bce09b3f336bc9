use std::sync::LazyLock;

use hir::ItemKind;
use hir::body::{Reference, ReferenceName};
use syntax::Severity;
use types::{DATA_TYPES, capitalize_segments, spelled_data_type};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::similar;
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
    /// * Types in plans, which Bolt extends, and its types in functions and type aliases.
    /// * Names that the code checks first, with `defined(…)`.
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with that of the most similar type.
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
    if checker.is_task_code() || checker.may_be_of_product(&reference.name) {
        return;
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
        _ => unknown.severity,
    };
    let message = format!("unknown type `{name}`{}", unknown.hint_as(spelled));
    checker.report_as(&UNKNOWN_TYPE, severity, reference.range, message);
    checker.replace_unknown(reference.range, name, &unknown);
}

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
    use crate::testing::{fixes, reported};

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
