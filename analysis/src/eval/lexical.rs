//! What is constant in a file, as far as the file alone shows it.
//!
//! Nothing is run here in the order of a program. An expression anywhere in a file is evaluated
//! where it stands, and a variable in it has the value of the assignment that was certainly made
//! before, in the same scope or one that it can see. As Puppet assigns a variable only once in a
//! scope, that value holds wherever the assignment comes first. Whatever may come from elsewhere
//! (parameters, facts, other classes, scopes that the caller decides on) is unknown.

use std::cell::{Cell, RefCell};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Assignment, AstNode, Expr, HasBody, Heredoc, HeredocBodies, IfExpr, Parameter};
use syntax::validation::PuppetVersion;
use syntax::{SyntaxKind, SyntaxNode, TextRange, TextSize};

use super::assignments::assigned_variables;
use super::budget::Budget;
use super::expressions::{Environment, Evaluator};
use super::functions::{BuiltInFunctions, FunctionDefinitions};
use super::stop::Evaluated;
use super::{Context, Found, Halt, Outcome};
use crate::types::reader::{BuiltInTypes, TypeNames};
use crate::values::Value;

/// How much work one question may be.
const BUDGET: u64 = 500_000;
/// How much work all questions to one [`Constants`] may be.
const TOTAL_BUDGET: u64 = 20_000_000;

/// Answers what is constant in one file.
pub struct Constants {
    context: Context,
    budget: Budget,
    total: Cell<u64>,
    /// What each lambda, definition or file gives its variables.
    scopes: FxHashMap<SyntaxNode, Names>,
    /// The tag of the heredoc whose text starts there.
    tags: FxHashMap<TextSize, SyntaxNode>,
    /// Where something may set the match variables, in order.
    matches: Vec<TextSize>,
    damage: Damage,
    known: RefCell<FxHashMap<TextSize, Outcome>>,
}

/// The names of a scope.
#[derive(Default)]
struct Names {
    parameters: FxHashSet<String>,
    /// The assignments to each name, in the order of the text.
    assignments: FxHashMap<String, Vec<Assigned>>,
}

/// An assignment to one variable.
struct Assigned {
    assignment: SyntaxNode,
    /// Where it is evaluated; for one in the text of a heredoc, that is at the tag.
    start: TextSize,
    /// The statements among which it is made whenever they are run; nothing if it is part of an
    /// expression that may not be evaluated.
    block: Option<TextRange>,
}

impl Constants {
    /// Looks through a file; `damage` is where it has errors.
    pub fn new(file: &SyntaxNode, damage: Vec<TextRange>, version: PuppetVersion) -> Constants {
        let mut constants = Constants {
            context: Context::new(version),
            budget: Budget::new(0),
            total: Cell::new(TOTAL_BUDGET),
            scopes: FxHashMap::default(),
            tags: tags(file),
            matches: matches(file),
            damage: Damage::new(damage),
            known: RefCell::default(),
        };
        for node in file.descendants() {
            match node.kind() {
                SyntaxKind::ASSIGNMENT => constants.add_assignment(node),
                SyntaxKind::PARAMETER => constants.add_parameter(node),
                _ => {}
            }
        }
        constants
    }

    fn add_parameter(&mut self, node: SyntaxNode) {
        let is_list = |it: &SyntaxNode| it.kind() == SyntaxKind::PARAMETER_LIST;
        let holder = node.parent().filter(is_list).and_then(|it| it.parent());
        // The list of a template stands in its first tag.
        let scope = match holder {
            Some(it) if it.kind() == SyntaxKind::EPP_PARAMETERS => it.parent(),
            holder => holder,
        };
        let name = Parameter::cast(node).and_then(|it| it.name());
        if let (Some(scope), Some(name)) = (scope, name) {
            let names = self.scopes.entry(scope).or_default();
            names.parameters.insert(name);
        }
    }

    fn add_assignment(&mut self, node: SyntaxNode) {
        let Some(assignment) = Assignment::cast(node) else {
            return;
        };
        let Some(scope) = self.scope_of(assignment.syntax()) else {
            return;
        };
        let start = self.place(assignment.syntax());
        let block = statements_around(assignment.syntax());
        let names = self.scopes.entry(scope).or_default();
        for token in assigned_variables(&assignment) {
            let name = token.text().trim_start_matches('$').to_owned();
            names.assignments.entry(name).or_default().push(Assigned {
                assignment: assignment.syntax().clone(),
                start,
                block,
            });
        }
    }

    /// The node around `node`; around the text of a heredoc, that is what lies around its tag.
    fn parent(&self, node: &SyntaxNode) -> Option<SyntaxNode> {
        if node.kind() == SyntaxKind::HEREDOC_BODY {
            return self.tags.get(&node.text_range().start()).cloned();
        }
        node.parent()
    }

    /// The nodes around `node`, from the inside out.
    fn around<'a>(&'a self, node: &SyntaxNode) -> impl Iterator<Item = SyntaxNode> + 'a {
        std::iter::successors(self.parent(node), |it| self.parent(it))
    }

    /// Where a node is evaluated: the text of a heredoc, where its tag stands.
    fn place(&self, node: &SyntaxNode) -> TextSize {
        let texts = self
            .around(node)
            .filter(|it| it.kind() == SyntaxKind::HEREDOC_BODY);
        let tag = texts.last().and_then(|it| self.parent(&it));
        tag.as_ref().unwrap_or(node).text_range().start()
    }

    fn scope_of(&self, node: &SyntaxNode) -> Option<SyntaxNode> {
        self.around(node).find(|it| has_scope(it.kind()))
    }

    /// The value of an expression of the file, if it is constant.
    ///
    /// # Errors
    ///
    /// Puppet's error, or why it is not known.
    pub fn constant(&self, expr: &Expr) -> Evaluated {
        let granted = BUDGET.min(self.total.get());
        self.budget.refill(granted);
        let result = self.evaluate(expr, |_, value| Ok(value));
        let spent = granted - self.budget.left();
        self.total.set(self.total.get() - spent);
        result
    }

    /// Evaluates in a scope of its own, and asks that for the result.
    fn evaluate(
        &self,
        expr: &Expr,
        result: impl FnOnce(&Evaluator<'_>, Value) -> Outcome,
    ) -> Evaluated {
        let range = expr.syntax().text_range();
        if self.damage.touches(range) {
            return Err(Halt::unknown("the code is damaged").into());
        }
        let mut evaluator = Evaluator::new(&self.context, self, &self.budget, false);
        let value = evaluator.expr(expr)?;
        Ok(result(&evaluator, value)?)
    }

    /// What an assignment gives a variable.
    fn assigned(&self, assigned: &Assigned, name: &str) -> Outcome {
        let key = assigned.assignment.text_range().start();
        let is_single = assigned
            .assignment
            .first_child()
            .is_some_and(|it| it.kind() == SyntaxKind::VARIABLE_EXPR);
        if is_single && let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let Some(expr) = Expr::cast(assigned.assignment.clone()) else {
            return Err(Halt::unknown("the code is incomplete"));
        };
        let outcome = self
            .evaluate(&expr, |evaluator, _| {
                let value = match evaluator.scope().get(name) {
                    Some(Found::Value(value)) => Some(value.clone()),
                    _ => None,
                };
                value.ok_or_else(|| Halt::unknown("it is not assigned"))
            })
            .map_err(|it| it.at_the_outside().0);
        // An answer that only the lack of budget gave is none for the next question.
        if is_single && (outcome.is_ok() || self.budget.spend(1).is_ok()) {
            self.known.borrow_mut().insert(key, outcome.clone());
        }
        outcome
    }
}

/// Whether a node has variables of its own.
fn has_scope(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        LAMBDA
            | CLASS_DEFINITION
            | DEFINE_DEFINITION
            | PLAN_DEFINITION
            | FUNCTION_DEFINITION
            | NODE_DEFINITION
            | TYPE_DEFINITION
            | APPLY_EXPR
            | SOURCE_FILE
            | TEMPLATE
    )
}

/// The block in which an assignment is a statement, also as part of a chain of assignments.
fn statements_around(assignment: &SyntaxNode) -> Option<TextRange> {
    let mut at = assignment.parent()?;
    while matches!(at.kind(), SyntaxKind::ASSIGNMENT | SyntaxKind::PAREN_EXPR) {
        at = at.parent()?;
    }
    let is_block = matches!(
        at.kind(),
        SyntaxKind::BLOCK | SyntaxKind::SOURCE_FILE | SyntaxKind::TEMPLATE
    );
    is_block.then(|| at.text_range())
}

/// The tag of each heredoc of a file, by where its text starts.
fn tags(file: &SyntaxNode) -> FxHashMap<TextSize, SyntaxNode> {
    let mut heredocs = file.descendants().filter_map(Heredoc::cast).peekable();
    if heredocs.peek().is_none() {
        return FxHashMap::default();
    }
    let bodies = HeredocBodies::of(file);
    let tagged = heredocs.filter_map(|it| {
        let body = bodies.body(&it)?.syntax().text_range().start();
        Some((body, it.syntax().clone()))
    });
    tagged.collect()
}

/// Where something in a file may set the match variables.
fn matches(file: &SyntaxNode) -> Vec<TextSize> {
    use SyntaxKind::*;
    let is_match = |kind| matches!(kind, MATCH | NOT_MATCH | IN_KW | CASE_EXPR | SELECTOR_EXPR);
    file.descendants_with_tokens()
        .filter(|it| is_match(it.kind()))
        .map(|it| it.text_range().start())
        .collect()
}

/// Where a file has errors.
struct Damage {
    /// In order of their starts, each with the furthest end so far.
    ranges: Vec<(TextSize, TextSize)>,
}

impl Damage {
    fn new(mut ranges: Vec<TextRange>) -> Damage {
        ranges.sort_by_key(|it| it.start());
        let mut furthest = TextSize::default();
        let ranges = ranges.into_iter().map(|it| {
            furthest = furthest.max(it.end());
            (it.start(), furthest)
        });
        Damage {
            ranges: ranges.collect(),
        }
    }

    /// Whether an error lies in `range` or next to it.
    fn touches(&self, range: TextRange) -> bool {
        let behind = self.ranges.partition_point(|it| it.0 <= range.end());
        behind > 0 && self.ranges[behind - 1].1 >= range.start()
    }
}

fn elsewhere(name: &str) -> Halt {
    Halt::unknown(format!("${name} is not assigned here"))
}

impl Environment for Constants {
    fn variable(&self, at: &SyntaxNode, name: &str) -> Outcome {
        let place = self.place(at);
        for scope in self.around(at).filter(|it| has_scope(it.kind())) {
            let names = self.scopes.get(&scope);
            if names.is_some_and(|it| it.parameters.contains(name)) {
                return Err(Halt::unknown(format!("${name} is a parameter")));
            }
            let all = names.and_then(|it| it.assignments.get(name));
            let mut earlier = all.into_iter().flatten().filter(|it| it.start < place);
            match (earlier.next(), earlier.next()) {
                (None, _) if scope.kind() == SyntaxKind::LAMBDA => {}
                (None, _) => return Err(elsewhere(name)),
                (Some(only), None) if only.is_made_before(place) => {
                    return self.assigned(only, name);
                }
                _ => return Err(Halt::unknown(format!("${name} may have several values"))),
            }
        }
        Err(elsewhere(name))
    }

    fn group(&self, at: &SyntaxNode, number: usize) -> Outcome {
        let not_here = || Halt::unknown("the match that it is about is not known");
        let place = at.text_range().start();
        let mut inner = at.clone();
        for outer in self.around(at) {
            if inner.kind() == SyntaxKind::HEREDOC_BODY || has_scope(outer.kind()) {
                break;
            }
            match IfExpr::cast(outer.clone()) {
                Some(it) => match self.group_of_condition(&it, &inner, place, number) {
                    Some(outcome) => return outcome,
                    None => inner = outer,
                },
                None => inner = outer,
            }
        }
        Err(not_here())
    }

    fn assign_at_top(&self, _name: &str) -> Outcome<()> {
        Ok(())
    }

    fn functions(&self) -> &dyn FunctionDefinitions {
        &BuiltInFunctions
    }

    fn unknown_function(&self, name: &str) -> Halt {
        Halt::unknown(format!("what the function {name} does is not known"))
    }

    fn types(&self) -> &dyn TypeNames {
        &BuiltInTypes
    }

    fn unknown_type(&self, name: &str) -> Halt {
        Halt::unknown(format!("the type {name} is not known"))
    }
}

impl Assigned {
    /// Whether it is certain that the assignment has been made when `place` is reached.
    fn is_made_before(&self, place: TextSize) -> bool {
        self.assignment.text_range().end() <= place
            && self.block.is_some_and(|it| it.contains(place))
    }
}

impl Constants {
    /// What the condition of an `if` captured, for the statements inside of its first block;
    /// nothing if the condition has nothing to do with it.
    fn group_of_condition(
        &self,
        expr: &IfExpr,
        inner: &SyntaxNode,
        place: TextSize,
        number: usize,
    ) -> Option<Outcome> {
        let condition = expr.condition()?;
        if inner == condition.syntax() {
            return Some(Err(Halt::unknown("a match of the same condition")));
        }
        if !self.may_match(condition.syntax().text_range()) {
            return None;
        }
        let body = expr.body()?;
        let start = body.syntax().text_range().start();
        if body.syntax() != inner || self.may_match(TextRange::new(start, place)) {
            return Some(Err(Halt::unknown("one of several matches")));
        }
        let outcome = self.evaluate(&condition, |evaluator, value| {
            let group = evaluator.scope().group(number);
            let found = group.filter(|_| value.is_truthy());
            found.ok_or_else(|| Halt::unknown("the condition does not match"))
        });
        Some(outcome.map_err(|it| it.at_the_outside().0))
    }

    /// Whether something in `range` may set the match variables.
    fn may_match(&self, range: TextRange) -> bool {
        let first = self.matches.partition_point(|it| *it < range.start());
        self.matches.get(first).is_some_and(|it| *it < range.end())
    }
}

#[cfg(test)]
mod tests;
