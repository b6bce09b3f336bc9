//! Functions that declare classes and resources, or read the catalog.

use eval::{Closure, EvalError, EvalFailure, Evaluator, FlowResult, Issue};
use hir::body::PathKind;
use hir::resolve::{self, Definition};
use hir::{ItemKind, canonical_name};
use indexmap::IndexMap;
use library::KnownFunction;
use syntax::ast::{AstNode, FunctionDefinition};
use types::Type;
use types::capitalize_segments;
use types::values::{HashValue, Value, same};

use crate::data::{Parameter, ResourceKey};
use crate::declarations::Declaration;
use crate::scopes::ScopeEnvironment;
use crate::state::{Attributes, Compiler, ScopeId, TOP};
use crate::stdlib;
use crate::values::{flatten, reference, resource_of, unknown};

/// The operations of Ruby that change an array or a hash in place.
const CHANGES: [&str; 8] = [
    "<<", ".push", ".concat", ".delete", ".unshift", ".insert", ".shift", "! ",
];

impl Compiler<'_> {
    /// Calls a function that declares something, reads the catalog, or is written in Puppet.
    pub(crate) fn call(
        &self,
        scope: ScopeId,
        name: &str,
        args: &[Value],
        block: Option<&Closure>,
    ) -> Option<FlowResult> {
        let found = KnownFunction::from_name(name);
        if found == Some(KnownFunction::Template) {
            self.forget_what_templates_change(scope, args);
            return None;
        }
        match found {
            Some(KnownFunction::Include) => Some(self.include_all(scope, args)),
            Some(KnownFunction::Contain) => Some(self.include_all(scope, args)),
            Some(KnownFunction::Require) => Some(self.require_all(scope, args)),
            Some(KnownFunction::CreateResources) => Some(self.create_resources(scope, args)),
            Some(KnownFunction::Defined) => Some(self.defined(scope, args)),
            Some(KnownFunction::Lookup) if block.is_none() => self.lookup(args),
            Some(KnownFunction::Realize) => Some(self.realize(args)),
            _ => match self.call_of_stdlib(scope, name, args) {
                Some(outcome) => Some(outcome),
                None => self.call_puppet_function(name, args, block),
            },
        }
    }

    /// Calls a function of the module `stdlib` that is written in Ruby.
    fn call_of_stdlib(&self, scope: ScopeId, name: &str, args: &[Value]) -> Option<FlowResult> {
        if !self.environment.modules(self.db).contains_key("stdlib") {
            return None;
        }
        match (name, args) {
            ("ensure_resource", [Value::String(ty), titles, rest @ ..]) => {
                Some(self.ensure_resources(scope, ty, titles, rest.first()))
            }
            ("ensure_packages", [titles, rest @ ..]) => {
                Some(self.ensure_packages(scope, titles, rest.first()))
            }
            ("assert_private", []) => self.assert_private(scope),
            ("fact", [Value::String(path)]) => self.fact(path).map(Ok),
            _ => stdlib::call(name, args).map(Ok),
        }
    }

    /// Marks the parameters that a template in Ruby may change in place as unknown.
    fn forget_what_templates_change(&self, scope: ScopeId, args: &[Value]) {
        let mut paths = Vec::new();
        args.iter().for_each(|it| flatten(it, &mut paths));
        for path in paths.iter().filter_map(Value::as_str) {
            let environment = Some(self.environment);
            let found = resolve::file(self.db, environment, PathKind::Template, path);
            let Ok(Definition::File(file)) = found else {
                continue;
            };
            let text = file.text(self.db).clone().unwrap_or_default();
            if !CHANGES.iter().any(|it| text.contains(it)) {
                continue;
            }
            let mut state = self.state.borrow_mut();
            let key = state.scopes.get(scope.0).map(|it| it.resource.clone());
            let resource = key.and_then(|it| state.catalog.resources.get_mut(&it));
            for (name, parameter) in resource.into_iter().flat_map(|it| &mut it.parameters) {
                let is_changeable = matches!(parameter.value, Ok(Value::Array(_) | Value::Hash(_)));
                if is_changeable && text.contains(&format!("@{name}")) {
                    parameter.value = Err("a template may change it".to_owned());
                }
            }
        }
    }

    /// Fails if a class or defined type is declared by the code of another module.
    fn assert_private(&self, scope: ScopeId) -> Option<FlowResult> {
        let state = self.state.borrow();
        let variables = &state.scopes.get(scope.0)?.variables;
        let module = variables.get("module_name")?.as_ref().ok()?;
        let caller = variables.get("caller_module_name")?.as_ref().ok()?;
        if module == caller {
            return Some(Ok(Value::Undef));
        }
        let message = "the class or defined type is private";
        Some(Err(EvalError::new(Issue::RuntimeError, message).into()))
    }

    fn ensure_packages(&self, scope: ScopeId, titles: &Value, given: Option<&Value>) -> FlowResult {
        let defaults = HashValue::from_iter([("ensure".into(), "installed".into())]);
        let parameters = match given {
            Some(Value::Hash(given)) => {
                let is_present = given.get_str("ensure").and_then(Value::as_str) == Some("present");
                let given = defaults.merged(given);
                match is_present {
                    true => given.merged(&defaults),
                    false => given,
                }
            }
            None | Some(Value::Undef) => defaults,
            Some(_) => return Err(unknown("the parameters are unknown")),
        };
        let parameters = Value::Hash(parameters);
        self.ensure_resources(scope, "package", titles, Some(&parameters))
    }

    /// Declares resources that are not declared with these parameters yet.
    fn ensure_resources(
        &self,
        scope: ScopeId,
        type_name: &str,
        titles: &Value,
        given: Option<&Value>,
    ) -> FlowResult {
        let parameters = match given {
            Some(Value::Hash(entries)) => entries.clone(),
            None | Some(Value::Undef) => HashValue::from_iter([]),
            Some(_) => return Err(unknown("the parameters are unknown")),
        };
        let mut all = Vec::new();
        flatten(titles, &mut all);
        for title in &all {
            let Some(title) = title.as_str() else {
                return Err(unknown("the titles are unknown"));
            };
            let key = ResourceKey {
                type_name: capitalize_segments(&canonical_name(type_name)),
                title: title.to_owned(),
            };
            if self.is_declared_with(&key, &parameters)? {
                continue;
            }
            let entries = parameters.iter().map(|(name, value)| {
                let value = Ok(value.clone());
                (
                    name.as_str().unwrap_or_default().to_owned(),
                    Parameter { value },
                )
            });
            let attributes = Attributes::of(entries.collect());
            let declaration = Declaration::default();
            self.add(
                scope,
                &canonical_name(type_name),
                title,
                attributes,
                declaration,
            )?;
        }
        Ok(Value::Undef)
    }

    /// Checks whether a resource is declared, and has all these parameters.
    fn is_declared_with(&self, key: &ResourceKey, parameters: &HashValue) -> FlowResult<bool> {
        let state = self.state.borrow();
        let Some(resource) = state.catalog.resources.get(key) else {
            return Ok(false);
        };
        for (name, value) in parameters.iter() {
            let name = name.as_str().unwrap_or_default();
            match resource.parameters.get(name).map(|it| &it.value) {
                Some(Ok(found)) if same(found, value) => {}
                None if value.is_undef() => {}
                Some(Err(_)) => return Err(unknown("a parameter of the resource is unknown")),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn include_all(&self, scope: ScopeId, args: &[Value]) -> FlowResult {
        let mut references = Vec::new();
        for name in class_names(args)? {
            let key = self.include(scope, &name)?;
            references.push(reference(&key));
        }
        Ok(Value::array(references))
    }

    fn require_all(&self, scope: ScopeId, args: &[Value]) -> FlowResult {
        let classes = self.include_all(scope, args)?;
        let mut targets = Vec::new();
        flatten(&classes, &mut targets);
        let is_open = self.is_open();
        let mut state = self.state.borrow_mut();
        let key = state.scopes.get(scope.0).map(|it| it.resource.clone());
        let resource = key.and_then(|it| state.catalog.resources.get_mut(&it));
        if let Some(resource) = resource {
            let old = resource
                .parameters
                .get("require")
                .map(|it| it.value.clone());
            let value = match old {
                _ if is_open => Err("the relationship may not apply".to_owned()),
                Some(Err(why)) => Err(why),
                Some(Ok(value)) => {
                    let mut all = Vec::new();
                    flatten(&value, &mut all);
                    all.extend(targets);
                    Ok(Value::array(all))
                }
                None => Ok(Value::array(targets)),
            };
            resource
                .parameters
                .insert("require".to_owned(), Parameter { value });
        }
        Ok(classes)
    }

    fn create_resources(&self, scope: ScopeId, args: &[Value]) -> FlowResult {
        let [type_name, resources, rest @ ..] = args else {
            return Err(unknown("too few arguments"));
        };
        let type_name = match type_name {
            Value::String(name) => name.to_string(),
            Value::Type(Type::Resource(it)) => {
                it.type_name().map_or_else(String::new, |it| it.to_string())
            }
            _ => return Err(unknown("the resource type is unknown")),
        };
        let is_exported = type_name.starts_with("@@");
        let declaration = Declaration {
            is_virtual: type_name.starts_with('@'),
            is_exported,
            range: None,
        };
        let type_name = canonical_name(type_name.trim_start_matches('@'));
        let Value::Hash(resources) = resources else {
            return Err(unknown("the resources are unknown"));
        };
        for (title, parameters) in resources.iter() {
            let mut values: IndexMap<String, Parameter, _> = IndexMap::default();
            let defaults = rest.first();
            for source in defaults.into_iter().chain([parameters]) {
                if let Value::Hash(entries) = source {
                    for (name, value) in entries.iter() {
                        let name = name.as_str().unwrap_or_default().to_owned();
                        let value = Ok(value.clone());
                        values.insert(name, Parameter { value });
                    }
                }
            }
            let title = title.as_str().unwrap_or_default();
            let attributes = Attributes::of(values);
            self.add(scope, &type_name, title, attributes, declaration)?;
        }
        Ok(Value::Undef)
    }

    fn realize(&self, args: &[Value]) -> FlowResult {
        let mut all = Vec::new();
        args.iter().for_each(|it| flatten(it, &mut all));
        for value in &all {
            let Some(key) = resource_of(value) else {
                return Err(unknown("the resource is unknown"));
            };
            let mut state = self.state.borrow_mut();
            let is_certain = state.open == 0;
            state.realize(&key, is_certain);
            if is_certain {
                state.realized.push(key);
            }
        }
        Ok(Value::Undef)
    }

    /// Calls a function written in Puppet; `None` if there is none.
    fn call_puppet_function(
        &self,
        name: &str,
        args: &[Value],
        block: Option<&Closure>,
    ) -> Option<FlowResult> {
        let code = self.definition(ItemKind::Function, name)?;
        let definition = FunctionDefinition::cast(code.syntax)?;
        let environment = ScopeEnvironment {
            compiler: self,
            scope: TOP,
        };
        let closure = Closure::of_function(name, &definition);
        let mut inner = Evaluator::new(&self.context, &environment, &self.budget, true);
        Some(inner.run_function(&closure, args.to_vec(), block))
    }
}

/// Returns the names of classes in the arguments of `include`.
fn class_names(args: &[Value]) -> FlowResult<Vec<String>> {
    let mut all = Vec::new();
    args.iter().for_each(|it| flatten(it, &mut all));
    let names = all.into_iter().map(|it| match &it {
        Value::String(name) => Ok(canonical_name(name)),
        Value::Type(Type::Class(Some(name))) => Ok(canonical_name(name)),
        Value::Undef => {
            let message = "cannot declare `undef` as a class";
            Err(EvalError::new(Issue::RuntimeError, message).into())
        }
        _ => Err(EvalFailure::unknown("the class is unknown").into()),
    });
    names.collect()
}
