use hir::body::{Reference, ReferenceName};
use syntax::{Fix, text_at};

use crate::checker::{Checker, Resolution};
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports variables of classes whose name starts with `::`.
    ///
    /// ## What it does
    ///
    /// Checks names such as `$::apache::port`, also in strings.
    ///
    /// ## Why it matters
    ///
    /// Since Puppet 4, a name with the namespace of a class is absolute, so the first `::` has no effect.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// # file: manifests/init.pp
    /// class example {
    ///   include example::params
    ///   notice($::example::params::port) # <-
    /// }
    /// # file: manifests/params.pp
    /// class example::params {
    ///   $port = 80
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// # file: manifests/init.pp
    /// class example {
    ///   include example::params
    ///   notice($example::params::port)
    /// }
    /// # file: manifests/params.pp
    /// class example::params {
    ///   $port = 80
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Safe: removes the `::`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[top-scope-class-variable]` at the end of the line, or on a line of its own
    /// above it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// top-scope-class-variable = "warning"
    /// ```
    pub(crate) static TOP_SCOPE_CLASS_VARIABLE = {
        code: "top-scope-class-variable",
        puppet_lint: ["topscope_variable"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Reference(check)],
    }
}

fn check(checker: &mut Checker<'_>, reference: &Reference, _: &Resolution<'_>) {
    let ReferenceName::Variable(name) = &reference.name else {
        return;
    };
    let Some(qualified) = name.strip_prefix("::").filter(|it| it.contains("::")) else {
        return;
    };
    let Some(written) = text_at(&checker.root(), reference.range) else {
        return;
    };
    // A variable in a string may lack the dollar sign.
    let sign = if written.starts_with('$') { "$" } else { "" };
    if written.strip_prefix(sign) == Some(name.as_str()) {
        let message = format!("redundant leading `::` in `${name}`; use `${qualified}` instead");
        checker.report(&TOP_SCOPE_CLASS_VARIABLE, reference.range, message);
        let text = format!("{sign}{qualified}");
        checker.fix(Some(Fix::certain("Remove the `::`", reference.range, text)));
    }
}

#[cfg(test)]
mod tests {
    use super::TOP_SCOPE_CLASS_VARIABLE;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_absolute_variables() {
        let code = "class m ($p = $::m::a) { $x = [$::b::c, \"${::d::e} $::f::g ${::h::i['j']}\"] \
                    if $::k::l::n { notice($::o::p['q']) } }";
        let names = ["m::a", "b::c", "d::e", "f::g", "h::i", "k::l::n", "o::p"];
        let shown = [
            "$::m::a",
            "$::b::c",
            "::d::e",
            "$::f::g",
            "::h::i",
            "$::k::l::n",
            "$::o::p",
        ];
        let expected: Vec<_> = names
            .iter()
            .zip(shown)
            .map(|(name, shown)| {
                format!("`{shown}`: redundant leading `::` in `$::{name}`; use `${name}` instead")
            })
            .collect();
        assert_eq!(reported(&TOP_SCOPE_CLASS_VARIABLE, code), expected);
    }

    #[test]
    fn ignores_other_variables() {
        let code = "class m { $x = [$::facts['a'], $::osfamily, $b::c, \"${d::e} ${::environment} $f::g\", \
                    '$::h::i', $x] include ::j::k Class['::l::m'] # $::n::o\n }";
        assert_eq!(reported(&TOP_SCOPE_CLASS_VARIABLE, code), [""; 0]);
    }

    #[test]
    fn removes_the_colons() {
        let code = "class m { $x = [$::b::c, \"${::d::e} $::f::g ${::h::i['j']}\"] }";
        let expected = "class m { $x = [$b::c, \"${d::e} $f::g ${h::i['j']}\"] }";
        assert_eq!(fixed(&TOP_SCOPE_CLASS_VARIABLE, code), expected);
    }
}
