//! `case` and selectors: the values that each option matches, and those left for the next one.

use syntax::ast::{AstNode, CaseExpr, Expr, HasBody, Literal, LiteralKind, SelectorExpr};
use syntax::{SyntaxKind, TextRange};

use super::conditions::gives_truth;
use super::expressions::Element;
use super::flow::{Branch, Groups, Key, Mark};
use super::groups::{self, Captured};
use super::inferred::Inferred;
use super::problem::ProblemKind;
use super::subsets;
use super::walker::Walker;
use types::precise::intersection;
use types::values::Value;
use types::{Type, is_resolved_value};

/// The maximum number of variables whose narrowing is carried from option to option; beyond it,
/// only the narrowing of the subject is.
const MAX_CARRIED: usize = 64;

/// A case or selector whose options are being inferred. Between options, the flow is at `start`.
struct Options {
    subject: Option<Expr>,
    /// Whether the subject is constant on purpose.
    deliberate: bool,
    /// The point after the subject.
    start: Mark,
    /// The match variables before the subject.
    groups: Groups,
    /// The remaining values of the subject after the options so far; `None` if one of them
    /// certainly matches.
    left: Option<Inferred>,
    /// The branch in which none of the options so far matches.
    unmatched: Branch,
    /// The ends of the options, with their results.
    done: Vec<(Branch, Inferred)>,
}

impl Options {
    /// Returns the range whose variables explain the type of the subject.
    fn cause(&self, option: TextRange) -> TextRange {
        let subject = self.subject.as_ref();
        subject.map_or(option, |it| it.syntax().text_range())
    }
}

/// The partition of the subject's values by an option.
struct Split {
    /// The values that match.
    matched: Option<Inferred>,
    /// The values that do not match.
    left: Option<Inferred>,
    captured: Captured,
}

impl Walker<'_> {
    pub(super) fn case_expr(&mut self, case: &CaseExpr) -> Inferred {
        let Some(mut options) = self.subject(case.subject()) else {
            return Inferred::never();
        };
        let mut default = None;
        for option in case.options() {
            let mut values: Vec<Expr> = option.values().collect();
            let count = values.len();
            values.retain(|it| !is_default(it));
            let matched = self.option(&mut options, &values);
            if values.len() < count {
                default = Some((option.body(), matched));
            } else {
                self.run_option(&mut options, matched, |this| this.block(option.body()));
            }
        }
        let range = case.syntax().text_range();
        self.missing(&options, range, default.is_some(), false);
        let (body, mut matched) = default.unwrap_or_default();
        matched.push(options.unmatched.clone());
        self.run_option(&mut options, matched, |this| match body {
            Some(body) => this.block(Some(body)),
            None => Inferred::of(Type::Undef),
        });
        self.finish(options)
    }

    pub(super) fn selector(&mut self, selector: &SelectorExpr) -> Inferred {
        let Some(mut options) = self.subject(selector.subject()) else {
            return Inferred::never();
        };
        let mut default = None;
        for entry in selector.entries() {
            match entry.matching() {
                Some(option) if is_default(&option) => default = Some(entry.value()),
                Some(option) => {
                    let matched = self.option(&mut options, &[option]);
                    self.run_option(&mut options, matched, |this| this.inner(entry.value()));
                }
                None => {}
            }
        }
        let range = selector.syntax().text_range();
        self.missing(&options, range, default.is_some(), true);
        // Puppet fails if no option matches.
        if let Some(value) = default {
            let unmatched = vec![options.unmatched.clone()];
            self.run_option(&mut options, unmatched, |this| this.inner(value));
        }
        self.finish(options)
    }

    /// Infers the subject; `None` if control never reaches the options.
    fn subject(&mut self, subject: Option<Expr>) -> Option<Options> {
        let groups = self.flow.groups().clone();
        let left = self.inner(subject.clone());
        if self.flow.is_dead() {
            return None;
        }
        let start = self.flow.mark();
        Some(Options {
            deliberate: subject.as_ref().is_none_or(|it| self.is_deliberate(it)),
            subject,
            groups,
            left: Some(left),
            unmatched: self.flow.take_back(&start),
            start,
            done: Vec::new(),
        })
    }

    /// Infers the values of an option, and returns the branches in which one of them matches.
    fn option(&mut self, options: &mut Options, values: &[Expr]) -> Vec<Branch> {
        let mut matched = Vec::new();
        self.flow.enter(options.unmatched.clone());
        for value in values {
            let before = matched.len();
            let is_dead = self.flow.is_dead();
            let is_condition = match options.left.as_ref().map(|it| &it.value) {
                Some(Some(Value::Boolean(wanted))) if is_condition(value) => Some(*wanted),
                _ => None,
            };
            let may_be_wanted = match is_condition {
                Some(wanted) => {
                    self.condition_option(options, value, wanted, &mut matched);
                    self.is_deliberate(value)
                }
                None => {
                    self.value_option(options, value, &mut matched);
                    options.deliberate
                }
            };
            let is_first_of_dead = is_dead && before == 0;
            let matches_nothing = matched.len() == before && !self.flow.is_dead();
            if !may_be_wanted && (is_first_of_dead || matches_nothing) {
                self.unreachable_option(options, value);
            }
        }
        options.unmatched = self.flow.take_back(&options.start);
        if let Some(subject) = &options.subject
            && options.unmatched.len() > MAX_CARRIED
        {
            let kept = self.place_of(subject).map(|it| it.name);
            options.unmatched.keep_only(kept.as_deref());
        }
        matched
    }

    fn unreachable_option(&mut self, options: &Options, option: &Expr) {
        let range = option.syntax().text_range();
        let is_undef = matches!(option, Expr::Literal(it) if it.kind() == Some(LiteralKind::Undef));
        let kind = ProblemKind::UnreachableOption {
            subject: match &options.left {
                Some(it) => it.type_.clone(),
                None => Type::variant([]),
            },
            guards: is_undef,
        };
        if self.flow.is_dead() {
            self.report_dead(range, kind);
        } else {
            self.report_of(range, options.cause(range), kind);
        }
    }

    /// Infers an option of `case true { CONDITION: … }`.
    fn condition_option(
        &mut self,
        options: &mut Options,
        value: &Expr,
        wanted: bool,
        matched: &mut Vec<Branch>,
    ) {
        let parted = self.parted(value);
        let (here, rest) = parted.branches(wanted);
        self.add_branch(options, here, matched);
        if rest.is_dead() {
            options.left = None;
        }
        self.flow.enter(rest);
    }

    /// Infers a value that the subject is compared with; a splat stands for several values.
    fn value_option(&mut self, options: &mut Options, value: &Expr, matched: &mut Vec<Branch>) {
        for element in self.list([value.clone()].into_iter()) {
            let element = match element {
                Element::One(it) => it,
                Element::Many(_) => Inferred::UNKNOWN,
            };
            let Some(left) = options.left.clone().filter(|_| !self.flow.is_dead()) else {
                return;
            };
            let split = split(&left, &element);
            if let Some(here) = split.matched {
                let start = self.flow.mark();
                self.subject_is(options, &left, here);
                match &split.captured {
                    Captured::Nothing => {}
                    Captured::Groups(groups) => self.flow.set_groups(groups.clone()),
                    Captured::Anything => self.flow.set_groups(None),
                }
                let here = self.flow.take_back(&start);
                self.add_branch(options, here, matched);
            }
            if let Captured::Anything = split.captured {
                self.flow.set_groups(None);
            }
            match split.left {
                Some(rest) => {
                    self.subject_is(options, &left, rest.clone());
                    options.left = Some(rest);
                }
                None => {
                    options.left = None;
                    self.flow.die();
                }
            }
        }
    }

    /// Narrows the subject in a branch.
    fn subject_is(&mut self, options: &Options, before: &Inferred, now: Inferred) {
        if let Some(subject) = &options.subject
            && before.type_ != now.type_
        {
            self.restrict(subject, now.type_);
        }
    }

    /// Rebases a branch that begins at the current point to the start of the options.
    fn add_branch(&mut self, options: &Options, branch: Branch, matched: &mut Vec<Branch>) {
        if branch.is_dead() {
            return;
        }
        let here = self.flow.take_back(&options.start);
        self.flow.enter(here.clone());
        self.flow.enter(branch);
        let whole = self.flow.take_back(&options.start);
        if !whole.is_dead() {
            matched.push(whole);
        }
        self.flow.enter(here);
    }

    /// Infers the body of an option, in the branches that reach it.
    fn run_option(
        &mut self,
        options: &mut Options,
        matched: Vec<Branch>,
        body: impl FnOnce(&mut Self) -> Inferred,
    ) {
        self.flow.join(matched);
        let result = if self.flow.is_dead() {
            Inferred::never()
        } else {
            body(self)
        };
        let branch = self.flow.take_back(&options.start);
        options.done.push((branch, result));
    }

    /// Reports values of a closed type that no option matches.
    fn missing(&mut self, options: &Options, range: TextRange, has_default: bool, fatal: bool) {
        if let Some(left) = &options.left
            && !has_default
            && !options.unmatched.is_dead()
            && !options.deliberate
            && is_closed(&left.type_)
        {
            let left = left.type_.clone();
            let cause = options.cause(range);
            self.report_of(range, cause, ProblemKind::MissingOption { left, fatal });
        }
    }

    fn finish(&mut self, options: Options) -> Inferred {
        let (branches, results): (Vec<_>, Vec<_>) = options.done.into_iter().unzip();
        let alive = branches.iter().zip(results).filter(|it| !it.0.is_dead());
        let mut results: Vec<Inferred> = alive.map(|it| it.1).collect();
        // Joined in chunks, because a join compares each result with each other one.
        while results.len() > JOINED_AT_ONCE {
            let joined = results.chunks(JOINED_AT_ONCE);
            results = joined.map(|it| Inferred::union(it.to_vec())).collect();
        }
        self.flow.join(branches);
        self.flow.set_groups(options.groups);
        Inferred::union(results)
    }
}

/// The maximum number of results joined at once.
const JOINED_AT_ONCE: usize = 32;

/// Splits the values of a subject by an option.
fn split(subject: &Inferred, option: &Inferred) -> Split {
    let open = |captured| Split {
        matched: Some(subject.clone()),
        left: Some(subject.clone()),
        captured,
    };
    let captured = groups::of_option(option);
    if let (Some(value), Some(option)) = (&subject.value, &option.value) {
        if !is_resolved_value(option) {
            return open(captured);
        }
        return match eval::option_matches(value, option) {
            Ok(found) => Split {
                matched: found.matched.then(|| subject.clone()),
                left: (!found.matched).then(|| subject.clone()),
                captured: match (found.captures, captured) {
                    (Some(it), Captured::Groups(_)) => Captured::Groups(Some(groups::known(&it))),
                    (_, captured) => captured,
                },
            },
            Err(_) => open(captured),
        };
    }
    let set = subsets::matching(option);
    if let Some(value) = &subject.value {
        let is = |type_: &Type| types::is_instance(type_, value);
        let may_match = set.within.as_ref().is_none_or(|it| is(it) != Some(false));
        let may_not = set.has.as_ref().is_none_or(|it| is(it) != Some(true));
        return Split {
            matched: may_match.then(|| subject.clone()),
            left: may_not.then(|| subject.clone()),
            captured,
        };
    }
    let matched = subsets::by_set(&subject.type_, &set, true);
    let matched = match &option.value {
        Some(Value::Hash(entries)) => matched.and_then(|it| {
            let mut entries = entries.iter();
            entries.try_fold(it, |type_, (key, option)| by_entry(&type_, key, option))
        }),
        _ => matched,
    };
    let inferred = |type_: Type| {
        if type_ == subject.type_ {
            subject.clone()
        } else {
            Inferred::of(type_)
        }
    };
    Split {
        matched: matched.map(inferred),
        left: subsets::by_set(&subject.type_, &set, false).map(inferred),
        captured,
    }
}

/// Narrows a hash or array type by the entry of an option that is itself a collection.
fn by_entry(type_: &Type, key: &Value, option: &Value) -> Option<Type> {
    let key = match key {
        Value::String(it) => Key::Name(it.to_string()),
        Value::Integer(it) => Key::Index(*it),
        _ => return Some(type_.clone()),
    };
    let option = Inferred::value(option.clone());
    match subsets::matching(&option).within {
        Some(part) => subsets::by_part(type_, &[key], &part, true),
        None => intersection(type_, &Type::any_hash()),
    }
}

/// Checks whether an expression is syntactically a condition.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_condition(&it)),
        Expr::UnaryExpr(it) => it
            .operator()
            .is_some_and(|it| it.kind() == SyntaxKind::BANG),
        Expr::BinaryExpr(it) => it.operator().is_some_and(|it| gives_truth(it.kind())),
        _ => false,
    }
}

/// Checks whether a type has so few values that the options are meant to be exhaustive.
fn is_closed(type_: &Type) -> bool {
    match type_ {
        Type::Enum(it) => !it.case_insensitive(),
        Type::Boolean(_) | Type::Undef => true,
        Type::String(it) => it.value().is_some(),
        Type::Optional(Some(inner)) => is_closed(inner),
        Type::Variant(all) => !all.is_empty() && all.iter().all(is_closed),
        Type::Alias(it) => is_closed(&it.resolved()),
        _ => false,
    }
}

/// Checks whether an option is the keyword `default`.
fn is_default(option: &Expr) -> bool {
    match option {
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_default(&it)),
        Expr::Literal(it) => Literal::kind(it) == Some(LiteralKind::Default),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
