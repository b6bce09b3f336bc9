use rustc_hash::FxHashMap;
use syntax::ast::{
    AstNode, ClassDefinition, DefineDefinition, FunctionDefinition, HasParameters, Lambda,
    Parameter, VariableExpr,
};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};

use crate::checker::Checker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports required parameters after optional ones, and defaults that read later parameters.
    ///
    /// ## What it does
    ///
    /// Checks the parameter lists of functions and lambdas. Their arguments are passed by position, so a
    /// parameter without a default cannot follow one that has a default or captures the rest.
    ///
    /// Also checks the defaults in all parameter lists: they are evaluated from left to right, and cannot
    /// read the default of the same or a later parameter. In classes and defined types this is a
    /// warning, because declarations may set the parameter.
    ///
    /// ## Why it matters
    ///
    /// Evaluation fails: *Parameter is required but appears after optional parameters*, or *default
    /// expression tries to illegally access not yet evaluated …*.
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
    /// # file: manifests/site.pp
    /// class example::site (
    ///   String $docroot = "${base}/html", # <-
    ///   String $base    = '/srv',
    /// ) {
    ///   notice($docroot)
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
    /// # file: manifests/site.pp
    /// class example::site (
    ///   String $base    = '/srv',
    ///   String $docroot = "${base}/html",
    /// ) {
    ///   notice($docroot)
    /// }
    /// ```
    ///
    /// ## Exceptions
    ///
    /// * Required parameters of classes, defined types, plans and templates, which are passed by name.
    /// * Reads in a branch or an option, which may not be evaluated.
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
        checks: [
            Check::Node(&[SyntaxKind::FUNCTION_DEFINITION, SyntaxKind::LAMBDA], check),
            Check::Node(
                &[
                    SyntaxKind::CLASS_DEFINITION,
                    SyntaxKind::DEFINE_DEFINITION,
                    SyntaxKind::FUNCTION_DEFINITION,
                    SyntaxKind::LAMBDA,
                ],
                check_defaults,
            ),
        ],
    }
}

/// Reports defaults that read the same or a later parameter.
fn check_defaults(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let parameters = parameters_of(node);
    let by_name = matches!(
        node.kind(),
        SyntaxKind::CLASS_DEFINITION | SyntaxKind::DEFINE_DEFINITION
    );
    let names: Vec<Option<String>> = parameters.iter().map(|it| it.name()).collect();
    let mut last_of_name: FxHashMap<&str, usize> = FxHashMap::default();
    let indexed = names.iter().enumerate();
    last_of_name.extend(indexed.filter_map(|(index, it)| Some((it.as_deref()?, index))));
    for (index, parameter) in parameters.iter().enumerate() {
        let Some(default) = parameter.default() else {
            continue;
        };
        let root = default.syntax();
        let variables = root.descendants().filter_map(VariableExpr::cast);
        for variable in variables.filter(|it| is_always_read(it.syntax(), root)) {
            let Some(name) = variable.name() else {
                continue;
            };
            // A declaration may set the other parameter, or this one.
            let read = last_of_name.get(name.as_str());
            if read.is_none_or(|it| *it < index) {
                continue;
            }
            let severity = match by_name {
                true => Severity::Warning,
                false => PARAMETER_ORDER.severity,
            };
            let range = variable.syntax().text_range();
            let own = parameter.name().unwrap_or_default();
            let message = match own == name {
                true => format!("default value of `${own}` reads `${own}` itself"),
                false => format!("default value of `${own}` reads `${name}` before it is assigned"),
            };
            checker.report_as(&PARAMETER_ORDER, severity, range, message);
        }
    }
}

/// Checks whether a part of a default is evaluated whenever the default is, outside of lambdas.
fn is_always_read(node: &SyntaxNode, default: &SyntaxNode) -> bool {
    let around = node.ancestors().take_while(|it| it != default);
    let mut around = around.chain(Some(default.clone()));
    !around.any(|it| {
        matches!(
            it.kind(),
            SyntaxKind::LAMBDA
                | SyntaxKind::IF_EXPR
                | SyntaxKind::UNLESS_EXPR
                | SyntaxKind::CASE_EXPR
                | SyntaxKind::SELECTOR_ENTRY
        )
    })
}

fn parameters_of(node: &SyntaxNode) -> Vec<Parameter> {
    let node = node.clone();
    match node.kind() {
        SyntaxKind::CLASS_DEFINITION => ClassDefinition::cast(node).map(|it| it.parameters()),
        SyntaxKind::DEFINE_DEFINITION => DefineDefinition::cast(node).map(|it| it.parameters()),
        SyntaxKind::LAMBDA => Lambda::cast(node).map(|it| it.parameters()),
        _ => FunctionDefinition::cast(node).map(|it| it.parameters()),
    }
    .unwrap_or_default()
}

fn check(checker: &mut Checker<'_>, node: &SyntaxNode) {
    let parameters = parameters_of(node);
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
    fn reports_defaults_that_read_later_parameters() {
        let code = "class m ($a = $b + 1, $b = 1, $c = $c) { }\n\
                    function m::f($a = [$b], $b = 1) { [$a, $b] }";
        assert_eq!(
            reported(&PARAMETER_ORDER, code),
            [
                "`$b`: default value of `$a` reads `$b` before it is assigned",
                "`$c`: default value of `$c` reads `$c` itself",
                "`$b`: default value of `$a` reads `$b` before it is assigned",
            ]
        );
    }

    #[test]
    fn ignores_defaults_that_may_not_read_a_later_parameter() {
        let code = "class m ($a = 1, $b = $a, $c = $::d, $d = [1].map |$e| { $e }, $e = 2) { }\n\
                    function m::f($a = if true { 1 } else { $b }, $b = $a) { [$a, $b] }";
        assert_eq!(reported(&PARAMETER_ORDER, code), [""; 0]);
    }

    #[test]
    fn ignores_parameters_that_are_passed_by_name() {
        let code = "class m ($a = 1, $b) { with(1) |$c, $d = 1, *$e| { $c } }\n\
                    define m::d($a = 1, $b) { }\nfunction m::f($a, $b = 1, *$c) { $a }";
        assert_eq!(reported(&PARAMETER_ORDER, code), [""; 0]);
    }
}
