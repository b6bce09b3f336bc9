//! Checks of the location of definitions in a module: Puppet loads a definition from the file that
//! its name implies.

use super::ModulePlace;
use super::checker::Checker;
use crate::model::{Kind, Node};

/// Returns the required prefix of all names in a file, for a module named `module`; `None` in a
/// folder from which definitions are not autoloaded.
fn namespace(place: &ModulePlace, module: &str) -> Option<String> {
    let path = place.path.to_lowercase();
    let mut parts: Vec<_> = path.split('/').collect();
    let folder = parts.first().copied()?;
    if !matches!(folder, "manifests" | "functions" | "types" | "plans") {
        return None;
    }
    parts.remove(0);
    let file = parts.pop()?;
    let mut names = vec![module.to_lowercase()];
    let is_init = parts.is_empty() && file == "init.pp";
    names.extend(parts.iter().map(|it| (*it).to_owned()));
    if !is_init {
        names.push(file.strip_suffix(".pp").unwrap_or(file).to_owned());
    }
    Some(names.join("::"))
}

impl Checker<'_> {
    fn namespaces(&self) -> Option<Vec<Option<String>>> {
        let place = self
            .context
            .place
            .as_ref()
            .filter(|it| it.path.ends_with(".pp"))?;
        Some(
            place
                .module_names
                .iter()
                .map(|it| namespace(place, it))
                .collect(),
        )
    }

    pub(super) fn definition_location(&mut self, node: &Node, name: &str) {
        let Some(namespaces) = self.namespaces() else {
            return;
        };
        let name = name.to_lowercase();
        let fits = |it: &Option<String>| it.as_deref().is_some_and(|it| name.starts_with(it));
        if namespaces.is_empty() || namespaces.iter().any(fits) {
            return;
        }
        let message = match namespaces.iter().flatten().next() {
            Some(wanted) => format!(
                "`{name}` cannot be autoloaded from this file: expected `{wanted}` or `{wanted}::…`"
            ),
            None => format!(
                "`{name}` cannot be autoloaded from this file: expected a file in `manifests`, `functions`, `types` or `plans`"
            ),
        };
        self.error("ILLEGAL_DEFINITION_LOCATION", node, message);
    }

    /// Checks that a file of a module contains only definitions.
    pub(super) fn check_top_constructs(&mut self, program: &Node) {
        let Kind::Program(Some(body)) = &program.kind else {
            return;
        };
        if self.namespaces().is_none_or(|it| it.is_empty()) {
            return;
        }
        let statements = match &body.kind {
            Kind::Block(statements) => statements.as_slice(),
            _ => std::slice::from_ref(&**body),
        };
        for statement in statements {
            let fits =
                statement.is_definition() && !matches!(statement.kind, Kind::NodeDefinition { .. });
            if !fits {
                let message =
                    "only definitions are allowed at the top level of a module's manifest";
                self.error("ILLEGAL_TOP_CONSTRUCT_LOCATION", statement, message);
            }
        }
    }
}
