use hir::body::{Reference, ReferenceName};
use hir::resolve::Definition;
use hir::variables::VariableSource;
use syntax::Fix;

use crate::checker::{Checker, Resolution};
use crate::fixes::{safe_if, token_at, variable_like};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports facts that are read as top-scope variables.
    ///
    /// ## What it does
    ///
    /// Checks variables such as `$::kernel` that are a core fact or a custom fact of a module. In classes and defined
    /// types, checks those without `::`, too.
    ///
    /// ## Why it matters
    ///
    /// The hash `$facts` shows that the value is a fact, and no other code can assign it. A
    /// top-scope variable may also come from `site.pp` or a node classifier.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example {
    ///   notice($::kernel) # <-
    ///   notice($::role) # <-
    /// }
    /// # file: lib/facter/role.rb
    /// Facter.add(:role) { setcode { 'web' } }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example {
    ///   notice($facts['kernel'])
    ///   notice($facts['role'])
    /// }
    /// # file: lib/facter/role.rb
    /// Facter.add(:role) { setcode { 'web' } }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Names that are not a known fact, such as variables of a node classifier.
    /// * Legacy facts, which `legacy-fact` reports.
    ///
    /// ## Fix
    ///
    /// Safe: reads a core fact that each host has from `$facts`.
    ///
    /// Suggested: the same for other facts, whose value in `$facts` is `undef` on hosts without them, while the
    /// variable is unknown there; and for variables without `::`, which a node definition may assign.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[top-scope-fact]` at the end of the line, or on a line of its own above it. The
    /// rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// top-scope-fact = "warning"
    /// ```
    pub(crate) static TOP_SCOPE_FACT = {
        code: "top-scope-fact",
        puppet_lint: ["top_scope_facts"],
        also_in_puppet_lint: ["variable_scope"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, resolution: &Resolution<'_>) {
    let ReferenceName::Variable(written) = &reference.name else {
        return;
    };
    let Ok(Definition::Variable(source)) = resolution else {
        return;
    };
    let absolute = written.strip_prefix("::");
    let name = absolute.unwrap_or(written);
    let is_core = match source {
        VariableSource::Fact(fact) if fact.modern.is_none() => true,
        VariableSource::CustomFact(..) => false,
        // The agent sends some variables as facts.
        VariableSource::BuiltIn(_)
            if absolute.is_some() && library::fact_part(&[name]).is_some() =>
        {
            true
        }
        _ => return,
    };
    let is_in_scope = checker.item.kind(checker.db).is_declarable();
    if absolute.is_none() && !is_in_scope {
        return;
    }
    let range = reference.range;
    // Plans do not have any facts.
    if checker.is_in_plan(range) {
        return;
    }
    let modern = format!("$facts['{name}']");
    let message = match absolute {
        Some(name) => format!("top-scope fact `$::{name}`; use `{modern}` instead"),
        None => format!("unqualified fact `${name}`; use `{modern}` instead"),
    };
    checker.report(&TOP_SCOPE_FACT, range, message);
    let is_everywhere = library::fact_part(&[name]).is_some_and(|it| !it.optional);
    let text = token_at(&checker.root(), range).and_then(|it| variable_like(&it, &modern));
    let label = format!("Replace with `{modern}`");
    let fix = text.map(|it| Fix::suggested(label, range, it));
    checker.fix(fix.map(|it| it.with(safe_if(absolute.is_some() && is_core && is_everywhere))));
}

#[cfg(test)]
mod tests {
    use super::TOP_SCOPE_FACT;
    use crate::rules::LEGACY_FACT;
    use crate::testing::{fixed, reported};

    const FACT: &str =
        "//- modules/m/lib/facter/role.rb\nFacter.add(:role) do\n  setcode { 'x' }\nend\n";

    #[test]
    fn reports_known_facts() {
        let code = "class m { notice($::kernel, \"${::kernel}\", \"$::os\") }";
        assert_eq!(
            reported(&TOP_SCOPE_FACT, code),
            [
                "`$::kernel`: top-scope fact `$::kernel`; use `$facts['kernel']` instead",
                "`::kernel`: top-scope fact `$::kernel`; use `$facts['kernel']` instead",
                "`$::os`: top-scope fact `$::os`; use `$facts['os']` instead",
            ]
        );
        assert_eq!(
            fixed(&TOP_SCOPE_FACT, code),
            "class m { notice($facts['kernel'], \"${facts['kernel']}\", \"${facts['os']}\") }"
        );
        let custom =
            format!("{FACT}//- modules/m/manifests/init.pp\nclass m {{ notice($::role) }}");
        assert_eq!(reported(&TOP_SCOPE_FACT, &custom).len(), 1);
        let part = "class m { notice($::os['family']) }";
        assert_eq!(
            fixed(&TOP_SCOPE_FACT, part),
            "class m { notice($facts['os']['family']) }"
        );
        let agent = "class m { notice($::clientcert) }";
        assert_eq!(
            reported(&TOP_SCOPE_FACT, agent),
            ["`$::clientcert`: top-scope fact `$::clientcert`; use `$facts['clientcert']` instead"]
        );
    }

    #[test]
    fn reports_unqualified_facts_in_classes_and_defined_types() {
        let code =
            "class m { notice($networking['fqdn'], \"${kernel}\", $clientcert) }\nnotice($kernel)";
        assert_eq!(
            reported(&TOP_SCOPE_FACT, code),
            [
                "`$networking`: unqualified fact `$networking`; use `$facts['networking']` instead",
                "`kernel`: unqualified fact `$kernel`; use `$facts['kernel']` instead",
            ]
        );
        let own = "class m ($kernel) { $os = {} notice($kernel, $os) }";
        assert_eq!(reported(&TOP_SCOPE_FACT, own), [""; 0]);
        let custom = format!("{FACT}//- modules/m/manifests/init.pp\nclass m {{ notice($role) }}");
        assert_eq!(reported(&TOP_SCOPE_FACT, &custom).len(), 1);
    }

    #[test]
    fn leaves_legacy_facts_to_their_rule() {
        let code = "class m { notice($::osfamily) }";
        assert_eq!(reported(&TOP_SCOPE_FACT, code), [""; 0]);
        assert_eq!(reported(&LEGACY_FACT, code).len(), 1);
    }

    #[test]
    fn ignores_other_variables() {
        for code in [
            "class m { notice($::role) }",
            "class m { notice($facts['kernel']) }",
            "class m { notice($::facts['kernel']) }",
            "class m { notice($::environment, $::serverversion) }",
            "class m { notice($::trusted['certname']) }",
            "class m { $x = 1 notice($::m::x) }",
            "class m { $my_facts = {} notice($my_facts['kernel']) }",
            "class m { notice('$::kernel') }",
        ] {
            assert_eq!(reported(&TOP_SCOPE_FACT, code), [""; 0], "{code}");
        }
    }
}
