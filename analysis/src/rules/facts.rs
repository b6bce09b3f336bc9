//! Facts under their old names.

use super::{Checker, LEGACY_FACT};
use crate::db::SettingsInput;
use crate::declared::Fact;
use syntax::validation::PuppetVersion;
use syntax::{Severity, TextRange};

impl Checker<'_> {
    /// Reports a fact if it has another name in all releases.
    pub(super) fn legacy(&mut self, range: TextRange, fact: &Fact) {
        let Some(modern) = &fact.modern else {
            return;
        };
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
