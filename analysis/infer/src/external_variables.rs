//! The external variables whose types are certain.

/// The variable whose keys only Puppet itself sets.
const TRUSTED: &str = "trusted";

/// Checks whether the keys of an external variable are known for certain.
pub(super) fn has_certain_keys(name: &str) -> bool {
    name.strip_prefix("::").unwrap_or(name) == TRUSTED
}
