//! The values of the parameters of classes and defined types: the given ones, those of Hiera data, or the defaults.

use std::collections::BTreeSet;

use eval::{ControlFlow, EvalError, Evaluator, FlowResult, Issue, Scope};
use hiera::Answer;
use hir::autoload::NameKey;
use hir::declared_resources::{ANY_PARAMETER, class_arguments};
use indexmap::IndexMap;
use infer::may_be_in_absent_data;
use rustc_hash::FxBuildHasher;
use syntax::ast::{AstNode, Parameter as ParameterNode};
use types::mismatch::describe_value;
use types::values::Value;
use types::{Type, accepted_by_parameter};

use crate::data::{Origin, Parameter, ResourceKey};
use crate::scopes::ScopeEnvironment;
use crate::state::{Compiler, ScopeId, TOP};
use crate::values::{error, known_or_reason};

/// The start of the error about a required parameter without a value.
const MISSING_PARAMETER: &str = "missing required parameter `";

/// Checks whether an error says that a resource lacks a required parameter.
pub(crate) fn is_missing_parameter(error: &str, key: &ResourceKey) -> bool {
    error.starts_with(MISSING_PARAMETER) && error.ends_with(&format!("of `{key}`"))
}

/// The reason why a parameter is unknown.
const PARAMETER_MAY_BE_GIVEN: &str = "the parameter may be given";

/// Parameters by name.
pub(crate) type Values = IndexMap<String, Parameter, FxBuildHasher>;

/// A declared class, or a declared instance of a defined type, whose code is about to be evaluated.
pub(crate) struct Declared<'a> {
    pub(crate) scope: ScopeId,
    pub(crate) key: &'a ResourceKey,
    pub(crate) parameters: &'a [ParameterNode],
    /// The attributes of the declaration.
    pub(crate) given: Values,
    /// `None` if it is unknown. The parameters are unknown then, too.
    pub(crate) title: Option<Value>,
    /// The canonical name of the class; `None` for an instance of a defined type.
    pub(crate) class: Option<&'a str>,
}

impl<'db> Compiler<'db> {
    /// Binds the parameters of a class or defined type, and returns its variables.
    pub(crate) fn bind(&self, declared: Declared<'_>) -> FlowResult<Scope> {
        let variables = self.built_in_variables(&declared);
        let environment = ScopeEnvironment::of_code(self, declared.scope);
        let is_top = declared.scope == TOP;
        let evaluator = Evaluator::new(&self.context, &environment, &self.budget, is_top);
        let binding = Binding {
            compiler: self,
            is_open: self.may_be_given(&declared),
            evaluator: evaluator.with_scope(variables),
            declared,
        };
        binding.bind()
    }

    /// Returns the variables that the code of each class and defined type has.
    fn built_in_variables(&self, declared: &Declared<'_>) -> Scope {
        let mut variables = Scope::default();
        for name in ["title", "name"] {
            match &declared.title {
                Some(title) => {
                    variables.set(name, title.clone());
                }
                None => variables.set_unknown(name, "the title is unknown".into()),
            }
        }
        let state = self.state.borrow();
        let data = state.effects.scopes.get(declared.scope.0);
        let parent = data.and_then(|it| state.effects.scopes.get(it.parent?.0));
        if let Some(module) = data.and_then(|it| it.module.as_deref()) {
            variables.set("module_name", Value::from(module));
        }
        let caller = parent.and_then(|it| it.module.as_deref());
        variables.set(
            "caller_module_name",
            Value::from(caller.unwrap_or_default()),
        );
        variables
    }

    /// Checks whether other code may set the parameters that are not given. Code that sets a parameter without a default
    /// value may set the others, too.
    fn may_be_given(&self, declared: &Declared<'_>) -> bool {
        let mut parameters = declared.parameters.iter();
        declared.title.is_none()
            || (self.is_parameterized || self.is_declared)
                && declared.class.is_some()
                && parameters.any(|it| is_missing(it, &declared.given))
    }

    /// Checks whether any declaration of a class in the environment sets a parameter.
    fn is_set_by_declaration(&self, class: &str, parameter: &str) -> bool {
        let arguments = || {
            let class = NameKey::new(self.db, class.to_owned());
            class_arguments(self.db, self.environment, class)
        };
        let is_set =
            |all: &BTreeSet<String>| all.contains(parameter) || all.contains(ANY_PARAMETER);
        self.is_declared && is_set(arguments())
    }

    /// Returns the argument in the Hiera data; `None` if there is none.
    fn argument_of_data(
        &self,
        key: String,
        parameter: &ParameterNode,
    ) -> FlowResult<Option<Parameter>> {
        let answer = self.lookups.borrow_mut().lookup(&key, None);
        let value = match answer {
            Answer::Found(Value::Undef) if parameter.default().is_some() => return Ok(None),
            Answer::NotFound => return Ok(None),
            Answer::Found(value) => Ok(value),
            Answer::Unknown(why) => Err(why.into()),
            Answer::Error(message) => {
                self.state.borrow_mut().failed_key = Some(key);
                return Err(error_at(message, parameter));
            }
        };
        let origin = Origin::Data { key };
        Ok(Some(Parameter { value, origin }))
    }
}

/// The evaluation of the parameters, each of which may read those before it.
struct Binding<'a, 'db> {
    compiler: &'a Compiler<'db>,
    evaluator: Evaluator<'a>,
    declared: Declared<'a>,
    /// Whether other code may set the parameters that are not given.
    is_open: bool,
}

impl Binding<'_, '_> {
    fn bind(mut self) -> FlowResult<Scope> {
        let (compiler, scope) = (self.compiler, self.declared.scope);
        let mut bound = Values::default();
        for parameter in self.declared.parameters {
            let Some(name) = parameter.name() else {
                continue;
            };
            let argument = self.argument(parameter, &name);
            let argument = argument.map_err(|flow| compiler.record_failure_place(scope, flow))?;
            self.check(parameter, &name, &argument)
                .map_err(|flow| compiler.record_failure_place(scope, flow))?;
            let variables = self.evaluator.scope_mut();
            match &argument.value {
                Ok(value) => {
                    variables.set(&name, value.clone());
                }
                Err(why) => variables.set_unknown(&name, why.clone()),
            }
            bound.insert(name, argument);
        }
        let mut state = compiler.state.borrow_mut();
        if let Some(resource) = state.effects.catalog.resources.get_mut(self.declared.key) {
            for (name, parameter) in bound {
                resource.set(name, parameter);
            }
        }
        drop(state);
        compiler.publish(scope, &self.evaluator);
        Ok(self.evaluator.into_scope())
    }

    /// Returns the argument of a parameter: the given one, that of data, or the default.
    fn argument(&mut self, parameter: &ParameterNode, name: &str) -> FlowResult<Parameter> {
        let (compiler, declared) = (self.compiler, &self.declared);
        let given = declared.given.get(name);
        if let Some(given) = given.filter(|it| it.value != Ok(Value::Undef)) {
            return Ok(given.clone());
        }
        let unknown = |why: &str| {
            Ok(Parameter::unknown(
                why.to_owned(),
                Origin::Declaration(None),
            ))
        };
        let has_open_attributes = || {
            let state = compiler.state.borrow();
            state.effects.open.contains(declared.key)
        };
        if given.is_none() && has_open_attributes() {
            return unknown("some attributes of the declaration are unknown");
        }
        if let Some(class) = declared.class {
            if compiler.is_set_by_declaration(class, name) {
                return unknown(PARAMETER_MAY_BE_GIVEN);
            }
            let key = format!("{class}::{name}");
            if let Some(found) = compiler.argument_of_data(key.clone(), parameter)? {
                return Ok(found);
            }
            let is_required = given.is_none() && parameter.default().is_none();
            if is_required && may_be_in_absent_data(compiler.db, compiler.environment, &key) {
                return unknown("data that is not in the workspace may set it");
            }
        }
        if self.is_open {
            return unknown(PARAMETER_MAY_BE_GIVEN);
        }
        self.default(parameter, name)
    }

    /// Returns the default value of a parameter that neither code nor data sets.
    fn default(&mut self, parameter: &ParameterNode, name: &str) -> FlowResult<Parameter> {
        let (compiler, declared) = (self.compiler, &self.declared);
        let Some(default) = parameter.default() else {
            if declared.given.contains_key(name) {
                return Ok(Parameter::known(Value::Undef, Origin::Declaration(None)));
            }
            let key = declared.key;
            let mut state = compiler.state.borrow_mut();
            let resource = state.effects.catalog.resources.get(key);
            state.failed_in = resource.and_then(|it| it.place);
            let message = format!("{MISSING_PARAMETER}{name}` of `{key}`");
            return Err(error_at(message, parameter));
        };
        let place = compiler.place(declared.scope, default.syntax().text_range());
        let value = match known_or_reason(self.evaluator.expr(&default))? {
            // Such a parameter of a class is meant to be given, in code or in data.
            Ok(Value::Undef) if compiler.is_parameterized && declared.class.is_some() => {
                Err(PARAMETER_MAY_BE_GIVEN.into())
            }
            value => value,
        };
        let origin = Origin::DefaultValue(place);
        Ok(Parameter { value, origin })
    }

    /// Checks an argument against the type of the parameter.
    fn check(
        &mut self,
        parameter: &ParameterNode,
        name: &str,
        argument: &Parameter,
    ) -> FlowResult<()> {
        let ty = match parameter.type_expr() {
            Some(expr) => match known_or_reason(self.evaluator.expr(&expr))? {
                Ok(Value::Type(ty)) => ty,
                _ => return Ok(()),
            },
            None => Type::Any,
        };
        let Ok(value) = &argument.value else {
            return Ok(());
        };
        if types::is_instance(&accepted_by_parameter(&ty), value) != Some(false)
            || is_deferred(value)
        {
            return Ok(());
        }
        let (compiler, Declared { scope, key, .. }) = (self.compiler, &self.declared);
        let place = argument.origin.place();
        let place = place.or_else(|| compiler.place(*scope, parameter.syntax().text_range()));
        let mut state = compiler.state.borrow_mut();
        state.failed_at = place;
        if let Origin::Data { key } = &argument.origin {
            state.failed_key = Some(key.clone());
        }
        let message = format!(
            "parameter `{name}` of `{key}` {}",
            describe_value(&ty, value)
        );
        Err(error(message))
    }
}

/// Checks whether the agent evaluates a value, which any parameter accepts.
fn is_deferred(value: &Value) -> bool {
    types::is_instance(&Type::deferred(), value) == Some(true)
}

/// Checks whether a parameter without a default value is not given.
pub(crate) fn is_missing(parameter: &ParameterNode, given: &Values) -> bool {
    let name = parameter.name();
    parameter.default().is_none() && name.is_some_and(|it| !given.contains_key(it.as_str()))
}

/// Creates an error at a parameter.
fn error_at(message: String, parameter: &ParameterNode) -> ControlFlow {
    ControlFlow::Failure {
        failure: EvalError::new(Issue::RuntimeError, message).into(),
        at: Some(parameter.syntax().text_range().start()),
    }
}
