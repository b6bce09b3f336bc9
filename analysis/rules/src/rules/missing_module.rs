use hir::body::{Reference, ReferenceName};
use hir::resolve::ResolveError;

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};
use crate::unresolved::unresolved;

declare_rule! {
    /// Reports the use of modules that are declared, but not installed.
    ///
    /// ## What it does
    ///
    /// Reports each missing module once per file, as information: the module may be present where
    /// the code runs, but here, names from it cannot be checked. Modules are declared by the
    /// `Puppetfile`, `metadata.json` or `.fixtures.yml`. A module that is not declared either is
    /// reported only if the code uses it under a condition: it may be written for installations
    /// with and without the module.
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
    /// # file: metadata.json
    /// {"dependencies": [{"name": "puppetlabs-ntp"}]}
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   include ntp
    /// }
    /// # file: metadata.json
    /// {"dependencies": [{"name": "puppetlabs-ntp"}]}
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
    /// * Unconditional uses of modules that are not declared, which `unknown-class` and similar
    ///   rules report.
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
    let module = match unresolved(reference, resolution) {
        Some(ResolveError::MissingModule(module)) => module,
        Some(ResolveError::UndeclaredModule(module))
            if checker.undeclared_severity(reference, module).is_none() =>
        {
            module
        }
        _ => return,
    };
    let may_be_of_bolt = matches!(
        reference.name,
        ReferenceName::Type(_) | ReferenceName::Function(_)
    );
    if may_be_of_bolt && (checker.is_task_code() || checker.may_be_of_product(&reference.name)) {
        return;
    }
    let message = format!("module `{module}` is not installed");
    checker.report(&MISSING_MODULE, reference.range, message);
}

#[cfg(test)]
mod tests {
    use super::MISSING_MODULE;
    use crate::testing::reported;

    #[test]
    fn reports_each_kind_of_name() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { include a $x = [$b::c, d::e(), F::G, epp('h/i.epp')] j::k { 'l': } }\n\
                    //- Puppetfile\nmod 'a'\nmod 'b'\nmod 'd'\nmod 'f'\nmod 'h'\nmod 'j'";
        let expected = ["a", "b", "d", "f", "h", "j"];
        let found = reported(&MISSING_MODULE, code);
        let modules = found
            .iter()
            .map(|it| it.split('`').nth(3).unwrap_or_default());
        assert_eq!(modules.collect::<Vec<_>>(), expected, "{found:?}");
        assert_eq!(found[0], "`a`: module `a` is not installed");
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
