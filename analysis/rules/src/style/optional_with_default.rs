use hir::ItemKind;
use syntax::Fix;
use syntax::ast::{AstNode, Expr, Parameter};
use types::Type;

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports parameters whose type is `Optional` although they cannot be `undef`.
    ///
    /// ## What it does
    ///
    /// Checks the parameters of classes and defined types with a type `Optional[…]` that have a default value other than
    /// `undef` or a variable; and those of defined types that have no default value.
    ///
    /// ## Why it matters
    ///
    /// Puppet replaces `undef` with the default value, so the `Optional` has no effect and misleads readers. A
    /// parameter without a default value has to be passed, even if it is optional.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// define example (
    ///   Optional[Integer] $port = 80, # <-
    ///   Optional[String] $user, # <-
    /// ) { notice($port, $user) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// define example (
    ///   Integer $port = 80,
    ///   Optional[String] $user = undef,
    /// ) { notice($port, $user) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Functions and plans, to which `undef` can be passed.
    /// * Default values that may be `undef`.
    /// * Type aliases that accept `undef`: others use them, too.
    ///
    /// ## Fix
    ///
    /// Suggested: removes the `Optional`, if it is written there, or adds the default value `undef`.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[optional-with-default]` at the end of the line, or on a line of its own above
    /// it. The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// optional-with-default = "warning"
    /// ```
    pub(crate) static OPTIONAL_WITH_DEFAULT = {
        code: "optional-with-default",
        puppet_lint: ["optional_default"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Item(check)],
    }
}

fn check(checker: &mut Checker<'_>) {
    for parameter in checker.parameter_types() {
        let Some(name) = parameter
            .variable()
            .filter(|_| has_optional_type(&parameter))
        else {
            continue;
        };
        let (range, name) = (name.text_range(), name.text());
        match parameter.default() {
            Some(default) if is_never_undef(checker, &default) => {
                let message =
                    format!("`Optional` parameter `{name}` has a default value other than `undef`");
                checker.report(&OPTIONAL_WITH_DEFAULT, range, message);
                checker.fix(without_optional(&parameter));
            }
            None if checker.item.kind(checker.db) == ItemKind::DefinedType => {
                let message = format!("`Optional` parameter `{name}` has no default value");
                checker.report(&OPTIONAL_WITH_DEFAULT, range, message);
                let end = parameter.syntax().text_range().end();
                let label = "Add the default `undef`";
                let fix = Fix::suggested(label, syntax::TextRange::empty(end), " = undef");
                checker.fix(Some(fix));
            }
            _ => {}
        }
    }
}

/// Checks whether the type is written as an `Optional`.
fn has_optional_type(parameter: &Parameter) -> bool {
    let written = match parameter.type_expr() {
        Some(Expr::AccessExpr(it)) => it.base(),
        other => other,
    };
    written.is_some_and(|it| it.syntax().text() == "Optional")
}

/// Checks whether a default value is never `undef`. Where a variable gets its value may change.
fn is_never_undef(checker: &Checker<'_>, default: &Expr) -> bool {
    if matches!(default, Expr::VariableExpr(_)) {
        return false;
    }
    let type_ = checker.type_of(default);
    type_.is_some_and(|it| types::is_assignable(&it.type_, &Type::Undef) == Some(false))
}

/// Returns a fix that replaces `Optional[T]` with `T`.
fn without_optional(parameter: &Parameter) -> Option<Fix> {
    let type_ = parameter.type_expr()?;
    let Expr::AccessExpr(access) = &type_ else {
        return None;
    };
    let keys = access.keys();
    let [inner] = keys.as_slice() else {
        return None;
    };
    // A string is short for its literal type only within `Optional`.
    let is_written = access.base()?.syntax().text() == "Optional";
    let is_type = matches!(inner, Expr::AccessExpr(_) | Expr::QualifiedReference(_));
    (is_written && is_type).then(|| {
        let text = inner.syntax().text().to_string();
        Fix::suggested("Remove the `Optional`", type_.syntax().text_range(), text)
    })
}

#[cfg(test)]
mod tests {
    use super::OPTIONAL_WITH_DEFAULT;
    use crate::testing::{fixed, reported};

    #[test]
    fn reports_defaults_of_optional_parameters() {
        let code = "class m (Optional[String] $a = 'x', Optional[Array[String]] $b = [], Optional[Enum['c']] $c = 'c', \
                    Optional[M::Unknown] $e = false, $f = 1) { }";
        let end = "has a default value other than `undef`";
        let expected =
            ["$a", "$b", "$c", "$e"].map(|it| format!("`{it}`: `Optional` parameter `{it}` {end}"));
        assert_eq!(reported(&OPTIONAL_WITH_DEFAULT, code), expected);
    }

    #[test]
    fn reports_defined_types_without_a_default() {
        let code = "//- modules/m/manifests/d.pp\ndefine m::d (Optional[String] $a, String $b, \
                    Optional[String] $c = undef) { }";
        let expected = ["`$a`: `Optional` parameter `$a` has no default value"];
        assert_eq!(reported(&OPTIONAL_WITH_DEFAULT, code), expected);
    }

    #[test]
    fn ignores_other_parameters() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m (Optional[String] $a = undef, Optional[String] $b, String $c = 'c', \
                    Variant[Undef, String] $d = 'd', Optional[String] $e = $m::params::e, \
                    Optional[String] $g = pick_default($facts['h'], undef)) { }\n\
                    function m::f(Optional[String] $a = 'b') { $a }\n\
                    class m::params { $e = 'e' }\n\
                    define m::e (M::T $a, M::T $b = 1) { }\n\
                    //- modules/m/types/t.pp\ntype M::T = Optional[Integer]\n";
        assert_eq!(reported(&OPTIONAL_WITH_DEFAULT, code), [""; 0]);
    }

    #[test]
    fn removes_the_type() {
        let code = "class m (Optional[Array[String]] $a = [], Optional['b'] $b = 'b') { }";
        let expected = "class m (Array[String] $a = [], Optional['b'] $b = 'b') { }";
        assert_eq!(fixed(&OPTIONAL_WITH_DEFAULT, code), expected);
        let code = "define m (Optional[String] $a) { }";
        assert_eq!(
            fixed(&OPTIONAL_WITH_DEFAULT, code),
            "define m (Optional[String] $a = undef) { }"
        );
    }
}
