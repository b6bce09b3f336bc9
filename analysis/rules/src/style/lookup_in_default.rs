use hir::ItemKind;
use library::KnownFunction as F;
use syntax::ast::{AstNode, CallExpr, MethodCall, Parameter};
use syntax::{SyntaxKind, SyntaxNode};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports calls to `lookup` in the default value of a parameter of a class.
    ///
    /// ## What it does
    ///
    /// Checks `lookup`, `hiera`, `hiera_array` and `hiera_hash` in the parameter list of a class.
    ///
    /// ## Why it matters
    ///
    /// Puppet looks up `CLASS::PARAMETER` by itself. A call hides the name of the key, and data for
    /// the parameter takes precedence over it.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// class example (
    ///   Integer $port = lookup('example_port', Integer, 'first', 80), # <-
    /// ) { notice($port) }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// class example (
    ///   Integer $port = 80,
    /// ) { notice($port) }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Defined types, functions and plans, whose parameters Puppet does not look up.
    ///
    /// ## Fix
    ///
    /// No fix is available: the key in the data has to be renamed too.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[lookup-in-default]` at the end of the line, or on a line of its own above it.
    /// The rule is off by default. To turn it on for a project, add this to `pupil.toml`, or
    /// `style = "warning"` for the whole group:
    ///
    /// ```toml
    /// [rules]
    /// lookup-in-default = "warning"
    /// ```
    pub(crate) static LOOKUP_IN_DEFAULT = {
        code: "lookup-in-default",
        puppet_lint: ["lookup_in_parameter"],
        group: Style,
        severity: Warning,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::CALL_EXPR, SyntaxKind::METHOD_CALL], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let name = match node.kind() {
        SyntaxKind::CALL_EXPR => CallExpr::cast(node.clone()).and_then(|it| it.name_token()),
        _ => MethodCall::cast(node.clone()).and_then(|it| it.name_token()),
    };
    let Some(name) = name else {
        return;
    };
    let text = name.text();
    let known = F::from_name(text.strip_prefix("::").unwrap_or(text));
    let is_lookup = matches!(
        known,
        Some(F::Lookup | F::Hiera | F::HieraArray | F::HieraHash)
    );
    if is_lookup && checker.item.kind(checker.db) == ItemKind::Class && is_in_default(node) {
        let message = format!(
            "`{text}` in the default value of a parameter; use automatic parameter lookup instead"
        );
        checker.report(&LOOKUP_IN_DEFAULT, name.text_range(), message);
    }
}

/// Checks whether a call is in the default value of a parameter of the item.
fn is_in_default(call: &SyntaxNode) -> bool {
    let parameters = call.ancestors().filter(|it| Parameter::can_cast(it.kind()));
    let mut owners = parameters.filter_map(|it| it.parent()?.parent());
    owners.any(|it| it.parent().is_none())
}

#[cfg(test)]
mod tests {
    use super::LOOKUP_IN_DEFAULT;
    use crate::testing::reported;

    #[test]
    fn reports_lookups_of_classes() {
        let code = "class m ($a = lookup('a'), Integer $b = lookup({ 'name' => 'b' }) + 1, \
                    $c = hiera('c', 1), $d = 'd'.lookup, $e = [hiera_array('e'), hiera_hash('f')], \
                    $g = [1].map |$h| { lookup('i') }) { }";
        let names = [
            "lookup",
            "lookup",
            "hiera",
            "lookup",
            "hiera_array",
            "hiera_hash",
            "lookup",
        ];
        let expected =
            names.map(|it| {
            format!(
                "`{it}`: `{it}` in the default value of a parameter; use automatic parameter lookup instead"
            )
        });
        assert_eq!(reported(&LOOKUP_IN_DEFAULT, code), expected);
    }

    #[test]
    fn ignores_other_calls() {
        let code = "class m ($a = pick(1), $b = 'lookup', $c = $m::lookup) { $d = lookup('d') hiera('f') \
                    [1].each |$e = lookup('e')| { } }\n\
                    define m::g ($h = lookup('h')) { }\nfunction m::i($j = lookup('j')) { $j }";
        assert_eq!(reported(&LOOKUP_IN_DEFAULT, code), [""; 0]);
    }
}
