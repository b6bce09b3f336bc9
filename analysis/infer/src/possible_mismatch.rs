//! Possible mismatches: values that do not match in some cases. They are not definite errors, so
//! the rule is off by default.
//!
//! Values from external sources are never reported, nor are values with unknown parts. For a
//! computed value, the alternatives that never match are considered: a function that returns a
//! string or undef where a string is expected. For a parameter, the declared type is considered: an
//! `Integer` where an `Integer[1]` is expected.

use syntax::ast::{AstNode, CallExpr, MethodCall, VariableExpr};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

use super::calls::Call;
use super::flow::{Origin, VariableState};
use super::inference_context::InferenceContext;
use super::inferred::Inferred;
use super::operators::alternatives;
use super::overloads::accepts;
use super::problem::{TypeProblemKind, ValueTarget};
use super::signatures::ResolvedOverload;
use library::KnownFunction;
use types::Type;
use types::precise::{difference, union};

impl InferenceContext<'_> {
    /// Reports a value that may not be of the expected type.
    pub(super) fn check_possible_mismatch(
        &mut self,
        range: TextRange,
        value: &Inferred,
        expected: &Type,
        what: impl FnOnce() -> ValueTarget,
    ) {
        if self.is_suppressed() || value.is_never() || value.is_a(expected) == Some(true) {
            return;
        }
        let fits = |it: &Inferred| it.is_a(expected) != Some(false);
        // The remaining alternatives never match, because undef has been excluded in favor of a
        // default.
        let is_whole = self.is_parameter(range) || value.is_a(expected) == Some(false);
        let misfit = mismatching_alternatives(&value.type_, fits).or_else(|| {
            let known = is_whole && !has_unknown_parts(&value.type_);
            known.then(|| difference(&value.type_, expected))?
        });
        let Some(misfit) = misfit.filter(|_| !self.depends_on_external_at(range)) else {
            return;
        };
        let what = what();
        if matches!(what, ValueTarget::Assertion | ValueTarget::Title) {
            return;
        }
        let kind = TypeProblemKind::PossibleMismatch {
            what,
            expected: expected.clone(),
            misfit,
        };
        self.report(range, kind);
    }

    /// Reports arguments that no overload accepts if they have one of their possible types.
    pub(super) fn check_possible_argument_mismatch(
        &mut self,
        call: &Call,
        overloads: &[ResolvedOverload],
    ) {
        if self.is_suppressed() {
            return;
        }
        let possible: Vec<&ResolvedOverload> = overloads
            .iter()
            .filter(|it| accepts(call, it) != Some(false))
            .collect();
        if possible.iter().any(|it| accepts(call, it) == Some(true)) {
            return;
        }
        for (index, argument) in call.arguments.iter().enumerate() {
            let parameters: Option<Vec<_>> =
                possible.iter().map(|it| it.parameter(index)).collect();
            let Some(parameters) = parameters else {
                continue;
            };
            let (Some(first), Some(range)) = (parameters.first(), call.ranges.get(index)) else {
                continue;
            };
            let expected = union(parameters.iter().map(|it| it.type_.clone()));
            let (function, name) = (call.name.clone(), first.name.clone());
            self.check_possible_mismatch(*range, argument, &expected, || {
                ValueTarget::Argument(function, name)
            });
        }
    }

    /// Checks whether a range is exactly a reference to a parameter.
    fn is_parameter(&self, range: TextRange) -> bool {
        let node = self.node_at(range);
        let variable = node.filter(|it| it.text_range() == range);
        let name = variable
            .and_then(VariableExpr::cast)
            .and_then(|it| it.name());
        let known = name.and_then(|it| self.flow.get(&self.variable_key(&it)));
        known.is_some_and(|it| it.origin == Origin::Parameter)
    }

    /// Checks whether an expression depends on other code or on facts.
    fn depends_on_external_at(&self, range: TextRange) -> bool {
        let Some(node) = self.node_at(range) else {
            return false;
        };
        let is_unknown = |it: VariableExpr| {
            let name = it.name();
            let known = name.and_then(|it| self.flow.get(&self.variable_key(&it)));
            known.is_none_or(is_external)
        };
        node.descendants().any(|it| is_external_call(&it))
            || node
                .descendants()
                .filter_map(VariableExpr::cast)
                .any(is_unknown)
    }
}

/// Checks whether a variable depends on other code or on facts. Values computed from unknown ones
/// are too imprecise as well.
pub(super) fn is_external(variable: &VariableState) -> bool {
    variable.origin == Origin::External || has_unknown_parts(&variable.inferred.type_)
}

/// Checks whether the result of a function comes from an external source.
pub(super) fn is_external_function(function: &str) -> bool {
    KnownFunction::from_name(function).is_some_and(KnownFunction::has_external_result)
}

/// Checks whether a node is a call whose result comes from an external source.
fn is_external_call(node: &SyntaxNode) -> bool {
    let name = match node.kind() {
        SyntaxKind::CALL_EXPR => CallExpr::cast(node.clone()).and_then(|it| it.name_token()),
        SyntaxKind::METHOD_CALL => MethodCall::cast(node.clone()).and_then(|it| it.name_token()),
        _ => None,
    };
    name.is_some_and(|it| is_external_function(it.text()))
}

/// Returns the alternatives of a type that do not match, if there are any and all of them are
/// known.
fn mismatching_alternatives(type_: &Type, fits: impl Fn(&Inferred) -> bool) -> Option<Type> {
    let all = alternatives(type_);
    if all.len() < 2 || all.iter().any(has_unknown_parts) {
        return None;
    }
    let mismatching_alternatives = all.into_iter().map(Inferred::of).filter(|it| !fits(it));
    let mismatching_alternatives: Vec<Type> = mismatching_alternatives.map(|it| it.type_).collect();
    (!mismatching_alternatives.is_empty()).then(|| union(mismatching_alternatives))
}

/// Checks whether a type, or a part of it, is unknown.
fn has_unknown_parts(type_: &Type) -> bool {
    match type_ {
        Type::Any
        | Type::Unit
        | Type::Init(_)
        | Type::Recursion(_)
        | Type::Reference(_)
        | Type::NotUndef(None)
        | Type::Iterable(_)
        | Type::Collection(_)
        | Type::Iterator(_) => true,
        Type::NotUndef(Some(it)) | Type::Optional(Some(it)) => has_unknown_parts(it),
        Type::Variant(all) => all.iter().any(has_unknown_parts),
        Type::Array(it) => has_unknown_parts(it.element()),
        Type::Hash(it) => has_unknown_parts(it.key()) || has_unknown_parts(it.value()),
        Type::Tuple(it) => it.types().iter().any(has_unknown_parts),
        Type::Struct(it) => it.elements().iter().any(|it| has_unknown_parts(&it.value)),
        _ => false,
    }
}
