//! Operators on arrays and hashes of which some elements are unknown.

use syntax::ast::Expr;

use super::EvalFailure;
use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::Evaluator;
use super::partial_values;
use super::unknown::PartlyKnown;

impl Evaluator<'_> {
    /// Returns an element of a collection of which some elements are unknown.
    pub(super) fn access_partly(&mut self, flow: ControlFlow, key: &Expr) -> FlowResult {
        let collection = flow.unknown_value().filter(|it| it.is_collection());
        let Some(collection) = collection.cloned() else {
            return Err(flow.without_known());
        };
        let key = self.expr(key).map_err(ControlFlow::without_known)?;
        match partial_values::element(&collection, &key) {
            Some(element) => self.charge_partly_known(element),
            None => Err(flow.without_known()),
        }
    }

    /// Adds a value to a collection of which some elements are unknown.
    pub(super) fn sum_of_unknown(&mut self, flow: ControlFlow, rhs: &Expr) -> FlowResult {
        let left = flow.unknown_value().filter(|it| it.is_collection());
        let Some(left) = left.cloned() else {
            return Err(flow.without_known());
        };
        match self.expr(rhs) {
            Ok(right) => match partial_values::sum(&Err(left), &Ok(right)) {
                Some(sum) => self.charge_partly_known(sum),
                None => Err(flow.without_known()),
            },
            Err(other) => self.sum_with_unknown(&Err(left), other),
        }
    }

    fn charge_partly_known(&self, value: PartlyKnown) -> FlowResult {
        match value {
            Ok(value) => self.charge_value(value),
            Err(unknown) => Err(EvalFailure::Unknown(unknown).into()),
        }
    }

    /// Adds a collection of which some elements are unknown to another one.
    pub(super) fn sum_with_unknown(&self, left: &PartlyKnown, flow: ControlFlow) -> FlowResult {
        let right = flow.unknown_value().cloned();
        match right.and_then(|it| partial_values::sum(left, &Err(it))) {
            Some(sum) => self.charge_partly_known(sum),
            None => Err(flow.without_known()),
        }
    }
}
