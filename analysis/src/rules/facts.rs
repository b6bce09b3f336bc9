//! Facts under their old names.

use super::{Checker, LEGACY_FACT};
use crate::db::SettingsInput;
use crate::declared::Fact;
use crate::workspace::body::Name;
use crate::workspace::resolve::{Definition, resolve};
use crate::workspace::variables::VariableSource;
use syntax::Severity;
use syntax::validation::PuppetVersion;

pub(super) fn check(checker: &mut Checker<'_>) {
    let body = checker.body;
    for reference in &body.references {
        if !matches!(reference.name, Name::Variable(_)) {
            continue;
        }
        let found = resolve(checker.db, checker.item, reference);
        if let Ok(Definition::Variable(VariableSource::Fact(fact))) = found
            && fact.modern.is_some()
        {
            checker.legacy(reference.range, &fact);
        }
    }
}

impl Checker<'_> {
    fn legacy(&mut self, range: syntax::TextRange, fact: &Fact) {
        let modern = fact.modern.as_deref().unwrap_or_default();
        let version = SettingsInput::get(self.db).version(self.db);
        // Puppet 8 does not send them unless it is told to.
        let (severity, message) = match version {
            PuppetVersion::V7 => (
                Severity::Hint,
                format!(
                    "`{}` is a legacy fact: `{modern}` has it in all releases",
                    fact.name
                ),
            ),
            PuppetVersion::V8 => (
                Severity::Warning,
                format!(
                    "`{}` is a legacy fact, which Puppet 8 does not send: use `{modern}`",
                    fact.name
                ),
            ),
        };
        self.report_as(&LEGACY_FACT, severity, range, message);
    }
}
