//! Scopes: what a class, a defined type, a node or the main manifest sees.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use eval::{
    Binding, Closure, ControlFlow, Environment, EvalError, EvalFailure, EvalResult, Evaluator,
    FlowResult, Issue, PartlyKnown, Scope,
};
use hiera::Variable;
use infer::{CodeVariables, inferred_at};
use syntax::ast::{AccessExpr, AstNode, Expr};
use syntax::{SyntaxNode, TextRange};
use types::Type;
use types::reader::TypeNames;
use types::values::Value;

use crate::state::{Compiler, ScopeId, State, TOP};
use crate::values::resource_of;

/// The environment of code in a scope.
pub(crate) struct ScopeEnvironment<'c, 'db> {
    compiler: &'c Compiler<'db>,
    scope: ScopeId,
    /// Whether the evaluation continues after a statement whose outcome is unknown. The text of a template depends on
    /// all of its statements.
    recovers: bool,
}

impl<'c, 'db> ScopeEnvironment<'c, 'db> {
    /// Creates the environment of code in a scope.
    pub(crate) fn of_code(compiler: &'c Compiler<'db>, scope: ScopeId) -> Self {
        ScopeEnvironment {
            compiler,
            scope,
            recovers: true,
        }
    }

    /// Creates the environment of a template in a scope.
    pub(crate) fn of_template(compiler: &'c Compiler<'db>, scope: ScopeId) -> Self {
        ScopeEnvironment {
            recovers: false,
            ..ScopeEnvironment::of_code(compiler, scope)
        }
    }
}

impl Compiler<'_> {
    /// Returns the inferred type of an expression in the code of a scope.
    pub(crate) fn type_of(&self, scope: ScopeId, expr: &Expr) -> Option<Type> {
        let file = self.file_of_scope(scope)?;
        let range = self.place(scope, expr.syntax().text_range())?.range;
        inferred_at(self.db, file, range).map(|it| it.type_)
    }
}

impl Environment for ScopeEnvironment<'_, '_> {
    fn on_step(&self) {
        // A compilation is not a query: without this, loops would delay edits.
        self.compiler.db.unwind_if_revision_cancelled();
    }

    fn variable(&self, at: &SyntaxNode, name: &str) -> EvalResult {
        if self.compiler.depends_on_node(at, name) {
            let why = format!("the value of `${name}` differs between nodes");
            return Err(EvalFailure::unknown(why));
        }
        self.compiler.variable(self.scope, name)
    }

    fn match_variable(&self, _at: &SyntaxNode, number: usize) -> EvalResult {
        let groups = self.compiler.groups;
        let is_of_node = self.compiler.state.borrow().node == Some(self.scope);
        match groups.get(number) {
            Some(Some(group)) if is_of_node => Ok(Value::String(Arc::clone(group))),
            // The regular expression has no such group.
            None if is_of_node && !groups.is_empty() => Ok(Value::Undef),
            _ => Err(EvalFailure::unknown("the last match is unknown")),
        }
    }

    fn own_variable<'n>(&self, name: &'n str) -> Option<&'n str> {
        let (class, variable) = unprefixed(name).rsplit_once("::")?;
        let state = self.compiler.state.borrow();
        let own = state.effects.classes.get(class).copied().flatten();
        (own == Some(self.scope)).then_some(variable)
    }

    fn on_type_access(&self, at: &SyntaxNode, value: &Value) {
        let compiler = self.compiler;
        if let Some(key) = resource_of(value).filter(|_| !compiler.is_open()) {
            let place = compiler.place(self.scope, at.text_range());
            compiler.add_undeclared(&key, place, || format!("unknown resource `{key}`"));
            compiler.add_early_read(&key, place);
            compiler.note_use_of_instance(&key);
        }
    }

    fn declare(&self, evaluator: &mut Evaluator<'_>, expr: &Expr) -> FlowResult {
        self.compiler.publish(self.scope, evaluator);
        self.compiler.declare(self.scope, evaluator, expr)
    }

    fn call(
        &self,
        evaluator: &mut Evaluator<'_>,
        name: &str,
        args: &[Value],
        block: Option<&Closure>,
    ) -> Option<FlowResult> {
        self.compiler.publish(self.scope, evaluator);
        self.compiler.call(self.scope, evaluator, name, args, block)
    }

    fn type_of(&self, expr: &Expr) -> Option<Type> {
        let type_of = || self.compiler.type_of(self.scope, expr);
        self.recovers.then(type_of).flatten()
    }

    fn call_partly(
        &self,
        evaluator: &mut Evaluator<'_>,
        name: &str,
        args: &[PartlyKnown],
    ) -> FlowResult<Option<PartlyKnown>> {
        self.compiler.publish(self.scope, evaluator);
        self.compiler.call_partly(self.scope, evaluator, name, args)
    }

    fn recover(
        &self,
        evaluator: &mut Evaluator<'_>,
        statement: &Expr,
        why: Cow<'static, str>,
    ) -> Option<FlowResult<()>> {
        let compiler = self.compiler;
        self.recovers
            .then(|| compiler.recover(self.scope, evaluator, statement, why))
    }

    fn unknown_function(&self, name: &str) -> EvalFailure {
        let failure = self.compiler.unknown_function(self.scope, name);
        failure.unwrap_or_else(|| EvalFailure::unknown(format!("calls the function `{name}`")))
    }

    fn types(&self) -> &dyn TypeNames {
        self.compiler
    }

    fn unknown_type(&self, name: &str) -> EvalFailure {
        let failure = self.compiler.unknown_type(self.scope, name);
        failure.unwrap_or_else(|| EvalFailure::unknown(format!("unknown data type `{name}`")))
    }
}

/// The variables of the scopes, as lookups in data see them.
pub(crate) struct ScopeVariables<'s>(pub(crate) &'s RefCell<State>);

impl CodeVariables for ScopeVariables<'_> {
    fn variable(&self, name: &str) -> Option<Variable> {
        match name.rsplit_once("::") {
            Some((class, name)) => {
                let scope = self.0.borrow_mut().scope_of_class(class)?;
                self.0.borrow().published(scope, name)
            }
            None => self.0.borrow().published(TOP, name),
        }
    }

    fn node_variable(&self, name: &str) -> Option<Variable> {
        let state = self.0.borrow();
        state.published(state.node?, name)
    }
}

/// The variables of compiled code.
pub struct CompiledVariables {
    state: RefCell<State>,
}

impl CompiledVariables {
    pub(crate) fn new(state: RefCell<State>) -> CompiledVariables {
        CompiledVariables { state }
    }

    /// Forgets the variables in the scope of the node, which lookups outside of the catalog do not see.
    pub fn leave_node(&self) {
        self.state.borrow_mut().node = None;
    }
}

impl CodeVariables for CompiledVariables {
    fn variable(&self, name: &str) -> Option<Variable> {
        ScopeVariables(&self.state).variable(name)
    }

    fn node_variable(&self, name: &str) -> Option<Variable> {
        ScopeVariables(&self.state).node_variable(name)
    }
}

impl State {
    /// Returns the scope of a class. Records the class in `early_class_reads` if it has not been evaluated.
    fn scope_of_class(&mut self, class: &str) -> Option<ScopeId> {
        let found = self.effects.classes.get(class).copied().flatten();
        if found.is_none() {
            self.effects.early_class_reads.insert(class.to_owned());
        }
        found
    }

    /// Returns a variable that the code of a scope has assigned.
    fn published(&self, scope: ScopeId, name: &str) -> Option<Variable> {
        let value = self.effects.scopes.get(scope.0)?.variables.get(name)?;
        Some(match value {
            Ok(value) => Variable::Value(value.clone()),
            Err(why) => Variable::Unknown(why.clone().into()),
        })
    }
}

impl Compiler<'_> {
    /// Evaluates code in a scope, and returns the variables.
    pub(crate) fn evaluate(
        &self,
        scope: ScopeId,
        variables: Scope,
        statements: impl Iterator<Item = Expr>,
    ) -> FlowResult<Scope> {
        let environment = ScopeEnvironment::of_code(self, scope);
        let evaluator = Evaluator::new(&self.context, &environment, &self.budget, scope == TOP);
        let mut evaluator = evaluator.with_scope(variables);
        let outcome = evaluator.statements(statements);
        self.publish(scope, &evaluator);
        match outcome {
            Ok(_) | Err(ControlFlow::UnknownValue(_) | ControlFlow::Return(_)) => {
                Ok(evaluator.into_scope())
            }
            Err(flow) => Err(self.record_failure_place(scope, flow)),
        }
    }

    /// Records where code of a scope failed, unless a place is already recorded. Returns the failure.
    pub(crate) fn record_failure_place(&self, scope: ScopeId, flow: ControlFlow) -> ControlFlow {
        if let ControlFlow::Failure { at: Some(at), .. } = &flow {
            let place = self.place(scope, TextRange::empty(*at));
            let mut state = self.state.borrow_mut();
            state.failed_at = state.failed_at.or(place);
        }
        flow
    }

    /// Copies the variables of an evaluator to its scope, where other code sees them.
    pub(crate) fn publish(&self, scope: ScopeId, evaluator: &Evaluator<'_>) {
        let mut state = self.state.borrow_mut();
        let Some(data) = state.effects.scopes.get_mut(scope.0) else {
            return;
        };
        if evaluator.scope().outermost_count() == data.variables.len() {
            return;
        }
        for (name, binding) in evaluator.scope().outermost() {
            // An open branch does not change what other code sees.
            if data.variables.contains_key(name) {
                continue;
            }
            let value = match binding {
                Binding::Value(value) => Ok(value.clone()),
                Binding::Unknown(why) => Err(why.clone()),
                Binding::Pending => continue,
            };
            data.variables.insert(name.to_owned(), value);
        }
    }

    /// Returns the value of a variable that the code of a scope does not assign.
    pub(crate) fn variable(&self, scope: ScopeId, name: &str) -> EvalResult {
        let absolute = name.strip_prefix("::");
        let found = match absolute.unwrap_or(name).rsplit_once("::") {
            Some((class, variable)) => return self.class_variable(class, variable, name),
            None if absolute.is_some() => self.top_variable(absolute.unwrap_or(name)),
            None => self.visible_variable(scope, name),
        };
        found.unwrap_or_else(|| Err(unknown_variable(name)))
    }

    /// Checks whether code reads what a sample node cannot stand for: a fact that Facter does not define, or an
    /// extension of the certificate. The latter are also unknown for other nodes, unless they are given.
    fn depends_on_node(&self, at: &SyntaxNode, name: &str) -> bool {
        let is_unknown = |name: &str| self.is_sample && self.node.unknown.contains(&name);
        if unprefixed(name) == "trusted" && self.is_given_extension(at) {
            return false;
        }
        if is_unknown(unprefixed(name)) {
            return true;
        }
        let key = match unprefixed(name) {
            "facts" | "trusted" => at.parent().and_then(AccessExpr::cast).and_then(|it| {
                let [key] = it.keys().try_into().ok()?;
                key.plain_text()
            }),
            _ => None,
        };
        let Some(key) = key else {
            return false;
        };
        if name.ends_with("trusted") {
            let given = self.node.top_scope.get("trusted");
            let is_given =
                matches!(given, Some(Value::Hash(it)) if it.get_str(key.as_str()).is_some());
            return matches!(key.as_str(), "extensions" | "external")
                && (self.is_sample || !is_given);
        }
        if !self.is_sample {
            return false;
        }
        if is_unknown(&key) {
            return true;
        }
        let given = self.node.top_scope.get("facts");
        let has_key = |it: &Value| match it {
            Value::Hash(facts) => facts.get(&Value::from(key.as_str())).is_some(),
            _ => true,
        };
        library::fact(&key).is_none() && given.is_some_and(|it| !has_key(it))
    }

    /// Checks whether `$trusted` is only read for an extension whose value is given.
    fn is_given_extension(&self, at: &SyntaxNode) -> bool {
        let Some(Value::Hash(trusted)) = self.node.top_scope.get("trusted") else {
            return false;
        };
        let Some(Value::Hash(given)) = trusted.get_str("extensions") else {
            return false;
        };
        let key = |access: Option<SyntaxNode>| {
            let access = access.and_then(AccessExpr::cast)?;
            let [key] = access.keys().try_into().ok()?;
            key.plain_text()
        };
        let outer = at.parent();
        let inner = outer.as_ref().and_then(SyntaxNode::parent);
        key(outer).as_deref() == Some("extensions")
            && key(inner).is_some_and(|it| given.get_str(it.as_str()).is_some())
    }

    /// Looks a variable up in the scopes that enclose a scope.
    fn visible_variable(&self, scope: ScopeId, name: &str) -> Option<EvalResult> {
        let mut at = scope;
        loop {
            let (found, next) = {
                let state = self.state.borrow();
                let data = state.effects.scopes.get(at.0)?;
                let found = data.variables.get(name).cloned();
                (found, data.inherited.or_else(|| state.enclosing(at)))
            };
            if let Some(value) = found {
                return Some(value.map_err(EvalFailure::Unknown));
            }
            match next {
                Some(next) => at = next,
                None => return self.top_variable(name),
            }
        }
    }

    fn top_variable(&self, name: &str) -> Option<EvalResult> {
        let state = self.state.borrow();
        if let Some(value) = state.effects.scopes.first()?.variables.get(name) {
            return Some(value.clone().map_err(EvalFailure::Unknown));
        }
        if let Some(value) = self.node.top_scope.get(name) {
            return Some(Ok(value.clone()));
        }
        self.node.may_have(name).then(|| {
            Err(EvalFailure::unknown(format!(
                "the variable `${name}` is unknown"
            )))
        })
    }

    fn class_variable(&self, class: &str, variable: &str, written: &str) -> EvalResult {
        if class == "settings" {
            return Err(EvalFailure::unknown("settings of the server are unknown"));
        }
        let mut at = self.state.borrow_mut().scope_of_class(class);
        if at.is_none() {
            return Err(match self.is_part || self.may_be_included(class) {
                true => {
                    EvalFailure::unknown(format!("it is unknown whether `{class}` is evaluated"))
                }
                false => unknown_variable(written),
            });
        }
        while let Some(scope) = at {
            let state = self.state.borrow();
            let Some(data) = state.effects.scopes.get(scope.0) else {
                break;
            };
            if let Some(value) = data.variables.get(variable) {
                return value.clone().map_err(EvalFailure::Unknown);
            }
            at = data.inherited;
        }
        Err(unknown_variable(written))
    }
}

/// Returns a name without leading colons.
fn unprefixed(name: &str) -> &str {
    name.strip_prefix("::").unwrap_or(name)
}

fn unknown_variable(name: &str) -> EvalFailure {
    let name = unprefixed(name);
    EvalError::new(
        Issue::UnknownVariable,
        format!("unknown variable `${name}`"),
    )
    .into()
}
