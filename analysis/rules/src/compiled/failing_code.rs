//! The code with which the compilation of a class fails.

use library::{KnownFunction, NamedEntity};
use rustc_hash::FxHashSet;
use syntax::ast::{
    Assignment, AstNode, Attribute, AttributeOperation, Expr, Parameter, ResourceExpr,
};
use syntax::{Severity, SyntaxKind, SyntaxNode, TextRange};

use crate::checker::ItemFinding;
use crate::is_on;

/// The code that fails.
pub(crate) struct FailingCode {
    /// The range of the expression or operator.
    pub(crate) range: TextRange,
    /// The operation with its operands.
    pub(crate) operation: TextRange,
    /// The outermost expression around it.
    pub(crate) statement: TextRange,
}

impl FailingCode {
    /// Creates the code of a single operation.
    pub(crate) fn at(range: TextRange) -> FailingCode {
        FailingCode {
            range,
            operation: range,
            statement: range,
        }
    }

    /// Creates the code of a declaration or of a part of it. Any mistake in its resource may be the cause.
    pub(crate) fn in_resource(root: &SyntaxNode, range: TextRange) -> FailingCode {
        let resource = nodes_around(root, range).find_map(ResourceExpr::cast);
        FailingCode {
            statement: resource.map_or(range, |it| it.syntax().text_range()),
            ..FailingCode::at(range)
        }
    }

    /// Checks whether a diagnostic is about the operation, or reports a mistake in the same statement, which
    /// may be the cause.
    pub(crate) fn is_explained_by(&self, finding: &ItemFinding<'_>) -> bool {
        let is_severe = matches!(finding.severity, Severity::Error | Severity::Warning);
        let range = match is_severe {
            true => self.statement,
            false => self.operation,
        };
        finding.range.intersect(range).is_some() && is_on(finding.code)
    }
}

/// Returns the code that fails at the start of a range, unless the failure is expected. Inference checks the values
/// of parameters.
pub(crate) fn failing_code(root: &SyntaxNode, range: TextRange) -> Option<FailingCode> {
    let token = root.token_at_offset(range.start()).right_biased()?;
    let starts_here = |it: &SyntaxNode| it.text_range().start() == range.start();
    let around: Vec<SyntaxNode> = token.parent_ancestors().take_while(starts_here).collect();
    let is_attribute = |it: &SyntaxNode| Attribute::can_cast(it.kind());
    if token
        .parent_ancestors()
        .any(|it| Parameter::can_cast(it.kind()))
        || around.iter().any(is_attribute)
    {
        return None;
    }
    let mut expressions = around.into_iter().filter_map(Expr::cast);
    let is_expected = |it: &Expr| {
        it.named_call()
            .is_some_and(|it| is_expected_to_fail(it.0.text()))
    };
    let is_failing = |it: &Expr| it.syntax().text_range() == range;
    let is_expected = match expressions.clone().find(is_failing) {
        Some(failing) => is_expected(&failing),
        None => expressions.clone().any(|it| is_expected(&it)),
    };
    if is_expected {
        return None;
    }
    let whole = expressions.next_back();
    let range = whole
        .as_ref()
        .map_or(token.text_range(), |it| it.syntax().text_range());
    let operation = match whole {
        Some(_) => range,
        None => token.parent()?.text_range(),
    };
    let outermost = token.parent_ancestors().filter_map(Expr::cast).last();
    Some(FailingCode {
        range,
        operation,
        statement: outermost.map_or(operation, |it| it.syntax().text_range()),
    })
}

/// Returns the conditional call to `fail` at the start of a range, or the call of a function that validates a value or
/// the calling module.
pub(crate) fn refusal(root: &SyntaxNode, range: TextRange) -> Option<FailingCode> {
    use KnownFunction::{AssertPrivate, AssertType, Fail, ValidateLegacy};
    let mut around = nodes_around(root, range).filter_map(Expr::cast);
    let (call, function) = around.find_map(|it| {
        let function = KnownFunction::from_name(it.named_call()?.0.text());
        let is_refusal =
            |it: &KnownFunction| matches!(it, AssertPrivate | AssertType | Fail | ValidateLegacy);
        Some((it, function.filter(is_refusal)?))
    })?;
    let range = call.syntax().text_range();
    let is_conditional = function != Fail
        || around.any(|it| {
            matches!(
                it,
                Expr::IfExpr(_) | Expr::UnlessExpr(_) | Expr::CaseExpr(_) | Expr::SelectorExpr(_)
            )
        });
    is_conditional.then(|| FailingCode::at(range))
}

/// Returns the call of `assert_type` at the start of a range.
pub(crate) fn assertion(root: &SyntaxNode, range: TextRange) -> Option<FailingCode> {
    let mut around = nodes_around(root, range).filter_map(Expr::cast);
    // A call in an argument may fail instead.
    let call = around.find(|it| it.named_call().is_some())?;
    let function = KnownFunction::from_name(call.named_call()?.0.text());
    let is_assertion = function == Some(KnownFunction::AssertType);
    is_assertion.then(|| FailingCode::at(call.syntax().text_range()))
}

/// Checks whether a call has constant arguments and calls a function whose result depends only on them, so that it
/// refuses them on every node.
pub(crate) fn passes_constants(
    function: &SyntaxNode,
    caller: &SyntaxNode,
    call: TextRange,
) -> bool {
    let token = caller.token_at_offset(call.start()).right_biased();
    let around = token.iter().flat_map(|it| it.parent_ancestors());
    let mut calls = around.filter_map(Expr::cast).filter(|it| {
        let is_whole = it.syntax().text_range().contains_range(call);
        is_whole && it.named_call().is_some()
    });
    let Some((_, arguments)) = calls.next().and_then(|it| it.named_call()) else {
        return false;
    };
    let is_constant = |it: &Expr| {
        let mut inner = it.syntax().descendants().filter_map(Expr::cast);
        inner.all(|it| !matches!(it, Expr::VariableExpr(_)) && it.named_call().is_none())
    };
    !arguments.is_empty() && arguments.iter().all(is_constant) && is_self_contained(function)
}

/// Checks whether a function reads only its own variables: no facts, data or variables of other code.
fn is_self_contained(function: &SyntaxNode) -> bool {
    let parameters = function.descendants().filter_map(Parameter::cast);
    let mut bound: FxHashSet<String> = parameters.filter_map(|it| it.name()).collect();
    let assignments = function.descendants().filter_map(Assignment::cast);
    bound.extend(assignments.filter_map(|it| match it.lhs()? {
        Expr::VariableExpr(it) => it.name(),
        _ => None,
    }));
    let mut inner = function.descendants().filter_map(Expr::cast);
    inner.all(|it| match &it {
        Expr::VariableExpr(it) => it.name().is_some_and(|it| bound.contains(&it)),
        _ => it.named_call().is_none_or(|(name, _)| {
            let name = name.text();
            let function = KnownFunction::from_name(name);
            !name.contains(':') && !function.is_some_and(KnownFunction::has_external_result)
        }),
    })
}

/// Returns the call at a range that looks up data.
pub(crate) fn failing_lookup(root: &SyntaxNode, range: TextRange) -> Option<FailingCode> {
    let mut around = nodes_around(root, range).filter_map(Expr::cast);
    let call = around.find(|it| {
        let at = it.syntax().text_range();
        let is_at_range = at.start() == range.start() && at.contains_range(range);
        is_at_range && it.named_call().is_some_and(|it| looks_up(it.0.text()))
    })?;
    Some(FailingCode::at(call.syntax().text_range()))
}

fn looks_up(function: &str) -> bool {
    KnownFunction::from_name(function).and_then(KnownFunction::names) == Some(NamedEntity::DataKey)
}

/// Checks whether a function fails on purpose, or because data is missing, which `unknown-lookup-key` reports.
fn is_expected_to_fail(function: &str) -> bool {
    use KnownFunction as F;
    let known = F::from_name(function);
    function.starts_with("validate_")
        || matches!(known, Some(F::AssertPrivate | F::AssertType | F::Fail))
        || looks_up(function)
}

/// Checks whether a range is in a parameter or an attribute.
pub(crate) fn is_argument(root: &SyntaxNode, range: TextRange) -> bool {
    is_inside(root, range, Parameter::can_cast) || is_attribute(root, range)
}

/// Returns the default value of a parameter that a range is in.
pub(crate) fn default_value_at(root: &SyntaxNode, range: TextRange) -> Option<TextRange> {
    let mut parameters = nodes_around(root, range).filter_map(Parameter::cast);
    let default = parameters.find_map(|it| it.default())?;
    let default = default.syntax().text_range();
    default.contains_range(range).then_some(default)
}

/// Checks whether a range is in an attribute.
pub(crate) fn is_attribute(root: &SyntaxNode, range: TextRange) -> bool {
    is_inside(root, range, AttributeOperation::can_cast)
}

/// Checks whether a node of a kind is around a range.
pub(crate) fn is_inside(root: &SyntaxNode, range: TextRange, kind: fn(SyntaxKind) -> bool) -> bool {
    nodes_around(root, range).any(|it| kind(it.kind()))
}

/// Returns the nodes around the start of a range, from the inside out.
pub(crate) fn nodes_around(
    root: &SyntaxNode,
    range: TextRange,
) -> impl Iterator<Item = SyntaxNode> + use<> {
    let token = root.token_at_offset(range.start()).right_biased();
    token.into_iter().flat_map(|it| it.parent_ancestors())
}

#[cfg(test)]
mod tests {
    use crate::rules::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_the_call_of_a_function_that_fails_for_its_arguments() {
        let code = "//- modules/m/manifests/init.pp\nclass m { $b = m::size('1x') }\n\
                    //- modules/m/functions/size.pp\nfunction m::size(String $v) { Integer($v) }\n";
        let found = reported(&FAILING_CLASS, code);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("`m::size('1x')`: class `m` fails"),
            "{found:?}"
        );
        let twice = code.replace("$b", "$a = m::size('1') $b");
        let found = reported(&FAILING_CLASS, &twice);
        assert!(
            found[0].starts_with("`m::size('1x')`: class `m` fails"),
            "{found:?}"
        );
    }

    #[test]
    fn a_failing_argument_is_no_failing_assertion() {
        let code = "class m { notice(assert_type(Integer, lookup('m::x'))) }";
        assert_eq!(reported(&FAILING_CLASS, code), [""; 0]);
    }

    #[test]
    fn reports_the_call_of_a_template_that_fails() {
        let check = |class: &str, template: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ {class} }}\n\
                 //- modules/m/templates/a.epp\n{template}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let call = "$all = [{}] notice(epp('m/a.epp', { 'all' => $all }))";
        let found = check(call, "<% | $all | %><%= $all[0]['port'] + 1 %>");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].starts_with("`epp('m/a.epp', { 'all' => $all })`: "),
            "{found:?}"
        );
        assert_eq!(check(call, "<% | $all | %><%= $all[0]['port'] %>"), [""; 0]);
        // Another rule reports the unknown variable in the template.
        assert_eq!(check(call, "<% | $all | %><%= $port %>"), [""; 0]);
        let found = check(
            "$text = '<%= $port + 1 %>' notice(inline_epp($text, { 'port' => 'a' }))",
            "",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("`inline_epp($text"), "{found:?}");
    }

    #[test]
    fn reports_missing_templates_with_computed_names_at_the_declaration() {
        let check = |declaration: &str, template: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ {declaration} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d {{ notice(template(\"m/${{title}}.erb\")) }}\n\
                 //- modules/m/templates/{template}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let found = check("m::d { 'one': }", "two.erb");
        assert_eq!(
            found,
            ["`'one'`: class `m` fails: template `one.erb` not found in module `m`"]
        );
        assert_eq!(check("m::d { 'one': }", "one.erb"), [""; 0]);
        assert_eq!(check("m::d { $facts['x']: }", "one.erb"), [""; 0]);
    }

    #[test]
    fn reports_private_classes_of_another_module_where_they_are_declared() {
        let check = |node: &str, class: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ {node} }}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ {class} }}\n\
                 //- modules/t/manifests/init.pp\nclass t {{ include t::install }}\n\
                 //- modules/t/manifests/install.pp\nclass t::install {{ assert_private() }}\n\
                 //- modules/t/manifests/d.pp\ndefine t::d {{ assert_private() }}\n\
                 //- modules/stdlib/lib/puppet/parser/functions/assert_private.rb\n\
                 Puppet::Parser::Functions.newfunction(:assert_private, arity: -1) {{ |args| }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        assert_eq!(
            check("include m", "include t::install"),
            ["`include t::install`: node `web1` fails: `Class['t::install']` is private"]
        );
        assert_eq!(
            check("include m", "t::d { 'a': }"),
            ["`'a':`: node `web1` fails: `T::D['a']` is private"]
        );
        assert_eq!(check("include t::install", "").len(), 1);
        for (node, class) in [
            ("include m", "include t"),
            ("include t, m", "include t::install"),
            ("include $facts['role'] include m", "include t::install"),
            (
                "if $facts['x'] { include t } include m",
                "include t::install",
            ),
            ("", "include t::install"),
        ] {
            assert_eq!(check(node, class), [""; 0], "{node}");
        }
    }

    #[test]
    fn reports_data_that_a_function_in_ruby_refuses() {
        let check = |data: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ $x = m::f(lookup('options')) }}\n\
                 //- modules/m/lib/puppet/functions/m/f.rb\n\
                 Puppet::Functions.create_function(:'m::f') do\n  dispatch :f do\n\
                 param 'Hash', :options\n  end\n  def f(options)\n    options\n  end\nend\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\noptions: {data}\n"
            );
            reported(&FAILING_CLASS, &code).len()
        };
        assert_eq!(check("[a, b]"), 1);
        assert_eq!(check("{a: b}"), 0);
    }

    #[test]
    fn reports_computed_tags_that_the_catalog_of_a_node_refuses() {
        let check = |data: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m ($team = 'web team', $dc = $facts['dc']) {{\n\
                 file {{ '/a': tag => \"x_${{team}}\" }} file {{ '/b': tag => \"x_${{dc}}\" }} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\n{data}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        assert_eq!(
            check("a: b"),
            ["`tag => \"x_${team}\"`: node `web1` fails: invalid tag `x_web team`"]
        );
        assert_eq!(check("m::team: web"), [""; 0]);
    }

    #[test]
    fn reports_functions_that_fail_for_data_where_a_class_calls_them() {
        let check = |data: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ $x = m::check(lookup('size')) }}\n\
                 //- modules/m/functions/check.pp\nfunction m::check($v) {{\n\
                 unless $v < 10 {{ fail('too large') }} $v }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nsize: {data}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let found = check("11");
        assert_eq!(
            found,
            ["`m::check(lookup('size'))`: node `web1` fails: too large"]
        );
        assert_eq!(check("9"), [""; 0]);
    }

    #[test]
    fn reports_failures_by_data_next_to_levels_with_unknown_paths() {
        let check = |options: &str, level: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m {{ $x = lookup('size') + 1 }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 hierarchy: [{{name: o, path: '{level}.yaml'}}, {{name: c, path: common.yaml}}]\n\
                 //- modules/environment/data/os/Ubuntu.yaml\nlookup_options: {{{options}}}\n\
                 //- modules/environment/data/common.yaml\nsize: a\n"
            );
            reported(&FAILING_CLASS, &code).len()
        };
        let os = "os/%{facts.os.name}";
        assert_eq!(check("'^m::': {merge: deep}", os), 1);
        assert_eq!(check("size: {convert_to: Integer}", os), 0);
        assert_eq!(check("'^s': {convert_to: Integer}", os), 0);
        assert_eq!(check("'%{x}': {convert_to: Integer}", os), 0);
        assert_eq!(check("", "%{environment}"), 1);
    }

    #[test]
    fn reports_default_values_that_fail_on_a_node() {
        let check = |classes: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include {classes} }}\n\
                 //- modules/m/manifests/a.pp\nclass m::a ($x = $m::b::x) {{ notice($x) }}\n\
                 //- modules/m/manifests/b.pp\nclass m::b {{ $x = 1 }}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        assert_eq!(
            check("m::a, m::b"),
            ["`$m::b::x`: node `web1` fails: unknown variable `$m::b::x`"]
        );
        assert_eq!(check("m::b, m::a"), [""; 0]);
    }

    #[test]
    fn reports_lookups_of_computed_keys_in_the_catalog_of_a_node() {
        let check = |class: &str, levels: &str| {
            let code = format!(
                "//- manifests/site.pp\nnode 'web1' {{ include m }}\n\
                 //- modules/m/manifests/init.pp\nclass m ($site = 'a') {{ {class} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\nhierarchy: [{{name: c, path: common.yaml}}{levels}]\n\
                 //- modules/environment/data/common.yaml\nm::gateway_b: x\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let call = "$x = lookup(\"m::gateway_${site}\")";
        assert_eq!(
            check(call, ""),
            [
                "`lookup(\"m::gateway_${site}\")`: node `web1` fails: no value for `m::gateway_a` in the data"
            ]
        );
        let elsewhere = ", {name: s, path: 'secret/%{facts.site}.yaml'}";
        for (class, levels) in [
            (
                "$x = lookup(\"m::gateway_${site}\", String, 'first', 'y')",
                "",
            ),
            (call, elsewhere),
            ("$x = lookup('m::gateway_c')", ""),
        ] {
            assert_eq!(check(class, levels), [""; 0], "{class}");
        }
    }
}
