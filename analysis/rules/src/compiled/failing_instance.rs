//! Declarations of instances of defined types that lack a required parameter or have an invalid value.

use hir::{Item, ItemKind, canonical_name};
use syntax::TextRange;
use syntax::ast::{AstNode, Parameter};

use crate::checker::Checker;
use crate::compiled::failing_code::nodes_around;
use crate::compiled::problem::{CompiledProblem, located};
use crate::index::default_reach::may_be_set_elsewhere;

/// Returns the declaration, or the call such as `create_resources`, of the failing instance of a defined type: a
/// parameter of the instance has no value or an invalid one, and no other code may set it.
pub(crate) fn failing_instance<'db>(
    checker: &Checker<'db>,
    problem: &CompiledProblem<'db>,
) -> Option<(Item<'db>, TextRange)> {
    let db = checker.db;
    let (failing, range) = located(db, problem.blamed_place()?)?;
    if failing.kind(db) != ItemKind::DefinedType {
        return None;
    }
    let parameter = nodes_around(&failing.syntax(db), range).find_map(Parameter::cast);
    let parameter = parameter.filter(|it| !it.captures_rest())?;
    let declaration = located(db, problem.failing_declaration()?)?;
    let name = canonical_name(failing.name(db));
    let parameter = parameter.name()?;
    (!may_be_set_elsewhere(checker, &name, &parameter)).then_some(declaration)
}

#[cfg(test)]
mod tests {
    use crate::rules::FAILING_CLASS;
    use crate::testing::reported;

    #[test]
    fn reports_declarations_that_one_run_of_a_loop_makes_wrong() {
        let code = "//- modules/m/manifests/init.pp\n\
                    class m { [80, 70000].each |$it| { m::d { \"a${it}\": port => $it } } }\n\
                    //- modules/m/manifests/d.pp\ndefine m::d (Integer[0, 65535] $port) { notice($port) }\n";
        assert_eq!(
            reported(&FAILING_CLASS, code),
            [
                "`port => $it`: class `m` fails: parameter `port` of `M::D['a70000']` expects `Integer[0, 65535]`, found `70000`"
            ]
        );
    }

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
