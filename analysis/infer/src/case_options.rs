//! `case` and selectors: the values that each option matches, and those left for the next one.

use syntax::ast::{AstNode, CaseExpr, Expr, HasBody, Literal, LiteralKind, SelectorExpr};
use syntax::{SyntaxKind, TextRange};

use super::conditions::is_boolean_operation;
use super::expressions::Element;
use super::flow::{Branch, Checkpoint, MatchVariables, PathSegment};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::match_variables::{self, CaptureEffect};
use super::narrowing::predicates;
use super::problem::{TypeProblem, TypeProblemKind};
use types::precise::intersection;
use types::values::Value;
use types::{Type, is_resolved_value};

/// The maximum number of variables whose narrowing is carried from option to option; beyond it,
/// only the narrowing of the subject is.
const MAX_CARRIED: usize = 64;

/// The state of inferring the options of a case or selector. Between options, the flow is at `start`.
struct CaseState {
    subject: Option<Expr>,
    /// The values of the subject before the first option.
    initial: Inferred,
    /// Whether the subject is constant on purpose.
    is_intentionally_constant: bool,
    /// The point after the subject.
    start: Checkpoint,
    /// The match variables before the subject.
    match_variables: MatchVariables,
    /// The remaining values of the subject after the options so far; `None` if one of them
    /// certainly matches.
    remaining: Option<Inferred>,
    /// The branch in which none of the options so far matches.
    fallthrough: Branch,
    /// The ends of the options, with their results.
    finished: Vec<(Branch, Inferred)>,
}

impl CaseState {
    /// Returns the range whose variables explain the type of the subject.
    fn cause(&self, option: TextRange) -> TextRange {
        let subject = self.subject.as_ref();
        subject.map_or(option, |it| it.syntax().text_range())
    }
}

/// The partition of the subject's values by an option.
struct OptionSplit {
    /// The values that match.
    matched: Option<Inferred>,
    /// The values that do not match.
    remaining: Option<Inferred>,
    effect: CaptureEffect,
}

impl InferenceContext<'_> {
    pub(super) fn case_expr(&mut self, case: &CaseExpr) -> Inferred {
        let Some(mut state) = self.subject(case.subject()) else {
            return Inferred::never();
        };
        let mut default = None;
        for option in case.options() {
            let mut values: Vec<Expr> = option.values().collect();
            let count = values.len();
            values.retain(|it| !is_default(it));
            let matched = self.option(&mut state, &values);
            if values.len() < count {
                default = Some((option.body(), matched));
            } else {
                self.run_option(&mut state, matched, |this| this.infer_block(option.body()));
            }
        }
        let range = case.syntax().text_range();
        self.report_missing_option(&state, range, default.is_some(), false);
        let (body, mut matched) = default.unwrap_or_default();
        matched.push(state.fallthrough.clone());
        self.run_option(&mut state, matched, |this| match body {
            Some(body) => this.infer_block(Some(body)),
            None => Inferred::of(Type::Undef),
        });
        self.finish(state)
    }

    pub(super) fn selector(&mut self, selector: &SelectorExpr) -> Inferred {
        let Some(mut state) = self.subject(selector.subject()) else {
            return Inferred::never();
        };
        let mut default = None;
        let mut may_match = false;
        for entry in selector.entries() {
            match entry.matching() {
                Some(option) if is_default(&option) => default = Some(entry.value()),
                Some(option) => {
                    let matched = self.option(&mut state, &[option]);
                    may_match |= !matched.is_empty();
                    self.run_option(&mut state, matched, |this| {
                        this.infer_optional(entry.value())
                    });
                }
                None => {}
            }
        }
        let range = selector.syntax().text_range();
        if default.is_none() && !may_match {
            self.report_missing_options(&state, range);
        } else {
            self.report_missing_option(&state, range, default.is_some(), true);
        }
        // Puppet fails if no option matches.
        if let Some(value) = default {
            let fallthrough = vec![state.fallthrough.clone()];
            self.run_option(&mut state, fallthrough, |this| this.infer_optional(value));
        }
        self.finish(state)
    }

    /// Infers the subject; `None` if control never reaches the options.
    fn subject(&mut self, subject: Option<Expr>) -> Option<CaseState> {
        let match_variables = self.flow.match_variables().clone();
        let remaining = self.infer_optional(subject.clone());
        if self.flow.is_unreachable() {
            return None;
        }
        let start = self.flow.checkpoint();
        Some(CaseState {
            is_intentionally_constant: subject
                .as_ref()
                .is_none_or(|it| self.is_intentionally_constant(it)),
            subject,
            match_variables,
            initial: remaining.clone(),
            remaining: Some(remaining),
            fallthrough: self.flow.rollback(&start),
            start,
            finished: Vec::new(),
        })
    }

    /// Infers the values of an option, and returns the branches in which one of them matches.
    fn option(&mut self, state: &mut CaseState, values: &[Expr]) -> Vec<Branch> {
        let mut matched = Vec::new();
        self.flow.apply_branch(state.fallthrough.clone());
        for value in values {
            let before = matched.len();
            let was_unreachable = self.flow.is_unreachable();
            let is_condition = match state.remaining.as_ref().map(|it| &it.value) {
                Some(Some(Value::Boolean(wanted))) if is_condition(value) => Some(*wanted),
                _ => None,
            };
            let may_be_wanted = match is_condition {
                Some(wanted) => {
                    self.condition_option(state, value, wanted, &mut matched);
                    self.is_intentionally_constant(value)
                }
                None => {
                    self.value_option(state, value, &mut matched);
                    state.is_intentionally_constant
                }
            };
            let is_first_unreachable = was_unreachable && before == 0;
            let matches_nothing = matched.len() == before && !self.flow.is_unreachable();
            if !may_be_wanted && (is_first_unreachable || matches_nothing) {
                self.unreachable_option(state, value);
            }
        }
        state.fallthrough = self.flow.rollback(&state.start);
        if let Some(subject) = &state.subject
            && state.fallthrough.len() > MAX_CARRIED
        {
            let kept = self.narrowing_target(subject).map(|it| it.name);
            self.forgets_assignments |= state.fallthrough.retain(kept.as_deref());
        }
        matched
    }

    fn unreachable_option(&mut self, state: &CaseState, option: &Expr) {
        let range = option.syntax().text_range();
        let is_undef = matches!(option, Expr::Literal(it) if it.kind() == Some(LiteralKind::Undef));
        let mismatched = match &state.remaining {
            Some(_) if !is_splat(option) => {
                let option = self.recorded_or_infer(option);
                let is_mismatch =
                    !option.is_never() && split(&state.initial, &option).matched.is_none();
                is_mismatch.then(|| state.initial.type_.clone())
            }
            _ => None,
        };
        let kind = TypeProblemKind::UnreachableOption {
            mismatched,
            subject: match &state.remaining {
                Some(it) => it.type_.clone(),
                None => Type::variant([]),
            },
            guards: is_undef || self.is_defensive(state, option),
        };
        if self.flow.is_unreachable() {
            self.report_anywhere(range, kind);
        } else {
            self.report_caused_by(range, state.cause(range), kind);
        }
    }

    /// Checks whether an option handles values that only other code excludes: an earlier condition
    /// (`if $x == 'a' { return() }`), or the definition of a type alias, which may change.
    fn is_defensive(&mut self, state: &CaseState, option: &Expr) -> bool {
        let target = state.subject.as_ref().map(|it| self.narrowing_target(it));
        let Some(target) = target.flatten() else {
            return false;
        };
        let Some(declared) = self.flow.get(&target.name).map(|it| it.declared.clone()) else {
            return false;
        };
        let option = self.recorded_or_infer(option);
        let matches = |subject: &Inferred| split(subject, &option).matched.is_some();
        if matches(&state.initial) {
            return false;
        }
        let is_declared = target.path.is_empty() && matches(&Inferred::of(declared.clone()));
        is_declared || contains_alias(&declared)
    }

    /// Infers an option of `case true { CONDITION: … }`.
    fn condition_option(
        &mut self,
        state: &mut CaseState,
        value: &Expr,
        wanted: bool,
        matched: &mut Vec<Branch>,
    ) {
        let condition = self.infer_condition(value);
        let (here, rest) = condition.branches(wanted);
        self.add_branch(state, here, matched);
        if rest.is_unreachable() {
            state.remaining = None;
        }
        self.flow.apply_branch(rest);
    }

    /// Infers a value that the subject is compared with; a splat stands for several values.
    fn value_option(&mut self, state: &mut CaseState, value: &Expr, matched: &mut Vec<Branch>) {
        for element in self.list([value.clone()].into_iter()) {
            let element = match element {
                Element::One(it) => it,
                Element::Many(_) => Inferred::UNKNOWN,
            };
            let Some(remaining) = state
                .remaining
                .clone()
                .filter(|_| !self.flow.is_unreachable())
            else {
                return;
            };
            let split = split(&remaining, &element);
            if let Some(here) = split.matched {
                let start = self.flow.checkpoint();
                self.narrow_subject(state, &remaining, here);
                match &split.effect {
                    CaptureEffect::None => {}
                    CaptureEffect::Known(groups) => self.flow.set_match_variables(groups.clone()),
                    CaptureEffect::Unknown => self.flow.set_match_variables(None),
                }
                let here = self.flow.rollback(&start);
                self.add_branch(state, here, matched);
            }
            if let CaptureEffect::Unknown = split.effect {
                self.flow.set_match_variables(None);
            }
            match split.remaining {
                Some(rest) => {
                    self.narrow_subject(state, &remaining, rest.clone());
                    state.remaining = Some(rest);
                }
                None => {
                    state.remaining = None;
                    self.flow.mark_unreachable();
                }
            }
        }
    }

    /// Narrows the subject in a branch.
    fn narrow_subject(&mut self, state: &CaseState, before: &Inferred, now: Inferred) {
        if let Some(subject) = &state.subject
            && before.type_ != now.type_
        {
            self.set_narrowed(subject, now.type_);
        }
    }

    /// Rebases a branch that begins at the current point to the start of the options.
    fn add_branch(&mut self, state: &CaseState, branch: Branch, matched: &mut Vec<Branch>) {
        if branch.is_unreachable() {
            return;
        }
        let here = self.flow.rollback(&state.start);
        self.flow.apply_branch(here.clone());
        self.flow.apply_branch(branch);
        let whole = self.flow.rollback(&state.start);
        if !whole.is_unreachable() {
            matched.push(whole);
        }
        self.flow.apply_branch(here);
    }

    /// Infers the body of an option, in the branches that reach it.
    fn run_option(
        &mut self,
        state: &mut CaseState,
        matched: Vec<Branch>,
        body: impl FnOnce(&mut Self) -> Inferred,
    ) {
        self.flow.join(matched);
        let result = if self.flow.is_unreachable() {
            Inferred::never()
        } else {
            body(self)
        };
        let branch = self.flow.rollback(&state.start);
        state.finished.push((branch, result));
    }

    /// Reports a selector without an option that matches. Puppet always fails there, so its options
    /// are not reported one by one.
    fn report_missing_options(&mut self, state: &CaseState, range: TextRange) {
        let is_option = |it: &TypeProblem| {
            let unreachable = matches!(it.kind, TypeProblemKind::UnreachableOption { .. });
            unreachable && range.contains_range(it.range)
        };
        if !self.is_suppressed() {
            self.problems.retain(|it| !is_option(it));
        }
        if let Some(remaining) = state.remaining.as_ref().filter(|it| !it.is_never()) {
            let kind = TypeProblemKind::MissingOption {
                left: remaining.type_.clone(),
                fatal: true,
                always: true,
            };
            self.report_caused_by(range, state.cause(range), kind);
        }
    }

    /// Reports values of a closed type that no option matches.
    fn report_missing_option(
        &mut self,
        state: &CaseState,
        range: TextRange,
        has_default: bool,
        fatal: bool,
    ) {
        if let Some(remaining) = &state.remaining
            && !has_default
            && !state.fallthrough.is_unreachable()
            && !state.is_intentionally_constant
            && is_closed(&remaining.type_)
        {
            let remaining = remaining.type_.clone();
            let cause = state.cause(range);
            self.report_caused_by(
                range,
                cause,
                TypeProblemKind::MissingOption {
                    left: remaining,
                    fatal,
                    always: false,
                },
            );
        }
    }

    fn finish(&mut self, state: CaseState) -> Inferred {
        let (branches, results): (Vec<_>, Vec<_>) = state.finished.into_iter().unzip();
        let reachable = branches
            .iter()
            .zip(results)
            .filter(|it| !it.0.is_unreachable());
        let mut results: Vec<Inferred> = reachable.map(|it| it.1).collect();
        // Joined in chunks, because a join compares each result with each other one.
        while results.len() > JOINED_AT_ONCE {
            let joined = results.chunks(JOINED_AT_ONCE);
            results = joined.map(|it| Inferred::union(it.to_vec())).collect();
        }
        self.flow.join(branches);
        self.flow.set_match_variables(state.match_variables);
        Inferred::union(results)
    }
}

/// Checks whether an option is a splat, which stands for several values.
fn is_splat(option: &Expr) -> bool {
    let operator = match option {
        Expr::UnaryExpr(it) => it.operator(),
        _ => None,
    };
    operator.is_some_and(|it| it.kind() == SyntaxKind::STAR)
}

/// The maximum number of results joined at once.
const JOINED_AT_ONCE: usize = 32;

/// Checks whether a type is spelled with an alias, or is a collection of such a type.
fn contains_alias(type_: &Type) -> bool {
    match type_ {
        Type::Alias(_) => true,
        Type::Optional(Some(it)) | Type::NotUndef(Some(it)) => contains_alias(it),
        Type::Variant(all) => all.iter().any(contains_alias),
        Type::Array(it) => contains_alias(it.element()),
        Type::Hash(it) => contains_alias(it.value()),
        Type::Struct(it) => it.elements().iter().any(|it| contains_alias(&it.value)),
        _ => false,
    }
}

/// Splits the values of a subject by an option.
fn split(subject: &Inferred, option: &Inferred) -> OptionSplit {
    let open = |effect| OptionSplit {
        matched: Some(subject.clone()),
        remaining: Some(subject.clone()),
        effect,
    };
    let effect = match_variables::of_option(option);
    if let (Some(value), Some(option)) = (&subject.value, &option.value) {
        if !is_resolved_value(option) {
            return open(effect);
        }
        return match eval::option_matches(value, option) {
            Ok(found) => OptionSplit {
                matched: found.matched.then(|| subject.clone()),
                remaining: (!found.matched).then(|| subject.clone()),
                effect: match (found.captures, effect) {
                    (Some(it), CaptureEffect::Known(_)) => {
                        CaptureEffect::Known(Some(match_variables::of_captures(&it)))
                    }
                    (_, effect) => effect,
                },
            },
            Err(_) => open(effect),
        };
    }
    let set = predicates::matching_values(option);
    if let Some(value) = &subject.value {
        let is = |type_: &Type| types::is_instance(type_, value);
        let may_match = set.upper.as_ref().is_none_or(|it| is(it) != Some(false));
        let may_not = set.lower.as_ref().is_none_or(|it| is(it) != Some(true));
        return OptionSplit {
            matched: may_match.then(|| subject.clone()),
            remaining: may_not.then(|| subject.clone()),
            effect,
        };
    }
    let matched = predicates::filter_by_bounds(&subject.type_, &set, true);
    let matched = match &option.value {
        Some(Value::Hash(entries)) => matched.and_then(|it| {
            let mut entries = entries.iter();
            entries.try_fold(it, |type_, (key, option)| {
                filter_by_entry(&type_, key, option)
            })
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
    OptionSplit {
        matched: matched.map(inferred),
        remaining: predicates::filter_by_bounds(&subject.type_, &set, false).map(inferred),
        effect,
    }
}

/// Narrows a hash or array type by the entry of an option that is itself a collection.
fn filter_by_entry(type_: &Type, key: &Value, option: &Value) -> Option<Type> {
    let key = match key {
        Value::String(it) => PathSegment::Name(it.to_string()),
        Value::Integer(it) => PathSegment::Index(*it),
        _ => return Some(type_.clone()),
    };
    let option = Inferred::value(option.clone());
    match predicates::matching_values(&option).upper {
        Some(part) => predicates::filter_by_part(type_, &[key], &part, true),
        None => intersection(type_, &Type::any_hash()),
    }
}

/// Checks whether an expression is syntactically a condition.
fn is_condition(expr: &Expr) -> bool {
    match expr {
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_condition(&it)),
        _ => is_boolean_operation(expr),
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
