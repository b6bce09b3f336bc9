use hir::body::{Reference, ReferenceName};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};
use crate::suggest::similar;
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports resources of types that do not exist.
    ///
    /// ## What it does
    ///
    /// Resolves the names of resource types and defined types in resource declarations, defaults
    /// and collectors, and in calls such as `create_resources`.
    ///
    /// ## Why it matters
    ///
    /// Compilation fails: *Unknown resource type*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   pakage { 'ntp': } # <-
    ///   example::vhots { 'a': } # <-
    ///   create_resources('example::vhots', { 'b' => {} }) # <-
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost {
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   package { 'ntp': }
    ///   example::vhost { 'a': }
    ///   create_resources('example::vhost', { 'b' => {} })
    /// }
    /// # file: manifests/vhost.pp
    /// define example::vhost {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types without `::` that are not similar to a known one, if dependencies of the module (in
    ///   `metadata.json`) are not installed: one of them may define the type.
    /// * Types of modules that are declared, but not installed. `missing-module` reports these once per file.
    /// * Types of Puppet Enterprise: `pe_…`.
    /// * Types that are computed: `Resource[$type] { … }`.
    /// * Names that the code checks first, with `defined(…)`.
    ///
    /// ```puppet right
    /// class example {
    ///   if defined('example::extra') {
    ///     example::extra { 'a': }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Suggested: replaces the name with that of the most similar type.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[unknown-resource-type]` at the end of the line, or on a line of its own
    /// above it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// unknown-resource-type = "off"
    /// ```
    pub(crate) static UNKNOWN_RESOURCE_TYPE = {
        code: "unknown-resource-type",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let (ReferenceName::ResourceType(name), Some(missing)) =
        (&reference.name, unresolved(reference, resolution))
    else {
        return;
    };
    if checker.may_be_of_product(&reference.name) {
        return;
    }
    let near = |name: &str| similar(name, checker.resource_types());
    let Some(unknown) = checker.unknown(reference, name, missing, near) else {
        return;
    };
    let message = format!("unknown resource type `{name}`{}", unknown.hint());
    checker.report_as(
        &UNKNOWN_RESOURCE_TYPE,
        unknown.severity,
        reference.range,
        message,
    );
    checker.replace_unknown(reference.range, name, &unknown);
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_RESOURCE_TYPE;
    use crate::testing::{fixes, reported};

    #[test]
    fn reports_names_that_are_not_defined() {
        let code = "class m { fiel { '/a': } m::site { 'a': } }";
        assert_eq!(
            reported(&UNKNOWN_RESOURCE_TYPE, code),
            [
                "`fiel`: unknown resource type `fiel`; did you mean `file`?",
                "`m::site`: unknown resource type `m::site`",
            ]
        );
        assert_eq!(fixes(&UNKNOWN_RESOURCE_TYPE, code), ["Replace with `file`"]);
    }

    #[test]
    fn ignores_defined_types_and_missing_modules() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { m::d { 'a': } other::d { 'a': } }\ndefine m::d { }\n\
                    //- Puppetfile\nmod 'other'";
        assert_eq!(reported(&UNKNOWN_RESOURCE_TYPE, code), [""; 0]);
    }
}
