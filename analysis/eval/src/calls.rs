//! Function calls, method calls, and calls of types.
//!
//! As in Puppet, the arguments are evaluated before the function is looked up, so that their errors
//! come first. The functions themselves are in [`super::functions`].

use syntax::ast::{AstNode, CallExpr, Expr, MethodCall};

use super::EvalFailure;
use super::closures::Closure;
use super::control_flow::{ControlFlow, FlowResult};
use super::error_position::error_position;
use super::expressions::{Evaluator, required};
use super::unknown::PartlyKnown;
use types::values::Value;
use types::{AttributeKind, Member, ObjectType};

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &CallExpr, expr: &Expr) -> FlowResult {
        let (name, mut args) = match call.callee() {
            Some(callee @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_))) => {
                ("new".to_owned(), vec![Ok(self.expr(&callee)?)])
            }
            _ => (required(call.name_token())?.text().to_owned(), Vec::new()),
        };
        args.extend(self.arguments(call.arguments())?);
        let block = call.lambda().map(|it| Closure::of_lambda(&it));
        self.call_with(&name, args, block.as_ref(), expr)
    }

    fn arguments(&mut self, all: impl IntoIterator<Item = Expr>) -> FlowResult<Vec<PartlyKnown>> {
        self.list_elements(all).map_err(ControlFlow::without_known)
    }

    /// Calls a function with arguments of which some may be unknown.
    fn call_with(
        &mut self,
        name: &str,
        args: Vec<PartlyKnown>,
        block: Option<&Closure>,
        expr: &Expr,
    ) -> FlowResult {
        self.call_site = Some(expr.syntax().clone());
        let outcome = match args.iter().find_map(|it| it.as_ref().err().cloned()) {
            Some(first) => self.call_partly(name, &args, block, first),
            None => {
                let args = args.into_iter().flatten().collect();
                let outcome = self.call_function(name, args, block);
                outcome.map_err(|it| failed(it).without_known())
            }
        };
        outcome.map_err(|flow| flow.or_at(|| error_position(expr)))
    }

    pub(super) fn method_call(&mut self, call: &MethodCall, expr: &Expr) -> FlowResult {
        let name = required(call.name_token())?.text().to_owned();
        let mut args = self.arguments([required(call.receiver())?])?;
        args.extend(self.arguments(call.arguments())?);
        let block = call.lambda().is_some();
        if let [Ok(receiver), others @ ..] = &*args
            && others.iter().all(Result::is_ok)
            && let Some(value) = member(receiver, &name, !others.is_empty(), block)
        {
            return value.map_err(|flow| flow.or_at(|| error_position(expr)));
        }
        let block = call.lambda().map(|it| Closure::of_lambda(&it));
        self.call_with(&name, args, block.as_ref(), expr)
    }
}

/// Marks the effects of a call as missing if its value is unknown.
fn failed(flow: ControlFlow) -> ControlFlow {
    match flow {
        ControlFlow::UnknownValue(unknown) => EvalFailure::Unknown(unknown).into(),
        flow => flow,
    }
}

/// Evaluates a method call that names a member of its receiver.
fn member(receiver: &Value, name: &str, arguments: bool, block: bool) -> Option<FlowResult> {
    let object = match receiver {
        Value::Object(object) => object,
        Value::Uri(uri) => return uri.named_part(name).map(Ok),
        _ => return None,
    };
    let ty = object.object_type();
    let refused = |what: &str| {
        Some(Err(ControlFlow::runtime(format!(
            "`{}[{name}]` {what}",
            ty.label()
        ))))
    };
    match ty.member(name)? {
        Member::Attribute(_) if arguments => refused("does not accept arguments"),
        Member::Attribute(_) if block => refused("does not accept a block"),
        Member::Attribute(it) if it.kind == AttributeKind::Derived => refused("cannot be computed"),
        Member::Attribute(_) => object.get(name).cloned().map(Ok),
        Member::Function if name == "message" && ty == ObjectType::error() => {
            if arguments || block {
                return refused("accepts neither arguments nor a block");
            }
            object.get("msg").cloned().map(Ok)
        }
        Member::Function => refused("is not implemented"),
    }
}
