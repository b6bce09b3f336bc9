//! Functions of the module `stdlib` that its later versions lack, and that Puppet does not have either.

/// The module.
pub const STDLIB: &str = "stdlib";

/// The first version of `stdlib` without these functions.
pub const STDLIB_WITHOUT_DEPRECATED: (u64, u64, u64) = (9, 0, 0);

/// The functions that 8.6.0 still has, as listed by the repository of the module.
const OTHERS: [&str; 12] = [
    "dig44",
    "has_key",
    "hash",
    "is_domain_name",
    "is_email_address",
    "is_function_available",
    "is_hash",
    "is_integer",
    "is_mac_address",
    "private",
    "try_get_value",
    "type3x",
];

/// The functions that raise an error with `strict = error` in every version that supports Puppet 5 or later.
const FAILING_IF_STRICT: [&str; 22] = [
    "is_absolute_path",
    "is_array",
    "is_bool",
    "is_float",
    "is_ip_address",
    "is_ipv4_address",
    "is_ipv6_address",
    "is_numeric",
    "is_string",
    "sprintf_hash",
    "validate_absolute_path",
    "validate_array",
    "validate_bool",
    "validate_hash",
    "validate_integer",
    "validate_ip_address",
    "validate_ipv4_address",
    "validate_ipv6_address",
    "validate_numeric",
    "validate_re",
    "validate_slength",
    "validate_string",
];

/// Checks whether a function was removed from `stdlib`.
pub fn is_removed_from_stdlib(name: &str) -> bool {
    OTHERS.contains(&name) || fails_in_old_stdlib(name)
}

/// Checks whether a function that was removed from `stdlib` fails with the default settings of Puppet 8 in earlier
/// versions.
pub fn fails_in_old_stdlib(name: &str) -> bool {
    FAILING_IF_STRICT.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::validation::PuppetVersion;

    #[test]
    fn puppet_lacks_the_functions() {
        for name in OTHERS.iter().chain(&FAILING_IF_STRICT) {
            assert!(crate::function(name, PuppetVersion::V7).is_none(), "{name}");
        }
    }
}
