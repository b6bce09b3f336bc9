//! Calls of functions, of methods and of types.
//!
//! The arguments are evaluated first, as in Puppet, so that an error in them is found. Which
//! functions there are, and what they do, is for the functions of this room to say.

use syntax::ast::{CallExpr, MethodCall};

use super::Halt;
use super::expressions::{Evaluated, Evaluator, required};

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &CallExpr) -> Evaluated {
        let name = match call.callee() {
            Some(
                callee @ (syntax::ast::Expr::QualifiedReference(_)
                | syntax::ast::Expr::AccessExpr(_)),
            ) => {
                self.expr(&callee)?;
                "new".to_owned()
            }
            _ => required(call.name_token())?.text().to_owned(),
        };
        self.list(call.arguments())?;
        self.function(&name)
    }

    pub(super) fn method_call(&mut self, call: &MethodCall) -> Evaluated {
        let name = required(call.name_token())?.text().to_owned();
        self.list([required(call.receiver())?])?;
        self.list(call.arguments())?;
        self.function(&name)
    }

    fn function(&self, name: &str) -> Evaluated {
        Err(Halt::unknown(format!("what the function {name} does is not known")).into())
    }
}
