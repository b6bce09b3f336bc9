//! Legacy facts.

use super::fixes::{certain_if, token_at, variable_like};
use super::{Checker, LEGACY_FACT};
use base::SettingsInput;
use library::signatures::Fact;
use syntax::validation::PuppetVersion;
use syntax::{Fix, Severity, SyntaxKind, SyntaxToken, TextRange};

impl Checker<'_> {
    /// Reports a legacy fact that has a modern equivalent.
    pub(super) fn legacy(&mut self, range: TextRange, fact: &Fact) {
        let Some(modern) = &fact.modern else {
            return;
        };
        let version = SettingsInput::get(self.db).version(self.db);
        // Puppet 8 omits legacy facts unless `include_legacy_facts` is set.
        let (severity, message) = match version {
            PuppetVersion::V7 => (
                Severity::Hint,
                format!("`{}` is a legacy fact; use `{modern}` instead", fact.name),
            ),
            PuppetVersion::V8 => (
                Severity::Warning,
                format!(
                    "`{}` is a legacy fact, which Puppet 8 omits by default; use `{modern}` instead",
                    fact.name
                ),
            ),
        };
        self.report_as(&LEGACY_FACT, severity, range, message);
        let token = token_at(&self.root(), range);
        let token = token.filter(|it| is_text(fact) || !is_compared(it));
        let text = token.and_then(|it| path_of(modern).and(variable_like(&it, modern)));
        // Indexing into a fact fails on hosts without it.
        let is_there = path_of(modern).is_some_and(|it| has_all_levels(&it));
        let certain = version == PuppetVersion::V8 && is_there;
        let label = format!("Replace with `{modern}`");
        let fix = text.map(|it| Fix::suggested(label, range, it).with(certain_if(certain)));
        self.fix(fix);
    }
}

/// Checks whether a fact is a string, as the surrounding code may assume.
fn is_text(fact: &Fact) -> bool {
    fact.type_.as_deref() == Some("String")
}

/// Checks whether the variable is an operand or the subject of a `case` or selector.
fn is_compared(token: &SyntaxToken) -> bool {
    let around = token.parent().and_then(|it| it.parent());
    around.is_some_and(|it| {
        use SyntaxKind::*;
        matches!(it.kind(), BINARY_EXPR | SELECTOR_EXPR | CASE_EXPR)
    })
}

/// Returns the keys of `$facts['a']['b']`, or `None` for other expressions.
fn path_of(modern: &str) -> Option<Vec<&str>> {
    let keys = modern.strip_prefix("$facts['")?.strip_suffix("']")?;
    let keys: Vec<_> = keys.split("']['").collect();
    keys.iter().all(|it| !it.contains('\'')).then_some(keys)
}

/// Checks whether every host has all levels of a fact except possibly the last.
fn has_all_levels(path: &[&str]) -> bool {
    let mut levels = (1..path.len()).map(|it| &path[..it]);
    levels.all(|it| library::fact_part(it).is_some_and(|part| !part.optional))
}
