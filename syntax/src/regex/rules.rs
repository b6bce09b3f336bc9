//! The rules that require the whole pattern: references, calls, look-behind.

mod look_behind;

use super::RegexError;
use super::tree::{Callee, Tree};

/// Checks a parsed pattern.
pub(super) fn check(tree: &Tree) -> Result<(), RegexError> {
    references(tree)?;
    calls(tree)?;
    look_behind::check(tree)
}

/// Checks references by number: the group must exist, and the pattern must not have named groups.
fn references(tree: &Tree) -> Result<(), RegexError> {
    let total = tree.group_total();
    // With a mix of named and unnamed groups, Ruby looks up such a condition in the wrong place.
    let is_certain = tree.named_groups == 0 || tree.named_groups == total;
    for reference in tree.backrefs.iter().chain(&tree.conditions) {
        if tree.named_groups > 0 && !reference.by_name {
            return Err(RegexError::new(reference.offset, NUMBER_BESIDE_NAMES));
        }
        if reference.group > total && is_certain {
            let message = unknown_group(reference.group, total);
            return Err(RegexError::new(reference.offset, message));
        }
    }
    Ok(())
}

const NUMBER_BESIDE_NAMES: &str =
    "numbered group references are not allowed in a pattern with named groups";

fn unknown_group(group: u32, total: u32) -> String {
    format!("no capture group {group}: the regular expression has {total}")
}

/// Checks that each call has one callee.
fn calls(tree: &Tree) -> Result<(), RegexError> {
    let total = tree.group_total();
    for (offset, callee) in &tree.calls {
        let message = match callee {
            Callee::Number(number) if *number > 0 && tree.named_groups > 0 => {
                NUMBER_BESIDE_NAMES.to_owned()
            }
            Callee::Number(number) if *number > total => unknown_group(*number, total),
            Callee::Number(_) => continue,
            Callee::Unknown => "call of an unknown group".to_owned(),
            Callee::Name(name) => match tree.names.get(*name) {
                Some(name) if name.groups.len() == 1 => continue,
                _ => "ambiguous call: several groups have this name".to_owned(),
            },
        };
        return Err(RegexError::new(*offset, message));
    }
    Ok(())
}
