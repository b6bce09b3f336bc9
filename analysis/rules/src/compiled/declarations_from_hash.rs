//! Instances of defined types that a function declares with the arguments of a hash.

use hir::{Item, ItemKind, canonical_name};
use library::KnownFunction;
use syntax::TextRange;
use syntax::ast::{AstNode, Expr, Parameter};

use crate::checker::Checker;
use crate::compiled::failing_code::nodes_around;
use crate::compiled::problem::{CompiledProblem, located};
use crate::fixes::expr_at;
use crate::index::default_reach::may_be_set_elsewhere;

/// Returns the call, such as `create_resources`, that declares the failing instance of a defined type: its hash lacks a
/// required parameter or has an invalid value, and no other code may set the parameter.
pub(crate) fn hash_declaration<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
) -> Option<(Item<'db>, TextRange)> {
    let db = checker.db;
    let (failing, range) = located(db, problem.blamed_place()?)?;
    if failing.kind(db) != ItemKind::DefinedType {
        return None;
    }
    let parameter = nodes_around(&failing.syntax(db), range).find_map(Parameter::cast)?;
    let call = located(db, problem.failing_declaration()?)?;
    let (caller, call_range) = call;
    let at_call = expr_at(&caller.syntax(db), call_range)?;
    let name = canonical_name(failing.name(db));
    let is_open = || {
        let parameter = parameter.name();
        parameter.is_none_or(|it| may_be_set_elsewhere(checker, &name, &it))
    };
    let is_declared = is_call_with_hash(&at_call) && !is_open();
    is_declared.then_some(call)
}

/// Checks whether an expression calls a function that declares resources with the attributes of a hash.
fn is_call_with_hash(expr: &Expr) -> bool {
    use KnownFunction::{CreateResources, EnsureResource, EnsureResources};
    let call = expr.named_call();
    let function = call.and_then(|it| KnownFunction::from_name(it.0.text()));
    matches!(
        function,
        Some(CreateResources | EnsureResource | EnsureResources)
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_calls_with_hashes_of_data_that_a_defined_type_refuses() {
        let check = |call: &str, data: &str, other: &str| {
            let code = format!(
                "//- modules/m/manifests/init.pp\nclass m {{ {call} }}\n\
                 //- modules/m/manifests/d.pp\ndefine m::d (String $home, $x = 1) {{ }}\n\
                 //- modules/m/manifests/other.pp\nclass m::other {{ {other} }}\n\
                 //- modules/environment/hiera.yaml\nversion: 5\n\
                 //- modules/environment/data/common.yaml\nall: {{a: {data}}}\n"
            );
            reported(&FAILING_CLASS, &code)
        };
        let call = "create_resources('m::d', lookup('all'))";
        assert_eq!(
            check(call, "{}", ""),
            [
                "`create_resources('m::d', lookup('all'))`: class `m` fails: missing required parameter `home` of `M::D['a']`"
            ]
        );
        assert_eq!(check(call, "{home: 1}", "").len(), 1);
        assert_eq!(check(call, "{home: a}", ""), [""; 0]);
        assert_eq!(
            check(call, "{}", "M::D { home => '/a' } include m"),
            [""; 0]
        );
        assert_eq!(check("", "{}", ""), [""; 0]);
    }
}
