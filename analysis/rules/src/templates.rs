//! Unknown and missing parameters of templates.

use super::suggest::{hint, similar};
use super::{Checker, MISSING_PARAMETER, UNKNOWN_PARAMETER};
use hir::{ItemKind, items};
use infer::{Template, TypeProblem, TypeProblemKind, ValueTarget, template_parameters};

impl Checker<'_> {
    /// Renders a problem with template parameters as a diagnostic.
    pub(super) fn template(&mut self, problem: &TypeProblem) {
        match &problem.kind {
            TypeProblemKind::UnknownParameter {
                template,
                name,
                known,
            } => {
                let near = hint(similar(name, known.iter().map(String::as_str)));
                let template = template_name(template);
                let message = format!("no parameter `{name}` on {template}{near}");
                self.report(&UNKNOWN_PARAMETER, problem.range, message);
            }
            TypeProblemKind::MissingParameter { template, name } => {
                let template = template_name(template);
                let message = format!("missing required parameter `{name}` of {template}");
                self.report(&MISSING_PARAMETER, problem.range, message);
            }
            _ => {}
        }
    }

    /// Adds the declaration of the template parameter to the last diagnostic.
    pub(super) fn explain_template(&mut self, problem: &TypeProblem) {
        let (template, name) = match &problem.kind {
            TypeProblemKind::Mismatch {
                what: ValueTarget::TemplateParameter(template, name),
                ..
            }
            | TypeProblemKind::MissingParameter { template, name } => (template, name),
            _ => return,
        };
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

/// Renders a template for messages.
pub(super) fn template_name(template: &Template) -> String {
    match template {
        Template::File(path, _) => format!("template `{path}`"),
        Template::Inline => "the inline template".to_owned(),
    }
}
