use hir::body::{Reference, ReferenceName};
use hir::resolve::ResolveError;

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports the use of modules that are not on the modulepath.
    ///
    /// ## What it does
    ///
    /// Reports each missing module once per file, as information: the module may be present where
    /// the code runs, but here, nothing that comes from it can be checked.
    ///
    /// ## Why it matters
    ///
    /// Puppet fails at the first name that it cannot find. To have names of the module checked,
    /// install it with `r10k`, `puppet module install`, or as a fixture of the tests, or add its
    /// directory to `pupil.toml`:
    ///
    /// ```toml
    /// [workspace]
    /// modulepath = ["../modules"]
    /// ```
    ///
    /// `pupil workspace` lists the modules and the directories where they were found.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   include ntp # <-
    ///   include ntp::server
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include ntp
    /// }
    /// # file: modules/ntp/manifests/init.pp
    /// class ntp {
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions and resource types without `::`, whose names do not contain the module.
    /// * Files that are opened without a workspace, so that no modulepath is known.
    /// * Names that the code checks first, with `defined(…)`.
    ///
    /// ## Fix
    ///
    /// No fix is available: the module must be installed.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[missing-module]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// missing-module = "off"
    /// ```
    pub(crate) static MISSING_MODULE = {
        code: "missing-module",
        severity: Info,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let Some(ResolveError::MissingModule(module)) = unresolved(reference, resolution) else {
        return;
    };
    let may_be_of_bolt = matches!(
        reference.name,
        ReferenceName::Type(_) | ReferenceName::Function(_)
    );
    if may_be_of_bolt && checker.is_task_code() {
        return;
    }
    let message = format!("module `{module}` not found on the modulepath");
    checker.report(&MISSING_MODULE, reference.range, message);
}

#[cfg(test)]
mod tests {
    use super::MISSING_MODULE;
    use crate::testing::reported;

    #[test]
    fn reports_each_kind_of_name() {
        let code = "class m { include a $x = [$b::c, d::e(), F::G, epp('h/i.epp')] j::k { 'l': } }";
        let expected = ["a", "b", "d", "f", "h", "j"];
        let found = reported(&MISSING_MODULE, code);
        let modules = found
            .iter()
            .map(|it| it.split('`').nth(3).unwrap_or_default());
        assert_eq!(modules.collect::<Vec<_>>(), expected, "{found:?}");
        assert_eq!(found[0], "`a`: module `a` not found on the modulepath");
    }

    #[test]
    fn ignores_guarded_names_and_functions_of_plans() {
        for code in [
            "class m { if defined('a') { include a } }",
            "//- modules/m/plans/init.pp\nplan m { a::b() }",
        ] {
            assert_eq!(reported(&MISSING_MODULE, code), [""; 0], "{code}");
        }
    }
}
