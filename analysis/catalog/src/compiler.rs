//! The compiler: its state, and the order of evaluation.

use std::cell::RefCell;
use std::collections::BTreeSet;

use base::{EnvironmentInput, FileInput, SettingsInput, validation_context};
use eval::{Budget, Context, ControlFlow, EvalFailure, FlowResult, Issue, Scope};
use hiera::{Layer, LookupSession};
use hir::declared_resources::unique_title;
use infer::{NodeVariables, WorkspaceData, WorkspaceTypes};
use salsa::Database;
use syntax::ast::{AstNode, SourceFile};
use syntax::validation::{ValidationContext, validate};
use syntax::{Diagnostic, Dialect, Parse, Severity, TextSize};

use crate::classes::SETTINGS;
use crate::data::{
    Catalog, Compilation, CompileError, CompileErrorKind, Origin, Parameter, Resource, ResourceKey,
};
use crate::definitions::own_definitions;
use crate::scopes::{CompiledVariables, ScopeVariables};
use crate::state::{Compiler, OwnDefinitions, PendingOverride, ScopeData, ScopeKind, State, TOP};

/// The budget of a compilation.
const BUDGET: u64 = 40_000_000;

/// The limit of rounds in which defined types declare others.
const MAX_ROUNDS: usize = 1_000;

/// A request for a catalog.
#[derive(Clone, Debug)]
pub struct CompileRequest<'a> {
    /// Code in place of the main manifests.
    pub source: Option<&'a str>,
    /// The names of the node, in the order in which Puppet looks for its definition.
    pub names: Vec<String>,
    /// The variables of the node.
    pub node: &'a NodeVariables,
}

/// Compiles the catalog of a node.
pub fn compile(
    db: &dyn Database,
    environment: EnvironmentInput,
    request: &CompileRequest<'_>,
    full_path: &dyn Fn(&Layer, &str) -> String,
) -> Compilation {
    let state = RefCell::default();
    compile_in(&state, (db, environment), request, full_path, |it| {
        it.into_compilation()
    })
}

/// Compiles the catalog of a node, and returns the variables of its code.
pub fn compiled_variables(
    db: &dyn Database,
    environment: EnvironmentInput,
    request: &CompileRequest<'_>,
    full_path: &dyn Fn(&Layer, &str) -> String,
) -> CompiledVariables {
    let state = RefCell::default();
    compile_in(&state, (db, environment), request, full_path, |_| ());
    CompiledVariables::new(state)
}

/// Compiles the catalog of a node, and passes the compiler on.
fn compile_in<T>(
    state: &RefCell<State>,
    (db, environment): (&dyn Database, EnvironmentInput),
    request: &CompileRequest<'_>,
    full_path: &dyn Fn(&Layer, &str) -> String,
    read: impl FnOnce(Compiler<'_>) -> T,
) -> T {
    let variables = ScopeVariables(state);
    let data = WorkspaceData::new(db, environment, request.node, full_path);
    let data = data.with_code(&variables);
    let parsed = request
        .source
        .map(|it| syntax::parse(it, Dialect::default()));
    let source = parsed.as_ref().map(Parse::tree);
    let own = source.as_ref().map(|it| own_definitions(it.syntax()));
    let compiler = Compiler {
        own: own.unwrap_or_default(),
        ..Compiler::new(state, (db, environment), &data, request.node, BUDGET)
    };
    compiler.run(&|| match &source {
        Some(source) => compiler.evaluate_source(source, &request.names),
        None => compiler.evaluate_manifests(&request.names),
    });
    compiler.add_unknown_attributes();
    compiler.add_syntax_errors(parsed.as_ref());
    read(compiler)
}

impl<'db> Compiler<'db> {
    /// Creates a compiler.
    pub(crate) fn new(
        state: &'db RefCell<State>,
        (db, environment): (&'db dyn Database, EnvironmentInput),
        data: &'db WorkspaceData<'db>,
        node: &'db NodeVariables,
        budget: u64,
    ) -> Compiler<'db> {
        let settings = SettingsInput::try_get(db);
        let version = settings.map(|it| it.version(db)).unwrap_or_default();
        Compiler {
            own: OwnDefinitions::default(),
            db,
            environment,
            types: WorkspaceTypes::as_installed(db, environment),
            context: Context::new(version),
            budget: Budget::new(budget),
            version,
            node,
            is_sample: false,
            sample: None,
            is_part: false,
            is_parameterized: false,
            is_declared: false,
            groups: &[],
            lookups: RefCell::new(LookupSession::new(data)),
            defined_types: RefCell::default(),
            resource_types: RefCell::default(),
            name_variables: RefCell::default(),
            condition: RefCell::default(),
            state,
        }
    }

    /// Compiles a catalog from code.
    pub(crate) fn run(&self, evaluate: &dyn Fn() -> FlowResult<()>) {
        match self.evaluate_all(evaluate) {
            Ok(()) => self.finish(),
            Err(flow) => self.fail(flow),
        }
    }

    /// Evaluates code in an empty catalog, and the instances of defined types.
    pub(crate) fn evaluate_all(&self, evaluate: &dyn Fn() -> FlowResult<()>) -> FlowResult<()> {
        self.add_built_in();
        let main = ResourceKey::new("Class", "main");
        self.new_scope(ScopeData::new(ScopeKind::Top, None, main));
        evaluate()?;
        self.evaluate_defined_types()
    }

    /// Adds the resources that every catalog has.
    fn add_built_in(&self) {
        let stage = ResourceKey::new("Stage", "main");
        for (type_name, title) in [("Stage", "main"), ("Class", "Settings"), ("Class", "main")] {
            let container = (type_name != "Stage").then(|| stage.clone());
            let resource = Resource::named(None, container, title);
            let key = ResourceKey::new(type_name, title);
            let mut state = self.state.borrow_mut();
            state.effects.catalog.resources.insert(key, resource);
        }
        let mut state = self.state.borrow_mut();
        state.effects.catalog.classes.push(SETTINGS.to_owned());
    }

    fn evaluate_source(&self, source: &SourceFile, names: &[String]) -> FlowResult<()> {
        self.evaluate(TOP, Scope::default(), source.statements())?;
        self.evaluate_node(Some(source.syntax()), names)
    }

    /// Evaluates the main manifests, and the definition of the node.
    fn evaluate_manifests(&self, names: &[String]) -> FlowResult<()> {
        self.evaluate_main()?;
        self.evaluate_node(None, names)
    }

    /// Evaluates the main manifests, without node definitions.
    pub(crate) fn evaluate_main(&self) -> FlowResult<()> {
        let manifests: Vec<FileInput> = self.environment.manifests(self.db).to_vec();
        let mut scope = Scope::default();
        for file in &manifests {
            let tree = base::parse(self.db, *file).tree();
            self.set_origin(TOP, Some(*file), TextSize::new(0));
            scope = self.evaluate(TOP, scope, tree.statements())?;
        }
        Ok(())
    }

    /// Evaluates the instances of defined types, until no new ones appear.
    fn evaluate_defined_types(&self) -> FlowResult<()> {
        for _ in 0..MAX_ROUNDS {
            let has_collected = self.evaluate_collectors();
            let pending = std::mem::take(&mut self.state.borrow_mut().pending);
            if pending.is_empty() && !has_collected {
                return Ok(());
            }
            for (key, scope) in pending {
                let mut state = self.state.borrow_mut();
                let resource = state.effects.catalog.resources.get(&key);
                if resource.is_some_and(|it| !it.is_certain) {
                    state.effects.uncertain_instances.push_back((key, scope));
                    continue;
                }
                drop(state);
                self.evaluate_instance(&key, scope)?;
            }
        }
        let last = {
            let state = self.state.borrow();
            let pending = state.pending.iter().map(|it| &it.0);
            let pending =
                pending.filter_map(|it| state.effects.catalog.resources.get_key_value(it));
            let mut certain = pending.filter(|it| it.1.is_certain);
            certain
                .next()
                .map(|(key, it)| (key.type_name.clone(), it.place))
        };
        if let Some((type_name, place)) = last {
            let message = format!("infinite recursion: `{type_name}` declares instances of itself");
            let kind = CompileErrorKind::Evaluation(Issue::RuntimeError);
            self.add_error(kind, message, (place, None));
        }
        self.add_gap(TOP, None, "infinite recursion of defined types");
        Ok(())
    }

    /// Applies what waits for resources that are declared later.
    fn finish(&self) {
        self.evaluate_overrides();
        self.evaluate_realized();
        // Unknown relationships hide the references in attributes.
        self.check_references();
        self.evaluate_relationships();
        self.check_tags();
        self.inherit_metaparameters();
        // Rules only read the resources that are certain. The others decide whether something is missing.
        if !self.is_sample || self.needs_open_branches() {
            self.evaluate_open();
        }
        self.report_undeclared();
    }

    fn evaluate_overrides(&self) {
        let overrides = std::mem::take(&mut self.state.borrow_mut().effects.overrides);
        for pending in overrides {
            let PendingOverride {
                scope,
                key,
                place,
                parameters,
            } = pending;
            if let Some(scope) = scope {
                let parameters = parameters.iter().map(|(name, it)| (name, it));
                self.check_override(scope, &key, parameters, place);
            }
            let mut state = self.state.borrow_mut();
            if state.effects.catalog.resources.contains_key(&key) {
                for (name, _) in &parameters {
                    let parameter = (key.clone(), name.clone());
                    state.effects.overriders.insert(parameter, scope);
                }
            }
            if let Some(resource) = state.effects.catalog.resources.get_mut(&key) {
                resource.parameters.extend(parameters);
                continue;
            }
            drop(state);
            let message = || format!("cannot override unknown resource `{key}`");
            self.add_undeclared(&key, place, message);
        }
    }

    /// Realizes resources that were declared later.
    fn evaluate_realized(&self) {
        let realized = std::mem::take(&mut self.state.borrow_mut().effects.realized);
        for (key, place) in realized {
            self.state.borrow_mut().realize(&key, true);
            let message = || format!("cannot realize unknown resource `{key}`");
            self.add_undeclared(&key, place, message);
        }
    }

    /// Records the syntax errors of the code of the request and of the evaluated files. Puppet finds them first.
    fn add_syntax_errors(&self, own: Option<&Parse>) {
        let mut files: Vec<FileInput> = self
            .state
            .borrow()
            .effects
            .files
            .values()
            .copied()
            .collect();
        files.sort_by_key(|it| it.id(self.db));
        let context = ValidationContext {
            version: self.version,
            ..ValidationContext::default()
        };
        let own = own.map(|it| static_errors(it, &context));
        let own = CompileError::of_syntax(None, own.as_deref().unwrap_or_default());
        let of_file = |it: &FileInput| {
            CompileError::of_syntax(Some(it.id(self.db)), file_errors(self.db, *it))
        };
        let errors: Vec<CompileError> = own.chain(files.iter().flat_map(of_file)).collect();
        self.state.borrow_mut().errors.splice(0..0, errors);
    }

    /// Records the failure that ends the compilation.
    fn fail(&self, flow: ControlFlow) {
        let (failure, _) = flow.into_failure();
        let (kind, message) = match failure {
            EvalFailure::Error(error) => (CompileErrorKind::Evaluation(error.issue), error.message),
            EvalFailure::Unknown(why) => (CompileErrorKind::Unfinished, why.into()),
        };
        let mut state = self.state.borrow_mut();
        let error = CompileError {
            related: state.failed_in,
            call: state.failed_call,
            key: state.failed_key.take(),
            ..CompileError::new(kind, message, state.failed_at)
        };
        state.errors.push(error);
    }

    pub(crate) fn into_compilation(self) -> Compilation {
        for resource in self
            .state
            .borrow_mut()
            .effects
            .catalog
            .resources
            .values_mut()
        {
            resource.parameters.retain(|_, it| !it.is_undef());
        }
        self.set_names();
        let edges = self.edges();
        let cycles = self.cycles(&edges);
        // The catalogs of sample nodes are not shown.
        let unknown_edges = match self.is_sample {
            true => BTreeSet::new(),
            false => self.unknown_edges(),
        };
        let state = std::mem::take(&mut *self.state.borrow_mut());
        Compilation {
            catalog: Catalog {
                edges,
                unknown_edges,
                cycles,
                containments: state.effects.containments,
                ..state.effects.catalog
            },
            errors: state.errors,
        }
    }

    /// Adds the parameters that titles set.
    fn set_names(&self) {
        let mut state = self.state.borrow_mut();
        for (key, resource) in &mut state.effects.catalog.resources {
            if let Some(name) = self.name_variable_of(key)
                && !resource.parameters.contains_key(&*name)
            {
                let title = unique_title(&key.type_name, &key.title);
                let parameter = Parameter::known(title, Origin::Title);
                resource.parameters.insert(name.to_string(), parameter);
            }
        }
    }
}

/// Returns the errors of a file that Puppet finds when it reads it. Many catalogs need the same files.
#[salsa::tracked(lru = 256)]
fn file_errors(db: &dyn Database, file: FileInput) -> Vec<Diagnostic> {
    static_errors(base::parse(db, file), &validation_context(db, file))
}

/// Returns the syntax errors of code or, without any, those of the static checks.
fn static_errors(parse: &Parse, context: &ValidationContext) -> Vec<Diagnostic> {
    let is_error = |it: &Diagnostic| it.severity == Severity::Error;
    let mut found: Vec<Diagnostic> = parse
        .errors()
        .iter()
        .filter(|it| is_error(it))
        .cloned()
        .collect();
    if found.is_empty() {
        found = validate(&parse.tree(), context);
        found.retain(is_error);
    }
    found
}
