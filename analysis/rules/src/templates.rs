//! Templates that `epp` and `inline_epp` evaluate, in diagnostics about their parameters.

use hir::{ItemKind, items};
use infer::{Template, template_parameters};

use crate::checker::Checker;

/// Renders a template for messages.
pub(crate) fn template_name(template: &Template) -> String {
    match template {
        Template::File(path, _) => format!("template `{path}`"),
        Template::Inline => "the inline template".to_owned(),
    }
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
