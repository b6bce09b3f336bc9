//! Expressions that add to the catalog: resources, defaults, overrides and relationships.

use eval::{ControlFlow, EvalError, Evaluator, FlowResult, Issue};
use hir::ruby_symbols::resource_type;
use hir::{ItemKind, canonical_name};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use syntax::ast::{
    AstNode, AttributeOperation, Expr, ResourceBody, ResourceDefaults, ResourceExpr,
    ResourceOverride, VirtualExpr,
};
use syntax::{SyntaxKind, TextRange};
use types::values::Value;
use types::{Type, capitalize_segments};

use crate::data::{Parameter, Resource, ResourceKey};
use crate::state::{Attributes, Compiler, MAX_RESOURCES, ScopeId};
use crate::values::{
    flatten, known_or_reason, new_resource, reason, reference, resource_of, unknown,
};

/// The method of a resource type that splits titles.
const TITLE_PATTERNS: &str = "title_patterns";

/// The metaparameters that refer to other resources.
pub(crate) const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// How resources are declared.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Declaration {
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
    pub(crate) range: Option<TextRange>,
}

impl<'db> Compiler<'db> {
    /// Evaluates an expression that adds to the catalog.
    pub(crate) fn declare(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &Expr,
    ) -> FlowResult {
        match expr {
            Expr::ResourceExpr(it) => {
                self.resource_expr(scope, evaluator, it, Declaration::default())
            }
            Expr::VirtualExpr(it) => self.virtual_expr(scope, evaluator, it),
            Expr::ResourceDefaults(it) => self.resource_defaults(scope, evaluator, it),
            Expr::ResourceOverride(it) => self.resource_override(scope, evaluator, it),
            Expr::Relationship(it) => {
                self.relationship(scope, evaluator, it)?;
                Ok(Value::Undef)
            }
            Expr::NodeDefinition(_) => Ok(Value::Undef),
            Expr::CollectExpr(it) => {
                self.collector(scope, evaluator, it)?;
                Ok(Value::Undef)
            }
            _ => Err(ControlFlow::Failure {
                failure: eval::EvalFailure::unknown("depends on the catalog"),
                at: None,
            }),
        }
    }

    fn virtual_expr(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &VirtualExpr,
    ) -> FlowResult {
        let declaration = Declaration {
            is_virtual: true,
            is_exported: expr.is_exported(),
            range: None,
        };
        match expr.resource() {
            Some(Expr::ResourceExpr(it)) => self.resource_expr(scope, evaluator, &it, declaration),
            _ => Ok(Value::Undef),
        }
    }

    fn resource_expr(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &ResourceExpr,
        declaration: Declaration,
    ) -> FlowResult {
        let type_name = match (expr.class_keyword(), expr.type_name()) {
            (Some(_), _) => "class".to_owned(),
            (None, Some(name)) => self.type_name(evaluator, &name)?,
            (None, None) => return Ok(Value::Undef),
        };
        let mut defaults = Attributes::default();
        let mut bodies = Vec::new();
        for body in expr.bodies() {
            let range = body.syntax().text_range();
            let titles = self.titles(scope, evaluator, &body, &type_name);
            let attributes = self.attributes(evaluator, body.operations())?;
            let Some(mut titles) = titles? else {
                continue;
            };
            if titles.contains(&Value::Default) {
                titles.retain(|it| *it != Value::Default);
                defaults = attributes.clone();
            }
            bodies.push((range, titles, attributes));
        }
        let mut references = Vec::new();
        for (range, titles, attributes) in bodies {
            let mut merged = defaults.clone();
            merged.values.extend(attributes.values);
            merged.is_open |= attributes.is_open;
            let declaration = Declaration {
                range: Some(range),
                ..declaration
            };
            for title in titles {
                let Some(title) = title.as_str() else {
                    let message = "a title must be a string";
                    return Err(EvalError::new(Issue::RuntimeError, message).into());
                };
                let key = self.add(scope, &type_name, title, merged.clone(), declaration)?;
                references.extend(key.map(|it| reference(&it)));
            }
        }
        Ok(match references.len() {
            1 => references.remove(0),
            _ => Value::array(references),
        })
    }

    /// Returns the name of a resource type, unqualified and in lower case.
    fn type_name(&self, evaluator: &mut Evaluator<'_>, expr: &Expr) -> FlowResult<String> {
        if let Expr::QualifiedName(name) = expr {
            return Ok(canonical_name(&name.text()));
        }
        match evaluator.expr(expr)? {
            Value::Type(Type::Resource(it)) if it.title().is_none() => {
                Ok(canonical_name(it.type_name().map_or("", |it| it)))
            }
            Value::Type(Type::Class(_)) => Ok("class".to_owned()),
            Value::String(name) => Ok(canonical_name(&name)),
            _ => Err(unknown("the resource type is unknown")),
        }
    }

    /// Returns the titles of a body; `None` if they are unknown.
    fn titles(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        body: &ResourceBody,
        type_name: &str,
    ) -> FlowResult<Option<Vec<Value>>> {
        let Some(title) = body.title() else {
            return Ok(None);
        };
        match evaluator.expr(&title) {
            Ok(value) => {
                let mut titles = Vec::new();
                flatten(&value, &mut titles);
                Ok(Some(titles))
            }
            Err(flow) => match reason(&flow) {
                Some(why) => {
                    let range = title.syntax().text_range();
                    let type_name = capitalize_segments(type_name);
                    let why = format!("declares `{type_name}` with an unknown title: {why}");
                    self.add_gap(scope, Some(range), why);
                    Ok(None)
                }
                None => Err(flow),
            },
        }
    }

    /// Evaluates attributes. Unknown values do not end the evaluation.
    pub(crate) fn attributes(
        &self,
        evaluator: &mut Evaluator<'_>,
        operations: impl Iterator<Item = AttributeOperation>,
    ) -> FlowResult<Attributes> {
        let mut found = Attributes::default();
        for operation in operations {
            match operation {
                AttributeOperation::Attribute(it) => {
                    let Some((name, value)) = it.name_token().zip(it.value()) else {
                        continue;
                    };
                    let name = name.text().to_owned();
                    let is_added = it
                        .operator()
                        .is_some_and(|it| it.kind() == SyntaxKind::PLUS_ARROW);
                    if is_added {
                        found.added.push(name.clone());
                    }
                    let value = known_or_reason(evaluator.expr(&value))?;
                    found.values.insert(name, Parameter { value });
                }
                AttributeOperation::AttributeSplat(it) => {
                    let Some(value) = it.value() else {
                        continue;
                    };
                    match known_or_reason(evaluator.expr(&value))? {
                        Ok(Value::Hash(entries)) => {
                            for (name, value) in entries.iter() {
                                let name = name.as_str().unwrap_or_default().to_owned();
                                let value = Ok(value.clone());
                                found.values.insert(name, Parameter { value });
                            }
                        }
                        Ok(_) => {
                            let message = "`*` expects a hash";
                            return Err(EvalError::new(Issue::RuntimeError, message).into());
                        }
                        Err(_) => found.is_open = true,
                    }
                }
            }
        }
        Ok(found)
    }

    /// Adds a resource to the catalog. Returns `None` if it may not be declared.
    pub(crate) fn add(
        &self,
        scope: ScopeId,
        type_name: &str,
        title: &str,
        attributes: Attributes,
        declaration: Declaration,
    ) -> FlowResult<Option<ResourceKey>> {
        self.budget.spend(50)?;
        if type_name == "class" {
            let key = self.declare_class(scope, title, attributes, declaration)?;
            return Ok(Some(key));
        }
        let key = ResourceKey {
            type_name: capitalize_segments(type_name),
            title: title.to_owned(),
        };
        let is_open = self.is_open();
        let mut state = self.state.borrow_mut();
        if state.catalog.resources.len() >= MAX_RESOURCES {
            return Err(unknown("the catalog has too many resources"));
        }
        if let Some(other) = state.catalog.resources.get(&key) {
            if is_open || !other.is_certain {
                return Ok(Some(key));
            }
            let message = format!("duplicate declaration: `{key}` is already declared");
            return Err(EvalError::new(Issue::RuntimeError, message).into());
        }
        let container = state.scopes.get(scope.0).map(|it| it.resource.clone());
        drop(state);
        let place = declaration.range.and_then(|it| self.place(scope, it));
        let mut resource = new_resource(place, container);
        resource.is_virtual = declaration.is_virtual;
        resource.is_exported = declaration.is_exported;
        resource.is_certain = !is_open;
        resource.parameters.extend(attributes.values);
        for name in RELATIONSHIPS {
            flatten_parameter(&mut resource, name);
        }
        for (name, value) in self.defaults_of(scope, &key.type_name) {
            resource.parameters.entry(name).or_insert(value);
        }
        state = self.state.borrow_mut();
        state.catalog.resources.insert(key.clone(), resource);
        if self.definition(ItemKind::DefinedType, type_name).is_some() && !is_open {
            match declaration.is_virtual {
                true => {
                    state.virtual_instances.insert(key.clone(), scope);
                }
                false => state.pending.push_back((key.clone(), scope)),
            }
        }
        Ok(Some(key))
    }

    /// Returns the parameter that the title sets.
    pub(crate) fn name_variable(&self, type_name: &str) -> Option<String> {
        if self.definition(ItemKind::DefinedType, type_name).is_some() {
            return Some("name".to_owned());
        }
        let known = resource_type(self.db, Some(self.environment), type_name)?;
        let source = known.file().and_then(|it| it.text(self.db).clone());
        if source.is_some_and(|it| it.contains(TITLE_PATTERNS)) {
            // The type splits the title itself.
            return None;
        }
        let mut attributes = known.declared().attributes.iter();
        attributes
            .find(|it| it.namevar)
            .map(|it| it.name.to_string())
    }

    /// Returns the resource defaults that apply to a type in a scope.
    fn defaults_of(&self, scope: ScopeId, type_name: &str) -> Vec<(String, Parameter)> {
        let state = self.state.borrow();
        let mut found: IndexMap<String, Parameter, FxBuildHasher> = IndexMap::default();
        let mut at = Some(scope);
        while let Some(data) = at.and_then(|it| state.scopes.get(it.0)) {
            for (name, value) in data.defaults.get(type_name).into_iter().flatten() {
                found.entry(name.clone()).or_insert_with(|| value.clone());
            }
            at = data.parent;
        }
        found.into_iter().collect()
    }

    fn resource_defaults(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &ResourceDefaults,
    ) -> FlowResult {
        let Some(ty) = expr.type_ref() else {
            return Ok(Value::Undef);
        };
        let name = self.type_name(evaluator, &ty)?;
        let attributes = self.attributes(evaluator, expr.operations())?;
        let is_open = self.is_open();
        let mut state = self.state.borrow_mut();
        if let Some(data) = state.scopes.get_mut(scope.0) {
            let defaults = data.defaults.entry(capitalize_segments(&name)).or_default();
            for (name, mut value) in attributes.values {
                if is_open {
                    value.value = Err("the default may not apply".to_owned());
                }
                defaults.insert(name, value);
            }
        }
        Ok(Value::Undef)
    }

    fn resource_override(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        expr: &ResourceOverride,
    ) -> FlowResult {
        let Some(resources) = expr.resources() else {
            return Ok(Value::Undef);
        };
        let value = evaluator.expr(&resources)?;
        let attributes = self.attributes(evaluator, expr.operations())?;
        if attributes.is_open {
            let range = expr.syntax().text_range();
            self.add_gap(scope, Some(range), "overrides unknown parameters");
        }
        let mut references = Vec::new();
        flatten(&value, &mut references);
        for reference in references {
            let Some(key) = resource_of(&reference) else {
                return Err(unknown("the overridden resource is unknown"));
            };
            self.override_parameters(&key, &attributes, !self.is_open());
        }
        Ok(value)
    }

    /// Sets parameters of a resource, now or when it is declared.
    pub(crate) fn override_parameters(
        &self,
        key: &ResourceKey,
        attributes: &Attributes,
        is_certain: bool,
    ) {
        let mut state = self.state.borrow_mut();
        let values = attributes.values.iter().map(|(name, it)| {
            let value = match is_certain {
                true => it.value.clone(),
                false => Err("the override may not apply".to_owned()),
            };
            (name.clone(), Parameter { value })
        });
        let Some(resource) = state.catalog.resources.get_mut(key) else {
            let values = values.collect();
            state.overrides.push((key.clone(), values));
            return;
        };
        for (name, mut new) in values {
            if attributes.added.contains(&name)
                && let Some(old) = resource.parameters.get(&name)
            {
                new = added(old, &new);
            }
            match new.value {
                Ok(Value::Undef) => {
                    resource.parameters.shift_remove(&name);
                }
                _ => {
                    resource.parameters.insert(name, new);
                }
            }
        }
    }
}

/// Removes the nesting of the lists in a parameter.
fn flatten_parameter(resource: &mut Resource, name: &str) {
    if let Some(Parameter { value: Ok(value) }) = resource.parameters.get_mut(name)
        && matches!(value, Value::Array(_))
    {
        let mut all = Vec::new();
        flatten(value, &mut all);
        *value = Value::array(all);
    }
}

/// Returns the values of both parameters in one list.
fn added(old: &Parameter, new: &Parameter) -> Parameter {
    let value = match (&old.value, &new.value) {
        (Ok(old), Ok(new)) => {
            let mut all = Vec::new();
            flatten(old, &mut all);
            flatten(new, &mut all);
            Ok(Value::array(all))
        }
        (Err(why), _) | (_, Err(why)) => Err(why.clone()),
    };
    Parameter { value }
}
