//! Evaluation of EPP templates. From Puppet's `pops/evaluator/epp_evaluator.rb`.

use syntax::ast::{HasParameters, Parameter, RenderExpr, SourceFile};
use types::mismatch::describe_value;
use types::values::{self, HashValue, Value};
use types::{Type, accepted_by_parameter};

use super::control_flow::{ControlFlow, FlowResult};
use super::expressions::{Evaluator, required, unknown};
use super::rendered::Rendered;

impl Evaluator<'_> {
    /// Evaluates a template in the current scope, and returns its text. `given` are the arguments; `None` if the call
    /// passes no hash.
    ///
    /// # Errors
    ///
    /// See [`ControlFlow`].
    pub fn template(&mut self, template: &SourceFile, given: Option<&HashValue>) -> FlowResult {
        let outer = self.rendered.replace(Rendered::default());
        let mark = self.scope.mark();
        let budget = self.budget;
        let outcome = budget.call(|| self.run_template(template, given));
        self.scope.reset(mark);
        let rendered = std::mem::replace(&mut self.rendered, outer).unwrap_or_default();
        outcome?;
        let text = self.string_value(rendered.text)?;
        Ok(match rendered.is_sensitive {
            true => Value::Sensitive(text.into()),
            false => text,
        })
    }

    fn run_template(&mut self, template: &SourceFile, given: Option<&HashValue>) -> FlowResult<()> {
        let mut arguments = Vec::new();
        for (name, value) in given.into_iter().flat_map(HashValue::iter) {
            match name.as_str() {
                Some(name) if !name.contains("::") => arguments.push((name, value.clone())),
                _ => return unknown("argument that is not a local variable"),
            }
        }
        let parameters = template.epp_parameters();
        let variables = match &parameters {
            Some(it) => self.template_parameters(&it.parameters(), &arguments)?,
            None => {
                let given = arguments.into_iter();
                given.map(|it| (it.0.to_owned(), it.1)).collect()
            }
        };
        self.scope.push_locals();
        for (name, value) in variables {
            self.scope.set(&name, value);
        }
        match self.statements(template.statements()) {
            Ok(_) => Ok(()),
            Err(ControlFlow::Next(_)) if parameters.is_some() => Ok(()),
            Err(flow) => Err(flow),
        }
    }

    /// Returns the values of the parameters. Those that are given are visible in all default values.
    fn template_parameters(
        &mut self,
        parameters: &[Parameter],
        given: &[(&str, Value)],
    ) -> FlowResult<Vec<(String, Value)>> {
        let names: Vec<String> = parameters.iter().filter_map(Parameter::name).collect();
        // Puppet does not look for parameters of undef values.
        let mut extra = given
            .iter()
            .filter(|it| it.1 != Value::Undef && names.iter().all(|name| name != it.0));
        if let Some((name, _)) = extra.next() {
            return Err(ControlFlow::runtime(format!(
                "no parameter `{name}` on the template"
            )));
        }
        let mark = self.scope.mark();
        self.scope.push_parameters(names.into_iter());
        for (name, value) in given.iter().filter(|it| it.1 != Value::Undef) {
            self.scope.set_parameter(name, value.clone());
        }
        let values = parameters
            .iter()
            .map(|it| self.template_parameter(it, given));
        let values = values.collect();
        self.scope.reset(mark);
        values
    }

    fn template_parameter(
        &mut self,
        parameter: &Parameter,
        given: &[(&str, Value)],
    ) -> FlowResult<(String, Value)> {
        let name = required(parameter.name())?;
        let argument = given.iter().find(|it| it.0 == name).map(|it| &it.1);
        let value = match (argument, parameter.default()) {
            (Some(value), _) if *value != Value::Undef => value.clone(),
            (_, Some(default)) => {
                let mark = self.scope.mark();
                let value = self.expr(&default);
                self.scope.reset(mark);
                value?
            }
            (Some(_), None) => Value::Undef,
            (None, None) => {
                return Err(ControlFlow::runtime(format!(
                    "missing required parameter `{name}` of the template"
                )));
            }
        };
        self.scope.set_parameter(&name, value.clone());
        let accepted = match parameter.type_expr() {
            Some(expr) => match self.expr(&expr)? {
                Value::Type(it) => it,
                _ => return unknown("parameter with an invalid type"),
            },
            None => Type::Any,
        };
        match types::is_instance(&accepted_by_parameter(&accepted), &value) {
            Some(true) => Ok((name, value)),
            Some(false) => Err(ControlFlow::runtime(format!(
                "parameter `{name}` of the template {}",
                describe_value(&accepted, &value)
            ))),
            None => unknown("parameter of which it is unknown whether it accepts the value"),
        }
    }

    /// Renders literal text.
    pub(super) fn render_text(&mut self, text: &str) -> FlowResult {
        let Some(rendered) = &mut self.rendered else {
            return unknown("part of a template");
        };
        rendered.text.push_str(text);
        if rendered.text.len() as u64 > self.context.limits.weight {
            return unknown("value is too large");
        }
        Ok(Value::Undef)
    }

    /// Renders the value of an expression.
    pub(super) fn render_value(&mut self, expr: &RenderExpr) -> FlowResult {
        if self.rendered.is_none() {
            return unknown("part of a template");
        }
        let value = self.expr(&required(expr.expr())?)?;
        let (value, is_sensitive) = match &value {
            Value::Sensitive(inner) => (&**inner, true),
            value => (value, false),
        };
        let Some(text) = values::interpolated(value) else {
            return unknown("value without a fixed string representation");
        };
        if let Some(rendered) = &mut self.rendered {
            rendered.is_sensitive |= is_sensitive;
        }
        self.render_text(&text)
    }
}
