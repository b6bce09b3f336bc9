//! The inference engine: the state that it carries through an item, and the results that it
//! records.

use std::cell::OnceCell;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use salsa::Database;
use syntax::ast::{
    AstNode, Block, Definition, Expr, HasBody, HasParameters, Parameter, SourceFile, VariableExpr,
};
use syntax::{NodeOrToken, SyntaxNode, TextRange};

use super::flow::{Flow, Origin, Variable};
use super::header::kept;
use super::inferred::Inferred;
use super::part::Part;
use super::problem::{Problem, ProblemKind, Reason};
use super::told::Shift;
use super::{Claim, Inference, Subject, WorkspaceTypes};
use base::db::{EnvironmentInput, SettingsInput};
use eval::{Budget, Context};
use hir::classes::evaluated_before;
use hir::{Item, ItemKind};
use syntax::ast::HeredocBodies;
use types::Type;

/// The maximum number of expressions inferred for one item, counting repeated visits. Beyond it,
/// everything is unknown: hostile code can nest constructs that are visited several times.
const MAX_STEPS: usize = 3_000_000;

/// The estimated source length per typed range, in bytes; used to preallocate.
const BYTES_A_CLAIM: usize = 32;

/// Limits on explaining a problem: the number of variables of an expression that are considered,
/// and the number of those that are reported.
const MAX_VARIABLES: usize = 20;
const MAX_REASONS: usize = 3;

/// A scope that `return`, `next` or `break` can leave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Frame {
    /// The values passed to `next`.
    pub(super) results: Vec<Inferred>,
    /// The values passed to `return`, in a function.
    pub(super) returned: Vec<Inferred>,
    /// Whether `break` was called.
    pub(super) breaks: bool,
    /// Whether the scope is a lambda; otherwise it is a function or another definition.
    pub(super) is_block: bool,
}

impl Frame {
    /// Adds the exits of a part of the same scope.
    pub(super) fn extend(&mut self, other: &Frame) {
        self.results.extend_from_slice(&other.results);
        self.returned.extend_from_slice(&other.returned);
        self.breaks |= other.breaks;
    }
}

/// Infers one item.
pub(super) struct Walker<'db> {
    pub(super) db: &'db dyn Database,
    pub(super) item: Item<'db>,
    pub(super) environment: Option<EnvironmentInput>,
    pub(super) types: WorkspaceTypes<'db>,
    pub(super) flow: Flow,
    /// Whether the current statement or value depends on other code or on facts so far.
    pub(super) outside: bool,
    /// The scopes that are currently open, innermost last.
    pub(super) frames: Vec<Frame>,
    pub(super) context: Context,
    pub(super) budget: Budget,
    pub(super) root: SyntaxNode,
    heredocs: OnceCell<HeredocBodies>,
    /// The typed ranges, in the order in which they were first visited.
    pub(super) claims: Vec<Claim>,
    /// The index in `claims` of each typed range.
    places: FxHashMap<(TextRange, Subject), usize>,
    /// The values assigned to the variables of the item's own scope.
    pub(super) assigned: FxHashMap<String, Inferred>,
    pub(super) problems: Vec<Problem>,
    /// Greater than zero while code is inferred that will be inferred again.
    pub(super) quiet: u32,
    pub(super) steps: usize,
    /// The statements and parameters to skip.
    part: Part,
    /// Whether the tree is the item's own, rather than a modified copy.
    pub(super) is_whole: bool,
    /// The variables from outside that the code may read, if they are restricted.
    pub(super) reads: Option<FxHashSet<String>>,
    /// Whether it has read any other variable.
    pub(super) strays: bool,
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

impl<'db> Walker<'db> {
    pub(super) fn new(db: &'db dyn Database, item: Item<'db>) -> Walker<'db> {
        Walker {
            is_whole: true,
            ..Walker::over(db, item, item.syntax(db), Part::default())
        }
    }

    /// Infers a tree that may differ from that of the item, except for the parts to skip.
    pub(super) fn over(
        db: &'db dyn Database,
        item: Item<'db>,
        root: SyntaxNode,
        part: Part,
    ) -> Walker<'db> {
        let environment = item.file(db).environment(db);
        let version = SettingsInput::get(db).version(db);
        Walker {
            db,
            item,
            environment,
            types: WorkspaceTypes::new(db, environment),
            flow: Flow::default(),
            outside: false,
            frames: vec![Frame::default()],
            context: Context::new(version),
            budget: Budget::new(EVALUATION_BUDGET),
            claims: Vec::with_capacity(usize::from(root.text_range().len()) / BYTES_A_CLAIM),
            root,
            heredocs: OnceCell::new(),
            places: FxHashMap::default(),
            assigned: FxHashMap::default(),
            problems: Vec::new(),
            quiet: 0,
            steps: 0,
            part,
            is_whole: false,
            reads: None,
            strays: false,
        }
    }

    /// Infers the item.
    pub(super) fn run(mut self) -> Inference {
        let last = self.item_body();
        let result = match self.item.kind(self.db) {
            ItemKind::Function => Some(self.result(last)),
            ItemKind::Plan => Some(self.plan_result()),
            _ => None,
        };
        let variables = self.own_variables();
        let mut claims = self.claims;
        let order = |it: &Claim| {
            (
                it.range.start(),
                std::cmp::Reverse(it.range.end()),
                it.subject,
            )
        };
        claims.sort_unstable_by_key(order);
        // The body of a definition may have the same range as its only statement, whose typed range
        // may come from a summary.
        claims.dedup_by_key(|it| (it.range, it.subject));
        claims.shrink_to_fit();
        self.problems
            .sort_by_key(|it| (it.range.start(), it.range.end()));
        Inference {
            claims,
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
            return self.statements_of(root.text_range(), file.statements());
        }
        let Some((parameters, body)) = parameters_and_body(&root) else {
            return Inferred::never();
        };
        let known = self.is_whole.then(|| kept(self.db, self.item));
        match known.flatten() {
            Some(told) => {
                let all = Shift::new(TextRange::up_to(root.text_range().len()), Vec::new());
                self.take_over(told, &all);
            }
            None => self.header(&parameters),
        }
        match body {
            Some(body) => self.statements_of(body.syntax().text_range(), body.statements()),
            None => Inferred::UNKNOWN,
        }
    }

    /// Infers everything before the body.
    pub(super) fn header(&mut self, parameters: &[Parameter]) {
        for class in evaluated_before(self.db, self.item) {
            self.flow.declare_class(class);
        }
        self.parameters(parameters);
    }

    /// Returns the type of a function's result: of its last statement and of all values passed to
    /// `return`.
    fn result(&mut self, last: Inferred) -> Inferred {
        let frame = self.frames.pop().unwrap_or_default();
        let last = if self.flow.is_dead() {
            Inferred::never()
        } else {
            self.check_last();
            last
        };
        let result = Inferred::union(frame.results.into_iter().chain([last]));
        let result = self.declared_result(result);
        // Puppet does not check the argument of `return` against the declared type.
        Inferred::union(frame.returned.into_iter().chain([result]))
    }

    /// Returns the type of a plan's result: only of the values passed to `return`, since Puppet
    /// drops the value of the last statement.
    fn plan_result(&mut self) -> Inferred {
        let frame = self.frames.pop().unwrap_or_default();
        let end = match self.flow.is_dead() {
            true => Inferred::never(),
            false => Inferred::of(Type::Undef),
        };
        Inferred::union(frame.returned.into_iter().chain([end]))
    }

    /// Returns the variables of the item's own scope with their assigned types; narrowing by later
    /// conditions does not hold for other readers. A variable that is unassigned on some path may
    /// be undef, as Puppet only fails if it is strict.
    fn own_variables(&mut self) -> FxHashMap<String, Inferred> {
        let names = &hir::variables::variables(self.db, self.item).names;
        let known = names.iter().map(|name| {
            let found = self.assigned.remove(name).unwrap_or(Inferred::UNKNOWN);
            let is_set = |it: &Variable| it.own && !it.maybe_unassigned;
            let found = match self.flow.get(name).is_some_and(is_set) || self.flow.is_dead() {
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

    /// Checks whether a statement or parameter is skipped.
    pub(super) fn leaves_out(&self, node: &SyntaxNode) -> bool {
        self.part.leaves_out(node)
    }

    /// Counts an inferred expression, and returns whether the limit is exceeded.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps > MAX_STEPS
    }

    /// Records an inferred type.
    pub(super) fn note(&mut self, range: TextRange, subject: Subject, inferred: &Inferred) {
        let inferred = inferred.clone();
        match self.places.entry((range, subject)) {
            Entry::Occupied(known) => {
                if let Some(claim) = self.claims.get_mut(*known.get()) {
                    claim.inferred = inferred;
                }
            }
            Entry::Vacant(place) => {
                place.insert(self.claims.len());
                self.claims.push(Claim {
                    range,
                    subject,
                    inferred,
                });
            }
        }
    }

    /// Returns the type last recorded for an expression.
    pub(super) fn noted(&self, expr: &Expr) -> Option<&Inferred> {
        let range = expr.syntax().text_range();
        let place = self.places.get(&(range, Subject::Expression))?;
        self.claims.get(*place).map(|it| &it.inferred)
    }

    /// Checks whether problems are currently suppressed.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet > 0 || self.flow.is_dead()
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
    pub(super) fn report(&mut self, range: TextRange, kind: ProblemKind) {
        self.report_of(range, range, kind);
    }

    /// Reports a problem at `range` that is caused by the expression at `cause`.
    pub(super) fn report_of(&mut self, range: TextRange, cause: TextRange, kind: ProblemKind) {
        if self.is_quiet() {
            return;
        }
        let (related, foreign) = self.reasons(cause);
        let problem = Problem {
            range,
            kind,
            related,
            foreign,
        };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Returns the assignments of the variables in an expression, and whether some of these
    /// variables are assigned elsewhere. For the range of an operator, the enclosing expression is
    /// used.
    fn reasons(&self, range: TextRange) -> (Vec<Reason>, bool) {
        let found = self.node_at(range);
        let nodes = found.iter().flat_map(|it| it.descendants());
        let variables = nodes.filter_map(VariableExpr::cast);
        let mut reasons: Vec<Reason> = Vec::new();
        let mut foreign = false;
        for variable in variables.take(MAX_VARIABLES) {
            let Some(name) = variable.name() else {
                continue;
            };
            let known = self.flow.get(&self.variable_key(&name));
            let Some((known, at)) = known.and_then(|it| Some((it, it.assigned_at?))) else {
                foreign = true;
                continue;
            };
            let here = at == variable.syntax().text_range();
            let few = reasons.len() < MAX_REASONS;
            if few && !here && reasons.iter().all(|it| it.range != at) {
                reasons.push(Reason {
                    range: at,
                    variable: name,
                    type_: known.inferred.type_.clone(),
                });
            }
        }
        (reasons, foreign)
    }

    /// Reports a problem in unreachable code.
    pub(super) fn report_dead(&mut self, range: TextRange, kind: ProblemKind) {
        if self.quiet == 0 {
            self.problems.push(Problem {
                range,
                kind,
                related: Vec::new(),
                foreign: false,
            });
        }
    }

    /// Infers code without reporting problems, because it will be inferred again.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let result = work(self);
        self.quiet -= 1;
        result
    }

    /// Assigns a variable.
    pub(super) fn bind(&mut self, name: &str, inferred: Inferred, origin: Origin, at: TextRange) {
        if !self.is_in_block() && !self.flow.is_dead() {
            self.assigned_also(name, inferred.clone());
        }
        let variable = Variable::own(inferred, origin, Some(at));
        self.flow.set(name, variable);
    }

    /// Joins a value to those assigned to a variable of the item's own scope.
    pub(super) fn assigned_also(&mut self, name: &str, inferred: Inferred) {
        let before = self.assigned.remove(name);
        let all = before.into_iter().chain([inferred]);
        self.assigned.insert(name.to_owned(), Inferred::union(all));
    }

    /// Checks whether the current scope is a lambda.
    pub(super) fn is_in_block(&self) -> bool {
        self.frames.last().is_some_and(|it| it.is_block)
    }

    /// Runs `work`, and returns its result with its origin: whether it depends on other code or on
    /// facts.
    pub(super) fn with_origin<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Origin) {
        let before = std::mem::take(&mut self.outside);
        let result = work(self);
        let origin = match self.outside {
            true => Origin::Outside,
            false => Origin::Code,
        };
        self.outside |= before;
        (result, origin)
    }
}
