//! `case` and selectors: what each option leaves for the next one.

use syntax::TextRange;
use syntax::ast::{AstNode, CaseExpr, Expr, HasBody, Literal, LiteralKind, SelectorExpr};

use super::conditions::{by_type, by_value};
use super::expressions::Element;
use super::flow::Branch;
use super::inferred::Inferred;
use super::problem::ProblemKind;
use super::walker::Walker;
use crate::types::Type;
use crate::values::{Value, lower_case};

/// What an option matches.
enum Matches {
    /// All values of this type, and no others.
    Exactly(Type),
    /// Some values, all of them of this type.
    SomeOf(Type),
}

/// A case or selector on the way through its options.
struct Options {
    subject: Option<Expr>,
    /// What the subject can be when none of the options so far has matched.
    left: Inferred,
    done: Vec<(Branch, Inferred)>,
}

impl Options {
    /// Where to look for why the subject is what it is.
    fn cause(&self, option: TextRange) -> TextRange {
        let subject = self.subject.as_ref();
        subject.map_or(option, |it| it.syntax().text_range())
    }
}

impl Walker<'_> {
    pub(super) fn case_expr(&mut self, case: &CaseExpr) -> Inferred {
        let groups = self.flow.groups().clone();
        let mut options = self.subject(case.subject());
        let mut default = None;
        for option in case.options() {
            let mut values: Vec<Expr> = option.values().collect();
            if values.iter().any(is_default) {
                default = Some(option.body());
                values.retain(|it| !is_default(it));
            }
            if !values.is_empty() {
                self.option(&mut options, &values, |this| this.block(option.body()));
            }
        }
        let has_default = default.is_some();
        let range = case.syntax().text_range();
        self.otherwise(
            &mut options,
            range,
            has_default,
            false,
            |this| match default {
                Some(body) => this.block(body),
                None => Inferred::of(Type::Undef),
            },
        );
        self.finish(options, groups)
    }

    pub(super) fn selector(&mut self, selector: &SelectorExpr) -> Inferred {
        let groups = self.flow.groups().clone();
        let mut options = self.subject(selector.subject());
        let mut default = None;
        for entry in selector.entries() {
            match entry.matching() {
                Some(option) if is_default(&option) => default = Some(entry.value()),
                Some(option) => {
                    self.option(&mut options, &[option], |this| this.inner(entry.value()));
                }
                None => {}
            }
        }
        let has_default = default.is_some();
        let range = selector.syntax().text_range();
        self.otherwise(
            &mut options,
            range,
            has_default,
            true,
            |this| match default {
                Some(value) => this.inner(value),
                None => {
                    // Puppet fails where no option matches.
                    this.flow.die();
                    Inferred::never()
                }
            },
        );
        self.finish(options, groups)
    }

    fn subject(&mut self, subject: Option<Expr>) -> Options {
        let left = self.inner(subject.clone());
        Options {
            subject,
            left,
            done: Vec::new(),
        }
    }

    /// One option, by the values that it lists.
    fn option(
        &mut self,
        options: &mut Options,
        values: &[Expr],
        body: impl FnOnce(&mut Self) -> Inferred,
    ) {
        if self.flow.is_dead() {
            return;
        }
        let mut matched = Vec::new();
        let mut rest = options.left.clone();
        for value in values {
            let range = value.syntax().text_range();
            for found in self.matches(value) {
                let (type_, exact) = match found {
                    Matches::Exactly(it) => (it, true),
                    Matches::SomeOf(it) => (it, false),
                };
                let here = narrowed(&rest, &type_, true);
                if here.is_never() {
                    let subject = rest.type_.clone();
                    let kind = ProblemKind::UnreachableOption {
                        subject,
                        guards: type_ == Type::Undef,
                    };
                    self.report_of(range, options.cause(range), kind);
                    continue;
                }
                matched.push(here);
                if exact {
                    rest = narrowed(&rest, &type_, false);
                }
            }
        }
        let here = Inferred::union(matched);
        let start = self.flow.mark();
        self.flow.set_groups(None);
        self.narrow_subject(options, &here);
        let result = body(self);
        let branch = self.flow.take_back(&start);
        options.done.push((branch, result));
        options.left = rest;
    }

    /// What is left for the default.
    fn otherwise(
        &mut self,
        options: &mut Options,
        range: TextRange,
        has_default: bool,
        fatal: bool,
        body: impl FnOnce(&mut Self) -> Inferred,
    ) {
        if self.flow.is_dead() {
            return;
        }
        let left = options.left.clone();
        if !has_default && !left.is_never() && is_closed(&left.type_) {
            let left = left.type_.clone();
            let cause = options.cause(range);
            self.report_of(range, cause, ProblemKind::MissingOption { left, fatal });
        }
        let start = self.flow.mark();
        self.narrow_subject(options, &left);
        let result = body(self);
        let branch = self.flow.take_back(&start);
        options.done.push((branch, result));
    }

    /// In a branch, the subject is only what gets there.
    fn narrow_subject(&mut self, options: &Options, here: &Inferred) {
        if here.is_never() {
            return self.flow.die();
        }
        if let Some(subject) = &options.subject {
            let type_ = here.type_.clone();
            self.narrow(subject, |_| Some(type_));
        }
    }

    fn finish(&mut self, options: Options, groups: super::flow::Groups) -> Inferred {
        let (branches, results): (Vec<_>, Vec<_>) = options.done.into_iter().unzip();
        let alive = branches.iter().zip(results).filter(|it| !it.0.is_dead());
        let result = Inferred::union(alive.map(|it| it.1));
        if !branches.is_empty() {
            self.flow.join(branches);
        }
        self.flow.set_groups(groups);
        result
    }

    /// What an option matches; several for a splat.
    fn matches(&mut self, option: &Expr) -> Vec<Matches> {
        let elements = self.list([option.clone()].into_iter());
        let found = elements.into_iter().map(|it| match it {
            Element::One(it) => matched_by(&it),
            Element::Many(_) => Matches::SomeOf(Type::Any),
        });
        found.collect()
    }
}

/// What matches an option of which this is known.
fn matched_by(option: &Inferred) -> Matches {
    match &option.value {
        Some(Value::String(it)) => Matches::Exactly(Type::enumeration_any_case([lower_case(it)])),
        Some(Value::Undef) => Matches::Exactly(Type::Undef),
        Some(Value::Boolean(it)) => Matches::Exactly(Type::Boolean(Some(*it))),
        Some(Value::Default) => Matches::Exactly(Type::Default),
        Some(Value::Integer(it)) => match by_value(&Type::Numeric, &Value::Integer(*it), true) {
            Some(type_) => Matches::Exactly(type_),
            None => Matches::SomeOf(Type::Any),
        },
        Some(Value::Regexp(it)) => Matches::Exactly(Type::pattern([it.clone()])),
        Some(Value::Type(it)) => {
            let shown = crate::types::display_expanded(it);
            if shown.contains("TypeReference[") {
                return Matches::SomeOf(Type::Any);
            }
            Matches::Exactly(it.clone())
        }
        _ => match &option.type_ {
            // Some string: which one is not known.
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Matches::SomeOf(Type::STRING),
            _ => Matches::SomeOf(Type::Any),
        },
    }
}

fn narrowed(subject: &Inferred, type_: &Type, holds: bool) -> Inferred {
    if let Some(value) = &subject.value {
        return match crate::types::is_instance(type_, value) {
            Some(found) if found == holds => subject.clone(),
            Some(_) => Inferred::never(),
            None => subject.clone(),
        };
    }
    match by_type(&subject.type_, type_, holds) {
        Some(type_) => Inferred::of(type_),
        None => Inferred::never(),
    }
}

/// Whether a type has so few values that a list of options is meant to have all of them.
fn is_closed(type_: &Type) -> bool {
    match type_ {
        // Of strings whose case is open, what is left is not known well enough.
        Type::Enum(it) => !it.case_insensitive(),
        Type::Boolean(_) | Type::Undef => true,
        Type::String(it) => it.value().is_some(),
        Type::Optional(Some(inner)) => is_closed(inner),
        Type::Variant(all) => all.iter().all(is_closed),
        Type::Alias(it) => is_closed(&it.resolved()),
        _ => false,
    }
}

/// Whether an option is the word `default`.
fn is_default(option: &Expr) -> bool {
    match option {
        Expr::ParenExpr(it) => it.expr().is_some_and(|it| is_default(&it)),
        Expr::Literal(it) => Literal::kind(it) == Some(LiteralKind::Default),
        _ => false,
    }
}
