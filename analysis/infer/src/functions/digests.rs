//! Digests.

use super::text;
use crate::inferred::Inferred;
use library::KnownFunction as F;
use types::IntRange;

/// Returns the type of a function's result.
pub(super) fn result(function: F) -> Option<Inferred> {
    let found = match function {
        F::Md5 => text(IntRange::exactly(32)),
        F::Sha1 => text(IntRange::exactly(40)),
        F::Sha256 => text(IntRange::exactly(64)),
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
