//! `getvar`: a variable looked up by a computed name.

use super::blocks::BlockResult;
use super::calls::{Call, text};
use super::functions::navigated;
use super::inferred::Inferred;
use super::walker::Walker;
use types::Type;
use types::values::Value;

impl Walker<'_> {
    /// Infers `getvar`: the part of the variable at the path in the argument, or the default if the
    /// variable does not exist.
    pub(super) fn get_variable(
        &mut self,
        call: &Call,
        block: Option<&BlockResult>,
    ) -> Option<Inferred> {
        let (path, default) = match call.arguments.as_slice() {
            _ if call.unfolds => return None,
            [path] => (path, Inferred::of(Type::Undef)),
            [path, default] => (path, default.clone()),
            _ => return None,
        };
        let path = text(path)?;
        let (name, rest) = path.split_once('.').unwrap_or((&path, ""));
        let variable = self.variable(name, call.range);
        let rest = Inferred::value(Value::from(rest));
        let found = navigated(&[variable, rest, default.clone()], block)?;
        Some(Inferred::union([found, default]))
    }
}
