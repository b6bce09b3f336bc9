//! The state of a compilation.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

use base::{EnvironmentInput, FileId, FileInput};
use eval::{Budget, Context, FlowResult, PartlyKnown, Scope};
use hiera::LookupSession;
use hir::ItemKind;
use hir::title_pattern::TitlePattern;
use indexmap::IndexMap;
use infer::{NodeVariables, WorkspaceTypes};
use library::RELATIONSHIPS;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::Expr;
use syntax::validation::PuppetVersion;
use syntax::{SyntaxNode, TextRange, TextSize};
use types::values::{HashValue, Value};

use crate::data::{
    Catalog, CompileError, CompileErrorKind, Gap, Origin, Parameter, Place, Resource, ResourceKey,
};
use crate::values::{error, flattened};

/// The limit of resources in a catalog.
pub(crate) const MAX_RESOURCES: usize = 100_000;

/// The index of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ScopeId(pub(crate) usize);

/// The scope of the main manifest.
pub(crate) const TOP: ScopeId = ScopeId(0);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScopeKind {
    Top,
    Node,
    Class,
    DefinedType,
    /// A function in Puppet code, which sees top scope only.
    Function,
}

/// The default values of the parameters of a type.
pub(crate) type Defaults = IndexMap<String, Parameter, FxBuildHasher>;

/// A scope.
#[derive(Clone, Debug)]
pub(crate) struct ScopeData {
    pub(crate) kind: ScopeKind,
    /// The scope that declares it.
    pub(crate) parent: Option<ScopeId>,
    /// The scope of the parent class.
    pub(crate) inherited: Option<ScopeId>,
    /// The resource whose code it is.
    pub(crate) resource: ResourceKey,
    /// The variables, as far as they have been published.
    pub(crate) variables: FxHashMap<String, PartlyKnown>,
    /// The resource defaults by type.
    pub(crate) defaults: FxHashMap<String, Defaults>,
    /// Where the tree of the code starts.
    pub(crate) origin: Option<Place>,
    /// The name of the module of the code.
    pub(crate) module: Option<String>,
}

impl ScopeData {
    /// Creates an empty scope.
    pub(crate) fn new(
        kind: ScopeKind,
        parent: Option<ScopeId>,
        resource: ResourceKey,
    ) -> ScopeData {
        ScopeData {
            kind,
            parent,
            inherited: None,
            resource,
            variables: FxHashMap::default(),
            defaults: FxHashMap::default(),
            origin: None,
            module: None,
        }
    }
}

/// Evaluated attributes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) values: IndexMap<String, Parameter, FxBuildHasher>,
    /// The names of attributes that add to an existing value: `+>`.
    pub(crate) added: Vec<String>,
    /// Whether there may be further attributes.
    pub(crate) is_open: bool,
}

impl Attributes {
    /// Creates attributes from the entries of a hash.
    pub(crate) fn of_hash(entries: &HashValue, origin: &Origin) -> Attributes {
        let mut attributes = Attributes::default();
        attributes.extend(entries, origin);
        attributes
    }

    /// Creates attributes from a hash, of which some parts may be unknown. Other values have none.
    pub(crate) fn of_value(value: &PartlyKnown, origin: &Origin) -> Attributes {
        let mut attributes = Attributes::default();
        attributes.extend_partly(value, origin);
        attributes.renew_references();
        attributes
    }

    /// Adds the entries of a hash.
    pub(crate) fn extend(&mut self, entries: &HashValue, origin: &Origin) {
        for (name, value) in entries.iter() {
            self.insert(name, Ok(value.clone()), origin);
        }
    }

    /// Adds the entries of a hash, of which some parts may be unknown.
    pub(crate) fn extend_partly(&mut self, value: &PartlyKnown, origin: &Origin) {
        match value {
            Ok(Value::Hash(entries)) => self.extend(entries, origin),
            Ok(_) => {}
            Err(unknown) => match unknown.entries() {
                Some(entries) => {
                    for (name, value) in entries {
                        self.insert(name, value.clone(), origin);
                    }
                }
                None => self.is_open = true,
            },
        }
    }

    fn insert(&mut self, name: &Value, value: PartlyKnown, origin: &Origin) {
        let name = name.as_str().unwrap_or_default().to_owned();
        let origin = origin.clone();
        self.values.insert(name, Parameter { value, origin });
    }

    /// Fails if a hash has an attribute that is set already.
    pub(crate) fn check_repeated(&self, entries: &HashValue) -> FlowResult<()> {
        let mut names = entries.iter().filter_map(|it| it.0.as_str());
        match names.find(|it| self.values.contains_key(*it)) {
            Some(name) => Err(error(format!("attribute `{name}` is already set"))),
            None => Ok(()),
        }
    }

    /// Flattens and copies the lists in relationship metaparameters. As in Puppet, the resources of one body share the
    /// copies: an arrow that adds to the list of one adds to those of all.
    pub(crate) fn renew_references(&mut self) {
        for name in RELATIONSHIPS {
            if let Some(parameter) = self.values.get_mut(name)
                && let Ok(value @ Value::Array(_)) = &mut parameter.value
            {
                let mut items = flattened([&*value]);
                items.retain(|it| !it.is_undef());
                *value = Value::array(items);
            }
        }
    }
}

/// A condition for resources.
#[derive(Clone, Debug)]
pub(crate) enum Query {
    All,
    /// Resources with any of the tags.
    Tagged(Vec<String>),
    Equal(String, Value),
    NotEqual(String, Value),
    And(Box<Query>, Box<Query>),
    Or(Box<Query>, Box<Query>),
    /// Exported resources for which the condition holds.
    Exported(Box<Query>),
    /// The condition depends on an unknown value.
    Unknown,
}

#[derive(Clone, Debug)]
pub(crate) struct Collector {
    pub(crate) type_name: String,
    pub(crate) query: Query,
    pub(crate) overrides: Attributes,
    /// Whether it certainly takes effect.
    pub(crate) is_certain: bool,
    pub(crate) collected: FxHashSet<ResourceKey>,
    /// The collected resources that the query may or may not select.
    pub(crate) doubtful: FxHashSet<ResourceKey>,
    /// The left side of a relationship, which takes its place in a chain if it is empty.
    pub(crate) alternative: Option<Operand>,
}

/// A side of a relationship.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Resources(Vec<ResourceKey>),
    /// The resources of a collector, by its index.
    Collector(usize),
    Unknown,
}

/// A relationship, which is added to the resources when all of them are declared.
#[derive(Clone, Debug)]
pub(crate) struct PendingRelationship {
    pub(crate) from: Operand,
    pub(crate) to: Operand,
    /// The metaparameter of the sources.
    pub(crate) parameter: &'static str,
    pub(crate) place: Option<Place>,
}

/// An override of a resource that is not declared yet.
#[derive(Clone, Debug)]
pub(crate) struct PendingOverride {
    /// The scope of the override; `None` for a collector.
    pub(crate) scope: Option<ScopeId>,
    pub(crate) key: ResourceKey,
    pub(crate) place: Option<Place>,
    pub(crate) parameters: Vec<(String, Parameter)>,
}

/// The code of a definition.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) syntax: SyntaxNode,
    /// The file; `None` for the code of the request.
    pub(crate) file: Option<FileInput>,
    /// Where the tree starts in the file.
    pub(crate) start: TextSize,
    /// The name of the module.
    pub(crate) module: Option<String>,
}

/// A statement whose branches are evaluated after everything that is certain.
#[derive(Debug)]
pub(crate) struct OpenStatement {
    pub(crate) scope: ScopeId,
    /// The variables at the statement.
    pub(crate) variables: Scope,
    pub(crate) statement: Expr,
    /// The condition of the code around it.
    pub(crate) outer: Option<Arc<str>>,
    pub(crate) range: TextRange,
    /// Why the condition is unknown.
    pub(crate) why: String,
}

/// A reference to a resource that was not declared.
#[derive(Clone, Debug)]
pub(crate) struct Undeclared {
    pub(crate) key: ResourceKey,
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    pub(crate) missing: Missing,
}

/// The reason why a reference does not find its resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Missing {
    Declaration,
    /// The resource is declared, but virtual.
    Realization,
    /// The stage must be declared before the class in it, which the code of this scope declares.
    EarlierStage(ScopeId),
}

/// Code that looks for a resource which is not declared yet.
#[derive(Clone, Debug)]
pub(crate) struct EarlyLookup {
    pub(crate) key: ResourceKey,
    pub(crate) place: Option<Place>,
    /// Whether it reads an attribute, which fails. `defined` returns `false`.
    pub(crate) reads_attribute: bool,
}

/// The resources that unknown code may declare.
#[derive(Clone, Debug)]
pub(crate) enum Additions {
    Nothing,
    /// Resources of this type, and those of its code if it is a defined type.
    Type(String),
    /// The same, with titles of these patterns.
    Titled(String, Vec<TitlePattern>),
    /// Classes with names of these patterns, and what they declare.
    Classes(Vec<TitlePattern>),
    /// Resources that this code declares.
    Code(SyntaxNode),
    /// Resources of this type, whose titles are parameters.
    Given(String),
    /// The resources that this code itself declares, with titles that are parameters.
    GivenCode(SyntaxNode),
    Any,
}

/// The definitions in the code of a request.
pub(crate) type OwnDefinitions = FxHashMap<(ItemKind, String), Code>;

/// The effects of code on an empty catalog: what it has added, and what waits for the rest of the code.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    pub(crate) catalog: Catalog,
    pub(crate) scopes: Vec<ScopeData>,
    /// The classes that have been declared, with their scopes once they are evaluated.
    pub(crate) classes: FxHashMap<String, Option<ScopeId>>,
    /// The value of `earlier_depth` where classes were first included by name.
    pub(crate) included: FxHashMap<String, usize>,
    /// The resources by their names other than titles. The name of a package includes the other attributes that
    /// identify it.
    pub(crate) names: FxHashMap<ResourceKey, ResourceKey>,
    /// The titles of instances of defined types that are numbers or Booleans.
    pub(crate) titles: FxHashMap<ResourceKey, Value>,
    /// Overrides of resources that are not declared yet.
    pub(crate) overrides: Vec<PendingOverride>,
    /// The scopes whose code declares resources.
    pub(crate) sources: FxHashMap<ResourceKey, ScopeId>,
    /// The scopes whose overrides set parameters; `None` for a collector.
    pub(crate) overriders: FxHashMap<(ResourceKey, String), Option<ScopeId>>,
    pub(crate) collectors: Vec<Collector>,
    pub(crate) relationships: Vec<PendingRelationship>,
    /// The scopes that declare virtual instances of defined types.
    pub(crate) virtual_instances: FxHashMap<ResourceKey, ScopeId>,
    /// The resources that `realize` names.
    pub(crate) realized: Vec<(ResourceKey, Option<Place>)>,
    /// The resources that may have further attributes.
    pub(crate) open: FxHashSet<ResourceKey>,
    /// The classes that classes and defined types contain, with the places of the calls.
    pub(crate) containments: FxHashMap<(ResourceKey, ResourceKey), Option<Place>>,
    /// The metaparameters and places of arrows, by the resources from which and to which they lead.
    pub(crate) arrows: FxHashMap<ResourceKey, FxHashMap<ResourceKey, (&'static str, Place)>>,
    /// The files of the evaluated code.
    pub(crate) files: FxHashMap<FileId, FileInput>,
    /// The instances of defined types that may not be declared, and have not been evaluated.
    pub(crate) uncertain_instances: VecDeque<(ResourceKey, ScopeId)>,
    /// The references to resources that were not declared at the end of the code that certainly runs.
    pub(crate) undeclared: Vec<Undeclared>,
    /// The resources that code looked for, and that were not declared yet.
    pub(crate) early_lookups: Vec<EarlyLookup>,
    /// The classes that were not evaluated when code read their variables.
    pub(crate) early_class_reads: FxHashSet<String>,
}

/// The state of a compilation.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) effects: Effects,
    /// The scope of the node, if it has a definition.
    pub(crate) node: Option<ScopeId>,
    /// The number of classes whose code is being evaluated.
    pub(crate) class_depth: usize,
    /// The largest number of classes whose code was being evaluated.
    pub(crate) max_class_depth: usize,
    /// The number of these classes that only compile if other code has declared them before.
    pub(crate) earlier_depth: usize,
    /// The classes whose parent classes are being evaluated.
    pub(crate) inheriting: Vec<String>,
    /// The instances of defined types that have not been evaluated.
    pub(crate) pending: VecDeque<(ResourceKey, ScopeId)>,
    /// The statements with unknown conditions that have not been evaluated.
    pub(crate) open_statements: Vec<OpenStatement>,
    /// The references to resources that only a title of which hardly anything is known may be.
    pub(crate) unlikely: Vec<(ResourceKey, Option<Place>)>,
    /// The resources that the gaps may declare.
    pub(crate) additions: Vec<Additions>,
    /// Whether classes have been copied from their own compilations.
    pub(crate) has_copies: bool,
    /// Whether a copied class has instances of defined types, whose code has been evaluated earlier than it would be
    /// otherwise.
    pub(crate) has_copied_instances: bool,
    /// Whether the code that declares a class, or the order of evaluation of copied classes, may have made a difference.
    pub(crate) is_order_dependent: bool,
    /// The errors so far.
    pub(crate) errors: Vec<CompileError>,
    /// The place of the failure that ends the compilation.
    pub(crate) failed_at: Option<Place>,
    /// The place of the instance of a defined type, or of the declaration of a class with arguments, whose code has
    /// failed.
    pub(crate) failed_in: Option<Place>,
    /// The outermost call of a function or template whose code has failed.
    pub(crate) failed_call: Option<Place>,
    /// The Hiera key whose value causes the failure.
    pub(crate) failed_key: Option<String>,
}

impl State {
    /// Adds a resource to the catalog.
    pub(crate) fn insert(&mut self, key: ResourceKey, resource: Resource) {
        self.effects.catalog.resources.insert(key, resource);
    }

    /// Makes a virtual resource a real one.
    pub(crate) fn realize(&mut self, key: &ResourceKey, is_certain: bool) {
        let Some(resource) = self.effects.catalog.resources.get_mut(key) else {
            return;
        };
        if !resource.is_virtual {
            return;
        }
        if !is_certain {
            resource.is_certain = false;
            return;
        }
        resource.is_virtual = false;
        if let Some(scope) = self.effects.virtual_instances.remove(key) {
            self.pending.push_back((key.clone(), scope));
        }
    }

    /// Forgets the place of a failure that the compilation recovers from.
    pub(crate) fn forget_failure(&mut self) {
        self.failed_at = None;
        self.failed_in = None;
        self.failed_call = None;
        self.failed_key = None;
    }

    /// Returns the next scope outwards in which variables are looked up: that of the node, or top scope.
    pub(crate) fn enclosing(&self, scope: ScopeId) -> Option<ScopeId> {
        let mut at = self.effects.scopes.get(scope.0)?.parent;
        while let Some(parent) = at {
            let data = self.effects.scopes.get(parent.0)?;
            if matches!(data.kind, ScopeKind::Top | ScopeKind::Node) {
                return Some(parent);
            }
            at = data.parent;
        }
        None
    }
}

/// Compiles a catalog.
pub(crate) struct Compiler<'db> {
    pub(crate) db: &'db dyn Database,
    pub(crate) environment: EnvironmentInput,
    pub(crate) types: WorkspaceTypes<'db>,
    pub(crate) context: Context,
    pub(crate) budget: Budget,
    pub(crate) version: PuppetVersion,
    /// The definitions in the code of the request.
    pub(crate) own: OwnDefinitions,
    pub(crate) node: &'db NodeVariables,
    /// Whether the node stands for others, which may have more facts and other certificates.
    pub(crate) is_sample: bool,
    /// The index of the sample node that is compiled, if classes may be copied from their own compilations.
    pub(crate) sample: Option<usize>,
    /// Whether other code of the catalog may have been evaluated before.
    pub(crate) is_part: bool,
    /// Whether the parameters of classes that are `undef` by default may be given.
    pub(crate) is_parameterized: bool,
    /// Whether the parameters of classes that any code of the environment sets may be given.
    pub(crate) is_declared: bool,
    /// The known groups of the regular expression of the node definition.
    pub(crate) groups: &'db [Option<Arc<str>>],
    pub(crate) lookups: RefCell<LookupSession<'db>>,
    /// Whether names are those of defined types, as far as code has asked for them.
    pub(crate) defined_types: RefCell<FxHashMap<String, bool>>,
    /// The names of resource types that exist, as far as code has asked for them.
    pub(crate) resource_types: RefCell<FxHashSet<String>>,
    /// The parameters that titles set, by resource type, capitalized, as far as they have been needed.
    pub(crate) name_variables: RefCell<FxHashMap<String, Option<Arc<str>>>>,
    /// The condition of the code that is being evaluated, if it is unknown whether it runs.
    pub(crate) condition: RefCell<Option<Arc<str>>>,
    pub(crate) state: &'db RefCell<State>,
}

impl Compiler<'_> {
    pub(crate) fn new_scope(&self, data: ScopeData) -> ScopeId {
        let mut state = self.state.borrow_mut();
        state.effects.scopes.push(data);
        ScopeId(state.effects.scopes.len() - 1)
    }

    pub(crate) fn set_origin(&self, scope: ScopeId, file: Option<FileInput>, start: TextSize) {
        let mut state = self.state.borrow_mut();
        if let Some(file) = file {
            state.effects.files.insert(file.id(self.db), file);
        }
        if let Some(data) = state.effects.scopes.get_mut(scope.0) {
            data.origin = Some(Place {
                file: file.map(|it| it.id(self.db)),
                range: TextRange::empty(start),
            });
        }
    }

    /// Returns the place of a range in the code of a scope.
    pub(crate) fn place(&self, scope: ScopeId, range: TextRange) -> Option<Place> {
        let state = self.state.borrow();
        let origin = state.effects.scopes.get(scope.0)?.origin;
        Some(match origin {
            Some(origin) => Place {
                file: origin.file,
                range: range + origin.range.start(),
            },
            None => Place { file: None, range },
        })
    }

    /// Records that a part of the code may add any resources to the catalog.
    pub(crate) fn add_gap(&self, scope: ScopeId, range: Option<TextRange>, why: impl Into<String>) {
        self.add_gap_of(Additions::Any, scope, range, why);
    }

    /// Records that a part of the code may add to the catalog.
    pub(crate) fn add_gap_of(
        &self,
        additions: Additions,
        scope: ScopeId,
        range: Option<TextRange>,
        why: impl Into<String>,
    ) {
        let place = range.and_then(|it| self.place(scope, it));
        let gap = Gap {
            place,
            why: why.into(),
        };
        let mut state = self.state.borrow_mut();
        if !state.effects.catalog.gaps.contains(&gap) {
            state.effects.catalog.gaps.push(gap);
            state.additions.push(additions);
        }
    }

    /// Records an error with which Puppet rejects the catalog. The compilation continues.
    pub(crate) fn add_error(
        &self,
        kind: CompileErrorKind,
        message: String,
        (place, related): (Option<Place>, Option<Place>),
    ) {
        let error = CompileError::new(kind, message, place);
        let mut state = self.state.borrow_mut();
        state.errors.push(CompileError { related, ..error });
    }

    /// Returns the resource whose code a scope is.
    pub(crate) fn key_of(&self, scope: ScopeId) -> Option<ResourceKey> {
        let state = self.state.borrow();
        state
            .effects
            .scopes
            .get(scope.0)
            .map(|it| it.resource.clone())
    }
}
