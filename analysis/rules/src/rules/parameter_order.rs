use syntax::ast::{AstNode, FunctionDefinition, HasParameters, Lambda, Parameter};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports required parameters of functions and lambdas that follow optional ones.
    ///
    /// ## What it does
    ///
    /// Checks the parameter lists of functions and lambdas. Their arguments are passed by position, so a
    /// parameter without a default cannot follow one that has a default or captures the rest.
    ///
    /// ## Why it matters
    ///
    /// Evaluation fails: *Parameter is required but appears after optional parameters*.
    ///
    /// ## Example
    ///
    /// ```puppet wrong
    /// function example::connect(Integer $port = 80, String $host) { # <-
    ///   "${host}:${port}"
    /// }
    /// # file: manifests/init.pp
    /// class example {
    ///   notice([1, 2].reduce |$memo = 0, $value| { $memo + $value }) # <-
    /// }
    /// ```
    ///
    /// Use instead:
    ///
    /// ```puppet right
    /// function example::connect(String $host, Integer $port = 80) {
    ///   "${host}:${port}"
    /// }
    /// # file: manifests/init.pp
    /// class example (Integer $first = 1, Integer $second) {
    ///   notice([1, 2].reduce(0) |$memo, $value| { $memo + $value }, $first, $second)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Classes, defined types, plans and templates, whose parameters are passed by name.
    ///
    /// ## Fix
    ///
    /// No fix is available: callers pass arguments in this order.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[parameter-order]` at the end of the line, or on a line of its own above
    /// it. To turn the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// parameter-order = "off"
    /// ```
    pub(crate) static PARAMETER_ORDER = {
        code: "parameter-order",
        severity: Error,
        since: "0.1.0",
        checks: [Check::Node(&[SyntaxKind::FUNCTION_DEFINITION, SyntaxKind::LAMBDA], check)],
    }
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let parameters = match Lambda::cast(node.clone()) {
        Some(lambda) => lambda.parameters(),
        None => FunctionDefinition::cast(node.clone()).map_or_else(Vec::new, |it| it.parameters()),
    };
    // The parser rejects parameters after `*$rest` in a lambda.
    let is_lambda = node.kind() == SyntaxKind::LAMBDA;
    let mut before_last = parameters.iter().rev().skip(1);
    if is_lambda && before_last.any(Parameter::captures_rest) {
        return;
    }
    if let Some((range, name)) = misplaced(&parameters) {
        let message = format!("required parameter `${name}` follows an optional one");
        checker.report(&PARAMETER_ORDER, range, message);
    }
}

/// Returns the first required parameter after an optional one.
fn misplaced(parameters: &[Parameter]) -> Option<(TextRange, String)> {
    let is_required = |it: &Parameter| it.default().is_none() && !it.captures_rest();
    let optional = parameters.iter().position(|it| !is_required(it))?;
    let parameter = parameters
        .iter()
        .skip(optional)
        .find(|it| is_required(it))?;
    Some((parameter.syntax().text_range(), parameter.name()?))
}

#[cfg(test)]
mod tests {
    use super::PARAMETER_ORDER;
    use crate::testing::reported;

    #[test]
    fn reports_required_parameters_after_optional_ones() {
        let code = "function m::f($a = 1, String $b) { with(1, 2) |$c = 1, $d| { $c } }";
        assert_eq!(
            reported(&PARAMETER_ORDER, code),
            [
                "`String $b`: required parameter `$b` follows an optional one",
                "`$d`: required parameter `$d` follows an optional one",
            ]
        );
    }

    #[test]
    fn ignores_parameters_that_are_passed_by_name() {
        let code = "class m ($a = 1, $b) { with(1) |$c, $d = 1, *$e| { $c } }\n\
                    define m::d($a = 1, $b) { }\nfunction m::f($a, $b = 1, *$c) { $a }";
        assert_eq!(reported(&PARAMETER_ORDER, code), [""; 0]);
    }
}
