//! Functions that declare classes and resources, or read the catalog.

use std::borrow::Cow;

use base::FileInput;
use eval::{Closure, ControlFlow, EvalFailure, Evaluator, FlowResult, PartlyKnown, known_entries};
use hir::other_versions::is_of_other_version;
use hir::resolve::{self, Definition};
use hir::{ItemKind, canonical_name};
use infer::{refused_arguments, refused_by_validation, refused_tag};
use library::KnownFunction;
use syntax::ast::{AstNode, FunctionDefinition};
use syntax::{SyntaxNode, TextRange};
use types::Type;
use types::capitalize_segments;
use types::values::{HashValue, Value, interpolated, same};

use crate::collectors::{add_tag, is_tagged_in};
use crate::data::{Origin, ResourceKey};
use crate::declarations::Declaration;
use crate::scopes::ScopeEnvironment;
use crate::state::{Additions, Attributes, Compiler, ScopeData, ScopeId, ScopeKind, TOP};
use crate::stdlib;
use crate::undeclared::{MAY_BE_GIVEN, is_empty};
use crate::values::{class_key, error, flattened, reference, resource_of, unknown};

/// A call, by the scope of its code.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    pub(crate) scope: ScopeId,
    pub(crate) range: Option<TextRange>,
}

impl Call {
    /// Returns the call that an evaluator evaluates.
    pub(crate) fn of(scope: ScopeId, evaluator: &Evaluator<'_>) -> Call {
        Call {
            scope,
            range: evaluator.call_site().map(SyntaxNode::text_range),
        }
    }

    /// Returns how the call declares resources.
    fn declaration(self) -> Declaration {
        Declaration {
            range: self.range,
            ..Declaration::default()
        }
    }
}

impl Compiler<'_> {
    /// Calls a function that declares something, reads the catalog, or is written in Puppet.
    pub(crate) fn call(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        name: &str,
        args: &[Value],
        block: Option<&Closure>,
    ) -> Option<FlowResult> {
        let found = KnownFunction::from_name(name);
        let call = Call::of(scope, evaluator);
        self.doubt_empty(call, args, block);
        if let Some(function) = found
            && let Err(flow) = self.check_paths(scope, function, (evaluator.call_site(), args))
        {
            return Some(Err(flow));
        }
        if found.is_some_and(creates_resources)
            && let Err(flow) = self.check_created_type(scope, evaluator.call_site(), args.first())
        {
            return Some(Err(flow));
        }
        if let Some(it @ (KnownFunction::Template | KnownFunction::InlineTemplate)) = found {
            self.note_ruby_templates(call, it, args);
            return self.plain_template(it, args).map(Ok);
        }
        match found {
            Some(KnownFunction::Include) => Some(self.include_all(call, args)),
            Some(KnownFunction::Contain) => Some(self.contain_all(call, args)),
            Some(KnownFunction::Require) => Some(self.require_all(call, args)),
            Some(KnownFunction::CreateResources) => {
                let args: Vec<PartlyKnown> = args.iter().cloned().map(Ok).collect();
                Some(self.create_resources(call, &args))
            }
            Some(KnownFunction::Defined) => Some(self.defined(call, args)),
            Some(KnownFunction::Lookup) if block.is_none() => self.lookup(args),
            Some(KnownFunction::HieraInclude) if block.is_none() => self.hiera_include(call, args),
            Some(
                it @ (KnownFunction::Hiera | KnownFunction::HieraArray | KnownFunction::HieraHash),
            ) if block.is_none() => self.hiera(it, args),
            Some(KnownFunction::FqdnRand) => self.fqdn_rand(args).map(Ok),
            Some(KnownFunction::Realize) => Some(self.realize(call, args)),
            Some(KnownFunction::Tag) => Some(self.tag(scope, args)),
            Some(KnownFunction::Tagged) => self.tagged(scope, args).map(Ok),
            Some(KnownFunction::File) => self.file_content(args).map(Ok),
            Some(KnownFunction::Epp) => self.called(call, self.epp(args)),
            Some(KnownFunction::InlineEpp) => self.inline_epp(scope, evaluator, args),
            _ => match found
                .filter(|_| block.is_none() && self.is_installed_with_stdlib(name))
                .and_then(|it| self.call_of_stdlib(call, it, args))
            {
                Some(outcome) => Some(outcome),
                None => self
                    .called(call, self.call_puppet_function(name, args, block))
                    .or_else(|| self.refusal_of_ruby(call, (name, block), args)),
            },
        }
    }

    /// Records the outermost call of a function or template in which the evaluation failed.
    fn called(&self, call: Call, outcome: Option<FlowResult>) -> Option<FlowResult> {
        if let Some(Err(ControlFlow::Failure {
            failure: EvalFailure::Error(_),
            ..
        })) = &outcome
        {
            let place = call.range.and_then(|it| self.place(call.scope, it));
            self.state.borrow_mut().failed_call = place;
        }
        outcome
    }

    /// Records what the block of a call may declare if its list, which is empty by default, is given.
    fn doubt_empty(&self, call: Call, args: &[Value], block: Option<&Closure>) {
        let Some(body) = block.and_then(Closure::body) else {
            return;
        };
        if self.is_parameterized && args.first().is_some_and(is_empty) {
            let additions = Additions::GivenCode(body.syntax().clone());
            self.add_gap_of(additions, call.scope, call.range, MAY_BE_GIVEN);
        }
    }

    /// Records that a call may declare resources of a type if its list, which is empty by default, is given.
    pub(crate) fn doubt_empty_titles(&self, call: Call, type_name: &str, titles: &Value) {
        if self.is_parameterized && is_empty(titles) {
            let additions = Additions::Given(type_name.to_owned());
            self.add_gap_of(additions, call.scope, call.range, MAY_BE_GIVEN);
        }
    }

    /// Calls a function of the module `stdlib` that is written in Ruby.
    fn call_of_stdlib(
        &self,
        call: Call,
        function: KnownFunction,
        args: &[Value],
    ) -> Option<FlowResult> {
        match (function, args) {
            (KnownFunction::EnsureResource, [Value::String(ty), titles, rest @ ..]) => {
                Some(self.ensure_resources(call, ty, titles, rest.first()))
            }
            (KnownFunction::EnsureResources, [Value::String(ty), resources, rest @ ..]) => {
                Some(self.ensure_resources_of_hash(call, ty, resources, rest.first()))
            }
            (KnownFunction::EnsurePackages, [titles, rest @ ..]) => {
                Some(self.ensure_packages(call, titles, rest.first()))
            }
            (KnownFunction::AssertPrivate, []) => self.assert_private(call.scope),
            (KnownFunction::Fact, [Value::String(path)]) => self.fact(path).map(Ok),
            (KnownFunction::ValidateLegacy, [ty, Value::String(previous), value, rest @ ..]) => {
                validate(ty, previous, value, rest)
            }
            (KnownFunction::FqdnRotate | KnownFunction::StdlibFqdnRotate, [value, seeds @ ..]) => {
                self.fqdn_rotate(value, seeds).map(Ok)
            }
            _ => stdlib::call(function, args).map(Ok),
        }
    }

    /// Fails if a function that a module defines in Ruby refuses the arguments; `None` if it may accept them. Other
    /// versions of the module may accept others.
    fn refusal_of_ruby(
        &self,
        call: Call,
        (name, block): (&str, Option<&Closure>),
        args: &[Value],
    ) -> Option<FlowResult> {
        if block.is_some() {
            return None;
        }
        let message = refused_arguments(self.db, self.environment, name, args)?;
        let files = self.file_of_scope(call.scope).zip(self.file_of(name));
        let is_same = files.is_some_and(|(own, theirs)| !is_of_other_version(self.db, own, theirs));
        is_same.then(|| Err(error(message)))
    }

    /// Checks whether the module `stdlib` is installed, and a module defines a function. Versions of `stdlib` differ in
    /// this.
    pub(crate) fn is_installed_with_stdlib(&self, name: &str) -> bool {
        self.environment.modules(self.db).contains_key("stdlib")
            && resolve::function(self.db, Some(self.environment), name).is_ok()
    }

    /// Adds tags to the resource of the code.
    fn tag(&self, scope: ScopeId, args: &[Value]) -> FlowResult {
        // Rules report such calls, unless only the catalog of a node has the tag.
        if !self.is_part
            && let Some(message) = args.iter().find_map(refused_tag)
        {
            return Err(error(message));
        }
        let key = self.key_of(scope);
        let mut state = self.state.borrow_mut();
        if let Some(resource) = key.and_then(|it| state.effects.catalog.resources.get_mut(&it)) {
            let tags = flattened(args);
            let tags = tags.iter().filter_map(Value::as_str);
            tags.for_each(|it| add_tag(&mut resource.tags, it));
        }
        Ok(Value::Undef)
    }

    /// Checks whether the resource of the code, or the catalog so far, has all tags; `None` if that is unknown.
    fn tagged(&self, scope: ScopeId, args: &[Value]) -> Option<Value> {
        let key = self.key_of(scope)?;
        self.note_use_of_tags();
        let state = self.state.borrow();
        // Other code may have added tags before.
        let is_whole = !self.is_part && !self.is_open() && state.effects.catalog.is_complete();
        let mut has_all = true;
        for tag in args {
            match is_tagged_in(&state.effects.catalog, &key, tag.as_str()?)? {
                true => {}
                false if is_whole => has_all = false,
                false => return None,
            }
        }
        Some(Value::Boolean(has_all))
    }

    /// Fails if a class or defined type is declared by the code of another module. Code that is not known may have
    /// declared a class before.
    fn assert_private(&self, scope: ScopeId) -> Option<FlowResult> {
        let key = self.key_of(scope)?;
        let mut state = self.state.borrow_mut();
        let variables = &state.effects.scopes.get(scope.0)?.variables;
        let module = variables.get("module_name")?.as_ref().ok()?;
        let caller = variables.get("caller_module_name")?.as_ref().ok()?;
        if module == caller {
            return Some(Ok(Value::Undef));
        }
        if !self.is_part && key.type_name == "Class" && !state.effects.catalog.is_complete() {
            return None;
        }
        let declared = state.effects.catalog.resources.get(&key);
        state.failed_in = declared.and_then(|it| it.place);
        Some(Err(error(format!("`{key}` is private"))))
    }

    /// Returns the file that defines a function of a module.
    fn file_of(&self, name: &str) -> Option<FileInput> {
        match resolve::function(self.db, Some(self.environment), name) {
            Ok(Definition::Function(symbol)) => symbol.file(),
            _ => None,
        }
    }

    /// Declares the resources of a hash that are not declared with their parameters yet. Those that have none of their
    /// own get the common ones.
    fn ensure_resources_of_hash(
        &self,
        call: Call,
        type_name: &str,
        resources: &Value,
        given: Option<&Value>,
    ) -> FlowResult {
        let Value::Hash(entries) = resources else {
            return Err(error("ensure_resources(): second argument must be a hash"));
        };
        let common = parameters_of(given)?;
        self.doubt_empty_titles(call, &canonical_name(type_name), resources);
        for (title, own) in entries.iter() {
            let parameters = common.merged(&parameters_of(Some(own))?);
            self.ensure_resources(call, type_name, title, Some(&Value::Hash(parameters)))?;
        }
        Ok(Value::Undef)
    }

    /// Declares resources that are not declared with these parameters yet.
    pub(crate) fn ensure_resources(
        &self,
        call: Call,
        type_name: &str,
        titles: &Value,
        given: Option<&Value>,
    ) -> FlowResult {
        let parameters = parameters_of(given)?;
        let type_name = canonical_name(type_name);
        self.doubt_empty_titles(call, &type_name, titles);
        let attributes = Attributes::of_hash(&parameters, &self.origin_of(call));
        for title in &flattened([titles]) {
            let Some(text) = title_text(title) else {
                return Err(unknown("the titles are unknown"));
            };
            let key = match type_name.as_str() {
                "class" => class_key(&text),
                _ if text.is_empty() => {
                    return Err(error("expected a title, found an empty string"));
                }
                type_name => ResourceKey::new(capitalize_segments(type_name), &*text),
            };
            if self.is_declared_with(&key, &parameters)?
                || self.is_doubtful(&key) && !self.contradicts(&key, &parameters)
                || self.has_resource(&key) && self.is_of_other_version(call)
            {
                continue;
            }
            let declaration = call.declaration();
            let mut attributes = attributes.clone();
            attributes.renew_references();
            self.check_attributes(&type_name, &attributes)?;
            let key = self.add(call.scope, &type_name, &text, attributes, declaration)?;
            if self.is_part {
                self.doubt(&key);
            }
            self.keep_title(key, title);
        }
        Ok(Value::Undef)
    }

    fn has_resource(&self, key: &ResourceKey) -> bool {
        self.state
            .borrow()
            .effects
            .catalog
            .resources
            .contains_key(key)
    }

    /// Checks whether the code of a call requires another version of `stdlib` than the installed one, which may decide
    /// otherwise whether a resource has to be declared.
    fn is_of_other_version(&self, call: Call) -> bool {
        let own = self.file_of_scope(call.scope);
        let theirs = self.file_of(KnownFunction::EnsureResource.name());
        own.zip(theirs)
            .is_some_and(|(own, theirs)| is_of_other_version(self.db, own, theirs))
    }

    /// Checks whether other code may have declared a resource before, with all parameters that calls look for.
    fn is_doubtful(&self, key: &ResourceKey) -> bool {
        let state = self.state.borrow();
        let found = state.effects.catalog.resources.get(key);
        self.is_part && found.is_some_and(|it| !it.is_certain)
    }

    /// Checks whether a resource that one of the calls declares, or that has its parameters already, cannot have others.
    fn contradicts(&self, key: &ResourceKey, parameters: &HashValue) -> bool {
        // These are the same for packages, and calls replace one by the other.
        let is_present = |it: &Value| matches!(it.as_str(), Some("present" | "installed"));
        let state = self.state.borrow();
        let found = state.effects.catalog.resources.get(key);
        let found = found.filter(|it| it.condition.is_none());
        parameters.iter().any(|(name, value)| {
            let name = name.as_str().unwrap_or_default();
            let given = found.and_then(|it| it.parameters.get(name));
            given.is_some_and(|given| {
                let is_declared = matches!(given.origin, Origin::Declaration(_));
                let is_same = |it: &Value| same(it, value) || is_present(it) && is_present(value);
                let differs = |it: &Value| !is_same(it);
                is_declared && given.value.as_ref().is_ok_and(differs)
            })
        })
    }

    /// Marks a resource as one that other code may have declared before.
    fn doubt(&self, key: &ResourceKey) {
        let mut state = self.state.borrow_mut();
        if let Some(resource) = state.effects.catalog.resources.get_mut(key) {
            resource.is_certain = false;
        }
    }

    /// Checks whether a resource is declared, and has all these parameters.
    pub(crate) fn is_declared_with(
        &self,
        key: &ResourceKey,
        parameters: &HashValue,
    ) -> FlowResult<bool> {
        self.note_use_of_instance(key);
        let state = self.state.borrow();
        let Some(resource) = state.effects.catalog.resources.get(key) else {
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

    pub(crate) fn include_all(&self, call: Call, args: &[Value]) -> FlowResult {
        let mut references = Vec::new();
        for name in class_names(args)? {
            let key = self.include(call.scope, &name, call.declaration())?;
            references.push(reference(&key));
        }
        Ok(Value::array(references))
    }

    /// Declares classes that the calling class or defined type contains.
    fn contain_all(&self, call: Call, args: &[Value]) -> FlowResult {
        let classes = self.include_all(call, args)?;
        let contained = flattened([&classes]);
        if let Some(container) = self.key_of(call.scope).filter(|_| !self.is_open()) {
            let place = call.range.and_then(|it| self.place(call.scope, it));
            let mut state = self.state.borrow_mut();
            for class in contained.iter().filter_map(resource_of) {
                let contained = state.effects.containments.entry((container.clone(), class));
                contained.or_insert(place);
            }
        }
        Ok(classes)
    }

    /// Declares classes, and orders them before the calling class or defined type.
    fn require_all(&self, call: Call, args: &[Value]) -> FlowResult {
        let classes = self.include_all(call, args)?;
        let targets = flattened([&classes]);
        let origin = Origin::Relationship(call.range.and_then(|it| self.place(call.scope, it)));
        let key = self.key_of(call.scope).filter(|_| !self.is_open());
        let mut state = self.state.borrow_mut();
        if let Some(resource) = key.and_then(|it| state.effects.catalog.resources.get_mut(&it)) {
            resource.add_to("require", Ok(targets), origin);
        }
        Ok(classes)
    }

    /// Declares the resources of a hash, of which some parts may be unknown.
    pub(crate) fn create_resources(&self, call: Call, args: &[PartlyKnown]) -> FlowResult {
        let [Ok(type_name), resources, rest @ ..] = args else {
            return Err(unknown("the resource type is unknown"));
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
            range: call.range,
        };
        let type_name = canonical_name(type_name.trim_start_matches('@'));
        if let Ok(resources) = resources {
            self.doubt_empty_titles(call, &type_name, resources);
            if !matches!(resources, Value::Hash(_)) {
                return Err(error("create_resources(): second argument must be a hash"));
            }
        }
        let Some(resources) = known_entries(resources) else {
            return Err(unknown("the resources are unknown"));
        };
        let origin = self.origin_of(call);
        let defaults = rest.first().map(|it| Attributes::of_value(it, &origin));
        let defaults = defaults.unwrap_or_default();
        for (title, parameters) in resources {
            let Some(text) = title_text(&title) else {
                return Err(unknown("the titles are unknown"));
            };
            if parameters
                .as_ref()
                .is_ok_and(|it| !matches!(it, Value::Hash(_)))
            {
                let key = ResourceKey::new(capitalize_segments(&type_name), text);
                return Err(error(format!("the attributes of `{key}` must be a hash")));
            }
            let own = Attributes::of_value(&parameters, &origin);
            let mut attributes = defaults.clone();
            attributes.values.extend(own.values);
            attributes.is_open |= own.is_open;
            self.check_attributes(&type_name, &attributes)?;
            let key = self.add(call.scope, &type_name, &text, attributes, declaration)?;
            self.keep_title(key, &title);
        }
        Ok(Value::Undef)
    }

    /// Keeps a title that is not a string for the code of a defined type.
    fn keep_title(&self, key: ResourceKey, title: &Value) {
        if title.as_str().is_none() {
            let mut state = self.state.borrow_mut();
            state.effects.titles.insert(key, title.clone());
        }
    }

    fn realize(&self, call: Call, args: &[Value]) -> FlowResult {
        let place = call.range.and_then(|it| self.place(call.scope, it));
        for value in &flattened(args) {
            let Some(key) = resource_of(value) else {
                return Err(unknown("the resource is unknown"));
            };
            let mut state = self.state.borrow_mut();
            state.realize(&key, !self.is_open());
            if !self.is_open() {
                state.effects.realized.push((key, place));
            }
        }
        Ok(Value::Undef)
    }

    /// Returns the origin of parameters that a call sets.
    fn origin_of(&self, call: Call) -> Origin {
        Origin::Declaration(call.range.and_then(|it| self.place(call.scope, it)))
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
        let main = self.key_of(TOP)?;
        let scope = self.new_scope(ScopeData::new(ScopeKind::Function, Some(TOP), main));
        self.set_origin(scope, code.file, code.start);
        let environment = ScopeEnvironment::of_code(self, scope);
        let closure = Closure::of_function(name, &definition);
        let mut inner = Evaluator::new(&self.context, &environment, &self.budget, true);
        let outcome = inner.run_function(&closure, args.to_vec(), block);
        Some(outcome.map_err(|flow| self.record_failure_place(scope, flow)))
    }
}

/// Checks whether the first argument of a function is the type of the resources that it declares.
pub(crate) fn creates_resources(function: KnownFunction) -> bool {
    matches!(
        function,
        KnownFunction::CreateResources
            | KnownFunction::EnsureResource
            | KnownFunction::EnsureResources
    )
}

/// Returns the title of the resource for a key of a hash; `None` if Puppet refuses it, or if it depends on more than the
/// value.
fn title_text(title: &Value) -> Option<Cow<'_, str>> {
    match title {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {
            interpolated(title).map(|it| Cow::Owned(it.to_string()))
        }
        _ => None,
    }
}

/// Returns the parameters in an argument that is a hash; without one, there are none.
pub(crate) fn parameters_of(given: Option<&Value>) -> FlowResult<HashValue> {
    match given {
        Some(Value::Hash(parameters)) => Ok(parameters.clone()),
        None | Some(Value::Undef) => Ok(HashValue::from_iter([])),
        Some(_) => Err(unknown("the parameters are unknown")),
    }
}

/// Returns the names of classes in the arguments of `include`.
fn class_names(args: &[Value]) -> FlowResult<Vec<String>> {
    let names = flattened(args).into_iter().map(|it| match &it {
        Value::String(name) => Ok(canonical_name(name)),
        Value::Type(Type::Class(Some(name))) => Ok(canonical_name(name)),
        Value::Undef => Err(error("cannot declare `undef` as a class")),
        _ => Err(unknown("the class is unknown")),
    });
    names.collect()
}

/// Calls `validate_legacy`; `None` if the previous function may accept a value that is not of the type.
fn validate(ty: &Value, previous: &str, value: &Value, rest: &[Value]) -> Option<FlowResult> {
    let Value::Type(ty) = ty else {
        return None;
    };
    if types::is_instance(ty, value)? {
        return Some(Ok(Value::Undef));
    }
    let rest: Vec<Option<&Value>> = rest.iter().map(Some).collect();
    refused_by_validation(ty, previous, value, &rest).then(|| {
        let actual = types::infer_detailed(value);
        Err(error(types::mismatch::describe("the value", ty, &actual)))
    })
}
