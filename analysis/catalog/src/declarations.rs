//! Expressions that add to the catalog: resources, defaults, overrides and relationships.

use std::sync::Arc;

use eval::{ControlFlow, Evaluator, FlowResult, Issue};
use hir::ruby_symbols::resource_type;
use hir::title_pattern::{TitlePattern, may_set_name};
use hir::{ItemKind, canonical_name};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use syntax::ast::{
    AstNode, AttributeOperation, Expr, ParenExpr, ResourceBody, ResourceDefaults, ResourceExpr,
    ResourceOverride, VirtualExpr,
};
use syntax::{SyntaxKind, TextRange};
use types::values::Value;
use types::{Type, capitalize_segments};

use crate::data::{
    CompileError, CompileErrorKind, Origin, Parameter, Place, Resource, ResourceKey,
};
use crate::possible_titles::possible_titles;
use crate::state::{Additions, Attributes, Compiler, MAX_RESOURCES, PendingOverride, ScopeId};
use crate::undeclared::{MAY_BE_GIVEN, is_empty};
use crate::values::{error, flattened, known_or_reason, reference, resource_of, unknown};

/// How resources are declared.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Declaration {
    pub(crate) is_virtual: bool,
    pub(crate) is_exported: bool,
    pub(crate) range: Option<TextRange>,
}

/// The titles of a body of a resource expression.
struct Titles {
    /// The known ones; `None` if there are none.
    known: Option<Vec<Value>>,
    /// Whether all of them are known.
    is_complete: bool,
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
            _ => Err(unknown("depends on the catalog")),
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
        let mut has_defaults = false;
        let mut bodies = Vec::new();
        let mut has_all_titles = true;
        for body in expr.bodies() {
            let range = body.syntax().text_range();
            let titles = self.titles(scope, evaluator, &body, &type_name);
            let operations = body.operations();
            let attributes = self.attributes(scope, evaluator, operations, Origin::Declaration)?;
            let titles = titles?;
            has_all_titles &= titles.is_complete;
            let Some(mut titles) = titles.known else {
                if !declaration.is_virtual
                    && body.title().is_some_and(|it| is_certainly_string(&it))
                {
                    self.check_references_of(&attributes);
                }
                continue;
            };
            if titles.contains(&Value::Default) {
                if has_defaults {
                    let range = body.title().map(|it| it.syntax().text_range());
                    let place = range.and_then(|it| self.place(scope, it));
                    self.state.borrow_mut().failed_at = place;
                    return Err(error("duplicate `default` body"));
                }
                titles.retain(|it| *it != Value::Default);
                defaults = attributes.clone();
                has_defaults = true;
            }
            let mut operations = body.operations();
            let splat = operations.find(|it| matches!(it, AttributeOperation::AttributeSplat(_)));
            if let Some(splat) = splat {
                let place = self.place(scope, splat.syntax().text_range());
                let checked = self.check_attributes(&type_name, &attributes);
                checked.inspect_err(|_| self.state.borrow_mut().failed_at = place)?;
            }
            let title_range = body.title().map(|it| it.syntax().text_range());
            bodies.push((range, title_range, titles, attributes));
        }
        let mut references = Vec::new();
        for (range, title_range, titles, attributes) in bodies {
            let mut merged = defaults.clone();
            merged.values.extend(attributes.values);
            merged.is_open |= attributes.is_open;
            let declaration = Declaration {
                range: Some(range),
                ..declaration
            };
            for title in titles {
                let title = title_of(&title).inspect_err(|_| {
                    let place = title_range.and_then(|it| self.place(scope, it));
                    self.state.borrow_mut().failed_at = place;
                })?;
                let key = self.add(scope, &type_name, title, merged.clone(), declaration)?;
                let mut state = self.state.borrow_mut();
                state.effects.sources.entry(key.clone()).or_insert(scope);
                drop(state);
                references.push(reference(&key));
            }
        }
        // As a statement, it has no value that matters.
        let mut around = expr.syntax().ancestors().skip(1);
        let parent = around.find(|it| !VirtualExpr::can_cast(it.kind()));
        let is_value = parent.is_some_and(|it| ParenExpr::can_cast(it.kind()));
        match is_value && !has_all_titles {
            true => Err(unknown("the titles of the resources are unknown")),
            false => Ok(Value::array(references)),
        }
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

    /// Returns the titles of a body, as far as they are known.
    fn titles(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        body: &ResourceBody,
        type_name: &str,
    ) -> FlowResult<Titles> {
        let Some(title) = body.title() else {
            return Ok(Titles {
                known: None,
                is_complete: true,
            });
        };
        match known_or_reason(evaluator.expr(&title))? {
            Ok(value) => {
                if self.is_parameterized && is_empty(&value) {
                    let additions = Additions::Given(type_name.to_owned());
                    let range = title.syntax().text_range();
                    self.add_gap_of(additions, scope, Some(range), MAY_BE_GIVEN);
                }
                Ok(Titles {
                    known: Some(flattened([&value])),
                    is_complete: true,
                })
            }
            Err(why) => {
                let range = title.syntax().text_range();
                let namevar = self.name_variable(&canonical_name(type_name));
                let may_be_any = may_set_name(body, namevar.as_deref());
                let patterns = TitlePattern::of_titles(&title)
                    .or_else(|| possible_titles(&why, self.type_of(scope, &title).as_ref()))
                    .filter(|_| !may_be_any);
                let type_name = capitalize_segments(type_name);
                let additions = match patterns {
                    Some(patterns) => Additions::Titled(type_name.clone(), patterns),
                    None => Additions::Type(type_name.clone()),
                };
                let gap = format!("declares `{type_name}` with an unknown title: {why}");
                self.add_gap_of(additions, scope, Some(range), gap);
                let known = why.known_values();
                Ok(Titles {
                    known: (!known.is_empty()).then(|| flattened(&known)),
                    is_complete: false,
                })
            }
        }
    }

    /// Evaluates attributes. Unknown values do not end the evaluation. `origin` creates the origin at a place.
    pub(crate) fn attributes(
        &self,
        scope: ScopeId,
        evaluator: &mut Evaluator<'_>,
        operations: impl Iterator<Item = AttributeOperation>,
        origin: fn(Option<Place>) -> Origin,
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
                    let origin = origin(self.place(scope, it.syntax().text_range()));
                    found.values.insert(name, Parameter { value, origin });
                }
                AttributeOperation::AttributeSplat(it) => {
                    let Some(value) = it.value() else {
                        continue;
                    };
                    match known_or_reason(evaluator.expr(&value))? {
                        Ok(Value::Hash(entries)) => {
                            let place = self.place(scope, it.syntax().text_range());
                            // A rule reports it.
                            let is_reported = self.is_sample && matches!(value, Expr::HashExpr(_));
                            if !is_reported && let Err(flow) = found.check_repeated(&entries) {
                                self.state.borrow_mut().failed_at = place;
                                return Err(flow);
                            }
                            found.extend(&entries, &origin(place));
                        }
                        Ok(other) => {
                            let place = self.place(scope, value.syntax().text_range());
                            self.state.borrow_mut().failed_at = place;
                            return Err(not_a_hash(&other));
                        }
                        Err(unknown) => {
                            let origin = origin(self.place(scope, it.syntax().text_range()));
                            found.extend_partly(&Err(unknown), &origin);
                        }
                    }
                }
            }
        }
        found.renew_references();
        Ok(found)
    }

    /// Fails if a hash contains attributes that a type in Ruby certainly lacks.
    pub(crate) fn check_attributes(
        &self,
        type_name: &str,
        attributes: &Attributes,
    ) -> FlowResult<()> {
        if self.is_open() {
            return Ok(());
        }
        match self.unknown_attribute(type_name, &attributes.values) {
            Some((name, _)) => Err(error(no_attribute(name, type_name))),
            None => Ok(()),
        }
    }

    /// Returns an attribute that a type in Ruby certainly lacks.
    fn unknown_attribute<'a>(
        &self,
        type_name: &str,
        given: &'a IndexMap<String, Parameter, FxBuildHasher>,
    ) -> Option<(&'a String, &'a Parameter)> {
        if type_name == "class" || self.is_defined_type(type_name) {
            return None;
        }
        let known = resource_type(self.db, Some(self.environment), type_name)?;
        let known = known.declared();
        let is_known = |name: &str| {
            let mut attributes = known.attributes.iter();
            attributes.any(|it| it.name == name)
                || matches!(name, "name" | "provider" | "stage")
                || library::metaparameter(name).is_some()
        };
        let mut given = given.iter().filter(|_| known.complete);
        given.find(|(name, it)| it.value != Ok(Value::Undef) && !is_known(name))
    }

    /// Records the attributes in the code that types in Ruby certainly lack.
    pub(crate) fn add_unknown_attributes(&self) {
        let mut errors = Vec::new();
        for (key, resource) in &self.state.borrow().effects.catalog.resources {
            let type_name = canonical_name(&key.type_name);
            if !resource.is_unconditional() {
                continue;
            }
            let unknown = self.unknown_attribute(&type_name, &resource.parameters);
            let message = unknown.map(|(name, it)| (no_attribute(name, &type_name), it));
            let stage = || Some((no_stage(&type_name), given_stage(key, resource)?));
            let Some((message, parameter)) = message.or_else(stage) else {
                continue;
            };
            let kind = CompileErrorKind::Evaluation(Issue::RuntimeError);
            let place = parameter.origin.place();
            errors.push(CompileError::new(kind, message, place));
        }
        self.state.borrow_mut().errors.extend(errors);
    }

    /// Adds a resource to the catalog, unless it is declared already.
    pub(crate) fn add(
        &self,
        scope: ScopeId,
        type_name: &str,
        title: &str,
        attributes: Attributes,
        declaration: Declaration,
    ) -> FlowResult<ResourceKey> {
        self.budget.spend(50)?;
        if type_name == "class" {
            return self.declare_class(scope, title, attributes, declaration);
        }
        let key = ResourceKey::new(capitalize_segments(type_name), title);
        let place = declaration.range.and_then(|it| self.place(scope, it));
        if let Some(is_certain) = self.declared_before(&key)? {
            // If it is not certain, a function has found another declaration.
            if is_certain {
                self.add_duplicate(&key, place, self.key_of(scope));
            }
            return Ok(key);
        }
        if attributes.is_open {
            let why = format!("some attributes of `{key}` are unknown");
            self.add_gap_of(Additions::Nothing, scope, declaration.range, why);
            let mut state = self.state.borrow_mut();
            state.effects.open.insert(key.clone());
        }
        let is_defined_type = self.is_defined_type(type_name);
        if !is_defined_type && self.has_resource_type(type_name).is_none() {
            self.check_resource_type(scope, type_name)?;
            self.note_broken_files(ItemKind::DefinedType, type_name);
            let why = format!("the resource type `{}` is unknown", key.type_name);
            self.add_gap(scope, declaration.range, why);
        }
        let resource = self.new_resource(scope, &key, attributes, declaration);
        self.state.borrow_mut().insert(key.clone(), resource);
        self.add_names(&key, place);
        if is_defined_type {
            self.add_instance(scope, &key, declaration.is_virtual);
        }
        Ok(key)
    }

    /// Returns whether a resource is certain that is declared already.
    fn declared_before(&self, key: &ResourceKey) -> FlowResult<Option<bool>> {
        let state = self.state.borrow();
        let resources = &state.effects.catalog.resources;
        if resources.len() >= MAX_RESOURCES {
            return Err(unknown("the catalog has too many resources"));
        }
        let other = resources.get(key);
        Ok(other.map(|it| it.condition.is_none()))
    }

    /// Creates a resource with its attributes and the defaults of the scope.
    fn new_resource(
        &self,
        scope: ScopeId,
        key: &ResourceKey,
        attributes: Attributes,
        declaration: Declaration,
    ) -> Resource {
        let place = declaration.range.and_then(|it| self.place(scope, it));
        let container = self.key_of(scope).filter(|_| key.type_name != "Stage");
        let mut resource = Resource::new(place, container);
        self.set_certainty(&mut resource);
        resource.is_virtual = declaration.is_virtual;
        resource.is_exported = declaration.is_exported;
        resource.parameters.extend(attributes.values);
        for (name, mut default) in self.defaults_of(scope, &key.type_name) {
            if attributes.is_open {
                default.value = Err("some attributes are unknown".into());
            }
            resource.parameters.entry(name).or_insert(default);
        }
        resource
    }

    /// Adds an instance of a defined type, whose code is evaluated later, or when it is realized.
    fn add_instance(&self, scope: ScopeId, key: &ResourceKey, is_virtual: bool) {
        let mut state = self.state.borrow_mut();
        let defined_types = &mut state.effects.catalog.defined_types;
        defined_types.insert(key.type_name.clone());
        match is_virtual {
            true => {
                state.effects.virtual_instances.insert(key.clone(), scope);
            }
            false => state.pending.push_back((key.clone(), scope)),
        }
    }

    /// Returns the parameter that the title of a resource sets.
    pub(crate) fn name_variable_of(&self, key: &ResourceKey) -> Option<Arc<str>> {
        if matches!(key.type_name.as_str(), "Class" | "Node") {
            return None;
        }
        let known = self.name_variables.borrow().get(&key.type_name).cloned();
        known.unwrap_or_else(|| {
            let found = self.name_variable(&canonical_name(&key.type_name));
            let mut name_variables = self.name_variables.borrow_mut();
            name_variables.insert(key.type_name.clone(), found.clone());
            found
        })
    }

    /// Returns the parameter that titles of a type set.
    pub(crate) fn name_variable(&self, type_name: &str) -> Option<Arc<str>> {
        if self.is_defined_type(type_name) {
            return Some("name".into());
        }
        let known = resource_type(self.db, Some(self.environment), type_name)?;
        if known.file().is_some() && known.declared().title_patterns {
            // The type splits the title itself.
            return None;
        }
        known.declared().namevar().map(Arc::from)
    }

    /// Returns the resource defaults that apply to a type in a scope.
    fn defaults_of(&self, scope: ScopeId, type_name: &str) -> Vec<(String, Parameter)> {
        let state = self.state.borrow();
        let mut found: IndexMap<String, Parameter, FxBuildHasher> = IndexMap::default();
        let mut at = Some(scope);
        while let Some(data) = at.and_then(|it| state.effects.scopes.get(it.0)) {
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
        let operations = expr.operations();
        let attributes = self.attributes(scope, evaluator, operations, Origin::ResourceDefault)?;
        let mut state = self.state.borrow_mut();
        state.is_order_dependent |= state.has_copied_instances;
        if let Some(data) = state.effects.scopes.get_mut(scope.0) {
            let defaults = data.defaults.entry(capitalize_segments(&name)).or_default();
            defaults.extend(attributes.values);
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
        let operations = expr.operations();
        let attributes = self.attributes(scope, evaluator, operations, Origin::Override)?;
        if attributes.is_open {
            let range = expr.syntax().text_range();
            let why = "overrides unknown parameters";
            self.add_gap_of(Additions::Nothing, scope, Some(range), why);
        }
        let place = self.place(scope, resources.syntax().text_range());
        for reference in flattened([&value]) {
            let Some(key) = resource_of(&reference) else {
                return Err(unknown("the overridden resource is unknown"));
            };
            if !self.is_open() {
                self.check_override(scope, &key, attributes.values.iter(), place);
            }
            let attributes = (&attributes, !self.is_open());
            self.override_parameters(Some(scope), &key, attributes, place);
        }
        Ok(value)
    }

    /// Sets parameters of a resource, now or when it is declared.
    pub(crate) fn override_parameters(
        &self,
        scope: Option<ScopeId>,
        key: &ResourceKey,
        (attributes, is_certain): (&Attributes, bool),
        place: Option<Place>,
    ) {
        if !attributes.values.is_empty() {
            self.note_use_of_instance(key);
        }
        let mut state = self.state.borrow_mut();
        for name in attributes.values.keys() {
            let parameter = (key.clone(), name.clone());
            state
                .effects
                .overriders
                .insert(parameter, scope.filter(|_| is_certain));
        }
        let values = attributes.values.iter().map(|(name, it)| {
            let value = match is_certain {
                true => it.value.clone(),
                false => Err("the override may not apply".into()),
            };
            let origin = it.origin.clone();
            (name.clone(), Parameter { value, origin })
        });
        let Some(resource) = state.effects.catalog.resources.get_mut(key) else {
            let parameters = values.collect();
            let key = key.clone();
            state.effects.overrides.push(PendingOverride {
                scope: scope.filter(|_| is_certain),
                key,
                place,
                parameters,
            });
            return;
        };
        for (name, new) in values {
            if attributes.added.contains(&name) && resource.parameters.contains_key(&name) {
                resource.add_to(&name, new.value.map(|it| flattened([&it])), new.origin);
                continue;
            }
            resource.set(name, new);
        }
    }
}

/// Checks whether a title is one string, even if its text is unknown. A list may be empty.
fn is_certainly_string(title: &Expr) -> bool {
    match title {
        Expr::InterpolatedString(_) => true,
        Expr::VariableExpr(it) => it.name().is_some_and(|it| matches!(&*it, "title" | "name")),
        _ => false,
    }
}

fn no_attribute(name: &str, type_name: &str) -> String {
    format!("no attribute `{name}` on `{type_name}`")
}

fn no_stage(type_name: &str) -> String {
    let problem = no_attribute("stage", type_name);
    format!("{problem}: only classes have a run stage")
}

/// Returns the stage that is given to a resource other than a class (`Puppet::Parser::Compiler#add_resource`).
fn given_stage<'r>(key: &ResourceKey, resource: &'r Resource) -> Option<&'r Parameter> {
    let is_class = key.type_name == "Class";
    let stage = resource.parameters.get("stage").filter(|_| !is_class)?;
    matches!(&stage.value, Ok(it) if *it != Value::Undef).then_some(stage)
}

/// Returns the failure of `*` with a value other than a hash.
fn not_a_hash(value: &Value) -> ControlFlow {
    error(match types::values::source(value) {
        Some(found) => format!("`*` expects a hash, found `{found}`"),
        None => "`*` expects a hash".to_owned(),
    })
}

/// Returns the text of a title.
fn title_of(title: &Value) -> FlowResult<&str> {
    match title.as_str() {
        Some("") => Err(error("expected a title, found an empty string")),
        Some(title) => Ok(title),
        None => Err(error(match types::values::source(title) {
            Some(found) => format!("expected a title, found `{found}`"),
            None => "a title must be a string".to_owned(),
        })),
    }
}
