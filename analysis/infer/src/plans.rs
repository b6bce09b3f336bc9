//! The result of `run_plan`: the return type of the plan, which Bolt itself does not declare.

use super::calls::{Call, known_string};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::result_type;
use hir::autoload::{NameKey, find_item};
use hir::{ItemKind, canonical_name};
use library::KnownFunction;
use types::Type;
use types::values::Value;

/// The key of the plan arguments that makes `run_plan` return the error of a plan that fails.
const CATCHES: &str = "_catch_errors";

impl InferenceContext<'_> {
    /// Infers a call of `run_plan`, if the plan is known.
    pub(super) fn plan(&self, call: &Call) -> Option<Inferred> {
        if call.known() != Some(KnownFunction::RunPlan) || call.has_unknown_splat {
            return None;
        }
        let (name, others) = call.arguments.split_first()?;
        if others.iter().any(may_catch) {
            return None;
        }
        let key = NameKey::new(self.db, canonical_name(&known_string(name)?));
        let plan = find_item(self.db, self.environment?, ItemKind::Plan, key)?;
        let is_uncertain = self.is_of_other_version(plan.file(self.db));
        (!is_uncertain).then(|| result_type(self.db, plan).clone())
    }
}

/// Checks whether plan arguments may set `_catch_errors`.
fn may_catch(argument: &Inferred) -> bool {
    if let Some(value) = &argument.value {
        return matches!(value, Value::Hash(it) if it.get_str(CATCHES).is_some());
    }
    match &argument.type_ {
        Type::Struct(it) => it.get(CATCHES).is_some(),
        // A target or a list of targets.
        Type::String(_) | Type::Enum(_) | Type::Array(_) | Type::Tuple(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::revealed_in;

    fn result(body: &str, call: &str) -> Vec<String> {
        revealed_in(&format!(
            "//- modules/m/plans/init.pp\nplan m(String $s, Hash $h) {{ notice({call}) }}\n\
             //- modules/m/plans/other.pp\nplan m::other(Integer $i = 1) {{ {body} }}"
        ))
    }

    #[test]
    fn run_plan_returns_the_result_of_the_plan() {
        for (body, call, expected) in [
            ("return($i)", "run_plan('m::other')", "Integer"),
            (
                "if $i > 1 { return('x') }",
                "run_plan('m::other')",
                "Optional['x']",
            ),
            ("5", "run_plan('m::other')", "Undef"),
            (
                "return(5)",
                "run_plan('m::other', 'localhost')",
                "Integer[5, 5]",
            ),
            (
                "return(5)",
                "run_plan('m::other', $s, { i => 2 })",
                "Integer[5, 5]",
            ),
            ("return(5)", "run_plan('m::other', $h)", "Any"),
            (
                "return(5)",
                "run_plan('m::other', _catch_errors => true)",
                "Any",
            ),
            ("return(5)", "run_plan('m::nowhere')", "Any"),
            ("return(5)", "run_plan($s)", "Any"),
            (
                "[1].each |$x| { return($x) }",
                "run_plan('m::other')",
                "Optional[Integer[1, 1]]",
            ),
        ] {
            assert_eq!(result(body, call), [expected], "{body} {call}");
        }
    }
}
