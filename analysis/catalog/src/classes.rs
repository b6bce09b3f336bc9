//! Classes, nodes and instances of defined types: their parameters and their code.

use eval::{EvalError, Evaluator, FlowResult, Issue, Scope};
use hiera::Answer;
use hir::resolve::ResolveError;
use hir::{ItemKind, canonical_name};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use syntax::ast::{
    AstNode, ClassDefinition, DefineDefinition, HasBody, HasParameters, Parameter as ParameterNode,
};
use types::capitalize_segments;
use types::values::Value;

use crate::data::{Parameter, ResourceKey};
use crate::declarations::Declaration;
use crate::scopes::ScopeEnvironment;
use crate::state::{Attributes, Code, Compiler, ScopeData, ScopeId, ScopeKind, TOP};
use crate::values::{known_or_reason, new_resource};

/// The values of parameters by name, or why they are unknown.
type Values = IndexMap<String, Result<Value, String>, FxBuildHasher>;

impl<'db> Compiler<'db> {
    /// Checks whether code that is not known to be evaluated may declare a class.
    pub(crate) fn may_be_included(&self, class: &str) -> bool {
        let state = self.state.borrow();
        state.classes.contains_key(class) || !state.catalog.gaps.is_empty()
    }

    /// Declares a class by name, unless it is declared already.
    pub(crate) fn include(&self, scope: ScopeId, name: &str) -> FlowResult<ResourceKey> {
        let name = canonical_name(name);
        if self.state.borrow().classes.contains_key(&name) {
            return Ok(class_key(&name));
        }
        self.declare_class(scope, &name, Attributes::default(), Declaration::default())
    }

    /// Declares a class with parameters.
    pub(crate) fn declare_class(
        &self,
        scope: ScopeId,
        name: &str,
        attributes: Attributes,
        declaration: Declaration,
    ) -> FlowResult<ResourceKey> {
        let name = canonical_name(name);
        let key = class_key(&name);
        if self.state.borrow().classes.contains_key(&name) {
            if self.is_open() {
                return Ok(key);
            }
            let message = format!("duplicate declaration: `{key}` is already declared");
            return Err(EvalError::new(Issue::RuntimeError, message).into());
        }
        let code = match self.class_code(&name) {
            Ok(code) => code,
            Err(ResolveError::NotDefined) => {
                let message = format!("unknown class `{name}`");
                return Err(EvalError::new(Issue::RuntimeError, message).into());
            }
            _ => {
                self.add_gap(
                    scope,
                    declaration.range,
                    format!("the class `{name}` is unknown"),
                );
                self.state.borrow_mut().classes.insert(name, None);
                return Ok(key);
            }
        };
        let mut resource = new_resource(
            declaration.range.and_then(|it| self.place(scope, it)),
            Some(ResourceKey {
                type_name: "Stage".to_owned(),
                title: "main".to_owned(),
            }),
        );
        resource.is_certain = !self.is_open();
        resource.parameters.insert(
            "name".to_owned(),
            Parameter {
                value: Ok(Value::from(capitalize_segments(&name).as_str())),
            },
        );
        resource.parameters.extend(attributes.values.clone());
        {
            let mut state = self.state.borrow_mut();
            state.catalog.resources.insert(key.clone(), resource);
            state.catalog.classes.push(name.clone());
            state.classes.insert(name.clone(), None);
        }
        let Some(definition) = ClassDefinition::cast(code.syntax.clone()) else {
            return Ok(key);
        };
        let parent = definition.inherits().and_then(|it| it.name());
        let inherited = match parent {
            Some(parent) => {
                let parent = canonical_name(&parent.text());
                self.include(scope, &parent)?;
                self.state.borrow().classes.get(&parent).copied().flatten()
            }
            None => None,
        };
        let new = self.body_scope(scope, &code, &key, ScopeKind::Class, inherited);
        let mut state = self.state.borrow_mut();
        state.inherit_tags(&key, scope);
        state.classes.insert(name.clone(), Some(new));
        drop(state);
        let given = attributes
            .values
            .into_iter()
            .map(|(name, it)| (name, it.value))
            .collect();
        let parameters = definition.parameters();
        let title = Value::from(name.as_str());
        let variables = self.bind(new, &key, &parameters, given, title, Some(&name))?;
        if let Some(body) = definition.body() {
            self.evaluate(new, variables, body.statements())?;
        }
        Ok(key)
    }

    /// Evaluates an instance of a defined type.
    pub(crate) fn evaluate_instance(&self, key: &ResourceKey, scope: ScopeId) -> FlowResult<()> {
        let Some(code) = self.definition(ItemKind::DefinedType, &key.type_name) else {
            return Ok(());
        };
        let Some(definition) = DefineDefinition::cast(code.syntax.clone()) else {
            return Ok(());
        };
        let given: Values = {
            let state = self.state.borrow();
            let resource = state.catalog.resources.get(key);
            let parameters = resource.into_iter().flat_map(|it| it.parameters.iter());
            let given = parameters.filter(|it| it.0 != "name");
            given
                .map(|(name, it)| (name.clone(), it.value.clone()))
                .collect()
        };
        self.state.borrow_mut().inherit_tags(key, scope);
        let new = self.body_scope(scope, &code, key, ScopeKind::DefinedType, None);
        let parameters = definition.parameters();
        let title = Value::from(key.title.as_str());
        let variables = self.bind(new, key, &parameters, given, title, None)?;
        if let Some(body) = definition.body() {
            self.evaluate(new, variables, body.statements())?;
        }
        Ok(())
    }

    fn body_scope(
        &self,
        parent: ScopeId,
        code: &Code,
        key: &ResourceKey,
        kind: ScopeKind,
        inherited: Option<ScopeId>,
    ) -> ScopeId {
        let scope = self.new_scope(ScopeData {
            kind,
            parent: Some(inherited.unwrap_or(parent)),
            inherited,
            resource: key.clone(),
            variables: FxHashMap::default(),
            defaults: FxHashMap::default(),
            origin: None,
            module: code.module.clone(),
        });
        self.set_origin(scope, code.file, code.start);
        scope
    }

    /// Binds the parameters of a class or defined type, and returns its variables.
    fn bind(
        &self,
        scope: ScopeId,
        key: &ResourceKey,
        parameters: &[ParameterNode],
        given: Values,
        title: Value,
        class: Option<&str>,
    ) -> FlowResult<Scope> {
        let mut variables = Scope::default();
        variables.set("title", title.clone());
        variables.set("name", title);
        let (module, caller) = {
            let state = self.state.borrow();
            let data = state.scopes.get(scope.0);
            let parent = data.and_then(|it| state.scopes.get(it.parent?.0));
            let module = data.and_then(|it| it.module.clone());
            (module, parent.and_then(|it| it.module.clone()))
        };
        if let Some(module) = module {
            variables.set("module_name", Value::from(module.as_str()));
        }
        let caller = caller.unwrap_or_default();
        variables.set("caller_module_name", Value::from(caller.as_str()));
        let environment = ScopeEnvironment {
            compiler: self,
            scope,
        };
        let evaluator = Evaluator::new(&self.context, &environment, &self.budget, scope == TOP);
        let mut evaluator = evaluator.with_scope(variables);
        let mut bound: Values = Values::default();
        for parameter in parameters {
            let Some(name) = parameter.name() else {
                continue;
            };
            let value = self.argument(&mut evaluator, key, (parameter, &name), &given, class)?;
            let value = self.checked(&mut evaluator, key, parameter, &name, value)?;
            let mut scope = evaluator.into_scope();
            match &value {
                Ok(value) => {
                    scope.set(&name, value.clone());
                }
                Err(why) => scope.set_unknown(&name, why.clone().into()),
            }
            evaluator =
                Evaluator::new(&self.context, &environment, &self.budget, false).with_scope(scope);
            bound.insert(name, value);
        }
        let mut state = self.state.borrow_mut();
        if let Some(resource) = state.catalog.resources.get_mut(key) {
            for (name, value) in bound {
                match value {
                    Ok(Value::Undef) => {
                        resource.parameters.shift_remove(&name);
                    }
                    value => {
                        resource.parameters.insert(name, Parameter { value });
                    }
                }
            }
        }
        drop(state);
        self.publish(scope, &evaluator);
        Ok(evaluator.into_scope())
    }

    /// Returns the value of a parameter: the given one, that of data, or the default.
    fn argument(
        &self,
        evaluator: &mut Evaluator<'_>,
        key: &ResourceKey,
        (parameter, name): (&ParameterNode, &str),
        given: &Values,
        class: Option<&str>,
    ) -> FlowResult<Result<Value, String>> {
        match given.get(name) {
            Some(Ok(Value::Undef)) | None => {}
            Some(value) => return Ok(value.clone()),
        }
        if let Some(class) = class {
            let data_key = format!("{class}::{name}");
            match self.lookups.borrow_mut().lookup(&data_key, None) {
                Answer::Found(Value::Undef) if parameter.default().is_some() => {}
                Answer::Found(value) => return Ok(Ok(value)),
                Answer::NotFound => {}
                Answer::Error(message) => {
                    return Err(EvalError::new(Issue::RuntimeError, message).into());
                }
                Answer::Unknown(why) => return Ok(Err(why)),
            }
        }
        match parameter.default() {
            Some(default) => known_or_reason(evaluator.expr(&default)),
            None if given.contains_key(name) || self.is_open() => Ok(Ok(Value::Undef)),
            None => {
                let message = format!("`{key}` expects a value for parameter `{name}`");
                Err(EvalError::new(Issue::RuntimeError, message).into())
            }
        }
    }

    /// Checks the value of a parameter against its type.
    fn checked(
        &self,
        evaluator: &mut Evaluator<'_>,
        key: &ResourceKey,
        parameter: &ParameterNode,
        name: &str,
        value: Result<Value, String>,
    ) -> FlowResult<Result<Value, String>> {
        let ty = match parameter.type_expr() {
            Some(expr) => match known_or_reason(evaluator.expr(&expr))? {
                Ok(Value::Type(ty)) => ty,
                _ => return Ok(value),
            },
            None => types::Type::Any,
        };
        let Ok(known) = &value else {
            return Ok(value);
        };
        if types::is_instance(&ty, known) == Some(false) && !self.is_open() {
            let message = format!("parameter `{name}` of `{key}` does not accept the value");
            return Err(EvalError::new(Issue::RuntimeError, message).into());
        }
        Ok(value)
    }
}

/// Returns the resource of a class.
pub(crate) fn class_key(name: &str) -> ResourceKey {
    ResourceKey {
        type_name: "Class".to_owned(),
        title: capitalize_segments(name),
    }
}
