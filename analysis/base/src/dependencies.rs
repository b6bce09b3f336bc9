//! The direct and indirect dependencies of modules.

use std::collections::BTreeSet;

/// The names of modules that are reached through dependencies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependencies {
    /// The installed modules.
    pub found: BTreeSet<String>,
    /// The modules that are not installed.
    pub missing: BTreeSet<String>,
}

/// Follows dependencies, starting at the names in `direct`. `dependencies_of` returns those of an
/// installed module.
pub fn dependencies<'a>(
    direct: impl IntoIterator<Item = &'a String>,
    dependencies_of: impl Fn(&str) -> Option<&'a [String]>,
) -> Dependencies {
    let mut all = Dependencies::default();
    let mut pending: Vec<&String> = direct.into_iter().collect();
    while let Some(name) = pending.pop() {
        match dependencies_of(name) {
            Some(needed) => {
                if all.found.insert(name.clone()) {
                    pending.extend(needed);
                }
            }
            None => {
                all.missing.insert(name.clone());
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_cycles_once() {
        let list = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let (a, b) = (list(&["b", "absent"]), list(&["a"]));
        let of = |name: &str| match name {
            "a" => Some(a.as_slice()),
            "b" => Some(b.as_slice()),
            _ => None,
        };
        let all = dependencies(&b, of);
        assert!(all.found.iter().eq(["a", "b"]));
        assert!(all.missing.iter().eq(["absent"]));
    }
}
