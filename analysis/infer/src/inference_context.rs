//! The inference engine: the state that it carries through an item, and the results that it
//! records.

use std::cell::OnceCell;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{
    AstNode, Block, Definition, Expr, HasBody, HasParameters, Parameter, SourceFile, VariableExpr,
};
use syntax::{NodeOrToken, SyntaxKind, SyntaxNode, TextRange};

use super::declared_sets::DeclaredSets;
use super::external_variables::has_certain_keys;
use super::flow::{Flow, Origin, VariableState, fails_if_unassigned};
use super::inferred::Inferred;
use super::problem::{RelatedVariable, TypeProblem, TypeProblemKind};
use super::{InferenceResult, TypedRange, TypedRangeKind, WorkspaceTypes};
use base::{EnvironmentInput, FileInput, SettingsInput};
use eval::{Budget, Context};
use hir::evaluated_classes::evaluated_before;
use hir::other_versions::is_of_other_version;
use hir::resolve::Definition as ResolvedDefinition;
use hir::{Item, ItemKind};
use syntax::ast::HeredocBodies;
use types::Type;

/// The maximum number of expressions inferred for one item, counting repeated visits. Beyond it,
/// everything is unknown: hostile code can nest constructs that are visited several times.
const MAX_STEPS: usize = 3_000_000;

/// The number of match variables that are distinguished before anything has been matched.
const MATCH_VARIABLES: usize = 10;

/// The estimated source length per typed range, in bytes; used to preallocate.
const BYTES_PER_TYPED_RANGE: usize = 32;

/// Limits on explaining a problem: the number of variables of an expression that are considered,
/// and the number of those that are reported.
const MAX_VARIABLES: usize = 20;
const MAX_RELATED_VARIABLES: usize = 3;

/// A scope that `return`, `next` or `break` can leave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ExitScope {
    /// The values passed to `next`.
    pub(super) next_values: Vec<Inferred>,
    /// The values passed to `return`, in a function.
    pub(super) returned_values: Vec<Inferred>,
    /// Whether `break` was called.
    pub(super) breaks: bool,
    /// Whether the scope is a lambda; otherwise it is a function or another definition.
    pub(super) is_lambda: bool,
}

/// Infers one item.
pub(super) struct InferenceContext<'db> {
    pub(super) db: &'db dyn Database,
    pub(super) item: Item<'db>,
    pub(super) environment: Option<EnvironmentInput>,
    pub(super) types: WorkspaceTypes<'db>,
    /// Whether the problems found now depend on a module of a version other than the required one.
    is_uncertain: bool,
    /// Whether problems are those of the default of a parameter.
    pub(super) is_default: bool,
    pub(super) flow: Flow,
    /// Whether the current statement or value depends on other code or on facts so far.
    pub(super) depends_on_external: bool,
    /// The scopes that are currently open, innermost last.
    pub(super) exit_scopes: Vec<ExitScope>,
    pub(super) eval_context: Context,
    pub(super) budget: Budget,
    pub(super) root: SyntaxNode,
    heredocs: OnceCell<HeredocBodies>,
    /// The typed ranges, in the order in which they were first visited.
    pub(super) typed_ranges: Vec<TypedRange>,
    /// The index in `typed_ranges` of each typed range.
    range_index: FxHashMap<(TextRange, TypedRangeKind), usize>,
    /// The values assigned to the variables of the item's own scope.
    pub(super) assigned: FxHashMap<String, Inferred>,
    pub(super) problems: Vec<TypeProblem>,
    /// The ranges of all problems reported so far.
    reported_ranges: FxHashSet<TextRange>,
    /// Greater than zero while code is inferred that will be inferred again.
    pub(super) suppressed_depth: u32,
    /// The match variables before the first match.
    pub(super) unmatched: Rc<[Inferred]>,
    /// Whether the flow may have lost assignments.
    pub(super) forgets_assignments: bool,
    /// The attributes of the resources that the item declares.
    pub(super) declared_sets: DeclaredSets,
    /// The resource types that were looked up, by their canonical names.
    pub(super) resource_types: FxHashMap<String, Option<ResolvedDefinition<'db>>>,
    pub(super) steps: usize,
}

/// Returns the parameters and the body of a definition, or `None` for definitions without code.
pub(super) fn parameters_and_body(root: &SyntaxNode) -> Option<(Vec<Parameter>, Option<Block>)> {
    Some(match Definition::cast(root.clone())? {
        Definition::ClassDefinition(it) => (it.parameters(), it.body()),
        Definition::DefineDefinition(it) => (it.parameters(), it.body()),
        Definition::PlanDefinition(it) => (it.parameters(), it.body()),
        Definition::FunctionDefinition(it) => (it.parameters(), it.body()),
        Definition::NodeDefinition(it) => (Vec::new(), it.body()),
        _ => return None,
    })
}

/// The evaluation budget for all constants of an item.
pub(super) const EVALUATION_BUDGET: u64 = 2_000_000;

impl<'db> InferenceContext<'db> {
    pub(super) fn new(db: &'db dyn Database, item: Item<'db>) -> InferenceContext<'db> {
        InferenceContext::for_tree(db, item, item.syntax(db))
    }

    /// Infers a tree that may differ from that of the item.
    pub(super) fn for_tree(
        db: &'db dyn Database,
        item: Item<'db>,
        root: SyntaxNode,
    ) -> InferenceContext<'db> {
        let environment = item.file(db).environment(db);
        let version = SettingsInput::get(db).version(db);
        let typed_ranges = usize::from(root.text_range().len()) / BYTES_PER_TYPED_RANGE;
        InferenceContext {
            db,
            item,
            environment,
            types: WorkspaceTypes::in_file(db, item.file(db)),
            is_uncertain: false,
            is_default: false,
            flow: Flow::default(),
            depends_on_external: false,
            exit_scopes: vec![ExitScope::default()],
            eval_context: Context::new(version),
            budget: Budget::new(EVALUATION_BUDGET),
            root,
            heredocs: OnceCell::new(),
            typed_ranges: Vec::with_capacity(typed_ranges),
            range_index: FxHashMap::with_capacity_and_hasher(typed_ranges, FxBuildHasher),
            assigned: FxHashMap::default(),
            problems: Vec::new(),
            reported_ranges: FxHashSet::default(),
            suppressed_depth: 0,
            unmatched: vec![Inferred::of(Type::optional(Type::STRING)); MATCH_VARIABLES].into(),
            forgets_assignments: false,
            declared_sets: DeclaredSets::default(),
            resource_types: FxHashMap::default(),
            steps: 0,
        }
    }

    /// Infers the item.
    pub(super) fn run(mut self) -> InferenceResult {
        let last = self.item_body();
        self.check_declared_sets();
        let result = match self.item.kind(self.db) {
            ItemKind::Function => Some(self.result(last)),
            ItemKind::Plan => Some(self.plan_result()),
            _ => None,
        };
        let variables = self.own_variables();
        let mut typed_ranges = self.typed_ranges;
        let order =
            |it: &TypedRange| (it.range.start(), std::cmp::Reverse(it.range.end()), it.kind);
        typed_ranges.sort_unstable_by_key(order);
        typed_ranges.dedup_by_key(|it| (it.range, it.kind));
        typed_ranges.shrink_to_fit();
        self.problems
            .sort_by_key(|it| (it.range.start(), it.range.end()));
        InferenceResult {
            typed_ranges,
            problems: self.problems,
            variables,
            result,
        }
    }

    /// Infers the parameters and the body, and returns the value of the last statement.
    fn item_body(&mut self) -> Inferred {
        let root = self.root.clone();
        if let Some(file) = SourceFile::cast(root.clone()) {
            let parameters = file.epp_parameters().map(|it| it.parameters());
            self.header(&parameters.unwrap_or_default());
            return self.statements(file.statements());
        }
        let Some((parameters, body)) = parameters_and_body(&root) else {
            return Inferred::never();
        };
        self.header(&parameters);
        match body {
            Some(body) => self.statements(body.statements()),
            None => Inferred::UNKNOWN,
        }
    }

    /// Infers everything before the body.
    pub(super) fn header(&mut self, parameters: &[Parameter]) {
        for class in evaluated_before(self.db, self.item) {
            self.flow.declare_class(class);
        }
        self.set_first_matches();
        self.parameters(parameters);
    }

    /// Returns the type of a function's result: of its last statement and of all values passed to
    /// `return`.
    fn result(&mut self, last: Inferred) -> Inferred {
        let exit_scope = self.exit_scopes.pop().unwrap_or_default();
        let last = if self.flow.is_unreachable() {
            Inferred::never()
        } else {
            self.check_last_statement();
            last
        };
        let result = Inferred::union(exit_scope.next_values.into_iter().chain([last]));
        let result = self.declared_result(result);
        // Puppet does not check the argument of `return` against the declared type.
        Inferred::union(exit_scope.returned_values.into_iter().chain([result]))
    }

    /// Returns the type of a plan's result: only of the values passed to `return`, since Puppet
    /// drops the value of the last statement.
    fn plan_result(&mut self) -> Inferred {
        let exit_scope = self.exit_scopes.pop().unwrap_or_default();
        let end = match self.flow.is_unreachable() {
            true => Inferred::never(),
            false => Inferred::of(Type::Undef),
        };
        Inferred::union(exit_scope.returned_values.into_iter().chain([end]))
    }

    /// Returns the variables of the item's own scope with their assigned types; narrowing by later
    /// conditions does not hold for other readers. Reading a variable that is unassigned on some path
    /// fails in Puppet 8, so that no value is read; in Puppet 7 it may be undef.
    fn own_variables(&mut self) -> FxHashMap<String, Inferred> {
        let names = &hir::variables::own_variables(self.db, self.item).names;
        let is_partial = self.is_exhausted() || self.forgets_assignments;
        let known = names.iter().map(|name| {
            let found = match self.assigned.remove(name) {
                Some(found) => found,
                // Only code that Puppet never evaluates assigns it.
                None if !is_partial && fails_if_unassigned(self.db) => Inferred::never(),
                None => Inferred::UNKNOWN,
            };
            let is_set = |it: &VariableState| it.is_local && !it.maybe_unassigned;
            let is_assigned = self.flow.get(name).is_some_and(is_set) || self.flow.is_unreachable();
            let found = match is_assigned || fails_if_unassigned(self.db) {
                true => found,
                false => Inferred::union([found, Inferred::of(Type::Undef)]),
            };
            (name.clone(), found)
        });
        known.collect()
    }

    /// Returns the heredoc bodies of the item, computed on first use.
    pub(super) fn heredocs(&self) -> &HeredocBodies {
        self.heredocs.get_or_init(|| HeredocBodies::of(&self.root))
    }

    /// Counts an inferred expression, and returns whether the limit is exceeded.
    pub(super) fn count_step(&mut self) -> bool {
        self.steps += 1;
        self.is_exhausted()
    }

    /// Checks whether the limit of inferred expressions is exceeded.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// Records an inferred type.
    pub(super) fn record(&mut self, range: TextRange, kind: TypedRangeKind, inferred: &Inferred) {
        let inferred = inferred.clone();
        match self.range_index.entry((range, kind)) {
            Entry::Occupied(known) => {
                if let Some(typed_range) = self.typed_ranges.get_mut(*known.get()) {
                    typed_range.inferred = inferred;
                }
            }
            Entry::Vacant(entry) => {
                entry.insert(self.typed_ranges.len());
                self.typed_ranges.push(TypedRange {
                    range,
                    kind,
                    inferred,
                });
            }
        }
    }

    /// Returns the type last recorded for an expression.
    pub(super) fn recorded(&self, expr: &Expr) -> Option<&Inferred> {
        let range = expr.syntax().text_range();
        let index = self.range_index.get(&(range, TypedRangeKind::Expression))?;
        self.typed_ranges.get(*index).map(|it| &it.inferred)
    }

    /// Checks whether problems are currently suppressed.
    pub(super) fn is_suppressed(&self) -> bool {
        self.suppressed_depth > 0 || self.flow.is_unreachable()
    }

    /// Returns the smallest node that covers a range.
    pub(super) fn node_at(&self, range: TextRange) -> Option<SyntaxNode> {
        match self.root.covering_element(range) {
            NodeOrToken::Node(node) => Some(node),
            NodeOrToken::Token(token) => token.parent(),
        }
    }

    /// Reports a problem with the assignments that explain it, unless the code is unreachable or
    /// will be inferred again.
    pub(super) fn report(&mut self, range: TextRange, kind: TypeProblemKind) {
        self.report_caused_by(range, range, kind);
    }

    /// Reports a problem at `range` that is caused by the expression at `cause`.
    pub(super) fn report_caused_by(
        &mut self,
        range: TextRange,
        cause: TextRange,
        kind: TypeProblemKind,
    ) {
        if self.is_suppressed() {
            return;
        }
        let (related, depends_on_external) = self.explaining_variables(cause);
        let problem = TypeProblem {
            range,
            kind,
            related,
            depends_on_external,
            is_uncertain: self.is_uncertain,
            is_default: self.is_default,
        };
        // Comparing with all problems is slow, and few have the same range.
        if self.reported_ranges.insert(range) || !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Returns the assignments of the variables in an expression, and whether some of these
    /// variables are assigned elsewhere. For the range of an operator, the enclosing expression is
    /// used.
    fn explaining_variables(&self, range: TextRange) -> (Vec<RelatedVariable>, bool) {
        let found = self.node_at(range);
        let nodes = found.iter().flat_map(|it| it.descendants());
        let variables = nodes.filter_map(VariableExpr::cast);
        let mut explaining_variables: Vec<RelatedVariable> = Vec::new();
        let mut depends_on_external = false;
        for variable in variables.take(MAX_VARIABLES) {
            let Some(name) = variable.name() else {
                continue;
            };
            let known = self.flow.get(&self.variable_key(&name));
            let Some((known, at)) = known.and_then(|it| Some((it, it.assigned_at?))) else {
                depends_on_external |= !has_certain_keys(&name) && !self.is_typed_parameter(&name);
                continue;
            };
            depends_on_external |= known.origin == Origin::External && self.is_of_parameter(at);
            let here = at == variable.syntax().text_range();
            let few = explaining_variables.len() < MAX_RELATED_VARIABLES;
            if few && !here && explaining_variables.iter().all(|it| it.range != at) {
                explaining_variables.push(RelatedVariable {
                    range: at,
                    variable: name,
                    type_: known.inferred.type_.clone(),
                });
            }
        }
        (explaining_variables, depends_on_external)
    }

    /// Checks whether a variable is bound by a parameter of the item. Its type may follow from a default
    /// that other code computes.
    fn is_of_parameter(&self, range: TextRange) -> bool {
        let node = self.node_at(range);
        let mut nodes = node.iter().flat_map(|it| it.ancestors());
        nodes.any(|it| it.kind() == SyntaxKind::PARAMETER)
            && nodes.all(|it| it.kind() != SyntaxKind::LAMBDA)
    }

    /// Reports a problem wherever the inference is, even in unreachable code.
    pub(super) fn report_anywhere(&mut self, range: TextRange, kind: TypeProblemKind) {
        if self.suppressed_depth == 0 {
            self.reported_ranges.insert(range);
            self.problems.push(TypeProblem {
                range,
                kind,
                related: Vec::new(),
                depends_on_external: false,
                is_uncertain: self.is_uncertain,
                is_default: self.is_default,
            });
        }
    }

    /// Checks whether a definition belongs to a module whose version is not the one that the item requires.
    pub(super) fn is_of_other_version(&self, definition: FileInput) -> bool {
        is_of_other_version(self.db, self.item.file(self.db), definition)
    }

    /// Runs a check against a definition, whose problems are uncertain if it belongs to a module of
    /// a version other than the required one.
    pub(super) fn check_against<T>(
        &mut self,
        definition: Option<FileInput>,
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let is_uncertain = definition.is_some_and(|it| self.is_of_other_version(it));
        let before = std::mem::replace(&mut self.is_uncertain, is_uncertain);
        let result = check(self);
        self.is_uncertain = before;
        result
    }

    /// Infers code without reporting problems, because it will be inferred again.
    pub(super) fn without_reporting<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.suppressed_depth += 1;
        let result = work(self);
        self.suppressed_depth -= 1;
        result
    }

    /// Infers code that reports problems, unless it is certainly never evaluated.
    pub(super) fn reporting_unless<T>(
        &mut self,
        never: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        match never {
            true => self.without_reporting(work),
            false => work(self),
        }
    }

    /// Assigns a variable.
    pub(super) fn bind(&mut self, name: &str, inferred: Inferred, origin: Origin, at: TextRange) {
        let inferred = inferred.bounded();
        if !self.is_in_lambda() && !self.flow.is_unreachable() {
            self.join_assigned(name, inferred.clone());
        }
        let variable = VariableState::local(inferred, origin, Some(at));
        self.flow.set(name, variable);
    }

    /// Joins a value to those assigned to a variable of the item's own scope.
    pub(super) fn join_assigned(&mut self, name: &str, inferred: Inferred) {
        let before = self.assigned.remove(name);
        let all = before.into_iter().chain([inferred]);
        self.assigned.insert(name.to_owned(), Inferred::union(all));
    }

    /// Checks whether the current scope is a lambda.
    pub(super) fn is_in_lambda(&self) -> bool {
        self.exit_scopes.last().is_some_and(|it| it.is_lambda)
    }

    /// Runs `work`, and returns its result with its origin: whether it depends on other code or on
    /// facts.
    pub(super) fn with_origin<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Origin) {
        let before = std::mem::take(&mut self.depends_on_external);
        let result = work(self);
        let origin = match self.depends_on_external {
            true => Origin::External,
            false => Origin::Code,
        };
        self.depends_on_external |= before;
        (result, origin)
    }
}
