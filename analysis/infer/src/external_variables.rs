//! The external variables whose types are certain.

/// The variables whose keys only Puppet itself sets.
const SET_BY_PUPPET: [&str; 2] = ["trusted", "server_facts"];

/// Checks whether the keys of an external variable are known for certain.
pub(super) fn has_certain_keys(name: &str) -> bool {
    SET_BY_PUPPET.contains(&name.strip_prefix("::").unwrap_or(name))
}
