//! Templates in the Puppet language, templates in Ruby without tags, and files.

use eval::{ControlFlow, Evaluator, FlowResult};
use hir::body::PathKind;
use hir::resolve::{self, Definition, ResolveError};
use library::KnownFunction;
use syntax::{Dialect, Parse, Severity, TextSize};
use types::values::{HashValue, Value};

use crate::scopes::ScopeEnvironment;
use crate::state::{Compiler, ScopeData, ScopeId, ScopeKind, TOP};
use crate::values::{error, flattened};

const TEMPLATE: Dialect = Dialect {
    epp: true,
    tasks: false,
};

impl Compiler<'_> {
    /// Evaluates `epp`. The template sees global variables and its parameters.
    pub(crate) fn epp(&self, args: &[Value]) -> Option<FlowResult> {
        let (path, given) = arguments(args)?;
        let file = resolve::epp_template(self.db, Some(self.environment), path)?;
        let parse = match file.spec(self.db).dialect.epp {
            true => base::parse(self.db, file).clone(),
            false => syntax::parse(file.text(self.db).as_deref()?, TEMPLATE),
        };
        let main = self.key_of(TOP)?;
        let scope = self.new_scope(ScopeData::new(ScopeKind::Function, Some(TOP), main));
        self.set_origin(scope, Some(file), TextSize::new(0));
        let environment = ScopeEnvironment::of_template(self, scope);
        let evaluator = Evaluator::new(&self.context, &environment, &self.budget, false);
        let rendered = render(evaluator, &parse, given);
        Some(rendered.map_err(|flow| self.record_failure_place(scope, flow)))
    }

    /// Evaluates `inline_epp`. The template sees the variables of the code.
    pub(crate) fn inline_epp(
        &self,
        scope: ScopeId,
        evaluator: &Evaluator<'_>,
        args: &[Value],
    ) -> Option<FlowResult> {
        let (source, given) = arguments(args)?;
        let parse = syntax::parse(source, TEMPLATE);
        let environment = ScopeEnvironment::of_template(self, scope);
        let inner = Evaluator::new(&self.context, &environment, &self.budget, scope == TOP);
        let inner = inner.with_scope(evaluator.scope().clone());
        let rendered = render(inner, &parse, given);
        // The code of the template has no place in a file: the call fails.
        Some(rendered.map_err(|flow| match flow {
            ControlFlow::Failure { failure, .. } => ControlFlow::Failure { failure, at: None },
            it => it,
        }))
    }
}

impl Compiler<'_> {
    /// Returns the text of ERB templates; `None` if a template has tags, whose code is not evaluated, or is unknown.
    pub(crate) fn plain_template(&self, function: KnownFunction, args: &[Value]) -> Option<Value> {
        let mut all = String::new();
        for argument in args {
            let argument = argument.as_str()?;
            let text = match function {
                KnownFunction::InlineTemplate => argument,
                _ => self.text_of(PathKind::Template, argument)?,
            };
            if text.contains("<%") || text.contains("%>") {
                return None;
            }
            all.push_str(text);
        }
        Some(all.into())
    }

    /// Evaluates `file`, which reads the first of several files that exists.
    pub(crate) fn file_content(&self, args: &[Value]) -> Option<Value> {
        for path in &flattened(args) {
            let path = path.as_str()?;
            match resolve::file(self.db, Some(self.environment), PathKind::File, path) {
                Ok(_) => return self.text_of(PathKind::File, path).map(Value::from),
                Err(ResolveError::NotDefined) => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// Returns the content of a file of a module, if it is known exactly.
    fn text_of(&self, kind: PathKind, path: &str) -> Option<&str> {
        let Ok(Definition::File(file)) = resolve::file(self.db, Some(self.environment), kind, path)
        else {
            return None;
        };
        let text = file.text(self.db).as_deref()?;
        // The replacement of bytes that are not text, and the mark that Puppet removes.
        (!text.contains(['\u{fffd}', '\u{feff}', '\r'])).then_some(text)
    }
}

fn render(mut evaluator: Evaluator<'_>, parse: &Parse, given: Option<&HashValue>) -> FlowResult {
    let mut errors = parse.errors().iter();
    if let Some(invalid) = errors.find(|it| it.severity == Severity::Error) {
        return Err(error(format!("invalid EPP template: {}", invalid.message)));
    }
    evaluator.template(&parse.tree(), given)
}

/// Returns the path or source of a template, and the hash of its arguments.
fn arguments(args: &[Value]) -> Option<(&str, Option<&HashValue>)> {
    match args {
        [Value::String(first)] | [Value::String(first), Value::Undef] => Some((first, None)),
        [Value::String(first), Value::Hash(given)] => Some((first, Some(given))),
        _ => None,
    }
}
