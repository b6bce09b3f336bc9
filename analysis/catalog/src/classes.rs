//! Classes, nodes and instances of defined types: their parameters and their code.

use base::FileInput;
use eval::{EvalError, Evaluator, FlowResult, Issue, Scope};
use hiera::Answer;
use hir::resolve::{self, Definition};
use hir::{Item, ItemKind, canonical_name, signature};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use syntax::SyntaxKind;
use syntax::ast::{
    AstNode, ClassDefinition, DefineDefinition, HasBody, HasParameters, Parameter as ParameterNode,
};
use types::capitalize_segments;
use types::values::{Regexp, Value};

use crate::compiler::{Compiler, new_resource};
use crate::data::{Parameter, ResourceKey};
use crate::declarations::{Attributes, Declaration, known_or_reason};
use crate::scopes::{ScopeData, ScopeEnvironment, ScopeId, ScopeKind, TOP};

/// The values of parameters by name, or why they are unknown.
type Values = IndexMap<String, Result<Value, String>, FxBuildHasher>;

/// What a node definition matches.
enum Matcher {
    Name(String),
    Regex(Regexp),
    Default,
}

impl Matcher {
    fn of(text: &str) -> Matcher {
        let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
        if let Some(name) = quoted('\'').or_else(|| quoted('"')) {
            Matcher::Name(name.to_owned())
        } else if let Some(source) = quoted('/') {
            Matcher::Regex(Regexp::new(source))
        } else if text == "default" {
            Matcher::Default
        } else {
            Matcher::Name(text.to_owned())
        }
    }
}

/// Returns the definition that matches the first name of a node for which there is one.
pub(crate) fn node_of<'db>(
    compiler: &Compiler<'db>,
    nodes: &[Item<'db>],
    names: &[String],
) -> Option<Item<'db>> {
    let matchers = |item: &Item<'db>| {
        let definition = item.syntax(compiler.db);
        let matchers = definition.children();
        let matchers = matchers.filter(|it| it.kind() == SyntaxKind::HOST_NAME);
        let matchers = matchers.map(|it| Matcher::of(&it.text().to_string()));
        matchers.collect::<Vec<_>>()
    };
    let find = |matches: &dyn Fn(&Matcher) -> bool| {
        let mut nodes = nodes.iter();
        nodes
            .find(|node| matchers(node).iter().any(matches))
            .copied()
    };
    let by_name = names.iter().find_map(|name| {
        let is_name =
            |it: &Matcher| matches!(it, Matcher::Name(it) if it.eq_ignore_ascii_case(name));
        let is_match =
            |it: &Matcher| matches!(it, Matcher::Regex(it) if it.is_match(name) == Ok(true));
        find(&is_name).or_else(|| find(&is_match))
    });
    by_name.or_else(|| find(&|it: &Matcher| matches!(it, Matcher::Default)))
}

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
        let item = match resolve::class(self.db, Some(self.environment), &name) {
            Ok(Definition::Item(item)) if item.kind(self.db) == ItemKind::Class => item,
            Err(resolve::ResolveError::NotDefined) => {
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
        let definition = ClassDefinition::cast(item.syntax(self.db));
        let Some(definition) = definition else {
            return Ok(key);
        };
        let inherited = match &signature(self.db, item).inherits {
            Some(parent) => {
                self.include(scope, parent)?;
                self.state.borrow().classes.get(parent).copied().flatten()
            }
            None => None,
        };
        let new = self.body_scope(scope, item, &key, ScopeKind::Class, inherited);
        self.state
            .borrow_mut()
            .classes
            .insert(name.clone(), Some(new));
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
        let Some(item) = self.defined_type(&key.type_name) else {
            return Ok(());
        };
        let definition = DefineDefinition::cast(item.syntax(self.db));
        let Some(definition) = definition else {
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
        let new = self.body_scope(scope, item, key, ScopeKind::DefinedType, None);
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
        item: Item<'db>,
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
            module: item.module_name(self.db).map(str::to_owned),
        });
        let file: FileInput = item.file(self.db);
        self.set_origin(scope, Some(file), item.offset(self.db));
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
