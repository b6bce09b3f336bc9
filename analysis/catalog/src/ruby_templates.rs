//! Templates in Ruby, which are not evaluated: what their code may change and declare.

use hir::body::PathKind;
use hir::resolve::{self, Definition};
use library::KnownFunction;
use types::values::Value;

use crate::functions::Call;
use crate::ruby_functions::called_functions;
use crate::state::{Compiler, ScopeId};
use crate::values::flattened;

/// The operations of Ruby that change an array or a hash in place.
const CHANGES: [&str; 8] = [
    "<<", ".push", ".concat", ".delete", ".unshift", ".insert", ".shift", "! ",
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
        if CHANGES.iter().any(|it| text.contains(it)) {
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
            let is_changeable = matches!(parameter.value, Ok(Value::Array(_) | Value::Hash(_)));
            if is_changeable && text.contains(&format!("@{name}")) {
                parameter.value = Err("a template may change it".into());
            }
        }
    }
}
