//! The compiler: its state, and the order of evaluation.

use std::cell::RefCell;

use base::{EnvironmentInput, FileInput, SettingsInput};
use eval::{Budget, Context, ControlFlow, EvalFailure, FlowResult, Scope};
use hiera::{Layer, LookupSession};
use hir::canonical_name;
use infer::{NodeVariables, WorkspaceData, WorkspaceTypes};
use rustc_hash::FxHashMap;
use salsa::Database;
use syntax::ast::AstNode;
use syntax::{Dialect, TextSize};
use types::values::Value;

use crate::data::{Catalog, CompileError, Parameter, Place, ResourceKey};
use crate::definitions::own_definitions;
use crate::state::{Compiler, ScopeData, ScopeKind, TOP};
use crate::values::new_resource;

/// The budget of a compilation.
const BUDGET: u64 = 200_000_000;

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
///
/// # Errors
///
/// If Puppet raises one.
pub fn compile(
    db: &dyn Database,
    environment: EnvironmentInput,
    request: &CompileRequest<'_>,
    full_path: &dyn Fn(&Layer, &str) -> String,
) -> Result<Catalog, CompileError> {
    let data = WorkspaceData::new(db, environment, request.node, full_path);
    let version = SettingsInput::try_get(db)
        .map(|it| it.version(db))
        .unwrap_or_default();
    let source = request
        .source
        .map(|it| syntax::parse(it, Dialect::default()).tree());
    let own = source.as_ref().map(|it| own_definitions(it.syntax()));
    let compiler = Compiler {
        own: own.unwrap_or_default(),
        db,
        environment,
        types: WorkspaceTypes::new(db, Some(environment)),
        context: Context::new(version),
        budget: Budget::new(BUDGET),
        version,
        node: request.node,
        lookups: RefCell::new(LookupSession::new(&data)),
        state: RefCell::default(),
    };
    let outcome = compiler.run(request);
    outcome.map_err(|flow| compiler.error(flow, None))?;
    let names = compiler.name_variables();
    let mut catalog = compiler.state.into_inner().catalog;
    for (key, resource) in &mut catalog.resources {
        resource
            .parameters
            .retain(|_, it| it.value != Ok(Value::Undef));
        if let Some(name) = names.get(&key.type_name).cloned().flatten() {
            let value = Ok(Value::from(key.title.as_str()));
            resource
                .parameters
                .entry(name)
                .or_insert(Parameter { value });
        }
    }
    Ok(catalog)
}

impl<'db> Compiler<'db> {
    fn run(&self, request: &CompileRequest<'_>) -> FlowResult<()> {
        self.add_built_in();
        let main = ResourceKey {
            type_name: "Class".to_owned(),
            title: "main".to_owned(),
        };
        self.new_scope(ScopeData {
            kind: ScopeKind::Top,
            parent: None,
            inherited: None,
            resource: main,
            variables: FxHashMap::default(),
            defaults: FxHashMap::default(),
            origin: None,
            module: None,
        });
        match request.source {
            Some(source) => self.evaluate_source(source, &request.names)?,
            None => self.evaluate_manifests(&request.names)?,
        }
        self.evaluate_defined_types()?;
        self.finish()
    }

    /// Adds the resources that every catalog has.
    fn add_built_in(&self) {
        for (type_name, title) in [("Stage", "main"), ("Class", "Settings"), ("Class", "main")] {
            let key = ResourceKey {
                type_name: type_name.to_owned(),
                title: title.to_owned(),
            };
            let stage = ResourceKey {
                type_name: "Stage".to_owned(),
                title: "main".to_owned(),
            };
            let mut resource = new_resource(None, (type_name != "Stage").then_some(stage));
            let name = Parameter {
                value: Ok(Value::from(title)),
            };
            resource.parameters.insert("name".to_owned(), name);
            let mut state = self.state.borrow_mut();
            state.catalog.resources.insert(key, resource);
        }
        let mut state = self.state.borrow_mut();
        state.catalog.classes.push("settings".to_owned());
    }

    fn evaluate_source(&self, source: &str, names: &[String]) -> FlowResult<()> {
        let tree = syntax::parse(source, Dialect::default()).tree();
        self.evaluate(TOP, Scope::default(), tree.statements())?;
        self.evaluate_node(Some(tree.syntax()), names)
    }

    /// Evaluates the main manifests, and the definition of the node.
    fn evaluate_manifests(&self, names: &[String]) -> FlowResult<()> {
        let manifests: Vec<FileInput> = self.environment.manifests(self.db).to_vec();
        let mut scope = Scope::default();
        for file in &manifests {
            let tree = base::parse(self.db, *file).tree();
            self.set_origin(TOP, Some(*file), TextSize::new(0));
            scope = self.evaluate(TOP, scope, tree.statements())?;
        }
        self.evaluate_node(None, names)
    }

    /// Returns the parameters that titles set, by type.
    fn name_variables(&self) -> FxHashMap<String, Option<String>> {
        let state = self.state.borrow();
        let types = state
            .catalog
            .resources
            .keys()
            .map(|it| it.type_name.clone());
        let mut found = FxHashMap::default();
        for name in types.filter(|it| it != "Class" && it != "Node") {
            let variable = || self.name_variable(&canonical_name(&name));
            found.entry(name.clone()).or_insert_with(variable);
        }
        found
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
                self.evaluate_instance(&key, scope)?;
            }
        }
        self.add_gap(TOP, None, "defined types declare each other without end");
        Ok(())
    }

    /// Applies the overrides of resources that were declared later.
    fn finish(&self) -> FlowResult<()> {
        self.evaluate_relationships()?;
        let overrides = std::mem::take(&mut self.state.borrow_mut().overrides);
        for (key, parameters) in overrides {
            let mut state = self.state.borrow_mut();
            let is_complete = state.catalog.gaps.is_empty();
            match state.catalog.resources.get_mut(&key) {
                Some(resource) => resource.parameters.extend(parameters),
                None if is_complete => {
                    let message = format!("cannot override `{key}`, which is not declared");
                    return Err(eval::EvalError::new(eval::Issue::RuntimeError, message).into());
                }
                None => {}
            }
        }
        self.check_realized()?;
        self.check_references()
    }

    /// Realizes resources that were declared later. Fails if one is not declared.
    fn check_realized(&self) -> FlowResult<()> {
        let mut state = self.state.borrow_mut();
        for key in std::mem::take(&mut state.realized) {
            let is_complete = state.catalog.gaps.is_empty();
            if is_complete && !state.catalog.resources.contains_key(&key) {
                let message = format!("cannot realize `{key}`, which is not declared");
                return Err(eval::EvalError::new(eval::Issue::RuntimeError, message).into());
            }
            state.realize(&key, true);
        }
        Ok(())
    }

    fn error(&self, flow: ControlFlow, place: Option<Place>) -> CompileError {
        let message = match flow {
            ControlFlow::Failure {
                failure: EvalFailure::Error(error),
                ..
            } => error.message,
            ControlFlow::Failure {
                failure: EvalFailure::Unknown(why),
                ..
            } => why.into_owned(),
            _ => "a jump out of a block".to_owned(),
        };
        CompileError { message, place }
    }
}
