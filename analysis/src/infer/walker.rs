//! The walk through an item: what it carries along, and what it writes down.

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
use crate::db::{EnvironmentInput, SettingsInput};
use crate::eval::{Budget, Context};
use crate::types::Type;
use crate::workspace::classes::evaluated_before;
use crate::workspace::{Item, ItemKind};
use syntax::ast::HeredocBodies;

/// How many expressions of an item are looked at, those counted again that are looked at again.
/// Beyond that, nothing is known: hostile code may nest what has to be looked at several times.
const MAX_STEPS: usize = 3_000_000;

/// About how long the code of an expression is, in bytes, with what stands between.
const BYTES_A_CLAIM: usize = 32;

/// So many variables of an expression are looked at to explain a problem, and so many explain it.
const MAX_VARIABLES: usize = 20;
const MAX_REASONS: usize = 3;

/// What `return`, `next` and `break` leave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Frame {
    /// What `next` gave.
    pub(super) results: Vec<Inferred>,
    /// What `return` gave, in a function.
    pub(super) returned: Vec<Inferred>,
    /// Whether `break` was called.
    pub(super) breaks: bool,
    /// Whether it is a block; if not, it is a function or another definition.
    pub(super) is_block: bool,
}

impl Frame {
    /// Takes in what is left further on.
    pub(super) fn extend(&mut self, other: &Frame) {
        self.results.extend_from_slice(&other.results);
        self.returned.extend_from_slice(&other.returned);
        self.breaks |= other.breaks;
    }
}

/// The walk through an item.
pub(super) struct Walker<'db> {
    pub(super) db: &'db dyn Database,
    pub(super) item: Item<'db>,
    pub(super) environment: Option<EnvironmentInput>,
    pub(super) types: WorkspaceTypes<'db>,
    pub(super) flow: Flow,
    /// Whether what the statement or value has come to so far depends on other code or on facts.
    pub(super) outside: bool,
    /// What is left at the moment, the innermost last.
    pub(super) frames: Vec<Frame>,
    pub(super) context: Context,
    pub(super) budget: Budget,
    pub(super) root: SyntaxNode,
    heredocs: OnceCell<HeredocBodies>,
    /// What is known of each place, in the order in which they were first met.
    pub(super) claims: Vec<Claim>,
    /// Where the claims of a place are.
    places: FxHashMap<(TextRange, Subject), usize>,
    /// What the variables of the item's own scope were given.
    pub(super) assigned: FxHashMap<String, Inferred>,
    pub(super) problems: Vec<Problem>,
    /// Above zero where the same code is looked at again afterwards.
    pub(super) quiet: u32,
    pub(super) steps: usize,
    /// What is not looked at.
    part: Part,
    /// Whether the tree is that of the item itself.
    pub(super) is_whole: bool,
    /// The variables that the code may read of those that are not its own, if it is known.
    pub(super) reads: Option<FxHashSet<String>>,
    /// Whether it has read another one.
    pub(super) strays: bool,
}

/// The parameters of a definition, and its body, if it has one; nothing of what is not evaluated.
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

/// How much work all constant evaluations of an item may be.
pub(super) const EVALUATION_BUDGET: u64 = 2_000_000;

impl<'db> Walker<'db> {
    pub(super) fn new(db: &'db dyn Database, item: Item<'db>) -> Walker<'db> {
        Walker {
            is_whole: true,
            ..Walker::over(db, item, item.syntax(db), Part::default())
        }
    }

    /// A walk through a part of a tree that is, but for what is just being written, that of an item.
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

    /// Walks through the item.
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
        // A body of one statement is the same place as that, which may have been taken over.
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

    /// Walks through the parameters and the body; what the last statement gives.
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

    /// Walks up to the body.
    pub(super) fn header(&mut self, parameters: &[Parameter]) {
        for class in evaluated_before(self.db, self.item) {
            self.flow.declare_class(class);
        }
        self.parameters(parameters);
    }

    /// What a function gives: its last statement, or what it returned before.
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
        // Puppet does not hold what is returned against the declared type.
        Inferred::union(frame.returned.into_iter().chain([result]))
    }

    /// What a plan gives: what it returns. What its last statement gives is dropped.
    fn plan_result(&mut self) -> Inferred {
        let frame = self.frames.pop().unwrap_or_default();
        let end = match self.flow.is_dead() {
            true => Inferred::never(),
            false => Inferred::of(Type::Undef),
        };
        Inferred::union(frame.returned.into_iter().chain([end]))
    }

    /// The variables of the item's own scope, as they were assigned: what conditions say about
    /// them afterwards, others do not know yet when they read them. One that some way through the
    /// code leaves without a value may be undef: Puppet says so unless it is strict.
    fn own_variables(&mut self) -> FxHashMap<String, Inferred> {
        let names = &crate::workspace::variables::variables(self.db, self.item).names;
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

    /// The lines of heredocs, looked for when the first one is met.
    pub(super) fn heredocs(&self) -> &HeredocBodies {
        self.heredocs.get_or_init(|| HeredocBodies::of(&self.root))
    }

    /// Whether a statement or parameter is not looked at.
    pub(super) fn leaves_out(&self, node: &SyntaxNode) -> bool {
        self.part.leaves_out(node)
    }

    /// Whether there has been too much to do.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps > MAX_STEPS
    }

    /// Writes down what is known of an expression.
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

    /// What was last written down of an expression.
    pub(super) fn noted(&self, expr: &Expr) -> Option<&Inferred> {
        let range = expr.syntax().text_range();
        let place = self.places.get(&(range, Subject::Expression))?;
        self.claims.get(*place).map(|it| &it.inferred)
    }

    /// Whether nothing is reported now.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet > 0 || self.flow.is_dead()
    }

    /// The smallest node around a place.
    pub(super) fn node_at(&self, range: TextRange) -> Option<SyntaxNode> {
        match self.root.covering_element(range) {
            NodeOrToken::Node(node) => Some(node),
            NodeOrToken::Token(token) => token.parent(),
        }
    }

    /// Writes down a problem, with the places that explain it, unless nothing gets here or this
    /// code is looked at again.
    pub(super) fn report(&mut self, range: TextRange, kind: ProblemKind) {
        self.report_of(range, range, kind);
    }

    /// The same for something that is so because of what stands in another place.
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

    /// Where the variables of an expression have got what is known of them, and whether there are
    /// some that other code gives a value. For an operator, that is the expression around it.
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

    /// Writes down a problem of code that nothing gets to.
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

    /// Does something without reporting: the same is done again afterwards.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let result = work(self);
        self.quiet -= 1;
        result
    }

    /// Gives a variable its value.
    pub(super) fn bind(&mut self, name: &str, inferred: Inferred, origin: Origin, at: TextRange) {
        if !self.is_in_block() && !self.flow.is_dead() {
            self.assigned_also(name, inferred.clone());
        }
        let variable = Variable::own(inferred, origin, Some(at));
        self.flow.set(name, variable);
    }

    /// One of the values that a variable of the item's own scope is given.
    pub(super) fn assigned_also(&mut self, name: &str, inferred: Inferred) {
        let before = self.assigned.remove(name);
        let all = before.into_iter().chain([inferred]);
        self.assigned.insert(name.to_owned(), Inferred::union(all));
    }

    /// Whether the code is that of a block.
    pub(super) fn is_in_block(&self) -> bool {
        self.frames.last().is_some_and(|it| it.is_block)
    }

    /// Does something, and tells whether what it came to depends on other code or on facts.
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
