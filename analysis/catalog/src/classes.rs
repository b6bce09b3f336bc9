//! Classes, nodes and instances of defined types: their parameters and their code.

use eval::{ControlFlow, EvalFailure, FlowResult};
use hiera::Answer;
use hir::resolve::ResolveError;
use hir::{ItemKind, canonical_name};
use rustc_hash::FxHashSet;
use syntax::ast::{
    AstNode, ClassDefinition, DefineDefinition, HasBody, HasParameters, Parameter as ParameterNode,
};
use types::capitalize_segments;
use types::values::Value;

use crate::data::{
    CompileError, CompileErrorKind, Origin, Parameter, Place, Resource, ResourceKey,
};
use crate::declarations::Declaration;
use crate::parameter_binding::{Declared, Values, is_missing};
use crate::state::{Attributes, Code, Compiler, ScopeData, ScopeId, ScopeKind, TOP};
use crate::values::{class_key, error};

/// The class with the settings of the server, which each catalog has.
pub(crate) const SETTINGS: &str = "settings";

/// The stage of classes that name none.
const MAIN_STAGE: &str = "main";

/// The number of classes that include each other in a chain up to which the compilation of a single class follows
/// them. Otherwise each class of a long chain would be compiled with all that follow it.
pub(crate) const MAX_PART_DEPTH: usize = 50;

/// The title of an instance with an unknown title, as it is shown.
const ANY_TITLE: &str = "$title";

impl<'db> Compiler<'db> {
    /// Checks whether code that is not known to be evaluated may declare a class.
    pub(crate) fn may_be_included(&self, class: &str) -> bool {
        let state = self.state.borrow();
        state.effects.classes.contains_key(class) || !state.effects.catalog.is_complete()
    }

    /// Checks whether a class is declared, or one that each catalog has.
    fn is_declared_class(&self, name: &str) -> bool {
        name == SETTINGS || self.state.borrow().effects.classes.contains_key(name)
    }

    /// Declares a class by name, unless it is declared already.
    pub(crate) fn include(
        &self,
        scope: ScopeId,
        name: &str,
        declaration: Declaration,
    ) -> FlowResult<ResourceKey> {
        let name = canonical_name(name);
        if self.is_declared_class(&name) {
            return Ok(class_key(&name));
        }
        if self.copy_class(scope, &name, declaration) {
            return Ok(class_key(&name));
        }
        {
            let mut state = self.state.borrow_mut();
            let depth = state.earlier_depth;
            state.effects.included.insert(name.clone(), depth);
        }
        self.declare_class(scope, &name, Attributes::default(), declaration)
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
        if self.is_declared_class(&name) {
            if !self.may_precede_include(&name) && !self.parent_may_precede(&name) {
                let place = declaration.range.and_then(|it| self.place(scope, it));
                self.add_duplicate(&key, place, self.key_of(scope));
            }
            return Ok(key);
        }
        let code = match self.class_code(&name) {
            Ok(code) => code,
            Err(ResolveError::NotDefined) if !self.is_in_other_version(scope, &name) => {
                return Err(error(format!("unknown class `{name}`")));
            }
            Err(why) => {
                self.check_known(scope, ("class", &name), &why)?;
                self.note_broken_files(ItemKind::Class, &name);
                self.add_gap(
                    scope,
                    declaration.range,
                    format!("the class `{name}` is unknown"),
                );
                self.state.borrow_mut().effects.classes.insert(name, None);
                return Ok(key);
            }
        };
        if self.is_part && self.state.borrow().class_depth >= MAX_PART_DEPTH {
            let why = format!("the class `{name}` is included through too many others");
            self.add_gap(scope, declaration.range, why);
            self.state.borrow_mut().effects.classes.insert(name, None);
            return Ok(key);
        }
        {
            let mut state = self.state.borrow_mut();
            state.class_depth += 1;
            state.max_class_depth = state.max_class_depth.max(state.class_depth);
        }
        let declared = self.declare_class_code(scope, (name, key), &code, attributes, declaration);
        self.state.borrow_mut().class_depth -= 1;
        declared
    }

    /// Declares a class with the code of its definition.
    fn declare_class_code(
        &self,
        scope: ScopeId,
        (name, key): (String, ResourceKey),
        code: &Code,
        attributes: Attributes,
        declaration: Declaration,
    ) -> FlowResult<ResourceKey> {
        let place = declaration.range.and_then(|it| self.place(scope, it));
        let stage = self.stage_of(scope, &attributes);
        let stage_title = stage.value.as_ref().ok().and_then(Value::as_str);
        let stage_title = stage_title.unwrap_or(MAIN_STAGE);
        let stage_key = ResourceKey::new("Stage", stage_title);
        let container = Some(stage_key.clone());
        let mut resource = Resource::named(place, container, &key.title);
        self.set_certainty(&mut resource);
        resource.parameters.extend(attributes.values.clone());
        if stage.value != Ok(Value::from(MAIN_STAGE)) {
            resource.parameters.insert("stage".to_owned(), stage);
        }
        self.add_unstaged(scope, &stage_key, &name, place);
        {
            let mut state = self.state.borrow_mut();
            state.insert(key.clone(), resource);
            if !self.is_open() {
                state.effects.catalog.classes.push(name.clone());
            }
            state.effects.classes.insert(name.clone(), None);
            if attributes.is_open {
                state.effects.open.insert(key.clone());
            }
        }
        let Some(definition) = ClassDefinition::cast(code.syntax.clone()) else {
            return Ok(key);
        };
        let is_earlier = self.is_declared_earlier(&name, &definition, &attributes);
        self.state.borrow_mut().earlier_depth += usize::from(is_earlier);
        let class = (name, key.clone());
        let has_arguments = !attributes.values.is_empty();
        let evaluated =
            self.evaluate_class(scope, class, (code, &definition), attributes, declaration);
        self.failed_in(place.filter(|_| has_arguments), &evaluated);
        self.state.borrow_mut().earlier_depth -= usize::from(is_earlier);
        evaluated.map(|()| key)
    }

    /// Evaluates the code of a class, after that of its parent class.
    fn evaluate_class(
        &self,
        scope: ScopeId,
        (name, key): (String, ResourceKey),
        (code, definition): (&Code, &ClassDefinition),
        attributes: Attributes,
        declaration: Declaration,
    ) -> FlowResult<()> {
        let parent = definition.inherits().and_then(|it| it.name());
        let inherited = match parent {
            Some(parent) => {
                let parent = canonical_name(&parent.text());
                if self.inherits_from(&parent, &name) {
                    let message = format!("class `{name}` inherits from itself");
                    return Err(error(message));
                }
                self.state.borrow_mut().inheriting.push(name.clone());
                let included = self.include(scope, &parent, declaration);
                self.state.borrow_mut().inheriting.pop();
                included?;
                self.state
                    .borrow()
                    .effects
                    .classes
                    .get(&parent)
                    .copied()
                    .flatten()
            }
            None => None,
        };
        let new = self.body_scope(scope, code, &key, ScopeKind::Class, inherited);
        let mut state = self.state.borrow_mut();
        state.inherit_tags(&key, scope);
        state.effects.classes.insert(name.clone(), Some(new));
        drop(state);
        let parameters = definition.parameters();
        let title = Value::from(name.as_str());
        let given = attributes.values;
        // Rules report the others.
        if !self.is_sample {
            self.check_names(&key, &parameters, &given)?;
        }
        let declared = Declared {
            scope: new,
            key: &key,
            parameters: &parameters,
            given,
            title: Some(title),
            class: Some(&name),
        };
        let variables = self.bind(declared)?;
        if let Some(body) = definition.body() {
            self.evaluate(new, variables, body.statements())?;
        }
        Ok(())
    }

    /// Checks whether a class is another one, or inherits from it.
    fn inherits_from(&self, class: &str, ancestor: &str) -> bool {
        let mut visited = FxHashSet::default();
        let mut class = class.to_owned();
        while class != ancestor && visited.insert(class.clone()) {
            let Ok(code) = self.class_code(&class) else {
                return false;
            };
            let definition = ClassDefinition::cast(code.syntax.clone());
            match definition.and_then(|it| it.inherits()?.name()) {
                Some(parent) => class = canonical_name(&parent.text()),
                None => return false,
            }
        }
        class == ancestor
    }

    /// Checks whether a class that is included by name only compiles if other code has declared it before, because
    /// neither a default value nor data sets one of its parameters.
    fn is_declared_earlier(
        &self,
        class: &str,
        definition: &ClassDefinition,
        attributes: &Attributes,
    ) -> bool {
        if !self.is_parameterized || attributes.is_open {
            return false;
        }
        let parameters = definition.parameters();
        let missing = parameters
            .iter()
            .filter(|it| is_missing(it, &attributes.values));
        missing.filter_map(|it| it.name()).any(|name| {
            let key = format!("{class}::{name}");
            let answer = self.lookups.borrow_mut().lookup(&key, None);
            !matches!(answer, Answer::Found(_))
        })
    }

    /// Checks whether the code that declares a class with parameters may have been evaluated before the code that
    /// includes it, in which case the class is declared once.
    fn may_precede_include(&self, class: &str) -> bool {
        let state = self.state.borrow();
        let included = state.effects.included.get(class);
        included.is_some_and(|depth| *depth < state.earlier_depth)
    }

    /// Checks whether a class is declared by its parent class, which other code of the catalog may have included
    /// before: including the class then adds neither of them.
    fn parent_may_precede(&self, class: &str) -> bool {
        self.is_part && self.state.borrow().inheriting.iter().any(|it| it == class)
    }

    /// Returns the stage of a class: the given one, or that of the class that declares it.
    fn stage_of(&self, scope: ScopeId, attributes: &Attributes) -> Parameter {
        let state = self.state.borrow();
        let around = || {
            let key = &state.effects.scopes.get(scope.0)?.resource;
            state
                .effects
                .catalog
                .resources
                .get(key)?
                .parameters
                .get("stage")
        };
        let stage = attributes.values.get("stage").or_else(around).cloned();
        stage.unwrap_or_else(|| Parameter::known(MAIN_STAGE, Origin::Title))
    }

    /// Evaluates an instance of a defined type.
    pub(crate) fn evaluate_instance(&self, key: &ResourceKey, scope: ScopeId) -> FlowResult<()> {
        let found = self.evaluate_instance_code(key, scope);
        let place = {
            let state = self.state.borrow();
            let instance = state.effects.catalog.resources.get(key);
            instance.and_then(|it| it.place)
        };
        self.failed_in(place, &found);
        found
    }

    /// Records the place of the innermost declaration with arguments whose code has failed.
    fn failed_in<T>(&self, declaration: Option<Place>, found: &FlowResult<T>) {
        if let Err(ControlFlow::Failure {
            failure: EvalFailure::Error(_),
            ..
        }) = found
        {
            let mut state = self.state.borrow_mut();
            state.failed_in = state.failed_in.or(declaration);
        }
    }

    /// Evaluates an instance of a defined type with an unknown title and unknown parameters.
    pub(crate) fn evaluate_any_instance(&self, name: &str) -> FlowResult<()> {
        let Some((code, definition)) = self.defined_type(name) else {
            return Ok(());
        };
        let key = ResourceKey::new(capitalize_segments(name), ANY_TITLE);
        let resource = Resource::new(None, Some(class_key("main")));
        let mut state = self.state.borrow_mut();
        state.insert(key.clone(), resource);
        state
            .effects
            .catalog
            .defined_types
            .insert(key.type_name.clone());
        drop(state);
        self.evaluate_defined_type(TOP, &key, (&code, &definition), Values::default(), None)
    }

    /// Evaluates the code of a defined type for an instance. The title may be unknown.
    fn evaluate_defined_type(
        &self,
        parent: ScopeId,
        key: &ResourceKey,
        (code, definition): (&Code, &DefineDefinition),
        given: Values,
        title: Option<Value>,
    ) -> FlowResult<()> {
        let new = self.body_scope(parent, code, key, ScopeKind::DefinedType, None);
        let declared = Declared {
            scope: new,
            key,
            parameters: &definition.parameters(),
            given,
            title,
            class: None,
        };
        let variables = self.bind(declared)?;
        if let Some(body) = definition.body() {
            self.evaluate(new, variables, body.statements())?;
        }
        Ok(())
    }

    fn defined_type(&self, name: &str) -> Option<(Code, DefineDefinition)> {
        let code = self.definition(ItemKind::DefinedType, name)?;
        let definition = DefineDefinition::cast(code.syntax.clone())?;
        Some((code, definition))
    }

    fn evaluate_instance_code(&self, key: &ResourceKey, scope: ScopeId) -> FlowResult<()> {
        let Some((code, definition)) = self.defined_type(&key.type_name) else {
            return Ok(());
        };
        let given: Values = {
            let state = self.state.borrow();
            let resource = state.effects.catalog.resources.get(key);
            let parameters = resource.into_iter().flat_map(|it| it.parameters.iter());
            let given = parameters.filter(|it| it.0 != "name");
            given.map(|(name, it)| (name.clone(), it.clone())).collect()
        };
        self.check_names(key, &definition.parameters(), &given)?;
        let title = {
            let state = self.state.borrow();
            let title = state.effects.titles.get(key).cloned();
            title.unwrap_or_else(|| Value::from(key.title.as_str()))
        };
        self.evaluate_defined_type(scope, key, (&code, &definition), given, Some(title))
    }

    /// Checks whether a defined type has the parameters of a declaration.
    fn check_names(
        &self,
        key: &ResourceKey,
        parameters: &[ParameterNode],
        given: &Values,
    ) -> FlowResult<()> {
        let is_parameter = |name: &str| {
            name == "name"
                || parameters
                    .iter()
                    .any(|it| it.name().is_some_and(|it| it.as_str() == name))
                || library::metaparameter(name).is_some()
        };
        let is_declared = |it: &Parameter| matches!(it.origin, Origin::Declaration(Some(_)));
        let mut declared = given.iter().filter(|it| is_declared(it.1));
        let Some((name, parameter)) = declared.find(|it| !is_parameter(it.0)) else {
            return Ok(());
        };
        self.state.borrow_mut().failed_at = parameter.origin.place();
        Err(error(format!("no parameter `{name}` on `{key}`")))
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
            inherited,
            module: code.module.clone(),
            ..ScopeData::new(kind, Some(inherited.unwrap_or(parent)), key.clone())
        });
        self.set_origin(scope, code.file, code.start);
        scope
    }

    /// Reports that a resource is declared twice, the second time in the code of a container.
    pub(crate) fn add_duplicate(
        &self,
        key: &ResourceKey,
        place: Option<Place>,
        container: Option<ResourceKey>,
    ) {
        self.add_duplicate_name(key, key, (place, container));
    }

    /// Reports a name that another resource has.
    pub(crate) fn add_duplicate_name(
        &self,
        key: &ResourceKey,
        other: &ResourceKey,
        (place, container): (Option<Place>, Option<ResourceKey>),
    ) {
        let mut state = self.state.borrow_mut();
        let other = state.effects.catalog.resources.get(other);
        let message = format!("duplicate declaration: `{key}` is already declared");
        let kind = CompileErrorKind::DuplicateDeclaration(key.clone());
        let error = CompileError {
            related: other.and_then(|it| it.place),
            containers: [container, other.and_then(|it| it.container.clone())],
            ..CompileError::new(kind, message, place)
        };
        state.errors.push(error);
    }
}
