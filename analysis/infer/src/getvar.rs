//! `getvar`: a variable looked up by a computed name.

use super::calls::{Call, known_string};
use super::functions::navigated;
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::lambdas::LambdaResult;
use types::Type;
use types::values::Value;

impl InferenceContext<'_> {
    /// Infers `getvar`: the part of the variable at the path in the argument, or the default if the
    /// variable does not exist.
    pub(super) fn infer_getvar(
        &mut self,
        call: &Call,
        block: Option<&LambdaResult>,
    ) -> Option<Inferred> {
        let (path, default) = match call.arguments.as_slice() {
            _ if call.has_unknown_splat => return None,
            [path] => (path, Inferred::of(Type::Undef)),
            [path, default] => (path, default.clone()),
            _ => return None,
        };
        let path = known_string(path)?;
        let (name, rest) = path.split_once('.').unwrap_or((&path, ""));
        // Without a value, the function returns the default.
        let variable = self.variable_if_any(name, call.range);
        let rest = Inferred::value(Value::from(rest));
        let found = navigated(&[variable, rest, default.clone()], block)?;
        Some(Inferred::union([found, default]))
    }
}
