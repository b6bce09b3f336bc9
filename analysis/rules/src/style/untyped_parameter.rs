use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports parameters of classes and defined types without a data type.
    ///
    /// ## What it does
    ///
    /// Checks each parameter of a class or a defined type.
    ///
    /// ## Why it matters
    ///
    /// Puppet checks the value of a parameter with a type at once and names the parameter. Without one, a wrong
    /// value fails somewhere in the code, or configures the machine wrongly.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   $port, # <-
    /// ) { notice($port) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port,
    /// ) { notice($port) }
    /// ```
    ///
    /// ## Fix
    ///
    /// No fix is available: the type depends on all uses. The code action *Add the data type* infers it from the
    /// default value and from the values that are passed.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[untyped-parameter]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// untyped-parameter = "warning"
    /// ```
    pub(crate) static UNTYPED_PARAMETER = {
        code: "untyped-parameter",
        puppet_lint: ["parameter_types"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    for parameter in checker.parameter_types() {
        let name = parameter
            .variable()
            .filter(|_| parameter.type_expr().is_none());
        if let Some(name) = name {
            let message = format!("missing data type for parameter `{}`", name.text());
            checker.report(&UNTYPED_PARAMETER, name.text_range(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UNTYPED_PARAMETER;
    use crate::testing::reported;

    #[test]
    fn reports_parameters_without_a_type() {
        let code =
            "class m ($a, String $b, $c = 1, $d = [$e], Optional[Integer] $f = undef, $g = $h) { }";
        let expected = ["$a", "$c", "$d", "$g"]
            .map(|it| format!("`{it}`: missing data type for parameter `{it}`"));
        assert_eq!(reported(&UNTYPED_PARAMETER, code), expected);
        let code = "//- modules/m/manifests/d.pp\ndefine m::d ($a, Any $b) { }";
        assert_eq!(
            reported(&UNTYPED_PARAMETER, code),
            ["`$a`: missing data type for parameter `$a`"]
        );
    }

    #[test]
    fn ignores_other_parameters() {
        let code = "class m (String $a, Array[Integer] $b = [1].map |$c| { $c }) { [1].each |$d, $e| { } $f = 1 }\n\
                    function m::g($h, *$i) { $h }\nnode 'j' { $k = 1 }";
        assert_eq!(reported(&UNTYPED_PARAMETER, code), [""; 0]);
    }
}
