//! Templates in Ruby, which are not evaluated: what their code may change and declare.

use hir::body::PathKind;
use hir::resolve::{self, Definition};
use library::KnownFunction;
use types::values::Value;

use crate::functions::Call;
use crate::recovery::is_pure;
use crate::state::{Compiler, ScopeId};
use crate::values::flattened;

/// The operations of Ruby that change an array or a hash in place.
const CHANGES: [&str; 8] = [
    "<<", ".push", ".concat", ".delete", ".unshift", ".insert", ".shift", "! ",
];

/// How a template calls a function: `scope.call_function('include', …)`, and `scope.function_include(…)` in code for Puppet 3.
const CALLS: [&str; 2] = ["call_function", "function_"];

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
        if CHANGES.iter().any(|it| text.contains(it)) {
            self.forget_changed_parameters(call.scope, text);
        }
        if called_functions(text).any(|it| !is_pure(it, self.version)) {
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
            let is_changeable = matches!(parameter.value, Ok(Value::Array(_) | Value::Hash(_)));
            if is_changeable && text.contains(&format!("@{name}")) {
                parameter.value = Err("a template may change it".to_owned());
            }
        }
    }
}

/// Returns the names of the functions that the code of a template calls; an empty one if the name is computed.
fn called_functions(text: &str) -> impl Iterator<Item = &str> {
    let calls = CALLS.iter().flat_map(|it| text.match_indices(it));
    calls.map(|(start, found)| {
        let rest = &text[start + found.len()..];
        let rest = rest.trim_start_matches(|it: char| "( \t'\":".contains(it));
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        let end = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
        &rest[..end]
    })
}

#[cfg(test)]
mod tests {
    use super::called_functions;

    #[test]
    fn finds_calls_in_both_notations() {
        let text = "<% scope.call_function('include', ['b']) %><%= scope.function_hiera(['x']) %>\n\
                    <%= scope.call_function(:contain, @x) %> <%= call_function(@name) %>";
        let mut found: Vec<_> = called_functions(text).collect();
        found.sort_unstable();
        assert_eq!(found, ["", "contain", "hiera", "include"]);
    }
}
