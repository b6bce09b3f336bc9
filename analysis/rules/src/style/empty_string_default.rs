use syntax::ast::{AstNode, Expr};

use crate::checker::Checker;
use crate::parameter_types::is_any_string;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports parameters of the type `String` whose default value is the empty string.
    ///
    /// ## What it does
    ///
    /// Checks the parameters of classes and defined types with a type that accepts any string, also through type
    /// aliases.
    ///
    /// ## Why it matters
    ///
    /// An empty string usually means that no value is set. `Optional[String[1]]` with the default value `undef`
    /// says so, and rejects empty strings that are passed by mistake.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   String $proxy = '', # <-
    /// ) { notice($proxy) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Optional[String[1]] $proxy = undef,
    /// ) { notice($proxy) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Types that list the empty string, such as `Enum['', 'a']`.
    /// * Functions and plans.
    ///
    /// ## Fix
    ///
    /// No fix is available: the code may compare with the empty string.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[empty-string-default]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// empty-string-default = "warning"
    /// ```
    pub(crate) static EMPTY_STRING_DEFAULT = {
        code: "empty-string-default",
        puppet_lint: ["params_empty_string_assignment"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    for parameter in checker.parameter_types() {
        let Some(Expr::StringLiteral(default)) = parameter.default() else {
            continue;
        };
        let type_ = checker.declared_type(&parameter);
        if default.value().is_empty()
            && type_.is_some_and(|it| is_any_string(&it))
            && let Some(name) = parameter.variable()
        {
            let message = format!("default of `{}` is an empty string", name.text());
            checker.report(
                &EMPTY_STRING_DEFAULT,
                default.syntax().text_range(),
                message,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EMPTY_STRING_DEFAULT;
    use crate::testing::reported;

    #[test]
    fn reports_empty_strings() {
        let code = "class m (String $a = '', Optional[String] $b = \"\", Variant[String, Integer] $c = '', \
                    M::T $d = '', String[0, 5] $e = '') { }";
        let code = format!(
            "//- modules/m/manifests/init.pp\n{code}\n//- modules/m/types/t.pp\n\
                            type M::T = Variant[Undef, String]\n"
        );
        let found = reported(&EMPTY_STRING_DEFAULT, &code);
        let names = ["$a", "$b", "$c", "$d", "$e"];
        let messages = names.map(|it| format!("default of `{it}` is an empty string"));
        assert_eq!(found.len(), messages.len());
        assert!(
            found
                .iter()
                .zip(&messages)
                .all(|(it, message)| it.ends_with(message)),
            "{found:?}"
        );
    }

    #[test]
    fn ignores_other_defaults() {
        let code = "class m (String $a = 'a', $b = '', Enum['', 'c'] $c = '', Variant[String[1], Enum['']] $d = '', \
                    Any $e = '', Pattern[/^$/] $f = '', String $g, Optional[String] $h = undef, \
                    Variant[String, Enum['']] $i = '', Array[String] $j = ['']) { $k = '' }\n\
                    function m::f(String $a = '') { $a }";
        assert_eq!(reported(&EMPTY_STRING_DEFAULT, code), [""; 0]);
    }
}
