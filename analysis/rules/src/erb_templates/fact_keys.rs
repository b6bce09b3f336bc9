//! The keys that core facts do not have, in the code of templates.

use hir::ruby_symbols::custom_facts;
use hir::variables::{VariableSource, resolve_external_variable};
use library::ruby::ErbFactPath;
use syntax::Severity;

use super::variables::binds;
use super::{RubyTemplate, TemplateProblem};
use crate::fact_paths::{is_unknown_part, unknown_part};

/// Returns the reads of keys that the core facts do not have. Ruby has `nil` for them.
pub(crate) fn unknown_keys(template: &RubyTemplate<'_>) -> Vec<TemplateProblem> {
    if template.names.is_open {
        return Vec::new();
    }
    let paths = template.names.fact_paths.iter();
    let of_facts = paths.filter(|it| template.is_core_fact(it));
    of_facts.filter_map(unknown_key).collect()
}

impl RubyTemplate<'_> {
    /// Checks whether a path certainly starts with a core fact.
    fn is_core_fact(&self, path: &ErbFactPath) -> bool {
        let Some(fact) = path.keys.first().map(|it| it.name.as_str()) else {
            return false;
        };
        if custom_facts(self.db, self.environment).contains_key(fact) {
            return false;
        }
        !path.is_variable || !self.names.is_optional(fact) && self.has_fact_as_variable(fact)
    }

    /// Checks whether all code that renders the template has the fact of a name as a variable.
    fn has_fact_as_variable(&self, name: &str) -> bool {
        let (db, environment) = (self.db, Some(self.environment));
        self.callers.as_deref().is_some_and(|callers| {
            callers.iter().all(|it| {
                let found = resolve_external_variable(db, environment, *it, name);
                !binds(self, *it, name) && matches!(found, Ok(VariableSource::Fact(_)))
            })
        })
    }
}

/// Returns the problem of the first key in a path that the fact does not have.
fn unknown_key(path: &ErbFactPath) -> Option<TemplateProblem> {
    let names: Vec<&str> = path.keys.iter().map(|it| it.name.as_str()).collect();
    let at = (1..names.len()).find(|it| is_unknown_part(&names[..=*it]))?;
    let (message, near) = unknown_part(&names[..=at]);
    Some(TemplateProblem {
        range: path.keys[at].range,
        severity: Severity::Warning,
        message,
        replacement: near.map(str::to_owned),
    })
}
