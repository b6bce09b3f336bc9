use std::sync::Arc;

use hiera::document::{Node, Scalar};
use rustc_hash::FxHashMap;
use syntax::TextRange;

use crate::data::DataChecker;
use crate::rule::{Check, Rule, declare_rule};

declare_rule! {
    /// Reports keys that a hash in data contains more than once.
    ///
    /// ## What it does
    ///
    /// Checks the keys of the file and of all hashes in its values.
    ///
    /// ## Why it matters
    ///
    /// Puppet uses the last value and ignores the others without a warning.
    ///
    /// ## Example
    ///
    /// ```data/common.yaml wrong
    /// ntp_servers: [a.example.com]
    /// ntp_servers: [b.example.com] # <-
    /// ```
    ///
    /// Use instead:
    ///
    /// ```data/common.yaml right
    /// ntp_servers: [a.example.com, b.example.com]
    /// ```
    ///
    /// ## Exceptions
    ///
    /// None.
    ///
    /// ## Fix
    ///
    /// No fix is available: the intended value is unknown.
    ///
    /// ## Suppression
    ///
    /// Add `# pupil: ignore[duplicate-data-key]` at the end of the line, or on a line of its own above it. To turn
    /// the rule off for a project, add this to `pupil.toml`:
    ///
    /// ```toml
    /// [rules]
    /// duplicate-data-key = "off"
    /// ```
    pub(crate) static DUPLICATE_DATA_KEY = {
        code: "duplicate-data-key",
        severity: Warning,
        since: "0.2.0",
        checks: [Check::DataFile(check)],
    }
}

fn check(checker: &mut DataChecker<'_>) {
    if !checker.is_read() {
        return;
    }
    let data = Arc::clone(&checker.data);
    if let Some(root) = &data.root {
        check_node(checker, root);
    }
}

fn check_node(checker: &mut DataChecker<'_>, node: &Node) {
    for it in node.elements().unwrap_or_default() {
        check_node(checker, it);
    }
    let entries = node.entries().unwrap_or_default();
    let mut seen: FxHashMap<(&str, bool), TextRange> = FxHashMap::default();
    for entry in entries {
        // A number and a string are different keys.
        let is_string = matches!(entry.key_scalar, Scalar::String(_) | Scalar::Symbol(_));
        let key = (entry.name(), is_string);
        if entry.key == "<<" || entry.name().is_empty() {
            continue;
        }
        if let Some(earlier) = seen.insert(key, entry.key_range) {
            let name = entry.name();
            let message = format!("duplicate key `{name}`: this value replaces the earlier one");
            let related = checker.related(earlier, "earlier value");
            let found = checker.report(&DUPLICATE_DATA_KEY, entry.key_range, message);
            found.related.push(related);
        }
    }
    for entry in entries {
        check_node(checker, &entry.value);
    }
}
