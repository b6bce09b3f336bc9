//! Calls of functions, of methods and of types: what is called, and with what.
//!
//! The arguments are evaluated first, as in Puppet, so that an error in them is found. What the
//! functions do is in [`super::functions`].

use syntax::ast::{AstNode, CallExpr, Expr, MethodCall};

use super::closures::Closure;
use super::expressions::{Evaluator, required};
use super::places::place;
use super::stop::Evaluated;
use crate::values::Value;

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &CallExpr, expr: &Expr) -> Evaluated {
        let (name, mut args) = match call.callee() {
            Some(callee @ (Expr::QualifiedReference(_) | Expr::AccessExpr(_))) => {
                ("new".to_owned(), vec![self.expr(&callee)?])
            }
            _ => (required(call.name_token())?.text().to_owned(), Vec::new()),
        };
        args.extend(self.list(call.arguments())?);
        let block = call.lambda().map(|it| Closure::of_lambda(&it));
        self.call_site = Some(expr.syntax().clone());
        self.call_function(&name, args, block.as_ref())
            .map_err(|stop| stop.or_at(|| place(expr)))
    }

    pub(super) fn method_call(&mut self, call: &MethodCall, expr: &Expr) -> Evaluated {
        let name = required(call.name_token())?.text().to_owned();
        let mut args = self.list([required(call.receiver())?])?;
        args.extend(self.list(call.arguments())?);
        if let [Value::Object(object)] = args.as_slice()
            && let Some(value) = object.get(&name)
        {
            return Ok(value.clone());
        }
        let block = call.lambda().map(|it| Closure::of_lambda(&it));
        self.call_site = Some(expr.syntax().clone());
        self.call_function(&name, args, block.as_ref())
            .map_err(|stop| stop.or_at(|| place(expr)))
    }
}
