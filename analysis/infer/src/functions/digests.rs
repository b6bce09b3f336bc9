//! Digests.

use super::text;
use crate::inferred::Inferred;
use types::IntRange;

/// Returns the type of a function's result.
pub(super) fn result(function: &str) -> Option<Inferred> {
    let found = match function {
        "md5" => text(IntRange::exactly(32)),
        "sha1" => text(IntRange::exactly(40)),
        "sha256" => text(IntRange::exactly(64)),
        _ => return None,
    };
    Some(Inferred::of(found))
}

#[cfg(test)]
mod tests {
    use super::super::test_support::check;

    #[test]
    fn digests_have_fixed_lengths() {
        check(&[
            ("Any $a", "sha256($a)", "String[64, 64]"),
            ("Any $a", "md5($a)", "String[32, 32]"),
        ]);
    }
}
