//! `getvar`: a variable by a name that is a text.

use super::blocks::BlockResult;
use super::calls::{Call, text};
use super::functions::navigated;
use super::inferred::Inferred;
use super::walker::Walker;
use crate::types::Type;
use crate::values::Value;

impl Walker<'_> {
    /// What `getvar` gives: the part of the variable that the rest of the text leads to, or the
    /// default if there is no such variable.
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
