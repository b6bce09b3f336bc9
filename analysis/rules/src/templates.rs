//! Templates that `epp` and `inline_epp` evaluate, and the plans and tasks of Bolt, in diagnostics about
//! their parameters.

use std::collections::BTreeSet;

use base::{EnvironmentInput, FileInput};
use hir::{ItemKind, items};
use infer::{Template, template_parameters};
use salsa::Database;
use syntax::Severity;

use crate::checker::Checker;
use crate::index::usage_index::{TemplateUse, template_use};

/// Returns the severity of a wrong parameter: Bolt, which checks those of plans and tasks, is not part of
/// Puppet.
pub(crate) fn severity_of(template: &Template) -> Severity {
    match template {
        Template::File(..) | Template::Inline => Severity::Error,
        Template::Plan(_) | Template::Task(_) => Severity::Warning,
    }
}

/// Renders a template for messages.
pub(crate) fn template_name(template: &Template) -> String {
    match template {
        Template::File(path, _) => format!("template `{path}`"),
        Template::Inline => "the inline template".to_owned(),
        Template::Plan(name) => format!("plan `{name}`"),
        Template::Task(name) => format!("task `{name}`"),
    }
}

/// Returns the calls of `epp` that evaluate the template that is checked, as far as they are known; `None` for other code,
/// and for a template with a parameter list.
pub(crate) fn use_without_list<'db>(checker: &Checker<'db>) -> Option<&'db Option<TemplateUse>> {
    let file = checker.item.file(checker.db);
    let has_list = checker.body.template_parameters.is_some();
    let is_open = file.spec(checker.db).dialect.epp && !has_list;
    is_open.then(|| template_use(checker.db, checker.environment, file))
}

/// The parameters that the known calls of `epp` pass to a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateCalls {
    /// The names of the parameters.
    pub passed: BTreeSet<String>,
    /// Whether a call may pass others.
    pub is_open: bool,
}

/// Returns the parameters that calls of `epp` pass to a template; `None` if no call names it.
pub fn template_calls(
    db: &dyn Database,
    environment: EnvironmentInput,
    template: FileInput,
) -> Option<TemplateCalls> {
    let found = template_use(db, environment, template).as_ref()?;
    Some(TemplateCalls {
        passed: found.passed.clone(),
        is_open: found.is_open,
    })
}

/// Checks whether a call of `epp` may pass a variable to the template without a parameter list that is checked.
pub(crate) fn may_be_passed(checker: &Checker<'_>, variable: &str) -> bool {
    let calls = use_without_list(checker);
    calls.is_some_and(|it| it.as_ref().is_none_or(|it| it.may_pass(variable)))
}

impl Checker<'_> {
    /// Adds the declaration of a template parameter to the last diagnostic.
    pub(crate) fn relate_template_parameter(&mut self, template: &Template, name: &str) {
        let Template::File(_, file) = template else {
            return;
        };
        let main = items(self.db, *file);
        let main = main.iter().find(|it| it.kind(self.db) == ItemKind::Main);
        let parameters = template_parameters(self.db, *file).iter().flatten();
        let parameter = parameters.into_iter().find(|it| it.name == *name);
        if let (Some(main), Some(parameter)) = (main, parameter) {
            self.relate(*main, parameter.range, "parameter declared here");
        }
    }
}

#[cfg(test)]
mod tests;
