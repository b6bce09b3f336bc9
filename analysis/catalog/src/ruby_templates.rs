//! Templates in Ruby, which are not evaluated: what their code may change and declare.

use hir::body::PathKind;
use hir::resolve::{self, Definition};
use library::KnownFunction;
use library::ruby::erb_code;
use types::values::Value;

use crate::functions::Call;
use crate::ruby_functions::called_functions;
use crate::state::{Compiler, ScopeId};
use crate::values::flattened;

/// The operations of Ruby that change a value in place, besides the methods whose names end with `!`.
const CHANGES: [&str; 12] = [
    "<<", ".push", ".concat", ".delete", ".unshift", ".insert", ".shift", ".replace", ".clear",
    ".prepend", ".store", ".update",
];

impl Compiler<'_> {
    /// Records what templates may change and declare.
    pub(crate) fn note_ruby_templates(&self, call: Call, function: KnownFunction, args: &[Value]) {
        for argument in flattened(args).iter().filter_map(Value::as_str) {
            if function == KnownFunction::InlineTemplate {
                self.note_ruby_template(call, argument);
                continue;
            }
            let environment = Some(self.environment);
            let found = resolve::file(self.db, environment, PathKind::Template, argument);
            if let Ok(Definition::File(file)) = found
                && let Some(text) = file.text(self.db)
            {
                self.note_ruby_template(call, text);
            }
        }
    }

    fn note_ruby_template(&self, call: Call, text: &str) {
        if may_change(text) && erb_code(text).any(|it| may_change(it.1)) {
            self.forget_changed_parameters(call.scope, text);
        }
        if called_functions(text).any(|it| !self.declares_nothing(it)) {
            self.add_gap(
                call.scope,
                call.range,
                "a template calls functions that may declare resources",
            );
        }
    }

    /// Marks the parameters that a template may change in place as unknown.
    fn forget_changed_parameters(&self, scope: ScopeId, text: &str) {
        let mut state = self.state.borrow_mut();
        let scope = state.effects.scopes.get(scope.0);
        let key = scope.map(|it| it.resource.clone());
        let resource = key.and_then(|it| state.effects.catalog.resources.get_mut(&it));
        for (name, parameter) in resource.into_iter().flat_map(|it| &mut it.parameters) {
            let is_changeable = matches!(
                parameter.value,
                Ok(Value::Array(_) | Value::Hash(_) | Value::String(_))
            );
            if is_changeable && text.contains(&format!("@{name}")) {
                parameter.value = Err("a template may change it".into());
            }
        }
    }
}

/// Checks whether Ruby code may change an array, a hash or a string in place.
fn may_change(code: &str) -> bool {
    let mut marks = code.match_indices('!');
    let ends_name = |at: usize| {
        let before = code[..at].chars().next_back();
        before.is_some_and(char::is_alphanumeric) && !code[at + 1..].starts_with('=')
    };
    let sets_element = |at: usize| {
        let after = code[at + 1..].trim_start();
        after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=~")
    };
    let mut brackets = code.match_indices(']');
    CHANGES.iter().any(|it| code.contains(it))
        || marks.any(|it| ends_name(it.0))
        || brackets.any(|it| sets_element(it.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_code_that_changes_lists() {
        for code in [
            "@a << 1",
            "@a.sort!",
            "@a.delete('x')",
            "@a.uniq! if @b",
            "@h['k'] = 1",
        ] {
            assert!(may_change(code), "{code}");
        }
        for code in ["! @a.empty?", "!@a", "@a != @b", "@a.sort", "@h['k'] == 1"] {
            assert!(!may_change(code), "{code}");
        }
    }
}
