//! `Init[T](…)`: creates an instance of `T` from one value, which may be a list of arguments.

use super::conversion_error;
use crate::control_flow::{ControlFlow, FlowResult};
use crate::expressions::Evaluator;
use types::InitType;
use types::values::Value;

pub(super) fn init(evaluator: &mut Evaluator<'_>, init: &InitType, args: &[Value]) -> FlowResult {
    let accepted = types::Accepted::of(init).ok_or_else(|| {
        conversion_error(format!(
            "`{}` has no constructor",
            types::display(&init.inner)
        ))
    })?;
    let [value] = args else {
        return Err(conversion_error("expected one value"));
    };
    let args = match value {
        value if !init.args.is_empty() => [std::slice::from_ref(value), &init.args].concat(),
        Value::Array(items) => match types::is_instance(&accepted.single, value) {
            Some(true) => vec![value.clone()],
            Some(false) => items.to_vec(),
            None => {
                return Err(ControlFlow::unknown(
                    "cannot decide whether the value matches",
                ));
            }
        },
        value => vec![value.clone()],
    };
    evaluator.new_instance(&init.inner, &args)
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;

    #[test]
    fn accepts_one_value_or_a_list() {
        assert_eq!(run("Init[Integer]('5')"), "5");
        assert_eq!(run("Init[Integer](['1f', 16])"), "error");
        assert_eq!(run("Init[Integer](['0x1f', 16])"), "31");
        assert_eq!(run("Init[Integer, 8]('17')"), "15");
        assert_eq!(run("Init[Optional[Integer]](1)"), "error");
        assert_eq!(run("Init(1)"), "error");
    }
}
