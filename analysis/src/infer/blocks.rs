//! Blocks of code behind calls: what they are given, and what they give.

use syntax::ast::{AstNode, HasBody, HasParameters, Lambda, Parameter};

use super::counts::Counts;
use super::inferred::Inferred;
use super::problem::{ProblemKind, Target};
use super::walker::{Frame, Walker};
use crate::types::{IntRange, Type};

/// What a block gives.
#[derive(Clone, Debug)]
pub(super) struct BlockResult {
    /// Its value; none if it never comes to its end.
    pub(super) value: Inferred,
    /// Whether it may end the iteration.
    pub(super) breaks: bool,
    /// What its parameters are where its value is true, if that was asked for: none if it never
    /// is.
    pub(super) held: Option<Vec<Type>>,
}

impl Walker<'_> {
    /// Runs a block with arguments of which this is known; nothing if nothing is known of them.
    pub(super) fn run_block(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
    ) -> BlockResult {
        self.run_lambda(lambda, arguments, false)
    }

    /// The same for a block whose value is taken as a condition.
    pub(super) fn run_condition(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
    ) -> BlockResult {
        self.run_lambda(lambda, arguments, true)
    }

    fn run_lambda(
        &mut self,
        lambda: &Lambda,
        arguments: Option<&[Inferred]>,
        is_condition: bool,
    ) -> BlockResult {
        let parameters = lambda.parameters();
        let start = self.flow.mark();
        self.frames.push(Frame {
            is_block: true,
            ..Frame::default()
        });
        for (index, parameter) in parameters.iter().enumerate() {
            let given = match arguments {
                Some(all) if parameter.captures_rest() => Some(captured(all, index)),
                Some(all) => Some(all.get(index).cloned()).flatten(),
                None => Some(Inferred::UNKNOWN),
            };
            self.block_parameter(parameter, given);
        }
        let last = self.block(lambda.body());
        let ended = self.flow.is_dead();
        let frame = self.frames.pop().unwrap_or_default();
        let held = if is_condition && !ended && frame.results.is_empty() {
            self.held(lambda, &parameters)
        } else {
            None
        };
        self.flow.take_back(&start);
        let last = if ended { Inferred::never() } else { last };
        BlockResult {
            value: Inferred::union(frame.results.into_iter().chain([last])),
            breaks: frame.breaks,
            held,
        }
    }

    /// What the parameters are where the last expression of a block is true.
    fn held(&mut self, lambda: &Lambda, parameters: &[Parameter]) -> Option<Vec<Type>> {
        if parameters.iter().any(Parameter::captures_rest) {
            return None;
        }
        let last = lambda.body()?.statements().last()?;
        self.assume(&last);
        let dead = self.flow.is_dead();
        let types = parameters.iter().map(|it| {
            let known = self.flow.get(&it.name()?)?;
            Some(match dead {
                true => Type::variant([]),
                false => known.inferred.type_.clone(),
            })
        });
        types.collect()
    }

    /// A parameter with what it is given: nothing if it takes its default.
    fn block_parameter(&mut self, parameter: &Parameter, given: Option<Inferred>) {
        let declared = self.declared(parameter);
        let declared = if parameter.captures_rest() {
            super::parameters::rest(&declared)
        } else {
            declared
        };
        let default = parameter.default().map(|it| self.expr(&it));
        let value = match (given, default) {
            (Some(given), _) => {
                let name = parameter.name().unwrap_or_default();
                let range = parameter.syntax().text_range();
                self.must_fit(range, &given, &declared, || Target::BlockParameter(name));
                given
            }
            (None, Some(default)) => default,
            (None, None) => Inferred::UNKNOWN,
        };
        let narrowed = value.narrowed(&declared);
        let value = if narrowed.is_never() && !value.is_never() {
            Inferred::of(declared)
        } else {
            narrowed
        };
        self.parameter(parameter, value);
    }

    /// Reports a block with a number of parameters that cannot be right.
    pub(super) fn check_block(&mut self, lambda: &Lambda, function: &str, given: Counts) {
        if given.overlaps(Counts::taken_by(lambda)) {
            return;
        }
        let list = lambda.parameter_list();
        let range = list.map_or(lambda.syntax().text_range(), |it| it.syntax().text_range());
        let kind = ProblemKind::BlockArity {
            function: function.to_owned(),
            given,
            actual: lambda.parameters().len(),
        };
        self.report(range, kind);
    }
}

/// What a parameter gets that takes all remaining arguments.
fn captured(all: &[Inferred], from: usize) -> Inferred {
    let rest = all.get(from..).unwrap_or_default();
    if rest.is_empty() {
        return Inferred::of(Type::array(Type::Any, Some(IntRange::between(0, 0))));
    }
    Inferred::of(Type::tuple(
        rest.iter().map(|it| it.type_.clone()).collect::<Vec<_>>(),
        None,
    ))
}
