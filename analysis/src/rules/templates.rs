//! Parameters that a template has not, and those that it must be given.

use super::suggest::{hint, similar};
use super::{Checker, MISSING_PARAMETER, UNKNOWN_PARAMETER};
use crate::infer::{Problem, ProblemKind, Target, Template, template_parameters};
use crate::workspace::{ItemKind, items};

impl Checker<'_> {
    /// Words one of these.
    pub(super) fn template(&mut self, problem: &Problem) {
        match &problem.kind {
            ProblemKind::UnknownParameter {
                template,
                name,
                known,
            } => {
                let near = hint(similar(name, known.iter().map(String::as_str)));
                let template = template_name(template);
                let message = format!("{template} has no parameter `{name}`{near}");
                self.report(&UNKNOWN_PARAMETER, problem.range, message);
            }
            ProblemKind::MissingParameter { template, name } => {
                let message = format!("{} must be given `{name}`", template_name(template));
                self.report(&MISSING_PARAMETER, problem.range, message);
            }
            _ => {}
        }
    }

    /// Says of the last finding where the template says so.
    pub(super) fn explain_template(&mut self, problem: &Problem) {
        let (template, name) = match &problem.kind {
            ProblemKind::Mismatch {
                what: Target::TemplateParameter(template, name),
                ..
            }
            | ProblemKind::MissingParameter { template, name } => (template, name),
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
            self.relate(*main, parameter.range, "it is declared here");
        }
    }
}

/// What a template is called in messages.
pub(super) fn template_name(template: &Template) -> String {
    match template {
        Template::File(path, _) => format!("template `{path}`"),
        Template::Inline => "the template".to_owned(),
    }
}
