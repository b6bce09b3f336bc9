//! Facts under their old names.

use super::fixes::{certain_if, token_at, variable_like};
use super::{Checker, LEGACY_FACT};
use crate::db::SettingsInput;
use crate::declared::Fact;
use crate::library;
use syntax::validation::PuppetVersion;
use syntax::{Fix, Severity, SyntaxKind, SyntaxToken, TextRange};

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
        let token = token_at(&self.root(), range);
        let token = token.filter(|it| is_text(fact) || !is_compared(it));
        let text = token.and_then(|it| path_of(modern).and(variable_like(&it, modern)));
        // Where a fact may not be there, asking for a part of it fails.
        let is_there = path_of(modern).is_some_and(|it| has_all_levels(&it));
        let certain = version == PuppetVersion::V8 && is_there;
        let label = format!("Write `{modern}`");
        let fix = text.map(|it| Fix::suggested(label, range, it).with(certain_if(certain)));
        self.fix(fix);
    }
}

/// Whether a fact is a text, which the code around may well take it for.
fn is_text(fact: &Fact) -> bool {
    fact.type_.as_deref() == Some("String")
}

/// Whether the value of a variable decides something.
fn is_compared(token: &SyntaxToken) -> bool {
    let around = token.parent().and_then(|it| it.parent());
    around.is_some_and(|it| {
        use SyntaxKind::*;
        matches!(it.kind(), BINARY_EXPR | SELECTOR_EXPR | CASE_EXPR)
    })
}

/// The keys of `$facts['a']['b']`; nothing of other expressions.
fn path_of(modern: &str) -> Option<Vec<&str>> {
    let keys = modern.strip_prefix("$facts['")?.strip_suffix("']")?;
    let keys: Vec<_> = keys.split("']['").collect();
    keys.iter().all(|it| !it.contains('\'')).then_some(keys)
}

/// Whether every host has all levels of a fact but the last.
fn has_all_levels(path: &[&str]) -> bool {
    let mut levels = (1..path.len()).map(|it| &path[..it]);
    levels.all(|it| library::fact_part(it).is_some_and(|part| !part.optional))
}
